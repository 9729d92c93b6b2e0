/* What De Jong and Schultz 1988 leave open: other rules and less predictable opponents, other games, an
 * opponent that learns too, forgetting and generalising. */
#include <stdio.h>

#include "lab/experience/shared.h"
#include "lab/registry.h"

typedef struct Row {
    const char *name, *how, *opponent;
} Row;

static KnStatus give(KnLabRun *run, const char *row, const KnGinaResult *r, KnError *error)
{
    uint64_t late = r->games - r->games / 5;
    const struct {
        const char *column;
        KnMeasure measure;
    } cells[] = {{"points ahead", kn_gina_mean(r, kn_gina_margin, late, r->games, -1)},
                 {"games won", kn_gina_mean(r, kn_gina_points, late, r->games, -1)},
                 {"without search", kn_gina_without_search(r, late, r->games)},
                 {"search ignored", kn_gina_ignored(r, late, r->games)},
                 {"positions", kn_gina_mean(r, kn_gina_positions, r->games - 1, r->games, -1)},
                 {"growth", kn_gina_growth(r)},
                 {"points ahead, first fifth", kn_gina_mean(r, kn_gina_margin, 0, r->games / 5, -1)}};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof cells / sizeof *cells && status == KN_OK; i++)
        status = kn_lab_measured(run, row, cells[i].column, cells[i].measure, NULL, error);
    return status;
}

/* Plays a training run for every row and shows it; figures of points and of decisions without search. */
static KnStatus give_rows(KnLabRun *run, const Row *rows, size_t count, const KnGinaTraining *form,
                          KnError *error)
{
    KnPoint points[2][12][KN_GINA_CURVE];
    KnSeries series[2][12];
    KnStatus status = KN_OK;
    uint64_t repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnGinaTraining training = *form;
        training.key = rows[i].name;
        training.how = rows[i].how;
        training.opponents[0] = rows[i].opponent;
        KnGinaResult r;
        status = kn_gina_run(run, &training, repetitions, &r, error);
        if (status != KN_OK) break;
        status = give(run, rows[i].name, &r, error);
        series[0][i] = kn_gina_curve(&r, rows[i].name, kn_gina_margin, -1, points[0][i]);
        series[1][i] = kn_gina_search_curve(&r, rows[i].name, points[1][i]);
        kn_gina_free(&r);
    }
    KnFigure figure = {.id = "points",
                       .title = "Point difference",
                       .x_label = "games",
                       .y_label = "points",
                       .series = series[0],
                       .series_count = count};
    if (status == KN_OK) status = kn_lab_figure(run, &figure, error);
    figure = (KnFigure){.id = "search",
                        .title = "Decisions without search",
                        .x_label = "games",
                        .y_label = "%",
                        .series = series[1],
                        .series_count = count};
    return status == KN_OK ? kn_lab_figure(run, &figure, error) : status;
}

/* ---- rules ---- */

#define STEADY "noisy(" KN_GINA_OPPONENT ", epsilon=0, ties=first)"
#define SHAKY  "noisy(" KN_GINA_OPPONENT ", epsilon=0.1)"

static const Row rule_rows[] = {
    {"gina, steady", "rule=gina", STEADY},
    {"explore, steady", "rule=explore", STEADY},
    {"deviate, steady", "rule=deviate", STEADY},
    {"curious, steady", "rule=curious", STEADY},
    {"gina, ties", "rule=gina", KN_GINA_OPPONENT},
    {"explore, ties", "rule=explore", KN_GINA_OPPONENT},
    {"deviate, ties", "rule=deviate", KN_GINA_OPPONENT},
    {"curious, ties", "rule=curious", KN_GINA_OPPONENT},
    {"gina, 10% random", "rule=gina", SHAKY},
    {"explore, 10% random", "rule=explore", SHAKY},
    {"deviate, 10% random", "rule=deviate", SHAKY},
    {"curious, 10% random", "rule=curious", SHAKY},
};
enum { RULE_ROWS = sizeof rule_rows / sizeof *rule_rows };

static const KnParameter rule_parameters[] = {{"games", 24, 1000, "Games of a training run."},
                                              {"repetitions", 2, 8, "Training runs, each with a fresh base."},
                                              {0}};

static const KnSize rule_middle[] = {{"games", 200}, {0}};

static KnStatus rules(KnLabRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    kn_lab_expect(run, RULE_ROWS * games * repetitions);
    KnStatus status = kn_lab_own_table(
        run, "rules", "Each move rule against a steady, a tie-breaking and a shaky opponent", "", 2, error);
    return status == KN_OK ? give_rows(run, rule_rows, RULE_ROWS,
                                       &(KnGinaTraining){.inner = KN_GINA_INNER, .games = games}, error)
                           : status;
}

const KnExperiment kn_gina_rules = {
    .head = {"gina.rules", "each move rule against deterministic, tie-random and 10%-random opponents", NULL},
    .paper = "dejong-schultz-1988",
    .parameters = rule_parameters,
    .middle = rule_middle,
    .run = rules,
};

/* ---- other games ---- */

static const KnParameter game_parameters[] = {{"games", 60, 1000, "Games of a training run."},
                                              {"repetitions", 2, 8, "Training runs, each with a fresh base."},
                                              {0}};

