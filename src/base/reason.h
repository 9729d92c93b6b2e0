/* Reasons: the one tree in which every player says why.
 *
 * A node has a label and, by its kind, a text, a number, a move, a line of moves or a board (as the game's
 * own position text, so that a terminal draws it in letters and a page as a picture). Nodes live in an arena
 * and are linked, not owned; a player fills the tree, and terminal, page and JSON show the same one. */
#ifndef KNACK_BASE_REASON_H
#define KNACK_BASE_REASON_H

#include <jansson.h>

#include "base/arena.h"
#include "base/text.h"

typedef enum KnReasonKind {
    KN_REASON_TEXT,    /* a sentence */
    KN_REASON_NUMBER,  /* a quantity, with a unit and, where known, the range that a bar is drawn in */
    KN_REASON_MOVE,    /* a move in the game's notation, with a number if `has_number` */
    KN_REASON_LINE,    /* moves separated by spaces, from `board` on if that is set */
    KN_REASON_BOARD,   /* a position in the game's notation */
    KN_REASON_PATTERN, /* part of a board: its cells row by row as in the game's notation, # where anything
                          may stand, / between rows */
    KN_REASON_GROUP    /* a heading for its children */
} KnReasonKind;

typedef struct KnReason {
    KnReasonKind kind;
    const char *label;
    const char *text;
    const char *unit;
    const char *board;
    double number, low, high; /* low < high: the range of a bar */
    int has_number;
    struct KnReason *first, *last, *next;
} KnReason;

/* A tree's root; NULL if memory runs out. Adding to a NULL parent returns NULL, so that a player which is not
 * asked for reasons needs no test at each step. */
KnReason *kn_reason_new(KnArena *arena, const char *sentence);
KnReason *kn_reason_group(KnArena *arena, KnReason *parent, const char *label);
KnReason *kn_reason_text(KnArena *arena, KnReason *parent, const char *label, const char *text);
KnReason *kn_reason_number(KnArena *arena, KnReason *parent, const char *label, double number,
                           const char *unit);
KnReason *kn_reason_bar(KnArena *arena, KnReason *parent, const char *label, double number, double low,
                        double high, const char *unit);
KnReason *kn_reason_move(KnArena *arena, KnReason *parent, const char *label, const char *move);
KnReason *kn_reason_line(KnArena *arena, KnReason *parent, const char *label, const char *moves,
                         const char *board);
KnReason *kn_reason_board(KnArena *arena, KnReason *parent, const char *label, const char *board);

KnReason *kn_reason_pattern(KnArena *arena, KnReason *parent, const char *label, const char *cells);

/* Indented plain text; boards as their position text. */
void kn_reason_print(const KnReason *reason, KnText *out);

/* {"kind", "label", ..., "children": [...]}; a new reference, NULL if memory runs out. */
json_t *kn_reason_json(const KnReason *reason);

#endif
