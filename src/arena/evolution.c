#include "arena/evolution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/parallel.h"

/* What to subtract so that no fitness is negative. */
static double floor_of(size_t kinds, const double *payoffs)
{
    double least = 0;
    for (size_t i = 0; i < kinds * kinds; i++) least = fmin(least, payoffs[i]);
    return least;
}

void kn_ecology(size_t kinds, const double *payoffs, const double *start, size_t generations, double *shares)
{
    double least = floor_of(kinds, payoffs);
    for (size_t i = 0; i < kinds; i++) shares[i] = start ? start[i] : 1 / (double)kinds;
    for (size_t g = 0; g < generations; g++) {
        const double *now = shares + g * kinds;
        double *next = shares + (g + 1) * kinds, mean = 0, total = 0;
        for (size_t i = 0; i < kinds; i++) {
            double fitness = 0;
            for (size_t j = 0; j < kinds; j++) fitness += now[j] * (payoffs[i * kinds + j] - least);
            next[i] = now[i] * fitness;
            mean += next[i];
        }
        for (size_t i = 0; i < kinds; i++) {
            next[i] = mean > 0 ? next[i] / mean : now[i];
            total += next[i];
        }
        for (size_t i = 0; i < kinds; i++)
            next[i] /= total; /* rounding must not add up over many generations */
    }
}

/* ---- Moran ----
 *
 * Payoffs are kept as whole numbers of 2^-20, so that sums that are changed step by step stay exact. On the
 * complete graph members of a kind are alike, and a step costs as many operations as there are kinds;
 * elsewhere a tree of partial sums finds the member that gives birth, and only its victim's neighbourhood
 * changes. */

typedef struct Moran {
    const KnMoranPlan *plan;
    int64_t *payoffs;
    int32_t *winners; /* by run; -1: unsettled */
    uint64_t *steps;
} Moran;

typedef struct Population {
    const Moran *moran;
    const KnGraph *graph;
    uint32_t *kind;   /* by member */
    uint64_t *counts; /* by kind */
    /* Complete: what a kind earns against all; else what a member earns against its neighbours. */
    int64_t *sums;
    uint64_t *tree;   /* partial sums of fitness, by member from 1 (Fenwick) */
    uint64_t *weight; /* fitness by member */
    size_t top;       /* the highest power of two within the tree */
} Population;

static uint64_t below64(KnRng *rng, uint64_t bound)
{
    return (uint64_t)((unsigned __int128)kn_rng_next(rng) * bound >> 64);
}

static bool is_settled(const Population *p, uint32_t kind) { return p->counts[kind] == p->graph->vertices; }

/* Equal numbers of all kinds, shuffled. */
static void settle(Population *p, KnRng *rng)
{
    size_t n = p->graph->vertices, kinds = p->moran->plan->kinds;
    memset(p->counts, 0, kinds * sizeof *p->counts);
    for (size_t v = 0; v < n; v++) p->kind[v] = (uint32_t)(v % kinds);
    for (size_t v = n - 1; v > 0; v--) {
        size_t other = kn_rng_below(rng, (uint32_t)v + 1);
        uint32_t kind = p->kind[v];
        p->kind[v] = p->kind[other];
        p->kind[other] = kind;
    }
    for (size_t v = 0; v < n; v++) p->counts[p->kind[v]]++;
}

static void change_count(Population *p, uint32_t from, uint32_t to)
{
    size_t kinds = p->moran->plan->kinds;
    const int64_t *payoffs = p->moran->payoffs;
    p->counts[from]--;
    p->counts[to]++;
    for (size_t k = 0; k < kinds; k++) p->sums[k] += payoffs[k * kinds + to] - payoffs[k * kinds + from];
}

