#include "methods/satisficing/outcome.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    MOST_ROUNDS = 1 << 30,
    WINDOW = 1 << 22 /* rounds back that a word is looked for in: cycles of half of it are found */
};

struct KnSettler {
    uint32_t rounds;
    uint16_t *cells;   /* the joint action of each round, the coming one included */
    uint32_t *matches; /* for the search of repetitions: see find_cycle */
};

KnSettler *kn_settler_new(uint32_t rounds)
{
    KnSettler *settler = calloc(1, sizeof *settler);
    if (!settler) return NULL;
    settler->rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    settler->cells = malloc(((size_t)settler->rounds + 1) * sizeof *settler->cells);
    size_t window = settler->rounds < WINDOW ? settler->rounds : WINDOW;
    settler->matches = malloc((window + 1) * sizeof *settler->matches);
    if (settler->cells && settler->matches) return settler;
    kn_settler_free(settler);
    return NULL;
}

void kn_settler_free(KnSettler *settler)
{
    if (!settler) return;
    free(settler->cells);
    free(settler->matches);
    free(settler);
}

int kn_cell_action(const KnStageGame *stage, int cell, int agent)
{
    for (int i = stage->agents - 1; i > agent; i--) cell /= stage->actions[i];
    return cell % stage->actions[agent];
}

/* ---- the proof ---- */

/* One agent's choices in the word, with limits for aspirations. The limit before the word's first round is
 * the mean of its payoffs, each weighted by lambda once for every round since; the others follow by the
 * agent's own rule. */
static bool agent_lasts(const KnStageGame *stage, const KnAspirationAgent *agent, int who,
                        const uint16_t *word, uint32_t period)
{
    const double *pay = stage->payoffs + who;
    int width = stage->agents;
    double first = pay[word[0] * width], sum = 0, total = 0, weight = 1, spread = 0;
    for (uint32_t k = period; k-- > 0; weight *= agent->lambda) {
        double differs = pay[word[k] * width] - first;
        spread = fabs(differs) > spread ? fabs(differs) : spread;
        sum += weight * differs;
        total += weight;
    }
    bool forgets = kn_update_aspiration(0, agent->lambda, 1) ==
                   1; /* lambda = 0: the limit is the last payoff, and is reached */
    double limit = forgets ? pay[word[period - 1] * width] : first + sum / total;
    double doubt = forgets ? 0 : 4e-16 * (8 + (double)period) * (spread + fabs(first));
    unsigned stride = 1, actions = (unsigned)stage->actions[who], begins, now, then;
    for (int i = stage->agents - 1; i > who; i--) stride *= (unsigned)stage->actions[i];
    begins = now = word[0] / stride % actions;
    for (uint32_t k = 0; k < period; k++, now = then) {
        double p = pay[word[k] * width];
        then = k + 1 < period ? word[k + 1] / stride % actions : begins;
        /* A limit at the payoff itself is approached from where the aspiration is, and never reached, unless
         * it forgets. */
        if (now != then ? !(forgets ? limit > p : limit >= p - doubt) : !(limit <= p + doubt)) return false;
        limit = kn_update_aspiration(limit, agent->lambda, p);
    }
    return true;
}

/* Section 4.1. */
bool kn_cycle_is_stable(const KnStageGame *stage, const KnAspirationAgent *agents, const uint16_t *word,
                        uint32_t period)
{
    for (int i = 0; i < stage->agents; i++) {
        if (stage->actions[i] < 2 || !(agents[i].lambda < 1))
            continue; /* no choice; or the turn played was the limit */
        if (!agent_lasts(stage, &agents[i], i, word, period)) return false;
    }
    return true;
}

/* ---- the search for a word ---- */

/* matches[n]: how many rounds, going back from the last, agree with those n rounds before them (the Z
 * function of the history read backwards), for all n in time linear in the rounds. */
static void count_matches(const uint16_t *last, uint32_t count, uint32_t *matches)
{
    uint32_t left = 0, right = 0;
    for (uint32_t n = 1; n < count; n++) {
        uint32_t m = n < right && matches[n - left] < right - n ? matches[n - left]
                     : n < right                                ? right - n
                                                                : 0;
        while (n + m < count && last[-(ptrdiff_t)m] == last[-(ptrdiff_t)(n + m)]) m++;
        matches[n] = m;
        if (n + m > right) left = n, right = n + m;
    }
}

