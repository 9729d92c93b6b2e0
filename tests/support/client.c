#include "support/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/text.h"
#include "support/check.h"

enum {
    PATIENCE = 60
}; /* seconds; only a server that hangs takes so long, or one that hardly gets a processor */

/* -1 if nobody listens there. */
static int try_connect(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    struct timeval patience = {.tv_sec = PATIENCE};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

int test_connect(int port)
{
    int fd = try_connect(port);
    if (fd < 0) fail_msg("port %d: %s", port, strerror(errno));
    return fd;
}

void test_send(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) return; /* the server may hang up on purpose */
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void read_all(int fd, KnText *text)
{
    char piece[1 << 14];
    ssize_t got;
    while ((got = recv(fd, piece, sizeof piece, 0)) > 0) kn_text_add_bytes(text, piece, (size_t)got);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        fail_msg("the server did not answer within %d s", PATIENCE);
}

/* Puts the chunks of a body together, in place. */
static size_t join_chunks(char *body)
{
    char *to = body, *from = body;
    for (;;) {
        char *end;
        unsigned long size = strtoul(from, &end, 16);
        from = strstr(end, "\r\n");
        if (!from || !size) break;
        memmove(to, from + 2, size);
        to += size;
        from += 2 + size + 2;
    }
    *to = '\0';
    return (size_t)(to - body);
}

static TestAnswer ask_over(int fd, const char *bytes, size_t size)
{
    test_send(fd, bytes, size);
    KnText text = KN_TEXT_EMPTY;
    read_all(fd, &text);
    close(fd);
    TestAnswer answer = {0};
    char *end = strstr(text.data, "\r\n\r\n");
    if (end && sscanf(text.data, "HTTP/1.%*d %d", &answer.status) == 1) {
        answer.headers = strndup(text.data, (size_t)(end - text.data));
        answer.size = text.length - (size_t)(end + 4 - text.data);
        answer.body = malloc(answer.size + 1);
        assert_non_null(answer.body);
        memcpy(answer.body, end + 4, answer.size);
        answer.body[answer.size] = '\0';
        if (strcasestr(answer.headers, "Transfer-Encoding: chunked")) answer.size = join_chunks(answer.body);
        if (strcasestr(answer.headers, "Content-Type: application/json"))
            answer.json = json_loadb(answer.body, answer.size, JSON_DECODE_ANY, NULL);
    }
    kn_text_free(&text);
    return answer;
}

TestAnswer test_ask_raw(int port, const char *bytes, size_t size)
{
    return ask_over(test_connect(port), bytes, size);
}

static TestAnswer ask_json(int fd, int port, const char *method, const char *path, const char *body)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n", method, path,
                   port);
    if (body)
        kn_text_printf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    kn_text_add(&text, "\r\n");
    if (body) kn_text_add(&text, body);
    TestAnswer answer = ask_over(fd, text.data, text.length);
    kn_text_free(&text);
    return answer;
}

TestAnswer test_ask(int port, const char *method, const char *path, const char *body)
{
    return ask_json(test_connect(port), port, method, path, body);
}

TestAnswer test_try(int port, const char *method, const char *path, const char *body)
{
    int fd = try_connect(port);
    return fd < 0 ? (TestAnswer){0} : ask_json(fd, port, method, path, body);
}

void test_answer_free(TestAnswer *answer)
{
    free(answer->headers);
    free(answer->body);
    json_decref(answer->json);
    *answer = (TestAnswer){0};
}

/* ---- streams ---- */

struct TestStream {
    int fd;
    KnText text; /* the rest of what has come, chunk headers taken out */
    KnText raw;
    bool ended;
};

TestStream *test_stream_open(int port, const char *path, const char *last)
{
    TestStream *stream = calloc(1, sizeof *stream);
    assert_non_null(stream);
    stream->text = stream->raw = KN_TEXT_EMPTY;
    stream->fd = test_connect(port);
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n", path, port);
    if (last) kn_text_printf(&text, "Last-Event-ID: %s\r\n", last);
    kn_text_add(&text, "\r\n");
    test_send(stream->fd, text.data, text.length);
    kn_text_free(&text);
    char c;
    while (!strstr(stream->raw.data, "\r\n\r\n") && recv(stream->fd, &c, 1, 0) == 1)
        kn_text_add_char(&stream->raw, c);
    if (!strstr(stream->raw.data, " 200 ") ||
        !strcasestr(stream->raw.data, "Content-Type: text/event-stream"))
        fail_msg("no stream: %s", stream->raw.data);
    kn_text_clear(&stream->raw);
    return stream;
}

static void drop_front(KnText *text, size_t count)
{
    memmove(text->data, text->data + count, text->length - count + 1);
    text->length -= count;
}

/* Moves whole chunks from raw to text. */
static void take_chunks(TestStream *stream)
{
    for (;;) {
        char *end, *line = strstr(stream->raw.data, "\r\n");
        if (!line) return;
        unsigned long size = strtoul(stream->raw.data, &end, 16);
        size_t head = (size_t)(line - stream->raw.data) + 2;
        if (size == 0) {
            stream->ended = true;
            return;
        }
        if (stream->raw.length < head + size + 2) return;
        kn_text_add_bytes(&stream->text, stream->raw.data + head, size);
        drop_front(&stream->raw, head + size + 2);
    }
}

static void copy_line(const char *event, const char *field, char *to, size_t size)
{
    const char *at = strstr(event, field);
    to[0] = '\0';
    if (at) snprintf(to, size, "%.*s", (int)strcspn(at + strlen(field), "\n"), at + strlen(field));
}

bool test_stream_next(TestStream *stream, char name[32], char id[32], json_t **data)
{
    for (;;) {
        char *end = strstr(stream->text.data, "\n\n");
        if (!end) {
            char piece[4096];
            if (stream->ended) return false;
            ssize_t got = recv(stream->fd, piece, sizeof piece, 0);
            if (got < 0) fail_msg("no event within %d s", PATIENCE);
            if (got == 0) return false;
            kn_text_add_bytes(&stream->raw, piece, (size_t)got);
            take_chunks(stream);
            continue;
        }
        *end = '\0';
        copy_line(stream->text.data, "event: ", name, 32);
        copy_line(stream->text.data, "id: ", id, 32);
        const char *at = strstr(stream->text.data, "data: ");
        *data = at ? json_loads(at + 6, JSON_DECODE_ANY, NULL) : NULL;
        drop_front(&stream->text, (size_t)(end + 2 - stream->text.data));
        if (strcmp(name, "ping") != 0) return true;
        json_decref(*data);
    }
}

void test_stream_close(TestStream *stream)
{
    if (!stream) return;
    close(stream->fd);
    kn_text_free(&stream->text);
    kn_text_free(&stream->raw);
    free(stream);
}
