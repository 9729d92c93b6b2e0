/* How SeqLearner decides (Lock 2003, 3.3.1 and 4.3, figure 17). Enforcer continues a plan under way. Else
 * planners, from the heaviest Advisors to the lightest, vote on the first actions of the sequences whose
 * contexts match the board, and hand the rest of the winning sequences to Enforcer; a pseudoplanner votes
 * but hands nothing on. Where no Advisor matches, a random move is made.
 *
 * Sequences under way form a tree: where some of them name what the opponent did, those that leave it open
 * (solos) are silent. A vote adds up the weights of the Advisors that advise an action, each once; the
 * heaviest action wins, ties at random.
 *
 * Ownership: kn_planner_new / kn_planner_free; the Advisors outlive it and may be shared. One game and one
 * thread at a time. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_PLANNER_H
#define KNACK_METHODS_HOYLE_TEMPORAL_PLANNER_H

#include <knack/base.h>
#include "methods/hoyle/temporal/advisors.h"

enum { KN_PLANNER_LEVELS = 6, KN_PLANNER_ENFORCER = -1 };

/* Advisors from this weight up to the level before; whether their plans go to Enforcer. */
typedef struct KnPlanLevel {
    double weight;
    bool enforces;
} KnPlanLevel;

typedef struct KnPlanRules {
    KnPlanLevel levels[KN_PLANNER_LEVELS];
    int count;
} KnPlanRules;

extern const KnPlanRules kn_plan_version1, kn_plan_version2; /* thresholds .55; .9, .8, .7 and .55 */

typedef struct KnPlanner KnPlanner;

KnPlanner *kn_planner_new(const KnAdvisors *advisors,
                          const KnPlanRules *rules); /* NULL if memory runs out; the Advisors are ready */
void kn_planner_free(KnPlanner *planner);

void kn_planner_begin(KnPlanner *planner);
/* Before kn_planner_observe, where its own side moved without asking it (a replayed game): resumes the plans
 * that fit the move played. */
KnStatus kn_planner_adopt(KnPlanner *planner, int player, const uint8_t *cells, const KnAction *legal,
                          int count, KnAction played, KnError *error);
/* What anybody did. */
void kn_planner_observe(KnPlanner *planner, int mover, KnAction action);

/* What was decided and why. */
typedef struct KnPlan {
    int choice;    /* index of an action, -1: nobody has advice */
    int level;     /* that decided, or KN_PLANNER_ENFORCER */
    double *votes; /* for each action; room given by the asker, or NULL */
} KnPlan;

/* A voice for the chosen action: an Advisor in an orientation, with the place in one of its sequences. */
typedef struct KnSuggestion {
    KnInstance instance;
    uint16_t sequence;
    uint8_t place;
} KnSuggestion;

KnStatus kn_planner_choose(KnPlanner *planner, int player, const uint8_t *cells, const KnAction *legal,
                           int count, KnRng *rng, KnPlan *plan, KnError *error);

/* The voices for the action chosen last; borrowed until the next call. */
size_t kn_planner_suggestions(const KnPlanner *planner, const KnSuggestion **suggestions);

#endif