/* After `played` rounds, with the coming joint action known: the shortest word that was just played twice
 * over and lasts. */
static bool find_cycle(KnSettler *settler, const KnStageGame *stage, const KnAspirationAgent *agents,
                       uint32_t played, KnOutcome *outcome)
{
    KN_ASSERT(played <= settler->rounds);
    const uint16_t *last = settler->cells + played;
    uint32_t *matches = settler->matches, failed = 0, window = played < WINDOW ? played : WINDOW;
    count_matches(last, window + 1, matches);
    for (uint32_t n = 2; 2 * n <= window; n++) {
        if (matches[n] < n || (failed && n % failed == 0 && matches[failed] >= n))
            continue; /* a power of one that failed */
        if (!kn_cycle_is_stable(stage, agents, last - n, n)) {
            failed = n;
            continue;
        }
        outcome->kind = KN_SETTLED_CYCLE;
        outcome->period = n;
        uint32_t start = played + 1 - n - matches[n];
        while (start && settler->cells[start - 1] == settler->cells[start - 1 + n])
            start--; /* beyond the window */
        outcome->start = start;
        outcome->word = settler->cells + outcome->start;
        return true;
    }
    return false;
}

/* The state of a play. Aspirations are kept in long doubles, which play_two does without. */
typedef struct Play {
    long double aspirations[KN_STAGE_AGENTS];
    double errors[KN_STAGE_AGENTS]; /* how far off an aspiration in doubles can be; negative where it is exact
                                       anyway */
    double last[KN_STAGE_AGENTS];   /* payoffs */
    bool rounded[KN_STAGE_AGENTS];  /* not exact any more */
    int actions[KN_STAGE_AGENTS], strides[KN_STAGE_AGENTS], cell;
    uint32_t played;
    double nearest; /* of play_two: the least distance of a payoff from an aspiration */
    bool doubtful;
} Play;

/* kn_update_aspiration for long doubles. */
static long double aspire(long double aspiration, double lambda, double payoff)
{
    if (!(1 - lambda < 1)) return payoff;
    long double moved = aspiration + (1 - (long double)lambda) * (payoff - aspiration);
    return aspiration > payoff && moved <= payoff ? nextafterl(payoff, HUGE_VALL) : moved;
}

/* What a sum or a difference loses by rounding (Knuth's two-sum). */
static long double lost(long double a, long double b, long double sum)
{
    long double part = sum - a;
    return (a - (sum - part)) + (b - part);
}

/* Whether aspire computes this step without rounding. */
static bool is_exact(long double aspiration, double lambda, double payoff)
{
    long double step = 1 - (long double)lambda, way = payoff - aspiration, product = step * way,
                moved = aspiration + product;
    return lost(1, -lambda, step) == 0 && lost(payoff, -aspiration, way) == 0 &&
           fmal(step, way, -product) == 0 && lost(aspiration, product, moved) == 0;
}

/* Nearer than the error, not known exactly, and not the payoff of the round before, which the aspiration's
 * rule keeps on its side. */
static bool is_doubtful(const Play *play, int agent, double payoff)
{
    return fabsl(payoff - play->aspirations[agent]) <= play->errors[agent] * (LDBL_EPSILON / DBL_EPSILON) &&
           play->rounded[agent] && payoff != play->last[agent];
}

/* Plays on until `until` rounds are played, everybody is satisfied (true), or a choice is doubtful. */
static bool play_many(const KnStageGame *stage, const KnAspirationAgent *agents, Play *play, uint16_t *cells,
                      uint32_t until)
{
    for (; play->played < until; play->played++) {
        const double *pay = stage->payoffs + play->cell * stage->agents;
        bool changed = false;
        cells[play->played] = (uint16_t)play->cell;
        for (int i = 0; i < stage->agents; i++) {
            if (stage->actions[i] < 2) continue;
            if (is_doubtful(play, i, pay[i])) {
                play->doubtful = true;
                return false;
            }
            bool satisfied = pay[i] >= play->aspirations[i];
            if (!play->rounded[i])
                play->rounded[i] = !is_exact(play->aspirations[i], agents[i].lambda, pay[i]);
            play->aspirations[i] = aspire(play->aspirations[i], agents[i].lambda, pay[i]);
            play->last[i] = pay[i];
            if (satisfied) continue;
            int next = play->actions[i] + 1 < stage->actions[i] ? play->actions[i] + 1 : 0;
            play->cell += (next - play->actions[i]) * play->strides[i];
            play->actions[i] = next;
            changed = true;
        }
        if (!changed) return true;
    }
    return false;
}

