#include "methods/hoyle/templates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"

enum { TEMPLATES_MAX = 1 << 16 };
static const double NEAR = 0.01;

const char *const kn_shape_names[KN_SHAPES] = {"line", "diagonal", "L", "square", "triangle"};

/* What is collected while the board is looked over. */
typedef struct Finder {
    const KnBoardView *view;
    const KnLines *lines;
    double breadth; /* at most */
    bool upright;   /* some neighbours lie in a row or column: else (draughts) the board is seen aslant */
    KnTemplate *item;
    int count, capacity;
    bool failed;
} Finder;

static int by_number(const void *a, const void *b) { return *(const uint16_t *)a - *(const uint16_t *)b; }

static int compare_cells(const uint16_t *a, int a_size, const uint16_t *b, int b_size)
{
    for (int i = 0; i < a_size && i < b_size; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return a_size - b_size;
}

static int by_cells(const void *a, const void *b)
{
    const KnTemplate *x = a, *y = b;
    int order = compare_cells(x->cell, x->size, y->cell, y->size);
    return order ? order : x->shape - y->shape;
}

static double broad(const KnLines *lines, const uint16_t *cells, int size)
{
    KN_ASSERT(size > 0);
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < size; i++) {
        const KnBoardPlace *at = &lines->at[cells[i]];
        left = fmin(left, at->x), right = fmax(right, at->x);
        top = fmin(top, at->y), bottom = fmax(bottom, at->y);
    }
    return fmax(right - left, bottom - top);
}

static void take(Finder *f, KnShape shape, const uint16_t *cells, int size)
{
    if (f->count == TEMPLATES_MAX || f->failed || size > KN_TEMPLATE_CELLS ||
        broad(f->lines, cells, size) > f->breadth)
        return;
    if (f->count == f->capacity) {
        int capacity = f->capacity ? 2 * f->capacity : 64;
        KnTemplate *more = realloc(f->item, (size_t)capacity * sizeof *more);
        if (!more) {
            f->failed = true;
            return;
        }
        f->item = more;
        f->capacity = capacity;
    }
    KnTemplate *t = &f->item[f->count++];
    *t = (KnTemplate){.shape = (uint8_t)shape, .size = (uint8_t)size};
    memcpy(t->cell, cells, (size_t)size * sizeof *cells);
    qsort(t->cell, (size_t)size, sizeof *t->cell, by_number);
}

/* ---- Shapes ---- */

static bool same(double a, double b) { return fabs(a - b) < NEAR; }

static bool upright(const KnLines *lines, int a, int b)
{
    return same(lines->at[a].x, lines->at[b].x) || same(lines->at[a].y, lines->at[b].y);
}

static int cell_at(const Finder *f, double x, double y)
{
    for (int i = 0; i < f->view->cells; i++)
        if (same(f->lines->at[i].x, x) && same(f->lines->at[i].y, y)) return i;
    return -1;
}

/* Cells side by side straight on from `from` over `next`, `from` not among them. Returns how many. */
static int arm(const Finder *f, int from, int next, uint16_t *cells)
{
    int size = 0;
    for (int before = from; next >= 0 && size < KN_TEMPLATE_CELLS; size++) {
        cells[size] = (uint16_t)next;
        int further = kn_lines_straight_on(f->lines, before, next);
        before = next;
        next = further;
    }
    return size;
}

static void find_lines(Finder *f, int a, int b)
{
    uint16_t cells[KN_TEMPLATE_CELLS + 1] = {(uint16_t)a};
    int size = 1 + arm(f, a, b, cells + 1);
    for (int s = 3; s <= size; s++)
        if (cells[0] < cells[s - 1])
            take(f, upright(f->lines, a, b) ? KN_SHAPE_LINE : KN_SHAPE_DIAGONAL, cells, s);
}

/* A corner with two arms of any lengths at a right angle; in rows and columns where the board has some. */
static void find_ls(Finder *f, int corner, int b, int c)
{
    const KnBoardPlace *at = f->lines->at;
    if (f->upright && !(upright(f->lines, corner, b) && upright(f->lines, corner, c))) return;
    double dot = (at[b].x - at[corner].x) * (at[c].x - at[corner].x) +
                 (at[b].y - at[corner].y) * (at[c].y - at[corner].y);
    if (!same(dot, 0)) return;
    uint16_t one[KN_TEMPLATE_CELLS], two[KN_TEMPLATE_CELLS],
        cells[2 * KN_TEMPLATE_CELLS + 1] = {(uint16_t)corner};
    int ones = arm(f, corner, b, one), twos = arm(f, corner, c, two);
    for (int i = 1; i <= ones; i++)
        for (int k = 1; k <= twos; k++) {
            memcpy(cells + 1, one, (size_t)i * sizeof *cells);
            memcpy(cells + 1 + i, two, (size_t)k * sizeof *cells);
            take(f, KN_SHAPE_L, cells, 1 + i + k);
        }
}

