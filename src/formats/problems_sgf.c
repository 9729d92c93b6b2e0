/* Capture problems in SGF. A tree is a problem: the position is that of the first node of the main line with
 * a triangle (TR) on a stone, or, where the target is named from outside, that before the first move. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "formats/problems_parser.h"
#include "formats/sgf_tree.h"

typedef struct Reader {
    const KnContext *context;
    KnCaptureProblems *problems;
    KnCaptureProblem *problem;
    const KnSgfNode *root;
    const char *name;   /* of the file */
    const char *target; /* a vertex, or NULL */
    int size, mover;    /* mover: -1 until something tells */
    uint8_t cells[KN_GO_CELLS_MAX];
    bool loose; /* the cells are newer than the position */
} Reader;

static KnStatus about_root(const Reader *r, KnError *error, const char *what)
{
    return kn_fail(error, KN_INPUT, "line %d, column %d: %s", r->root->line, r->root->column, what);
}

static KnStatus read_size(Reader *r, KnError *error)
{
    const KnSgfValue *game = kn_sgf_values(r->root, "GM"), *size = kn_sgf_values(r->root, "SZ");
    if (game && strcmp(game->text, "1")) return kn_sgf_fail(game, error, "GM says that it is not Go (1)");
    r->size = KN_GO_SIZE_MAX;
    if (size) {
        int used = 0;
        if (sscanf(size->text, "%2d%n", &r->size, &used) != 1 || size->text[used] ||
            r->size < KN_GO_SIZE_MIN || r->size > KN_GO_SIZE_MAX)
            return kn_sgf_fail(size, error, "boards from %d to %d lines are known, not \"%.16s\"",
                               KN_GO_SIZE_MIN, KN_GO_SIZE_MAX, size->text);
    }
    KnStatus status = kn_problems_game(r->context, r->problems, r->size, &r->problem->game, error);
    if (status != KN_OK) return status;
    r->problem->position = kn_arena_alloc(r->problems->arena, r->problem->game->position_size);
    if (!r->problem->position) return kn_fail_memory(error, "reading problems");
    r->problem->game->type->start(r->problem->game, r->problem->position);
    return KN_OK;
}

static KnStatus set_stones(Reader *r, const KnSgfNode *node, const char *property, uint8_t held,
                           KnError *error)
{
    for (const KnSgfValue *v = kn_sgf_values(node, property); v; v = v->next) {
        int x, y, x2, y2;
        char first[3] = {v->text[0], v->text[0] ? v->text[1] : 0, 0};
        bool range = strlen(v->text) == 5 && v->text[2] == ':';
        bool fits = kn_sgf_point(range ? first : v->text, r->size, &x, &y);
        x2 = x, y2 = y;
        if (range) fits = fits && kn_sgf_point(v->text + 3, r->size, &x2, &y2) && x2 >= x && y2 >= y;
        if (!fits)
            return kn_sgf_fail(v, error, "\"%.16s\" is no point of a board of size %d", v->text, r->size);
        for (int row = y; row <= y2; row++)
            for (int column = x; column <= x2; column++) r->cells[row * r->size + column] = held;
        r->loose = true;
    }
    return KN_OK;
}

/* The cells as a position, with this side to move. */
static KnStatus settle(Reader *r, int mover, KnError *error)
{
    const KnGame *game = r->problem->game;
    if (!r->loose && game->type->mover(game, r->problem->position) == mover) return KN_OK;
    r->loose = false;
    KnStatus status = kn_go_set_up(game, r->cells, mover, KN_GO_PASS, r->problem->position, error);
    return status == KN_OK ? status
                           : kn_fail_within(error, "line %d, column %d", r->root->line, r->root->column);
}

static KnStatus play(Reader *r, int colour, const KnSgfValue *v, KnError *error)
{
    const KnGame *game = r->problem->game;
    int x, y;
    KnStatus status = settle(r, colour, error);
    if (status != KN_OK) return status;
    r->mover = 1 - colour;
    bool pass = !*v->text || strcmp(v->text, "tt") == 0;
    if (!pass && !kn_sgf_point(v->text, r->size, &x, &y))
        return kn_sgf_fail(v, error, "\"%.16s\" is no point of a board of size %d", v->text, r->size);
    KnMove move = pass ? KN_GO_PASS : kn_go_move(game, x, y);
    if (!pass && !kn_go_legal(game, r->problem->position, move))
        return kn_sgf_fail(v, error, "this move is not legal");
    game->type->play(game, r->problem->position, move);
    kn_game_board(game, r->problem->position, r->cells);
    return KN_OK;
}

/* Sets up and plays what a node says. */
static KnStatus follow(Reader *r, const KnSgfNode *node, KnError *error)
{
    static const char *const set[] = {"AE", "AB", "AW"}, *const moves[] = {"B", "W"};
    KnStatus status = KN_OK;
    for (int colour = 0; colour < 2 && status == KN_OK; colour++) {
        const KnSgfValue *v = kn_sgf_values(node, moves[colour]);
        if (v) status = play(r, colour, v, error);
    }
    for (int i = 0; i < 3 && status == KN_OK; i++) status = set_stones(r, node, set[i], (uint8_t)i, error);
    const KnSgfValue *player = kn_sgf_values(node, "PL");
    if (player) r->mover = *player->text == 'W' || *player->text == 'w' || *player->text == '2';
    return status;
}

