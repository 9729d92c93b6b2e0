/* The state of a GTP engine, shared by the files of its commands. Only for gtp_*.c.
 *
 * A game is its start (an empty board, handicap stones, or what was set up) and the moves since. A colour may
 * move out of turn: then the turn changes, and nobody has passed. */
#ifndef KNACK_PROTOCOLS_GTP_SERVER_H
#define KNACK_PROTOCOLS_GTP_SERVER_H

#include "base/text.h"
#include "games/go/go.h"
#include "protocols/engine_session.h"

typedef struct KnGtpMove {
    int role;
    KnMove move;
} KnGtpMove;

typedef struct KnGtpServer {
    const KnContext *context;
    const char *player_spec;
    KnEngineSession session;
    void *start; /* a position, or NULL: the game's own */
    KnGtpMove *moves;
    size_t count, room;
    KnText added; /* a letter for each command that moved: how many moves it added */
    KnRng rng;
    KnBudget budget;
    KnText answer;
    bool quits;
} KnGtpServer;

typedef KnStatus (*KnGtpCommand)(KnGtpServer *server, char **words, int count, KnError *error);

typedef struct KnGtpRow {
    const char *name;
    KnGtpCommand command;
} KnGtpRow;

/* The commands for Go; ends with a name of NULL (gtp_go.c). */
extern const KnGtpRow kn_gtp_go_commands[];

KnStatus kn_gtp_syntax_error(KnError *error);
int kn_gtp_role(const char *word); /* 0 black, 1 white, -1 neither */

/* Opens another game; the board is clear then. */
KnStatus kn_gtp_open_go(KnGtpServer *server, int size, double komi, KnError *error);

/* Clears the board; `start` is copied, NULL for the game's own start. */
KnStatus kn_gtp_begin(KnGtpServer *server, const void *start, KnError *error);

/* Plays a move of a role, in turn or not; false in *legal: nothing was played. */
KnStatus kn_gtp_play(KnGtpServer *server, int role, KnMove move, bool *legal, KnError *error);

/* A command that played this many moves is over: one `undo` takes them back. */
void kn_gtp_played(KnGtpServer *server, int moves);

/* A point by its GTP name, as a cell; -1: none. */
int kn_gtp_cell(const KnGtpServer *server, const char *word);
void kn_gtp_add_vertex(KnGtpServer *server, int cell);

#endif
