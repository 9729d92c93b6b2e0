/* A classroom: a code that is written on the board, a teacher, students by name, their games, and the
 * strategies that they enter in a tournament of the repeated prisoner's dilemma.
 *
 * A room is one saved document (persistence.h): {"title", "game", "teacher": key, "members": [{"name", "key",
 * "strategy"?}], "boards": [session ids], "tournament"?}. Every change reads it, changes it and saves it
 * under the lock `rooms` of KnWeb, which is taken before a session's. Keys are as in owners.h: one for the
 * teacher, one for each student, and a student's key is also the key of the seats that he or she takes.
 *
 * Ownership: documents are new references. */
#ifndef KNACK_WEB_ROOM_H
#define KNACK_WEB_ROOM_H

#include "web/owners.h"

enum {
    KN_ROOMS = 200,       /* on one server */
    KN_ROOM_MEMBERS = 60, /* in a room */
    KN_ROOM_BOARDS = 120, /* likewise; the oldest is let go */
    KN_ROOM_NAME = 40,    /* bytes of a name */
    KN_ROOM_CODE = 6      /* with its terminator */
};

/* Makes a room; KN_STOPPED if there are too many. */
KnStatus kn_room_new(KnWeb *web, const char *title, const char *game, char code[KN_ROOM_CODE], json_t **room,
                     KnError *error);

/* The room of a code, in capitals or not; KN_INPUT if there is none. */
KnStatus kn_room_read(KnWeb *web, const char *code, json_t **room, KnError *error);
KnStatus kn_room_save(KnWeb *web, const char *code, const json_t *room, KnError *error);

KnStatus kn_room_delete(KnWeb *web, const char *code, KnError *error);

/* Whether a name may be shown to everybody: 1 to KN_ROOM_NAME bytes of UTF-8 without control characters, and
 * not only blanks. */
bool kn_room_name_good(const char *name);

/* The member of a key; NULL if there is none. Borrowed. */
json_t *kn_room_member(const json_t *room, const char *key);
json_t *kn_room_member_named(const json_t *room, const char *name);
bool kn_room_is_teacher(const json_t *room, const char *key);

/* Opens a board for members, by name: a NULL name leaves the seat free, and with `engine` the second seat is
 * that player's. The new session's id goes to the room's boards. */
KnStatus kn_room_open_board(KnWeb *web, json_t *room, const char *first, const char *second,
                            const char *engine, char id[KN_SESSION_ID], const char **field, KnError *error);

/* Seats a member at the free seat of a board of the room. */
KnStatus kn_room_sit(KnWeb *web, json_t *room, const char *id, const char *name, KnError *error);

/* What everybody may see; with `whole` each board as a session. */
json_t *kn_room_view(KnWeb *web, const char *code, const json_t *room, const char *key, bool whole);

/* Tells those who look at a room that it has changed; they ask for it again. */
enum { KN_ROOM_SUBJECT = KN_ROOM_CODE + 8 };
void kn_room_subject(const char *code, char subject[KN_ROOM_SUBJECT]);
void kn_room_publish(KnWeb *web, const char *code);

/* Plays the tournament of the entered strategies; room["tournament"] becomes its outcome. */
typedef struct KnRoomTournament {
    KnWeb *web;
    json_t *room;
    double noise;
    bool classics; /* the strategies of Axelrod's first tournament that everybody knows take part */
    KnStatus status;
    KnError error;
} KnRoomTournament;
void kn_room_play_tournament(void *tournament);

/* The tournament as CSV; false if there is none. */
bool kn_room_csv(const json_t *room, KnText *out);

#endif
