#include "methods/hoyle/temporal/pwl.h"

#include <stdlib.h>

#include "base/assert.h"

/* A sequence under way. */
typedef struct Running {
    KnInstance instance;
    uint16_t sequence;
    uint8_t next; /* place of the action to come */
} Running;

typedef struct RunningList {
    Running *list;
    size_t count, room;
} RunningList;

struct KnPwl {
    const KnAdvisors *advisors;
    KnTpOptions readings;
    KnForesight *tally; /* borrowed; NULL: the Advisors' own */
    KnInstance *matches;
    RunningList running[2];
    uint32_t *advised, *agreed; /* by Advisor, at the decision at hand */
    uint32_t *touched;          /* Advisors with advice there */
    size_t touched_count;
};

KnPwl *kn_pwl_new(const KnAdvisors *advisors, const KnTpOptions *readings, KnForesight *tally)
{
    KnPwl *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    size_t count = kn_advisors_count(advisors) + 1;
    w->advisors = advisors;
    w->readings = *readings;
    w->tally = tally;
    w->matches = malloc((kn_advisors_room(advisors) + 1) * sizeof *w->matches);
    w->advised = calloc(count, sizeof *w->advised);
    w->agreed = calloc(count, sizeof *w->agreed);
    w->touched = malloc(count * sizeof *w->touched);
    if (w->matches && w->advised && w->agreed && w->touched) return w;
    kn_pwl_free(w);
    return NULL;
}

void kn_pwl_free(KnPwl *w)
{
    if (!w) return;
    free(w->matches);
    free(w->advised);
    free(w->agreed);
    free(w->touched);
    for (int p = 0; p < 2; p++) free(w->running[p].list);
    free(w);
}

static KnStatus run_on(RunningList *list, Running running, KnError *error)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 256;
        Running *more = realloc(list->list, room * sizeof *more);
        if (!more) return kn_fail_memory(error, "weighing Advisors");
        list->list = more;
        list->room = room;
    }
    list->list[list->count++] = running;
    return KN_OK;
}

static KnAction action_of(const KnPwl *w, const Running *r)
{
    const KnAdvisor *advisor = kn_advisors_at(w->advisors, r->instance.advisor);
    return kn_temporal_board_transform(kn_advisors_board(w->advisors), r->instance.symmetry,
                                       advisor->sequences[r->sequence].actions[r->next]);
}

static bool is_legal(const KnGameActions *record, size_t ply, KnAction action)
{
    for (size_t i = record->legal_from[ply]; i < record->legal_from[ply + 1]; i++)
        if (kn_action_equal(record->legal[i], action)) return true;
    return false;
}

static void count_advice(KnPwl *w, uint32_t advisor, bool agrees)
{
    KN_ASSERT(advisor < kn_advisors_count(w->advisors));
    if (!w->advised[advisor]++) w->touched[w->touched_count++] = advisor;
    w->agreed[advisor] += agrees;
}

/* Sequences under way: those of the mover's advise; all that what is played does not follow fall away. */
static void follow(KnPwl *w, const KnGameActions *record, size_t ply)
{
    int mover = record->movers[ply];
    KnAction played = record->actions[ply];
    for (int p = 0; p < 2; p++) {
        RunningList *list = &w->running[p];
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++) {
            Running r = list->list[i];
            KnAction action = action_of(w, &r);
            bool follows = kn_action_abstract(action) || kn_action_equal(action, played);
            if (p == mover && is_legal(record, ply, action)) count_advice(w, r.instance.advisor, follows);
            r.next++;
            if (follows &&
                r.next < kn_advisors_at(w->advisors, r.instance.advisor)->sequences[r.sequence].length)
                list->list[kept++] = r;
        }
        list->count = kept;
    }
}

/* Contexts that stand on the board advise the first action of their sequences. */
static KnStatus match(KnPwl *w, const KnGameActions *record, size_t ply, KnError *error)
{
    int mover = record->movers[ply];
    size_t count = kn_advisors_match(w->advisors, mover, kn_game_actions_cells(record, ply), w->matches);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < count; i++) {
        const KnAdvisor *advisor = kn_advisors_at(w->advisors, w->matches[i].advisor);
        for (size_t s = 0; s < advisor->sequence_count && status == KN_OK; s++) {
            Running r = {w->matches[i], (uint16_t)s, 0};
            KnAction action = action_of(w, &r);
            bool agrees = kn_action_equal(action, record->actions[ply]);
            if (!agrees && !is_legal(record, ply, action)) continue;
            count_advice(w, r.instance.advisor, agrees);
            r.next = 1;
            if (agrees && advisor->sequences[s].length > 1) status = run_on(&w->running[mover], r, error);
        }
    }
    return status;
}

static void revise(KnPwl *w, const uint8_t *cells)
{
    const KnTpOptions *readings = &w->readings;
    for (size_t i = 0; i < w->touched_count; i++) {
        uint32_t index = w->touched[i];
        KnAdvisor *advisor = kn_advisors_at(w->advisors, index);
        double share = (double)w->agreed[index] / w->advised[index];
        if (readings->credit == KN_CREDIT_ANY) share = share > 0;
        if (w->tally) {
            ++*(share >= 0.5 ? &w->tally[index].right : &w->tally[index].wrong);
            continue;
        }
        advisor->weight += readings->step * (share - (1 - share) * readings->down);
        if (advisor->weight > 1 - 1e-9) advisor->weight = 1;
        if (advisor->weight < 1e-9) advisor->weight = 0;
        ++*(share >= 0.5 ? &advisor->right : &advisor->wrong);
        kn_advisor_fired(advisor, share >= 0.5, cells, kn_advisors_board(w->advisors)->cells);
    }
}

/* Thesis 3.2.3: PWL. */
KnStatus kn_pwl_update(KnPwl *w, const KnGameActions *record, KnError *error)
{
    KnStatus status = KN_OK;
    w->running[0].count = w->running[1].count = 0;
    for (size_t ply = 0; ply < record->plies && status == KN_OK; ply++) {
        w->touched_count = 0;
        follow(w, record, ply);
        if (record->expert[record->movers[ply]]) {
            status = match(w, record, ply, error);
            revise(w, kn_game_actions_cells(record, ply));
        }
        for (size_t i = 0; i < w->touched_count; i++)
            w->advised[w->touched[i]] = w->agreed[w->touched[i]] = 0;
    }
    return status;
}
