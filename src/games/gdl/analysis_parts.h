/* The stages of the analysis, private to games/gdl: groups of exclusive facts (groups.c), symmetry of roles
 * (role_symmetry.c), all else (analysis.c). */
#ifndef KNACK_GAMES_GDL_ANALYSIS_PARTS_H
#define KNACK_GAMES_GDL_ANALYSIS_PARTS_H

#include "games/gdl/analysis.h"
#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/logic.h"

/* Facts that differ only in one argument (-1: in any). */
typedef struct KnGdlCandidate {
    uint32_t first, count; /* range of the study's members */
    int argument;
    int group;   /* number in the logic */
    bool active; /* not refuted; proved in the end */
    bool exact;
    bool seen; /* consistent with all random games */
} KnGdlCandidate;

typedef struct KnGdlStudy {
    const KnGdlDescription *description;
    const KnPropnet *net;
    KnGdlLogic *logic;
    KnGdlAnalysis *result;
    KnTerms terms;
    KnTerm *facts, *moves; /* by number */
    KnGdlCandidate *candidates;
    uint32_t candidate_count, candidate_capacity;
    uint32_t *members; /* fact nodes */
    uint32_t member_count, member_capacity;
    uint64_t *single; /* by fact: arguments in which it is exclusive (boards.h), or has no other fact to
                         compete with */
    KnError *error;
} KnGdlStudy;

/* Whether questions include the next state, for which every role makes a move. */
void kn_gdl_study_moves(KnGdlStudy *study, bool made);

KnStatus kn_gdl_find_groups(KnGdlStudy *study); /* fills the result's groups: proved, sorted by size */
KnStatus kn_gdl_find_role_symmetry(KnGdlStudy *study);

#endif
