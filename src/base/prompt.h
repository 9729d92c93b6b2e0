/* Being in time on a busy machine: what the kernel knows of when bytes came, delays that were met lately, and
 * threads that do little and should do it soon.
 *
 * Ownership: plain values; kn_delay_init / kn_delay_free. A delay may be told and asked from several threads.
 */
#ifndef KNACK_BASE_PROMPT_H
#define KNACK_BASE_PROMPT_H

#include <pthread.h>

/* Seconds since the last bytes came in on a TCP socket that has received some, read or not; 0 where that
 * cannot be told. */
double kn_socket_silence(int fd);

/* Asks for short turns for the calling thread (Linux 6.12 and later; no privilege is needed): it is woken
 * sooner when others are busy. */
void kn_thread_prompt(void);

/* How late threads have been woken: the most of late, forgotten by half every half minute. */
typedef struct KnDelay {
    pthread_mutex_t lock;
    double most, at;
} KnDelay;

void kn_delay_init(KnDelay *delay);
void kn_delay_free(KnDelay *delay);
void kn_delay_note(KnDelay *delay, double seconds);
double kn_delay(KnDelay *delay);

#endif
