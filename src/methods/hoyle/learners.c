/* The learners that watch games of experts (Lock 2003): `hoyle` and `sequences`. They go through a training
 * environment (methods/hoyle/environment.h) and are then tested, without learning, against each agent.
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
#include "methods/registry.h"
#include "players/sequential_view.h"
#include "search/statespace.h"

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
    (void)options;
    add_player("seqlearner", file, spec);
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
        kn_text_printf(&text, "%s on %s, after %llu games\n", learner->spec, game->spec,
                       (unsigned long long)learner->games);
        if (learner->type->show) learner->type->show(learner, &text);
        *explanation = kn_explanation_from_lines(arena, text.data);
        if (!*explanation) status = kn_fail_memory(error, "showing what was learned");
    }
    kn_game_learner_close(learner);
    kn_game_close(view);
    kn_text_free(&text);
    return status;
}

/* ---- agents ---- */

/* "A; B; C": the agents by name, strongest first. */
static KnStatus read_agents(const KnLearnerTask *task, KnEnvironmentPlan *plan, KnError *error)
{
    const char *list = kn_option_string(task->options, "agents");
    int count = 0;
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ";"), blanks = strspn(at, " ");
        if (count == KN_TRAINING_AGENTS - 1)
            return kn_fail(error, KN_USAGE, "agents: at most %d players", KN_TRAINING_AGENTS - 1);
        if (length > blanks)
            plan->agents[count++] = kn_arena_printf(task->arena, "%.*s", (int)(length - blanks), at + blanks);
        at += length + (at[length] == ';');
    }
    return count ? KN_OK : kn_fail(error, KN_USAGE, "agents: at least one player, the strongest first");
}

/* The agents of the thesis, with another expert than perfect play. */
static void weaken(const KnLearnerTask *task, const char *expert, KnEnvironmentPlan *plan)
{
    plan->agents[0] = expert;
    plan->agents[1] = kn_arena_printf(task->arena, "reasonable(0.1, rest=%s)", expert);
    plan->agents[2] = kn_arena_printf(task->arena, "reasonable(0.7, rest=%s)", expert);
    plan->agents[3] = "random";
}

/* Without any word about agents, the expert is perfect(draw=wide) where the game can be solved, else a
 * search. */
static KnStatus choose_agents(const KnLearnerTask *task, const KnGame *game, KnEnvironmentPlan *plan,
                              KnError *error)
{
    const char *expert = kn_learner_text(task, "expert");
    KnError none;
    if (kn_option_string(task->options, "agents")) {
        if (expert) return kn_fail(error, KN_USAGE, "give either an expert or agents");
        return read_agents(task, plan, error);
    }
    if (!expert && kn_statespace_solvable(game, &none) != KN_OK) expert = "alphabeta(depth=4, eval=hand)";
    if (expert) weaken(task, expert, plan);
    return KN_OK;
}

static int count_agents(const KnEnvironmentPlan *plan)
{
    int count = 0;
    while (count < KN_TRAINING_AGENTS && plan->agents[count]) count++;
    return count ? count : 4;
}

static const char *agent_name(const KnEnvironmentPlan *plan, int agent)
{
    static const char *const names[] = {"perfect(draw=wide)", "expert", "novice", "random"};
    KN_ASSERT(agent >= 0 && agent < count_agents(plan));
    return plan->agents[0] ? plan->agents[agent] : names[agent];
}

/* ---- tests ---- */

static void add_measure(json_t *row, const char *name, KnMoments moments)
{
    char low[40], high[40];
    json_object_set_new(row, name, json_real(moments.mean));
    if (moments.count < 2) return;
    KnInterval interval = kn_moments_interval(&moments, 0.95);
    snprintf(low, sizeof low, "%s low", name);
    snprintf(high, sizeof high, "%s high", name);
    json_object_set_new(row, low, json_real(interval.low));
    json_object_set_new(row, high, json_real(interval.high));
}

/* Means over runs, in percent, with 95 % intervals if there are several. Clocks are left out, so that equal
 * seeds give equal bytes. */
static json_t *tests_json(const KnEnvironmentPlan *plan, const KnEnvironmentResult *result, uint64_t games)
{
    json_t *agents = json_array(), *counts = json_object(), *value;
    const char *name;
    for (int a = 0; a < result->agents; a++) {
        json_t *row = json_pack("{ss}", "agent", agent_name(plan, a));
        add_measure(row, "reliability", kn_environment_moments(result, KN_RELIABILITY, a));
        add_measure(row, "power", kn_environment_moments(result, KN_POWER, a));
        json_array_append_new(agents, row);
    }
    if (result->runs[0].figures)
        json_object_foreach(result->runs[0].figures, name, value) if (json_is_number(value))
            json_object_set_new(counts, name, json_real(kn_environment_figure(result, name).mean));
    return json_pack("{sI sI sI so so}", "games", (json_int_t)games, "runs", (json_int_t)result->count,
                     "test games", (json_int_t)plan->test, "agents", agents, "figures", counts);
}

