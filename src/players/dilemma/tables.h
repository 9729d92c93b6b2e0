/* The tables of strategies and what their rows share. Private to this folder. */
#ifndef KNACK_PLAYERS_DILEMMA_TABLES_H
#define KNACK_PLAYERS_DILEMMA_TABLES_H

#include "players/dilemma/strategy.h"

/* The hooks that make a row a player. */
KnStatus kn_strategy_suits(const KnGame *game, KnError *error);
KnStatus kn_strategy_open(KnPlayer *player, const KnOptions *options, KnError *error);
void kn_strategy_close(KnPlayer *player);
KnStatus kn_strategy_begin(KnPlayer *player, int role, const void *position, KnError *error);
KnStatus kn_strategy_observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error);
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
extern const KnStrategy kn_strategies_chance[];
extern const KnStrategy kn_strategies_learning[];
extern const KnStrategy kn_strategies_data[];

/* Moves as chances. */
static inline double kn_defect_if(bool test) { return test ? 0 : 1; }
static inline double kn_copy(const KnPast *past) { return past->turn && past->other & 1 ? 0 : 1; }
static inline double kn_flip_own(const KnPast *past) { return past->own & 1 ? 1 : 0; }
static inline bool kn_other_defected(const KnPast *past) { return past->turn && past->other & 1; }

#endif
