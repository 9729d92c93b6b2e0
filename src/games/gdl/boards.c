#include "games/gdl/boards.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOARDS = 8, MOST_VALUES = 60, MOST_CONTENTS = 60, LEAST_ROW = 3 };

typedef struct Finder {
    const KnGdlDescription *description;
    const KnTerms *terms;
    const KnTerm *facts;
    uint32_t fact_count;
    const uint64_t *single;
    KnGdlBoards *boards;
    bool failed; /* out of memory */
} Finder;

/* The values of an argument over the facts of a relation. */
typedef struct Values {
    KnTerm list[MOST_VALUES];
    int count; /* -1: too many, or not all are names */
} Values;

static bool is_about(const Finder *f, uint32_t fact, KnSymbol symbol, int arity)
{
    const KnTermNode *node = kn_term(f->terms, f->facts[fact]);
    return node->symbol == symbol && node->arity == arity;
}

static int value_number(const Values *values, KnTerm term)
{
    for (int i = 0; i < values->count; i++)
        if (values->list[i] == term) return i;
    return -1;
}

static void gather(const Finder *f, KnSymbol symbol, int arity, int argument, bool names_only, Values *values)
{
    values->count = 0;
    for (uint32_t i = 0; i < f->fact_count && values->count >= 0; i++) {
        if (!is_about(f, i, symbol, arity)) continue;
        KnTerm term = kn_term_args(f->terms, f->facts[i])[argument];
        if (value_number(values, term) >= 0) continue;
        if (values->count == MOST_VALUES || (names_only && kn_term(f->terms, term)->arity))
            values->count = -1;
        else
            values->list[values->count++] = term;
    }
}

/* ---- Order of coordinates ---- */

static const char *name_of(const Finder *f, KnTerm term)
{
    return f->description->symbols.names[kn_term(f->terms, term)->symbol];
}

static bool is_number(const char *name)
{
    return *name && strspn(name, "0123456789") == strlen(name) && strlen(name) < 9;
}

static int by_name(const void *a, const void *b, void *user)
{
    const Finder *f = user;
    const char *x = name_of(f, *(const KnTerm *)a), *y = name_of(f, *(const KnTerm *)b);
    bool number_x = is_number(x), number_y = is_number(y);
    if (number_x && number_y) return atoi(x) - atoi(y);
    return number_x != number_y ? number_y - number_x : strcmp(x, y);
}

/* Whether a relation is a successor relation over all values; then sorts them by it. */
static bool order_by_relation(const Finder *f, const KnGdlRelation *relation, Values *values)
{
    int next[MOST_VALUES], before[MOST_VALUES], links = 0;
    for (int i = 0; i < values->count; i++) next[i] = before[i] = -1;
    for (const KnGdlRule *rule = relation->rules; rule; rule = rule->next) {
        int at[2] = {-1, -1};
        for (int k = 0; k < 2; k++) {
            const KnTermNode *node = kn_term(&f->description->terms,
                                             kn_term_args(&f->description->terms, rule->head)[k]);
            for (int i = 0; i < values->count && !node->arity; i++)
                if (kn_term(f->terms, values->list[i])->symbol == node->symbol) at[k] = i;
        }
        if (at[0] < 0 || at[1] < 0) continue;
        if (next[at[0]] >= 0 || before[at[1]] >= 0) return false;
        next[at[0]] = at[1];
        before[at[1]] = at[0];
        links++;
    }
    if (links != values->count - 1) return false;
    Values ordered = {.count = 0};
    int at = 0;
    while (at < values->count && before[at] >= 0) at++;
    for (; at >= 0 && at < values->count && ordered.count < values->count; at = next[at])
        ordered.list[ordered.count++] = values->list[at];
    if (ordered.count != values->count) return false;
    *values = ordered;
    return true;
}

static void order_values(Finder *f, Values *values)
{
    bool numbers = true;
    qsort_r(values->list, (size_t)values->count, sizeof *values->list, by_name, f);
    for (int i = 0; i < values->count; i++) numbers &= is_number(name_of(f, values->list[i]));
    for (KnSymbol s = KN_GDL_KEYWORDS; s < f->description->symbols.count && !numbers; s++) {
        const KnGdlRelation *relation = &f->description->relations[s];
        if (relation->arity == 2 && relation->only_facts && relation->rules &&
            order_by_relation(f, relation, values))
            return;
    }
}

/* ---- Letters ---- */

static bool looks_empty(const char *name, bool white)
{
    static const char *const names[] = {"blank", "empty", "none", "free", "clear", "nothing"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0) return true;
    return strcasecmp(name, "b") == 0 && !white; /* b means black if there is a white */
}

static char letter_for(const char *name, const char *taken)
{
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (const char *c = name; *c; c++)
        if (isalnum((unsigned char)*c) && !strchr(taken, *c)) return *c;
    for (const char *c = name; *c; c++)
        if (isalpha((unsigned char)*c) && !strchr(taken, toupper((unsigned char)*c)))
            return (char)toupper((unsigned char)*c);
    for (const char *c = others; *c; c++)
        if (!strchr(taken, *c)) return *c;
    return '?';
}

