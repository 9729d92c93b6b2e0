/* Phutball notation: h10 for a man (columns from the left, lines from the bottom), N, NE, E ... for a jump,
 * stop for the end of the jumps. */
#include "games/phutball/board.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const directions[8] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};

/* Lines beyond the goal lines are 0 and height + 1. */
static void add_point(const KnPhutRules *rules, int x, int y, KnText *out)
{
    kn_text_printf(out, "%c%d", 'a' + x - 1, rules->height + 1 - y);
}

void kn_phut_move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    if (move < PHUT_JUMP)
        add_point(phut_rules(game), (int)(move & 15), (int)(move >> 4), out);
    else
        kn_text_add(out, move < PHUT_STOP ? directions[move - PHUT_JUMP] : "stop");
}

/* Parses a point and advances *text; points beyond the goal lines are allowed. */
static bool read_point(const KnPhutRules *rules, const char **text, int *x, int *y)
{
    const char *t = *text;
    *x = tolower((unsigned char)*t) - 'a' + 1;
    if (*x < 1 || *x > rules->width) return false;
    int line = 0;
    const char *digits = ++t;
    for (; isdigit((unsigned char)*t) && line < 100; t++) line = line * 10 + (*t - '0');
    if (t == digits || (*digits == '0' && t - digits > 1) || line > rules->height + 1) return false;
    *y = rules->height + 1 - line;
    *text = t;
    return true;
}

static KnStatus parse_jump(const KnGame *game, const KnPhutPosition *p, int direction, KnMove *move,
                           KnError *error)
{
    int x, y;
    if (!phut_man_at(p, p->x + phut_dx[direction], p->y + phut_dy[direction]))
        return kn_fail(error, KN_INPUT, "move \"%s\": there is no man to jump over", directions[direction]);
    if (!phut_landing(phut_rules(game), p, direction, &x, &y))
        return kn_fail(error, KN_INPUT, "move \"%s\": the ball would leave the board over a side",
                       directions[direction]);
    *move = (KnMove)(PHUT_JUMP + direction);
    return KN_OK;
}

KnStatus kn_phut_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                            KnError *error)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    if (phut_over(rules, p)) return kn_fail(error, KN_INPUT, "move \"%.40s\": the game is over", text);
    for (int d = 0; d < 8; d++)
        if (strcasecmp(text, directions[d]) == 0) return parse_jump(game, p, d, move, error);
    if (strcasecmp(text, "stop") == 0) {
        if (!p->jumping)
            return kn_fail(error, KN_INPUT, "move \"stop\": this ends a chain of jumps, and none has begun");
        *move = PHUT_STOP;
        return KN_OK;
    }
    int x = 0, y = 0;
    const char *end = text;
    if (!read_point(rules, &end, &x, &y) || *end || y < 1 || y > rules->height)
        return kn_fail(error, KN_INPUT,
                       "move \"%.40s\": expected a point from a1 to %c%d, a direction from N to NW, or stop",
                       text, 'a' + rules->width - 1, rules->height);
    if (p->jumping) return kn_fail(error, KN_INPUT, "move \"%.40s\": after a jump, jump on or stop", text);
    if (phut_man_at(p, x, y) || (x == p->x && y == p->y))
        return kn_fail(error, KN_INPUT, "move \"%.40s\": there is %s already", text,
                       phut_man_at(p, x, y) ? "a man" : "the ball");
    *move = phut_man(x, y);
    return KN_OK;
}

/* ".o./.*./... n -": lines from the top, side to move (n or s), and j inside a chain; then the ball's place
 * if it is beyond a goal line. */
void kn_phut_position_text(const KnGame *game, const void *position, KnText *out)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    for (int y = 1; y <= rules->height; y++) {
        if (y > 1) kn_text_add_char(out, '/');
        for (int x = 1; x <= rules->width; x++)
            kn_text_add_char(out, x == p->x && y == p->y ? '*' : phut_man_at(p, x, y) ? 'o' : '.');
    }
    kn_text_printf(out, " %c %c", p->mover ? 's' : 'n', p->jumping ? 'j' : '-');
    if (p->y >= 1 && p->y <= rules->height) return;
    kn_text_add_char(out, ' ');
    add_point(rules, p->x, p->y, out);
}

