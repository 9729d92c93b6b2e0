/* Explanations: the tree in which a player says why it chose a move.
 *
 * A node has a label and, by its kind, a text, a number, a move, a line of moves or a board. Boards are
 * written in the game's notation, so that a terminal draws them in letters and a page as a picture. A player
 * builds the tree in the arena of the request (player.h):
 *
 *     KnExplanation *root = kn_explanation_new(arena, "Takes the largest heap.");
 *     kn_explanation_number(arena, root, "stones", 5, "stones");
 *
 * Adding to a NULL parent does nothing and returns NULL, so that a player that nobody asked to explain needs
 * no test at each step. Labels and texts are copied into the arena, which owns all nodes. */
#ifndef KNACK_PUBLIC_EXPLAIN_H
#define KNACK_PUBLIC_EXPLAIN_H

#include <knack/base.h>

KN_BEGIN

typedef enum KnExplanationKind {
    KN_EXPLANATION_TEXT,    /* a sentence */
    KN_EXPLANATION_NUMBER,  /* a quantity with a unit and, where low < high, its range */
    KN_EXPLANATION_MOVE,    /* a move in the game's notation, with a number if `has_number` */
    KN_EXPLANATION_LINE,    /* moves separated by spaces, from `board` on if it is set */
    KN_EXPLANATION_BOARD,   /* a position in the game's notation */
    KN_EXPLANATION_PATTERN, /* part of a board: cells row by row, # for any content, / between rows */
    KN_EXPLANATION_GROUP    /* a heading for its children */
} KnExplanationKind;

typedef struct KnExplanation {
    KnExplanationKind kind;
    const char *label;
    const char *text;
    const char *unit;
    const char *board;
    double number, low, high;
    int has_number;
    struct KnExplanation *first, *last, *next; /* first and last child, next sibling */
} KnExplanation;

/* The root of a tree; NULL if memory runs out. */
KN_API KnExplanation *kn_explanation_new(KnArena *arena, const char *sentence);

/* Each adds a child to `parent` and returns it. */
KN_API KnExplanation *kn_explanation_group(KnArena *arena, KnExplanation *parent, const char *label);
KN_API KnExplanation *kn_explanation_text(KnArena *arena, KnExplanation *parent, const char *label,
                                          const char *text);
KN_API KnExplanation *kn_explanation_number(KnArena *arena, KnExplanation *parent, const char *label,
                                            double number, const char *unit);
KN_API KnExplanation *kn_explanation_bar(KnArena *arena, KnExplanation *parent, const char *label,
                                         double number, double low, double high, const char *unit);
KN_API KnExplanation *kn_explanation_move(KnArena *arena, KnExplanation *parent, const char *label,
                                          const char *move);
KN_API KnExplanation *kn_explanation_line(KnArena *arena, KnExplanation *parent, const char *label,
                                          const char *moves, const char *board);
KN_API KnExplanation *kn_explanation_board(KnArena *arena, KnExplanation *parent, const char *label,
                                           const char *board);
KN_API KnExplanation *kn_explanation_pattern(KnArena *arena, KnExplanation *parent, const char *label,
                                             const char *cells);

/* The tree as indented text, and as JSON {"kind", "label", ..., "children": [...]}. NULL if memory runs out.
 */
KN_API char *kn_explanation_string(const KnExplanation *explanation);
KN_API char *kn_explanation_json_string(const KnExplanation *explanation);

KN_END

#endif
