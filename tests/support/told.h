/* What a player tells of its move: for tests that compare the numbers of an explanation with their source. */
#ifndef KNACK_TESTS_TOLD_H
#define KNACK_TESTS_TOLD_H

#include <jansson.h>

#include "players/player.h"

typedef struct Told {
    KnAnswer answer;
    json_t *document; /* the explanation */
    KnArena *arena;
    KnGame *game;
    KnState *state; /* before the move */
    int role;
    KnText move;
} Told;

/* Asks a player of the workbench after some random moves (always the same). */
Told told_ask(const char *game, int plies, const char *spec, KnBudget budget);
/* The same in a position, as text; "start" is the start. */
Told told_at(const char *game, const char *position, const char *spec);
void told_free(Told *told);

/* The first sentence. */
const char *told_head(const Told *told);
/* A child of a row (or of the whole: told->document) by its label; NULL if there is none. */
json_t *told_child(const json_t *row, const char *label);
/* Its text, "" if it has none; its number, which must be there. */
const char *told_text(const json_t *row, const char *label);
double told_number(const json_t *row, const char *label);

#endif
