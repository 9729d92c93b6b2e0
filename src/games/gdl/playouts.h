/* Random playouts of a game in GDL, on the reasoner's own states. */
#ifndef KNACK_GAMES_GDL_PLAYOUTS_H
#define KNACK_GAMES_GDL_PLAYOUTS_H

#include <knack/base.h>
#include "games/gdl/machine.h"

/* The totals of many playouts. */
typedef struct KnGdlPlayouts {
    uint64_t games, plies;
    uint64_t cut;                   /* playouts that the limit of plies ended */
    uint64_t totals[KN_GDL_ROLES];  /* of goal values; an undefined goal counts as 0 */
    uint64_t squares[KN_GDL_ROLES]; /* of their squares */
} KnGdlPlayouts;

/* Plays `games` playouts from a state, with uniformly random moves, for at most `plies` plies (0: no limit).
 * Where the propositional network serves, they run bit-parallel (bitparallel.h), otherwise one by one. The
 * same generator gives the same totals, on any processor. A state in which the rules fail ends its playout
 * with 0 for every role. */
KnStatus kn_gdl_playouts(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                         KnRng *rng, KnGdlPlayouts *out, KnError *error);

/* The same one by one (other totals, from the same distribution). */
KnStatus kn_gdl_playouts_single(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                                KnRng *rng, KnGdlPlayouts *out, KnError *error);

/* The moves that were made in a playout, each once, in ascending order: actions of the propnet, which are
 * moves of a role. */
typedef struct KnGdlMade {
    uint32_t *actions; /* room for all */
    uint32_t count;
} KnGdlMade;

/* One playout that also tells its moves. With the propnet only. */
KnStatus kn_gdl_playout_recorded(KnGdlMachine *machine, const uint64_t *state, uint32_t plies, KnRng *rng,
                                 KnGdlMade *made, KnGdlPlayouts *out, KnError *error);

/* Bit-parallel playouts for a search: up to 256 lanes, each with a playout from a state of its own. A lane
 * whose playout ends takes the next state at once. `begin` may follow several `end`s, and the lanes with
 * unfinished playouts when the search stops get no `end`. */
enum { KN_GDL_LANES = 256 };

typedef struct KnGdlLanes {
    void *user;
    int count; /* lanes in use */
    /* The state for a free lane, copied; NULL: none now. Where the first step is given, `first` gets the
     * action of each role; otherwise it stays as it is, and all steps are random. */
    const uint64_t *(*begin)(void *user, int lane, uint32_t *first);
    /* The state after a given first step, and whether the game is over there; `end` follows at once then. */
    void (*born)(void *user, int lane, const uint64_t *state, bool over);
    void (*end)(void *user, int lane, const int16_t *goals); /* by role; negative: undefined */
    bool (*step)(void *user, uint64_t plies);                /* after each step of all lanes; false: stop */
    KnGdlMade *made; /* the moves of a playout that ends, while `end` is called. NULL: not wanted */
} KnGdlLanes;

/* Whether the reasoner has bit-parallel playouts. */
bool kn_gdl_has_lanes(KnGdlMachine *machine);

/* Plays until `step` returns false, or no lane is busy and `begin` has no state. Deterministic by the
 * generator. */
KnStatus kn_gdl_playouts_lanes(KnGdlMachine *machine, const KnGdlLanes *lanes, uint32_t plies, KnRng *rng,
                               KnError *error);

#endif
