/* Lock 2003, chapter 2: TP-Rote and Imitate in Hoyle. Tables 2, 3 and 4, and what the text says of figures 8
 * to 10. */
#include "lab/registry.h"

#include <stdio.h>

#include "methods/hoyle/environment.h"

typedef struct Board {
    const char *name, *spec;
    size_t ply_limit;
    int cells, move_units; /* of space */
} Board;

static const Board boards[] = {{"Lose tic-tac-toe", "tictactoe(lose)", 0, 9, 1},
                               {"Five men's morris", "morris(men=5)", 100, 16, 3}};

enum { PLAIN, ROTE, IMITATE, KINDS, BOARDS = 2, AGENTS = 4 };

static const char *const learners[KINDS] = {"hoyle(weights=walk)", "hoyle(sequences=rote, weights=walk)",
                                            "hoyle(sequences=imitate, weights=walk)"};
static const char *const kind_names[KINDS] = {"standard Hoyle", "with TP-Rote", "with Imitate"};
static const char *const agents[AGENTS] = {"Perfect", "Expert", "Novice", "Random"};

static const KnParameter parameters[] = {
    {"runs", 2, 10, "Runs of training and testing; the thesis made ten."},
    {"watch", 30, 30, "Games watched with each of four agents."},
    {"test", 10, 50, "Games in testing against each of them."},
    {0}};

static const KnTolerance tolerances[] = {
    {"* reliability", 5, 0,
     "Five points: the thesis prints no deviations here; those of its Table 16 are 1 to 5 points."},
    {"* power", 5, 0, "As for reliability."},
    {"*", 0, 0.25,
     "A quarter: how many trees there are depends on an order of states that the thesis leaves open."},
    {0}};

static const KnInterpretation interpretations[] = {
    {"What do Advisors' comments weigh, and how does PWL move weights?",
     "As docs/hoyle.md says: chosen on development seeds.",
     "docs/hoyle.md lists what else was tried and what it gave."},
    {"Does a sequence go on beyond a state that Do-Not-Maintain has barred as a key?",
     "No, as in Table 1; `sig` is `significant`.",
     "Yes, as 2.2.2 has it (hoyle(sequences=rote, +onward)): on lose tic-tac-toe twice as many sequences and "
     "three times as many moves."},
    {"A state within a tree may become a key of its own if it often came about otherwise (Do-Not-Maintain). "
     "For which states is that asked?",
     "For all states on the way of a sequence that a tree holds.",
     "For those where a segment ends (hoyle(sequences=rote, +ends)). There it is always the other's turn, so "
     "that every state with the own turn becomes a key, and trees take more space than "
     "Imitate's table: the last table here has both."},
    {"What is counted as a move of space?",
     "The thesis's units a move: one on lose tic-tac-toe, three on morris, for both. The printed 1793.40 of "
     "TP-Rote on morris "
     "counts one.",
     "The table of savings below gives both countings."},
    {"Which of several equal moves does the perfect agent play?", "As temporal.table6 says.",
     "Any drawing move: then few states of morris come up more than five times in 120 games, and there "
     "are a sixth of the thesis's trees; as chosen, four times as many."},
    {0}};

/* ---- Measures ---- */

static KnMeasure mean_of(KnMoments moments) { return kn_measure_mean(&moments); }

static double figure(const KnEnvironmentResult *t, const char *name, uint64_t run)
{
    return json_number_value(json_object_get(t->runs[run].figures, name));
}

static KnMoments space(const KnEnvironmentResult *t, const char *states, const char *moves, int cells,
                       int units)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < t->count; r++)
        kn_moments_add(&moments, cells * figure(t, states, r) + units * figure(t, moves, r));
    return moments;
}

static double by_rote(const KnEnvironmentResult *t, int agent, uint64_t run)
{
    return kn_environment_tally_value(t, "multi-step", agent, run) +
           kn_environment_tally_value(t, "enforcer", agent, run);
}

