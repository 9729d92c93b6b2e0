/* Reading SGF (Go) and GGF (Othello) as games: the main line is taken. */
#include "formats/parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formats/sgf_tree.h"

enum { SIZE_MAX_GO = 19 };

typedef struct Reader {
    KnRecordText *record;
    const KnSgfValue *value; /* the one that is being read */
    bool othello;
    int size;
    double komi;
    bool komi_game;                       /* Othello with a komi, which is not on the board */
    char board[SIZE_MAX_GO][SIZE_MAX_GO]; /* stones set up: '.', 'x', 'o' */
    bool set_up;
    int first;  /* colour to move at the beginning, or -1 */
    int colour; /* of the move before, or -1 */
} Reader;

static KnStatus complain(const Reader *reader, const char *what, KnError *error)
{
    return kn_sgf_fail(reader->value, error, "%s", what);
}

static void add_text(Reader *reader, const char *move)
{
    KnText *moves = &reader->record->moves;
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
    if (!kn_sgf_point(value, reader->size, &x, &y))
        return complain(reader, "a move is two letters of points on the board", error);
    char vertex[8] = {(char)('A' + x + (x >= 8)), 0};
    int line = reader->size - y;
    if (line >= 10) vertex[1] = (char)('0' + line / 10);
    vertex[line >= 10 ? 2 : 1] = (char)('0' + line % 10);
    add_text(reader, vertex);
    return KN_OK;
}

