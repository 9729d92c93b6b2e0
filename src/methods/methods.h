/* The methods of `knack methods`: every learner (methods/registry.h), and the few ways of playing that learn
 * nothing beforehand. A method is general: it is asked about any game, and says what is missing.
 *
 *     for (KnMethod method = {0}; kn_method_next(context, &method);)
 *         if (kn_method_suits(context, &method, game, &error) == KN_OK) ...
 *
 * Ownership: rows are static. */
#ifndef KNACK_METHODS_METHODS_H
#define KNACK_METHODS_METHODS_H

#include "arena/learner.h"

/* A method that does not learn, by the player that it is. */
typedef struct KnPlainMethod {
    const char *name, *summary;
    const char *player; /* the registered player whose needs are the method's; NULL: it suits every game */
    const char *spec;   /* of a player that takes a moment to move */
} KnPlainMethod;

extern const KnPlainMethod kn_plain_methods[]; /* ended by a row without a name */

/* One of the two is set. */
typedef struct KnMethod {
    const char *name, *summary;
    const KnLearnerType *learner;
    const KnPlainMethod *plain;
    size_t index;
} KnMethod;

/* Goes to the next method; the first if `method` is {0}. False at the end. */
bool kn_method_next(const KnContext *context, KnMethod *method);

KnStatus kn_method_suits(const KnContext *context, const KnMethod *method, const KnGame *game,
                         KnError *error);

/* A short training, if the method learns, and a game from each of two seats against random players: KN_OK if
 * all moves were legal. *points is its score, 0 to 1 for each game. Games end after `plies`. */
KnStatus kn_method_try(const KnContext *context, const KnMethod *method, const char *game, size_t plies,
                       uint64_t seed, const atomic_bool *cancel, double *points, KnError *error);

/* The specs of a game to show in tables: its notable variants, else its name. `place` counts from 0; NULL at
 * the end. */
const char *kn_method_game(const char *name, int place);

#endif
