#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) return 0;
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double kn_clock_now(void) { return seconds(CLOCK_MONOTONIC); }
double kn_clock_cpu(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }
double kn_clock_process_cpu(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
