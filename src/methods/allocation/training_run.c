/* Steps of learning an allocation policy. With a curve, the examples are made in equal parts; after each part
 * a policy is learned from the examples so far and tested on examples of its own. The parts continue one
 * another: all of them together are the set that a training without a curve makes at once. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/file.h"
#include <knack/stats.h>
#include "methods/allocation/search_signals.h"
#include "methods/allocation/train.h"

enum { TEST_LEAST = 500, TEST_MOST = 4000 };

/* The share of positions that `allocate` searches deep by default: deep=8, moves=40. */
static const double DEEP_SHARE = 0.2;

/* The purpose of a set is part of its seed (allocation/train.c has the first three). */
enum { FOR_RELIEF = 1, FOR_TREE, FOR_ENRICHMENT, FOR_TEST };
static const char *const purposes[] = {"", "relief", "tree", "enrich", "test"};

typedef struct Steps {
    const KnContext *context;
    const KnGame *game;
    const KnPolicyTraining *training;
    KnTrainingRun *run;
    KnProgress *progress;
    uint64_t parts;
} Steps;

/* Makes the examples that follow those of `before`, or loads them from the run. */
static KnStatus make_part(const Steps *s, int purpose, uint64_t part, uint64_t count,
                          const KnExamples *before, KnExamples *out, KnError *error)
{
    KnExamplesPlan plan = s->training->play;
    plan.count = count;
    plan.seed = kn_mix64(plan.seed ^ kn_mix64((uint64_t)purpose));
    if (before && before->count) {
        plan.first = before->tags[before->count - 1].game;
        while (plan.skip < before->count && before->tags[before->count - 1 - plan.skip].game == plan.first)
            plan.skip++;
    }
    KnText name = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%s-%02llu.tsv", purposes[purpose], (unsigned long long)part);
    kn_training_run_path(s->run, name.data, &path);
    KnStatus status;
    if (kn_file_exists(path.data)) {
        status = kn_examples_load(s->game, &plan, path.data, out, error);
        kn_progress_skip(s->progress, count);
    } else {
        status = kn_examples_make(s->context, s->game, &plan, s->progress, out, error);
        if (status == KN_OK) status = kn_examples_save(out, &plan, path.data, error);
    }
    kn_text_free(&name);
    kn_text_free(&path);
    return status;
}

static KnStatus add_signals(const Steps *s, KnPolicyTrainingSets *sets, KnExamples *test, KnError *error)
{
    KnStatus status = kn_policy_training_sets_signal(s->context, s->training, sets, error);
    return status == KN_OK && s->training->search_features
               ? kn_examples_add_signals(s->context, &s->training->play, test, error)
               : status;
}

/* Adds the next part to a set that has room for it. */
static KnStatus add_part(const Steps *s, int purpose, uint64_t part, uint64_t whole, KnExamples *set,
                         KnError *error)
{
    KnExamples more = {0};
    uint64_t count = whole * (part + 1) / s->parts - whole * part / s->parts;
    if (!count) return KN_OK;
    KnStatus status = make_part(s, purpose, part, count, set, &more, error);
    if (status == KN_OK) {
        KN_ASSERT(set->count + more.count <= set->capacity && set->stride == more.stride);
        memcpy(set->positions + set->count * set->stride, more.positions, more.count * more.stride);
        memcpy(set->tags + set->count, more.tags, more.count * sizeof *more.tags);
        set->count += more.count;
        set->games += more.games;
        set->decisions += more.decisions;
        set->forced += more.forced;
    }
    kn_examples_free(&more);
    return status;
}

/* ---- the test ---- */

typedef struct Scored {
    double score;
    bool positive;
} Scored;

static int by_score(const void *a, const void *b)
{
    const Scored *one = a, *two = b;
    return one->score < two->score ? 1 : one->score > two->score ? -1 : 0;
}

/* The positive examples among the best `room`. Where only a part of a leaf's examples fits, that part of its
 * positive ones counts. */
static double found_among(const Scored *list, size_t count, double room)
{
    double found = 0;
    for (size_t i = 0, next; i < count && room > 0; i = next) {
        size_t positives = 0;
        for (next = i; next < count && list[next].score == list[i].score; next++)
            positives += list[next].positive;
        double size = (double)(next - i), share = size <= room ? 1 : room / size;
        found += share * (double)positives;
        room -= size;
    }
    return found;
}

static KnStatus test_policy(const KnLearnedPolicy *learned, const KnExamples *test, double *y,
                            KnInterval *interval, KnError *error)
{
    Scored *list = malloc(test->count * sizeof *list);
    if (!list) return kn_fail_memory(error, "testing a policy");
    double values[learned->view->count], positives = 0;
    for (size_t i = 0; i < test->count; i++) {
        KnAllocationChoice choice = {0};
        kn_policy_training_values(learned->view, test, i, values);
        kn_learned_policy_decide(learned, kn_tree_leaf(learned->tree, values),
                                 &(KnDeepBudget){.moves = 5, .deep_left = 1, .moves_left = 5}, &choice);
        list[i] = (Scored){choice.known->score, test->tags[i].value.positive};
        positives += list[i].positive;
    }
    qsort(list, test->count, sizeof *list, by_score);
    double found = found_among(list, test->count, DEEP_SHARE * (double)test->count);
    *y = positives > 0 ? found / positives : 0;
    *interval = kn_wilson(found, positives, KN_Z95);
    free(list);
    return KN_OK;
}

