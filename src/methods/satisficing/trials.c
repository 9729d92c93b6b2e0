/* Running trials. The quick way keeps the last 32 joint actions in one word of two bits each and looks at
 * short periods only; whatever is not settled by then goes to the settler, from the start. */
#include "methods/satisficing/trials.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "jobs/job.h"

enum { QUICK_ROUNDS = 30, QUICK_PERIOD = 8, CHUNK = 4096 };

/* Section 4, figure 3. */
KnStageGame kn_trial_stage(const KnTrial *trial, double *payoffs, KnAspirationAgent agents[2])
{
    const double *n = trial->numbers;
    const double table[8] = {n[KN_TRIAL_SIGMA],      n[KN_TRIAL_SIGMA],      n[KN_TRIAL_SUCKER],
                             n[KN_TRIAL_TEMPTATION], n[KN_TRIAL_TEMPTATION], n[KN_TRIAL_SUCKER],
                             n[KN_TRIAL_DELTA],      n[KN_TRIAL_DELTA]};
    memcpy(payoffs, table, sizeof table);
    agents[0] = (KnAspirationAgent){n[KN_TRIAL_LAMBDA], n[KN_TRIAL_ALPHA], trial->start >> 1};
    agents[1] = (KnAspirationAgent){n[KN_TRIAL_LAMBDA2], n[KN_TRIAL_BETA], trial->start & 1};
    return (KnStageGame){.agents = 2, .actions = {2, 2}, .payoffs = payoffs};
}

/* ---- words as codes ---- */

uint32_t kn_cycle_code_period(uint64_t code) { return (63 - (uint32_t)__builtin_clzll(code)) / 2; }

static uint64_t code_of(const uint16_t *word, uint32_t period)
{
    if (period > KN_CYCLE_CODE_PERIOD) return 0;
    uint64_t code = 1;
    for (uint32_t k = 0; k < period; k++) code = code << 2 | word[k];
    return code;
}

uint64_t kn_cycle_code_normalise(uint64_t code)
{
    KN_ASSERT(code >= 4 && kn_cycle_code_period(code) <= KN_CYCLE_CODE_PERIOD);
    uint32_t bits = 2 * kn_cycle_code_period(code);
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

void kn_cycle_code_text(uint64_t code, KnText *out)
{
    for (uint32_t k = kn_cycle_code_period(code); k-- > 0;) {
        unsigned cell = (unsigned)(code >> 2 * k) & 3;
        kn_text_add_char(out, cell & 2 ? 'D' : 'C');
        kn_text_add_char(out, cell & 1 ? 'D' : 'C');
        if (k) kn_text_add_char(out, '-');
    }
}

/* ---- one trial ---- */

/* A cycle in the last rounds, newest joint action (the coming one) lowest in `past`. */
static bool find_short(const KnStageGame *stage, const KnAspirationAgent *agents, uint64_t past,
                       uint32_t played, KnTrialOutcome *payload)
{
    for (uint32_t n = 2; n <= QUICK_PERIOD && 2 * n <= played; n++) {
        uint64_t differs = past ^ past >> 2 * n;
        if (differs & (((uint64_t)1 << 2 * n) - 1)) continue;
        uint16_t word[QUICK_PERIOD];
        for (uint32_t k = 0; k < n; k++) word[k] = past >> 2 * (n - k) & 3;
        if (!kn_cycle_is_stable(stage, agents, word, n)) continue;
        uint32_t most = played + 1 - n; /* beyond it there is nothing to compare with */
        uint32_t matches = differs ? (uint32_t)__builtin_ctzll(differs) / 2 : most;
        if (matches > most) matches = most;
        payload->start = most - matches;
        payload->period = n;
        uint64_t mask = ((uint64_t)1 << 2 * n) - 1;
        payload->code = (mask + 1) | (past >> 2 * (matches)&mask);
        return true;
    }
    return false;
}

KnTrialOutcome kn_trial_settle(KnSettler *settler, const KnTrial *trial)
{
    static const uint32_t looks = 1u << 6 | 1u << 8 | 1u << 12 | 1u << 16 | 1u << 22 |
                                  1u << QUICK_ROUNDS; /* after how many rounds */
    double table[8];
    KnAspirationAgent agents[2];
    KnStageGame stage = kn_trial_stage(trial, table, agents);
    KnTrialOutcome payload = {0};
    double a = agents[0].aspiration, b = agents[1].aspiration, lambda_a = agents[0].lambda,
           lambda_b = agents[1].lambda;
    unsigned cell = (unsigned)trial->start;
    uint64_t past = cell;
    /* Where rounding may matter, the settler decides. */
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
            return (KnTrialOutcome){1, played, 4 | cell};
        }
        a = kn_update_aspiration(a, lambda_a, pay_a);
        b = kn_update_aspiration(b, lambda_b, pay_b);
        cell ^= change;
        past = past << 2 | cell;
        played++;
        if (looks >> played & 1 && find_short(&stage, agents, past, played, &payload)) {
            if (nearest < near) break;
            return payload;
        }
    }
    KnOutcome outcome = kn_settle(settler, &stage, agents);
    return (KnTrialOutcome){outcome.period, outcome.start,
                            outcome.period ? code_of(outcome.word, outcome.period) : 0};
}

