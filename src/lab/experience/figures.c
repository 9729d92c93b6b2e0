/* De Jong and Schultz 1988, figures I and II. The figures carry no numbers; the text's claims are the
 * published values. */
#include <math.h>

#include "lab/experience/shared.h"
#include "lab/registry.h"

/* What every row of these tables shows: the learner after it has learned, the last tenth of the games. */
static KnStatus give_row(KnLabRun *run, const char *row, const KnGinaResult *r, bool published,
                         KnError *error)
{
    uint64_t late = r->games - r->games / 10;
    const struct {
        const char *column;
        KnMeasure measure;
        bool claim;
    } cells[] = {{"points ahead", kn_gina_mean(r, kn_gina_margin, late, r->games, -1), true},
                 {"games won", kn_gina_mean(r, kn_gina_points, late, r->games, -1), true},
                 {"without search", kn_gina_without_search(r, late, r->games), true},
                 {"growth", kn_gina_growth(r), true},
                 {"search ignored", kn_gina_ignored(r, late, r->games), false},
                 {"points ahead, first tenth", kn_gina_mean(r, kn_gina_margin, 0, r->games / 10, -1), false},
                 {"positions", kn_gina_mean(r, kn_gina_positions, r->games - 1, r->games, -1), false}};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof cells / sizeof *cells && status == KN_OK; i++)
        status = published && cells[i].claim
                     ? kn_lab_cell(run, row, cells[i].column, cells[i].measure, NULL, error)
                     : kn_lab_measured(run, row, cells[i].column, cells[i].measure, NULL, error);
    return status;
}

enum { MOST_CURVES = 3 };

static KnStatus draw(KnLabRun *run, const char *id, const char *title, const char *y, const KnSeries *series,
                     size_t count, KnError *error)
{
    KnFigure figure = {.id = id,
                       .title = title,
                       .x_label = "games",
                       .y_label = y,
                       .kind = KN_FIGURE_LINES,
                       .series = series,
                       .series_count = count};
    return kn_lab_figure(run, &figure, error);
}

/* ---- figure I ---- */

static const KnParameter fig1_parameters[] = {
    {"games", 60, 1000, "Games a tournament; the figure's axis carries no number."},
    {"repetitions", 6, 8,
     "Tournaments, each with a fresh base; the paper averages at least four, and a verdict needs five."},
    {0}};

static const KnSize fig1_middle[] = {{"games", 200}, {0}};

static const KnInterpretation fig1_interpretations[] = {
    {"Which programs played?",
     "Alpha-beta with the same evaluation for both (the default one), the learner 2 plies deep, its opponent "
     "5.",
     "With a fixed value for each square both learn more slowly: such an opponent has more ties to break, "
     "and so more games to show."},
    {"Does the opponent vary its play?", "Among moves of equal value it chooses at random.",
     "If it never varies, the printed rule repeats a handful of games (gina.rules)."},
    {"\"If the recommendation is for one of the known moves, then the advice is ignored\": with which rule "
     "are the claims tested?",
     "As printed, except that advice which was ignored once is noted with the position and not asked for "
     "again: the moves are the same, the searches fewer. The rule "
     "without that, and `explore` (the inner player is asked among unexplored moves only), stand beside it.",
     "As printed, a sixth of the decisions end in a search whose advice is ignored, forever; `explore` "
     "tries much before it is content."},
    {"Are mirror images one position?",
     "Yes; the rule as printed is also shown without symmetry, which the paper does not mention.", ""},
    {"Whose games are in the base?", "One base for both colours.",
     "A base for each colour learns less from each game."},
    {"What is a decision?",
     "A move where there was a choice. Decisions in which a search ran and was ignored are counted apart.",
     ""},
    {0}};

static const KnTolerance tolerances[] = {
    {"without search", 1, 0, "A search in a hundred decisions is a rarity that the text would not mention."},
    {0}};

