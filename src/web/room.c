#include "web/room.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* ---- reading and writing ---- */

static void capitals(const char *text, char code[KN_ROOM_CODE])
{
    size_t i = 0;
    for (; text[i] && i < KN_ROOM_CODE - 1; i++) code[i] = (char)toupper((unsigned char)text[i]);
    code[i] = '\0';
}

static bool is_code(const char *text)
{
    size_t length = strlen(text);
    if (length != KN_ROOM_CODE - 1) return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text)) return false;
    return true;
}

KnStatus kn_room_read(KnWeb *web, const char *text, json_t **room, KnError *error)
{
    char code[KN_ROOM_CODE] = "";
    *room = NULL;
    if (is_code(text)) {
        capitals(text, code);
        KnStatus status = kn_persistence_get(web->persistence, KN_SAVED_ROOM, code, room, error);
        if (status != KN_OK) return status;
    }
    return *room ? KN_OK
                 : kn_fail(error, KN_INPUT, "there is no room %.20s here; ask who opened it for its code",
                           text);
}

KnStatus kn_room_save(KnWeb *web, const char *text, const json_t *room, KnError *error)
{
    char code[KN_ROOM_CODE];
    capitals(text, code);
    return kn_persistence_put(web->persistence, KN_SAVED_ROOM, code, room, error);
}

KnStatus kn_room_delete(KnWeb *web, const char *text, KnError *error)
{
    char code[KN_ROOM_CODE];
    capitals(text, code);
    return kn_persistence_delete(web->persistence, KN_SAVED_ROOM, code, error);
}

static KnStatus make_code(KnWeb *web, char code[KN_ROOM_CODE], KnError *error)
{
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    for (;;) {
        unsigned char bytes[KN_ROOM_CODE - 1];
        json_t *there = NULL;
        if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
            return kn_fail_errno(error, "no random numbers for a code");
        for (size_t i = 0; i < sizeof bytes; i++) code[i] = letters[bytes[i] % 32];
        code[sizeof bytes] = '\0';
        KnStatus status = kn_persistence_get(web->persistence, KN_SAVED_ROOM, code, &there, error);
        json_decref(there);
        if (status != KN_OK || !there) return status;
    }
}

KnStatus kn_room_new(KnWeb *web, const char *title, const char *game, char code[KN_ROOM_CODE], json_t **room,
                     KnError *error)
{
    json_t *rooms = NULL;
    char key[KN_KEY_SIZE];
    *room = NULL;
    KnStatus status = kn_persistence_list(web->persistence, KN_SAVED_ROOM, KN_ROOMS, &rooms, error);
    if (status == KN_OK && json_array_size(rooms) >= KN_ROOMS)
        status = kn_fail(error, KN_STOPPED,
                         "there are %d rooms, which is the limit of this server; close one", KN_ROOMS);
    json_decref(rooms);
    if (status == KN_OK) status = make_code(web, code, error);
    if (status == KN_OK) status = kn_key_make(key, error);
    if (status != KN_OK) return status;
    *room = json_pack("{ss ss ss s[] s[]}", "title", title, "game", game, "teacher", key, "members",
                      "boards");
    return *room ? kn_room_save(web, code, *room, error) : kn_fail_memory(error, "opening a room");
}

/* ---- who is who ---- */

bool kn_room_name_good(const char *name)
{
    size_t length = strlen(name);
    bool some = false;
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) return false;
        some |= *c != ' ';
    }
    return some && length <= KN_ROOM_NAME;
}

json_t *kn_room_member(const json_t *room, const char *key)
{
    size_t i;
    json_t *member, *found = NULL;
    json_array_foreach(json_object_get(room, "members"), i,
                       member) if (kn_key_fits(json_string_value(json_object_get(member, "key")), key))
        found = member;
    return found;
}

json_t *kn_room_member_named(const json_t *room, const char *name)
{
    size_t i;
    json_t *member;
    json_array_foreach(json_object_get(room, "members"), i,
                       member) if (strcmp(json_string_value(json_object_get(member, "name")), name) ==
                                   0) return member;
    return NULL;
}

bool kn_room_is_teacher(const json_t *room, const char *key)
{
    return kn_key_fits(json_string_value(json_object_get(room, "teacher")), key);
}

/* ---- boards ---- */

static KnStatus give_seat(KnSession *session, const json_t *room, int role, const char *name, KnError *error)
{
    const json_t *member = kn_room_member_named(room, name);
    if (!member) return kn_fail(error, KN_INPUT, "there is no %s in this room", name);
    pthread_mutex_lock(&session->lock);
    KnStatus status = kn_session_give_seat(session, role, name,
                                           json_string_value(json_object_get(member, "key")),
                                           json_string_value(json_object_get(room, "teacher")), error);
    pthread_mutex_unlock(&session->lock);
    return status;
}

/* The seats of a game that people can take: the roles except nature. */
static int seat_of(const KnSession *session, int place)
{
    const KnGame *game = session->cached->game;
    for (int role = 0; role < game->roles; role++)
        if (role != game->nature && place-- == 0) return role;
    return -1;
}

