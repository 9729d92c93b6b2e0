/* A learned policy, to look into: its tree with what each leaf means and three positions that come there, the
 * thresholds, what RELIEF thinks of the features, and how it was made. */
#include <stdlib.h>
#include <string.h>

#include "base/explanation.h"
#include "games/game.h"
#include "methods/allocation/learned_policy.h"

enum { GAMES = 300, PLIES = 200 }; /* random games from which the examples are, and their length */

/* Three positions a leaf, the texts in the arena. */
typedef struct Examples {
    const char *(*boards)[KN_POLICY_EXAMPLES];
    int *count;
    int *seen; /* the latest game of a leaf's examples: one game gives a leaf one */
    int missing;
    const json_t *met; /* of the file, instead: a list for each leaf; NULL: none */
} Examples;

typedef struct Inside {
    const KnLearnedPolicy *learned;
    KnArena *arena;
    Examples examples;
} Inside;

/* ---- positions that come to a leaf ---- */

static void note(Inside *in, const KnState *state, int leaf, int number)
{
    Examples *e = &in->examples;
    if (e->count[leaf] == KN_POLICY_EXAMPLES || e->seen[leaf] == number) return;
    char *text = kn_game_position_text(kn_state_game(state), kn_state_position(state));
    for (int i = 0; text && i < e->count[leaf]; i++)
        if (strcmp(e->boards[leaf][i], text) == 0) { /* every game starts alike */
            free(text);
            return;
        }
    const char *kept = text ? kn_arena_string(in->arena, text) : NULL;
    free(text);
    if (!kept) return;
    e->boards[leaf][e->count[leaf]++] = kept;
    e->seen[leaf] = number;
    e->missing--;
}

/* One random game: each position with a choice is shown to its leaf. */
static void play(Inside *in, KnState *state, int number, KnRng *rng)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves];
    KnError error;
    int made[KN_ROLES_MAX] = {0};
    kn_state_reset(state, kn_state_position_at(state, 0));
    for (int ply = 0; ply < PLIES && kn_state_movers(state); ply++) {
        int role = __builtin_ctz(kn_state_movers(state)), count = kn_state_moves(state, role, moves);
        KnFeatureSource of = {.position = kn_state_position(state),
                              .role = role,
                              .moves = moves,
                              .count = count,
                              .made = made[role]++};
        if (count > 1 && role != game->nature)
            note(in, state, kn_feature_view_leaf(in->learned->view, in->learned->tree, &of), number);
        if (kn_state_play(state, moves[kn_rng_below(rng, (uint32_t)count)], &error) != KN_OK) return;
    }
}

/* Of policies that ask a base the file has examples: random games do not meet what the base knew. */
static void find_examples(Inside *in)
{
    const KnFeatureView *view = in->learned->view;
    const size_t leaves = (size_t)in->learned->tree->leaf_count;
    Examples *e = &in->examples;
    e->met = json_object_get(in->learned->made, KN_POLICY_MET);
    if (e->met || view->needs[KN_FROM_BASE]) return;
    KnState *state = kn_state_new(view->game);
    e->boards = kn_arena_alloc(in->arena, leaves * sizeof *e->boards);
    e->count = kn_arena_alloc(in->arena, leaves * sizeof *e->count);
    e->seen = kn_arena_alloc(in->arena, leaves * sizeof *e->seen);
    if (!state || !e->boards || !e->count || !e->seen) {
        e->count = NULL;
        kn_state_free(state);
        return;
    }
    for (size_t l = 0; l < leaves; l++) e->count[l] = e->seen[l] = 0;
    e->missing = (int)leaves * KN_POLICY_EXAMPLES;
    KnRng rng = kn_rng_seeded(1);
    for (int g = 1; g <= GAMES && e->missing; g++) play(in, state, g, &rng);
    kn_state_free(state);
}

/* ---- the tree ---- */