static KnStatus fig1(KnLabRun *run, KnError *error)
{
    static const struct {
        const char *row, *how;
        bool claimed;
    } rows[] = {{"recalling advice", "rule=gina, recall", true},
                {"as printed, with symmetry", "rule=gina", false},
                {"as printed, without symmetry", "rule=gina, -symmetry", false},
                {"explore", "rule=explore", false}};
    enum { ROWS = sizeof rows / sizeof *rows };
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    kn_lab_expect(run, ROWS * games * repetitions);
    KnGinaResult results[ROWS] = {0};
    KnPoint points[3][ROWS][KN_GINA_CURVE];
    KnSeries series[3][ROWS];
    KnStatus status = kn_lab_table(run, "figure1", error);
    for (int i = 0; i < ROWS && status == KN_OK; i++) {
        KnGinaTraining training = {.key = rows[i].row,
                                   .inner = KN_GINA_INNER,
                                   .how = rows[i].how,
                                   .opponents = {KN_GINA_OPPONENT},
                                   .games = games};
        status = kn_gina_run(run, &training, repetitions, &results[i], error);
        if (status != KN_OK) break;
        status = give_row(run, rows[i].row, &results[i], rows[i].claimed, error);
        series[0][i] = kn_gina_curve(&results[i], rows[i].row, kn_gina_margin, -1, points[0][i]);
        series[1][i] = kn_gina_search_curve(&results[i], rows[i].row, points[1][i]);
        series[2][i] = kn_gina_curve(&results[i], rows[i].row, kn_gina_positions, -1, points[2][i]);
    }
    if (status == KN_OK)
        status = draw(run, "points", "Point difference against a 5-ply opponent", "points", series[0], ROWS,
                      error);
    if (status == KN_OK)
        status = draw(run, "search", "Decisions without search", "%", series[1], ROWS, error);
    if (status == KN_OK)
        status = draw(run, "nodes", "Positions in the base", "positions", series[2], ROWS, error);
    for (int i = 0; i < ROWS; i++) kn_gina_free(&results[i]);
    return status;
}

const KnExperiment kn_gina_fig1 = {
    .head = {"gina.fig1",
             "a 2-ply learner against a 5-ply opponent: points, decisions without search, positions", NULL},
    .paper = "dejong-schultz-1988",
    .source = "figure1",
    .parameters = fig1_parameters,
    .middle = fig1_middle,
    .interpretations = fig1_interpretations,
    .tolerances = tolerances,
    .run = fig1,
};

/* ---- figure II ---- */

static const KnParameter fig2_parameters[] = {
    {"games", 180, 3000, "Games of the round robin, a third against each opponent."},
    {"before", 60, 500, "Games that made the frozen base of the third opponent."},
    {"repetitions", 4, 8, "Tournaments, each with a fresh base."},
    {0}};

static const KnSize fig2_middle[] = {{"games", 600}, {"before", 200}, {0}};

static const KnInterpretation fig2_interpretations[] = {
    {"Which two programs with four plies?",
     "Alpha-beta with the default evaluation, and with one of mobility: two styles.", ""},
    {"What does the third opponent do with its copy of a base?",
     "It plays as the learner of figure I does, by the rule as printed and with ties broken at random, and "
     "does not learn.",
     "What it searches with is not said; the learner's own 2 plies."},
    {"Which rule?", "As printed, recalling advice, as in gina.fig1.", ""},
    {0}};

