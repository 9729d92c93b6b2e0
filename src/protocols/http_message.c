#include "protocols/http_message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the next byte belongs to. */
enum { HEAD, BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, DONE };

enum { LINE = 1 << 12 }; /* bytes of a chunk's first line or of a trailer */

KnHttpMessage kn_http_message(KnHttpMessageKind kind, size_t limit)
{
    return (KnHttpMessage){.kind = kind,
                           .limit = limit,
                           .head = KN_TEXT_EMPTY,
                           .body = KN_TEXT_EMPTY,
                           .line = KN_TEXT_EMPTY,
                           .phase = HEAD};
}

void kn_http_message_free(KnHttpMessage *message)
{
    kn_text_free(&message->head);
    kn_text_free(&message->body);
    kn_text_free(&message->line);
    *message = kn_http_message(message->kind, message->limit);
}

/* ---- The head ---- */

bool kn_http_message_header(const KnHttpMessage *message, const char *name, char *value, size_t room)
{
    size_t length = strlen(name);
    value[0] = '\0';
    const char *line = strchr(message->head.data, '\n'); /* the first line is none */
    for (; line && line[1]; line = strchr(line + 1, '\n')) {
        const char *at = line + 1;
        if (strncasecmp(at, name, length) != 0 || at[length] != ':') continue;
        at += length + 1;
        at += strspn(at, " \t");
        size_t size = strcspn(at, "\r\n");
        while (size && (at[size - 1] == ' ' || at[size - 1] == '\t')) size--;
        snprintf(value, room, "%.*s", (int)size, at);
        return true;
    }
    return false;
}

static KnStatus bad(KnError *error, const char *what)
{
    return kn_fail(error, KN_INPUT, "no proper HTTP message: %s", what);
}

static KnStatus too_long(const KnHttpMessage *message, KnError *error)
{
    return kn_fail(error, KN_INPUT, "the message is longer than the %zu bytes that are taken here",
                   message->limit);
}

static KnStatus read_first_line(KnHttpMessage *message, KnError *error)
{
    const char *line = message->head.data;
    if (message->kind == KN_HTTP_RESPONSE) {
        if (sscanf(line, "HTTP/1.%1d %3d", &message->minor, &message->status) == 2) return KN_OK;
        return bad(error, "a response begins with HTTP/1.1 and a status");
    }
    size_t method = strcspn(line, " \r\n"), length = strcspn(line, "\r\n");
    if (!method || method >= sizeof message->method || line[method] != ' ')
        return bad(error, "a request begins with a method and a path");
    for (size_t i = 0; i < method; i++)
        if (!isalpha((unsigned char)line[i])) return bad(error, "a request begins with a method and a path");
    memcpy(message->method, line, method);
    message->method[method] = '\0';
    if (length < 10 || strncmp(line + length - 8, "HTTP/1.", 7) != 0 ||
        !isdigit((unsigned char)line[length - 1]))
        return bad(error, "the first line of a request ends in HTTP/1.0 or HTTP/1.1");
    message->minor = line[length - 1] - '0';
    return KN_OK;
}

/* How long the body will be. */
static KnStatus read_framing(KnHttpMessage *message, KnError *error)
{
    char value[64];
    if (kn_http_message_header(message, "Transfer-Encoding", value, sizeof value)) {
        if (strcasecmp(value, "chunked") != 0)
            return bad(error, "the only transfer encoding known here is chunked");
        message->phase = CHUNK_SIZE;
        return KN_OK;
    }
    message->phase = BODY;
    if (!kn_http_message_header(message, "Content-Length", value, sizeof value)) {
        bool bare = message->kind == KN_HTTP_REQUEST && strcmp(message->method, "POST") != 0 &&
                    strcmp(message->method, "PUT") != 0;
        message->whole = bare;
        message->open_ended = !bare;
        message->left = message->limit + 1;
        return KN_OK;
    }
    size_t digits = strspn(value, "0123456789");
    if (!digits || value[digits]) return bad(error, "the content length is no number");
    if (digits > 12 || strtoull(value, NULL, 10) > message->limit) return too_long(message, error);
    message->left = (size_t)strtoull(value, NULL, 10);
    message->whole = message->left == 0;
    return KN_OK;
}

