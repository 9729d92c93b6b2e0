/* Running trials. The quick way keeps the last 32 joint actions in one word of two bits each and looks at
 * short periods only; whatever is not settled by then goes to the settler, from the start. */
#include "learn/aspiration_trials.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"

enum { QUICK_ROUNDS = 30, QUICK_PERIOD = 8, CHUNK = 4096 };

KnStage kn_trial_stage(const KnTrial *trial, double *payoffs, KnAspirant agents[2])
{
    const double *n = trial->numbers;
    const double table[8] = {n[KN_TRIAL_SIGMA],      n[KN_TRIAL_SIGMA],      n[KN_TRIAL_SUCKER],
                             n[KN_TRIAL_TEMPTATION], n[KN_TRIAL_TEMPTATION], n[KN_TRIAL_SUCKER],
                             n[KN_TRIAL_DELTA],      n[KN_TRIAL_DELTA]};
    memcpy(payoffs, table, sizeof table);
    agents[0] = (KnAspirant){n[KN_TRIAL_LAMBDA], n[KN_TRIAL_ALPHA], trial->start >> 1};
    agents[1] = (KnAspirant){n[KN_TRIAL_LAMBDA2], n[KN_TRIAL_BETA], trial->start & 1};
    return (KnStage){.agents = 2, .actions = {2, 2}, .payoffs = payoffs};
}

/* ---- words as codes ---- */

uint32_t kn_code_period(uint64_t code) { return (63 - (uint32_t)__builtin_clzll(code)) / 2; }

static uint64_t code_of(const uint16_t *word, uint32_t period)
{
    if (period > KN_CODE_PERIOD) return 0;
    uint64_t code = 1;
    for (uint32_t k = 0; k < period; k++) code = code << 2 | word[k];
    return code;
}

/* As kn_word_normalise does: later actions count lower, so that complements are compared; the largest is the
 * least. */
uint64_t kn_code_normalise(uint64_t code)
{
    uint32_t bits = 2 * kn_code_period(code);
    uint64_t mask = ((uint64_t)1 << bits) - 1, word = code & mask, best = 0;
    const uint64_t firsts = 0xaaaaaaaaaaaaaaaau; /* bits of the first agent */
    uint64_t other = (word & firsts) >> 1 | (word << 1 & firsts & mask);
    for (uint32_t k = 0; k < bits; k += 2) {
        if (word > best) best = word;
        if (other > best) best = other;
        word = (word << 2 & mask) | word >> (bits - 2);
        other = (other << 2 & mask) | other >> (bits - 2);
    }
    return (mask + 1) | best;
}

void kn_code_text(uint64_t code, KnText *out)
{
    for (uint32_t k = kn_code_period(code); k-- > 0;) {
        unsigned cell = (unsigned)(code >> 2 * k) & 3;
        kn_text_add_char(out, cell & 2 ? 'D' : 'C');
        kn_text_add_char(out, cell & 1 ? 'D' : 'C');
        if (k) kn_text_add_char(out, '-');
    }
}

/* ---- one trial ---- */

/* A cycle in the last rounds, newest joint action (the coming one) lowest in `past`. */
static bool find_short(const KnStage *stage, const KnAspirant *agents, uint64_t past, uint32_t played,
                       KnBrief *brief)
{
    for (uint32_t n = 2; n <= QUICK_PERIOD && 2 * n <= played; n++) {
        uint64_t differs = past ^ past >> 2 * n;
        if (differs & (((uint64_t)1 << 2 * n) - 1)) continue;
        uint16_t word[QUICK_PERIOD];
        for (uint32_t k = 0; k < n; k++) word[k] = past >> 2 * (n - k) & 3;
        if (!kn_word_lasts(stage, agents, word, n)) continue;
        uint32_t most = played + 1 - n; /* beyond it there is nothing to compare with */
        uint32_t matches = differs ? (uint32_t)__builtin_ctzll(differs) / 2 : most;
        if (matches > most) matches = most;
        brief->start = most - matches;
        brief->period = n;
        uint64_t mask = ((uint64_t)1 << 2 * n) - 1;
        brief->code = (mask + 1) | (past >> 2 * (matches)&mask);
        return true;
    }
    return false;
}

