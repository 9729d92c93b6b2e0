/* Courses of learners that watch contests (Lock 2003). What they know is settled at the end of training and
 * does not change any more, so each point of a curve is a learner of its own: it has watched more of the same
 * contests than the one before, and was then tested. */
#include "base/stats.h"
#include "cli/train.h"
#include "cli/train_watching.h"
#include "players/course.h"

enum { PARTS = 8 };

static int agents_of(const KnTrainingPlan *plan)
{
    int count = 0;
    while (count < KN_TRAINING_AGENTS && plan->agents[count]) count++;
    return count ? count : 4;
}

/* Contests that are watched with so many of each tournament. */
static uint64_t watched(const KnTrainingPlan *plan, uint64_t watch)
{
    return (plan->environment == KN_TRAIN_DOUBLE ? 2 : 1) * (uint64_t)agents_of(plan) * watch;
}

static uint64_t watch_of(const KnTrainingPlan *plan, uint64_t part, uint64_t parts)
{
    return plan->watch * (part + 1) / parts;
}

static KnStatus add_point(const TrainWatching *w, KnCourse *course, uint64_t seed, uint64_t watch,
                          KnProgress *progress, KnError *error)
{
    KnTrainingPlan plan = *w->plan;
    KnTraining *training;
    KnText file = KN_TEXT_EMPTY;
    kn_course_path(course, "knowledge.json", &file);
    plan.watch = watch;
    plan.seed = seed;
    plan.runs = 1;
    plan.save = file.data;
    plan.progress = progress;
    KnStatus status = kn_training_run(w->context, &plan, &training, error);
    kn_text_free(&file);
    if (status != KN_OK) return status;
    const KnTrainingScore *expert = &training->runs[0].score[0];
    double kept = (double)(expert->wins + expert->draws), tested = kept + (double)expert->losses;
    KnInterval interval = kn_wilson(kept, tested, KN_Z95);
    status = kn_course_add(course, (double)watched(&plan, watch), kept / tested, interval.low, interval.high,
                           error);
    kn_training_free(training);
    return status;
}

KnStatus train_watching(void *user, uint64_t seed, const char *folder, KnError *error)
{
    static const char *const environments[] = {"increasing", "double", "playing"};
    const TrainWatching *w = user;
    const KnTrainingPlan *plan = w->plan;
    json_t *agents = json_array();
    for (int i = 0; i < KN_TRAINING_AGENTS && plan->agents[i]; i++)
        json_array_append_new(agents, json_string(plan->agents[i]));
    json_t *about = json_pack("{ss ss ss ss sI sI sI sI so}", "learner", w->method, "game", w->game->spec,
                              "who", plan->learner, "in", environments[plan->environment], "watch",
                              (json_int_t)plan->watch, "test", (json_int_t)plan->test, "plies",
                              (json_int_t)plan->ply_limit, "seed", (json_int_t)seed, "agents", agents);
    KnCourse *course;
    KnStatus status = kn_course_open(folder, about, &course, error);
    if (status != KN_OK) return status;
    uint64_t parts = plan->watch < PARTS ? plan->watch : PARTS,
             tests = (uint64_t)agents_of(plan) * plan->test, all = 0, past = 0;
    for (uint64_t part = 0; part < parts; part++) {
        all += watched(plan, watch_of(plan, part, parts)) + tests;
        if (part + 1 == kn_course_points(course)) past = all;
    }
    KnProgress *progress = cli_progress(w->common, "contests", all);
    kn_progress_tick(progress, past);
    for (uint64_t part = kn_course_points(course); part < parts && status == KN_OK && !kn_course_done(course);
         part++)
        status = add_point(w, course, seed, watch_of(plan, part, parts), progress, error);
    kn_progress_free(progress);
    if (status == KN_OK) status = kn_course_finish(course, error);
    kn_course_close(course);
    return status;
}
