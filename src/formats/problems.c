#include "formats/problems_parser.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/json.h"

enum { FILE_MOST = 64 << 20 };

KnStatus kn_problems_game(const KnContext *context, KnCaptureProblems *problems, int size,
                          const KnGame **game, KnError *error)
{
    char spec[64];
    snprintf(spec, sizeof spec, "go(size=%d, superko=none)", size);
    if (!problems->games[size]) {
        KnStatus status = kn_game_open(context, spec, &problems->games[size], error);
        if (status != KN_OK) return status;
    }
    *game = problems->games[size];
    return KN_OK;
}

int kn_problems_cell(const char *text, int size)
{
    int column = (text[0] | 32) - 'a';
    char *end = NULL;
    long row = text[0] && text[1] >= '1' && text[1] <= '9' ? strtol(text + 1, &end, 10) : 0;
    if (column > 'i' - 'a')
        column--;
    else if (column == 'i' - 'a')
        column = -1;
    if (row < 1 || row > size || *end || column < 0 || column >= size) return -1;
    return (size - (int)row) * size + column;
}

static KnStatus read_vertex(const KnJson *at, const char *key, const KnGame *game, int *cell, KnError *error)
{
    const char *text;
    KnStatus status = kn_json_string(at, key, &text, error);
    if (status != KN_OK) return status;
    *cell = kn_problems_cell(text, kn_go_size(game));
    if (*cell >= 0) return KN_OK;
    return kn_json_fail(at, key, error, "\"%.16s\" is no point of a board of size %d", text,
                        kn_go_size(game));
}

static KnStatus read_stones(const KnJson *at, const char *key, const KnGame *game, uint8_t held,
                            uint8_t *cells, KnError *error)
{
    KnJson list;
    KnStatus status = kn_json_array(at, key, &list, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&list); i++) {
        KnJson item = kn_json_item(&list, i);
        int cell = 0;
        status = read_vertex(&item, NULL, game, &cell, error);
        if (status == KN_OK && cells[cell])
            return kn_json_fail(&item, NULL, error, "there is a stone already");
        if (status == KN_OK) cells[cell] = held;
    }
    return status;
}

static KnStatus read_board(const KnJson *at, KnCaptureProblem *problem, KnArena *arena, KnError *error)
{
    const KnGame *game = problem->game;
    uint8_t cells[KN_GO_CELLS_MAX] = {0};
    const char *to_move;
    KnMove ko = KN_GO_PASS;
    KnStatus status = read_stones(at, "black", game, 1, cells, error);
    if (status == KN_OK) status = read_stones(at, "white", game, 2, cells, error);
    if (status == KN_OK) status = kn_json_string(at, "to_move", &to_move, error);
    if (status == KN_OK && strcmp(to_move, "B") && strcmp(to_move, "W"))
        status = kn_json_fail(at, "to_move", error, "\"B\" or \"W\", not \"%.16s\"", to_move);
    if (status == KN_OK && kn_json_has(at, "ko")) {
        int cell = 0;
        status = read_vertex(at, "ko", game, &cell, error);
        if (status == KN_OK) ko = kn_problems_move(game, cell);
    }
    if (status != KN_OK) return status;
    problem->position = kn_arena_alloc(arena, game->position_size);
    if (!problem->position) return kn_fail_memory(error, "reading problems");
    /* Some collections name a ko where none can be: it forbids nothing then. */
    if (ko == KN_GO_PASS ||
        kn_go_set_up(game, cells, to_move[0] == 'W', ko, problem->position, error) != KN_OK)
        status = kn_go_set_up(game, cells, to_move[0] == 'W', KN_GO_PASS, problem->position, error);
    if (status != KN_OK) return kn_fail_within(error, "%s", at->key);
    status = read_vertex(at, "target", game, &problem->target, error);
    if (status == KN_OK && !cells[problem->target])
        return kn_json_fail(at, "target", error, "there is no stone");
    bool own = status == KN_OK && cells[problem->target] == (to_move[0] == 'W' ? 2 : 1);
    const char *kind;
    if (status == KN_OK) status = kn_json_string(at, "kind", &kind, error);
    if (status != KN_OK) return status;
    problem->attack = strcmp(kind, "attack") == 0;
    if (!problem->attack && strcmp(kind, "defend"))
        return kn_json_fail(at, "kind", error, "\"attack\" or \"defend\", not \"%.16s\"", kind);
    if (own == problem->attack)
        return kn_json_fail(at, "kind", error, "the side to move %ss the target, which is %s", kind,
                            own ? "its own" : "not its own");
    return KN_OK;
}

/* A point or the word pass. */
static KnStatus read_move(const KnJson *at, const KnGame *game, KnMove *move, KnError *error)
{
    const char *text;
    int cell = 0;
    KnStatus status = kn_json_string(at, NULL, &text, error);
    if (status == KN_OK && strcasecmp(text, "pass") == 0) {
        *move = KN_GO_PASS;
        return KN_OK;
    }
    if (status == KN_OK) status = read_vertex(at, NULL, game, &cell, error);
    if (status == KN_OK) *move = kn_problems_move(game, cell);
    return status;
}

