/* Classrooms: opening and joining one, boards whose seats have owners, and the class's tournament (room.h).
 */
#include <stdio.h>
#include <string.h>

#include "web/room.h"

/* ---- seats with owners, without a room ---- */

/* Gives every person's seat of a session a key of its own; who asks gets all of them, once, to hand out as
 * links. */
static void share(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    KnError error;
    char host[KN_KEY_SIZE];
    json_t *keys = json_object();
    KnStatus status = kn_key_make(host, &error);
    pthread_mutex_lock(&session->lock);
    if (status == KN_OK && session->owners)
        status = kn_fail(&error, KN_NO, "the seats of this board have owners already");
    for (int role = 0; role < session->cached->game->roles && status == KN_OK; role++) {
        char key[KN_KEY_SIZE];
        if (!session->seats[role] || strcmp(session->seats[role], KN_SEAT_HUMAN) != 0) continue;
        const char *name = session->cached->game->role_names[role];
        status = kn_key_make(key, &error);
        if (status == KN_OK) status = kn_session_give_seat(session, role, name, key, host, &error);
        if (status == KN_OK) json_object_set_new(keys, name, json_string(key));
    }
    pthread_mutex_unlock(&session->lock);
    kn_session_release(session);
    if (status == KN_OK)
        kn_reply_json(reply, 200, json_pack("{ss so}", "host", host, "seats", keys));
    else {
        json_decref(keys);
        kn_reply_fail(reply, &error, NULL);
    }
}

/* ---- rooms ---- */

static void open_room(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *title, *game;
    KnCachedGame *cached = NULL;
    KnError error;
    if (!kn_call_text(call, "title", false, KN_ROOM_NAME, &title, reply) ||
        !kn_call_text(call, "game", true, 4000, &game, reply))
        return;
    if (title && !kn_room_name_good(title)) {
        kn_reply_error(reply, 422, "title", "a title has 1 to %d letters", KN_ROOM_NAME);
        return;
    }
    if (kn_player_cache_game(web->cache, game, &cached, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "game");
        return;
    }
    int people = cached->game->roles - (cached->game->nature >= 0);
    kn_player_cache_release_game(web->cache, cached);
    if (people != 2) {
        kn_reply_error(reply, 422, "game", "a classroom plays games for two");
        return;
    }
    char code[KN_ROOM_CODE];
    json_t *room = NULL;
    pthread_mutex_lock(&web->rooms);
    KnStatus status = kn_room_new(web, title ? title : "Classroom", game, code, &room, &error);
    pthread_mutex_unlock(&web->rooms);
    if (status == KN_OK) {
        const char *key = json_string_value(json_object_get(room, "teacher"));
        json_t *view = kn_room_view(web, code, room, key, false);
        json_object_set_new(view, "key", json_string(key));
        kn_reply_json(reply, 201, view);
    } else
        kn_reply_fail(reply, &error, NULL);
    json_decref(room);
}

static void show_room(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    json_t *room = NULL;
    KnError error;
    const char *whole = kn_http_argument(call->request, "boards");
    if (kn_room_read(web, call->words[0], &room, &error) != KN_OK) {
        kn_reply_error(reply, error.status == KN_INPUT ? 404 : 503, NULL, "%s", error.text);
        return;
    }
    kn_reply_json(reply, 200,
                  kn_room_view(web, call->words[0], room, kn_http_argument(call->request, "key"),
                               whole && strcmp(whole, "0") != 0));
    json_decref(room);
}

/* One change of a room. `change` gets the room, the caller's key, member (NULL for none) and whether it is
 * the teacher; it changes the room and may fill the answer, {}. */
typedef struct Change {
    KnWeb *web;
    const KnCall *call;
    json_t *room, *member, *answer;
    const char *key;
    bool teacher;
    const char *field; /* for the reply, on failure */
    json_t *outcome;   /* of a tournament */
} Change;

