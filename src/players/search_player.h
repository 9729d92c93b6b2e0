/* What the searching players share: each is a search of src/search with its options as a spec, one file a
 * player. */
#ifndef KNACK_PLAYERS_SEARCH_PLAYER_H
#define KNACK_PLAYERS_SEARCH_PLAYER_H

#include "players/player.h"
#include "search/alphabeta.h"
#include "search/mcts.h"

typedef struct KnSearcher KnSearcher;

typedef KnStatus KnRunSearch(void *engine, const void *position, const KnHistory *history,
                             const KnSearchRequest *request, KnSearchResult *result, KnError *error);

/* The calls that all engines have. */
typedef struct KnEngine {
    void *(*make)(const KnSearcher *searcher, KnError *error); /* for searcher->game and evaluation */
    KnRunSearch *run;
    void (*clear)(void *engine); /* may be NULL */
    void (*free)(void *engine);
    bool expands; /* has the option `expand`: an evaluation that decides where the search goes on beyond its
                     depth */
    bool advised; /* has the option `advisor`: what orders moves */
    bool payoffs; /* its scores are average payoffs */
    bool learned; /* without the option `eval` it takes the strongest evaluation of the game */
} KnEngine;

/* What one of these players consists of. A game with simultaneous moves is searched through its sequential
 * view, which depends on who looks: the engine is then made again when the role changes. Evaluations look at
 * the player's own game. */
struct KnSearcher {
    const KnGame *game; /* that is searched: the player's own, or `view` */
    KnGame *view;
    int viewpoint; /* of the view */
    KnEvaluation *evaluation;
    KnEvaluation *expansion; /* or NULL */
    KnMoveAdvisor *advisor;  /* or NULL */
    char *tables;            /* where its endgame tables lie, or NULL */
    KnEndgame *endgame;      /* these, opened */
    KnBudget budget;         /* of the spec */
    uint64_t playouts;       /* of a search by random games; 0: no limit */
    bool yields;             /* its depth or number of playouts is the default, which a budget replaces */
    const KnEngine *engine;
    void *state; /* the engine's */
    union {
        struct {
            bool quiescence, deepening;
        } minimax;
        KnSearchOptions alphabeta;
        struct {
            size_t bytes;
            double sufficient; /* percent of the range of payoffs */
        } breadth;
        KnMctsOptions uct;
    } how;
};

/* The player's hooks. `settle` sets the depth and the engine's own options; then everything is made once, so
 * that a bad option is found when the player is opened. */
KnStatus kn_searcher_open(KnPlayer *player, const KnOptions *options, const KnEngine *engine,
                          void (*settle)(KnSearcher *searcher, const KnOptions *options), KnError *error);
void kn_searcher_close(KnPlayer *player);
KnStatus kn_searcher_prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error);
KnStatus kn_searcher_begin(KnPlayer *player, int role, const void *position, KnError *error);
KnStatus kn_searcher_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error);

/* Whether the last answer of a player `puzzle` is proved to be the best. */
bool kn_puzzle_player_proved(const KnPlayer *player);

/* The way from the start of the game that `puzzle` has proved to be the best in its start clock; NULL: none.
 */
const KnMove *kn_puzzle_player_line(const KnPlayer *player, int *length);

/* Gives `puzzle` a way from the start of the game that may be the best. It is played out first: false if it
 * does not end with the highest payoff that the rules can give. */
bool kn_puzzle_player_suggest(KnPlayer *player, const KnMove *moves, int length);

/* The tighter of two budgets, limit by limit. */
KnBudget kn_budget_narrow(KnBudget own, KnBudget asked);

/* Whether nodes or seconds decide where a search ends that has no limit of its own but the default. */
bool kn_budget_decides(KnBudget own, KnBudget asked);

/* Rows that their option tables share. */
#define KN_DEPTH_OPTION(fallback)                                                                            \
    {                                                                                                        \
        "depth", KN_OPTION_INTEGER, fallback, 0, KN_SEARCH_DEPTH_MAX, NULL,                                  \
            "plies to look ahead; 0: to the end. With nodes or time the default is no limit"                 \
    }
#define KN_NODES_OPTION                                                                                      \
    {                                                                                                        \
        "nodes", KN_OPTION_INTEGER, "0", 0, 1e15, NULL, "positions a move; 0: no limit"                      \
    }
#define KN_TIME_OPTION                                                                                       \
    {                                                                                                        \
        "time", KN_OPTION_REAL, "0", 0, 1e6, NULL, "seconds a move; 0: no limit"                             \
    }
#define KN_EVAL_OPTION(fallback)                                                                             \
    {                                                                                                        \
        "eval", KN_OPTION_SPEC, "", 0, 0, "evaluation",                                                      \
            "the evaluation of positions at the horizon (default: " fallback ")"                             \
    }
#define KN_QUIESCENCE_OPTION(fallback)                                                                       \
    {                                                                                                        \
        "quiescence", KN_OPTION_FLAG, fallback, 0, 0, NULL,                                                  \
            "go on at the horizon until the position is quiet"                                               \
    }
#define KN_MEMORY_OPTION(fallback, help)                                                                     \
    {                                                                                                        \
        "memory", KN_OPTION_INTEGER, fallback, 1, 1 << 20, NULL, help                                        \
    }
#define KN_THREADS_OPTION(help)                                                                              \
    {                                                                                                        \
        "threads", KN_OPTION_INTEGER, "1", 1, 256, NULL, help                                                \
    }

#endif
