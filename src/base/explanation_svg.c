/* An explanation as a picture: rows from top to bottom, indented by depth; numbers with a range or with
 * siblings to compare have bars, and parts of boards are drawn as cells. Plain SVG without script and style
 * sheet, so that it can be projected, printed and served to pages that allow neither. */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/explanation.h"

enum {
    WIDTH = 900,
    ROW = 20,
    INDENT = 22,
    CELL = 18,
    BAR = 160,
    DEPTH_MOST = 24,
    TEXT_MOST = 110,
    ROWS_MOST = 400
};

typedef struct Picture {
    KnText body;
    double y, aside; /* aside: how far to the right of its place a board beside others stands */
    int rows;
    KnBoardRows *board_rows; /* NULL: boards are drawn if they are rows of cells already */
    const void *user;
} Picture;

/* A text of `most` bytes or a few more: it is never cut inside a character. */
static void add_escaped(KnText *out, const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    while ((text[length] & 0xc0) == 0x80) length++;
    kn_text_escape(out, text, length);
    if (text[length]) kn_text_add(out, "...");
}

static void begin_text(Picture *p, double x, const char *kind)
{
    kn_text_printf(&p->body, "<text x=\"%.0f\" y=\"%.0f\"%s>", x, p->y + 14, kind);
}

/* Whether a text is cells row by row, all rows of one length; how many. A position may go on after a blank.
 */
static bool is_grid(const char *text, int *columns, int *rows)
{
    size_t length = strcspn(text, " "), first = strcspn(text, "/ ");
    *columns = (int)first;
    *rows = 1;
    if (!first || first == length || first > 20) return false;
    for (size_t at = 0; at < length;) {
        size_t width = strcspn(text + at, "/ ");
        if (width != first) return false;
        at += width + 1;
        if (at < length) ++*rows;
    }
    return *rows <= 20;
}

static void draw_grid(Picture *p, double x, const char *text, int columns)
{
    int column = 0;
    for (const char *at = text; *at && *at != ' '; at++) {
        if (*at == '/') {
            column = 0;
            p->y += CELL;
            continue;
        }
        kn_text_printf(&p->body,
                       "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                       "stroke=\"#8a8170\"/>",
                       x + CELL * column, p->y, CELL, CELL, *at == '#' ? "#c9c4b8" : "#fdf6e3");
        if (*at != '#' && *at != '.' && *at != '-' && *at != '_') {
            kn_text_printf(&p->body,
                           "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" "
                           "font-family=\"monospace\">",
                           x + CELL * column + CELL / 2.0, p->y + 13);
            char man[2] = {*at, '\0'};
            add_escaped(&p->body, man, 1);
            kn_text_add(&p->body, "</text>\n");
        }
        if (++column > columns) break;
    }
    p->y += CELL + 6;
}

static void add_number(Picture *p, const KnExplanation *node, double low, double high)
{
    kn_text_printf(&p->body, "<tspan fill=\"#444\">  %.4g%s", node->number, node->unit ? " " : "");
    if (node->unit) add_escaped(&p->body, node->unit, TEXT_MOST);
    kn_text_add(&p->body, "</tspan></text>\n");
    if (!(high > low)) return;
    /* From zero, where the range has it, so that for and against point in different directions. */
    double zero = low > 0    ? 0
                  : high < 0 ? 1
                             : -low / (high - low),
           share = (node->number - low) / (high - low);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    kn_text_printf(&p->body,
                   "<rect x=\"%d\" y=\"%.0f\" width=\"%d\" height=\"10\" fill=\"#e6e8ec\"/>"
                   "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"10\" fill=\"%s\"/>\n",
                   WIDTH - BAR - 10, p->y + 5, BAR, WIDTH - BAR - 10 + fmin(zero, share) * BAR, p->y + 5,
                   fmax(fabs(share - zero) * BAR, 1), share < zero ? "#d55e00" : "#0072b2");
}

/* The sentence at the top, in as many lines as it takes. */
static void draw_sentence(Picture *p, const char *text)
{
    enum { LINE = 92 };
    while (*text) {
        size_t length = strlen(text);
        if (length > LINE) {
            for (length = LINE; length > LINE / 2 && text[length] != ' ';) length--;
            while ((text[length] & 0xc0) == 0x80) length++;
        }
        begin_text(p, 10, " font-size=\"16\" font-weight=\"bold\"");
        kn_text_escape(&p->body, text, length);
        kn_text_add(&p->body, "</text>\n");
        p->y += ROW + 2;
        text += length;
        text += strspn(text, " ");
    }
}

