/* Rules that came in a message, and a board that follows a match by them: what a player on the network and a
 * match manager share.
 *
 * A board knows more than a KnState: what is legal in states that Knack takes for the end (a role without a
 * move), since other managers may go on there.
 *
 * Ownership: a table is counted (kn_ggp_table_keep, kn_ggp_table_drop), since threads leave it at different
 * times; it may be used by all of them at once. A board has its own share of its table, belongs to one
 * thread, and is freed by kn_ggp_board_free. */
#ifndef KNACK_PROTOCOLS_GGP_GAME_LIST_H
#define KNACK_PROTOCOLS_GGP_GAME_LIST_H

#include "games/gdl/gdl.h"
#include "protocols/ggp_message.h"

typedef struct KnGgpTable {
    KnGame *game;
    KnGdlMachine *machine; /* the game's */
    _Atomic int users;
} KnGgpTable;

/* `steps` bounds a question to the prover, or grounding; 0: their own bounds, some seconds. The prover alone
 * is there at once. `cancel` (may be NULL) ends both, and outlives the table. The name is for messages. */
KnStatus kn_ggp_table_open(const KnContext *context, const char *name, KnPiece rules, KnGdlReasoner reasoner,
                           uint64_t steps, const atomic_bool *cancel, KnGgpTable **table, KnError *error);
KnGgpTable *kn_ggp_table_keep(KnGgpTable *table);
void kn_ggp_table_drop(KnGgpTable *table); /* NULL is fine */
int kn_ggp_table_role(const KnGgpTable *table,
                      KnPiece name); /* without regard to case if need be; -1: unknown */

typedef struct KnGgpBoard {
    KnGgpTable *table;
    uint64_t *state, *after; /* of the next move: the state stays whole if that fails */
    KnMove *moves;           /* the legal moves last asked for */
    KnText text;             /* scratch */
} KnGgpBoard;

KnStatus kn_ggp_board_new(KnGgpTable *table, KnGgpBoard **board, KnError *error); /* at the start */
void kn_ggp_board_free(KnGgpBoard *board);

/* The legal moves of a role, in board->moves until the next question. */
KnStatus kn_ggp_board_legal(KnGgpBoard *board, int role, int *count, KnError *error);

/* The legal move that a text means, whatever its blanks. `exact`: in this very case, else in any if there is
 * no exact one. KN_NO if there is none. */
KnStatus kn_ggp_board_find(KnGgpBoard *board, int role, KnPiece text, bool exact, KnMove *move,
                           KnError *error);

/* Reads a joint move: a term for each role, in their order. KN_NO if it does not fit this state. */
KnStatus kn_ggp_board_read(KnGgpBoard *board, KnPiece moves, KnMove *joint, KnError *error);
KnStatus kn_ggp_board_play(KnGgpBoard *board, const KnMove *joint, KnError *error);

void kn_ggp_board_name(const KnGgpBoard *board, KnMove move, KnText *out); /* adds its text */

#endif
