#include "web/results.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <knack/stats.h>
#include "arena/store.h"
#include "arena/tournament.h"
#include "base/json.h"

enum { CACHE = 32, CURVE = 120 };

/* The cached standing of a run. */
typedef struct Growing {
    int64_t run; /* 0: free */
    uint64_t used;
    KnStanding standing;
    int8_t *results; /* a game each */
    size_t room;
} Growing;

struct KnResults {
    pthread_mutex_t lock;
    KnStore *store;
    Growing *cache;
    uint64_t clock;
};

KnStatus kn_results_open(const KnContext *context, KnResults **out, KnError *error)
{
    *out = NULL;
    KnResults *results = calloc(1, sizeof *results);
    if (!results) return kn_fail_memory(error, "opening results");
    pthread_mutex_init(&results->lock, NULL);
    results->cache = calloc(CACHE, sizeof *results->cache);
    KnStatus status = results->cache ? kn_store_open(context, &results->store, error)
                                     : kn_fail_memory(error, "opening results");
    if (status == KN_OK)
        *out = results;
    else
        kn_results_close(results);
    return status;
}

void kn_results_close(KnResults *results)
{
    if (!results) return;
    for (int i = 0; results->cache && i < CACHE; i++) free(results->cache[i].results);
    free(results->cache);
    kn_store_close(results->store);
    pthread_mutex_destroy(&results->lock);
    free(results);
}

/* ---- standings ---- */

static KnStatus add_game(void *user, const KnStandingRecord *record, KnError *error)
{
    Growing *growing = user;
    size_t games = (size_t)growing->standing.games;
    if (record->index != games)
        return kn_fail(error, KN_INPUT,
                       "game %zu of a run is missing from the store; look at `knack runs verify`", games);
    if (games == growing->room) {
        size_t room = growing->room ? growing->room * 2 : 256;
        int8_t *grown = realloc(growing->results, room);
        if (!grown) return kn_fail_memory(error, "counting games");
        growing->results = grown;
        growing->room = room;
    }
    growing->results[games] = (int8_t)kn_record_result(record);
    kn_standing_add(&growing->standing, record);
    return KN_OK;
}

/* The standing of a run, updated with its new games. The caller holds the lock; valid until the next call. */
static KnStatus standing_of(KnResults *results, int64_t run, uint64_t games, Growing **out, KnError *error)
{
    Growing *at = &results->cache[0];
    for (int i = 0; i < CACHE; i++) {
        Growing *entry = &results->cache[i];
        if (entry->run == run) {
            at = entry;
            break;
        }
        if (entry->used < at->used) at = entry;
    }
    if (at->run != run || at->standing.games > games) { /* the run was deleted and started again */
        at->run = run;
        kn_standing_start(&at->standing);
    }
    at->used = ++results->clock;
    *out = at;
    if (at->standing.games == games) return KN_OK;
    KnStatus status = kn_store_games_from(results->store, run, at->standing.games, UINT32_MAX, add_game, at,
                                          error);
    if (status != KN_OK) at->run = 0;
    return status;
}

static void set_score(json_t *row, double score, double low, double high, uint64_t wins, uint64_t draws,
                      uint64_t losses)
{
    json_object_set_new(row, "score", json_real(score));
    json_object_set_new(row, "low", json_real(low));
    json_object_set_new(row, "high", json_real(high));
    json_object_set_new(row, "wins", json_integer((json_int_t)wins));
    json_object_set_new(row, "draws", json_integer((json_int_t)draws));
    json_object_set_new(row, "losses", json_integer((json_int_t)losses));
}

/* A stored tournament without games is one of repeated games: its result is a ranking, and no score. */
static bool is_tournament(const json_t *row)
{
    const char *kind = json_string_value(json_object_get(row, "kind"));
    return kind && strcmp(kind, "tournament") == 0;
}

static void set_standing(json_t *row, const KnStanding *standing)
{
    KnInterval interval = kn_standing_interval(standing);
    if (!standing->games && is_tournament(row)) return;
    set_score(row, kn_standing_score(standing), interval.low, interval.high, standing->wins, standing->draws,
              standing->losses);
}

/* Uses the summary of a finished run, if it covers all games. */
static bool set_summary(json_t *row, const json_t *summary, uint64_t games)
{
    const json_t *result = json_object_get(summary, "result"),
                 *interval = json_object_get(result, "score_95");
    if (!json_is_array(interval) || (uint64_t)json_integer_value(json_object_get(result, "games")) != games)
        return false;
    if (!games && is_tournament(row)) return true;
    set_score(row, json_number_value(json_object_get(result, "score")),
              json_number_value(json_array_get(interval, 0)), json_number_value(json_array_get(interval, 1)),
              (uint64_t)json_integer_value(json_object_get(result, "wins")),
              (uint64_t)json_integer_value(json_object_get(result, "draws")),
              (uint64_t)json_integer_value(json_object_get(result, "losses")));
    return true;
}

