/* The learners that watch games of experts (Lock 2003): `hoyle` and `sequences`. They go through a training
 * environment (methods/hoyle/environment.h) and are then tested, without learning, against a panel
 * (methods/panel.h). Taught by perfect(draw=wide) alone, which leaves its opponent many ways to draw, they
 * learned its habit by heart, drew with it, and lost to everybody else: hence a mixture of teachers.
 *
 * What they know is fixed at the end of training. So each point of a curve is a learner of its own: it has
 * watched more of the same games than the one before. */
#include <knack/stats.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "games/turns.h"
#include "methods/hoyle/environment.h"
#include "methods/panel.h"
#include "methods/registry.h"
#include "players/sequential_view.h"

static const char KNOWLEDGE[] = "knowledge.json";

static KnStatus suits_player(const KnContext *context, const char *name, const KnGame *game, KnError *error)
{
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, name);
    return type ? kn_player_suits(type, game, error)
                : kn_fail(error, KN_INPUT, "needs the player %s, which is not registered", name);
}

static KnStatus suits_hoyle(const KnContext *context, const KnGame *game, KnError *error)
{
    return suits_player(context, "hoyle", game, error);
}

static KnStatus suits_sequences(const KnContext *context, const KnGame *game, KnError *error)
{
    return suits_player(context, "seqlearner", game, error);
}

static void add_player(const char *name, const char *file, KnText *spec)
{
    kn_text_printf(spec, "%s(knowledge=", name);
    kn_text_add_quoted(spec, file);
    kn_text_add_char(spec, ')');
}

static void hoyle_player(const KnOptions *options, const char *file, KnText *spec)
{
    (void)options;
    add_player("hoyle", file, spec);
}

static void sequences_player(const KnOptions *options, const char *file, KnText *spec)
{
    enum { HABITS = 3 };
    const KnSpec *learner = kn_option_spec(options, "learner");
    bool habits = learner ? strcmp(learner->text, "habits") == 0
                          : kn_option_choice(options, "method") == HABITS;
    add_player(habits ? "guided" : "seqlearner", file, spec);
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnGame *view = NULL;
    KnGameLearner *learner = NULL;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_game_turns(task->game, &view, error);
    const KnGame *game = view ? view : task->game;
    if (status == KN_OK) status = kn_game_learner_load(task->context, game, NULL, file, &learner, error);
    if (status == KN_OK) {
        kn_text_printf(&text, "%s on %s, after %llu game%s\n", learner->spec, game->spec,
                       (unsigned long long)learner->games, kn_s(learner->games));
        *explanation = kn_explanation_from_lines(arena, text.data);
        if (*explanation && learner->type->explain) learner->type->explain(learner, arena, *explanation);
        if (!*explanation) status = kn_fail_memory(error, "showing what was learned");
    }
    kn_game_learner_close(learner);
    kn_game_close(view);
    kn_text_free(&text);
    return status;
}

/* ---- teachers and panel ---- */

/* A training with those that it is tested against. */
typedef struct Lesson {
    KnEnvironmentPlan plan;
    const char *names[KN_TRAINING_AGENTS]; /* of the panel, in tables */
    int agents, panel;                     /* how many teach, how many test */
} Lesson;

/* "A; B; C": players by name. */
static KnStatus read_players(const KnLearnerTask *task, const char *option, const char **players, int *count,
                             KnError *error)
{
    *count = 0;
    for (const char *at = kn_option_string(task->options, option); *at;) {
        size_t length = strcspn(at, ";"), blanks = strspn(at, " ");
        if (*count == KN_TRAINING_AGENTS - 1)
            return kn_fail(error, KN_USAGE, "%s: at most %d players", option, KN_TRAINING_AGENTS - 1);
        if (length > blanks)
            players[(*count)++] = kn_arena_printf(task->arena, "%.*s", (int)(length - blanks), at + blanks);
        at += length + (at[length] == ';');
    }
    return *count ? KN_OK : kn_fail(error, KN_USAGE, "%s: at least one player", option);
}

/* Four agents as in the thesis: an expert, two that play a tenth and seven tenths of their moves merely
 * reasonably, and chance. `rest` plays the other moves of the two. */
