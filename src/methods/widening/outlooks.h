/* What is expected of a move before it is searched: initial proof and disproof numbers by its outlook
 * (games/goals.h). */
#ifndef KNACK_METHODS_WIDENING_OUTLOOKS_H
#define KNACK_METHODS_WIDENING_OUTLOOKS_H

#include "base/assert.h"
#include "games/goals.h"

typedef struct KnExpected {
    uint32_t proof, disproof;
} KnExpected;

/* Of a move of the attacker (`attacking`), or of the defender. */
KnExpected kn_expected(bool attacking, const KnOutlook *outlook);

#endif