/* ---- runs ---- */

/* A copy of a stored run's row. */
typedef struct Found {
    int64_t id;
    uint64_t games;
    bool damaged;
    json_t *row, *settings, *summary;
} Found;

/* The list shows a damaged run as failed, and why. */
static void set_damage(json_t *row, const char *damage)
{
    json_object_set_new(row, "damage", json_string(damage));
    json_object_set_new(row, "message", json_sprintf("damaged: %s", damage));
}

static Found copy_run(const KnRun *run)
{
    if (run->damage[0]) { /* nothing else of it can be believed */
        Found found = {.id = run->id, .damaged = true};
        found.row = json_pack("{sI ss ss ss sI sb ss s[]}", "id", (json_int_t)run->id, "name", run->name,
                              "kind", "match", "created", "", "games", (json_int_t)0, "finished", 0, "game",
                              "unknown", "players");
        set_damage(found.row, run->damage);
        return found;
    }
    Found found = {.id = run->id,
                   .games = run->games,
                   .settings = json_loads(run->settings, 0, NULL),
                   .summary = run->summary[0] ? json_loads(run->summary, 0, NULL) : NULL};
    found.row = json_pack("{sI ss ss ss sI sb}", "id", (json_int_t)run->id, "name", run->name, "kind",
                          run->kind, "created", run->created, "games", (json_int_t)run->games, "finished",
                          found.summary != NULL);
    json_object_set(found.row, "game", json_object_get(found.settings, "game"));
    json_object_set(found.row, "players", json_object_get(found.settings, "players"));
    json_object_set(found.row, "seed", json_object_get(found.settings, "seed"));
    return found;
}

static void drop(Found *found)
{
    json_decref(found->row);
    json_decref(found->settings);
    json_decref(found->summary);
}

typedef struct List {
    Found *runs;
    size_t count, room;
} List;

static KnStatus note_run(void *user, const KnRun *run, KnError *error)
{
    List *list = user;
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        Found *grown = realloc(list->runs, room * sizeof *grown);
        if (!grown) return kn_fail_memory(error, "listing runs");
        list->runs = grown;
        list->room = room;
    }
    list->runs[list->count++] = copy_run(run);
    return KN_OK;
}

/* Adds the score. The caller holds the lock. */
static KnStatus score(KnResults *results, Found *found, KnError *error)
{
    if (found->damaged || set_summary(found->row, found->summary, found->games)) return KN_OK;
    Growing *growing;
    KnStatus status = standing_of(results, found->id, found->games, &growing, error);
    if (status == KN_OK) set_standing(found->row, &growing->standing);
    return status;
}

KnStatus kn_results_list(KnResults *results, json_t **rows, KnError *error)
{
    List list = {0};
    *rows = json_array();
    pthread_mutex_lock(&results->lock);
    KnStatus status = kn_store_runs(results->store, note_run, &list, error);
    for (size_t i = 0; i < list.count; i++) {
        KnError damage;
        KnStatus scored = status == KN_OK ? score(results, &list.runs[i], &damage) : KN_OK;
        if (scored == KN_INPUT)
            set_damage(list.runs[i].row, damage.text); /* the others are shown all the same */
        else if (scored != KN_OK)
            status = kn_fail(error, scored, "%s", damage.text);
        json_array_append(*rows, list.runs[i].row);
        drop(&list.runs[i]);
    }
    pthread_mutex_unlock(&results->lock);
    free(list.runs);
    if (status != KN_OK) {
        json_decref(*rows);
        *rows = NULL;
    }
    return status;
}

static KnStatus find_run(KnResults *results, const char *name, Found *found, KnError *error)
{
    List list = {0};
    KnStatus status = kn_store_find(results->store, name, note_run, &list, error);
    if (status == KN_OK) *found = list.runs[0];
    for (size_t i = status == KN_OK; i < list.count; i++) drop(&list.runs[i]);
    free(list.runs);
    return status;
}

