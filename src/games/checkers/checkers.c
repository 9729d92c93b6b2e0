/* English draughts. Captures are compulsory, any capture may be chosen, a series of jumps must be completed,
 * a man that reaches the king row stops there and becomes a king; a side without a move loses. The draw by
 * `draw` moves of each side without a man's move or a capture depends on the position's counter; the draw by
 * repetition on the history. */
#include "games/registry.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/bit_cells.h"
#include "games/checkers/board.h"

#include "base/assert.h"

static void start(const KnGame *game, void *position)
{
    (void)game;
    *(KnCheckersPosition *)position =
        (KnCheckersPosition){{ROW(0) | ROW(1) | ROW(2), ROW(5) | ROW(6) | ROW(7)}, 0, 0, KN_CHECKERS_BLACK};
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return ((const KnCheckersPosition *)position)->mover;
}

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    const KnCheckersPosition *p = position;
    if (p->quiet >= kn_checkers_rules(game)->limit) return 0;
    return kn_checkers_generate(p, out);
}

static void play(const KnGame *game, void *position, KnMove move)
{
    KN_ASSERT(kn_checkers_from(position, move));
    kn_checkers_apply(position, move, kn_checkers_rules(game)->tick);
}

/* A side without a move has lost, even at the limit: the opponent's last move won before the draw. */
static void payoffs(const KnGame *game, const void *position, double *out)
{
    (void)game;
    const KnCheckersPosition *p = position;
    bool lost = kn_checkers_count(p, false) == 0;
    out[p->mover] = lost ? -1 : 0;
    out[1 - p->mover] = lost ? 1 : 0;
}

/* Hashing. The counter matters only near the limit: it enters the hash in the last COUNTED plies before it.
 * So positions that differ only in the counter share a transposition table entry, and results of searches up
 * to COUNTED plies stay exact. The counter is combined by exclusive or, so `ended` can remove it: it knows
 * the counters of earlier positions. */
enum { COUNTED = 40 };

static uint64_t counter_hash(const KnCheckersRules *rules, unsigned quiet)
{
    return rules->tick && quiet + COUNTED >= rules->limit ? kn_mix64(0x517cc1b727220a95u + quiet) : 0;
}

/* Hash of board and mover: a folded 64x64 bit multiplication, which mixes all bits of both words. A move has
 * just stored the halves one by one; a load of both together would wait until they have reached the cache, so
 * the compiler must not make one of the two. */
static uint64_t board_hash(const KnCheckersPosition *p)
{
    uint64_t low = p->pieces[0];
    __asm__("" : "+r"(low));
    uint64_t pieces = (uint64_t)p->pieces[1] << 32 | low;
    uint64_t rest = (uint64_t)p->mover << 32 | p->kings;
    __uint128_t product = (__uint128_t)(pieces ^ 0xa0761d6478bd642fu) * (rest ^ 0xe7037ed1a0b428dbu);
    uint64_t folded = (uint64_t)product ^ (uint64_t)(product >> 64);
    return (folded ^ folded >> 29) * 0x9e3779b97f4a7c15u;
}

static uint64_t hash(const KnGame *game, const void *position)
{
    const KnCheckersPosition *p = position;
    return board_hash(p) ^ counter_hash(kn_checkers_rules(game), p->quiet);
}

/* Repetition. Only quiet plies are reversible, so the search goes back no further than the counter (with
 * draw=0, through the whole history). A position recurs after 4 plies at the earliest, with the same side to
 * move. */
