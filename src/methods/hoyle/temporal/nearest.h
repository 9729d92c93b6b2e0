/* Nearest contexts, for `seqlearner(method=nearest)`: our own use of context pairs.
 *
 * A pair is a whole board with one action. Nothing is generalised while learning; the thesis's common
 * patterns are replaced by nearness when deciding. A move is judged by the board it leads to: *known* if a
 * pair led to it, under any symmetry; else by its distance in cells from the nearest board that was safe
 * and from the nearest that was lost. All actions in games that were not lost are safe pairs; the last few
 * actions of a player who lost are lost pairs. `right` and `wrong` of an Advisor count them; its weight is
 * their share.
 *
 *     kn_nearest_learn(pairs, &actions, &error)            after every game
 *     kn_nearest_freeze(pairs)                             computes the weights
 *     KnNearest *nearest = kn_nearest_new(pairs);
 *     kn_nearest_judge(nearest, player, cells, legal, count, verdicts)
 *
 * Ownership: kn_nearest_new / kn_nearest_free; the pairs outlive it. Judging is read-only. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_NEAREST_H
#define KNACK_METHODS_HOYLE_TEMPORAL_NEAREST_H

#include <knack/base.h>
#include "methods/hoyle/temporal/advisors.h"
#include "methods/hoyle/temporal/game_actions.h"

typedef struct KnNearest KnNearest;

/* What is known of a move. */
typedef struct KnNearness {
    uint32_t safe, lost;      /* how often pairs led to its board, by how the game ended */
    int from_safe, from_lost; /* cells away from the nearest board of each kind; one more than there are cells
                                 if there is none */
    uint32_t pair;            /* the nearest safe pair, if there is one */
    double home; /* share of the replies that lead to contexts of safe pairs, less that of lost ones; the
                    caller that examines replies sets it */
} KnNearness;

KnStatus kn_nearest_learn(KnAdvisors *pairs, const KnGameActions *record, KnError *error);
void kn_nearest_freeze(KnAdvisors *pairs);

KnNearest *kn_nearest_new(const KnAdvisors *pairs); /* NULL if memory runs out */
void kn_nearest_free(KnNearest *nearest);

/* Distances are looked for only where no move leads to a board that is known to be safe; else they are 0 for
 * those that do. */
void kn_nearest_judge(const KnNearest *nearest, int player, const uint8_t *cells, const KnAction *legal,
                      int count, KnNearness *out);

/* Whether a board with the player to move is the context of a pair: 1 a safe one, -1 only lost ones, 0 none.
 */
int kn_nearest_home(const KnNearest *nearest, int player, const uint8_t *cells);

/* The move to play: known ones by how often they were safe, else those nearer to what was safe than to what
 * was lost. -1: nothing was learned. */
int kn_nearest_best(const KnNearness *verdicts, const bool *barred, int count, KnRng *rng);

#endif