/* One birth and one death where everybody is beside everybody; the kind that was born. */
static uint32_t step_complete(Population *p, KnRng *rng)
{
    size_t kinds = p->moran->plan->kinds, n = p->graph->vertices;
    const int64_t *payoffs = p->moran->payoffs;
    uint64_t total = 0;
    for (size_t k = 0; k < kinds; k++)
        total += p->counts[k] * (uint64_t)(p->sums[k] - payoffs[k * kinds + k] * (p->counts[k] > 0));
    uint32_t born = 0, dead = 0;
    if (total) {
        uint64_t at = below64(rng, total);
        for (;; born++) {
            uint64_t share = p->counts[born]
                                 ? p->counts[born] * (uint64_t)(p->sums[born] - payoffs[born * kinds + born])
                                 : 0;
            if (at < share) break;
            at -= share;
        }
    } else {
        for (uint64_t at = below64(rng, n); at >= p->counts[born]; born++) at -= p->counts[born];
    }
    for (uint64_t at = below64(rng, n - 1);; dead++) {
        uint64_t alive = p->counts[dead] - (dead == born);
        if (at < alive) break;
        at -= alive;
    }
    if (born != dead) change_count(p, dead, born);
    return born;
}

static void add_weight(Population *p, size_t member, uint64_t weight)
{
    uint64_t change = weight - p->weight[member]; /* modulo 2^64, as the sums are */
    p->weight[member] = weight;
    for (size_t i = member + 1; i <= p->graph->vertices; i += i & -i) p->tree[i] += change;
}

/* The member at whose share of the total `at` lies. */
static size_t find_member(const Population *p, uint64_t at)
{
    size_t place = 0;
    for (size_t step = p->top; step; step >>= 1)
        if (place + step <= p->graph->vertices && p->tree[place + step] <= at) {
            place += step;
            at -= p->tree[place];
        }
    return place;
}

static size_t degree(const KnGraph *graph, size_t v) { return graph->first[v + 1] - graph->first[v]; }

/* A member's fitness again, from its sum. */
static void weigh(Population *p, size_t v) { add_weight(p, v, (uint64_t)p->sums[v] / degree(p->graph, v)); }

static void sum_up(Population *p, size_t v)
{
    size_t kinds = p->moran->plan->kinds;
    p->sums[v] = 0;
    for (size_t e = p->graph->first[v]; e < p->graph->first[v + 1]; e++)
        p->sums[v] += p->moran->payoffs[p->kind[v] * kinds + p->kind[p->graph->others[e]]];
}

static uint32_t step_graph(Population *p, KnRng *rng, uint64_t *total)
{
    const KnGraph *graph = p->graph;
    size_t kinds = p->moran->plan->kinds, n = graph->vertices;
    size_t parent = *total ? find_member(p, below64(rng, *total)) : kn_rng_below(rng, (uint32_t)n);
    size_t victim = graph->others[graph->first[parent] + kn_rng_below(rng, (uint32_t)degree(graph, parent))];
    uint32_t born = p->kind[parent], dead = p->kind[victim];
    if (born == dead) return born;
    p->counts[dead]--;
    p->counts[born]++;
    p->kind[victim] = born;
    *total -= p->weight[victim];
    sum_up(p, victim);
    weigh(p, victim);
    *total += p->weight[victim];
    for (size_t e = graph->first[victim]; e < graph->first[victim + 1]; e++) {
        size_t v = graph->others[e];
        const int64_t *row = p->moran->payoffs + p->kind[v] * kinds;
        p->sums[v] += row[born] - row[dead];
        *total -= p->weight[v];
        weigh(p, v);
        *total += p->weight[v];
    }
    return born;
}

static void found(Population *p, uint64_t *total)
{
    size_t n = p->graph->vertices, kinds = p->moran->plan->kinds;
    *total = 0;
    if (p->graph->complete) {
        for (size_t k = 0; k < kinds; k++) {
            p->sums[k] = 0;
            for (size_t l = 0; l < kinds; l++)
                p->sums[k] += (int64_t)p->counts[l] * p->moran->payoffs[k * kinds + l];
        }
        return;
    }
    memset(p->tree, 0, (n + 1) * sizeof *p->tree);
    memset(p->weight, 0, n * sizeof *p->weight);
    for (size_t v = 0; v < n; v++) {
        sum_up(p, v);
        weigh(p, v);
        *total += p->weight[v];
    }
}

