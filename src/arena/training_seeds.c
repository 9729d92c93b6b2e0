/* Training with several seeds: a job that workers in other processes share, a run each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/learner.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"
#include "jobs/job.h"

/* ---- the task file ---- */

enum { FORMAT = 1, SEEDS_MOST = 1000000, POINTS_MOST = 10000 };
static const char TASK[] = "task.json";

KnStatus kn_train_task_write(const char *folder, const KnTrainTask *task, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = kn_mkdirs(folder, error);
    kn_path_join(&path, folder, TASK);
    json_t *root = json_pack("{si ss ss so sI si}", "format", FORMAT, "learner", task->learner, "game",
                             task->game, "seed", kn_json_from_uint64(task->seed), "seeds",
                             (json_int_t)task->seeds, "points", task->points);
    char *text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    if (status == KN_OK)
        status = text ? kn_sealed_write(path.data, text, error)
                      : kn_fail_memory(error, "writing a training task");
    free(text);
    json_decref(root);
    kn_text_free(&path);
    return status;
}

static KnStatus parse_task(const KnJson *at, KnTrainTask *task, KnError *error)
{
    static const char *const known[] = {"format", "learner", "game", "seed", "seeds", "points", NULL};
    const char *learner = NULL, *game = NULL;
    int64_t format, seeds = 1, points = 0;
    KnStatus status = kn_json_integer(at, "format", 1, INT32_MAX, &format, error);
    if (status == KN_OK && format != FORMAT)
        return kn_json_fail(at, "format", error, "is %d, this program knows %d; use a newer knack",
                            (int)format, FORMAT);
    if (status == KN_OK) status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_string(at, "learner", &learner, error);
    if (status == KN_OK) status = kn_json_string(at, "game", &game, error);
    if (status == KN_OK) status = kn_json_uint64(at, "seed", &task->seed, error);
    if (status == KN_OK) status = kn_json_integer(at, "seeds", 1, SEEDS_MOST, &seeds, error);
    if (status == KN_OK) status = kn_json_integer(at, "points", KN_TRAIN_POINTS, POINTS_MOST, &points, error);
    if (status != KN_OK) return status;
    task->learner = strdup(learner);
    task->game = strdup(game);
    task->seeds = (uint64_t)seeds;
    task->points = (int)points;
    return task->learner && task->game ? KN_OK : kn_fail_memory(error, "reading a training task");
}

KnStatus kn_train_task_read(const char *folder, KnTrainTask *task, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    json_t *root = NULL;
    *task = (KnTrainTask){0};
    kn_path_join(&path, folder, TASK);
    KnSeal seal;
    KnStatus status = kn_sealed_load(path.data, &root, &seal, error);
    KnJson at = kn_json_root(root, path.data);
    if (status == KN_OK && seal == KN_SEAL_EDITED)
        status =
            kn_fail(error, KN_INPUT,
                    "%s: does not fit its checksum: it is damaged, or was edited; if you edited it, remove "
                    "the line \"checksum\", else begin in another folder",
                    path.data);
    if (status == KN_OK) status = parse_task(&at, task, error);
    json_decref(root);
    kn_text_free(&path);
    return status;
}

void kn_train_task_free(KnTrainTask *task)
{
    free(task->learner);
    free(task->game);
    *task = (KnTrainTask){0};
}

void kn_train_seed_folder(const char *folder, uint64_t seed, KnText *path)
{
    char name[24];
    snprintf(name, sizeof name, "%llu", (unsigned long long)seed);
    kn_path_join(path, folder, name);
}

/* ---- the job ---- */

typedef struct Payload {
    const char *folder, *learner, *game;
    uint64_t seed;
    int points, jobs;
} Payload;

typedef struct Seeds {
    const KnContext *context;
    KnTrainSeeds plan;
    KnTrainTask task;     /* on a worker */
    KnProgress *progress; /* of all seeds; NULL on a worker */
} Seeds;

/* Says which seed is under way, where there are several. */
static void note_seed(const Seeds *s, uint64_t index)
{
    char note[64];
    if (s->plan.task->seeds < 2) return;
    snprintf(note, sizeof note, "seed %llu of %llu", (unsigned long long)index + 1,
             (unsigned long long)s->plan.task->seeds);
    kn_progress_note(s->progress, note);
}

