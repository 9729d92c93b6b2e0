/* knack bench: the benchmark suite, with a signature of the results. Every item has a fixed amount of work,
 * and its result goes into the signature: a change of speed must not change the signature. An item is
 * repeated at least five times; the median rate counts, and the lowest and highest are shown. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "arena/repeated.h"
#include "base/clock.h"
#include "base/hash.h"
#include "cli/bench_base.h"
#include "cli/bench_endgames.h"
#include "cli/bench_peers.h"
#include "cli/bench_sequences.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "games/gdl/gdl.h"
#include "games/gdl/playouts.h"
#include "games/perft.h"
#include "methods/satisficing/trials.h"
#include "players/dilemma/duel.h"
#include "search/alphabeta.h"

typedef struct Arguments {
    CliCommon common;
    bool signature, peers;
    double seconds;
    const char *only;
} Arguments;

typedef struct Item Item;

/* What an item works with, and what it has done. */
typedef struct Work {
    KnPlayer *player; /* that is asked; opened before the clock runs. NULL: none */
    uint64_t units;
} Work;

struct Item {
    const char *name;
    const char *unit;
    double aim; /* in millions of units a second; 0: none stated */
    const char *game;
    int size; /* games, or depth */
    /* Does the work once: counts units and adds the result to the digest. */
    KnStatus (*run)(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                    KnDigest *digest, KnError *error);
    unsigned traits;
};

/* Rates of an item. */
typedef struct Rates {
    double all[256];
    int count;
} Rates;

enum { LEAST_ROUNDS = 5, MOST_ROUNDS = 256 };

enum {
    SLOW = 1,      /* not part of the signature: it takes long */
    THREADS = 2,   /* neither is this: its result varies; the clock on the wall counts */
    LEARNED = 4,   /* nor this: it searches with the networks of the program, which are learned anew */
    ALPHABETA = 8, /* a player is asked */
    UCT = 16
};

enum { KEY_SIGNATURE = 0x100, KEY_SECONDS, KEY_PEERS };

static const struct argp_option options[] = {
    {"signature", KEY_SIGNATURE, 0, 0, "Run each item once and print only the signature", 1},
    {"peers", KEY_PEERS, 0, 0,
     "Measure other programs beside Knack, as far as they are installed (GNU Go, GRhino, OpenSpiel, Axelrod)",
     1},
    {"seconds", KEY_SECONDS, "S", 0, "Repeat each item for S seconds (default 2), five times at least", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_SIGNATURE:
        arguments->signature = true;
        return 0;
    case KEY_PEERS:
        arguments->peers = true;
        return 0;
    case KEY_SECONDS:
        arguments->seconds = cli_parse_real(state, "--seconds", arg, 0, 3600);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->only) argp_error(state, "one argument too many: \"%s\"", arg);
        arguments->only = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Measure speed on one core and print a signature of the results.\v"
                          "With NAME, only items whose name contains it run. A rate is the median of at "
                          "least five runs, with the lowest and the highest beside it.\n"
                          "Examples:\n"
                          "  knack bench\n"
                          "  knack bench perft --seconds 5\n"
                          "  knack bench --peers\n"
                          "  knack bench --signature";

/* Uniformly random games from the start: list the moves, pick one, play it. */
static KnStatus random_play(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                            KnDigest *digest, KnError *error)
{
    (void)context, (void)error;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    KnRng rng = kn_rng_seeded(1);
    int plies = 0, limit = game->traits & KN_GAME_ENDLESS ? 200 : 1000000;
    for (int game_state = 0; game_state < item->size; game_state++) {
        game->type->start(game, position);
        for (plies = 0; plies < limit; plies++) {
            int count = game->type->moves(game, position, moves);
            if (!count) break;
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
            ++work->units;
        }
        kn_digest_u64(digest, game->type->hash(game, position));
    }
    return KN_OK;
}

/* The same through the interface that players and matches use: legality and the end by the whole history. */
static KnStatus play_states(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                            KnDigest *digest, KnError *error)
{
    (void)context;
    KnState *state = kn_state_new(game);
    KnMove moves[game->max_moves];
    KnRng rng = kn_rng_seeded(1);
    KnStatus status = state ? KN_OK : kn_fail_memory(error, "measuring");
    size_t limit = game->traits & KN_GAME_ENDLESS ? 200 : 1000000;
    for (int i = 0; i < item->size && status == KN_OK; i++) {
        kn_state_reset(state, NULL);
        while (status == KN_OK && kn_state_plies(state) < limit) {
            int count = kn_state_moves(state, game->type->mover(game, kn_state_position(state)), moves);
            if (!count) break;
            status = kn_state_play(state, moves[kn_rng_below(&rng, (uint32_t)count)], error);
            ++work->units;
        }
        kn_digest_u64(digest, game->type->hash(game, kn_state_position(state)));
    }
    kn_state_free(state);
    return status;
}

static KnStatus count_tree(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                           KnDigest *digest, KnError *error)
{
    (void)context;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, position);
    KnPerft how = {.flags = KN_PERFT_PATHS, .jobs = 1};
    KnStatus status = kn_perft(game, position, item->size, &how, &work->units, error);
    kn_digest_u64(digest, work->units);
    return status;
}