/* ---- tallies ---- */

/* A worker's counts: the words of up to four rounds in a table of their own, the few others in an open hash.
 */
typedef struct Counts {
    KnOutcomeCounts total;
    uint64_t payload[1 << 9]; /* by code, as it came */
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
    KnTrialOutcome payload = kn_trial_settle(counts->settler, trial);
    KnOutcomeCounts *total = &counts->total;
    total->trials++;
    total->no_dilemma += !kn_trial_is_dilemma(trial);
    if (!payload.period) {
        total->unsettled++;
        return;
    }
    total->rounds += payload.start;
    mark_high(&total->slowest, payload.start, index);
    mark_high(&total->longest, payload.period, index);
    if (payload.code != (4 | KN_CC)) mark_low(&total->soonest, payload.start, index);
    if (payload.period <= 4)
        counts->payload[payload.code]++;
    else
        count_word(counts, payload.code ? kn_cycle_code_normalise(payload.code) : 0, payload.period, 1);
}

static int by_period(const void *a, const void *b)
{
    const KnTallyRow *x = a, *y = b;
    if (x->period != y->period) return x->period < y->period ? -1 : 1;
    return x->code < y->code ? -1 : x->code > y->code;
}

/* Everything here is a sum, a least or a greatest, so that the order of workers does not matter. */
static void add_totals(KnOutcomeCounts *to, const KnOutcomeCounts *from)
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
    KnOutcomeCounts *to = &all->total;
    add_totals(to, &counts->total);
    for (uint64_t code = 4; code < sizeof counts->payload / sizeof *counts->payload; code++) {
        if (!counts->payload[code]) continue;
        uint32_t period = kn_cycle_code_period(code);
        if (period == 1) to->fixed[code & 3] += counts->payload[code];
        count_word(all, period == 1 ? code : kn_cycle_code_normalise(code), period, counts->payload[code]);
    }
    for (size_t i = 0; i < counts->room; i++)
        if (counts->slots[i].count)
            count_word(all, counts->slots[i].code, counts->slots[i].period, counts->slots[i].count);
    all->failed |= counts->failed;
}

static KnStatus finish(Counts *all, KnOutcomeCounts *tally, KnError *error)
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

void kn_tally_free(KnOutcomeCounts *tally)
{
    free(tally->rows);
    tally->rows = NULL;
}

uint64_t kn_tally_count(const KnOutcomeCounts *tally, uint64_t code)
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
    const KnOutcomeMapAxis *x, *y;
    KnOutcomeMapPoint *points;
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
        if (!kn_trial_draw(&plan->trial, plan->seed, i, &trial)) return no_trial(error);
        count_trial(&work->workers[worker], &trial, i);
    }
    kn_progress_tick(plan->progress, end - chunk * CHUNK);
    return KN_OK;
}

