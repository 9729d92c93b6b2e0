/* A server without sockets at hand, and what its answers say. */
#ifndef KNACK_TESTS_DESK_H
#define KNACK_TESTS_DESK_H

#include <jansson.h>

#include "web/web.h"

typedef struct Desk {
    KnContext *context;
    KnWeb *web;
    int status;   /* of the last answer */
    json_t *json; /* its body, NULL if it is no JSON */
    char *text;   /* its body */
    char type[64];
} Desk;

/* Data lives in `folder` below the test's working folder. `options` may be NULL. */
void desk_open(Desk *desk, const char *folder, const KnWebOptions *options);
void desk_close(Desk *desk);

/* Asks; "path?a=b" splits off the query. Returns the status. */
int desk_ask(Desk *desk, const char *method, const char *path, const char *body);
int desk_ask_request(Desk *desk, const KnHttpRequest *request);

/* A value of the last answer by a way such as "history/0/text". */
json_t *desk_at(const Desk *desk, const char *way);
const char *desk_text(const Desk *desk, const char *way); /* fails the test if it is no text */
long desk_number(const Desk *desk, const char *way);

/* Asks again and again (GET) until the value at `way` is this whole number, for 20 s at most. */
void desk_wait(Desk *desk, const char *path, const char *way, long wanted);

/* The id of a new game. */
void desk_session(Desk *desk, const char *body, char id[32]);

#endif