static KnStatus add_move(Reader *reader, int colour, char *value, KnError *error)
{
    if (!reader->othello && reader->colour == colour)
        return complain(reader, "the same side moves twice running, which cannot be replayed", error);
    if (reader->colour < 0 && reader->first < 0) reader->first = colour;
    if (!reader->othello && reader->colour < 0 && reader->first != colour)
        return complain(reader, "the first move is by the side that is not to move", error);
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
    if (!kn_sgf_point(range ? first : value, reader->size, &x, &y))
        return complain(reader, "a stone is set up on two letters of a point on the board", error);
    x2 = x, y2 = y;
    if (range && (!kn_sgf_point(value + 3, reader->size, &x2, &y2) || x2 < x || y2 < y))
        return complain(reader, "a range of points is wrong", error);
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
    if (size != 4 && size != 6 && size != 8)
        return complain(reader, "boards of 4, 6 or 8 squares a side are known", error);
    reader->size = (int)size;
    KnText *start = &reader->record->start;
    kn_text_clear(start);
    long cells = 0;
    const char *c = rest;
    for (; *c && cells < size * size; c++) {
        if (isspace((unsigned char)*c)) continue;
        char disc = *c == '*' || *c == 'X' || *c == 'x' ? 'X'
                    : *c == 'O' || *c == 'o'            ? 'O'
                    : *c == '-'                         ? '-'
                                                        : '?';
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
    kn_text_add_utf8(text, value, strlen(value));
}

static KnStatus read_size(Reader *reader, const char *value, KnError *error)
{
    char *end;
    long size = strtol(value, &end, 10);
    if (*end || size < 2 || size > SIZE_MAX_GO)
        return complain(reader, "boards from 2 to 19 lines are known", error);
    if (reader->set_up || reader->record->moves.length)
        return complain(reader, "the size comes too late", error);
    reader->size = (int)size;
    return KN_OK;
}

static KnStatus read_komi(Reader *reader, const char *value, KnError *error)
{
    reader->komi = 0;
    return !*value || kn_game_record_number(value, &reader->komi)
               ? KN_OK
               : complain(reader, "the komi is a number such as 6.5", error);
}

/* TY[8r20] of a game server: a is the game whose winner has fewer discs. A game with a komi (k) has its
 * board, but the result counts the komi. */
static KnStatus read_type(Reader *reader, const char *value, KnError *error)
{
    if (strchr(value, 'a'))
        return complain(reader, "in this kind of Othello the winner has fewer discs, which is not known here",
                        error);
    reader->komi_game = strchr(value, 'k') != NULL;
    return KN_OK;
}

static KnStatus read_property(Reader *reader, const char *name, char *value, KnError *error)
{
    KnRecordText *record = reader->record;
    if (strcmp(name, "GM") == 0) {
        reader->othello = strncmp(value, "Othello", 7) == 0 || strcmp(value, "2") == 0;
        if (reader->othello)
            reader->size = 8;
        else if (strcmp(value, "1") != 0)
            return complain(reader, "GM says that it is neither Go (1) nor Othello", error);
    } else if (strcmp(name, "RE") == 0)
        set_text(&record->result, value);
    else if (strcmp(name, "EV") == 0)
        set_text(&record->event, value);
    else if (strcmp(name, "RO") == 0)
        set_text(&record->round, value);
    else if (strcmp(name, "DT") == 0)
        set_text(&record->date, value);
    else if (strcmp(name, "PB") == 0)
        set_text(&record->players[0], value);
    else if (strcmp(name, "PW") == 0)
        set_text(&record->players[1], value);
    else if (strcmp(name, "B") == 0)
        return add_move(reader, 0, value, error);
    else if (strcmp(name, "W") == 0)
        return add_move(reader, 1, value, error);
    else if (reader->othello)
        return strcmp(name, "BO") == 0   ? read_board(reader, value, error)
               : strcmp(name, "TY") == 0 ? read_type(reader, value, error)
                                         : KN_OK;
    else if (strcmp(name, "SZ") == 0)
        return read_size(reader, value, error);
    else if (strcmp(name, "KM") == 0)
        return read_komi(reader, value, error);
    else if (strcmp(name, "PL") == 0)
        reader->first = *value == 'W' || *value == 'w';
    else if (strcmp(name, "AB") == 0 || strcmp(name, "AW") == 0 || strcmp(name, "AE") == 0) {
        if (record->moves.length)
            return complain(reader, "stones are set up after the first move, which cannot be replayed",
                            error);
        return set_stone(reader, name[1] == 'B' ? 'x' : name[1] == 'W' ? 'o' : '.', value, error);
    }
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
    KnRecordText *record = reader->record;
    record->format = reader->othello ? "ggf" : "sgf";
    kn_text_clear(&record->game);
    if (reader->othello) {
        if (reader->komi_game) kn_text_clear(&record->result);
        if (record->start.length && is_usual(record->start.data, reader->size)) kn_text_clear(&record->start);
        if (reader->size == 8)
            kn_text_add(&record->game, "othello");
        else
            kn_text_printf(&record->game, "othello(size=%d)", reader->size);
        return;
    }
    kn_text_printf(&record->game, "go(size=%d, komi=", reader->size);
    kn_text_add_real(&record->game, reader->komi);
    kn_text_add_char(&record->game, ')');
    if (!reader->set_up && reader->first <= 0) return;
    for (int row = 0; row < reader->size; row++) {
        if (row) kn_text_add_char(&record->start, '/');
        kn_text_add_bytes(&record->start, reader->board[row], (size_t)reader->size);
    }
    kn_text_add(&record->start, reader->first == 1 ? " w" : " b");
}

static KnStatus read_node(Reader *reader, const KnSgfNode *node, KnText *plain, KnError *error)
{
    KnStatus status = KN_OK;
    for (const KnSgfProperty *p = node->first; p && status == KN_OK; p = p->next)
        for (const KnSgfValue *v = p->first; v && status == KN_OK; v = v->next) {
            kn_text_clear(plain);
            kn_sgf_plain(v, plain);
            if (!kn_text_ok(plain)) return kn_fail_memory(error, "reading a game");
            char empty[1] = "";
            reader->value = v;
            status = read_property(reader, p->name, plain->length ? plain->data : empty, error);
        }
    return status;
}

KnStatus kn_sgf_read(const char *text, KnRecordText *record, KnError *error)
{
    Reader reader = {.record = record, .size = 19, .komi = 0, .first = -1, .colour = -1};
    memset(reader.board, '.', sizeof reader.board);
    KnText plain = KN_TEXT_EMPTY;
    KnSgfNode *root;
    KnArena *arena = kn_arena_new();
    KnStatus status = arena ? kn_sgf_parse(text, arena, &root, NULL, NULL, NULL, error)
                            : kn_fail_memory(error, "reading a game");
    for (const KnSgfNode *node = status == KN_OK ? root : NULL; node && status == KN_OK; node = node->child)
        status = read_node(&reader, node, &plain, error);
    if (status == KN_OK) finish(&reader);
    kn_text_free(&plain);
    kn_arena_free(arena);
    return status;
}
