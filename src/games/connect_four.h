/* Perfect play of Connect Four, seven columns of six: the values of positions by exhaustive search on bit
 * boards. The game itself is a game description (data/gdl/connectfour.kif); this serves as its perfect
 * opponent.
 *
 * A bit board has seven bits for each column, the lowest cell first and the topmost bit unused: cell (column,
 * row) is bit 7 * column + row.
 *
 * Ownership: kn_connect_four_new / kn_connect_four_free. One thread at a time. */
#ifndef KNACK_GAMES_CONNECT_FOUR_H
#define KNACK_GAMES_CONNECT_FOUR_H

#include <stdbool.h>
#include <stdint.h>

enum { KN_CONNECT_FOUR_COLUMNS = 7, KN_CONNECT_FOUR_ROWS = 6 };

typedef struct KnFourBoard {
    uint64_t mover; /* discs of the player to move */
    uint64_t all;   /* discs of both */
} KnFourBoard;

typedef struct KnConnectFour KnConnectFour;

/* A solver with a table of 2^bits results, 8 bytes each. NULL if memory runs out. */
KnConnectFour *kn_connect_four_new(int bits);
void kn_connect_four_free(KnConnectFour *solver);

/* Whether the player who is not to move has four in a row. */
bool kn_connect_four_lost(KnFourBoard board);

/* Whether the player to move can complete four with this move. */
bool kn_connect_four_wins_at_once(KnFourBoard board);

/* The value for the player to move, who is not lost yet: 1 win, 0 draw, -1 loss. */
int kn_connect_four_value(KnConnectFour *solver, KnFourBoard board);

/* Whether the player to move, who is not lost yet, loses against best play: one question, where the value
 * takes two. */
bool kn_connect_four_loses(KnConnectFour *solver, KnFourBoard board);

/* The value with the distance: 22 minus the discs of the winner at the end, negative for a loss. Takes
 * longer, mostly on boards with few discs. */
int kn_connect_four_score(KnConnectFour *solver, KnFourBoard board);

#endif
