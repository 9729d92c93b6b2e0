#include "base/assert.h"
#include "games/go/playout_board.h"

#include <string.h>

enum { BORDER = 3 };

#define OTHER(colour) (3 - (colour))

/* ---- setting up ---- */

static void add_free(KnPlayoutBoard *b, int head, int point)
{
    b->free[head]++;
    b->sum[head] += (uint32_t)point;
    b->squares[head] += (uint32_t)(point * point);
}

static void take_free(KnPlayoutBoard *b, int head, int point)
{
    b->free[head]--;
    b->sum[head] -= (uint32_t)point;
    b->squares[head] -= (uint32_t)(point * point);
}

static void put_empty(KnPlayoutBoard *b, int point)
{
    b->where[point] = (uint16_t)b->empties;
    b->empty[b->empties++] = (uint16_t)point;
}

void kn_playout_board_set(KnPlayoutBoard *b, const KnGame *game, const void *position)
{
    memset(b, 0, sizeof *b);
    b->size = kn_go_size(game);
    b->stride = b->size + 2;
    memset(b->colour, BORDER, sizeof b->colour);
    for (int i = 0; i < game->cells; i++) {
        int point = kn_playout_board_point(b, i % b->size, i / b->size);
        b->colour[point] = 0;
        put_empty(b, point);
    }
    for (int i = 0; i < game->cells; i++) {
        int held = game->type->cell(game, position, i);
        if (held) kn_playout_board_play(b, kn_playout_board_point(b, i % b->size, i / b->size), held);
    }
    int x, y;
    b->ko = kn_go_point(game, kn_go_ko(game, position), &x, &y) ? kn_playout_board_point(b, x, y) : 0;
    b->last = 0;
    b->passes = kn_go_passes(game, position);
}

KnMove kn_playout_board_move(const KnPlayoutBoard *b, const KnGame *game, int point)
{
    return point == KN_PLAYOUT_PASS ? KN_GO_PASS
                                    : kn_go_move(game, point % b->stride - 1, point / b->stride - 1);
}

int kn_playout_board_from_move(const KnPlayoutBoard *b, const KnGame *game, KnMove move)
{
    int x, y;
    return kn_go_point(game, move, &x, &y) ? kn_playout_board_point(b, x, y) : KN_PLAYOUT_PASS;
}

/* ---- playing ---- */

bool kn_playout_board_legal(const KnPlayoutBoard *b, int point, int colour)
{
    if (b->colour[point] || point == b->ko) return false;
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there) return true;
        if (there != BORDER && kn_playout_board_atari(b, b->head[next[i]]) == (there != colour)) return true;
    }
    return false;
}

bool kn_playout_board_eye(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    for (int i = 0; i < 4; i++)
        if (b->colour[next[i]] != colour && b->colour[next[i]] != BORDER) return false;
    const int corners[4] = {point - b->stride - 1, point - b->stride + 1, point + b->stride - 1,
                            point + b->stride + 1};
    int foes = 0, edge = 0;
    for (int i = 0; i < 4; i++)
        foes += b->colour[corners[i]] == OTHER(colour), edge |= b->colour[corners[i]] == BORDER;
    return foes + edge < 2;
}

/* The smaller chain joins the larger. */
static void merge(KnPlayoutBoard *b, int one, int other)
{
    if (b->stones[one] < b->stones[other]) {
        int kept = one;
        one = other, other = kept;
    }
    for (int at = other, begun = 0; at != other || !begun; at = b->next[at], begun = 1)
        b->head[at] = (uint16_t)one;
    uint16_t kept = b->next[one];
    b->next[one] = b->next[other], b->next[other] = kept;
    b->free[one] = (uint16_t)(b->free[one] + b->free[other]),
    b->stones[one] = (uint16_t)(b->stones[one] + b->stones[other]);
    b->sum[one] += b->sum[other], b->squares[one] += b->squares[other];
}

