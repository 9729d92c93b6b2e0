/* The lesson's searches and heuristics against each other, on eight game descriptions: at equal numbers of
 * positions, which is exact by seed, and at equal clocks, which is not and says so. */
#include "lab/general/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/parallel.h"
#include "players/player.h"

typedef struct Entry {
    const char *name;
    const char *spec; /* $B stands for the budget, $F for the games that weights are fitted to */
} Entry;

#define EVEN            "blend(" KN_GGP_PARTS ")"
#define FITTED          "blend(" KN_GGP_PARTS ", fit=$F, nodes=1000000)"
#define DEEPENING(eval) "alphabeta(depth=0, width=full, memory=1, eval=" eval ", $B)"

static const Entry entries[] = {
    {"legal", "legal"},
    {"random", "random"},
    {"complete minimax, cut short", "minimax(depth=0, eval=lowest, $B)"},
    {"depth-limited (3)", "minimax(depth=3, eval=lowest, $B)"},
    {"breadth-first", "breadth(memory=8, eval=lowest, $B)"},
    {"iterative deepening", "minimax(depth=0, deepening, eval=lowest, $B)"},
    {"alpha-beta", DEEPENING("lowest")},
    {"mobility", DEEPENING("mobility")},
    {"focus of the others", DEEPENING("focus(who=others)")},
    {"goal value", DEEPENING("goal(who=both)")},
    {"proximity", DEEPENING("proximity(who=both)")},
    {"blend, even weights", DEEPENING(EVEN)},
    {"blend, fitted weights", DEEPENING(FITTED)},
    {"fixed depth 2, fitted", "alphabeta(depth=2, memory=1, eval=" FITTED ", $B)"},
    {"variable depth 2+4, fitted",
     "alphabeta(depth=2, memory=1, eval=" FITTED ", expand=" FITTED ", change=10, extra=4, $B)"},
    {"uct", "uct(playouts=1000000000, memory=8, $B)"},
    {"general", "general(memory=8, $B)"},
};

enum {
    ENTRIES = sizeof entries / sizeof *entries,
    PAIRS = ENTRIES * (ENTRIES - 1) / 2,
    EVEN_PLACE = 11,
    FITTED_PLACE = 12,
    FIXED_PLACE = 13
};

/* The results of all pairs on one game. */
typedef struct Standing {
    KnMoments scores[ENTRIES][ENTRIES]; /* of the first against the second */
    uint64_t decisions[ENTRIES], nodes[ENTRIES], depth[ENTRIES];
} Standing;

/* A game_state that waits to be counted. */
typedef struct Slot {
    KnGgpEntry entries[KN_ROLES_MAX]; /* by role */
    int at[2];
} Slot;

typedef struct Tournament {
    KnLabRun *run;
    KnGame *game;
    const char *budget;
    uint64_t seed;
    uint64_t games; /* of a pair, with roles in turn */
    int workers;
    KnPlayer *(*players)[ENTRIES]; /* of each worker, opened when needed */
    KnState **game_state;
    Slot *slots;
    uint64_t window;
    Standing *standing;
} Tournament;

static void pair_of(uint64_t pair, int *a, int *b)
{
    *a = 0;
    while (pair >= (uint64_t)(ENTRIES - 1 - *a)) pair -= (uint64_t)(ENTRIES - 1 - (*a)++);
    *b = *a + 1 + (int)pair;
}

static KnStatus open_entry(Tournament *t, int worker, int entry, KnError *error)
{
    if (t->players[worker][entry]) return KN_OK;
    KnText spec = KN_TEXT_EMPTY;
    for (const char *c = entries[entry].spec; *c; c++) {
        if (*c != '$')
            kn_text_add_char(&spec, *c);
        else if (*++c == 'B')
            kn_text_add(&spec, t->budget);
        else
            kn_text_printf(&spec, "%.0f", kn_lab_parameter(t->run, "fit"));
    }
    KnStatus status = kn_text_ok(&spec) ? kn_player_open(kn_lab_context(t->run), t->game, spec.data,
                                                         &t->players[worker][entry], error)
                                        : kn_fail_memory(error, "opening a player");
    kn_text_free(&spec);
    return status;
}

static KnStatus play(void *user, int worker, uint64_t index, KnError *error)
{
    Tournament *t = user;
    int a, b;
    pair_of(index / t->games, &a, &b);
    bool turned = index % 2;
    KnStatus status = open_entry(t, worker, a, error);
    if (status == KN_OK) status = open_entry(t, worker, b, error);
    if (status != KN_OK) return status;
    KnPlayer *players[KN_ROLES_MAX] = {t->players[worker][turned ? b : a],
                                       t->players[worker][turned ? a : b]};
    KnRng rng = kn_rng_stream(t->seed, index);
    kn_state_reset(t->game_state[worker], NULL);
    t->slots[index % t->window].at[0] = turned ? b : a;
    t->slots[index % t->window].at[1] = turned ? a : b;
    return kn_ggp_play(t->game_state[worker], players, &rng, 300, kn_lab_cancel(t->run),
                       t->slots[index % t->window].entries, error);
}

