#include "methods/hoyle/temporal/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "methods/hoyle/temporal/tp_sitact.h"

/* A loser's last actions of which one at least was bad: how far back is not known; three is where most
 * games were already lost. */
enum { LAST_ACTIONS = 3, PLANES = 3, WORDS = 2, WORD_CELLS = 64 };

/* A board in bits: a plane holds one bit of the content of every cell. Pairs that lead to one board are one.
 */
typedef struct Place {
    uint64_t bits[PLANES][WORDS];
    uint8_t normal[KN_TEMPORAL_CELLS]; /* the board as kept */
    uint32_t safe, lost, pair;
} Place;

typedef struct Side {
    Place *places;
    size_t count;
    uint32_t *slots; /* index + 1 */
    size_t slot_count;
} Side;

struct KnNearest {
    const KnTemporalBoard *board;
    int words;
    Side sides[2]; /* boards that actions led to, by player */
    Side homes[2]; /* boards where they began */
};

/* ---- Learning ---- */

static KnStatus add(KnAdvisors *pairs, const KnGameActions *record, size_t ply, bool safe, KnError *error)
{
    KN_ASSERT(ply < record->plies);
    KnSequence single;
    memset(&single, 0, sizeof single);
    single.player = record->movers[ply];
    single.length = 1;
    single.actions[0] = record->actions[ply];
    KnAdvisor *pair;
    KnStatus status = kn_advisors_add(pairs, kn_game_actions_cells(record, ply), &single, false, 0.5, &pair,
                                      error);
    if (status == KN_OK) ++*(safe ? &pair->right : &pair->wrong);
    return status;
}

KnStatus kn_nearest_learn(KnAdvisors *pairs, const KnGameActions *record, KnError *error)
{
    KnStatus status = KN_OK;
    int last[2] = {0, 0};
    for (size_t i = record->plies; i-- > 0 && status == KN_OK;) {
        int mover = record->movers[i];
        bool safe = record->outcome[mover] >= 0;
        if (safe || last[mover]++ < LAST_ACTIONS) status = add(pairs, record, i, safe, error);
    }
    return status;
}

void kn_nearest_freeze(KnAdvisors *pairs)
{
    for (size_t i = 0; i < kn_advisors_count(pairs); i++) {
        KnAdvisor *pair = kn_advisors_at(pairs, i);
        pair->weight = (double)pair->right / (pair->right + pair->wrong ? pair->right + pair->wrong : 1);
    }
}

/* ---- Boards that were reached ---- */

static void to_bits(const uint8_t *cells, int count, uint64_t bits[PLANES][WORDS])
{
    KN_ASSERT(count > 0 && count <= WORDS * WORD_CELLS);
    memset(bits, 0, PLANES * sizeof *bits);
    for (int c = 0; c < count; c++)
        for (int p = 0; p < PLANES; p++)
            bits[p][c / WORD_CELLS] |= (uint64_t)(cells[c] >> p & 1) << c % WORD_CELLS;
}

static int distance(uint64_t a[PLANES][WORDS], uint64_t b[PLANES][WORDS], int words)
{
    KN_ASSERT(words > 0 && words <= WORDS);
    int sum = 0;
    for (int w = 0; w < words; w++)
        sum += __builtin_popcountll((a[0][w] ^ b[0][w]) | (a[1][w] ^ b[1][w]) | (a[2][w] ^ b[2][w]));
    return sum;
}

static uint32_t *find(const KnNearest *n, const Side *side, const uint8_t *normal)
{
    KN_ASSERT(side->slot_count > side->count && (side->slot_count & (side->slot_count - 1)) == 0);
    size_t cells = (size_t)n->board->cells, mask = side->slot_count - 1,
           at = kn_hash64(normal, cells, 0) & mask;
    while (side->slots[at] && memcmp(side->places[side->slots[at] - 1].normal, normal, cells) != 0)
        at = (at + 1) & mask;
    return &side->slots[at];
}

/* The board that an action leads to, in its normal form. */
static void reach(const KnTemporalBoard *board, int player, const uint8_t *cells, KnAction action,
                  uint8_t *normal)
{
    uint8_t after[KN_TEMPORAL_CELLS];
    memcpy(after, cells, (size_t)board->cells);
    kn_pattern_play(board, after, player, action);
    kn_board_view_transform_cells(board->view, kn_pattern_normaliser(board, after), after, normal);
}

static void include(const KnNearest *n, Side *side, const uint8_t *normal, const KnAdvisor *pair,
                    uint32_t number)
{
    uint32_t *slot = find(n, side, normal);
    if (!*slot) {
        Place *fresh = &side->places[side->count++];
        memcpy(fresh->normal, normal, (size_t)n->board->cells);
        to_bits(normal, n->board->cells, fresh->bits);
        fresh->pair = number;
        *slot = (uint32_t)side->count;
    }
    Place *place = &side->places[*slot - 1];
    place->safe += pair->right;
    place->lost += pair->wrong;
}

