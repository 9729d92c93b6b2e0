/* Training through the flat interface. Learners that are registered (players/learner.h) take the options of
 * their rows, the others are watchers (players/watcher.h) and take contests to watch. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena/match.h"
#include "arena/td.h"
#include "arena/training.h"
#include "flat_allocation.h"
#include "flat_inside.h"
#include "games/game.h"
#include "players/experience/rule.h"
#include "players/learner.h"

typedef struct Plan {
    KnFlat *flat;
    json_t *document;
    const char *game, *learner, *out;
    const char *agents[KN_TRAINING_AGENTS];
    uint64_t seed;
    int64_t jobs, watch;
    KnGame *opened;
    const KnSpec *spec;
    KnOptions options;
} Plan;

static KnStatus read_agents(const KnJson *at, Plan *plan, KnError *error)
{
    if (!kn_json_has(at, "agents")) return KN_OK;
    KnJson list;
    KnStatus status = kn_json_array(at, "agents", &list, error);
    if (status == KN_OK && (!kn_json_size(&list) || kn_json_size(&list) >= KN_TRAINING_AGENTS))
        status = kn_json_fail(at, "agents", error, "wants 1 to %d players, the strongest first",
                              KN_TRAINING_AGENTS - 1);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&list); i++) {
        KnJson item = kn_json_item(&list, i);
        status = kn_json_string(&item, NULL, &plan->agents[i], error);
    }
    return status;
}

static KnStatus read_plan(KnFlat *flat, const char *text, Plan *plan)
{
    static const char *const known[] = {"game", "learner", "out", "seed", "jobs", "watch", "agents", NULL};
    KnError *error = &flat->error;
    *plan = (Plan){.flat = flat, .seed = 1, .watch = 30};
    KnStatus status = kn_flat_plan(flat, text, "plan", known, &plan->document);
    KnJson at = kn_json_root(plan->document, "plan");
    if (status == KN_OK) status = kn_json_string(&at, "game", &plan->game, error);
    if (status == KN_OK) status = kn_json_string(&at, "learner", &plan->learner, error);
    if (status == KN_OK) status = kn_json_string(&at, "out", &plan->out, error);
    if (status == KN_OK) status = kn_flat_seed(&at, "seed", &plan->seed, error);
    if (status == KN_OK) status = kn_flat_integer(&at, "jobs", 0, 1024, &plan->jobs, error);
    if (status == KN_OK) status = kn_flat_integer(&at, "watch", 1, 1000000, &plan->watch, error);
    if (status == KN_OK) status = read_agents(&at, plan, error);
    return status;
}

/* ---- the learners ---- */

static KnStatus train_td(Plan *plan, KnError *error)
{
    const KnOptions *o = &plan->options;
    KnTdPlan td = kn_td_plan();
    td.depths[0] = (int)kn_option_integer(o, "depth");
    td.depth_count = 1;
    td.games = (uint64_t)kn_option_integer(o, "games");
    td.rule.alpha = kn_option_real(o, "alpha");
    td.rule.lambda = kn_option_real(o, "lambda");
    td.rule.scale = kn_option_real(o, "scale");
    td.root = kn_option_choice(o, "at") == 1;
    td.start = kn_option_choice(o, "start") == 1 ? "one" : NULL;
    td.random_plies = (int)kn_option_integer(o, "random-plies");
    td.seed = plan->seed;
    td.jobs = (int)plan->jobs;
    td.cancel = &plan->flat->cancel;
    KnWeights *weights = NULL;
    KnStatus status = kn_td_train(plan->flat->context, plan->opened, &td, plan->out, NULL, &weights, error);
    kn_weights_free(weights);
    return status;
}

/* Learning from games in order is a match of one thread whose first player learns. */
static KnStatus train_experience(Plan *plan, KnError *error)
{
    const KnOptions *o = &plan->options;
    double epsilon = kn_option_real(o, "epsilon");
    KnText player = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    kn_text_printf(&player, "experience(alphabeta(depth=%ld), base=", kn_option_integer(o, "depth"));
    kn_text_add_quoted(&player, plan->out);
    KnExperienceRule rule = (KnExperienceRule)kn_option_choice(o, "rule");
    kn_text_printf(&player, ", learn, -sync, rule=%s%s)", kn_rule_name(rule),
                   rule == KN_RULE_GINA ? ", recall" : "");
    kn_text_printf(&other,
                   epsilon > 0 ? "noisy(alphabeta(depth=%ld), epsilon=%.10g)" : "alphabeta(depth=%ld)",
                   kn_option_integer(o, "opponent"), epsilon);
    KnMatchPlan match = {.game = plan->game,
                         .players = {player.data, other.data},
                         .games = (uint64_t)kn_option_integer(o, "games"),
                         .seed = plan->seed,
                         .jobs = 1,
                         .rules = {.ply_limit = 200, .cancel = &plan->flat->cancel}};
    KnMatchResult result;
    KnStatus status = kn_match_run(plan->flat->context, &match, NULL, NULL, &result, error);
    if (status == KN_OK && result.first_fault[0])
        status = kn_fail(error, KN_SYSTEM, "a player failed: %s", result.first_fault);
    kn_text_free(&player);
    kn_text_free(&other);
    return status;
}

