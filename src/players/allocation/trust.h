/* When can a base be trusted without a search? The third thing that an allocation policy learns, beside
 * depths and budgets: what a search of so many positions gains over the move that an experience base knows.
 * `experience(rule=trust, file=...)` plays that move at no cost where this is little.
 *
 * An example is a position that the base knows. Both moves are played, and the player goes on from there on
 * both sides with fewer positions a move; the gain is what the mover gets after the search's move less what
 * he gets after the base's, as points of one. That is mostly chance, and a leaf is the mean of many.
 *
 * Ownership: nothing is owned here. */
#ifndef KNACK_PLAYERS_ALLOCATION_TRUST_H
#define KNACK_PLAYERS_ALLOCATION_TRUST_H

#include "players/experience/entry.h"
#include "players/player.h"

typedef struct KnTrust {
    const char *base; /* the file; NULL: nothing of this */
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

/* The player must look ahead by deepening. `contest` is of the same game, to play on in. */
KnStatus kn_trust_tag(const KnTrust *trust, KnBase *base, KnContest *contest, KnPlayer *player,
                      const KnRequest *request, KnTrustTag *tag, KnError *error);

/* What role 0 has of a contest, over or broken off, from 0 to 1. */
double kn_judged_points(const KnContest *contest, double lead);

#endif
