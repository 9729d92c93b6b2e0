#include "methods/allocation/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/file.h"
#include "learn/relief.h"
#include "methods/allocation/search_signals.h"
#include "methods/allocation/value_of_computation.h"

KnPolicyTraining kn_policy_training_defaults(void)
{
    return (KnPolicyTraining){
        .play = {.inner = "alphabeta", .k = 4, .n = 2, .moves = 40, .seed = 1},
        .tree = 100000,
        .relief = 10000,
        .enrich = 500000,
        .game_features = true,
        .patterns = 0,
        .expansions = 1000,
        .keep = 0,
        .plan = {.measure = KN_TREE_INFORMATION},
        .decide = KN_BY_THRESHOLD,
    };
}

/* Section 5.3: 10,000 examples for RELIEF and 500,000 for the enrichment of a tree of 100,000. */
void kn_policy_training_complete(KnPolicyTraining *t)
{
    if (t->relief == KN_BY_EXAMPLES) t->relief = t->tree / 10;
    if (t->enrich == KN_BY_EXAMPLES) t->enrich = t->tree * 5;
    KN_ASSERT(t->relief != KN_BY_EXAMPLES && t->enrich != KN_BY_EXAMPLES);
}

/* ---- examples ---- */

void kn_policy_training_sets_free(KnPolicyTrainingSets *sets)
{
    kn_examples_free(&sets->relief);
    kn_examples_free(&sets->tree);
    kn_examples_free(&sets->enrich);
}

/* The purpose of a set, which is part of its seed, and the name of its file. */
typedef struct Purpose {
    uint64_t number;
    const char *file;
} Purpose;

static KnStatus make_set(const KnContext *context, const KnGame *game, const KnPolicyTraining *training,
                         uint64_t count, Purpose purpose, const char *store, KnProgress *progress,
                         KnExamples *set, KnError *error)
{
    if (!count) return KN_OK;
    KnExamplesPlan plan = training->play;
    plan.count = count;
    plan.seed = kn_mix64(plan.seed ^ kn_mix64(purpose.number));
    if (!store) return kn_examples_make(context, game, &plan, progress, set, error);
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, store, purpose.file);
    KnStatus status;
    if (kn_file_exists(path.data)) {
        status = kn_examples_load(game, &plan, path.data, set, error);
        kn_progress_skip(progress, count);
    } else {
        status = kn_examples_make(context, game, &plan, progress, set, error);
        if (status == KN_OK) status = kn_examples_save(set, &plan, path.data, error);
    }
    kn_text_free(&path);
    return status;
}

KnStatus kn_policy_training_sets_make(const KnContext *context, const KnGame *game, const KnPolicyTraining *t,
                                      const char *store, KnProgress *progress, KnPolicyTrainingSets *sets,
                                      KnError *error)
{
    KN_ASSERT(t->relief != KN_BY_EXAMPLES && t->enrich != KN_BY_EXAMPLES);
    *sets = (KnPolicyTrainingSets){0};
    kn_progress_add_total(progress, t->relief + t->tree + t->enrich);
    KnStatus status = make_set(context, game, t, t->relief, (Purpose){1, "relief.tsv"}, store, progress,
                               &sets->relief, error);
    if (status == KN_OK)
        status = make_set(context, game, t, t->tree, (Purpose){2, "tree.tsv"}, store, progress, &sets->tree,
                          error);
    if (status == KN_OK)
        status = make_set(context, game, t, t->enrich, (Purpose){3, "enrich.tsv"}, store, progress,
                          &sets->enrich, error);
    if (status == KN_OK) status = kn_policy_training_sets_signal(context, t, sets, error);
    if (status != KN_OK) kn_policy_training_sets_free(sets);
    return status;
}

KnStatus kn_policy_training_sets_signal(const KnContext *context, const KnPolicyTraining *t,
                                        KnPolicyTrainingSets *sets, KnError *error)
{
    KnExamples *const all[] = {&sets->relief, &sets->tree, &sets->enrich};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < 3 && status == KN_OK && t->search_features; i++)
        status = kn_examples_add_signals(context, &t->play, all[i], error);
    return status;
}

/* ---- one policy ---- */

struct KnPolicyTrainer {
    const KnGame *game;
    const KnPolicyTraining *training;
    KnPolicyTrainingFound found;
    bool *keep; /* a place a column, by RELIEF; NULL: all */
};

