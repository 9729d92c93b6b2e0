/* Time, in seconds. */
#ifndef KNACK_BASE_CLOCK_H
#define KNACK_BASE_CLOCK_H

double kn_clock_now(void);         /* monotonic, from an arbitrary start: for differences */
double kn_clock_cpu(void);         /* CPU used by the calling thread */
double kn_clock_process_cpu(void); /* CPU used by all threads of the process */

#endif