/* One search to a fixed depth from the start, with a table. */
static KnStatus search_with(const Item *item, const KnContext *context, const KnGame *game, const char *eval,
                            Work *work, KnDigest *digest, KnError *error)
{
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, position);
    KnEvaluation *evaluation;
    KnStatus status = kn_evaluation_open_text(context, game, eval, &evaluation, error);
    if (status != KN_OK) return status;
    KnSearchOptions how = kn_search_options();
    how.table_bytes = 64 << 20;
    how.threads = item->traits & THREADS ? 2 : 1;
    KnSearch *search = kn_search_new(game, evaluation, &how, error);
    KnSearchRequest request = {.budget.depth = item->size};
    KnSearchResult found = {0};
    status = search ? kn_search_run(search, position, NULL, &request, &found, error) : error->status;
    work->units = found.nodes;
    kn_digest_u64(digest, found.nodes);
    kn_digest_u64(digest, found.move);
    kn_digest_u64(digest, (uint64_t)(int64_t)found.score);
    kn_search_free(search);
    kn_evaluation_close(evaluation);
    return status;
}

static KnStatus search_deep(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                            KnDigest *digest, KnError *error)
{
    return search_with(item, context, game, NULL, work, digest, error);
}

/* The spec of the player that an item asks; NULL: none. */
static const char *player_of(const Item *item)
{
    bool threads = item->traits & THREADS;
    if (item->traits & ALPHABETA) return threads ? "alphabeta(threads=2)" : "alphabeta";
    if (item->traits & UCT) return threads ? "uct(playouts=0, threads=2)" : "uct(playouts=0)";
    return NULL;
}

/* What a user gets who names no option: one answer from the start, within `size` positions, of a player that
 * is open, as in a match or a game. */
static KnStatus ask_player(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                           KnDigest *digest, KnError *error)
{
    (void)context;
    KnState *state = kn_state_new(game);
    if (!state) return kn_fail_memory(error, "measuring");
    KnAnswer answer = {0};
    KnAsk ask = {.seed = 1, .budget.nodes = (uint64_t)item->size};
    KnStatus status = kn_player_ask(work->player, state, kn_state_mover(state), &ask, &answer, error);
    work->units = answer.cost.nodes;
    kn_digest_u64(digest, answer.move);
    kn_state_free(state);
    return status;
}

/* With the 23 terms of draughts; the mark is 5 million nodes and 17 plies in a second. */
static KnStatus search_terms(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                             KnDigest *digest, KnError *error)
{
    return search_with(item, context, game, "features(weights=chinook-original)", work, digest, error);
}

static KnStatus solve_endgames(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                               KnDigest *digest, KnError *error)
{
    (void)context;
    return bench_endgames(game, item->size, &work->units, digest, error);
}

static KnStatus run_match(const KnContext *context, const KnMatchPlan *plan, Work *work, KnDigest *digest,
                          KnError *error)
{
    KnMatchResult result;
    KnStatus status = kn_match_run(context, plan, NULL, NULL, &result, error);
    work->units = result.standing.games;
    char hex[KN_HEX128];
    kn_digest_hex(&result.standing.digest, hex);
    kn_digest_string(digest, hex);
    return status;
}

/* Markovitch and Sella's yardstick: a depth-4 player against itself, 40 moves each, a judge at the end; units
 * are games. */
static KnStatus play_match(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                           KnDigest *digest, KnError *error)
{
    KnMatchPlan plan = {.game = game->spec,
                        .players = {"alphabeta(depth=4, eval=trade)", "alphabeta(depth=4, eval=trade)"},
                        .games = (uint64_t)item->size,
                        .seed = 1,
                        .jobs = 1,
                        .rules = {.ply_limit = 80, .judge = 4}};
    return run_match(context, &plan, work, digest, error);
}

