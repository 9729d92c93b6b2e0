/* Request handling: checks of Host and Origin, routing, parsing of the body, then the route's handler. */
#include "web/web.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "base/json.h"
#include "jobs/parallel.h"
#include "formats/problems.h"
#include "games/checkers/endgame.h"
#include "web/worker_processes.h"
#include "web/listen.h"
#include "web/results.h"
#include "web/session.h"

static const char KEY_LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* ---- life ---- */

static KnStatus load_table(const char *name, json_t **table, KnError *error)
{
    const KnEmbeddedRow *row = kn_embedded_find(name);
    if (!row) return kn_fail(error, KN_SYSTEM, "%s is missing in this program", name);
    return kn_json_load_bytes(row->bytes, *row->size, name, table, error);
}

KnStatus kn_web_open(const KnContext *context, const KnWebOptions *options, KnWeb **out, KnError *error)
{
    *out = NULL;
    KnWeb *web = calloc(1, sizeof *web);
    if (!web) return kn_fail_memory(error, "starting the server");
    web->context = context;
    web->options = *options;
    web->page = KN_TEXT_EMPTY;
    pthread_mutex_init(&web->lock, NULL);
    pthread_mutex_init(&web->rooms, NULL);
    KnWebOptions *o = &web->options;
    if (!o->host) o->host = "127.0.0.1";
    if (o->engines <= 0) o->engines = kn_cores();
    if (o->engines > KN_WEB_ENGINES) o->engines = KN_WEB_ENGINES;
    if (o->move_seconds <= 0) o->move_seconds = 10;
    if (o->games <= 0) o->games = 4000;
    if (o->connections <= 0) o->connections = 2000;
    size_t key = o->key ? strlen(o->key) : 0;
    if (o->key && (key < 8 || key > KN_WEB_KEY || strspn(o->key, KEY_LETTERS) != key)) {
        kn_web_close(web);
        return kn_fail(error, KN_USAGE, "a key has 8 to %d letters and digits", KN_WEB_KEY);
    }
    KnStatus status = load_table("levels.json", &web->levels, error);
    if (status == KN_OK) status = load_table("openings.json", &web->openings, error);
    if (status == KN_OK) status = kn_persistence_open(context, &web->options.log, &web->persistence, error);
    if (status == KN_OK) {
        web->cache = kn_player_cache_new(context);
        web->events = kn_events_new(o->connections / 2);
        if (!web->cache || !web->events) status = kn_fail_memory(error, "starting the server");
    }
    if (status == KN_OK)
        status = kn_thread_pool_new(
            &(KnPoolPlan){.threads = o->engines, .back = KN_WEB_LONG * o->engines, .most = KN_WEB_QUEUE},
            &web->engines, error);
    if (status == KN_OK)
        status = kn_thread_pool_new(
            &(KnPoolPlan){.threads = (o->engines + 1) / 2, .most = KN_WEB_QUEUE, .nice = KN_NICE_ANALYSIS},
            &web->analysts, error);
    if (status == KN_OK) status = kn_runs_open(web, &web->runs, error);
    if (status == KN_OK) status = kn_web_prepare_page(web, error);
    if (status == KN_OK)
        *out = web;
    else
        kn_web_close(web);
    return status;
}

void kn_web_close(KnWeb *web)
{
    if (!web) return;
    if (web->events)
        kn_events_close(web->events); /* ends the event streams, and so the connections that wait on them */
    atomic_store(&web->closing, true);
    kn_thread_pool_end(web->engines); /* connections wait for answers */
    kn_thread_pool_end(web->analysts);
    kn_web_unlisten(web);
    kn_runs_close(web->runs);
    kn_sessions_close(web);
    kn_thread_pool_free(web->engines);
    kn_thread_pool_free(web->analysts);
    kn_player_cache_free(web->cache);
    kn_events_free(web->events);
    kn_results_close(web->results);
    kn_problems_free(web->problems);
    kn_endgame_close(web->endgame);
    kn_persistence_close(web->persistence);
    json_decref(web->levels);
    json_decref(web->openings);
    kn_text_free(&web->page);
    pthread_mutex_destroy(&web->lock);
    pthread_mutex_destroy(&web->rooms);
    free(web);
}

int kn_web_port(const KnWeb *web) { return web->port; }

/* ---- reading a call ---- */

KnStatus kn_call_compute(KnWeb *web, const KnCall *call, void (*function)(void *user), void *user,
                         KnError *error)
{
    const KnHttpRequest *request = call->request;
    return kn_thread_pool_call(web->engines,
                               &(KnPoolCall){.function = function,
                                             .user = user,
                                             .client = request->client,
                                             .flow = kn_hash128(request->path, strlen(request->path)).low,
                                             .timeout = KN_WEB_PATIENCE},
                               error);
}

