/* Distributions of trials: how trials are sampled, and the words that describe it. */
#include "methods/satisficing/trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const kn_trial_names[KN_TRIAL_NUMBERS] = {"sigma",  "temptation", "sucker", "delta",
                                                      "lambda", "lambda2",    "alpha",  "beta"};

static const double MOST = 1e6; /* of any number */

/* Starts by name. */
static const struct {
    const char *name;
    unsigned mask;
} starts[] = {
    {"random", 1u << KN_CC | 1u << KN_CD | 1u << KN_DC | 1u << KN_DD},
    {"CC", 1u << KN_CC},
    {"CD", 1u << KN_CD},
    {"DC", 1u << KN_DC},
    {"DD", 1u << KN_DD},
    {"same", 1u << KN_CC | 1u << KN_DD},
    {"mixed", 1u << KN_CD | 1u << KN_DC},
};
enum { STARTS = sizeof starts / sizeof *starts };

static KnRange between(double low, double high) { return (KnRange){low, high, -1, -1}; }

/* Section 4.2, table 1. */
KnTrialDistribution kn_trial_distribution_paper(void)
{
    KnTrialDistribution distribution = {.starts = starts[0].mask};
    distribution.ranges[KN_TRIAL_SIGMA] = between(.51, 1);
    distribution.ranges[KN_TRIAL_TEMPTATION] = between(1, 1);
    distribution.ranges[KN_TRIAL_SUCKER] = between(0, 0);
    distribution.ranges[KN_TRIAL_DELTA] = (KnRange){.1, 0, -1, KN_TRIAL_SIGMA};
    distribution.ranges[KN_TRIAL_LAMBDA] = distribution.ranges[KN_TRIAL_LAMBDA2] = between(.1, .9);
    distribution.ranges[KN_TRIAL_ALPHA] = distribution.ranges[KN_TRIAL_BETA] = between(.5, 2);
    return distribution;
}

/* ---- words ---- */

static int find_number(const char *name, size_t length)
{
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++)
        if (strlen(kn_trial_names[i]) == length && strncasecmp(kn_trial_names[i], name, length) == 0)
            return i;
    return -1;
}

static KnStatus unknown(const char *word, const char *name, size_t length, KnError *error)
{
    return kn_fail(
        error, KN_INPUT,
        "\"%.80s\": there is no \"%.*s\"; known: sigma delta temptation sucker lambda lambda2 alpha beta, "
        "and start",
        word, (int)(length < 40 ? length : 40), name);
}

/* A number that fills the whole of [text, end). */
static bool read_real(const char *text, const char *end, double *value)
{
    char digits[40];
    size_t length = (size_t)(end - text);
    if (!length || length >= sizeof digits || strspn(text, "+-.0123456789eE") < length) return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    char *stop;
    *value = strtod(digits, &stop);
    return !*stop && fabs(*value) <= MOST;
}

static bool is_lambda(int number) { return number == KN_TRIAL_LAMBDA || number == KN_TRIAL_LAMBDA2; }

static KnStatus check_range(const KnRange *range, int number, const char *word, KnError *error)
{
    bool plain = range->above < 0 && range->below < 0;
    if (plain && !(range->low <= range->high))
        return kn_fail(error, KN_INPUT, "\"%.80s\": the range ends before it begins", word);
    if (is_lambda(number) && !(plain && range->low >= 0 && range->high <= 1))
        return kn_fail(
            error, KN_INPUT,
            "\"%.80s\": lambda lies within 0 and 1 (0 remembers only the last payoff, 1 never learns)", word);
    return KN_OK;
}

