/* The learners of allocation policies: `allocation`, when a deep search is worth its cost (Markovitch & Sella
 * 1996); `pace`, how many positions a move deserves under a clock; `trust`, when the move of an experience
 * base needs no search (both papers together). All three grow a tree over features of positions from games of
 * self-play. */
#include <math.h>
#include <string.h>

#include "arena/identity.h"
#include "base/file.h"
#include "games/turns.h"
#include "methods/allocation/train.h"
#include "methods/registry.h"
#include "players/sequential_view.h"

static KnStatus suits_player(const KnContext *context, const char *name, const KnGame *game, KnError *error)
{
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, name);
    if (!type) return kn_fail(error, KN_INPUT, "needs the player %s, which is not registered", name);
    KnStatus status = kn_player_suits(type, game, error);
    if (status == KN_OK && game->roles - (game->nature >= 0) != 2)
        return kn_fail(error, KN_INPUT, "needs two players who take turns");
    return status;
}

static KnStatus suits_allocation(const KnContext *context, const KnGame *game, KnError *error)
{
    return suits_player(context, "allocate", game, error);
}

static KnStatus suits_pace(const KnContext *context, const KnGame *game, KnError *error)
{
    return suits_player(context, "clock", game, error);
}

static KnStatus suits_trust(const KnContext *context, const KnGame *game, KnError *error)
{
    return suits_player(context, "experience", game, error);
}

/* The game with players who take turns: itself, or a view of a game description in *view. */
static KnStatus in_turns(const KnGame *game, KnGame **view, const KnGame **turns, KnError *error)
{
    KnStatus status = kn_game_turns(game, view, error);
    *turns = *view ? *view : game;
    return status;
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnGame *view = NULL;
    const KnGame *game;
    KnLearnedPolicy *learned = NULL;
    KnStatus status = in_turns(task->game, &view, &game, error);
    if (status == KN_OK) status = kn_learned_policy_load(file, game, &learned, error);
    if (status == KN_OK) {
        *explanation = kn_learned_policy_explain(learned, true, arena);
        if (!*explanation) status = kn_fail_memory(error, "showing a policy");
    }
    kn_learned_policy_free(learned);
    kn_game_close(view);
    return status;
}

/* ---- what the three have in common ---- */

enum { LEAST_BY_CUTS = 50 }; /* examples of a leaf */

static void grow_by_cuts(KnPolicyTraining *t, bool regression)
{
    t->plan.cuts = true;
    t->plan.measure = regression ? KN_TREE_VARIANCE : KN_TREE_INFORMATION;
    t->by_value = regression;
    if (!t->plan.least) t->plan.least = LEAST_BY_CUTS;
}

static KnStatus read_features(const KnLearnerTask *task, const KnGame *game, KnPolicyTraining *t,
                              KnError *error)
{
    static const char *const words[] = {"game", "general", "budget", "cells", "search", NULL};
    t->game_features = !kn_option_string(task->options, "features") && game->feature_count > 0;
    t->general_features = !kn_option_string(task->options, "features") && !t->game_features;
    return kn_learner_words(task, "features", words,
                            (bool *const[]){&t->game_features, &t->general_features, &t->budget_features,
                                            &t->cell_features, &t->search_features},
                            error);
}

/* The digest of what the inner player's spec names, in the arena; NULL if it names no file. */
static KnStatus contents_of(const KnLearnerTask *task, const char *inner, const char **contents,
                            KnError *error)
{
    char hex[KN_HEX128];
    KnStatus status = kn_identity_contents(task->context, inner, hex, NULL, error);
    *contents = status == KN_OK && hex[0] ? kn_arena_string(task->arena, hex) : NULL;
    return status;
}

static KnStatus training_of(const KnLearnerTask *task, const KnGame *game, KnPolicyTraining *t,
                            KnError *error)
{
    const KnOptions *o = task->options;
    *t = (KnPolicyTraining){.play = {.inner = kn_learner_text(task, "inner"),
                                     .moves = (int)kn_option_integer(o, "moves"),
                                     .judge = kn_option_real(o, "judge"),
                                     .random_plies = (int)kn_option_integer(o, "random-plies"),
                                     .explore = kn_option_real(o, "explore"),
                                     .seed = task->seed,
                                     .jobs = task->jobs,
                                     .cancel = task->cancel},
                            .tree = (uint64_t)kn_option_integer(o, "examples"),
                            .relief = (uint64_t)kn_option_integer(o, "relief"),
                            .enrich = (uint64_t)kn_option_integer(o, "enrich"),
                            .patterns = (int)kn_option_integer(o, "patterns"),
                            .expansions = (int)kn_option_integer(o, "expansions"),
                            .keep = kn_option_real(o, "keep"),
                            .eval = kn_learner_text(task, "eval"),
                            .terms = kn_option_string(o, "terms"),
                            .plan = {.measure = KN_TREE_INFORMATION,
                                     .least = (size_t)kn_option_integer(o, "least"),
                                     .depth = (int)kn_option_integer(o, "depth")},
                            .decide = KN_BY_THRESHOLD};
    kn_policy_training_complete(t); /* -1 is KN_BY_EXAMPLES */
    KnStatus status = contents_of(task, t->play.inner, &t->play.contents, error);
    return status == KN_OK ? read_features(task, game, t, error) : status;
}