static bool make_population(Population *p)
{
    size_t n = p->graph->vertices, kinds = p->moran->plan->kinds;
    p->kind = calloc(n, sizeof *p->kind);
    p->counts = calloc(kinds, sizeof *p->counts);
    p->sums = calloc(p->graph->complete ? kinds : n, sizeof *p->sums);
    p->tree = calloc(n + 1, sizeof *p->tree);
    p->weight = calloc(n, sizeof *p->weight);
    for (p->top = 1; p->top * 2 <= n;) p->top *= 2;
    return p->kind && p->counts && p->sums && p->tree && p->weight;
}

static void free_population(Population *p)
{
    free(p->kind);
    free(p->counts);
    free(p->sums);
    free(p->tree);
    free(p->weight);
}

static KnStatus run_once(void *user, int worker, uint64_t run, KnError *error)
{
    (void)worker;
    Moran *moran = user;
    const KnMoranPlan *plan = moran->plan;
    Population p = {.moran = moran, .graph = plan->graph};
    KnStatus status = make_population(&p) ? KN_OK : kn_fail_memory(error, "founding a population");
    moran->winners[run] = -1;
    if (status == KN_OK) {
        KnRng rng = kn_rng_stream(plan->seed, run);
        uint64_t total;
        settle(&p, &rng);
        found(&p, &total);
        uint32_t last = p.kind[0];
        while (!is_settled(&p, last) && (!plan->steps || moran->steps[run] < plan->steps)) {
            last = plan->graph->complete ? step_complete(&p, &rng) : step_graph(&p, &rng, &total);
            if (++moran->steps[run] % 65536 == 0 && plan->cancel && atomic_load(plan->cancel)) {
                status = kn_fail(error, KN_STOPPED, "stopped");
                break;
            }
        }
        if (is_settled(&p, last)) moran->winners[run] = (int32_t)last;
    }
    free_population(&p);
    return status;
}

static KnStatus check_moran(const KnMoranPlan *plan, KnError *error)
{
    if (plan->graph->vertices < plan->kinds)
        return kn_fail(error, KN_USAGE, "a population of %zu has no room for %zu kinds; choose a larger one",
                       plan->graph->vertices, plan->kinds);
    double most = 0, least = floor_of(plan->kinds, plan->payoffs);
    for (size_t i = 0; i < plan->kinds * plan->kinds; i++) most = fmax(most, plan->payoffs[i] - least);
    if (!(most * 0x1p20 * (double)plan->graph->vertices * (double)plan->graph->vertices < 0x1p62))
        return kn_fail(error, KN_INPUT,
                       "payoffs up to %g in a population of %zu cannot be added up exactly; use smaller ones",
                       most, plan->graph->vertices);
    return KN_OK;
}

KnStatus kn_moran(const KnMoranPlan *plan, KnMoran *result, KnError *error)
{
    *result = (KnMoran){0};
    KnStatus status = check_moran(plan, error);
    if (status != KN_OK) return status;
    size_t kinds = plan->kinds;
    Moran moran = {.plan = plan};
    moran.payoffs = calloc(kinds * kinds, sizeof *moran.payoffs);
    moran.winners = calloc(plan->runs + 1, sizeof *moran.winners);
    moran.steps = calloc(plan->runs + 1, sizeof *moran.steps);
    result->fixed = calloc(kinds, sizeof *result->fixed);
    if (!moran.payoffs || !moran.winners || !moran.steps || !result->fixed)
        status = kn_fail_memory(error, "preparing a Moran process");
    double least = floor_of(kinds, plan->payoffs);
    for (size_t i = 0; i < kinds * kinds && status == KN_OK; i++)
        moran.payoffs[i] = llround((plan->payoffs[i] - least) * 0x1p20);
    if (status == KN_OK) status = kn_parallel(plan->jobs, plan->runs, run_once, &moran, plan->cancel, error);
    for (uint64_t r = 0; r < plan->runs && status == KN_OK; r++) {
        if (moran.winners[r] < 0) {
            result->unsettled++;
            continue;
        }
        result->fixed[moran.winners[r]]++;
        kn_moments_add(&result->steps, (double)moran.steps[r]);
    }
    free(moran.payoffs);
    free(moran.winners);
    free(moran.steps);
    if (status != KN_OK) kn_moran_free(result);
    return status;
}

void kn_moran_free(KnMoran *result)
{
    free(result->fixed);
    *result = (KnMoran){0};
}
