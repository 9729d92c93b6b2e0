/* Schaeffer, Hlynka and Jussila 2001: the weights themselves (Table 1, section 5), and hard positions (4.4,
 * figure 3). */
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "lab/registry.h"
#include "lab/tdleaf/shared.h"
#include "players/player.h"

/* ---- table 1 ---- */

static const KnParameter table1_parameters[] = {
    {"depth", 3, 13, "Depth of training."},
    {"training", 120, 8533,
     "Games of training, the learner white; 8,533 at 13 plies take about two weeks of one core."},
    KN_TDLEAF_PIECES,
    {0}};

static const KnSize table1_middle[] = {{"depth", 7}, {"training", 2000}, {"pieces", 5}, {0}};

static const KnTolerance weights_tolerance[] = {
    {"*", 5, 0, "Hundredths of a man; cells are not comparable in any case."}, {0}};

static KnStatus give_weights(KnLabRun *run, const KnWeights *weights, const KnWeights *original,
                             KnError *error)
{
    static const char explanation[] =
        "The features are ours under the same names; and learning does not settle on one set of weights.";
    const KnFeatureSet *features = weights->features;
    int set = kn_weights_find(weights, "white");
    KnStatus status = kn_lab_table(run, "table1", error);
    for (int i = features->fixed; i < features->count; i++)
        for (int phase = 0; phase < features->phases && status == KN_OK; phase++) {
            char column[40];
            size_t at = (size_t)(phase * features->count + i);
            snprintf(column, sizeof column, "learned %d", phase + 1);
            status = kn_lab_incomparable(run, features->features[i].name, column,
                                         kn_measure_single(weights->sets[set].weights[at]), explanation,
                                         error);
        }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "updates",
                                  "How often each weight was updated, by phase, and its original value", "",
                                  2, error);
    for (int i = features->fixed; i < features->count; i++)
        for (int phase = 0; phase < features->phases && status == KN_OK; phase++) {
            char column[40];
            size_t at = (size_t)(phase * features->count + i);
            snprintf(column, sizeof column, "updates %d", phase + 1);
            status = kn_lab_measured(run, features->features[i].name, column,
                                     kn_measure_single((double)weights->sets[set].updates[at]), NULL, error);
            snprintf(column, sizeof column, "original %d", phase + 1);
            if (status == KN_OK)
                status = kn_lab_measured(run, features->features[i].name, column,
                                         kn_measure_exact(original->sets[0].weights[at]), NULL, error);
        }
    return status;
}

/* Rare features stay untrained: of all updates in phase 1, the share of those of three endgame features. */
static KnStatus give_rarity(KnLabRun *run, const KnWeights *weights, KnError *error)
{
    static const char *const rare[] = {"free king", "king center", "loose checker"};
    const KnFeatureSet *features = weights->features;
    const uint64_t *updates = weights->sets[kn_weights_find(weights, "white")].updates;
    uint64_t all = updates[kn_feature_set_find(features, "value of move")];
    char how[40];
    snprintf(how, sizeof how, "in training at %d plies", (int)kn_lab_parameter(run, "depth"));
    KnStatus status = kn_lab_table(run, "rare", error);
    for (int i = 0; i < 3 && status == KN_OK; i++)
        status = kn_tdleaf_cell(
            run, rare[i], "share of updates in phase 1",
            kn_measure_share((double)updates[kn_feature_set_find(features, rare[i])], all ? all : 1, 1), how,
            error);
    return status;
}

static KnStatus run_table1(KnLabRun *run, KnError *error)
{
    KnTdleafField field;
    KnText path = KN_TEXT_EMPTY;
    KnGame *game = NULL;
    KnWeights *weights = NULL, *original = NULL;
    KnTdleafTraining training = kn_tdleaf_training(run, true, (int)kn_lab_parameter(run, "depth"));
    kn_lab_expect(run, training.games);
    KnStatus status = kn_tdleaf_open(run, &field, error);
    if (status == KN_OK) status = kn_tdleaf_train(run, &field, &training, &path, error);
    if (status == KN_OK) status = kn_game_open(kn_lab_context(run), "checkers", &game, error);
    if (status == KN_OK) status = kn_weights_open(game, path.data, &weights, error);
    if (status == KN_OK) status = kn_weights_open(game, "chinook-original", &original, error);
    if (status == KN_OK) status = give_weights(run, weights, original, error);
    if (status == KN_OK) status = give_rarity(run, weights, error);
    kn_weights_free(weights);
    kn_weights_free(original);
    kn_game_close(game);
    kn_text_free(&path);
    kn_tdleaf_close(&field);
    return status;
}

