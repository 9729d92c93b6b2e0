/* Schaeffer, Hlynka and Jussila 2001: the strength of weights in matches. Baseline (4.1), teacher learning
 * (4.2, figures 1 and 2), self-play (4.3), and the curve of learning (3). */
#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "lab/registry.h"
#include "lab/tdleaf/shared.h"

static const KnTolerance shares[] = {
    {"*", 0.05, 0, "Our features are not Chinook's: a twentieth of all points is what definitions may move."},
    {0}};

/* ---- baseline ---- */

static const KnParameter baseline_parameters[] = {
    {"games", 96, 288, "Games of each match: both sides of the 144 openings."},
    {"depth", 5, 15,
     "Search depth of both. At 15 plies a game takes about a minute of one core: some ten hours in all."},
    KN_TDLEAF_PIECES,
    {0}};

/* A game takes about a tenth of a second of one core: a minute in all, beside the tables. */
static const KnSize baseline_middle[] = {{"depth", 7}, {"pieces", 5}, {0}};

static KnStatus run_baseline(KnLabRun *run, KnError *error)
{
    static const char *const names[] = {"zero", "one"};
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games");
    char how[40];
    snprintf(how, sizeof how, "at %d plies", (int)kn_lab_parameter(run, "depth"));
    KnTdleafField field;
    kn_lab_expect(run, 2 * games);
    KnStatus status = kn_tdleaf_open(run, &field, error);
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        KnStanding standing;
        KnTdleafMatch match = {.key = names[i],
                               .weights = names[i],
                               .depth = (int)kn_lab_parameter(run, "depth"),
                               .games = games};
        status = kn_tdleaf_match(run, &field, &match, &standing, error);
        if (status == KN_OK)
            status = kn_tdleaf_cell(run, names[i], "points", kn_tdleaf_points(&standing), how, error);
    }
    kn_tdleaf_close(&field);
    return status;
}

const KnExperiment kn_tdleaf_baseline = {
    .head = {"tdleaf.baseline", "weights of zero and of one against the original ones", NULL},
    .paper = "schaeffer-2001",
    .source = "baseline",
    .parameters = baseline_parameters,
    .middle = baseline_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = shares,
    .run = run_baseline,
};

/* ---- teacher learning ---- */

static const char *const seats[] = {"black", "white", NULL};
static const char *const seat_names[] = {"black weights", "white weights", "each for its own side"};

static const KnParameter fig1_parameters[] = {
    {"trainings", 1, 3, "Depths at which the teacher is learned from: 3; or 5, 9 and 13 as in the paper."},
    {"shallowest", 3, 5, "The first of them, and the first at which weights are tried."},
    {"deepest", 5, 15,
     "The last depth at which they are tried, in steps of 2. The paper's scale takes weeks of one core, "
     "nearly all of it at 13 and "
     "15 plies."},
    {"training", 60, 8000, "Games of each training, the learner black and white in turn."},
    {"games", 48, 288, "Games of each match."},
    KN_TDLEAF_PIECES,
    {0}};

/* Trained at 5 plies, played up to 9: a quarter of an hour of one core. A game takes half a second at 9 plies
 * and four seconds at 11, where weights trained at 9 plies would have to be tried. */
static const KnSize fig1_middle[] = {
    {"trainings", 1}, {"deepest", 9}, {"training", 4000}, {"pieces", 5}, {0}};

enum { DEPTHS_MAX = 8, WAYS = 3 };

/* The three ways to use one training, at every depth: a figure, a row each. `edges` gets them at the training
 * depth, then at the deepest. */