/* The arena's own cost: games of tic-tac-toe between players who think of nothing; units are games. */
static KnStatus play_tiny(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                          KnDigest *digest, KnError *error)
{
    KnMatchPlan plan = {.game = game->spec,
                        .players = {"random", "random"},
                        .games = (uint64_t)item->size,
                        .seed = 1,
                        .jobs = 1};
    return run_match(context, &plan, work, digest, error);
}

/* Figure 5 of Stimpson, Goodrich and Walters (2001): two satisficing agents with random parameters, run until
 * they settle; units are trials. */
static KnStatus settle_trials(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                              KnDigest *digest, KnError *error)
{
    (void)context, (void)game;
    KnTrialPlan plan = {
        .trial = kn_trial_distribution_paper(), .trials = (uint64_t)item->size, .seed = 1, .jobs = 1};
    KnOutcomeCounts tally;
    KnStatus status = kn_trials_run(&plan, &tally, error);
    if (status != KN_OK) return status;
    work->units = tally.trials;
    kn_digest_u64(digest, tally.rounds);
    for (size_t i = 0; i < tally.row_count; i++) {
        kn_digest_u64(digest, tally.rows[i].code);
        kn_digest_u64(digest, tally.rows[i].count);
    }
    kn_tally_free(&tally);
    return KN_OK;
}

/* Finite-state strategies, every pair, match after match; units are rounds. */
static KnStatus run_machines(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                             KnDigest *digest, KnError *error)
{
    static const char *const specs[] = {"titfortat",  "winstayloseshift", "fortress4",
                                        "hardprober", "forgetfulgrudger", "titfor2tats"};
    enum { COUNT = sizeof specs / sizeof *specs };
    KnPlayer *players[COUNT] = {0};
    KnStatus status = KN_OK;
    for (int i = 0; i < COUNT && status == KN_OK; i++)
        status = kn_player_open(context, game, specs[i], &players[i], error);
    KnDuelRules rules = {.matrix = kn_game_matrix(game)};
    KnRng streams[KN_DUEL_STREAMS] = {0}; /* nothing is drawn */
    for (int pair = 0; pair < COUNT * COUNT && status == KN_OK; pair++) {
        KnDuel duel;
        for (int match = 0; match < item->size; match++) {
            kn_duel(kn_player_agent(players[pair / COUNT]), kn_player_agent(players[pair % COUNT]), &rules,
                    streams, &duel);
            work->units += (uint64_t)duel.turns;
        }
        for (int outcome = 0; outcome < 4; outcome++) kn_digest_u64(digest, (uint64_t)duel.count[0][outcome]);
    }
    for (int i = 0; i < COUNT; i++) kn_player_close(players[i]);
    return status;
}

/* A round robin of 80 strategies with ten repetitions, with noise so that every match is different; units are
 * rounds. */
static KnStatus run_tournament(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                               KnDigest *digest, KnError *error)
{
    const char *names[80];
    size_t count = 0;
    const KnStrategy *row;
    for (size_t i = 0; count < 80 && (row = kn_strategy_at(i)); i++)
        if (!(row->traits & KN_STRATEGY_FAMILY)) names[count++] = row->player.head.name;
    KnRepeatedPlan plan = {.game = game->spec,
                           .players = names,
                           .player_count = count,
                           .repetitions = (uint64_t)item->size,
                           .seed = 1,
                           .jobs = 1,
                           .noise = 0.01};
    KnRepeated result;
    KnStatus status = kn_repeated_run(context, &plan, NULL, NULL, &result, error);
    if (status != KN_OK) return status;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++) work->units += result.pairings[i * count + j].turns;
    kn_digest_string(digest, result.digest);
    kn_repeated_free(&result);
    return KN_OK;
}

static KnStatus play_description(const Item *item, const KnGame *game, bool single, Work *work,
                                 KnDigest *digest, KnError *error)
{
    KnGdlMachine *machine = kn_game_gdl(game);
    uint64_t state[kn_gdl_machine_words(machine)];
    KnRng rng = kn_rng_seeded(1);
    KnGdlPlayouts out;
    KnStatus status = kn_gdl_start(machine, state, error);
    if (status == KN_OK)
        status = (single ? kn_gdl_playouts_single : kn_gdl_playouts)(machine, state, (uint64_t)item->size, 0,
                                                                     &rng, &out, error);
    if (status != KN_OK) return status;
    work->units = out.games;
    kn_digest_u64(digest, out.plies);
    for (int role = 0; role < game->roles; role++) kn_digest_u64(digest, out.totals[role]);
    return KN_OK;
}

