#include "lab/experience/shared.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "arena/play.h"
#include "base/file.h"
#include "base/json.h"
#include "base/math.h"
#include "jobs/job.h"
#include "methods/experience/player.h"

/* ---- one repetition ---- */

/* The files of a repetition; scratch, and gone when it is over. */
typedef struct Scratch {
    KnText mine, frozen, other;
} Scratch;

static void name_scratch(KnText *path, const char *folder, uint64_t seed, const char *what)
{
    char name[80];
    snprintf(name, sizeof name, "gina-%016llx-%s.mdb", (unsigned long long)seed, what);
    kn_path_join(path, folder, name);
}

static void remove_base(const KnText *path)
{
    if (!path->length) return;
    KnText lock = KN_TEXT_EMPTY;
    kn_text_printf(&lock, "%s-lock", path->data);
    unlink(path->data);
    unlink(lock.data);
    kn_text_free(&lock);
}

/* A spec with {frozen} and {other} filled in. */
static void fill_spec(const char *form, const Scratch *scratch, KnText *spec)
{
    kn_text_clear(spec);
    for (const char *c = form; *c;) {
        bool frozen = strncmp(c, "{frozen}", 8) == 0, other = strncmp(c, "{other}", 7) == 0;
        if (frozen || other) {
            kn_text_add_quoted(spec, frozen ? scratch->frozen.data : scratch->other.data);
            c += frozen ? 8 : 7;
        } else
            kn_text_add_char(spec, *c++);
    }
}

typedef struct Table {
    const KnContext *context;
    const KnGinaTraining *training;
    KnGame *game;
    KnState *state;
    KnPlayer *learner, *opponents[KN_GINA_OPPONENTS];
    int opponent_count;
} Table;

static KnStatus seat(Table *t, const Scratch *scratch, const KnText *base, KnError *error)
{
    const KnGinaTraining *training = t->training;
    KnText spec = KN_TEXT_EMPTY, quoted = KN_TEXT_EMPTY;
    kn_text_add_quoted(&quoted, base->data);
    kn_text_printf(&spec, "experience(%s, base=%s, learn, -sync, %s)", training->inner, quoted.data,
                   training->how);
    KnStatus status = kn_game_open(t->context, training->game ? training->game : "othello", &t->game, error);
    if (status == KN_OK) status = kn_player_open(t->context, t->game, spec.data, &t->learner, error);
    for (int i = 0; i < KN_GINA_OPPONENTS && training->opponents[i] && status == KN_OK; i++) {
        fill_spec(training->opponents[i], scratch, &spec);
        status = kn_player_open(t->context, t->game, spec.data, &t->opponents[i], error);
        t->opponent_count++;
    }
    if (status == KN_OK && !(t->state = kn_state_new(t->game)))
        status = kn_fail_memory(error, "playing a training run");
    kn_text_free(&spec);
    kn_text_free(&quoted);
    return status;
}

static void rise(Table *t)
{
    kn_player_close(t->learner);
    for (int i = 0; i < KN_GINA_OPPONENTS; i++) kn_player_close(t->opponents[i]);
    kn_state_free(t->state);
    kn_game_close(t->game);
}

static KnStatus play_game(Table *t, uint64_t seed, uint64_t index, const atomic_bool *cancel,
                          KnGinaGame *game, KnError *error)
{
    KN_ASSERT(t->opponent_count > 0 && t->opponent_count <= KN_GINA_OPPONENTS);
    int role = (int)(index % 2), opponent = (int)(index / 2 % (uint64_t)t->opponent_count);
    KnRng rngs[2] = {kn_rng_stream(seed, 2 * index), kn_rng_stream(seed, 2 * index + 1)};
    KnPlayPlan plan = {
        .state = t->state,
        .rngs = {&rngs[0], &rngs[1]},
        .rules = {.ply_limit = t->training->ply_limit, .judge = t->training->judge, .cancel = cancel},
        .strict = true};
    plan.players[role] = t->learner;
    plan.players[1 - role] = t->opponents[opponent];
    KnExperienceTally before = *kn_experience_tally(t->learner);
    KnPlayed played;
    kn_state_reset(t->state, NULL);
    KnStatus status = kn_play(&plan, &played, error);
    KnBaseStat size = {0};
    if (status == KN_OK) status = kn_base_size(kn_experience_base(t->learner), &size, error);
    const KnExperienceTally *after = kn_experience_tally(t->learner);
    double margin = kn_base_outcome(t->state, played.payoffs);
    *game = (KnGinaGame){.margin = role == 0 ? margin : -margin,
                         .opponent = opponent,
                         .from_base = (int)(after->from_base - before.from_base),
                         .ignored = (int)(after->ignored - before.ignored),
                         .searched = (int)(after->searched - before.searched),
                         .forced = (int)(after->forced - before.forced),
                         .positions = (double)size.positions,
                         .seconds = played.cost[role].seconds};
    return status;
}

