#include "base/wire.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the next byte belongs to. */
enum { HEAD, BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, DONE };

enum { LINE = 1 << 12 }; /* bytes of a chunk's first line or of a trailer */

KnWire kn_wire(KnWireKind kind, size_t limit)
{
    return (KnWire){.kind = kind,
                    .limit = limit,
                    .head = KN_TEXT_EMPTY,
                    .body = KN_TEXT_EMPTY,
                    .line = KN_TEXT_EMPTY,
                    .phase = HEAD};
}

void kn_wire_free(KnWire *wire)
{
    kn_text_free(&wire->head);
    kn_text_free(&wire->body);
    kn_text_free(&wire->line);
    *wire = kn_wire(wire->kind, wire->limit);
}

/* ---- The head ---- */

bool kn_wire_header(const KnWire *wire, const char *name, char *value, size_t room)
{
    size_t length = strlen(name);
    value[0] = '\0';
    const char *line = strchr(wire->head.data, '\n'); /* the first line is none */
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

static KnStatus too_long(const KnWire *wire, KnError *error)
{
    return kn_fail(error, KN_INPUT, "the message is longer than the %zu bytes that are taken here",
                   wire->limit);
}

static KnStatus read_first_line(KnWire *wire, KnError *error)
{
    const char *line = wire->head.data;
    if (wire->kind == KN_WIRE_RESPONSE) {
        if (sscanf(line, "HTTP/1.%1d %3d", &wire->minor, &wire->status) == 2) return KN_OK;
        return bad(error, "a response begins with HTTP/1.1 and a status");
    }
    size_t method = strcspn(line, " \r\n"), length = strcspn(line, "\r\n");
    if (!method || method >= sizeof wire->method || line[method] != ' ')
        return bad(error, "a request begins with a method and a path");
    for (size_t i = 0; i < method; i++)
        if (!isalpha((unsigned char)line[i])) return bad(error, "a request begins with a method and a path");
    memcpy(wire->method, line, method);
    wire->method[method] = '\0';
    if (length < 10 || strncmp(line + length - 8, "HTTP/1.", 7) != 0 ||
        !isdigit((unsigned char)line[length - 1]))
        return bad(error, "the first line of a request ends in HTTP/1.0 or HTTP/1.1");
    wire->minor = line[length - 1] - '0';
    return KN_OK;
}

/* How long the body will be. */
static KnStatus read_framing(KnWire *wire, KnError *error)
{
    char value[64];
    if (kn_wire_header(wire, "Transfer-Encoding", value, sizeof value)) {
        if (strcasecmp(value, "chunked") != 0)
            return bad(error, "the only transfer encoding known here is chunked");
        wire->phase = CHUNK_SIZE;
        return KN_OK;
    }
    wire->phase = BODY;
    if (!kn_wire_header(wire, "Content-Length", value, sizeof value)) {
        bool bare = wire->kind == KN_WIRE_REQUEST && strcmp(wire->method, "POST") != 0 &&
                    strcmp(wire->method, "PUT") != 0;
        wire->whole = bare;
        wire->open_ended = !bare;
        wire->left = wire->limit + 1;
        return KN_OK;
    }
    size_t digits = strspn(value, "0123456789");
    if (!digits || value[digits]) return bad(error, "the content length is no number");
    if (digits > 12 || strtoull(value, NULL, 10) > wire->limit) return too_long(wire, error);
    wire->left = (size_t)strtoull(value, NULL, 10);
    wire->whole = wire->left == 0;
    return KN_OK;
}

/* Takes bytes up to the empty line. */
static KnStatus feed_head(KnWire *wire, const char *bytes, size_t size, size_t *used, KnError *error)
{
    for (size_t i = 0; i < size; i++) {
        if (!bytes[i]) return bad(error, "a zero byte in its head");
        if (!wire->head.length && (bytes[i] == '\r' || bytes[i] == '\n'))
            continue; /* left over from a message before */
        kn_text_add_char(&wire->head, bytes[i]);
        if (wire->head.length > KN_WIRE_HEAD) return bad(error, "its head is longer than 64 KiB");
        if (bytes[i] != '\n') continue;
        const char *end = wire->head.data + wire->head.length;
        bool empty = wire->head.length >= 2 &&
                     (end[-2] == '\n' || (wire->head.length >= 3 && end[-2] == '\r' && end[-3] == '\n'));
        if (!empty) continue;
        *used = i + 1;
        wire->has_head = true;
        KnStatus status = read_first_line(wire, error);
        return status == KN_OK ? read_framing(wire, error) : status;
    }
    *used = size;
    return KN_OK;
}

/* ---- The body ---- */

static KnStatus feed_body(KnWire *wire, const char *bytes, size_t size, size_t *used, KnError *error)
{
    size_t take = size < wire->left ? size : wire->left;
    *used = take;
    if (wire->body.length + take > wire->limit) return too_long(wire, error);
    kn_text_add_bytes(&wire->body, bytes, take);
    wire->left -= take;
    if (wire->left) return KN_OK;
    if (wire->phase == BODY)
        wire->whole = true;
    else
        wire->phase = CHUNK_END;
    return KN_OK;
}

static KnStatus end_line(KnWire *wire, KnError *error)
{
    const char *line = wire->line.data;
    size_t length = strcspn(line, "\r");
    if (wire->phase == CHUNK_END) {
        if (length) return bad(error, "a chunk is longer than it says");
        wire->phase = CHUNK_SIZE;
    } else if (wire->phase == TRAILER) {
        wire->whole = length == 0;
    } else {
        size_t digits = strspn(line, "0123456789abcdefABCDEF");
        if (!digits) return bad(error, "the size of a chunk is no number");
        if (digits > 10 || strtoull(line, NULL, 16) > wire->limit) return too_long(wire, error);
        wire->left = (size_t)strtoull(line, NULL, 16);
        wire->phase = wire->left ? CHUNK : TRAILER;
    }
    kn_text_clear(&wire->line);
    return KN_OK;
}

static KnStatus feed_line(KnWire *wire, const char *bytes, size_t size, size_t *used, KnError *error)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            *used = i + 1;
            return end_line(wire, error);
        }
        if (!bytes[i] || wire->line.length > LINE) return bad(error, "its chunks make no sense");
        kn_text_add_char(&wire->line, bytes[i]);
    }
    *used = size;
    return KN_OK;
}

KnStatus kn_wire_feed(KnWire *wire, const void *bytes, size_t size, KnError *error)
{
    const char *at = bytes;
    KnStatus status = KN_OK;
    while (size && !wire->whole && status == KN_OK) {
        size_t used = 0;
        if (wire->phase == HEAD)
            status = feed_head(wire, at, size, &used, error);
        else if (wire->phase == BODY || wire->phase == CHUNK)
            status = feed_body(wire, at, size, &used, error);
        else
            status = feed_line(wire, at, size, &used, error);
        at += used;
        size -= used;
    }
    if (!kn_text_ok(&wire->head) || !kn_text_ok(&wire->body) || !kn_text_ok(&wire->line))
        return kn_fail_memory(error, "reading a message");
    return status;
}

KnStatus kn_wire_end(KnWire *wire, KnError *error)
{
    if (wire->whole) return KN_OK;
    if (!wire->open_ended)
        return kn_fail(error, KN_INPUT, "the message was cut short after %zu bytes",
                       wire->head.length + wire->body.length);
    wire->whole = true;
    return KN_OK;
}
