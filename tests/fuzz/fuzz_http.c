/* Requests: the first line is METHOD PATH?QUERY, the second Host, Origin, Content-Type and Cookie separated
 * by blanks, the rest the body. In paths @0 to @3 stand for games that exist. Whatever comes in, the
 * answer has a status that fits and, outside of streams and files, is JSON that names what was wrong. */
#include "fuzz/fuzz.h"

#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <knack/base.h>
#include "web/web.h"

static KnContext *context;
static KnWeb *web;
static char ids[4][32];

static void give_up(const char *what)
{
    fprintf(stderr, "fuzz_http: %s\n", what);
    __builtin_trap();
}

/* A request with the usual headers; the status. */
static int ask(const char *method, const char *path, const char *body, KnHttpReply *reply)
{
    KnHttpRequest request = {.method = method,
                             .path = path,
                             .host = "localhost",
                             .content_type = "application/json",
                             .body = body,
                             .body_size = strlen(body)};
    kn_web_answer(web, &request, reply);
    return reply->status;
}

static void open_session(int which, const char *body)
{
    KnHttpReply reply = KN_HTTP_REPLY;
    if (ask("POST", "/api/sessions", body, &reply) != 201) give_up(reply.text.data);
    json_t *json = json_loads(reply.text.data, 0, NULL);
    snprintf(ids[which], sizeof ids[which], "%s", json_string_value(json_object_get(json, "id")));
    json_decref(json);
    kn_reply_free(&reply);
}

static char folder[] = "/tmp/knack-fuzz-XXXXXX";

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *where)
{
    (void)stat, (void)type, (void)where;
    return remove(path);
}

static void end(void)
{
    kn_web_close(web);
    kn_close(context);
    web = NULL;
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* One server for all inputs, with a folder of its own, hardly any time to think, and no program to start. */
static void begin(void)
{
    KnError error;
    if (web) return;
    if (!mkdtemp(folder)) give_up("no folder");
    if (kn_open(folder, &context, &error) != KN_OK) give_up(error.text);
    KnWebOptions options = {.engines = 1, .move_seconds = 0.01, .program = "/nowhere"};
    if (kn_web_open(context, &options, &web, &error) != KN_OK) give_up(error.text);
    open_session(0, "{\"game\": \"checkers\", \"moves\": \"11-15 22-18\"}");
    open_session(1, "{\"game\": \"dilemma(turns=20)\", \"seats\": [\"human\", \"random\"]}");
    open_session(2, "{\"game\": \"go(size=5)\", \"seats\": [\"human\", \"alphabeta(depth=2)\"]}");
    open_session(
        3, "{\"game\": \"tictactoe\", \"seats\": [\"random\", \"random\"], \"pace\": {\"paused\": true}}");
    atexit(end);
}

/* The path with @n replaced. */
static void expand(const char *path, char *out, size_t size)
{
    size_t length = 0;
    for (; *path && length + 32 < size; path++) {
        if (*path == '@' && path[1] >= '0' && path[1] <= '3')
            length += (size_t)snprintf(out + length, size - length, "%s", ids[*++path - '0']);
        else
            out[length++] = *path;
    }
    out[length] = '\0';
}

static void check(const KnHttpReply *reply)
{
    fuzz_must(reply->status >= 200 && reply->status < 600 && reply->status != 500);
    if (reply->listener || reply->bytes || strcmp(reply->type, "application/json") != 0) return;
    json_t *json = json_loads(reply->text.data, JSON_DECODE_ANY, NULL);
    fuzz_must(json);
    if (reply->status >= 400) fuzz_must(json_string_length(json_object_get(json, "error")) > 0);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    begin();
    char *text = malloc(size + 1), path[4096], empty[] = "";
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    char *rest = text, *line = strsep(&rest, "\n"), *headers = rest ? strsep(&rest, "\n") : empty;
    KnHttpRequest request = {.body = rest ? rest : empty,
                             .body_size = rest ? size - (size_t)(rest - text) : 0};
    char *method = strsep(&line, " "), *target = line ? strsep(&line, " ") : empty;
    char *query = strchr(target, '?');
    if (query) *query++ = '\0';
    for (char *word; query && (word = strsep(&query, "&")) && request.argument_count < KN_HTTP_ARGUMENTS;) {
        char *name = strsep(&word, "=");
        static char value[64];
        if (word && *word == '@') expand(word, value, sizeof value);
        request.arguments[request.argument_count++] = (KnHttpPair){name,
                                                                   word ? (*word == '@' ? value : word) : ""};
    }
    expand(target, path, sizeof path);
    request.method = method;
    request.path = path;
    request.host = strsep(&headers, " ");
    request.origin = headers ? strsep(&headers, " ") : NULL;
    request.content_type = headers ? strsep(&headers, " ") : NULL;
    request.cookie = headers;
    if (request.origin && strcmp(request.origin, "-") == 0) request.origin = NULL;
    KnHttpReply reply = KN_HTTP_REPLY;
    kn_web_answer(web, &request, &reply);
    check(&reply);
    kn_reply_free(&reply);
    free(text);
    return 0;
}