typedef struct Job {
    KnLabRun *run;
    const KnGinaTraining *training;
    KnGinaResult *result;
    uint64_t seed, first; /* first: repetitions before it were kept by an earlier run */
    char folder[512];
} Job;

static KnStatus play_training(const Job *job, const KnGinaTraining *training, uint64_t seed,
                              const Scratch *scratch, const KnText *base, KnGinaGame *games, KnError *error)
{
    Table table = {.context = kn_lab_context(job->run), .training = training};
    KnStatus status = seat(&table, scratch, base, error);
    for (uint64_t i = 0; i < training->games && status == KN_OK; i++) {
        KnGinaGame dropped;
        status = play_game(&table, seed, i, kn_lab_cancel(job->run), games ? &games[i] : &dropped, error);
        kn_progress_tick(kn_lab_progress(job->run), 1);
    }
    rise(&table);
    return status;
}

static KnGinaGame *games_of(const Job *job, uint64_t repetition)
{
    KN_ASSERT(repetition < job->result->repetitions);
    return job->result->all + repetition * job->training->games;
}

static KnStatus play_repetition(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    Job *job = user;
    uint64_t repetition = job->first + index, seed = kn_mix64(job->seed + repetition);
    Scratch scratch = {KN_TEXT_EMPTY, KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    name_scratch(&scratch.mine, job->folder, seed, "mine");
    name_scratch(&scratch.frozen, job->folder, seed, "frozen");
    name_scratch(&scratch.other, job->folder, seed, "other");
    KnText *files[] = {&scratch.mine, &scratch.frozen, &scratch.other};
    for (int i = 0; i < 3; i++) remove_base(files[i]); /* what an interrupted run left */
    KnStatus status = KN_OK;
    if (job->training->before)
        status = play_training(job, job->training->before, ~seed, &scratch, &scratch.frozen, NULL, error);
    if (status == KN_OK)
        status = play_training(job, job->training, seed, &scratch, &scratch.mine, games_of(job, repetition),
                               error);
    for (int i = 0; i < 3; i++) {
        remove_base(files[i]);
        kn_text_free(files[i]);
    }
    return status;
}

/* ---- keeping ---- */

static json_t *games_json(const KnGinaGame *games, uint64_t count)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < count && list; i++) {
        const KnGinaGame *g = &games[i];
        json_t *row = json_pack("[f i i i i i f f]", g->margin, g->opponent, g->from_base, g->ignored,
                                g->searched, g->forced, g->positions, g->seconds);
        if (json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool games_from_json(const json_t *list, uint64_t count, KnGinaGame *games)
{
    if (json_array_size(list) != count) return false;
    for (uint64_t i = 0; i < count; i++) {
        KnGinaGame *g = &games[i];
        if (json_unpack(json_array_get(list, i), "[F i i i i i F F]", &g->margin, &g->opponent, &g->from_base,
                        &g->ignored, &g->searched, &g->forced, &g->positions, &g->seconds) != 0)
            return false;
    }
    return true;
}

static void name_unit(const Job *job, uint64_t repetition, char key[200])
{
    snprintf(key, 200, "%s.%llu", job->training->key, (unsigned long long)repetition);
}

/* What an earlier run has kept: since units are kept in order, the first repetitions. */
static KnStatus take_kept(Job *job, KnError *error)
{
    for (; job->first < job->result->repetitions; job->first++) {
        char key[200];
        name_unit(job, job->first, key);
        const KnGinaTraining *before = job->training->before;
        uint64_t work = job->training->games + (before ? before->games : 0);
        const json_t *done = kn_lab_done_work(job->run, key, work);
        if (!done) return KN_OK;
        if (!games_from_json(done, job->training->games, games_of(job, job->first)))
            return kn_fail(error, KN_INPUT, "%s: a stored training run cannot be read; run it with --fresh",
                           key);
    }
    return KN_OK;
}

static KnStatus keep_repetition(void *user, uint64_t index, KnError *error)
{
    Job *job = user;
    char key[200];
    name_unit(job, job->first + index, key);
    return kn_lab_keep(job->run, key, games_json(games_of(job, job->first + index), job->training->games),
                       error);
}

/* ---- the job: repetitions ---- */

typedef struct Payload {
    KnLabOrigin origin;
    uint64_t seed, first, repetitions;
    KnGinaTraining training, before; /* `before` has no key: there is none */
} Payload;

#define TRAINING(member)                                                                                     \
    KN_STRINGS(Payload, member.key), KN_STRINGS(Payload, member.game), KN_STRINGS(Payload, member.inner),    \
        KN_STRINGS(Payload, member.how), KN_STRINGS(Payload, member.opponents),                              \
        KN_PLAIN(Payload, member.games), KN_PLAIN(Payload, member.ply_limit),                                \
        KN_PLAIN(Payload, member.judge)

typedef struct WorkerJob {
    Job job;
    KnGinaResult result;
} WorkerJob;
_Static_assert(offsetof(WorkerJob, job) == 0, "play_repetition takes a WorkerJob for its Job");

static KnStatus prepare(Job *job, KnError *error)
{
    KnGinaResult *result = job->result;
    result->all = calloc(result->games * result->repetitions, sizeof *result->all);
    if (!result->all) return kn_fail_memory(error, "playing a training run");
    snprintf(job->folder, sizeof job->folder, "%s/lab", kn_context_data(kn_lab_context(job->run)));
    return kn_mkdirs(job->folder, error);
}

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    Payload *sent = payload;
    WorkerJob *here = *user = calloc(1, sizeof *here);
    if (!here) return kn_fail_memory(error, "playing a training run");
    KnStatus status = kn_lab_visit(site, &sent->origin, &here->job.run, error);
    if (status != KN_OK) return status;
    if (sent->before.key) sent->training.before = &sent->before;
    here->result.repetitions = sent->repetitions;
    here->result.games = sent->training.games;
    here->job.seed = sent->seed;
    here->job.first = sent->first;
    here->job.training = &sent->training;
    here->job.result = &here->result;
    return prepare(&here->job, error);
}

static void close_job(void *user)
{
    WorkerJob *here = user;
    kn_lab_leave(here->job.run);
    kn_gina_free(&here->result);
    free(here);
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    const Job *job = user;
    *count = job->training->games;
    return games_of(job, job->first + index);
}

static KnStatus received_repetition(void *user, uint64_t index, KnError *error)
{
    (void)index, (void)error;
    const Job *job = user;
    kn_progress_tick(kn_lab_progress(job->run),
                     job->training->games + (job->training->before ? job->training->before->games : 0));
    return KN_OK;
}

const KnJobType kn_gina_job_type = {
    .name = "gina",
    .summary = "training runs of a learner with an experience base",
    .payload = KN_LAYOUT(Payload, KN_LAB_ORIGIN(Payload), KN_PLAIN(Payload, seed), KN_PLAIN(Payload, first),
                         KN_PLAIN(Payload, repetitions), TRAINING(training), TRAINING(before)),
    .open = open_job,
    .close = close_job,
    .run = play_repetition,
    .result = KN_LAYOUT_PLAIN(KnGinaGame),
    .slot = result_slot,
    .received = received_repetition};

KnStatus kn_gina_run(KnLabRun *run, const KnGinaTraining *training, uint64_t repetitions,
                     KnGinaResult *result, KnError *error)
{
    *result = (KnGinaResult){.games = training->games, .repetitions = repetitions};
    Job job = {.run = run, .training = training, .result = result, .seed = kn_lab_seed(run, training->key)};
    KnStatus status = prepare(&job, error);
    if (status == KN_OK) status = take_kept(&job, error);
    Payload payload = {
        .seed = job.seed, .first = job.first, .repetitions = repetitions, .training = *training};
    if (training->before) payload.before = *training->before;
    if (status == KN_OK)
        status = kn_lab_share(run, &kn_gina_job_type, repetitions - job.first, kn_lab_window(run),
                              &payload.origin, keep_repetition, &job, error);
    if (status != KN_OK) kn_gina_free(result);
    return status;
}

void kn_gina_free(KnGinaResult *result)
{
    free(result->all);
    result->all = NULL;
}

/* ---- reading off ---- */

double kn_gina_margin(const KnGinaGame *game) { return game->margin; }
double kn_gina_points(const KnGinaGame *game) { return game->margin > 0 ? 100 : game->margin < 0 ? 0 : 50; }
double kn_gina_positions(const KnGinaGame *game) { return game->positions; }

typedef double (*Summary)(const KnGinaGame *games, uint64_t from, uint64_t to, void *user);

static KnMeasure over_repetitions(const KnGinaResult *result, uint64_t from, uint64_t to, Summary summary,
                                  void *user)
{
    KN_ASSERT(from <= to && to <= result->games && result->repetitions > 0);
    KnMoments moments = {0};
    for (uint64_t r = 0; r < result->repetitions; r++)
        kn_moments_add(&moments, summary(result->all + r * result->games, from, to, user));
    return kn_measure_mean(&moments);
}

typedef struct Wanted {
    KnGinaQuantity quantity;
    int opponent;
} Wanted;

static double mean_of(const KnGinaGame *games, uint64_t from, uint64_t to, void *user)
{
    const Wanted *wanted = user;
    KnMoments moments = {0};
    for (uint64_t i = from; i < to; i++)
        if (wanted->opponent < 0 || games[i].opponent == wanted->opponent)
            kn_moments_add(&moments, wanted->quantity(&games[i]));
    return kn_moments_mean(&moments);
}

KnMeasure kn_gina_mean(const KnGinaResult *result, KnGinaQuantity quantity, uint64_t from, uint64_t to,
                       int opponent)
{
    return over_repetitions(result, from, to, mean_of, &(Wanted){quantity, opponent});
}

static double share_of(const KnGinaGame *games, uint64_t from, uint64_t to, void *user)
{
    bool ignored = *(const bool *)user;
    double some = 0, all = 0;
    for (uint64_t i = from; i < to; i++) {
        some += ignored ? games[i].ignored : games[i].from_base;
        all += games[i].from_base + games[i].ignored + games[i].searched;
    }
    return all > 0 ? 100 * some / all : 0;
}

KnMeasure kn_gina_without_search(const KnGinaResult *result, uint64_t from, uint64_t to)
{
    return kn_measure_within(over_repetitions(result, from, to, share_of, &(bool){false}), 0, 100);
}

KnMeasure kn_gina_ignored(const KnGinaResult *result, uint64_t from, uint64_t to)
{
    return kn_measure_within(over_repetitions(result, from, to, share_of, &(bool){true}), 0, 100);
}

static double growth_of(const KnGinaGame *games, uint64_t from, uint64_t to, void *user)
{
    (void)user;
    uint64_t middle = (from + to) / 2;
    return kn_math_log(games[to - 1].positions / games[middle - 1].positions) /
           kn_math_log((double)to / (double)middle);
}

KnMeasure kn_gina_growth(const KnGinaResult *result)
{
    return over_repetitions(result, 0, result->games, growth_of, NULL);
}

static KnSeries curve(const KnGinaResult *result, const char *name, Summary summary, void *user,
                      KnPoint *points)
{
    size_t count = result->games < KN_GINA_CURVE ? (size_t)result->games : KN_GINA_CURVE;
    for (size_t i = 0; i < count; i++) {
        uint64_t from = result->games * i / count, to = result->games * (i + 1) / count;
        KnMeasure m = over_repetitions(result, from, to, summary, user);
        points[i] = (KnPoint){(double)to, m.value, isfinite(m.low) ? m.low : m.value,
                              isfinite(m.high) ? m.high : m.value};
    }
    return (KnSeries){name, points, count};
}

KnSeries kn_gina_curve(const KnGinaResult *result, const char *name, KnGinaQuantity quantity, int opponent,
                       KnPoint *points)
{
    return curve(result, name, mean_of, &(Wanted){quantity, opponent}, points);
}

KnSeries kn_gina_search_curve(const KnGinaResult *result, const char *name, KnPoint *points)
{
    return curve(result, name, share_of, &(bool){false}, points);
}
