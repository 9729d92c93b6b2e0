/* Go notation: GTP vertices (A1 at the bottom left, no column I), one-line positions, and boards as GTP
 * engines draw them. */
#include "games/go/board.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char columns[] = "ABCDEFGHJKLMNOPQRST";

void kn_go_add_vertex(const KnGoRules *rules, unsigned code, KnText *out)
{
    int cell = rules->cells[code];
    kn_text_printf(out, "%c%d", columns[cell % rules->size], rules->size - cell / rules->size);
}

void kn_go_move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    if (move == KN_GO_PASS)
        kn_text_add(out, "pass");
    else
        kn_go_add_vertex(go_rules(game), (unsigned)move, out);
}

/* Parses a vertex and advances *text; GO_NONE if there is none on this board. */
static unsigned read_vertex(const KnGoRules *rules, const char **text)
{
    const char *t = *text;
    const char *column = *t ? strchr(columns, toupper((unsigned char)*t)) : NULL;
    if (!column || column - columns >= rules->size) return GO_NONE;
    int row = 0;
    for (t++; isdigit((unsigned char)*t) && row < 100; t++) row = row * 10 + (*t - '0');
    if (row < 1 || row > rules->size || (*text)[1] == '0') return GO_NONE;
    *text = t;
    return rules->codes[(rules->size - row) * rules->size + (int)(column - columns)];
}

KnStatus kn_go_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                          KnError *error)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    if (p->passes == 2) return kn_fail(error, KN_INPUT, "move \"%.40s\": the game is over", text);
    if (strcasecmp(text, "pass") == 0) {
        *move = KN_GO_PASS;
        return KN_OK;
    }
    const char *end = text;
    unsigned code = read_vertex(rules, &end);
    if (code == GO_NONE || *end)
        return kn_fail(error, KN_INPUT,
                       "move \"%.40s\": expected a point from A1 to %c%d (there is no column I) or pass",
                       text, columns[rules->size - 1], rules->size);
    KnGoBits black = go_load(rules->shape, go_stones(rules, p, 0)),
             white = go_load(rules->shape, go_stones(rules, p, 1));
    if (go_holds(black, code) || go_holds(white, code))
        return kn_fail(error, KN_INPUT, "move \"%.40s\": there is a stone already", text);
    if (code == p->ko)
        return kn_fail(error, KN_INPUT, "move \"%.40s\": the ko may not be retaken at once", text);
    if (!kn_go_legal(game, position, code))
        return kn_fail(error, KN_INPUT, "move \"%.40s\": suicide is not allowed", text);
    *move = code;
    return KN_OK;
}

static char stone_at(const KnGoRules *rules, const KnGoPosition *p, int cell)
{
    unsigned code = rules->codes[cell], word = code >> 6, bit = code & 63;
    return go_stones(rules, p, 0)[word] >> bit & 1   ? 'x'
           : go_stones(rules, p, 1)[word] >> bit & 1 ? 'o'
                                                     : '.';
}

/* ".x./xo./... w C3 0": rows from the top, side to move, point forbidden by ko (or -), consecutive passes. */
void kn_go_position_text(const KnGame *game, const void *position, KnText *out)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    for (int i = 0; i < rules->size * rules->size; i++) {
        if (i && i % rules->size == 0) kn_text_add_char(out, '/');
        kn_text_add_char(out, stone_at(rules, p, i));
    }
    kn_text_add(out, p->mover ? " w " : " b ");
    if (p->ko == GO_NONE)
        kn_text_add_char(out, '-');
    else
        kn_go_add_vertex(rules, p->ko, out);
    kn_text_printf(out, " %d", p->passes);
}

static KnStatus spoilt(const char *text, const char *at, const char *expected, KnError *error)
{
    return kn_fail(error, KN_INPUT, "position \"%.40s\"%s, column %d: expected %s", text,
                   strlen(text) > 40 ? "..." : "", (int)(at - text) + 1, expected);
}

