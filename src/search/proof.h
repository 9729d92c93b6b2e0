/* Proof search: can a goal (games/goals.h) be reached by force?
 *
 * The search of Cazenave 2001: iterative deepening over AND/OR trees, where small searches by definition (gi,
 * ip, g) tell won positions and the few moves of the defender that matter; and iterative widening, which
 * begins with few moves and looks at more when these have failed. Strategies 1 to 9 are the paper's; number
 * 10 goes on with all moves of both sides, by proof numbers and as far as a proof's own zone shows that they
 * can matter, and also proves that a goal cannot be reached.
 *
 * Three answers. Proved and disproved are never wrong, as far as the goal's sets of defences are complete and
 * its evaluation is taken for a rule; all else is unknown. The search plays on the goal and leaves it as it
 * was. */
#ifndef KNACK_SEARCH_PROOF_H
#define KNACK_SEARCH_PROOF_H

#include "base/error.h"
#include "games/goals.h"

enum { KN_PROOF_STRATEGIES = 10, KN_PROOF_BRUTE_FORCE = 9, KN_PROOF_BOTH_SIDES = 10, KN_PROOF_LINE = 64 };

typedef enum KnProofVerdict { KN_DISPROVED = -1, KN_UNPROVED = 0, KN_PROVED = 1 } KnProofVerdict;

/* Of a strategy, from 1: its name in the paper. */
const char *kn_proof_strategy_name(int strategy);

typedef struct KnProofOptions {
    int strategy;   /* 0: the last */
    uint64_t nodes; /* most positions played; 0: no bound */
    double seconds; /* most time; 0: no bound. Only bounds by nodes are exact */
    int depth;      /* where a widening step gives up, in plies; 0: 40 for the last, 12 for those before */
    bool keep;      /* the table is kept from one widening to the next, with the enhancements of section 6 */
    bool null_move; /* gives up where the defender could even pass (unsound: off in the paper) */
    bool singly;    /* a defence is tested when its turn comes, not all before the first is tried, as in the
                       paper. Strategy 10 does */
    bool until_saved; /* the defender first: ends with the first widening that does not refute one of his
                         moves. No proof, but what is looked for */
    bool strict;      /* the bound of nodes holds within the definitions too; else what they have begun they
                         finish. For who pays for every position */
    bool without_ip3; /* asks no ip3: for the experiment that shows what it is worth */
    unsigned table_bits; /* 2^bits entries; 0: 16 */
} KnProofOptions;

typedef struct KnProofAnswer {
    KnProofVerdict verdict; /* on the attacker's reaching the goal */
    int move; /* of the side to move: the one that proves, or saves; KN_GOAL_PASS if none is known or needed.
                 With until_saved: that is not refuted */
    int line[KN_PROOF_LINE], length; /* a line of the proof */
    uint64_t nodes;                  /* positions played, those of the small searches too */
    uint64_t tree, least; /* nodes of the search itself, which is what the paper counts; how many, had the
                             best move always come first */
    double seconds;
    int step, depth; /* the widening and the depth that settled it */
    bool ko;         /* a ko forbade something on the way: the verdict may depend on it */
} KnProofAnswer;

typedef struct KnProofSearch KnProofSearch;

KnStatus kn_proof_new(const KnProofOptions *options, KnProofSearch **search, KnError *error);
void kn_proof_free(KnProofSearch *search);
int kn_proof_strategy(const KnProofSearch *search);

/* Other bounds (nodes, seconds, depth) for the runs to come, unless NULL. Returns those until now. */
KnProofOptions kn_proof_allow(KnProofSearch *search, const KnProofOptions *bounds);

/* Nothing is remembered from one goal to the next. */
void kn_proof_run(KnProofSearch *search, KnGoal *goal, KnProofAnswer *answer);

/* The definitions, by themselves (k up to KN_GOAL_THREATS). gi: the attacker, to move, reaches it within k
 * moves of his own. ip: he would, if the defender, to move, passed. g: he does though the defender moves
 * first. Counts positions played; at the bound, what has not been shown to hold does not. */
bool kn_proof_gi(KnGoal *goal, int k, KnGoalCount *played);
int kn_proof_gi_move(KnGoal *goal, int k, KnGoalCount *played); /* the move by which, or -1 */
bool kn_proof_ip(KnGoal *goal, int k, KnGoalCount *played);
bool kn_proof_g(KnGoal *goal, int k, KnGoalCount *played);

/* Of the ip game: the moves that prevent it. Returns how many. */
int kn_proof_forced_moves(KnGoal *goal, int k, int *moves, KnGoalCount *played);

#endif