const KnExperiment kn_tdleaf_table1 = {
    .head = {"tdleaf.table1",
             "learned weights beside the original and the published ones, with how often each was updated",
             NULL},
    .paper = "schaeffer-2001",
    .source = "table1",
    .parameters = table1_parameters,
    .middle = table1_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = weights_tolerance,
    .run = run_table1,
};

/* ---- hard positions ---- */

/* Nineteen of our own, each with its one right move, proved by a search to depth 13 with endgame tables of
 * five pieces: the only one that wins, or the only one that does not lose. Taken from positions 44 to 60
 * plies into games of varied players in which the original weights choose another move at 5 and at 7 plies.
 */
typedef struct Hard {
    const char *position, *move;
} Hard;

static const Hard hard[] = {
    {"B:WK2,K8,21,22,23:B10,13,K24", "24-28"},
    {"B:WK10,21,28:B14,17,K30,K31", "17-22"},
    {"B:W6,K10,29:B1,4,8,K13,20", "8-11"},
    {"B:WK6,9,22,23,32:B12,15,28", "12-16"},
    {"B:W10,21,23,30:B7,9,12,14,K32", "32-27"},
    {"B:WK6,20,29:B8,12,15,27,K30", "27-31"},
    {"B:W6,19,22,27:B5,7,12,23,25,K32", "7-10"},
    {"B:WK5,18,29:B8,16,21,22,K26", "22-25"},
    {"B:WK3,K10,15,25,29,30:B8,12,21,K28", "8-11"},
    {"B:W13,19,27:B5,6,7,18,25", "18-23"},
    {"B:W13,K16,22,25,26,30:B6,14,21,K31", "6-10"},
    {"B:WK3,21,31:B14,22,23,24", "23-26"},
    {"B:WK2,10,31:B5,16,20,23", "23-27"},
    {"B:W7,K15,21,24:B4,14,K30", "4-8"},
    {"B:W12,13,15,16,22:B5,K32", "5-9"},
    {"B:WK7,K8,11,29:B4,K19,K31", "19-24"},
    {"B:WK7,20,24:B9,12,22,K26", "26-23"},
    {"B:WK23,28,29:B6,13,14,K30,K32", "14-18"},
    {"B:WK13,21,24:B8,14,22,K26", "26-30"},
};

enum { HARD = sizeof hard / sizeof *hard };

static const KnParameter testset_parameters[] = {
    {"deepest", 9, 25,
     "From 5 plies in steps of 2. A position takes minutes at 21 plies and beyond, hours in all."},
    {"depth", 3, 13, "Depth of training of the learned weights."},
    {"training", 120, 8000, "Games of that training."},
    KN_TDLEAF_PIECES,
    {0}};

static const KnSize testset_middle[] = {
    {"deepest", 17}, {"depth", 7}, {"training", 2000}, {"pieces", 5}, {0}};

static KnStatus try_position(KnPlayer *player, const KnGame *game, const Hard *one, const atomic_bool *cancel,
                             bool *solved, KnError *error)
{
    KnState *state = kn_state_new(game);
    if (!state) return kn_fail_memory(error, "trying a position");
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves], right;
    KnStatus status = game->type->parse_position(game, one->position, position, error);
    if (status == KN_OK) kn_state_reset(state, position);
    int role = status == KN_OK ? game->type->mover(game, position) : 0;
    if (status == KN_OK) status = kn_game_parse_move(game, position, role, one->move, &right, error);
    KnRng rng = kn_rng_seeded(1);
    KnRequest ask = {.game = game,
                     .position = position,
                     .history = kn_state_history(state),
                     .role = role,
                     .allowed = moves,
                     .rng = &rng,
                     .cancel = cancel};
    KnAnswer answer = {0};
    if (status == KN_OK) ask.allowed_count = kn_state_moves(state, role, moves);
    if (status == KN_OK) status = kn_player_begin(player, role, position, error);
    if (status == KN_OK) status = kn_player_choose(player, &ask, &answer, error);
    if (status == KN_OK && cancel && atomic_load(cancel)) status = kn_fail(error, KN_STOPPED, "stopped");
    if (status == KN_OK) *solved = answer.move == right;
    kn_state_free(state);
    return status;
}

