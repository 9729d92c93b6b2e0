/* Random playouts (rollouts) in any game: every role plays uniformly random legal moves, and nature draws by
 * its chances. Monte-Carlo tree search, sampling and random openings build on this.
 *
 * Two other drivers exist, each for a reason. A propositional network plays on its own state, one game at a
 * time or 256 playouts at a time with a bit each (gdl/playouts.h, gdl/bitparallel.h), which is 26 to 79 times
 * as fast as single playouts (`knack gdl bench`, on tic-tac-toe, Connect Four and Othello). Go's playouts
 * follow a policy (captures first, no own eye filled) and record who played where first, for RAVE
 * (go/playout_board.h).
 *
 * Ownership: a KnPlayout is a plain value that borrows everything. One thread at a time. */
#ifndef KNACK_GAMES_PLAYOUT_H
#define KNACK_GAMES_PLAYOUT_H

#include <knack/base.h>
#include "games/game.h"

typedef struct KnPlayout {
    const KnGame *game;
    KnRng *rng;
    int plies;       /* the longest playout */
    KnMove *moves;   /* scratch, max_moves */
    double *chances; /* scratch, max_moves; only for games with a nature role */
    /* For games whose rules look back: the hashes of the past, with room for `plies` more. */
    uint64_t *hashes;
    size_t hash_count;
    bool (*allow)(void *user); /* asked before each move; false stops. May be NULL */
    void *user;
} KnPlayout;

typedef enum KnPlayoutEnd {
    KN_PLAYOUT_OVER,   /* the game ended */
    KN_PLAYOUT_CUT,    /* it reached its limit of plies, or the history left no move */
    KN_PLAYOUT_STOPPED /* `allow` stopped it */
} KnPlayoutEnd;

/* Plays on from a position, in place. Fills payoffs, a role each, if the game ends. */
KnPlayoutEnd kn_playout_run(KnPlayout *playout, void *position, double *payoffs);

/* ---- The parts, for searches that step by themselves; alternating games ---- */

/* Lists the moves of a position in playout->moves. 0: the game is over, and payoffs are filled. Moves that
 * the history bars are still among them. */
int kn_playout_moves(const KnPlayout *playout, const void *position, double *payoffs);
bool kn_playout_barred(const KnPlayout *playout, const void *position, KnMove move);
void kn_playout_step(KnPlayout *playout, void *position, KnMove move);

/* Draws among a role's moves: nature by its chances, any other role uniformly. Returns the index. `chances`
 * is scratch for `count` numbers. */
int kn_playout_draw(const KnGame *game, const void *position, int role, const KnMove *moves, int count,
                    double *chances, KnRng *rng);

#endif
