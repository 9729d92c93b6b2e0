#include "protocols/ggp_listen.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "protocols/latency.h"
#include "protocols/http_message.h"

enum { BACKLOG = 128, BLOCK = 1 << 14, STACK = 1 << 19, SHOWN = 100 /* bytes of a message, in the log */ };

typedef struct Visitor {
    KnGgpListener *listener;
    int fd; /* -1: no visitor here */
    double arrived;
} Visitor;

struct KnGgpListener {
    KnGgp *ggp;
    const KnLog *log;
    int fd, port;
    int bell[2]; /* a pipe: closing it ends the thread that accepts */
    pthread_t doorman;
    pthread_mutex_t lock;
    pthread_cond_t left;
    int count;
    Visitor visitors[KN_GGP_CONNECTIONS];
};

/* ---- One visitor ---- */

static void send_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return; /* gone, or it does not read: SO_SNDTIMEO */
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void send_reply(int fd, int minor, const char *status, const char *body, size_t size)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(
        &text, "HTTP/1.%d %s\r\nContent-Type: text/acl\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
        minor ? 1 : 0, status, size);
    kn_text_add_bytes(&text, body, size);
    if (kn_text_ok(&text)) send_all(fd, text.data, text.length);
    kn_text_free(&text);
}

/* Waits for bytes; false when it has lasted too long or the listener closes. */
static bool wait_for_bytes(const Visitor *visitor)
{
    double left = visitor->arrived + KN_GGP_HEARING - kn_clock_now();
    struct pollfd files[2] = {{.fd = visitor->fd, .events = POLLIN},
                              {.fd = visitor->listener->bell[0], .events = POLLIN}};
    int got = left > 0 ? poll(files, 2, (int)(left * 1000) + 1) : 0;
    if (got < 0 && errno == EINTR) return true;
    return got > 0 && !files[1].revents;
}

/* A request as a whole. */
static KnStatus hear(const Visitor *visitor, KnHttpMessage *wire, KnError *error)
{
    char bytes[BLOCK], expects[32];
    bool encouraged = false;
    KnStatus status = KN_OK;
    while (!wire->whole && status == KN_OK) {
        if (!wait_for_bytes(visitor))
            return kn_fail(error, KN_STOPPED, "a message was not said within %d s", KN_GGP_HEARING);
        ssize_t got = recv(visitor->fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) return kn_fail_errno(error, "a connection broke");
        status = got ? kn_http_message_feed(wire, bytes, (size_t)got, error)
                     : kn_http_message_end(wire, error);
        if (wire->open_ended && got < BLOCK && kn_ggp_is_whole(wire->body.data, wire->body.length))
            wire->whole = true;
        if (status == KN_OK && wire->has_head && !wire->whole && !encouraged) {
            encouraged = true;
            if (kn_http_message_header(wire, "Expect", expects, sizeof expects))
                send_all(visitor->fd, "HTTP/1.1 100 Continue\r\n\r\n", 25);
        }
    }
    return status;
}

static void answer(const Visitor *visitor, const KnHttpMessage *wire)
{
    KnGgpListener *listener = visitor->listener;
    char origin[8];
    KnText reply = KN_TEXT_EMPTY;
    KnError error;
    static const char posts[] = "messages are sent by POST", pages[] = "pages may not send messages";
    if (strcmp(wire->method, "POST") != 0)
        send_reply(visitor->fd, wire->minor, "405 Method Not Allowed", posts, sizeof posts - 1);
    else if (kn_http_message_header(wire, "Origin", origin, sizeof origin))
        send_reply(visitor->fd, wire->minor, "403 Forbidden", pages, sizeof pages - 1);
    else if (kn_ggp_answer(listener->ggp, wire->body.data, wire->body.length, visitor->arrived, &reply,
                           &error) == KN_OK)
        send_reply(visitor->fd, wire->minor, "200 OK", reply.data, reply.length);
    else {
        kn_log(listener->log, KN_LOG_WARNING, "a message was not understood: %s", error.text);
        send_reply(visitor->fd, wire->minor, "400 Bad Request", error.text, strlen(error.text));
    }
    if (kn_log_wants(listener->log, KN_LOG_DEBUG)) {
        KnText line = KN_TEXT_EMPTY;
        kn_piece_plain((KnPiece){wire->body.data, wire->body.length < SHOWN ? wire->body.length : SHOWN},
                       &line);
        kn_log(listener->log, KN_LOG_DEBUG, "%s -> %s after %.3f s", line.data, reply.data,
               kn_clock_now() - visitor->arrived);
        kn_text_free(&line);
    }
    kn_text_free(&reply);
}

