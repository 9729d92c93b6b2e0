#include "methods/allocation/learned_policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/sealed.h"
#include "eval/same_rules.h"
#include "methods/allocation/search_signals.h"

static const char format_name[] = "knack allocation policy 1";

const char *const kn_decide_names[KN_DECIDE_WAYS] = {"majority", "threshold", "plan"};

/* ---- life ---- */

void kn_learned_policy_free(KnLearnedPolicy *learned)
{
    if (!learned) return;
    kn_feature_view_close(learned->view);
    kn_tree_free(learned->tree);
    kn_stopping_free(learned->plan);
    json_decref(learned->made);
    free(learned->game);
    free(learned->eval);
    free(learned->leaves);
    free(learned->scores);
    free(learned);
}

static KnStatus make_thresholds(KnLearnedPolicy *learned, KnError *error)
{
    int leaves = learned->tree->leaf_count;
    learned->leaves = malloc((size_t)leaves * sizeof *learned->leaves);
    learned->scores = malloc((size_t)leaves * sizeof *learned->scores);
    double *weights = malloc((size_t)leaves * sizeof *weights),
           *scores = malloc((size_t)leaves * sizeof *scores);
    KnStatus status = KN_OK;
    bool room = weights && scores && learned->leaves && learned->scores;
    for (int l = 0; l < leaves && room; l++) {
        weights[l] = kn_leaf_weight(learned->tree, l) * (1 - learned->forced);
        scores[l] = learned->by_value ? kn_leaf_mean(learned->tree, l)
                                      : kn_leaf_probability(learned->tree, l);
        learned->leaves[l] = (KnAllocationLeaf){scores[l], weights[l]};
        learned->scores[l] = (float)scores[l];
    }
    if (room)
        status = kn_thresholds_make(weights, scores, leaves, &learned->thresholds, error);
    else
        status = kn_fail_memory(error, "making thresholds");
    free(weights);
    free(scores);
    return status;
}

KnStatus kn_learned_policy_make(KnLearnedPolicy parts, const char *eval, KnLearnedPolicy **out,
                                KnError *error)
{
    *out = NULL;
    KnLearnedPolicy *learned = malloc(sizeof *learned);
    if (!learned) {
        kn_feature_view_close(parts.view);
        kn_tree_free(parts.tree);
        kn_stopping_free(parts.plan);
        json_decref(parts.made);
        return kn_fail_memory(error, "making a policy");
    }
    *learned = parts;
    learned->eval = learned->game = NULL;
    learned->leaves = NULL;
    learned->scores = NULL;
    KnStatus status = parts.made && (learned->game = strdup(parts.view->game->spec)) &&
                              (!eval || (learned->eval = strdup(eval)))
                          ? KN_OK
                          : kn_fail_memory(error, "making a policy");
    if (status == KN_OK) status = make_thresholds(learned, error);
    if (status == KN_OK) status = kn_tree_make_walk(learned->tree, error);
    if (status == KN_OK)
        *out = learned;
    else
        kn_learned_policy_free(learned);
    return status;
}

/* ---- what it is for ---- */

KnPolicyPurpose kn_learned_policy_purpose(const KnLearnedPolicy *learned)
{
    if (learned->view->needs[KN_FROM_BASE] || json_object_get(learned->made, "trust")) return KN_FOR_TRUST;
    return json_is_object(json_object_get(learned->made, "classes")) ? KN_FOR_BUDGETS : KN_FOR_DEPTHS;
}

double kn_learned_policy_mean(const KnLearnedPolicy *learned)
{
    double sum = 0;
    for (int l = 0; l < learned->tree->leaf_count; l++) sum += learned->tree->leaves[l].sum;
    return learned->tree->examples > 0 ? sum / learned->tree->examples : 0;
}

KnStatus kn_learned_policy_check(const KnLearnedPolicy *learned, KnPolicyPurpose wanted, const char *file,
                                 KnError *error)
{
    static const char *const what[] = {"for depths", "for a clock", "for experience(rule=trust)"};
    static const char *const how[] = {"one from `knack train allocation`", "one from `knack train pace`",
                                      "one from `knack train trust`"};
    KnPolicyPurpose found = kn_learned_policy_purpose(learned);
    if (found == wanted) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s: that policy was learned %s; %s is wanted here", file, what[found],
                   how[wanted]);
}

