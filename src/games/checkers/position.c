/* Positions in PDN's FEN, `B:W21,22,K30:B1,2,K3`: the side to move, then the squares of each side, K before a
 * king, 21-24 for a range. A counter of quiet plies that is not 0 follows as `:H12`, as some servers write it
 * (their `:F`, the move number, is ignored). The order of the sides, blanks, case and a final dot do not
 * matter. */
#include "games/checkers/board.h"

#include <ctype.h>
#include <string.h>

static void side_text(const KnCheckersPosition *p, int side, KnText *out)
{
    kn_text_add(out, side == KN_CHECKERS_BLACK ? ":B" : ":W");
    bool first = true;
    for (int square = 1; square <= 32; square++) {
        if (!(p->pieces[side] & SQ(square))) continue;
        kn_text_printf(out, "%s%s%d", first ? "" : ",", p->kings & SQ(square) ? "K" : "", square);
        first = false;
    }
}

void kn_checkers_position_text(const KnGame *game, const void *position, KnText *out)
{
    (void)game;
    const KnCheckersPosition *p = position;
    kn_text_add_char(out, p->mover == KN_CHECKERS_BLACK ? 'B' : 'W');
    side_text(p, KN_CHECKERS_WHITE, out);
    side_text(p, KN_CHECKERS_BLACK, out);
    if (p->quiet) kn_text_printf(out, ":H%u", p->quiet);
}

/* Parser. `at` is the next non-blank character; an error reports its place. */
typedef struct Reader {
    const char *text, *at;
    KnError *error;
} Reader;

static char peek(Reader *reader)
{
    while (isspace((unsigned char)*reader->at)) reader->at++;
    return (char)toupper((unsigned char)*reader->at);
}

static KnStatus complain(const Reader *reader, const char *where, const char *what)
{
    return kn_fail(reader->error, KN_INPUT, "position \"%.120s\", column %d: %s", reader->text,
                   (int)(where - reader->text) + 1, what);
}

/* Parses a number from low to high. */
static KnStatus read_number(Reader *reader, unsigned low, unsigned high, const char *what, unsigned *value)
{
    peek(reader);
    const char *begin = reader->at;
    unsigned number = 0;
    for (; isdigit((unsigned char)*reader->at); reader->at++)
        if (number <= high) number = number * 10 + (unsigned)(*reader->at - '0');
    if (reader->at == begin || number < low || number > high) return complain(reader, begin, what);
    *value = number;
    return KN_OK;
}

static KnStatus place(Reader *reader, KnCheckersPosition *p, int side, bool king, unsigned square,
                      const char *where)
{
    uint32_t bit = SQ(square);
    if ((p->pieces[0] | p->pieces[1]) & bit) return complain(reader, where, "this square is taken already");
    if (!king && bit & kn_checkers_king_row(side))
        return complain(reader, where, "a man here would have been crowned; write K before the square");
    p->pieces[side] |= bit;
    if (king) p->kings |= bit;
    if (__builtin_popcount(p->pieces[side]) > KN_CHECKERS_MEN)
        return complain(reader, where, "a side has at most 12 pieces");
    return KN_OK;
}

/* The squares of one side, up to the next colon or the end. */
static KnStatus read_side(Reader *reader, KnCheckersPosition *p, int side)
{
    static const char expected[] = "expected a square from 1 to 32, with K before it for a king";
    if (peek(reader) == ':' || !peek(reader) || peek(reader) == '.') return KN_OK; /* no pieces left */
    for (;;) {
        bool king = peek(reader) == 'K';
        const char *where = reader->at;
        if (king) reader->at++;
        unsigned first, last;
        KnStatus status = read_number(reader, 1, 32, expected, &first);
        if (status != KN_OK) return status;
        last = first;
        if (peek(reader) == '-') {
            reader->at++;
            status = read_number(reader, first, 32, "expected the last square of a range, up to 32", &last);
            if (status != KN_OK) return status;
        }
        for (unsigned square = first; square <= last; square++) {
            status = place(reader, p, side, king, square, where);
            if (status != KN_OK) return status;
        }
        if (peek(reader) != ',') return KN_OK;
        reader->at++;
    }
}