static KnStatus try_training(KnLabRun *run, const KnTdleafField *field, int depth, KnStanding edges[2 * WAYS],
                             KnError *error)
{
    char column[40], key[80], id[40], title[100];
    int first = (int)kn_lab_parameter(run, "shallowest"), deepest = (int)kn_lab_parameter(run, "deepest");
    KnText path = KN_TEXT_EMPTY;
    KnTdleafTraining training = kn_tdleaf_training(run, true, depth);
    KnStatus status = kn_tdleaf_train(run, field, &training, &path, error);
    KnPoint points[WAYS][DEPTHS_MAX];
    size_t count = 0;
    for (int at = first; at <= deepest && count < DEPTHS_MAX && status == KN_OK; at += 2, count++)
        for (int s = 0; s < WAYS && status == KN_OK; s++) {
            KnStanding standing;
            char row[80];
            snprintf(key, sizeof key, "teacher-%d %s at %d", depth, seat_names[s], at);
            snprintf(row, sizeof row, "%d-ply %s", depth, seat_names[s]);
            snprintf(column, sizeof column, "at %d plies", at);
            KnTdleafMatch match = {.key = key,
                                   .weights = path.data,
                                   .set = seats[s],
                                   .depth = at,
                                   .games = (uint64_t)kn_lab_parameter(run, "games")};
            status = kn_tdleaf_match(run, field, &match, &standing, error);
            if (status != KN_OK) break;
            KnMeasure margin = kn_tdleaf_margin(&standing);
            points[s][count] = (KnPoint){at, margin.value, margin.low, margin.high};
            if (at == depth) edges[s] = standing;
            edges[WAYS + s] = standing;
            status = kn_lab_measured(run, row, column, kn_tdleaf_points(&standing), NULL, error);
        }
    kn_text_free(&path);
    if (status != KN_OK) return status;
    snprintf(id, sizeof id, "fig1-%d", depth);
    snprintf(title, sizeof title,
             "Teacher learning at %d plies: wins less losses a game, by the depth of play", depth);
    KnSeries series[WAYS];
    for (int s = 0; s < WAYS; s++) series[s] = (KnSeries){seat_names[s], points[s], count};
    KnFigure figure = {.id = id,
                       .title = title,
                       .x_label = "depth",
                       .y_label = "wins less losses",
                       .series = series,
                       .series_count = WAYS};
    return kn_lab_figure(run, &figure, error);
}

/* What the text says of a training: all three matches at its depth less all three at the deepest. */
static KnStatus give_taper(KnLabRun *run, const char *row, const KnStanding *edges, const char *how,
                           KnError *error)
{
    static const double weights[2 * WAYS] = {1. / WAYS,  1. / WAYS,  1. / WAYS,
                                             -1. / WAYS, -1. / WAYS, -1. / WAYS};
    static const char column[] = "at the training depth less at the deepest";
    if (edges)
        return kn_tdleaf_cell(run, row, column, kn_tdleaf_contrast(edges, weights, 2 * WAYS), how, error);
    return kn_lab_incomparable(run, row, column, kn_measure_single(NAN), "needs --scale paper", error);
}

static KnStatus run_fig1(KnLabRun *run, KnError *error)
{
    int trainings = (int)kn_lab_parameter(run, "trainings"), first = (int)kn_lab_parameter(run, "shallowest");
    int tries = ((int)kn_lab_parameter(run, "deepest") - first) / 2 + 1;
    KnTdleafField field;
    KnStanding edges[3][2 * WAYS];
    kn_lab_expect(run,
                  (uint64_t)trainings * ((uint64_t)kn_lab_parameter(run, "training") +
                                         3 * (uint64_t)tries * (uint64_t)kn_lab_parameter(run, "games")));
    KnStatus status = kn_tdleaf_open(run, &field, error);
    if (status == KN_OK)
        status = kn_lab_own_table(
            run, "points", "Points of learned weights against the original, by training and depth of play",
            "share", 3, error);
    for (int i = 0; i < trainings && status == KN_OK; i++)
        status = try_training(run, &field, first + 4 * i, edges[i], error);
    kn_tdleaf_close(&field);
    if (status == KN_OK) status = kn_lab_table(run, "fig1", error);
    static const char *const rows[] = {"5-ply weights", "9-ply weights"};
    char how[40];
    snprintf(how, sizeof how, "to a depth of %d plies", (int)kn_lab_parameter(run, "deepest"));
    for (int i = 0; i < 2 && status == KN_OK; i++)
        status = give_taper(run, rows[i], i < trainings ? edges[i] : NULL, how, error);
    return status;
}

const KnExperiment kn_tdleaf_fig1 = {
    .head = {"tdleaf.fig1", "teacher learning: weights of each side, by depth of training and of play", NULL},
    .paper = "schaeffer-2001",
    .source = "fig1",
    .parameters = fig1_parameters,
    .middle = fig1_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = shares,
    .run = run_fig1,
};

