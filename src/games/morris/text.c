/* Morris in letters: moves, positions, boards. */
#include "games/morris/board.h"

#include <ctype.h>
#include <string.h>

/* "5" placing, "3-10" sliding, and "x7" after either when a man is removed. */
void kn_morris_move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    const Rules *rules = rules_of(game);
    const Position *p = position;
    uint32_t from = move_own(move) & p->men[p->mover], to = move_own(move) & ~from;
    if (from) {
        kn_morris_point_name(rules, __builtin_ctz(from), out);
        kn_text_add_char(out, '-');
    }
    if (to) kn_morris_point_name(rules, __builtin_ctz(to), out);
    if (move_removed(move)) {
        kn_text_add_char(out, 'x');
        kn_morris_point_name(rules, __builtin_ctz(move_removed(move)), out);
    }
}

static int row_of(const Rules *rules, int cell)
{
    int x, y;
    kn_morris_place(rules, kn_morris_bit(rules, cell), &x, &y);
    return y;
}

static bool ends_row(const Rules *rules, int cell)
{
    return cell + 1 < kn_morris_cells(rules) && row_of(rules, cell) != row_of(rules, cell + 1);
}

static char letter_at(const Position *p, int bit)
{
    return p->men[0] >> bit & 1 ? 'W' : p->men[1] >> bit & 1 ? 'B' : '.';
}

/* "W.B/.W./..../B../... w 4": points row by row from the top left, side to move, and while placing the number
 * of men placed by both. */
void kn_morris_position_text(const KnGame *game, const void *position, KnText *out)
{
    const Rules *rules = rules_of(game);
    const Position *p = position;
    for (int i = 0; i < kn_morris_cells(rules); i++) {
        kn_text_add_char(out, letter_at(p, kn_morris_bit(rules, i)));
        if (ends_row(rules, i)) kn_text_add_char(out, '/');
    }
    kn_text_add(out, p->mover ? " b" : " w");
    if (!is_sliding(rules, p)) kn_text_printf(out, " %u", p->placed);
}

KnStatus kn_morris_check(const KnGame *game, const void *position, KnError *error)
{
    static const char *const names[] = {"white", "black"};
    const Rules *rules = rules_of(game);
    const Position *p = position;
    if ((p->men[0] | p->men[1]) & ~rules->points || p->men[0] & p->men[1] || p->mover > 1 ||
        p->placed > rules->placing)
        return kn_fail(error, KN_INPUT, "these bytes are no position of %s", game->spec);
    if (!is_sliding(rules, p) && p->mover != (p->placed & 1))
        return kn_fail(error, KN_INPUT, "after %u men placed %s is to move; white begins", p->placed,
                       names[p->placed & 1]);
    for (uint32_t side = 0; side < 2; side++) {
        int most = (int)(p->placed + (side == 0)) / 2;
        if (count_of(p->men[side]) > most)
            return kn_fail(error, KN_INPUT, "%s has %d men on the board, but has placed only %d", names[side],
                           count_of(p->men[side]), most);
    }
    return KN_OK;
}

static KnStatus misread(const KnGame *game, const char *text, const char *at, const char *wanted,
                        KnError *error)
{
    return kn_fail(error, KN_INPUT, "position \"%.60s\", column %d: expected %s (as in %s)", text,
                   (int)(at - text) + 1, wanted,
                   rules_of(game)->cross ? "W../.B./.../....W./.../.../..B w 4" : "W.B/.W./..../B../... w 4");
}

/* Parses the number of men placed; if absent, all are placed. */
static KnStatus parse_placed(const KnGame *game, const char *text, const char *at, Position *p,
                             KnError *error)
{
    uint32_t most = rules_of(game)->placing;
    p->placed = most;
    if (!*at) return KN_OK;
    uint32_t number = 0;
    const char *digits = at;
    for (; isdigit((unsigned char)*at) && number <= most; at++) number = number * 10 + (uint32_t)(*at - '0');
    if (at == digits || number > most)
        return misread(game, text, digits, "the number of men placed so far, or nothing once all are", error);
    while (*at == ' ') at++;
    if (*at) return misread(game, text, at, "nothing more", error);
    p->placed = number;
    return KN_OK;
}

