/* The flat interface: all of Knack behind a few calls that take and give texts, for other languages and for
 * programs that want nothing else.
 *
 *     KnFlat *knack = kn_flat_open(NULL, message, sizeof message);
 *     KnFlatBoard *board = kn_flat_board(knack, "othello(size=6)", NULL);
 *     char *answer = kn_flat_ask(board, "alphabeta(depth=6)", "{\"seed\": 1}");     {"move": "d2", "score":
 * ..., "reason": {...}} kn_flat_free(answer);
 *
 * Structured things are JSON: plans on the way in, results on the way out, the same documents as `--json`
 * prints. A call that fails returns NULL (or a status other than 0), and kn_flat_error tells what was wrong.
 * An unknown member of a plan is an error.
 *
 * python/knack.py is this interface in Python. It changes by additions only as long as KN_FLAT_INTERFACE
 * stays.
 *
 * Ownership: texts that are returned as `char *` belong to the caller (kn_flat_free). Boards are closed
 * before the KnFlat that they came from. A KnFlat and its boards serve one thread at a time; kn_flat_cancel
 * may come from any. */
#ifndef KNACK_FLAT_H
#define KNACK_FLAT_H

#include <stddef.h>

#define KN_FLAT_INTERFACE 1

typedef struct KnFlat KnFlat;           /* the library, opened */
typedef struct KnFlatBoard KnFlatBoard; /* a contest under way */

/* The interface that the library was built with: callers that were not compiled against it compare. */
int kn_flat_interface(void);

/* `data`: the data folder, NULL for the usual one. NULL on failure, with the reason in `message`. */
KnFlat *kn_flat_open(const char *data, char *message, size_t size);
void kn_flat_close(KnFlat *flat);
void kn_flat_free(char *text);

/* Of the last call that failed: a message for a person, and its status as in base/error.h. */
const char *kn_flat_error(const KnFlat *flat);
int kn_flat_status(const KnFlat *flat);

/* Stops the match, training or search that is under way, or else the next one. */
void kn_flat_cancel(KnFlat *flat);

/* Loads games from a shared object (games/plugin.h); before any board is opened. */
int kn_flat_plugin(KnFlat *flat, const char *path);

/* What is registered under a kind (game, player, evaluation, learner, experiment): [{"name", "summary",
 * "options": [...]}, ...]. */
char *kn_flat_list(KnFlat *flat, const char *kind);

/* ---- a contest ---- */

/* At the start, or at a position in the game's notation. */
KnFlatBoard *kn_flat_board(KnFlat *flat, const char *game, const char *position);
void kn_flat_board_close(KnFlatBoard *board);

/* {"game", "position", "drawing", "roles": [...], "movers": [...], "moves": {ROLE: [...]}, "played": [...],
 * "over", "payoffs": [...] or null} */
char *kn_flat_state(KnFlatBoard *board);

/* Plays a move, or several with blanks between; where several move at once, a|b with - for who does not. All
 * or none. */
int kn_flat_play(KnFlatBoard *board, const char *moves);
int kn_flat_undo(KnFlatBoard *board); /* fails at the beginning */

/* A player's move here, which is not played, and why: {"move", "role", "score", "values": {...}, "depth",
 * "nodes", "seconds", "text", "reason": {...}}. `how` may be NULL, or {"seed", "role", "depth", "nodes",
 * "seconds"}. */
char *kn_flat_ask(KnFlatBoard *board, const char *player, const char *how);

/* ---- matches, training, results ---- */

/* {"game", "players": [A, B], "games", "seed", "jobs", "random_plies", "plies", "openings", "tables", "sprt":
 * [ELO0, ELO1], "name", "store"}; all but the first two may be absent. Stored and resumed unless "store" is
 * false. The document of `knack match --json`. */
char *kn_flat_match(KnFlat *flat, const char *plan);

/* The same with any number of players: the document of `knack tournament --json`. */
char *kn_flat_tournament(KnFlat *flat, const char *plan);

/* {"game", "learner", "out", "seed", "jobs"} and for those that watch "watch" and "agents": [...]. The
 * learner is a spec, as in td(games=200, depth=2), allocation(examples=500), experience(games=100), hoyle,
 * seqlearner; what it learned goes to the file `out`. {"learner", "game", "file", "player"}, where "player"
 * is the spec of a player that uses it. */
char *kn_flat_train(KnFlat *flat, const char *plan);

/* The results store: the runs, newest first; and one by name or number with all its games, as csv, json,
 * latex, pdn, sgf or ggf. */
char *kn_flat_runs(KnFlat *flat);
char *kn_flat_run(KnFlat *flat, const char *name, const char *format);

#endif
