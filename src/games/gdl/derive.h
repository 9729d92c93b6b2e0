/* Everything that could ever hold, and why: a sheet grounded from the bottom up.
 *
 * Relations that do not depend on the state are derived exactly. For the others the states are piled up: what
 * is initially true or could be next is true, what could be legal is done, and `not` about anything that may
 * change is taken as passed. So too much is found, never too little. Every way in which a rule's body could
 * come true is an instance: its head, and what must hold and must not hold for it. A body keeps only what may
 * change; an instance with an empty body always holds.
 *
 * With `declared` the sheet's own base and input relations say what may be true and done, which they may say
 * better than the rules (and which is then believed).
 *
 * Rules that turn out to be costly are cut (condense.c), and derivation begins again: a variable that only
 * some literals of a body share is dealt with in a relation of its own between them and the head. Such
 * relations have symbols beyond the sheet's.
 *
 * Ownership: kn_gdl_derived_free frees what kn_gdl_derive filled, also after failure. */
#ifndef KNACK_GAMES_GDL_DERIVE_H
#define KNACK_GAMES_GDL_DERIVE_H

#include <stdatomic.h>

#include "games/gdl/sheet.h"
#include "games/gdl/store.h"

typedef struct KnGdlDerived {
    KnTerms terms; /* the sheet's under their own numbers, then what was derived */
    KnGdlStore store;
    bool *fixed; /* by relation: true sentences of it hold always */
    /* Instances one after the other: head, number of literals, literals (2 * sentence, plus 1 if it must not
     * hold). */
    uint32_t *instances;
    size_t length, capacity;
    uint32_t instance_count;
    uint64_t steps;
} KnGdlDerived;

typedef struct KnGdlDeriveLimits {
    bool declared;
    bool cut;                  /* every rule that can be, costly or not */
    uint64_t steps;            /* sentences looked at */
    uint32_t sentences;        /* terms in all */
    size_t words;              /* of instances */
    const atomic_bool *cancel; /* may be NULL; set: KN_STOPPED */
} KnGdlDeriveLimits;

/* KN_NO: not within the limits, or an unsafe rule; the error says why, and names the place of the rule. */
KnStatus kn_gdl_derive(const KnGdlSheet *sheet, const KnGdlDeriveLimits *limits, KnGdlDerived *derived,
                       KnError *error);
void kn_gdl_derived_free(KnGdlDerived *derived);

/* A rule as derivation uses it. */
typedef struct KnGdlClause {
    KnTerm head;
    const KnGdlLiteral *body;
    int count, variables;
    int rule; /* that it comes from, by number */
    KnGdlPlace place;
    struct KnGdlClause *next;
    struct KnGdlPlan **plans; /* join.c's: by fresh literal, plus one */
} KnGdlClause;

/* condense.c: a rule as one clause or, if it is to be cut, several, in front of `rest`; *relations counts on
 * from the sheet's symbols. NULL if memory runs out. */
KnGdlClause *kn_gdl_condense(KnTerms *terms, const KnGdlRule *rule, int number, bool cut, uint32_t *relations,
                             KnArena *arena, KnGdlClause *rest);

#endif
