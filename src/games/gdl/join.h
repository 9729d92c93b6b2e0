/* Bodies met by stored sentences: the inner loop of bottom-up derivation.
 *
 * Private to games/gdl. A join runs a clause's literals in an order chosen for speed; literals bind variables
 * by looking up sentences through indices, comparisons and `not` follow as soon as their variables are bound.
 * For a literal about a relation of the current layer the sentences come in two kinds, old and new: with
 * `fresh` k, literal k is met by new ones, those before it by old ones, those behind it by either.
 *
 * Ownership: kn_gdl_joins_new / kn_gdl_joins_free; plans live in the arena. */
#ifndef KNACK_GAMES_GDL_JOIN_H
#define KNACK_GAMES_GDL_JOIN_H

#include "games/gdl/derive.h"

typedef struct KnGdlJoins KnGdlJoins;

typedef struct KnGdlJoining {
    KnTerms *terms;
    KnGdlStore *store;
    const bool *fixed; /* by relation */
    const int *layers;
    uint64_t steps;            /* at most, in all */
    const atomic_bool *cancel; /* may be NULL; set: KN_STOPPED */
    /* A body is met. `sentences` has, by literal, the sentence that it asks for, where that may change, else
     * 0. */
    KnStatus (*found)(void *user, const KnGdlClause *clause, KnTerm head, const KnTerm *sentences);
    void *user;
} KnGdlJoining;

KnGdlJoins *kn_gdl_joins_new(const KnGdlJoining *how, KnArena *arena,
                             KnError *error); /* NULL if memory runs out */
void kn_gdl_joins_free(KnGdlJoins *joins);
void kn_gdl_joins_layer(KnGdlJoins *joins, int layer);
KnStatus kn_gdl_join(KnGdlJoins *joins, const KnGdlClause *clause, int fresh);
uint64_t kn_gdl_joins_steps(const KnGdlJoins *joins);

#endif
