/* knack train allocation: learns a policy for the players `allocate` and `clock`, and for
 * `experience(rule=trust)`. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/train.h"
#include "games/turns.h"
#include "players/allocation/train.h"

typedef struct Arguments {
    CliCommon common;
    CliShared shared;
    KnTraining training;
    const char *store;
    bool features_given, explore_given;
} Arguments;

enum {
    KEY_MOVES = 0x100,
    KEY_JUDGE,
    KEY_RANDOM,
    KEY_INNER,
    KEY_EXAMPLES,
    KEY_RELIEF,
    KEY_ENRICH,
    KEY_KEEP,
    KEY_PATTERNS,
    KEY_EXPANSIONS,
    KEY_FEATURES,
    KEY_TERMS,
    KEY_EVAL,
    KEY_LEARNER,
    KEY_DECIDE,
    KEY_LEAST,
    KEY_DEPTH,
    KEY_CONFIDENCE,
    KEY_WORTH,
    KEY_BOOST,
    KEY_EXPLORE,
    KEY_UNITS,
    KEY_STEP,
    KEY_BELOW,
    KEY_ABOVE,
    KEY_STORE,
    KEY_BASE,
    KEY_JUDGING
};

static const struct argp_option options[] = {
    {"inner", KEY_INNER, "PLAYER", 0, "The player that searches (default alphabeta)", 2},
    {"shallow", 'k', "K", 0, "Depth of a shallow search (default 4)", 2},
    {"extra", 'n', "N", 0, "How many plies deeper a deep search goes (default 2)", 2},
    {"moves", KEY_MOVES, "M", 0, "Moves of each side in a game of self-play (default 40)", 2},
    {"judge", KEY_JUDGE, "LEAD", 0, "Material lead that wins a game that is not over by then (default: none)",
     2},
    {"random-plies", KEY_RANDOM, "N", 0, "Random moves at the beginning of each game (default 0)", 2},
    {"explore", KEY_EXPLORE, "P", 0,
     "With this probability the deep search's move is played: an experiment for --worth points (default 0); "
     "with --base the search's move, not the base's (default .5)",
     2},
    {"units", KEY_UNITS, "T", 0,
     "Learn for `clock` how many positions a move deserves, around this number, instead of depths", 2},
    {"step", KEY_STEP, "E", 0, "From one class of budgets to the next (default: a quarter of --units)", 2},
    {"below", KEY_BELOW, "L", 0, "Classes below --units (default 3)", 2},
    {"above", KEY_ABOVE, "Q", 0, "Classes above --units (default 4)", 2},
    {"base", KEY_BASE, "FILE", 0,
     "Learn for `experience(rule=trust)` when a move that this base knows may stand for a search of --units "
     "positions (default 400)",
     2},
    {"judging", KEY_JUDGING, "N", 0,
     "With --base: positions a move of the games that are played on after the search's move and the base's, "
     "to see which is better (default: a quarter of --units)",
     2},
    {"examples", KEY_EXAMPLES, "N", 0, "Examples for the tree (default 100000)", 3},
    {"relief", KEY_RELIEF, "N", 0,
     "Examples for RELIEF and for patterns; 0: keep all features (default 10000)", 3},
    {"enrich", KEY_ENRICH, "N", 0, "Further examples that only count in the leaves (default 500000)", 3},
    {"store", KEY_STORE, "DIR", 0, "Keep the examples there, and take those that are there", 3},
    {"features", KEY_FEATURES, "LIST", 0,
     "From where: game, general, budget, cells (default: game, or general if it has none)", 4},
    {"terms", KEY_TERMS, "SET", 0,
     "A set of the game's terms as further features, such as threats in draughts", 4},
    {"eval", KEY_EVAL, "EVALUATION", 0, "For the general features (default: the game's)", 4},
    {"keep", KEY_KEEP, "WEIGHT", 0, "RELIEF's weight from which a feature is kept (default 0)", 4},
    {"patterns", KEY_PATTERNS, "N", 0, "Board patterns to learn as further features (default 0)", 4},
    {"expansions", KEY_EXPANSIONS, "N", 0,
     "Patterns to be made more special in the search for them (default 1000)", 4},
    {"learner", KEY_LEARNER, "id3|cuts|regression", 0,
     "ID3, a tree by cuts of the class, or one of the utility (default id3)", 5},
    {"worth", KEY_WORTH, "evaluation|points", 0,
     "What regression learns: the utility in units of the evaluation, or in points of the game (default "
     "evaluation)",
     5},
    {"boost", KEY_BOOST, "N", 0,
     "Boost so many regression trees first, for the one tree to imitate (default 0)", 5},
    {"decide", KEY_DECIDE, "threshold|majority|plan", 0,
     "By the share of the budget that is left, by the leaf alone, or by what a deep search would bring later "
     "(default threshold)",
     5},
    {"least", KEY_LEAST, "N", 0,
     "Examples that a node needs to be split, or a leaf by cuts must have (default 0; 50 by cuts)", 5},
    {"depth", KEY_DEPTH, "N", 0, "Of the tree at most (default: any)", 5},
    {"confidence", KEY_CONFIDENCE, "P", 0,
     "That a split of ID3 is not by chance, as .99 (default: not asked)", 5},
    {0}};

static int word_of(const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0) return i;
    return -1;
}

static void parse_features(KnTraining *training, const char *text, struct argp_state *state)
{
    static const char *const words[] = {"game", "general", "budget", "cells"};
    bool *const flags[] = {&training->game_features, &training->general_features, &training->budget_features,
                           &training->cell_features};
    training->game_features = false;
    for (const char *at = text; *at;) {
        char word[16];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        int found = word_of(word, words, 4);
        if (found < 0)
            argp_error(state, "--features wants a list of game, general, budget, cells, not \"%s\"", text);
        else
            *flags[found] = true;
        at += length + (at[length] == ',');
    }
}

static void parse_learner(KnTraining *training, const char *text, struct argp_state *state)
{
    static const char *const words[] = {"id3", "cuts", "regression"};
    int learner = word_of(text, words, 3);
    if (learner < 0) argp_error(state, "--learner wants id3, cuts or regression, not \"%s\"", text);
    training->plan.cuts = learner > 0;
    training->plan.measure = learner == 2 ? KN_TREE_VARIANCE : KN_TREE_INFORMATION;
    training->by_worth = learner == 2;
    if (training->plan.cuts && !training->plan.least) training->plan.least = 50;
}

/* With a base, --units is the search that would be saved; there are no classes of it. */
static void settle_trust(Arguments *a, struct argp_state *state)
{
    KnTraining *t = &a->training;
    if (t->points || t->boost)
        argp_error(state, "--worth points and --boost are for deep searches, not for --base");
    if (t->play.classes.step)
        argp_error(state, "--step is for classes of budgets, and with --base there are none");
    t->play.trust.nodes = t->play.classes.units ? t->play.classes.units : 400;
    t->play.classes.units = 0;
    if (!t->play.trust.judging) t->play.trust.judging = t->play.trust.nodes / 4 ? t->play.trust.nodes / 4 : 1;
    if (!a->explore_given) t->play.explore = 0.5;
    if (!t->plan.least) t->plan.least = 100;
    if (!t->plan.cuts) parse_learner(t, "regression", state);
    t->decide = KN_BY_MAJORITY;
}