static KnStatus train_allocation(Plan *plan, KnError *error)
{
    return kn_flat_allocation(plan->flat, plan->opened, &plan->options, plan->seed, (int)plan->jobs,
                              plan->out, error);
}

/* A learner that watches; it is taught, not tested: a match does that. */
static KnStatus train_watcher(Plan *plan, KnError *error)
{
    KnTrainingPlan training = {.game = plan->game,
                               .learner = plan->learner,
                               .watch = (uint64_t)plan->watch,
                               .runs = 1,
                               .seed = plan->seed,
                               .jobs = (int)plan->jobs,
                               .ply_limit = kn_training_limit(plan->opened),
                               .cancel = &plan->flat->cancel};
    memcpy(training.agents, plan->agents, sizeof training.agents);
    KnWatcher *watcher = NULL;
    KnStatus status = kn_training_teach(plan->flat->context, &training, plan->opened, &watcher, error);
    if (status != KN_OK) return status;
    status = kn_watcher_save(watcher, plan->out, error);
    kn_watcher_close(watcher);
    return status;
}

/* ---- which of them ---- */

static const KnWatcherType *find_watcher(const char *name)
{
    for (const KnWatcherType *const *at = kn_watchers(); *at; at++)
        if (strcasecmp((*at)->head.name, name) == 0) return *at;
    return NULL;
}

static KnStatus train(Plan *plan, KnArena *arena, KnText *player, KnError *error)
{
    static const struct {
        const KnLearner *learner;
        KnStatus (*train)(Plan *plan, KnError *error);
    } rows[] = {{&kn_learner_td, train_td},
                {&kn_learner_experience, train_experience},
                {&kn_learner_allocation, train_allocation}};
    const char *name = plan->spec->text;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const KnLearner *learner = rows[i].learner;
        if (strcasecmp(learner->head.name, name) != 0) continue;
        KnStatus status = kn_options_bind(learner->head.options, plan->spec, arena, &plan->options, error);
        if (status == KN_OK && learner->suits && learner->suits(plan->opened, error) != KN_OK)
            status = kn_fail_within(error, "%s cannot learn %s", learner->head.name, plan->opened->spec);
        if (status == KN_OK) status = rows[i].train(plan, error);
        if (status == KN_OK) learner->player(&plan->options, plan->out, player);
        return status;
    }
    const KnWatcherType *watcher = find_watcher(name);
    if (!watcher)
        return kn_fail(error, KN_INPUT,
                       "there is no learner \"%.60s\"; known: td, experience, allocation, hoyle, seqlearner",
                       name);
    KnStatus status = train_watcher(plan, error);
    kn_text_printf(player, "%s(knowledge=", watcher->head.name);
    kn_text_add_quoted(player, plan->out);
    kn_text_add_char(player, ')');
    return status;
}

char *kn_flat_train(KnFlat *flat, const char *text)
{
    Plan plan;
    json_t *document = NULL;
    KnArena *arena = kn_arena_new();
    KnText player = KN_TEXT_EMPTY;
    KnStatus status = read_plan(flat, text, &plan);
    if (status == KN_OK && !arena) status = kn_fail_memory(&flat->error, "training");
    if (status == KN_OK) status = kn_game_open(flat->context, plan.game, &plan.opened, &flat->error);
    if (status == KN_OK) status = kn_spec_parse(plan.learner, arena, &plan.spec, &flat->error);
    if (status == KN_OK) status = train(&plan, arena, &player, &flat->error);
    if (status == KN_OK)
        document = json_pack("{ss ss ss ss}", "learner", plan.learner, "game", plan.opened->spec, "file",
                             plan.out, "player", player.data);
    kn_game_close(plan.opened);
    kn_text_free(&player);
    kn_arena_free(arena);
    json_decref(plan.document);
    return kn_flat_answer(flat, status, document);
}
