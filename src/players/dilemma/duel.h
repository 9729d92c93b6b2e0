/* A fast match between two agents, without players, game states or positions. Large tournaments use it.
 *
 * It gives the same result as the player interface if the random generators start in the same state
 * (tests/arena/test_property_repeated.c). Two deterministic machines without noise need two table look-ups a
 * round. */
#ifndef KNACK_PLAYERS_DILEMMA_DUEL_H
#define KNACK_PLAYERS_DILEMMA_DUEL_H

#include "players/dilemma/strategy.h"

typedef struct KnDuelRules {
    /* Two players with two actions each; sets the turns and the chance of another turn. */
    const KnMatrix *matrix;
    double noise;      /* probability that a move is replaced by the other one */
    long known_length; /* match length that the strategies know; 0: unknown */
} KnDuelRules;

/* Separate generators: an extra draw of one does not change the others. */
enum { KN_DUEL_FIRST, KN_DUEL_SECOND, KN_DUEL_NATURE, KN_DUEL_NOISE, KN_DUEL_STREAMS };

typedef struct KnDuel {
    long turns;
    long count[2][4]; /* outcomes seen by the first player, before and after the payoffs change */
} KnDuel;

void kn_duel(const KnAgent *first, const KnAgent *second, const KnDuelRules *rules,
             KnRng streams[KN_DUEL_STREAMS], KnDuel *duel);

/* A player's score, in the matrix's scaled units, and its number of cooperations. */
int64_t kn_duel_score(const KnDuel *duel, const KnMatrix *matrix, int side);
long kn_duel_cooperations(const KnDuel *duel, int side);

#endif
