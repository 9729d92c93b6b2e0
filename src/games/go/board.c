/* Operations on whole positions that are not time-critical: set-up, check, area, packing. */
#include "games/go/board.h"

#include <string.h>

int kn_go_size(const KnGame *game) { return go_rules(game)->size; }

double kn_go_komi(const KnGame *game) { return go_rules(game)->komi_halves / 2.0; }

KnMove kn_go_move(const KnGame *game, int x, int y)
{
    return go_rules(game)->codes[y * go_rules(game)->size + x];
}

bool kn_go_point(const KnGame *game, KnMove move, int *x, int *y)
{
    const KnGoRules *rules = go_rules(game);
    if (move >= GO_CODES || rules->cells[move] == GO_NONE) return false;
    *x = rules->cells[move] % rules->size;
    *y = rules->cells[move] / rules->size;
    return true;
}

KnMove kn_go_ko(const KnGame *game, const void *position)
{
    (void)game;
    return ((const KnGoPosition *)position)->ko;
}

int kn_go_passes(const KnGame *game, const void *position)
{
    (void)game;
    return ((const KnGoPosition *)position)->passes;
}

bool kn_go_legal(const KnGame *game, const void *position, KnMove move)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    KnGoShape s = rules->shape;
    if (p->passes == 2) return false;
    if (move == KN_GO_PASS) return true;
    if (move >= GO_CODES || rules->cells[move] == GO_NONE || move == p->ko) return false;
    KnGoBits own = go_load(s, go_stones(rules, p, p->mover)),
             other = go_load(s, go_stones(rules, p, 1 - p->mover));
    return go_holds(go_legal(s, rules->all, own, other, go_load(s, go_atari(rules, p))), (unsigned)move);
}

/* Strings of a colour with fewer than two liberties; *stifled gets those with none. */
static KnGoBits short_of_breath(const KnGoRules *rules, const KnGoPosition *p, int colour, KnGoBits *stifled)
{
    KnGoShape s = rules->shape;
    KnGoBits stones = go_load(s, go_stones(rules, p, colour)),
             other = go_load(s, go_stones(rules, p, 1 - colour));
    KnGoBits empty = go_less(s, rules->all, go_either(s, stones, other)), weak = go_nothing();
    *stifled = go_nothing();
    for (KnGoBits rest = stones; go_any(s, rest);) {
        KnGoBits string = go_flood(s, go_point(s, go_first(s, rest)), stones);
        KnGoBits liberties = go_both(s, go_next(s, string), empty);
        if (!go_several(s, liberties)) weak = go_either(s, weak, string);
        if (!go_any(s, liberties)) *stifled = go_either(s, *stifled, string);
        rest = go_less(s, rest, string);
    }
    return weak;
}

static uint64_t hash_of_stones(const KnGoRules *rules, const KnGoPosition *p)
{
    uint64_t hash = 0;
    for (int colour = 0; colour < 2; colour++)
        for (int i = 0; i < rules->shape.words; i++)
            for (uint64_t x = go_stones(rules, p, colour)[i]; x; x &= x - 1)
                hash ^= rules->keys[colour][i * 64 + __builtin_ctzll(x)];
    return hash;
}

static KnGoBits atari_of_stones(const KnGoRules *rules, const KnGoPosition *p)
{
    KnGoBits stifled;
    return go_either(rules->shape, short_of_breath(rules, p, 0, &stifled),
                     short_of_breath(rules, p, 1, &stifled));
}

void kn_go_complete(const KnGoRules *rules, KnGoPosition *p)
{
    go_store(rules->shape, p->boards + 2 * rules->shape.words, atari_of_stones(rules, p));
    p->board_hash = hash_of_stones(rules, p);
}

KnStatus kn_go_set_up(const KnGame *game, const uint8_t *cells, int mover, KnMove ko, void *position,
                      KnError *error)
{
    const KnGoRules *rules = go_rules(game);
    KnGoPosition *p = position;
    memset(p, 0, game->position_size);
    p->ko = ko < GO_CODES ? (uint16_t)ko : GO_NONE;
    p->mover = (uint8_t)mover;
    for (int i = 0; i < rules->size * rules->size; i++) {
        if (cells[i] > 2)
            return kn_fail(error, KN_INPUT, "cell %d of a Go board holds %d; 0 to 2 are known", i, cells[i]);
        unsigned code = rules->codes[i];
        if (cells[i])
            p->boards[(cells[i] - 1) * rules->shape.words + (int)(code >> 6)] |= (uint64_t)1 << (code & 63);
    }
    kn_go_complete(rules, p);
    return kn_go_check(game, position, error);
}

/* Whether a ko is possible there: the mover's stone would capture a single stone that has just captured one.
 */