static KnStatus fig2(KnLabRun *run, KnError *error)
{
    static const char *const names[] = {"4 plies", "4 plies, mobility", "frozen base"};
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             before = (uint64_t)kn_lab_parameter(run, "before");
    uint64_t repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    kn_lab_expect(run, (games + before) * repetitions);
    KnGinaTraining first = {.key = "before",
                            .inner = KN_GINA_INNER,
                            .how = "rule=gina, recall",
                            .opponents = {KN_GINA_OPPONENT},
                            .games = before};
    KnGinaTraining training = {.key = "round robin",
                               .inner = KN_GINA_INNER,
                               .how = "rule=gina, recall",
                               .games = games,
                               .before = &first,
                               .opponents = {"alphabeta(depth=4, eval=hand)",
                                             "alphabeta(depth=4, eval=mobility)",
                                             "experience(" KN_GINA_INNER ", base={frozen}, rule=gina)"}};
    KnGinaResult r;
    KnStatus status = kn_lab_table(run, "figure2", error);
    if (status == KN_OK) status = kn_gina_run(run, &training, repetitions, &r, error);
    if (status != KN_OK) return status;
    uint64_t late = games - games / 10;
    KnPoint points[MOST_CURVES][KN_GINA_CURVE];
    KnSeries series[MOST_CURVES];
    status = give_row(run, "round robin", &r, true, error);
    for (int i = 0; i < MOST_CURVES && status == KN_OK; i++) {
        status = kn_lab_measured(run, names[i], "points ahead",
                                 kn_gina_mean(&r, kn_gina_margin, late, games, i), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, names[i], "games won",
                                     kn_gina_mean(&r, kn_gina_points, late, games, i), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, names[i], "points ahead, first tenth",
                                     kn_gina_mean(&r, kn_gina_margin, 0, games / 10, i), NULL, error);
        series[i] = kn_gina_curve(&r, names[i], kn_gina_margin, i, points[i]);
    }
    if (status == KN_OK)
        status = draw(run, "points", "Point difference by opponent", "points", series, MOST_CURVES, error);
    series[0] = kn_gina_search_curve(&r, "without search", points[0]);
    if (status == KN_OK) status = draw(run, "search", "Decisions without search", "%", series, 1, error);
    series[0] = kn_gina_curve(&r, "positions", kn_gina_positions, -1, points[0]);
    if (status == KN_OK) status = draw(run, "nodes", "Positions in the base", "positions", series, 1, error);
    kn_gina_free(&r);
    return status;
}

const KnExperiment kn_gina_fig2 = {
    .head = {"gina.fig2", "the learner in a round robin with three opponents, one of them with a frozen base",
             NULL},
    .paper = "dejong-schultz-1988",
    .source = "figure2",
    .parameters = fig2_parameters,
    .middle = fig2_middle,
    .interpretations = fig2_interpretations,
    .tolerances = tolerances,
    .run = fig2,
};

/* ---- speed ---- */

static double milliseconds(const KnGinaGame *game)
{
    int decisions = game->from_base + game->ignored + game->searched + game->forced;
    return decisions ? 1000 * game->seconds / decisions : 0;
}

static const KnParameter speed_parameters[] = {
    {"games", 60, 1000, "Games of one training run."},
    {"repetitions", 4, 8, "Training runs, each with a fresh base."},
    {0}};

/* The paper's saving is one of search; an inner player of 2 plies is so quick here that the base is hardly
 * quicker, so that a deeper one stands beside it. */
static KnStatus speed(KnLabRun *run, KnError *error)
{
    static const struct {
        const char *row, *inner;
    } rows[] = {{"2 plies", KN_GINA_INNER}, {"6 plies", "alphabeta(depth=6, eval=hand)"}};
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             repetitions = (uint64_t)kn_lab_parameter(run, "repetitions");
    kn_lab_expect(run, 2 * games * repetitions);
    kn_lab_clocked(run);
    KnStatus status = kn_lab_table(run, "speed", error);
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        KnGinaResult r;
        KnGinaTraining training = {.key = rows[i].row,
                                   .inner = rows[i].inner,
                                   .how = "rule=gina, recall",
                                   .opponents = {KN_GINA_OPPONENT},
                                   .games = games};
        status = kn_gina_run(run, &training, repetitions, &r, error);
        if (status != KN_OK) break;
        uint64_t tenth = games / 10;
        KnMoments ratio = {0};
        for (uint64_t k = 0; k < repetitions; k++) {
            KnGinaResult one = {.games = games, .repetitions = 1, .all = r.all + k * games};
            double early = kn_gina_mean(&one, milliseconds, 0, tenth, -1).value,
                   late = kn_gina_mean(&one, milliseconds, games - tenth, games, -1).value;
            kn_moments_add(&ratio, early > 0 ? late / early : 1);
        }
        status = kn_lab_cell(run, rows[i].row, "after / before", kn_measure_mean(&ratio), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, rows[i].row, "ms a move before",
                                     kn_gina_mean(&r, milliseconds, 0, tenth, -1), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, rows[i].row, "ms a move after",
                                     kn_gina_mean(&r, milliseconds, games - tenth, games, -1), NULL, error);
        kn_gina_free(&r);
    }
    return status;
}

const KnExperiment kn_gina_speed = {
    .head = {"gina.speed", "processor time a move, before and after learning", NULL},
    .paper = "dejong-schultz-1988",
    .source = "speed",
    .parameters = speed_parameters,
    .run = speed,
};
