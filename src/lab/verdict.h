/* The verdict on one cell: one rule for every paper, fixed before anything is measured.
 *
 * A number differs when it lies further from the published one than the margin, the sampling error of both
 * sides at 95%: how far our interval reaches towards the published value and 1.96 standard errors of that
 * value (where the paper gives the sample behind it), squared and added, and half a unit of its last printed
 * digit. Within the margin it agrees if the sample could have shown a difference: where our interval reaches
 * further than twice the precision that the experiment declares, agreement would be worth nothing, and the
 * number is not comparable.
 *
 * A claim (an ordering without a number: "greater than 0", "less than 1") agrees when the whole interval lies
 * on the claimed side, differs when it lies wholly on the other, and is not comparable when it holds the
 * boundary.
 *
 * There is no verdict at all where nothing was published, where the experiment says that the two are not the
 * same quantity, below a least number of samples (KN_LEAST_RUNS, KN_LEAST_TRIALS), where all samples are
 * equal and so tell nothing about their error, and where the clock of this machine decides ("timed"). */
#ifndef KNACK_LAB_VERDICT_H
#define KNACK_LAB_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include <knack/stats.h>

/* The rule in the words of the report. */
extern const char kn_verdict_rule[];

enum {
    KN_LEAST_RUNS = 5,   /* values behind a mean that gets an interval and a verdict */
    KN_LEAST_TRIALS = 20 /* trials behind a share that gets a verdict */
};

typedef enum KnVerdict {
    KN_DIFFERS,
    KN_NOT_COMPARABLE,
    KN_AGREES,
    KN_VERDICTS
} KnVerdict; /* as they are listed */

const char *kn_verdict_name(KnVerdict verdict); /* "differs", "not comparable", "agrees" */
KnStatus kn_verdict_parse(const char *name, KnVerdict *verdict, KnError *error);

/* Where a number comes from, and so what its interval means. */
typedef enum KnMeasureKind {
    KN_MEASURE_NONE,     /* there was nothing to measure */
    KN_MEASURE_EXACT,    /* enumerated or computed: no chance is in it */
    KN_MEASURE_SINGLE,   /* one measurement of something that varies: no interval */
    KN_MEASURE_SHARE,    /* of n trials, with Wilson's interval */
    KN_MEASURE_MEAN,     /* of n values, with Student's interval */
    KN_MEASURE_ESTIMATE, /* a difference, ratio or quantile of n values, with an interval of its own */
    KN_MEASURE_KINDS
} KnMeasureKind;

/* What was measured: value, 95% interval (infinite where there is none) and sample size. */
typedef struct KnMeasure {
    double value, low, high;
    uint64_t n;
    KnMeasureKind kind;
} KnMeasure;

/* "none", "exact", "single", "share", "mean", "estimate". */
const char *kn_measure_kind_name(KnMeasureKind kind);

/* A share by Wilson's interval; `whole` is 1, or 100 for percent. */
KnMeasure kn_measure_share(double successes, uint64_t n, double whole);
/* A mean by Student's; below KN_LEAST_RUNS values there is no interval. */
KnMeasure kn_measure_mean(const KnMoments *moments);
/* A number without chance: enumerated, or computed from what was enumerated. */
KnMeasure kn_measure_exact(double value);
/* One measurement, without an interval; NaN means that there was nothing to measure. */
KnMeasure kn_measure_single(double value);
/* An estimate whose interval comes from elsewhere, of n samples. */
KnMeasure kn_measure_estimate(double value, double low, double high, uint64_t n);
/* The same with its interval kept inside the bounds of the quantity (kn_interval_within). A value that is not
 * inside itself is left alone. */
KnMeasure kn_measure_within(KnMeasure measure, double least, double most);

/* The bounds of what is counted in a unit, whether of a table or on an axis: 0 to 100 for "%" (alone, or at
 * the end as in "reliability (%)"), 0 to 1 for "share" ("share of points"), 0 and no upper one for times and
 * counts
 * ("microseconds a game"), else none. Differences of shares have another unit ("% points"). */
KnInterval kn_unit_bounds(const char *unit);

/* What a paper says of one cell. */
typedef struct KnPublished {
    char relation;    /* '=' for a number, '>' or '<' for a claim */
    double value;     /* of a claim: the boundary */
    double error;     /* standard error of the value; 0 where the paper does not tell */
    double rounding;  /* half a unit of the last printed digit */
    double precision; /* what the experiment wants its interval to tell apart, in the value's own unit */
    bool timed;       /* the value depends on the clock of a machine */
} KnPublished;

typedef struct KnJudgement {
    KnVerdict verdict;
    double margin;   /* of a number: what would still agree; 0 for claims */
    const char *why; /* a static sentence for "not comparable", else "" */
    bool small;      /* whether a larger sample could decide */
} KnJudgement;

KnJudgement kn_judge(KnPublished published, KnMeasure measure);

#endif