static KnStatus open_workers(Work *work, KnError *error)
{
    const KnTrialPlan *plan = work->plan;
    KnStatus status = kn_trial_distribution_check(&plan->trial, error);
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

/* ---- the jobs: trials, and points of a map ---- */

typedef struct Payload {
    KnTrialPlan plan;
    KnOutcomeMapAxis x, y; /* no points: trials */
} Payload;

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    Work *work = *user = calloc(1, sizeof *work);
    if (!work) return kn_fail_memory(error, "preparing trials");
    Payload *sent = payload;
    sent->plan.jobs = site->jobs;
    sent->plan.cancel = site->cancel;
    *work = (Work){.plan = &sent->plan, .x = &sent->x, .y = &sent->y};
    if (sent->x.points)
        work->points = calloc((size_t)sent->x.points * (size_t)sent->y.points, sizeof *work->points);
    if (sent->x.points && !work->points) return kn_fail_memory(error, "preparing trials");
    return open_workers(work, error);
}

static void close_job(void *user)
{
    Work *work = user;
    close_workers(work);
    free(work->points);
    free(work);
}

/* What the thread has counted, which then begins again. */
static void pack_counts(void *user, int worker, uint64_t chunk, KnText *out)
{
    (void)chunk;
    Counts *counts = &((Work *)user)->workers[worker];
    uint64_t few = 0;
    for (uint64_t code = 0; code < sizeof counts->payload / sizeof *counts->payload; code++)
        few += counts->payload[code] != 0;
    kn_pack_bytes(out, &counts->total, sizeof counts->total);
    kn_pack_int(out, counts->failed);
    kn_pack_u64(out, few);
    for (uint64_t code = 0; code < sizeof counts->payload / sizeof *counts->payload; code++) {
        if (!counts->payload[code]) continue;
        kn_pack_u64(out, code);
        kn_pack_u64(out, counts->payload[code]);
    }
    for (size_t i = 0; i < counts->room; i++)
        if (counts->slots[i].count) kn_pack_bytes(out, &counts->slots[i], sizeof *counts->slots);
    memset(&counts->total, 0, sizeof counts->total);
    memset(counts->payload, 0, sizeof counts->payload);
    if (counts->room) memset(counts->slots, 0, counts->room * sizeof *counts->slots);
    counts->used = 0;
}

static bool unpack_counts(void *user, int worker, uint64_t chunk, KnUnpack *in)
{
    (void)chunk;
    const Work *work = user;
    Counts *counts = &work->workers[worker];
    KnOutcomeCounts came;
    kn_unpack_into(in, &came, sizeof came);
    counts->failed |= kn_unpack_int(in) != 0;
    add_totals(&counts->total, &came);
    for (uint64_t few = kn_unpack_u64(in); few && !in->truncated; few--) {
        uint64_t code = kn_unpack_u64(in), times = kn_unpack_u64(in);
        if (code < sizeof counts->payload / sizeof *counts->payload) counts->payload[code] += times;
    }
    while (in->left) {
        KnTallyRow row;
        kn_unpack_into(in, &row, sizeof row);
        count_word(counts, row.code, row.period, row.count);
    }
    kn_progress_tick(work->plan->progress, came.trials);
    return true;
}

#define PAYLOAD                                                                                              \
    KN_LAYOUT(Payload, KN_PLAIN(Payload, plan.trial), KN_PLAIN(Payload, plan.trials),                        \
              KN_PLAIN(Payload, plan.seed), KN_PLAIN(Payload, plan.rounds), KN_PLAIN(Payload, x),            \
              KN_PLAIN(Payload, y))

const KnJobType kn_trials_job_type = {.name = "trials",
                                      .summary = "trials of satisficing agents",
                                      .payload = PAYLOAD,
                                      .open = open_job,
                                      .close = close_job,
                                      .run = run_chunk,
                                      .pack = pack_counts,
                                      .unpack = unpack_counts};

static KnStatus share_out(Work *work, const KnJobType *job_type, uint64_t count, KnError *error)
{
    const KnTrialPlan *plan = work->plan;
    static const KnOutcomeMapAxis none;
    Payload payload = {*plan, work->x ? *work->x : none, work->y ? *work->y : none};
    KnJobRun run = {.jobs = plan->jobs, .count = count, .user = work, .cancel = plan->cancel};
    return kn_job_run(plan->context, job_type, &payload, &run, error);
}

