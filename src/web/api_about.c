/* Lists: the server's limits, games, players, levels, openings. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "games/registry.h"
#include "web/guard.h"
#include "web/state.h"

static void about(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    pthread_mutex_lock(&web->lock);
    int sessions = web->session_count;
    pthread_mutex_unlock(&web->lock);
    json_t *limits = json_pack("{si sf si si si si si si si si}", "engines", web->options.engines,
                               "move_seconds", web->options.move_seconds, "sessions", web->options.games,
                               "kept_sessions", KN_KEEP_SESSIONS, "plies", KN_WEB_PLIES, "body", KN_WEB_BODY,
                               "upload", KN_WEB_UPLOAD, "runs", KN_WEB_PROCESSES, "analyses", KN_WEB_ANALYSES,
                               "memory_mib", KN_GUARD_MEMORY);
    kn_reply_json(reply, 200,
                  json_pack("{ss ss so s{si si si}}", "name", "knack", "version", KNACK_VERSION, "limits",
                            limits, "now", "sessions", sessions, "listeners",
                            kn_events_listeners(web->events), "waiting",
                            (int)kn_thread_pool_waiting(web->engines)));
}

static const char *option_type(const KnOption *option)
{
    static const char *const types[] = {"integer", "real", "flag", "choice", "text", "spec"};
    return types[option->type];
}

json_t *kn_thing_json(const KnThing *thing)
{
    json_t *options = json_array();
    for (const KnOption *option = thing->options; option && option->name; option++) {
        json_t *row = json_pack("{ss ss ss}", "name", option->name, "type", option_type(option), "help",
                                option->help ? option->help : "");
        if (option->fallback) json_object_set_new(row, "default", json_string(option->fallback));
        if (option->low < option->high)
            json_object_set_new(row, "range", json_pack("[ff]", option->low, option->high));
        if (option->choices) json_object_set_new(row, "choices", json_string(option->choices));
        json_array_append_new(options, row);
    }
    return json_pack("{ss ss so}", "name", thing->name, "summary", thing->summary, "options", options);
}

static void games(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    json_t *rows = json_array();
    for (size_t i = 0; i < kn_registered(web->context, KN_KIND_GAME); i++) {
        const KnThing *thing = kn_registered_at(web->context, KN_KIND_GAME, i);
        if (thing == &kn_pipe.head) continue; /* its rules are a program: the guard would refuse it */
        json_t *row = kn_thing_json(thing);
        KnCachedGame *cached = NULL;
        if (kn_player_cache_game(web->cache, thing->name, &cached, NULL) == KN_OK) {
            const KnGame *game = cached->game;
            json_t *roles = json_array();
            for (int role = 0; role < game->roles; role++)
                if (role != game->nature) json_array_append_new(roles, json_string(game->role_names[role]));
            json_object_set_new(row, "board", json_string(cached->kind));
            json_object_set_new(row, "roles", roles);
            json_object_set_new(row, "simultaneous", json_boolean(game->traits & KN_GAME_SIMULTANEOUS));
            kn_player_cache_release_game(web->cache, cached);
        } else
            json_object_set_new(row, "upload", json_true()); /* it needs rules from a file */
        json_object_set_new(row, "example", json_string(thing->name));
        json_array_append_new(rows, row);
    }
    kn_reply_json(reply, 200, rows);
}

/* Opens the game of ?game=; NULL, with the reply written, on failure. */
static KnCachedGame *asked_game(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *spec = kn_http_argument(call->request, "game");
    KnCachedGame *cached = NULL;
    KnError error;
    if (!spec)
        kn_reply_error(reply, 400, "game", "which game? give ?game=SPEC");
    else if (kn_player_cache_game(web->cache, spec, &cached, &error) != KN_OK)
        kn_reply_fail(reply, &error, "game");
    return cached;
}

static void players(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnCachedGame *cached = asked_game(web, call, reply);
    if (!cached) return;
    json_t *rows = json_array();
    for (size_t i = 0; i < kn_registered(web->context, KN_KIND_PLAYER); i++) {
        const KnPlayerType *type = (const KnPlayerType *)kn_registered_at(web->context, KN_KIND_PLAYER, i);
        KnError error;
        if (type->foreign) continue; /* the guard would refuse it */
        bool runs = !type->suits || type->suits(cached->game, &error) == KN_OK;
        json_t *row = kn_thing_json(&type->head);
        json_object_set_new(row, "runs", json_boolean(runs));
        if (!runs) json_object_set_new(row, "missing", json_string(error.text));
        json_array_append_new(rows, row);
    }
    kn_player_cache_release_game(web->cache, cached);
    kn_reply_json(reply, 200, rows);
}

const json_t *kn_web_by_game(const json_t *table, const KnCachedGame *cached)
{
    const json_t *rows = json_object_get(table, cached->spec);
    if (!rows) { /* a variant may have rows of its own: what suits the usual board need not suit it */
        const char *name = cached->game->type->head.name;
        char variant[64];
        snprintf(variant, sizeof variant, "%s(...)", name);
        if (strcmp(cached->spec, name) != 0) rows = json_object_get(table, variant);
        if (!rows) rows = json_object_get(table, name);
    }
    return rows ? rows : json_object_get(table, "*");
}

static void by_game(KnWeb *web, const KnCall *call, const json_t *table, KnHttpReply *reply)
{
    KnCachedGame *cached = asked_game(web, call, reply);
    if (!cached) return;
    const json_t *rows = kn_web_by_game(table, cached);
    kn_player_cache_release_game(web->cache, cached);
    kn_reply_json(reply, 200, rows ? json_deep_copy(rows) : json_array());
}

/* Levels that were measured on another board keep their names, but not their strength. */
static json_t *unmeasured(const json_t *rows)
{
    json_t *copy = json_deep_copy(rows), *level;
    size_t i;
    json_array_foreach(copy, i, level)
    {
        json_object_del(level, "elo");
        json_object_del(level, "elo_95");
        json_object_set_new(level, "measured", json_string("not measured on this board"));
    }
    return copy;
}

static void levels(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnCachedGame *cached = asked_game(web, call, reply);
    if (!cached) return;
    const json_t *own = json_object_get(web->levels, cached->spec),
                 *rows = own ? own : kn_web_by_game(web->levels, cached);
    kn_player_cache_release_game(web->cache, cached);
    kn_reply_json(reply, 200, own ? json_deep_copy(own) : rows ? unmeasured(rows) : json_array());
}
static void openings(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    by_game(web, call, web->openings, reply);
}

const KnRoute kn_routes_about[] = {
    {"GET", "about", about, 0},   {"GET", "games", games, 0},       {"GET", "players", players, 0},
    {"GET", "levels", levels, 0}, {"GET", "openings", openings, 0}, {0},
};
