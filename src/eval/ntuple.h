/* n-tuple networks for games: tuples that one rule finds on any board, and the evaluation `ntuple`.
 *
 * A network needs a game that can be looked at (eval/look.h). The rule for the tuples: single cells, lines,
 * small blocks, and random walks over neighbouring cells; the symmetries of the game are found by its hooks
 * and checked on random positions. Where a symmetry exchanges the roles, both share the tables; else each has
 * its own.
 *
 * A file has the network, the game, and how it was made.
 *
 * Ownership: kn_network_make or kn_network_open / kn_network_free. The game must outlive it. */
#ifndef KNACK_EVAL_NTUPLE_H
#define KNACK_EVAL_NTUPLE_H

#include <jansson.h>

#include "eval/evaluation.h"
#include "eval/look.h"
#include "learn/ntuple.h"

typedef struct KnNetworkTables KnNetworkTables;

typedef struct KnNetwork {
    KnLook look;
    KnNtuple *net;
    KnNtuple *folded;        /* the same with fewer placements, for evaluation; NULL: evaluate by `net` */
    bool shared;             /* made for a uniform board, where lines share tables wherever they lie */
    json_t *made;            /* how the weights were made; an object */
    KnNetworkTables *tables; /* own `net` and `folded`, if they are shared; else NULL */
} KnNetwork;

/* Which tuples. 0: as the board suggests. */
typedef struct KnNetworkPlan {
    int length;    /* of walks */
    int walks;     /* tuples that are walks */
    int phases;    /* by the number of pieces; 0: the game's own, if it has some */
    uint64_t seed; /* of the walks */
    double memory; /* MiB that training may take */
} KnNetworkPlan;

/* Games that can have one: kn_look_suits. */

/* A network with weights of zero. */
KnStatus kn_network_make(const KnGame *game, const KnNetworkPlan *plan, KnNetwork **network, KnError *error);
void kn_network_free(KnNetwork *network);

KnStatus kn_network_read(const KnGame *game, const void *bytes, size_t size, const char *name,
                         KnNetwork **network, KnError *error);

/* From a file; NULL: the network that the library has for this game, KN_INPUT if there is none. */
KnStatus kn_network_open(const KnGame *game, const char *path, KnNetwork **network, KnError *error);

/* Whether the library has a network for this game that is stronger than the game's own evaluation, in equal
 * time: docs/measurements/ntuple.md has the matches. */
bool kn_network_leads(const KnGame *game);

/* The bytes of a file. */
KnStatus kn_network_pack(const KnNetwork *network, KnText *out, KnError *error);

/* An evaluation by a network that stays the caller's. Scores have KN_NETWORK_SCORE for a sum of 1. */
enum { KN_NETWORK_SCORE = 512 };
KnStatus kn_network_evaluation(const KnNetwork *network, KnEvaluation **evaluation, KnError *error);

extern const KnEvaluationType kn_evaluation_ntuple;

#endif
