/* Trials of two satisficing agents in the paper's family of dilemmas, by the million.
 *
 * A trial is a row of numbers: the payoffs (sigma for mutual cooperation, delta for mutual defection,
 * temptation and sucker for the unequal rounds, 1 and 0 in the paper), the agents' lambdas and initial
 * aspirations, and the joint action they begin with. A *distribution* says how trials are sampled: each
 * number fixed or uniform over a range, linear conditions that a trial must meet (it is drawn again until it
 * does), and the starts that may come up, each as likely.
 *
 * Trial i of a seed draws from a stream of its own, so that results do not depend on the number of threads,
 * and any trial can be sampled again and examined.
 *
 * Ownership: distributions and trials are plain values. A tally is freed with kn_tally_free. */
#ifndef KNACK_METHODS_SATISFICING_TRIALS_H
#define KNACK_METHODS_SATISFICING_TRIALS_H

#include <stdatomic.h>

#include "base/context.h"
#include "base/error.h"
#include "base/progress.h"
#include "methods/satisficing/outcome.h"

/* Drawn in this order; a range may end at a number drawn before. */
typedef enum KnTrialNumber {
    KN_TRIAL_SIGMA,
    KN_TRIAL_TEMPTATION,
    KN_TRIAL_SUCKER,
    KN_TRIAL_DELTA,
    KN_TRIAL_LAMBDA,
    KN_TRIAL_LAMBDA2, /* the second agent's, if it has its own */
    KN_TRIAL_ALPHA,
    KN_TRIAL_BETA,
    KN_TRIAL_NUMBERS
} KnTrialNumber;

extern const char *const kn_trial_names[KN_TRIAL_NUMBERS]; /* "sigma", ... */

/* Joint actions as numbers: the first agent's action times two and the second's, C before D. */
enum { KN_CC, KN_CD, KN_DC, KN_DD };

typedef struct KnTrial {
    double numbers[KN_TRIAL_NUMBERS];
    int start;
} KnTrial;

/* Uniform between two ends. An end may hang on a number drawn before (`above`, `below`; -1: none): `low` and
 * `high` are then added to it. */
typedef struct KnRange {
    double low, high;
    int above, below;
} KnRange;

/* sum of factors * numbers + constant > 0, or >= 0. */
typedef struct KnCondition {
    double factors[KN_TRIAL_NUMBERS], constant;
    bool strict;
} KnCondition;

enum { KN_TRIAL_CONDITIONS = 8 };

typedef struct KnTrialDistribution {
    KnRange ranges[KN_TRIAL_NUMBERS];
    bool own_lambda; /* LAMBDA2 is drawn; otherwise it is LAMBDA */
    unsigned starts; /* a bit for each joint action that may begin */
    KnCondition conditions[KN_TRIAL_CONDITIONS];
    int condition_count;
} KnTrialDistribution;

/* Table 1 of the paper. */
KnTrialDistribution kn_trial_distribution_paper(void);

/* One word of a distribution: "lambda=.9", "delta=.1..sigma-.4", "start=CC" (CD, DC, DD, random, same,
 * mixed), or a condition such as "sigma-delta>0.4" or "2*sigma>=1+delta". */
KnStatus kn_trial_distribution_word(KnTrialDistribution *distribution, const char *word, KnError *error);

/* Only the number's name and range, as in "alpha=0..2": for maps. */
KnStatus kn_range_word(const char *word, KnTrialNumber *number, KnRange *range, KnError *error);

/* Whether ranges make sense (lambda within [0,1], low <= high, ...); kn_trial_distribution_word has checked
 * its own word only. */
KnStatus kn_trial_distribution_check(const KnTrialDistribution *distribution, KnError *error);

/* The distribution in the words that make it, for records. */
void kn_trial_distribution_text(const KnTrialDistribution *distribution, KnText *out);

/* Trial `index` of a seed. False if conditions refused a million draws. */
bool kn_trial_draw(const KnTrialDistribution *distribution, uint64_t seed, uint64_t index, KnTrial *trial);

/* sigma=... delta=... in the words of a distribution, so that `knack satisfice trial` takes it. */
void kn_trial_text(const KnTrial *trial, KnText *out);

