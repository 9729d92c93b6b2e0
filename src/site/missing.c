/* What the C library for WebAssembly lacks. */
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Merges the sorted halves of `base`, of `left` and count - left items, through `room`. */
static void merge(char *base, size_t left, size_t count, size_t size,
                  int (*compare)(const void *, const void *, void *), void *user, char *room)
{
    memcpy(room, base, left * size);
    size_t a = 0, b = left, at = 0;
    while (a < left && b < count) {
        bool second = compare(room + a * size, base + b * size, user) > 0;
        memmove(base + at++ * size, second ? base + b++ * size : room + a++ * size, size);
    }
    memcpy(base + at * size, room + a * size, (left - a) * size);
}

static void sort(char *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                 void *user, char *room)
{
    if (count < 2) return;
    size_t left = count / 2;
    sort(base, left, size, compare, user, room);
    sort(base + left * size, count - left, size, compare, user, room);
    merge(base, left, count, size, compare, user, room);
}

/* Stable, as glibc's is while memory lasts: items that compare equal come out in the same order there and
 * here. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *user)
{
    char *room = malloc(count * size + 1);
    if (!room) abort(); /* glibc sorts in place then, in another order */
    sort(base, count, size, compare, user, room);
    free(room);
}

/* One core: there are no threads here. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid;
    memset(set, 0, size);
    CPU_SET(0, set);
    return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
    int count = 0;
    for (size_t i = 0; i < size; i++) count += __builtin_popcount(((const unsigned char *)set)[i]);
    return count;
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    return getentropy(bytes, size) == 0 ? (ssize_t)size : -1; /* at most 256 bytes, as here */
}
