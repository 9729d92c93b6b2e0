/* What happens on a board, in words that people use over it: "wins a man", "gives up part of the centre".
 *
 * The words come from the features that a game describes its positions by (KnFeature): a table says which
 * features people talk about, whether more of one is good, and how to say that it grew or fell. */
#ifndef KNACK_PLAYERS_BOARD_WORDS_H
#define KNACK_PLAYERS_BOARD_WORDS_H

#include "base/arena.h"
#include "games/game.h"

enum { KN_BOARD_CHANGES = 24 };

/* A change, for one role. */
typedef struct KnBoardChange {
    const char *words; /* follows a move as its verb: "9-13 opens the back rank" */
    double size;       /* how much it is worth saying, in men; negative where it is bad for the role */
} KnBoardChange;

/* The changes between two positions, the largest first; at most KN_BOARD_CHANGES. Returns their number. 0
 * where the game has no features that people talk about. */
int kn_board_changes(const KnGame *game, const void *before, const void *after, int role, KnArena *arena,
                     KnBoardChange *changes);

/* A single feature that has changed, in words; `good`: for the role. NULL if people have none for it. */
const char *kn_feature_words(const char *feature, bool good);

/* Adds "does this, this and that, but also that": up to two good changes and one bad one. False, with nothing
 * added, if there is none. */
bool kn_board_sentence(const KnBoardChange *changes, int count, KnText *out);

#endif
