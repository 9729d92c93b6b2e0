/* The learners of an evaluation's weights: `td`, temporal differences (Schaeffer, Hlynka & Jussila 2001), and
 * `regress`, least squares on the outcomes of games. Both measure their curve by matches against the same
 * search with other weights. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena/held_out.h"
#include "base/file.h"
#include "games/gdl/gdl.h"
#include "games/turns.h"
#include "methods/registry.h"
#include "methods/tdleaf/train.h"

static const char WEIGHTS[] = "weights.json";

static KnStatus suits(const KnContext *context, const KnGame *game, KnError *error)
{
    (void)context;
    KnStatus status = kn_game_takes_turns(game, error);
    if (status != KN_OK) return status;
    if (!game->feature_tables && !game->feature_count && !kn_game_gdl(game))
        return kn_fail(error, KN_INPUT, "needs a game with features");
    return KN_OK;
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    kn_text_printf(spec, "alphabeta(depth=%ld, eval=features(weights=", kn_option_integer(options, "depth"));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnWeights *weights = NULL;
    KnStatus status = kn_weights_open(task->game, file, &weights, error);
    if (status != KN_OK) return status;
    *explanation = kn_weights_explain(weights, arena);
    if (*explanation) kn_explanation_made(arena, *explanation, weights->made);
    kn_weights_free(weights);
    return *explanation ? KN_OK : kn_fail_memory(error, "showing weights");
}

/* ---- plans ---- */

/* What both learners have in common. */
static KnTdPlan plan_of(const KnLearnerTask *task)
{
    const KnOptions *o = task->options;
    return (KnTdPlan){.start = kn_option_string(o, "start"),
                      .terms = kn_option_string(o, "terms"),
                      .openings = kn_option_string(o, "openings"),
                      .random_plies = (int)kn_option_integer(o, "random-plies"),
                      .tables = kn_option_string(o, "tables"),
                      .depths = {(int)kn_option_integer(o, "depth")},
                      .depth_count = 1,
                      .rule = {.alpha = 0, .lambda = 0.95, .scale = kn_option_real(o, "scale")},
                      .learner_role = -1,
                      .games = (uint64_t)kn_option_integer(o, "games"),
                      .batch = 1,
                      .ply_limit = (size_t)kn_option_integer(o, "plies"),
                      .table_mib = kn_option_real(o, "memory"),
                      .seed = task->seed,
                      .jobs = task->jobs,
                      .cancel = task->cancel};
}

/* "3,5": several depths, taken in turn. */
static KnStatus read_depths(const char *list, KnTdPlan *plan, KnError *error)
{
    if (!list) return KN_OK;
    plan->depth_count = 0;
    for (const char *at = list; *at;) {
        int depth = 0, length = 0;
        if (plan->depth_count == KN_TD_DEPTHS || sscanf(at, "%d%n", &depth, &length) != 1 || depth < 1 ||
            depth > 100 || (at[length] && at[length] != ','))
            return kn_fail(error, KN_USAGE, "depths expects up to %d depths such as 3,5, not \"%s\"",
                           KN_TD_DEPTHS, list);
        plan->depths[plan->depth_count++] = depth;
        at += length + (at[length] == ',');
    }
    return plan->depth_count ? KN_OK : kn_fail(error, KN_USAGE, "depths expects at least one depth");
}

static KnStatus read_side(const char *side, const KnGame *game, KnTdPlan *plan, KnError *error)
{
    if (!side) return KN_OK;
    for (int role = 0; role < game->roles; role++)
        if (strcmp(game->role_names[role], side) == 0) {
            plan->learner_role = role;
            return KN_OK;
        }
    return kn_fail(error, KN_USAGE, "side=%s: the sides of %s are %s and %s", side, game->spec,
                   game->role_names[0], game->role_names[1]);
}