/* How it was graded. */
static KnStatus read_grades(const KnJson *at, KnCaptureProblem *problem, KnError *error)
{
    KnStatus status = KN_OK;
    int64_t plies = 0, volume = 0, nodes = 0;
    if (kn_json_has(at, "plies")) status = kn_json_integer(at, "plies", 0, 1000, &plies, error);
    if (status == KN_OK && kn_json_has(at, "volume"))
        status = kn_json_integer(at, "volume", 0, 1000, &volume, error);
    if (status == KN_OK && kn_json_has(at, "nodes"))
        status = kn_json_integer(at, "nodes", 0, INT64_MAX, &nodes, error);
    if (status == KN_OK && kn_json_has(at, "complete"))
        status = kn_json_bool(at, "complete", &problem->complete, error);
    problem->plies = (int)plies, problem->volume = (int)volume, problem->nodes = (uint64_t)nodes;
    return status;
}

static KnStatus read_answer(const KnJson *at, KnCaptureProblem *problem, KnError *error)
{
    KnStatus status = KN_OK;
    KnJson list;
    if (kn_json_has(at, "answer")) {
        const char *answer;
        status = kn_json_string(at, "answer", &answer, error);
        if (status != KN_OK) return status;
        problem->answer = strcmp(answer, "win") == 0 ? 1 : strcmp(answer, "loss") == 0 ? -1 : 0;
        if (!problem->answer)
            return kn_json_fail(at, "answer", error, "\"win\" or \"loss\", not \"%.16s\"", answer);
    }
    if (kn_json_has(at, "goal")) {
        const char *goal;
        status = kn_json_string(at, "goal", &goal, error);
        if (status != KN_OK) return status;
        problem->first = strcmp(goal, "first") == 0;
        if (!problem->first && strcmp(goal, "lasting"))
            return kn_json_fail(at, "goal", error, "\"first\" or \"lasting\", not \"%.16s\"", goal);
    }
    if (status == KN_OK && kn_json_has(at, "codes")) {
        status = kn_json_array(at, "codes", &list, error);
        for (size_t i = 0; status == KN_OK && i < kn_json_size(&list); i++) {
            KnJson item = kn_json_item(&list, i);
            int64_t code = 0;
            status = kn_json_integer(&item, NULL, 0, 3, &code, error);
            problem->ko |= code >= 2;
        }
    }
    if (status == KN_OK && kn_json_has(at, "moves")) {
        status = kn_json_array(at, "moves", &list, error);
        for (size_t i = 0; status == KN_OK && i < kn_json_size(&list); i++) {
            KnJson item = kn_json_item(&list, i);
            if (problem->count == KN_PROBLEM_MOVES)
                return kn_json_fail(at, "moves", error, "at most %d moves", KN_PROBLEM_MOVES);
            status = read_move(&item, problem->game, &problem->moves[problem->count], error);
            if (status == KN_OK) problem->count++;
        }
    }
    return status;
}

static KnStatus read_problem(const KnContext *context, KnCaptureProblems *problems, const char *line,
                             size_t length, const char *name, size_t number, KnCaptureProblem *problem,
                             KnError *error)
{
    json_t *document = NULL;
    KnStatus status = kn_json_load_line(line, length, name, number, &document, error);
    if (status != KN_OK) return status;
    char place[300];
    snprintf(place, sizeof place, "%.256s:%zu", name, number);
    KnJson root = kn_json_root(document, place);
    int64_t size = 0;
    const char *id = place;
    status = kn_json_integer(&root, "size", KN_GO_SIZE_MIN, KN_GO_SIZE_MAX, &size, error);
    if (status == KN_OK && kn_json_has(&root, "id")) status = kn_json_string(&root, "id", &id, error);
    if (status == KN_OK) status = kn_problems_game(context, problems, (int)size, &problem->game, error);
    if (status == KN_OK) status = read_board(&root, problem, problems->arena, error);
    if (status == KN_OK) status = read_answer(&root, problem, error);
    if (status == KN_OK) status = read_grades(&root, problem, error);
    if (status == KN_OK && !(problem->id = kn_arena_string(problems->arena, id)))
        status = kn_fail_memory(error, "reading problems");
    json_decref(document);
    return status;
}

KnStatus kn_problems_new(size_t most, KnCaptureProblems **out, KnError *error)
{
    KnCaptureProblems *problems = calloc(1, sizeof *problems);
    *out = problems;
    if (problems) {
        problems->arena = kn_arena_new();
        problems->list = calloc(most, sizeof *problems->list);
    }
    if (problems && problems->arena && problems->list) return KN_OK;
    kn_problems_free(problems);
    *out = NULL;
    return kn_fail_memory(error, "reading problems");
}