static bool ended(const KnGame *game, const void *position, const KnHistory *history, double *out)
{
    const KnCheckersPosition *p = position;
    const KnCheckersRules *rules = kn_checkers_rules(game);
    size_t reach = history->count;
    if (rules->tick && p->quiet < reach) reach = p->quiet;
    int wanted = rules->repetition - 1;
    if (wanted < 0 || reach < 4 * (size_t)wanted) return false;
    uint64_t board = board_hash(p);
    const uint64_t *now = history->hashes + history->count;
    size_t back = 4;
    if (!rules->tick || (uint32_t)p->quiet + COUNTED < rules->limit + 4) { /* no counter is in these hashes */
        /* Four at a time: further back than `reach` no position can be the same. */
        for (; back <= reach && back + 6 <= history->count; back += 8, now -= 8)
            wanted -= (now[-4] == board) + (now[-6] == board) + (now[-8] == board) + (now[-10] == board);
        for (; back <= reach; back += 2, now -= 2) wanted -= now[-4] == board;
    } else {
        for (; back <= reach; back += 2, now -= 2)
            wanted -= now[-4] == (board ^ counter_hash(rules, (unsigned)(p->quiet - back)));
    }
    if (wanted > 0) return false;
    out[0] = out[1] = 0;
    return true;
}

/* The only symmetry: rotation by 180 degrees with colours exchanged. */
static void transform(const KnGame *game, int symmetry, const void *position, void *image)
{
    (void)game;
    const KnCheckersPosition *p = position;
    KnCheckersPosition turned = *p;
    if (symmetry) {
        turned.pieces[0] = kn_checkers_turn(p->pieces[1]);
        turned.pieces[1] = kn_checkers_turn(p->pieces[0]);
        turned.kings = kn_checkers_turn(p->kings);
        turned.mover = (uint16_t)(1 - p->mover);
    }
    *(KnCheckersPosition *)image = turned;
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)game, (void)position;
    if (!symmetry) return move;
    return kn_checkers_move(kn_checkers_turn(kn_checkers_change(move)),
                            kn_checkers_turn(kn_checkers_taken(move)));
}

static int transform_role(const KnGame *game, int symmetry, int role)
{
    (void)game;
    return symmetry ? 1 - role : role;
}

/* Cell i is PDN square i + 1. */
static int cell(const KnGame *game, const void *position, int index)
{
    (void)game;
    const KnCheckersPosition *p = position;
    uint32_t at = SQ(index + 1);
    if (p->pieces[0] & at) return p->kings & at ? 3 : 1;
    if (p->pieces[1] & at) return p->kings & at ? 4 : 2;
    return 0;
}

#if defined(__x86_64__)
#define BYTE(s)      (KN_CHECKERS_INDEX(s) / 8)
#define MASK(s)      (uint8_t)(1 << KN_CHECKERS_INDEX(s) % 8)
#define ROW_OF(f, s) f(s), f(s + 1), f(s + 2), f(s + 3)
#define ALL_OF(f)                                                                                            \
    ROW_OF(f, 1), ROW_OF(f, 5), ROW_OF(f, 9), ROW_OF(f, 13), ROW_OF(f, 17), ROW_OF(f, 21), ROW_OF(f, 25),    \
        ROW_OF(f, 29)
static const KnBitOrder squares_in_order = {{ALL_OF(BYTE)}, {ALL_OF(MASK)}};

__attribute__((target("avx2"))) static void board_avx2(const KnCheckersPosition *p, uint8_t *cells)
{
    const __m256i one = _mm256_set1_epi8(1), two = _mm256_set1_epi8(2);
    __m256i first = kn_bit_cells(p->pieces[0], &squares_in_order),
            second = kn_bit_cells(p->pieces[1], &squares_in_order),
            kings = kn_bit_cells(p->kings, &squares_in_order);
    __m256i symbols = _mm256_or_si256(_mm256_and_si256(first, one), _mm256_and_si256(second, two));
    symbols = _mm256_add_epi8(symbols, _mm256_and_si256(kings, two));
    _mm256_storeu_si256((__m256i *)(void *)cells, symbols);
}
#endif

static void board(const KnGame *game, const void *position, uint8_t *cells)
{
    (void)game;
    const KnCheckersPosition *p = position;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        board_avx2(p, cells);
        return;
    }
