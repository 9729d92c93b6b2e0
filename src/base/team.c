/* Home's side of errands: who has how much to do. The helpers' side is help.c; the messages of both are in
 * team_messages.h. */
#include "base/team.h"

#include <stdlib.h>
#include <time.h>

#include "base/team_messages.h"

/* Indices that a helper has at once are AHEAD a thread, so that it need not wait for more while it works on
 * one; and as many more, up to MOST, as it takes to be busy for AHEAD_TIME, by what its tasks have taken so
 * far: messages take their time too. */
enum { AHEAD = 2, MOST = 64, SLOTS_ENOUGH = 1024, AHEAD_TIME = 3000000 /* ns */ };

typedef struct Helper {
    int jobs;
    uint64_t depth, held; /* indices that it should and does have, with nothing else to think of */
    KnText ranges;        /* given, not yet sent: pairs of first and count */
    uint64_t next;        /* the index after the last range; KN_NO_INDEX: there is none */
} Helper;

struct KnErrand {
    KnTeam *team;
    const KnDuty *duty;
    uint64_t number;
    Helper *helpers;       /* by member; the first is home, and empty */
    int turn;              /* who is looked at first for the next index */
    uint64_t out, threads; /* threads: of all, home included */
    uint64_t share;        /* the most that one helper may hold of the window */
    bool abandoned;
    KnText message; /* being read */
    KnUnpack rest;
    int from;
    long nap, longest_nap;
};

static int member_jobs(const KnTeam *team, int member, int jobs)
{
    return jobs > 0 ? jobs : team->cores[member];
}

uint64_t kn_team_window(const KnTeam *team, int jobs)
{
    if (!team) return kn_parallel_window(jobs);
    uint64_t threads = (uint64_t)kn_jobs(jobs);
    for (int m = 1; m < team->size; m++) threads += (uint64_t)member_jobs(team, m, jobs);
    uint64_t few = threads * 8, many = threads * MOST;
    return many < SLOTS_ENOUGH ? many : few > SLOTS_ENOUGH ? few : SLOTS_ENOUGH;
}

static void start_message(KnText *text, KnMessage kind, uint64_t number)
{
    kn_text_clear(text);
    kn_pack_int(text, (int)kind);
    kn_pack_u64(text, number);
}

static void send_all(KnErrand *errand, const KnText *text)
{
    for (int m = 1; m < errand->team->size; m++)
        errand->team->send(errand->team, m, text->data, text->length);
}

KnStatus kn_errand_open(const KnContext *context, const KnDuty *duty, int jobs, uint64_t window,
                        const KnText *brief, KnErrand **out, KnError *error)
{
    *out = NULL;
    KnTeam *team = kn_context_team(context);
    if (!team || team->size < 2 || atomic_load(&team->lost) || atomic_exchange(&team->busy, true))
        return KN_OK;
    KnErrand *errand = calloc(1, sizeof *errand);
    KnText text = KN_TEXT_EMPTY;
    if (errand) errand->helpers = calloc((size_t)team->size, sizeof *errand->helpers);
    if (errand && errand->helpers && kn_text_ok(brief)) {
        errand->team = team;
        errand->duty = duty;
        errand->number = ++team->errands;
        errand->message = KN_TEXT_EMPTY;
        errand->nap = KN_SHORTEST_NAP;
        errand->longest_nap = kn_longest_nap(0);
        errand->share = window ? window / (uint64_t)team->size : UINT64_MAX;
        errand->threads = (uint64_t)kn_jobs(jobs);
        for (int m = 1; m < team->size; m++) {
            Helper *helper = &errand->helpers[m];
            int threads = member_jobs(team, m, jobs);
            *helper = (Helper){.jobs = threads,
                               .depth = (uint64_t)threads * AHEAD,
                               .ranges = KN_TEXT_EMPTY,
                               .next = KN_NO_INDEX};
            errand->threads += (uint64_t)threads;
        }
        start_message(&text, KN_MESSAGE_OPEN, errand->number);
        kn_pack_string(&text, KNACK_VERSION);
        kn_pack_string(&text, kn_context_data(context));
        kn_pack_string(&text, duty->name);
        kn_pack_int(&text, jobs);
        kn_pack_u64(&text, window);
        kn_pack_bytes(&text, brief->data, brief->length);
    }
    if (!errand || !errand->helpers || !kn_text_ok(&text) || !kn_text_ok(brief)) {
        if (errand) free(errand->helpers);
        free(errand);
        kn_text_free(&text);
        atomic_store(&team->busy, false);
        return kn_fail_memory(error, "sharing work out");
    }
    send_all(errand, &text);
    kn_text_free(&text);
    *out = errand;
    return KN_OK;
}

void kn_errand_close(KnErrand *errand)
{
    if (!errand) return;
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_CLOSE, errand->number);
    if (!errand->abandoned) send_all(errand, &text);
    kn_text_free(&text);
    for (int m = 1; m < errand->team->size; m++) kn_text_free(&errand->helpers[m].ranges);
    kn_text_free(&errand->message);
    atomic_store(&errand->team->busy, false);
    free(errand->helpers);
    free(errand);
}

const KnDuty *kn_errand_duty(const KnErrand *errand) { return errand->duty; }

void kn_errand_tell(KnErrand *errand, const KnText *news)
{
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_NEWS, errand->number);
    kn_pack_bytes(&text, news->data, news->length);
    send_all(errand, &text);
    kn_text_free(&text);
}