static KnStatus td_plan(const KnLearnerTask *task, KnTdPlan *plan, KnError *error)
{
    static const char *const words[] = {"side", "depth", "opening", NULL};
    const KnOptions *o = task->options;
    *plan = plan_of(task);
    plan->teacher = kn_learner_text(task, "teacher");
    plan->rule.alpha = kn_option_real(o, "alpha");
    plan->rule.lambda = kn_option_real(o, "lambda");
    plan->root = kn_option_choice(o, "at") == 1;
    plan->batch = (int)kn_option_integer(o, "batch");
    KnStatus status = kn_learner_words(
        task, "by", words, (bool *const[]){&plan->by_side, &plan->by_depth, &plan->by_opening}, error);
    if (status == KN_OK) status = read_depths(kn_option_string(o, "depths"), plan, error);
    return status == KN_OK ? read_side(kn_option_string(o, "side"), task->game, plan, error) : status;
}

/* ---- the curve ---- */

/* A match of the search with the weights of the file; by default against the same search with `others`. */
static KnStatus measure(const KnLearnerTask *task, const KnTdPlan *plan, const char *file, const char *others,
                        double x, KnTrainingRun *run, KnError *error)
{
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    const char *against = kn_learner_text(task, "against");
    kn_text_printf(&first, "alphabeta(depth=%d, memory=1, eval=features(weights=", plan->depths[0]);
    kn_text_add_quoted(&first, file);
    kn_text_add(&first, "))");
    if (against)
        kn_text_add(&second, against);
    else {
        kn_text_printf(&second, "alphabeta(depth=%d, memory=1, eval=features(weights=", plan->depths[0]);
        kn_text_add_quoted(&second, others);
        kn_text_add(&second, "))");
    }
    KnMatchPlan match = {.game = task->game->spec,
                         .players = {first.data, second.data},
                         .games = (uint64_t)kn_option_integer(task->options, "against-games"),
                         .seed = kn_mix64(plan->seed ^ 0x7d1ea), /* not the games that it learned from */
                         .jobs = plan->jobs,
                         .openings = plan->openings,
                         .random_plies = plan->random_plies ? plan->random_plies : 4,
                         .tables = plan->tables,
                         .rules = {.ply_limit = plan->ply_limit, .cancel = plan->cancel}};
    KnStatus status = kn_match_measure(task->context, &match, x, run, error);
    kn_text_free(&first);
    kn_text_free(&second);
    return status;
}

/* ---- td ---- */

/* A line for each block of games: how they went, and how far predictions still move. */
static void note_block(void *user, const json_t *curve)
{
    const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
    double score = json_number_value(json_array_get(last, 1));
    KnText line = KN_TEXT_EMPTY;
    kn_text_printf(&line, "%7.0f games: %4.1f %% of points %-20.*s| predictions move by %.3f a turn",
                   json_number_value(json_array_get(last, 0)), 100 * score, (int)(20 * score + 0.5),
                   "####################", json_number_value(json_array_get(last, 2)));
    kn_training_run_note(user, line.data);
    kn_text_free(&line);
}

/* The games after which point `part` of `parts` is measured: whole batches, so that measuring changes
 * nothing. */
static uint64_t games_until(const KnTdPlan *plan, uint64_t part, uint64_t parts)
{
    uint64_t games = plan->games * (part + 1) / parts, batch = (uint64_t)plan->batch;
    games = (games + batch - 1) / batch * batch;
    return games < plan->games ? games : plan->games;
}

/* Takes up weights that another run has learned with the same options. */
static KnStatus take_up(const KnLearnerTask *task, const char *file, KnError *error)
{
    const char *from = kn_option_string(task->options, "from");
    KnText bytes = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    if (!from || kn_file_exists(file)) return KN_OK;
    kn_context_file(task->context, from, &path);
    KnStatus status = kn_file_read(path.data, &bytes, (size_t)1 << 28, error);
    if (status == KN_OK) status = kn_file_write_atomic(file, bytes.data, bytes.length, error);
    kn_text_free(&bytes);
    kn_text_free(&path);
    return status;
}

/* The weights at this point of the curve, means over phases and sets,: {"games", "unit", "weights": {name:
 * weight}}. */
static KnStatus note_weights(const KnWeights *weights, uint64_t games, KnTrainingRun *run, KnError *error)
{
    const KnFeatureSet *features = weights->features;
    json_t *row = json_object();
    for (int f = features->fixed; f < features->count; f++) {
        double sum = 0;
        for (int s = 0; s < weights->count; s++)
            for (int phase = 0; phase < features->phases; phase++)
                sum += weights->sets[s].weights[phase * features->count + f];
        json_object_set_new(row, features->features[f].name,
                            json_real(sum / (weights->count * features->phases)));
    }
    return kn_training_run_also(run, "weights",
                                json_pack("{sI ss so}", "games", (json_int_t)games, "unit",
                                          kn_feature_set_unit(features), "weights", row),
                                error);
}

