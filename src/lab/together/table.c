/* The grand table: five games, every method alone and stacked, against the same search at the same cost.
 * Then the best stack against the best single method, trained again. */
#include "lab/together/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/registry.h"

enum { ROWS = 32, DUEL_SEED = 1000 };

typedef struct Cell {
    KnTogetherScore score;
    double nodes, other_nodes; /* positions a move, of the row and of the base */
    double games, seconds;     /* of training, a seed */
    double adjusted;           /* the p-value, Holm */
} Cell;

static double per_move(const KnStanding *by_seed, int seeds, int player)
{
    double nodes = 0, moves = 0;
    for (int i = 0; i < seeds; i++)
        nodes += (double)by_seed[i].cost[player].nodes, moves += (double)by_seed[i].decisions[player];
    return moves > 0 ? nodes / moves : 0;
}

static KnStatus measure(KnLabRun *run, const KnTogetherGame *game, unsigned parts, unsigned other,
                        uint64_t first_seed, const KnTogetherTraining *training, const char *what, Cell *cell,
                        KnError *error)
{
    int seeds = (int)kn_lab_parameter(run, "seeds");
    KnStanding by_seed[KN_TOGETHER_SEEDS];
    double positions = kn_lab_parameter(run, "positions");
    for (int i = 0; i < seeds; i++) {
        char key[200];
        uint64_t seed = first_seed + (uint64_t)i;
        snprintf(key, sizeof key, "%s, %s, %llu", game->spec, what, (unsigned long long)seed);
        KnTogetherMatch match = {.game = game,
                                 .parts = parts,
                                 .other = other,
                                 .seed = seed,
                                 .games = (uint64_t)kn_lab_parameter(run, "games"),
                                 .positions = positions,
                                 .other_positions = positions,
                                 .training = training};
        KnStatus status = kn_together_match(run, key, &match, &by_seed[i], error);
        if (status != KN_OK) return status;
        double games, seconds;
        kn_together_cost(run, game, parts, seed, training, &games, &seconds);
        cell->games += games / seeds;
        cell->seconds += seconds / seeds;
    }
    cell->score = kn_together_score(by_seed, seeds);
    cell->nodes = per_move(by_seed, seeds, 0);
    cell->other_nodes = per_move(by_seed, seeds, 1);
    return KN_OK;
}

static KnStatus adjust(Cell *cells, int count, KnError *error)
{
    double p[KN_TOGETHER_GAMES * ROWS];
    for (int i = 0; i < count; i++) p[i] = cells[i].score.p;
    KnStatus status = kn_holm(p, (size_t)count, error);
    for (int i = 0; i < count; i++) cells[i].adjusted = p[i];
    return status;
}

static const char *stars(const Cell *cell)
{
    return cell->adjusted < 0.001 ? "***" : cell->adjusted < 0.01 ? "**" : cell->adjusted < 0.05 ? "*" : "";
}

static KnStatus give_game(KnLabRun *run, const KnTogetherGame *game, const Cell *cells, int number,
                          KnError *error)
{
    char id[40], title[160], note[80];
    snprintf(id, sizeof id, "game%d", number + 1);
    snprintf(title, sizeof title, "%s: share of points against the same search at equal cost", game->name);
    KnStatus status = kn_lab_own_table(run, id, title, "", 3, error);
    for (int r = 0; r < kn_together_row_count && status == KN_OK; r++) {
        const Cell *cell = &cells[r];
        const char *row = kn_together_rows[r].name;
        snprintf(note, sizeof note, "%s", stars(cell));
        status = kn_lab_measured(run, row, "points", cell->score.measure, note, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "p (Holm)", kn_measure_single(cell->adjusted), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "positions a move", kn_measure_single(cell->nodes), NULL,
                                     error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "the base's", kn_measure_single(cell->other_nodes), NULL,
                                     error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "training games", kn_measure_single(cell->games), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "training seconds", kn_measure_single(cell->seconds), NULL,
                                     error);
    }
    return status;
}

/* A picture a game: five series side by side hide each other. */
static KnStatus draw(KnLabRun *run, const Cell *cells, KnError *error)
{
    const char *names[ROWS];
    KnStatus status = KN_OK;
    for (int r = 0; r < kn_together_row_count; r++) names[r] = kn_together_rows[r].name;
    for (int g = 0; g < KN_TOGETHER_GAMES && status == KN_OK; g++) {
        KnPoint points[ROWS];
        char id[40], title[160];
        for (int r = 0; r < kn_together_row_count; r++) {
            KnMeasure m = cells[g * kn_together_row_count + r].score.measure;
            points[r] = (KnPoint){r, m.value, m.low, m.high};
        }
        snprintf(id, sizeof id, "gains%d", g + 1);
        snprintf(title, sizeof title, "%s: methods and stacks against the same search at equal cost",
                 kn_together_games[g].name);
        KnSeries series = {"measured", points, (size_t)kn_together_row_count};
        KnFigure figure = {.id = id,
                           .title = title,
                           .x_label = "",
                           .y_label = "share of points",
                           .kind = KN_FIGURE_POINTS,
                           .categories = names,
                           .category_count = (size_t)kn_together_row_count,
                           .series = &series,
                           .series_count = 1};
        status = kn_lab_figure(run, &figure, error);
    }
    return status;
}

