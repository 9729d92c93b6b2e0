/* Tournaments of repeated games: every pair of players, and each with its twin, plays matches of a symmetric
 * matrix game for two; payoffs and cooperation come of it, and a ranking with intervals.
 *
 * What counts is what was earned a turn, not who earned more than whom. Strategies of the dilemma meet in a
 * loop of their own (players/dilemma/duel.h); other players, learners among them, meet them through the
 * ordinary interface, with the same outcome as if all did. The first action is called cooperation.
 *
 * Repetition r of a pairing draws all its chance from (seed, the two names, r), and matches are counted in
 * index order: the outcome is the same for any number of threads, and a pairing's does not depend on who else
 * takes part. The store keeps the outcome as a run, not the matches: playing them again takes less time than
 * reading them would.
 *
 * Ownership: kn_repeated_free. */
#ifndef KNACK_ARENA_REPEATED_H
#define KNACK_ARENA_REPEATED_H

#include "arena/store.h"
#include "base/progress.h"
#include "games/matrix/matrix.h"

enum { KN_REPEATED_PLAYERS = 1024 };

typedef struct KnRepeatedPlan {
    const char *game;           /* spec */
    long turns;                 /* instead of the game's own; 0: those */
    double go_on;               /* chance of another turn, instead of the game's own; 0: that */
    const char *const *players; /* specs */
    size_t player_count;
    uint64_t repetitions; /* of each pairing; 0: one where nothing is left to chance, else ten */
    uint64_t seed;
    int jobs;                  /* threads; 0: as many as cores */
    double noise;              /* how often a move comes out as another */
    bool known;                /* strategies may know the length */
    const atomic_bool *cancel; /* may be NULL */
} KnRepeatedPlan;

/* All matches of a row against a column; of a twin, both sides in turn. */
typedef struct KnPairing {
    uint64_t turns;
    int64_t scores[2]; /* row's and column's, in units of 1 / scale */
    uint64_t cooperations[2];
    KnMoments payoff; /* what the row earns a turn, by repetition; of a twin, the mean of both sides */
    /* Sums over the repetitions of what the row earned and how often it cooperated, squared and times the
     * turns, and of the turns squared: the errors of ratios where chance decides how long a match is. */
    double earned_squares, earned_turns, cooperated_squares, cooperated_turns, turns_squares;
} KnPairing;

typedef struct KnRanked {
    double
        score; /* earned a turn: the mean over all opponents, the twin included, however long the matches */
    KnInterval interval; /* 95%, by Student's t over the repetitions, within the payoffs of the game; a point
                            where nothing is left to chance */
    double cooperation;  /* share of its turns */
    KnInterval cooperation_interval;
    size_t place, place_best, place_worst; /* from 1; the best and worst that the intervals leave open */
    uint64_t wins;                         /* pairings in which it earned more than the other */
} KnRanked;

typedef struct KnRepeated {
    size_t count;
    char *game;   /* canonical spec, with what the plan changed */
    char **names; /* as tables list them */
    uint64_t repetitions;
    bool chance; /* something was left to chance */
    bool nondeterministic;
    double scale;
    KnPairing *pairings; /* count x count */
    KnRanked *ranked;    /* by player */
    size_t *order;       /* players, best first */
    char digest[KN_HEX128];
    char run_name[128]; /* "" without a store */
    double seconds;
} KnRepeated;

/* Whether a game can be played so: a symmetric matrix game for two. */
bool kn_repeated_suits(const KnGame *game);

/* How much kn_repeated_run ticks. */
uint64_t kn_repeated_work(const KnRepeatedPlan *plan);

/* `store` NULL: nothing is kept. */
KnStatus kn_repeated_run(const KnContext *context, const KnRepeatedPlan *plan, KnStore *store,
                         KnProgress *progress, KnRepeated *result, KnError *error);
void kn_repeated_free(KnRepeated *result);

/* What the row earns a turn against the column, and how often it cooperates. */
double kn_repeated_payoff(const KnRepeated *result, size_t row, size_t column);
double kn_repeated_cooperation(const KnRepeated *result, size_t row, size_t column);

/* strategy,opponent,turns,score,opponent_score,cooperations,opponent_cooperations for every ordered pair;
 * totals of all repetitions. */
void kn_repeated_csv(const KnRepeated *result, KnText *out);

/* {"game", "ranking", "payoffs", "cooperation", ...}; what depends on clocks stands under "timing". */
json_t *kn_repeated_json(const KnRepeatedPlan *plan, const KnRepeated *result);

json_t *kn_repeated_settings(const KnRepeatedPlan *plan, const KnRepeated *result); /* what was asked for */

/* A tournament as it is stored: whether a run's summary is one, and its table (csv) or ranking (latex). */
bool kn_repeated_is(const json_t *summary);
KnStatus kn_repeated_export(json_t *summary, const char *format, KnText *out, KnError *error);

/* A field of CSV: quoted where it must be. */
void kn_csv_field(KnText *out, const char *text);

#endif