typedef KnStatus ChangeFunction(Change *change, KnHttpReply *reply, KnError *error);

/* Reads the room, changes it and saves it, all under its lock, and replies with the room and the answer. A
 * function that has written an error into the reply returns KN_OK. */
static void change_room(KnWeb *web, const KnCall *call, ChangeFunction *function, bool needs_teacher,
                        json_t *outcome, KnHttpReply *reply)
{
    Change change = {.web = web, .call = call, .outcome = outcome};
    KnError error;
    if (!kn_call_text(call, "key", false, 100, &change.key, reply)) return;
    pthread_mutex_lock(&web->rooms);
    KnStatus status = kn_room_read(web, call->words[0], &change.room, &error);
    if (status == KN_OK) {
        change.teacher = kn_room_is_teacher(change.room, change.key);
        change.member = kn_room_member(change.room, change.key);
        change.answer = json_object();
        if (needs_teacher && !change.teacher)
            kn_reply_error(reply, 403, "key", "only who opened the room may do this");
        else if ((status = function(&change, reply, &error)) == KN_OK && reply->status == 200)
            status = kn_room_save(web, call->words[0], change.room, &error);
    } else if (error.status == KN_INPUT)
        kn_reply_error(reply, 404, NULL, "%s", error.text);
    pthread_mutex_unlock(&web->rooms);
    if (reply->status == 200 && status == KN_OK) {
        kn_room_publish(web, call->words[0]);
        json_t *view = kn_room_view(web, call->words[0], change.room,
                                    json_string_value(json_object_get(change.answer, "key"))
                                        ? json_string_value(json_object_get(change.answer, "key"))
                                        : change.key,
                                    false);
        json_object_update(view, change.answer);
        kn_reply_json(reply, 200, view);
    } else if (reply->status == 200)
        kn_reply_fail(reply, &error, change.field);
    json_decref(change.answer);
    json_decref(change.room);
}

/* False, with the reply written, if the key is no student's. */
static bool is_member(const Change *change, KnHttpReply *reply)
{
    if (!change->member) kn_reply_error(reply, 403, "key", "join the room first");
    return change->member != NULL;
}

static KnStatus do_join(Change *change, KnHttpReply *reply, KnError *error)
{
    const char *name;
    char key[KN_KEY_SIZE];
    json_t *members = json_object_get(change->room, "members");
    change->field = "name";
    if (!kn_call_text(change->call, "name", true, KN_ROOM_NAME, &name, reply)) return KN_OK;
    if (!kn_room_name_good(name)) return kn_fail(error, KN_INPUT, "a name has 1 to %d letters", KN_ROOM_NAME);
    if (kn_room_member_named(change->room, name))
        return kn_fail(error, KN_NO, "there is a %s in this room already; choose another name", name);
    if (json_array_size(members) >= KN_ROOM_MEMBERS)
        return kn_fail(error, KN_STOPPED, "the room is full: %d people", KN_ROOM_MEMBERS);
    KnStatus status = kn_key_make(key, error);
    if (status != KN_OK) return status;
    json_array_append_new(members, json_pack("{ss ss}", "name", name, "key", key));
    json_object_set_new(change->answer, "key", json_string(key));
    return KN_OK;
}

static KnStatus do_board(Change *change, KnHttpReply *reply, KnError *error)
{
    const char *engine;
    char id[KN_SESSION_ID];
    if (!is_member(change, reply) || !kn_call_text(change->call, "engine", false, 4000, &engine, reply))
        return KN_OK;
    KnStatus status = kn_room_open_board(change->web, change->room,
                                         json_string_value(json_object_get(change->member, "name")), NULL,
                                         engine, id, &change->field, error);
    if (status == KN_OK) json_object_set_new(change->answer, "board", json_string(id));
    return status;
}