/* The same for two agents of two actions, where nearly all the work is: the cell's bits are the actions. It
 * only notes how near payoffs and aspirations came to each other: what comes too near is played again with
 * care. */
static bool play_two(const KnStageGame *stage, const KnAspirationAgent *agents, Play *play, uint16_t *cells,
                     uint32_t until)
{
    double a = (double)play->aspirations[0], b = (double)play->aspirations[1],
           nearest = play->nearest; /* doubles they were */
    const double *payoffs = stage->payoffs;
    unsigned cell = (unsigned)play->cell, change = 1;
    uint32_t played = play->played;
    for (; played < until; played++) {
        double pay_a = payoffs[2 * cell], pay_b = payoffs[2 * cell + 1], near_a = fabs(pay_a - a),
               near_b = fabs(pay_b - b);
        cells[played] = (uint16_t)cell;
        change = (unsigned)!kn_satisfied(a, pay_a) << 1 | (unsigned)!kn_satisfied(b, pay_b);
        nearest = near_a < nearest ? near_a : nearest;
        nearest = near_b < nearest ? near_b : nearest;
        a = kn_update_aspiration(a, agents[0].lambda, pay_a);
        b = kn_update_aspiration(b, agents[1].lambda, pay_b);
        cell ^= change;
        if (!change) break;
    }
    play->aspirations[0] = a, play->aspirations[1] = b;
    play->cell = (int)cell;
    play->played = played;
    play->nearest = nearest;
    return !change;
}

static Play begin(const KnStageGame *stage, const KnAspirationAgent *agents)
{
    Play play = {.nearest = HUGE_VAL};
    double scale = 0;
    int cells = 1;
    for (int i = stage->agents - 1; i >= 0; cells *= stage->actions[i], i--) {
        play.strides[i] = cells;
        play.actions[i] = agents[i].action;
        play.aspirations[i] = agents[i].aspiration;
        play.cell += cells * agents[i].action;
        scale = fmax(scale, fabs(agents[i].aspiration));
    }
    for (int i = 0; i < cells * stage->agents; i++) scale = fmax(scale, fabs(stage->payoffs[i]));
    for (int i = 0; i < stage->agents; i++) {
        /* A step errs by less than 4 units in the last place, and lambda of that is handed on. */
        double step = 1 - agents[i].lambda;
        play.errors[i] = step > 0 && step < 1 ? 4 * DBL_EPSILON * scale / step : -1;
    }
    return play;
}

/* Looks for a cycle ever more rarely, so that looking costs no more than playing; what is found is dated
 * back. */
static KnOutcome settle(KnSettler *settler, const KnStageGame *stage, const KnAspirationAgent *agents,
                        bool two, Play *play)
{
    for (uint32_t look = 4;; look += look < 32 ? look / 2 : look) {
        if (look > settler->rounds) look = settler->rounds;
        KnOutcome outcome = {0};
        if ((two ? play_two : play_many)(stage, agents, play, settler->cells, look))
            return (KnOutcome){KN_SETTLED_FIXED, play->played, 1, settler->cells + play->played, false};
        settler->cells[play->played] = (uint16_t)play->cell;
        if (find_cycle(settler, stage, agents, play->played, &outcome)) return outcome;
        if (play->doubtful || look == settler->rounds)
            return (KnOutcome){KN_UNSETTLED, play->played, 0, settler->cells, play->doubtful};
    }
}

/* Section 4.1. */
KnOutcome kn_settle(KnSettler *settler, const KnStageGame *stage, const KnAspirationAgent *agents)
{
    KN_ASSERT(stage->agents >= 1 && stage->agents <= KN_STAGE_AGENTS);
    Play play = begin(stage, agents);
    double errors = fmax(play.errors[0], play.errors[1]);
    if (stage->agents == 2 && stage->actions[0] == 2 && stage->actions[1] == 2) {
        KnOutcome outcome = settle(settler, stage, agents, true, &play);
        if (play.nearest > errors) return outcome;
        play = begin(stage, agents); /* once more, with care */
    }
    return settle(settler, stage, agents, false, &play);
}