/* Section 4.2, figure 5. */
KnStatus kn_trials_run(const KnTrialPlan *plan, KnOutcomeCounts *tally, KnError *error)
{
    *tally = (KnOutcomeCounts){0};
    Work work = {.plan = plan};
    KnStatus status = open_workers(&work, error);
    if (status == KN_OK)
        status = share_out(&work, &kn_trials_job_type, (plan->trials + CHUNK - 1) / CHUNK, error);
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

double kn_outcome_map_place(const KnOutcomeMapAxis *axis, int point)
{
    return axis->low + (axis->high - axis->low) * (point + .5) / axis->points;
}

/* Whether conditions on numbers that do not vary leave anything to draw. */
static bool is_possible(const KnTrialDistribution *distribution)
{
    for (int i = 0; i < distribution->condition_count; i++) {
        const KnCondition *condition = &distribution->conditions[i];
        double value = condition->constant;
        bool varies = false;
        for (int k = 0; k < KN_TRIAL_NUMBERS; k++) {
            const KnRange *range = &distribution->ranges[k];
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
    KnTrialDistribution distribution = plan->trial;
    double x = kn_outcome_map_place(work->x, (int)(at % (uint64_t)work->x->points));
    double y = kn_outcome_map_place(work->y, (int)(at / (uint64_t)work->x->points));
    distribution.ranges[work->x->number] = (KnRange){x, x, -1, -1};
    distribution.ranges[work->y->number] = (KnRange){y, y, -1, -1};
    KnOutcomeMapPoint point = {0};
    for (uint64_t i = 0; i < plan->trials && is_possible(&distribution); i++) {
        KnTrial trial;
        if (!kn_trial_draw(&distribution, plan->seed, at * plan->trials + i, &trial)) return no_trial(error);
        KnTrialOutcome payload = kn_trial_settle(work->workers[worker].settler, &trial);
        if (!payload.period)
            point.unsettled++;
        else if (payload.period > 1)
            point.cycles++;
        else if (payload.code == (4 | KN_CC))
            point.cooperation++;
        else if (payload.code == (4 | KN_DD))
            point.defection++;
        else
            point.unequal++;
    }
    work->points[at] = point;
    kn_progress_tick(plan->progress, plan->trials);
    return KN_OK;
}

static void *point_slot(void *user, uint64_t at, uint64_t *count)
{
    (void)count;
    return &((Work *)user)->points[at];
}

static KnStatus received_point(void *user, uint64_t at, KnError *error)
{
    (void)at, (void)error;
    const Work *work = user;
    kn_progress_tick(work->plan->progress, work->plan->trials);
    return KN_OK;
}

const KnJobType kn_map_job_type = {.name = "map",
                                   .summary = "points of a map of trials",
                                   .payload = PAYLOAD,
                                   .open = open_job,
                                   .close = close_job,
                                   .run = run_point,
                                   .result = KN_LAYOUT_PLAIN(KnOutcomeMapPoint),
                                   .slot = point_slot,
                                   .received = received_point};

KnStatus kn_trials_map(const KnTrialPlan *plan, const KnOutcomeMapAxis *x, const KnOutcomeMapAxis *y,
                       KnOutcomeMapPoint *points, KnError *error)
{
    if (x->number == y->number)
        return kn_fail(error, KN_INPUT, "a map needs two different numbers, not %s twice",
                       kn_trial_names[x->number]);
    KnTrialPlan mine = *plan;
    mine.trial.ranges[x->number] = (KnRange){x->low, x->high, -1, -1};
    mine.trial.ranges[y->number] = (KnRange){y->low, y->high, -1, -1};
    if (x->number == KN_TRIAL_LAMBDA2 || y->number == KN_TRIAL_LAMBDA2) mine.trial.own_lambda = true;
    Work work = {.plan = &mine, .x = x, .y = y, .points = points};
    KnStatus status = open_workers(&work, error);
    if (status == KN_OK)
        status = share_out(&work, &kn_map_job_type, (uint64_t)x->points * (uint64_t)y->points, error);
    close_workers(&work);
    return status;
}
