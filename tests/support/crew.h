/* Workers (jobs/workers.h) that are threads of this process, with a mailbox each, so that sanitizers can
 * watch what ranks do.
 *
 * Ownership: test_crew / test_crew_free; free the contexts that know its workers before it. */
#ifndef KNACK_TESTS_CREW_H
#define KNACK_TESTS_CREW_H

#include "jobs/workers.h"

typedef struct TestCrew TestCrew;

/* `size` members (at most 4), the coordinator included, with 2, 1, 2 and 1 threads by default. */
TestCrew *test_crew(int size, KnOpenWorkerContext open_context, KnFindJobType find);
void test_crew_free(TestCrew *crew);

KnWorkers *test_crew_team(TestCrew *crew); /* the coordinator's */

#endif