/* ---- giving ---- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Towards the end nobody gets far ahead: what waits behind a long task at one place could be done at another.
 */
static uint64_t wanted(const KnErrand *errand, const Helper *helper, uint64_t left)
{
    uint64_t one_each = (uint64_t)helper->jobs, fair = left / (2 * errand->threads) * one_each;
    uint64_t depth = least(least(helper->depth, errand->share), fair);
    return depth < one_each ? one_each : depth;
}

bool kn_errand_room(KnErrand *errand, uint64_t left)
{
    int helpers = errand->team->size - 1;
    for (int i = 0; i < helpers && !errand->abandoned; i++) {
        int m = 1 + (errand->turn + i) % helpers;
        if (errand->helpers[m].held >= wanted(errand, &errand->helpers[m], left)) continue;
        errand->turn = m - 1;
        return true;
    }
    return false;
}

static void end_range(Helper *helper)
{
    if (helper->next != KN_NO_INDEX) kn_pack_u64(&helper->ranges, helper->next);
    helper->next = KN_NO_INDEX;
}

void kn_errand_give(KnErrand *errand, uint64_t index)
{
    Helper *helper = &errand->helpers[1 + errand->turn];
    if (helper->next != index) {
        end_range(helper);
        kn_pack_u64(&helper->ranges, index);
    }
    helper->next = index + 1;
    helper->held++;
    errand->out++;
    if (helper->held % (uint64_t)helper->jobs == 0)
        errand->turn = (errand->turn + 1) % (errand->team->size - 1);
}

void kn_errand_flush(KnErrand *errand)
{
    KnText text = KN_TEXT_EMPTY;
    for (int m = 1; m < errand->team->size; m++) {
        Helper *helper = &errand->helpers[m];
        end_range(helper);
        if (!helper->ranges.length) continue;
        start_message(&text, KN_MESSAGE_DO, errand->number);
        kn_pack_bytes(&text, helper->ranges.data, helper->ranges.length);
        kn_text_clear(&helper->ranges);
        errand->team->send(errand->team, m, text.data, text.length);
    }
    kn_text_free(&text);
}

void kn_errand_drop(KnErrand *errand)
{
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_DROP, errand->number);
    send_all(errand, &text);
    kn_text_free(&text);
}

void kn_errand_abandon(KnErrand *errand)
{
    errand->abandoned = true;
    errand->out = 0;
    atomic_store(&errand->team->lost, true);
}

uint64_t kn_errand_out(const KnErrand *errand) { return errand->out; }

/* ---- collecting ---- */

/* The next message of this errand, its head read. What belongs to an earlier one comes from a helper that
 * failed there. */
static bool next_message(KnErrand *errand)
{
    for (;;) {
        kn_text_clear(&errand->message);
        if (!errand->team->receive(errand->team, &errand->from, &errand->message)) return false;
        errand->rest = kn_unpack(errand->message.data, errand->message.length);
        int kind = kn_unpack_int(&errand->rest);
        if (kn_unpack_u64(&errand->rest) != errand->number || kind != KN_MESSAGE_RESULTS) continue;
        Helper *helper = &errand->helpers[errand->from];
        uint64_t took = kn_unpack_u64(&errand->rest);
        errand->longest_nap = kn_longest_nap((double)took);
        helper->depth = (uint64_t)helper->jobs * least(AHEAD + AHEAD_TIME / (took ? took : 1), MOST);
        return true;
    }
}

bool kn_errand_collect(KnErrand *errand, KnCarried *carried)
{
    if (errand->abandoned) return false;
    while (!errand->rest.left)
        if (!next_message(errand)) return false;
    KnUnpack *in = &errand->rest;
    carried->index = kn_unpack_u64(in);
    carried->status = (KnStatus)kn_unpack_int(in);
    size_t size = kn_unpack_u64(in);
    const char *bytes = kn_unpack_bytes(in, size);
    carried->bytes = kn_unpack(bytes ? bytes : "", bytes ? size : 0);
    if (in->short_of)
        carried->status = kn_fail(&carried->error, KN_SYSTEM, "rank %d sent what cannot be read",
                                  errand->from);
    else if (carried->status != KN_OK) {
        const char *why = kn_unpack_string(&carried->bytes);
        kn_fail(&carried->error, carried->status, "%s", why ? why : "failed without saying why");
        if (carried->index == KN_NO_INDEX) kn_fail_within(&carried->error, "rank %d", errand->from);
    }
    if (carried->index == KN_NO_INDEX) return true;
    errand->helpers[errand->from].held--;
    errand->out--;
    errand->team->far++;
    return true;
}

void kn_errand_rest(KnErrand *errand, bool idle)
{
    errand->nap = !idle                                   ? KN_SHORTEST_NAP
                  : errand->nap * 2 < errand->longest_nap ? errand->nap * 2
                                                          : errand->longest_nap;
    nanosleep(&(struct timespec){.tv_nsec = errand->nap}, NULL);
}

void kn_team_dismiss(KnTeam *team)
{
    KnText text = KN_TEXT_EMPTY;
    start_message(&text, KN_MESSAGE_HOME, 0);
    for (int m = 1; m < team->size; m++) team->send(team, m, text.data, text.length);
    kn_text_free(&text);
}
