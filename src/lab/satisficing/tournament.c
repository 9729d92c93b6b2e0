/* Satisficing agents among the strategies of the dilemma: how they fare in a round robin, with noise, and
 * where shares grow with what is earned. Nothing is published beside it: the paper's agents only ever meet
 * their like. */
#include "lab/satisficing/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/evolution.h"
#include "arena/repeated.h"
#include "players/dilemma/strategy.h"

enum { MOST = 256, GENERATIONS = 1000, MAP_SIDE = 7, DRAWN = 8 };

/* The agents that enter; the map shows the rest of their parameters. */
static const char *const agents[] = {
    "satisfice(lambda=0.5, aspiration=3)",           "satisfice(lambda=0.9, aspiration=3)",
    "satisfice(lambda=0.99, aspiration=3)",          "satisfice(lambda=0.9, aspiration=5)",
    "satisfice(lambda=0.9, aspiration=3, action=D)", "satisfice(lambda=0.9, aspiration=3, tremble=0.05)"};
enum { AGENTS = sizeof agents / sizeof *agents };

/* Whom to compare them with. */
static const char *const others[] = {"TitForTat",     "GTFT",       "WinStayLoseShift", "QLearning",
                                     "BushMosteller", "Cooperator", "Defector"};
enum { OTHERS = sizeof others / sizeof *others };

static const KnParameter parameters[] = {
    {"repetitions", 10, 100, "Of each pairing, for those that leave something to chance."},
    {"runs", 40, 1000, "Of the Moran process."},
    {0}};

static const KnInterpretation interpretations[] = {
    {"Which agents enter?",
     "Six, chosen before anything was played: three rates of learning, a higher first aspiration, a first D, "
     "and trembles of the aspiration by "
     "up to 1. The map has 49 more.",
     ""},
    {"Against whom?",
     "Every strategy of docs/strategies.md with a name of its own, and each other; in the map, those that "
     "leave "
     "nothing to chance.",
     ""},
    {"Which game?", "T=5, R=3, P=1, S=0; 200 turns, which no player knows; each also meets its twin.", ""},
    {"What is a share in the ecology?",
     "All begin alike; every generation a share is multiplied by what it earns a turn against all shares, "
     "divided by the mean.",
     ""},
    {0}};

typedef struct Field {
    const char *specs[MOST];
    size_t count;
} Field;

static void enter_zoo(Field *field, bool deterministic)
{
    const KnStrategy *row;
    for (size_t i = 0; (row = kn_strategy_at(i)) && field->count < MOST; i++)
        if (!(row->traits & KN_STRATEGY_FAMILY) &&
            (!deterministic || row->traits & KN_STRATEGY_DETERMINISTIC))
            field->specs[field->count++] = row->player.head.name;
}

static KnStatus play(KnLabRun *run, const Field *field, const char *key, uint64_t repetitions, double noise,
                     KnRepeated *result, KnError *error)
{
    KnRepeatedPlan plan = {.game = "dilemma",
                           .players = field->specs,
                           .player_count = field->count,
                           .repetitions = repetitions,
                           .seed = kn_lab_seed(run, key),
                           .jobs = kn_lab_jobs(run),
                           .noise = noise,
                           .cancel = kn_lab_cancel(run)};
    return kn_repeated_run(kn_lab_context(run), &plan, NULL, kn_lab_progress(run), result, error);
}

static size_t find(const KnRepeated *r, const char *name)
{
    size_t i = 0;
    while (i < r->count && strcmp(r->names[i], name) != 0) i++;
    return i;
}

static KnStatus give_row(KnLabRun *run, const KnRepeated *r, size_t i, const char *note, KnError *error)
{
    const KnRanked *ranked = &r->ranked[i];
    const KnInterval *score = &ranked->interval, *rate = &ranked->cooperation_interval;
    const KnPairing *row = &r->pairings[i * r->count];
    const struct {
        const char *column;
        KnMeasure measure;
    } cells[] = {
        {"points a turn", kn_measure_estimate(ranked->score, score->low, score->high, r->repetitions)},
        {"place", kn_measure_estimate((double)ranked->place, (double)ranked->place_best,
                                      (double)ranked->place_worst, r->repetitions)},
        {"cooperation, %",
         kn_measure_estimate(100 * ranked->cooperation, 100 * rate->low, 100 * rate->high, r->repetitions)},
        {"against its twin", kn_measure_mean(&row[i].payoff)},
        {"against TitForTat", kn_measure_mean(&row[find(r, "TitForTat")].payoff)},
        {"against Defector", kn_measure_mean(&row[find(r, "Defector")].payoff)},
    };
    KnStatus status = KN_OK;
    for (size_t c = 0; c < sizeof cells / sizeof *cells && status == KN_OK; c++)
        status = kn_lab_measured(run, r->names[i], cells[c].column, cells[c].measure, c ? NULL : note, error);
    return status;
}

