#include "methods/hoyle/temporal/planner.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

const KnPlanRules kn_plan_version1 = {{{0.55, true}}, 1};
const KnPlanRules kn_plan_version2 = {{{0.9, true}, {0.8, true}, {0.7, true}, {0.55, false}}, 4};

typedef struct Suggestions {
    KnSuggestion *list;
    size_t count, room;
} Suggestions;

struct KnPlanner {
    const KnAdvisors *advisors;
    KnPlanRules rules;
    KnInstance *matches;
    Suggestions running; /* Enforcer's plans: `place` is the action to come */
    Suggestions winning; /* those for the action chosen last */
};

KnPlanner *kn_planner_new(const KnAdvisors *advisors, const KnPlanRules *rules)
{
    KnPlanner *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->advisors = advisors;
    p->rules = *rules;
    p->matches = malloc((kn_advisors_room(advisors) + 1) * sizeof *p->matches);
    if (p->matches) return p;
    free(p);
    return NULL;
}

void kn_planner_free(KnPlanner *planner)
{
    if (!planner) return;
    free(planner->matches);
    free(planner->running.list);
    free(planner->winning.list);
    free(planner);
}

static KnStatus append(Suggestions *suggestions, KnSuggestion suggestion, KnError *error)
{
    if (suggestions->count == suggestions->room) {
        size_t room = suggestions->room ? 2 * suggestions->room : 256;
        KnSuggestion *list = realloc(suggestions->list, room * sizeof *list);
        if (!list) return kn_fail_memory(error, "planning");
        suggestions->list = list;
        suggestions->room = room;
    }
    suggestions->list[suggestions->count++] = suggestion;
    return KN_OK;
}

static const KnSequence *sequence_of(const KnPlanner *p, const KnSuggestion *v)
{
    return &kn_advisors_at(p->advisors, v->instance.advisor)->sequences[v->sequence];
}

static KnAction action_of(const KnPlanner *p, const KnSuggestion *v)
{
    return kn_temporal_board_transform(kn_advisors_board(p->advisors), v->instance.symmetry,
                                       sequence_of(p, v)->actions[v->place]);
}

void kn_planner_begin(KnPlanner *planner) { planner->running.count = planner->winning.count = 0; }

/* In the tree of sequences the branch that names what the opponent did goes before the one that leaves it
 * open. */
static void prefer_exact(KnPlanner *p)
{
    bool named = false;
    for (size_t i = 0; i < p->running.count && !named; i++) {
        const KnSuggestion *v = &p->running.list[i];
        named = !kn_action_abstract(sequence_of(p, v)->actions[v->place - 1]);
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->running.count && named; i++) {
        const KnSuggestion *v = &p->running.list[i];
        if (!kn_action_abstract(sequence_of(p, v)->actions[v->place - 1])) p->running.list[kept++] = *v;
    }
    if (named) p->running.count = kept;
}

void kn_planner_observe(KnPlanner *p, int mover, KnAction played)
{
    (void)mover;
    size_t kept = 0;
    for (size_t i = 0; i < p->running.count; i++) {
        KnSuggestion v = p->running.list[i];
        KnAction action = action_of(p, &v);
        if (!kn_action_abstract(action) && !kn_action_equal(action, played)) continue;
        if (++v.place < sequence_of(p, &v)->length) p->running.list[kept++] = v;
    }
    p->running.count = kept;
    prefer_exact(p);
}

size_t kn_planner_suggestions(const KnPlanner *planner, const KnSuggestion **suggestions)
{
    *suggestions = planner->winning.list;
    return planner->winning.count;
}

static int find_action(const KnAction *legal, int count, KnAction action)
{
    for (int i = 0; i < count; i++)
        if (kn_action_equal(legal[i], action)) return i;
    return -1;
}

/* A vote under way: each Advisor counts once for an action, and comes in one run of voices. */
typedef struct Ballot {
    const KnAction *legal;
    int count;
    double *votes;
    uint32_t *last; /* Advisor + 1 that voted last for each action */
} Ballot;

static void vote(const KnPlanner *p, Ballot *b, const KnSuggestion *suggestion)
{
    KN_ASSERT(suggestion->instance.advisor < kn_advisors_count(p->advisors));
    int at = find_action(b->legal, b->count, action_of(p, suggestion));
    if (at < 0 || b->last[at] == suggestion->instance.advisor + 1) return;
    b->last[at] = suggestion->instance.advisor + 1;
    b->votes[at] += kn_advisors_at(p->advisors, suggestion->instance.advisor)->weight;
}

static int winner(const double *votes, int count, KnRng *rng)
{
    double best = 0;
    int equals = 0, chosen = -1;
    for (int i = 0; i < count; i++) {
        if (votes[i] <= 0 || votes[i] < best - 1e-9) continue;
        if (votes[i] > best + 1e-9) equals = 0;
        if (votes[i] > best) best = votes[i];
        if (kn_rng_below(rng, (uint32_t)++equals) == 0) chosen = i;
    }
    return chosen;
}