/* An end of a range: a number, or a name with a number added or taken away ("sigma-.4"). */
static KnStatus read_end(const char *word, int number, const char *text, const char *end, double *value,
                         int *of, KnError *error)
{
    *of = -1;
    if (read_real(text, end, value)) return KN_OK;
    size_t length = (size_t)(end - text), name = strcspn(text, "+-.");
    if (name > length) name = length;
    bool numeral = !length || strchr("0123456789.+-", *text);
    if (numeral)
        return kn_fail(error, KN_INPUT, "\"%.80s\": expected a number up to a million, or a name", word);
    *of = find_number(text, name);
    *value = 0;
    if (*of < 0) return unknown(word, text, name, error);
    if (name < length && !read_real(text + name, end, value))
        return kn_fail(error, KN_INPUT, "\"%.80s\": expected an end such as %s-.4", word,
                       kn_trial_names[*of]);
    if (*of >= number)
        return kn_fail(error, KN_INPUT, "\"%.80s\": %s is drawn after %s, so that no end can hang on it",
                       word, kn_trial_names[*of], kn_trial_names[number]);
    return KN_OK;
}

KnStatus kn_range_word(const char *word, KnTrialNumber *number, KnRange *range, KnError *error)
{
    const char *equals = strchr(word, '=');
    if (!equals) return kn_fail(error, KN_INPUT, "\"%.80s\": expected NAME=VALUE or NAME=LOW..HIGH", word);
    int found = find_number(word, (size_t)(equals - word));
    if (found < 0) return unknown(word, word, (size_t)(equals - word), error);
    const char *text = equals + 1, *dots = strstr(text, ".."), *end = text + strlen(text);
    *number = (KnTrialNumber)found;
    KnStatus status = read_end(word, found, text, dots ? dots : end, &range->low, &range->above, error);
    range->high = range->low;
    range->below = range->above;
    if (status == KN_OK && dots)
        status = read_end(word, found, dots + 2, end, &range->high, &range->below, error);
    return status == KN_OK ? check_range(range, found, word, error) : status;
}

/* How long the number without a sign is that a text begins with, its power of ten included; 0: none. */
static size_t number_length(const char *text)
{
    size_t digits = strspn(text, ".0123456789");
    if (!digits || (text[digits] != 'e' && text[digits] != 'E')) return digits;
    size_t sign = text[digits + 1] == '+' || text[digits + 1] == '-',
           power = strspn(text + digits + 1 + sign, "0123456789");
    return power ? digits + 1 + sign + power : digits;
}

/* One side of a condition, as in "2*sigma-delta+.5"; added to the condition times `sign`. */
static KnStatus read_side(const char *word, const char *text, const char *end, double sign,
                          KnCondition *condition, KnError *error)
{
    for (const char *t = text; t < end;) {
        double factor = sign;
        while (t < end && (*t == '+' || *t == '-')) factor *= *t++ == '-' ? -1 : 1;
        size_t digits = number_length(t), length = 0;
        double value = 1;
        if (digits && !read_real(t, t + digits, &value))
            return kn_fail(error, KN_INPUT, "\"%.80s\": \"%.*s\" is no number", word, (int)digits, t);
        t += digits;
        bool times = digits && *t == '*';
        t += times;
        if (!digits || times) {
            length = strcspn(t, "+-*<>= ");
            int number = find_number(t, length);
            if (number < 0) return unknown(word, t, length, error);
            condition->factors[number] += factor * value;
        } else
            condition->constant += factor * value;
        t += length;
        if (t < end && *t != '+' && *t != '-')
            return kn_fail(error, KN_INPUT,
                           "\"%.80s\", column %d: expected + or - (conditions are linear, as in "
                           "sigma-delta>0.4)",
                           word, (int)(t - word) + 1);
    }
    return KN_OK;
}

static KnStatus read_condition(KnTrialDistribution *distribution, const char *word, const char *operator,
                               KnError * error)
{
    if (distribution->condition_count == KN_TRIAL_CONDITIONS)
        return kn_fail(error, KN_INPUT, "\"%.80s\": more than %d conditions", word, KN_TRIAL_CONDITIONS);
    KnCondition condition = {.strict = operator[1] != '=' };
    const char *right = operator+(condition.strict ? 1 : 2);
    if (operator== word || !* right)
        return kn_fail(error, KN_INPUT, "\"%.80s\": a side of the condition is missing", word);
    double sign = *operator== '>' ? 1 : - 1;
    KnStatus status = read_side(word, word, operator, sign, &condition, error);
    if (status == KN_OK) status = read_side(word, right, right + strlen(right), -sign, &condition, error);
    /* Both sides added up must be numbers that could be written as well. */
    bool fits = fabs(condition.constant) <= MOST;
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++) fits = fits && fabs(condition.factors[i]) <= MOST;
    if (status == KN_OK && !fits)
        status = kn_fail(error, KN_INPUT, "\"%.80s\": its numbers add up to more than %g", word,
                         (double)MOST);
    if (status == KN_OK) distribution->conditions[distribution->condition_count++] = condition;
    return status;
}