/* Single letters keep theirs; then the others choose. */
static void give_letters(KnGdlBoard *board)
{
    bool white = false;
    for (int i = 0; i < board->content_count; i++)
        white |= tolower((unsigned char)*board->contents[i]) == 'w';
    char taken[MOST_CONTENTS + 1] = "";
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < board->content_count; i++) {
            const char *name = board->contents[i];
            size_t length = strlen(taken);
            if (pass ? board->letters[i] != 0 : !looks_empty(name, white) && strlen(name) != 1) continue;
            if (!pass && looks_empty(name, white)) {
                board->letters[i] = '.';
                continue;
            }
            board->letters[i] = letter_for(name, taken);
            taken[length] = board->letters[i];
            taken[length + 1] = '\0';
        }
}

/* ---- Finding ---- */

static const char **names_of(Finder *f, const Values *values)
{
    const char **names = KN_ARENA_NEW(f->boards->arena, const char *, values->count + 1);
    for (int i = 0; names && i < values->count; i++) {
        KnText text = KN_TEXT_EMPTY;
        kn_term_text(&f->description->symbols, f->terms, values->list[i], &text);
        names[i] = kn_arena_string(f->boards->arena, text.data);
        f->failed |= !names[i];
        kn_text_free(&text);
    }
    f->failed |= !names;
    return names;
}

static bool names_roles(const Finder *f, const Values *values)
{
    for (int i = 0; i < values->count; i++)
        for (int r = 0; r < f->description->role_count; r++)
            if (kn_term(f->terms, values->list[i])->symbol ==
                kn_term(&f->description->terms, f->description->roles[r])->symbol)
                return true;
    return false;
}

/* Tries a board with these arguments: across, up (-1: a single row), content (-1: marks). False if it is
 * none. */
static bool try_board(Finder *f, KnSymbol symbol, int arity, int across, int up, int content,
                      KnGdlBoard *board)
{
    Values x, y = {.count = 1}, what = {.count = 0};
    gather(f, symbol, arity, across, true, &x);
    if (up >= 0) gather(f, symbol, arity, up, true, &y);
    if (content >= 0) gather(f, symbol, arity, content, false, &what);
    if (x.count < 2 || y.count < 1 || what.count < 0 || (up >= 0 && y.count < 2) ||
        x.count * y.count < LEAST_ROW)
        return false;
    if (names_roles(f, &x) || (up >= 0 && names_roles(f, &y))) return false;
    if (content >= 0 && up < 0 && what.count > x.count) return false;
    if (content < 0 && (x.count < LEAST_ROW || y.count < LEAST_ROW)) return false;
    order_values(f, &x);
    if (up >= 0) order_values(f, &y);
    int contents = content >= 0 ? what.count : 1, filled = 0;
    if (content >= 0) qsort_r(what.list, (size_t)what.count, sizeof *what.list, by_name, f);
    *board = (KnGdlBoard){.columns = x.count, .rows = y.count, .content_count = what.count};
    board->facts = KN_ARENA_NEW(f->boards->arena, uint32_t, x.count * y.count * contents);
    board->places = KN_ARENA_NEW(f->boards->arena, bool, x.count *y.count);
    board->letters = KN_ARENA_NEW(f->boards->arena, char, what.count + 1);
    board->name = kn_arena_string(f->boards->arena, f->description->symbols.names[symbol]);
    board->column_names = names_of(f, &x);
    board->row_names = up >= 0 ? names_of(f, &y) : NULL;
    board->contents = names_of(f, &what);
    f->failed |= !board->facts || !board->places || !board->letters || !board->name;
    if (f->failed) return false;
    for (uint32_t i = 0; i < f->fact_count; i++) {
        if (!is_about(f, i, symbol, arity)) continue;
        const KnTerm *args = kn_term_args(f->terms, f->facts[i]);
        int place = (up >= 0 ? value_number(&y, args[up]) : 0) * x.count + value_number(&x, args[across]);
        filled += !board->places[place];
        board->places[place] = true;
        board->facts[place * contents + (content >= 0 ? value_number(&what, args[content]) : 0)] = i + 1;
    }
    give_letters(board);
    return filled * 2 >= x.count * y.count;
}

/* The arguments in which facts of a relation are exclusive, as bits. */
static uint64_t single_arguments(const Finder *f, KnSymbol symbol, int arity)
{
    uint64_t all = UINT64_MAX;
    for (uint32_t i = 0; i < f->fact_count; i++)
        if (is_about(f, i, symbol, arity)) all &= f->single[i];
    return all;
}