/* Score and interval as a function of the number of games, at up to CURVE points. */
static json_t *curve_json(const Growing *growing)
{
    json_t *curve = json_array();
    uint64_t games = growing->standing.games, step = games / CURVE + 1;
    KnStanding then = {0}; /* as the match stood: the last point is the score of the run */
    for (uint64_t i = 0; i < games; i++) {
        int result = growing->results[i];
        then.games++;
        (result > 0 ? &then.wins : result < 0 ? &then.losses : &then.draws)[0]++;
        if (i % 2) then.pairs[growing->results[i - 1] + result + 2]++;
        if ((i + 1) % step && i + 1 < games) continue;
        KnInterval interval = kn_standing_interval(&then);
        json_array_append_new(curve, json_pack("[Ifff]", (json_int_t)(i + 1), kn_standing_score(&then),
                                               interval.low, interval.high));
    }
    return curve;
}

KnStatus kn_results_show(KnResults *results, const char *name, json_t **row, KnError *error)
{
    *row = NULL;
    Found found = {0};
    Growing *growing;
    pthread_mutex_lock(&results->lock);
    KnStatus status = find_run(results, name, &found, error);
    if (status == KN_OK) status = standing_of(results, found.id, found.games, &growing, error);
    if (status == KN_OK) {
        set_standing(found.row, &growing->standing);
        json_object_set(found.row, "settings", found.settings);
        json_object_set_new(found.row, "standing", kn_standing_json(&growing->standing));
        json_object_set_new(found.row, "curve", curve_json(growing));
        *row = json_incref(found.row);
    }
    pthread_mutex_unlock(&results->lock);
    drop(&found);
    return status;
}

/* ---- games ---- */

typedef struct Games {
    json_t *list;
    const json_t *settings;
    bool whole;
} Games;

static KnStatus note_game(void *user, const KnStandingRecord *record, KnError *error)
{
    (void)error;
    Games *games = user;
    json_t *row = json_pack("{sI si si s[ff] ss sI ss}", "number", (json_int_t)record->index, "first",
                            record->first, "result", kn_record_result(record), "payoffs", record->payoffs[0],
                            record->payoffs[1], "ending", record->ending, "plies", (json_int_t)record->plies,
                            "fault", record->fault);
    if (games->whole) {
        const json_t *players = json_object_get(games->settings, "players");
        json_object_set_new(row, "start", json_string(record->start));
        json_object_set_new(row, "moves", json_string(record->moves));
        json_object_set(row, "game", json_object_get(games->settings, "game"));
        json_object_set_new(row, "players",
                            json_pack("[OO]", json_array_get(players, (size_t)record->first),
                                      json_array_get(players, (size_t)!record->first)));
        json_object_set_new(row, "nodes",
                            json_pack("[II]", (json_int_t)record->cost[record->first].nodes,
                                      (json_int_t)record->cost[!record->first].nodes));
    }
    json_array_append_new(games->list, row);
    return KN_OK;
}

static KnStatus read_games(KnResults *results, const char *name, uint64_t from, uint64_t count, bool whole,
                           json_t **list, uint64_t *total, KnError *error)
{
    Found found = {0};
    Games games = {.list = json_array(), .whole = whole};
    pthread_mutex_lock(&results->lock);
    KnStatus status = find_run(results, name, &found, error);
    games.settings = found.settings;
    *total = found.games;
    if (status == KN_OK)
        status = kn_store_games_from(results->store, found.id, from, count, note_game, &games, error);
    pthread_mutex_unlock(&results->lock);
    drop(&found);
    if (status == KN_OK)
        *list = games.list;
    else
        json_decref(games.list);
    return status;
}

KnStatus kn_results_games(KnResults *results, const char *name, uint64_t from, uint64_t count, json_t **out,
                          KnError *error)
{
    json_t *list;
    uint64_t total;
    *out = NULL;
    KnStatus status = read_games(results, name, from, count, false, &list, &total, error);
    if (status == KN_OK)
        *out = json_pack("{ss sI sI so}", "run", name, "from", (json_int_t)from, "total", (json_int_t)total,
                         "games", list);
    return status;
}

KnStatus kn_results_game(KnResults *results, const char *name, uint64_t number, json_t **game, KnError *error)
{
    json_t *list;
    uint64_t total;
    *game = NULL;
    KnStatus status = read_games(results, name, number, 1, true, &list, &total, error);
    if (status != KN_OK) return status;
    json_t *row = json_array_get(list, 0);
    if (row && (uint64_t)json_integer_value(json_object_get(row, "number")) == number)
        *game = json_incref(row);
    json_decref(list);
    return *game ? KN_OK
                 : kn_fail(error, KN_INPUT, "%s has %llu game%s; there is no game %llu", name,
                           (unsigned long long)total, kn_s(total), (unsigned long long)number);
}

/* ---- tournaments ---- */