/* The least share of deep searches left at which a leaf is searched deep, in percent; 0: never. */
static int deep_from(const KnLearnedPolicy *learned, int leaf)
{
    for (int percent = 1; percent <= 100; percent++)
        if (learned->leaves[leaf].score >= learned->thresholds.b[percent * KN_THRESHOLD_STEPS / 100])
            return percent;
    return 0;
}

/* NULL: there is none. */
static const char *example_at(const Inside *in, int leaf, int i)
{
    const Examples *e = &in->examples;
    if (e->count) return i < e->count[leaf] ? e->boards[leaf][i] : NULL;
    const char *text = json_string_value(json_array_get(json_array_get(e->met, (size_t)leaf), (size_t)i));
    const KnGame *game = in->learned->view->game;
    _Alignas(16) unsigned char position[game->position_size];
    KnError ignored;
    if (!text || kn_game_parse_position(game, text, position, &ignored) != KN_OK) return NULL;
    return kn_arena_string(in->arena, text);
}

static void explain_leaf(Inside *in, KnExplanation *parent, const char *condition, int leaf)
{
    const KnLearnedPolicy *learned = in->learned;
    const KnPolicyPurpose purpose = kn_learned_policy_purpose(learned);
    static const char *const worth[] = {"% of its examples were worth a deep search",
                                        "% of its examples were worth more time",
                                        "% of its examples were better with a search"};
    KnExplanation *node = kn_explanation_bar(
        in->arena, parent, condition, 100 * kn_leaf_probability(learned->tree, leaf), 0, 100, worth[purpose]);
    kn_explanation_number(in->arena, node, "share of all positions",
                          100 * kn_leaf_weight(learned->tree, leaf), "%");
    kn_explanation_number(in->arena, node, "mean gain", kn_leaf_mean(learned->tree, leaf),
                          purpose == KN_FOR_TRUST ? "of a point" : NULL);
    int from = learned->decide == KN_BY_THRESHOLD ? deep_from(learned, leaf) : 0;
    double mean = kn_learned_policy_mean(learned);
    if (purpose == KN_FOR_BUDGETS)
        kn_explanation_text(in->arena, node, "decision",
                            kn_arena_printf(in->arena, "%.2f times an even share of the clock",
                                            mean > 0 ? kn_leaf_mean(learned->tree, leaf) / mean : 1));
    else if (purpose == KN_FOR_TRUST)
        kn_explanation_text(in->arena, node, "decision",
                            kn_arena_printf(in->arena,
                                            "the base is trusted without a search from doubt=%.3g on",
                                            kn_leaf_mean(learned->tree, leaf)));
    else if (learned->decide == KN_BY_MAJORITY)
        kn_explanation_text(in->arena, node, "decision",
                            learned->leaves[leaf].score > 0.5 ? "search deep" : "stay shallow");
    else if (from)
        kn_explanation_text(
            in->arena, node, "decision",
            kn_arena_printf(in->arena, "search deep if deep searches are left for %d %% of the moves", from));
    for (int i = 0; i < KN_POLICY_EXAMPLES; i++) {
        const char *board = example_at(in, leaf, i);
        if (board)
            kn_explanation_board(in->arena, node, kn_arena_printf(in->arena, "example %d", i + 1), board);
    }
}

static void explain_node(Inside *in, KnExplanation *parent, const char *condition, int index)
{
    const KnTree *tree = in->learned->tree;
    const KnTreeNode *node = &tree->nodes[index];
    if (node->feature < 0) {
        explain_leaf(in, parent, condition, node->first);
        return;
    }
    KnExplanation *group = condition ? kn_explanation_group(in->arena, parent, condition) : parent;
    const char *name = in->learned->view->names[node->feature];
    double before = 0;
    for (int k = 0; k < node->cases; k++) {
        const KnTreeCase *one = &tree->cases[node->first + k];
        const char *said = node->cases == 1 ? kn_arena_printf(in->arena, "any %s", name)
                           : k < node->cases - 1
                               ? kn_arena_printf(in->arena, "%s at most %g", name, one->upper)
                               : kn_arena_printf(in->arena, "%s above %g", name, before);
        before = one->upper;
        explain_node(in, group, said, one->node);
    }
}

