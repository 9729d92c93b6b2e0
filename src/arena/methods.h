/* The methods, as rows: what each learns from, what it needs of a game, and the player that comes of it.
 * `knack methods` shows them by games, its --try and a test train and play every one where it runs, and the
 * lab compares them.
 *
 * A method is general or it is not here: it is asked of any game, and says what is missing. To add one: a row
 * in methods.c.
 *
 *     KnMethodTask task = {context, "othello(size=6)", .games = 100, .depth = 2, .seed = 1};
 *     if (method->train) kn_method_train(method, &task, "weights.json", &spent, &error);
 *     kn_method_player(method, &task, "weights.json", &spec);        alphabeta(depth=2,
 * eval=features(weights="weights.json"))
 *
 * Ownership: rows are static; a spec is added to the caller's text. */
#ifndef KNACK_ARENA_METHODS_H
#define KNACK_ARENA_METHODS_H

#include <stdatomic.h>

#include "arena/play.h"

/* How much to learn, and for which search. */
typedef struct KnMethodTask {
    const KnContext *context;
    const char *game; /* spec */
    uint64_t games;   /* to learn from */
    int depth;        /* of the searches that play them, and of the player's own */
    uint64_t nodes; /* positions a move of the searches that experience is made by, in place of the depth; 0:
                       by depth */
    size_t ply_limit; /* a game of so many plies is a draw; 0: the game's own end */
    uint64_t seed;
    const char *eval; /* of the searches, where the method does not learn it; NULL: the game's default */
    const atomic_bool *cancel;
} KnMethodTask;

/* What learning cost. */
typedef struct KnMethodCost {
    uint64_t games;
    double seconds; /* of processor time */
} KnMethodCost;

typedef struct KnMethod {
    const char *name, *summary;
    const char *file; /* what it learns; NULL: nothing beforehand */
    KnStatus (*suits)(const KnContext *context, const KnGame *game, KnError *error);
    KnStatus (*train)(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                      KnError *error); /* NULL with `file` */
    void (*player)(const KnMethodTask *task, const char *file, KnText *spec);
} KnMethod;

/* The rows, ended by one without a name. */
extern const KnMethod kn_methods[];

const KnMethod *kn_method_find(const char *name,
                               KnError *error); /* NULL if there is none; the error lists what there is */

KnStatus kn_method_train(const KnMethod *method, const KnMethodTask *task, const char *file,
                         KnMethodCost *cost, KnError *error);
void kn_method_player(const KnMethod *method, const KnMethodTask *task, const char *file, KnText *spec);

/* A short training, if the method learns, into `folder`, and a contest from each seat against players at
 * random: KN_OK if all that went by the rules. *points: what it got, of 1 for each contest. */
KnStatus kn_method_try(const KnMethod *method, const KnMethodTask *task, const char *folder, double *points,
                       KnError *error);

/* Allocation of another kind: how many positions a move deserves, around `units`, for clock(pace=learned). */
KnStatus kn_method_train_pace(const KnMethodTask *task, uint64_t examples, uint64_t units, const char *file,
                              KnMethodCost *cost, KnError *error);

/* And of a third: whether a move that `base` knows may stand for a search of `units` positions, for
 * experience(rule=trust). */
KnStatus kn_method_train_trust(const KnMethodTask *task, uint64_t examples, uint64_t units, const char *base,
                               const char *file, KnMethodCost *cost, KnError *error);

/* The specs of a game to show: its variants where there are notable ones, else its name. `place` from 0; NULL
 * at the end. */
const char *kn_method_game(const char *name, int place);

/* How many plies deeper a deep search goes, where the method chooses. */
static inline int kn_method_extra(const KnMethodTask *task) { return task->depth > 1 ? 2 : 1; }

/* The rows' own trainers (methods_*.c). */
KnStatus kn_method_train_allocation(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                    KnError *error);
KnStatus kn_method_train_trusting(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                  KnError *error);          /* the base, then the policy */
void kn_method_base_beside(const char *file, KnText *path); /* of the policy in FILE */
KnStatus kn_method_train_experience(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                    KnError *error);
KnStatus kn_method_train_hoyle(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                               KnError *error);
KnStatus kn_method_train_sequences(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                   KnError *error);

#endif
