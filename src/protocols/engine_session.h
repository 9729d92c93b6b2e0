/* A player who is told a contest by somebody else: over a protocol that describes the game as it stands, from
 * any point on.
 *
 * What the player was told is remembered; when the contest only went on, it is told what is new, else all of
 * it from the beginning.
 *
 * Ownership: kn_engine_session_open / kn_engine_session_close; the game must outlive it. */
#ifndef KNACK_PROTOCOLS_ENGINE_SESSION_H
#define KNACK_PROTOCOLS_ENGINE_SESSION_H

#include "players/player.h"

typedef struct KnEngineSession {
    KnPlayer *player;
    KnState *told;
    int role; /* that it was told to play; -1: none yet */
} KnEngineSession;

/* A person cannot be seated. */
KnStatus kn_engine_session_open(KnEngineSession *session, const KnContext *context, const KnGame *game,
                                const char *spec, KnError *error);
void kn_engine_session_close(KnEngineSession *session);

/* The next contest is another one, even if it looks alike. */
void kn_engine_session_forget(KnEngineSession *session);

KnStatus kn_engine_session_tell(KnEngineSession *session, const KnState *state, int role, KnError *error);

/* Tells it the contest and asks for a move of `role`, which has one. `cancel` may be NULL. */
KnStatus kn_engine_session_ask(KnEngineSession *session, const KnState *state, int role, KnBudget budget,
                               KnRng *rng, const atomic_bool *cancel, KnAnswer *answer, KnError *error);

/* The same, with the moves it may choose from (room for the game's max_moves) and, where it can tell, their
 * values (answer->has_values); `values` may be NULL. */
KnStatus kn_engine_session_weigh(KnEngineSession *session, const KnState *state, int role, KnBudget budget,
                                 KnRng *rng, const atomic_bool *cancel, KnMove *moves, KnScore *values,
                                 KnAnswer *answer, KnError *error);

#endif
