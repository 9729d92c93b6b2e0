#include "lab/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"

const char kn_verdict_rule[] =
    "A number differs when it lies further from the published one than the sampling error of both sides at "
    "95%, and half a unit of the last printed digit. Within that margin it agrees, unless our own interval "
    "reaches further than twice the precision that was fixed beforehand: then the sample is too small to "
    "tell. A claim without a number agrees when the whole interval lies on the claimed side, differs when it "
    "lies on the other, and is undecided when it holds the boundary. There is no verdict where nothing was "
    "published or the quantities are not the same, below 5 runs or 20 trials, where all samples are equal, "
    "and where the clock of this machine decides.";

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

static const char *const kinds[KN_MEASURE_KINDS] = {"none", "exact", "single", "share", "mean", "estimate"};

const char *kn_measure_kind_name(KnMeasureKind kind)
{
    KN_ASSERT((unsigned)kind < KN_MEASURE_KINDS);
    return kinds[kind];
}

static const KnMeasure nothing = {NAN, -INFINITY, INFINITY, 0, KN_MEASURE_NONE};

KnMeasure kn_measure_share(double successes, uint64_t n, double whole)
{
    if (!n) return nothing;
    KN_ASSERT(successes >= 0 && successes <= (double)n);
    KnInterval interval = kn_wilson(successes, (double)n, KN_Z95);
    return (KnMeasure){whole * successes / (double)n, whole * interval.low, whole * interval.high, n,
                       KN_MEASURE_SHARE};
}

KnMeasure kn_measure_mean(const KnMoments *moments)
{
    if (!moments->count) return nothing;
    KnInterval interval = moments->count < KN_LEAST_RUNS ? (KnInterval){-INFINITY, INFINITY}
                                                         : kn_moments_interval(moments, 0.95);
    return (KnMeasure){kn_moments_mean(moments), interval.low, interval.high, moments->count,
                       KN_MEASURE_MEAN};
}

KnMeasure kn_measure_exact(double value)
{
    return isnan(value) ? nothing : (KnMeasure){value, value, value, 0, KN_MEASURE_EXACT};
}

KnMeasure kn_measure_single(double value)
{
    return isnan(value) ? nothing : (KnMeasure){value, -INFINITY, INFINITY, 1, KN_MEASURE_SINGLE};
}

KnMeasure kn_measure_estimate(double value, double low, double high, uint64_t n)
{
    if (isnan(value) || !n) return nothing;
    if (!isfinite(low) || !isfinite(high) || n < KN_LEAST_RUNS) low = -INFINITY, high = INFINITY;
    return (KnMeasure){value, low, high, n, KN_MEASURE_ESTIMATE};
}

KnMeasure kn_measure_within(KnMeasure m, double least, double most)
{
    if (m.kind != KN_MEASURE_MEAN || m.n < KN_LEAST_RUNS || !(m.value >= least && m.value <= most)) return m;
    KnInterval interval = kn_interval_within((KnInterval){m.low, m.high}, m.value, m.n, least, most);
    m.low = interval.low;
    m.high = interval.high;
    return m;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool ends(const char *text, const char *with)
{
    size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

KnInterval kn_unit_bounds(const char *unit)
{
    static const char *const counted[] = {"microseconds", "milliseconds", "seconds", "decisions",
                                          "positions",    "games",        "rounds",  NULL};
    if (ends(unit, "%") || ends(unit, "(%)")) return (KnInterval){0, 100};
    if (begins(unit, "share")) return (KnInterval){0, 1};
    for (int i = 0; counted[i]; i++)
        if (begins(unit, counted[i])) return (KnInterval){0, INFINITY};
    return (KnInterval){-INFINITY, INFINITY};
}

/* Why there is no verdict on a measure, whatever was published; "" if there may be one. */
static const char *no_verdict(const KnPublished *published, const KnMeasure *m)
{
    if (!isfinite(m->value) || !isfinite(published->value)) return "there is no number to compare";
    if (published->timed) return "timed: the clock of this machine decides";
    if (m->kind == KN_MEASURE_SINGLE) return "one measurement, without an interval";
    bool sampled = m->kind == KN_MEASURE_MEAN || m->kind == KN_MEASURE_ESTIMATE;
    if (sampled && m->n < KN_LEAST_RUNS) return "fewer than 5 samples";
    if (m->kind == KN_MEASURE_SHARE && m->n < KN_LEAST_TRIALS) return "fewer than 20 trials";
    if (sampled && !(m->low < m->high)) return "all samples are equal, which tells nothing about their error";
    return "";
}

static KnJudgement judge_claim(char relation, double boundary, KnMeasure m)
{
    bool above = m.low > boundary, below = m.high < boundary;
    if (above || below)
        return (KnJudgement){above == (relation == '>') ? KN_AGREES : KN_DIFFERS, 0, "", false};
    return (KnJudgement){KN_NOT_COMPARABLE, 0, "the interval holds the boundary of the claim: undecided",
                         true};
}

KnJudgement kn_judge(KnPublished published, KnMeasure m)
{
    const char *none = no_verdict(&published, &m);
    bool few = strncmp(none, "fewer", 5) == 0;
    if (*none) return (KnJudgement){KN_NOT_COMPARABLE, 0, none, few};
    if (published.relation != '=') return judge_claim(published.relation, published.value, m);
    double reach = published.value > m.value ? m.high - m.value : m.value - m.low;
    double margin = kn_math_hypot(reach, KN_Z95 * published.error) + published.rounding;
    /* A difference that equals the margin in decimals is within it, whatever binary makes of it. */
    bool within = fabs(m.value - published.value) <= margin * (1 + 1e-12) + 1e-12 * fabs(published.value);
    if (!within) return (KnJudgement){KN_DIFFERS, margin, "", false};
    if (fmax(m.high - m.value, m.value - m.low) <= 2 * published.precision)
        return (KnJudgement){KN_AGREES, margin, "", false};
    return (KnJudgement){KN_NOT_COMPARABLE, margin, "the sample is too small to tell", true};
}
