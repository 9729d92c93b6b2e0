/* The verdict on one cell: one rule for every paper, fixed before anything is measured.
 *
 * A number differs when measured and published are further apart than the margin. The margin is the larger of
 * two things: the tolerance that the experiment declares, and the sampling error of both sides, which is how
 * far our 95% interval reaches towards the published value and 1.96 standard errors of the published value,
 * squared and added.
 *
 * Within the margin it agrees, provided that the sample could have told otherwise: where our own interval
 * reaches more than twice the tolerance to either side, the number is not comparable, since agreement would
 * be worth nothing. It is also not comparable when nothing was published, or when the experiment says that
 * the two are not the same quantity (and why).
 *
 * A claim (an ordering without a number: "greater than 0", "less than 1") agrees when the whole interval lies
 * on the claimed side, differs when it lies wholly on the other, and is not comparable when it holds the
 * boundary. */
#ifndef KNACK_LAB_VERDICT_H
#define KNACK_LAB_VERDICT_H

#include <stdint.h>

#include "base/error.h"
#include "base/stats.h"

/* The rule in the words of the report. */
extern const char kn_verdict_rule[];

typedef enum KnVerdict {
    KN_DIFFERS,
    KN_NOT_COMPARABLE,
    KN_AGREES,
    KN_VERDICTS
} KnVerdict; /* as they are listed */

const char *kn_verdict_name(KnVerdict verdict); /* "differs", "not comparable", "agrees" */
KnStatus kn_verdict_parse(const char *name, KnVerdict *verdict, KnError *error);

/* What was measured: value, 95% interval and sample size (0 for an exact value). */
typedef struct KnMeasure {
    double value, low, high;
    uint64_t n;
} KnMeasure;

/* A share by Wilson's interval; `whole` is 1, or 100 for percent. */
KnMeasure kn_measure_share(double successes, uint64_t n, double whole);
/* A mean by Student's; below two values the interval is infinite. */
KnMeasure kn_measure_mean(const KnMoments *moments);
/* A number without chance. */
KnMeasure kn_measure_exact(double value);

typedef struct KnJudgement {
    KnVerdict verdict;
    double margin;   /* of a number: what would still agree; 0 for claims */
    const char *why; /* a static sentence for "not comparable", else "" */
} KnJudgement;

/* `relation` is '=' for a number, '>' or '<' for a claim; `error` the published value's standard error;
 * `tolerance` in the value's own unit. */
KnJudgement kn_judge(char relation, double published, double published_error, double tolerance,
                     KnMeasure measure);

#endif