static void weaken(const KnLearnerTask *task, const char *expert, const char *rest, Lesson *lesson)
{
    lesson->plan.agents[0] = expert;
    lesson->plan.agents[1] = kn_arena_printf(task->arena, "reasonable(0.1, rest=%s)", rest);
    lesson->plan.agents[2] = kn_arena_printf(task->arena, "reasonable(0.7, rest=%s)", rest);
    lesson->plan.agents[3] = "random";
    lesson->agents = 4;
}

/* Without any word about agents, the expert is the panel's teacher (methods/panel.h). */
static KnStatus choose_agents(const KnLearnerTask *task, const KnGame *game, Lesson *lesson, KnError *error)
{
    const char *expert = kn_learner_text(task, "expert");
    if (kn_option_string(task->options, "agents")) {
        if (expert) return kn_fail(error, KN_USAGE, "give either an expert or agents");
        return read_players(task, "agents", lesson->plan.agents, &lesson->agents, error);
    }
    const char *teacher = expert ? expert : kn_panel_teacher(game);
    weaken(task, teacher, expert || strncmp(teacher, "mixed", 5) != 0 ? teacher : "perfect", lesson);
    return KN_OK;
}

/* Adds an opponent of the tests, unless it is there. */
static void test_against(Lesson *lesson, const char *name, const char *spec)
{
    for (int i = 0; i < lesson->panel; i++)
        if (strcmp(lesson->plan.panel[i], spec) == 0) return;
    KN_ASSERT(lesson->panel < KN_TRAINING_AGENTS);
    lesson->names[lesson->panel] = name;
    lesson->plan.panel[lesson->panel++] = spec;
}

/* The panel, and the teacher if the user named one. */
static KnStatus choose_panel(const KnLearnerTask *task, const KnGame *game, Lesson *lesson, KnError *error)
{
    if (kn_option_string(task->options, "panel")) {
        const char *players[KN_TRAINING_AGENTS];
        int count;
        KnStatus status = read_players(task, "panel", players, &count, error);
        for (int i = 0; i < count && status == KN_OK; i++) test_against(lesson, players[i], players[i]);
        return status;
    }
    KnPanelMember members[KN_PANEL_MOST];
    int count = kn_panel(game, task->arena, members);
    if (kn_learner_text(task, "expert") || kn_option_string(task->options, "agents"))
        test_against(lesson, lesson->plan.agents[0], lesson->plan.agents[0]);
    for (int i = 0; i < count; i++) test_against(lesson, members[i].name, members[i].spec);
    return KN_OK;
}

/* ---- tests ---- */

static void add_measure(json_t *row, const char *name, double value, KnInterval interval)
{
    char low[40], high[40];
    snprintf(low, sizeof low, "%s low", name);
    snprintf(high, sizeof high, "%s high", name);
    json_object_set_new(row, name, json_real(value));
    json_object_set_new(row, low, json_real(interval.low));
    json_object_set_new(row, high, json_real(interval.high));
}

/* In percent, with the 95 % interval: over runs if there are several, else over games. */
static void add_share(json_t *row, const char *name, const KnEnvironmentResult *result,
                      KnEnvironmentMeasure measure, int agent, uint64_t games)
{
    KnMoments moments = kn_environment_moments(result, measure, agent);
    KnInterval interval = {0, 0};
    if (moments.count > 1)
        interval = kn_moments_interval_within(&moments, 0, 100);
    else {
        interval = kn_wilson(moments.mean / 100 * (double)games, (double)games, KN_Z95);
        interval.low *= 100, interval.high *= 100;
    }
    add_measure(row, name, moments.mean, interval);
}

/* A row for each of the panel, means over runs. Clocks are left out, so that equal seeds give equal bytes. */
static json_t *tests_json(const Lesson *lesson, const KnEnvironmentResult *result, uint64_t games)
{
    json_t *agents = json_array(), *counts = json_object(), *value;
    const char *name;
    for (int a = 0; a < result->agents; a++) {
        json_t *row = json_pack("{ss}", "against", lesson->names[a]);
        add_share(row, "reliability", result, KN_RELIABILITY, a, lesson->plan.test);
        add_share(row, "power", result, KN_POWER, a, lesson->plan.test);
        json_array_append_new(agents, row);
    }
    if (result->runs[0].figures)
        json_object_foreach(result->runs[0].figures, name, value) if (json_is_number(value))
            json_object_set_new(counts, name, json_real(kn_environment_figure(result, name).mean));
    return json_pack("{sI sI sI so so}", "games", (json_int_t)games, "runs", (json_int_t)result->count,
                     "test games", (json_int_t)lesson->plan.test, "agents", agents, "figures", counts);
}