void kn_policy_training_values(const KnFeatureView *view, const KnExamples *set, size_t i, double *values)
{
    KN_ASSERT(i < set->count);
    const KnGame *game = view->game;
    const void *position = kn_example_position(set, i);
    KnMove moves[game->max_moves];
    int count = view->needs[KN_FROM_GENERAL] ? game->type->moves(game, position, moves) : 0;
    double entry[KN_ENTRIES], signals[KN_SEARCH_SIGNALS];
    bool searched = view->needs[KN_FROM_SEARCH];
    for (int c = 0; c < KN_ENTRIES; c++) entry[c] = (double)set->tags[i].entry[c];
    KN_ASSERT(!searched || i < set->signalled);
    for (size_t c = 0; c < KN_SEARCH_SIGNALS && searched; c++)
        signals[c] = (double)set->signals[i * KN_SEARCH_SIGNALS + c];
    KnFeatureSource of = {.position = position,
                          .role = game->type->mover(game, position),
                          .moves = moves,
                          .count = count,
                          .made = set->tags[i].index,
                          .entry = entry,
                          .signals = searched ? signals : NULL};
    kn_feature_view_fill(view, &of, values);
}

/* Limits utilities (equation 4): a proven win would otherwise outweigh any number of men. */
static double target_of(const KnComputationValue *value, const KnExamples *set, size_t i)
{
    KN_ASSERT(i < set->count);
    enum { LIMIT = 10000 };
    if (value) return kn_computation_value_of(value, set, i);
    double utility = set->tags[i].value.utility;
    return utility > LIMIT && set->tags[i].choice_count ? LIMIT
                                                        : utility; /* without choices it is a class's units */
}

/* Without `value`, the targets are the utilities of equation 4. */
static KnStatus to_data(const KnFeatureView *view, const KnExamples *set, const KnComputationValue *value,
                        KnDataset **out, KnError *error)
{
    KnDataset *data = *out = kn_dataset_new(view->count, (const char *const *)view->names, set->count, error);
    if (!data) return KN_SYSTEM;
    double values[view->count];
    for (size_t i = 0; i < set->count; i++) {
        kn_policy_training_values(view, set, i, values);
        kn_dataset_add(data, values, set->tags[i].value.positive, target_of(value, set, i));
    }
    return kn_dataset_code(data, error);
}

static KnStatus find_patterns(KnPolicyTrainer *l, const KnPolicyTrainingSets *sets, KnError *error)
{
    const KnExamples *set = sets->relief.count ? &sets->relief : &sets->tree;
    KnPatternLanguage *board = malloc(sizeof *board);
    if (!board) return kn_fail_memory(error, "looking for patterns");
    KnStatus status = kn_pattern_board_of_game(l->game, board, error);
    uint8_t *boards = NULL, *positive = NULL;
    if (status == KN_OK) {
        boards = malloc(set->count * (size_t)board->cells + 1);
        positive = malloc(set->count + 1);
        if (!boards || !positive) status = kn_fail_memory(error, "looking for patterns");
    }
    for (size_t i = 0; i < set->count && status == KN_OK; i++) {
        const void *position = kn_example_position(set, i);
        kn_pattern_board_fill(board, l->game, position, l->game->type->mover(l->game, position),
                              boards + i * (size_t)board->cells);
        positive[i] = set->tags[i].value.positive;
    }
    KnPatternSearch search = {
        .expansions = l->training->expansions, .wanted = l->training->patterns, .different = 0.9};
    if (status == KN_OK)
        status = kn_patterns_search(board, boards, positive, set->count, &search, l->found.patterns,
                                    &l->found.pattern_count, error);
    l->found.patterns_evaluated = search.evaluated;
    free(boards);
    free(positive);
    free(board);
    return status;
}

static KnStatus open_view(const KnPolicyTrainer *l, KnFeatureView **view, KnError *error)
{
    KnPattern patterns[KN_PATTERNS_MAX];
    for (int i = 0; i < l->found.pattern_count; i++) patterns[i] = l->found.patterns[i].pattern;
    KnFeaturePlan plan = {.from = {[KN_FROM_GAME] = l->training->game_features,
                                   [KN_FROM_GENERAL] = l->training->general_features,
                                   [KN_FROM_BUDGET] = l->training->budget_features,
                                   [KN_FROM_CELLS] = l->training->cell_features,
                                   [KN_FROM_BASE] = l->training->play.trust.base != NULL,
                                   [KN_FROM_SEARCH] = l->training->search_features},
                          .eval = l->training->eval,
                          .terms = l->training->terms,
                          .patterns = patterns,
                          .pattern_count = l->found.pattern_count};
    KnStatus status = kn_feature_view_open(l->game, &plan, view, error);
    if (status == KN_OK && l->keep) kn_feature_view_keep(*view, l->keep);
    return status;
}