KnStatus kn_morris_parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const Rules *rules = rules_of(game);
    Position *p = position;
    memset(p, 0, sizeof *p);
    const char *at = text;
    for (int i = 0; i < kn_morris_cells(rules); i++, at++) {
        if (i && *at == '/' && ends_row(rules, i - 1)) at++;
        uint32_t point = 1u << kn_morris_bit(rules, i);
        if (*at == 'W' || *at == 'w')
            p->men[0] |= point;
        else if (*at == 'B' || *at == 'b')
            p->men[1] |= point;
        else if (*at != '.' && *at != '-')
            return misread(game, text, at, ends_row(rules, i ? i - 1 : 0) && i ? "W, B, . or /" : "W, B or .",
                           error);
    }
    if (*at != ' ') return misread(game, text, at, "a space", error);
    while (*at == ' ') at++;
    if (!*at || !strchr("wWbB", *at)) return misread(game, text, at, "w or b, who is to move,", error);
    p->mover = *at == 'b' || *at == 'B';
    at++;
    if (*at && *at != ' ') return misread(game, text, at, "a space", error);
    while (*at == ' ') at++;
    KnStatus status = parse_placed(game, text, at, p, error);
    return status == KN_OK ? kn_morris_check(game, position, error) : status;
}

/* ---- Drawing: lines first, then the points ---- */

enum { STEP_X = 4, STEP_Y = 2, WIDE = 6 * STEP_X + 1, HIGH = 6 * STEP_Y + 1 };

static void draw_lines(const Rules *rules, char grid[HIGH][WIDE])
{
    memset(grid, ' ', HIGH * WIDE);
    for (int i = 0; i < 32; i++) {
        uint32_t ends = kn_morris_line[i];
        if (ends & ~rules->points) continue;
        int x, y, x2, y2;
        kn_morris_place(rules, __builtin_ctz(ends), &x, &y);
        kn_morris_place(rules, __builtin_ctz(ends & (ends - 1)), &x2, &y2);
        int left = x < x2 ? x : x2, right = x < x2 ? x2 : x, top = y < y2 ? y : y2, bottom = y < y2 ? y2 : y;
        for (int column = left * STEP_X; column <= right * STEP_X; column++)
            for (int row = top * STEP_Y; row <= bottom * STEP_Y; row++)
                grid[row][column] = top == bottom ? '-' : '|';
    }
}

static void add_man(char letter, bool colour, KnText *out)
{
    if (colour && letter == 'W')
        kn_text_add(out, "\033[1;34mW\033[0m");
    else if (colour && letter == 'B')
        kn_text_add(out, "\033[1;31mB\033[0m");
    else
        kn_text_add_char(out, letter);
}

/* Names of the points of two squares, beside the board. */
static const char *const numbers[9] = {
    " 1 ------- 2 ------- 3", " |         |         |", " |    4 -- 5 -- 6    |",
    " |    |         |    |", " 7 -- 8         9 - 10", " |    |         |    |",
    " |   11 - 12 - 13    |", " |         |         |", "14 ------ 15 ------ 16"};

static void add_hands(const Rules *rules, const Position *p, KnText *out)
{
    if (is_sliding(rules, p)) return;
    kn_text_printf(out, "in hand: white %u, black %u\n", rules->placing / 2 - (p->placed + 1) / 2,
                   rules->placing / 2 - p->placed / 2);
}

void kn_morris_draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const Rules *rules = rules_of(game);
    const Position *p = position;
    char grid[HIGH][WIDE];
    draw_lines(rules, grid);
    for (int i = 0; i < kn_morris_cells(rules); i++) {
        int x, y, bit = kn_morris_bit(rules, i);
        kn_morris_place(rules, bit, &x, &y);
        grid[y * STEP_Y][x * STEP_X] = letter_at(p, bit);
    }
    int size = rules->cross ? 7 : 5;
    for (int row = 0; row <= (size - 1) * STEP_Y; row++) {
        if (rules->cross && row % STEP_Y == 0)
            kn_text_printf(out, "%d  ", size - row / STEP_Y);
        else
            kn_text_add(out, rules->cross ? "   " : "  ");
        int width = (size - 1) * STEP_X + 1;
        while (width && grid[row][width - 1] == ' ') width--;
        for (int column = 0; column < width; column++) add_man(grid[row][column], colour, out);
        if (!rules->cross) kn_text_printf(out, "      %s", numbers[row]);
        kn_text_add_char(out, '\n');
    }
    if (rules->cross) kn_text_add(out, "\n   a   b   c   d   e   f   g\n");
    add_hands(rules, p, out);
}