/* temptation > sigma > delta > sucker. */
bool kn_trial_is_dilemma(const KnTrial *trial);

/* What became of a trial, without the word's memory: `code` is the word for periods up to
 * KN_CYCLE_CODE_PERIOD, a 1 and then two bits a joint action, first to last; 0 for longer ones. */
typedef struct KnTrialOutcome {
    uint32_t period, start; /* as in KnOutcome; period 0: unsettled */
    uint64_t code;
} KnTrialOutcome;

enum { KN_CYCLE_CODE_PERIOD = 31 };

/* The stage and the agents of a trial, for kn_settle; `payoffs` has room for 8 numbers and outlives the
 * stage. */
KnStageGame kn_trial_stage(const KnTrial *trial, double *payoffs, KnAspirationAgent agents[2]);

/* The quick way for two agents: short words straight away, the rest by the settler. */
KnTrialOutcome kn_trial_settle(KnSettler *settler, const KnTrial *trial);

/* The same code for words that are the same cycle, also with the agents exchanged; and its text, "DD-CC-DC".
 */
uint64_t kn_cycle_code_normalise(uint64_t code);
uint32_t kn_cycle_code_period(uint64_t code);
void kn_cycle_code_text(uint64_t code, KnText *out);

/* One kind of outcome and how often it came up. */
typedef struct KnTallyRow {
    uint64_t code;   /* normalised; 0 where only the period is kept */
    uint32_t period; /* 0: unsettled */
    uint64_t count;
} KnTallyRow;

/* An interesting trial; `rounds` is its start or its period. */
typedef struct KnTallyMark {
    bool any;
    uint32_t rounds;
    uint64_t index;
} KnTallyMark;

typedef struct KnOutcomeCounts {
    uint64_t trials;
    uint64_t fixed[4]; /* by joint action */
    uint64_t cycles;
    uint64_t unsettled;
    uint64_t no_dilemma; /* trials whose payoffs were none */
    uint64_t rounds;     /* before settling, in all; unsettled ones not counted */
    KnTallyMark slowest; /* of the settled, by start */
    KnTallyMark longest; /* period */
    KnTallyMark soonest; /* of those that settled on something else than CC: the least start */
    KnTallyRow *rows;    /* by period, then by code */
    size_t row_count;
} KnOutcomeCounts;

typedef struct KnTrialPlan {
    KnTrialDistribution trial;
    uint64_t trials, seed;
    uint32_t rounds;           /* the bound; 0: KN_SETTLER_ROUNDS */
    int jobs;                  /* 0: as many as cores */
    const atomic_bool *cancel; /* may be NULL */
    KnProgress *progress;      /* ticks trials; may be NULL */
    const KnContext *context;  /* its workers take part; NULL: none */
} KnTrialPlan;

KnStatus kn_trials_run(const KnTrialPlan *plan, KnOutcomeCounts *tally, KnError *error);
void kn_tally_free(KnOutcomeCounts *tally);

/* How often a word (normalised code) came up. */
uint64_t kn_tally_count(const KnOutcomeCounts *tally, uint64_t code);

/* A map: the plan's trials at each point of a grid over two of its numbers (alpha and beta: figures 4 and 6).
 */
typedef struct KnOutcomeMapAxis {
    KnTrialNumber number;
    double low, high;
    int points; /* at least 1: as many equal parts, each seen at its middle, so that round numbers (ties) fall
                   between them */
} KnOutcomeMapAxis;

double kn_outcome_map_place(const KnOutcomeMapAxis *axis, int point);

typedef struct KnOutcomeMapPoint {
    uint32_t cooperation, defection, unequal, cycles, unsettled; /* of plan->trials */
} KnOutcomeMapPoint;

/* Fills points[y * x->points + x]. Points that no trial can have, because a condition on fixed numbers fails
 * there (delta<sigma over delta and sigma), stay all zero. */
KnStatus kn_trials_map(const KnTrialPlan *plan, const KnOutcomeMapAxis *x, const KnOutcomeMapAxis *y,
                       KnOutcomeMapPoint *points, KnError *error);

#endif