static void take_off(KnPlayoutBoard *b, int head)
{
    int at = head;
    do {
        int following = b->next[at];
        b->colour[at] = 0;
        put_empty(b, at);
        const int next[4] = KN_PLAYOUT_NEXT(b, at);
        for (int i = 0; i < 4; i++)
            if (b->colour[next[i]] == 1 || b->colour[next[i]] == 2) add_free(b, b->head[next[i]], at);
        at = following;
    } while (at != head);
}

void kn_playout_board_play(KnPlayoutBoard *b, int point, int colour)
{
    b->ko = 0;
    if (point == KN_PLAYOUT_PASS) {
        b->passes++, b->last = 0;
        return;
    }
    KN_ASSERT(b->colour[point] == 0 && b->empties > 0);
    b->passes = 0, b->last = point;
    uint16_t moved = b->empty[--b->empties];
    b->empty[b->where[point]] = moved, b->where[moved] = b->where[point];
    b->colour[point] = (uint8_t)colour;
    b->head[point] = b->next[point] = (uint16_t)point;
    b->stones[point] = 1, b->free[point] = 0, b->sum[point] = b->squares[point] = 0;
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there)
            add_free(b, b->head[point], next[i]);
        else if (there != BORDER)
            take_free(b, b->head[next[i]], point);
    }
    int taken = 0, gap = 0;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]], head = b->head[next[i]];
        if (there == colour && head != b->head[point])
            merge(b, head, b->head[point]);
        else if (there == OTHER(colour) && !b->free[head]) {
            taken += b->stones[head], gap = next[i];
            take_off(b, head);
        }
    }
    if (taken == 1 && b->stones[b->head[point]] == 1 && b->free[b->head[point]] == 1) b->ko = gap;
}

/* ---- liberties ---- */

/* Adds a point to a set of at most `most`; returns the new number. */
static int add_point(int *points, int count, int point)
{
    for (int i = 0; i < count; i++)
        if (points[i] == point) return count;
    points[count] = point;
    return count + 1;
}

int kn_playout_board_liberties(const KnPlayoutBoard *b, int head, int most, int *points)
{
    int at = head, count = 0;
    do {
        const int next[4] = KN_PLAYOUT_NEXT(b, at);
        for (int i = 0; i < 4; i++) {
            if (b->colour[next[i]]) continue;
            count = add_point(points, count, next[i]);
            if (count == most) return count;
        }
        at = b->next[at];
    } while (at != head);
    return count;
}

/* Whether a stone next to `stone` belongs to the chain that a move at `point` makes. */
static bool touches(const KnPlayoutBoard *b, int stone, int point, const int *heads, int count)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, stone);
    for (int i = 0; i < 4; i++) {
        if (next[i] == point) return true;
        for (int h = 0; h < count; h++)
            if (b->head[next[i]] == heads[h] && b->colour[next[i]] == b->colour[heads[h]]) return true;
    }
    return false;
}

int kn_playout_board_joined(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    int heads[4], joined = 0, stones = 1;
    for (int i = 0; i < 4; i++)
        if (b->colour[next[i]] == colour) joined = add_point(heads, joined, b->head[next[i]]);
    for (int h = 0; h < joined; h++) stones += b->stones[heads[h]];
    return stones;
}

int kn_playout_board_liberties_after(const KnPlayoutBoard *b, int point, int colour, int most)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    int points[KN_PLAYOUT_LIBERTIES + 1], own[KN_PLAYOUT_LIBERTIES + 1], count = 0, heads[4], joined = 0;
    KN_ASSERT(most <= KN_PLAYOUT_LIBERTIES);
    for (int i = 0; i < 4; i++) {
        if (!b->colour[next[i]] && count < most) count = add_point(points, count, next[i]);
        if (b->colour[next[i]] == colour) joined = add_point(heads, joined, b->head[next[i]]);
    }
    for (int h = 0; h < joined && count < most; h++) {
        int found = kn_playout_board_liberties(b, heads[h], most + 1, own);
        for (int i = 0; i < found && count < most; i++)
            if (own[i] != point) count = add_point(points, count, own[i]);
    }
    for (int i = 0; i < 4 && count < most; i++) { /* points of captured stones */
        int head = b->head[next[i]], at = head;
        if (b->colour[next[i]] != 3 - colour || !kn_playout_board_atari(b, head)) continue;
        do {
            if (touches(b, at, point, heads, joined)) count = add_point(points, count, at);
            at = b->next[at];
        } while (at != head && count < most);
    }
    return count;
}

