#include "methods/experience/trust_rule.h"

#include <stdlib.h>

#include "methods/allocation/learned_policy.h"

struct KnTrustRule {
    KnLearnedPolicy *learned;
    double doubt;
};

KnStatus kn_trust_rule_open(KnPlayer *player, const char *file, const char *base, double doubt,
                            KnTrustRule **out, KnError *error)
{
    KnTrustRule *t = *out = calloc(1, sizeof *t);
    if (!t) return kn_fail_memory(error, "opening a player");
    t->doubt = doubt;
    KnPolicyUse use = {.file = file,
                       .purpose = KN_FOR_TRUST,
                       .inner = player->inner ? player->inner->spec : NULL,
                       .base = base};
    KnText note = KN_TEXT_EMPTY;
    KnStatus status = kn_learned_policy_open(player->context, player->game, &use, &t->learned, &note, error);
    if (note.length) kn_player_add_note(player, note.data);
    kn_text_free(&note);
    return status;
}

void kn_trust_rule_close(KnTrustRule *t)
{
    if (!t) return;
    kn_learned_policy_free(t->learned);
    free(t);
}

KnStatus kn_trust_rule_decide(const KnTrustRule *t, KnBase *base, const KnRequest *request,
                              const KnBaseMove *rows, const KnBaseView *view, int made, KnTrustChoice *choice,
                              KnError *error)
{
    const KnLearnedPolicy *learned = t->learned;
    KnExpect expect = kn_entry_expect(base, request->game, request->role);
    KnStatus status = kn_entry_read(&expect, request->position, rows, view, &choice->entry, error);
    if (status != KN_OK) return status;
    KnFeatureSource of = {.position = request->position,
                          .role = request->role,
                          .moves = request->allowed,
                          .count = request->allowed_count,
                          .made = made,
                          .entry = choice->entry.columns};
    int leaf = kn_feature_view_leaf(learned->view, learned->tree, &of);
    choice->leaf = leaf + 1;
    choice->probability = kn_leaf_probability(learned->tree, leaf);
    choice->weight = kn_leaf_weight(learned->tree, leaf);
    choice->gain = kn_leaf_mean(learned->tree, leaf);
    choice->trusted = choice->gain <= t->doubt;
    return KN_OK;
}

/* What a search would have cost, as far as that is known. */
static const char *saved(const KnTrustRule *t, const KnRequest *request)
{
    json_int_t units =
        json_integer_value(json_object_get(json_object_get(t->learned->made, "trust"), "units"));
    if (request->budget.nodes)
        return kn_arena_printf(request->arena, "a search of up to %llu positions",
                               (unsigned long long)request->budget.nodes);
    return units > 0
               ? kn_arena_printf(request->arena, "a search; the policy was learned for one of %lld positions",
                                 (long long)units)
               : "a search";
}

void kn_trust_rule_explain(const KnTrustRule *t, const KnRequest *request, const KnTrustChoice *choice,
                           KnAnswer *answer)
{
    KnArena *arena = request->arena;
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, "trust");
    kn_explanation_text(arena, group, "decision",
                        choice->trusted ? "the base is trusted without a search"
                                        : "the base is not trusted: a search decides");
    kn_explanation_number(arena, group, "leaf", choice->leaf, "");
    kn_explanation_bar(arena, group, "what a search gains there on average, of a point", choice->gain, -1, 1,
                       "");
    kn_explanation_bar(arena, group, "threshold up to which the base is trusted", t->doubt, -1, 1, "");
    kn_explanation_bar(arena, group, "probability that a search gains anything", choice->probability, 0, 1,
                       "");
    kn_explanation_bar(arena, group, "share of known positions in this leaf", choice->weight, 0, 1, "");
    kn_explanation_text(arena, group, "the base's move",
                        kn_arena_printf(arena, "%s, expected %+.1f; the book goes on for %.0f plies",
                                        kn_game_move_name(request->game, request->position,
                                                          request->allowed[choice->entry.best], arena),
                                        choice->entry.value + 0.0, choice->entry.columns[KN_ENTRY_BOOK]));
    kn_explanation_text(arena, group, choice->trusted ? "saved" : "spent", saved(t, request));
}
