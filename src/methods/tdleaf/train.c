#include "methods/tdleaf/train.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/file.h"
#include "games/turns.h"
#include "learn/fit.h"
#include "methods/tdleaf/trainer.h"

KnTdPlan kn_td_plan(void)
{
    return (KnTdPlan){.depths = {5},
                      .depth_count = 1,
                      .rule = kn_td_rule(),
                      .learner_role = -1,
                      .games = 4000,
                      .batch = 1,
                      .ply_limit = 400,
                      .table_mib = 1,
                      .seed = 1,
                      .jobs = 1};
}

/* ---- setting up ---- */

static KnStatus prepare(KnTrainer *t, const char *file, KnError *error)
{
    KnStatus status = kn_game_turns(t->own_game, &t->view, error);
    t->game = t->view ? t->view : t->own_game;
    if (status == KN_OK)
        status = kn_openings_new(t->game,
                                 &(KnOpeningsPlan){.path = t->plan->openings,
                                                   .random_plies = t->plan->random_plies,
                                                   .seed = t->plan->seed},
                                 &t->openings, error);
    if (status == KN_OK && t->plan->tables)
        status = kn_endgame_open(t->game, t->plan->tables, &t->tables, error);
    if (status == KN_OK) status = kn_trainer_make_sets(t, error);
    if (status == KN_OK) status = kn_trainer_identify(t, error);
    if (status == KN_OK && file && kn_file_exists(file)) status = kn_trainer_resume(t, file, error);
    if (status != KN_OK) return status;
    t->features = t->weights->features;
    if (!t->jobs) t->jobs = kn_jobs(t->plan->jobs) < t->plan->batch ? kn_jobs(t->plan->jobs) : t->plan->batch;
    t->workers = calloc((size_t)t->jobs, sizeof *t->workers);
    t->batch = calloc((size_t)t->plan->batch, sizeof *t->batch);
    t->change = calloc(kn_weights_size(t->features) * (size_t)t->weights->count, sizeof *t->change);
    if (!t->workers || !t->batch || !t->change) return kn_fail_memory(error, "preparing to train");
    for (int i = 0; i < t->plan->batch; i++)
        for (int role = 0; role < 2; role++)
            if (!(t->batch[i].td[role] = kn_td_open(t->features->count, t->features->phases)))
                return kn_fail_memory(error, "preparing to train");
    for (int i = 0; i < t->jobs && status == KN_OK; i++)
        status = kn_trainer_open_worker(t, &t->workers[i], error);
    return status;
}

static void clean_up(KnTrainer *t)
{
    for (int i = 0; i < t->jobs && t->workers; i++) kn_trainer_close_worker(&t->workers[i]);
    for (int i = 0; i < t->plan->batch && t->batch; i++)
        for (int role = 0; role < 2; role++) kn_td_close(t->batch[i].td[role]);
    kn_trainer_free_sets(t);
    kn_openings_free(t->openings);
    kn_endgame_close(t->tables);
    kn_game_close(t->view);
    json_decref(t->curve);
    free(t->workers);
    free(t->batch);
    free(t->change);
}

/* ---- the job ---- */

typedef struct Payload {
    const char *game;
    KnTdPlan plan;
} Payload;

typedef struct WorkerTrainer {
    KnTrainer trainer;
    KnGame *game;
} WorkerTrainer;
_Static_assert(offsetof(WorkerTrainer, trainer) == 0, "play takes a WorkerTrainer for its KnTrainer");

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    WorkerTrainer *here = *user = calloc(1, sizeof *here);
    if (!here) return kn_fail_memory(error, "preparing to train");
    KnTdPlan *plan = &((Payload *)payload)->plan;
    plan->jobs = site->jobs;
    plan->cancel = site->cancel;
    here->trainer =
        (KnTrainer){.context = site->context, .plan = plan, .jobs = site->jobs, .curve = json_array()};
    KnStatus status = kn_game_open(site->context, ((Payload *)payload)->game, &here->game, error);
    here->trainer.own_game = here->game;
    return status == KN_OK ? prepare(&here->trainer, NULL, error) : status;
}

static void close_job(void *user)
{
    WorkerTrainer *here = user;
    clean_up(&here->trainer);
    kn_weights_free(here->trainer.weights);
    kn_game_close(here->game);
    free(here);
}

/* Before each batch: the number of games so far, and the weights to play with. */
static KnStatus update_weights(void *user, KnUnpack *in, KnError *error)
{
    KnTrainer *t = user;
    t->done = kn_unpack_u64(in);
    for (int s = 0; s < t->weights->count; s++)
        kn_unpack_into(in, t->weights->sets[s].weights, kn_weights_size(t->features) * sizeof(double));
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "malformed weights");
}

