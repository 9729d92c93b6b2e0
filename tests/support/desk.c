#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/check.h"
#include "support/workbench.h"

void desk_open(Desk *desk, const char *folder, const KnWebOptions *options)
{
    KnError error;
    *desk = (Desk){.context = test_workbench(folder)};
    check_ok(error, kn_web_open(desk->context, options ? options : &(KnWebOptions){.engines = 2}, &desk->web,
                                &error));
}

static void forget(Desk *desk)
{
    json_decref(desk->json);
    free(desk->text);
    desk->json = NULL;
    desk->text = NULL;
}

void desk_close(Desk *desk)
{
    forget(desk);
    kn_web_close(desk->web);
    kn_close(desk->context);
}

int desk_ask_request(Desk *desk, const KnHttpRequest *request)
{
    KnHttpReply reply = KN_HTTP_REPLY;
    forget(desk);
    kn_web_answer(desk->web, request, &reply);
    desk->status = reply.status;
    snprintf(desk->type, sizeof desk->type, "%s", reply.type);
    desk->text = reply.bytes ? strndup(reply.bytes, reply.size) : strdup(reply.text.data);
    if (strcmp(reply.type, "application/json") == 0)
        desk->json = json_loads(desk->text, JSON_DECODE_ANY, NULL);
    if (strcmp(reply.type, "application/json") == 0 && !reply.bytes && !desk->json)
        fail_msg("no JSON: %s", desk->text);
    kn_reply_free(&reply);
    return desk->status;
}

int desk_ask(Desk *desk, const char *method, const char *path, const char *body)
{
    char *copy = strdup(path), *query = strchr(copy, '?');
    KnHttpRequest request = {.method = method,
                             .path = copy,
                             .host = "127.0.0.1:8017",
                             .body = body ? body : "",
                             .body_size = body ? strlen(body) : 0,
                             .content_type = "application/json"};
    if (query) *query++ = '\0';
    for (char *word; (word = strsep(&query, "&")) && request.argument_count < KN_HTTP_ARGUMENTS;) {
        char *name = strsep(&word, "=");
        request.arguments[request.argument_count++] = (KnHttpPair){name, word ? word : ""};
    }
    int status = desk_ask_request(desk, &request);
    free(copy);
    return status;
}

json_t *desk_at(const Desk *desk, const char *way)
{
    char *copy = strdup(way), *rest = copy;
    json_t *at = desk->json;
    for (char *word; at && (word = strsep(&rest, "/"));)
        at = json_is_array(at) ? json_array_get(at, (size_t)atol(word)) : json_object_get(at, word);
    free(copy);
    return at;
}

const char *desk_text(const Desk *desk, const char *way)
{
    const char *text = json_string_value(desk_at(desk, way));
    if (!text) fail_msg("%s is no text in %s", way, desk->text);
    return text;
}

long desk_number(const Desk *desk, const char *way)
{
    const json_t *value = desk_at(desk, way);
    if (json_is_boolean(value)) return json_is_true(value);
    if (!json_is_number(value)) fail_msg("%s is no number in %s", way, desk->text);
    return (long)json_number_value(value);
}

void desk_wait(Desk *desk, const char *path, const char *way, long wanted)
{
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(desk_ask(desk, "GET", path, NULL), 200);
        if (desk_at(desk, way) && desk_number(desk, way) == wanted) return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    fail_msg("%s never became %ld: %s", way, wanted, desk->text);
}

void desk_session(Desk *desk, const char *body, char id[32])
{
    if (desk_ask(desk, "POST", "/api/sessions", body) != 201) fail_msg("%s: %s", body, desk->text);
    snprintf(id, 32, "%s", desk_text(desk, "id"));
}
