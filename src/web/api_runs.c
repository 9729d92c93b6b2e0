/* Matches and tournaments: stored runs, and new ones in worker processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "arena/match.h"
#include "arena/repeated.h"
#include "base/json.h"
#include "web/worker_processes.h"
#include "web/guard.h"
#include "web/publish.h"
#include "web/results.h"

enum { PLAYERS_MAX = 16 };

/* The results store, opened on first use. */
static KnResults *opened(KnWeb *web, KnHttpReply *reply)
{
    KnError error;
    pthread_mutex_lock(&web->lock);
    KnStatus status = web->results ? KN_OK : kn_results_open(web->context, &web->results, &error);
    KnResults *results = web->results;
    pthread_mutex_unlock(&web->lock);
    if (status != KN_OK && reply) kn_reply_fail(reply, &error, NULL);
    return results;
}

/* ---- looking ---- */

/* Adds the state of the worker process to the stored row. */
static void merge_process(json_t *row, const json_t *process)
{
    static const char *const keys[] = {"state", "progress", "message", "started", "ended", "stopping"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(process, keys[i]);
        if (value) json_object_set(row, keys[i], value);
    }
    json_t *total = json_object_get(json_object_get(process, "about"), "games");
    if (total) json_object_set(row, "total", total);
}

/* Whether a process is a match or a tournament: the lab and training runs are processes too. */
static bool is_of_arena(const json_t *process)
{
    const char *kind = json_string_value(json_object_get(process, "kind"));
    return kind && (strcmp(kind, "match") == 0 || strcmp(kind, "tournament") == 0);
}

static json_t *row_named(json_t *rows, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (strcmp(json_string_value(json_object_get(row, "name")), name) ==
                                         0) return row;
    return NULL;
}

