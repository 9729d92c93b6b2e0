/* Grounding by bottom-up derivation: every sentence that could ever hold, and its ground rules.
 *
 * Relations that do not depend on the state are computed exactly. For all others the derivation works on the
 * union of all states (a relaxation): what is initially true or could be next is true, what could be legal is
 * done, and `not` of anything that may change succeeds. The result is a superset of what can hold. Each match
 * of a rule's body gives a ground instance: its head and the literals that may change; an instance with an
 * empty body always holds.
 *
 * With `declared`, the description's own base and input relations define which facts and moves are possible;
 * they may be more precise than the rules, and are then trusted.
 *
 * Costly rules are split (condense.c) and derivation starts again: an auxiliary relation projects out a
 * variable that only some literals of a body share. Auxiliary relations have symbols beyond the
 * description's.
 *
 * Where everything would be too much, only what the answers can depend on is derived (demand.c).
 *
 * Ownership: kn_gdl_derived_free frees what kn_gdl_derive filled, also after a failure. */
#ifndef KNACK_GAMES_GDL_DERIVE_H
#define KNACK_GAMES_GDL_DERIVE_H

#include <stdatomic.h>

#include "games/gdl/description.h"
#include "games/gdl/store.h"

typedef struct KnGdlDerived {
    KnTerms terms; /* the description's terms with their own numbers, then derived ones */
    KnGdlStore store;
    bool *fixed; /* by relation: it does not depend on the state */
    /* Ground rules in sequence: head, number of literals, literals (2 * sentence, plus 1 if negated). */
    uint32_t *instances;
    size_t length, capacity;
    uint32_t instance_count;
    uint64_t steps;
} KnGdlDerived;

typedef struct KnGdlDeriveLimits {
    bool declared;
    bool split;                /* split every rule that can be split, not only costly ones */
    bool demand;               /* derive only what is asked for, also where everything could be */
    uint64_t steps;            /* limit on sentences visited */
    uint32_t sentences;        /* limit on terms */
    size_t words;              /* limit on words of instances */
    const atomic_bool *cancel; /* may be NULL; set: KN_STOPPED */
} KnGdlDeriveLimits;

/* KN_NO: a limit was exceeded, or a rule is unsafe; `error` says why and where. */
KnStatus kn_gdl_derive(const KnGdlDescription *description, const KnGdlDeriveLimits *limits,
                       KnGdlDerived *derived, KnError *error);
void kn_gdl_derived_free(KnGdlDerived *derived);

/* A rule as derivation uses it. */
typedef struct KnGdlClause {
    KnTerm head;
    const KnGdlLiteral *body;
    int count, variables;
    int rule; /* number of the rule that it comes from */
    KnGdlPlace place;
    struct KnGdlClause *next;
    struct KnGdlPlan **plans; /* of join.c, by fresh literal plus one */
} KnGdlClause;

/* condense.c: turns a rule into one clause or, if it is split, several, in front of `rest`. New relations get
 * the numbers from *relations on. NULL if memory runs out. */
KnGdlClause *kn_gdl_condense(KnTerms *terms, const KnGdlRule *rule, int number, bool split,
                             uint32_t *relations, KnArena *arena, KnGdlClause *rest);

/* demand.c: clauses that derive only what the answers can depend on. New relations, those of demands, get the
 * numbers from *relations on; they have no part in ground rules. NULL if memory runs out. */
KnGdlClause *kn_gdl_demand(KnTerms *terms, const KnGdlClause *clauses, const bool *fixed, uint32_t *relations,
                           KnArena *arena);

#endif