static double decided(const KnEnvironmentResult *t, int kind, int agent, uint64_t run)
{
    return kind == IMITATE ? kn_environment_tally_value(t, "imitate", agent, run) : by_rote(t, agent, run);
}

/* ---- Pictures ---- */

/* Figures 8 to 10 print no numbers; these are ours: a series a kind, by opponent, microseconds or decisions a
 * game. */
static KnStatus picture(KnLabRun *run, int number, int b, KnEnvironmentResult *const *t, KnError *error)
{
    static const char *const titles[] = {"time of deciding", "decisions by TP-Rote",
                                         "decisions by TP-Rote and by Imitate"};
    static const int from[] = {PLAIN, ROTE, ROTE}, to[] = {IMITATE, ROTE, IMITATE};
    KnPoint points[KINDS][AGENTS];
    KnSeries series[KINDS];
    size_t count = 0;
    for (int k = from[number - 8]; k <= to[number - 8]; k++) {
        for (int a = 0; a < AGENTS; a++) {
            KnMoments moments = {0};
            for (uint64_t r = 0; r < t[k]->count; r++)
                kn_moments_add(&moments, number == 8
                                             ? 1000 * kn_environment_value(t[k], KN_THINKING, a, r)
                                             : decided(t[k], k, a, r) / kn_lab_parameter(run, "test"));
            KnMeasure m = kn_measure_mean(&moments);
            points[k][a] = (KnPoint){a, m.value, m.low, m.high};
        }
        series[count++] = (KnSeries){kind_names[k], points[k], AGENTS};
    }
    char id[40], title[120];
    snprintf(id, sizeof id, "figure%d-%s", number, b ? "morris" : "lose");
    snprintf(title, sizeof title, "Figure %d (%c): %s, %s", number, 'a' + b, titles[number - 8],
             boards[b].name);
    KnFigure f = {.id = id,
                  .title = title,
                  .x_label = "opponent",
                  .y_label = number == 8 ? "microseconds a game" : "decisions a game",
                  .kind = KN_FIGURE_POINTS,
                  .categories = agents,
                  .category_count = AGENTS,
                  .series = series,
                  .series_count = count};
    return kn_lab_figure(run, &f, error);
}

/* ---- Tables ---- */

static KnStatus give_sizes(KnLabRun *run, const Board *board, const KnEnvironmentResult *rote, KnError *error)
{
    char row[80];
    KnStatus status = kn_lab_table(run, "table2", error);
    if (status == KN_OK)
        status = kn_lab_cell(run, board->name, "trees", mean_of(kn_environment_figure(rote, "trees")), NULL,
                             error);
    if (status == KN_OK)
        status = kn_lab_cell(run, board->name, "sequences", mean_of(kn_environment_figure(rote, "sequences")),
                             NULL, error);
    if (status == KN_OK) status = kn_lab_table(run, "table3", error);
    for (int imitate = 0; imitate < 2 && status == KN_OK; imitate++) {
        const char *states = imitate ? "imitate states" : "trees",
                   *moves = imitate ? "imitate moves" : "moves";
        snprintf(row, sizeof row, "%s: %s", board->name, imitate ? "Imitate" : "TP-Rote");
        status = kn_lab_cell(run, row, "states", mean_of(kn_environment_figure(rote, states)), NULL, error);
        if (status == KN_OK)
            status = kn_lab_cell(run, row, "moves", mean_of(kn_environment_figure(rote, moves)), NULL, error);
        KnMeasure units = mean_of(space(rote, states, moves, board->cells, board->move_units));
        if (status == KN_OK) status = kn_lab_cell(run, row, "space", units, NULL, error);
    }
    return status;
}