/* How a row sets the rest of the training from its own options. */
typedef KnStatus (*Complete)(const KnLearnerTask *task, KnTrainingRun *run, KnPolicyTraining *t,
                             KnError *error);

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, Complete complete, KnError *error)
{
    KnGame *view = NULL;
    const KnGame *game;
    KnPolicyTraining t;
    KnStatus status = in_turns(task->game, &view, &game, error);
    if (status == KN_OK) status = training_of(task, game, &t, error);
    if (status == KN_OK) status = complete(task, run, &t, error);
    if (status == KN_OK)
        status = kn_policy_training_run(task->context, game, &t, task->points,
                                        kn_option_string(task->options, "store"), run, task->progress, error);
    kn_game_close(view);
    return status;
}

#define PLAY_OPTIONS(random_plies, probability, explored)                                                    \
    {"moves", KN_OPTION_INTEGER, "40", 1, 5000, NULL, "moves of each side in a game of self-play"},          \
        {"judge",                                                                                            \
         KN_OPTION_REAL,                                                                                     \
         "0",                                                                                                \
         0,                                                                                                  \
         1e9,                                                                                                \
         NULL,                                                                                               \
         "material lead that wins a game that is not over by then; 0: none"},                                \
        {"random-plies",                                                                                     \
         KN_OPTION_INTEGER,                                                                                  \
         random_plies,                                                                                       \
         0,                                                                                                  \
         1000,                                                                                               \
         NULL,                                                                                               \
         "random moves at the start of each game"},                                                          \
    {                                                                                                        \
        "explore", KN_OPTION_REAL, probability, 0, 1, NULL, explored                                         \
    }

#define EXAMPLE_OPTIONS(examples, relief, enrich)                                                            \
    {"examples",                                                                                             \
     KN_OPTION_INTEGER,                                                                                      \
     examples,                                                                                               \
     1,                                                                                                      \
     100000000,                                                                                              \
     NULL,                                                                                                   \
     "positions from which the tree grows; the paper has 100000"},                                           \
        {"relief",                                                                                           \
         KN_OPTION_INTEGER,                                                                                  \
         relief,                                                                                             \
         -1,                                                                                                 \
         1000000,                                                                                            \
         NULL,                                                                                               \
         "positions for RELIEF, which drops features, and for patterns; 0: keep all; -1: a tenth of "        \
         "examples"},                                                                                        \
        {"enrich",                                                                                           \
         KN_OPTION_INTEGER,                                                                                  \
         enrich,                                                                                             \
         -1,                                                                                                 \
         100000000,                                                                                          \
         NULL,                                                                                               \
         "further positions that only count in the leaves; -1: five times examples"},                        \
        {"store", KN_OPTION_STRING, "", 0, 0, NULL, "folder that keeps the examples for other trainings"},   \
        {"features",                                                                                         \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "a list of game, general, budget, cells, search (default: game, or general if it has none)"},       \
        {"terms",                                                                                            \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "a feature set of the game as further features, such as threats in checkers"},                      \
        {"eval",                                                                                             \
         KN_OPTION_SPEC,                                                                                     \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         "evaluation",                                                                                       \
         "evaluation for the general features (default: the game's)"},                                       \
        {"keep", KN_OPTION_REAL, "0", -1, 1, NULL, "RELIEF weight from which a feature is kept"},            \
        {"patterns",                                                                                         \
         KN_OPTION_INTEGER,                                                                                  \
         "0",                                                                                                \
         0,                                                                                                  \
         KN_PATTERNS_MAX,                                                                                    \
         NULL,                                                                                               \
         "board patterns to learn as further features"},                                                     \
    {                                                                                                        \
        "expansions", KN_OPTION_INTEGER, "1000", 1, 100000, NULL,                                            \
            "patterns that the search for patterns makes more special"                                       \
    }

