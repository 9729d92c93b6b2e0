/* Sessions: opening, showing, moving, importing and exporting, and the event stream. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "arena/play.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "formats/parser.h"
#include "formats/record.h"
#include "web/guard.h"
#include "web/room.h"

enum { LIST_MAX = 200 };

KnSession *kn_call_session(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSession *session;
    KnError error;
    if (kn_session_find(web, call->words[0], &session, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else if (!session)
        kn_reply_error(reply, 404, NULL, "there is no game %.20s here; start a new one", call->words[0]);
    else if (call->request->client)
        atomic_store(&session->client, call->request->client);
    return session;
}

/* Replies to a change with the session as it is now, or with the error. Releases the session. */
static void finish(KnSession *session, KnStatus status, const KnError *error, const char *field,
                   KnHttpReply *reply)
{
    if (status != KN_OK)
        kn_reply_fail(reply, error, field);
    else
        kn_reply_json(reply, 200, kn_session_json(session, -1));
    kn_session_release(session);
}

static bool read_seats(const KnCall *call, KnSessionPlan *plan, KnHttpReply *reply)
{
    const json_t *seats = json_object_get(call->body, "seats");
    if (!seats || json_is_null(seats)) return true;
    if (!json_is_array(seats) || json_array_size(seats) > KN_ROLES_MAX) {
        kn_reply_error(reply, 400, "seats",
                       "seats: expected a list of at most %d specs, such as [\"human\", \"random\"]",
                       KN_ROLES_MAX);
        return false;
    }
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *seat = json_string_value(json_array_get(seats, i));
        if (!seat) {
            kn_reply_error(reply, 400, "seats", "seats[%zu]: expected \"human\" or a player's spec", i);
            return false;
        }
        plan->seats[plan->seat_count++] = seat;
    }
    return true;
}

static bool read_seed(const KnCall *call, KnSessionPlan *plan, KnHttpReply *reply)
{
    KnJson at = kn_json_root(call->body, "body");
    KnError error;
    if (!kn_json_has(&at, "seed")) {
        if (getrandom(&plan->seed, sizeof plan->seed, 0) < 0) plan->seed = 1;
        plan->seed >>= 12; /* a number that JavaScript can hold */
        return true;
    }
    if (kn_json_uint64(&at, "seed", &plan->seed, &error) == KN_OK) return true;
    kn_reply_error(reply, 400, "seed", "%s", error.text);
    return false;
}

static bool read_pace(const KnCall *call, KnSessionPlan *plan, KnHttpReply *reply)
{
    plan->delay = -1;
    json_t *pace = json_object_get(call->body, "pace");
    if (!pace || json_is_null(pace)) return true;
    if (!json_is_object(pace)) {
        kn_reply_error(reply, 400, "pace", "pace: expected {\"paused\": true or false, \"delay\": seconds}");
        return false;
    }
    KnCall inner = {.request = call->request, .body = pace};
    return kn_call_flag(&inner, "paused", false, &plan->paused, reply) &&
           kn_call_number(&inner, "delay", false, 0, 60, -1, &plan->delay, reply);
}

static void open_plan(KnWeb *web, const KnSessionPlan *plan, KnHttpReply *reply)
{
    KnSession *session;
    const char *field;
    KnError error;
    if (kn_session_new(web, plan, &field, &session, &error) != KN_OK) {
        kn_reply_fail(reply, &error, field);
        return;
    }
    kn_reply_json(reply, 201, kn_session_json(session, -1));
    kn_session_release(session);
}

static void open_session(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSessionPlan plan = {.client = call->request->client};
    if (!kn_call_text(call, "game", true, 4000, &plan.game, reply) ||
        !kn_call_text(call, "position", false, 10000, &plan.position, reply) ||
        !kn_call_text(call, "moves", false, KN_WEB_BODY, &plan.moves, reply) ||
        !read_seats(call, &plan, reply) || !read_seed(call, &plan, reply) || !read_pace(call, &plan, reply))
        return;
    open_plan(web, &plan, reply);
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply;
    if (!kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply)) return;
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    kn_session_mark_viewed(session);
    kn_reply_json(reply, 200, kn_session_json(session, ply));
    kn_session_release(session);
}

/* What is listed of a saved session; NULL if it is gone. One that is damaged is named, so that the others can
 * be listed. */
