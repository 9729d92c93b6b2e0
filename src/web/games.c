#include "web/games.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "games/matrix.h"
#include "web/guard.h"

enum { IDLE_GAMES = 16, BENCH = 6 };

typedef struct Idle {
    KnPlayer *player;
    KnShown *shown;
} Idle;

struct KnShelf {
    const KnContext *context;
    pthread_mutex_t lock;
    KnShown *games;    /* latest first */
    Idle bench[BENCH]; /* oldest first */
    int bench_count;
};

KnShelf *kn_shelf_new(const KnContext *context)
{
    KnShelf *shelf = calloc(1, sizeof *shelf);
    if (!shelf) return NULL;
    shelf->context = context;
    pthread_mutex_init(&shelf->lock, NULL);
    return shelf;
}

static void shown_free(KnShown *shown)
{
    if (!shown) return;
    kn_game_close(shown->game);
    free(shown->spec);
    json_decref(shown->board);
    json_decref(shown->cell_index);
    free(shown);
}

void kn_shelf_free(KnShelf *shelf)
{
    if (!shelf) return;
    for (int i = 0; i < shelf->bench_count; i++) kn_player_close(shelf->bench[i].player);
    while (shelf->games) {
        KnShown *shown = shelf->games;
        shelf->games = shown->next;
        shown_free(shown);
    }
    pthread_mutex_destroy(&shelf->lock);
    free(shelf);
}

/* ---- boards ---- */

/* Whether men stand on the points where lines meet, or in the squares between them, is nothing that rules
 * know. */
static const char *board_kind(const KnGame *game)
{
    static const char *const points[] = {"go", "morris", "phutball"};
    const char *name = game->type->head.name;
    if (!game->cells || !game->type->cell_place)
        return game->traits & KN_GAME_SIMULTANEOUS && strcmp(name, "gdl") != 0 ? "table" : "facts";
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (strcmp(points[i], name) == 0) return "points";
    return "grid";
}

/* A matrix game's table in a round, nested by role: [[[3,3],[0,5]],[[5,0],[1,1]]]. */
static json_t *payoffs_json(const KnMatrix *matrix, long round, int player, int cell)
{
    json_t *list = json_array();
    if (player == matrix->players)
        for (int p = 0; p < matrix->players; p++)
            json_array_append_new(list, json_real(kn_matrix_payoff(matrix, round, cell, p)));
    else
        for (int a = 0; a < matrix->actions[player]; a++)
            json_array_append_new(
                list, payoffs_json(matrix, round, player + 1, cell * matrix->actions[player] + a));
    return list;
}

static json_t *table_json(const KnMatrix *matrix)
{
    json_t *actions = json_array();
    for (int p = 0; p < matrix->players; p++) {
        json_t *names = json_array();
        for (int a = 0; a < matrix->actions[p]; a++)
            json_array_append_new(names, json_string(matrix->names[p][a]));
        json_array_append_new(actions, names);
    }
    json_t *table = json_pack("{so so sI}", "actions", actions, "payoffs", payoffs_json(matrix, 0, 0, 0),
                              "turns", (json_int_t)matrix->turns);
    if (table && matrix->later) { /* what is paid once so many rounds are played */
        json_object_set_new(table, "change", json_integer(matrix->change));
        json_object_set_new(table, "later", payoffs_json(matrix, matrix->change, 0, 0));
    }
    return table;
}

static KnStatus describe(KnShown *shown, KnError *error)
{
    const KnGame *game = shown->game;
    shown->kind = board_kind(game);
    json_t *cells = json_array();
    shown->cell_index = json_object();
    double width = 0, height = 0;
    KnText name = KN_TEXT_EMPTY;
    bool drawn = game->cells && game->type->cell_place;
    for (int i = 0; drawn && i < game->cells; i++) {
        double x, y;
        game->type->cell_place(game, i, &x, &y);
        width = x + 1 > width ? x + 1 : width;
        height = y + 1 > height ? y + 1 : height;
        kn_text_clear(&name);
        if (game->type->cell_name) game->type->cell_name(game, i, &name);
        json_array_append_new(cells, json_pack("{ss sf sf}", "name", name.data, "x", x, "y", y));
        for (char *c = name.data; *c; c++) *c = (char)tolower((unsigned char)*c);
        if (name.length) json_object_set_new(shown->cell_index, name.data, json_integer(i));
    }
    kn_text_free(&name);
    shown->board = json_pack("{ss so ss s[ff]}", "kind", shown->kind, "cells", cells, "symbols",
                             drawn && game->cell_symbols ? game->cell_symbols : "", "size", width, height);
    if (shown->board && kn_game_matrix(game))
        json_object_set_new(shown->board, "table", table_json(kn_game_matrix(game)));
    return shown->board && shown->cell_index ? KN_OK : kn_fail_memory(error, "describing a board");
}

