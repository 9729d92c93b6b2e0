/* Rules as derivation wants them. */
#include <string.h>

#include "games/gdl/derive.h"

/* What legal and goal are asked about is a role; a rule that does not say so leaves it open. */
static bool wants_role(const KnTerms *terms, const KnGdlRule *rule)
{
    const KnTermNode *head = kn_term(terms, rule->head);
    return (head->symbol == KN_GDL_LEGAL || head->symbol == KN_GDL_GOAL) && kn_term_is_variable(terms, kn_term_args(terms, rule->head)[0]);
}

KnGdlClause *kn_gdl_condense(KnTerms *terms, const KnGdlRule *rule, uint32_t *relations, KnArena *arena, KnGdlClause *rest)
{
    (void)relations;
    KnGdlClause *clause = KN_ARENA_NEW(arena, KnGdlClause, 1);
    KnGdlLiteral *body = KN_ARENA_NEW(arena, KnGdlLiteral, rule->count + 1);
    struct KnGdlPlan **plans = KN_ARENA_NEW(arena, struct KnGdlPlan *, rule->count + 2);
    if (!clause || !body || !plans) return NULL;
    int count = rule->count;
    memcpy(body, rule->body, (size_t)count * sizeof *body);
    if (wants_role(terms, rule)) {
        KnTerm role = kn_term_make(terms, KN_GDL_ROLE, kn_term_args(terms, rule->head), 1);
        if (!role) return NULL;
        body[count++] = (KnGdlLiteral){.kind = KN_GDL_HOLDS, .term = role, .place = rule->place};
    }
    *clause = (KnGdlClause){rule->head, body, count, rule->variables, rest, plans};
    return clause;
}
