/* Open games and players, shared by all sessions.
 *
 * A game instance is read-only, so one serves all sessions. A player serves one decision at a time and then
 * waits in a small list of idle players, so 200 sessions need no more players than there are engine threads.
 *
 * Ownership: kn_player_cache_new / kn_player_cache_free, after everything acquired is released. All calls are
 * thread-safe. */
#ifndef KNACK_WEB_PLAYER_CACHE_H
#define KNACK_WEB_PLAYER_CACHE_H

#include <jansson.h>

#include "players/player.h"

typedef struct KnPlayerCache KnPlayerCache;

/* An open game with what the page needs to draw it. */
typedef struct KnCachedGame {
    KnGame *game;
    char *spec;         /* canonical, or gdl:HASH for an uploaded description */
    const char *kind;   /* of board: "grid", "points", "table", "facts" */
    json_t *board;      /* {kind, cells: [{name, x, y}], symbols, size: [w, h]}; read-only */
    json_t *cell_index; /* cell name in small letters -> index; read-only */
    int refs;           /* under the lock of the cache */
    struct KnCachedGame *next;
} KnCachedGame;

KnPlayerCache *kn_player_cache_new(const KnContext *context);
void kn_player_cache_free(KnPlayerCache *cache);

/* Opens the game of a spec from a client (guard.h). Release it with kn_player_cache_release_game. */
KnStatus kn_player_cache_game(KnPlayerCache *cache, const char *spec, KnCachedGame **cached, KnError *error);
void kn_player_cache_retain_game(KnPlayerCache *cache, KnCachedGame *cached); /* one more use */
void kn_player_cache_release_game(KnPlayerCache *cache, KnCachedGame *cached);

/* A player for one decision, new or idle: call kn_player_begin first. */
KnStatus kn_player_cache_acquire(KnPlayerCache *cache, KnCachedGame *cached, const char *spec,
                                 KnPlayer **player, KnError *error);
void kn_player_cache_release(KnPlayerCache *cache, KnCachedGame *cached, KnPlayer *player);

/* A game as the API shows it: {spec, name, roles, board, simultaneous, chains, payoffs}. A new reference. */
json_t *kn_cached_game_json(const KnCachedGame *cached);

/* The cells that a move's text names, in order; for a text that names none, the cells that the piece moved
 * from and to. Returns their number (at most `room`). */
int kn_move_path(const KnCachedGame *cached, const void *position, KnMove move, const char *text, int *path,
                 int room);

#endif
