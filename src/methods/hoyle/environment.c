#include "methods/hoyle/environment.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/clock.h"
#include "jobs/job.h"
#include "games/turns.h"

const char *const kn_environment_agents[] = {"perfect(draw=wide)", "reasonable(0.1, rest=perfect(draw=wide))",
                                             "reasonable(0.7, rest=perfect(draw=wide))", "random", NULL};

enum { TEACHER = KN_TRAINING_AGENTS, SEATS };

/* What one thread has to itself. Players are opened once and serve all its runs: a solved game takes a while
 * to load. */
typedef struct Worker {
    KnState *state;
    KnPlayer *agents[SEATS];             /* the last is a second expert, to play against the first */
    KnPlayer *panel[KN_TRAINING_AGENTS]; /* of the tests, where they are not the agents */
} Worker;

typedef struct Training {
    const KnContext *context;
    const KnEnvironmentPlan *plan;
    const KnGame *game;
    const char *const *agents;
    int teachers; /* agents of the training */
    KnEnvironmentResult *result;
    Worker *workers;
    int jobs;
    KnGame *opened; /* the game, where it is this training's own */
} Training;

size_t kn_environment_limit(const KnGame *game) { return game->traits & KN_GAME_ENDLESS ? 100 : 0; }

static const char *const *agents_of(const KnEnvironmentPlan *plan)
{
    return plan->agents[0] ? plan->agents : kn_environment_agents;
}

static int count_agents(const char *const *agents)
{
    int count = 0;
    while (count < KN_TRAINING_AGENTS && agents[count]) count++;
    return count;
}

/* ---- Games ---- */

static KnStatus open_worker(const Training *t, Worker *worker, KnError *error)
{
    if (worker->state) return KN_OK;
    KnStatus status = KN_OK;
    for (int i = 0; i < t->teachers && status == KN_OK; i++)
        status = kn_player_open(t->context, t->game, t->agents[i], &worker->agents[i], error);
    for (int i = 0; t->plan->test && i < KN_TRAINING_AGENTS && t->plan->panel[i] && status == KN_OK; i++)
        status = kn_player_open(t->context, t->game, t->plan->panel[i], &worker->panel[i], error);
    if (status == KN_OK)
        status = kn_player_open(t->context, t->game, t->agents[0], &worker->agents[TEACHER], error);
    if (status == KN_OK && !(worker->state = kn_state_new(t->game)))
        status = kn_fail_memory(error, "making games");
    return status;
}

static void close_worker(Worker *worker)
{
    for (int i = 0; i < SEATS; i++) kn_player_close(worker->agents[i]);
    for (int i = 0; i < KN_TRAINING_AGENTS; i++) kn_player_close(worker->panel[i]);
    kn_state_free(worker->state);
}

/* One game of two players, the first of whom begins if `index` is even. Chance depends on the purpose and
 * the index only. */
static KnStatus play_one(const Training *t, Worker *worker, KnPlayer *const pair[2], uint64_t purpose,
                         uint64_t index, KnPlayed *played, KnError *error)
{
    int first = (int)(index & 1);
    KnRng rngs[2], games = kn_rng_stream(purpose, index);
    KnPlayPlan plan = {.state = worker->state,
                       .players = {pair[first], pair[1 - first]},
                       .rngs = {&rngs[0], &rngs[1]},
                       .rules = {.ply_limit = t->plan->ply_limit, .cancel = t->plan->cancel},
                       .strict = true};
    for (int i = 0; i < 2; i++)
        rngs[i ^ first] = kn_rng_seeded(kn_rng_next(&games)); /* by player, not by role */
    kn_state_reset(worker->state, NULL);
    KnStatus status = kn_play(&plan, played, error);
    if (status == KN_OK && t->plan->progress) kn_progress_tick(t->plan->progress, 1);
    return status;
}

/* ---- Training ---- */

typedef KnStatus (*Lesson)(KnGameLearner *learner, const KnPlayedGame *played, KnError *error);

static KnStatus learn_from(const Worker *worker, const KnPlayed *played, unsigned experts, unsigned own,
                           Lesson lesson, KnGameLearner *learner, double *seconds, KnError *error)
{
    KnPlayedGame watched;
    KnStatus status = kn_played_game_from(worker->state, played->payoffs, experts, own, &watched, error);
    if (status != KN_OK) return status;
    double started = kn_clock_cpu();
    status = lesson(learner, &watched, error);
    *seconds += kn_clock_cpu() - started;
    kn_played_game_free(&watched);
    return status;
}