static KnStatus count(void *user, uint64_t index, KnError *error)
{
    (void)error;
    Tournament *t = user;
    Standing *s = t->standing;
    const KnGgpEntry *results = t->slots[index % t->window].entries;
    const int *at = t->slots[index % t->window].at;
    for (int k = 0; k < 2; k++) {
        kn_moments_add(&s->scores[at[k]][at[1 - k]], results[k].payoff);
        s->decisions[at[k]] += results[k].decisions;
        s->nodes[at[k]] += results[k].nodes;
        s->depth[at[k]] += results[k].depth;
    }
    kn_progress_tick(kn_lab_progress(t->run), 1);
    return KN_OK;
}

/* ---- A game's standing as a unit that survives an interruption ---- */

static json_t *standing_json(const Standing *s)
{
    json_t *scores = json_array(), *costs = json_array();
    for (int i = 0; i < ENTRIES; i++) {
        json_array_append_new(costs, json_pack("[III]", (json_int_t)s->decisions[i], (json_int_t)s->nodes[i],
                                               (json_int_t)s->depth[i]));
        for (int k = 0; k < ENTRIES; k++)
            json_array_append_new(scores, json_pack("[Iff]", (json_int_t)s->scores[i][k].count,
                                                    s->scores[i][k].mean, s->scores[i][k].m2));
    }
    return json_pack("{so so}", "scores", scores, "costs", costs);
}

static bool standing_read(const json_t *unit, Standing *s)
{
    const json_t *scores = json_object_get(unit, "scores"), *costs = json_object_get(unit, "costs");
    for (size_t i = 0; i < ENTRIES; i++) {
        const json_t *cost = json_array_get(costs, i);
        s->decisions[i] = (uint64_t)json_integer_value(json_array_get(cost, 0));
        s->nodes[i] = (uint64_t)json_integer_value(json_array_get(cost, 1));
        s->depth[i] = (uint64_t)json_integer_value(json_array_get(cost, 2));
        for (size_t k = 0; k < ENTRIES; k++) {
            const json_t *cell = json_array_get(scores, i * ENTRIES + k);
            s->scores[i][k] = (KnMoments){(uint64_t)json_integer_value(json_array_get(cell, 0)),
                                          json_number_value(json_array_get(cell, 1)),
                                          json_number_value(json_array_get(cell, 2))};
        }
    }
    return json_array_size(scores) == (size_t)ENTRIES * ENTRIES && json_array_size(costs) == ENTRIES;
}

/* ---- Games, here and in other processes ---- */

static KnStatus open_tournament(Tournament *t, const char *spec, uint64_t window, KnError *error)
{
    KnStatus status = kn_game_open(kn_lab_context(t->run), spec, &t->game, error);
    t->workers = kn_jobs(kn_lab_jobs(t->run));
    t->window = window;
    t->players = calloc((size_t)t->workers, sizeof *t->players);
    t->game_state = calloc((size_t)t->workers, sizeof *t->game_state);
    t->slots = calloc(t->window, sizeof *t->slots);
    if (status == KN_OK && (!t->players || !t->game_state || !t->slots))
        status = kn_fail_memory(error, "preparing a tournament");
    for (int w = 0; w < t->workers && status == KN_OK; w++) {
        t->game_state[w] = kn_state_new(t->game);
        if (!t->game_state[w]) status = kn_fail_memory(error, "preparing a tournament");
    }
    t->seed = kn_lab_seed(t->run, spec);
    return status;
}

static void close_tournament(Tournament *t)
{
    for (int w = 0; w < t->workers; w++) {
        for (int i = 0; t->players && i < ENTRIES; i++) kn_player_close(t->players[w][i]);
        if (t->game_state) kn_state_free(t->game_state[w]);
    }
    free(t->players);
    free(t->game_state);
    free(t->slots);
    kn_game_close(t->game);
    t->players = NULL, t->game_state = NULL, t->slots = NULL, t->game = NULL;
}

/* ---- The job ---- */

typedef struct Payload {
    KnLabOrigin origin;
    const char *game, *budget;
    uint64_t games;
} Payload;

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    const Payload *sent = payload;
    Tournament *t = *user = calloc(1, sizeof *t);
    if (!t) return kn_fail_memory(error, "preparing a tournament");
    KnStatus status = kn_lab_visit(site, &sent->origin, &t->run, error);
    if (status != KN_OK) return status;
    t->budget = sent->budget;
    t->games = sent->games;
    return open_tournament(t, sent->game, site->window, error);
}