/* Hoyle looks two plies ahead whatever is allowed: where that is more than the others have, it is no
 * candidate at equal cost. */
static bool is_equal(const Cell *cell) { return cell->nodes <= 1.25 * cell->other_nodes; }

static int best_of(const Cell *cells, bool stack)
{
    int best = -1;
    for (int r = 0; r < kn_together_row_count; r++)
        if (kn_together_rows[r].stack == stack && is_equal(&cells[r]) &&
            (best < 0 || cells[r].score.measure.value > cells[best].score.measure.value))
            best = r;
    return best;
}

/* The best stack against the best single method, with trainings that neither was chosen by. */
static KnStatus duel(KnLabRun *run, const Cell *cells, const KnTogetherTraining *training, KnError *error)
{
    Cell duels[KN_TOGETHER_GAMES] = {0};
    int stacks[KN_TOGETHER_GAMES], singles[KN_TOGETHER_GAMES];
    KnStatus status = KN_OK;
    for (int g = 0; g < KN_TOGETHER_GAMES && status == KN_OK; g++) {
        const Cell *own = &cells[g * kn_together_row_count];
        stacks[g] = best_of(own, true);
        singles[g] = best_of(own, false);
        if (stacks[g] < 0 || singles[g] < 0)
            return kn_fail(error, KN_NO, "%s: nothing kept to the cost that was allowed",
                           kn_together_games[g].spec);
        char what[120];
        snprintf(what, sizeof what, "%s against %s", kn_together_rows[stacks[g]].name,
                 kn_together_rows[singles[g]].name);
        status = measure(run, &kn_together_games[g], kn_together_rows[stacks[g]].parts,
                         kn_together_rows[singles[g]].parts, DUEL_SEED, training, what, &duels[g], error);
    }
    if (status == KN_OK) status = adjust(duels, KN_TOGETHER_GAMES, error);
    if (status == KN_OK) status = kn_lab_table(run, "duel", error);
    for (int g = 0; g < KN_TOGETHER_GAMES && status == KN_OK; g++) {
        char note[160];
        snprintf(note, sizeof note, "%s against %s %s", kn_together_rows[stacks[g]].name,
                 kn_together_rows[singles[g]].name, stars(&duels[g]));
        status = kn_lab_cell(run, kn_together_games[g].name, "points", duels[g].score.measure, note, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, kn_together_games[g].name, "p (Holm)",
                                     kn_measure_single(duels[g].adjusted), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, kn_together_games[g].name, "positions a move",
                                     kn_measure_single(duels[g].nodes), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, kn_together_games[g].name, "the other's",
                                     kn_measure_single(duels[g].other_nodes), NULL, error);
    }
    return status;
}

static KnStatus run_table(KnLabRun *run, KnError *error)
{
    KnTogetherTraining training = {.games = (uint64_t)kn_lab_parameter(run, "training games"),
                                   .examples = (uint64_t)kn_lab_parameter(run, "examples")};
    uint64_t each = (uint64_t)(kn_lab_parameter(run, "games") * kn_lab_parameter(run, "seeds"));
    int count = KN_TOGETHER_GAMES * kn_together_row_count;
    Cell *cells = calloc((size_t)count, sizeof *cells);
    if (!cells) return kn_fail_memory(error, "measuring methods");
    kn_lab_expect(run, each * (uint64_t)(count + KN_TOGETHER_GAMES));
    kn_lab_clocked(run); /* training seconds */
    KnStatus status = KN_OK;
    for (int i = 0; i < count && status == KN_OK; i++) {
        const KnTogetherRow *row = &kn_together_rows[i % kn_together_row_count];
        status = measure(run, &kn_together_games[i / kn_together_row_count], row->parts, 0, 1, &training,
                         row->name, &cells[i], error);
    }
    if (status == KN_OK) status = adjust(cells, count, error);
    for (int g = 0; g < KN_TOGETHER_GAMES && status == KN_OK; g++)
        status = give_game(run, &kn_together_games[g], &cells[g * kn_together_row_count], g, error);
    if (status == KN_OK) status = draw(run, cells, error);
    if (status == KN_OK) status = duel(run, cells, &training, error);
    free(cells);
    return status;
}

static const KnParameter parameters[] = {
    {"positions", 240, 400, "A move on average, for everybody."},
    {"seeds", 2, 6, "Trainings of every row; the error is over them."},
    {"games", 2, 24, "Of a match, with each training."},
    {"training games", 10, 1000, "Of td; half of it for experience, .3 twice for Hoyle and sequences."},
    {"examples", 20, 1000, "Positions that pacing is learned from, eight searches each."},
    {0}};

static const KnSize middle[] = {{"games", 8}, {"training games", 200}, {"examples", 100}, {0}};

static const KnTolerance tolerances[] = {{"*", 0.02, 0, "Nothing was published: these are our own."}, {0}};

const KnExperiment kn_together_table = {
    .head = {"together.table", "every method and stack on five games, against the same search at equal cost",
             NULL},
    .paper = "together",
    .parameters = parameters,
    .middle = middle,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_table,
};