static json_t *summary_json(KnWeb *web, const char *id, KnStatus *status, KnError *error)
{
    json_t *saved = NULL, *row = NULL;
    *status = kn_persistence_get(web->persistence, KN_SAVED_SESSION, id, &saved, error);
    if (*status == KN_SYSTEM) {
        *status = KN_OK;
        return json_pack("{ss ss}", "id", id, "damaged", error->text);
    }
    if (saved) {
        const char *moves = json_string_value(json_object_get(saved, "moves"));
        size_t plies = 0;
        for (const char *c = moves; c && *c; c++) plies += *c != ' ' && (c == moves || c[-1] == ' ');
        row = json_pack("{ss sO* sO* sI sO* sO* sO*}", "id", id, "game", json_object_get(saved, "game"),
                        "seats", json_object_get(saved, "seats"), "plies", (json_int_t)plies, "over",
                        json_object_get(saved, "over"), "result", json_object_get(saved, "result"), "updated",
                        json_object_get(saved, "updated"));
        json_decref(saved);
    }
    return row;
}

/* Lists the sessions that the client names: an id is known only to those who were given it. */
static void list(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *ids = kn_http_argument(call->request, "ids");
    if (!ids) {
        kn_reply_error(reply, 400, "ids", "?ids= expects the ids of at most %d games, separated by commas",
                       LIST_MAX);
        return;
    }
    json_t *rows = json_array();
    KnStatus status = KN_OK;
    KnError error;
    for (int i = 0; *ids && i < LIST_MAX && status == KN_OK; i++) {
        char id[KN_SESSION_ID];
        size_t length = strcspn(ids, ",");
        snprintf(id, sizeof id, "%.*s", (int)length, ids);
        json_t *row = length && length < sizeof id ? summary_json(web, id, &status, &error) : NULL;
        if (row) json_array_append_new(rows, row);
        ids += length + (ids[length] == ',');
    }
    if (status == KN_OK)
        kn_reply_json(reply, 200, rows);
    else {
        kn_reply_fail(reply, &error, NULL);
        json_decref(rows);
    }
}

static void move(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double ply, role;
    const char *text;
    if (!kn_call_number(call, "ply", true, 0, KN_WEB_PLIES, 0, &ply, reply) ||
        !kn_call_number(call, "role", false, 0, KN_ROLES_MAX - 1, -1, &role, reply) ||
        !kn_call_text(call, "move", true, 1000, &text, reply))
        return;
    int mover = (int)role;
    KnSession *session = kn_call_owned_session(web, call, &mover, reply);
    KnError error;
    if (session)
        finish(session, kn_session_move(session, (size_t)ply, mover, text, &error), &error, "move", reply);
}

static void go(KnWeb *web, const KnCall *call, bool back, KnHttpReply *reply)
{
    double ply;
    if (!kn_call_number(call, "ply", false, 0, KN_WEB_PLIES, -1, &ply, reply)) return;
    KnSession *session = kn_call_owned_session(web, call, NULL, reply);
    KnError error;
    if (session) finish(session, kn_session_step(session, back, (long)ply, &error), &error, "ply", reply);
}

static void undo(KnWeb *web, const KnCall *call, KnHttpReply *reply) { go(web, call, true, reply); }
static void redo(KnWeb *web, const KnCall *call, KnHttpReply *reply) { go(web, call, false, reply); }

static void resign(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double role;
    if (!kn_call_number(call, "role", false, 0, KN_ROLES_MAX - 1, -1, &role, reply)) return;
    int mover = (int)role;
    KnSession *session = kn_call_owned_session(web, call, &mover, reply);
    KnError error;
    if (session) finish(session, kn_session_resign(session, mover, &error), &error, "role", reply);
}

static void swap(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSession *session = kn_call_owned_session(web, call, NULL, reply);
    KnError error;
    if (session) finish(session, kn_session_swap(session, &error), &error, NULL, reply);
}

static void seat(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double role;
    const char *spec;
    if (!kn_call_number(call, "role", true, 0, KN_ROLES_MAX - 1, 0, &role, reply) ||
        !kn_call_text(call, "spec", true, 4000, &spec, reply))
        return;
    KnSession *session = kn_call_owned_session(web, call, NULL, reply);
    KnError error;
    if (session) finish(session, kn_session_seat(session, (int)role, spec, &error), &error, "spec", reply);
}

static void set_up(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *position;
    if (!kn_call_text(call, "position", true, 10000, &position, reply)) return;
    KnSession *session = kn_call_owned_session(web, call, NULL, reply);
    KnError error;
    if (session) finish(session, kn_session_set_up(session, position, &error), &error, "position", reply);
}