KnStatus kn_problems_read(const KnContext *context, const char *text, const char *name,
                          KnCaptureProblems **out, KnError *error)
{
    if (text[strspn(text, " \t\r\n")] == '(')
        return kn_problems_read_sgf(context, text, name, NULL, out, error);
    size_t lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    KnStatus status = kn_problems_new(lines, out, error);
    if (status != KN_OK) return status;
    KnCaptureProblems *problems = *out;
    size_t number = 0;
    for (const char *line = text; status == KN_OK && *line;) {
        const char *end = strchrnul(line, '\n');
        number++;
        if (end > line + strspn(line, " \t\r"))
            status = read_problem(context, problems, line, (size_t)(end - line), name, number,
                                  &problems->list[problems->count], error);
        if (status == KN_OK && problems->list[problems->count].game) problems->count++;
        line = *end ? end + 1 : end;
    }
    if (status == KN_OK && !problems->count)
        status = kn_fail(error, KN_INPUT, "%s: there is no problem in it", name);
    if (status != KN_OK) kn_problems_free(problems), *out = NULL;
    return status;
}

/* The sets that travel with the library. */
static const KnEmbeddedRow *embedded_set(const char *name)
{
    if (strcmp(name, "captures") == 0) return kn_embedded_find("problems/captures.jsonl");
    if (strcmp(name, "certified") == 0) return kn_embedded_find("problems/certified.jsonl");
    return NULL;
}

KnStatus kn_problems_load(const KnContext *context, const char *path, const char *target,
                          KnCaptureProblems **problems, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    *problems = NULL;
    const KnEmbeddedRow *row = embedded_set(path);
    if (row)
        return target ? kn_fail(error, KN_USAGE, "the set \"%s\" names its targets itself", path)
                      : kn_problems_read(context, (const char *)row->bytes, path, problems, error);
    KnStatus status = kn_file_read_text(path, &text, FILE_MOST, error);
    if (status == KN_OK && target && text.data[strspn(text.data, " \t\r\n")] != '(')
        status = kn_fail(error, KN_USAGE,
                         "%s: a target is named for SGF; in lines of JSON each problem names its own", path);
    if (status == KN_OK)
        status = target ? kn_problems_read_sgf(context, text.data, path, target, problems, error)
                        : kn_problems_read(context, text.data, path, problems, error);
    kn_text_free(&text);
    return status;
}

void kn_problems_free(KnCaptureProblems *problems)
{
    if (!problems) return;
    for (int i = 0; i <= KN_GO_SIZE_MAX; i++) kn_game_close(problems->games[i]);
    kn_arena_free(problems->arena);
    free(problems->list);
    free(problems);
}

/* ---- Writing ---- */

static json_t *vertex(const KnGame *game, int cell)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->cell_name(game, cell, &text);
    json_t *name = json_string(text.data);
    kn_text_free(&text);
    return name;
}

static json_t *stones(const KnCaptureProblem *problem, int held)
{
    json_t *list = json_array();
    for (int i = 0; i < problem->game->cells; i++)
        if (problem->game->type->cell(problem->game, problem->position, i) == held)
            json_array_append_new(list, vertex(problem->game, i));
    return list;
}

static json_t *move_vertex(const KnGame *game, KnMove move)
{
    int x, y;
    return kn_go_point(game, move, &x, &y) ? vertex(game, y * kn_go_size(game) + x) : json_string("pass");
}

void kn_problem_write(const KnCaptureProblem *problem, KnText *out)
{
    const KnGame *game = problem->game;
    json_t *moves = json_array();
    for (int i = 0; i < problem->count; i++)
        json_array_append_new(moves, move_vertex(game, problem->moves[i]));
    json_t *line = json_pack("{ss si so so so ss so ss so}", "id", problem->id, "size", kn_go_size(game),
                             "black", stones(problem, 1), "white", stones(problem, 2), "ko",
                             kn_go_ko(game, problem->position) == KN_GO_PASS
                                 ? json_null()
                                 : move_vertex(game, kn_go_ko(game, problem->position)),
                             "to_move", game->type->mover(game, problem->position) ? "W" : "B", "target",
                             vertex(game, problem->target), "kind", problem->attack ? "attack" : "defend",
                             "moves", moves);
    if (problem->answer)
        json_object_set_new(line, "answer", json_string(problem->answer > 0 ? "win" : "loss"));
    if (problem->first) json_object_set_new(line, "goal", json_string("first"));
    if (problem->plies) json_object_set_new(line, "plies", json_integer(problem->plies));
    if (problem->volume) json_object_set_new(line, "volume", json_integer(problem->volume));
    if (problem->nodes) json_object_set_new(line, "nodes", json_integer((json_int_t)problem->nodes));
    if (problem->complete) json_object_set_new(line, "complete", json_true());
    kn_json_canonical(line, out);
    json_decref(line);
}