KnBrief kn_trial_settle(KnSettler *settler, const KnTrial *trial)
{
    static const uint32_t looks = 1u << 6 | 1u << 8 | 1u << 12 | 1u << 16 | 1u << 22 |
                                  1u << QUICK_ROUNDS; /* after how many rounds */
    double table[8];
    KnAspirant agents[2];
    KnStage stage = kn_trial_stage(trial, table, agents);
    KnBrief brief = {0};
    double a = agents[0].aspiration, b = agents[1].aspiration, lambda_a = agents[0].lambda,
           lambda_b = agents[1].lambda;
    unsigned cell = (unsigned)trial->start;
    uint64_t past = cell;
    /* What comes near enough for doubts about rounding is left to the settler. */
    double nearest = HUGE_VAL, near = 1e-12 * (fabs(table[0]) + fabs(table[2]) + fabs(table[3]) +
                                               fabs(table[7]) + fabs(a) + fabs(b));
    for (uint32_t played = 0; played < QUICK_ROUNDS;) {
        double pay_a = table[2 * cell], pay_b = table[2 * cell + 1];
        unsigned change = (unsigned)!kn_satisfied(a, pay_a) << 1 | (unsigned)!kn_satisfied(b, pay_b);
        double near_a = fabs(pay_a - a), near_b = fabs(pay_b - b);
        nearest = near_a < nearest ? near_a : nearest;
        nearest = near_b < nearest ? near_b : nearest;
        if (!change) {
            if (nearest < near) break;
            return (KnBrief){1, played, 4 | cell};
        }
        a = kn_aspire(a, lambda_a, pay_a);
        b = kn_aspire(b, lambda_b, pay_b);
        cell ^= change;
        past = past << 2 | cell;
        played++;
        if (looks >> played & 1 && find_short(&stage, agents, past, played, &brief)) {
            if (nearest < near) break;
            return brief;
        }
    }
    KnOutcome outcome = kn_settle(settler, &stage, agents);
    return (KnBrief){outcome.period, outcome.start,
                     outcome.period ? code_of(outcome.word, outcome.period) : 0};
}

/* ---- tallies ---- */

/* A worker's counts: the words of up to four rounds in a table of their own, the few others in an open hash.
 */
typedef struct Counts {
    KnTally total;
    uint64_t brief[1 << 9]; /* by code, as it came */
    KnTallyRow *slots;
    size_t used, room;
    KnSettler *settler;
    bool failed;
} Counts;

static size_t slot_of(const Counts *counts, uint64_t code, uint32_t period)
{
    size_t at = (size_t)kn_mix64(code + period) & (counts->room - 1);
    while (counts->slots[at].count && (counts->slots[at].code != code || counts->slots[at].period != period))
        at = (at + 1) & (counts->room - 1);
    return at;
}

static void grow(Counts *counts)
{
    Counts larger = {.room = counts->room ? 2 * counts->room : 64};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots) {
        counts->failed = true;
        return;
    }
    for (size_t i = 0; i < counts->room; i++)
        if (counts->slots[i].count)
            larger.slots[slot_of(&larger, counts->slots[i].code, counts->slots[i].period)] = counts->slots[i];
    free(counts->slots);
    counts->slots = larger.slots;
    counts->room = larger.room;
}

static void count_word(Counts *counts, uint64_t code, uint32_t period, uint64_t times)
{
    if (2 * counts->used >= counts->room) grow(counts);
    if (counts->failed) return;
    KnTallyRow *row = &counts->slots[slot_of(counts, code, period)];
    if (!row->count) counts->used++;
    *row = (KnTallyRow){code, period, row->count + times};
}

static void mark_high(KnTallyMark *mark, uint32_t rounds, uint64_t index)
{
    if (mark->any && (mark->rounds > rounds || (mark->rounds == rounds && mark->index <= index))) return;
    *mark = (KnTallyMark){true, rounds, index};
}

static void mark_low(KnTallyMark *mark, uint32_t rounds, uint64_t index)
{
    if (mark->any && (mark->rounds < rounds || (mark->rounds == rounds && mark->index <= index))) return;
    *mark = (KnTallyMark){true, rounds, index};
}

static void count_trial(Counts *counts, const KnTrial *trial, uint64_t index)
{
    KnBrief brief = kn_trial_settle(counts->settler, trial);
    KnTally *total = &counts->total;
    total->trials++;
    total->no_dilemma += !kn_trial_is_dilemma(trial);
    if (!brief.period) {
        total->unsettled++;
        return;
    }
    total->rounds += brief.start;
    mark_high(&total->slowest, brief.start, index);
    mark_high(&total->longest, brief.period, index);
    if (brief.code != (4 | KN_CC)) mark_low(&total->soonest, brief.start, index);
    if (brief.period <= 4)
        counts->brief[brief.code]++;
    else
        count_word(counts, brief.code ? kn_code_normalise(brief.code) : 0, brief.period, 1);
}

