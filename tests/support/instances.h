/* The game instances that suites over all games run on. Every registered game is among them: by its plain
 * name, or by the variants listed in instances.c. */
#ifndef KNACK_TESTS_INSTANCES_H
#define KNACK_TESTS_INSTANCES_H

#include "games/game.h"

/* A context with the built-in games registered; the test fails if that does not work. */
KnContext *test_context(void);

/* Calls visit(game) for an opened instance of every row, one after the other. */
void test_each_instance(const KnContext *context, void (*visit)(const KnGame *game));

#endif