static void close_job(void *user)
{
    Tournament *t = user;
    close_tournament(t);
    kn_lab_leave(t->run);
    free(t);
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    const Tournament *t = user;
    return &t->slots[index % t->window];
}

const KnJobType kn_ggp_job_type = {
    .name = "ggp",
    .summary = "games of the lesson's searches",
    .payload = KN_LAYOUT(Payload, KN_LAB_ORIGIN(Payload), KN_STRINGS(Payload, game),
                         KN_STRINGS(Payload, budget), KN_PLAIN(Payload, games)),
    .open = open_job,
    .close = close_job,
    .run = play,
    .result = KN_LAYOUT_PLAIN(Slot),
    .slot = result_slot};

static KnStatus play_game(Tournament *t, const char *spec, KnError *error)
{
    Payload payload = {.game = spec, .budget = t->budget, .games = t->games};
    KnStatus status = open_tournament(t, spec, kn_lab_window(t->run), error);
    if (status == KN_OK)
        status = kn_lab_share(t->run, &kn_ggp_job_type, PAIRS * t->games, t->window, &payload.origin, count,
                              t, error);
    close_tournament(t);
    return status;
}

static KnStatus standing_of(Tournament *t, const char *spec, Standing *s, KnError *error)
{
    memset(s, 0, sizeof *s);
    const json_t *unit = kn_lab_done(t->run, spec);
    if (unit && standing_read(unit, s)) {
        kn_progress_tick(kn_lab_progress(t->run), PAIRS * t->games);
        return KN_OK;
    }
    memset(s, 0, sizeof *s);
    t->standing = s;
    KnStatus status = play_game(t, spec, error);
    return status == KN_OK ? kn_lab_keep(t->run, spec, standing_json(s), error) : status;
}

/* ---- Results ---- */

static KnMoments against_all(const Standing *s, int entry)
{
    KnMoments sum = {0};
    for (int k = 0; k < ENTRIES; k++) kn_moments_merge(&sum, &s->scores[entry][k]);
    return sum;
}

static KnStatus give_scores(KnLabRun *run, const Standing *games, int many, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, "scores", "Mean goal value against all others, by game", "points",
                                       1, error);
    for (int i = 0; i < ENTRIES && status == KN_OK; i++) {
        KnMoments all = {0};
        for (int g = 0; g < many && status == KN_OK; g++) {
            KnMoments here = against_all(&games[g], i);
            kn_moments_merge(&all, &here);
            status = kn_lab_measured(run, entries[i].name, kn_ggp_games[g] + strlen("gdl:"),
                                     kn_measure_mean(&here), NULL, error);
        }
        if (status == KN_OK)
            status = kn_lab_measured(run, entries[i].name, "all games", kn_measure_mean(&all),
                                     i ? NULL : entries[i].spec, error);
    }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "cross", "Mean goal value over all games: row against column",
                                  "points", 1, error);
    for (int i = 0; i < ENTRIES && status == KN_OK; i++)
        for (int k = 0; k < ENTRIES && status == KN_OK; k++) {
            KnMoments sum = {0};
            for (int g = 0; g < many; g++) kn_moments_merge(&sum, &games[g].scores[i][k]);
            if (i != k)
                status = kn_lab_measured(run, entries[i].name, entries[k].name, kn_measure_mean(&sum), NULL,
                                         error);
        }
    return status;
}

static KnStatus give_costs(KnLabRun *run, const Standing *games, int many, KnError *error)
{
    KnStatus status = kn_lab_own_table(run, "cost", "What a decision takes, over all games", "", 1, error);
    for (int i = 0; i < ENTRIES && status == KN_OK; i++) {
        double decisions = 0, nodes = 0, depth = 0;
        for (int g = 0; g < many; g++) {
            decisions += (double)games[g].decisions[i];
            nodes += (double)games[g].nodes[i];
            depth += (double)games[g].depth[i];
        }
        status = kn_lab_measured(run, entries[i].name, "positions",
                                 kn_measure_single(decisions > 0 ? nodes / decisions : 0), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, entries[i].name, "depth",
                                     kn_measure_single(decisions > 0 ? depth / decisions : 0), NULL, error);
    }
    return status;
}

