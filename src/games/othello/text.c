/* Othello notation: squares a1 (top left) to h8, "pass"; a position is its squares row by row and the side to
 * move,
 *
 *     ---------------------------OX------XO--------------------------- X
 *
 * X (or * or b) for black, O (or w) for white, - (or .) for an empty square; a / may stand between rows. */
#include "games/othello/board.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void kn_othello_move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    const KnOthello *o = kn_othello_of(game);
    if (move >= KN_OTHELLO_PASS)
        kn_text_add(out, "pass");
    else
        kn_text_printf(out, "%c%d", 'a' + (int)(move % 8) - o->margin, (int)(move / 8) - o->margin + 1);
}

static void list_moves(const KnGame *game, uint64_t set, KnText *out)
{
    for (; set; set &= set - 1) {
        kn_text_add_char(out, ' ');
        kn_othello_move_text(game, NULL, (KnMove)__builtin_ctzll(set), out);
    }
}

KnStatus kn_othello_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                               KnError *error)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    uint64_t legal = kn_othello_mobility(o, p->own, p->their);
    bool over = !legal && kn_othello_over(o, p);
    if (over)
        return kn_fail(error, KN_INPUT, "\"%.60s\": the game is over, neither side can place a disc", text);
    bool pass = strcasecmp(text, "pass") == 0 || strcasecmp(text, "pa") == 0 || strcmp(text, "--") == 0;
    int column = tolower((unsigned char)text[0]) - 'a',
        row = column >= 0 && column < o->size ? text[1] - '1' : -1;
    bool square = row >= 0 && row < o->size && text[2] == 0;
    if (!pass && !square)
        return kn_fail(error, KN_INPUT, "\"%.60s\" is no move: a square from a1 to %c%d, or pass", text,
                       'a' + o->size - 1, o->size);
    int bit = square ? kn_othello_square(o, row, column) : KN_OTHELLO_PASS;
    if (pass ? !legal : (int)(legal >> bit & 1)) {
        *move = (KnMove)bit;
        return KN_OK;
    }
    KnText known = KN_TEXT_EMPTY;
    list_moves(game, legal, &known);
    if (pass)
        kn_fail(error, KN_INPUT, "one may not pass while one can place a disc; legal:%s", known.data);
    else if (!legal)
        kn_fail(error, KN_INPUT, "\"%s\" turns no disc over, and nothing does; legal: pass", text);
    else if ((p->own | p->their) >> bit & 1)
        kn_fail(error, KN_INPUT, "\"%s\" is occupied; legal:%s", text, known.data);
    else
        kn_fail(error, KN_INPUT, "\"%s\" turns no disc over; legal:%s", text, known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

static char letter(const KnOthelloPosition *p, int bit)
{
    if (kn_othello_discs(p, 0) >> bit & 1) return 'X';
    return kn_othello_discs(p, 1) >> bit & 1 ? 'O' : '-';
}

void kn_othello_position_text(const KnGame *game, const void *position, KnText *out)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    for (int row = 0; row < o->size; row++)
        for (int column = 0; column < o->size; column++)
            kn_text_add_char(out, letter(p, kn_othello_square(o, row, column)));
    kn_text_add(out, p->mover ? " O" : " X");
}

KnStatus kn_othello_check(const KnGame *game, const void *position, KnError *error)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    if (p->own & p->their || (p->own | p->their) & ~o->board || p->mover > 1)
        return kn_fail(error, KN_INPUT, "these bytes are no Othello position on %dx%d squares", o->size,
                       o->size);
    return KN_OK;
}

/* 0 black, 1 white, 2 empty, -1 anything else. */
static int meaning(char c)
{
    if (!c) return -1;
    if (strchr("Xx*Bb", c)) return 0;
    if (strchr("OoWw", c)) return 1;
    return strchr("-._", c) ? 2 : -1;
}

KnStatus kn_othello_parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const KnOthello *o = kn_othello_of(game);
    uint64_t discs[3] = {0, 0, 0};
    const char *t = text;
    for (int row = 0; row < o->size; row++) {
        if (row && *t == '/') t++;
        for (int column = 0; column < o->size; column++, t++) {
            int what = meaning(*t);
            if (what < 0 && (!*t || *t == ' '))
                return kn_fail(error, KN_INPUT,
                               "position \"%.80s\", column %d: %d squares are missing (%dx%d, row by row)",
                               text, (int)(t - text) + 1, (o->size - row) * o->size - column, o->size,
                               o->size);
            if (what < 0)
                return kn_fail(error, KN_INPUT, "position \"%.80s\", column %d: expected X, O or -", text,
                               (int)(t - text) + 1);
            discs[what] |= UINT64_C(1) << kn_othello_square(o, row, column);
        }
    }
    while (*t == ' ') t++;
    int mover = meaning(*t);
    if (mover < 0 || mover > 1 || t[1])
        return kn_fail(error, KN_INPUT,
                       "position \"%.80s\", column %d: expected X or O, who is to move, and no more", text,
                       (int)(t - text) + 1);
    *(KnOthelloPosition *)position =
        (KnOthelloPosition){.own = discs[mover], .their = discs[1 - mover], .mover = (uint64_t)mover};
    return KN_OK;
}

void kn_othello_draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    kn_text_add(out, "  ");
    for (int column = 0; column < o->size; column++) kn_text_printf(out, " %c", 'a' + column);
    for (int row = 0; row < o->size; row++) {
        kn_text_printf(out, "\n%d ", row + 1);
        for (int column = 0; column < o->size; column++) {
            char disc = letter(p, kn_othello_square(o, row, column));
            if (!colour)
                kn_text_printf(out, " %c", disc == '-' ? '.' : disc);
            else if (disc == '-')
                kn_text_add(out, "\033[42;32m .\033[0m");
            else
                kn_text_printf(out, "\033[42;%sm %c\033[0m", disc == 'X' ? "30" : "1;97", disc);
        }
    }
    kn_text_printf(out, "\nX %d, O %d; %s\n", __builtin_popcountll(kn_othello_discs(p, 0)),
                   __builtin_popcountll(kn_othello_discs(p, 1)),
                   kn_othello_over(o, p) ? "over"
                   : p->mover            ? "O to move"
                                         : "X to move");
}