/* ---- games ---- */

static KnShown *find_shown(KnShelf *shelf, const char *spec)
{
    for (KnShown *shown = shelf->games; shown; shown = shown->next)
        if (strcmp(shown->spec, spec) == 0) return shown;
    return NULL;
}

/* Closes the games that have lain idle longest, beyond a few. */
static void tidy(KnShelf *shelf)
{
    int idle = 0;
    for (KnShown **at = &shelf->games; *at;) {
        KnShown *shown = *at;
        if (shown->uses == 0 && ++idle > IDLE_GAMES) {
            *at = shown->next;
            shown_free(shown);
        } else
            at = &shown->next;
    }
}

KnStatus kn_shelf_game(KnShelf *shelf, const char *spec, KnShown **out, KnError *error)
{
    *out = NULL;
    KnText allowed = KN_TEXT_EMPTY;
    KnStatus status = kn_guard_game(shelf->context, spec, &allowed, error);
    bool sheet = strncmp(allowed.data, "gdl(", 4) == 0;
    const char *key = sheet ? spec : allowed.data;
    KnShown *shown = NULL;
    if (status == KN_OK) {
        pthread_mutex_lock(&shelf->lock);
        if ((*out = find_shown(shelf, key))) (*out)->uses++;
        pthread_mutex_unlock(&shelf->lock);
    }
    if (status == KN_OK && !*out) {
        shown = calloc(1, sizeof *shown);
        if (!shown || !(shown->spec = strdup(key))) status = kn_fail_memory(error, "opening a game");
        if (status == KN_OK) status = kn_game_open(shelf->context, allowed.data, &shown->game, error);
        if (status == KN_OK) status = describe(shown, error);
        if (status == KN_OK) {
            pthread_mutex_lock(&shelf->lock);
            *out = find_shown(shelf, key); /* somebody else may have been faster */
            if (!*out) {
                *out = shown;
                shown->next = shelf->games;
                shelf->games = shown;
                shown = NULL;
            }
            (*out)->uses++;
            tidy(shelf);
            pthread_mutex_unlock(&shelf->lock);
        }
        shown_free(shown);
    }
    kn_text_free(&allowed);
    return status;
}

void kn_shelf_keep(KnShelf *shelf, KnShown *shown)
{
    pthread_mutex_lock(&shelf->lock);
    shown->uses++;
    pthread_mutex_unlock(&shelf->lock);
}

void kn_shelf_return(KnShelf *shelf, KnShown *shown)
{
    if (!shown) return;
    pthread_mutex_lock(&shelf->lock);
    shown->uses--;
    tidy(shelf);
    pthread_mutex_unlock(&shelf->lock);
}

/* ---- players ---- */

/* In messages, rules that were uploaded go by their hash, not by the file that they are kept in. */
static void rename_game(const KnShown *shown, KnError *error)
{
    char *at = error ? strstr(error->text, shown->game->spec) : NULL;
    size_t was = strlen(shown->game->spec), is = strlen(shown->spec);
    if (!at || is > was) return;
    memmove(at + is, at + was, strlen(at + was) + 1);
    memcpy(at, shown->spec, is);
}