/* The agents, those to compare with, and the three best. */
static KnStatus give_ranking(KnLabRun *run, const KnRepeated *r, KnError *error)
{
    bool given[MOST] = {false};
    KnStatus status = KN_OK;
    for (size_t k = 0; k < AGENTS + OTHERS + 3 && status == KN_OK; k++) {
        size_t i = k < AGENTS            ? find(r, agents[k])
                   : k < AGENTS + OTHERS ? find(r, others[k - AGENTS])
                                         : r->order[k - AGENTS - OTHERS];
        if (given[i]) continue;
        given[i] = true;
        status = give_row(run, r, i, k >= AGENTS + OTHERS ? "Among the three best." : NULL, error);
    }
    return status;
}

/* Lines of the shares that end largest, and of the agents' sum. */
static KnStatus draw_ecology(KnLabRun *run, const KnRepeated *r, const double *shares, const size_t *largest,
                             KnError *error)
{
    enum { STEP = 10, POINTS = GENERATIONS / STEP + 1 };
    KnPoint *points = calloc((DRAWN + 1) * POINTS, sizeof *points);
    if (!points) return kn_fail_memory(error, "drawing an ecology");
    KnSeries series[DRAWN + 1];
    for (size_t s = 0; s <= DRAWN; s++) {
        series[s] = (KnSeries){s < DRAWN ? r->names[largest[s]] : "all satisficing agents",
                               points + s * POINTS, POINTS};
        for (size_t p = 0; p < POINTS; p++) {
            const double *now = shares + p * STEP * r->count;
            double share = s < DRAWN ? now[largest[s]] : 0;
            for (size_t a = 0; a < AGENTS && s == DRAWN; a++) share += now[find(r, agents[a])];
            points[s * POINTS + p] =
                (KnPoint){.x = (double)(p * STEP), .y = 100 * share, .low = 100 * share, .high = 100 * share};
        }
    }
    KnFigure figure = {.id = "ecology",
                       .title = "Shares that grow with what they earn",
                       .x_label = "generation",
                       .y_label = "share, %",
                       .kind = KN_FIGURE_LINES,
                       .series = series,
                       .series_count = DRAWN + 1};
    KnStatus status = kn_lab_figure(run, &figure, error);
    free(points);
    return status;
}

static KnStatus give_moran(KnLabRun *run, const KnRepeated *r, const double *payoffs, KnError *error)
{
    KnGraph *graph;
    KnMoran moran;
    KnStatus status = kn_graph_open("complete", 4 * r->count, &graph, error);
    if (status != KN_OK) return status;
    uint64_t runs = (uint64_t)kn_lab_parameter(run, "runs"), taken = 0;
    KnMoranPlan plan = {.kinds = r->count,
                        .payoffs = payoffs,
                        .graph = graph,
                        .runs = runs,
                        .seed = kn_lab_seed(run, "moran"),
                        .jobs = kn_lab_jobs(run),
                        .cancel = kn_lab_cancel(run)};
    status = kn_moran(&plan, &moran, error);
    kn_graph_free(graph);
    if (status != KN_OK) return status;
    for (size_t a = 0; a < AGENTS; a++) taken += moran.fixed[find(r, agents[a])];
    KnMeasure share = kn_measure_share((double)taken, runs, 100);
    kn_moran_free(&moran);
    char note[120];
    snprintf(note, sizeof note, "Four of each of %zu kinds at first: by chance alone it would be %.1f%%.",
             r->count, 100.0 * AGENTS / (double)r->count);
    return kn_lab_measured(run, "all satisficing agents", "took over in a Moran process", share, note, error);
}

static KnStatus give_ecology(KnLabRun *run, const KnRepeated *r, KnError *error)
{
    size_t n = r->count, largest[MOST];
    double *payoffs = calloc(n * n, sizeof *payoffs), *shares = calloc((GENERATIONS + 1) * n, sizeof *shares);
    KnStatus status = payoffs && shares
                          ? kn_lab_own_table(run, "ecology", "Where shares grow with what they earn", "%", 2,
                                             error)
                          : kn_fail_memory(error, "running an ecology");
    if (status == KN_OK) {
        for (size_t i = 0; i < n * n; i++) payoffs[i] = kn_repeated_payoff(r, i / n, i % n);
        kn_ecology(n, payoffs, NULL, GENERATIONS, shares);
        const double *last = shares + GENERATIONS * n;
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            size_t at = i;
            for (; at && last[largest[at - 1]] < last[i]; at--) largest[at] = largest[at - 1];
            largest[at] = i;
        }
        for (size_t a = 0; a < AGENTS; a++) sum += last[find(r, agents[a])];
        for (size_t s = 0; s < DRAWN && status == KN_OK; s++)
            status = kn_lab_measured(run, r->names[largest[s]], "after 1000 generations",
                                     kn_measure_single(100 * last[largest[s]]),
                                     s ? NULL : "The largest shares.", error);
        if (status == KN_OK)
            status = kn_lab_measured(run, "all satisficing agents", "after 1000 generations",
                                     kn_measure_single(100 * sum), NULL, error);
        if (status == KN_OK) status = give_moran(run, r, payoffs, error);
        if (status == KN_OK) status = draw_ecology(run, r, shares, largest, error);
    }
    free(payoffs);
    free(shares);
    return status;
}