/* Voices of the plans under way, or of the matching Advisors of one level. */
static KnStatus gather(KnPlanner *p, int level, size_t matched, Suggestions *out, KnError *error)
{
    KN_ASSERT(level >= 0 && level < p->rules.count);
    double low = p->rules.levels[level].weight - 1e-9,
           high = level ? p->rules.levels[level - 1].weight - 1e-9 : 2;
    KnStatus status = KN_OK;
    out->count = 0;
    for (size_t i = 0; i < matched; i++) {
        const KnAdvisor *advisor = kn_advisors_at(p->advisors, p->matches[i].advisor);
        if (advisor->weight < low || advisor->weight >= high) continue;
        for (size_t s = 0; s < advisor->sequence_count && status == KN_OK; s++)
            status = append(out, (KnSuggestion){p->matches[i], (uint16_t)s, 0}, error);
    }
    return status;
}

static int ballot(KnPlanner *p, Suggestions *suggestions, const KnAction *legal, int count, double *votes,
                  KnRng *rng)
{
    uint32_t last[count];
    memset(last, 0, sizeof last);
    for (int i = 0; i < count; i++) votes[i] = 0;
    Ballot b = {legal, count, votes, last};
    for (size_t i = 0; i < suggestions->count; i++) vote(p, &b, &suggestions->list[i]);
    int chosen = winner(votes, count, rng);
    size_t kept = 0;
    for (size_t i = 0; i < suggestions->count && chosen >= 0; i++)
        if (kn_action_equal(action_of(p, &suggestions->list[i]), legal[chosen]))
            suggestions->list[kept++] = suggestions->list[i];
    suggestions->count = kept;
    return chosen;
}

/* Whether one of the voices has something to say that can be done. */
static bool any_legal(const KnPlanner *p, const Suggestions *suggestions, const KnAction *legal, int count)
{
    for (size_t i = 0; i < suggestions->count; i++)
        if (find_action(legal, count, action_of(p, &suggestions->list[i])) >= 0) return true;
    return false;
}

KnStatus kn_planner_adopt(KnPlanner *p, int player, const uint8_t *cells, const KnAction *legal, int count,
                          KnAction played, KnError *error)
{
    KN_ASSERT(count > 0 && (player == 0 || player == 1));
    if (any_legal(p, &p->running, legal, count)) return KN_OK; /* Enforcer's decision */
    p->running.count = 0;
    size_t matched = kn_advisors_match(p->advisors, player, cells, p->matches);
    bool decided = false;
    KnStatus status = KN_OK;
    for (int level = 0; level < p->rules.count && !decided && matched && status == KN_OK; level++) {
        status = gather(p, level, matched, &p->winning, error);
        if (status != KN_OK) return status;
        decided = any_legal(p, &p->winning, legal, count);
        for (size_t i = 0;
             i < p->winning.count && decided && p->rules.levels[level].enforces && status == KN_OK; i++)
            if (kn_action_equal(action_of(p, &p->winning.list[i]), played))
                status = append(&p->running, p->winning.list[i], error);
    }
    p->winning.count = 0;
    return status;
}

/* Thesis 3.3.1, figure 17. */
KnStatus kn_planner_choose(KnPlanner *p, int player, const uint8_t *cells, const KnAction *legal, int count,
                           KnRng *rng, KnPlan *plan, KnError *error)
{
    KN_ASSERT(count > 0 && (player == 0 || player == 1));
    double votes[count];
    KnStatus status = KN_OK;
    plan->choice = -1;
    plan->level = KN_PLANNER_ENFORCER;
    p->winning.count = 0;
    if (p->running.count) {
        for (size_t i = 0; i < p->running.count && status == KN_OK; i++)
            status = append(&p->winning, p->running.list[i], error);
        if (status != KN_OK) return status;
        plan->choice = ballot(p, &p->winning, legal, count, votes, rng);
        if (plan->choice < 0) p->running.count = 0;
    }
    size_t matched = plan->choice < 0 ? kn_advisors_match(p->advisors, player, cells, p->matches) : 0;
    for (int level = 0; level < p->rules.count && plan->choice < 0 && matched; level++) {
        status = gather(p, level, matched, &p->winning, error);
        if (status != KN_OK) return status;
        plan->choice = ballot(p, &p->winning, legal, count, votes, rng);
        plan->level = level;
        if (plan->choice < 0 || !p->rules.levels[level].enforces) continue;
        for (size_t i = 0; i < p->winning.count && status == KN_OK; i++)
            status = append(&p->running, p->winning.list[i], error);
    }
    if (plan->votes) {
        if (plan->choice >= 0)
            memcpy(plan->votes, votes, sizeof votes);
        else
            memset(plan->votes, 0, sizeof votes);
    }
    return status;
}