#endif
    memset(cells, 0, 32);
    for (int side = 0; side < 2; side++)
        for (uint32_t left = p->pieces[side]; left; left &= left - 1) {
            int index = __builtin_ctz(left);
            cells[kn_checkers_square(index) - 1] = (uint8_t)(1 + side + 2 * (int)(p->kings >> index & 1));
        }
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    (void)game;
    int row = index / 4;
    *x = 2 * (index % 4) + (row % 2 == 0);
    *y = row;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    (void)game;
    kn_text_printf(out, "%d", index + 1);
}

/* Captures are compulsory: the side to move may not stand pat. */
static int tactical(const KnGame *game, const void *position, KnMove *out, bool *may_stand)
{
    const KnCheckersPosition *p = position;
    *may_stand = true;
    if (p->quiet >= kn_checkers_rules(game)->limit || !kn_checkers_can_jump(p, p->mover)) return 0;
    *may_stand = false;
    return kn_checkers_generate(p, out);
}

static int paths(const KnGame *game, const void *position, KnMove move)
{
    (void)game;
    return kn_checkers_paths(position, move);
}

static int count(const KnGame *game, const void *position, bool by_paths)
{
    const KnCheckersPosition *p = position;
    return p->quiet >= kn_checkers_rules(game)->limit ? 0 : kn_checkers_count(p, by_paths);
}

static const char *const role_names[] = {"black", "white"};

static const KnOption options[] = {
    {"draw", KN_OPTION_INTEGER, "40", 0, 10000, NULL,
     "own moves of each side without a man's move or a capture that make a draw; 0: no such rule"},
    {"repetition", KN_OPTION_INTEGER, "3", 0, 100, NULL,
     "a position that occurs this many times is a draw; 0: no such rule"},
    {0}};

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    long draw = kn_option_integer(bound, "draw"), repetition = kn_option_integer(bound, "repetition");
    if (repetition == 1)
        return kn_fail(error, KN_INPUT,
                       "repetition=1 would draw every game at once; 2 or more, or 0 for no such rule");
    KnCheckersRules *rules = calloc(1, sizeof *rules);
    if (!rules) return kn_fail_memory(error, "opening checkers");
    rules->limit = draw ? (uint32_t)(2 * draw) : UINT32_MAX;
    rules->tick = draw != 0;
    rules->repetition = (int)repetition;
    game->data = rules;
    game->position_size = sizeof(KnCheckersPosition);
    game->max_moves = KN_CHECKERS_MOVES_MAX;
    game->roles = 2;
    game->traits = KN_GAME_ZERO_SUM | (repetition ? KN_GAME_LOOKS_BACK : 0) |
                   (draw || repetition ? 0 : KN_GAME_ENDLESS);
    game->role_names = role_names;
    game->symmetries = 2;
    game->features = kn_checkers_features;
    game->feature_count = kn_checkers_feature_count;
    game->evaluations = kn_checkers_evaluations;
    game->feature_tables = kn_checkers_feature_set();
    game->cells = 32;
    game->cell_symbols = ".bwBW";
    game->phases = 4;
    return KN_OK;
}

static void close(KnGame *game) { free(game->data); }

const KnGameType kn_checkers = {
    .head = {"checkers", "English draughts on 8x8: forced captures, short kings", options},
    .open = open,
    .close = close,
    .start = start,
    .mover = mover,
    .moves = moves,
    .play = play,
    .payoffs = payoffs,
    .hash = hash,
    .ended = ended,
    .move_text = kn_checkers_move_text,
    .parse_move = kn_checkers_parse_move,
    .position_text = kn_checkers_position_text,
    .parse_position = kn_checkers_parse_position,
    .draw = kn_checkers_draw,
    .check = kn_checkers_check,
    .transform = transform,
    .transform_move = transform_move,
    .transform_role = transform_role,
    .feature_values = kn_checkers_feature_values,
    .material = kn_checkers_material,
    .phase = kn_checkers_phase,
    .cell = cell,
    .board = board,
    .cell_place = cell_place,
    .cell_name = cell_name,
    .tactical = tactical,
    .paths = paths,
    .count = count,
};