/* ---- training ---- */

/* Games that are watched with `watch` in each tournament. */
static uint64_t watched(const KnEnvironmentPlan *plan, uint64_t watch)
{
    return (plan->environment == KN_TRAIN_DOUBLE ? 2 : 1) * (uint64_t)count_agents(plan) * watch;
}

/* Trains and tests; with points, the reliability against the expert in the first run is a point. */
static KnStatus train_and_test(const KnLearnerTask *task, const KnEnvironmentPlan *plan, KnTrainingRun *run,
                               KnError *error)
{
    KnEnvironmentResult *result;
    KnStatus status = kn_environment_run(task->context, plan, &result, error);
    if (status != KN_OK) return status;
    const KnEnvironmentScore *expert = &result->runs[0].score[0];
    double kept = (double)(expert->wins + expert->draws), tested = kept + (double)expert->losses;
    KnInterval interval = kn_wilson(kept, tested, KN_Z95);
    uint64_t games = watched(plan, plan->watch);
    if (plan->test) status = kn_training_run_also(run, "tests", tests_json(plan, result, games), error);
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

static KnStatus run_steps(const KnLearnerTask *task, const KnEnvironmentPlan *whole, KnTrainingRun *run,
                          KnError *error)
{
    uint64_t steps = whole->watch < (uint64_t)task->points ? whole->watch : (uint64_t)task->points,
             done = kn_training_run_points(run), past = 0,
             tests = (uint64_t)count_agents(whole) * whole->test;
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t games = watched(whole, whole->watch * (step + 1) / steps) + tests;
        games *= step + 1 == steps ? whole->runs : 1;
        kn_progress_add_total(task->progress, games);
        if (step < done) past += games;
    }
    kn_progress_tick(task->progress, past);
    KnStatus status = KN_OK;
    for (uint64_t step = done; step < steps && status == KN_OK; step++) {
        KnEnvironmentPlan plan = *whole;
        plan.watch = whole->watch * (step + 1) / steps;
        if (step + 1 < steps) plan.runs = 1;
        status = train_and_test(task, &plan, run, error);
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
    KnEnvironmentPlan plan = {.game = task->game->spec,
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
                              .save = file.data};
    if (status == KN_OK && !plan.ply_limit) plan.ply_limit = kn_environment_limit(game);
    if (status == KN_OK) status = choose_agents(task, game, &plan, error);
    if (status == KN_OK && task->points && !plan.test)
        status = kn_fail(error, KN_USAGE, "test=0 measures nothing: without tests there is no curve");
    if (status == KN_OK && task->points)
        status = run_steps(task, &plan, run, error);
    else if (status == KN_OK) {
        uint64_t games = watched(&plan, plan.watch), tests = (uint64_t)count_agents(&plan) * plan.test;
        kn_progress_add_total(task->progress, plan.runs > 1 ? plan.runs * (games + tests) : games);
        status = plan.runs > 1 ? train_and_test(task, &plan, run, error) : teach(task, &plan, game, error);
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
    static const char *const learners[] = {"seqlearner(context)", "seqlearner(sitact)",
                                           "seqlearner(nearest)"};
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
         "games of a test against each agent, in which nothing is learned; for the curve and for runs"},     \
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
         "the agent to learn from; weaker agents are made of it (default: perfect(draw=wide) if the game "   \
         "can be solved: it never loses, but helps the other side to draw; else alphabeta(depth=4, "         \
         "eval=hand))"},                                                                                     \
        {"agents",                                                                                           \
         KN_OPTION_STRING,                                                                                   \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         NULL,                                                                                               \
         "all agents instead, strongest first, separated by semicolons"},                                    \
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
    {"method", KN_OPTION_CHOICE, "sitact", 0, 0, "context|sitact|nearest",
     "TP-Context learns sequences, TP-Sitact single actions; nearest plays by the most similar board"},
    ENVIRONMENT_OPTIONS("double", "40"),
    {"learner", KN_OPTION_SPEC, "", 0, 0, "game learner",
     "the sequence learner with all its options instead, such as seqlearner(version=1)"},
    {0}};

static const char measures[] =
    "The share of games not lost against the expert, in a test in which nothing is learned. The default "
    "expert, perfect(draw=wide), never loses but leaves the most ways to draw; perfect is harder to draw "
    "with.";
#define TRIAL "watch=1, test=2, agents=\"alphabeta(depth=2, memory=1); random\", plies=60"

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
