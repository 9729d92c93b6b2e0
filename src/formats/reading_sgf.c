/* Reading SGF (Go) and GGF (Othello): nodes of properties, NAME[value], of which the main line is taken. */
#include "formats/reading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_GO = 19, VALUE = 4096 };

typedef struct Reader {
    const char *text;
    KnSheetText *sheet;
    bool othello;
    int size;
    double komi;
    char board[SIZE_MAX_GO][SIZE_MAX_GO]; /* stones set up: '.', 'x', 'o' */
    bool set_up;
    int first;  /* colour to move at the beginning, or -1 */
    int colour; /* of the move before, or -1 */
    int nodes;
} Reader;

static KnStatus complain(const Reader *reader, const char *what, KnError *error)
{
    return kn_fail(error, KN_INPUT, "node %d: %s", reader->nodes, what);
}

/* dd as column and row from the top; false for a pass. */
static bool read_point(const Reader *reader, const char *value, int *x, int *y)
{
    *x = value[0] - 'a';
    *y = value[0] ? value[1] - 'a' : -1;
    return value[0] && value[1] && !value[2] && *x >= 0 && *y >= 0 && *x < reader->size && *y < reader->size;
}

static void add_text(Reader *reader, const char *move)
{
    KnText *moves = &reader->sheet->moves;
    if (moves->length) kn_text_add_char(moves, ' ');
    kn_text_add(moves, move);
}

static KnStatus add_stone_move(Reader *reader, const char *value, KnError *error)
{
    int x, y;
    bool pass = !*value || (strcmp(value, "tt") == 0 && reader->size <= 19);
    if (pass) {
        add_text(reader, "pass");
        return KN_OK;
    }
    if (!read_point(reader, value, &x, &y)) return complain(reader, "a move is two letters of points on the board", error);
    char vertex[8] = {(char)('A' + x + (x >= 8)), 0};
    int line = reader->size - y;
    if (line >= 10) vertex[1] = (char)('0' + line / 10);
    vertex[line >= 10 ? 2 : 1] = (char)('0' + line % 10);
    add_text(reader, vertex);
    return KN_OK;
}

static KnStatus add_move(Reader *reader, int colour, char *value, KnError *error)
{
    if (!reader->othello && reader->colour == colour) return complain(reader, "the same side moves twice running, which cannot be replayed", error);
    if (reader->colour < 0 && reader->first < 0) reader->first = colour;
    if (!reader->othello && reader->colour < 0 && reader->first != colour) return complain(reader, "the first move is by the side that is not to move", error);
    reader->colour = colour;
    if (!reader->othello) return add_stone_move(reader, value, error);
    value[strcspn(value, "/")] = '\0'; /* behind it: value and time */
    for (char *c = value; *c; c++) *c = (char)tolower((unsigned char)*c);
    bool pass = strcmp(value, "pa") == 0 || strcmp(value, "pass") == 0;
    if (!pass && strlen(value) != 2) return complain(reader, "a move is a square such as f5, or PA", error);
    add_text(reader, pass ? "pass" : value);
    return KN_OK;
}

static KnStatus set_stone(Reader *reader, char stone, const char *value, KnError *error)
{
    int x, y, x2, y2;
    char first[3] = {value[0], value[0] ? value[1] : '\0', '\0'};
    bool range = strlen(value) == 5 && value[2] == ':';
    if (!read_point(reader, range ? first : value, &x, &y)) return complain(reader, "a stone is set up on two letters of a point on the board", error);
    x2 = x, y2 = y;
    if (range && (!read_point(reader, value + 3, &x2, &y2) || x2 < x || y2 < y)) return complain(reader, "a range of points is wrong", error);
    for (int row = y; row <= y2; row++)
        for (int column = x; column <= x2; column++) reader->board[row][column] = stone;
    reader->set_up = true;
    return KN_OK;
}

/* BO[8 --------... *]: the board at the beginning. */
static KnStatus read_board(Reader *reader, const char *value, KnError *error)
{
    char *rest;
    long size = strtol(value, &rest, 10);
    if (size != 4 && size != 6 && size != 8) return complain(reader, "boards of 4, 6 or 8 squares a side are known", error);
    reader->size = (int)size;
    KnText *start = &reader->sheet->start;
    kn_text_clear(start);
    long cells = 0;
    const char *c = rest;
    for (; *c && cells < size * size; c++) {
        if (isspace((unsigned char)*c)) continue;
        char disc = *c == '*' || *c == 'X' || *c == 'x' ? 'X' : *c == 'O' || *c == 'o' ? 'O' : *c == '-' ? '-' : '?';
        if (disc == '?') return complain(reader, "a board consists of -, * and O", error);
        kn_text_add_char(start, disc);
        cells++;
    }
    while (isspace((unsigned char)*c)) c++;
    if (cells < size * size || !*c) return complain(reader, "the board is incomplete", error);
    kn_text_add(start, *c == 'O' || *c == 'o' ? " O" : " X");
    return KN_OK;
}

static void set_text(KnText *text, const char *value)
{
    kn_text_clear(text);
    kn_text_add(text, value);
}