/* A tournament of an agent against the teacher, or against the learner itself. */
static KnStatus train_once(const Training *t, Worker *worker, int agent, uint64_t purpose,
                           KnGameLearner *learner, double *seconds, KnError *error)
{
    bool playing = t->plan->environment == KN_TRAIN_PLAYING;
    KnStatus status = KN_OK;
    for (uint64_t i = 0; i < t->plan->watch && status == KN_OK; i++) {
        KnPlayer *self = NULL;
        if (playing) status = kn_game_learner_player(learner, &self, error);
        if (status != KN_OK) return status;
        KnPlayer *pair[2] = {playing ? self : worker->agents[TEACHER], worker->agents[agent]};
        KnPlayed played;
        status = play_one(t, worker, pair, purpose, i, &played, error);
        if (status == KN_OK) {
            unsigned mine = 1u << (i & 1), its = 3 - mine; /* the first of `pair` plays role i & 1 */
            unsigned experts = (playing ? 0 : mine) | (agent == 0 ? its : 0);
            status = learn_from(worker, &played, experts, playing ? mine : 0, kn_game_learner_learn, learner,
                                seconds, error);
        }
        kn_player_close(self);
    }
    double started = kn_clock_cpu();
    if (status == KN_OK) status = kn_game_learner_end_tournament(learner, error);
    *seconds += kn_clock_cpu() - started;
    return status;
}

static KnStatus train(const Training *t, Worker *worker, uint64_t seed, KnGameLearner *learner,
                      double *seconds, KnError *error)
{
    int cycles = t->plan->environment == KN_TRAIN_DOUBLE ? 2 : 1, agents = t->teachers;
    KnStatus status = KN_OK;
    for (int c = 0; c < cycles; c++)
        for (int a = agents - 1; a >= 0 && status == KN_OK; a--)
            status = train_once(t, worker, a, kn_mix64(seed + (uint64_t)(c * agents + a) + 1), learner,
                                seconds, error);
    double started = kn_clock_cpu();
    if (status == KN_OK) status = kn_game_learner_freeze(learner, error);
    *seconds += kn_clock_cpu() - started;
    return status;
}

/* ---- Testing ---- */

/* Games that the teacher plays with each agent, as in training, to judge what was learned. */
static KnStatus judge(const Training *t, Worker *worker, uint64_t seed, KnGameLearner *learner,
                      KnError *error)
{
    KnStatus status = KN_OK;
    double ignored = 0;
    for (int a = 0; a < t->teachers; a++)
        for (uint64_t i = 0; i < t->plan->judge && status == KN_OK; i++) {
            KnPlayer *pair[2] = {worker->agents[TEACHER], worker->agents[a]};
            KnPlayed played;
            status = play_one(t, worker, pair, kn_mix64(seed + 2000 + (uint64_t)a), i, &played, error);
            unsigned teacher = 1u << (i & 1);
            if (status == KN_OK)
                status = learn_from(worker, &played, a == 0 ? 3 : teacher, 0, learner->type->judge, learner,
                                    &ignored, error);
        }
    return status;
}

static KnStatus test_against(const Training *t, Worker *worker, int agent, uint64_t purpose,
                             const KnGameLearner *learner, KnEnvironmentScore *score, KnError *error)
{
    KnPlayer *player;
    KnStatus status = kn_game_learner_player(learner, &player, error);
    for (uint64_t i = 0; i < t->plan->test && status == KN_OK; i++) {
        KnPlayer *pair[2] = {player, t->plan->panel[0] ? worker->panel[agent] : worker->agents[agent]};
        KnPlayed played;
        status = play_one(t, worker, pair, purpose, i, &played, error);
        if (status == KN_OK) {
            int seat = (int)(i & 1);
            double middle = (t->game->payoff_low + t->game->payoff_high) / 2, got = played.payoffs[seat];
            ++*(got > middle ? &score->wins : got < middle ? &score->losses : &score->draws);
            score->decisions += played.decisions[seat];
            score->seconds += played.cost[seat].seconds;
            score->plies += played.plies;
        }
    }
    if (status == KN_OK && learner->type->tally) score->tally = learner->type->tally(player);
    kn_player_close(player);
    return status;
}