static int by_period(const void *a, const void *b)
{
    const KnTallyRow *x = a, *y = b;
    if (x->period != y->period) return x->period < y->period ? -1 : 1;
    return x->code < y->code ? -1 : x->code > y->code;
}

/* Everything here is a sum, a least or a greatest, so that the order of workers does not matter. */
static void add_totals(KnTally *to, const KnTally *from)
{
    to->trials += from->trials;
    to->unsettled += from->unsettled;
    to->no_dilemma += from->no_dilemma;
    to->rounds += from->rounds;
    if (from->slowest.any) mark_high(&to->slowest, from->slowest.rounds, from->slowest.index);
    if (from->longest.any) mark_high(&to->longest, from->longest.rounds, from->longest.index);
    if (from->soonest.any) mark_low(&to->soonest, from->soonest.rounds, from->soonest.index);
}

static void merge(Counts *all, Counts *counts)
{
    KnTally *to = &all->total;
    add_totals(to, &counts->total);
    for (uint64_t code = 4; code < sizeof counts->brief / sizeof *counts->brief; code++) {
        if (!counts->brief[code]) continue;
        uint32_t period = kn_code_period(code);
        if (period == 1) to->fixed[code & 3] += counts->brief[code];
        count_word(all, period == 1 ? code : kn_code_normalise(code), period, counts->brief[code]);
    }
    for (size_t i = 0; i < counts->room; i++)
        if (counts->slots[i].count)
            count_word(all, counts->slots[i].code, counts->slots[i].period, counts->slots[i].count);
    all->failed |= counts->failed;
}

static KnStatus finish(Counts *all, KnTally *tally, KnError *error)
{
    if (all->failed) return kn_fail_memory(error, "counting trials");
    *tally = all->total;
    for (size_t i = 0; i < all->room; i++)
        if (all->slots[i].count) all->slots[tally->row_count++] = all->slots[i];
    if (tally->row_count) qsort(all->slots, tally->row_count, sizeof *all->slots, by_period);
    tally->rows = all->slots;
    all->slots = NULL;
    tally->cycles = tally->trials - tally->unsettled;
    for (int i = 0; i < 4; i++) tally->cycles -= tally->fixed[i];
    return KN_OK;
}

void kn_tally_free(KnTally *tally)
{
    free(tally->rows);
    tally->rows = NULL;
}

uint64_t kn_tally_count(const KnTally *tally, uint64_t code)
{
    for (size_t i = 0; i < tally->row_count; i++)
        if (tally->rows[i].code == code) return tally->rows[i].count;
    return 0;
}

/* ---- many trials ---- */

typedef struct Work {
    const KnTrialPlan *plan;
    Counts *workers; /* one more than threads, for what comes from elsewhere */
    int count;
    const KnMapAxis *x, *y;
    KnMapPoint *points;
} Work;

static KnStatus no_trial(KnError *error)
{
    return kn_fail(error, KN_INPUT, "the conditions refused a million draws in a row: can they hold at all?");
}

static KnStatus run_chunk(void *user, int worker, uint64_t chunk, KnError *error)
{
    const Work *work = user;
    const KnTrialPlan *plan = work->plan;
    uint64_t end = (chunk + 1) * CHUNK < plan->trials ? (chunk + 1) * CHUNK : plan->trials;
    for (uint64_t i = chunk * CHUNK; i < end; i++) {
        KnTrial trial;
        if (!kn_deal_trial(&plan->deal, plan->seed, i, &trial)) return no_trial(error);
        count_trial(&work->workers[worker], &trial, i);
    }
    kn_progress_tick(plan->progress, end - chunk * CHUNK);
    return KN_OK;
}

static KnStatus open_workers(Work *work, KnError *error)
{
    const KnTrialPlan *plan = work->plan;
    KnStatus status = kn_deal_check(&plan->deal, error);
    if (status != KN_OK) return status;
    int jobs = kn_jobs(plan->jobs);
    work->workers = calloc((size_t)jobs + 1, sizeof *work->workers);
    if (!work->workers) return kn_fail_memory(error, "preparing trials");
    work->count = jobs + 1;
    for (int i = 0; i < jobs; i++) {
        work->workers[i].settler = kn_settler_new(plan->rounds ? plan->rounds : KN_SETTLER_ROUNDS);
        if (!work->workers[i].settler) return kn_fail_memory(error, "preparing trials");
    }
    return KN_OK;
}

static void close_workers(Work *work)
{
    for (int i = 0; work->workers && i < work->count; i++) {
        if (work->workers[i].settler) kn_settler_free(work->workers[i].settler);
        free(work->workers[i].slots);
    }
    free(work->workers);
}