bool kn_call_text(const KnCall *call, const char *key, bool wanted, size_t most, const char **out,
                  KnHttpReply *reply)
{
    const json_t *value = json_object_get(call->body, key);
    *out = NULL;
    if (!value || json_is_null(value)) {
        if (wanted) kn_reply_error(reply, 400, key, "%s is missing; expected a text", key);
        return !wanted;
    }
    *out = json_string_value(value);
    if (!*out)
        kn_reply_error(reply, 400, key, "%s: expected a text", key);
    else if (json_string_length(value) > most || strlen(*out) != json_string_length(value)) {
        kn_reply_error(reply, 400, key, "%s: expected a text of at most %zu characters", key, most);
        *out = NULL;
    }
    return *out != NULL;
}

bool kn_call_number(const KnCall *call, const char *key, bool wanted, double low, double high,
                    double fallback, double *out, KnHttpReply *reply)
{
    const json_t *value = json_object_get(call->body, key);
    *out = fallback;
    if (!value || json_is_null(value)) {
        if (wanted) kn_reply_error(reply, 400, key, "%s is missing; expected a number", key);
        return !wanted;
    }
    if (json_is_number(value)) *out = json_number_value(value);
    if (json_is_number(value) && *out >= low && *out <= high) return true;
    kn_reply_error(reply, 400, key, "%s: expected a number from %g to %g", key, low, high);
    return false;
}

bool kn_call_flag(const KnCall *call, const char *key, bool fallback, bool *out, KnHttpReply *reply)
{
    const json_t *value = json_object_get(call->body, key);
    *out = fallback;
    if (!value || json_is_null(value)) return true;
    *out = json_is_true(value);
    if (json_is_boolean(value)) return true;
    kn_reply_error(reply, 400, key, "%s: expected true or false", key);
    return false;
}

bool kn_call_query(const KnCall *call, const char *name, long low, long high, long fallback, long *out,
                   KnHttpReply *reply)
{
    const char *text = kn_http_argument(call->request, name);
    *out = fallback;
    if (!text || !*text) return true;
    char *end;
    *out = strtol(text, &end, 10);
    if (!*end && *out >= low && *out <= high) return true;
    kn_reply_error(reply, 400, name, "?%s= expects a whole number from %ld to %ld", name, low, high);
    return false;
}

/* ---- who asks ---- */

static bool is_address(const char *name)
{
    struct in6_addr place;
    return inet_pton(AF_INET, name, &place) == 1 || inet_pton(AF_INET6, name, &place) == 1;
}

/* DNS rebinding: a page of another site can make a browser send requests here with that site's name as Host,
 * but never with an address or with one of our own names. */
static bool knows_host(const KnWeb *web, const char *host)
{
    char name[256];
    size_t length = strlen(host);
    if (length >= sizeof name) return false;
    if (*host == '[') {
        const char *end = strchr(host, ']');
        if (!end || (end[1] && end[1] != ':')) return false;
        snprintf(name, sizeof name, "%.*s", (int)(end - host - 1), host + 1);
    } else
        snprintf(name, sizeof name, "%.*s", (int)strcspn(host, ":"), host);
    return is_address(name) || strcasecmp(name, "localhost") == 0 ||
           strcasecmp(name, web->options.host) == 0 ||
           (web->options.name && strcasecmp(name, web->options.name) == 0);
}

/* Cross-site request forgery: the Origin and Sec-Fetch-Site headers must name this server. */
static bool knows_origin(const KnHttpRequest *request)
{
    if (request->fetch_site && strcasecmp(request->fetch_site, "same-origin") != 0 &&
        strcasecmp(request->fetch_site, "none") != 0)
        return false;
    if (!request->origin) return true;
    const char *rest = strncasecmp(request->origin, "http://", 7) == 0    ? request->origin + 7
                       : strncasecmp(request->origin, "https://", 8) == 0 ? request->origin + 8
                                                                          : NULL;
    return rest && strcasecmp(rest, request->host) == 0;
}

/* A class network: who does not have the key gets the page, and no answers. All of the key is compared, so
 * that the time says nothing about it. */
static bool has_key(const KnWeb *web, const KnHttpRequest *request)
{
    char given[KN_WEB_KEY + 1];
    const char *key = web->options.key;
    if (!key) return true;
    if (!kn_http_cookie(request, "knack-key", given, sizeof given) || strlen(given) != strlen(key))
        return false;
    unsigned difference = 0;
    for (size_t i = 0; key[i]; i++) difference |= (unsigned)(key[i] ^ given[i]);
    return difference == 0;
}

/* ---- what for ---- */

/* Matches a path with a route's pattern; the segments matched by * go to `words`, stored in `room`. */
static bool fits(const char *pattern, const char *path, char *room, size_t size, const char **words)
{
    int count = 0;
    while (*pattern && *path) {
        if (*pattern != '*') {
            if (*pattern++ != *path++) return false;
            continue;
        }
        size_t length = strcspn(path, "/");
        if (length == 0 || length + 1 > size || count == 4) return false;
        memcpy(room, path, length);
        room[length] = '\0';
        words[count++] = room;
        room += length + 1;
        size -= length + 1;
        path += length;
        pattern++;
    }
    return !*pattern && !*path;
}