static KnStatus do_sit(Change *change, KnHttpReply *reply, KnError *error)
{
    const char *board;
    if (!is_member(change, reply) || !kn_call_text(change->call, "board", true, 40, &board, reply))
        return KN_OK;
    change->field = "board";
    KnStatus status = kn_room_sit(change->web, change->room, board,
                                  json_string_value(json_object_get(change->member, "name")), error);
    if (status == KN_OK) json_object_set_new(change->answer, "board", json_string(board));
    return status;
}

/* Whether a member plays on a board that is not over. */
static bool plays(const char *name, const json_t *views)
{
    size_t i, s;
    json_t *board, *seat;
    json_array_foreach((json_t *)(uintptr_t)views, i, board)
    {
        if (json_is_true(json_object_get(board, "over"))) continue;
        json_array_foreach(json_object_get(board, "seats"), s, seat)
        {
            const char *owner = json_string_value(json_object_get(seat, "owner"));
            if (owner && strcmp(owner, name) == 0) return true;
        }
    }
    return false;
}

/* Seats all who play nowhere in pairs, in the order in which they came; the last of an odd number waits. */
static KnStatus do_pair(Change *change, KnHttpReply *reply, KnError *error)
{
    (void)reply;
    json_t *view = kn_room_view(change->web, change->call->words[0], change->room, NULL, false), *member;
    const char *waiting = NULL;
    char id[KN_SESSION_ID];
    KnStatus status = KN_OK;
    json_int_t opened = 0;
    size_t i;
    json_array_foreach(json_object_get(change->room, "members"), i, member)
    {
        const char *name = json_string_value(json_object_get(member, "name"));
        if (status != KN_OK || plays(name, json_object_get(view, "boards"))) continue;
        if (waiting) {
            status = kn_room_open_board(change->web, change->room, waiting, name, NULL, id, &change->field,
                                        error);
            waiting = NULL;
            opened++;
        } else
            waiting = name;
    }
    json_decref(view);
    json_object_set_new(change->answer, "opened", json_integer(opened));
    return status;
}

static KnStatus do_strategy(Change *change, KnHttpReply *reply, KnError *error)
{
    (void)error;
    const json_t *chances = json_object_get(change->call->body, "chances");
    double first;
    if (!is_member(change, reply) || !kn_call_number(change->call, "first", true, 0, 1, 1, &first, reply))
        return KN_OK;
    bool good = json_array_size(chances) == 4;
    for (size_t i = 0; i < 4 && good; i++) {
        const json_t *chance = json_array_get(chances, i);
        good = json_is_number(chance) && json_number_value(chance) >= 0 && json_number_value(chance) <= 1;
    }
    if (!good) {
        kn_reply_error(reply, 400, "chances",
                       "chances: expected four numbers from 0 to 1, to cooperate after CC, CD, DC and DD");
        return KN_OK;
    }
    json_object_set_new(change->member, "strategy",
                        json_pack("{sf so}", "first", first, "chances", json_deep_copy(chances)));
    return KN_OK;
}

static KnStatus keep_outcome(Change *change, KnHttpReply *reply, KnError *error)
{
    (void)reply, (void)error;
    json_object_set(change->room, "tournament", change->outcome);
    return KN_OK;
}

/* Plays without the lock: other rooms go on meanwhile. */
static void tournament(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnRoomTournament tournament = {.web = web};
    const char *key;
    KnError error;
    if (!kn_call_text(call, "key", false, 100, &key, reply) ||
        !kn_call_number(call, "noise", false, 0, 0.5, 0, &tournament.noise, reply) ||
        !kn_call_flag(call, "classics", true, &tournament.classics, reply))
        return;
    KnStatus status = kn_room_read(web, call->words[0], &tournament.room, &error);
    if (status == KN_OK && kn_room_is_teacher(tournament.room, key))
        status = kn_call_compute(web, call, kn_room_play_tournament, &tournament, &error);
    if (status == KN_OK && tournament.status != KN_OK) {
        status = tournament.status;
        error = tournament.error;
    }
    if (status == KN_OK)
        change_room(web, call, keep_outcome, true, json_object_get(tournament.room, "tournament"), reply);
    else if (!tournament.room && status == KN_INPUT)
        kn_reply_error(reply, 404, NULL, "%s", error.text);
    else
        kn_reply_fail(reply, &error, NULL);
    json_decref(tournament.room);
}

