#include "arena/training.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/clock.h"
#include "base/team.h"
#include "games/turns.h"

const char *const kn_training_agents[] = {"perfect(draw=wide)", "reasonable(0.1, rest=perfect(draw=wide))",
                                          "reasonable(0.7, rest=perfect(draw=wide))", "random", NULL};

enum { TEACHER = KN_TRAINING_AGENTS, SEATS };

/* What one thread has to itself. Players are opened once and serve all its runs: a solved game takes a while
 * to load. */
typedef struct Worker {
    KnContest *contest;
    KnPlayer *agents[SEATS]; /* the last is a second expert, to play against the first */
} Worker;

typedef struct Training {
    const KnContext *context;
    const KnTrainingPlan *plan;
    const KnGame *game;
    const char *const *agents;
    KnTraining *result;
    Worker *workers;
    int jobs;
    KnGame *opened; /* the game, where it is this training's own */
} Training;

size_t kn_training_limit(const KnGame *game) { return game->traits & KN_GAME_ENDLESS ? 100 : 0; }

static const char *const *agents_of(const KnTrainingPlan *plan)
{
    return plan->agents[0] ? plan->agents : kn_training_agents;
}

static int count_agents(const char *const *agents)
{
    int count = 0;
    while (count < KN_TRAINING_AGENTS && agents[count]) count++;
    return count;
}

/* ---- Contests ---- */

static KnStatus open_worker(const Training *t, Worker *worker, KnError *error)
{
    if (worker->contest) return KN_OK;
    KnStatus status = KN_OK;
    for (int i = 0; i < t->result->agents && status == KN_OK; i++)
        status = kn_player_open(t->context, t->game, t->agents[i], &worker->agents[i], error);
    if (status == KN_OK)
        status = kn_player_open(t->context, t->game, t->agents[0], &worker->agents[TEACHER], error);
    if (status == KN_OK && !(worker->contest = kn_contest_new(t->game)))
        status = kn_fail_memory(error, "making contests");
    return status;
}

static void close_worker(Worker *worker)
{
    for (int i = 0; i < SEATS; i++) kn_player_close(worker->agents[i]);
    kn_contest_free(worker->contest);
}

/* One contest of two players, the first of whom begins if `index` is even. Chance depends on the purpose and
 * the index only. */
static KnStatus play_one(const Training *t, Worker *worker, KnPlayer *const pair[2], uint64_t purpose,
                         uint64_t index, KnPlayed *played, KnError *error)
{
    int first = (int)(index & 1);
    KnPlayer *seats[2] = {pair[first], pair[1 - first]};
    KnRng rngs[2], whole = kn_rng_stream(purpose, index);
    for (int seat = 0; seat < 2; seat++)
        rngs[seat ^ first] = kn_rng_seeded(kn_rng_next(&whole)); /* a player's own, whatever its seat */
    KnPlayRules rules = {.ply_limit = t->plan->ply_limit, .cancel = t->plan->cancel};
    kn_contest_reset(worker->contest, NULL);
    KnStatus status = kn_play(worker->contest, seats, rngs, &rules, played, error);
    if (status == KN_OK && played->ending == KN_ENDED_BY_FORFEIT)
        status = kn_fail(error, KN_INPUT, "%s failed: %s", seats[played->culprit]->spec, played->fault);
    if (status == KN_OK && t->plan->progress) kn_progress_tick(t->plan->progress, 1);
    return status;
}

/* ---- Training ---- */

static KnStatus learn_from(const Training *t, const Worker *worker, const KnPlayed *played, unsigned experts,
                           unsigned own, KnWatcher *watcher, double *seconds, KnError *error)
{
    KnWatched watched;
    KnStatus status = kn_watched_from(worker->contest, played->payoffs, experts, own, &watched, error);
    if (status != KN_OK) return status;
    double started = kn_clock_cpu();
    status = kn_watcher_watch(watcher, &watched, error);
    *seconds += kn_clock_cpu() - started;
    kn_watched_free(&watched);
    (void)t;
    return status;
}

/* A tournament of an agent against the teacher, or against the learner itself. */
static KnStatus train_once(const Training *t, Worker *worker, int agent, uint64_t purpose, KnWatcher *watcher,
                           double *seconds, KnError *error)
{
    bool playing = t->plan->environment == KN_TRAIN_PLAYING;
    KnStatus status = KN_OK;
    for (uint64_t i = 0; i < t->plan->watch && status == KN_OK; i++) {
        KnPlayer *self = NULL;
        if (playing) status = kn_watcher_player(watcher, &self, error);
        if (status != KN_OK) return status;
        KnPlayer *pair[2] = {playing ? self : worker->agents[TEACHER], worker->agents[agent]};
        KnPlayed played;
        status = play_one(t, worker, pair, purpose, i, &played, error);
        if (status == KN_OK) {
            unsigned mine = 1u << (i & 1), its = 3 - mine; /* whoever comes first in `pair` sits at i & 1 */
            unsigned experts = (playing ? 0 : mine) | (agent == 0 ? its : 0);
            status = learn_from(t, worker, &played, experts, playing ? mine : 0, watcher, seconds, error);
        }
        kn_played_free(&played);
        kn_player_close(self);
    }
    double started = kn_clock_cpu();
    if (status == KN_OK) status = kn_watcher_pause(watcher, error);
    *seconds += kn_clock_cpu() - started;
    return status;
}