static KnStatus train_td(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    KnTdPlan plan;
    KnText file = KN_TEXT_EMPTY;
    kn_training_run_path(run, WEIGHTS, &file);
    KnStatus status = td_plan(task, &plan, error);
    if (status == KN_OK) status = take_up(task, file.data, error);
    const KnTdPlan whole = plan;
    uint64_t wanted = task->points ? (uint64_t)task->points : 1,
             parts = whole.games < wanted ? whole.games : wanted, done = kn_training_run_points(run);
    kn_progress_add_total(task->progress, whole.games);
    if (done) kn_progress_skip(task->progress, games_until(&whole, done - 1, parts));
    if (!task->points) {
        plan.block = note_block;
        plan.user = run;
    }
    for (uint64_t part = done; part < parts && status == KN_OK; part++) {
        KnWeights *weights = NULL;
        plan.games = games_until(&whole, part, parts);
        status = kn_td_train(task->context, task->game, &plan, file.data,
                             task->points ? NULL : task->progress, &weights, error);
        if (status == KN_OK && task->points) status = note_weights(weights, plan.games, run, error);
        kn_weights_free(weights);
        if (status != KN_OK || !task->points) continue;
        status = measure(task, &plan, file.data, "zero", (double)plan.games, run, error);
        kn_progress_tick(task->progress, plan.games - (part ? games_until(&whole, part - 1, parts) : 0));
    }
    kn_text_free(&file);
    return status;
}

#define START_OPTIONS                                                                                        \
    {"start",                                                                                                \
     KN_OPTION_STRING,                                                                                       \
     "",                                                                                                     \
     0,                                                                                                      \
     0,                                                                                                      \
     KN_OPTION_FILE,                                                                                         \
     "weights to start from, a name or a file (default: zero)"},                                             \
        {"terms",                                                                                            \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "feature set: one that the game has, or features (default: the game's first)"},                     \
        {"openings",                                                                                         \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         KN_OPTION_FILE,                                                                                     \
         "openings, one in each line; each is played from both sides"},                                      \
        {"random-plies", KN_OPTION_INTEGER, "4", 0, 1000, NULL, "random moves at the start of each game"},   \
        {"tables",                                                                                           \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "folder of endgame tables, on for those of the data folder: searches use them, and a position "     \
         "that "                                                                                             \
         "they know ends the game"},                                                                         \
        {"plies", KN_OPTION_INTEGER, "400", 1, 100000, NULL, "a game of this many plies is a draw"},         \
        {"memory", KN_OPTION_REAL, "1", 0.01, 65536, NULL, "MiB of a search's transposition table"},         \
        {"against",                                                                                          \
         KN_OPTION_SPEC,                                                                                     \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         "player",                                                                                           \
         "opponent in the matches of the curve (default: the same search with untrained weights)"},          \
    {                                                                                                        \
        "against-games", KN_OPTION_INTEGER, "60", 2, 1000000, NULL, "games of each match of the curve"       \
    }

static const KnOption td_options[] = {
    {"depth", KN_OPTION_INTEGER, "3", 1, 100, NULL,
     "search depth, in training and in the matches of the curve; the paper has 5 and more"},
    {"games", KN_OPTION_INTEGER, "400", 1, 100000000, NULL, "games to learn from; the paper has thousands"},
    {"alpha", KN_OPTION_REAL, "0.03", 0, 100, NULL,
     "step size, one man as the unit; the paper has 0.01, for thousands of games"},
    {"lambda", KN_OPTION_REAL, "0.95", 0, 1, NULL, "decay of eligibility from move to move"},
    {"scale", KN_OPTION_REAL, "100", 1e-3, 1e9, NULL,
     "a prediction is tanh(score / scale), in hundredths of a man or point"},
    {"at", KN_OPTION_CHOICE, "leaf", 0, 0, "leaf|root",
     "gradient at the leaf of the principal variation (TDLeaf) or at the position itself (TD)"},
    {"depths", KN_OPTION_STRING, "", 0, 0, NULL, "several depths, taken in turn, such as 3,5"},
    {"teacher", KN_OPTION_SPEC, "", 0, 0, "player", "play against this player (default: against itself)"},
    {"batch", KN_OPTION_INTEGER, "1", 1, 4096, NULL,
     "games between two updates of the weights; as many threads can play at the same time"},
    {"by", KN_OPTION_STRING, "", 0, 0, NULL,
     "separate weights by a list of side, depth, opening (its first move)"},
    {"side", KN_OPTION_STRING, "", 0, 0, NULL, "learn as this side only (default: both sides in turn)"},
    {"from", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "continue from this file, learned with the same options and fewer games"},
    START_OPTIONS,
    {0}};