/* The Advisors' weights at this point of the curve, means over runs; NULL: it has none. */
static json_t *weights_json(const KnEnvironmentResult *result, uint64_t games)
{
    const json_t *figures = result->runs[0].figures;
    json_t *weights = json_object(), *value;
    const char *name;
    bool staged = false;
    json_object_foreach((json_t *)(uintptr_t)figures, name, value)
        staged |= strncmp(name, "weight 1 ", 9) == 0;
    json_object_foreach((json_t *)(uintptr_t)figures, name, value)
    {
        char label[80];
        int stage, at;
        if (sscanf(name, "weight %d %n", &stage, &at) != 1) continue;
        if (staged)
            snprintf(label, sizeof label, "%s, stage %d", name + at, stage + 1);
        else
            snprintf(label, sizeof label, "%s", name + at);
        json_object_set_new(weights, label, json_real(kn_environment_figure(result, name).mean));
    }
    if (json_object_size(weights))
        return json_pack("{sI ss so}", "games", (json_int_t)games, "unit", "weight", "weights", weights);
    json_decref(weights);
    return NULL;
}

/* ---- training ---- */

/* Games that are watched with `watch` in each tournament. */
static uint64_t watched(const Lesson *lesson, uint64_t watch)
{
    return (lesson->plan.environment == KN_TRAIN_DOUBLE ? 2 : 1) * (uint64_t)lesson->agents * watch;
}

/* Games of the tests of one run. */
static uint64_t test_games(const Lesson *lesson)
{
    return (uint64_t)lesson->panel * lesson->plan.test + (uint64_t)lesson->agents * lesson->plan.judge;
}

/* Trains and tests; with points, the mean over the panel in the first run is a point, and its rows lie
 * beside it. */
static KnStatus train_and_test(const KnLearnerTask *task, const Lesson *lesson, KnTrainingRun *run,
                               KnError *error)
{
    KnEnvironmentResult *result;
    KnStatus status = kn_environment_run(task->context, &lesson->plan, &result, error);
    if (status != KN_OK) return status;
    double kept, tested;
    kn_environment_kept(result, 0, &kept, &tested);
    KnInterval interval = kn_wilson(kept, tested, KN_Z95);
    uint64_t games = watched(lesson, lesson->plan.watch);
    if (lesson->plan.test)
        status = kn_training_run_also(run, "tests", tests_json(lesson, result, games), error);
    json_t *weights = task->points ? weights_json(result, games) : NULL;
    if (status == KN_OK && weights)
        status = kn_training_run_also(run, "weights", weights, error);
    else
        json_decref(weights);
    if (status == KN_OK && task->points)
        status = kn_training_run_add(run, (double)games, kept / tested, interval.low, interval.high, error);
    kn_environment_free(result);
    return status;
}

static KnStatus teach(const KnLearnerTask *task, const KnEnvironmentPlan *plan, const KnGame *game,
                      KnError *error)
{
    KnGameLearner *learner = NULL;
    KnStatus status = kn_environment_teach(task->context, plan, game, &learner, error);
    if (status == KN_OK) status = kn_game_learner_save(learner, plan->save, error);
    kn_game_learner_close(learner);
    return status;
}