/* ---- the rest ---- */

static void explain_thresholds(Inside *in, KnExplanation *root)
{
    const KnLearnedPolicy *learned = in->learned;
    if (kn_learned_policy_purpose(learned) != KN_FOR_DEPTHS) return;
    if (learned->decide == KN_BY_THRESHOLD) {
        KnExplanation *group = kn_explanation_group(in->arena, root, "what a leaf must reach");
        for (int tenth = 1; tenth <= 10; tenth++)
            kn_explanation_number(
                in->arena, group,
                kn_arena_printf(in->arena, "deep searches left for %d %% of the moves", 10 * tenth),
                learned->thresholds.b[tenth * KN_THRESHOLD_STEPS / 10], NULL);
    }
    for (int step = 0; learned->plan && step < learned->plan->steps; step += learned->plan->steps / 8 + 1)
        kn_explanation_text(
            in->arena, root, "what a leaf must reach",
            kn_arena_printf(in->arena, "before move %d with 1, 4, 8 deep searches left: %.4g, %.4g, %.4g",
                            step + 1, kn_stopping_threshold(learned->plan, 1, step),
                            kn_stopping_threshold(learned->plan, 4, step),
                            kn_stopping_threshold(learned->plan, 8, step)));
}

static void explain_features(Inside *in, KnExplanation *root)
{
    const json_t *weights = json_object_get(in->learned->made, "weights");
    KnExplanation *group = json_array_size(weights)
                               ? kn_explanation_group(in->arena, root, "features by RELIEF")
                               : NULL;
    size_t i;
    json_t *row;
    json_array_foreach(weights, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "feature"));
        kn_explanation_number(in->arena, group, name ? name : "?",
                              json_number_value(json_object_get(row, "weight")), NULL);
    }
    group = kn_explanation_group(in->arena, root, "features that the tree may ask for");
    for (int c = 0; c < in->learned->view->count; c++)
        kn_explanation_text(in->arena, group, NULL, in->learned->view->names[c]);
}

static void explain_making(Inside *in, KnExplanation *root)
{
    KnExplanation *group = kn_explanation_made(in->arena, root, in->learned->made);
    static const char *const ways[] = {"majority of the leaf", "threshold (equation 5)",
                                       "plan (what a deep search would bring later)"};
    static const char *const others[] = {[KN_FOR_BUDGETS] = "mean gain of the leaf, in multiples of the mean",
                                         [KN_FOR_TRUST] = "mean gain of the leaf, against the doubt that the "
                                                          "player allows"};
    const KnPolicyPurpose purpose = kn_learned_policy_purpose(in->learned);
    kn_explanation_text(in->arena, group, "decides by",
                        purpose == KN_FOR_DEPTHS ? ways[in->learned->decide] : others[purpose]);
    kn_explanation_number(in->arena, group, "moves without a choice", 100 * in->learned->forced, "%");
}

KnExplanation *kn_learned_policy_explain(const KnLearnedPolicy *learned, bool examples, KnArena *arena)
{
    Inside in = {.learned = learned, .arena = arena};
    const KnTree *tree = learned->tree;
    KnExplanation *root = kn_explanation_new(
        arena, kn_arena_printf(arena, "A policy for %s: a tree of %d %s from %.0f examples",
                               learned->view->game->spec, tree->leaf_count,
                               tree->leaf_count == 1 ? "leaf" : "leaves", tree->examples));
    if (!root) return NULL;
    if (examples) find_examples(&in);
    explain_node(&in, kn_explanation_group(arena, root, "the tree"),
                 tree->nodes[0].feature < 0 ? "any position" : NULL, 0);
    explain_thresholds(&in, root);
    explain_features(&in, root);
    explain_making(&in, root);
    return root;
}

void kn_learned_policy_show(const KnLearnedPolicy *learned, KnText *out)
{
    KnArena *arena = kn_arena_new();
    KnExplanation *root = arena ? kn_learned_policy_explain(learned, false, arena) : NULL;
    if (root) kn_explanation_print(root, out);
    kn_arena_free(arena);
}
