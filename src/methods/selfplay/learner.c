#include "methods/selfplay/learner.h"

#include <math.h>

#include "arena/held_out.h"
#include "eval/look.h"

/* What the options say, `batch` among them. */
static KnSelfPlayPlan plan_of(const KnLearnerTask *task)
{
    const KnOptions *o = task->options;
    return (KnSelfPlayPlan){.lambda = kn_option_real(o, "lambda"),
                            .epsilon = kn_option_real(o, "epsilon"),
                            .random_plies = (int)kn_option_integer(o, "random-plies"),
                            .depth = (int)kn_option_integer(o, "depth"),
                            .batch = (int)kn_option_integer(o, "batch"),
                            .ply_limit = (size_t)kn_option_integer(o, "plies"),
                            .seed = task->seed,
                            .jobs = task->jobs,
                            .timed = kn_option_real(o, "seconds") > 0,
                            .cancel = task->cancel};
}

/* The opponent of the curve: what the game has without learning. */
static void default_opponent(const KnGame *game, long nodes, KnText *spec)
{
    const KnGameEvaluation *own = kn_game_evaluation(game, NULL);
    kn_text_printf(spec, "alphabeta(depth=100, nodes=%ld, memory=1, eval=%s)", nodes,
                   own ? own->name : "zero");
}

static KnStatus measure(const KnLearnerTask *task, const KnSelfPlayPlan *plan, const char *evaluation,
                        const char *file, double x, KnTrainingRun *run, KnError *error)
{
    enum { PLIES = 8 };
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    const char *against = kn_learner_text(task, "against");
    long nodes = kn_option_integer(task->options, "nodes");
    kn_text_printf(&first, "alphabeta(depth=100, nodes=%ld, memory=1, eval=%s(file=", nodes, evaluation);
    kn_text_add_quoted(&first, file);
    kn_text_add(&first, "))");
    if (against)
        kn_text_add(&second, against);
    else
        default_opponent(task->game, nodes, &second);
    KnMatchPlan match = {.game = task->game->spec,
                         .players = {first.data, second.data},
                         .games = (uint64_t)kn_option_integer(task->options, "against-games"),
                         .seed = kn_mix64(plan->seed ^ 0x27091e), /* not the games that it learned from */
                         .jobs = plan->jobs,
                         .random_plies = plan->random_plies < PLIES ? plan->random_plies : PLIES,
                         .rules = {.ply_limit = plan->ply_limit, .cancel = plan->cancel}};
    KnStatus status = kn_match_measure(task->context, &match, x, run, error);
    kn_text_free(&first);
    kn_text_free(&second);
    return status;
}

static void note_progress(KnTrainingRun *run, KnSelfTrainer *trainer)
{
    KnText line = KN_TEXT_EMPTY;
    double seconds = kn_self_trainer_seconds(trainer);
    kn_text_printf(&line, "%8llu games, %.0f a second: predictions are off by %.3f",
                   (unsigned long long)kn_self_trainer_games(trainer),
                   (double)kn_self_trainer_games(trainer) / fmax(seconds, 1e-3),
                   kn_self_trainer_error(trainer));
    kn_training_run_note(run, line.data);
    kn_text_free(&line);
}

/* The games after which point `part` of `parts` is measured: whole batches, so that measuring changes
 * nothing. */
static uint64_t games_until(uint64_t games, uint64_t batch, uint64_t part, uint64_t parts)
{
    uint64_t until = (games * (part + 1) / parts + batch - 1) / batch * batch;
    return until < games ? until : games;
}

static KnStatus train_in_parts(const KnLearnerTask *task, const KnSelfPlayPlan *plan, KnSelfTrainer *trainer,
                               const char *evaluation, const char *file, KnTrainingRun *run, KnError *error)
{
    enum { PARTS = 10 };
    uint64_t games = (uint64_t)kn_option_integer(task->options, "games"),
             wanted = task->points ? (uint64_t)task->points : PARTS, parts = games < wanted ? games : wanted,
             done = kn_training_run_points(run);
    double seconds = kn_option_real(task->options, "seconds");
    KnStatus status = KN_OK;
    kn_progress_add_total(task->progress, seconds > 0 ? 0 : games); /* by the clock: not known */
    kn_progress_skip(task->progress, kn_self_trainer_games(trainer));
    for (uint64_t part = done; part < parts && status == KN_OK; part++) {
        uint64_t until = seconds > 0 ? games : games_until(games, (uint64_t)plan->batch, part, parts);
        status = kn_self_trainer_run(trainer, until, seconds * (double)(part + 1) / (double)parts,
                                     task->progress, error);
        if (status == KN_OK) note_progress(run, trainer);
        if (status == KN_OK && (task->points || part + 1 == parts))
            status = kn_self_trainer_save(trainer, file, error);
        if (status == KN_OK && task->points)
            status = measure(task, plan, evaluation, file, (double)kn_self_trainer_games(trainer), run,
                             error);
    }
    return status;
}

KnStatus kn_self_play_train(const KnLearnerTask *task, const KnSelfLearner *learner, KnTrainingRun *run,
                            KnError *error)
{
    KnText file = KN_TEXT_EMPTY, state = KN_TEXT_EMPTY;
    KnSelfPlayPlan play = plan_of(task);
    KnSelfTrainer *trainer = NULL;
    kn_training_run_path(run, learner->file, &file);
    kn_training_run_path(run, "network.state", &state);
    KnStatus status = learner->open(task, &play, state.data, &trainer, error);
    if (status == KN_OK)
        status = train_in_parts(task, &play, trainer, learner->evaluation, file.data, run, error);
    kn_self_trainer_close(trainer);
    kn_text_free(&file);
    kn_text_free(&state);
    return status;
}

KnStatus kn_self_play_suits(const KnContext *context, const KnGame *game, KnError *error)
{
    (void)context;
    return kn_look_suits(game, error);
}

void kn_self_play_player(const char *evaluation, const char *file, KnText *spec)
{
    kn_text_printf(spec, "alphabeta(depth=4, eval=%s(file=", evaluation);
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}
