/* What the browser's worker calls. */
#include "site/site.h"

#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

#include "base/json.h"
#include "web/state.h"
#include "web/worker_processes.h"

enum { STREAMS = 64 };

/* The one instance of a worker; JavaScript cannot hold a pointer better than this file can. */
static struct {
    KnContext *context;
    KnWeb *web;
    KnText said;
    KnListener *streams[STREAMS];
} site = {.said = {(char *)"", 0, 0, false}};

EMSCRIPTEN_KEEPALIVE const char *kn_site_open(const char *data)
{
    static KnError error;
    setenv("KNACK_JOBS", "1", 1);
    KnStatus status = kn_open(data, &site.context, &error);
    if (status == KN_OK)
        status = kn_web_open(site.context, &(KnWebOptions){.engines = 1, .without_threads = true}, &site.web,
                             &error);
    return status == KN_OK ? "" : error.text;
}

static void read_arguments(const json_t *query, KnHttpRequest *request)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)query, name, value)
    {
        if (request->argument_count == KN_HTTP_ARGUMENTS || !json_is_string(value)) return;
        request->arguments[request->argument_count++] = (KnHttpPair){name, json_string_value(value)};
    }
}

static int keep_stream(KnListener *listener)
{
    for (int i = 0; i < STREAMS; i++)
        if (!site.streams[i]) {
            site.streams[i] = listener;
            return i;
        }
    return -1;
}

static json_t *reply_json(KnHttpReply *reply)
{
    const char *text = reply->bytes ? reply->bytes : reply->text.data;
    size_t size = reply->bytes ? reply->size : reply->text.length;
    json_t *row = json_pack("{si ss ss% ss}", "status", reply->status, "type", reply->type, "text", text,
                            size, "filename", reply->filename);
    if (reply->listener) {
        int stream = keep_stream(reply->listener);
        json_object_set_new(row, "stream", json_integer(stream));
        if (stream >= 0) reply->listener = NULL; /* the site's now */
    }
    return row;
}

EMSCRIPTEN_KEEPALIVE const char *kn_site_answer(const char *words)
{
    json_t *asked = json_loads(words, 0, NULL);
    const char *body = json_string_value(json_object_get(asked, "body")),
               *method = json_string_value(json_object_get(asked, "method")),
               *path = json_string_value(json_object_get(asked, "path"));
    KnHttpRequest request = {.method = method ? method : "GET",
                             .path = path ? path : "/",
                             .body = body,
                             .body_size = body ? strlen(body) : 0,
                             .host = "localhost",
                             .content_type = "application/json"};
    read_arguments(json_object_get(asked, "query"), &request);
    KnHttpReply reply = KN_HTTP_REPLY;
    kn_web_answer(site.web, &request, &reply);
    json_t *row = reply_json(&reply);
    char *text = row ? json_dumps(row, JSON_COMPACT) : NULL;
    kn_text_clear(&site.said);
    kn_text_add(&site.said, text ? text : "{\"status\":500,\"type\":\"application/json\",\"text\":\"{}\"}");
    free(text);
    json_decref(row);
    json_decref(asked);
    kn_reply_free(&reply);
    return site.said.data;
}

EMSCRIPTEN_KEEPALIVE const char *kn_site_events(int stream)
{
    kn_text_clear(&site.said);
    KnListener *listener = stream >= 0 && stream < STREAMS ? site.streams[stream] : NULL;
    if (listener && kn_listener_has_events(listener)) kn_listener_read(listener, &site.said, 0);
    return site.said.data;
}

EMSCRIPTEN_KEEPALIVE void kn_site_close_stream(int stream)
{
    if (stream < 0 || stream >= STREAMS) return;
    kn_listener_close(site.streams[stream]);
    site.streams[stream] = NULL;
}

EMSCRIPTEN_KEEPALIVE double kn_site_step(void)
{
    double moves = kn_thread_pool_step(site.web->engines);
    if (moves == 0) return 0;
    double analyses = kn_thread_pool_step(site.web->analysts);
    if (analyses == 0) return 0;
    return moves < 0 ? analyses : analyses < 0 || moves < analyses ? moves : analyses;
}

EMSCRIPTEN_KEEPALIVE int kn_site_poll(void) { return kn_runs_poll(site.web->runs); }
