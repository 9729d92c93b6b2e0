#include "players/experience/trusting.h"

#include <stdlib.h>

#include "players/allocation/learned.h"

struct KnTrusting {
    KnLearned *learned;
    double doubt;
};

KnStatus kn_trusting_open(const KnContext *context, const KnGame *game, const char *file, double doubt,
                          KnTrusting **out, KnError *error)
{
    KnTrusting *t = *out = calloc(1, sizeof *t);
    if (!t) return kn_fail_memory(error, "opening a player");
    t->doubt = doubt;
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(context, file, &path);
    KnStatus status = kn_text_ok(&path) ? kn_learned_load(path.data, game, &t->learned, error)
                                        : kn_fail_memory(error, "opening a player");
    kn_text_free(&path);
    return status == KN_OK ? kn_learned_check(t->learned, KN_FOR_TRUST, file, error) : status;
}

void kn_trusting_close(KnTrusting *t)
{
    if (!t) return;
    kn_learned_free(t->learned);
    free(t);
}

KnStatus kn_trusting_decide(const KnTrusting *t, KnBase *base, const KnRequest *request,
                            const KnBaseMove *rows, const KnBaseView *view, int made, KnTrustChoice *choice,
                            KnError *error)
{
    const KnLearned *learned = t->learned;
    KnExpect expect = kn_entry_expect(base, request->game, request->role);
    KnStatus status = kn_entry_read(&expect, request->position, rows, view, &choice->entry, error);
    if (status != KN_OK) return status;
    KnViewOf of = {.position = request->position,
                   .role = request->role,
                   .moves = request->allowed,
                   .count = request->allowed_count,
                   .made = made,
                   .entry = choice->entry.columns};
    int leaf = kn_view_leaf(learned->view, learned->tree, &of);
    choice->leaf = leaf + 1;
    choice->probability = kn_leaf_probability(learned->tree, leaf);
    choice->weight = kn_leaf_weight(learned->tree, leaf);
    choice->gain = kn_leaf_mean(learned->tree, leaf);
    choice->trusted = choice->gain <= t->doubt;
    return KN_OK;
}

/* What a search would have cost, as far as that is known. */
static const char *saved(const KnTrusting *t, const KnRequest *request)
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

void kn_trusting_tell(const KnTrusting *t, const KnRequest *request, const KnTrustChoice *choice,
                      KnAnswer *answer)
{
    KnArena *arena = request->arena;
    KnReason *group = kn_reason_group(arena, answer->reason, "trust");
    kn_reason_text(arena, group, "decision",
                   choice->trusted ? "the base is trusted without a search"
                                   : "the base is not trusted: a search decides");
    kn_reason_number(arena, group, "leaf", choice->leaf, "");
    kn_reason_bar(arena, group, "what a search gains there on average, of a point", choice->gain, -1, 1, "");
    kn_reason_bar(arena, group, "doubt up to which the base is trusted", t->doubt, -1, 1, "");
    kn_reason_bar(arena, group, "probability that a search gains anything", choice->probability, 0, 1, "");
    kn_reason_bar(arena, group, "share of known positions in this leaf", choice->weight, 0, 1, "");
    kn_reason_text(arena, group, "the base's move",
                   kn_arena_printf(arena, "%s, expected %+.1f; the book goes on for %.0f plies",
                                   kn_game_move_name(request->game, request->position,
                                                     request->allowed[choice->entry.best], arena),
                                   choice->entry.value + 0.0, choice->entry.columns[KN_ENTRY_BOOK]));
    kn_reason_text(arena, group, choice->trusted ? "saved" : "spent", saved(t, request));
}
