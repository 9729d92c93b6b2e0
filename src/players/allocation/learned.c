#include "players/allocation/learned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const char format_name[] = "knack allocation policy 1";

/* ---- life ---- */

void kn_learned_free(KnLearned *learned)
{
    if (!learned) return;
    kn_view_close(learned->view);
    kn_tree_free(learned->tree);
    json_decref(learned->made);
    free(learned->eval);
    free(learned);
}

static double score_of(const KnLearned *learned, int leaf)
{
    return learned->by_worth ? kn_leaf_mean(learned->tree, leaf) : kn_leaf_probability(learned->tree, leaf);
}

static KnStatus make_thresholds(KnLearned *learned, KnError *error)
{
    int leaves = learned->tree->leaf_count;
    double *weights = malloc((size_t)leaves * sizeof *weights), *scores = malloc((size_t)leaves * sizeof *scores);
    KnStatus status = KN_OK;
    for (int l = 0; l < leaves && weights && scores; l++) {
        weights[l] = kn_leaf_weight(learned->tree, l) * (1 - learned->forced);
        scores[l] = score_of(learned, l);
    }
    if (weights && scores) status = kn_thresholds_make(weights, scores, leaves, &learned->thresholds, error);
    else status = kn_fail_memory(error, "making thresholds");
    free(weights);
    free(scores);
    return status;
}

KnStatus kn_learned_make(KnView *view, KnTree *tree, bool by_threshold, bool by_worth, double forced, const char *eval, json_t *made,
                         KnLearned **out, KnError *error)
{
    *out = NULL;
    KnLearned *learned = calloc(1, sizeof *learned);
    if (!learned) {
        kn_view_close(view);
        kn_tree_free(tree);
        json_decref(made);
        return kn_fail_memory(error, "making a policy");
    }
    *learned = (KnLearned){.view = view, .tree = tree, .by_threshold = by_threshold, .by_worth = by_worth, .forced = forced, .made = made};
    KnStatus status = made && (!eval || (learned->eval = strdup(eval))) ? KN_OK : kn_fail_memory(error, "making a policy");
    if (status == KN_OK) status = make_thresholds(learned, error);
    if (status == KN_OK) *out = learned;
    else kn_learned_free(learned);
    return status;
}

/* ---- files ---- */

static bool is_flat(const json_t *value)
{
    size_t i;
    const char *key;
    json_t *item;
    json_object_foreach((json_t *)value, key, item)
        if (json_is_object(item) || json_is_array(item)) return false;
    json_array_foreach(value, i, item)
        if (json_is_object(item) || json_is_array(item)) return false;
    return true;
}

/* A line for whatever holds nothing that holds something: leaves, numbers, lists of words. Reals are exact, so that reading back gives the
 * same decisions. */
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
    json_object_foreach((json_t *)value, key, item) {
        kn_text_printf(out, "%s\n%*s", written++ ? "," : "", indent + 1, "");
        kn_text_add_quoted(out, key);
        kn_text_add(out, ": ");
        write_json(item, indent + 1, out);
    }
    json_array_foreach(value, i, item) {
        kn_text_printf(out, "%s\n%*s", written++ ? "," : "", indent + 1, "");
        write_json(item, indent + 1, out);
    }
    kn_text_printf(out, "\n%*s%s", indent, "", object ? "}" : "]");
}

KnStatus kn_learned_save(const KnLearned *learned, const char *path, KnError *error)
{
    json_t *document = json_pack("{ss ss so ss ss sf so so}", "format", format_name, "game", learned->view->game->spec, "made",
                                 json_incref(learned->made), "decide", learned->by_threshold ? "threshold" : "majority", "score",
                                 learned->by_worth ? "worth" : "probability", "forced", learned->forced, "features",
                                 kn_view_json(learned->view), "tree",
                                 kn_tree_json(learned->tree, (const char *const *)learned->view->names));
    if (document && learned->eval) json_object_set_new(document, "eval", json_string(learned->eval));
    if (!document) return kn_fail_memory(error, "saving a policy");
    KnText text = KN_TEXT_EMPTY;
    write_json(document, 0, &text);
    kn_text_add_char(&text, '\n');
    json_decref(document);
    KnStatus status = kn_text_ok(&text) ? kn_file_write_atomic(path, text.data, text.length, error) : kn_fail_memory(error, "saving a policy");
    kn_text_free(&text);
    return status;
}