static void *result_slot(void *user, uint64_t place, uint64_t *count)
{
    (void)count;
    return &((KnTrainer *)user)->batch[place];
}

static void pack_game(void *user, int worker, uint64_t place, KnText *out)
{
    (void)worker;
    const KnTdGame *game = &((KnTrainer *)user)->batch[place];
    for (int role = 0; role < 2; role++) kn_td_pack(game->td[role], out);
}

static bool unpack_game(void *user, int worker, uint64_t place, KnUnpack *in)
{
    (void)worker;
    const KnTrainer *t = user;
    KnTdGame *game = &t->batch[place];
    bool good = true;
    for (int role = 0; role < 2; role++)
        good &= kn_td_unpack(game->td[role], in) && game->set[role] >= 0 &&
                game->set[role] < t->weights->count;
    return good;
}

const KnJobType kn_td_job_type = {
    .name = "td",
    .summary = "games of a batch that weights are learned from",
    .payload = KN_LAYOUT(
        Payload, KN_STRINGS(Payload, game), KN_STRINGS(Payload, plan.teacher),
        KN_STRINGS(Payload, plan.start), KN_STRINGS(Payload, plan.terms), KN_STRINGS(Payload, plan.openings),
        KN_PLAIN(Payload, plan.random_plies), KN_STRINGS(Payload, plan.tables),
        KN_PLAIN(Payload, plan.depths), KN_PLAIN(Payload, plan.depth_count), KN_PLAIN(Payload, plan.rule),
        KN_PLAIN(Payload, plan.root), KN_PLAIN(Payload, plan.by_side), KN_PLAIN(Payload, plan.by_depth),
        KN_PLAIN(Payload, plan.by_opening), KN_PLAIN(Payload, plan.learner_role),
        KN_PLAIN(Payload, plan.games), KN_PLAIN(Payload, plan.batch), KN_PLAIN(Payload, plan.ply_limit),
        KN_PLAIN(Payload, plan.table_mib), KN_PLAIN(Payload, plan.seed)),
    .open = open_job,
    .close = close_job,
    .update = update_weights,
    .run = kn_trainer_play,
    .result = KN_LAYOUT(KnTdGame, KN_PLAIN(KnTdGame, set), KN_PLAIN(KnTdGame, learns),
                        KN_PLAIN(KnTdGame, payoff)),
    .slot = result_slot,
    .pack = pack_game,
    .unpack = unpack_game};

/* ---- the whole ---- */

static KnStatus play_batch(KnTrainer *t, uint64_t count, KnError *error)
{
    if (t->job) {
        KnText weights = KN_TEXT_EMPTY;
        kn_pack_u64(&weights, t->done);
        for (int s = 0; s < t->weights->count; s++)
            kn_pack_bytes(&weights, t->weights->sets[s].weights,
                          kn_weights_size(t->features) * sizeof(double));
        kn_job_update(t->job, &weights);
        kn_text_free(&weights);
    }
    /* Tasks read the cancel flag themselves; with workers the run reads it too, and gives them up. */
    KnJobRun run = {.jobs = t->jobs, .count = count, .user = t, .cancel = t->job ? t->plan->cancel : NULL};
    return kn_job_step(t->job, &kn_td_job_type, &run, error);
}

static KnStatus run(KnTrainer *t, const char *file, KnProgress *progress, KnError *error)
{
    KnStatus status = KN_OK;
    while (t->done < t->plan->games && status == KN_OK) {
        if (t->plan->cancel && atomic_load(t->plan->cancel))
            return kn_fail(error, KN_STOPPED, "stopped after %llu games", (unsigned long long)t->done);
        uint64_t left = t->plan->games - t->done,
                 count = left < (uint64_t)t->plan->batch ? left : (uint64_t)t->plan->batch;
        status = play_batch(t, count, error);
        if (status == KN_OK) status = kn_trainer_learn(t, count, error);
        if (status == KN_OK) status = kn_trainer_save(t, file, error);
        if (status != KN_OK) break;
        kn_progress_tick(progress, count);
    }
    return status;
}

KnStatus kn_td_train(const KnContext *context, const KnGame *game, const KnTdPlan *plan, const char *file,
                     KnProgress *progress, KnWeights **weights, KnError *error)
{
    *weights = NULL;
    KnTrainer t = {.context = context, .own_game = game, .plan = plan, .curve = json_array()};
    KnStatus status = prepare(&t, file, error);
    uint64_t past = t.done < plan->games ? t.done : plan->games;
    if (status == KN_OK && past > plan->counted) kn_progress_skip(progress, past - plan->counted);
    if (status == KN_OK && plan->batch > 1)
        status = kn_job_open(context, &kn_td_job_type, plan->jobs, 0, &(Payload){game->spec, *plan}, &t.job,
                             error);
    if (status == KN_OK) status = run(&t, file, progress, error);
    kn_job_close(t.job);
    clean_up(&t);
    if (status == KN_OK || (status == KN_STOPPED && t.weights))
        *weights = t.weights;
    else
        kn_weights_free(t.weights);
    return status;
}

