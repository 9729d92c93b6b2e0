#include "web/events.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "web/fair_share.h"

enum { QUEUE = 64 };

/* One formatted event, shared by all queues that hold it. */
typedef struct Message {
    int refs; /* under the lock of KnEvents */
    char key[48];
    size_t size;
    char bytes[];
} Message;

struct KnListener {
    KnEvents *events;
    KnListener *next;
    char session[KN_SUBSCRIBE_NAME];
    unsigned subscriptions;
    uint64_t client;
    Message *queue[QUEUE]; /* oldest first */
    int count;
    pthread_cond_t changed;
};

struct KnEvents {
    pthread_mutex_t lock;
    KnListener *listeners;
    int count, most;
    bool closed;
};

KnEvents *kn_events_new(int most)
{
    KnEvents *events = calloc(1, sizeof *events);
    if (!events) return NULL;
    pthread_mutex_init(&events->lock, NULL);
    events->most = most;
    return events;
}

void kn_events_free(KnEvents *events)
{
    if (!events) return;
    KN_ASSERT(!events->listeners);
    pthread_mutex_destroy(&events->lock);
    free(events);
}

void kn_events_close(KnEvents *events)
{
    pthread_mutex_lock(&events->lock);
    events->closed = true;
    for (KnListener *l = events->listeners; l; l = l->next) pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&events->lock);
}

/* The caller holds the lock. */
static bool has_place(const KnEvents *events, uint64_t client)
{
    size_t own = 0;
    for (const KnListener *l = events->listeners; client && l; l = l->next) own += l->client == client;
    return !events->closed && kn_fair_share_allows(own, (size_t)events->count, (size_t)events->most);
}

KnListener *kn_listener_open(KnEvents *events, const char *session, unsigned subscriptions, uint64_t client)
{
    KnListener *listener = calloc(1, sizeof *listener);
    if (!listener) return NULL;
    listener->events = events;
    listener->subscriptions = subscriptions;
    listener->client = client;
    snprintf(listener->session, sizeof listener->session, "%s", session ? session : "");
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&listener->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_lock(&events->lock);
    bool full = !has_place(events, client);
    if (!full) {
        listener->next = events->listeners;
        events->listeners = listener;
        events->count++;
    }
    pthread_mutex_unlock(&events->lock);
    if (!full) return listener;
    pthread_cond_destroy(&listener->changed);
    free(listener);
    return NULL;
}

static void release(Message *message)
{
    if (--message->refs == 0) free(message);
}

void kn_listener_close(KnListener *listener)
{
    if (!listener) return;
    KnEvents *events = listener->events;
    pthread_mutex_lock(&events->lock);
    for (KnListener **at = &events->listeners; *at; at = &(*at)->next)
        if (*at == listener) {
            *at = listener->next;
            events->count--;
            break;
        }
    for (int i = 0; i < listener->count; i++) release(listener->queue[i]);
    pthread_mutex_unlock(&events->lock);
    pthread_cond_destroy(&listener->changed);
    free(listener);
}

static Message *compose(const char *event, const char *key, uint64_t id, const json_t *data)
{
    char *json = json_dumps(data, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    if (!json) return NULL;
    char number[40] = "";
    if (id) snprintf(number, sizeof number, "id: %llu\n", (unsigned long long)id);
    size_t size = strlen(json) + strlen(event) + strlen(number) + 32;
    Message *message = malloc(sizeof *message + size);
    if (message) {
        message->refs = 1;
        snprintf(message->key, sizeof message->key, "%s/%s", event, key);
        message->size = (size_t)snprintf(message->bytes, size, "event: %s\n%sdata: %s\n\n", event, number,
                                         json);
    }
    free(json);
    return message;
}

static void drop(KnListener *listener, int place)
{
    KN_ASSERT(place >= 0 && place < listener->count);
    release(listener->queue[place]);
    listener->count--;
    memmove(&listener->queue[place], &listener->queue[place + 1],
            (size_t)(listener->count - place) * sizeof *listener->queue);
}

/* Makes room for an event with the key `coming`: drops events that a later one replaces, else the oldest. */
static void make_room(KnListener *listener, const char *coming)
{
    int before = listener->count;
    for (int i = 0; i < listener->count;) {
        bool replaced = strcmp(listener->queue[i]->key, coming) == 0;
        for (int j = i + 1; j < listener->count && !replaced; j++)
            replaced = strcmp(listener->queue[i]->key, listener->queue[j]->key) == 0;
        if (replaced)
            drop(listener, i);
        else
            i++;
    }
    if (listener->count == before) drop(listener, 0);
}

static void enqueue(KnListener *listener, Message *message)
{
    if (listener->count == QUEUE) make_room(listener, message->key);
    KN_ASSERT(listener->count < QUEUE);
    listener->queue[listener->count++] = message;
    message->refs++;
    pthread_cond_signal(&listener->changed);
}

static bool subscriptions(const KnListener *listener, const char *session, unsigned to)
{
    return session ? strcmp(listener->session, session) == 0 : (listener->subscriptions & to) != 0;
}

static int count_subscribers(const KnEvents *events, const char *session, unsigned to)
{
    int count = 0;
    for (const KnListener *l = events->listeners; l; l = l->next) count += subscriptions(l, session, to);
    return count;
}

void kn_events_publish(KnEvents *events, const char *session, unsigned to, const char *event, const char *key,
                       uint64_t id, const json_t *data)
{
    if (!kn_events_subscribers(events, session, to)) return; /* formatting is the costly part */
    Message *message = compose(event, key, id, data);
    if (!message) return;
    pthread_mutex_lock(&events->lock);
    for (KnListener *l = events->listeners; l; l = l->next)
        if (subscriptions(l, session, to)) enqueue(l, message);
    release(message);
    pthread_mutex_unlock(&events->lock);
}

void kn_listener_send(KnListener *listener, const char *event, const char *key, uint64_t id,
                      const json_t *data)
{
    Message *message = compose(event, key, id, data);
    if (!message) return;
    pthread_mutex_lock(&listener->events->lock);
    enqueue(listener, message);
    release(message);
    pthread_mutex_unlock(&listener->events->lock);
}

bool kn_listener_read(KnListener *listener, KnText *out, double seconds)
{
    KnEvents *events = listener->events;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + (long)((seconds - (double)(long)seconds) * 1e9);
    until.tv_sec += (time_t)seconds + nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    pthread_mutex_lock(&events->lock);
    int waited = 0;
    while (!listener->count && !events->closed && waited == 0)
        waited = pthread_cond_timedwait(&listener->changed, &events->lock, &until);
    bool open = !events->closed;
    if (!listener->count) kn_text_add(out, "event: ping\ndata: {}\n\n");
    for (int i = 0; i < listener->count; i++) {
        kn_text_add_bytes(out, listener->queue[i]->bytes, listener->queue[i]->size);
        release(listener->queue[i]);
    }
    listener->count = 0;
    pthread_mutex_unlock(&events->lock);
    return open && kn_text_ok(out);
}

bool kn_listener_has_events(KnListener *listener)
{
    pthread_mutex_lock(&listener->events->lock);
    bool some = listener->count > 0;
    pthread_mutex_unlock(&listener->events->lock);
    return some;
}

int kn_events_subscribers(KnEvents *events, const char *session, unsigned to)
{
    pthread_mutex_lock(&events->lock);
    int count = count_subscribers(events, session, to);
    pthread_mutex_unlock(&events->lock);
    return count;
}

int kn_events_listeners(KnEvents *events)
{
    pthread_mutex_lock(&events->lock);
    int count = events->count;
    pthread_mutex_unlock(&events->lock);
    return count;
}