/* Whether two specs name the same game, options aside: those do not change what features mean. */
static bool same_game(const char *a, const char *b)
{
    size_t length = strcspn(a, "(:");
    return length == strcspn(b, "(:") && strncmp(a, b, length) == 0;
}

static KnStatus read_words(const KnJson *root, const KnGame *game, KnLearned *learned, KnError *error)
{
    static const char *const known[] = {"format", "game", "made", "decide", "score", "forced", "features", "tree", "eval", NULL};
    const char *format, *made_for, *decide, *score, *eval = NULL;
    KnStatus status = kn_json_string(root, "format", &format, error);
    if (status != KN_OK) return status;
    if (strcmp(format, format_name) != 0)
        return kn_json_fail(root, "format", error, "\"%.60s\" is not \"%s\": this is no allocation policy", format, format_name);
    status = kn_json_only(root, known, error);
    if (status == KN_OK) status = kn_json_string(root, "game", &made_for, error);
    if (status == KN_OK && !same_game(made_for, game->spec))
        return kn_json_fail(root, "game", error, "the policy was made for %.80s, and this is %.80s", made_for, game->spec);
    if (status == KN_OK) status = kn_json_string(root, "decide", &decide, error);
    if (status == KN_OK) status = kn_json_string(root, "score", &score, error);
    if (status == KN_OK) status = kn_json_real(root, "forced", &learned->forced, error);
    if (status == KN_OK && kn_json_has(root, "eval")) status = kn_json_string(root, "eval", &eval, error);
    if (status != KN_OK) return status;
    learned->by_threshold = strcmp(decide, "threshold") == 0;
    learned->by_worth = strcmp(score, "worth") == 0;
    if (!learned->by_threshold && strcmp(decide, "majority") != 0)
        return kn_json_fail(root, "decide", error, "\"%.40s\" is neither majority nor threshold", decide);
    if (!learned->by_worth && strcmp(score, "probability") != 0)
        return kn_json_fail(root, "score", error, "\"%.40s\" is neither probability nor worth", score);
    if (!(learned->forced >= 0 && learned->forced < 1)) return kn_json_fail(root, "forced", error, "a share from 0 to below 1 is wanted");
    if (eval && !(learned->eval = strdup(eval))) return kn_fail_memory(error, "reading a policy");
    return KN_OK;
}