static KnStatus run_steps(const KnLearnerTask *task, const Lesson *whole, KnTrainingRun *run, KnError *error)
{
    uint64_t watch = whole->plan.watch,
             steps = watch < (uint64_t)task->points ? watch : (uint64_t)task->points,
             done = kn_training_run_points(run), past = 0, tests = test_games(whole);
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t games = watched(whole, watch * (step + 1) / steps) + tests;
        games *= step + 1 == steps ? whole->plan.runs : 1;
        kn_progress_add_total(task->progress, games);
        if (step < done) past += games;
    }
    kn_progress_skip(task->progress, past);
    KnStatus status = KN_OK;
    for (uint64_t step = done; step < steps && status == KN_OK; step++) {
        Lesson lesson = *whole;
        lesson.plan.watch = watch * (step + 1) / steps;
        if (step + 1 < steps) lesson.plan.runs = 1;
        status = train_and_test(task, &lesson, run, error);
    }
    return status;
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, const char *learner, KnError *error)
{
    const KnOptions *o = task->options;
    KnGame *view = NULL;
    KnText file = KN_TEXT_EMPTY;
    KnStatus status = kn_game_turns(task->game, &view, error);
    const KnGame *game = view ? view : task->game;
    kn_training_run_path(run, KNOWLEDGE, &file);
    Lesson lesson = {.plan = {.game = task->game->spec,
                              .learner = learner,
                              .environment = (KnEnvironmentKind)kn_option_choice(o, "in"),
                              .watch = (uint64_t)kn_option_integer(o, "watch"),
                              .test = (uint64_t)kn_option_integer(o, "test"),
                              .runs = (uint64_t)kn_option_integer(o, "runs"),
                              .seed = task->seed,
                              .ply_limit = (size_t)kn_option_integer(o, "plies"),
                              .jobs = task->jobs,
                              .cancel = task->cancel,
                              .progress = task->progress,
                              .save = file.data}};
    KnEnvironmentPlan *plan = &lesson.plan;
    plan->judge = (plan->test + 4) / 5;
    if (status == KN_OK && !plan->ply_limit) plan->ply_limit = kn_environment_limit(game);
    if (status == KN_OK) status = choose_agents(task, game, &lesson, error);
    if (status == KN_OK) status = choose_panel(task, game, &lesson, error);
    if (status == KN_OK && task->points && !plan->test)
        status = kn_fail(error, KN_USAGE, "test=0 measures nothing: without tests there is no curve");
    if (status == KN_OK && task->points)
        status = run_steps(task, &lesson, run, error);
    else if (status == KN_OK) {
        uint64_t games = watched(&lesson, plan->watch), tests = test_games(&lesson);
        kn_progress_add_total(task->progress, plan->runs > 1 ? plan->runs * (games + tests) : games);
        status = plan->runs > 1 ? train_and_test(task, &lesson, run, error) : teach(task, plan, game, error);
    }
    kn_game_close(view);
    kn_text_free(&file);
    return status;
}

static KnStatus train_hoyle(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    static const char *const learners[] = {"hoyle", "hoyle(sequences=rote)", "hoyle(sequences=imitate)"};
    const char *learner = kn_learner_text(task, "learner");
    return train(task, run, learner ? learner : learners[kn_option_choice(task->options, "sequences")],
                 error);
}

static KnStatus train_sequences(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    static const char *const learners[] = {"seqlearner(context)", "seqlearner(sitact)", "seqlearner(nearest)",
                                           "habits"};
    const char *learner = kn_learner_text(task, "learner");
    return train(task, run, learner ? learner : learners[kn_option_choice(task->options, "method")], error);
}

/* ---- the rows ---- */

