/* Abstract proof search with iterative widening (Cazenave 2001): can a goal (games/goals.h) be reached by
 * force?
 *
 * Iterative deepening over AND/OR trees. At each node small searches, the game definitions gi, ip and g
 * (section 4), recognise won positions and the few moves of the defender that matter. Iterative widening
 * (section 2.2) begins with small sets of moves and searches again with larger ones (section 5). Strategies 1
 * to 9 are the paper's. Strategy 10 continues with all moves of both sides, by df-pn with relevance zones
 * (dfpn_zones.h), and also proves that a goal cannot be reached.
 *
 * The answer is proved, disproved or unknown. The first two are always right, provided that the goal's sets
 * of defences are complete. The search plays on the goal and restores it.
 *
 * Ownership: kn_proof_new / kn_proof_free. One thread at a time. */
#ifndef KNACK_METHODS_WIDENING_PROOF_H
#define KNACK_METHODS_WIDENING_PROOF_H

#include "base/error.h"
#include "games/goals.h"
#include "methods/widening/reader.h"

enum { KN_PROOF_STRATEGIES = 10, KN_PROOF_BRUTE_FORCE = 9, KN_PROOF_BOTH_SIDES = 10, KN_PROOF_LINE = 64 };

typedef enum KnProofVerdict { KN_DISPROVED = -1, KN_UNPROVED = 0, KN_PROVED = 1 } KnProofVerdict;

/* The name of a strategy (from 1) in the paper. */
const char *kn_proof_strategy_name(int strategy);

typedef struct KnProofOptions {
    int strategy;   /* 0: strategy 10 */
    uint64_t nodes; /* bound of positions played; 0: none */
    double seconds; /* bound of time; 0: none. Only bounds by nodes are repeatable */
    int depth;      /* depth limit of a widening step, in plies; 0: 40 for the last, 12 before */
    bool keep;      /* keep the table from one widening step to the next (section 6) */
    bool null_move; /* null-move pruning: give up where the defender could pass (unsound: off in the paper) */
    bool lazy;      /* test each defence when its turn comes, not all before the first as the paper does.
                       Strategy 10 always does */
    bool until_saved; /* the defender moves first: stop at the first widening step that does not refute one of
                         his moves. That is no proof */
    bool strict;      /* the bound of nodes also stops definitions; otherwise they finish what they began */
    bool without_ip3; /* use no ip3 (for the experiment on its value) */
    unsigned table_bits; /* 2^bits entries; 0: 16 */
} KnProofOptions;

typedef struct KnProofAnswer {
    KnProofVerdict verdict; /* that the attacker reaches the goal */
    int move; /* of the side to move: it proves, or saves; KN_GOAL_PASS if none is known or needed. With
                 until_saved: a move that is not refuted */
    int line[KN_PROOF_LINE], length; /* a line of the proof */
    uint64_t nodes;                  /* positions played, also by the definitions */
    uint64_t tree,
        least; /* nodes of the tree alone, as the paper counts; how many with the best move first */
    double seconds;
    int step, depth;   /* the widening step and the depth that decided */
    bool ko;           /* a ko barred a move: the verdict may depend on it */
    bool read;         /* strategy 10 has asked the fast reader */
    KnReading reading; /* what it believes: no proof */
} KnProofAnswer;

typedef struct KnProofSearch KnProofSearch;

KnStatus kn_proof_new(const KnProofOptions *options, KnProofSearch **search, KnError *error);
void kn_proof_free(KnProofSearch *search);
int kn_proof_strategy(const KnProofSearch *search);

/* Sets other bounds (nodes, seconds, depth) unless NULL. Returns the options before. */
KnProofOptions kn_proof_allow(KnProofSearch *search, const KnProofOptions *bounds);

/* Runs are independent: nothing is remembered from one goal to the next. */
void kn_proof_run(KnProofSearch *search, KnGoal *goal, KnProofAnswer *answer);

/* Strategy 10 only: the same goal as in the last run, with its rules changed in favour of the attacker (a
 * string needs more liberties to be safe). What was proved stays proved; what was disproved is expected. */
void kn_proof_run_loosened(KnProofSearch *search, KnGoal *goal, KnProofAnswer *answer);

/* The game definitions of section 4, for k up to KN_GOAL_THREATS. gi(k): the attacker, to move, reaches the
 * goal within k moves of his own. ip(k): he would if the defender, to move, passed. g(k): he does although
 * the defender moves first. They count the positions played; at the bound they answer no. */
bool kn_proof_gi(KnGoal *goal, int k, KnGoalCount *played);
int kn_proof_gi_move(KnGoal *goal, int k, KnGoalCount *played); /* the move, or -1 */
bool kn_proof_ip(KnGoal *goal, int k, KnGoalCount *played);
bool kn_proof_g(KnGoal *goal, int k, KnGoalCount *played);

/* The forced moves of an ip(k) game: those that prevent it (S of section 4). Returns how many. */
int kn_proof_forced_moves(KnGoal *goal, int k, int *moves, KnGoalCount *played);

#endif