KnStatus kn_learned_load(const char *path, const KnGame *game, KnLearned **out, KnError *error)
{
    *out = NULL;
    json_t *document;
    KnStatus status = kn_json_load_file(path, &document, error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(document, path), made;
    KnLearned *learned = calloc(1, sizeof *learned);
    status = learned ? read_words(&root, game, learned, error) : kn_fail_memory(error, "reading a policy");
    if (status == KN_OK) status = kn_json_object(&root, "made", &made, error);
    if (status == KN_OK) {
        learned->made = json_incref(made.value);
        status = kn_view_from_json(&root, "features", game, learned->eval, &learned->view, error);
    }
    if (status == KN_OK)
        status = kn_tree_from_json(&root, "tree", learned->view->count, (const char *const *)learned->view->names, &learned->tree, error);
    if (status == KN_OK) status = make_thresholds(learned, error);
    json_decref(document);
    if (status == KN_OK) *out = learned;
    else kn_learned_free(learned);
    return status;
}

void kn_learned_show(const KnLearned *learned, KnText *out)
{
    kn_text_printf(out, "A policy for %s\n", learned->view->game->spec);
    const char *key;
    json_t *value;
    json_object_foreach(learned->made, key, value) {
        if (json_is_array(value)) continue; /* weights of features, below */
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        kn_text_printf(out, "  %-18s %s\n", key, text ? text : "");
        free(text);
    }
    size_t i;
    json_array_foreach(json_object_get(learned->made, "weights"), i, value)
        kn_text_printf(out, "  %-18s %+.5f %s\n", i ? "" : "weights by RELIEF", json_number_value(json_object_get(value, "weight")),
                       json_string_value(json_object_get(value, "feature")) ? json_string_value(json_object_get(value, "feature")) : "");
    kn_text_printf(out, "  %-18s %s\n", "decides by", learned->by_threshold ? "threshold (equation 5)" : "majority of the leaf");
    kn_text_printf(out, "  %-18s %.3f of all moves\n  %-18s %d: ", "forced", learned->forced, "features", learned->view->count);
    for (int c = 0; c < learned->view->count; c++) kn_text_printf(out, "%s%s", c ? ", " : "", learned->view->names[c]);
    if (learned->by_threshold) {
        kn_text_printf(out, "\n  %-18s", "thresholds");
        for (int step = KN_THRESHOLD_STEPS / 10; step <= KN_THRESHOLD_STEPS; step += KN_THRESHOLD_STEPS / 10)
            kn_text_printf(out, " %.1f: %.3g%s", (double)step / KN_THRESHOLD_STEPS, learned->thresholds.b[step], step < KN_THRESHOLD_STEPS ? "," : "");
    }
    kn_text_printf(out, "\n  %-18s %d leaves, %.0f examples\n\n", "tree", learned->tree->leaf_count, learned->tree->examples);
    kn_tree_print(learned->tree, (const char *const *)learned->view->names, out);
}

/* ---- deciding ---- */

void kn_learned_decide(const KnLearned *learned, const double *values, const KnAllotment *left, KnAllocationChoice *choice)
{
    int leaf = kn_tree_leaf(learned->tree, values);
    choice->leaf = leaf + 1;
    choice->by_worth = learned->by_worth;
    choice->probability = score_of(learned, leaf);
    choice->weight = kn_leaf_weight(learned->tree, leaf) * (1 - learned->forced);
    if (learned->by_threshold) {
        choice->threshold = kn_threshold(&learned->thresholds, left->deep_left, left->moves_left);
        choice->deep = choice->probability >= choice->threshold;
        if (!isfinite(choice->threshold)) choice->threshold = 0; /* as many deep searches as moves: everything passes */
        choice->why = choice->deep ? "its leaf reaches the threshold" : "its leaf stays below the threshold";
    } else {
        choice->threshold = 0.5;
        choice->deep = choice->probability > 0.5;
        choice->why = choice->deep ? "most examples of its leaf are positive" : "most examples of its leaf are negative";
    }
}

static KnStatus open_learned(KnPolicy *policy, const KnOptions *options, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(policy->context, kn_option_string(options, "file"), &path);
    KnStatus status = kn_learned_load(path.data, policy->game, (KnLearned **)&policy->data, error);
    kn_text_free(&path);
    return status;
}

static void close_learned(KnPolicy *policy) { kn_learned_free(policy->data); }

static KnStatus decide_learned(KnPolicy *policy, const KnAllotment *left, const KnRequest *request, KnAnswer *answer,
                               KnAllocationChoice *choice, KnError *error)
{
    (void)answer, (void)error;
    const KnLearned *learned = policy->data;
    double values[learned->view->count];
    kn_view_fill(learned->view, request->position, request->role, request->allowed, request->allowed_count, kn_allotment_index(left), values);
    kn_learned_decide(learned, values, left, choice);
    return KN_OK;
}

static const KnOption learned_options[] = {{"file", KN_OPTION_STRING, NULL, 0, 0, KN_OPTION_FILE, "made by `knack train allocation`"}, {0}};

const KnPolicyType kn_policy_learned = {
    .head = {"learned", "by a tree over features of the position, from a file", learned_options},
    .open = open_learned,
    .close = close_learned,
    .decide = decide_learned,
};