/* ---- steps ---- */

/* Learns a policy from the examples so far, saves it, and commits a point. */
static KnStatus add_point(const Steps *s, KnPolicyTrainer *trainer, const KnPolicyTrainingSets *sets,
                          const KnExamples *test, KnError *error)
{
    KnLearnedPolicy *learned = NULL;
    KnText path = KN_TEXT_EMPTY;
    double y = 0;
    KnInterval interval = {0, 1};
    kn_training_run_path(s->run, KN_POLICY_FILE, &path);
    KnStatus status = kn_policy_trainer_learn(trainer, sets, &learned, error);
    if (status == KN_OK) status = test_policy(learned, test, &y, &interval, error);
    if (status == KN_OK) status = kn_learned_policy_save(learned, path.data, error);
    if (status == KN_OK)
        status = kn_training_run_add(s->run, (double)(sets->tree.count + sets->enrich.count), y, interval.low,
                                     interval.high, error);
    kn_learned_policy_free(learned);
    kn_text_free(&path);
    return status;
}

static KnStatus run_steps(const Steps *s, KnPolicyTrainingSets *sets, KnExamples *test, KnError *error)
{
    const KnPolicyTraining *t = s->training;
    uint64_t tests = (t->tree + t->enrich) / 4;
    tests = tests < TEST_LEAST ? TEST_LEAST : tests > TEST_MOST ? TEST_MOST : tests;
    kn_progress_add_total(s->progress, tests + t->relief + t->tree + t->enrich);
    KnStatus status = make_part(s, FOR_TEST, 0, tests, NULL, test, error);
    if (status == KN_OK && t->relief)
        status = make_part(s, FOR_RELIEF, 0, t->relief, NULL, &sets->relief, error);
    if (status == KN_OK) status = kn_examples_reserve(&sets->tree, s->game, t->tree, error);
    if (status == KN_OK) status = kn_examples_reserve(&sets->enrich, s->game, t->enrich + 1, error);
    sets->tree.explore = sets->enrich.explore = t->play.explore;
    KnPolicyTrainer *trainer = NULL;
    for (uint64_t part = 0; part < s->parts && status == KN_OK; part++) {
        status = add_part(s, FOR_TREE, part, t->tree, &sets->tree, error);
        if (status == KN_OK) status = add_part(s, FOR_ENRICHMENT, part, t->enrich, &sets->enrich, error);
        if (status != KN_OK || part < kn_training_run_points(s->run)) continue;
        status = add_signals(s, sets, test, error);
        if (status == KN_OK && !trainer) status = kn_policy_trainer_open(s->game, t, sets, &trainer, error);
        if (status == KN_OK) status = add_point(s, trainer, sets, test, error);
    }
    kn_policy_trainer_close(trainer);
    return status;
}

/* Without a curve: all examples at once, kept in `store` until the policy is learned. */
static KnStatus run_whole(const Steps *s, const char *store, KnPolicyTrainingSets *sets, KnError *error)
{
    KnLearnedPolicy *learned = NULL;
    KnText path = KN_TEXT_EMPTY;
    kn_training_run_path(s->run, KN_POLICY_FILE, &path);
    KnStatus status = kn_policy_training_sets_make(s->context, s->game, s->training, store, s->progress, sets,
                                                   error);
    if (status == KN_OK) status = kn_policy_training_learn(s->game, s->training, sets, &learned, NULL, error);
    if (status == KN_OK) status = kn_learned_policy_save(learned, path.data, error);
    kn_learned_policy_free(learned);
    kn_text_free(&path);
    return status;
}

KnStatus kn_policy_training_run(const KnContext *context, const KnGame *game,
                                const KnPolicyTraining *training, int points, const char *store,
                                KnTrainingRun *run, KnProgress *progress, KnError *error)
{
    Steps s = {.context = context, .game = game, .training = training, .run = run, .progress = progress};
    KnPolicyTrainingSets sets = {0};
    KnExamples test = {0};
    KnText folder = KN_TEXT_EMPTY;
    KnStatus status = kn_policy_training_check(game, training, error);
    s.parts = (uint64_t)points < training->tree ? (uint64_t)points : training->tree;
    if (status != KN_OK) return status;
    if (points)
        status = run_steps(&s, &sets, &test, error);
    else {
        kn_training_run_path(run, "", &folder);
        if (store) status = kn_mkdirs(store, error);
        if (status == KN_OK) status = run_whole(&s, store ? store : folder.data, &sets, error);
    }
    if (status == KN_OK)
        status = kn_training_run_also(run, "games", json_integer((json_int_t)sets.tree.games), error);
    kn_policy_training_sets_free(&sets);
    kn_examples_free(&test);
    kn_text_free(&folder);
    return status;
}