static void list(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    KnResults *results = opened(web, reply);
    KnError error;
    json_t *rows, *process, *processes;
    size_t i;
    if (!results) return;
    if (kn_results_list(results, &rows, &error) != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    json_array_foreach(rows, i, process)
        json_object_set_new(process, "state",
                            json_string(json_object_get(process, "damage")                   ? "failed"
                                        : json_is_true(json_object_get(process, "finished")) ? "done"
                                                                                             : "stopped"));
    processes = kn_runs_list(web->runs);
    for (i = json_array_size(processes); i-- > 0;) {
        process = json_array_get(processes, i);
        if (!is_of_arena(process)) continue;
        json_t *row = row_named(rows, json_string_value(json_object_get(process, "name")));
        if (!row) { /* a tournament, or a match without a stored game yet */
            row = json_copy(json_object_get(process, "about"));
            json_object_set(row, "name", json_object_get(process, "name"));
            json_object_set(row, "total", json_object_get(row, "games"));
            json_object_set_new(row, "games", json_integer(0));
            json_array_insert_new(rows, 0, row);
        }
        merge_process(row, process);
    }
    json_decref(processes);
    kn_reply_json(reply, 200, rows);
}

static size_t player_list(const json_t *players, const char **list, size_t room)
{
    size_t count = json_array_size(players) < room ? json_array_size(players) : room;
    for (size_t i = 0; i < count; i++) list[i] = json_string_value(json_array_get(players, i));
    return count;
}

/* A run with its stored results and its process; NULL, with the error, if there is none. */
static json_t *run_json(KnWeb *web, KnResults *results, const char *name, KnError *error)
{
    json_t *process = kn_runs_show(web->runs, name), *row = NULL, *about = json_object_get(process, "about");
    const char *kind = json_string_value(json_object_get(about, "kind"));
    if (process && !is_of_arena(process))
        kn_fail(error, KN_INPUT, "%s is neither a match nor a tournament", name);
    else if (kind && strcmp(kind, "tournament") == 0) {
        const char *players[PLAYERS_MAX];
        size_t count = player_list(json_object_get(about, "players"), players, PLAYERS_MAX);
        KnJson at = kn_json_root(about, NULL);
        uint64_t seed = 1;
        json_t *table = NULL;
        if (kn_json_uint64(&at, "seed", &seed, error) == KN_OK &&
            kn_results_cross(results, json_string_value(json_object_get(about, "opened")), players, count,
                             seed, &table, error) == KN_OK) {
            row = json_deep_copy(about);
            json_object_set_new(row, "name", json_string(name));
            json_object_set_new(row, "table", table);
            /* A tournament of a repeated game stores no matches: it prints its ranking at the end. */
            json_t *printed = kn_runs_output(web->runs, name), *ranking = json_object_get(printed, "ranking");
            if (ranking) json_object_set(row, "ranking", ranking), json_object_del(row, "table");
            json_decref(printed);
        }
    } else if (kn_results_show(results, name, &row, error) != KN_OK && process) {
        row = json_deep_copy(about); /* nothing stored yet */
        json_object_set_new(row, "name", json_string(name));
        json_object_set_new(row, "curve", json_array());
        json_object_set_new(row, "games", json_integer(0));
    }
    if (row && process)
        merge_process(row, process);
    else if (row)
        json_object_set_new(row, "state",
                            json_string(json_is_true(json_object_get(row, "finished")) ? "done" : "stopped"));
    json_decref(process);
    return row;
}

/* KN_INPUT means that the run does not exist: 404 here. */
static void reply_missing(KnHttpReply *reply, const KnError *error)
{
    kn_reply_fail(reply, error, NULL);
    if (error->status == KN_INPUT) reply->status = 404;
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnResults *results = opened(web, reply);
    KnError error;
    json_t *row = results ? run_json(web, results, call->words[0], &error) : NULL;
    if (row)
        kn_reply_json(reply, 200, row);
    else if (results)
        reply_missing(reply, &error);
}

static void games(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long from, count;
    if (!kn_call_query(call, "from", 0, INT32_MAX, 0, &from, reply) ||
        !kn_call_query(call, "count", 1, 500, 50, &count, reply))
        return;
    KnResults *results = opened(web, reply);
    KnError error;
    json_t *rows;
    if (!results) return;
    if (kn_results_games(results, call->words[0], (uint64_t)from, (uint64_t)count, &rows, &error) == KN_OK)
        kn_reply_json(reply, 200, rows);
    else
        reply_missing(reply, &error);
}

static void game(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    char *end;
    unsigned long number = strtoul(call->words[1], &end, 10);
    KnResults *results = opened(web, reply);
    KnError error;
    json_t *row;
    if (!results) return;
    if (*end || number > UINT32_MAX)
        kn_reply_error(reply, 400, NULL, "games are numbered from 0");
    else if (kn_results_game(results, call->words[0], number, &row, &error) == KN_OK)
        kn_reply_json(reply, 200, row);
    else
        reply_missing(reply, &error);
}

/* ---- starting and stopping ---- */

/* A client's request for a match or a tournament. */
typedef struct Wanted {
    const char *kind, *game, *name;
    const char *players[PLAYERS_MAX];
    size_t player_count;
    double games, plies, random_plies;
    uint64_t seed;
    char own_name[64];
} Wanted;

static bool read_players(const KnCall *call, Wanted *wanted, KnHttpReply *reply)
{
    const json_t *players = json_object_get(call->body, "players");
    bool match = strcmp(wanted->kind, "match") == 0;
    size_t count = json_array_size(players);
    if (!json_is_array(players) || count < 2 || count > (match ? 2 : PLAYERS_MAX)) {
        kn_reply_error(reply, 400, "players",
                       match ? "players: expected a list of two specs"
                             : "players: expected a list of 2 to %d specs",
                       PLAYERS_MAX);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!(wanted->players[wanted->player_count++] = json_string_value(json_array_get(players, i)))) {
            kn_reply_error(reply, 400, "players", "players[%zu]: expected a spec", i);
            return false;
        }
    return true;
}

static bool read_wanted(const KnCall *call, Wanted *wanted, KnHttpReply *reply)
{
    KnJson at = kn_json_root(call->body, "body");
    KnError error;
    uint64_t random = 1;
    if (!kn_call_text(call, "kind", false, 20, &wanted->kind, reply) ||
        !kn_call_text(call, "game", true, KN_GUARD_SPEC, &wanted->game, reply) ||
        !kn_call_text(call, "name", false, 60, &wanted->name, reply) ||
        !kn_call_number(call, "games", false, 1, 1000000, 100, &wanted->games, reply) ||
        !kn_call_number(call, "plies", false, 0, 100000, 0, &wanted->plies, reply) ||
        !kn_call_number(call, "random_plies", false, 0, 100, 0, &wanted->random_plies, reply))
        return false;
    if (!wanted->kind) wanted->kind = "match";
    if (strcmp(wanted->kind, "match") != 0 && strcmp(wanted->kind, "tournament") != 0) {
        kn_reply_error(reply, 400, "kind", "kind: expected match or tournament");
        return false;
    }
    if (getrandom(&random, sizeof random, 0) < 0) random = (uint64_t)(uintptr_t)wanted;
    wanted->seed = random >> 34;
    if (kn_json_has(&at, "seed") && kn_json_uint64(&at, "seed", &wanted->seed, &error) != KN_OK) {
        kn_reply_error(reply, 400, "seed", "%s", error.text);
        return false;
    }
    if (!wanted->name) {
        snprintf(wanted->own_name, sizeof wanted->own_name, "%s-%06x", wanted->kind,
                 (unsigned)(random & 0xffffff));
        wanted->name = wanted->own_name;
    }
    return read_players(call, wanted, reply);
}

/* Opens the game and the players once, so that a mistake is reported here and not in the worker's log. */
static bool check_wanted(KnWeb *web, const Wanted *wanted, KnCachedGame **cached, KnHttpReply *reply)
{
    KnError error;
    int roles[2];
    if (!kn_runs_name(wanted->name)) {
        kn_reply_error(reply, 422, "name", "a run's name consists of at most 60 letters, digits, . _ and -");
        return false;
    }
    if (kn_player_cache_game(web->cache, wanted->game, cached, &error) != KN_OK ||
        kn_match_roles((*cached)->game, roles, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "game");
        return false;
    }
    if ((*cached)->game->traits & KN_GAME_ENDLESS && wanted->plies < 1) {
        kn_reply_error(reply, 422, "plies", "games of %s may never end; set a limit of plies, such as 200",
                       (*cached)->spec);
        return false;
    }
    if ((*cached)->game->traits & KN_GAME_SIMULTANEOUS && wanted->random_plies >= 1) {
        kn_reply_error(reply, 422, "random_plies",
                       "%s has simultaneous moves and no opening moves; leave out random_plies",
                       (*cached)->spec);
        return false;
    }
    for (size_t i = 0; i < wanted->player_count; i++) {
        KnPlayer *player = NULL;
        KnStatus status = kn_guard_player(web->context, (*cached)->game, wanted->players[i], &error);
        if (status == KN_OK)
            status = kn_player_cache_acquire(web->cache, *cached, wanted->players[i], &player, &error);
        if (status == KN_OK && player->traits & KN_PLAYER_ASKS)
            status = kn_fail(&error, KN_INPUT, "a person cannot play in a run");
        kn_player_cache_release(web->cache, *cached, player);
        if (status != KN_OK) {
            kn_reply_fail(reply, &error, "players");
            return false;
        }
    }
    return true;
}

static void add_word(json_t *words, const char *word) { json_array_append_new(words, json_string(word)); }

static void add_option(json_t *words, const char *name, uint64_t value)
{
    char text[64];
    snprintf(text, sizeof text, "--%s=%llu", name, (unsigned long long)value);
    add_word(words, text);
}

static bool is_repeated(const Wanted *wanted, const KnGame *opened_game)
{
    return strcmp(wanted->kind, "tournament") == 0 && kn_repeated_suits(opened_game);
}

/* In a tournament of a repeated game everybody also meets a twin. */
static json_int_t games_of(const Wanted *wanted, const KnGame *opened_game)
{
    size_t n = wanted->player_count, twins = is_repeated(wanted, opened_game) ? n : 0;
    return (json_int_t)wanted->games * (json_int_t)(n * (n - 1) / 2 + twins);
}

static json_t *command_of(const KnWeb *web, const Wanted *wanted, const KnGame *opened_game)
{
    json_t *words = json_array();
    char text[4200];
    add_word(words, wanted->kind);
    bool repeated = is_repeated(wanted, opened_game);
    add_option(words, repeated ? "repetitions" : "games", (uint64_t)wanted->games);
    add_option(words, "seed", wanted->seed);
    if (wanted->plies >= 1) add_option(words, "plies", (uint64_t)wanted->plies);
    if (wanted->random_plies >= 1) add_option(words, "random-plies", (uint64_t)wanted->random_plies);
    if (strcmp(wanted->kind, "match") == 0) {
        snprintf(text, sizeof text, "--name=%s", wanted->name);
        add_word(words, text);
    }
    snprintf(text, sizeof text, "--data=%.4000s", kn_context_data(web->context));
    add_word(words, text);
    add_word(words, "--json");
    add_word(words, "--progress=json");
    add_word(words, "--"); /* "--" ends the options */
    add_word(words, opened_game->spec);
    for (size_t i = 0; i < wanted->player_count; i++) add_word(words, wanted->players[i]);
    return words;
}

static void reply_run(KnWeb *web, const char *name, int status, KnHttpReply *reply)
{
    KnResults *results = opened(web, reply);
    KnError error;
    json_t *row = results ? run_json(web, results, name, &error) : NULL;
    if (row)
        kn_reply_json(reply, status, row);
    else if (results)
        reply_missing(reply, &error);
}

static void start(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    Wanted wanted = {0};
    KnCachedGame *cached = NULL;
    if (read_wanted(call, &wanted, reply) && check_wanted(web, &wanted, &cached, reply)) {
        json_t *players = json_array(), *words = command_of(web, &wanted, cached->game);
        for (size_t i = 0; i < wanted.player_count; i++) add_word(players, wanted.players[i]);
        json_t *about = json_pack("{ss ss ss so sI so}", "kind", wanted.kind, "game", cached->spec, "opened",
                                  cached->game->spec, "players", players, "games",
                                  games_of(&wanted, cached->game), "seed", kn_json_from_uint64(wanted.seed));
        KnError error;
        if (kn_runs_start(web->runs, wanted.name, about, words, &error) == KN_OK)
            reply_run(web, wanted.name, 201, reply);
        else
            kn_reply_fail(reply, &error, error.status == KN_STOPPED ? NULL : "name");
        json_decref(about);
        json_decref(words);
    }
    kn_player_cache_release_game(web->cache, cached);
}

static bool is_ours(KnWeb *web, const char *name, KnHttpReply *reply)
{
    json_t *process = kn_runs_show(web->runs, name);
    bool other = process && !is_of_arena(process);
    json_decref(process);
    if (other) kn_reply_error(reply, 404, NULL, "%.60s is neither a match nor a tournament", name);
    return !other;
}

static void stop(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnError error;
    if (!is_ours(web, call->words[0], reply)) return;
    if (kn_runs_stop(web->runs, call->words[0], &error) == KN_OK)
        reply_run(web, call->words[0], 200, reply);
    else
        reply_missing(reply, &error);
}

static void resume(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnError error;
    if (!is_ours(web, call->words[0], reply)) return;
    if (kn_runs_resume(web->runs, call->words[0], &error) == KN_OK)
        reply_run(web, call->words[0], 200, reply);
    else
        reply_missing(reply, &error);
}

/* ---- live ---- */

void kn_publish_run(KnWeb *web, const json_t *process)
{
    const char *name = json_string_value(json_object_get(process, "name")),
               *kind = json_string_value(json_object_get(process, "kind"));
    bool lab = kind && strcmp(kind, "lab") == 0, learns = kind && strcmp(kind, "train") == 0;
    unsigned to = lab ? KN_SUBSCRIBE_LAB : KN_SUBSCRIBE_RUNS;
    if (!name || !kn_events_subscribers(web->events, NULL, to)) return;
    KnError error;
    KnResults *results = lab || learns ? NULL : opened(web, NULL);
    json_t *row = learns    ? kn_training_run_json(web, process)
                  : lab     ? kn_lab_event(web, process)
                  : results ? run_json(web, results, name, &error)
                            : NULL;
    kn_events_publish(web->events, NULL, to,
                      lab      ? "lab"
                      : learns ? "learn"
                               : "run",
                      name, 0, row ? row : process);
    json_decref(row);
}

const KnRoute kn_routes_runs[] = {
    {"GET", "runs", list, 0},
    {"POST", "runs", start, KN_WEB_BODY},
    {"GET", "runs/*", show, 0},
    {"GET", "runs/*/games", games, 0},
    {"GET", "runs/*/games/*", game, 0},
    {"POST", "runs/*/stop", stop, KN_WEB_BODY},
    {"POST", "runs/*/resume", resume, KN_WEB_BODY},
    {0},
};
