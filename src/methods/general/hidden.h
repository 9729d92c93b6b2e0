/* What a role may think the position is, in a game whose rules hide something (GDL-II: `sees`).
 *
 * A sample of positions (a particle filter) that agree with all that the role has learned: its own moves,
 * what it saw after each step, which moves it had, and whether the game went on. The others' moves and chance
 * are drawn at random. The game's own position is read for these facts only.
 *
 * Ownership: kn_hidden_new / kn_hidden_free; the game must outlive it. One thread at a time. */
#ifndef KNACK_METHODS_GENERAL_HIDDEN_H
#define KNACK_METHODS_GENERAL_HIDDEN_H

#include "games/game.h"

typedef struct KnHidden KnHidden;

/* Whether the rules hide anything. */
bool kn_hidden_suits(const KnGame *game);

KnHidden *kn_hidden_new(const KnGame *game, KnError *error);
void kn_hidden_free(KnHidden *hidden);

/* A game begins in a position that the role knows. */
void kn_hidden_begin(KnHidden *hidden, int role, const void *position);

/* A joint move was made, of which the role knows its own, and led to this position. */
KnStatus kn_hidden_observe(KnHidden *hidden, const KnMove *joint, const void *position, KnError *error);

/* Draws positions in which the role may be now, at most `most` different ones, in a list that is valid until
 * the next call. If the sample has none left that agrees, more games are drawn from the beginning; 0: none
 * was found. `position` is the present one: if it is not what was observed last, a game begins there. */
int kn_hidden_sample(KnHidden *hidden, int role, const void *position, int most, KnRng *rng,
                     const void **positions);

#endif
