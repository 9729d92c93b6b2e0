#include "search/meter.h"

#include <math.h>

#include "base/assert.h"
#include "base/clock.h"

/* Time between two readings of the clock. A reading takes about 25 ns, which is negligible at this rate, and
 * a search whose nodes suddenly become forty times slower still overruns by less than 10 ms. */
static const double LOOK_SECONDS = 0.00025;

enum { LONGEST_INTERVAL = 1 << 16 };

const char *kn_stop_name(KnStop stop)
{
    static const char *const names[] = {"done", "nodes", "time", "cancel", "memory"};
    KN_ASSERT((size_t)stop < sizeof names / sizeof *names);
    return names[stop];
}

static void meter_plan(KnMeter *meter)
{
    KN_ASSERT(meter->interval >= 1);
    meter->next = meter->node_limit;
    if (meter->timed && meter->interval < meter->node_limit - meter->nodes)
        meter->next = meter->nodes + meter->interval;
}

static double clock_of(const KnMeter *meter)
{
    return meter->budget.processor ? kn_clock_cpu() : kn_clock_now();
}

void kn_meter_start(KnMeter *meter, const KnBudget *budget, const atomic_bool *cancel)
{
    *meter = (KnMeter){.node_limit = budget->nodes ? budget->nodes : UINT64_MAX,
                       .interval = 1,
                       .cancel = cancel,
                       .budget = *budget,
                       .timed = cancel || budget->seconds > 0};
    meter->start = meter->last = clock_of(meter);
    meter->deadline = budget->seconds > 0 ? meter->start + budget->seconds : INFINITY;
    meter_plan(meter);
}

double kn_meter_seconds(const KnMeter *meter) { return clock_of(meter) - meter->start; }

static bool meter_stop(KnMeter *meter, KnStop why)
{
    meter->stopped = true;
    meter->why = why;
    meter->next = 0;
    return false;
}

bool kn_meter_narrow(KnMeter *meter, double part)
{
    KN_ASSERT(part >= 0 && part <= 1);
    if (meter->budget.nodes) meter->node_limit = (uint64_t)((double)meter->budget.nodes * part);
    if (meter->budget.seconds > 0) meter->deadline = meter->start + meter->budget.seconds * part;
    if (meter->nodes >= meter->node_limit) return meter_stop(meter, KN_STOP_NODES);
    if (meter->budget.seconds > 0 && clock_of(meter) >= meter->deadline)
        return meter_stop(meter, KN_STOP_TIME);
    meter_plan(meter);
    return true;
}

bool kn_meter_look(KnMeter *meter)
{
    if (meter->stopped) return false;
    if (meter->nodes >= meter->node_limit) return meter_stop(meter, KN_STOP_NODES);
    if (meter->timed) {
        double now = clock_of(meter), passed = now - meter->last;
        meter->last = now;
        if (now >= meter->deadline) return meter_stop(meter, KN_STOP_TIME);
        if (meter->cancel && atomic_load_explicit(meter->cancel, memory_order_relaxed))
            return meter_stop(meter, KN_STOP_CANCEL);
        if (passed > LOOK_SECONDS)
            meter->interval = (meter->interval + 1) / 2;
        else if (passed < LOOK_SECONDS / 2 && meter->interval < LONGEST_INTERVAL)
            meter->interval *= 2;
    }
    meter_plan(meter);
    return true;
}