/* The stone that a node's triangles mark; -1: none does. They may mark several stones, of one colour. */
static KnStatus marked(const Reader *r, const KnSgfNode *node, int *cell, KnError *error)
{
    *cell = -1;
    for (const KnSgfValue *v = kn_sgf_values(node, "TR"); v; v = v->next) {
        int x, y;
        char first[3] = {v->text[0], v->text[0] ? v->text[1] : 0, 0}; /* of a range its first corner */
        if (!kn_sgf_point(v->text[0] && strlen(v->text) == 5 ? first : v->text, r->size, &x, &y))
            return kn_sgf_fail(v, error, "\"%.16s\" is no point of a board of size %d", v->text, r->size);
        int here = y * r->size + x;
        if (!r->cells[here]) continue;
        if (*cell >= 0 && r->cells[*cell] != r->cells[here])
            return kn_sgf_fail(v, error, "triangles on stones of both colours: mark one string");
        if (*cell < 0) *cell = here;
    }
    return KN_OK;
}

/* The next node plays a move: then its colour is to move, unless told otherwise. */
static int colour_ahead(const KnSgfNode *node)
{
    const KnSgfNode *next = node->child;
    return next && kn_sgf_values(next, "B") ? 0 : next && kn_sgf_values(next, "W") ? 1 : -1;
}

/* Variations that begin with a move marked as good (TE), or whose comment says that it is right, are the
 * accepted answers. */
static KnStatus accept(Reader *r, const KnSgfNode *node, int mover, KnError *error)
{
    KnCaptureProblem *problem = r->problem;
    for (const KnSgfNode *next = node->child; next; next = next->sibling) {
        const KnSgfValue *move = kn_sgf_values(next, mover ? "W" : "B"), *comment = kn_sgf_values(next, "C");
        bool good = kn_sgf_values(next, "TE") ||
                    (comment && (strstr(comment->text, "RIGHT") || strstr(comment->text, "Correct")));
        int x, y;
        if (!move || !good || problem->count == KN_PROBLEM_MOVES) continue;
        bool pass = !*move->text || strcmp(move->text, "tt") == 0;
        if (!pass && !kn_sgf_point(move->text, r->size, &x, &y))
            return kn_sgf_fail(move, error, "\"%.16s\" is no point of a board of size %d", move->text,
                               r->size);
        problem->moves[problem->count++] = pass ? KN_GO_PASS : kn_go_move(problem->game, x, y);
        problem->answer = 1;
    }
    return KN_OK;
}

static KnStatus name_it(Reader *r, size_t number, KnError *error)
{
    const KnSgfValue *named = kn_sgf_values(r->root, "GN");
    json_t *utf8 = named ? json_string(named->text) : NULL;
    if (!utf8) named = NULL; /* a name in some other alphabet's bytes could not be written again */
    json_decref(utf8);
    KnText text = KN_TEXT_EMPTY;
    if (named && *named->text)
        kn_sgf_plain(named, &text);
    else
        kn_text_printf(&text, "%s:%zu", r->name, number);
    r->problem->id = kn_arena_string(r->problems->arena, text.data);
    kn_text_free(&text);
    return r->problem->id ? KN_OK : kn_fail_memory(error, "reading problems");
}

static KnStatus read_tree(Reader *r, size_t number, KnError *error)
{
    const KnSgfNode *node = r->root;
    int cell = -1;
    KnStatus status = read_size(r, error);
    while (status == KN_OK) {
        status = follow(r, node, error);
        if (status == KN_OK && !r->target) status = marked(r, node, &cell, error);
        const KnSgfNode *next = node->child;
        if (cell >= 0 || !next || (r->target && (kn_sgf_values(next, "B") || kn_sgf_values(next, "W"))))
            break;
        node = next;
    }
    if (status != KN_OK) return status;
    if (r->target) {
        cell = kn_problems_cell(r->target, r->size);
        if (cell < 0)
            return kn_fail(error, KN_USAGE, "the target \"%.16s\" is no point of a board of size %d",
                           r->target, r->size);
        if (!r->cells[cell]) return about_root(r, error, "the target is an empty point");
    }
    if (cell < 0) return about_root(r, error, "no stone has a triangle (TR): mark the target, or name it");
    int owner = r->cells[cell] - 1, mover = r->mover >= 0             ? r->mover
                                            : colour_ahead(node) >= 0 ? colour_ahead(node)
                                                                      : 1 - owner;
    r->problem->target = cell;
    r->problem->attack = mover != owner;
    status = settle(r, mover, error);
    if (status == KN_OK) status = accept(r, node, mover, error);
    return status == KN_OK ? name_it(r, number, error) : status;
}

KnStatus kn_problems_read_sgf(const KnContext *context, const char *text, const char *name,
                              const char *target, KnCaptureProblems **problems, KnError *error)
{
    KnSgfNode *first = NULL;
    KnArena *arena = kn_arena_new();
    *problems = NULL;
    KnStatus status = arena ? kn_sgf_parse_all(text, arena, &first, error)
                            : kn_fail_memory(error, "reading problems");
    size_t count = 0;
    for (const KnSgfNode *root = first; root; root = root->sibling) count++;
    if (status == KN_OK) status = kn_problems_new(count, problems, error);
    for (const KnSgfNode *root = first; root && status == KN_OK; root = root->sibling) {
        Reader reader = {.context = context,
                         .problems = *problems,
                         .problem = &(*problems)->list[(*problems)->count],
                         .root = root,
                         .name = name,
                         .target = target,
                         .mover = -1};
        status = read_tree(&reader, (*problems)->count + 1, error);
        (*problems)->count++;
    }
    kn_arena_free(arena);
    if (status == KN_OK) return status;
    kn_problems_free(*problems);
    *problems = NULL;
    return kn_fail_within(error, "%s", name);
}