/* ---- trials elsewhere ---- */

/* A helper's things: for trials, or for points of a map. */
typedef struct Away {
    Work work;
    KnTrialPlan plan;
    KnMapAxis x, y;
} Away;
_Static_assert(offsetof(Away, work) == 0, "a task takes an Away for its Work");

/* Plans and axes are plain values but for what the last of the plan's members point to. */
static void write_brief(const Work *work, KnText *brief)
{
    static const KnMapAxis none;
    kn_pack_bytes(brief, work->plan, sizeof *work->plan);
    kn_pack_bytes(brief, work->x ? work->x : &none, sizeof none);
    kn_pack_bytes(brief, work->y ? work->y : &none, sizeof none);
}

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "preparing trials");
    kn_unpack_into(&post->brief, &away->plan, sizeof away->plan);
    kn_unpack_into(&post->brief, &away->x, sizeof away->x);
    kn_unpack_into(&post->brief, &away->y, sizeof away->y);
    if (!kn_unpack_ok(&post->brief)) return kn_fail(error, KN_SYSTEM, "trials came over in parts");
    away->plan.jobs = post->jobs;
    away->plan.cancel = post->cancel;
    away->plan.progress = NULL;
    away->plan.context = NULL;
    away->work = (Work){.plan = &away->plan, .x = &away->x, .y = &away->y};
    if (away->x.points)
        away->work.points = calloc((size_t)away->x.points * (size_t)away->y.points,
                                   sizeof *away->work.points);
    if (away->x.points && !away->work.points) return kn_fail_memory(error, "preparing trials");
    return open_workers(&away->work, error);
}

static void close_away(void *user)
{
    Away *away = user;
    close_workers(&away->work);
    free(away->work.points);
    free(away);
}

/* What the thread has counted, which then begins anew. */
static void pack_counts(void *user, int worker, uint64_t chunk, KnText *out)
{
    (void)chunk;
    Counts *counts = &((Work *)user)->workers[worker];
    uint64_t few = 0;
    for (uint64_t code = 0; code < sizeof counts->brief / sizeof *counts->brief; code++)
        few += counts->brief[code] != 0;
    kn_pack_bytes(out, &counts->total, sizeof counts->total);
    kn_pack_int(out, counts->failed);
    kn_pack_u64(out, few);
    for (uint64_t code = 0; code < sizeof counts->brief / sizeof *counts->brief; code++) {
        if (!counts->brief[code]) continue;
        kn_pack_u64(out, code);
        kn_pack_u64(out, counts->brief[code]);
    }
    for (size_t i = 0; i < counts->room; i++)
        if (counts->slots[i].count) kn_pack_bytes(out, &counts->slots[i], sizeof *counts->slots);
    memset(&counts->total, 0, sizeof counts->total);
    memset(counts->brief, 0, sizeof counts->brief);
    if (counts->room) memset(counts->slots, 0, counts->room * sizeof *counts->slots);
    counts->used = 0;
}

static KnStatus unpack_counts(void *user, int worker, uint64_t chunk, KnUnpack *in, KnError *error)
{
    (void)chunk;
    const Work *work = user;
    Counts *counts = &work->workers[worker];
    KnTally came;
    kn_unpack_into(in, &came, sizeof came);
    counts->failed |= kn_unpack_int(in) != 0;
    add_totals(&counts->total, &came);
    for (uint64_t few = kn_unpack_u64(in); few && !in->short_of; few--) {
        uint64_t code = kn_unpack_u64(in), times = kn_unpack_u64(in);
        if (code < sizeof counts->brief / sizeof *counts->brief) counts->brief[code] += times;
    }
    while (in->left) {
        KnTallyRow row;
        kn_unpack_into(in, &row, sizeof row);
        count_word(counts, row.code, row.period, row.count);
    }
    kn_progress_tick(work->plan->progress, came.trials);
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "counts came over in parts");
}

const KnDuty kn_trials_duty = {
    "trials",     "trials of satisficing agents", open_away, close_away, NULL, run_chunk, pack_counts,
    unpack_counts};

static KnStatus share_out(Work *work, const KnDuty *duty, uint64_t count, KnError *error)
{
    const KnTrialPlan *plan = work->plan;
    KnErrand *errand = NULL;
    KnText brief = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    write_brief(work, &brief);
    if (plan->context) status = kn_errand_open(plan->context, duty, plan->jobs, 0, &brief, &errand, error);
    kn_text_free(&brief);
    if (status == KN_OK)
        status = kn_errand_run(errand, duty, NULL, plan->jobs, count, 0, NULL, work, plan->cancel, error);
    kn_errand_close(errand);
    return status;
}

