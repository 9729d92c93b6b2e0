#include "protocols/latency.h"

#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/math.h"

static const double HALF_LIFE = 30, MOST_SILENCE = 10; /* more means that nothing was received at all */

double kn_socket_silence(int fd)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
    double seconds = info.tcpi_last_data_recv / 1000.0;
    return seconds <= MOST_SILENCE ? seconds : 0;
}

/* struct sched_attr of linux/sched/types.h; for ordinary threads `runtime` is the time slice asked for. */
typedef struct Attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} Attributes;

void kn_thread_prompt(void)
{
#if defined SYS_sched_setattr && defined SYS_sched_getattr
    Attributes now = {0};
    if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0 || now.policy != 0)
        return; /* another scheduling policy is set */
    now.size = sizeof now;
    now.runtime = 200000;                         /* nanoseconds */
    (void)syscall(SYS_sched_setattr, 0, &now, 0); /* older kernels ignore it */
#endif
}

void kn_delay_init(KnDelay *delay)
{
    *delay = (KnDelay){0};
    pthread_mutex_init(&delay->lock, NULL);
}

void kn_delay_free(KnDelay *delay) { pthread_mutex_destroy(&delay->lock); }

static double faded(const KnDelay *delay, double now)
{
    return delay->most * kn_math_pow(2, (delay->at - now) / HALF_LIFE);
}

void kn_delay_note(KnDelay *delay, double seconds)
{
    double now = kn_clock_now();
    pthread_mutex_lock(&delay->lock);
    if (seconds > faded(delay, now)) {
        delay->most = seconds;
        delay->at = now;
    }
    pthread_mutex_unlock(&delay->lock);
}

double kn_delay(KnDelay *delay)
{
    pthread_mutex_lock(&delay->lock);
    double most = faded(delay, kn_clock_now());
    pthread_mutex_unlock(&delay->lock);
    return most;
}
