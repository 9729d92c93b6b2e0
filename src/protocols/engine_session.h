/* A player behind a protocol that describes the whole game each time, from any position on.
 *
 * The session remembers the game that the player knows. If the new game continues it, the player observes
 * only the new moves; otherwise it begins again and observes all of them.
 *
 * Ownership: kn_engine_session_open / kn_engine_session_close; a session owns its game. Start from {0}. */
#ifndef KNACK_PROTOCOLS_ENGINE_SESSION_H
#define KNACK_PROTOCOLS_ENGINE_SESSION_H

#include "players/player.h"

typedef struct KnEngineSession {
    KnGame *game;
    KnState *state; /* as the protocol has described it */
    KnPlayer *player;
    KnState *told; /* as the player knows it */
    int role;      /* that it plays; -1: none yet */
} KnEngineSession;

/* Opens a player for `game`, which is the session's from here on, and puts both in the place of the session's
 * former game and player; a failure leaves those and frees `game`. `human` is refused. */
KnStatus kn_engine_session_open(KnEngineSession *session, const KnContext *context, KnGame *game,
                                const char *spec, KnError *error);
void kn_engine_session_close(KnEngineSession *session);

/* The next game is a new one, even if it looks like the last. */
void kn_engine_session_forget(KnEngineSession *session);

KnStatus kn_engine_session_tell(KnEngineSession *session, const KnState *state, int role, KnError *error);

/* Brings the player up to date and asks for a move of `role`, which must have one. `cancel` may be NULL. */
KnStatus kn_engine_session_ask(KnEngineSession *session, const KnState *state, int role, KnBudget budget,
                               KnRng *rng, const atomic_bool *cancel, KnAnswer *answer, KnError *error);

/* The same, with the moves it may choose from (room for the game's max_moves) and, where it can tell, their
 * values (answer->has_values); `values` may be NULL. */
KnStatus kn_engine_session_weigh(KnEngineSession *session, const KnState *state, int role, KnBudget budget,
                                 KnRng *rng, const atomic_bool *cancel, KnMove *moves, KnScore *values,
                                 KnAnswer *answer, KnError *error);

#endif