KnStatus kn_trials_run(const KnTrialPlan *plan, KnTally *tally, KnError *error)
{
    *tally = (KnTally){0};
    Work work = {.plan = plan};
    KnStatus status = open_workers(&work, error);
    if (status == KN_OK)
        status = share_out(&work, &kn_trials_duty, (plan->trials + CHUNK - 1) / CHUNK, error);
    if (status == KN_OK) {
        Counts all = {0};
        for (int i = 0; i < work.count; i++) merge(&all, &work.workers[i]);
        status = finish(&all, tally, error);
        free(all.slots);
    }
    close_workers(&work);
    return status;
}

/* ---- maps ---- */

double kn_map_place(const KnMapAxis *axis, int point)
{
    return axis->low + (axis->high - axis->low) * (point + .5) / axis->points;
}

/* Whether conditions on numbers that do not vary leave anything to draw. */
static bool is_possible(const KnDeal *deal)
{
    for (int i = 0; i < deal->condition_count; i++) {
        const KnCondition *condition = &deal->conditions[i];
        double value = condition->constant;
        bool varies = false;
        for (int k = 0; k < KN_TRIAL_NUMBERS; k++) {
            const KnRange *range = &deal->ranges[k];
            if (condition->factors[k] == 0) continue;
            varies |= range->above >= 0 || range->below >= 0 || range->low < range->high ||
                      k == KN_TRIAL_LAMBDA2;
            value += condition->factors[k] * range->low;
        }
        if (!varies && (condition->strict ? !(value > 0) : !(value >= 0))) return false;
    }
    return true;
}

static KnStatus run_point(void *user, int worker, uint64_t at, KnError *error)
{
    const Work *work = user;
    const KnTrialPlan *plan = work->plan;
    KnDeal deal = plan->deal;
    double x = kn_map_place(work->x, (int)(at % (uint64_t)work->x->points));
    double y = kn_map_place(work->y, (int)(at / (uint64_t)work->x->points));
    deal.ranges[work->x->number] = (KnRange){x, x, -1, -1};
    deal.ranges[work->y->number] = (KnRange){y, y, -1, -1};
    KnMapPoint point = {0};
    for (uint64_t i = 0; i < plan->trials && is_possible(&deal); i++) {
        KnTrial trial;
        if (!kn_deal_trial(&deal, plan->seed, at * plan->trials + i, &trial)) return no_trial(error);
        KnBrief brief = kn_trial_settle(work->workers[worker].settler, &trial);
        if (!brief.period)
            point.unsettled++;
        else if (brief.period > 1)
            point.cycles++;
        else if (brief.code == (4 | KN_CC))
            point.cooperation++;
        else if (brief.code == (4 | KN_DD))
            point.defection++;
        else
            point.unequal++;
    }
    work->points[at] = point;
    kn_progress_tick(plan->progress, plan->trials);
    return KN_OK;
}

static void pack_point(void *user, int worker, uint64_t at, KnText *out)
{
    (void)worker;
    kn_pack_bytes(out, &((Work *)user)->points[at], sizeof(KnMapPoint));
}

static KnStatus unpack_point(void *user, int worker, uint64_t at, KnUnpack *in, KnError *error)
{
    (void)worker;
    const Work *work = user;
    kn_unpack_into(in, &work->points[at], sizeof *work->points);
    kn_progress_tick(work->plan->progress, work->plan->trials);
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "a point came over in parts");
}

const KnDuty kn_map_duty = {
    "map", "points of a map of trials", open_away, close_away, NULL, run_point, pack_point, unpack_point};

KnStatus kn_trials_map(const KnTrialPlan *plan, const KnMapAxis *x, const KnMapAxis *y, KnMapPoint *points,
                       KnError *error)
{
    if (x->number == y->number)
        return kn_fail(error, KN_INPUT, "a map needs two different numbers, not %s twice",
                       kn_trial_names[x->number]);
    KnTrialPlan mine = *plan;
    mine.deal.ranges[x->number] = (KnRange){x->low, x->high, -1, -1};
    mine.deal.ranges[y->number] = (KnRange){y->low, y->high, -1, -1};
    if (x->number == KN_TRIAL_LAMBDA2 || y->number == KN_TRIAL_LAMBDA2) mine.deal.own_lambda = true;
    Work work = {.plan = &mine, .x = x, .y = y, .points = points};
    KnStatus status = open_workers(&work, error);
    if (status == KN_OK)
        status = share_out(&work, &kn_map_duty, (uint64_t)x->points * (uint64_t)y->points, error);
    close_workers(&work);
    return status;
}
