/* When does an experience base need no search? The third thing that an allocation policy can learn, beside
 * depths and budgets: what a search gains over the move that the base knows. `experience(rule=trust,
 * file=...)` plays that move at no cost where the gain is small.
 *
 * An example is a position that the base knows. Both moves are played, and the player goes on from there
 * on both sides with a smaller budget a move; the gain is what the mover gets after the search's move less
 * what he gets after the base's move, in points from 0 to 1. A single gain is mostly chance; a leaf is the
 * mean of many.
 *
 * Ownership: nothing is owned here. */
#ifndef KNACK_METHODS_ALLOCATION_TRUST_H
#define KNACK_METHODS_ALLOCATION_TRUST_H

#include "methods/experience/entry_features.h"
#include "players/player.h"

typedef struct KnTrust {
    const char *base; /* the file; NULL: no base */
    const char *name; /* of the base, in the record of the policy; NULL: its file */
    uint64_t nodes;   /* positions of the search that would be saved */
    uint64_t judging; /* positions a move of the games that are played on */
    int plies;        /* after which such a game is broken off */
    double lead;      /* material lead that then wins; 0: none */
} KnTrust;

typedef struct KnTrustTag {
    KnMove searched;
    KnMove known; /* KN_MOVE_NONE: no move is known here, and nothing below is set */
    double gain;  /* from -1 to 1; 0 where the moves are the same */
    double entry[KN_ENTRIES];
} KnTrustTag;

KnStatus kn_trust_check(const KnTrust *trust, KnError *error);

/* The player must look ahead by deepening. `state` is a state of the same game to play on in. */
KnStatus kn_trust_tag(const KnTrust *trust, KnBase *base, KnState *state, KnPlayer *player,
                      const KnRequest *request, KnTrustTag *tag, KnError *error);

/* Points of role 0, from 0 to 1, in a game that is over or was broken off. */
double kn_judged_points(const KnState *state, double lead);

#endif
