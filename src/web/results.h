/* Stored runs as JSON for the page: the results store (arena/store.h) with a cache of standings, so that
 * polling a match of 100,000 games twice a second reads only its new games.
 *
 * Ownership: kn_results_open / kn_results_close. JSON values are new references. All calls are thread-safe.
 */
#ifndef KNACK_WEB_RESULTS_H
#define KNACK_WEB_RESULTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/context.h"

typedef struct KnResults KnResults;

KnStatus kn_results_open(const KnContext *context, KnResults **results, KnError *error);
void kn_results_close(KnResults *results);

/* [{"name", "kind", "game", "players", "created", "games", "finished", "score", "low", "high", "wins",
 * "draws", "losses"}], newest first. */
KnStatus kn_results_list(KnResults *results, json_t **rows, KnError *error);

/* The same for one run, with "settings", "standing" (as in `knack match --json`) and "curve": [[games, score,
 * low, high]]. KN_INPUT if there is no such run. */
KnStatus kn_results_show(KnResults *results, const char *name, json_t **row, KnError *error);

/* {"run", "from", "games": [{"number", "first", "result", "payoffs", "ending", "plies", "fault"}]}. */
KnStatus kn_results_games(KnResults *results, const char *name, uint64_t from, uint64_t count, json_t **games,
                          KnError *error);

/* One game with what is needed to replay it: "game", "start", "moves", "players" by role. */
KnStatus kn_results_game(KnResults *results, const char *name, uint64_t number, json_t **game,
                         KnError *error);

/* The cross table of a tournament so far: {"players": [{"player", "points", "games", "score", "low", "high",
 * "elo", "elo_95", "against": [{"wins", "draws", "losses"} or null]}]}, in the order given. */
KnStatus kn_results_cross(KnResults *results, const char *game, const char *const *players, size_t count,
                          uint64_t seed, json_t **table, KnError *error);

#endif
