/* Latency on a busy machine: when bytes arrived according to the kernel, how late threads were scheduled
 * recently, and a scheduling hint for threads that must react fast.
 *
 * Ownership: plain values; kn_delay_init / kn_delay_free. Several threads may use one KnDelay. */
#ifndef KNACK_PROTOCOLS_LATENCY_H
#define KNACK_PROTOCOLS_LATENCY_H

#include <pthread.h>

/* Seconds since the last bytes arrived on a TCP socket, read or not (TCP_INFO); 0 where that is unknown. */
double kn_socket_silence(int fd);

/* Asks the scheduler for short time slices for the calling thread (Linux 6.12 and later, unprivileged): EEVDF
 * then wakes it sooner while others are busy. */
void kn_thread_prompt(void);

/* The largest wake-up delay of recent time, decaying with a half-life of 30 s. */
typedef struct KnDelay {
    pthread_mutex_t lock;
    double most, at;
} KnDelay;

void kn_delay_init(KnDelay *delay);
void kn_delay_free(KnDelay *delay);
void kn_delay_note(KnDelay *delay, double seconds);
double kn_delay(KnDelay *delay);

#endif