static void pace(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    bool paused;
    double delay;
    if (!kn_call_flag(call, "paused", false, &paused, reply) ||
        !kn_call_number(call, "delay", false, 0, 60, -1, &delay, reply))
        return;
    KnSession *session = kn_call_owned_session(web, call, NULL, reply);
    KnError error;
    bool said = json_is_boolean(json_object_get(call->body, "paused"));
    if (session)
        finish(session, kn_session_pace(session, said ? &paused : NULL, delay, &error), &error, NULL, reply);
}

/* The game record in the game's usual format (PDN, SGF, GGF), else as lines that `import` reads. */
static KnStatus write_record(KnSession *session, KnHttpReply *reply, KnError *error)
{
    const KnGame *game = session->cached->game;
    const char *extension = "txt";
    KnRecordWriter write = kn_game_record_writer(game, &extension);
    char date[16];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    double payoffs[KN_ROLES_MAX];
    bool over = kn_session_over(session, payoffs);
    KnGameRecord record = {.state = session->state,
                           .event = "knack",
                           .round = "1",
                           .date = date,
                           .players = {session->seats[0], game->roles > 1 ? session->seats[1] : NULL},
                           .payoffs = over ? payoffs : NULL,
                           .ending = session->resigned >= 0 ? "resigned" : NULL};
    KnStatus status = KN_OK;
    if (write)
        status = write(&record, &reply->text, error);
    else
        kn_lines_write(session->state, &reply->text);
    snprintf(reply->filename, sizeof reply->filename, "%s-%.13s.%s", game->type->head.name, session->id,
             extension);
    return status;
}

static void export(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    KnError error;
    pthread_mutex_lock(&session->lock);
    KnStatus status = write_record(session, reply, &error);
    pthread_mutex_unlock(&session->lock);
    reply->type = "text/plain; charset=utf-8";
    if (status != KN_OK) {
        reply->filename[0] = '\0';
        kn_reply_fail(reply, &error, NULL);
    }
    kn_session_release(session);
}

/* ---- from files ---- */

/* Replaces the path of an uploaded file in an error message. */
static void hide_path(KnError *error, const char *path)
{
    char *at = strstr(error->text, path);
    size_t length = strlen(path);
    if (!at) return;
    memmove(at + 10, at + length, strlen(at + length) + 1);
    memcpy(at, "the upload", 10);
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *files = opendir(folder);
    if (!files) return 0;
    while (readdir(files)) count++;
    closedir(files);
    return count - 2; /* . and .. */
}

/* Stores a game description under its hash if it is valid; the game's spec goes to `spec`. */
static KnStatus store_description(KnWeb *web, const char *text, KnText *spec, KnError *error)
{
    char hex[KN_HEX128];
    KnText path = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY;
    kn_hash128_hex(kn_hash128(text, strlen(text)), hex);
    kn_guard_description_path(web->context, hex, &path);
    kn_path_join(&folder, kn_context_data(web->context), "gdl");
    bool there = kn_file_exists(path.data);
    KnStatus status = kn_mkdirs(folder.data, error);
    if (status == KN_OK && !there && count_files(folder.data) >= KN_WEB_DESCRIPTIONS)
        status = kn_fail(error, KN_STOPPED,
                         "the server stores %d game descriptions, which is its limit; remove some from %s",
                         KN_WEB_DESCRIPTIONS, folder.data);
    if (status == KN_OK && !there) status = kn_file_write_atomic(path.data, text, strlen(text), error);
    kn_text_clear(spec);
    kn_text_printf(spec, "gdl:%s", hex);
    KnCachedGame *cached = NULL;
    if (status == KN_OK && (status = kn_player_cache_game(web->cache, spec->data, &cached, error)) != KN_OK &&
        !there)
        unlink(path.data);
    if (status != KN_OK && error->status == KN_INPUT) hide_path(error, path.data);
    kn_player_cache_release_game(web->cache, cached);
    kn_text_free(&path);
    kn_text_free(&folder);
    return status;
}

static void import_description(KnWeb *web, const char *text, KnSessionPlan *plan, KnHttpReply *reply)
{
    KnError error;
    KnText spec = KN_TEXT_EMPTY;
    if (store_description(web, text, &spec, &error) != KN_OK)
        kn_reply_fail(reply, &error, "kif");
    else {
        plan->game = spec.data;
        open_plan(web, plan, reply);
    }
    kn_text_free(&spec);
}

