#include "games/go/light.h"

#include <string.h>

enum { BORDER = 3, HASTE = 90 /* percent of dangers that are answered */, LOOKS = 6 };

#define NEXT(b, p)                                                                                           \
    {                                                                                                        \
        (p) - (b)->stride, (p)-1, (p) + 1, (p) + (b)->stride                                                 \
    }
#define OTHER(colour) (3 - (colour))

/* ---- setting up ---- */

static void add_free(KnLight *b, int head, int point)
{
    b->free[head]++;
    b->sum[head] += (uint32_t)point;
    b->squares[head] += (uint32_t)(point * point);
}

static void take_free(KnLight *b, int head, int point)
{
    b->free[head]--;
    b->sum[head] -= (uint32_t)point;
    b->squares[head] -= (uint32_t)(point * point);
}

static void put_empty(KnLight *b, int point)
{
    b->where[point] = (uint16_t)b->empties;
    b->empty[b->empties++] = (uint16_t)point;
}

void kn_light_set(KnLight *b, const KnGame *game, const void *position)
{
    memset(b, 0, sizeof *b);
    b->size = kn_go_size(game);
    b->stride = b->size + 2;
    memset(b->colour, BORDER, sizeof b->colour);
    for (int i = 0; i < game->cells; i++) {
        int point = kn_light_point(b, i % b->size, i / b->size);
        b->colour[point] = 0;
        put_empty(b, point);
    }
    for (int i = 0; i < game->cells; i++) {
        int held = game->type->cell(game, position, i);
        if (held) kn_light_play(b, kn_light_point(b, i % b->size, i / b->size), held);
    }
    int x, y;
    b->ko = kn_go_point(game, kn_go_ko(game, position), &x, &y) ? kn_light_point(b, x, y) : 0;
    b->last = 0;
    b->passes = kn_go_passes(game, position);
}

KnMove kn_light_move(const KnLight *b, const KnGame *game, int point)
{
    return point == KN_LIGHT_PASS ? KN_GO_PASS
                                  : kn_go_move(game, point % b->stride - 1, point / b->stride - 1);
}

int kn_light_from_move(const KnLight *b, const KnGame *game, KnMove move)
{
    int x, y;
    return kn_go_point(game, move, &x, &y) ? kn_light_point(b, x, y) : KN_LIGHT_PASS;
}

/* ---- playing ---- */

bool kn_light_legal(const KnLight *b, int point, int colour)
{
    if (b->colour[point] || point == b->ko) return false;
    const int next[4] = NEXT(b, point);
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there) return true;
        if (there != BORDER && kn_light_atari(b, b->head[next[i]]) == (there != colour)) return true;
    }
    return false;
}

bool kn_light_eye(const KnLight *b, int point, int colour)
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

/* The smaller chain takes the name of the larger. */
static void merge(KnLight *b, int one, int other)
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

static void take_off(KnLight *b, int head)
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

void kn_light_play(KnLight *b, int point, int colour)
{
    b->ko = 0;
    if (point == KN_LIGHT_PASS) {
        b->passes++, b->last = 0;
        return;
    }
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

/* A stone there would not be taken at once: room beside it, or a friend with room. */
static bool has_room(const KnLight *b, int point, int colour)
{
    const int next[4] = NEXT(b, point);
    int room = 0;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there)
            room++;
        else if (there == colour && !kn_light_atari(b, b->head[next[i]]))
            room += 2;
        else if (there == OTHER(colour) && kn_light_atari(b, b->head[next[i]]))
            room += 2;
    }
    return room >= 2;
}

/* What the last move calls for: taking it, or saving a chain beside it. */
static int answer(const KnLight *b, int colour)
{
    int last = b->last;
    if (!last || b->colour[last] != OTHER(colour)) return KN_LIGHT_PASS;
    int head = b->head[last], gap;
    if (b->free[head] && kn_light_atari(b, head)) {
        gap = (int)(b->sum[head] / b->free[head]);
        if (kn_light_legal(b, gap, colour)) return gap;
    }
    const int next[4] = NEXT(b, last);
    for (int i = 0; i < 4; i++) {
        if (b->colour[next[i]] != colour) continue;
        head = b->head[next[i]];
        if (!b->free[head] || !kn_light_atari(b, head)) continue;
        gap = (int)(b->sum[head] / b->free[head]);
        if (has_room(b, gap, colour) && kn_light_legal(b, gap, colour)) return gap;
    }
    return KN_LIGHT_PASS;
}

/* Whether a stone there takes something, or leads a friend out of atari. */
static bool decides(const KnLight *b, int point, int colour)
{
    const int next[4] = NEXT(b, point);
    bool friend = false;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there || there == BORDER || !kn_light_atari(b, b->head[next[i]])) continue;
        if (there != colour) return true;
        friend = true;
    }
    return friend && has_room(b, point, colour);
}

int kn_light_choose(const KnLight *b, int colour, KnRng *rng)
{
    if (kn_rng_below(rng, 100) < HASTE) {
        int urgent = answer(b, colour);
        if (urgent) return urgent;
    }
    if (!b->empties) return KN_LIGHT_PASS;
    for (int i = 0; i < LOOKS; i++) { /* a few glances elsewhere, for what was left in atari */
        int point = b->empty[kn_rng_below(rng, (uint32_t)b->empties)];
        if (decides(b, point, colour) && kn_light_legal(b, point, colour) && !kn_light_eye(b, point, colour))
            return point;
    }
    uint32_t from = kn_rng_below(rng, (uint32_t)b->empties);
    for (int i = 0; i < b->empties; i++) {
        int point = b->empty[((int)from + i) % b->empties];
        if (kn_light_legal(b, point, colour) && !kn_light_eye(b, point, colour)) return point;
    }
    return KN_LIGHT_PASS;
}

int kn_light_playout(KnLight *b, int colour, KnRng *rng, uint8_t *first)
{
    int moves = 0, most = 3 * b->size * b->size;
    b->passes = 0;
    for (; b->passes < 2 && moves < most; moves++, colour = OTHER(colour)) {
        int point = kn_light_choose(b, colour, rng);
        kn_light_play(b, point, colour);
        if (point && !first[point]) first[point] = (uint8_t)colour;
    }
    return moves;
}

/* After a playout every empty point is an eye, so that its neighbours tell; elsewhere points that touch both
 * sides count for nobody. */
int kn_light_margin(const KnLight *b)
{
    int margin = 0;
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++) {
            int point = kn_light_point(b, x, y), touched = b->colour[point];
            const int next[4] = NEXT(b, point);
            for (int i = 0; !b->colour[point] && i < 4; i++)
                if (b->colour[next[i]] != BORDER) touched |= b->colour[next[i]];
            margin += touched == 1 ? 1 : touched == 2 ? -1 : 0;
        }
    return margin;
}