static KnStatus train(const Training *t, Worker *worker, uint64_t seed, KnWatcher *watcher, double *seconds,
                      KnError *error)
{
    int cycles = t->plan->environment == KN_TRAIN_DOUBLE ? 2 : 1, agents = t->result->agents;
    KnStatus status = KN_OK;
    for (int c = 0; c < cycles; c++)
        for (int a = agents - 1; a >= 0 && status == KN_OK; a--)
            status = train_once(t, worker, a, kn_mix64(seed + (uint64_t)(c * agents + a) + 1), watcher,
                                seconds, error);
    double started = kn_clock_cpu();
    if (status == KN_OK) status = kn_watcher_settle(watcher, error);
    *seconds += kn_clock_cpu() - started;
    return status;
}

/* ---- Testing ---- */

static KnStatus test_against(const Training *t, Worker *worker, int agent, uint64_t purpose,
                             const KnWatcher *watcher, KnTrainingScore *score, KnError *error)
{
    KnPlayer *player;
    KnStatus status = kn_watcher_player(watcher, &player, error);
    for (uint64_t i = 0; i < t->plan->test && status == KN_OK; i++) {
        KnPlayer *pair[2] = {player, worker->agents[agent]};
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
        kn_played_free(&played);
    }
    if (status == KN_OK && watcher->type->tally) score->tally = watcher->type->tally(player);
    kn_player_close(player);
    return status;
}

static KnStatus one_run(void *user, int number, uint64_t index, KnError *error)
{
    Training *t = user;
    Worker *worker = &t->workers[number];
    KnTrainingRun *run = &t->result->runs[index];
    uint64_t seed = kn_mix64(kn_mix64(t->plan->seed) ^ ~index);
    KnWatcher *watcher = NULL;
    KnStatus status = open_worker(t, worker, error);
    if (status == KN_OK) status = kn_watcher_open(t->context, t->game, t->plan->learner, &watcher, error);
    if (status == KN_OK) status = train(t, worker, seed, watcher, &run->learning_seconds, error);
    for (int a = 0; a < t->result->agents && t->plan->test && status == KN_OK; a++)
        status = test_against(t, worker, a, kn_mix64(seed + 1000 + (uint64_t)a), watcher, &run->score[a],
                              error);
    if (status == KN_OK && watcher->type->figures) run->figures = watcher->type->figures(watcher);
    if (status == KN_OK && index == 0 && t->plan->save)
        status = kn_watcher_save(watcher, t->plan->save, error);
    kn_watcher_close(watcher);
    return status;
}

/* ---- Runs ---- */

static KnStatus check_plan(const KnTrainingPlan *plan, KnError *error)
{
    if (!plan->runs) return kn_fail(error, KN_USAGE, "zero runs measure nothing; ask for one at least");
    if (!plan->watch && !plan->test)
        return kn_fail(error, KN_USAGE,
                       "neither contests to learn from nor contests to be tested in: nothing to do");
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
        t->result->agents = count_agents(t->agents);
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

/* ---- Runs elsewhere ---- */

typedef struct Away {
    Training training;
    KnTrainingPlan plan;
} Away;
_Static_assert(offsetof(Away, training) == 0, "a task takes an Away for its Training");

static void write_brief(const KnTrainingPlan *plan, KnText *brief)
{
    kn_pack_string(brief, plan->game);
    kn_pack_string(brief, plan->learner);
    kn_pack_int(brief, (int)plan->environment);
    kn_pack_u64(brief, plan->watch);
    kn_pack_u64(brief, plan->test);
    kn_pack_u64(brief, plan->runs);
    kn_pack_u64(brief, plan->seed);
    kn_pack_u64(brief, plan->ply_limit);
    for (int a = 0; a < KN_TRAINING_AGENTS; a++) kn_pack_string(brief, plan->agents[a]);
    kn_pack_string(brief, plan->save);
}

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "training");
    KnTrainingPlan *plan = &away->plan;
    KnUnpack *in = &post->brief;
    plan->game = kn_unpack_string(in);
    plan->learner = kn_unpack_string(in);
    plan->environment = (KnTrainingEnvironment)kn_unpack_int(in);
    plan->watch = kn_unpack_u64(in);
    plan->test = kn_unpack_u64(in);
    plan->runs = kn_unpack_u64(in);
    plan->seed = kn_unpack_u64(in);
    plan->ply_limit = kn_unpack_u64(in);
    for (int a = 0; a < KN_TRAINING_AGENTS; a++) plan->agents[a] = kn_unpack_string(in);
    plan->save = kn_unpack_string(in);
    plan->jobs = post->jobs;
    plan->cancel = post->cancel;
    away->training = (Training){.context = post->context, .plan = plan};
    if (!kn_unpack_ok(in)) return kn_fail(error, KN_SYSTEM, "a training came over in parts");
    return set_up(&away->training, error);
}