/* The corners of a square, upright or standing on one of them; a and b are two that follow each other
 * clockwise. */
static void find_square(Finder *f, int a, int b)
{
    const KnBoardPlace *at = f->lines->at;
    double dx = at[b].x - at[a].x, dy = at[b].y - at[a].y;
    if (!same(dx, 0) && !same(dy, 0) && !same(fabs(dx), fabs(dy))) return;
    int c = cell_at(f, at[b].x - dy, at[b].y + dx), d = cell_at(f, at[a].x - dy, at[a].y + dx);
    if (c < 0 || d < 0 || a > b || a > c || a > d) return;
    take(f, KN_SHAPE_SQUARE, (uint16_t[]){(uint16_t)a, (uint16_t)b, (uint16_t)c, (uint16_t)d}, 4);
}

/* Two cells of a row or column, and one that is equally far from both, with no right angle there. */
static void find_triangles(Finder *f, int a, int b)
{
    const KnBoardPlace *at = f->lines->at;
    if (a > b || !upright(f->lines, a, b)) return;
    for (int c = 0; c < f->view->cells; c++) {
        double ax = at[a].x - at[c].x, ay = at[a].y - at[c].y, bx = at[b].x - at[c].x, by = at[b].y - at[c].y;
        if (c == a || c == b || !same(kn_math_hypot(ax, ay), kn_math_hypot(bx, by)) ||
            same(ax * bx + ay * by, 0) || same(ax * by - ay * bx, 0))
            continue;
        take(f, KN_SHAPE_TRIANGLE, (uint16_t[]){(uint16_t)a, (uint16_t)b, (uint16_t)c}, 3);
    }
}

static void look_over(Finder *f, double unit)
{
    const KnLines *lines = f->lines;
    for (int a = 0; a < f->view->cells; a++)
        for (int i = 0; i < lines->neighbours[a]; i++)
            f->upright = f->upright || upright(lines, a, lines->neighbour[a][i]);
    for (int a = 0; a < f->view->cells; a++) {
        for (int i = 0; i < lines->neighbours[a]; i++) {
            find_lines(f, a, lines->neighbour[a][i]);
            for (int k = 0; k < i; k++) find_ls(f, a, lines->neighbour[a][i], lines->neighbour[a][k]);
        }
        for (int b = 0; b < f->view->cells; b++) {
            double far = kn_math_hypot(lines->at[a].x - lines->at[b].x, lines->at[a].y - lines->at[b].y);
            if (a == b || far > f->breadth * 1.5 + unit * NEAR) continue;
            find_square(f, a, b);
            find_triangles(f, a, b);
        }
    }
}

/* ---- Symmetries ---- */

static void set_frames(const KnTemplates *all, KnTemplate *t)
{
    const KnBoardView *view = all->view;
    uint16_t image[KN_BOARD_SYMMETRIES][KN_TEMPLATE_CELLS], sorted[KN_TEMPLATE_CELLS];
    int number[KN_BOARD_SYMMETRIES];
    t->normal = (int)(t - all->item);
    for (int symmetry = 0; symmetry < view->symmetries; symmetry++) {
        for (int i = 0; i < t->size; i++) image[symmetry][i] = view->image[symmetry][t->cell[i]];
        memcpy(sorted, image[symmetry], sizeof sorted);
        qsort(sorted, t->size, sizeof *sorted, by_number);
        number[symmetry] = kn_templates_find(all, sorted, t->size);
        if (number[symmetry] >= 0 && number[symmetry] < t->normal) t->normal = number[symmetry];
    }
    const KnTemplate *normal = &all->item[t->normal];
    for (int symmetry = 0; symmetry < view->symmetries; symmetry++) {
        if (number[symmetry] != t->normal) continue;
        for (int i = 0; i < t->size; i++)
            for (int k = 0; k < t->size; k++)
                if (normal->cell[k] == image[symmetry][i]) t->place[t->frames][i] = (uint8_t)k;
        t->frames++;
    }
}

static bool set_touching(KnTemplates *all)
{
    int cells = all->view->cells, total = 0;
    for (int t = 0; t < all->count; t++) total += all->item[t].size;
    all->touch = calloc((size_t)cells + 2, sizeof *all->touch);
    all->touching = malloc(((size_t)total + 1) * sizeof *all->touching);
    if (!all->touch || !all->touching) return false;
    for (int t = 0; t < all->count; t++)
        for (int i = 0; i < all->item[t].size; i++) all->touch[all->item[t].cell[i] + 2]++;
    for (int c = 0; c < cells; c++)
        all->touch[c + 1] += all->touch[c]; /* shifted by one: filling moves each to its place */
    for (int t = 0; t < all->count; t++)
        for (int i = 0; i < all->item[t].size; i++) all->touching[all->touch[all->item[t].cell[i] + 1]++] = t;
    return true;
}

