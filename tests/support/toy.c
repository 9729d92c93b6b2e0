#include "support/toy.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

typedef struct Position {
    uint32_t number;
    uint16_t left; /* plies to the end at most */
    uint16_t mover;
} Position;

typedef struct Toy {
    uint64_t seed;
    uint32_t width;
    int length, payoffs;
} Toy;

enum { MOVES = 6 };

static const Toy *toy_of(const KnGame *game) { return game->data; }

/* A number that belongs to a position and a purpose. */
static uint64_t fate(const KnGame *game, const Position *p, uint64_t purpose)
{
    return kn_mix64(toy_of(game)->seed ^
                    kn_mix64((uint64_t)p->number << 32 | (uint64_t)p->left << 16 | (uint64_t)p->mover) ^
                    purpose << 56);
}

static void start(const KnGame *game, void *position)
{
    *(Position *)position = (Position){0, (uint16_t)toy_of(game)->length, 0};
}

static int mover(const KnGame *game, const void *position)
{
    (void)game;
    return ((const Position *)position)->mover;
}

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    const Position *p = position;
    const Toy *toy = toy_of(game);
    if (!p->left) return 0;
    int count = (int)(fate(game, p, 1) % MOVES);
    if (p->left == toy->length) count += count == 0;
    if (count > MOVES - 1) count = MOVES - 1;
    for (int i = 0; i < count; i++) out[i] = (KnMove)i << 32 | (uint64_t)i * 17;
    return count;
}

static void play(const KnGame *game, void *position, KnMove move)
{
    Position *p = position;
    const Toy *toy = toy_of(game);
    uint64_t next = kn_mix64(fate(game, p, 2) + (move >> 32));
    bool stays = game->traits & KN_GAME_CHAINS && next >> 40 & 1;
    if (!stays)
        p->mover = (uint16_t)(game->roles > 2 ? (next >> 20) % (uint64_t)game->roles
                                              : (uint64_t)(game->roles == 2 && !p->mover));
    p->number = (uint32_t)(next % toy->width);
    p->left--;
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    const Position *p = position;
    const Toy *toy = toy_of(game);
    for (int role = 0; role < game->roles; role++)
        out[role] = 2.0 * (double)(fate(game, p, 8 + (uint64_t)role) % (uint64_t)toy->payoffs) /
                        (toy->payoffs - 1) -
                    1;
    if (game->traits & KN_GAME_ZERO_SUM) out[1] = -out[0];
}

static uint64_t hash(const KnGame *game, const void *position) { return fate(game, position, 3); }

static void chances(const KnGame *game, const void *position, const KnMove *list, int count, double *out)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += out[i] = 1 + (double)(fate(game, position, 4 + (list[i] >> 32)) % 3);
    for (int i = 0; i < count; i++) out[i] /= sum;
}

/* Over by the past: a hash whose low bits agree with one before. */
static bool ended(const KnGame *game, const void *position, const KnHistory *history, double *out)
{
    if (!(game->traits & KN_GAME_LOOKS_BACK)) return false;
    uint64_t own = hash(game, position);
    for (size_t i = 0; i < history->count; i++)
        if ((history->hashes[i] & 15) == (own & 15)) {
            for (int role = 0; role < game->roles; role++) out[role] = 0;
            return true;
        }
    return false;
}

/* The first move is always open; another is barred if the sum of the past says so. */
static bool barred(const KnGame *game, const void *position, const KnHistory *history, KnMove move)
{
    (void)position;
    if (!(game->traits & KN_GAME_LOOKS_BACK) || !(move >> 32)) return false;
    uint64_t sum = move;
    for (size_t i = 0; i < history->count; i++) sum += history->hashes[i];
    return kn_mix64(sum) % 5 == 0;
}

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)game, (void)position;
    kn_text_printf(out, "%d", (int)(move >> 32));
}

static void position_text(const KnGame *game, const void *position, KnText *out)
{
    (void)game;
    const Position *p = position;
    kn_text_printf(out, "%u %u %u", p->number, p->left, p->mover);
}

static KnScore score_fate(const KnGame *game, const void *position)
{
    return (KnScore)(fate(game, position, 5) % 9) - 4;
}

static const KnGameEvaluation evaluations[] = {{"fate", "a made-up number", score_fate}, {0}};

static const char *const role_names[] = {"a", "b", "c", "d"};

static const KnOption options[] = {{"roles", KN_OPTION_INTEGER, "2", 1, 4, NULL, ""},
                                   {"payoffs", KN_OPTION_INTEGER, "3", 2, 9, NULL, ""},
                                   {"length", KN_OPTION_INTEGER, "12", 1, 60, NULL, ""},
                                   {"width", KN_OPTION_INTEGER, "20", 1, 100000, NULL, ""},
                                   {"seed", KN_OPTION_INTEGER, "1", 0, 1000000, NULL, ""},
                                   {"nature", KN_OPTION_FLAG, NULL, 0, 0, NULL, ""},
                                   {"chains", KN_OPTION_FLAG, NULL, 0, 0, NULL, ""},
                                   {"general", KN_OPTION_FLAG, NULL, 0, 0, NULL, ""},
                                   {"back", KN_OPTION_FLAG, NULL, 0, 0, NULL, ""},
                                   {0}};

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    Toy *toy = calloc(1, sizeof *toy);
    if (!toy) return kn_fail_memory(error, "opening a toy");
    game->data = toy;
    toy->seed = kn_mix64((uint64_t)kn_option_integer(bound, "seed"));
    toy->width = (uint32_t)kn_option_integer(bound, "width");
    toy->length = (int)kn_option_integer(bound, "length");
    toy->payoffs = (int)kn_option_integer(bound, "payoffs");
    game->roles = (int)kn_option_integer(bound, "roles");
    if (kn_option_flag(bound, "nature")) game->nature = game->roles - 1;
    if (kn_option_flag(bound, "chains")) game->traits |= KN_GAME_CHAINS;
    if (kn_option_flag(bound, "back")) game->traits |= KN_GAME_LOOKS_BACK;
    if (game->roles == 2 && game->nature < 0 && !kn_option_flag(bound, "general"))
        game->traits |= KN_GAME_ZERO_SUM;
    game->position_size = sizeof(Position);
    game->max_moves = MOVES;
    game->role_names = role_names;
    game->evaluations = evaluations;
    return KN_OK;
}

static void close(KnGame *game) { free(game->data); }

const KnGameType test_toy = {
    .head = {"toy", "a made-up game", options},
    .open = open,
    .close = close,
    .start = start,
    .mover = mover,
    .moves = moves,
    .play = play,
    .payoffs = payoffs,
    .hash = hash,
    .chances = chances,
    .ended = ended,
    .barred = barred,
    .move_text = move_text,
    .position_text = position_text,
};
