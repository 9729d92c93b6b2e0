/* Which moves a playout makes. Three policies, from light to heavy:
 *
 *   uniform  any legal move that does not fill an own eye;
 *   mogo     first captures the last move or saves what it put in atari, then plays a 3x3 pattern next to it,
 *            then captures somewhere (Gelly, Wang, Munos and Teytaud 2006);
 *   fuego    also plays the vital point of a small eye space, fights around chains with two liberties, and
 *            avoids self-atari (after Enzenberger, Mueller, Arneson and Segal 2010).
 *
 * Ownership: a plain value; kn_playout_policy_fill computes it. */
#ifndef KNACK_GAMES_GO_PLAYOUT_POLICY_H
#define KNACK_GAMES_GO_PLAYOUT_POLICY_H

#include "games/go/playout_board.h"
#include "games/go/playout_patterns.h"

typedef enum KnPlayoutKind { KN_PLAYOUT_UNIFORM, KN_PLAYOUT_MOGO, KN_PLAYOUT_FUEGO } KnPlayoutKind;

typedef struct KnPlayoutPolicy {
    KnPlayoutKind kind;
    KnPlayoutPatterns patterns;
} KnPlayoutPolicy;

void kn_playout_policy_fill(KnPlayoutPolicy *policy, KnPlayoutKind kind);

/* Whether a move has the shape of a pattern. */
bool kn_playout_policy_shape(const KnPlayoutPolicy *policy, const KnPlayoutBoard *board, int point);

/* Whether a legal move saves the chain: it gets more than one liberty, or an attacker in atari is taken. */
bool kn_playout_policy_saves(const KnPlayoutBoard *board, int head, int point);

/* A move, or KN_PLAYOUT_PASS if only eyes and hopeless moves are left. */
int kn_playout_policy_choose(const KnPlayoutPolicy *policy, const KnPlayoutBoard *board, int colour,
                             KnRng *rng);

/* Plays to the end. Returns the number of moves; `first` gets the colour that first played on each point that
 * is still 0 (for AMAF/RAVE). */
int kn_playout_policy_run(const KnPlayoutPolicy *policy, KnPlayoutBoard *board, int colour, KnRng *rng,
                          uint8_t *first);

#endif