static bool ko_is_possible(const KnGoRules *rules, const KnGoPosition *p)
{
    KnGoShape s = rules->shape;
    if (p->ko >= GO_CODES || rules->cells[p->ko] == GO_NONE) return false;
    KnGoBits point = go_point(s, p->ko), near = go_both(s, go_next(s, point), rules->all);
    KnGoBits own = go_load(s, go_stones(rules, p, p->mover)),
             other = go_load(s, go_stones(rules, p, 1 - p->mover));
    KnGoBits weak = go_both(s, other, go_load(s, go_atari(rules, p))), prey = go_both(s, near, weak);
    if (go_holds(own, p->ko) || go_holds(other, p->ko) || !go_same(s, go_both(s, near, other), near))
        return false;
    return go_count(s, prey) == 1 && go_same(s, go_flood(s, prey, weak), prey);
}

KnStatus kn_go_check(const KnGame *game, const void *position, KnError *error)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    KnGoShape s = rules->shape;
    KnGoBits black = go_load(s, go_stones(rules, p, 0)), white = go_load(s, go_stones(rules, p, 1));
    if (p->mover > 1 || p->passes > 2 || p->zero || go_any(s, go_both(s, black, white)) ||
        go_any(s, go_less(s, go_either(s, black, white), rules->all)))
        return kn_fail(error, KN_INPUT, "these bytes are no position of %s", game->spec);
    for (int colour = 0; colour < 2; colour++) {
        KnGoBits stifled;
        short_of_breath(rules, p, colour, &stifled);
        if (!go_any(s, stifled)) continue;
        KnText vertex = KN_TEXT_EMPTY;
        kn_go_add_vertex(rules, go_first(s, stifled), &vertex);
        KnStatus status = kn_fail(error, KN_INPUT,
                                  "the %s string at %s has no liberty: take it off the board",
                                  colour ? "white" : "black", vertex.data);
        kn_text_free(&vertex);
        return status;
    }
    if (!go_same(s, atari_of_stones(rules, p), go_load(s, go_atari(rules, p))) ||
        hash_of_stones(rules, p) != p->board_hash)
        return kn_fail(error, KN_INPUT,
                       "these bytes are no position of %s: what follows from the stones is wrong",
                       game->spec);
    if (p->ko == GO_NONE) return KN_OK;
    if (p->passes) return kn_fail(error, KN_INPUT, "there is no ko after a pass");
    if (!ko_is_possible(rules, p))
        return kn_fail(error, KN_INPUT,
                       "no ko is possible at this point: %s recaptures no single stone there",
                       p->mover ? "white" : "black");
    return KN_OK;
}

GO_INLINE void areas_of(KnGoShape s, const KnGoRules *rules, const KnGoPosition *p, KnGoBits area[2])
{
    KnGoBits stones[2] = {go_load(s, p->boards), go_load(s, p->boards + s.words)};
    KnGoBits empty = go_less(s, rules->all, go_either(s, stones[0], stones[1])), reached[2];
    for (int c = 0; c < 2; c++) reached[c] = go_flood(s, go_both(s, go_next(s, stones[c]), empty), empty);
    for (int c = 0; c < 2; c++) area[c] = go_either(s, stones[c], go_less(s, reached[c], reached[1 - c]));
}

void kn_go_areas(const KnGoRules *rules, const KnGoPosition *p, KnGoBits area[2])
{
    GO_SHAPED(rules, areas_of, rules, p, area);
}

void kn_go_area(const KnGame *game, const void *position, int area[2])
{
    const KnGoRules *rules = go_rules(game);
    KnGoBits areas[2];
    kn_go_areas(rules, position, areas);
    for (int c = 0; c < 2; c++) area[c] = go_count(rules->shape, areas[c]);
}

/* Packed codes for boards up to 6x6: the cells in base 3, then ko, none or passes, then the mover. 3^36 * (36
 * + 3) * 2 < 2^64. */
uint64_t kn_go_pack(const KnGame *game, const void *position)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    uint64_t code = 0;
    unsigned cells = (unsigned)(rules->size * rules->size);
    for (unsigned i = cells; i-- > 0;) {
        unsigned point = rules->codes[i], word = point >> 6, bit = point & 63;
        code = code * 3 + (go_stones(rules, p, 0)[word] >> bit & 1) +
               2 * (go_stones(rules, p, 1)[word] >> bit & 1);
    }
    unsigned rest = p->ko != GO_NONE ? 3u + rules->cells[p->ko] : p->passes;
    return (code * (cells + 3) + rest) * 2 + p->mover;
}

void kn_go_unpack(const KnGame *game, uint64_t code, void *position)
{
    const KnGoRules *rules = go_rules(game);
    KnGoPosition *p = position;
    memset(p, 0, game->position_size);
    unsigned cells = (unsigned)(rules->size * rules->size);
    p->mover = (uint8_t)(code & 1);
    code /= 2;
    unsigned rest = (unsigned)(code % (cells + 3));
    code /= cells + 3;
    p->ko = rest >= 3 ? rules->codes[rest - 3] : GO_NONE;
    p->passes = rest < 3 ? (uint8_t)rest : 0;
    for (unsigned i = 0; i < cells; i++, code /= 3) {
        unsigned point = rules->codes[i];
        if (code % 3)
            p->boards[(int)(code % 3 - 1) * rules->shape.words + (int)(point >> 6)] |= (uint64_t)1
                                                                                       << (point & 63);
    }
    kn_go_complete(rules, p);
}