/* ---- files ---- */

static bool is_flat(const json_t *value)
{
    size_t i;
    const char *key;
    json_t *item;
    json_object_foreach((json_t *)value, key,
                        item) if (json_is_object(item) || json_is_array(item)) return false;
    json_array_foreach(value, i, item) if (json_is_object(item) || json_is_array(item)) return false;
    return true;
}

/* Writes a JSON value on one line if it holds no objects or arrays of objects: leaves, numbers, lists of
 * words. Reals are exact, so that the loaded policy makes the same decisions. */
static void write_json(const json_t *value, int indent, KnText *out)
{
    if (is_flat(value)) {
        kn_json_canonical(value, out);
        return;
    }
    size_t i, written = 0;
    const char *key;
    json_t *item;
    bool object = json_is_object(value);
    kn_text_add(out, object ? "{" : "[");
    json_object_foreach((json_t *)value, key, item)
    {
        kn_text_printf(out, "%s\n%*s", written++ ? "," : "", indent + 1, "");
        kn_text_add_quoted(out, key);
        kn_text_add(out, ": ");
        write_json(item, indent + 1, out);
    }
    json_array_foreach(value, i, item)
    {
        kn_text_printf(out, "%s\n%*s", written++ ? "," : "", indent + 1, "");
        write_json(item, indent + 1, out);
    }
    kn_text_printf(out, "\n%*s%s", indent, "", object ? "}" : "]");
}

/* A row for each number of deep searches left, from 1; a place for each move, from the first. */
static json_t *plan_json(const KnStopping *plan)
{
    json_t *rows = json_array();
    for (int d = 1; d <= plan->steps; d++) {
        json_t *row = json_array();
        for (int i = 0; i < plan->steps; i++)
            json_array_append_new(row, json_real(kn_stopping_threshold(plan, d, i)));
        json_array_append_new(rows, row);
    }
    return rows;
}

static KnStatus read_plan(const KnJson *root, KnLearnedPolicy *learned, KnError *error)
{
    enum { STEPS_MAX = 1000 };
    KnJson rows;
    KnStatus status = kn_json_array(root, "plan", &rows, error);
    if (status != KN_OK) return status;
    size_t steps = kn_json_size(&rows);
    if (steps < 1 || steps > STEPS_MAX)
        return kn_json_fail(root, "plan", error, "between 1 and %d rows are wanted", STEPS_MAX);
    learned->plan = kn_stopping_new((int)steps, error);
    if (!learned->plan) return KN_SYSTEM;
    for (size_t d = 0; d < steps && status == KN_OK; d++) {
        KnJson row = kn_json_item(&rows, d);
        if (kn_json_size(&row) != steps)
            return kn_json_fail(&row, NULL, error, "a plan of %zu rows has %zu thresholds in each", steps,
                                steps);
        for (size_t i = 0; i < steps && status == KN_OK; i++) {
            KnJson item = kn_json_item(&row, i);
            status = kn_json_real(&item, NULL, &learned->plan->b[d * steps + i], error);
        }
    }
    return status;
}

KnStatus kn_learned_policy_save(const KnLearnedPolicy *learned, const char *path, KnError *error)
{
    json_t *document = json_pack("{ss ss so ss ss sf so so}", "format", format_name, "game",
                                 learned->view->game->spec, "made", json_incref(learned->made), "decide",
                                 kn_decide_names[learned->decide], "score",
                                 learned->by_value ? "worth" : "probability", "forced", learned->forced,
                                 "features", kn_feature_view_json(learned->view), "tree",
                                 kn_tree_json(learned->tree, (const char *const *)learned->view->names));
    if (document && learned->eval) json_object_set_new(document, "eval", json_string(learned->eval));
    if (document && learned->plan) json_object_set_new(document, "plan", plan_json(learned->plan));
    if (!document) return kn_fail_memory(error, "saving a policy");
    KnText text = KN_TEXT_EMPTY;
    write_json(document, 0, &text);
    kn_text_add_char(&text, '\n');
    json_decref(document);
    KnStatus status = kn_text_ok(&text) ? kn_sealed_write(path, text.data, error)
                                        : kn_fail_memory(error, "saving a policy");
    kn_text_free(&text);
    return status;
}

