/* Server-sent events: published to all listeners that subscribe to them. A listener that does not read delays
 * nobody.
 *
 * Every event carries a whole state (a session as it is now, an analysis so far), so a lost event does no
 * harm once a later one of the same kind arrives. A listener's queue is bounded: when it is full, events that
 * a later one replaces are dropped first, then the oldest.
 *
 * Ownership: kn_events_new / kn_events_free, after every listener is closed. All calls are thread-safe; one
 * thread reads a listener. */
#ifndef KNACK_WEB_EVENTS_H
#define KNACK_WEB_EVENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct KnEvents KnEvents;
typedef struct KnListener KnListener;

/* What a listener can subscribe to, besides one session. */
enum { KN_SUBSCRIBE_RUNS = 1, KN_SUBSCRIBE_LAB = 2, KN_SUBSCRIBE_NAME = 32 };

KnEvents *kn_events_new(int most_listeners);
void kn_events_free(KnEvents *events);

/* Ends every stream and refuses new ones. */
void kn_events_close(KnEvents *events);

/* `session` is an id; NULL or "" for none. `client` is its key in fair queues; 0: none. Returns NULL if there
 * are too many listeners, in all or of this client, or no memory. */
KnListener *kn_listener_open(KnEvents *events, const char *session, unsigned subscriptions, uint64_t client);
void kn_listener_close(KnListener *listener); /* NULL is allowed */

/* Publishes to the listeners of a session or, with session NULL, to those that subscribe to a kind in `to`.
 * The event replaces earlier ones with the same name and key. A positive id becomes the event's id. Borrows
 * `data`. */
void kn_events_publish(KnEvents *events, const char *session, unsigned to, const char *event, const char *key,
                       uint64_t id, const json_t *data);

/* Sends an event to one listener: the state at the start of its stream. */
void kn_listener_send(KnListener *listener, const char *event, const char *key, uint64_t id,
                      const json_t *data);

/* Appends the queued events, or a ping after `seconds` without one. False once the stream has ended. */
bool kn_listener_read(KnListener *listener, KnText *out, double seconds);

/* Whether events are queued, so that kn_listener_read would not wait. */
bool kn_listener_has_events(KnListener *listener);

/* The number of listeners of a session (NULL: of a kind in `to`). */
int kn_events_subscribers(KnEvents *events, const char *session, unsigned to);
int kn_events_listeners(KnEvents *events);

#endif
