/* A helper's side of errands. Its main thread speaks with home; the threads of an errand take indices off a
 * queue and put what they have done into an outbox, which wakes the main thread: results leave at once, and
 * only listening takes naps. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/team.h"
#include "base/team_messages.h"

/* One errand. What follows `lock` is guarded by it. */
typedef struct Helping {
    const KnDuty *duty;
    void *user;
    uint64_t number;
    int jobs;
    pthread_t *threads;
    int running;
    KnText brief; /* the duty's things may point into it */
    atomic_bool cancel;
    pthread_mutex_t lock;
    pthread_cond_t more; /* for threads */
    pthread_cond_t done; /* for the main thread */
    uint64_t *queue;     /* a ring */
    size_t room, first, count;
    bool over;
    KnText outbox;
    double took;      /* by a task, a fading mean, in ns */
    double took_last; /* the same as it was told home last: the main thread's own */
} Helping;

typedef struct Life {
    KnTeam *team;
    KnSettleIn settle;
    KnFindDuty find;
    KnContext *context;
    char *data; /* its folder */
    Helping *now;
    long nap;
} Life;

typedef struct Thread {
    Helping *helping;
    int number;
} Thread;

/* ---- working ---- */

static void put_result(KnText *outbox, uint64_t index, KnStatus status, const KnText *bytes)
{
    kn_pack_u64(outbox, index);
    kn_pack_int(outbox, (int)status);
    kn_pack_u64(outbox, bytes->length);
    kn_pack_bytes(outbox, bytes->data, bytes->length);
}

static void put_failure(KnText *outbox, uint64_t index, const KnError *error)
{
    KnText why = KN_TEXT_EMPTY;
    kn_pack_string(&why, error->text);
    put_result(outbox, index, error->status, &why);
    kn_text_free(&why);
}

static bool next_index(Helping *helping, uint64_t *index)
{
    while (!helping->count && !helping->over) pthread_cond_wait(&helping->more, &helping->lock);
    if (helping->over) return false;
    *index = helping->queue[helping->first];
    helping->first = (helping->first + 1) % helping->room;
    helping->count--;
    return true;
}

static void *work(void *argument)
{
    Thread thread = *(Thread *)argument;
    free(argument);
    Helping *helping = thread.helping;
    KnText bytes = KN_TEXT_EMPTY;
    uint64_t index;
    pthread_mutex_lock(&helping->lock);
    while (next_index(helping, &index)) {
        pthread_mutex_unlock(&helping->lock);
        KnError error = {KN_OK, ""};
        double began = kn_clock_now();
        KnStatus status = atomic_load(&helping->cancel)
                              ? kn_fail(&error, KN_STOPPED, "stopped on request")
                              : helping->duty->task(helping->user, thread.number, index, &error);
        kn_text_clear(&bytes);
        if (status == KN_OK) helping->duty->pack(helping->user, thread.number, index, &bytes);
        if (status == KN_OK && !kn_text_ok(&bytes)) status = kn_fail_memory(&error, "sending a result home");
        error.status = status;
        double took = 1e9 * (kn_clock_now() - began);
        pthread_mutex_lock(&helping->lock);
        helping->took += (took - helping->took) / (helping->took > 0 ? 16 : 1);
        if (status == KN_OK)
            put_result(&helping->outbox, index, status, &bytes);
        else
            put_failure(&helping->outbox, index, &error);
        pthread_cond_signal(&helping->done);
    }
    pthread_mutex_unlock(&helping->lock);
    kn_text_free(&bytes);
    return NULL;
}

static KnStatus start_threads(Helping *helping, KnError *error)
{
    helping->threads = calloc((size_t)helping->jobs, sizeof *helping->threads);
    for (; helping->threads && helping->running < helping->jobs; helping->running++) {
        Thread *thread = malloc(sizeof *thread);
        if (!thread) break;
        *thread = (Thread){helping, helping->running};
        if (pthread_create(&helping->threads[helping->running], NULL, work, thread) == 0) continue;
        free(thread);
        break;
    }
    return helping->running ? KN_OK : kn_fail(error, KN_SYSTEM, "no thread could be started");
}