static KnStatus read_words(const KnJson *root, const KnGame *game, KnLearnedPolicy *learned, KnError *error)
{
    static const char *const known[] = {"format",   "game", "made", "decide", "score", "forced",
                                        "features", "tree", "eval", "plan",   NULL};
    const char *format, *made_for, *decide, *score, *eval = NULL;
    KnStatus status = kn_json_string(root, "format", &format, error);
    if (status != KN_OK) return status;
    if (strcmp(format, format_name) != 0)
        return kn_json_fail(root, "format", error, "\"%.60s\" is not \"%s\": this is no allocation policy",
                            format, format_name);
    status = kn_json_only(root, known, error);
    if (status == KN_OK) status = kn_json_string(root, "game", &made_for, error);
    if (status == KN_OK && !kn_same_rules(game, made_for))
        return kn_json_fail(root, "game", error, "the policy was made for %.80s, and this is %.80s", made_for,
                            game->spec);
    if (status == KN_OK) status = kn_json_string(root, "decide", &decide, error);
    if (status == KN_OK) status = kn_json_string(root, "score", &score, error);
    if (status == KN_OK) status = kn_json_real(root, "forced", &learned->forced, error);
    if (status == KN_OK && kn_json_has(root, "eval")) status = kn_json_string(root, "eval", &eval, error);
    if (status != KN_OK) return status;
    int way = 0;
    while (way < KN_DECIDE_WAYS && strcmp(decide, kn_decide_names[way]) != 0) way++;
    if (way == KN_DECIDE_WAYS)
        return kn_json_fail(root, "decide", error, "\"%.40s\" is none of majority, threshold, plan", decide);
    learned->decide = (KnDecideBy)way;
    learned->by_value = strcmp(score, "worth") == 0;
    if (!learned->by_value && strcmp(score, "probability") != 0)
        return kn_json_fail(root, "score", error, "\"%.40s\" is neither probability nor worth", score);
    if (!(learned->forced >= 0 && learned->forced < 1))
        return kn_json_fail(root, "forced", error, "a share from 0 to below 1 is wanted");
    if (!(learned->game = strdup(made_for)) || (eval && !(learned->eval = strdup(eval))))
        return kn_fail_memory(error, "reading a policy");
    return KN_OK;
}

/* `document` is taken over. */
static KnStatus read_policy(json_t *document, const char *name, const KnGame *game, KnLearnedPolicy **out,
                            KnError *error)
{
    KnSeal seal = kn_sealed_take(document);
    KnJson root = kn_json_root(document, name), made;
    KnLearnedPolicy *learned = calloc(1, sizeof *learned);
    KnStatus status = learned ? read_words(&root, game, learned, error)
                              : kn_fail_memory(error, "reading a policy");
    if (status == KN_OK) status = kn_json_object(&root, "made", &made, error);
    if (status == KN_OK) {
        learned->made = json_incref(made.value);
        kn_sealed_stamp(learned->made, seal);
        status = kn_feature_view_from_json(&root, "features", game, learned->eval, &learned->view, error);
    }
    if (status == KN_OK && learned->view->needs[KN_FROM_SEARCH] &&
        kn_learned_policy_purpose(learned) != KN_FOR_DEPTHS)
        status = kn_json_fail(&root, "features", error,
                              "only a policy for depths has a shallow search to take signals from");
    if (status == KN_OK)
        status = kn_tree_from_json(&root, "tree", learned->view->count,
                                   (const char *const *)learned->view->names, &learned->tree, error);
    if (status == KN_OK && learned->decide == KN_BY_PLAN) status = read_plan(&root, learned, error);
    if (status == KN_OK) status = make_thresholds(learned, error);
    if (status == KN_OK) status = kn_tree_make_walk(learned->tree, error);
    json_decref(document);
    if (status == KN_OK)
        *out = learned;
    else
        kn_learned_policy_free(learned);
    return status;
}

