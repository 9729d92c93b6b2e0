/* Joins of rule bodies with stored sentences: the inner loop of bottom-up derivation. Private to games/gdl.
 *
 * A join runs the literals of a clause in an order chosen for speed. Literals bind variables by index look-
 * ups; comparisons and `not` run as soon as their variables are bound. For semi-naive evaluation, sentences
 * of the current layer are old or new: with `fresh` = k, literal k matches new sentences, literals before it
 * old ones, literals behind it both.
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
    uint64_t steps;            /* limit on the total */
    const atomic_bool *cancel; /* may be NULL; set: KN_STOPPED */
    /* Called for each match of a body. `sentences` holds, by literal, the sentence that it asks for if that
     * may change, else 0. */
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
