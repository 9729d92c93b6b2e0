/* A match of two agents without players, contests or positions: what tournaments of thousands of matches run
 * on.
 *
 * The same match played through the ordinary player interface, with generators in the same state, comes out
 * the same: a test holds the two side by side. Two deterministic machines without noise run through a loop of
 * two table look-ups a round. */
#ifndef KNACK_PLAYERS_DILEMMA_DUEL_H
#define KNACK_PLAYERS_DILEMMA_DUEL_H

#include "players/dilemma/strategy.h"

typedef struct KnDuelRules {
    const KnMatrix *matrix; /* two players with two actions each; its turns and its chance to go on hold */
    double noise;           /* how often a move comes out as the other one */
    long told;              /* the length that players are told; 0: they are not */
} KnDuelRules;

/* Each its own generator, so that one draw more of one side leaves the others alone. */
enum { KN_DUEL_FIRST, KN_DUEL_SECOND, KN_DUEL_NATURE, KN_DUEL_NOISE, KN_DUEL_STREAMS };

typedef struct KnDuel {
    long turns;
    long count[2][4]; /* outcomes as the first sees them, before and after payoffs change (games/matrix.h) */
} KnDuel;

void kn_duel(const KnAgent *first, const KnAgent *second, const KnDuelRules *rules,
             KnRng streams[KN_DUEL_STREAMS], KnDuel *duel);

/* What a side earned, in the matrix's scaled units, and how often it cooperated. */
int64_t kn_duel_score(const KnDuel *duel, const KnMatrix *matrix, int side);
long kn_duel_cooperations(const KnDuel *duel, int side);

#endif