static KnStatus one_run(void *user, int number, uint64_t index, KnError *error)
{
    Training *t = user;
    Worker *worker = &t->workers[number];
    KnEnvironmentRun *run = &t->result->runs[index];
    uint64_t seed = kn_mix64(kn_mix64(t->plan->seed) ^ ~index);
    KnGameLearner *learner = NULL;
    KnStatus status = open_worker(t, worker, error);
    if (status == KN_OK)
        status = kn_game_learner_open(t->context, t->game, t->plan->learner, &learner, error);
    if (status == KN_OK) status = train(t, worker, seed, learner, &run->learning_seconds, error);
    for (int a = 0; a < t->result->agents && t->plan->test && status == KN_OK; a++)
        status = test_against(t, worker, a, kn_mix64(seed + 1000 + (uint64_t)a), learner, &run->score[a],
                              error);
    if (status == KN_OK && t->plan->judge && learner->type->judge)
        status = judge(t, worker, seed, learner, error);
    if (status == KN_OK && learner->type->figures) run->figures = learner->type->figures(learner);
    if (status == KN_OK && index == 0 && t->plan->save)
        status = kn_game_learner_save(learner, t->plan->save, error);
    kn_game_learner_close(learner);
    return status;
}

/* ---- Runs ---- */

static KnStatus check_plan(const KnEnvironmentPlan *plan, KnError *error)
{
    if (!plan->runs) return kn_fail(error, KN_USAGE, "zero runs measure nothing; ask for one at least");
    if (!plan->watch && !plan->test)
        return kn_fail(error, KN_USAGE,
                       "neither games to learn from nor games to be tested in: nothing to do");
    return KN_OK;
}

static KnStatus set_up(Training *t, KnError *error)
{
    KnStatus status = check_plan(t->plan, error);
    if (status == KN_OK) status = kn_game_open_turns(t->context, t->plan->game, &t->opened, error);
    if (status != KN_OK) return status;
    t->game = t->opened;
    t->agents = agents_of(t->plan);
    t->jobs = kn_jobs(t->plan->jobs);
    t->workers = calloc((size_t)t->jobs, sizeof *t->workers);
    t->result = calloc(1, sizeof *t->result);
    if (t->result) {
        t->teachers = count_agents(t->agents);
        t->result->agents = t->plan->panel[0] ? count_agents(t->plan->panel) : t->teachers;
        t->result->count = t->plan->runs;
        t->result->runs = calloc(t->plan->runs, sizeof *t->result->runs);
    }
    return t->workers && t->result && t->result->runs ? KN_OK : kn_fail_memory(error, "training");
}

/* All but the result. */
static void clean_up(Training *t)
{
    for (int i = 0; i < t->jobs && t->workers; i++) close_worker(&t->workers[i]);
    free(t->workers);
    kn_game_close(t->opened);
}

/* ---- The job ---- */

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    Training *t = *user = calloc(1, sizeof *t);
    if (!t) return kn_fail_memory(error, "training");
    KnEnvironmentPlan *plan = payload;
    plan->jobs = site->jobs;
    plan->cancel = site->cancel;
    *t = (Training){.context = site->context, .plan = plan};
    return set_up(t, error);
}

static void close_job(void *user)
{
    Training *t = user;
    clean_up(t);
    kn_environment_free(t->result);
    free(t);
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    return &((Training *)user)->result->runs[index];
}

static KnStatus received_run(void *user, uint64_t index, KnError *error)
{
    (void)index, (void)error;
    const Training *t = user;
    const KnEnvironmentPlan *plan = t->plan;
    uint64_t cycles = plan->environment == KN_TRAIN_DOUBLE ? 2 : 1;
    if (plan->progress)
        kn_progress_tick(plan->progress, (uint64_t)t->teachers * (cycles * plan->watch + plan->judge) +
                                             (uint64_t)t->result->agents * plan->test);
    return KN_OK;
}

#define TALLY(agent) KN_JSON(KnEnvironmentRun, score[agent].tally)
_Static_assert(KN_TRAINING_AGENTS == 10, "the layout lists the tallies");

const KnJobType kn_environment_job_type = {
    .name = "training",
    .summary = "runs of training and testing",
    .payload = KN_LAYOUT(KnEnvironmentPlan, KN_STRINGS(KnEnvironmentPlan, game),
                         KN_STRINGS(KnEnvironmentPlan, learner), KN_PLAIN(KnEnvironmentPlan, environment),
                         KN_PLAIN(KnEnvironmentPlan, watch), KN_PLAIN(KnEnvironmentPlan, test),
                         KN_PLAIN(KnEnvironmentPlan, judge), KN_PLAIN(KnEnvironmentPlan, runs),
                         KN_PLAIN(KnEnvironmentPlan, seed), KN_PLAIN(KnEnvironmentPlan, ply_limit),
                         KN_STRINGS(KnEnvironmentPlan, agents), KN_STRINGS(KnEnvironmentPlan, panel),
                         KN_STRINGS(KnEnvironmentPlan, save)),
    .open = open_job,
    .close = close_job,
    .run = one_run,
    .result = KN_LAYOUT(KnEnvironmentRun, KN_PLAIN(KnEnvironmentRun, score),
                        KN_PLAIN(KnEnvironmentRun, learning_seconds), KN_JSON(KnEnvironmentRun, figures),
                        TALLY(0), TALLY(1), TALLY(2), TALLY(3), TALLY(4), TALLY(5), TALLY(6), TALLY(7),
                        TALLY(8), TALLY(9)),
    .slot = result_slot,
    .received = received_run};