/* Whether a stored match is this pairing. */
static bool is_pairing(const json_t *settings, const char *game, const char *first, const char *second,
                       uint64_t seed)
{
    const char *own = json_string_value(json_object_get(settings, "game"));
    const json_t *players = json_object_get(settings, "players");
    const char *a = json_string_value(json_array_get(players, 0)),
               *b = json_string_value(json_array_get(players, 1));
    KnJson at = kn_json_root((json_t *)(uintptr_t)settings, NULL);
    uint64_t own_seed;
    return own && a && b && strcmp(own, game) == 0 && strcmp(a, first) == 0 && strcmp(b, second) == 0 &&
           kn_json_uint64(&at, "seed", &own_seed, NULL) == KN_OK && own_seed == seed;
}

/* Wins, draws and losses of row against column so far. The caller holds the lock. */
static KnStatus fill_cross(KnResults *results, const char *game, const char *const *players, size_t n,
                           uint64_t seed, uint64_t (*wdl)[3], KnError *error)
{
    List list = {0};
    KnStatus status = kn_store_runs(results->store, note_run, &list, error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            uint64_t own = kn_tournament_seed(seed, players[i], players[j]);
            for (size_t k = 0; k < list.count && status == KN_OK; k++) {
                Growing *growing;
                if (!is_pairing(list.runs[k].settings, game, players[i], players[j], own)) continue;
                status = standing_of(results, list.runs[k].id, list.runs[k].games, &growing, error);
                if (status != KN_OK) break;
                const KnStanding *s = &growing->standing;
                memcpy(wdl[i * n + j], (uint64_t[3]){s->wins, s->draws, s->losses}, sizeof *wdl);
                memcpy(wdl[j * n + i], (uint64_t[3]){s->losses, s->draws, s->wins}, sizeof *wdl);
                break;
            }
        }
    for (size_t k = 0; k < list.count; k++) drop(&list.runs[k]);
    free(list.runs);
    return status;
}

static json_t *cross_row(const char *player, const uint64_t (*wdl)[3], size_t n, size_t self,
                         const KnRating *rating)
{
    json_t *against = json_array();
    double points = 0, games = 0;
    for (size_t j = 0; j < n; j++) {
        uint64_t played = wdl[j][0] + wdl[j][1] + wdl[j][2];
        points += (double)wdl[j][0] + (double)wdl[j][1] / 2;
        games += (double)played;
        json_array_append_new(against,
                              j == self || !played
                                  ? json_null()
                                  : json_pack("{sI sI sI}", "wins", (json_int_t)wdl[j][0], "draws",
                                              (json_int_t)wdl[j][1], "losses", (json_int_t)wdl[j][2]));
    }
    KnInterval interval = kn_wilson(points, games, KN_Z95);
    json_t *row = json_pack("{ss sf sf sf sf sf so}", "player", player, "points", points, "games", games,
                            "score", games > 0 ? points / games : 0.5, "low", interval.low, "high",
                            interval.high, "against", against);
    if (rating) {
        json_object_set_new(row, "elo", json_real(rating->elo));
        json_object_set_new(row, "elo_95", json_real(rating->error));
    }
    return row;
}

KnStatus kn_results_cross(KnResults *results, const char *game, const char *const *players, size_t n,
                          uint64_t seed, json_t **table, KnError *error)
{
    uint64_t(*wdl)[3] = calloc(n * n, sizeof *wdl);
    double *points = calloc(n * n, sizeof *points), *games = calloc(n * n, sizeof *games);
    KnRating *ratings = calloc(n, sizeof *ratings);
    *table = NULL;
    KnStatus status = wdl && points && games && ratings ? KN_OK
                                                        : kn_fail_memory(error, "making a cross table");
    if (status == KN_OK) {
        pthread_mutex_lock(&results->lock);
        status = fill_cross(results, game, players, n, seed, wdl, error);
        pthread_mutex_unlock(&results->lock);
    }
    if (status == KN_OK) {
        for (size_t i = 0; i < n * n; i++) {
            points[i] = (double)wdl[i][0] + (double)wdl[i][1] / 2;
            games[i] = (double)(wdl[i][0] + wdl[i][1] + wdl[i][2]);
        }
        bool rated = kn_ratings(n, points, games, ratings, NULL) ==
                     KN_OK; /* ratings need a connected graph of pairings */
        json_t *rows = json_array();
        for (size_t i = 0; i < n; i++)
            json_array_append_new(rows, cross_row(players[i], (const uint64_t(*)[3])(wdl + i * n), n, i,
                                                  rated ? &ratings[i] : NULL));
        *table = json_pack("{so}", "players", rows);
    }
    free(wdl);
    free(points);
    free(games);
    free(ratings);
    return status;
}
