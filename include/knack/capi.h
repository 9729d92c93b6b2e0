/* The C API for bindings: all of Knack behind thirty calls that take and give text.
 *
 *     KnCapi *knack = kn_capi_open(NULL, message, sizeof message);
 *     KnCapiGame *board = kn_capi_game(knack, "othello(size=6)", NULL);
 *     char *answer = kn_capi_ask(board, "alphabeta(depth=6)", "{\"seed\": 1}");
 *     ...                                     {"move": "d2", "score": ..., "reason": {...}}
 *     kn_capi_free(answer);
 *
 * Structured values are JSON: plans on the way in, results on the way out, the same documents that `--json`
 * prints. A call that fails returns NULL, or a status other than 0; kn_capi_error then says what is wrong. An
 * unknown member of a plan is an error.
 *
 * The package in python/ is this interface in Python. As long as KN_CAPI_INTERFACE stays, it changes by
 * additions only.
 *
 * Ownership: a returned `char *` belongs to the caller (kn_capi_free). Close the games before the KnCapi that
 * they came from. A KnCapi and its games serve one thread at a time; kn_capi_cancel may come from any thread,
 * and a callback (kn_capi_player) may use other games of the same KnCapi.
 */
#ifndef KNACK_PUBLIC_CAPI_H
#define KNACK_PUBLIC_CAPI_H

#include <knack/base.h>

KN_BEGIN

#define KN_CAPI_INTERFACE 1

typedef struct KnCapi KnCapi;         /* an open library */
typedef struct KnCapiGame KnCapiGame; /* a game in progress */

/* The interface that the library was built with. Bindings compare it with the one that they were written for.
 */
KN_API int kn_capi_interface(void);

/* `data` is the data folder, NULL for the usual one. Returns NULL on failure, with the message in `message`.
 */
KN_API KnCapi *kn_capi_open(const char *data, char *message, size_t size);
KN_API void kn_capi_close(KnCapi *capi);
KN_API void kn_capi_free(char *text);

/* The message and the status (KnStatus) of the last call that failed. */
KN_API const char *kn_capi_error(const KnCapi *capi);
KN_API int kn_capi_status(const KnCapi *capi);

/* Stops the match, training or search in progress, with those that callbacks started inside of it, or else
 * the next one. */
KN_API void kn_capi_cancel(KnCapi *capi);

/* Loads a plug-in (plugin.h). Call it before any game is opened. */
KN_API int kn_capi_plugin(KnCapi *capi, const char *path);

/* What is registered under a kind (game, player, evaluation, learner, experiment):
 * [{"name", "summary", "options": [...]}, ...]. */
KN_API char *kn_capi_list(KnCapi *capi, const char *kind);

/* ---- A game in progress ---- */

/* At the start, or at a position in the game's notation. */
KN_API KnCapiGame *kn_capi_game(KnCapi *capi, const char *game, const char *position);
KN_API void kn_capi_game_close(KnCapiGame *board);

/* {"game", "position", "drawing", "roles": [...], "movers": [...], "moves": {ROLE: [...]}, "played": [...],
 * "over", "payoffs": [...] or null} */
KN_API char *kn_capi_state(KnCapiGame *board);

/* Plays moves separated by spaces; a joint move is written a|b, with - for a role that does not move. Plays
 * all of them or none. */
KN_API int kn_capi_play(KnCapiGame *board, const char *moves);
KN_API int kn_capi_undo(KnCapiGame *board); /* fails at the start */

/* A player's move, which is not played, and why: {"move", "role", "score", "values": {...}, "depth", "nodes",
 * "seconds", "text", "reason": {...}}. `how` may be NULL, or {"seed", "role", "depth", "nodes", "seconds"}.
 */
KN_API char *kn_capi_ask(KnCapiGame *board, const char *player, const char *how);

/* The board as cells: {"cells": [...], "symbols", "places": [[x, y], ...], "names": [...], "payoffs": [low,
 * high]}. A cell is an index into the symbols; the first one is an empty cell. */
KN_API char *kn_capi_layout(KnCapiGame *board);

/* The game so far judged move by move. `how` may be NULL, or {"judge", "role", "seed", "depth", "nodes",
 * "seconds"}; without a judge, one that fits the game. Returns the document of `knack analyse --format json`.
 */
KN_API char *kn_capi_review(KnCapiGame *board, const char *how);

/* ---- Many games at once ---- */

/* `count` games of turns, stepped together; for games whose rules do not look back. Actions are indices into
 * the legal moves of each game. */