static KnStatus do_dismiss(Change *change, KnHttpReply *reply, KnError *error)
{
    const char *name;
    json_t *members = json_object_get(change->room, "members"), *member;
    size_t i;
    change->field = "name";
    if (!kn_call_text(change->call, "name", true, KN_ROOM_NAME, &name, reply)) return KN_OK;
    json_array_foreach(members, i,
                       member) if (strcmp(json_string_value(json_object_get(member, "name")), name) == 0)
    {
        json_array_remove(members, i);
        return KN_OK;
    }
    return kn_fail(error, KN_INPUT, "there is no %s in this room", name);
}

#define CHANGE(name, teacher)                                                                                \
    static void name(KnWeb *web, const KnCall *call, KnHttpReply *reply)                                     \
    {                                                                                                        \
        change_room(web, call, do_##name, teacher, NULL, reply);                                             \
    }
CHANGE(join, false)
CHANGE(board, false)
CHANGE(sit, false)
CHANGE(strategy, false)
CHANGE(pair, true)
CHANGE(dismiss, true)

static void close_room(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *key;
    json_t *room = NULL;
    KnError error;
    if (!kn_call_text(call, "key", false, 100, &key, reply)) return;
    pthread_mutex_lock(&web->rooms);
    KnStatus status = kn_room_read(web, call->words[0], &room, &error);
    if (status == KN_OK && !kn_room_is_teacher(room, key))
        kn_reply_error(reply, 403, "key", "only who opened the room may do this");
    else if (status == KN_OK)
        status = kn_room_delete(web, call->words[0], &error);
    pthread_mutex_unlock(&web->rooms);
    json_decref(room);
    if (status != KN_OK)
        kn_reply_error(reply, error.status == KN_INPUT ? 404 : 503, NULL, "%s", error.text);
    else if (reply->status == 200) {
        kn_room_publish(web, call->words[0]);
        kn_reply_json(reply, 200, json_pack("{ss}", "closed", call->words[0]));
    }
}

static void table(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    json_t *room = NULL;
    KnError error;
    if (kn_room_read(web, call->words[0], &room, &error) != KN_OK)
        kn_reply_error(reply, error.status == KN_INPUT ? 404 : 503, NULL, "%s", error.text);
    else if (!kn_room_csv(room, &reply->text))
        kn_reply_error(reply, 404, NULL, "this room has not played a tournament yet");
    else {
        reply->type = "text/csv; charset=utf-8";
        snprintf(reply->filename, sizeof reply->filename, "tournament-%.10s.csv", call->words[0]);
    }
    json_decref(room);
}

const KnRoute kn_routes_rooms[] = {
    {"POST", "sessions/*/share", share, KN_WEB_BODY},
    {"POST", "rooms", open_room, KN_WEB_BODY},
    {"GET", "rooms/*", show_room, 0},
    {"GET", "rooms/*/tournament.csv", table, 0},
    {"POST", "rooms/*/join", join, KN_WEB_BODY},
    {"POST", "rooms/*/board", board, KN_WEB_BODY},
    {"POST", "rooms/*/sit", sit, KN_WEB_BODY},
    {"POST", "rooms/*/pair", pair, KN_WEB_BODY},
    {"POST", "rooms/*/strategy", strategy, KN_WEB_BODY},
    {"POST", "rooms/*/tournament", tournament, KN_WEB_BODY},
    {"POST", "rooms/*/dismiss", dismiss, KN_WEB_BODY},
    {"POST", "rooms/*/close", close_room, KN_WEB_BODY},
    {0},
};
