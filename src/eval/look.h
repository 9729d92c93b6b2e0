/* How networks look at a game: its board as cells, the side that moves, and the phase of the game.
 *
 * It needs a game of two roles that take turns, with cells; the board of a game description serves too
 * (games/turns.h).
 *
 * Ownership: kn_look_open / kn_look_close. The game must outlive it. */
#ifndef KNACK_EVAL_LOOK_H
#define KNACK_EVAL_LOOK_H

#include "base/json.h"
#include "games/game.h"

enum { KN_LOOK_CELLS = 1024, KN_LOOK_SYMBOLS = 64, KN_LOOK_PHASES = 64 }; /* at most */

typedef struct KnLook {
    const KnGame *game;  /* as the caller has it */
    const KnGame *board; /* has the cells: the game, or a view of it */
    KnGame *view;        /* the view, if there is one */
    int phases;
    bool by_pieces; /* the phase is the number of pieces; else the game's own */
} KnLook;

/* `phases`: by the number of pieces; 0: the game's own, if it has some. Close it after a failure too. */
KnStatus kn_look_open(const KnGame *game, int phases, KnLook *look, KnError *error);
void kn_look_close(KnLook *look);

/* KN_OK if a game can be looked at; else KN_INPUT and why. */
KnStatus kn_look_suits(const KnGame *game, KnError *error);

int kn_look_symbols(const KnLook *look);

/* The cells of a position (KN_LOOK_CELLS bytes of room), the mover, the phase. */
void kn_look_at(const KnLook *look, const void *position, uint8_t *cells, int *side, int *phase);

/* ---- the header of a file with a network ---- */

/* A JSON text with game, phases and how the network was made; the caller's. NULL if memory runs out. */
char *kn_look_header(const KnLook *look, const json_t *made);

/* Opens the look of a file for a game: `phases` are those of its network. Fails if the file is for another
 * game. *made is the caller's. */
KnStatus kn_look_read(const KnGame *game, const char *header, const char *name, int phases, KnLook *look,
                      json_t **made, KnError *error);

/* Whether something made for the game `spec` suits this game. */
bool kn_look_made_for(const KnGame *game, const char *spec);

#endif