#define TREE_OPTIONS(least, leasts)                                                                          \
    {"least", KN_OPTION_INTEGER, least, 0, 100000000, NULL, leasts},                                         \
    {                                                                                                        \
        "depth", KN_OPTION_INTEGER, "0", 0, 100, NULL, "maximum depth of the tree; 0: no limit"              \
    }

#define INNER_OPTION                                                                                         \
    {                                                                                                        \
        "inner", KN_OPTION_SPEC, "alphabeta", 0, 0, "player", "the player that searches; its depth is set"   \
    }

static const char share_found[] = "share found";

/* ---- allocation ---- */

enum { TREE_CUTS, TREE_ID3, TREE_REGRESSION };

static KnStatus complete_allocation(const KnLearnerTask *task, KnTrainingRun *run, KnPolicyTraining *t,
                                    KnError *error)
{
    (void)run;
    const KnOptions *o = task->options;
    int tree = kn_option_choice(o, "learner");
    t->play.k = (int)kn_option_integer(o, "shallow");
    t->play.n = (int)kn_option_integer(o, "extra");
    t->plan.confidence = kn_option_real(o, "confidence");
    t->decide = (KnDecideBy)kn_option_choice(o, "decide");
    t->points = kn_option_choice(o, "worth") == 1;
    t->boost = (int)kn_option_integer(o, "boost");
    if (tree != TREE_ID3) grow_by_cuts(t, tree == TREE_REGRESSION);
    if ((t->points || t->boost) && !t->by_value)
        return kn_fail(error, KN_USAGE, "worth=points and boost need learner=regression");
    return KN_OK;
}

static KnStatus train_allocation(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    return train(task, run, complete_allocation, error);
}

static void play_allocation(const KnOptions *options, const char *file, KnText *spec)
{
    KnSpec inner = *kn_option_spec(options, "inner");
    inner.key = NULL;
    kn_text_add(spec, "allocate(");
    kn_spec_print(&inner, spec);
    kn_text_printf(spec, ", k=%ld, n=%ld, policy=learned(", kn_option_integer(options, "shallow"),
                   kn_option_integer(options, "extra"));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static const KnOption allocation_options[] = {
    INNER_OPTION,
    {"shallow", KN_OPTION_INTEGER, "4", 1, 100, NULL, "depth k of a shallow search"},
    {"extra", KN_OPTION_INTEGER, "2", 1, 50, NULL, "a deep search goes n plies deeper"},
    EXAMPLE_OPTIONS("5000", "-1", "-1"),
    {"learner", KN_OPTION_CHOICE, "cuts", 0, 0, "cuts|id3|regression",
     "the tree: binary cuts of ranges, ID3 as in the paper, or a regression tree of the utility"},
    {"worth", KN_OPTION_CHOICE, "evaluation", 0, 0, "evaluation|points",
     "what regression learns: the utility in units of the evaluation, or in points of the game"},
    {"boost", KN_OPTION_INTEGER, "0", 0, 10000, NULL,
     "regression trees to boost first, which the one tree then imitates"},
    {"decide", KN_OPTION_CHOICE, "threshold", 0, 0, "majority|threshold|plan",
     "decide by the majority of the leaf, by a threshold that depends on the budget left (equation 5), or by "
     "optimal stopping"},
    {"confidence", KN_OPTION_REAL, "0", 0, 0.9999999, NULL,
     "ID3: chi-square confidence that a split needs, such as 0.99; 0: no test"},
    TREE_OPTIONS("0", "examples that a node needs to be split; 0: none for ID3, 50 in a leaf by cuts"),
    PLAY_OPTIONS("0", "0", "probability of playing the deep search's move: an experiment for worth=points"),
    {0}};

const KnLearnerType kn_learner_allocation = {
    .head = {"allocation", "when a deep search is worth its cost (Markovitch & Sella 1996)",
             allocation_options},
    .paper = "markovitch-1996",
    .file = KN_POLICY_FILE,
    .x = "examples",
    .y = share_found,
    .measures =
        "Of the positions in which a deep search is worth its cost, the share that the policy finds if "
        "it may search a fifth of all positions deep.",
    .low = 0,
    .high = 1,
    .chance = 0.2,
    .points = 15,
    .trial = "inner=alphabeta(memory=1), shallow=1, extra=1, examples=40, relief=0, enrich=0, moves=31, "
             "random-plies=2",
    .examples =
        "checkers --inner 'alphabeta(eval=trade, -quiescence)' --out tree.json\n"
        "othello -k 2 -n 2 --moves 30 --examples 20000 --enrich 50000 --patterns 8 --out othello.json\n"
        "checkers --load tree.json --show\n"
        "checkers --into runs --seeds 3",
    .suits = suits_allocation,
    .train = train_allocation,
    .player = play_allocation,
    .explain = explain,
};

/* ---- pace ---- */

static KnStatus complete_pace(const KnLearnerTask *task, KnTrainingRun *run, KnPolicyTraining *t,
                              KnError *error)
{
    (void)run, (void)error;
    const KnOptions *o = task->options;
    uint64_t units = (uint64_t)kn_option_integer(o, "units"), step = (uint64_t)kn_option_integer(o, "step");
    t->play.k = 4; /* not used under a clock, but part of the record of how examples were made */
    t->play.n = 2;
    t->play.classes = (KnBudgetClasses){.units = units,
                                        .step = step        ? step
                                                : units / 4 ? units / 4
                                                            : 1,
                                        .below = (int)kn_option_integer(o, "below"),
                                        .above = (int)kn_option_integer(o, "above")};
    t->boost = (int)kn_option_integer(o, "boost");
    grow_by_cuts(t, true);
    return KN_OK;
}

static KnStatus train_pace(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    return train(task, run, complete_pace, error);
}

static void play_pace(const KnOptions *options, const char *file, KnText *spec)
{
    KnSpec inner = *kn_option_spec(options, "inner");
    inner.key = NULL;
    kn_text_add(spec, "clock(");
    kn_spec_print(&inner, spec);
    kn_text_printf(spec, ", units=%ld, moves=%ld, pace=learned, file=",
                   kn_option_integer(options, "units") * kn_option_integer(options, "moves"),
                   kn_option_integer(options, "moves"));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ")");
}