/* ---- errands ---- */

static void send_outbox(Life *life)
{
    Helping *helping = life->now;
    KnText text = KN_TEXT_EMPTY;
    pthread_mutex_lock(&helping->lock);
    if (helping->outbox.length) {
        kn_pack_int(&text, KN_MESSAGE_RESULTS);
        kn_pack_u64(&text, helping->number);
        helping->took_last = helping->took;
        kn_pack_u64(&text, (uint64_t)helping->took);
        kn_pack_bytes(&text, helping->outbox.data, helping->outbox.length);
        kn_text_clear(&helping->outbox);
    }
    pthread_mutex_unlock(&helping->lock);
    if (text.length) life->team->send(life->team, 0, text.data, text.length);
    kn_text_free(&text);
}

static void end_errand(Life *life)
{
    Helping *helping = life->now;
    if (!helping) return;
    pthread_mutex_lock(&helping->lock);
    helping->over = true;
    pthread_cond_broadcast(&helping->more);
    pthread_mutex_unlock(&helping->lock);
    for (int i = 0; i < helping->running; i++) pthread_join(helping->threads[i], NULL);
    if (helping->user) helping->duty->close(helping->user);
    pthread_cond_destroy(&helping->more);
    pthread_cond_destroy(&helping->done);
    pthread_mutex_destroy(&helping->lock);
    kn_text_free(&helping->brief);
    kn_text_free(&helping->outbox);
    free(helping->threads);
    free(helping->queue);
    free(helping);
    life->now = NULL;
}

static KnStatus take_context(Life *life, const char *data, KnError *error)
{
    if (life->context && strcmp(life->data, data) == 0) return KN_OK;
    kn_context_free(life->context);
    free(life->data);
    life->context = NULL;
    if (!(life->data = strdup(data))) return kn_fail_memory(error, "taking up work");
    return life->settle(data, &life->context, error);
}

static KnStatus take_up(Life *life, Helping *helping, KnError *error)
{
    KnUnpack in = kn_unpack(helping->brief.data, helping->brief.length);
    const char *version = kn_unpack_string(&in), *data = kn_unpack_string(&in), *duty = kn_unpack_string(&in);
    int jobs = kn_unpack_int(&in);
    uint64_t window = kn_unpack_u64(&in);
    if (!version || strcmp(version, KNACK_VERSION) != 0)
        return kn_fail(error, KN_SYSTEM, "this is knack %s, and home is %s; install the same everywhere",
                       KNACK_VERSION, version ? version : "another");
    if (!data || !duty || in.short_of) return kn_fail(error, KN_SYSTEM, "what home sent cannot be read");
    KnStatus status = take_context(life, data, error);
    if (status != KN_OK) return status;
    helping->duty = life->find(duty);
    if (!helping->duty) return kn_fail(error, KN_SYSTEM, "there is no duty \"%s\" here", duty);
    helping->jobs = kn_jobs(jobs);
    KnPost post = {life->context, helping->jobs, window, &helping->cancel, in};
    status = helping->duty->open(&post, &helping->user, error);
    return status == KN_OK ? start_threads(helping, error) : status;
}

