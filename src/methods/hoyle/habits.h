/* Habits: what experts tend to play where, learned by watching, cheap enough to lead a search.
 *
 * A move is described by a few features: where it goes and comes from, what lies around both places, whether
 * it takes a man. These are contexts and actions as in TP-Sitact, with contexts of a fixed size, so that
 * nothing has to be matched on large boards, where TP-Sitact gathers tens of thousands of patterns. The
 * chance that the expert plays a move is exp(sum of its features' weights), as a share over the moves:
 * conditional logistic regression, one step for each of his decisions (AdaGrad: Duchi et al. 2011). Places
 * that a symmetry of the board maps onto each other are one place.
 *
 * Ownership: kn_habits_new / kn_habits_free; the view outlives it. Chances are read-only, for any number of
 * threads that bring their own room. */
#ifndef KNACK_METHODS_HOYLE_HABITS_H
#define KNACK_METHODS_HOYLE_HABITS_H

#include <jansson.h>

#include "base/json.h"
#include "methods/hoyle/board_view.h"
#include "methods/hoyle/played_game.h"

enum { KN_HABITS_BITS = 18, KN_HABITS_FEATURES = 6, KN_HABITS_AROUND = 8 };

typedef struct KnHabits KnHabits;

KnHabits *kn_habits_new(const KnBoardView *view); /* NULL if memory runs out */
void kn_habits_free(KnHabits *habits);

/* The chance of each move, as the mover's expert would have it. Plays every move once to see what it does. */
void kn_habits_chances(const KnHabits *habits, const void *position, const KnMove *moves, int count,
                       double *chances);

/* Learns from the experts' decisions of a game. */
void kn_habits_learn(KnHabits *habits, const KnPlayedGame *played);

/* How many of the experts' decisions of a game it foresees, and how many there are with a choice. */
void kn_habits_judge(const KnHabits *habits, const KnPlayedGame *played, int *foreseen, int *decisions);

size_t kn_habits_count(const KnHabits *habits); /* features with a weight */
json_t *kn_habits_json(const KnHabits *habits); /* NULL if memory runs out */
KnStatus kn_habits_parse(KnHabits *habits, const KnJson *at, KnError *error);

/* The weight of going to each cell, on an empty neighbourhood's account left aside: for the eye. */
double kn_habits_place(const KnHabits *habits, int role, int stage, int cell);

#endif