static KnStatus read_start(KnTrialDistribution *distribution, const char *word, const char *name,
                           KnError *error)
{
    for (size_t i = 0; i < STARTS; i++) {
        if (strcasecmp(starts[i].name, name) != 0) continue;
        distribution->starts = starts[i].mask;
        return KN_OK;
    }
    return kn_fail(error, KN_INPUT, "\"%.80s\": a start is CC, CD, DC, DD, same, mixed or random", word);
}

KnStatus kn_trial_distribution_word(KnTrialDistribution *distribution, const char *word, KnError *error)
{
    const char *operator= strpbrk(word, "<>");
    if (operator) return read_condition(distribution, word, operator, error);
    if (strncasecmp(word, "start=", 6) == 0) return read_start(distribution, word, word + 6, error);
    KnTrialNumber number;
    KnRange range;
    KnStatus status = kn_range_word(word, &number, &range, error);
    if (status != KN_OK) return status;
    distribution->ranges[number] = range;
    if (number == KN_TRIAL_LAMBDA2) distribution->own_lambda = true;
    return KN_OK;
}

/* The least and the most that a number can be. */
static void bounds(const KnTrialDistribution *distribution, int number, double *least, double *most)
{
    const KnRange *range = &distribution->ranges[number];
    double low = 0, high = 0, unused;
    if (range->above >= 0) bounds(distribution, range->above, &low, &unused);
    if (range->below >= 0) bounds(distribution, range->below, &unused, &high);
    *least = low + range->low;
    *most = high + range->high;
}

KnStatus kn_trial_distribution_check(const KnTrialDistribution *distribution, KnError *error)
{
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++) {
        const KnRange *range = &distribution->ranges[i];
        KnStatus status = check_range(range, i, kn_trial_names[i], error);
        if (status != KN_OK) return status;
        double begins = 0, ends = 0, unused;
        if (range->above == range->below)
            continue; /* plain, or a fixed way from one number: checked above, or in order anyhow */
        if (range->above >= 0) bounds(distribution, range->above, &unused, &begins);
        if (range->below >= 0) bounds(distribution, range->below, &ends, &unused);
        begins += range->low, ends += range->high;
        if (!(begins <= ends))
            return kn_fail(error, KN_INPUT, "the range of %s can begin as high as %g and end as low as %g",
                           kn_trial_names[i], begins, ends);
    }
    return distribution->starts ? KN_OK : kn_fail(error, KN_INPUT, "there is no start to begin with");
}

static void condition_text(const KnCondition *condition, KnText *out)
{
    bool first = true;
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++) {
        double factor = condition->factors[i];
        if (factor == 0) continue;
        if (factor < 0)
            kn_text_add_char(out, '-');
        else if (!first)
            kn_text_add_char(out, '+');
        if (fabs(factor) != 1) {
            kn_text_add_real(out, fabs(factor));
            kn_text_add_char(out, '*');
        }
        kn_text_add(out, kn_trial_names[i]);
        first = false;
    }
    if (first) kn_text_add_char(out, '0');
    kn_text_add(out, condition->strict ? ">" : ">=");
    kn_text_add_real(out, condition->constant == 0 ? 0 : -condition->constant);
}

static void start_text(unsigned mask, KnText *out)
{
    const char *name = "random";
    for (size_t i = 0; i < STARTS; i++)
        if (starts[i].mask == mask) name = starts[i].name;
    kn_text_printf(out, " start=%s", name);
}

