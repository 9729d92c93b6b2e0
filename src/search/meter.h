/* The meter of a search counts its nodes and its time against a budget (KnBudget).
 *
 * Depth and node budgets are exact: the same search visits the same nodes. The clock is read often enough
 * that a search overruns its time by less than 10 ms, even where a single node takes a millisecond.
 *
 * A meter is a plain value inside a search; it owns nothing. */
#ifndef KNACK_SEARCH_METER_H
#define KNACK_SEARCH_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <knack/base.h>

/* Why a search ended. */
typedef enum KnStop {
    KN_STOP_DONE,   /* the requested depth was searched, or the tree was exhausted */
    KN_STOP_NODES,  /* the node budget was used up */
    KN_STOP_TIME,   /* the time was used up */
    KN_STOP_CANCEL, /* cancelled, or stopped by the callback after an iteration */
    KN_STOP_MEMORY  /* the memory bound was reached (breadth-first search) */
} KnStop;

const char *kn_stop_name(KnStop stop); /* "done", "nodes", "time", "cancel", "memory" */

typedef struct KnMeter {
    uint64_t nodes;      /* positions played so far */
    uint64_t next;       /* the node count of the next check */
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t interval;   /* nodes between two readings of the clock */
    double start, deadline, last;
    KnBudget budget;
    const atomic_bool *cancel;
    bool timed; /* there is a deadline or a cancel flag to check */
    bool stopped;
    KnStop why;
} KnMeter;

void kn_meter_start(KnMeter *meter, const KnBudget *budget, const atomic_bool *cancel);
double kn_meter_seconds(const KnMeter *meter); /* since the start */

/* From now on only this part of the budget, 0 to 1, may be used. False if it is used up already. */
bool kn_meter_narrow(KnMeter *meter, double part);

/* Checks all limits; kn_meter_count calls this when a check is due. */
bool kn_meter_look(KnMeter *meter);

/* Call this before playing each position. Returns false if the budget is used up; otherwise counts the node.
 */
static inline bool kn_meter_count(KnMeter *meter)
{
    if (__builtin_expect(meter->nodes >= meter->next, 0) && !kn_meter_look(meter)) return false;
    meter->nodes++;
    return true;
}

/* Counts positions that an evaluation with a search of its own played. They may exceed the limit. */
static inline void kn_meter_charge(KnMeter *meter, uint64_t plays) { meter->nodes += plays; }

#endif
