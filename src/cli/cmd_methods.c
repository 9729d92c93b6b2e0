/* knack methods: which methods run on which games, and what is missing where they do not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "players/sequential_view.h"

enum { KEY_PLAYERS = 0x100, KEY_TRY, GAMES = 64, NOTES = 96 };

typedef struct Arguments {
    CliCommon common;
    bool players, try;
    const char *specs[GAMES];
    int count;
} Arguments;

static const struct argp_option options[] = {
    {"players", KEY_PLAYERS, 0, 0, "Show players, which methods are made of, instead of methods", 1},
    {"try", KEY_TRY, 0, 0,
     "Prove it: a short training and two games against random players wherever a method runs (some seconds)",
     1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    case KEY_PLAYERS:
        a->players = true;
        return 0;
    case KEY_TRY:
        a->try = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->count == GAMES) argp_error(state, "at most %d games", GAMES);
        a->specs[a->count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->players && a->try) argp_error(state, "--try is for methods, not for --players");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Everything that stands in a row: a method, or a kind of player. */
typedef struct Row {
    const char *name;
    KnMethod method; /* without a name: a player */
    const KnPlayerType *player;
    size_t alike; /* rows after it that need the same and are left out of the table */
} Row;

static KnStatus ask(const KnContext *context, const Row *row, const KnGame *game, KnError *error)
{
    return row->method.name ? kn_method_suits(context, &row->method, game, error)
                            : kn_player_suits(row->player, game, error);
}

/* Players that are rows of the same table, with the same needs, are shown once. */
static size_t count_alike(const KnContext *context, size_t index)
{
    const KnPlayerType *first = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, index);
    size_t end = index + 1;
    while (first->suits && end < kn_registered(context, KN_KIND_PLAYER)) {
        const KnPlayerType *player = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, end);
        if (player->suits != first->suits || player->choose != first->choose) break;
        end++;
    }
    return end - index - 1;
}

static size_t list_rows(const KnContext *context, bool players, Row *rows)
{
    size_t count = 0;
    for (KnMethod method = {0}; !players && kn_method_next(context, &method);)
        rows[count++] = (Row){.name = method.name, .method = method};
    for (size_t p = 0; players && p < kn_registered(context, KN_KIND_PLAYER); p++) {
        const KnPlayerType *player = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, p);
        rows[count++] = (Row){.name = player->head.name, .player = player, .alike = count_alike(context, p)};
    }
    return count;
}

/* The content of a cell. */
typedef struct Cell {
    bool runs;
    double points; /* of two games, where it was tried */
    KnError error;
} Cell;

enum { TRY_PLIES = 60 };

static void print_mark(const Cell *cell, bool tried, char notes[][KN_ERROR_TEXT], int *used, int width)
{
    char mark[32];
    if (cell->runs && tried)
        snprintf(mark, sizeof mark, "runs %.1f", cell->points);
    else if (cell->runs)
        snprintf(mark, sizeof mark, "runs");
    else {
        int note = 0;
        while (note < *used && strcmp(notes[note], cell->error.text) != 0) note++;
        if (note == *used && *used < NOTES) strcpy(notes[(*used)++], cell->error.text);
        snprintf(mark, sizeof mark, "(%d)", note + 1);
    }
    printf(" %*s", width, mark);
}

/* How a game is called at the head of its column: without "gdl:". */
static const char *heading(const KnGame *game)
{
    const char *colon = strchr(game->spec, ':'), *slash = strrchr(game->spec, '/');
    return slash ? slash + 1 : colon ? colon + 1 : game->spec;
}

typedef struct Table {
    const KnContext *context;
    KnGame *const *games;
    size_t count;
    bool try;
    const atomic_bool *cancel;
} Table;

static KnStatus fill(const Table *t, const Row *row, const KnGame *game, Cell *cell, KnError *error)
{
    *cell = (Cell){0};
    cell->runs = ask(t->context, row, game, &cell->error) == KN_OK;
    if (!cell->runs || !t->try) return KN_OK;
    return kn_method_try(t->context, &row->method, game->spec, TRY_PLIES, 1, t->cancel, &cell->points, error);
}