static void end_text(int of, double value, KnText *out)
{
    if (of >= 0) kn_text_add(out, kn_trial_names[of]);
    if (of >= 0 && value == 0) return;
    if (of >= 0 && value > 0) kn_text_add_char(out, '+');
    kn_text_add_real(out, value);
}

void kn_trial_distribution_text(const KnTrialDistribution *distribution, KnText *out)
{
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++) {
        const KnRange *range = &distribution->ranges[i];
        if (i == KN_TRIAL_LAMBDA2 && !distribution->own_lambda) continue;
        kn_text_printf(out, "%s%s=", i ? " " : "", kn_trial_names[i]);
        end_text(range->above, range->low, out);
        if (range->above == range->below && range->low == range->high) continue;
        kn_text_add(out, "..");
        end_text(range->below, range->high, out);
    }
    start_text(distribution->starts, out);
    for (int i = 0; i < distribution->condition_count; i++) {
        kn_text_add_char(out, ' ');
        condition_text(&distribution->conditions[i], out);
    }
}

void kn_trial_text(const KnTrial *trial, KnText *out)
{
    const double *n = trial->numbers;
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++) {
        bool usual = (i == KN_TRIAL_TEMPTATION && n[i] == 1) || (i == KN_TRIAL_SUCKER && n[i] == 0) ||
                     (i == KN_TRIAL_LAMBDA2 && n[i] == n[KN_TRIAL_LAMBDA]);
        if (usual) continue;
        kn_text_printf(out, "%s%s=", i ? " " : "", kn_trial_names[i]);
        kn_text_add_real(out, n[i]);
    }
    start_text(1u << trial->start, out);
}

/* ---- drawing ---- */

static bool meets(const KnTrialDistribution *distribution, const double *numbers)
{
    for (int i = 0; i < distribution->condition_count; i++) {
        const KnCondition *condition = &distribution->conditions[i];
        double value = condition->constant;
        for (int k = 0; k < KN_TRIAL_NUMBERS; k++) value += condition->factors[k] * numbers[k];
        if (condition->strict ? !(value > 0) : !(value >= 0)) return false;
    }
    return true;
}

static void draw(const KnTrialDistribution *distribution, KnRng *rng, double *numbers)
{
    for (int i = 0; i < KN_TRIAL_NUMBERS; i++) {
        const KnRange *range = &distribution->ranges[i];
        double low = range->low, width = range->high - low;
        if (range->above >= 0 || range->below >= 0) {
            double high = range->high + (range->below < 0 ? 0 : numbers[range->below]);
            low += range->above < 0 ? 0 : numbers[range->above];
            width = high - low;
        }
        if (i == KN_TRIAL_LAMBDA2 && !distribution->own_lambda)
            numbers[i] = numbers[KN_TRIAL_LAMBDA];
        else
            numbers[i] = width > 0 ? low + width * kn_rng_real(rng) : low;
    }
}

bool kn_trial_draw(const KnTrialDistribution *distribution, uint64_t seed, uint64_t index, KnTrial *trial)
{
    enum { TRIES = 1000000 };
    KnRng rng = kn_rng_stream(seed, index);
    int tries = 0;
    do {
        if (tries++ == TRIES) return false;
        draw(distribution, &rng, trial->numbers);
    } while (distribution->condition_count && !meets(distribution, trial->numbers));
    unsigned mask = distribution->starts;
    uint32_t skip = (mask & (mask - 1)) ? kn_rng_below(&rng, (uint32_t)__builtin_popcount(mask)) : 0;
    while (skip--) mask &= mask - 1;
    trial->start = __builtin_ctz(mask);
    return true;
}

bool kn_trial_is_dilemma(const KnTrial *trial)
{
    const double *n = trial->numbers;
    return n[KN_TRIAL_TEMPTATION] > n[KN_TRIAL_SIGMA] && n[KN_TRIAL_SIGMA] > n[KN_TRIAL_DELTA] &&
           n[KN_TRIAL_DELTA] > n[KN_TRIAL_SUCKER];
}
