/* The evaluation `facts`: the terms of a game (search/termset.h; on rule sheets the facts themselves,
 * contents of boards, moves and goals), by phase where it has phases, weighted by weights that are learned by
 * playing before the contest, in its start clock where there is one. The sum, squashed, is taken for the goal
 * value to be expected.
 *
 * The first games are random; then, if asked, whoever has the move takes what looks best so far, but for a
 * share of random moves. */
#ifndef KNACK_SEARCH_FACTS_H
#define KNACK_SEARCH_FACTS_H

#include "search/evaluate.h"

extern const KnEvaluationType kn_evaluation_facts;

#endif
