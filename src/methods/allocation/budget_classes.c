/* Classes of budgets: how much thought a position deserves. */
#include "methods/allocation/budget_classes.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "methods/allocation/policy.h"

KnStatus kn_budget_classes_check(const KnBudgetClasses *c, KnError *error)
{
    if (c->below < 0 || c->above < 0 || kn_budget_classes_count(c) > KN_BUDGET_CLASSES_MAX ||
        kn_budget_classes_count(c) < 2)
        return kn_fail(error, KN_INPUT, "%d + %d + 1 classes of budgets: there must be from 2 to %d",
                       c->below, c->above, KN_BUDGET_CLASSES_MAX);
    if (!c->step || (uint64_t)c->below >= (c->units + c->step - 1) / c->step)
        return kn_fail(error, KN_INPUT,
                       "the least budget, %" PRIu64 " - %d * %" PRIu64 ", must be at least 1", c->units,
                       c->below, c->step);
    return KN_OK;
}

/* Section 7: t units for m moves. */
KnStatus kn_budget_classes_assign(const KnBudgetClasses *classes, KnPlayer *player, const KnRequest *request,
                                  int *found, KnMove *move, KnError *error)
{
    int count = kn_budget_classes_count(classes), moves = request->allowed_count;
    KN_ASSERT(moves > 0 && kn_budget_classes_check(classes, NULL) == KN_OK);
    KnScore values[moves];
    KnAnswer answer;
    KnStatus status = kn_allocation_ask_nodes(player, request, kn_budget_class_units(classes, count - 1),
                                              values, &answer, error); /* the judge */
    if (status != KN_OK) return status;
    KnScore best = values[0];
    for (int i = 1; i < moves; i++)
        if (values[i] > best) best = values[i];
    *found = count - 1;
    *move = answer.move;
    bool steady = true;
    for (int c = count - 2; c >= 0 && status == KN_OK; c--) {
        status = kn_allocation_ask_nodes(player, request, kn_budget_class_units(classes, c), NULL, &answer,
                                         error);
        if (status != KN_OK) break;
        if (c == classes->below) *move = answer.move;
        KN_ASSERT(c < count - 1);
        int place = 0;
        while (place < moves - 1 && request->allowed[place] != answer.move) place++;
        steady = steady && values[place] == best;
        if (steady) *found = c;
    }
    return status;
}