/* The gain of the start clock, and of variable depth, in games of the two. */
static KnStatus give_gains(KnLabRun *run, const Standing *games, int many, KnError *error)
{
    static const struct {
        const char *row;
        int a, b;
    } gains[] = {{"fitted against even weights", FITTED_PLACE, EVEN_PLACE},
                 {"variable against fixed depth 2", FIXED_PLACE + 1, FIXED_PLACE}};
    KnStatus status = kn_lab_own_table(run, "gains", "In games of two: 50 is no gain", "points", 1, error);
    for (size_t r = 0; r < sizeof gains / sizeof *gains && status == KN_OK; r++) {
        KnMoments all = {0};
        for (int g = 0; g < many && status == KN_OK; g++) {
            const KnMoments *here = &games[g].scores[gains[r].a][gains[r].b];
            kn_moments_merge(&all, here);
            status = kn_lab_measured(run, gains[r].row, kn_ggp_games[g] + strlen("gdl:"),
                                     kn_measure_mean(here), NULL, error);
        }
        if (status == KN_OK)
            status = kn_lab_measured(run, gains[r].row, "all games", kn_measure_mean(&all), NULL, error);
    }
    return status;
}

static KnStatus measure(KnLabRun *run, const char *budget, KnError *error)
{
    Standing *games = calloc(KN_GGP_GAMES, sizeof *games);
    if (!games) return kn_fail_memory(error, "measuring searches");
    Tournament t = {.run = run, .budget = budget, .games = (uint64_t)kn_lab_parameter(run, "rounds")};
    int many = (int)kn_lab_parameter(run, "games");
    kn_lab_expect(run, (uint64_t)many * PAIRS * t.games);
    KnStatus status = KN_OK;
    for (int g = 0; g < many && status == KN_OK; g++)
        status = standing_of(&t, kn_ggp_games[g], &games[g], error);
    if (status == KN_OK) status = give_scores(run, games, many, error);
    if (status == KN_OK) status = give_costs(run, games, many, error);
    if (status == KN_OK) status = give_gains(run, games, many, error);
    free(games);
    return status;
}

static KnStatus measure_nodes(KnLabRun *run, KnError *error)
{
    char budget[40];
    snprintf(budget, sizeof budget, "nodes=%.0f", kn_lab_parameter(run, "nodes"));
    return measure(run, budget, error);
}

static KnStatus measure_clocks(KnLabRun *run, KnError *error)
{
    char budget[40];
    kn_lab_clocked(run);
    snprintf(budget, sizeof budget, "time=%g", kn_lab_parameter(run, "seconds"));
    return measure(run, budget, error);
}

#define COMMON_READINGS                                                                                      \
    {"Which player is which of the lesson's?",                                                               \
     "docs/ggp-players.md lists the specs. What is not terminal is worth the lesson's 0 for the "            \
     "first seven (eval=lowest); the heuristics search by iterative deepening with alpha-beta.",             \
     ""},                                                                                                    \
        {"What is a heuristic's value?",                                                                     \
         "Taken for the goal value to be expected, as the lesson's program does, which compares both.", ""}, \
        {"How are weights estimated in the start clock?",                                                    \
         "Least squares of the goal value reached on the parts at 8 positions of each of some "              \
         "random games, a weight vector for each role; the time for it is not counted.",                     \
         ""},                                                                                                \
    {                                                                                                        \
        "Simultaneous moves (bidding)?",                                                                     \
            "The lesson's program: the opponent answers what it could not have seen; general samples joint " \
            "moves instead.",                                                                                \
            ""                                                                                               \
    }

static const KnParameter node_parameters[] = {
    {"games", 8, 8, "Of the eight, from the first on."},
    {"fit", 60, 1000, "Random games that weights are fitted to."},
    {"nodes", 40, 500, "Positions a decision, those that an evaluation plays included."},
    {"rounds", 2, 6, "Games of each pair on each game, seats in turn."},
    {0}};
static const KnInterpretation node_interpretations[] = {COMMON_READINGS, {0}};

const KnExperiment kn_ggp_search = {
    .head = {"ggp.search",
             "the lesson's searches and heuristics against each other, at equal numbers of positions", NULL},
    .paper = "genesereth-search",
    .parameters = node_parameters,
    .interpretations = node_interpretations,
    .run = measure_nodes,
};

static const KnParameter clock_parameters[] = {
    {"games", 2, 8, "Of the eight, from the first on."},
    {"fit", 60, 1000, "Random games that weights are fitted to."},
    {"seconds", 0.0002, 0.002, "A decision. Short, so that thousands of games can be played."},
    {"rounds", 2, 6, "Games of each pair on each game, seats in turn."},
    {0}};
static const KnInterpretation clock_interpretations[] = {
    COMMON_READINGS,
    {"What do equal clocks depend on?", "On the machine and on what else it does: the result is stamped.",
     ""},
    {0}};

const KnExperiment kn_ggp_search_clocks = {
    .head = {"ggp.search-clocks", "the same at equal clocks", NULL},
    .paper = "genesereth-search",
    .parameters = clock_parameters,
    .interpretations = clock_interpretations,
    .run = measure_clocks,
};