static KnStatus note_columns(KnPolicyTrainer *l, const KnFeatureView *view, KnError *error)
{
    l->found.names = calloc((size_t)view->count, sizeof *l->found.names);
    if (!l->found.names) return kn_fail_memory(error, "preparing features");
    l->found.columns = view->count;
    for (int c = 0; c < view->count; c++)
        if (!(l->found.names[c] = strdup(view->names[c]))) return kn_fail_memory(error, "preparing features");
    return KN_OK;
}

static KnStatus filter(KnPolicyTrainer *l, const KnFeatureView *view, const KnExamples *relief,
                       KnError *error)
{
    KnDataset *data;
    KnStatus status = to_data(view, relief, NULL, &data, error);
    l->found.weights = calloc((size_t)view->count, sizeof *l->found.weights);
    l->keep = calloc((size_t)view->count, sizeof *l->keep);
    if (status == KN_OK && (!l->found.weights || !l->keep))
        status = kn_fail_memory(error, "filtering features");
    KnRng rng = kn_rng_seeded(l->training->play.seed);
    if (status == KN_OK) status = kn_relief(data, 0, &rng, l->found.weights, error);
    kn_dataset_free(data);
    if (status != KN_OK) return status;
    bool any = false;
    for (int c = 0; c < view->count; c++) any |= l->keep[c] = l->found.weights[c] >= l->training->keep;
    if (!any)
        return kn_fail(error, KN_INPUT, "RELIEF keeps no feature: none has a weight of %g or more",
                       l->training->keep);
    return KN_OK;
}

/* One policy in the making. */
typedef struct Making {
    const KnPolicyTraining *training;
    const KnPolicyTrainingSets *sets;
    KnFeatureView *view;
    KnComputationValue *value; /* NULL: by equation 4 */
    KnTree *tree;
    KnStopping *plan;
} Making;

/* The larger of the tree's set and the enrichment. */
static const KnExamples *largest(const Making *m)
{
    return m->training->enrich && m->sets->enrich.count > m->sets->tree.count ? &m->sets->enrich
                                                                              : &m->sets->tree;
}

/* A tree grown from the examples, its leaves enriched (5.3). */
static KnStatus grow(Making *m, KnError *error)
{
    KnDataset *data;
    KnStatus status = to_data(m->view, &m->sets->tree, m->value, &data, error);
    if (status == KN_OK) status = kn_tree_grow(data, &m->training->plan, &m->tree, error);
    kn_dataset_free(data);
    const KnExamples *set = &m->sets->enrich;
    double values[m->view->count];
    for (size_t i = 0; i < set->count && m->training->enrich && status == KN_OK; i++) {
        kn_policy_training_values(m->view, set, i, values);
        kn_tree_count(m->tree, values, set->tags[i].value.positive, target_of(m->value, set, i));
    }
    return status;
}

/* Distillation: boosted trees, and then one tree that predicts about the same at a fraction of the cost. It
 * learns their predictions, which lack the noise of a single search. */
static KnStatus grow_imitating(Making *m, KnError *error)
{
    KnDataset *data;
    KnBoost *boost = NULL;
    KnStatus status = to_data(m->view, largest(m), m->value, &data, error);
    size_t least = data ? data->rows / 2000 : 0;
    KnBoostPlan plan = {.rounds = m->training->boost,
                        .depth = 5,
                        .rate = 0.1,
                        .least = least > 20 ? least : 20,
                        .share = 0.5};
    KnRng rng = kn_rng_seeded(kn_mix64(m->training->play.seed ^ 4));
    if (status == KN_OK) status = kn_boost_learn(data, &plan, &rng, &boost, error);
    double values[m->view->count];
    for (size_t i = 0; status == KN_OK && i < data->rows; i++) {
        const float *row = data->values + i * (size_t)data->columns;
        for (int c = 0; c < data->columns; c++) values[c] = (double)row[c];
        data->target[i] = kn_boost_predict(boost, values);
    }
    KnTreePlan imitate = m->training->plan;
    imitate.measure = KN_TREE_VARIANCE;
    imitate.cuts = true;
    if (status == KN_OK) status = kn_tree_grow(data, &imitate, &m->tree, error);
    kn_boost_free(boost);
    kn_dataset_free(data);
    return status;
}