static const KnOption pace_options[] = {
    INNER_OPTION,
    {"units", KN_OPTION_INTEGER, "300", 1, 1000000000, NULL, "positions of an average move"},
    {"step", KN_OPTION_INTEGER, "0", 0, 1000000000, NULL,
     "positions from one class of budgets to the next; 0: a quarter of units"},
    {"below", KN_OPTION_INTEGER, "3", 0, KN_BUDGET_CLASSES_MAX, NULL, "classes of budgets below units"},
    {"above", KN_OPTION_INTEGER, "4", 0, KN_BUDGET_CLASSES_MAX, NULL, "classes of budgets above units"},
    EXAMPLE_OPTIONS("2000", "0", "4000"),
    {"boost", KN_OPTION_INTEGER, "0", 0, 10000, NULL,
     "regression trees to boost first, which the one tree then imitates"},
    TREE_OPTIONS("0", "examples of a leaf at least; 0: 50"),
    PLAY_OPTIONS("0", "0", "probability of playing the deep search's move"),
    {0}};

const KnLearnerType kn_learner_pace = {
    .head = {"pace", "how many positions each move deserves, for a player with a clock", pace_options},
    .paper = "markovitch-1996",
    .file = KN_POLICY_FILE,
    .x = "examples",
    .y = share_found,
    .measures = "Of the positions that need more than an average search, the share that the policy finds in "
                "the fifth that it ranks first.",
    .low = 0,
    .high = 1,
    .chance = 0.2,
    .points = 15,
    .trial = "inner=alphabeta(memory=1), units=4000, below=2, above=0, examples=4, enrich=0, moves=31, "
             "random-plies=2",
    .examples =
        "checkers --inner 'alphabeta(eval=trade, -quiescence)' --judge 4 --units 300 --out paced.json\n"
        "checkers --load paced.json --show",
    .suits = suits_pace,
    .train = train_pace,
    .player = play_pace,
    .explain = explain,
};

/* ---- trust ---- */

static const char BASE_SUFFIX[] = ".mdb";

/* The experience base that is judged: the one that is named, or one that is learned first, beside the
 * policy. */
