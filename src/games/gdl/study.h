/* The parts of an analysis, private to games/gdl: groups of facts (groups.c), symmetry of roles (twins.c),
 * all else (analysis.c). */
#ifndef KNACK_GAMES_GDL_STUDY_H
#define KNACK_GAMES_GDL_STUDY_H

#include "games/gdl/analysis.h"
#include "games/gdl/fast.h"
#include "games/gdl/logic.h"

/* Facts that differ in one argument only (or in any: argument -1). */
typedef struct KnGdlCandidate {
    uint32_t first, count; /* of the study's members */
    int argument;
    int group;   /* the logic's */
    bool active; /* not given up; proved in the end */
    bool exact;
    bool seen; /* no state of the random games spoke against it */
} KnGdlCandidate;

typedef struct KnGdlStudy {
    const KnGdlSheet *sheet;
    const KnGdlNet *net;
    KnGdlLogic *logic;
    KnGdlAnalysis *result;
    KnTerms terms;
    KnTerm *facts, *moves; /* by number */
    KnGdlCandidate *candidates;
    uint32_t candidate_count, candidate_capacity;
    uint32_t *members; /* fact nodes */
    uint32_t member_count, member_capacity;
    uint64_t *single; /* by fact: arguments in which it is single (boards.h), where there is no other fact to
                         be so against */
    KnError *error;
} KnGdlStudy;

/* Whether questions are about the next state too, for which every role makes a move. */
void kn_gdl_study_moves(KnGdlStudy *study, bool made);

KnStatus kn_gdl_find_groups(KnGdlStudy *study); /* fills the result's groups, proved, in the order of size */
KnStatus kn_gdl_find_twins(KnGdlStudy *study);

#endif