KnStatus kn_templates_open(const KnBoardView *view, const KnLines *lines, int field_of_view,
                           KnTemplates **out, KnError *error)
{
    *out = NULL;
    double unit = INFINITY;
    for (int a = 0; a < view->cells; a++)
        for (int b = 0; b < a; b++)
            unit = fmin(unit,
                        kn_math_hypot(lines->at[a].x - lines->at[b].x, lines->at[a].y - lines->at[b].y));
    Finder finder = {.view = view, .lines = lines, .breadth = field_of_view * unit + NEAR};
    look_over(&finder, unit);
    KnTemplates *all = calloc(1, sizeof *all);
    if (!all || finder.failed) {
        free(finder.item);
        free(all);
        return kn_fail_memory(error, "looking for templates");
    }
    if (finder.count) qsort(finder.item, (size_t)finder.count, sizeof *finder.item, by_cells);
    int kept = 0;
    for (int i = 0; i < finder.count; i++)
        if (!kept || compare_cells(finder.item[kept - 1].cell, finder.item[kept - 1].size,
                                   finder.item[i].cell, finder.item[i].size) != 0)
            finder.item[kept++] = finder.item[i];
    *all = (KnTemplates){.view = view, .count = kept, .item = finder.item};
    for (int t = 0; t < kept; t++) set_frames(all, &all->item[t]);
    if (!set_touching(all)) {
        kn_templates_close(all);
        return kn_fail_memory(error, "looking for templates");
    }
    *out = all;
    return KN_OK;
}

void kn_templates_close(KnTemplates *templates)
{
    if (!templates) return;
    free(templates->item);
    free(templates->touch);
    free(templates->touching);
    free(templates);
}

int kn_templates_find(const KnTemplates *all, const uint16_t *cells, int size)
{
    int low = 0, high = all->count;
    while (low < high) {
        int middle = (low + high) / 2,
            order = compare_cells(all->item[middle].cell, all->item[middle].size, cells, size);
        if (!order) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

uint64_t kn_templates_key(const KnTemplates *all, int number, const uint8_t *cells)
{
    const KnTemplate *t = &all->item[number];
    uint64_t least = UINT64_MAX;
    for (int f = 0; f < t->frames; f++) {
        uint64_t contents = 0;
        for (int i = 0; i < t->size; i++)
            contents |= (uint64_t)cells[t->cell[i]] << (t->place[f][i] * KN_TEMPLATE_BITS);
        if (contents < least) least = contents;
    }
    return (uint64_t)t->normal << (KN_TEMPLATE_CELLS * KN_TEMPLATE_BITS) | least;
}

/* ---- Patches ---- */

void kn_templates_patch(const KnTemplates *all, uint64_t key, KnPatch *patch)
{
    const KnTemplate *t = &all->item[kn_templates_of(key)];
    *patch = (KnPatch){0};
    for (int i = 0; i < t->size; i++) {
        unsigned content = kn_templates_content(key, i);
        if (content == KN_TEMPLATE_ANY) continue;
        patch->cell[patch->size] = t->cell[i];
        patch->content[patch->size++] = (uint8_t)content;
    }
}

void kn_patch_cells(const KnBoardView *view, const KnPatch *patch, uint8_t *cells)
{
    memset(cells, KN_DONT_CARE, (size_t)view->cells);
    for (int i = 0; i < patch->size; i++) cells[patch->cell[i]] = patch->content[i];
}

bool kn_patch_of(const KnBoardView *view, const uint8_t *cells, KnPatch *patch)
{
    *patch = (KnPatch){0};
    for (int c = 0; c < view->cells; c++) {
        if (cells[c] == KN_DONT_CARE) continue;
        if (patch->size == KN_TEMPLATE_CELLS) return false;
        patch->cell[patch->size] = (uint16_t)c;
        patch->content[patch->size++] = cells[c];
    }
    return patch->size >= 2;
}

void kn_patch_turn(const KnBoardView *view, int symmetry, const KnPatch *patch, KnPatch *image)
{
    *image = (KnPatch){.size = patch->size};
    for (int i = 0; i < patch->size; i++) {
        uint16_t cell = view->image[symmetry][patch->cell[i]];
        int k = i;
        for (; k > 0 && image->cell[k - 1] > cell; k--)
            image->cell[k] = image->cell[k - 1], image->content[k] = image->content[k - 1];
        image->cell[k] = cell;
        image->content[k] = patch->content[i];
    }
}

int kn_patch_compare(const KnPatch *a, const KnPatch *b)
{
    int order = compare_cells(a->cell, a->size, b->cell, b->size);
    return order ? order : memcmp(a->content, b->content, (size_t)a->size);
}

void kn_patch_normal(const KnBoardView *view, const KnPatch *patch, KnPatch *normal)
{
    KnPatch image;
    *normal = *patch;
    for (int symmetry = 1; symmetry < view->symmetries; symmetry++) {
        kn_patch_turn(view, symmetry, patch, &image);
        if (kn_patch_compare(&image, normal) < 0) *normal = image;
    }
}