const KnLearnerType kn_learner_td = {
    .head = {"td", "the weights of an evaluation, by temporal differences (Schaeffer, Hlynka & Jussila 2001)",
             td_options},
    .paper = "schaeffer-2001",
    .file = WEIGHTS,
    .x = "games",
    .y = "points",
    .measures = "The share of points in a match against the same search with weights of zero.",
    .low = 0,
    .high = 1,
    .chance = 0.5,
    .points = 20,
    .trial = "depth=1, games=4, plies=60, against-games=4",
    .examples = "checkers --out weights.json\n"
                "checkers --depth 5 --games 4000 --alpha .01 --out chk.json\n"
                "checkers --teacher 'alphabeta(depth=5, eval=features(weights=chinook-original))' --by side "
                "--out taught.json\n"
                "checkers --load chinook-original --show",
    .suits = suits,
    .train = train_td,
    .player = player,
    .explain = explain,
};

/* ---- regress ---- */

/* The games of a regression are played in one go: an interrupted one starts again. */
static KnStatus train_regress(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    enum { BATCH = 64 }; /* the weights do not move: batches only let threads play at the same time */
    KnTdPlan plan = plan_of(task);
    KnWeights *weights = NULL;
    KnText file = KN_TEXT_EMPTY;
    double loss[2] = {0, 0};
    kn_training_run_path(run, WEIGHTS, &file);
    plan.batch = BATCH;
    kn_progress_add_total(task->progress, plan.games);
    KnStatus status = kn_td_regress(task->context, task->game, &plan, kn_option_real(task->options, "ridge"),
                                    task->progress, &weights, loss, error);
    if (status == KN_OK) status = kn_weights_save(weights, file.data, error);
    kn_weights_free(weights);
    if (status == KN_OK)
        status = kn_training_run_also(
            run, "error",
            json_pack("{sI sf sf}", "games", (json_int_t)plan.games, "before", loss[0], "fitted", loss[1]),
            error);
    if (status == KN_OK && task->points)
        status = measure(task, &plan, file.data, plan.start ? plan.start : "zero", (double)plan.games, run,
                         error);
    kn_text_free(&file);
    return status;
}

static const KnOption regress_options[] = {
    {"depth", KN_OPTION_INTEGER, "3", 1, 100, NULL, "search depth of the games"},
    {"games", KN_OPTION_INTEGER, "1000", 1, 10000000, NULL, "games that the search plays against itself"},
    {"scale", KN_OPTION_REAL, "100", 1e-3, 1e9, NULL, "an outcome is predicted as tanh(score / scale)"},
    {"ridge", KN_OPTION_REAL, "0.005", 1e-12, 1e12, NULL, "ridge penalty that draws weights towards 0"},
    START_OPTIONS,
    {0}};

const KnLearnerType kn_learner_regress = {
    .head = {"regress", "the weights of an evaluation, by least squares on the outcomes of games",
             regress_options},
    .file = WEIGHTS,
    .x = "games",
    .y = "points",
    .measures = "The share of points in a match against the same search with the weights before the fit.",
    .low = 0,
    .high = 1,
    .chance = 0.5,
    .points = 1,
    .trial = "depth=1, games=4, plies=60, against-games=4",
    .examples = "checkers --games 2000 --depth 5 --start chinook-original --out fitted.json\n"
                "othello --depth 2 --games 500 --out oth.json --show",
    .suits = suits,
    .train = train_regress,
    .player = player,
    .explain = explain,
};
