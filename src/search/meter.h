/* The meter that keeps a search to its budget (budget.h).
 *
 * Depth and node budgets are exact: the same search, the same nodes. Time is looked at often enough that a
 * limit is kept to well under 10 ms, also where a single node takes a millisecond.
 *
 * A meter is a plain value inside a search; it owns nothing. */
#ifndef KNACK_SEARCH_METER_H
#define KNACK_SEARCH_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "search/budget.h"

/* Why a search came to its end. */
typedef enum KnStop {
    KN_STOP_DONE,   /* the depth asked for was searched, or nothing was left to find */
    KN_STOP_NODES,  /* the node budget is spent */
    KN_STOP_TIME,   /* the time is up */
    KN_STOP_CANCEL, /* cancelled, or told to stop after an iteration */
    KN_STOP_MEMORY  /* the memory bound is reached (breadth-first search) */
} KnStop;

const char *kn_stop_name(KnStop stop); /* "done", "nodes", "time", "cancel", "memory" */

typedef struct KnMeter {
    uint64_t nodes;      /* positions played so far */
    uint64_t next;       /* at how many nodes to look again */
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t interval;   /* nodes between two looks at the clock */
    double start, deadline, last;
    const atomic_bool *cancel;
    bool timed; /* clock or cancel flag must be looked at */
    bool stopped;
    KnStop why;
} KnMeter;

void kn_meter_start(KnMeter *meter, const KnBudget *budget, const atomic_bool *cancel);
double kn_meter_seconds(const KnMeter *meter); /* since the start */

/* The look itself; kn_meter_count calls it when it is due. */
bool kn_meter_look(KnMeter *meter);

/* To be asked before each position is played: false if the budget does not allow it any more. Counts it
 * otherwise. */
static inline bool kn_meter_count(KnMeter *meter)
{
    if (__builtin_expect(meter->nodes >= meter->next, 0) && !kn_meter_look(meter)) return false;
    meter->nodes++;
    return true;
}

/* Counts positions that were played elsewhere, by an evaluation that looks ahead. The limit may be passed by
 * them. */
static inline void kn_meter_charge(KnMeter *meter, uint64_t plays) { meter->nodes += plays; }

#endif
