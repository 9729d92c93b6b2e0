/* Pattern databases (Culberson and Schaeffer 1998) for games of one role: lower bounds of the steps to a goal
 * value, from the exact solution of simpler games.
 *
 * A pattern is a few variables of the state: proved sets of exclusive facts, or single facts. Of all else
 * nothing is known, so in the abstract game of a pattern every step is possible that three-valued reasoning
 * (logic.h) cannot refute; no game gets to the goal sooner than there. Patterns of which no move changes two
 * are additive (Edelkamp 2002): their bounds are added up. The bound is the highest sum of such patterns
 * (canonical heuristic; Haslum et al. 2007), and is consistent. Patterns are found by hill climbing: the one
 * that raises the bound most on samples is added while there is work left.
 *
 * Ownership: kn_gdl_patterns_new / kn_gdl_patterns_free; machine and analysis must outlive it. One thread at
 * a time. */
#ifndef KNACK_GAMES_GDL_PATTERNS_H
#define KNACK_GAMES_GDL_PATTERNS_H

#include "games/gdl/analysis.h"
#include "games/gdl/relaxed.h"

typedef struct KnGdlPatterns KnGdlPatterns;

/* What to build for. States are bits of facts, as many words as the machine's. */
typedef struct KnGdlPatternPlan {
    int value;               /* the goal value of the only role */
    const uint64_t *start;   /* bounds hold for positions that come of it */
    const uint64_t *without; /* facts that no pattern uses; NULL: none */
    const uint64_t *samples; /* positions on which bounds are compared, one after the other */
    uint32_t sample_count;
    uint64_t work;             /* nodes of the propnet that reasoning may visit */
    bool (*go_on)(void *user); /* asked now and then; NULL: always */
    void *user;
} KnGdlPatternPlan;

/* NULL, with the error filled: the prover answers, there are several roles, or memory runs out. */
KnGdlPatterns *kn_gdl_patterns_new(KnGdlMachine *machine, const KnGdlAnalysis *analysis, KnError *error);
void kn_gdl_patterns_free(KnGdlPatterns *patterns);

/* Forgets the patterns and finds those of a plan; perhaps none. */
KnStatus kn_gdl_patterns_build(KnGdlPatterns *patterns, const KnGdlPatternPlan *plan, KnError *error);

int kn_gdl_patterns_count(const KnGdlPatterns *patterns);

/* A lower bound of the steps to the goal value; KN_GDL_NEVER. */
unsigned kn_gdl_patterns_bound(const KnGdlPatterns *patterns, const uint64_t *state);

#endif