static KnStatus give_savings(KnLabRun *run, const Board *board, const KnEnvironmentResult *rote,
                             KnError *error)
{
    KnStatus status = KN_OK;
    for (int units = 1; units <= 3 && status == KN_OK; units += 2) {
        char column[40];
        KnMoments saved = {0};
        for (uint64_t r = 0; r < rote->count; r++) {
            double trees = board->cells * figure(rote, "trees", r) + units * figure(rote, "moves", r);
            double pairs = board->cells * figure(rote, "imitate states", r) +
                           units * figure(rote, "imitate moves", r);
            if (pairs > 0) kn_moments_add(&saved, 100 * (1 - trees / pairs));
        }
        snprintf(column, sizeof column, "%d unit%s a move", units, units == 1 ? "" : "s");
        status = kn_lab_measured(run, board->name, column, mean_of(saved), NULL, error);
    }
    return status;
}

static KnStatus give_performance(KnLabRun *run, const Board *board, KnEnvironmentResult *const *t,
                                 KnError *error)
{
    KnStatus status = kn_lab_table(run, "table4", error);
    for (int k = 0; k < KINDS && status == KN_OK; k++)
        for (int a = 0; a < AGENTS && status == KN_OK; a++)
            for (int power = 0; power <= (a > 0) && status == KN_OK; power++) {
                char row[80], column[40];
                snprintf(row, sizeof row, "%s: %s", board->name, kind_names[k]);
                snprintf(column, sizeof column, "%s %s", agents[a], power ? "power" : "reliability");
                status = kn_lab_cell(
                    run, row, column,
                    mean_of(kn_environment_moments(t[k], power ? KN_POWER : KN_RELIABILITY, a)), NULL, error);
            }
    return status;
}

/* Differences within a run: the same games were watched with and without. */
static KnStatus give_figures(KnLabRun *run, int b, KnEnvironmentResult *const *t, KnError *error)
{
    const Board *board = &boards[b];
    KnMoments ratio[AGENTS] = {{0}}, more[AGENTS] = {{0}}, better = {0};
    for (uint64_t r = 0; r < t[ROTE]->count; r++) {
        double used[AGENTS];
        for (int a = 0; a < AGENTS; a++) {
            double plain = kn_environment_value(t[PLAIN], KN_THINKING, a, r),
                   with = kn_environment_value(t[ROTE], KN_THINKING, a, r);
            used[a] = by_rote(t[ROTE], a, r);
            if (plain > 0) kn_moments_add(&ratio[a], with / plain);
            kn_moments_add(&more[a], kn_environment_tally_value(t[IMITATE], "imitate", a, r) - used[a]);
        }
        kn_moments_add(&better, (used[0] + used[1] - used[2] - used[3]) / 2);
    }
    KnStatus status = kn_lab_table(run, "figure8", error);
    kn_lab_clocked(run);
    for (int a = 0; a < AGENTS && status == KN_OK; a++)
        status = b == 1 && a == 3 ? kn_lab_measured(run, board->name, agents[a], mean_of(ratio[a]),
                                                    "No speed-up in the thesis.", error)
                                  : kn_lab_cell(run, board->name, agents[a], mean_of(ratio[a]), NULL, error);
    if (status == KN_OK) status = kn_lab_table(run, "figure9", error);
    if (status == KN_OK)
        status = kn_lab_cell(run, board->name, "better less weaker", mean_of(better), NULL, error);
    if (status == KN_OK) status = kn_lab_table(run, "figure10", error);
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        int a = b == 0 ? 2 + i : i;
        status = kn_lab_cell(run, board->name, agents[a], mean_of(more[a]), NULL, error);
    }
    for (int number = 8; number <= 10 && status == KN_OK; number++)
        status = picture(run, number, b, t, error);
    return status;
}