/* How many of the positions a weight set solves at a depth; kept as a unit. */
static KnStatus count_solved(KnLabRun *run, const char *row, const char *eval, int depth, int *solved,
                             KnError *error)
{
    char key[80];
    snprintf(key, sizeof key, "%s at %d", row, depth);
    const json_t *done = kn_lab_done_work(run, key, HARD);
    if (done) {
        *solved = (int)json_integer_value(done);
        return KN_OK;
    }
    KnText spec = KN_TEXT_EMPTY;
    KnGame *game = NULL;
    KnPlayer *player = NULL;
    kn_text_printf(&spec, "alphabeta(depth=%d, memory=16, eval=%s)", depth, eval);
    KnStatus status = kn_game_open(kn_lab_context(run), "checkers", &game, error);
    if (status == KN_OK) status = kn_player_open(kn_lab_context(run), game, spec.data, &player, error);
    *solved = 0;
    for (int i = 0; i < HARD && status == KN_OK; i++) {
        bool right = false;
        status = try_position(player, game, &hard[i], kn_lab_cancel(run), &right, error);
        *solved += right;
        kn_progress_tick(kn_lab_progress(run), 1);
    }
    kn_player_close(player);
    kn_game_close(game);
    kn_text_free(&spec);
    return status == KN_OK ? kn_lab_keep(run, key, json_integer(*solved), error) : status;
}

static KnStatus run_testset(KnLabRun *run, KnError *error)
{
    enum { SETS = 3, DEPTHS_MAX = 16 };
    static const char *const rows[SETS] = {"original", "black learned", "white learned"};
    KnTdleafField field;
    KnText path = KN_TEXT_EMPTY, eval = KN_TEXT_EMPTY;
    KnPoint points[SETS][DEPTHS_MAX];
    int deepest = (int)kn_lab_parameter(run, "deepest"), first[SETS] = {0}, last[SETS] = {0};
    size_t count = 0;
    KnTdleafTraining training = kn_tdleaf_training(run, true, (int)kn_lab_parameter(run, "depth"));
    kn_lab_expect(run, training.games + (uint64_t)(SETS * HARD * ((deepest - 5) / 2 + 1)));
    KnStatus status = kn_tdleaf_open(run, &field, error);
    if (status == KN_OK) status = kn_tdleaf_train(run, &field, &training, &path, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "solved", "Hard positions solved, of 19, by depth and weights",
                                  "positions", 0, error);
    for (int depth = 5; depth <= deepest && count < DEPTHS_MAX && status == KN_OK; depth += 2, count++)
        for (int s = 0; s < SETS && status == KN_OK; s++) {
            char column[40];
            kn_text_clear(&eval);
            if (s == 0)
                kn_text_add(&eval, "features(weights=chinook-original)");
            else {
                kn_text_add(&eval, "features(weights=");
                kn_text_add_quoted(&eval, path.data);
                kn_text_printf(&eval, ", set=%s)", s == 1 ? "black" : "white");
            }
            int solved;
            status = count_solved(run, rows[s], eval.data, depth, &solved, error);
            if (status != KN_OK) break;
            snprintf(column, sizeof column, "%d plies", depth);
            points[s][count] = (KnPoint){depth, solved, solved, solved};
            if (depth == 5) first[s] = solved;
            last[s] = solved;
            status = kn_lab_measured(run, rows[s], column, kn_measure_exact(solved), NULL, error);
        }
    kn_text_free(&path);
    kn_text_free(&eval);
    kn_tdleaf_close(&field);
    if (status != KN_OK) return status;
    char how[40];
    snprintf(how, sizeof how, "to a depth of %d plies", deepest);
    KnSeries series[SETS];
    for (int s = 0; s < SETS; s++) series[s] = (KnSeries){rows[s], points[s], count};
    KnFigure figure = {.id = "solved",
                       .title = "Hard positions solved by depth",
                       .x_label = "depth",
                       .y_label = "solved of 19",
                       .series = series,
                       .series_count = SETS};
    status = kn_lab_figure(run, &figure, error);
    if (status == KN_OK) status = kn_lab_table(run, "fig3", error);
    for (int s = 0; s < SETS && status == KN_OK; s++)
        status = kn_tdleaf_cell(run, rows[s], "solved at the deepest less at 5 plies",
                                kn_measure_exact(last[s] - first[s]), how, error);
    return status;
}

const KnExperiment kn_tdleaf_testset = {
    .head = {"tdleaf.testset", "nineteen hard positions by depth, with three sets of weights", NULL},
    .paper = "schaeffer-2001",
    .source = "fig3",
    .parameters = testset_parameters,
    .middle = testset_middle,
    .interpretations = kn_tdleaf_interpretations,
    .tolerances = weights_tolerance,
    .run = run_testset,
};