static bool find_board(Finder *f, KnSymbol symbol, int arity, KnGdlBoard *board)
{
    uint64_t single = single_arguments(f, symbol, arity);
    for (int content = arity - 1; content >= 0; content--) {
        if (!(single >> content & 1)) continue;
        int across = content == 0, up = content <= 1 ? 2 : 1;
        if (arity == 3 && try_board(f, symbol, arity, across, up, content, board)) return true;
        if (arity == 2 && try_board(f, symbol, arity, across, -1, content, board)) return true;
    }
    return arity == 2 && try_board(f, symbol, arity, 0, 1, -1, board);
}

static int by_size(const void *a, const void *b)
{
    const KnGdlBoard *x = a, *y = b;
    int order = (y->rows > 1) - (x->rows > 1);
    if (!order) order = y->columns * y->rows - x->columns * x->rows;
    return order ? order : strcmp(x->name, y->name);
}

KnStatus kn_gdl_boards_find(const KnGdlDescription *description, const KnTerms *terms, const KnTerm *facts,
                            uint32_t fact_count, const uint64_t *single, KnGdlBoards *boards, KnError *error)
{
    *boards = (KnGdlBoards){.arena = kn_arena_new()};
    Finder f = {description, terms, facts, fact_count, single, boards, false};
    if (boards->arena) boards->list = KN_ARENA_NEW(boards->arena, KnGdlBoard, MOST_BOARDS);
    bool *seen = calloc(description->symbols.count, sizeof *seen);
    f.failed = !boards->arena || !boards->list || !seen;
    for (uint32_t i = 0; i < fact_count && !f.failed && boards->count < MOST_BOARDS; i++) {
        const KnTermNode *node = kn_term(terms, facts[i]);
        if (seen[node->symbol] || node->arity < 2 || node->arity > 3) continue;
        seen[node->symbol] = true;
        boards->count += find_board(&f, node->symbol, node->arity, &boards->list[boards->count]);
    }
    free(seen);
    if (f.failed) return kn_fail_memory(error, "looking for boards");
    if (boards->count) qsort(boards->list, (size_t)boards->count, sizeof *boards->list, by_size);
    while (boards->count > 1 && boards->list[boards->count - 1].rows == 1) boards->count--;
    return KN_OK;
}

void kn_gdl_boards_free(KnGdlBoards *boards)
{
    kn_arena_free(boards->arena);
    *boards = (KnGdlBoards){0};
}

/* ---- Queries ---- */

int kn_gdl_board_at(const KnGdlBoard *board, const uint64_t *state, int column, int row)
{
    int place = row * board->columns + column, contents = board->content_count ? board->content_count : 1;
    if (!board->places[place]) return -2;
    for (int i = 0; i < contents; i++) {
        uint32_t fact = board->facts[place * contents + i];
        if (fact && state[(fact - 1) / 64] >> (fact - 1) % 64 & 1) return i;
    }
    return -1;
}

bool kn_gdl_boards_show(const KnGdlBoards *boards, uint32_t fact)
{
    for (int b = 0; b < boards->count; b++) {
        const KnGdlBoard *board = &boards->list[b];
        int size = board->columns * board->rows * (board->content_count ? board->content_count : 1);
        for (int i = 0; i < size; i++)
            if (board->facts[i] == fact + 1) return true;
    }
    return false;
}

static int widest(const char *const *names, int count)
{
    int width = 1;
    for (int i = 0; i < count; i++)
        if ((int)strlen(names[i]) > width) width = (int)strlen(names[i]);
    return width;
}

void kn_gdl_board_draw(const KnGdlBoard *board, const uint64_t *state, bool colour, KnText *out)
{
    int margin = board->row_names ? widest(board->row_names, board->rows) : 0,
        width = widest(board->column_names, board->columns);
    bool explained = false;
    for (int row = board->rows - 1; row >= 0; row--) {
        kn_text_printf(out, "%*s", margin, board->row_names ? board->row_names[row] : "");
        for (int column = 0; column < board->columns; column++) {
            int what = kn_gdl_board_at(board, state, column, row);
            char letter = what == -2             ? ' '
                          : what == -1           ? '.'
                          : board->content_count ? board->letters[what]
                                                 : '*';
            bool bold = colour && what >= 0 && letter != '.';
            kn_text_printf(out, bold ? " %*s\033[1m%c\033[0m" : " %*s%c", width - 1, "", letter);
        }
        kn_text_add_char(out, '\n');
    }
    kn_text_printf(out, "%*s", margin, "");
    for (int column = 0; column < board->columns; column++)
        kn_text_printf(out, " %*s", width, board->column_names[column]);
    kn_text_add_char(out, '\n');
    for (int i = 0; i < board->content_count; i++) {
        if (board->letters[i] == '.' ||
            (board->contents[i][0] == board->letters[i] && !board->contents[i][1]))
            continue;
        kn_text_printf(out, "%s%c %s", explained ? ", " : "", board->letters[i], board->contents[i]);
        explained = true;
    }
    if (explained) kn_text_add_char(out, '\n');
}