typedef struct KnCapiBatch KnCapiBatch;
KN_API KnCapiBatch *kn_capi_batch(KnCapi *capi, const char *game, int count);
KN_API void kn_capi_batch_close(KnCapiBatch *batch);

/* {"game", "games", "cells", "symbols", "places": [[x, y], ...], "roles", "max_moves", "payoffs": [low,
 * high]}
 */
KN_API char *kn_capi_batch_about(KnCapiBatch *batch);

/* Begins games again: those whose byte in `which` is not 0, or all (NULL). */
KN_API void kn_capi_batch_reset(KnCapiBatch *batch, const uint8_t *which);

/* Plays one action in each game; -1 leaves a game alone. With an action out of range nothing is played. */
KN_API int kn_capi_batch_step(KnCapiBatch *batch, const int32_t *actions);

/* Fills arrays with one row a game; NULL leaves one out. `movers`: the role to move, -1 when the game is
 * over; `counts`: the number of legal moves; `cells`: what is on each cell; `payoffs`: one number for each
 * role, 0 before the end. */
KN_API void kn_capi_batch_read(const KnCapiBatch *batch, int32_t *movers, int32_t *counts, uint8_t *cells,
                               double *payoffs);

/* The legal moves of one game in the game's notation, in the order of their actions. */
KN_API char *kn_capi_batch_moves(KnCapiBatch *batch, int index);

/* ---- Players of your own ---- */

/* Chooses one of {"game", "position", "role", "number", "moves": [...]}: the index of a move, or a negative
 * number, which ends the run with an error. Threads of a match may call it at the same time. */
typedef int (*KnCapiChoose)(void *user, const char *request);
/* After each game: the payoffs of all roles, and the one that the player had. */
typedef void (*KnCapiEnd)(void *user, int role, const double *payoffs, int roles);

/* Adds a player that any spec can name from now on. `end` may be NULL. The run of such a player is stamped as
 * not deterministic, and nobody can tell whether its program changed: do not store its matches. */
KN_API int kn_capi_player(KnCapi *capi, const char *name, KnCapiChoose choose, KnCapiEnd end, void *user);

/* ---- Matches, training, results ---- */

/* {"game", "players": [A, B], "games", "seed", "jobs", "random_plies", "plies", "openings", "tables",
 * "sprt": [ELO0, ELO1], "alpha", "beta", "sprt_model", "name", "store", "resume"}; only the first two are
 * required. Besides: "depth", "nodes", "seconds" for each move, "judge", "opening_plies", "shuffle_openings",
 * "tc" ("60+0.6"), "resign": [MOVES, PERCENT], "draw": [PLY, MOVES, PERCENT], "engine_jobs". The match is
 * stored and resumed unless "store" is false; "resume" as in KnMatchPlan. Returns the document of `knack
 * match
 * --json`. */
KN_API char *kn_capi_match(KnCapi *capi, const char *plan);

/* The same with two or more players, and "system": "round robin", "gauntlet" or "swiss" with "challengers" or
 * "rounds". Returns the document of `knack tournament --json`. */
KN_API char *kn_capi_tournament(KnCapi *capi, const char *plan);

/* {"game", "learner", "out" or "into", "seed", "jobs", "points", "explain"}. The learner is a spec such as
 * td(games=200, depth=2); kn_capi_list "learner" lists them with their options. What it learned goes to the
 * file `out`, or the whole training run is kept in the folder `into`. An interrupted training continues with
 * the same plan. Returns {"learner", "game", "file", "player"}, where "player" is the spec of a player that
 * uses the file; with points the last "point" of the learning curve, [x, y, low, high]; with "explain": true
 * also "learned", an explanation. */
KN_API char *kn_capi_train(KnCapi *capi, const char *plan);

/* Measures experiments of the lab: {"experiments": "temporal.*", "scale": "quick", "seed", "jobs"}. Returns
 * their results, [{"experiment", "tables": [...], ...}, ...]. Without "experiments": what has been measured
 * so far, with "shipped": true beside the results that travel with the library; "origin" tells them apart. */
KN_API char *kn_capi_lab(KnCapi *capi, const char *plan);

/* The runs in the results store, newest first; and one run by name or number with all its games, as csv,
 * json, latex, pdn, sgf or ggf. */
KN_API char *kn_capi_runs(KnCapi *capi);
KN_API char *kn_capi_run(KnCapi *capi, const char *name, const char *format);

KN_END

#endif
