#include "methods/selfplay/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "jobs/parallel.h"
#include "methods/selfplay/inside.h"

enum { SAVE_SECONDS = 10 };

/* ---- learning ---- */

static void learn_board(KnSelfTrainer *t, const KnSeen *seen, const uint8_t *cells, double target)
{
    double error = t->pupil->learn(t->pupil, cells, seen->side, seen->phase,
                                   seen->side == 0 ? target : -target);
    t->errors += fabs(error);
    t->error_count++;
}

/* From the last decision to the first. */
static void learn_game(KnSelfTrainer *t, const KnSelfGame *game)
{
    const size_t cells = (size_t)t->pupil->look->board->cells;
    double target = game->outcome;
    for (size_t i = game->count; i-- > 0;) {
        const KnDecision *decision = &game->decisions[i];
        const uint8_t *board = game->cells + 2 * i * cells;
        if (decision->leaf.present) learn_board(t, &decision->leaf, board + cells, target);
        target = decision->random ? decision->value
                                  : (1 - t->plan.lambda) * decision->value + t->plan.lambda * target;
        learn_board(t, &decision->root, board, target);
    }
}

static KnStatus run_batch(KnSelfTrainer *t, uint64_t count, KnError *error)
{
    KnStatus status = kn_parallel(t->jobs, count, kn_self_play_game, t, t->plan.cancel, error);
    for (uint64_t i = 0; i < count && status == KN_OK; i++) learn_game(t, &t->batch[i]);
    if (status != KN_OK) return status;
    t->done += count;
    return t->pupil->end_batch ? t->pupil->end_batch(t->pupil, t->done, error) : KN_OK;
}

/* ---- the state ---- */

static KnStatus save_state(KnSelfTrainer *t, KnError *error)
{
    json_t *root = json_pack("{sI sf}", "games", (json_int_t)t->done, "seconds",
                             t->plan.timed ? t->seconds : 0.0);
    char *header = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = header ? t->pupil->pack_state(t->pupil, header, &bytes, error)
                             : kn_fail_memory(error, "saving a training");
    if (status == KN_OK) status = kn_file_write_atomic(t->state_file, bytes.data, bytes.length, error);
    t->saved_at = t->seconds;
    free(header);
    json_decref(root);
    kn_text_free(&bytes);
    return status;
}

static KnStatus load_state(KnSelfTrainer *t, KnError *error)
{
    enum { MOST = 1 << 30 };
    KnText bytes = KN_TEXT_EMPTY;
    char *header = NULL;
    json_t *root = NULL;
    KnStatus status = kn_file_read(t->state_file, &bytes, MOST, error);
    if (status == KN_OK)
        status = t->pupil->unpack_state(t->pupil, bytes.data, bytes.length, t->state_file, &header, error);
    if (status == KN_OK) status = kn_json_load_bytes(header, strlen(header), t->state_file, &root, error);
    if (status == KN_OK) {
        KnJson at = kn_json_root(root, t->state_file);
        int64_t games = 0;
        status = kn_json_integer(&at, "games", 0, INT64_MAX, &games, error);
        t->done = (uint64_t)games;
        if (status == KN_OK) status = kn_json_real(&at, "seconds", &t->seconds, error);
        t->saved_at = t->seconds;
    }
    json_decref(root);
    free(header);
    kn_text_free(&bytes);
    return status;
}

KnStatus kn_self_trainer_save(KnSelfTrainer *t, const char *file, KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = save_state(t, error);
    if (status == KN_OK) status = t->pupil->pack(t->pupil, &t->plan, t->done, &bytes, error);
    if (status == KN_OK) status = kn_file_write_atomic(file, bytes.data, bytes.length, error);
    kn_text_free(&bytes);
    return status;
}

/* ---- training ---- */

uint64_t kn_self_trainer_games(const KnSelfTrainer *t) { return t->done; }
double kn_self_trainer_seconds(const KnSelfTrainer *t) { return t->seconds; }

double kn_self_trainer_error(KnSelfTrainer *t)
{
    double mean = t->error_count > 0 ? t->errors / t->error_count : 0;
    t->errors = t->error_count = 0;
    return mean;
}

KnStatus kn_self_trainer_run(KnSelfTrainer *t, uint64_t games, double seconds, KnProgress *progress,
                             KnError *error)
{
    KnStatus status = KN_OK;
    while (status == KN_OK && t->done < games && (seconds <= 0 || t->seconds < seconds)) {
        uint64_t left = games - t->done, batch = (uint64_t)t->plan.batch;
        double start = kn_clock_now();
        status = run_batch(t, left < batch ? left : batch, error);
        t->seconds += kn_clock_now() - start;
        if (status != KN_OK) break;
        kn_progress_tick(progress, left < batch ? left : batch);
        if (t->seconds - t->saved_at > SAVE_SECONDS) status = save_state(t, error);
    }
    if (status != KN_STOPPED) return status;
    KnError other; /* a stopped training goes on from its last whole batch */
    save_state(t, &other);
    return status;
}

static KnStatus set_up(KnSelfTrainer *t, KnError *error)
{
    KnStatus status = KN_OK;
    t->batch = calloc((size_t)t->plan.batch, sizeof *t->batch);
    t->jobs = kn_jobs(t->plan.jobs);
    if (t->jobs > t->plan.batch) t->jobs = t->plan.batch;
    t->workers = calloc((size_t)t->jobs, sizeof *t->workers);
    if (!t->state_file || !t->batch || !t->workers) return kn_fail_memory(error, "preparing to train");
    for (int i = 0; i < t->jobs && status == KN_OK; i++)
        status = kn_self_worker_open(t, &t->workers[i], error);
    return status;
}

KnStatus kn_self_trainer_open(KnPupil *pupil, const KnSelfPlayPlan *plan, const char *state,
                              KnSelfTrainer **out, KnError *error)
{
    KN_ASSERT(plan->batch > 0);
    *out = NULL;
    KnSelfTrainer *t = calloc(1, sizeof *t);
    if (!t) {
        pupil->close(pupil);
        return kn_fail_memory(error, "preparing to train");
    }
    t->plan = *plan;
    t->pupil = pupil;
    t->state_file = strdup(state);
    KnStatus status = set_up(t, error);
    if (status == KN_OK && kn_file_exists(state)) status = load_state(t, error);
    if (status == KN_OK)
        *out = t;
    else
        kn_self_trainer_close(t);
    return status;
}

void kn_self_trainer_close(KnSelfTrainer *t)
{
    if (!t) return;
    for (int i = 0; t->workers && i < t->jobs; i++) kn_self_worker_close(&t->workers[i]);
    for (int i = 0; t->batch && i < t->plan.batch; i++) {
        free(t->batch[i].decisions);
        free(t->batch[i].cells);
    }
    free(t->workers);
    free(t->batch);
    t->pupil->close(t->pupil);
    free(t->state_file);
    free(t);
}