/* A table of marks, and below it what the numbers in it stand for. */
static KnStatus print_table(const Table *t, const Row *rows, size_t row_count, KnError *error)
{
    char(*notes)[KN_ERROR_TEXT] = calloc(NOTES, KN_ERROR_TEXT);
    int used = 0, widths[t->count];
    if (!notes) return kn_fail_memory(error, "showing methods");
    printf("%-12s", "");
    for (size_t g = 0; g < t->count; g++) {
        int length = (int)strlen(heading(t->games[g]));
        widths[g] = length < 8 ? 8 : length;
        printf(" %*s", widths[g], heading(t->games[g]));
    }
    puts("");
    KnStatus status = KN_OK;
    for (size_t r = 0; r < row_count && status == KN_OK; r += rows[r].alike + 1) {
        printf("%-12s", rows[r].name);
        for (size_t g = 0; g < t->count && status == KN_OK; g++) {
            Cell cell;
            status = fill(t, &rows[r], t->games[g], &cell, error);
            if (status == KN_OK) print_mark(&cell, t->try, notes, &used, widths[g]);
        }
        if (rows[r].alike) printf("  and %zu more strategies", rows[r].alike);
        puts("");
        fflush(stdout);
    }
    for (int note = 0; note < used; note++) printf("%s(%d) %s\n", note ? "" : "\n", note + 1, notes[note]);
    if (status == KN_OK && t->try)
        puts("\nNumbers: points of two games against random players, after a short training.");
    free(notes);
    return status;
}

static KnStatus table_json(const Table *t, const Row *rows, size_t row_count, json_t **out, KnError *error)
{
    *out = json_array();
    KnStatus status = KN_OK;
    for (size_t r = 0; r < row_count; r++)
        for (size_t g = 0; g < t->count && status == KN_OK; g++) {
            Cell cell;
            status = fill(t, &rows[r], t->games[g], &cell, error);
            json_t *line = json_pack("{ss ss sb}", rows[r].method.name ? "method" : "player", rows[r].name,
                                     "game", t->games[g]->spec, "runs", cell.runs);
            if (!cell.runs) json_object_set_new(line, "missing", json_string(cell.error.text));
            if (cell.runs && t->try) json_object_set_new(line, "points", json_real(cell.points));
            json_array_append_new(*out, line);
        }
    return status;
}

/* All games that there are, by notable variants, unless some are named. */
static void choose_games(const KnContext *context, Arguments *a)
{
    for (size_t i = 0; i < kn_registered(context, KN_KIND_GAME); i++) {
        const char *name = kn_registered_at(context, KN_KIND_GAME, i)->name;
        for (int v = 0; a->count < GAMES && kn_method_game(name, v); v++)
            a->specs[a->count++] = kn_method_game(name, v);
    }
}

static KnStatus run(const KnContext *context, Arguments *a, json_t **document, KnError *error)
{
    KnGame *games[GAMES] = {0};
    bool named = a->count > 0;
    KnStatus status = KN_OK;
    if (!named) choose_games(context, a);
    Table t = {.context = context, .games = games, .try = a->try, .cancel = cli_interrupt()};
    for (int g = 0; g < a->count && status == KN_OK; g++) {
        status = kn_game_open(context, a->specs[g], &games[t.count], error);
        if (status == KN_OK)
            t.count++;
        else if (!named)
            status = KN_OK; /* a game that wants options, of a plug-in: it can be named */
    }
    Row *rows = calloc(kn_registered(context, KN_KIND_PLAYER) + 32, sizeof *rows);
    if (!rows) status = kn_fail_memory(error, "showing methods");
    size_t count = rows ? list_rows(context, a->players, rows) : 0;
    if (status == KN_OK)
        status = a->common.json ? table_json(&t, rows, count, document, error)
                                : print_table(&t, rows, count, error);
    free(rows);
    for (size_t g = 0; g < t.count; g++) kn_game_close(games[g]);
    return status;
}

static const char doc[] = "Show which methods run on which games, and what is missing where they do not.\v"
                          "A method that says \"runs\" can be trained (if it learns) and played with on that "
                          "game. Without GAMEs all are shown that open without options, "
                          "some of them in several forms.\nExamples:\n"
                          "  knack methods\n"
                          "  knack methods gdl:hex5 'fives(7, 7, 4)' --try\n"
                          "  knack methods --players checkers matrix";

int command_methods(int argc, char **argv)
{
    Arguments a = {0};
    const struct argp argp = {options, parse, "[GAME...]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    KnError error;
    json_t *document = NULL;
    KnStatus status = run(context, &a, &document, &error);
    kn_close(context);
    if (status != KN_OK) {
        json_decref(document);
        return cli_fail(&error);
    }
    return document ? cli_print_json(document) : cli_finish();
}