KnStatus kn_environment_run(const KnContext *context, const KnEnvironmentPlan *plan,
                            KnEnvironmentResult **out, KnError *error)
{
    Training t = {.context = context, .plan = plan};
    KnJobRun run = {.jobs = plan->jobs, .count = plan->runs, .user = &t, .cancel = plan->cancel};
    *out = NULL;
    KnStatus status = set_up(&t, error);
    if (status == KN_OK) status = kn_job_run(context, &kn_environment_job_type, plan, &run, error);
    clean_up(&t);
    if (status == KN_OK)
        *out = t.result;
    else
        kn_environment_free(t.result);
    return status;
}

KnStatus kn_environment_teach(const KnContext *context, const KnEnvironmentPlan *plan, const KnGame *game,
                              KnGameLearner **learner, KnError *error)
{
    Worker worker = {0};
    KnEnvironmentResult result = {0};
    KnEnvironmentPlan untested = *plan;
    untested.test = 0;
    plan = &untested;
    Training t = {.context = context,
                  .teachers = count_agents(agents_of(plan)),
                  .plan = plan,
                  .game = game,
                  .agents = agents_of(plan),
                  .result = &result,
                  .workers = &worker};
    double seconds = 0;
    *learner = NULL;
    KnStatus status = open_worker(&t, &worker, error);
    if (status == KN_OK) status = kn_game_learner_open(context, game, plan->learner, learner, error);
    if (status == KN_OK)
        status = train(&t, &worker, kn_mix64(kn_mix64(plan->seed) ^ ~(uint64_t)0), *learner, &seconds, error);
    close_worker(&worker);
    if (status != KN_OK) kn_game_learner_close(*learner), *learner = NULL;
    return status;
}

void kn_environment_free(KnEnvironmentResult *training)
{
    if (!training) return;
    for (uint64_t r = 0; r < training->count && training->runs; r++) {
        json_decref(training->runs[r].figures);
        for (int a = 0; a < KN_TRAINING_AGENTS; a++) json_decref(training->runs[r].score[a].tally);
    }
    free(training->runs);
    free(training);
}

/* ---- Numbers ---- */

double kn_environment_value(const KnEnvironmentResult *training, KnEnvironmentMeasure measure, int agent,
                            uint64_t run)
{
    const KnEnvironmentScore *s = &training->runs[run].score[agent];
    double games = (double)(s->wins + s->draws + s->losses);
    if (games <= 0) return 0;
    if (measure == KN_THINKING) return 1000 * s->seconds / games;
    return 100 * (double)(s->wins + (measure == KN_RELIABILITY ? s->draws : 0)) / games;
}

void kn_environment_kept(const KnEnvironmentResult *training, uint64_t run, double *kept, double *games)
{
    *kept = *games = 0;
    for (int a = 0; a < training->agents; a++) {
        const KnEnvironmentScore *s = &training->runs[run].score[a];
        *kept += (double)(s->wins + s->draws);
        *games += (double)(s->wins + s->draws + s->losses);
    }
}

KnMoments kn_environment_moments(const KnEnvironmentResult *training, KnEnvironmentMeasure measure, int agent)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < training->count; r++)
        kn_moments_add(&moments, kn_environment_value(training, measure, agent, r));
    return moments;
}

KnMoments kn_environment_figure(const KnEnvironmentResult *training, const char *name)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < training->count; r++)
        kn_moments_add(&moments, json_number_value(json_object_get(training->runs[r].figures, name)));
    return moments;
}

double kn_environment_tally_value(const KnEnvironmentResult *training, const char *name, int agent,
                                  uint64_t run)
{
    double sum = 0;
    for (int a = 0; a < training->agents; a++)
        if (agent < 0 || agent == a)
            sum += json_number_value(json_object_get(training->runs[run].score[a].tally, name));
    return sum;
}

KnMoments kn_environment_tally(const KnEnvironmentResult *training, const char *name, int agent)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < training->count; r++)
        kn_moments_add(&moments, kn_environment_tally_value(training, name, agent, r));
    return moments;
}