static void import_record(KnWeb *web, const char *text, KnSessionPlan *plan, KnHttpReply *reply)
{
    KnError error;
    KnRecordText record = KN_RECORD_TEXT;
    if (kn_game_record_read(text, &record, &error) != KN_OK)
        kn_reply_fail(reply, &error, "text");
    else {
        plan->game = record.game.data;
        plan->position = record.start.data;
        plan->moves = record.moves.data;
        plan->paused = true; /* an engine must not play on before the user has looked */
        open_plan(web, plan, reply);
    }
    kn_game_record_text_free(&record);
}

static void import(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSessionPlan plan = {.delay = -1, .client = call->request->client};
    const char *text, *rules, *name;
    if (!kn_call_text(call, "text", false, KN_WEB_UPLOAD, &text, reply) ||
        !kn_call_text(call, "kif", false, KN_WEB_UPLOAD, &rules, reply) ||
        !kn_call_text(call, "name", false, 256, &name, reply) || !read_seats(call, &plan, reply) ||
        !read_seed(call, &plan, reply))
        return;
    size_t length = name ? strlen(name) : 0;
    if (text && length > 4 && strcasecmp(name + length - 4, ".kif") == 0) rules = text;
    if (rules)
        import_description(web, rules, &plan, reply);
    else if (text)
        import_record(web, text, &plan, reply);
    else
        kn_reply_error(reply, 400, "text",
                       "text is missing; expected a game record (PDN, SGF, GGF or lines), or kif with a game "
                       "description");
}

/* ---- the stream ---- */

static void events(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *id = kn_http_argument(call->request, "session");
    const char *room = kn_http_argument(call->request, "room");
    const char *runs = kn_http_argument(call->request, "runs"), *lab = kn_http_argument(call->request, "lab");
    unsigned hears = (runs && strcmp(runs, "0") != 0 ? KN_SUBSCRIBE_RUNS : 0u) |
                     (lab && strcmp(lab, "0") != 0 ? KN_SUBSCRIBE_LAB : 0u);
    KnSession *session = NULL;
    if (id && *id) {
        KnCall named = *call;
        named.words[0] = id;
        if (!(session = kn_call_session(web, &named, reply))) return;
    }
    char subject[KN_ROOM_SUBJECT] = "";
    if (room && *room) kn_room_subject(room, subject); /* a stream tells of a session or of a room */
    reply->listener = kn_listener_open(web->events, session ? session->id : subject, hears,
                                       call->request->client);
    if (!reply->listener)
        kn_reply_error(reply, 429, NULL, "too many pages are connected; close one and try again");
    else {
        const char *last = call->request->last_event_id;
        reply->type = "text/event-stream";
        if (session) {
            kn_session_send(session, reply->listener, last ? strtoull(last, NULL, 10) : 0);
            kn_session_mark_viewed(session);
        }
    }
    kn_session_release(session);
}

/* Deletes a game for good. Streams that show it end with its next change; there is none. */
static void delete_session(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnError error;
    KnSession *session = kn_call_owned_session(web, call, NULL, reply);
    if (!session) return;
    pthread_mutex_lock(&session->lock);
    kn_session_cancel_engines(session);
    kn_session_stop_analysis(session);
    pthread_mutex_unlock(&session->lock);
    kn_session_unlist(session);
    if (kn_persistence_delete(web->persistence, KN_SAVED_SESSION, session->id, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else
        kn_reply_json(reply, 200, json_pack("{ss}", "deleted", session->id));
    kn_session_release(session);
}

const KnRoute kn_routes_sessions[] = {
    {"GET", "sessions", list, 0},
    {"POST", "sessions", open_session, KN_WEB_BODY},
    {"POST", "sessions/import", import, KN_WEB_UPLOAD + KN_WEB_BODY},
    {"GET", "sessions/*", show, 0},
    {"GET", "sessions/*/export", export, 0},
    {"POST", "sessions/*/delete", delete_session, KN_WEB_BODY},
    {"POST", "sessions/*/move", move, KN_WEB_BODY},
    {"POST", "sessions/*/undo", undo, KN_WEB_BODY},
    {"POST", "sessions/*/redo", redo, KN_WEB_BODY},
    {"POST", "sessions/*/resign", resign, KN_WEB_BODY},
    {"POST", "sessions/*/swap", swap, KN_WEB_BODY},
    {"POST", "sessions/*/seat", seat, KN_WEB_BODY},
    {"POST", "sessions/*/setup", set_up, KN_WEB_BODY},
    {"POST", "sessions/*/pace", pace, KN_WEB_BODY},
    {"GET", "events", events, 0},
    {0},
};
