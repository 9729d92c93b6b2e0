/* Strategies for repeated games of two players with two actions each: the first action is called cooperation
 * (C), the second defection (D), whatever the game calls them.
 *
 * A strategy is a row of a table: a name, a rule in words, and either a machine (machine.h) or a function
 * that is called once a turn, in order, and gives the probability of C from what has happened. Chance is
 * drawn by whoever plays the match, once a turn and only where that probability lies between 0 and 1, so that
 * the ordinary player interface and the fast loops (duel.h) draw alike and play alike. Every row is a player
 * of its own name.
 *
 * An *agent* is a strategy with its options; read-only, threads may share it. A *mind* is what it has seen
 * and is about to do in one match; a plain value.
 *
 * To add one: a row in a table of this folder, and a line of play in tests/players/test_dilemma.c.
 *
 * Ownership: agents belong to the player that they were opened with. */
#ifndef KNACK_PLAYERS_DILEMMA_STRATEGY_H
#define KNACK_PLAYERS_DILEMMA_STRATEGY_H

#include "games/matrix.h"
#include "players/dilemma/machine.h"
#include "players/player.h"

enum { KN_STRATEGY_VALUES = 16, KN_STRATEGY_PARAMETERS = 6 };

/* What a round pays one side, and the other, by outcome as that side sees it. */
typedef struct KnStakes {
    double own[4], other[4];
} KnStakes;

/* What one side has seen of a match. */
typedef struct KnPast {
    long turn;           /* rounds played */
    long count[4];       /* by outcome */
    uint64_t own, other; /* the last 64 moves, the latest in bit 0; 1 is D */
    double earned[2];    /* by own move */
    double other_earned;
    long length;            /* of the match, where that was told; 0: not */
    const KnStakes *stakes; /* of the latest round; before the first, of that */
} KnPast;

static inline long kn_past_other_d(const KnPast *past) { return past->count[1] + past->count[3]; }
static inline long kn_past_other_c(const KnPast *past) { return past->count[0] + past->count[2]; }
static inline long kn_past_own_d(const KnPast *past) { return past->count[2] + past->count[3]; }
static inline long kn_past_own_c(const KnPast *past) { return past->count[0] + past->count[1]; }

typedef struct KnStrategy KnStrategy;

typedef struct KnAgent {
    const KnStrategy *strategy;
    double parameters[KN_STRATEGY_PARAMETERS]; /* the numbers among its options, in their order */
    KnMachine *machine;                        /* NULL: it decides by function */
} KnAgent;

enum {
    KN_STRATEGY_DETERMINISTIC = 1,
    KN_STRATEGY_FAMILY = 2, /* what it plays is in its options: no part of "all strategies" */
    KN_STRATEGY_LENGTH = 4, /* would use the length of the match; its first option */
    KN_STRATEGY_SUFFIX = 8  /* its one option is written as part of the name: CyclerCCD, GoByMajority5 */
};

/* The player must come first: a row is registered as its player. */
struct KnStrategy {
    KnPlayerType player;
    unsigned traits;
    const char *fsm, *memory; /* a machine's text, where it is one */
    KnStatus (*build)(KnAgent *agent, const KnGame *game, const KnOptions *options,
                      KnError *error); /* may make a machine */
    double (*decide)(const KnAgent *agent, const KnPast *past,
                     double *values); /* the chance of C; values begin as zeros */
    const char *values;               /* names of what `values` holds, separated by blanks; to explain */
};

typedef struct KnMind {
    KnPast past;
    double values[KN_STRATEGY_VALUES];
    int state;     /* of a machine */
    double chance; /* of C in the coming round */
} KnMind;

/* The start of a match. `length` 0: it is not told. The stakes must stay while the mind is used; they may be
 * changed between rounds (past.stakes, after kn_mind_note). */
void kn_mind_begin(KnMind *mind, const KnAgent *agent, const KnStakes *stakes, long length);

/* A round was played. */
void kn_mind_note(KnMind *mind, const KnAgent *agent, int own, int other);

/* The move of the coming round. */
static inline int kn_mind_draw(const KnMind *mind, KnRng *rng)
{
    if (mind->chance <= 0) return KN_D;
    if (mind->chance >= 1) return KN_C;
    return kn_rng_real(rng) < mind->chance ? KN_C : KN_D;
}

/* What a round of a matrix game pays the role. */
KnStakes kn_stakes(const KnMatrix *matrix, int role, long round);

/* The agent of a player that is a strategy; NULL for other players. */
const KnAgent *kn_player_agent(const KnPlayer *player);

/* Tells a player how long its matches will be, if it is a strategy that cares; 0: not told. */
void kn_player_tell_length(KnPlayer *player, long length);

/* The name by which tables list a player: of a strategy as its row spells it, with its options: TitForTat,
 * CyclerCCD, memory1(.9, .1, .5, .2). */
void kn_player_title(const KnPlayer *player, KnText *out);

/* The rows of all tables, in the order of the manual; NULL after the last. */
const KnStrategy *kn_strategy_at(size_t index);

/* Registers them. */
KnStatus kn_strategies_register(KnContext *context, KnError *error);

#endif