/* When to spend, from how the leaves' scores come along in games. */
static KnStatus make_plan(Making *m, KnError *error)
{
    const KnExamples *set = largest(m);
    m->plan = kn_stopping_new(m->training->play.moves, error);
    double *value = malloc((set->count + 1) * sizeof *value), values[m->view->count];
    uint16_t *step = malloc((set->count + 1) * sizeof *step);
    KnStatus status = value && step && m->plan ? KN_OK : kn_fail_memory(error, "planning");
    for (size_t i = 0; i < set->count && status == KN_OK; i++) {
        kn_policy_training_values(m->view, set, i, values);
        int leaf = kn_tree_leaf(m->tree, values);
        value[i] = m->training->by_value ? kn_leaf_mean(m->tree, leaf) : kn_leaf_probability(m->tree, leaf);
        step[i] = set->tags[i].index;
    }
    if (status == KN_OK) status = kn_stopping_plan(m->plan, value, step, set->count, 2 * set->games, error);
    free(value);
    free(step);
    return status;
}

json_t *kn_policy_training_record(const KnPolicyTraining *t)
{
    json_t *record = json_pack(
        "{ss ss si si si sf so sI sI sI sf si si sb si ss}", "version", KNACK_VERSION, "inner", t->play.inner,
        "k", t->play.k, "n", t->play.n, "moves", t->play.moves, "judge", t->play.judge, "seed",
        kn_json_from_uint64(t->play.seed), "tree", (json_int_t)t->tree, "relief", (json_int_t)t->relief,
        "enrich", (json_int_t)t->enrich, "keep", t->keep, "patterns", t->patterns, "expansions",
        t->patterns ? t->expansions : 0, "points", t->points, "boosted", t->boost, "learner",
        !t->plan.cuts ? "id3"
        : t->by_value ? "regression"
                      : "cuts");
    char features[60] = "";
    snprintf(features, sizeof features, "%s%s%s%s%s%s", t->game_features ? "game " : "",
             t->general_features ? "general " : "", t->budget_features ? "budget " : "",
             t->cell_features ? "cells " : "", t->play.trust.base ? "base " : "",
             t->search_features ? "search " : "");
    if (features[0]) features[strlen(features) - 1] = '\0';
    json_object_set_new(record, "features", json_string(features));
    json_object_set_new(record, "decide", json_string(kn_decide_names[t->decide]));
    json_object_set_new(record, "least", json_integer((json_int_t)t->plan.least));
    const KnBudgetClasses *c = &t->play.classes;
    if (t->play.contents) json_object_set_new(record, "contents", json_string(t->play.contents));
    if (t->terms) json_object_set_new(record, "terms", json_string(t->terms));
    if (t->play.explore > 0) json_object_set_new(record, "explore", json_real(t->play.explore));
    if (c->units)
        json_object_set_new(record, "classes",
                            json_pack("{so so si si}", "units", kn_json_from_uint64(c->units), "step",
                                      kn_json_from_uint64(c->step), "below", c->below, "above", c->above));
    const KnTrust *trust = &t->play.trust;
    if (trust->base)
        json_object_set_new(record, "trust",
                            json_pack("{ss so so}", "base", trust->name ? trust->name : trust->base, "units",
                                      kn_json_from_uint64(trust->nodes), "judging",
                                      kn_json_from_uint64(trust->judging)));
    return record;
}

/* Positions that came to each leaf, from all over the set. A policy that asks a base keeps them, because the
 * positions that the base knew are not met again by chance. */
static json_t *met_at_leaves(const Making *m, const KnGame *game)
{
    const KnExamples *set = &m->sets->tree;
    json_t *leaves = json_array();
    for (int l = 0; l < m->tree->leaf_count; l++) json_array_append_new(leaves, json_array());
    double values[m->view->count];
    for (size_t i = 0; i < set->count; i++) {
        kn_policy_training_values(m->view, set, i, values);
        json_t *met = json_array_get(leaves, (size_t)kn_tree_leaf(m->tree, values));
        if (json_array_size(met) > i * KN_POLICY_EXAMPLES / set->count) continue;
        char *text = kn_game_position_text(game, kn_example_position(set, i));
        bool known = !text;
        for (size_t k = 0; k < json_array_size(met) && !known; k++)
            known = strcmp(json_string_value(json_array_get(met, k)), text) == 0;
        if (!known) json_array_append_new(met, json_string(text));
        kn_free(text);
    }
    return leaves;
}

