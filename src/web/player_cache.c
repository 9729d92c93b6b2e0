#include "web/player_cache.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/matrix/matrix.h"
#include "web/guard.h"

enum { IDLE_GAMES = 16, IDLE_PLAYERS = 6 };

typedef struct IdlePlayer {
    KnPlayer *player;
    KnCachedGame *cached;
} IdlePlayer;

struct KnPlayerCache {
    const KnContext *context;
    pthread_mutex_t lock;
    KnCachedGame *games;           /* latest first */
    IdlePlayer idle[IDLE_PLAYERS]; /* oldest first */
    int idle_count;
};

KnPlayerCache *kn_player_cache_new(const KnContext *context)
{
    KnPlayerCache *cache = calloc(1, sizeof *cache);
    if (!cache) return NULL;
    cache->context = context;
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void cached_game_free(KnCachedGame *cached)
{
    if (!cached) return;
    kn_game_close(cached->game);
    free(cached->spec);
    json_decref(cached->board);
    json_decref(cached->cell_index);
    free(cached);
}

void kn_player_cache_free(KnPlayerCache *cache)
{
    if (!cache) return;
    for (int i = 0; i < cache->idle_count; i++) kn_player_close(cache->idle[i].player);
    while (cache->games) {
        KnCachedGame *cached = cache->games;
        cache->games = cached->next;
        cached_game_free(cached);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* ---- boards ---- */

/* Rules do not say whether pieces stand on the intersections or in the squares. */
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

/* The payoff matrix of a round, nested by role: [[[3,3],[0,5]],[[5,0],[1,1]]]. */
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
    if (table && matrix->later) { /* the payoffs from round `change` on */
        json_object_set_new(table, "change", json_integer(matrix->change));
        json_object_set_new(table, "later", payoffs_json(matrix, matrix->change, 0, 0));
    }
    return table;
}

static KnStatus describe(KnCachedGame *cached, KnError *error)
{
    const KnGame *game = cached->game;
    cached->kind = board_kind(game);
    json_t *cells = json_array();
    cached->cell_index = json_object();
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
        if (name.length) json_object_set_new(cached->cell_index, name.data, json_integer(i));
    }
    kn_text_free(&name);
    cached->board = json_pack("{ss so ss s[ff]}", "kind", cached->kind, "cells", cells, "symbols",
                              drawn && game->cell_symbols ? game->cell_symbols : "", "size", width, height);
    if (cached->board && kn_game_matrix(game))
        json_object_set_new(cached->board, "table", table_json(kn_game_matrix(game)));
    return cached->board && cached->cell_index ? KN_OK : kn_fail_memory(error, "describing a board");
}

/* ---- games ---- */

static KnCachedGame *find_game(KnPlayerCache *cache, const char *spec)
{
    for (KnCachedGame *cached = cache->games; cached; cached = cached->next)
        if (strcmp(cached->spec, spec) == 0) return cached;
    return NULL;
}

/* Closes all but the IDLE_GAMES most recently opened games that nobody uses. */
static void tidy(KnPlayerCache *cache)
{
    int idle = 0;
    for (KnCachedGame **at = &cache->games; *at;) {
        KnCachedGame *cached = *at;
        if (cached->refs == 0 && ++idle > IDLE_GAMES) {
            *at = cached->next;
            cached_game_free(cached);
        } else
            at = &cached->next;
    }
}

KnStatus kn_player_cache_game(KnPlayerCache *cache, const char *spec, KnCachedGame **out, KnError *error)
{
    *out = NULL;
    KnText allowed = KN_TEXT_EMPTY;
    KnStatus status = kn_guard_game(cache->context, spec, &allowed, error);
    bool description = strncmp(allowed.data, "gdl(", 4) == 0;
    const char *key = description ? spec : allowed.data;
    KnCachedGame *cached = NULL;
    if (status == KN_OK) {
        pthread_mutex_lock(&cache->lock);
        if ((*out = find_game(cache, key))) (*out)->refs++;
        pthread_mutex_unlock(&cache->lock);
    }
    if (status == KN_OK && !*out) {
        cached = calloc(1, sizeof *cached);
        if (!cached || !(cached->spec = strdup(key))) status = kn_fail_memory(error, "opening a game");
        if (status == KN_OK) status = kn_game_open(cache->context, allowed.data, &cached->game, error);
        if (status == KN_OK) status = describe(cached, error);
        if (status == KN_OK) {
            pthread_mutex_lock(&cache->lock);
            *out = find_game(cache, key); /* another thread may have opened it meanwhile */
            if (!*out) {
                *out = cached;
                cached->next = cache->games;
                cache->games = cached;
                cached = NULL;
            }
            (*out)->refs++;
            tidy(cache);
            pthread_mutex_unlock(&cache->lock);
        }
        cached_game_free(cached);
    }
    kn_text_free(&allowed);
    return status;
}

void kn_player_cache_retain_game(KnPlayerCache *cache, KnCachedGame *cached)
{
    pthread_mutex_lock(&cache->lock);
    cached->refs++;
    pthread_mutex_unlock(&cache->lock);
}

void kn_player_cache_release_game(KnPlayerCache *cache, KnCachedGame *cached)
{
    if (!cached) return;
    pthread_mutex_lock(&cache->lock);
    KN_ASSERT(cached->refs > 0);
    cached->refs--;
    tidy(cache);
    pthread_mutex_unlock(&cache->lock);
}

/* ---- players ---- */

/* Messages name an uploaded description by its hash, not by its file on the server. */
static void rename_game(const KnCachedGame *cached, KnError *error)
{
    char *at = error ? strstr(error->text, cached->game->spec) : NULL;
    size_t was = strlen(cached->game->spec), is = strlen(cached->spec);
    if (!at || is > was) return;
    memmove(at + is, at + was, strlen(at + was) + 1);
    memcpy(at, cached->spec, is);
}

KnStatus kn_player_cache_acquire(KnPlayerCache *cache, KnCachedGame *cached, const char *spec,
                                 KnPlayer **player, KnError *error)
{
    *player = NULL;
    pthread_mutex_lock(&cache->lock);
    for (int i = cache->idle_count - 1; i >= 0 && !*player; i--)
        if (cache->idle[i].cached == cached && strcmp(cache->idle[i].player->spec, spec) == 0) {
            *player = cache->idle[i].player;
            cache->idle_count--;
            memmove(&cache->idle[i], &cache->idle[i + 1],
                    (size_t)(cache->idle_count - i) * sizeof *cache->idle);
        }
    if (!*player) cached->refs++; /* an idle player holds a reference to its game already */
    pthread_mutex_unlock(&cache->lock);
    if (*player) return KN_OK;
    KnStatus status = kn_player_open(cache->context, cached->game, spec, player, error);
    if (status != KN_OK) {
        rename_game(cached, error);
        kn_player_cache_release_game(cache, cached);
    }
    return status;
}

void kn_player_cache_release(KnPlayerCache *cache, KnCachedGame *cached, KnPlayer *player)
{
    if (!player) return;
    IdlePlayer leaves = {0};
    pthread_mutex_lock(&cache->lock);
    if (cache->idle_count == IDLE_PLAYERS) {
        leaves = cache->idle[0];
        cache->idle_count--;
        memmove(cache->idle, cache->idle + 1, (size_t)cache->idle_count * sizeof *cache->idle);
    }
    KN_ASSERT(cache->idle_count < IDLE_PLAYERS);
    cache->idle[cache->idle_count++] = (IdlePlayer){player, cached};
    pthread_mutex_unlock(&cache->lock);
    kn_player_close(leaves.player);
    kn_player_cache_release_game(cache, leaves.cached);
}

/* ---- moves on the board ---- */

/* The cells that a piece moved from and to: the one that gained a piece and the one that lost the same. */
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

int kn_move_path(const KnCachedGame *cached, const void *position, KnMove move, const char *text, int *path,
                 int room)
{
    int count = 0;
    if (!json_object_size(cached->cell_index)) return 0;
    for (const char *c = text; *c && count < room;) {
        char word[16];
        size_t length = 0;
        while (*c && !isalnum((unsigned char)*c)) c++;
        /* A cell name is letters followed by digits, or digits alone; the x of 12x5 is a separator. */
        while (isalpha((unsigned char)*c) && length + 1 < sizeof word)
            word[length++] = (char)tolower((unsigned char)*c++);
        if (length == 1 && word[0] == 'x' && !json_object_get(cached->cell_index, "x1")) length = 0;
        while (isdigit((unsigned char)*c) && length + 1 < sizeof word) word[length++] = *c++;
        while (length + 1 == sizeof word && isalnum((unsigned char)*c)) c++;
        word[length] = '\0';
        const json_t *index = length ? json_object_get(cached->cell_index, word) : NULL;
        if (!index && length > 1 && word[0] == 'x')
            index = json_object_get(cached->cell_index, word + 1); /* xd3: takes d3 */
        if (index) path[count++] = (int)json_integer_value(index);
    }
    return count || move == KN_MOVE_NONE ? count : changed_path(cached->game, position, move, path, room);
}

json_t *kn_cached_game_json(const KnCachedGame *cached)
{
    const KnGame *game = cached->game;
    json_t *roles = json_array();
    for (int role = 0; role < game->roles; role++)
        json_array_append_new(roles, json_string(game->role_names[role]));
    return json_pack("{ss ss so sO sb sb s[ff]}", "spec", cached->spec, "name", game->type->head.name,
                     "roles", roles, "board", cached->board, "simultaneous",
                     (game->traits & KN_GAME_SIMULTANEOUS) != 0, "chains",
                     (game->traits & KN_GAME_CHAINS) != 0, "payoffs", game->payoff_low, game->payoff_high);
}