static void open_errand(Life *life, uint64_t number, const KnUnpack *in)
{
    end_errand(life);
    Helping *helping = life->now = calloc(1, sizeof *helping);
    if (!helping)
        return; /* home waits in vain until somebody ends the job; there is no memory even to say so */
    helping->number = number;
    helping->brief = helping->outbox = KN_TEXT_EMPTY;
    kn_text_add_bytes(&helping->brief, in->at, in->left);
    atomic_init(&helping->cancel, false);
    pthread_mutex_init(&helping->lock, NULL);
    pthread_cond_init(&helping->more, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&helping->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    KnError error = {KN_OK, ""};
    KnStatus status = take_up(life, helping, &error);
    error.status = status;
    if (status != KN_OK) {
        pthread_mutex_lock(&helping->lock);
        put_failure(&helping->outbox, KN_NO_INDEX, &error);
        pthread_mutex_unlock(&helping->lock);
    }
}

static void queue_index(Helping *helping, uint64_t index)
{
    if (helping->count == helping->room) {
        size_t room = helping->room ? 2 * helping->room : 64;
        uint64_t *queue = malloc(room * sizeof *queue);
        if (!queue)
            return put_failure(&helping->outbox, index,
                               &(KnError){KN_SYSTEM, "out of memory while queueing work"});
        for (size_t i = 0; i < helping->count; i++)
            queue[i] = helping->queue[(helping->first + i) % helping->room];
        free(helping->queue);
        helping->queue = queue;
        helping->room = room;
        helping->first = 0;
    }
    helping->queue[(helping->first + helping->count++) % helping->room] = index;
}

static void take_ranges(Helping *helping, KnUnpack *in)
{
    pthread_mutex_lock(&helping->lock);
    while (in->left) {
        uint64_t first = kn_unpack_u64(in), end = kn_unpack_u64(in);
        for (uint64_t i = first; i < end; i++) {
            if (helping->running)
                queue_index(helping, i);
            else
                put_failure(&helping->outbox, i,
                            &(KnError){KN_STOPPED, "nothing is done here"}); /* why was said before */
        }
    }
    pthread_cond_broadcast(&helping->more);
    pthread_mutex_unlock(&helping->lock);
}

static void hear(Helping *helping, KnUnpack *news)
{
    KnError error = {KN_OK, ""};
    if (!helping->running || !helping->duty->hear ||
        helping->duty->hear(helping->user, news, &error) == KN_OK)
        return;
    pthread_mutex_lock(&helping->lock);
    put_failure(&helping->outbox, KN_NO_INDEX, &error);
    pthread_mutex_unlock(&helping->lock);
}

/* ---- listening ---- */

/* False: home has no more to say. */
static bool act(Life *life, const KnText *message)
{
    KnUnpack in = kn_unpack(message->data, message->length);
    int kind = kn_unpack_int(&in);
    uint64_t number = kn_unpack_u64(&in);
    if (kind == KN_MESSAGE_HOME) return false;
    if (kind == KN_MESSAGE_OPEN)
        open_errand(life, number, &in);
    else if (!life->now || life->now->number != number)
        return true;
    else if (kind == KN_MESSAGE_NEWS)
        hear(life->now, &in);
    else if (kind == KN_MESSAGE_DO)
        take_ranges(life->now, &in);
    else if (kind == KN_MESSAGE_DROP)
        atomic_store(&life->now->cancel, true);
    else if (kind == KN_MESSAGE_CLOSE)
        end_errand(life);
    return true;
}

/* A nap that a finished task ends. */
static void rest(Life *life)
{
    Helping *helping = life->now;
    if (!helping) {
        nanosleep(&(struct timespec){.tv_nsec = KN_IDLE_NAP}, NULL);
        return;
    }
    long longest = kn_longest_nap(helping->took_last);
    life->nap = life->nap * 2 < longest ? life->nap * 2 : longest;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += life->nap;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&helping->lock);
    if (!helping->outbox.length && pthread_cond_timedwait(&helping->done, &helping->lock, &until) == 0)
        life->nap = KN_SHORTEST_NAP;
    pthread_mutex_unlock(&helping->lock);
}

void kn_team_help(KnTeam *team, KnSettleIn settle, KnFindDuty find)
{
    Life life = {.team = team, .settle = settle, .find = find, .nap = KN_SHORTEST_NAP};
    KnText message = KN_TEXT_EMPTY;
    for (bool on = true; on;) {
        int from;
        bool any = false;
        for (; on && (kn_text_clear(&message), team->receive(team, &from, &message)); any = true)
            on = act(&life, &message);
        if (life.now) send_outbox(&life);
        if (any)
            life.nap = KN_SHORTEST_NAP;
        else if (on)
            rest(&life);
    }
    end_errand(&life);
    kn_context_free(life.context);
    free(life.data);
    kn_text_free(&message);
}