/* With what there was to learn from, and what was found on the way. */
static json_t *made_by(const KnPolicyTrainer *l, const Making *m)
{
    const KnPolicyTrainingSets *sets = m->sets;
    json_t *weights = json_array(), *made = kn_policy_training_record(l->training);
    for (int c = 0; l->found.weights && c < l->found.columns; c++)
        json_array_append_new(
            weights, json_pack("{ss sf}", "feature", l->found.names[c], "weight", l->found.weights[c]));
    json_object_set_new(made, "tree", json_integer((json_int_t)sets->tree.count));
    json_object_set_new(made, "enrich",
                        json_integer((json_int_t)(l->training->enrich ? sets->enrich.count : 0)));
    json_object_set_new(made, "weights", weights);
    json_object_set_new(made, "patterns_scored", json_integer((json_int_t)l->found.patterns_evaluated));
    if (l->training->play.trust.base) json_object_set_new(made, KN_POLICY_MET, met_at_leaves(m, l->game));
    return made;
}

void kn_policy_training_found_free(KnPolicyTrainingFound *found)
{
    for (int c = 0; found->names && c < found->columns; c++) free(found->names[c]);
    free(found->names);
    free(found->weights);
    *found = (KnPolicyTrainingFound){0};
}

KnStatus kn_policy_training_check(const KnGame *game, const KnPolicyTraining *training, KnError *error)
{
    if (training->search_features && (training->play.classes.units || training->play.trust.base))
        return kn_fail(error, KN_INPUT,
                       "features=search needs a shallow search, which only `knack train allocation` has");
    if (training->patterns) return KN_OK; /* they are found in the examples */
    KnPolicyTrainer trainer = {.game = game, .training = training};
    KnFeatureView *view = NULL;
    KnStatus status = open_view(&trainer, &view, error);
    kn_feature_view_close(view);
    return status;
}

KnStatus kn_policy_trainer_open(const KnGame *game, const KnPolicyTraining *training,
                                const KnPolicyTrainingSets *sets, KnPolicyTrainer **out, KnError *error)
{
    KnPolicyTrainer *l = *out = calloc(1, sizeof *l);
    if (!l) return kn_fail_memory(error, "learning a policy");
    l->game = game;
    l->training = training;
    KnFeatureView *view = NULL;
    KnStatus status = training->patterns ? find_patterns(l, sets, error) : KN_OK;
    if (status == KN_OK) status = open_view(l, &view, error);
    if (status == KN_OK) status = note_columns(l, view, error);
    if (status == KN_OK && training->relief) status = filter(l, view, &sets->relief, error);
    kn_feature_view_close(view);
    return status;
}

KnStatus kn_policy_trainer_learn(KnPolicyTrainer *l, const KnPolicyTrainingSets *sets,
                                 KnLearnedPolicy **learned, KnError *error)
{
    *learned = NULL;
    const KnPolicyTraining *t = l->training;
    Making m = {.training = t, .sets = sets};
    KnStatus status = open_view(l, &m.view, error);
    if (status == KN_OK && t->points)
        status = kn_computation_value_learn(largest(&m), t->play.moves, t->play.seed, &m.value, error);
    if (status == KN_OK) status = t->boost ? grow_imitating(&m, error) : grow(&m, error);
    if (status == KN_OK && t->decide == KN_BY_PLAN) status = make_plan(&m, error);
    kn_computation_value_free(m.value);
    if (status == KN_OK) {
        double forced = (double)sets->tree.forced / (double)(sets->tree.decisions ? sets->tree.decisions : 1);
        KnLearnedPolicy parts = {.view = m.view,
                                 .tree = m.tree,
                                 .decide = t->decide,
                                 .by_value = t->by_value,
                                 .plan = m.plan,
                                 .forced = forced,
                                 .made = made_by(l, &m)};
        return kn_learned_policy_make(parts, t->eval, learned, error);
    }
    kn_stopping_free(m.plan);
    kn_tree_free(m.tree);
    kn_feature_view_close(m.view);
    return status;
}

void kn_policy_trainer_close(KnPolicyTrainer *trainer)
{
    if (!trainer) return;
    kn_policy_training_found_free(&trainer->found);
    free(trainer->keep);
    free(trainer);
}

/* Section 3.1: learning as classification. */
KnStatus kn_policy_training_learn(const KnGame *game, const KnPolicyTraining *training,
                                  const KnPolicyTrainingSets *sets, KnLearnedPolicy **learned,
                                  KnPolicyTrainingFound *found, KnError *error)
{
    *learned = NULL;
    if (found) *found = (KnPolicyTrainingFound){0};
    KnPolicyTrainer *trainer;
    KnStatus status = kn_policy_trainer_open(game, training, sets, &trainer, error);
    if (status == KN_OK) status = kn_policy_trainer_learn(trainer, sets, learned, error);
    if (found && trainer) { /* handed over */
        *found = trainer->found;
        trainer->found = (KnPolicyTrainingFound){0};
    }
    kn_policy_trainer_close(trainer);
    return status;
}