/* Merged chains add their sums up, so that the test for atari serves without counting. */
bool kn_playout_board_self_atari(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    int heads[4], joined = 0;
    uint64_t at = (uint64_t)point, count = 0, sum = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]], head = b->head[next[i]], before = joined;
        if (!there) {
            count++, sum += (uint64_t)next[i], squares += (uint64_t)(next[i] * next[i]);
        } else if (there == colour) {
            joined = add_point(heads, joined, head);
            if (joined > before) count += b->free[head], sum += b->sum[head], squares += b->squares[head];
            count--, sum -= at, squares -= at * at;
        } else if (there != BORDER && kn_playout_board_atari(b, head))
            return kn_playout_board_liberties_after(b, point, colour, 2) < 2;
    }
    return count * squares == sum * sum;
}

int kn_playout_board_taken(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    int heads[4], count = 0, taken = 0;
    for (int i = 0; i < 4; i++) {
        int before = count;
        if (b->colour[next[i]] != 3 - colour || !kn_playout_board_atari(b, b->head[next[i]])) continue;
        count = add_point(heads, count, b->head[next[i]]);
        if (count > before) taken += b->stones[b->head[next[i]]];
    }
    return taken;
}

/* ---- counting ---- */

/* After a playout every empty point is an eye, so its neighbours decide; otherwise points that touch both
 * colours are neutral. */
int kn_playout_board_owner(const KnPlayoutBoard *b, int point)
{
    int touched = b->colour[point];
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    for (int i = 0; !b->colour[point] && i < 4; i++)
        if (b->colour[next[i]] != BORDER) touched |= b->colour[next[i]];
    return touched == 3 ? 0 : touched;
}

int kn_playout_board_margin(const KnPlayoutBoard *b)
{
    int margin = 0;
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++) {
            int owner = kn_playout_board_owner(b, kn_playout_board_point(b, x, y));
            margin += owner == 1 ? 1 : owner == 2 ? -1 : 0;
        }
    return margin;
}

/* The empty region of a point that was not seen yet: its size, and in *touched which colours it touches. */
static int region(const KnPlayoutBoard *b, int from, bool *seen, int *touched)
{
    uint16_t stack[KN_GO_CELLS_MAX];
    int top = 0, size = 0;
    stack[top++] = (uint16_t)from, seen[from] = true;
    for (*touched = 0; top > 0; size++) {
        int point = stack[--top];
        const int next[4] = KN_PLAYOUT_NEXT(b, point);
        for (int i = 0; i < 4; i++) {
            int there = b->colour[next[i]];
            if (there && there != BORDER) *touched |= there;
            if (!there && !seen[next[i]]) seen[next[i]] = true, stack[top++] = (uint16_t)next[i];
        }
    }
    return size;
}

int kn_playout_board_area(const KnPlayoutBoard *b)
{
    bool seen[KN_PLAYOUT_POINTS] = {false};
    int margin = 0, touched;
    for (int point = b->stride; point < b->stride * (b->size + 1); point++) {
        int held = b->colour[point];
        if (held == BORDER || seen[point]) continue;
        int count = held ? (touched = held, 1) : region(b, point, seen, &touched);
        margin += touched == 1 ? count : touched == 2 ? -count : 0;
    }
    return margin;
}