KnNearest *kn_nearest_new(const KnAdvisors *pairs)
{
    KnNearest *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->board = kn_advisors_board(pairs);
    n->words = n->board->cells > WORD_CELLS ? 2 : 1;
    size_t slots = 64;
    while (slots < 2 * kn_advisors_count(pairs)) slots *= 2;
    for (int p = 0; p < 4; p++) {
        Side *side = p < 2 ? &n->sides[p] : &n->homes[p - 2];
        side->places = calloc(kn_advisors_count(pairs) + 1, sizeof(Place));
        side->slots = calloc(slots, sizeof(uint32_t));
        side->slot_count = slots;
        if (side->places && side->slots) continue;
        kn_nearest_free(n);
        return NULL;
    }
    uint8_t normal[KN_TEMPORAL_CELLS];
    for (size_t i = 0; i < kn_advisors_count(pairs); i++) {
        const KnAdvisor *pair = kn_advisors_at(pairs, i);
        reach(n->board, pair->player, pair->context, pair->sequences[0].actions[0], normal);
        include(n, &n->sides[pair->player], normal, pair, (uint32_t)i);
        include(n, &n->homes[pair->player], pair->context, pair, (uint32_t)i);
    }
    return n;
}

void kn_nearest_free(KnNearest *nearest)
{
    if (!nearest) return;
    for (int p = 0; p < 2; p++) {
        free(nearest->sides[p].places);
        free(nearest->sides[p].slots);
        free(nearest->homes[p].places);
        free(nearest->homes[p].slots);
    }
    free(nearest);
}

/* ---- Judging ---- */

/* In all orientations, against all boards. */
static void look_around(const KnNearest *n, const Side *side, const uint8_t *normal, KnNearness *out)
{
    const KnTemporalBoard *board = n->board;
    for (int t = 0; t < board->symmetries; t++) {
        uint8_t transformed[KN_TEMPORAL_CELLS];
        uint64_t bits[PLANES][WORDS];
        kn_board_view_transform_cells(board->view, t, normal, transformed);
        to_bits(transformed, board->cells, bits);
        for (size_t i = 0; i < side->count; i++) {
            Place *place = &side->places[i];
            int away = distance(bits, place->bits, n->words);
            if (place->safe > place->lost && away < out->from_safe)
                out->from_safe = away, out->pair = place->pair;
            if (place->lost && away < out->from_lost) out->from_lost = away;
        }
    }
}

void kn_nearest_judge(const KnNearest *n, int player, const uint8_t *cells, const KnAction *legal, int count,
                      KnNearness *out)
{
    KN_ASSERT(count > 0 && (player == 0 || player == 1));
    const Side *side = &n->sides[player];
    int far = n->board->cells + 1;
    bool known = false;
    uint8_t normal[count][KN_TEMPORAL_CELLS];
    for (int i = 0; i < count; i++) {
        out[i] = (KnNearness){.from_safe = far, .from_lost = far};
        reach(n->board, player, cells, legal[i], normal[i]);
        uint32_t slot = *find(n, side, normal[i]);
        if (!slot) continue;
        const Place *place = &side->places[slot - 1];
        out[i].safe = place->safe;
        out[i].lost = place->lost;
        out[i].pair = place->pair;
        if (place->safe && !place->lost) known = true, out[i].from_safe = 0;
    }
    for (int i = 0; i < count && !known; i++) look_around(n, side, normal[i], &out[i]);
}

int kn_nearest_home(const KnNearest *n, int player, const uint8_t *cells)
{
    KN_ASSERT(player == 0 || player == 1);
    const Side *side = &n->homes[player];
    uint8_t normal[KN_TEMPORAL_CELLS];
    kn_board_view_transform_cells(n->board->view, kn_pattern_normaliser(n->board, cells), cells, normal);
    uint32_t slot = *find(n, side, normal);
    return !slot ? 0 : side->places[slot - 1].safe ? 1 : -1;
}

static double value_of(const KnNearness *v)
{
    if (v->safe && !v->lost) return 1000.0 + v->safe;
    double share = v->lost ? -(double)v->lost / (v->safe + v->lost) : 0;
    return -v->from_safe + 0.5 * (v->from_lost > 4 ? 4 : v->from_lost) + share + 4 * v->home;
}

int kn_nearest_best(const KnNearness *verdicts, const bool *barred, int count, KnRng *rng)
{
    KN_ASSERT(count > 0);
    int chosen = -1, equals = 0;
    double best = 0;
    for (int i = 0; i < count; i++) {
        if (barred[i]) continue;
        double here = value_of(&verdicts[i]);
        if (chosen < 0 || here > best + 1e-9) best = here, equals = 0, chosen = i;
        if (here > best - 1e-9 && kn_rng_below(rng, (uint32_t)++equals) == 0) chosen = i;
    }
    return chosen;
}
