/* Strategies for repeated games of two players with two actions each. The first action is called cooperation
 * (C), the second defection (D), whatever the game calls them.
 *
 * A strategy is a row of a table: a name, a rule in words, and either a finite-state machine (machine.h) or a
 * function that is called once a turn and returns the probability of C. The code that plays the match draws
 * the random number, once a turn and only if that probability lies between 0 and 1. So the player interface
 * and the fast loops (duel.h) draw the same numbers and play the same moves. Every row is also a player of
 * that name.
 *
 * A KnAgent is a strategy with its options; it is read-only, threads may share it. A KnStrategyState is what
 * an agent knows in one match; it is a plain value.
 *
 * To add a strategy, write a row in a table of this folder, and its play in tests/players/test_dilemma.c.
 *
 * Ownership: an agent belongs to the player that it was opened with. */
#ifndef KNACK_PLAYERS_DILEMMA_STRATEGY_H
#define KNACK_PLAYERS_DILEMMA_STRATEGY_H

#include "games/matrix/matrix.h"
#include "players/dilemma/machine.h"
#include "players/player.h"

enum { KN_STRATEGY_VALUES = 16, KN_STRATEGY_PARAMETERS = 6 };

/* Payoffs of one round to a player and to its opponent, by outcome (kn_outcome). */
typedef struct KnRoundPayoffs {
    double own[4], opponent[4];
} KnRoundPayoffs;

/* A match so far, as one player sees it. */
typedef struct KnMatchHistory {
    long turn;              /* rounds played */
    long count[4];          /* by outcome */
    uint64_t own, opponent; /* the last 64 moves, the latest in bit 0; 1 is D */
    double earned[2];       /* by own move */
    double opponent_earned;
    long length;                   /* of the match, if the strategy knows it, else 0 */
    const KnRoundPayoffs *payoffs; /* of the latest round; before the first round, of that one */
} KnMatchHistory;

static inline long kn_opponent_defections(const KnMatchHistory *history)
{
    return history->count[1] + history->count[3];
}
static inline long kn_opponent_cooperations(const KnMatchHistory *history)
{
    return history->count[0] + history->count[2];
}
static inline long kn_own_defections(const KnMatchHistory *history)
{
    return history->count[2] + history->count[3];
}
static inline long kn_own_cooperations(const KnMatchHistory *history)
{
    return history->count[0] + history->count[1];
}

typedef struct KnStrategy KnStrategy;

typedef struct KnAgent {
    const KnStrategy *strategy;
    double parameters[KN_STRATEGY_PARAMETERS]; /* its numeric options, in order */
    KnMachine *machine;                        /* NULL: the strategy has a `decide` function */
} KnAgent;

enum {
    KN_STRATEGY_DETERMINISTIC = 1,
    KN_STRATEGY_FAMILY = 2, /* its options define it: `--all` leaves it out */
    KN_STRATEGY_LENGTH = 4, /* uses the length of the match if known; `length` is its first option */
    KN_STRATEGY_SUFFIX = 8  /* its option may be part of the name: CyclerCCD, GoByMajority5 */
};

/* The player type comes first because kn_strategies_register registers the row by it. */
struct KnStrategy {
    KnPlayerType player;
    unsigned traits;
    const char *fsm, *memory; /* the machine's table, in one of two notations (machine.h) */
    KnStatus (*build)(KnAgent *agent, const KnGame *game, const KnOptions *options,
                      KnError *error); /* may make a machine */
    double (*decide)(const KnAgent *agent, const KnMatchHistory *history,
                     double *values); /* returns the probability of C; `values` start at zero */
    const char *values;               /* names of `values` for explanations, separated by blanks */
};

typedef struct KnStrategyState {
    KnMatchHistory history;
    double values[KN_STRATEGY_VALUES];
    int machine_state;
    double chance; /* probability of C in the coming round */
} KnStrategyState;

/* Starts a match. `length` is 0 if the strategy does not know it. The payoffs must outlive the state; they
 * may change between rounds (history.payoffs, after kn_strategy_state_note). */
void kn_strategy_state_begin(KnStrategyState *state, const KnAgent *agent, const KnRoundPayoffs *payoffs,
                             long length);

/* Records a round. */
void kn_strategy_state_note(KnStrategyState *state, const KnAgent *agent, int own, int opponent);

/* Draws the move of the coming round. */
static inline int kn_strategy_state_draw(const KnStrategyState *state, KnRng *rng)
{
    if (state->chance <= 0) return KN_D;
    if (state->chance >= 1) return KN_C;
    return kn_rng_real(rng) < state->chance ? KN_C : KN_D;
}

/* Payoffs of a round of a matrix game, seen by a role. */
KnRoundPayoffs kn_round_payoffs(const KnMatrix *matrix, int role, long round);

/* The agent of a player that is a strategy; NULL for other players. */
const KnAgent *kn_player_agent(const KnPlayer *player);

/* Sets the match length that the player knows, if it is a strategy; 0: unknown. */
void kn_player_set_known_length(KnPlayer *player, long length);

/* The name of a player in tables: TitForTat, CyclerCCD, memory1(.9, .1, .5, .2). */
void kn_player_title(const KnPlayer *player, KnText *out);

/* The rows of all tables; NULL after the last. */
const KnStrategy *kn_strategy_at(size_t index);

/* Registers every row as a player. */
KnStatus kn_strategies_register(KnContext *context, KnError *error);

#endif