static KnStatus train_seed(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    const Seeds *s = user;
    KnText folder = KN_TEXT_EMPTY;
    KnTrainResult result;
    kn_train_seed_folder(s->plan.folder, s->plan.task->seed + index, &folder);
    note_seed(s, index);
    KnTrainPlan plan = {.learner = s->plan.task->learner,
                        .game = s->plan.task->game,
                        .seed = s->plan.task->seed + index,
                        .jobs = s->plan.jobs,
                        .points = s->plan.task->points,
                        .folder = folder.data,
                        .cancel = s->plan.cancel,
                        .progress = s->progress,
                        .observer = s->plan.observer};
    KnStatus status = kn_train(s->context, &plan, &result, error);
    kn_progress_part_done(s->progress);
    kn_train_result_free(&result);
    kn_text_free(&folder);
    return status;
}

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    Seeds *s = *user = calloc(1, sizeof *s);
    const Payload *sent = payload;
    if (!s) return kn_fail_memory(error, "training");
    s->context = site->context;
    s->task = (KnTrainTask){.learner = (char *)(uintptr_t)sent->learner,
                            .game = (char *)(uintptr_t)sent->game,
                            .seed = sent->seed,
                            .points = sent->points};
    s->plan =
        (KnTrainSeeds){.folder = sent->folder, .task = &s->task, .jobs = sent->jobs, .cancel = site->cancel};
    return KN_OK;
}

static KnStatus received_seed(void *user, uint64_t index, KnError *error)
{
    (void)index, (void)error;
    kn_progress_part_elsewhere(((Seeds *)user)->progress);
    return KN_OK;
}

/* A training run has no result to send: it lies in its folder. */
const KnJobType kn_training_job_type = {
    .name = "training run",
    .summary = "training runs, one for each seed",
    .payload = KN_LAYOUT(Payload, KN_STRINGS(Payload, folder), KN_STRINGS(Payload, learner),
                         KN_STRINGS(Payload, game), KN_PLAIN(Payload, seed), KN_PLAIN(Payload, points),
                         KN_PLAIN(Payload, jobs)),
    .open = open_job,
    .close = free,
    .run = train_seed,
    .received = received_seed};

/* A finished run is read again from its folder, wherever it was trained. */
static KnStatus report_seed(void *user, uint64_t index, KnError *error)
{
    const Seeds *s = user;
    if (!s->plan.finished) return KN_OK;
    KnText folder = KN_TEXT_EMPTY;
    KnTrainResult result;
    kn_train_seed_folder(s->plan.folder, s->plan.task->seed + index, &folder);
    KnTrainPlan plan = {.learner = s->plan.task->learner,
                        .game = s->plan.task->game,
                        .seed = s->plan.task->seed + index,
                        .jobs = s->plan.jobs,
                        .points = s->plan.task->points,
                        .folder = folder.data};
    KnStatus status = kn_train(s->context, &plan, &result, error);
    if (status == KN_OK) s->plan.finished(s->plan.user, plan.seed, &result);
    kn_train_result_free(&result);
    kn_text_free(&folder);
    return status;
}

KnStatus kn_train_seeds(const KnContext *context, const KnTrainSeeds *plan, KnError *error)
{
    KnArena *arena = kn_arena_new();
    KnLearner learner;
    KnJob *job = NULL;
    KnStatus status = kn_learner_bind(context, plan->task->learner, arena, &learner, error);
    Seeds seeds = {.context = context, .plan = *plan};
    Payload payload = {.folder = plan->folder,
                       .learner = plan->task->learner,
                       .game = plan->task->game,
                       .seed = plan->task->seed,
                       .points = plan->task->points,
                       .jobs = plan->jobs};
    if (status == KN_OK && plan->task->seeds > 1) /* a single run shares its games instead */
        status = kn_job_open(context, &kn_training_job_type, 1, 0, &payload, &job, error);
    KnJobRun run = {.jobs = 1,
                    .count = plan->task->seeds,
                    .commit = report_seed,
                    .user = &seeds,
                    .cancel = job ? plan->cancel : NULL};
    if (status == KN_OK && plan->progress) seeds.progress = plan->progress(plan->user, learner.type);
    kn_progress_parts(seeds.progress, plan->task->seeds);
    if (status == KN_OK) status = kn_job_step(job, &kn_training_job_type, &run, error);
    kn_job_close(job);
    kn_progress_free(seeds.progress);
    kn_arena_free(arena);
    return status;
}