KnStatus kn_shelf_lend(KnShelf *shelf, KnShown *shown, const char *spec, KnPlayer **player, KnError *error)
{
    *player = NULL;
    pthread_mutex_lock(&shelf->lock);
    for (int i = shelf->bench_count - 1; i >= 0 && !*player; i--)
        if (shelf->bench[i].shown == shown && strcmp(shelf->bench[i].player->spec, spec) == 0) {
            *player = shelf->bench[i].player;
            shelf->bench_count--;
            memmove(&shelf->bench[i], &shelf->bench[i + 1],
                    (size_t)(shelf->bench_count - i) * sizeof *shelf->bench);
        }
    if (!*player) shown->uses++; /* one on the bench holds its game already */
    pthread_mutex_unlock(&shelf->lock);
    if (*player) return KN_OK;
    KnStatus status = kn_player_open(shelf->context, shown->game, spec, player, error);
    if (status != KN_OK) {
        rename_game(shown, error);
        kn_shelf_return(shelf, shown);
    }
    return status;
}

void kn_shelf_back(KnShelf *shelf, KnShown *shown, KnPlayer *player)
{
    if (!player) return;
    Idle leaves = {0};
    pthread_mutex_lock(&shelf->lock);
    if (shelf->bench_count == BENCH) {
        leaves = shelf->bench[0];
        shelf->bench_count--;
        memmove(shelf->bench, shelf->bench + 1, (size_t)shelf->bench_count * sizeof *shelf->bench);
    }
    shelf->bench[shelf->bench_count++] = (Idle){player, shown};
    pthread_mutex_unlock(&shelf->lock);
    kn_player_close(leaves.player);
    kn_shelf_return(shelf, leaves.shown);
}

/* ---- moves on the board ---- */

/* Where a man went from and to: a cell that now holds what another held before and holds no more. */
static int changed_path(const KnGame *game, const void *position, KnMove move, int *path, int room)
{
    if (!game->cells || !game->type->play || room < 2) return 0;
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    memcpy(after, position, game->position_size);
    game->type->play(game, after, move);
    int from = -1, to = -1;
    for (int i = 0; i < game->cells; i++) {
        int was = game->type->cell(game, position, i), is = game->type->cell(game, after, i);
        if (was == is || is == 0) continue;
        for (int j = 0; j < game->cells; j++)
            if (j != i && game->type->cell(game, position, j) == is &&
                game->type->cell(game, after, j) != is) {
                from = j;
                to = i;
            }
    }
    if (from < 0) return 0;
    path[0] = from;
    path[1] = to;
    return 2;
}

int kn_shown_path(const KnShown *shown, const void *position, KnMove move, const char *text, int *path,
                  int room)
{
    int count = 0;
    if (!json_object_size(shown->cell_index)) return 0;
    for (const char *c = text; *c && count < room;) {
        char word[16];
        size_t length = 0;
        while (*c && !isalnum((unsigned char)*c)) c++;
        /* In 12x5 and 9-13 the x is a separator, not part of a name: a word is letters and then digits, or
         * digits alone. */
        while (isalpha((unsigned char)*c) && length + 1 < sizeof word)
            word[length++] = (char)tolower((unsigned char)*c++);
        if (length == 1 && word[0] == 'x' && !json_object_get(shown->cell_index, "x1")) length = 0;
        while (isdigit((unsigned char)*c) && length + 1 < sizeof word) word[length++] = *c++;
        while (length + 1 == sizeof word && isalnum((unsigned char)*c)) c++;
        word[length] = '\0';
        const json_t *index = length ? json_object_get(shown->cell_index, word) : NULL;
        if (!index && length > 1 && word[0] == 'x')
            index = json_object_get(shown->cell_index, word + 1); /* xd3: takes d3 */
        if (index) path[count++] = (int)json_integer_value(index);
    }
    return count || move == KN_MOVE_NONE ? count : changed_path(shown->game, position, move, path, room);
}

json_t *kn_shown_json(const KnShown *shown)
{
    const KnGame *game = shown->game;
    json_t *roles = json_array();
    for (int role = 0; role < game->roles; role++)
        json_array_append_new(roles, json_string(game->role_names[role]));
    return json_pack("{ss ss so sO sb sb s[ff]}", "spec", shown->spec, "name", game->type->head.name, "roles",
                     roles, "board", shown->board, "simultaneous", (game->traits & KN_GAME_SIMULTANEOUS) != 0,
                     "chains", (game->traits & KN_GAME_CHAINS) != 0, "payoffs", game->payoff_low,
                     game->payoff_high);
}
