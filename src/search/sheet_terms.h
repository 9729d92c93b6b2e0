/* Terms of a linear evaluation for rule sheets of two opposed roles that take turns, made from what analysis
 * finds. All are odd: what they are to one role they are to the other with the sign turned, as values of a
 * zero-sum game must be.
 *
 * - `value of move`: 1 for the role that has the choice
 * - `moves`: its legal moves but one, as a share of those that it could ever have
 * - `goal`: the difference of the goal values that the rules give before the end
 * - a term for each content of a board (`cell: x`): how often it is there
 * - a term for each fact, 1 where it is true (none where there are more than a thousand).
 *
 * Where the roles can change places (proved), what is called x by the one is what the other calls o: both
 * share a term, the one's less the other's, so that it is learned once, and what is the same for both has
 * none. Clocks (turns, counters of steps) have none either.
 *
 * Ownership: part of the term set that kn_sheet_terms fills; kn_sheet_terms_free. */
#ifndef KNACK_SEARCH_SHEET_TERMS_H
#define KNACK_SEARCH_SHEET_TERMS_H

#include "search/termset.h"

typedef struct KnSheetTerms KnSheetTerms;

/* For a game of games/gdl. Fails with the reason where roles do not take turns. */
KnStatus kn_sheet_terms(KnTermSet *terms, KnError *error);
void kn_sheet_terms_free(KnSheetTerms *own);

#endif