KnStatus kn_room_open_board(KnWeb *web, json_t *room, const char *first, const char *second,
                            const char *engine, char id[KN_SESSION_ID], const char **field, KnError *error)
{
    KnSession *session;
    json_t *boards = json_object_get(room, "boards");
    KnSessionPlan plan = {.game = json_string_value(json_object_get(room, "game")),
                          .seats = {KN_SEAT_HUMAN, engine ? engine : KN_SEAT_HUMAN},
                          .seat_count = 2,
                          .delay = -1};
    if (getrandom(&plan.seed, sizeof plan.seed, 0) < 0) plan.seed = 1;
    plan.seed >>= 12;
    KnStatus status = kn_session_new(web, &plan, field, &session, error);
    if (status != KN_OK) return status;
    snprintf(id, KN_SESSION_ID, "%s", session->id);
    if (first) status = give_seat(session, room, seat_of(session, 0), first, error);
    if (status == KN_OK && second) status = give_seat(session, room, seat_of(session, 1), second, error);
    kn_session_release(session);
    if (status != KN_OK) return status;
    if (json_array_size(boards) >= KN_ROOM_BOARDS) json_array_remove(boards, 0);
    json_array_append_new(boards, json_string(id));
    return KN_OK;
}

static bool has_board(const json_t *room, const char *id)
{
    size_t i;
    json_t *board;
    json_array_foreach(json_object_get(room, "boards"), i,
                       board) if (strcmp(json_string_value(board), id) == 0) return true;
    return false;
}

KnStatus kn_room_sit(KnWeb *web, json_t *room, const char *id, const char *name, KnError *error)
{
    KnSession *session = NULL;
    KnStatus status = has_board(room, id) ? kn_session_find(web, id, &session, error) : KN_OK;
    if (status != KN_OK) return status;
    if (!session) return kn_fail(error, KN_INPUT, "this room has no board %.20s", id);
    int free_seat = -1;
    pthread_mutex_lock(&session->lock);
    for (int role = session->cached->game->roles - 1; role >= 0; role--)
        if (session->seats[role] && strcmp(session->seats[role], KN_SEAT_HUMAN) == 0 &&
            !kn_session_owner(session, role))
            free_seat = role;
    pthread_mutex_unlock(&session->lock);
    status = free_seat < 0 ? kn_fail(error, KN_NO, "this board has no free seat")
                           : give_seat(session, room, free_seat, name, error);
    kn_session_release(session);
    return status;
}

/* ---- what everybody sees ---- */

void kn_room_subject(const char *code, char subject[KN_ROOM_SUBJECT])
{
    char shown[KN_ROOM_CODE];
    capitals(code, shown);
    snprintf(subject, KN_ROOM_SUBJECT, "room %s", shown);
}

void kn_room_publish(KnWeb *web, const char *code)
{
    char subject[KN_ROOM_SUBJECT];
    kn_room_subject(code, subject);
    json_t *news = json_pack("{ss}", "room", subject + strlen("room "));
    if (news) kn_events_publish(web->events, subject, 0, "room", "", 0, news);
    json_decref(news);
}

static json_t *board_view(KnWeb *web, const char *code, const char *id, bool whole)
{
    KnSession *session = NULL;
    KnError error;
    if (kn_session_find(web, id, &session, &error) != KN_OK || !session) return NULL;
    pthread_mutex_lock(&session->lock);
    snprintf(session->room, sizeof session->room, "%s", code);
    json_t *row = kn_session_view(session, -1);
    pthread_mutex_unlock(&session->lock);
    kn_session_release(session);
    if (!whole)
        for (const char *const *name = (const char *const[]){"legal", "history", "scores", "cells", NULL};
             *name; name++)
            json_object_del(row, *name);
    return row;
}

json_t *kn_room_view(KnWeb *web, const char *code, const json_t *room, const char *key, bool whole)
{
    json_t *members = json_array(), *boards = json_array(), *one, *view;
    size_t i;
    char shown[KN_ROOM_CODE];
    capitals(code, shown);
    json_array_foreach(json_object_get(room, "members"), i, one)
        json_array_append_new(members, json_pack("{sO sb}", "name", json_object_get(one, "name"), "entered",
                                                 json_object_get(one, "strategy") != NULL));
    json_array_foreach(json_object_get(room, "boards"), i, one)
    {
        json_t *board = board_view(web, shown, json_string_value(one), whole);
        if (board) json_array_append_new(boards, board);
    }
    view = json_pack("{ss sO sO so so}", "code", shown, "title", json_object_get(room, "title"), "game",
                     json_object_get(room, "game"), "members", members, "boards", boards);
    json_object_set(view, "tournament", json_object_get(room, "tournament"));
    const json_t *member = kn_room_member(room, key);
    if (member)
        json_object_set_new(view, "you",
                            json_pack("{sO sO*}", "name", json_object_get(member, "name"), "strategy",
                                      json_object_get(member, "strategy")));
    json_object_set_new(view, "teacher", json_boolean(kn_room_is_teacher(room, key)));
    return view;
}