static KnStatus find_base(const KnLearnerTask *task, const KnTrainingRun *run, const char **base,
                          KnError *error)
{
    const char *named = kn_option_string(task->options, "base");
    KnText path = KN_TEXT_EMPTY, learner = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    if (named)
        kn_context_file(task->context, named, &path);
    else {
        kn_training_run_path(run, KN_POLICY_FILE, &path);
        kn_text_add(&path, BASE_SUFFIX);
    }
    if (!named && !kn_file_exists(path.data)) {
        kn_text_printf(&learner,
                       "experience(inner=%s, against=noisy(%s, epsilon=0.1), rule=expect, games=%ld, "
                       "random-plies=%ld, plies=%ld)",
                       kn_learner_text(task, "player"), kn_learner_text(task, "player"),
                       kn_option_integer(task->options, "games"),
                       kn_option_integer(task->options, "random-plies"),
                       2 * kn_option_integer(task->options, "moves"));
        KnTrainResult result;
        KnTrainPlan plan = {.learner = learner.data,
                            .game = task->game->spec,
                            .seed = task->seed,
                            .jobs = task->jobs,
                            .out = path.data,
                            .cancel = task->cancel};
        status = kn_train(task->context, &plan, &result, error);
        kn_train_result_free(&result);
    }
    *base = kn_arena_string(task->arena, path.data);
    kn_text_free(&path);
    kn_text_free(&learner);
    return status;
}

static KnStatus complete_trust(const KnLearnerTask *task, KnTrainingRun *run, KnPolicyTraining *t,
                               KnError *error)
{
    const KnOptions *o = task->options;
    uint64_t units = (uint64_t)kn_option_integer(o, "units"),
             judging = (uint64_t)kn_option_integer(o, "judging");
    t->play.k = 4; /* not used here, but part of the record of how examples were made */
    t->play.n = 2;
    t->play.trust.nodes = units;
    t->play.trust.judging = judging ? judging : units / 4 ? units / 4 : 1;
    t->decide = KN_BY_MAJORITY;
    grow_by_cuts(t, kn_option_choice(o, "learner") == 0);
    if (!kn_option_string(o, "base")) t->play.trust.name = "learned with the policy";
    return find_base(task, run, &t->play.trust.base, error);
}

static KnStatus train_trust(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    return train(task, run, complete_trust, error);
}

static void play_trust(const KnOptions *options, const char *file, KnText *spec)
{
    KnSpec player = *kn_option_spec(options, "player");
    const char *base = kn_option_string(options, "base");
    KnText beside = KN_TEXT_EMPTY;
    player.key = NULL;
    kn_text_printf(&beside, "%s%s", file, BASE_SUFFIX);
    kn_text_add(spec, "experience(");
    kn_spec_print(&player, spec);
    kn_text_add(spec, ", base=");
    kn_text_add_quoted(spec, base ? base : beside.data);
    kn_text_add(spec, ", rule=trust, file=");
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ")");
    kn_text_free(&beside);
}

static const KnOption trust_options[] = {
    INNER_OPTION,
    {"units", KN_OPTION_INTEGER, "400", 1, 1000000000, NULL, "positions of the search that would be saved"},
    {"judging", KN_OPTION_INTEGER, "0", 0, 1000000000, NULL,
     "positions per move of the games that compare the base's move with the search's; 0: a quarter of units"},
    {"base", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "the experience base (default: one is learned first)"},
    {"games", KN_OPTION_INTEGER, "200", 1, 10000000, NULL, "without base: games that it is learned from"},
    {"player", KN_OPTION_SPEC, "alphabeta(depth=2)", 0, 0, "player",
     "without base: the player that fills it; also the search of the resulting player"},
    EXAMPLE_OPTIONS("1000", "0", "0"),
    {"learner", KN_OPTION_CHOICE, "regression", 0, 0, "regression|cuts",
     "the tree: of the points that a search gains, or of whether it gains any"},
    TREE_OPTIONS("100", "examples of a leaf at least"),
    PLAY_OPTIONS("2", "0.5", "probability of playing the search's move, not the base's"),
    {0}};

const KnLearnerType kn_learner_trust = {
    .head = {"trust", "when the move of an experience base needs no search", trust_options},
    .file = KN_POLICY_FILE,
    .suffix = BASE_SUFFIX,
    .x = "examples",
    .y = share_found,
    .measures =
        "Of the known positions in which a search gains something, the share that the policy finds in "
        "the fifth that it ranks first.",
    .low = 0,
    .high = 1,
    .chance = 0.2,
    .points = 5,
    .trial =
        "inner=alphabeta(memory=1), units=50, examples=40, games=4, player=alphabeta(depth=1, memory=1), "
        "moves=31, random-plies=0, least=5, features=\"game,general\"",
    .examples = "'othello(size=6)' --moves 18 --out trust.json\n"
                "'othello(size=6)' --base six.mdb --units 400 --examples 2000 --out trust.json\n"
                "'othello(size=6)' --load trust.json --show",
    .suits = suits_trust,
    .train = train_trust,
    .player = play_trust,
    .explain = explain,
};