static KnStatus spoilt(const char *text, const char *at, const char *expected, KnError *error)
{
    return kn_fail(error, KN_INPUT, "position \"%.40s\"%s, column %d: expected %s", text,
                   strlen(text) > 40 ? "..." : "", (int)(at - text) + 1, expected);
}

/* Parses men and ball and advances *end. p->x stays 0 if there is no ball. */
static KnStatus parse_board(const KnPhutRules *rules, const char *text, const char **end, KnPhutPosition *p,
                            KnError *error)
{
    const char *t = text;
    for (int y = 1; y <= rules->height; y++) {
        if (y > 1 && *t++ != '/') return spoilt(text, t - 1, "/ at the end of the line", error);
        for (int x = 1; x <= rules->width; x++, t++) {
            if (*t == 'o' || *t == 'O')
                p->men[y] = (uint16_t)(p->men[y] | 1u << x);
            else if (*t == '*') {
                if (p->x) return spoilt(text, t, "no second ball", error);
                p->x = (uint8_t)x;
                p->y = (uint8_t)y;
            } else if (*t != '.')
                return spoilt(text, t, "o (a man), * (the ball) or .", error);
        }
    }
    *end = t;
    return KN_OK;
}

KnStatus kn_phut_parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const KnPhutRules *rules = phut_rules(game);
    KnPhutPosition *p = position;
    memset(p, 0, sizeof *p);
    const char *t = text;
    KnStatus status = parse_board(rules, text, &t, p, error);
    if (status != KN_OK) return status;
    if (*t != ' ') return spoilt(text, t, "a space after the last line", error);
    while (*t == ' ') t++;
    if (!*t || !strchr("nsNS", *t)) return spoilt(text, t, "n or s, who is to move", error);
    p->mover = *t == 's' || *t == 'S';
    t++;
    if (*t && *t != ' ') return spoilt(text, t, "a space or the end", error);
    while (*t == ' ') t++;
    if (*t) {
        if (*t != 'j' && *t != '-') return spoilt(text, t, "j inside a chain of jumps, or -", error);
        p->jumping = *t++ == 'j';
    }
    if (*t && *t != ' ') return spoilt(text, t, "a space or the end", error);
    while (*t == ' ') t++;
    if (!p->x) {
        int x, y;
        const char *at = t;
        if (!read_point(rules, &t, &x, &y) || (y >= 1 && y <= rules->height))
            return spoilt(text, at, "the place of the ball beyond a goal line, since it is not on the board",
                          error);
        p->x = (uint8_t)x;
        p->y = (uint8_t)y;
    }
    if (*t) return spoilt(text, t, "no more", error);
    kn_phut_complete(rules, p);
    return kn_phut_check(game, position, error);
}

static void draw_line(const KnPhutRules *rules, const KnPhutPosition *p, int y, bool colour, KnText *out)
{
    bool beyond = y == 0 || y > rules->height;
    if (beyond)
        kn_text_add(out, "  ");
    else
        kn_text_printf(out, "%2d", rules->height + 1 - y);
    for (int x = 1; x <= rules->width; x++) {
        if (x == p->x && y == p->y)
            kn_text_add(out, colour ? " \033[1;33m*\033[0m" : " *");
        else if (beyond)
            kn_text_add(out, x < p->x ? "  " : "");
        else if (phut_man_at(p, x, y))
            kn_text_add(out, colour ? " \033[1;34mo\033[0m" : " o");
        else
            kn_text_add(out, y == 1 || y == rules->height ? " -" : " .");
    }
    kn_text_add_char(out, '\n');
}

void kn_phut_draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const KnPhutRules *rules = phut_rules(game);
    const KnPhutPosition *p = position;
    for (int y = 0; y <= rules->height + 1; y++)
        if ((y >= 1 && y <= rules->height) || y == p->y) draw_line(rules, p, y, colour, out);
    kn_text_add(out, "  ");
    for (int x = 0; x < rules->width; x++) kn_text_printf(out, " %c", 'a' + x);
    kn_text_add_char(out, '\n');
}
