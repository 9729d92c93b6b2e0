/* The data of a matrix game, for code that studies it (satisficing agents, strategies, maps).
 *
 * The table is in row-major order, with the first role's action as the slowest index: each cell (a0, a1, ..)
 * has `players` numbers, scaled to integers so that totals are exact in any order. Nature, if the game ends
 * at random, is a role after the players without an action in the table.
 *
 * Ownership: borrowed from the game instance; read-only. */
#ifndef KNACK_GAMES_MATRIX_MATRIX_H
#define KNACK_GAMES_MATRIX_MATRIX_H

#include "games/game.h"

enum { KN_MATRIX_PLAYERS = 8, KN_MATRIX_ACTIONS = 16, KN_MATRIX_CELLS = 4096, KN_MATRIX_NAME = 24 };

typedef struct KnMatrix {
    int players;
    int actions[KN_MATRIX_PLAYERS];
    char names[KN_MATRIX_PLAYERS][KN_MATRIX_ACTIONS][KN_MATRIX_NAME];
    int cells;      /* product of the numbers of actions */
    int64_t *table; /* cells x players */
    int64_t *later; /* payoffs after `change` rounds; NULL: payoffs never change */
    long change;
    int64_t scale;       /* a payoff is table entry / scale */
    int64_t least, most; /* smallest and largest entry of both tables */
    long turns;          /* maximum number of rounds */
    double go_on;        /* probability of another round; 1: always, without nature */
    bool symmetric;      /* two players with exchangeable roles */
    const char *role_names[KN_MATRIX_PLAYERS + 1];
} KnMatrix;

/* NULL if the game is not a matrix game. */
const KnMatrix *kn_game_matrix(const KnGame *game);

/* A move is a role and an action. Nature's role is `players`, its actions are go and stop. */
enum { KN_MATRIX_GO = 0, KN_MATRIX_STOP = 1 };
static inline KnMove kn_matrix_move(int role, int action) { return (KnMove)role << 8 | (KnMove)action; }
static inline int kn_matrix_action(KnMove move) { return (int)(move & 0xff); }
static inline int kn_matrix_role(KnMove move) { return (int)(move >> 8 & 0xff); }

/* The cell of a joint move. */
static inline int kn_matrix_cell(const KnMatrix *matrix, const KnMove *joint)
{
    int cell = 0;
    for (int p = 0; p < matrix->players; p++) cell = cell * matrix->actions[p] + kn_matrix_action(joint[p]);
    return cell;
}

/* The payoff table of a round, counted from 0. */
static inline const int64_t *kn_matrix_table(const KnMatrix *matrix, long round)
{
    return matrix->later && round >= matrix->change ? matrix->later : matrix->table;
}

static inline double kn_matrix_payoff(const KnMatrix *matrix, long round, int cell, int player)
{
    return (double)kn_matrix_table(matrix, round)[cell * matrix->players + player] / (double)matrix->scale;
}

/* The number of rounds played, and the last action of a player (-1 before the first round). */
long kn_matrix_round(const void *position);
int kn_matrix_last(const void *position, int player);

#endif
