/* A player who is told a contest by somebody else: over a protocol that describes the game as it stands, from
 * any point on.
 *
 * What the player was told is remembered; when the contest only went on, it is told what is new, else all of
 * it from the beginning.
 *
 * Ownership: kn_seated_open / kn_seated_close; the game must outlive it. */
#ifndef KNACK_SERVERS_SEATED_H
#define KNACK_SERVERS_SEATED_H

#include "players/player.h"

typedef struct KnSeated {
    KnPlayer *player;
    KnContest *told;
    int role; /* that it was told to play; -1: none yet */
} KnSeated;

/* A person cannot be seated. */
KnStatus kn_seated_open(KnSeated *seated, const KnContext *context, const KnGame *game, const char *spec,
                        KnError *error);
void kn_seated_close(KnSeated *seated);

/* The next contest is another one, even if it looks alike. */
void kn_seated_forget(KnSeated *seated);

KnStatus kn_seated_tell(KnSeated *seated, const KnContest *contest, int role, KnError *error);

/* Tells it the contest and asks for a move of `role`, which has one. `cancel` may be NULL. */
KnStatus kn_seated_ask(KnSeated *seated, const KnContest *contest, int role, KnBudget budget, KnRng *rng,
                       const atomic_bool *cancel, KnAnswer *answer, KnError *error);

/* The same, with the moves it may choose from (room for the game's max_moves) and, where it can tell, their
 * values (answer->has_values); `values` may be NULL. */
KnStatus kn_seated_weigh(KnSeated *seated, const KnContest *contest, int role, KnBudget budget, KnRng *rng,
                         const atomic_bool *cancel, KnMove *moves, KnScore *values, KnAnswer *answer,
                         KnError *error);

#endif
