/* The tables of strategies and what their rows have in common. Private to this folder. */
#ifndef KNACK_PLAYERS_DILEMMA_TABLES_H
#define KNACK_PLAYERS_DILEMMA_TABLES_H

#include "players/dilemma/strategy.h"

/* The player hooks of every row. */
KnStatus kn_strategy_suits(const KnGame *game, KnError *error);
KnStatus kn_strategy_open(KnPlayer *player, const KnOptions *options, KnError *error);
void kn_strategy_close(KnPlayer *player);
KnStatus kn_strategy_begin(KnPlayer *player, int role, const void *position, KnError *error);
KnStatus kn_strategy_observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error);
KnStatus kn_strategy_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error);

#define KN_STRATEGY_PLAYER(name, rule, options)                                                              \
    {                                                                                                        \
        .head = {name, rule, options}, .suits = kn_strategy_suits, .open = kn_strategy_open,                 \
        .close = kn_strategy_close, .begin = kn_strategy_begin, .observe = kn_strategy_observe,              \
        .choose = kn_strategy_choose                                                                         \
    }

/* Tables end with a row without a name. */
#define KN_STRATEGIES_END                                                                                    \
    {                                                                                                        \
        .fsm = NULL                                                                                          \
    }

extern const KnStrategy kn_strategies_machines[];
extern const KnStrategy kn_strategies_counting[];
extern const KnStrategy kn_strategies_tournaments[];
extern const KnStrategy kn_strategies_literature[];
extern const KnStrategy kn_strategies_chance[];
extern const KnStrategy kn_strategies_learning[];
extern const KnStrategy kn_strategies_data[];

/* Decisions as probabilities of C. */
static inline double kn_defect_if(bool test) { return test ? 0 : 1; }
static inline double kn_copy(const KnMatchHistory *history)
{
    return history->turn && history->opponent & 1 ? 0 : 1;
}
static inline double kn_flip_own(const KnMatchHistory *history) { return history->own & 1 ? 1 : 0; }
static inline bool kn_opponent_defected(const KnMatchHistory *history)
{
    return history->turn && history->opponent & 1;
}

#endif
