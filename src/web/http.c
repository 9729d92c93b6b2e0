#include "web/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void kn_reply_free(KnHttpReply *reply)
{
    kn_text_free(&reply->text);
    kn_listener_close(reply->listener);
    *reply = KN_HTTP_REPLY;
}

const char *kn_http_argument(const KnHttpRequest *request, const char *name)
{
    for (int i = 0; i < request->argument_count; i++)
        if (strcmp(request->arguments[i].name, name) == 0) return request->arguments[i].value;
    return NULL;
}

bool kn_http_cookie(const KnHttpRequest *request, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    for (const char *at = request->cookie; at && *at;) {
        at += strspn(at, "; ");
        size_t pair = strcspn(at, ";");
        if (pair > length && strncmp(at, name, length) == 0 && at[length] == '=' &&
            pair - length - 1 < size) {
            snprintf(value, size, "%.*s", (int)(pair - length - 1), at + length + 1);
            return true;
        }
        at += pair;
    }
    return false;
}

static int add_piece(const char *bytes, size_t size, void *user)
{
    kn_text_add_bytes(user, bytes, size);
    return kn_text_ok(user) ? 0 : -1;
}

void kn_reply_json(KnHttpReply *reply, int status, json_t *document)
{
    kn_text_clear(&reply->text);
    reply->bytes = NULL;
    reply->type = "application/json";
    reply->status = status;
    if (!document || json_dump_callback(document, add_piece, &reply->text,
                                        JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12)) != 0) {
        reply->status = 500;
        kn_text_clear(&reply->text);
        kn_text_add(&reply->text, "{\"error\":\"The server ran out of memory; try again.\"}");
    }
    json_decref(document);
}

void kn_reply_error(KnHttpReply *reply, int status, const char *field, const char *format, ...)
{
    char sentence[KN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    /* The message may quote input that is cut off or not UTF-8, which JSON cannot hold. */
    json_t *text = json_string(sentence);
    if (!text) {
        for (char *c = sentence; *c; c++)
            if (*c & 0x80) *c = '?';
        text = json_string(sentence);
    }
    json_t *document = json_pack("{so}", "error", text);
    if (field) json_object_set_new(document, "field", json_string(field));
    kn_reply_json(reply, status, document);
    if (status == 429 || status == 503) reply->retry_after = KN_RETRY_SECONDS;
}

void kn_reply_fail(KnHttpReply *reply, const KnError *error, const char *field)
{
    static const int statuses[] = {
        [KN_OK] = 500,     [KN_NO] = 409,      [KN_USAGE] = 400,   [KN_INPUT] = 422,
        [KN_SYSTEM] = 503, [KN_STOPPED] = 429, [KN_FORFEIT] = 503, [KN_RESIGNS] = 503};
    KN_ASSERT(error->status > KN_OK && (size_t)error->status < sizeof statuses / sizeof *statuses);
    int status = statuses[error->status];
    kn_reply_error(reply, status, field, "%s", error->text);
}