/* One field after a colon: a side, the counter, or the number of the move. `seen` has a bit for each kind. */
static KnStatus read_field(Reader *reader, const KnCheckersRules *rules, KnCheckersPosition *p,
                           unsigned *seen)
{
    static const char kinds[] = "BWHF";
    const char *kind = peek(reader) ? strchr(kinds, peek(reader)) : NULL;
    if (!kind)
        return complain(reader, reader->at,
                        "expected W or B with the squares of that side, or H with a counter");
    if (*seen & 1u << (kind - kinds)) return complain(reader, reader->at, "this part has been given already");
    *seen |= 1u << (kind - kinds);
    reader->at++;
    unsigned number;
    KnStatus status;
    switch (*kind) {
    case 'B':
        return read_side(reader, p, KN_CHECKERS_BLACK);
    case 'W':
        return read_side(reader, p, KN_CHECKERS_WHITE);
    case 'H':
        status = read_number(
            reader, 0, rules->tick ? rules->limit : UINT16_MAX,
            "expected the number of plies without a man's move or a capture, up to the draw's limit",
            &number);
        if (status == KN_OK && rules->tick) p->quiet = (uint16_t)number;
        return status;
    default:
        return read_number(reader, 0, 1000000, "expected the number of the move", &number);
    }
}

KnStatus kn_checkers_parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    Reader reader = {text, text, error};
    KnCheckersPosition p = {0};
    unsigned seen = 0;
    char side = peek(&reader);
    if (side != 'B' && side != 'W')
        return complain(&reader, reader.at, "expected B or W, who is to move, as in B:W21,22,K30:B1,2,K3");
    p.mover = side == 'W';
    reader.at++;
    while (peek(&reader) == ':') {
        reader.at++;
        KnStatus status = read_field(&reader, kn_checkers_rules(game), &p, &seen);
        if (status != KN_OK) return status;
    }
    if (peek(&reader) == '.') reader.at++;
    if (peek(&reader)) return complain(&reader, reader.at, "expected a comma, a colon or the end");
    if ((seen & 3) != 3)
        return complain(&reader, reader.at, "expected the squares of both sides, as in B:WK30:B1,2");
    KnStatus status = kn_checkers_check(game, &p, error);
    if (status == KN_OK) memcpy(position, &p, sizeof p);
    return status;
}

KnStatus kn_checkers_check(const KnGame *game, const void *position, KnError *error)
{
    const KnCheckersPosition *p = position;
    const KnCheckersRules *rules = kn_checkers_rules(game);
    uint32_t both = p->pieces[0] | p->pieces[1];
    if (p->pieces[0] & p->pieces[1] || p->kings & ~both || p->mover > 1)
        return kn_fail(error, KN_INPUT, "these bytes are no checkers position");
    if (!both) return kn_fail(error, KN_INPUT, "a checkers position has at least one piece");
    for (int side = 0; side < 2; side++) {
        if (__builtin_popcount(p->pieces[side]) > KN_CHECKERS_MEN)
            return kn_fail(error, KN_INPUT, "%s has more than 12 pieces", side ? "white" : "black");
        uint32_t uncrowned = p->pieces[side] & ~p->kings & kn_checkers_king_row(side);
        if (uncrowned)
            return kn_fail(error, KN_INPUT, "the %s man on square %d would have been crowned",
                           side ? "white" : "black", kn_checkers_square_of(uncrowned));
    }
    if (rules->tick ? p->quiet > rules->limit : p->quiet != 0)
        return kn_fail(error, KN_INPUT, "the counter of quiet plies, %u, is beyond what %s allows", p->quiet,
                       game->spec);
    return KN_OK;
}

/* Rows are labelled with the numbers of their first and last squares; light squares stay blank. */
void kn_checkers_draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    static const char *const plain[] = {".", "b", "w", "B", "W"};
    static const char *const coloured[] = {"\033[2m.\033[0m", "\033[1;34mb\033[0m", "\033[1;33mw\033[0m",
                                           "\033[1;34mB\033[0m", "\033[1;33mW\033[0m"};
    for (int row = 0; row < 8; row++) {
        kn_text_printf(out, "%2d  ", 4 * row + 1);
        for (int column = 0; column < 8; column++) {
            bool dark = (row + column) % 2 == 1;
            int held = dark ? game->type->cell(game, position, 4 * row + column / 2) : 0;
            kn_text_printf(out, "%s ", !dark ? " " : colour ? coloured[held] : plain[held]);
        }
        kn_text_printf(out, " %2d\n", 4 * row + 4);
    }
}