/* What agents of every rate and first aspiration earn a turn against the zoo. */
static KnStatus give_map(KnLabRun *run, KnError *error)
{
    static const double lambdas[MAP_SIDE] = {0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99};
    char specs[MAP_SIDE * MAP_SIDE][64];
    Field field = {.count = 0};
    enter_zoo(&field, true);
    size_t zoo = field.count;
    for (int i = 0; i < MAP_SIDE * MAP_SIDE; i++) {
        snprintf(specs[i], sizeof specs[i], "satisfice(lambda=%g, aspiration=%d)", lambdas[i % MAP_SIDE],
                 i / MAP_SIDE);
        field.specs[field.count++] = specs[i];
    }
    KnRepeated r;
    KnStatus status = play(run, &field, "map", 1, 0, &r, error);
    if (status != KN_OK) return status;
    KnPoint points[MAP_SIDE * MAP_SIDE];
    status = kn_lab_own_table(run, "map", "Points a turn against the zoo, by first aspiration", "", 3, error);
    for (int i = 0; i < MAP_SIDE * MAP_SIDE && status == KN_OK; i++) {
        double earned = 0;
        for (size_t j = 0; j < zoo; j++) earned += kn_repeated_payoff(&r, zoo + (size_t)i, j) / (double)zoo;
        points[i] = (KnPoint){.x = i % MAP_SIDE, .y = i / MAP_SIDE, .low = earned, .high = earned};
        char row[40], column[40];
        snprintf(row, sizeof row, "lambda %g", lambdas[i % MAP_SIDE]);
        snprintf(column, sizeof column, "aspiration %d", i / MAP_SIDE);
        status = kn_lab_measured(run, row, column, kn_measure_single(earned), NULL, error);
    }
    kn_repeated_free(&r);
    static const char *const names[MAP_SIDE] = {"0.1", "0.3", "0.5", "0.7", "0.9", "0.95", "0.99"};
    KnSeries series = {"points a turn", points, MAP_SIDE * MAP_SIDE};
    KnFigure figure = {.id = "map",
                       .title = "Points a turn against the zoo",
                       .x_label = "lambda",
                       .y_label = "first aspiration",
                       .kind = KN_FIGURE_MAP,
                       .categories = names,
                       .category_count = MAP_SIDE,
                       .series = &series,
                       .series_count = 1};
    return status == KN_OK ? kn_lab_figure(run, &figure, error) : status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    Field field = {.count = 0};
    enter_zoo(&field, false);
    for (size_t a = 0; a < AGENTS; a++) field.specs[field.count++] = agents[a];
    uint64_t repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    Field mapped = {.count = MAP_SIDE * MAP_SIDE};
    enter_zoo(&mapped, true);
    KnRepeatedPlan size = {.player_count = field.count, .repetitions = repetitions},
                   map_size = {.player_count = mapped.count};
    kn_lab_expect(run, 2 * kn_repeated_work(&size) + kn_repeated_work(&map_size));
    KnStatus status = KN_OK;
    for (int noisy = 0; noisy < 2 && status == KN_OK; noisy++) {
        KnRepeated r;
        status = play(run, &field, noisy ? "noise" : "plain", repetitions, noisy ? 0.01 : 0, &r, error);
        if (status != KN_OK) break;
        status = noisy
                     ? kn_lab_own_table(run, "noise",
                                        "The same where one move in a hundred comes out as the other", "", 3,
                                        error)
                     : kn_lab_own_table(run, "ranking", "Among the strategies of the dilemma", "", 3, error);
        if (status == KN_OK) status = give_ranking(run, &r, error);
        if (status == KN_OK && !noisy) status = give_ecology(run, &r, error);
        kn_repeated_free(&r);
    }
    return status == KN_OK ? give_map(run, error) : status;
}

const KnExperiment kn_satisficing_tournament = {
    .head = {"satisficing.tournament",
             "satisficing agents among the strategies of the dilemma: round robin, noise, ecology, a map",
             NULL},
    .paper = "stimpson-2001",
    .parameters = parameters,
    .interpretations = interpretations,
    .run = measure,
};