static KnStatus read_size(Reader *reader, const char *value, KnError *error)
{
    char *end;
    long size = strtol(value, &end, 10);
    if (*end || size < 2 || size > SIZE_MAX_GO) return complain(reader, "boards from 2 to 19 lines are known", error);
    if (reader->set_up || reader->sheet->moves.length) return complain(reader, "the size comes too late", error);
    reader->size = (int)size;
    return KN_OK;
}

static KnStatus read_property(Reader *reader, const char *name, char *value, KnError *error)
{
    KnSheetText *sheet = reader->sheet;
    if (strcmp(name, "GM") == 0) {
        reader->othello = strncmp(value, "Othello", 7) == 0 || strcmp(value, "2") == 0;
        if (reader->othello) reader->size = 8;
        else if (strcmp(value, "1") != 0) return complain(reader, "GM says that it is neither Go (1) nor Othello", error);
    } else if (strcmp(name, "RE") == 0) set_text(&sheet->result, value);
    else if (strcmp(name, "PB") == 0) set_text(&sheet->players[0], value);
    else if (strcmp(name, "PW") == 0) set_text(&sheet->players[1], value);
    else if (strcmp(name, "B") == 0) return add_move(reader, 0, value, error);
    else if (strcmp(name, "W") == 0) return add_move(reader, 1, value, error);
    else if (reader->othello) return strcmp(name, "BO") == 0 ? read_board(reader, value, error) : KN_OK;
    else if (strcmp(name, "SZ") == 0) return read_size(reader, value, error);
    else if (strcmp(name, "KM") == 0) reader->komi = strtod(value, NULL);
    else if (strcmp(name, "PL") == 0) reader->first = *value == 'W' || *value == 'w';
    else if (strcmp(name, "AB") == 0 || strcmp(name, "AW") == 0 || strcmp(name, "AE") == 0) {
        if (sheet->moves.length) return complain(reader, "stones are set up after the first move, which cannot be replayed", error);
        return set_stone(reader, name[1] == 'B' ? 'x' : name[1] == 'W' ? 'o' : '.', value, error);
    }
    return KN_OK;
}

/* The value in brackets at *at, escapes resolved; moves past it. */
static KnStatus read_value(const Reader *reader, const char **at, char *value, KnError *error)
{
    const char *c = *at + 1;
    size_t length = 0;
    for (; *c && *c != ']'; c++) {
        if (*c == '\\' && c[1]) c++;
        if (length + 1 < VALUE) value[length++] = *c;
    }
    value[length] = '\0';
    if (!*c) return complain(reader, "a value in brackets has no end", error);
    *at = c + 1;
    return KN_OK;
}

/* Whether an Othello board is the one that every game begins with. */
static bool is_usual(const char *board, int size)
{
    int middle = size / 2;
    for (int i = 0; i < size * size; i++) {
        int row = i / size - middle, column = i % size - middle;
        bool disc = (row == 0 || row == -1) && (column == 0 || column == -1);
        if (board[i] != (!disc ? '-' : row == column ? 'O' : 'X')) return false;
    }
    return strcmp(board + size * size, " X") == 0;
}

static void finish(Reader *reader)
{
    KnSheetText *sheet = reader->sheet;
    sheet->format = reader->othello ? "ggf" : "sgf";
    kn_text_clear(&sheet->game);
    if (reader->othello) {
        if (sheet->start.length && is_usual(sheet->start.data, reader->size)) kn_text_clear(&sheet->start);
        if (reader->size == 8) kn_text_add(&sheet->game, "othello");
        else kn_text_printf(&sheet->game, "othello(size=%d)", reader->size);
        return;
    }
    kn_text_printf(&sheet->game, "go(size=%d, komi=", reader->size);
    kn_text_add_real(&sheet->game, reader->komi);
    kn_text_add_char(&sheet->game, ')');
    if (!reader->set_up && reader->first <= 0) return;
    for (int row = 0; row < reader->size; row++) {
        if (row) kn_text_add_char(&sheet->start, '/');
        kn_text_add_bytes(&sheet->start, reader->board[row], (size_t)reader->size);
    }
    kn_text_add(&sheet->start, reader->first == 1 ? " w" : " b");
}

KnStatus kn_sgf_read(const char *text, KnSheetText *sheet, KnError *error)
{
    Reader reader = {.text = text, .sheet = sheet, .size = 19, .komi = 0, .first = -1, .colour = -1};
    memset(reader.board, '.', sizeof reader.board);
    char value[VALUE], name[16] = "";
    KnStatus status = KN_OK;
    for (const char *c = text; *c && status == KN_OK;) {
        if (*c == ')' && reader.nodes) break; /* the end of the main line */
        if (*c == ';') reader.nodes++;
        if (isalpha((unsigned char)*c)) {
            size_t length = 0;
            for (; isalpha((unsigned char)*c); c++)
                if (isupper((unsigned char)*c) && length + 1 < sizeof name) name[length++] = *c;
            name[length] = '\0';
        } else if (*c == '[') {
            status = read_value(&reader, &c, value, error);
            if (status == KN_OK) status = read_property(&reader, name, value, error);
        } else if (isspace((unsigned char)*c) || strchr("();", *c)) c++;
        else status = complain(&reader, "a property looks like B[dd]", error);
    }
    if (status == KN_OK && !reader.nodes) status = kn_fail(error, KN_INPUT, "there is no game in this file: SGF and GGF begin with (;");
    if (status == KN_OK) finish(&reader);
    return status;
}