/* ---- matches from held-out positions ---- */

static const KnParameter held_out_parameters[] = {
    {"depth", 3, 13, "Depth of training."},
    {"training", 120, 8000, "Games of training. At 13 plies 8,000 take about two weeks of one core."},
    {"games", 60, 786, "Games of each match, from held-out positions."},
    KN_TDLEAF_PIECES,
    {0}};

/* Trained at 7 plies, played at 7 and 9, where a game takes half a second: a quarter of an hour of one core.
 */
static const KnSize held_out_middle[] = {
    {"depth", 7}, {"training", 2000}, {"games", 400}, {"pieces", 5}, {0}};

static const KnParameter selfplay_parameters[] = {
    {"depth", 3, 13, "Depth of training."},
    {"training", 120, 8000,
     "Games of training. Self-play at 13 plies takes about two weeks of one core for 8,000."},
    {"games", 60, 786, "Games of each match, from held-out positions."},
    {"shared", 1, 1, "Whether weights for both sides at once are learned and tried as well (1), or not (0)."},
    KN_TDLEAF_PIECES,
    {0}};

/* Without the shared weights, which the paper does not have: they would double the time. */
static const KnSize selfplay_middle[] = {{"depth", 7},  {"training", 2000}, {"games", 400},
                                         {"shared", 0}, {"pieces", 5},      {0}};

/* Weights of both sides at the training depth and two plies above, against `other`. */
static KnStatus try_held_out(KnLabRun *run, const KnTdleafField *field, const char *path,
                             const char *const *sets, int count, const char *other, KnStanding *above,
                             KnError *error)
{
    int depth = (int)kn_lab_parameter(run, "depth");
    KnStatus status = KN_OK;
    for (int s = 0; s < count; s++)
        for (int at = depth; at <= depth + 2 && status == KN_OK; at += 2) {
            char key[100], row[80], column[40];
            KnStanding standing;
            snprintf(row, sizeof row, "%s against %s", sets[s] ? sets[s] : "own", other);
            snprintf(key, sizeof key, "%s at %d", row, at);
            snprintf(column, sizeof column, "at %d plies", at);
            KnTdleafMatch match = {.key = key,
                                   .weights = path,
                                   .set = sets[s],
                                   .other = other,
                                   .depth = at,
                                   .games = (uint64_t)kn_lab_parameter(run, "games"),
                                   .held_out = true};
            status = kn_tdleaf_match(run, field, &match, &standing, error);
            if (status == KN_OK)
                status = kn_lab_measured(run, row, column, kn_tdleaf_points(&standing), NULL, error);
            if (above) above[s] = standing;
        }
    return status;
}

static void say_above(const KnLabRun *run, char how[40])
{
    int depth = (int)kn_lab_parameter(run, "depth");
    snprintf(how, 40, "at %d plies, trained at %d", depth + 2, depth);
}

static KnStatus run_fig2(KnLabRun *run, KnError *error)
{
    KnTdleafField field;
    KnText path = KN_TEXT_EMPTY;
    KnTdleafTraining training = kn_tdleaf_training(run, true, (int)kn_lab_parameter(run, "depth"));
    kn_lab_expect(run, training.games + 4 * (uint64_t)kn_lab_parameter(run, "games"));
    KnStanding above[2] = {0};
    char how[40];
    say_above(run, how);
    KnStatus status = kn_tdleaf_open(run, &field, error);
    if (status == KN_OK) status = kn_tdleaf_train(run, &field, &training, &path, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "points", "Taught weights from held-out positions: share of points",
                                  "share", 3, error);
    if (status == KN_OK)
        status = try_held_out(run, &field, path.data, seats, 2, "chinook-original", above, error);
    if (status == KN_OK) status = kn_lab_table(run, "fig2", error);
    for (int s = 0; s < 2 && status == KN_OK; s++)
        status = kn_tdleaf_cell(run, seat_names[s], "points at 15 plies", kn_tdleaf_points(&above[s]), how,
                                error);
    kn_text_free(&path);
    kn_tdleaf_close(&field);
    return status;
}

