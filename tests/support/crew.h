/* A team (base/team.h) whose members are threads of this process, with a mailbox each: what ranks do, where
 * sanitizers can look.
 *
 * Ownership: test_crew / test_crew_free; the contexts that know its team must be freed or told before. */
#ifndef KNACK_TESTS_CREW_H
#define KNACK_TESTS_CREW_H

#include "base/team.h"

typedef struct TestCrew TestCrew;

/* `size` members (at most 4), home included, with 2, 1, 2 and 1 threads where nobody says how many. */
TestCrew *test_crew(int size, KnSettleIn settle, KnFindDuty find);
void test_crew_free(TestCrew *crew);

KnTeam *test_crew_team(TestCrew *crew); /* home's */

#endif
