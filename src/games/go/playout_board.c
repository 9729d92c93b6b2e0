#include "base/assert.h"
#include "games/go/playout_board.h"

#include <string.h>

enum { BORDER = 3, ANSWERED_PERCENT = 90 /* percent of ataris answered */, SHAPED_PERCENT = 95, LOOKS = 6 };

#define NEXT(b, p)                                                                                           \
    {                                                                                                        \
        (p) - (b)->stride, (p)-1, (p) + 1, (p) + (b)->stride                                                 \
    }
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
    const int next[4] = NEXT(b, point);
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there) return true;
        if (there != BORDER && kn_playout_board_atari(b, b->head[next[i]]) == (there != colour)) return true;
    }
    return false;
}

bool kn_playout_board_eye(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = NEXT(b, point);
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
        const int next[4] = NEXT(b, at);
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
    const int next[4] = NEXT(b, point);
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

/* ---- playouts ---- */

/* Whether a stone there has a liberty: an empty neighbour, or a friendly chain not in atari. */
static bool has_room(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = NEXT(b, point);
    int room = 0;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there)
            room++;
        else if (there == colour && !kn_playout_board_atari(b, b->head[next[i]]))
            room += 2;
        else if (there == OTHER(colour) && kn_playout_board_atari(b, b->head[next[i]]))
            room += 2;
    }
    return room >= 2;
}

/* The answer to the last move: capture it, or save an adjacent chain. */
static int answer(const KnPlayoutBoard *b, int colour)
{
    int last = b->last;
    if (!last || b->colour[last] != OTHER(colour)) return KN_PLAYOUT_PASS;
    int head = b->head[last], gap;
    if (b->free[head] && kn_playout_board_atari(b, head)) {
        gap = (int)(b->sum[head] / b->free[head]);
        if (kn_playout_board_legal(b, gap, colour)) return gap;
    }
    const int next[4] = NEXT(b, last);
    for (int i = 0; i < 4; i++) {
        if (b->colour[next[i]] != colour) continue;
        head = b->head[next[i]];
        if (!b->free[head] || !kn_playout_board_atari(b, head)) continue;
        gap = (int)(b->sum[head] / b->free[head]);
        if (has_room(b, gap, colour) && kn_playout_board_legal(b, gap, colour)) return gap;
    }
    return KN_PLAYOUT_PASS;
}

/* Whether a move captures, or saves a friendly chain from atari. */
static bool decides(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = NEXT(b, point);
    bool friend = false;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there || there == BORDER || !kn_playout_board_atari(b, b->head[next[i]])) continue;
        if (there != colour) return true;
        friend = true;
    }
    return friend && has_room(b, point, colour);
}

bool kn_playout_board_shape(const KnPlayoutBoard *b, int point)
{
    if (!b->patterns) return false;
    const int around[8] = {
        point - b->stride - 1, point - b->stride, point - b->stride + 1, point - 1, point + 1,
        point + b->stride - 1, point + b->stride, point + b->stride + 1};
    unsigned surrounding = 0;
    for (int i = 0; i < 8; i++) surrounding |= (unsigned)b->colour[around[i]] << (2 * i);
    return kn_playout_patterns_fit(b->patterns, surrounding);
}

bool kn_playout_board_self_atari(const KnPlayoutBoard *b, int point, int colour)
{
    return !has_room(b, point, colour);
}

int kn_playout_board_gain(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = NEXT(b, point);
    int taken = 0, saved = 0;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there || there == BORDER || !kn_playout_board_atari(b, b->head[next[i]])) continue;
        *(there == colour ? &saved : &taken) += b->stones[b->head[next[i]]];
    }
    return taken + (saved && has_room(b, point, colour) ? saved : 0);
}

/* A move with shape next to the last one. */
static int shapely(const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    int last = b->last;
    if (!last || !b->patterns) return KN_PLAYOUT_PASS;
    const int around[8] = {last - b->stride - 1, last - b->stride, last - b->stride + 1, last - 1, last + 1,
                           last + b->stride - 1, last + b->stride, last + b->stride + 1};
    uint32_t from = kn_rng_below(rng, 8);
    for (uint32_t i = 0; i < 8; i++) {
        int point = around[(from + i) & 7];
        if (!b->colour[point] && kn_playout_board_shape(b, point) &&
            kn_playout_board_legal(b, point, colour) && has_room(b, point, colour))
            return point;
    }
    return KN_PLAYOUT_PASS;
}

int kn_playout_board_choose(const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    if (kn_rng_below(rng, 100) < ANSWERED_PERCENT) {
        int urgent = answer(b, colour);
        if (urgent) return urgent;
    }
    int shape = b->patterns && kn_rng_below(rng, 100) < SHAPED_PERCENT ? shapely(b, colour, rng) : 0;
    if (shape) return shape;
    if (!b->empties) return KN_PLAYOUT_PASS;
    for (int i = 0; i < LOOKS; i++) { /* a few random probes for chains left in atari */
        int point = b->empty[kn_rng_below(rng, (uint32_t)b->empties)];
        if (decides(b, point, colour) && kn_playout_board_legal(b, point, colour) &&
            !kn_playout_board_eye(b, point, colour))
            return point;
    }
    uint32_t from = kn_rng_below(rng, (uint32_t)b->empties);
    for (int i = 0; i < b->empties; i++) {
        int point = b->empty[((int)from + i) % b->empties];
        if (kn_playout_board_legal(b, point, colour) && !kn_playout_board_eye(b, point, colour)) return point;
    }
    return KN_PLAYOUT_PASS;
}

int kn_playout_board_run(KnPlayoutBoard *b, int colour, KnRng *rng, uint8_t *first)
{
    int moves = 0, most = 3 * b->size * b->size;
    b->passes = 0;
    for (; b->passes < 2 && moves < most; moves++, colour = OTHER(colour)) {
        int point = kn_playout_board_choose(b, colour, rng);
        kn_playout_board_play(b, point, colour);
        if (point && !first[point]) first[point] = (uint8_t)colour;
    }
    return moves;
}

/* After a playout every empty point is an eye, so its neighbours decide; otherwise points that touch both
 * colours are neutral. */
int kn_playout_board_owner(const KnPlayoutBoard *b, int point)
{
    int touched = b->colour[point];
    const int next[4] = NEXT(b, point);
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