const KnExperiment kn_tdleaf_fig2 = {
    .head = {"tdleaf.fig2", "teacher learning in a longer match from held-out positions", NULL},
    .paper = "schaeffer-2001",
    .source = "fig2",
    .parameters = held_out_parameters,
    .middle = held_out_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = shares,
    .run = run_fig2,
};

static KnStatus run_selfplay(KnLabRun *run, KnError *error)
{
    static const char *const shared[] = {"shared"};
    int depth = (int)kn_lab_parameter(run, "depth");
    KnTdleafField field;
    KnText by_side = KN_TEXT_EMPTY, one = KN_TEXT_EMPTY;
    bool with_shared = kn_lab_parameter(run, "shared") > 0;
    uint64_t trainings = with_shared ? 2 : 1;
    KnTdleafTraining apart = kn_tdleaf_training(run, false, depth), together = apart;
    snprintf(together.name, sizeof together.name, "self-shared-%d-%llu", depth,
             (unsigned long long)together.games);
    together.by_side = false;
    kn_lab_expect(run, trainings * (apart.games + 4 * (uint64_t)kn_lab_parameter(run, "games")));
    KnStanding above[2] = {0};
    char how[40];
    say_above(run, how);
    KnStatus status = kn_tdleaf_open(run, &field, error);
    if (status == KN_OK) status = kn_tdleaf_train(run, &field, &apart, &by_side, error);
    if (status == KN_OK && with_shared) status = kn_tdleaf_train(run, &field, &together, &one, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "points",
                                  "Weights from self-play, from held-out positions: share of points", "share",
                                  3, error);
    if (status == KN_OK)
        status = try_held_out(run, &field, by_side.data, seats, 2, "chinook-original", above, error);
    if (status == KN_OK && with_shared)
        status = try_held_out(run, &field, one.data, shared, 1, "chinook-original", NULL, error);
    if (status == KN_OK && with_shared)
        status = try_held_out(run, &field, one.data, shared, 1, "regressed", NULL, error);
    if (status == KN_OK) status = kn_lab_table(run, "selfplay", error);
    for (int s = 0; s < 2 && status == KN_OK; s++)
        status = kn_tdleaf_cell(run, seat_names[s], "points at 15 plies", kn_tdleaf_points(&above[s]), how,
                                error);
    kn_text_free(&by_side);
    kn_text_free(&one);
    kn_tdleaf_close(&field);
    return status;
}

const KnExperiment kn_tdleaf_selfplay = {
    .head = {"tdleaf.selfplay",
             "weights from self-play against the original and regressed ones, from held-out positions", NULL},
    .paper = "schaeffer-2001",
    .source = "selfplay",
    .parameters = selfplay_parameters,
    .middle = selfplay_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = shares,
    .run = run_selfplay,
};

/* ---- the curve of learning ---- */

static const KnParameter curve_parameters[] = {
    {"depth", 3, 5, "Depth of training and of the matches."},
    {"training", 120, 8000, "Games of training in all."},
    {"points", 4, 16, "Matches along the way, beside one before it."},
    {"games", 48, 288, "Games of each match."},
    KN_TDLEAF_PIECES,
    {0}};

static const KnSize curve_middle[] = {{"training", 4000}, {"points", 8}, {"pieces", 5}, {0}};

enum { POINTS_MAX = 64 };

/* One way to learn, as it goes on. `edges` gets the matches before learning, in the middle and at the end:
 * half of the points, rounded up, come before the middle. */
typedef struct Course {
    const char *name;
    bool taught;
    KnPoint points[POINTS_MAX + 1];
    KnStanding edges[3];
} Course;

/* The match after `games` games, with the weights of a file. */
static KnStatus try_course(KnLabRun *run, const KnTdleafField *field, Course *course, const char *weights,
                           uint64_t games, int at, KnStanding *standing, KnError *error)
{
    char key[80], column[40];
    snprintf(key, sizeof key, "%s after %llu", course->name, (unsigned long long)games);
    snprintf(column, sizeof column, "after %llu", (unsigned long long)games);
    KnTdleafMatch match = {.key = key,
                           .weights = weights,
                           .depth = (int)kn_lab_parameter(run, "depth"),
                           .games = (uint64_t)kn_lab_parameter(run, "games")};
    KnStatus status = kn_tdleaf_match(run, field, &match, standing, error);
    if (status != KN_OK) return status;
    KnMeasure share = kn_tdleaf_points(standing);
    course->points[at] = (KnPoint){(double)games, share.value, share.low, share.high};
    return kn_lab_measured(run, course->name, column, share, NULL, error);
}