/* Parses the stones and advances *text. */
static KnStatus parse_stones(const KnGoRules *rules, const char *text, const char **end, KnGoPosition *p,
                             KnError *error)
{
    const char *t = text;
    for (int i = 0; i < rules->size * rules->size; i++, t++) {
        if (i && i % rules->size == 0 && *t++ != '/') {
            char expected[64];
            snprintf(expected, sizeof expected, "/ after a row of %d", rules->size);
            return spoilt(text, t - 1, expected, error);
        }
        int colour = *t == 'x' || *t == 'X' ? 0 : *t == 'o' || *t == 'O' ? 1 : *t == '.' ? 2 : -1;
        if (colour < 0) return spoilt(text, t, "x (black), o (white) or .", error);
        unsigned code = rules->codes[i];
        if (colour < 2)
            p->boards[colour * rules->shape.words + (int)(code >> 6)] |= (uint64_t)1 << (code & 63);
    }
    *end = t;
    return KN_OK;
}

/* Passes and ko are optional. */
KnStatus kn_go_parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const KnGoRules *rules = go_rules(game);
    KnGoPosition *p = position;
    memset(p, 0, game->position_size);
    p->ko = GO_NONE;
    const char *t = text;
    KnStatus status = parse_stones(rules, text, &t, p, error);
    if (status != KN_OK) return status;
    if (*t != ' ') return spoilt(text, t, "a space after the last row", error);
    while (*t == ' ') t++;
    if (!*t || !strchr("bwBW", *t)) return spoilt(text, t, "b or w, who is to move", error);
    p->mover = *t == 'w' || *t == 'W';
    t++;
    if (*t && *t != ' ') return spoilt(text, t, "a space or the end", error);
    while (*t == ' ') t++;
    if (*t == '-')
        t++;
    else if (*t) {
        p->ko = (uint16_t)read_vertex(rules, &t);
        if (p->ko == GO_NONE) return spoilt(text, t, "the point of a ko, or -", error);
    }
    if (*t && *t != ' ') return spoilt(text, t, "a space or the end", error);
    while (*t == ' ') t++;
    if (*t) {
        if (*t < '0' || *t > '2' || t[1])
            return spoilt(text, t, "the number of passes in a row, 0 to 2, and no more", error);
        p->passes = (uint8_t)(*t - '0');
    }
    kn_go_complete(rules, p);
    return kn_go_check(game, position, error);
}

/* Whether the point is a star point (hoshi). */
static bool is_star(int size, int x, int y)
{
    int edge = size >= 12 ? 3 : 2, far = size - 1 - edge, middle = size % 2 ? size / 2 : -1;
    bool corners = size >= 7, sides = size >= 15;
    bool x_outer = x == edge || x == far, y_outer = y == edge || y == far;
    if (x == middle && y == middle) return size >= 5;
    if (x_outer && y_outer) return corners;
    return sides && ((x_outer && y == middle) || (x == middle && y_outer));
}

static void draw_letters(int size, KnText *out)
{
    kn_text_add(out, "  ");
    for (int x = 0; x < size; x++) kn_text_printf(out, " %c", columns[x]);
    kn_text_add_char(out, '\n');
}

void kn_go_draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const KnGoRules *rules = go_rules(game);
    const KnGoPosition *p = position;
    int size = rules->size;
    draw_letters(size, out);
    for (int y = 0; y < size; y++) {
        kn_text_printf(out, "%2d", size - y);
        for (int x = 0; x < size; x++) {
            char stone = stone_at(rules, p, y * size + x);
            if (stone == 'x')
                kn_text_add(out, colour ? " \033[1;34mX\033[0m" : " X");
            else if (stone == 'o')
                kn_text_add(out, colour ? " \033[1;31mO\033[0m" : " O");
            else if (rules->codes[y * size + x] == p->ko)
                kn_text_add(out, " *");
            else
                kn_text_add(out, is_star(size, x, y) ? " +" : " .");
        }
        kn_text_printf(out, " %d\n", size - y);
    }
    draw_letters(size, out);
}