#define ENVIRONMENT_OPTIONS(environment, watch)                                                              \
    {"watch", KN_OPTION_INTEGER, watch, 1, 1000000, NULL, "games of each training tournament"},              \
        {"test",                                                                                             \
         KN_OPTION_INTEGER,                                                                                  \
         "50",                                                                                               \
         0,                                                                                                  \
         1000000,                                                                                            \
         NULL,                                                                                               \
         "games of a test against each of the panel, in which nothing is learned; for the curve and runs"},  \
        {"in",                                                                                               \
         KN_OPTION_CHOICE,                                                                                   \
         environment,                                                                                        \
         0,                                                                                                  \
         0,                                                                                                  \
         "increasing|double|playing",                                                                        \
         "watch ever better agents against the best one, watch them twice, or play against them"},           \
        {"expert",                                                                                           \
         KN_OPTION_SPEC,                                                                                     \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         "player",                                                                                           \
         "the agent to learn from; weaker agents are made of it (default, on a board of up to 16 cells: "    \
         "perfect, perfect(draw=wide) or the expert reasonable(0.1), drawn for each game; else "             \
         "alphabeta(depth=4, eval=hand))"},                                                                  \
        {"agents",                                                                                           \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "all agents instead, strongest first, separated by semicolons"},                                    \
        {"panel",                                                                                            \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "whom to test against, separated by semicolons (default: perfect under each draw rule if the "      \
         "game can be solved, expert, novice, random, alphabeta at two depths, uct; and a teacher that "     \
         "you named)"},                                                                                      \
        {"runs",                                                                                             \
         KN_OPTION_INTEGER,                                                                                  \
         "1",                                                                                                \
         1,                                                                                                  \
         100000,                                                                                             \
         NULL,                                                                                               \
         "runs to test, each with its own seed; what the first one learned is kept"},                        \
    {                                                                                                        \
        "plies", KN_OPTION_INTEGER, "0", 0, 100000, NULL,                                                    \
            "a game of this many plies is a draw; 0: 100 if games may be endless, else no limit"             \
    }

static const KnOption hoyle_options[] = {
    {"sequences", KN_OPTION_CHOICE, "rote", 0, 0, "none|rote|imitate",
     "temporal patterns by rote: none, TP-Rote's trees, or its table of states and moves"},
    ENVIRONMENT_OPTIONS("increasing", "30"),
    {"learner", KN_OPTION_SPEC, "", 0, 0, "game learner",
     "Hoyle with all its options instead, such as hoyle(+patterns, seq-advisor=second)"},
    {0}};

static const KnOption sequences_options[] = {
    {"method", KN_OPTION_CHOICE, "sitact", 0, 0, "context|sitact|nearest|habits",
     "TP-Context learns sequences, TP-Sitact single actions; nearest plays by the most similar board; habits "
     "learns what leads a search, on large boards too"},
    ENVIRONMENT_OPTIONS("double", "40"),
    {"learner", KN_OPTION_SPEC, "", 0, 0, "game learner",
     "the sequence learner with all its options instead, such as seqlearner(version=1)"},
    {0}};

static const char measures[] =
    "The share of games not lost, on average over a panel of opponents: perfect under each draw rule, "
    "expert, novice, random, alphabeta at two depths and uct. The rows beside it tell them apart.";
#define TRIAL "watch=1, test=2, agents=\"alphabeta(depth=2, memory=1); random\", panel=random, plies=60"

const KnLearnerType kn_learner_hoyle = {
    .head = {"hoyle",
             "weights of advisors, useful knowledge and sequences, from games of experts (Lock 2003)",
             hoyle_options},
    .paper = "lock-2003",
    .file = KNOWLEDGE,
    .x = "games",
    .y = "reliability",
    .measures = measures,
    .low = 0,
    .high = 1,
    .chance = NAN,
    .points = 8,
    .trial = TRIAL,
    .examples = "'tictactoe(lose)' --out lose.json --show\n"
                "'morris(men=5)' --in double --watch 40 --runs 10 --out five.json\n"
                "'othello(size=6)' --agents 'alphabeta(depth=4); random' --watch 20 --out six.json\n"
                "'tictactoe(lose)' --learner 'hoyle(+patterns)' --into runs --seeds 3",
    .suits = suits_hoyle,
    .train = train_hoyle,
    .player = hoyle_player,
    .explain = explain,
};

const KnLearnerType kn_learner_sequences = {
    .head = {"sequences",
             "sequences of moves with the boards where they begin, from games of experts (Lock 2003)",
             sequences_options},
    .paper = "lock-2003",
    .file = KNOWLEDGE,
    .x = "games",
    .y = "reliability",
    .measures = measures,
    .low = 0,
    .high = 1,
    .chance = NAN,
    .points = 8,
    .trial = TRIAL,
    .examples = "'tictactoe(lose)' --watch 20 --out lose.json --show\n"
                "'morris(men=5)' --learner 'seqlearner(version=2)' --runs 10 --out five.json\n"
                "'othello(size=6)' --expert 'alphabeta(depth=6)' --out six.json",
    .suits = suits_sequences,
    .train = train_sequences,
    .player = sequences_player,
    .explain = explain,
};