static void draw_children(Picture *p, const KnExplanation *node, int depth);

static void draw(Picture *p, const KnExplanation *node, int depth, double low, double high)
{
    if (p->rows++ >= ROWS_MOST || depth > DEPTH_MOST) return;
    if (depth == 0 && node->text && !node->has_number && !node->board) {
        draw_sentence(p, node->text);
        draw_children(p, node, depth + 1);
        return;
    }
    double x = 10 + INDENT * depth + p->aside;
    int columns, rows;
    KnText letters = KN_TEXT_EMPTY;
    const char *grid = node->kind == KN_EXPLANATION_PATTERN ? node->text : node->board;
    if (node->kind == KN_EXPLANATION_BOARD && grid && p->board_rows &&
        p->board_rows(p->user, grid, &letters) && kn_text_ok(&letters))
        grid = letters.data;
    bool drawn = (node->kind == KN_EXPLANATION_PATTERN || node->kind == KN_EXPLANATION_BOARD) && grid &&
                 is_grid(grid, &columns, &rows);
    begin_text(p, x,
               depth == 0                           ? " font-size=\"16\" font-weight=\"bold\""
               : node->kind == KN_EXPLANATION_GROUP ? " font-weight=\"bold\""
                                                    : "");
    if (node->label) add_escaped(&p->body, node->label, TEXT_MOST);
    const char *said = node->text && !(drawn && node->kind == KN_EXPLANATION_PATTERN) ? node->text
                       : !drawn && node->board                                        ? node->board
                                                                                      : NULL;
    if (said && node->label) kn_text_add(&p->body, ": ");
    if (said) add_escaped(&p->body, said, TEXT_MOST);
    if (node->has_number)
        add_number(p, node, node->high > node->low ? node->low : low,
                   node->high > node->low ? node->high : high);
    else
        kn_text_add(&p->body, "</text>\n");
    p->y += ROW;
    if (drawn) draw_grid(p, x + 8, grid, columns);
    kn_text_free(&letters);
    draw_children(p, node, depth + 1);
}

/* Boards without anything below them stand side by side, as many as fit. Returns the last one that is drawn.
 */
static const KnExplanation *draw_boards(Picture *p, const KnExplanation *first, int depth)
{
    enum { BESIDE = 3, APART = 230 };
    double top = p->y, bottom = top;
    const KnExplanation *last = first;
    for (int i = 0; i < BESIDE; i++) {
        p->y = top;
        p->aside = i * APART;
        draw(p, last, depth, 0, 0);
        bottom = fmax(bottom, p->y);
        if (!last->next || last->next->kind != KN_EXPLANATION_BOARD || last->next->first || i == BESIDE - 1)
            break;
        last = last->next;
    }
    p->aside = 0;
    p->y = bottom;
    return last;
}

static void draw_children(Picture *p, const KnExplanation *node, int depth)
{
    double least = 0, most = 0; /* siblings of one unit without a range of their own are compared */
    const char *unit = NULL;
    int numbers = 0;
    bool alike = true;
    for (const KnExplanation *child = node->first; child; child = child->next) {
        if (!child->has_number || child->high > child->low) continue;
        const char *own = child->unit ? child->unit : "";
        alike = alike && (!unit || strcmp(unit, own) == 0);
        unit = own;
        numbers++;
        if (child->number < least) least = child->number;
        if (child->number > most) most = child->number;
    }
    if (numbers < 2 || !alike) least = most = 0;
    for (const KnExplanation *child = node->first; child; child = child->next)
        if (child->kind == KN_EXPLANATION_BOARD && !child->first)
            child = draw_boards(p, child, depth);
        else
            draw(p, child, depth, least, most);
}

void kn_explanation_svg(const KnExplanation *explanation, KnBoardRows *board_rows, const void *user,
                        KnText *out)
{
    Picture p = {.body = KN_TEXT_EMPTY, .y = 8, .board_rows = board_rows, .user = user};
    draw(&p, explanation, 0, 0, 0);
    if (p.rows > ROWS_MOST) {
        begin_text(&p, 10, "");
        kn_text_add(&p.body, "and more: see the text or the JSON</text>\n");
        p.y += ROW;
    }
    kn_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
                   "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"13\">\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                   WIDTH, p.y + 10, WIDTH, p.y + 10);
    kn_text_add(out, p.body.data ? p.body.data : "");
    kn_text_add(out, "</svg>\n");
    kn_text_free(&p.body);
}