static KnStatus other_games(KnLabRun *run, KnError *error)
{
    static const struct {
        const char *title, *game, *inner, *opponent;
        size_t limit;
        double judge;
    } fields[] = {
        {"draughts", "checkers", "alphabeta(depth=2, eval=hand)", "alphabeta(depth=4, eval=hand)", 120, 0},
        {"draughts by board", "checkers", "alphabeta(depth=2, eval=hand)", "alphabeta(depth=4, eval=hand)",
         120, 0},
        {"five men's morris", "morris(men=5)", "alphabeta(depth=1, eval=hand)",
         "alphabeta(depth=3, eval=hand)", 100, 0}};
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    kn_lab_expect(run, 3 * games * repetitions);
    KnStatus status = kn_lab_own_table(
        run, "games", "The same on draughts and morris (a point is a win; a draw at the ply limit)", "", 3,
        error);
    for (int i = 0; i < 3 && status == KN_OK; i++) {
        KnGinaTraining training = {.key = fields[i].title,
                                   .game = fields[i].game,
                                   .inner = fields[i].inner,
                                   .how = i == 1 ? "rule=explore, key=board" : "rule=explore",
                                   .opponents = {fields[i].opponent},
                                   .games = games,
                                   .ply_limit = fields[i].limit,
                                   .judge = fields[i].judge};
        KnGinaResult r;
        status = kn_gina_run(run, &training, repetitions, &r, error);
        if (status != KN_OK) break;
        status = give(run, fields[i].title, &r, error);
        kn_gina_free(&r);
    }
    return status;
}

const KnExperiment kn_gina_games = {
    .head = {"gina.games", "experience on draughts and morris, where positions repeat", NULL},
    .paper = "dejong-schultz-1988",
    .parameters = game_parameters,
    .run = other_games,
};

/* ---- an opponent that learns ---- */

static const KnParameter adaptive_parameters[] = {
    {"games", 100, 1000, "Games of a training run."},
    {"repetitions", 4, 8, "Training runs, each with fresh bases."},
    {0}};

/* Two learners of equal depth; one of them is held still, or not. */
static KnStatus adaptive(KnLabRun *run, KnError *error)
{
    static const Row rows[] = {
        {"steady opponent", "rule=gina, recall", "alphabeta(depth=3, eval=hand)"},
        {"one that learns", "rule=gina, recall",
         "experience(alphabeta(depth=3, eval=hand), base={other}, learn, -sync, rule=gina, recall)"}};
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    kn_lab_expect(run, 2 * games * repetitions);
    KnGinaResult results[2] = {0};
    KnStatus status = kn_lab_table(run, "rules", error);
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        KnGinaTraining training = {.key = rows[i].name,
                                   .inner = KN_GINA_INNER,
                                   .how = rows[i].how,
                                   .opponents = {rows[i].opponent},
                                   .games = games};
        status = kn_gina_run(run, &training, repetitions, &results[i], error);
        if (status == KN_OK) status = give(run, rows[i].name, &results[i], error);
    }
    if (status == KN_OK) {
        KnMeasure a = kn_gina_mean(&results[0], kn_gina_margin, games - games / 5, games, -1),
                  b = kn_gina_mean(&results[1], kn_gina_margin, games - games / 5, games, -1);
        double reach = (a.high - a.low + b.high - b.low) / 2; /* no shorter than that of the difference */
        KnMeasure less = kn_measure_estimate(a.value - b.value, a.value - b.value - reach,
                                             a.value - b.value + reach, a.n + b.n);
        status = kn_lab_cell(run, "steady opponent less one that learns", "points ahead", less,
                             "Both intervals added: on the safe side.", error);
    }
    for (int i = 0; i < 2; i++) kn_gina_free(&results[i]);
    return status;
}

const KnExperiment kn_gina_adaptive = {
    .head = {"gina.adaptive", "against an opponent that learns too: the limitation that the paper names",
             NULL},
    .paper = "dejong-schultz-1988",
    .source = "rules",
    .parameters = adaptive_parameters,
    .run = adaptive,
};

/* ---- forgetting and generalising ---- */

static const Row memory_rows[] = {
    {"everything, with symmetry", "rule=gina, recall", KN_GINA_OPPONENT},
    {"without symmetry", "rule=gina, recall, -symmetry", KN_GINA_OPPONENT},
    {"1,000 positions at most", "rule=gina, recall, limit=1000", KN_GINA_OPPONENT},
    {"300 positions at most", "rule=gina, recall, limit=300", KN_GINA_OPPONENT},
    {"coarse key: features", "rule=gina, recall, key=features", KN_GINA_OPPONENT},
};
enum { MEMORY_ROWS = sizeof memory_rows / sizeof *memory_rows };

static const KnParameter memory_parameters[] = {
    {"games", 50, 1000, "Games of a training run."},
    {"repetitions", 2, 8, "Training runs, each with a fresh base."},
    {0}};

static const KnSize memory_middle[] = {{"games", 200}, {0}};

static KnStatus memory(KnLabRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games");
    kn_lab_expect(run, MEMORY_ROWS * games * (uint64_t)kn_lab_parameter(run, "repetitions"));
    KnStatus status = kn_lab_own_table(run, "memory", "Forgetting and generalising: what they cost and gain",
                                       "", 2, error);
    return status == KN_OK ? give_rows(run, memory_rows, MEMORY_ROWS,
                                       &(KnGinaTraining){.inner = KN_GINA_INNER, .games = games}, error)
                           : status;
}

const KnExperiment kn_gina_memory = {
    .head = {"gina.memory", "forgetting (a limit with aging) and generalising (symmetry, a coarse key)",
             NULL},
    .paper = "dejong-schultz-1988",
    .parameters = memory_parameters,
    .middle = memory_middle,
    .run = memory,
};
