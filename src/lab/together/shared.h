/* Every method on every game, and together: what a method, and what a stack of methods, gains over the same
 * search at the same cost.
 *
 * The base is an alpha-beta search with the game's own evaluation that may play `positions` a move on average
 * (methods/allocation/clock_player.c). A row adds methods to it: other weights (td), another pace
 * (allocation), experience before it, proofs before it, or something in its place. What rows learn is trained
 * for each training seed again; a row's score is the mean over training seeds, and so is its error.
 *
 * Private to src/lab/together*.c. */
#ifndef KNACK_LAB_TOGETHER_SHARED_H
#define KNACK_LAB_TOGETHER_SHARED_H

#include "lab/lab.h"

typedef struct KnTogetherGame {
    const char *name, *spec;
    int moves; /* of each side, for the clock; a game ends after twice as many */
} KnTogetherGame;

enum { KN_TOGETHER_GAMES = 5, KN_TOGETHER_SEEDS = 64 };
extern const KnTogetherGame kn_together_games[KN_TOGETHER_GAMES];

/* What a row is made of. */
enum {
    KN_WITH_TD = 1,          /* learned weights in place of the game's evaluation */
    KN_WITH_ALLOCATION = 2,  /* learned pacing of the positions */
    KN_WITH_EXPERIENCE = 4,  /* a base before the search */
    KN_WITH_PROOF = 8,       /* proofs before the search, of the same budget */
    KN_WITH_HEURISTICS = 16, /* general heuristics as the evaluation, weighted by temporal differences in a
                                start clock as long as the game's */
    KN_WITH_HOYLE = 32,      /* Advisors; with the search as one more of them if KN_WITH_SEARCH */
    KN_WITH_SEARCH = 64,
    KN_WITH_SEQUENCES = 128, /* in place of the search */
    KN_WITH_UCT = 256,
    KN_WITH_TRUST = 512, /* with experience: a learned policy says where the base's move is played without a
                            search, which leaves positions for other moves */
    KN_WITH_EVALUATION = 2048, /* with heuristics: all that the game has, its own evaluation too, in one
                                  weighted combination */
    KN_WITH_SAVING = 1024,     /* with trust: what it saves is not spent on other moves */
    KN_WITH_NETWORK = 4096,    /* an n-tuple network in place of the game's evaluation */
    KN_WITH_SIGNALS = 8192     /* the pace of engines: the signals of the search end it */
};

typedef struct KnTogetherRow {
    const char *name;
    unsigned parts;
    bool stack; /* of several methods */
} KnTogetherRow;

extern const KnTogetherRow kn_together_rows[];
extern const int kn_together_row_count;

/* What is trained: how much of it. */
typedef struct KnTogetherTraining {
    uint64_t games;    /* of td; the others have shares of it, networks a multiple */
    uint64_t examples; /* of allocation */
} KnTogetherTraining;

/* Trains what a row needs, for one training seed, unless that was done. */
KnStatus kn_together_train(KnLabRun *run, const KnTogetherGame *game, unsigned parts, uint64_t seed,
                           const KnTogetherTraining *training, KnError *error);

/* Games and processor seconds that training took, from the units kept; 0 where nothing was learned. */
void kn_together_cost(KnLabRun *run, const KnTogetherGame *game, unsigned parts, uint64_t seed,
                      const KnTogetherTraining *training, double *games, double *seconds);

/* The spec of a row's player, at this many positions a move; `threshold` of trust (0: the player's own). */
KnStatus kn_together_player(KnLabRun *run, const KnTogetherGame *game, unsigned parts, uint64_t seed,
                            const KnTogetherTraining *training, double positions, double threshold,
                            KnText *spec, KnError *error);

/* A match of two such players. */
typedef struct KnTogetherMatch {
    const KnTogetherGame *game;
    unsigned parts, other;
    uint64_t seed, games;
    double positions, other_positions;
    double threshold; /* of parts with trust; 0: the player's own */
    const KnTogetherTraining *training;
} KnTogetherMatch;

KnStatus kn_together_match(KnLabRun *run, const char *key, const KnTogetherMatch *match, KnStanding *standing,
                           KnError *error);

/* Share of points over training seeds: the mean with its interval by Student's t, and the p-value of one
 * half. */
typedef struct KnTogetherScore {
    KnMeasure measure;
    double p;
} KnTogetherScore;
KnTogetherScore kn_together_score(const KnStanding *by_seed, int seeds);

extern const KnInterpretation kn_together_interpretations[];

#endif
