/* Linked into the tests of tests/single-threaded.txt: they are left out under the thread sanitizer, which is
 * right only as long as they start no thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    fputs("this test starts a thread: take it off tests/single-threaded.txt\n", stderr);
    abort();
}
