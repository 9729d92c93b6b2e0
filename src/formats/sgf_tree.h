/* Smart Game Format, FF[4], as the tree that it is: nodes of properties, with all variations.
 *
 * A node's first child goes on with the main line; the child's siblings are its variations. The trees of a
 * collection are siblings too. Values are kept as they stand in the file, escapes included, so that what was
 * read is written again with the same bytes between its brackets.
 *
 * Ownership: everything lives in the caller's arena. */
#ifndef KNACK_FORMATS_SGF_TREE_H
#define KNACK_FORMATS_SGF_TREE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

typedef struct KnSgfValue {
    const char *text; /* with its escapes: see kn_sgf_plain */
    int line, column;
    struct KnSgfValue *next;
} KnSgfValue;

typedef struct KnSgfProperty {
    const char *name; /* capitals */
    KnSgfValue *first, *last;
    struct KnSgfProperty *next;
} KnSgfProperty;

typedef struct KnSgfNode {
    KnSgfProperty *first, *last;
    struct KnSgfNode *parent, *child, *last_child, *sibling;
    int line, column;
} KnSgfNode;

/* The first tree of a text. *rest gets what follows it, *line and *column are where the text stands in its
 * file and then where the rest does; both may be NULL. The error says "line L, column C". */
KnStatus kn_sgf_parse(const char *text, KnArena *arena, KnSgfNode **root, const char **rest, int *line,
                      int *column, KnError *error);

/* All trees of a text: the first, with the others as its siblings. */
KnStatus kn_sgf_parse_all(const char *text, KnArena *arena, KnSgfNode **first, KnError *error);

/* A message about a value: "line L, column C: " and the text. KN_INPUT. */
KnStatus kn_sgf_fail(const KnSgfValue *value, KnError *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The values of a property of a node; NULL if it has none. */
const KnSgfValue *kn_sgf_values(const KnSgfNode *node, const char *name);

/* A value's text without escapes. */
void kn_sgf_plain(const KnSgfValue *value, KnText *out);

/* ---- making one ---- NULL where memory runs out; a NULL parent or node gives NULL, but for kn_sgf_node,
 * where it makes a root. */
KnSgfNode *kn_sgf_node(KnArena *arena, KnSgfNode *parent);
KnSgfNode *kn_sgf_add(KnArena *arena, KnSgfNode *node, const char *name,
                      const char *plain); /* one more value of a property; returns the node */

/* A node and its siblings, with all that hangs on them. */
void kn_sgf_print(const KnSgfNode *first, KnText *out);

/* Two letters as column and row from the top, from 0; false if they are not on a board of this size. */
bool kn_sgf_point(const char *text, int size, int *x, int *y);

#endif
