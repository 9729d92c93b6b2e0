/* Games and players that are open, shared by all contests that use them.
 *
 * A game instance is read-only and serves everybody. Players serve one contest at a time: they are lent for
 * one decision and come back to a small bench, so that 200 contests need no more players than there are
 * threads that think.
 *
 * Ownership: kn_shelf_new / kn_shelf_free, after everything lent has come back. All calls may come from any
 * thread. */
#ifndef KNACK_WEB_GAMES_H
#define KNACK_WEB_GAMES_H

#include <jansson.h>

#include "players/player.h"

typedef struct KnShelf KnShelf;

/* A game with what the page needs to draw it. */
typedef struct KnShown {
    KnGame *game;
    char *spec;         /* as it is shown and asked for: canonical, and gdl:HASH for uploaded rules */
    const char *kind;   /* of board: "grid", "points", "table", "facts" */
    json_t *board;      /* {kind, cells: [{name, x, y}], symbols, size: [w, h]}; read-only */
    json_t *cell_index; /* cell name in small letters -> index; read-only */
    int uses;           /* the shelf's own */
    struct KnShown *next;
} KnShown;

KnShelf *kn_shelf_new(const KnContext *context);
void kn_shelf_free(KnShelf *shelf);

/* A game by a spec from outside (guard.h); to be given back with kn_shelf_return. */
KnStatus kn_shelf_game(KnShelf *shelf, const char *spec, KnShown **shown, KnError *error);
void kn_shelf_keep(KnShelf *shelf, KnShown *shown); /* one more use */
void kn_shelf_return(KnShelf *shelf, KnShown *shown);

/* A player for a decision, fresh or from the bench: call kn_player_begin first. */
KnStatus kn_shelf_lend(KnShelf *shelf, KnShown *shown, const char *spec, KnPlayer **player, KnError *error);
void kn_shelf_back(KnShelf *shelf, KnShown *shown, KnPlayer *player);

/* A game as the API shows it: {spec, name, roles, board, simultaneous, chains, payoffs}. A new reference. */
json_t *kn_shown_json(const KnShown *shown);

/* The cells that a move's text names, in order; for moves that name none, where a man went from and to.
 * Returns how many (at most `room`). */
int kn_shown_path(const KnShown *shown, const void *position, KnMove move, const char *text, int *path,
                  int room);

#endif