static KnStatus follow_course(KnLabRun *run, const KnTdleafField *field, Course *course, int count,
                              KnError *error)
{
    KnText path = KN_TEXT_EMPTY, before = KN_TEXT_EMPTY;
    uint64_t all = (uint64_t)kn_lab_parameter(run, "training"), learned = 0;
    KnStanding standing;
    KnStatus status = try_course(run, field, course, "zero", 0, 0, &course->edges[0], error);
    for (int i = 1; i <= count && status == KN_OK; i++) {
        /* A file a point, so that an interrupted run finds each again. */
        KnTdleafTraining training = {.depth = (int)kn_lab_parameter(run, "depth"),
                                     .taught = course->taught,
                                     .games = all * (uint64_t)i / (uint64_t)count,
                                     .family = course->name,
                                     .from = i > 1 ? before.data : NULL,
                                     .counted = learned};
        snprintf(training.name, sizeof training.name, "curve-%s-%d", course->name, i - 1);
        status = kn_tdleaf_train(run, field, &training, &path, error);
        if (status == KN_OK)
            status = try_course(run, field, course, path.data, training.games, i, &standing, error);
        if (status == KN_OK && i == (count + 1) / 2) course->edges[1] = standing;
        if (status == KN_OK) course->edges[2] = standing;
        learned = training.games;
        kn_text_clear(&before);
        kn_text_add(&before, path.data);
    }
    kn_text_free(&path);
    kn_text_free(&before);
    return status;
}

static KnStatus give_curve(KnLabRun *run, const Course courses[2], int count, KnError *error)
{
    static const double growth[3] = {-1, 0, 1}, slowing[3] = {-1, 2, -1};
    KnSeries series[2];
    for (int i = 0; i < 2; i++) series[i] = (KnSeries){courses[i].name, courses[i].points, (size_t)count + 1};
    KnFigure figure = {.id = "curve",
                       .title = "Points against the original weights during learning",
                       .x_label = "games",
                       .y_label = "share of points",
                       .series = series,
                       .series_count = 2};
    char depth[40];
    snprintf(depth, sizeof depth, "at %d plies", (int)kn_lab_parameter(run, "depth"));
    KnStatus status = kn_lab_figure(run, &figure, error);
    if (status == KN_OK) status = kn_lab_table(run, "curve", error);
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        const KnStanding *edges = courses[i].edges;
        status = kn_tdleaf_cell(run, courses[i].name, "at the end less at the beginning",
                                kn_tdleaf_contrast(edges, growth, 3), depth, error);
        if (status == KN_OK)
            status = kn_tdleaf_cell(run, courses[i].name, "gain of the first half less that of the second",
                                    kn_tdleaf_contrast(edges, slowing, 3), depth, error);
    }
    return status;
}

static KnStatus run_curve(KnLabRun *run, KnError *error)
{
    KnTdleafField field;
    Course courses[2] = {{.name = "taught", .taught = true}, {.name = "self-play"}};
    int count = (int)kn_lab_parameter(run, "points");
    KN_ASSERT(count <= POINTS_MAX);
    kn_lab_expect(run, 2 * ((uint64_t)kn_lab_parameter(run, "training") +
                            (uint64_t)(count + 1) * (uint64_t)kn_lab_parameter(run, "games")));
    KnStatus status = kn_tdleaf_open(run, &field, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "points", "Points against the original, by games learned from",
                                  "share", 3, error);
    for (int i = 0; i < 2 && status == KN_OK; i++)
        status = follow_course(run, &field, &courses[i], count, error);
    kn_tdleaf_close(&field);
    return status == KN_OK ? give_curve(run, courses, count, error) : status;
}

const KnExperiment kn_tdleaf_curve = {
    .head = {"tdleaf.curve", "how playing strength grows with the games learned from", NULL},
    .paper = "schaeffer-2001",
    .source = "curve",
    .parameters = curve_parameters,
    .middle = curve_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = shares,
    .run = run_curve,
};
