/* What the rules of a game say beyond single states: who has the move, whose goals are opposed, what never
 * changes back, what falls apart into games of its own, which relations are boards.
 *
 * Results are proved from the network (logic.h), or only observed in random games, or neither; each says
 * which. `denied` means that a random game showed the contrary. Nothing is known of sheets that cannot be
 * grounded.
 *
 * Ownership: kn_gdl_analyse allocates, kn_gdl_analysis_free frees; read-only in between, and independent of
 * the machine. */
#ifndef KNACK_GAMES_GDL_ANALYSIS_H
#define KNACK_GAMES_GDL_ANALYSIS_H

#include "games/gdl/boards.h"
#include "games/gdl/machine.h"

typedef enum KnGdlProof { KN_GDL_UNKNOWN, KN_GDL_DENIED, KN_GDL_OBSERVED, KN_GDL_PROVED } KnGdlProof;
const char *kn_gdl_proof_name(KnGdlProof proof);

/* Facts of which at most one is true, in every state that can be reached; `exact`: always one. Proved. */
typedef struct KnGdlGroup {
    uint32_t *facts;
    uint32_t count;
    bool exact;
    bool clock; /* what comes next depends on nothing else: turns, counters of steps */
} KnGdlGroup;

enum { KN_GDL_STAYS_TRUE = 1, KN_GDL_STAYS_FALSE = 2 };
enum { KN_GDL_NO_PART = UINT32_MAX };

typedef struct KnGdlAnalysis {
    int roles;
    uint32_t facts, actions; /* of the network */

    /* Control. At most one role has a choice at a time; if that is proved by a group, who has it where each
     * fact of that is true. */
    KnGdlProof turns;
    int turn_group;   /* -1: none */
    int *turn_movers; /* by fact of the group: the role, -1: nobody has a choice */

    /* Goals of two roles at the end, where both have one. */
    KnGdlProof opposed[KN_GDL_ROLES][KN_GDL_ROLES]; /* add up to 100 (`sums`) */
    KnGdlProof allied[KN_GDL_ROLES][KN_GDL_ROLES];  /* are equal */
    int sums[KN_GDL_ROLES][KN_GDL_ROLES];

    /* A role's goal value, where it has one, is never less than it was before. */
    KnGdlProof rising[KN_GDL_ROLES];

    /* The roles can change places, with facts and moves renamed accordingly: `twins[r]` is the first role
     * that r could be. The start is not renamed: who begins may differ. */
    int twins[KN_GDL_ROLES];
    uint32_t *fact_twins; /* by fact, where there are two roles and they are twins: what it is called once
                             they have changed places; else NULL */

    uint8_t *latches; /* by fact: KN_GDL_STAYS_TRUE once true, KN_GDL_STAYS_FALSE once false. Proved. */
    KnGdlGroup *groups;
    uint32_t group_count;

    /* Independent parts: facts and actions that have to do with no others, but for whose turn it is and how
     * goals and the end of the game are put together from the parts'. Proved; 0: too large to tell. */
    uint32_t parts;
    uint32_t *part_of_fact, *part_of_action; /* KN_GDL_NO_PART: clocks, and moves that change nothing */

    KnGdlBoards boards;

    uint64_t games, states; /* observed */
} KnGdlAnalysis;

/* Looks into a machine; random games are few. NULL in *analysis where the prover answers (KN_OK all the
 * same). */
KnStatus kn_gdl_analyse(KnGdlMachine *machine, KnGdlAnalysis **analysis, KnError *error);
void kn_gdl_analysis_free(KnGdlAnalysis *analysis);

#endif