static const struct argp_child children[] = {
    CLI_SHARES(cli_game_argp), CLI_SHARES(cli_out_argp),    CLI_SHARES(cli_show_argp),
    CLI_SHARES(cli_load_argp), CLI_SHARES(cli_course_argp), CLI_SHARES(cli_seed_argp),
    CLI_SHARES(cli_jobs_argp), CLI_SHARES(cli_common_argp), {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    KnTraining *t = &a->training;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case 'k':
        t->play.k = (int)cli_parse_count(state, "--shallow", arg, 1, 100);
        return 0;
    case 'n':
        t->play.n = (int)cli_parse_count(state, "--extra", arg, 1, 50);
        return 0;
    case KEY_MOVES:
        t->play.moves = (int)cli_parse_count(state, "--moves", arg, 1, 5000);
        return 0;
    case KEY_JUDGE:
        t->play.judge = cli_parse_real(state, "--judge", arg, 0, 1e9);
        return 0;
    case KEY_RANDOM:
        t->play.random_plies = (int)cli_parse_count(state, "--random-plies", arg, 0, 1000);
        return 0;
    case KEY_INNER:
        t->play.inner = arg;
        return 0;
    case KEY_EXPLORE:
        t->play.explore = cli_parse_real(state, "--explore", arg, 0, 1);
        a->explore_given = true;
        return 0;
    case KEY_BASE:
        t->play.trust.base = arg;
        return 0;
    case KEY_JUDGING:
        t->play.trust.judging = cli_parse_count(state, "--judging", arg, 1, 1000000000);
        return 0;
    case KEY_UNITS:
        t->play.classes.units = cli_parse_count(state, "--units", arg, 1, 1000000000);
        return 0;
    case KEY_STEP:
        t->play.classes.step = cli_parse_count(state, "--step", arg, 1, 1000000000);
        return 0;
    case KEY_BELOW:
        t->play.classes.below = (int)cli_parse_count(state, "--below", arg, 0, KN_CLASSES_MAX);
        return 0;
    case KEY_ABOVE:
        t->play.classes.above = (int)cli_parse_count(state, "--above", arg, 0, KN_CLASSES_MAX);
        return 0;
    case KEY_EXAMPLES:
        t->tree = cli_parse_count(state, "--examples", arg, 1, 100000000);
        return 0;
    case KEY_RELIEF:
        t->relief = cli_parse_count(state, "--relief", arg, 0, 1000000);
        return 0;
    case KEY_ENRICH:
        t->enrich = cli_parse_count(state, "--enrich", arg, 0, 100000000);
        return 0;
    case KEY_STORE:
        a->store = arg;
        return 0;
    case KEY_TERMS:
        t->terms = arg;
        return 0;
    case KEY_FEATURES:
        parse_features(t, arg, state);
        a->features_given = true;
        return 0;
    case KEY_EVAL:
        t->eval = arg;
        return 0;
    case KEY_KEEP:
        t->keep = cli_parse_real(state, "--keep", arg, -1, 1);
        return 0;
    case KEY_PATTERNS:
        t->patterns = (int)cli_parse_count(state, "--patterns", arg, 0, KN_PATTERNS_MAX);
        return 0;
    case KEY_EXPANSIONS:
        t->expansions = (int)cli_parse_count(state, "--expansions", arg, 1, 100000);
        return 0;
    case KEY_LEARNER:
        parse_learner(t, arg, state);
        return 0;
    case KEY_DECIDE: {
        int word = word_of(arg, kn_decide_names, KN_DECIDE_WAYS);
        if (word < 0) argp_error(state, "--decide wants threshold, majority or plan, not \"%s\"", arg);
        t->decide = (KnDecideBy)word;
        return 0;
    }
    case KEY_WORTH: {
        static const char *const words[] = {"evaluation", "points"};
        int word = word_of(arg, words, 2);
        if (word < 0) argp_error(state, "--worth wants evaluation or points, not \"%s\"", arg);
        t->points = word == 1;
        return 0;
    }
    case KEY_BOOST:
        t->boost = (int)cli_parse_count(state, "--boost", arg, 0, 10000);
        return 0;
    case KEY_LEAST:
        t->plan.least = cli_parse_count(state, "--least", arg, 0, 100000000);
        return 0;
    case KEY_DEPTH:
        t->plan.depth = (int)cli_parse_count(state, "--depth", arg, 1, 100);
        return 0;
    case KEY_CONFIDENCE:
        t->plan.confidence = cli_parse_real(state, "--confidence", arg, 0, 0.9999999);
        return 0;
    case ARGP_KEY_END:
        t->play.seed = a->shared.seed;
        t->play.jobs = a->shared.jobs;
        if (!a->shared.out && !a->shared.show && !a->shared.into)
            argp_error(state, "--out FILE or --show is wanted");
        if (a->shared.into && (a->shared.out || a->shared.show || a->shared.load || a->store))
            argp_error(
                state,
                "--into keeps everything in its folder; it goes without --out, --show, --load and --store");
        if (!t->play.trust.base && t->play.trust.judging) argp_error(state, "--judging goes with --base");
        if (t->play.trust.base)
            settle_trust(a, state);
        else if (t->play.classes.units) {
            if (t->points) argp_error(state, "--worth points is for depths, not for --units");
            if (!t->by_worth) parse_learner(t, "regression", state);
            if (!t->play.classes.step)
                t->play.classes.step = t->play.classes.units / 4 ? t->play.classes.units / 4 : 1;
        }
        if ((t->points || t->boost) && !t->by_worth)
            argp_error(state, "--worth points and --boost are for --learner regression");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Learns when a deep search is worth it, from games that a player plays against itself.\v"
    "A position is an example; it is positive if a shallow search may choose a move that a deep one would "
    "not. The policy is a tree over "
    "features of the position, for `allocate(..., policy=FILE)`; with --units for `clock(..., pace=learned, "
    "file=FILE)`, with --base for `experience(..., rule=trust, file=FILE)`. The same seed gives the same "
    "policy for any --jobs.\nExamples:\n"
    "  knack train allocation checkers --inner 'alphabeta(eval=trade, -quiescence)' --out tree.json\n"
    "  knack train allocation othello -k 2 -n 2 --moves 30 --examples 20000 --enrich 50000 --patterns 8 "
    "--out othello.json\n"
    "  knack train allocation checkers --load tree.json --show\n"
    "  knack train allocation othello --base othello.mdb --units 400 --examples 2000 --enrich 0 --relief 0 "
    "--out trust.json\n"
    "  knack train allocation checkers --examples 5000 --enrich 10000 --relief 1000 --into course --seeds 3";

static KnStatus learn(const KnContext *context, const KnGame *game, Arguments *a, KnLearned **learned,
                      KnError *error)
{
    KnTraining *t = &a->training;
    if (a->store) {
        KnStatus status = kn_mkdirs(a->store, error);
        if (status != KN_OK) return status;
    }
    KnProgress *progress = cli_progress(&a->common, "examples", 0);
    KnTrainingSets sets;
    KnStatus status = kn_training_sets_make(context, game, t, a->store, progress, &sets, error);
    kn_progress_free(progress);
    if (status != KN_OK) return status;
    status = kn_training_learn(game, t, &sets, learned, NULL, error);
    kn_training_sets_free(&sets);
    return status;
}

typedef struct Courses {
    const KnContext *context;
    const KnGame *game;
    Arguments *a;
} Courses;

static KnStatus one_course(void *user, uint64_t seed, const char *folder, KnError *error)
{
    const Courses *courses = user;
    KnTraining training = courses->a->training;
    training.play.seed = seed;
    KnProgress *progress = cli_progress(&courses->a->common, "examples", 0);
    KnStatus status = kn_training_course(courses->context, courses->game, &training, folder, progress, error);
    kn_progress_free(progress);
    return status;
}

int train_allocation(int argc, char **argv)
{
    Arguments a = {.training = kn_training()};
    a.training.play.classes = (KnClasses){.below = 3, .above = 4};
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    a.training.play.cancel = cli_interrupt();
    KnError error;
    KnGame *game = NULL;
    KnLearned *learned = NULL;
    KnStatus status = kn_game_open_turns(context, a.shared.game, &game, &error);
    if (status == KN_OK && !a.features_given && !game->feature_count)
        a.training.game_features = false, a.training.general_features = true;
    if (status == KN_OK && a.shared.into) {
        status = train_courses(context, a.shared.into, a.training.play.seed, cli_seeds(&a.shared), one_course,
                               &(Courses){context, game, &a}, &error);
        kn_game_close(game);
        kn_context_free(context);
        return status == KN_OK ? cli_finish() : cli_fail(&error);
    }
    if (status == KN_OK)
        status = a.shared.load ? kn_learned_load(a.shared.load, game, &learned, &error)
                               : learn(context, game, &a, &learned, &error);
    if (status == KN_OK && a.shared.out) status = kn_learned_save(learned, a.shared.out, &error);
    KnText text = KN_TEXT_EMPTY;
    if (status == KN_OK && a.shared.show)
        kn_learned_show(learned, &text);
    else if (status == KN_OK)
        kn_text_printf(&text, "%s: %d features, %d leaves, %.0f examples\n", a.shared.out,
                       learned->view->count, learned->tree->leaf_count, learned->tree->examples);
    kn_learned_free(learned);
    kn_game_close(game);
    kn_context_free(context);
    if (status == KN_OK) fputs(text.data, stdout);
    kn_text_free(&text);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