static const KnRoute *const tables[] = {
    kn_routes_about,  kn_routes_sessions, kn_routes_questions, kn_routes_frames,   kn_routes_runs,
    kn_routes_learn,  kn_routes_lab,      kn_routes_satisfice, kn_routes_problems, kn_routes_knowledge,
    kn_routes_review, kn_routes_rooms,    kn_routes_territory};

/* NULL, with the reply 404 or 405, if there is none. */
static const KnRoute *find_route(const char *method, const char *path, char *room, size_t size,
                                 const char **words, KnHttpReply *reply)
{
    bool known = false;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const KnRoute *route = tables[t]; route->method; route++) {
            if (!fits(route->path, path, room, size, words)) continue;
            if (strcmp(route->method, method) == 0) return route;
            if (!strstr(reply->allow, route->method))
                snprintf(reply->allow + strlen(reply->allow), sizeof reply->allow - strlen(reply->allow),
                         "%s%s", known ? ", " : "", route->method);
            known = true;
        }
    if (known)
        kn_reply_error(reply, 405, NULL, "use %s here, not %.20s", reply->allow, method);
    else
        kn_reply_error(reply, 404, NULL, "there is no /api/%.100s; docs/api.md lists all calls", path);
    return NULL;
}

size_t kn_web_body_limit(const char *method, const char *path)
{
    if (strcmp(method, "POST") != 0 || strncmp(path, "/api/", 5) != 0) return 0;
    char room[1024];
    const char *words[4] = {0};
    KnHttpReply ignored = KN_HTTP_REPLY;
    const KnRoute *route = strlen(path) < sizeof room
                               ? find_route(method, path + 5, room, sizeof room, words, &ignored)
                               : NULL;
    kn_reply_free(&ignored);
    return route ? route->body : KN_WEB_BODY;
}

/* ---- with what ---- */

static bool is_json(const char *type)
{
    return type && strncasecmp(type, "application/json", 16) == 0 &&
           (!type[16] || type[16] == ';' || type[16] == ' ');
}

/* Parses the body into an object; an empty body means {}. On failure false, with the reply written. */
static bool read_body(const KnHttpRequest *request, const KnRoute *route, json_t **body, KnHttpReply *reply)
{
    *body = NULL;
    KnError error;
    if (request->body_size > route->body) {
        kn_reply_error(reply, 413, NULL, "the request is larger than the limit of %zu bytes", route->body);
        return false;
    }
    if (!request->body_size) return (*body = json_object()) != NULL;
    if (!is_json(request->content_type))
        kn_reply_error(reply, 415, NULL, "the body must be JSON, with Content-Type: application/json");
    else if (kn_json_load_bytes(request->body, request->body_size, "body", body, &error) != KN_OK)
        kn_reply_error(reply, 400, NULL, "%s", error.text);
    else if (!json_is_object(*body)) {
        kn_reply_error(reply, 400, NULL, "the body must be a JSON object");
        json_decref(*body);
        *body = NULL;
    }
    return *body != NULL;
}

static void answer_call(KnWeb *web, const KnHttpRequest *request, const char *method, KnHttpReply *reply)
{
    char room[1024];
    KnCall call = {.request = request};
    const char *path = request->path + strlen("/api/");
    if (strlen(path) >= sizeof room) {
        kn_reply_error(reply, 404, NULL, "the path is too long");
        return;
    }
    const KnRoute *route = find_route(method, path, room, sizeof room, call.words, reply);
    if (!route) return;
    reply->allow[0] = '\0';
    if (route->body && !read_body(request, route, &call.body, reply)) return;
    route->handle(web, &call, reply);
    json_decref(call.body);
}

void kn_web_answer(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply)
{
    const char *method = strcmp(request->method, "HEAD") == 0 ? "GET" : request->method;
    bool api = strncmp(request->path, "/api/", 5) == 0;
    if (!request->host)
        kn_reply_error(reply, 400, NULL, "the Host header is missing");
    else if (!knows_host(web, request->host))
        kn_reply_error(
            reply, 403, NULL,
            "this server does not accept the name %.100s; use its address, or start it with --name",
            request->host);
    else if (api && !knows_origin(request))
        kn_reply_error(reply, 403, NULL, "requests from pages of other sites are refused");
    else if (api && !has_key(web, request))
        kn_reply_error(
            reply, 401, "room_key",
            "this server answers those who have its key; open the link that ends with ?key= and the key");
    else if (api)
        answer_call(web, request, method, reply);
    else if (strcmp(method, "GET") != 0) {
        snprintf(reply->allow, sizeof reply->allow, "GET");
        kn_reply_error(reply, 405, NULL, "pages are read-only");
    } else {
        KnHttpRequest plain = *request;
        if (!has_key(web, request)) plain.cookie = NULL; /* no game of anybody's in the page */
        kn_web_asset(web, &plain, reply);
    }
}
