/* Server-sent events: whoever looks gets told, and nobody who does not read can hold up anybody.
 *
 * Every event carries a whole state (a contest as it is now, an analysis as far as it got), so that losing
 * one costs nothing once a later one of the same kind arrives. A listener's queue is bounded: when it is
 * full, events that a later one in the queue replaces are dropped first, and if that is not enough the
 * oldest.
 *
 * Ownership: kn_events_new / kn_events_free, which must come after every listener is closed. All calls may
 * come from any thread; a listener is read by one. */
#ifndef KNACK_WEB_EVENTS_H
#define KNACK_WEB_EVENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct KnEvents KnEvents;
typedef struct KnListener KnListener;

/* What a listener hears. */
enum { KN_HEAR_RUNS = 1, KN_HEAR_LAB = 2, KN_HEAR_NAME = 32 };

KnEvents *kn_events_new(int most_listeners);
void kn_events_free(KnEvents *events);

/* Ends every stream, now and for good. */
void kn_events_close(KnEvents *events);

/* `contest` NULL or "": none. NULL if there are too many listeners (or no memory). */
KnListener *kn_listener_open(KnEvents *events, const char *contest, unsigned hears);
void kn_listener_close(KnListener *listener); /* NULL is allowed */

/* Tells whoever hears this contest (or, with contest NULL, one of the kinds in `to`). `key` says which
 * earlier events this one replaces. A positive id becomes the event's id. Borrows `data`. */
void kn_events_tell(KnEvents *events, const char *contest, unsigned to, const char *event, const char *key,
                    uint64_t id, const json_t *data);

/* The same for one listener: the state at the beginning. */
void kn_listener_tell(KnListener *listener, const char *event, const char *key, uint64_t id,
                      const json_t *data);

/* Adds what is waiting, or a ping after `seconds` without anything. False once the stream is at its end. */
bool kn_listener_read(KnListener *listener, KnText *out, double seconds);

/* How many hear a contest (NULL: one of the kinds in `to`). */
int kn_events_hearing(KnEvents *events, const char *contest, unsigned to);
int kn_events_listeners(KnEvents *events);

#endif