/* Random playouts of a game description, single and batched. */
static KnStatus play_single(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                            KnDigest *digest, KnError *error)
{
    (void)context;
    return play_description(item, game, true, work, digest, error);
}

static KnStatus play_batched(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                             KnDigest *digest, KnError *error)
{
    (void)context;
    return play_description(item, game, false, work, digest, error);
}

/* Experience bases: games added and committed together; consultations of a position with all its moves (and
 * the base made for it). */
static KnStatus add_experience(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                               KnDigest *digest, KnError *error)
{
    return bench_base(context, game, item->size, 0, &work->units, digest, error);
}

static KnStatus look_experience(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                                KnDigest *digest, KnError *error)
{
    return bench_base(context, game, 200, item->size, &work->units, digest, error);
}

static KnStatus match_sequences(const Item *item, const KnContext *context, const KnGame *game, Work *work,
                                KnDigest *digest, KnError *error)
{
    (void)context;
    return bench_sequences(game, item->size, &work->units, digest, error);
}

static const Item items[] = {
    {"random play, draughts", "moves", 18, "checkers", 20000, random_play, 0},
    {"random play, Othello", "moves", 14, "othello", 20000, random_play, 0},
    {"random play, five men's morris", "moves", 22, "morris", 20000, random_play, 0},
    {"random play, Go 9x9", "moves", 9, "go(superko=none)", 10000, random_play, 0},
    {"games in progress, draughts", "moves", 20, "checkers", 10000, play_states, 0},
    {"games in progress, Othello", "moves", 25, "othello", 10000, play_states, 0},
    {"games in progress, nine men's morris", "moves", 12, "morris(men=9)", 5000, play_states, 0},
    {"games in progress, Go 9x9", "moves", 6, "go", 1000, play_states, 0},
    {"perft, draughts", "nodes", 120, "checkers", 10, count_tree, 0},
    {"perft, Othello", "nodes", 170, "othello", 10, count_tree, 0},
    {"alpha-beta, draughts", "nodes", 12, "checkers", 17, search_deep, 0},
    {"alpha-beta on two threads, draughts", "nodes", 19, "checkers", 17, search_deep, THREADS},
    {"alpha-beta with 23 terms, draughts", "nodes", 5, "checkers", 17, search_terms, 0},
    {"alphabeta as it comes, draughts", "nodes", 4, "checkers", 1000000, ask_player, LEARNED | ALPHABETA},
    {"alphabeta as it comes, Othello", "nodes", 2.5, "othello", 500000, ask_player, LEARNED | ALPHABETA},
    {"alphabeta on two threads, Othello", "nodes", 4, "othello", 500000, ask_player,
     LEARNED | ALPHABETA | THREADS},
    {"uct as it comes, Othello", "nodes", 0, "othello", 2000000, ask_player, LEARNED | UCT},
    {"uct on two threads, Othello", "nodes", 0, "othello", 2000000, ask_player, LEARNED | UCT | THREADS},
    {"endgame 40 of the FFO, Othello", "nodes", 25, "othello", 1, solve_endgames, 0},
    {"endgames 40-44 of the FFO, Othello", "nodes", 25, "othello", 5, solve_endgames, SLOW},
    {"depth-4 matches, draughts", "games", 0.000167, "checkers", 100, play_match, 0},
    {"random matches, tic-tac-toe", "games", 0.25, "tictactoe", 20000, play_tiny,
     0}, /* 4 microseconds each */
    {"experience, games added", "games", 0.00056, "othello", 1000, add_experience,
     false}, /* 100,000 in 3 minutes */
    {"experience, consulted", "positions", 0.05, "othello", 100000, look_experience,
     false}, /* 20 microseconds each */
    {"2,400 Advisors matched, morris", "positions", 0.05, "morris", 200000, match_sequences,
     false}, /* 20 microseconds each */
    {"satisficing, figure 5", "trials", 6, "dilemma", 500000, settle_trials, 0},
    {"strategies as machines, dilemma", "rounds", 100, "dilemma", 5000, run_machines, 0},
    {"round robin of 80, dilemma", "rounds", 3.24, "dilemma", 10, run_tournament,
     false}, /* 6.48 million rounds in 2 s */
    {"random games, tic-tac-toe in GDL", "games", 0.5, "gdl:tictactoe", 50000, play_single, 0},
    {"batched, tic-tac-toe in GDL", "games", 20, "gdl:tictactoe", 500000, play_batched, 0},
    {"batched, connect four in GDL", "games", 4, "gdl:connectfour", 200000, play_batched, 0},
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_rates(const Item *item, const Rates *rates)
{
    bool millions = rates->all[rates->count / 2] > 1e5;
    double unit = millions ? 1e6 : 1, rate = rates->all[rates->count / 2] / unit, low = rates->all[0] / unit,
           high = rates->all[rates->count - 1] / unit;
    printf("%-36s %9.*f%s %s/s   [%.*f, %.*f] of %d", item->name, millions ? 2 : 1, rate,
           millions ? " million" : "", item->unit, millions ? 2 : 1, low, millions ? 2 : 1, high,
           rates->count);
    if (item->aim > 0) printf("   (aim %g)", item->aim * 1e6 / unit);
    puts("");
    fflush(stdout);
}

static KnStatus measure(const Arguments *arguments, const KnContext *context, const Item *item,
                        KnDigest *digest, Rates *rates, uint64_t *units, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(context, item->game, &game, error);
    if (status != KN_OK) return status;
    Work work = {0};
    const char *spec = player_of(item);
    if (spec) status = kn_player_open(context, game, spec, &work.player, error);
    double began = kn_clock_now();
    rates->count = 0;
    KnDigest repeated;
    kn_digest_start(&repeated);
    if (item->traits) digest = &repeated;
    for (int round = 0; status == KN_OK; round++) {
        work.units = 0;
        bool wall = item->traits & THREADS;
        double started = wall ? kn_clock_now() : kn_clock_cpu();
        status = item->run(item, context, game, &work, round ? &repeated : digest, error);
        double seconds = (wall ? kn_clock_now() : kn_clock_cpu()) - started;
        rates->all[rates->count++] = (double)work.units / fmax(seconds, 1e-9);
        if (arguments->signature || rates->count == MOST_ROUNDS) break;
        if (rates->count >= LEAST_ROUNDS && kn_clock_now() - began >= arguments->seconds) break;
    }
    qsort(rates->all, (size_t)rates->count, sizeof *rates->all, by_size);
    *units = work.units;
    kn_player_close(work.player);
    kn_game_close(game);
    return status;
}

static int compare_peers(const Arguments *arguments, KnContext *context)
{
    KnError error;
    json_t *rows = arguments->common.json ? json_array() : NULL;
    KnStatus status = bench_peers(context, arguments->only, rows, &error);
    kn_close(context);
    if (status == KN_OK)
        return rows ? cli_print_json(json_pack("{so ss}", "peers", rows, "version", KNACK_VERSION))
                    : cli_finish();
    json_decref(rows);
    return cli_fail(&error);
}

int command_bench(int argc, char **argv)
{
    Arguments arguments = {.seconds = 2};
    const struct argp argp = {options, parse, "[NAME]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    if (arguments.peers) return compare_peers(&arguments, context);
    bool text = !arguments.common.json && !arguments.signature;
    KnDigest digest;
    kn_digest_start(&digest);
    json_t *rows = json_array();
    for (size_t i = 0; i < sizeof items / sizeof *items && !code; i++) {
        const Item *item = &items[i];
        if (arguments.only && !strcasestr(item->name, arguments.only)) continue;
        if (arguments.signature && item->traits) continue;
        KnError error;
        Rates rates;
        uint64_t units;
        if (measure(&arguments, context, item, &digest, &rates, &units, &error) != KN_OK) {
            code = cli_fail(&error);
            break;
        }
        json_array_append_new(rows,
                              json_pack("{ss ss sI sf sf sf si sf}", "name", item->name, "unit", item->unit,
                                        "work", (json_int_t)units, "rate", rates.all[rates.count / 2],
                                        "lowest", rates.all[0], "highest", rates.all[rates.count - 1],
                                        "rounds", rates.count, "aim", item->aim * 1e6));
        if (text) print_rates(item, &rates);
    }
    kn_close(context);
    char hex[KN_HEX128];
    kn_digest_hex(&digest, hex);
    if (code || !json_array_size(rows)) {
        if (!code) fprintf(stderr, "knack: no item of the bench has \"%s\" in its name\n", arguments.only);
        json_decref(rows);
        return code ? code : KN_USAGE;
    }
    if (arguments.common.json)
        return cli_print_json(
            json_pack("{so ss ss}", "items", rows, "signature", hex, "version", KNACK_VERSION));
    json_decref(rows);
    printf(arguments.signature ? "%s\n" : "signature %s\n", hex);
    return cli_finish();
}
