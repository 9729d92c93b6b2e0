/* Learning the policies that the experiments on resource allocation measure. */
#include "lab/allocation/shared.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

const KnAllocationLearner kn_allocation_paper[KN_LEARN_PAPER] = {
    [KN_LEARN_ID3] = {.file = "id3", .decide = KN_BY_MAJORITY},
    [KN_LEARN_RELIEF] = {.file = "relief", .relief = true, .decide = KN_BY_MAJORITY},
    [KN_LEARN_CONTEXT] = {.file = "context", .relief = true, .enrich = true, .decide = KN_BY_THRESHOLD},
    [KN_LEARN_PATTERNS] =
        {.file = "patterns", .relief = true, .enrich = true, .patterns = 10, .decide = KN_BY_THRESHOLD},
};

void kn_allocation_material_free(KnAllocationMaterial *material)
{
    kn_policy_training_sets_free(&material->sets);
    kn_game_close(material->game);
    *material = (KnAllocationMaterial){0};
}

/* Whether its board has windows for patterns. */
static bool has_windows(const KnGame *game)
{
    KnPatternLanguage board;
    KnError ignored;
    return kn_pattern_board_of_game(game, &board, &ignored) == KN_OK;
}

static uint64_t size_of_set(const KnLabRun *run, const char *parameter)
{
    return (uint64_t)kn_lab_parameter(run, parameter);
}

static bool has_terms(const KnGame *game, const char *name)
{
    const KnFeatureTable *row = game->feature_tables;
    while (row && row->name && strcmp(row->name, name) != 0) row++;
    return row && row->name;
}

/* `inner` is the field's player, complete. */
static KnPolicyTraining training_of(const KnLabRun *run, const KnAllocationField *field, const KnGame *game,
                                    const KnAllocationLearner *how, const char *inner)
{
    static const char purpose[] = "allocation training";
    KnPolicyTraining t = kn_policy_training_defaults();
    t.play = (KnExamplesPlan){.inner = inner,
                              .k = field->k,
                              .n = field->n,
                              .moves = field->moves,
                              .judge = field->judge,
                              .random_plies = field->random_plies,
                              .classes = field->classes,
                              .explore = how->explore,
                              .jobs = kn_lab_jobs(run),
                              .cancel = kn_lab_cancel(run),
                              .seed = kn_hash64(purpose, strlen(purpose), kn_lab_run_seed(run)) >> 11};
    t.tree = size_of_set(run, "examples");
    t.relief = how->relief ? size_of_set(run, "relief") : 0;
    t.enrich = how->enrich ? size_of_set(run, "enrich") : 0;
    t.game_features = game->feature_count > 0 && !how->alone;
    t.general_features = how->general || (!t.game_features && !how->alone);
    t.search_features = how->search;
    t.budget_features = how->budget;
    t.cell_features = how->cells && game->cells > 0 && game->type->cell;
    t.eval = field->eval;
    t.terms = how->terms && has_terms(game, how->terms) ? how->terms : NULL;
    t.patterns = how->patterns && has_windows(game) ? how->patterns : 0;
    t.expansions = (int)kn_lab_parameter(run, "expansions");
    if (how->regression) {
        t.plan = (KnTreePlan){.measure = KN_TREE_VARIANCE, .cuts = true, .least = how->least};
        t.by_value = true;
    }
    t.points = how->points;
    t.boost = how->boost;
    t.decide = how->decide;
    return t;
}

KnStatus kn_allocation_sets(KnLabRun *run, KnAllocationMaterial *material, double explore, KnError *error)
{
    if (material->made && material->explore == explore) return KN_OK;
    const KnAllocationLearner all = {.file = "sets", .relief = true, .enrich = true, .explore = explore};
    KnText inner = KN_TEXT_EMPTY;
    kn_text_printf(&inner, "%s)", material->field->inner);
    kn_policy_training_sets_free(&material->sets);
    material->made = false;
    material->explore = explore;
    KnStatus status = material->game
                          ? KN_OK
                          : kn_game_open(kn_lab_context(run), material->field->game, &material->game, error);
    if (status == KN_OK) {
        KnPolicyTraining training = training_of(run, material->field, material->game, &all, inner.data);
        status = kn_policy_training_sets_make(kn_lab_context(run), material->game, &training, NULL,
                                              kn_lab_progress(run), &material->sets, error);
    }
    kn_text_free(&inner);
    material->made = status == KN_OK;
    return status;
}

/* Whether a policy is what this training would make: by its record of what it was made of. */
static bool is_current(const char *path, const KnGame *game, const KnPolicyTraining *t)
{
    KnError ignored;
    KnLearnedPolicy *learned;
    if (!kn_file_exists(path) || kn_learned_policy_load(path, game, &learned, &ignored) != KN_OK)
        return false;
    json_t *made = kn_policy_training_record(t);
    const char *key;
    json_t *value;
    bool same = made != NULL;
    json_object_foreach(made, key, value)
        same = same && json_equal(value, json_object_get(learned->made, key));
    json_decref(made);
    kn_learned_policy_free(learned);
    return same;
}

static KnStatus name_file(const KnLabRun *run, const KnAllocationField *field, const KnAllocationLearner *how,
                          KnText *path, KnError *error)
{
    char name[200];
    kn_path_join(path, kn_context_data(kn_lab_context(run)), "lab/policies");
    KnStatus status = kn_text_ok(path) ? kn_mkdirs(path->data, error)
                                       : kn_fail_memory(error, "naming a policy");
    snprintf(name, sizeof name, "lab/policies/%.40s-%.40s.%s.%llu.json", field->name, how->file,
             kn_scale_name(kn_lab_scale(run)), (unsigned long long)kn_lab_run_seed(run));
    kn_path_join(path, kn_context_data(kn_lab_context(run)), name);
    if (status == KN_OK && !kn_text_ok(path)) status = kn_fail_memory(error, "naming a policy");
    return status;
}

KnStatus kn_allocation_learned(KnLabRun *run, KnAllocationMaterial *material, const KnAllocationLearner *how,
                               KnText *path, KnError *error)
{
    const KnAllocationField *field = material->field;
    KnText inner = KN_TEXT_EMPTY;
    kn_text_printf(&inner, "%s)", field->inner);
    KnStatus status = material->game ? KN_OK
                                     : kn_game_open(kn_lab_context(run), field->game, &material->game, error);
    if (status == KN_OK) status = name_file(run, field, how, path, error);
    if (status == KN_OK) {
        KnPolicyTraining training = training_of(run, field, material->game, how, inner.data);
        KnLearnedPolicy *learned = NULL;
        if (!is_current(path->data, material->game, &training)) {
            status = kn_allocation_sets(run, material, how->explore, error);
            if (status == KN_OK)
                status = kn_policy_training_sets_signal(kn_lab_context(run), &training, &material->sets,
                                                        error);
            if (status == KN_OK)
                status = kn_policy_training_learn(material->game, &training, &material->sets, &learned, NULL,
                                                  error);
            if (status == KN_OK) status = kn_learned_policy_save(learned, path->data, error);
            kn_learned_policy_free(learned);
        }
    }
    if (status != KN_OK && status != KN_STOPPED) kn_fail_within(error, "learning %s", how->file);
    kn_text_free(&inner);
    return status;
}
