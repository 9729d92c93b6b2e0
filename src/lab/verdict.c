#include "lab/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const char kn_verdict_rule[] =
    "A number differs when it lies further from the published one than the margin: the tolerance fixed "
    "beforehand or, where that is "
    "larger, the sampling error of both sides at 95%. Within the margin it agrees, unless our own interval "
    "reaches "
    "further than twice the tolerance: then the sample is too small to tell, and the number is not "
    "comparable. Nor is it where "
    "nothing was published, or where the experiment says that the quantities are not the same. A claim "
    "without a number agrees when the whole interval lies on the claimed side, differs when it lies on the "
    "other, and is not "
    "comparable when it holds the boundary.";

static const char *const names[KN_VERDICTS] = {"differs", "not comparable", "agrees"};

const char *kn_verdict_name(KnVerdict verdict) { return names[verdict]; }

KnStatus kn_verdict_parse(const char *name, KnVerdict *verdict, KnError *error)
{
    for (int i = 0; i < KN_VERDICTS; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *verdict = (KnVerdict)i;
        return KN_OK;
    }
    return kn_fail(error, KN_INPUT, "unknown verdict \"%s\"; known: differs, not comparable, agrees", name);
}

KnMeasure kn_measure_share(double successes, uint64_t n, double whole)
{
    KnInterval interval = kn_wilson(successes, (double)n, KN_Z95);
    double share = n ? successes / (double)n : 0;
    return (KnMeasure){whole * share, whole * interval.low, whole * interval.high, n};
}

KnMeasure kn_measure_mean(const KnMoments *moments)
{
    KnInterval interval = kn_moments_interval(moments, 0.95);
    return (KnMeasure){kn_moments_mean(moments), interval.low, interval.high, moments->count};
}

KnMeasure kn_measure_exact(double value) { return (KnMeasure){value, value, value, 0}; }

static KnJudgement judge_claim(char relation, double boundary, KnMeasure m)
{
    bool above = m.low > boundary, below = m.high < boundary;
    if (above || below) return (KnJudgement){above == (relation == '>') ? KN_AGREES : KN_DIFFERS, 0, ""};
    return (KnJudgement){KN_NOT_COMPARABLE, 0, "the interval holds the boundary of the claim: undecided"};
}

KnJudgement kn_judge(char relation, double published, double published_error, double tolerance, KnMeasure m)
{
    if (!isfinite(m.value) || !isfinite(published))
        return (KnJudgement){KN_NOT_COMPARABLE, 0, "there is no number to compare"};
    if (relation != '=') return judge_claim(relation, published, m);
    double reach = published > m.value ? m.high - m.value : m.value - m.low;
    double margin = fmax(tolerance, hypot(reach, KN_Z95 * published_error));
    /* A difference that equals the margin in decimals is within it, whatever binary makes of it. */
    bool within = fabs(m.value - published) <= margin * (1 + 1e-12) + 1e-12 * fabs(published);
    if (!within) return (KnJudgement){KN_DIFFERS, margin, ""};
    if (fmax(m.high - m.value, m.value - m.low) <= 2 * tolerance) return (KnJudgement){KN_AGREES, margin, ""};
    return (KnJudgement){KN_NOT_COMPARABLE, margin, "the sample is too small to tell"};
}