KnStatus kn_learned_policy_load(const char *path, const KnGame *game, KnLearnedPolicy **out, KnError *error)
{
    *out = NULL;
    json_t *document;
    KnStatus status = kn_json_load_file(path, &document, error);
    return status == KN_OK ? read_policy(document, path, game, out, error) : status;
}

KnStatus kn_learned_policy_parse(const void *bytes, size_t size, const char *name, const KnGame *game,
                                 KnLearnedPolicy **out, KnError *error)
{
    *out = NULL;
    json_t *document;
    KnStatus status = kn_json_load_bytes(bytes, size, name, &document, error);
    return status == KN_OK ? read_policy(document, name, game, out, error) : status;
}

/* ---- deciding ---- */

/* Rounding keeps an order but for what becomes equal. */
static bool reaches(const KnLearnedPolicy *learned, int leaf, double threshold)
{
    float score = learned->scores[leaf], bound = (float)threshold;
    return score != bound ? score > bound : learned->leaves[leaf].score >= threshold;
}

void kn_learned_policy_decide(const KnLearnedPolicy *learned, int leaf, const KnDeepBudget *left,
                              KnAllocationChoice *choice)
{
    KN_ASSERT(leaf >= 0 && leaf < learned->tree->leaf_count);
    choice->leaf = leaf + 1;
    choice->by_value = learned->by_value;
    choice->known = &learned->leaves[leaf];
    if (learned->decide == KN_BY_MAJORITY) {
        choice->threshold = 0.5;
        choice->deep = choice->known->score > 0.5;
        choice->why = choice->deep ? "most positions like this gain by it"
                                   : "most positions like this gain nothing by it";
        return;
    }
    choice->threshold = learned->plan ? kn_stopping_threshold(learned->plan, left->deep_left,
                                                              kn_deep_budget_index(left))
                                      : kn_threshold(&learned->thresholds, left->deep_left, left->moves_left);
    choice->deep = reaches(learned, leaf, choice->threshold);
    if (!isfinite(choice->threshold))
        choice->threshold = 0; /* as many deep searches as moves: everything passes */
    choice->why = choice->deep ? "positions like this gain by it often enough"
                               : "positions like this seldom gain by it";
}

static KnStatus open_learned(KnPolicy *policy, const KnOptions *options, KnError *error)
{
    const char *file = kn_option_string(options, "file");
    KnPolicyUse use = {.file = file ? file : "",
                       .purpose = KN_FOR_DEPTHS,
                       .k = policy->budget.k,
                       .n = policy->budget.n,
                       .inner = policy->inner->spec};
    KnStatus status = kn_learned_policy_open(policy->context, policy->game, &use,
                                             (KnLearnedPolicy **)&policy->data, &policy->note, error);
    const KnLearnedPolicy *learned = policy->data;
    if (status == KN_OK && learned->plan && learned->plan->steps != policy->budget.moves)
        return kn_fail(error, KN_INPUT,
                       "%s was planned for budgets of moves=%d, and this one is for moves=%d", use.file,
                       learned->plan->steps, policy->budget.moves);
    return status;
}

static void close_learned(KnPolicy *policy) { kn_learned_policy_free(policy->data); }

static KnStatus decide_learned(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                               KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    (void)answer;
    const KnLearnedPolicy *learned = policy->data;
    double signals[KN_SEARCH_SIGNALS];
    bool searched = learned->view->needs[KN_FROM_SEARCH];
    if (searched) {
        KnStatus status = kn_search_signals(policy->inner, request, left->k, signals, &choice->nodes, error);
        if (status != KN_OK) return status;
    }
    KnFeatureSource of = {.position = request->position,
                          .role = request->role,
                          .moves = request->allowed,
                          .count = request->allowed_count,
                          .made = kn_deep_budget_index(left),
                          .signals = searched ? signals : NULL};
    kn_learned_policy_decide(learned, kn_feature_view_leaf(learned->view, learned->tree, &of), left, choice);
    return KN_OK;
}

static const KnOption learned_options[] = {
    {"file", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "made by `knack train allocation`; without it, the policy that comes with the program"},
    {0}};

const KnPolicyType kn_policy_learned = {
    .head = {"learned", "by a tree over features of the position, from a file", learned_options},
    .open = open_learned,
    .close = close_learned,
    .decide = decide_learned,
};