static void close_away(void *user)
{
    Away *away = user;
    clean_up(&away->training);
    kn_training_free(away->training.result);
    free(away);
}

static void pack_json(KnText *out, const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    kn_pack_string(out, text);
    free(text);
}

static bool unpack_json(KnUnpack *in, json_t **value)
{
    const char *text = kn_unpack_string(in);
    *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    return !text || *value;
}

static void pack_run(void *user, int worker, uint64_t index, KnText *out)
{
    (void)worker;
    const Training *t = user;
    const KnTrainingRun *run = &t->result->runs[index];
    kn_pack_bytes(out, run, sizeof *run);
    for (int a = 0; a < KN_TRAINING_AGENTS; a++) pack_json(out, run->score[a].tally);
    pack_json(out, run->figures);
}

static KnStatus unpack_run(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error)
{
    (void)worker;
    Training *t = user;
    const KnTrainingPlan *plan = t->plan;
    KnTrainingRun *run = &t->result->runs[index];
    bool good = true;
    kn_unpack_into(in, run, sizeof *run);
    for (int a = 0; a < KN_TRAINING_AGENTS; a++) good &= unpack_json(in, &run->score[a].tally);
    good &= unpack_json(in, &run->figures);
    uint64_t tournaments = (uint64_t)t->result->agents, cycles = plan->environment == KN_TRAIN_DOUBLE ? 2 : 1;
    if (plan->progress) kn_progress_tick(plan->progress, tournaments * (cycles * plan->watch + plan->test));
    return good && kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "a run came over in parts");
}

const KnDuty kn_training_duty = {
    "training", "runs of training and testing", open_away, close_away, NULL, one_run, pack_run, unpack_run};

KnStatus kn_training_run(const KnContext *context, const KnTrainingPlan *plan, KnTraining **out,
                         KnError *error)
{
    Training t = {.context = context, .plan = plan};
    KnErrand *errand = NULL;
    KnText brief = KN_TEXT_EMPTY;
    *out = NULL;
    KnStatus status = set_up(&t, error);
    write_brief(plan, &brief);
    if (status == KN_OK)
        status = kn_errand_open(context, &kn_training_duty, plan->jobs, 0, &brief, &errand, error);
    if (status == KN_OK)
        status = kn_errand_run(errand, &kn_training_duty, NULL, t.jobs, plan->runs, 0, NULL, &t, plan->cancel,
                               error);
    kn_errand_close(errand);
    kn_text_free(&brief);
    clean_up(&t);
    if (status == KN_OK)
        *out = t.result;
    else
        kn_training_free(t.result);
    return status;
}

KnStatus kn_training_teach(const KnContext *context, const KnTrainingPlan *plan, const KnGame *game,
                           KnWatcher **watcher, KnError *error)
{
    Worker worker = {0};
    KnTraining result = {.agents = count_agents(agents_of(plan))};
    Training t = {.context = context,
                  .plan = plan,
                  .game = game,
                  .agents = agents_of(plan),
                  .result = &result,
                  .workers = &worker};
    double seconds = 0;
    KnStatus status = open_worker(&t, &worker, error);
    if (status == KN_OK) status = kn_watcher_open(context, game, plan->learner, watcher, error);
    if (status == KN_OK)
        status = train(&t, &worker, kn_mix64(kn_mix64(plan->seed) ^ ~(uint64_t)0), *watcher, &seconds, error);
    close_worker(&worker);
    if (status != KN_OK) kn_watcher_close(*watcher), *watcher = NULL;
    return status;
}

void kn_training_free(KnTraining *training)
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

double kn_training_value(const KnTraining *training, KnTrainingMeasure measure, int agent, uint64_t run)
{
    const KnTrainingScore *s = &training->runs[run].score[agent];
    double contests = (double)(s->wins + s->draws + s->losses);
    if (contests <= 0) return 0;
    if (measure == KN_THINKING) return 1000 * s->seconds / contests;
    return 100 * (double)(s->wins + (measure == KN_RELIABILITY ? s->draws : 0)) / contests;
}

KnMoments kn_training_moments(const KnTraining *training, KnTrainingMeasure measure, int agent)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < training->count; r++)
        kn_moments_add(&moments, kn_training_value(training, measure, agent, r));
    return moments;
}

KnMoments kn_training_figure(const KnTraining *training, const char *name)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < training->count; r++)
        kn_moments_add(&moments, json_number_value(json_object_get(training->runs[r].figures, name)));
    return moments;
}

double kn_training_tally_value(const KnTraining *training, const char *name, int agent, uint64_t run)
{
    double sum = 0;
    for (int a = 0; a < training->agents; a++)
        if (agent < 0 || agent == a)
            sum += json_number_value(json_object_get(training->runs[run].score[a].tally, name));
    return sum;
}

KnMoments kn_training_tally(const KnTraining *training, const char *name, int agent)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < training->count; r++)
        kn_moments_add(&moments, kn_training_tally_value(training, name, agent, r));
    return moments;
}