static KnStatus add_samples(void *user, const KnTd *td, double outcome, KnError *error)
{
    for (size_t i = 0; i < kn_td_steps(td); i++) {
        int phase;
        const double *values = kn_td_features(td, i, &phase);
        if (values && !kn_fit_add(user, phase, values, outcome))
            return kn_fail_memory(error, "collecting positions");
    }
    return KN_OK;
}

KnStatus kn_td_regress(const KnContext *context, const KnGame *game, const KnTdPlan *plan, double ridge,
                       KnProgress *progress, KnWeights **weights, double loss[2], KnError *error)
{
    *weights = NULL;
    KnFeatureSet *features;
    KnStatus status = kn_feature_set_open(game, plan->terms, &features, error);
    if (status != KN_OK) return status;
    KnFit *fit = kn_fit_open(features->count, features->phases);
    KnTdPlan still = *plan;
    still.rule.alpha = 0;
    still.by_side = still.by_depth = still.by_opening = false;
    still.sample = add_samples;
    still.sample_user = fit;
    still.block = NULL;
    status = fit ? kn_td_train(context, game, &still, NULL, progress, weights, error)
                 : kn_fail_memory(error, "collecting positions");
    if (status == KN_OK)
        status = kn_fit_solve(fit, plan->rule.scale, ridge, features->fixed, (*weights)->sets[0].weights,
                              &loss[0], &loss[1], error);
    if (status == KN_OK) {
        json_object_set_new((*weights)->made, "by", json_string("knack train regress"));
        json_object_set_new((*weights)->made, "games", json_integer((json_int_t)plan->games));
        json_object_set_new((*weights)->made, "ridge", json_real(ridge));
        json_object_set_new((*weights)->made, "error", json_pack("[f,f]", loss[0], loss[1]));
        json_object_del((*weights)->made, "alpha");
        json_object_del((*weights)->made, "lambda");
        json_decref((*weights)->state); /* nothing to go on from */
        (*weights)->state = NULL;
    } else {
        kn_weights_free(*weights);
        *weights = NULL;
    }
    kn_fit_close(fit);
    kn_feature_set_close(features);
    return status;
}

/* ---- for the eye ---- */

/* A feature's mean weight over the phases, and below it each phase with how often it was learned from. */
static void explain_feature(const KnFeatureSet *features, const KnWeightSet *set, int feature, double most,
                            KnArena *arena, KnExplanation *parent)
{
    double sum = 0;
    for (int phase = 0; phase < features->phases; phase++)
        sum += set->weights[phase * features->count + feature];
    KnExplanation *node = kn_explanation_bar(arena, parent, features->features[feature].name,
                                             sum / features->phases, -most, most,
                                             kn_feature_set_unit(features));
    for (int phase = 0; phase < features->phases; phase++) {
        int at = phase * features->count + feature;
        const unsigned long long updates = set->updates[at];
        const char *learned = feature < features->fixed ? "fixed"
                              : !updates                ? "never updated"
                              : updates == 1            ? "updated once"
                                             : kn_arena_printf(arena, "updated %llu times", updates);
        kn_explanation_text(arena, node,
                            features->phases > 1
                                ? kn_arena_printf(arena, "phase %d of %d", phase + 1, features->phases)
                                : NULL,
                            kn_arena_printf(arena, "%.2f, %s", set->weights[at], learned));
    }
}

KnExplanation *kn_weights_explain(const KnWeights *weights, KnArena *arena)
{
    const KnFeatureSet *features = weights->features;
    KnExplanation *root = kn_explanation_new(
        arena,
        kn_arena_printf(arena, "%s, %s: weights of the evaluation", features->game->spec, features->name));
    for (int s = 0; s < weights->count; s++) {
        const KnWeightSet *set = &weights->sets[s];
        double most = 1;
        for (size_t i = 0; i < kn_weights_size(features); i++) most = fmax(most, fabs(set->weights[i]));
        KnExplanation *group = kn_explanation_group(arena, root, kn_arena_printf(arena, "set %s", set->name));
        for (int i = 0; i < features->count; i++) explain_feature(features, set, i, most, arena, group);
    }
    return root;
}
