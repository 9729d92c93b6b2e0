/* Where satisficing agents end up, proved rather than waited for.
 *
 * A *stage* is the table of what joint actions pay. Agents with fixed lambdas that play it with the `next`
 * search and without trembles are a deterministic system, and its play settles in one of two ways:
 *
 *   - on one joint action: everybody is satisfied, and then stays so, since an aspiration that is met moves
 * towards the payoff and never beyond;
 *   - on a cycle of joint actions. While a word of N actions repeats, an aspiration at a given place of the
 * word moves geometrically (by lambda^N a turn) from its value to a limit that has a closed form. So if a
 * whole turn of the word has been played, and every choice in it would be the same with the limits in place
 * of the aspirations, it is the same with everything between: the word goes on forever. Words are looked for
 * among those just played twice over.
 *
 * What is neither within a bound on rounds is answered as unsettled. lambda = 1 fits in: aspirations stand
 * still, and the play is a walk on finitely many joint actions. A limit that equals a payoff but for rounding
 * counts as equal to it: it is then approached and never passed.
 *
 * An answer must not hang on rounding. Where a payoff and an aspiration come nearer to each other than the
 * error may be, the play is repeated in long doubles; where neither that nor exact arithmetic nor the
 * aspiration's own rule decides which is greater, the answer is unsettled, and says so.
 *
 * Ownership: kn_settler_new allocates the memory for one thread's questions; an outcome's word lives in the
 * settler until its next question. */
#ifndef KNACK_METHODS_SATISFICING_OUTCOME_H
#define KNACK_METHODS_SATISFICING_OUTCOME_H

#include <stdint.h>

#include "base/text.h"
#include "methods/satisficing/agent.h"

enum { KN_STAGE_AGENTS = 8 };

typedef struct KnStageGame {
    int agents;
    int actions[KN_STAGE_AGENTS];
    /* Of a cell for each agent; the first agent's action is the slowest index of the cells. */
    const double *payoffs;
} KnStageGame;

/* How an agent begins. */
typedef struct KnAspirationAgent {
    double lambda, aspiration;
    int action;
} KnAspirationAgent;

typedef enum KnSettled { KN_SETTLED_FIXED, KN_SETTLED_CYCLE, KN_UNSETTLED } KnSettled;

typedef struct KnOutcome {
    KnSettled kind;
    uint32_t start;       /* rounds before the settled play begins; all that were played if unsettled */
    uint32_t period;      /* of the cycle, the least; 1 for a fixed joint action; 0 if unsettled */
    const uint16_t *word; /* `period` cells, from round `start` on */
    bool doubtful;        /* unsettled since a choice in round `start` hangs on rounding */
} KnOutcome;

typedef struct KnSettler KnSettler;

enum { KN_SETTLER_ROUNDS = 100000 };

/* `rounds`: the bound after which it is unsettled. NULL if memory runs out. */
KnSettler *kn_settler_new(uint32_t rounds);
void kn_settler_free(KnSettler *settler);

KnOutcome kn_settle(KnSettler *settler, const KnStageGame *stage, const KnAspirationAgent *agents);

/* Whether a word, once played, goes on forever: the choices that it needs are those of its limits. */
bool kn_cycle_is_stable(const KnStageGame *stage, const KnAspirationAgent *agents, const uint16_t *word,
                        uint32_t period);

/* The action of one agent in a cell. */
int kn_cell_action(const KnStageGame *stage, int cell, int agent);

#endif
