/* The templates of a board (Lock 2003, 1.4): where on it the shapes of BPL lie, a fixed pattern language
 * that knows no game. A learner that looks through templates sees few patterns, and regular ones.
 *
 * The shapes are straight lines, diagonals, Ls, squares, and triangles without right angles, of three to
 * KN_TEMPLATE_CELLS cells. Their breadth is measured in the smallest distance between two cells, and is at
 * most the field of view. docs/measurements/hoyle.md says how each shape is interpreted.
 *
 *     KnTemplates *templates;
 *     kn_templates_open(view, lines, field_of_view, &templates, &error)
 *     uint64_t key = kn_templates_key(templates, t, cells)    what template t holds, normalised by symmetry
 *     kn_templates_patch(templates, key, &patch)              and back, as cells with contents
 *
 * A pattern is the contents of a template; patterns that are images of each other have one key.
 *
 * Ownership: kn_templates_open / kn_templates_close; the board view outlives it. Read-only in between. */
#ifndef KNACK_METHODS_HOYLE_TEMPLATES_H
#define KNACK_METHODS_HOYLE_TEMPLATES_H

#include "methods/hoyle/lines.h"

enum { KN_TEMPLATE_CELLS = 6, KN_TEMPLATE_BITS = 4, KN_TEMPLATE_ANY = 15, KN_VIEW_MAX = 8 };

typedef enum KnShape {
    KN_SHAPE_LINE,
    KN_SHAPE_DIAGONAL,
    KN_SHAPE_L,
    KN_SHAPE_SQUARE,
    KN_SHAPE_TRIANGLE,
    KN_SHAPES
} KnShape;
extern const char *const kn_shape_names[KN_SHAPES];

/* A part of a board: some cells, ascending, and what they hold. */
typedef struct KnPatch {
    int size;
    uint16_t cell[KN_TEMPLATE_CELLS];
    uint8_t content[KN_TEMPLATE_CELLS];
} KnPatch;

typedef struct KnTemplate {
    uint8_t shape, size;
    uint16_t cell[KN_TEMPLATE_CELLS]; /* ascending */
    int normal;                       /* the least of the templates that symmetries make of it */
    int frames;                       /* symmetries that do so */
    uint8_t place[KN_BOARD_SYMMETRIES][KN_TEMPLATE_CELLS]; /* and where each brings a cell in it */
} KnTemplate;

typedef struct KnTemplates {
    const KnBoardView *view;
    int count;
    KnTemplate *item;      /* in the order of their cells */
    int *touch, *touching; /* templates that hold cell c: touching[touch[c]] up to touch[c + 1] */
} KnTemplates;

KnStatus kn_templates_open(const KnBoardView *view, const KnLines *lines, int field_of_view,
                           KnTemplates **templates, KnError *error);
void kn_templates_close(KnTemplates *templates);

/* The template of exactly these cells, ascending; -1 if there is none. */
int kn_templates_find(const KnTemplates *templates, const uint16_t *cells, int size);

/* Contents of KN_TEMPLATE_BITS each, the first cell's lowest; above them the normal template's number, and
 * then room for 16 bits of somebody else's. */
uint64_t kn_templates_key(const KnTemplates *templates, int number, const uint8_t *cells);
enum { KN_TEMPLATE_KEY = 48 };
static inline int kn_templates_of(uint64_t key)
{
    return (int)(key >> (KN_TEMPLATE_CELLS * KN_TEMPLATE_BITS) & 0xffffff);
}
static inline unsigned kn_templates_content(uint64_t key, int place)
{
    return (unsigned)(key >> (place * KN_TEMPLATE_BITS)) & KN_TEMPLATE_ANY;
}
/* Cells whose content is KN_TEMPLATE_ANY are left out. */
void kn_templates_patch(const KnTemplates *templates, uint64_t key, KnPatch *patch);

/* A patch on a board whose other cells are KN_DONT_CARE; the reverse, false if it holds fewer cells than two
 * or too many; its least image; and an order. */
void kn_patch_cells(const KnBoardView *view, const KnPatch *patch, uint8_t *cells);
bool kn_patch_of(const KnBoardView *view, const uint8_t *cells, KnPatch *patch);
void kn_patch_turn(const KnBoardView *view, int symmetry, const KnPatch *patch, KnPatch *image);
void kn_patch_normal(const KnBoardView *view, const KnPatch *patch, KnPatch *normal);
int kn_patch_compare(const KnPatch *a, const KnPatch *b);

#endif