static KnStatus run_board(KnLabRun *run, int b, KnEnvironmentResult **t, KnError *error)
{
    char key[80];
    snprintf(key, sizeof key, "rote on %s", boards[b].spec);
    KnStatus status = KN_OK;
    for (int k = 0; k < KINDS && status == KN_OK; k++) {
        KnEnvironmentPlan plan = {.game = boards[b].spec,
                                  .learner = learners[k],
                                  .watch = (uint64_t)kn_lab_parameter(run, "watch"),
                                  .test = (uint64_t)kn_lab_parameter(run, "test"),
                                  .runs = (uint64_t)kn_lab_parameter(run, "runs"),
                                  .seed = kn_lab_seed(run, key),
                                  .ply_limit = boards[b].ply_limit,
                                  .jobs = kn_lab_jobs(run),
                                  .cancel = kn_lab_cancel(run),
                                  .progress = kn_lab_progress(run)};
        status = kn_environment_run(kn_lab_context(run), &plan, &t[k], error);
    }
    if (status == KN_OK) status = give_sizes(run, &boards[b], t[ROTE], error);
    if (status == KN_OK) status = give_performance(run, &boards[b], t, error);
    if (status == KN_OK) status = give_figures(run, b, t, error);
    return status;
}

/* What trees would save if Do-Not-Maintain looked at the ends of segments only: no testing is needed to count
 * that. */
static KnStatus give_other_savings(KnLabRun *run, int b, KnMoments *trees, KnError *error)
{
    char key[80], name[80];
    snprintf(key, sizeof key, "rote on %s", boards[b].spec);
    KnEnvironmentPlan plan = {.game = boards[b].spec,
                              .learner = "hoyle(sequences=rote, +ends, weights=walk)",
                              .watch = (uint64_t)kn_lab_parameter(run, "watch"),
                              .runs = (uint64_t)kn_lab_parameter(run, "runs"),
                              .seed = kn_lab_seed(run, key),
                              .ply_limit = boards[b].ply_limit,
                              .jobs = kn_lab_jobs(run),
                              .cancel = kn_lab_cancel(run),
                              .progress = kn_lab_progress(run)};
    KnEnvironmentResult *ends = NULL;
    KnStatus status = kn_environment_run(kn_lab_context(run), &plan, &ends, error);
    snprintf(name, sizeof name, "%s, ends of segments only", boards[b].name);
    Board board = boards[b];
    board.name = name;
    if (status == KN_OK) status = give_savings(run, &board, ends, error);
    if (status == KN_OK) *trees = kn_environment_figure(ends, "trees");
    kn_environment_free(ends);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    KnEnvironmentResult *t[BOARDS][KINDS] = {{NULL}};
    KnMoments trees[BOARDS] = {{0}};
    double games = kn_lab_parameter(run, "watch") + kn_lab_parameter(run, "test");
    kn_lab_expect(
        run, (uint64_t)((games * KINDS + kn_lab_parameter(run, "watch")) * kn_lab_parameter(run, "runs")) *
                 AGENTS * BOARDS);
    KnStatus status = KN_OK;
    for (int b = 0; b < BOARDS && status == KN_OK; b++) status = run_board(run, b, t[b], error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "savings", "Space that TP-Rote saves over Imitate, by both countings",
                                  "% of Imitate's", 1, error);
    for (int b = 0; b < BOARDS && status == KN_OK; b++)
        status = give_savings(run, &boards[b], t[b][ROTE], error);
    for (int b = 0; b < BOARDS && status == KN_OK; b++) status = give_other_savings(run, b, &trees[b], error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "ends", "Trees that TP-Rote keeps of ends of segments only", "trees",
                                  1, error);
    for (int b = 0; b < BOARDS && status == KN_OK; b++)
        status = kn_lab_measured(run, boards[b].name, "trees", mean_of(trees[b]), NULL, error);
    for (int b = 0; b < BOARDS; b++)
        for (int k = 0; k < KINDS; k++) kn_environment_free(t[b][k]);
    return status;
}

const KnExperiment kn_temporal_rote = {
    .head = {"temporal.rote",
             "TP-Rote and Imitate in Hoyle: what they learn, what it takes, and how it plays (Tables 2-4, "
             "figures 8-10)",
             NULL},
    .paper = "lock-2003",
    .source = "table2",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