/* Takes bytes up to the empty line. */
static KnStatus feed_head(KnHttpMessage *message, const char *bytes, size_t size, size_t *used,
                          KnError *error)
{
    for (size_t i = 0; i < size; i++) {
        if (!bytes[i]) return bad(error, "a zero byte in its head");
        if (!message->head.length && (bytes[i] == '\r' || bytes[i] == '\n'))
            continue; /* left over from a message before */
        kn_text_add_char(&message->head, bytes[i]);
        if (message->head.length > KN_HTTP_HEAD) return bad(error, "its head is longer than 64 KiB");
        if (bytes[i] != '\n') continue;
        const char *end = message->head.data + message->head.length;
        bool empty = message->head.length >= 2 &&
                     (end[-2] == '\n' || (message->head.length >= 3 && end[-2] == '\r' && end[-3] == '\n'));
        if (!empty) continue;
        *used = i + 1;
        message->has_head = true;
        KnStatus status = read_first_line(message, error);
        return status == KN_OK ? read_framing(message, error) : status;
    }
    *used = size;
    return KN_OK;
}

/* ---- The body ---- */

static KnStatus feed_body(KnHttpMessage *message, const char *bytes, size_t size, size_t *used,
                          KnError *error)
{
    size_t take = size < message->left ? size : message->left;
    *used = take;
    if (message->body.length + take > message->limit) return too_long(message, error);
    kn_text_add_bytes(&message->body, bytes, take);
    message->left -= take;
    if (message->left) return KN_OK;
    if (message->phase == BODY)
        message->whole = true;
    else
        message->phase = CHUNK_END;
    return KN_OK;
}

static KnStatus end_line(KnHttpMessage *message, KnError *error)
{
    const char *line = message->line.data;
    size_t length = strcspn(line, "\r");
    if (message->phase == CHUNK_END) {
        if (length) return bad(error, "a chunk is longer than it says");
        message->phase = CHUNK_SIZE;
    } else if (message->phase == TRAILER) {
        message->whole = length == 0;
    } else {
        size_t digits = strspn(line, "0123456789abcdefABCDEF");
        if (!digits) return bad(error, "the size of a chunk is no number");
        if (digits > 10 || strtoull(line, NULL, 16) > message->limit) return too_long(message, error);
        message->left = (size_t)strtoull(line, NULL, 16);
        message->phase = message->left ? CHUNK : TRAILER;
    }
    kn_text_clear(&message->line);
    return KN_OK;
}

static KnStatus feed_line(KnHttpMessage *message, const char *bytes, size_t size, size_t *used,
                          KnError *error)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            *used = i + 1;
            return end_line(message, error);
        }
        if (!bytes[i] || message->line.length > LINE) return bad(error, "its chunks make no sense");
        kn_text_add_char(&message->line, bytes[i]);
    }
    *used = size;
    return KN_OK;
}

KnStatus kn_http_message_feed(KnHttpMessage *message, const void *bytes, size_t size, KnError *error)
{
    const char *at = bytes;
    KnStatus status = KN_OK;
    while (size && !message->whole && status == KN_OK) {
        size_t used = 0;
        if (message->phase == HEAD)
            status = feed_head(message, at, size, &used, error);
        else if (message->phase == BODY || message->phase == CHUNK)
            status = feed_body(message, at, size, &used, error);
        else
            status = feed_line(message, at, size, &used, error);
        at += used;
        size -= used;
    }
    if (!kn_text_ok(&message->head) || !kn_text_ok(&message->body) || !kn_text_ok(&message->line))
        return kn_fail_memory(error, "reading a message");
    return status;
}

KnStatus kn_http_message_end(KnHttpMessage *message, KnError *error)
{
    if (message->whole) return KN_OK;
    if (!message->open_ended)
        return kn_fail(error, KN_INPUT, "the message was cut short after %zu bytes",
                       message->head.length + message->body.length);
    message->whole = true;
    return KN_OK;
}