/* Ends the conversation so that the answer arrives: unread bytes would turn the close into a reset. */
static void see_off(const Visitor *visitor)
{
    char bytes[BLOCK];
    shutdown(visitor->fd, SHUT_WR);
    double until = kn_clock_now() + 1;
    struct pollfd file = {.fd = visitor->fd, .events = POLLIN};
    for (int i = 0; i < 100 && kn_clock_now() < until; i++) {
        if (poll(&file, 1, 200) <= 0 || recv(visitor->fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) break;
    }
    close(visitor->fd);
}

static void *attend(void *user)
{
    Visitor *visitor = user;
    KnGgpListener *listener = visitor->listener;
    KnHttpMessage wire = kn_http_message(KN_HTTP_REQUEST, KN_GGP_MESSAGE);
    KnError error;
    kn_thread_prompt();
    KnStatus status = hear(visitor, &wire, &error);
    if (status == KN_OK)
        visitor->arrived =
            fmin(visitor->arrived,
                 kn_clock_now() - kn_socket_silence(visitor->fd)); /* it may have waited at the door */
    if (status == KN_OK)
        answer(visitor, &wire);
    else {
        kn_log(listener->log, KN_LOG_WARNING, "a connection without a message: %s", error.text);
        if (status == KN_INPUT)
            send_reply(visitor->fd, wire.minor, "400 Bad Request", error.text, strlen(error.text));
    }
    kn_http_message_free(&wire);
    see_off(visitor);
    pthread_mutex_lock(&listener->lock);
    visitor->fd = -1;
    listener->count--;
    pthread_cond_signal(&listener->left);
    pthread_mutex_unlock(&listener->lock);
    return NULL;
}

/* ---- The door ---- */

/* Gives a connection a thread; hangs up if there is none. */
static void let_in(KnGgpListener *listener, int fd)
{
    double arrived = kn_clock_now();
    int yes = 1;
    struct timeval patience = {.tv_sec = 5};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    Visitor *visitor = NULL;
    pthread_mutex_lock(&listener->lock);
    for (int i = 0; i < KN_GGP_CONNECTIONS && !visitor; i++)
        if (listener->visitors[i].fd < 0) visitor = &listener->visitors[i];
    if (visitor) {
        *visitor = (Visitor){listener, fd, arrived};
        listener->count++;
    }
    pthread_mutex_unlock(&listener->lock);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    bool there = visitor && pthread_create(&thread, &attributes, attend, visitor) == 0;
    pthread_attr_destroy(&attributes);
    if (there) return;
    kn_log(listener->log, KN_LOG_WARNING, "too many connections: one was refused");
    close(fd);
    if (!visitor) return;
    pthread_mutex_lock(&listener->lock);
    visitor->fd = -1;
    listener->count--;
    pthread_mutex_unlock(&listener->lock);
}

static void *keep_the_door(void *user)
{
    KnGgpListener *listener = user;
    struct pollfd files[2] = {{.fd = listener->fd, .events = POLLIN},
                              {.fd = listener->bell[0], .events = POLLIN}};
    kn_thread_prompt();
    for (;;) {
        if (poll(files, 2, -1) < 0 && errno != EINTR) return NULL;
        if (files[1].revents) return NULL;
        int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            let_in(listener, fd);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
            usleep(10000); /* till somebody leaves */
    }
}

static KnStatus open_door(KnGgpListener *listener, const char *host, int port, KnError *error)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV | AI_NUMERICHOST},
                    *found;
    int code = getaddrinfo(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, digits, &hints, &found),
        yes = 1;
    if (code)
        return kn_fail(error, KN_INPUT, "\"%.100s\" is no address (%s); addresses look like 127.0.0.1 or ::1",
                       host, gai_strerror(code));
    listener->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    KnStatus status = KN_OK;
    if (listener->fd >= 0) setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener->fd < 0)
        status = kn_fail_errno(error, "no socket could be opened");
    else if (bind(listener->fd, found->ai_addr, found->ai_addrlen) != 0 ||
             listen(listener->fd, BACKLOG) != 0) {
        if (errno == EADDRINUSE)
            status = kn_fail(error, KN_SYSTEM,
                             "port %d of %s is taken; choose another with --port (0: any free one)", port,
                             host);
        else
            status = kn_fail_errno(error, "%s, port %d: cannot listen there", host, port);
    }
    freeaddrinfo(found);
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    if (status == KN_OK && getsockname(listener->fd, (struct sockaddr *)&bound, &length) != 0)
        status = kn_fail_errno(error, "the port cannot be told");
    if (status == KN_OK)
        listener->port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                                           : ((struct sockaddr_in *)&bound)->sin_port);
    return status;
}

static void free_listener(KnGgpListener *listener)
{
    if (listener->fd >= 0) close(listener->fd);
    for (int i = 0; i < 2; i++)
        if (listener->bell[i] >= 0) close(listener->bell[i]);
    pthread_cond_destroy(&listener->left);
    pthread_mutex_destroy(&listener->lock);
    free(listener);
}

KnStatus kn_ggp_listen(KnGgp *ggp, const char *host, int port, const KnLog *log, KnGgpListener **out,
                       KnError *error)
{
    *out = NULL;
    KnGgpListener *listener = calloc(1, sizeof *listener);
    if (!listener) return kn_fail_memory(error, "listening");
    listener->ggp = ggp;
    listener->log = log;
    listener->fd = listener->bell[0] = listener->bell[1] = -1;
    for (int i = 0; i < KN_GGP_CONNECTIONS; i++) listener->visitors[i].fd = -1;
    pthread_mutex_init(&listener->lock, NULL);
    pthread_cond_init(&listener->left, NULL);
    KnStatus status = open_door(listener, host ? host : "127.0.0.1", port, error);
    if (status == KN_OK && pipe(listener->bell) != 0)
        status = kn_fail_errno(error, "no pipe could be opened");
    if (status == KN_OK) {
        int code = pthread_create(&listener->doorman, NULL, keep_the_door, listener);
        if (code) status = kn_fail(error, KN_SYSTEM, "no thread to listen: %s", strerror(code));
    }
    if (status == KN_OK)
        *out = listener;
    else
        free_listener(listener);
    return status;
}

int kn_ggp_port(const KnGgpListener *listener) { return listener->port; }

void kn_ggp_unlisten(KnGgpListener *listener)
{
    if (!listener) return;
    close(listener->bell[1]);
    listener->bell[1] = -1;
    pthread_join(listener->doorman, NULL);
    pthread_mutex_lock(&listener->lock);
    while (listener->count) pthread_cond_wait(&listener->left, &listener->lock);
    pthread_mutex_unlock(&listener->lock);
    free_listener(listener);
}
