/* Lock 2003, Table 6, Baseline rows under the interpretations that were not chosen: how much each of them
 * changes which cell. */
#include "lab/registry.h"

#include <stdio.h>
#include <string.h>

static const char lose[] = "Lose tic-tac-toe: Baseline", morris[] = "Five men's morris: Baseline";

/* One interpretation of one opponent. */
typedef struct Variant {
    const char *label;
    const char *row;    /* published */
    const char *column; /* the opponent's name in the columns */
    const char *opponent;
    size_t ply_limit;
    int seat; /* 0 or 1: only games where the random player sits there; -1: all */
} Variant;

static const Variant variants[] = {
    {"Lose tic-tac-toe: reasonable avoids its own line", lose, "Expert",
     "reasonable(0.1, +careful, rest=perfect(draw=wide))", 0, -1},
    {"Lose tic-tac-toe: reasonable avoids its own line", lose, "Novice",
     "reasonable(0.7, +careful, rest=perfect(draw=wide))", 0, -1},
    {"Lose tic-tac-toe: the random player begins", lose, "Perfect", "perfect(draw=wide)", 0, 0},
    {"Lose tic-tac-toe: the random player begins", lose, "Random", "random", 0, 0},
    {"Lose tic-tac-toe: the agent begins", lose, "Perfect", "perfect(draw=wide)", 0, 1},
    {"Lose tic-tac-toe: the agent begins", lose, "Random", "random", 0, 1},
    {"Lose tic-tac-toe: perfect draws by any drawing move", lose, "Perfect", "perfect", 0, -1},
    {"Morris: perfect draws by any drawing move", morris, "Perfect", "perfect", 100, -1},
    {"Morris: perfect draws by any drawing move", morris, "Expert", "reasonable(0.1)", 100, -1},
    {"Morris: perfect draws by any drawing move", morris, "Novice", "reasonable(0.7)", 100, -1},
    {"Morris: perfect wins by any winning move", morris, "Perfect", "perfect(win=any, draw=wide)", 100, -1},
    {"Morris: perfect wins by any winning move", morris, "Expert",
     "reasonable(0.1, rest=perfect(win=any, draw=wide))", 100, -1},
    {"Morris: perfect wins by any winning move", morris, "Novice",
     "reasonable(0.7, rest=perfect(win=any, draw=wide))", 100, -1},
    {"Morris: perfect delays a loss", morris, "Expert",
     "reasonable(0.1, rest=perfect(loss=slowest, draw=wide))", 100, -1},
    {"Morris: perfect delays a loss", morris, "Novice",
     "reasonable(0.7, rest=perfect(loss=slowest, draw=wide))", 100, -1},
    {"Morris: drawn after 60 plies", morris, "Novice", "reasonable(0.7, rest=perfect(draw=wide))", 60, -1},
    {"Morris: drawn after 60 plies", morris, "Random", "random", 60, -1},
    {"Morris: drawn after 200 plies", morris, "Novice", "reasonable(0.7, rest=perfect(draw=wide))", 200, -1},
    {"Morris: drawn after 200 plies", morris, "Random", "random", 200, -1},
    {"Morris: the random player begins", morris, "Novice", "reasonable(0.7, rest=perfect(draw=wide))", 100,
     0},
    {"Morris: the random player begins", morris, "Random", "random", 100, 0},
    {"Morris: the agent begins", morris, "Novice", "reasonable(0.7, rest=perfect(draw=wide))", 100, 1},
    {"Morris: the agent begins", morris, "Random", "random", 100, 1},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static const KnParameter parameters[] = {
    {"games", 2000, 20000, "Games for each interpretation; half of them where the seat is fixed."}, {0}};

static const KnTolerance tolerances[] = {{"*", 1.0, 0, "As for the table itself."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Each row is read otherwise than temporal.table6 reads it, in one respect, which its name gives.",
     "Shown to see how much an interpretation changes. The choice was made on development seeds; nothing "
     "here is "
     "counted as agreeing or "
     "differing.",
     ""},
    {0}};

static KnStatus run_variant(KnLabRun *run, const Variant *v, KnError *error)
{
    bool is_morris = v->row == morris;
    char key[160];
    snprintf(key, sizeof key, "%s against %s, %zu plies", is_morris ? "morris" : "lose", v->opponent,
             v->ply_limit);
    KnMatchPlan plan = {.game = is_morris ? "morris(men=5)" : "tictactoe(lose)",
                        .players = {"random", v->opponent},
                        .games = (uint64_t)kn_lab_parameter(run, "games"),
                        .rules = {.ply_limit = v->ply_limit}};
    KnMatchResult result;
    KnStatus status = kn_lab_match(run, key, plan, &result, error);
    const KnStanding *s = &result.standing;
    for (int power = 0; power <= (strcmp(v->column, "Perfect") != 0) && status == KN_OK; power++) {
        const uint64_t all[3] = {s->wins, s->draws, s->losses},
                       *counts = v->seat < 0 ? all : s->by_seat[v->seat];
        uint64_t counted = power ? counts[0] : counts[0] + counts[1];
        KnMeasure share = kn_measure_share((double)counted, counts[0] + counts[1] + counts[2], 100);
        char column[40];
        snprintf(column, sizeof column, "%s %s", v->column, power ? "power" : "reliability");
        status = kn_lab_variant(run, v->label, v->row, column, share, error);
    }
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    kn_lab_expect(run, (uint64_t)kn_lab_parameter(run, "games") * VARIANTS);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < VARIANTS && status == KN_OK; i++) status = run_variant(run, &variants[i], error);
    return status;
}

const KnExperiment kn_temporal_table6_interpretations = {
    .head = {"temporal.table6-readings", "the Baseline rows under the interpretations that were not chosen",
             NULL},
    .paper = "lock-2003",
    .source = "table6",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
