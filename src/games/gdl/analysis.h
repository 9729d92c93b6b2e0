/* Analysis of a game description: whose turn it is, opposed goals, latches, independent subgames, boards.
 *
 * A result is proved on the propnet (logic.h), only observed in random games, or unknown; each says which.
 * `denied` means that a random game was a counterexample. Descriptions that cannot be grounded are not
 * analysed.
 *
 * Ownership: kn_gdl_analyse allocates, kn_gdl_analysis_free frees. The analysis is read-only and independent
 * of the machine. */
#ifndef KNACK_GAMES_GDL_ANALYSIS_H
#define KNACK_GAMES_GDL_ANALYSIS_H

#include "games/gdl/boards.h"
#include "games/gdl/machine.h"

typedef enum KnGdlProof { KN_GDL_UNKNOWN, KN_GDL_DENIED, KN_GDL_OBSERVED, KN_GDL_PROVED } KnGdlProof;
const char *kn_gdl_proof_name(KnGdlProof proof);

/* Mutually exclusive facts: at most one is true in every reachable state; `exact`: always one. Proved. */
typedef struct KnGdlGroup {
    uint32_t *facts;
    uint32_t count;
    bool exact;
    bool clock; /* its next value depends on nothing else: turns, step counters */
} KnGdlGroup;

enum { KN_GDL_STAYS_TRUE = 1, KN_GDL_STAYS_FALSE = 2 };
enum { KN_GDL_NO_PART = UINT32_MAX };

typedef struct KnGdlAnalysis {
    int roles;
    uint32_t facts, actions; /* of the propnet */

    /* Turn-taking: at most one role has a choice. If a group proves it, turn_movers gives the role for each
     * fact of the group. */
    KnGdlProof turns;
    int turn_group;   /* -1: none */
    int *turn_movers; /* by fact of the group: the role, -1: no role has a choice */

    /* Goals of two roles at the end, if both have one. */
    KnGdlProof opposed[KN_GDL_ROLES][KN_GDL_ROLES]; /* add up to 100 (`sums`) */
    KnGdlProof allied[KN_GDL_ROLES][KN_GDL_ROLES];  /* are equal */
    int sums[KN_GDL_ROLES][KN_GDL_ROLES];

    /* A role's goal value never decreases. */
    KnGdlProof rising[KN_GDL_ROLES];

    /* Roles that can be exchanged, with facts and moves renamed: symmetric_to[r] is the first role equivalent
     * to r. The initial state is not renamed: who moves first may differ. */
    int symmetric_to[KN_GDL_ROLES];
    /* By fact, if there are two symmetric roles: its image under the exchange; else NULL. */
    uint32_t *fact_images;

    uint8_t *latches; /* by fact: KN_GDL_STAYS_TRUE once true, KN_GDL_STAYS_FALSE once false. Proved. */
    KnGdlGroup *groups;
    uint32_t group_count;

    /* Independent subgames (factoring): facts and actions that do not interact with others, except through
     * turns and the combination of goals and termination. Proved; 0: too large to decide. */
    uint32_t parts;
    uint32_t *part_of_fact, *part_of_action; /* KN_GDL_NO_PART: clocks, and moves without effect */

    KnGdlBoards boards;

    uint64_t games, states; /* observed */
} KnGdlAnalysis;

/* Analyses a machine, with a few random games. *analysis is NULL, with KN_OK, if the prover answers. */
KnStatus kn_gdl_analyse(KnGdlMachine *machine, KnGdlAnalysis **analysis, KnError *error);
void kn_gdl_analysis_free(KnGdlAnalysis *analysis);

#endif
