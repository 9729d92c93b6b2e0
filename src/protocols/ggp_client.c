#include "protocols/ggp_client.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "protocols/latency.h"
#include "protocols/http_message.h"

static const double CONNECT_SECONDS = 5;

enum { MOST_ANSWER = 1 << 20, BLOCK = 1 << 12 };

bool kn_ggp_is_peer(const char *text)
{
    const char *colon = strrchr(text, ':');
    if (!colon || colon == text || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
        strlen(colon + 1) > 5)
        return false;
    if (*text == '[') return colon[-1] == ']';
    return strcspn(text, "()=,\" /") == strlen(text) && strchr(text, ':') == colon;
}

KnStatus kn_ggp_peer(const char *text, KnGgpPeer *peer, KnError *error)
{
    char host[256];
    const char *colon = strrchr(text, ':');
    bool bracket = *text == '[';
    size_t length = colon ? (size_t)(colon - text) - (bracket ? 2 : 0) : 0;
    if (!kn_ggp_is_peer(text) || length >= sizeof host)
        return kn_fail(error, KN_INPUT, "\"%.100s\" is no address; they look like 127.0.0.1:9147", text);
    memcpy(host, text + bracket, length);
    host[length] = '\0';
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV},
                    *found;
    int code = getaddrinfo(host, colon + 1, &hints, &found);
    if (code) return kn_fail(error, KN_INPUT, "%.100s: there is no such host (%s)", text, gai_strerror(code));
    *peer = (KnGgpPeer){.length = found->ai_addrlen};
    snprintf(peer->name, sizeof peer->name, "%s", text);
    memcpy(&peer->address, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return KN_OK;
}

/* Waits until the socket is ready for something; KN_STOPPED when the time is up. */
static KnStatus await(int fd, short what, double until, KnError *error)
{
    for (;;) {
        double left = until - kn_clock_now();
        struct pollfd file = {.fd = fd, .events = what};
        int got = poll(&file, 1,
                       left > 0 ? (int)ceil(left * 1000)
                                : 0); /* also when it is late: who knows since when it is there */
        if (got > 0) return KN_OK;
        if (got < 0 && errno != EINTR) return kn_fail_errno(error, "waiting for a connection");
        if (got == 0 && kn_clock_now() >= until) return kn_fail(error, KN_STOPPED, "the time was up");
    }
}

static KnStatus connect_to(const KnGgpPeer *peer, int *out, KnError *error)
{
    int yes = 1, failure = 0;
    socklen_t size = sizeof failure;
    int fd = *out = socket(peer->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return kn_fail_errno(error, "%s: no socket", peer->name);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, (const struct sockaddr *)&peer->address, peer->length) == 0) return KN_OK;
    if (errno != EINPROGRESS) return kn_fail_errno(error, "%s: no connection", peer->name);
    KnStatus status = await(fd, POLLOUT, kn_clock_now() + CONNECT_SECONDS, error);
    if (status != KN_OK)
        return kn_fail(error, KN_SYSTEM, "%s: no connection within %g s", peer->name, CONNECT_SECONDS);
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &size);
    errno = failure;
    return failure ? kn_fail_errno(error, "%s: no connection", peer->name) : KN_OK;
}

static KnStatus send_all(int fd, const char *bytes, size_t size, double until, KnError *error)
{
    while (size) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
            continue;
        }
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno != EAGAIN) return kn_fail_errno(error, "the connection broke");
        KnStatus status = await(fd, POLLOUT, until, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

static KnStatus receive(int fd, KnHttpMessage *wire, double until, KnError *error)
{
    char bytes[BLOCK];
    KnStatus status = KN_OK;
    while (!wire->whole && status == KN_OK) {
        ssize_t got = recv(fd, bytes, sizeof bytes, 0);
        if (got > 0)
            status = kn_http_message_feed(wire, bytes, (size_t)got, error);
        else if (got == 0)
            status = wire->has_head || wire->head.length
                         ? kn_http_message_end(wire, error)
                         : kn_fail(error, KN_SYSTEM, "the player hung up without an answer");
        else if (errno == EAGAIN)
            status = await(fd, POLLIN, until, error);
        else if (errno != EINTR)
            status = kn_fail_errno(error, "the connection broke");
    }
    return status;
}

static KnStatus talk(const KnGgpPeer *peer, int fd, const char *message, size_t length, double until,
                     KnText *reply, double *arrived, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text,
                   "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: %s\r\nSender: GAMESERVER\r\nReceiver: "
                   "%s\r\nContent-Type: text/acl\r\n"
                   "Content-Length: %zu\r\n\r\n",
                   peer->name, peer->name, length);
    kn_text_add_bytes(&text, message, length);
    KnStatus status = kn_text_ok(&text) ? send_all(fd, text.data, text.length, until, error)
                                        : kn_fail_memory(error, "sending a message");
    kn_text_free(&text);
    if (status != KN_OK) return status;
    KnHttpMessage wire = kn_http_message(KN_HTTP_RESPONSE, MOST_ANSWER);
    status = receive(fd, &wire, until, error);
    *arrived = kn_clock_now() - kn_socket_silence(fd);
    if (status == KN_OK && *arrived > until) status = kn_fail(error, KN_STOPPED, "the time was up");
    if (status == KN_OK && wire.status != 200)
        status = kn_fail(error, KN_INPUT, "status %d: %.200s", wire.status, wire.body.data);
    if (status == KN_OK) kn_text_add_bytes(reply, wire.body.data, wire.body.length);
    kn_http_message_free(&wire);
    return status == KN_OK && !kn_text_ok(reply) ? kn_fail_memory(error, "reading an answer") : status;
}

KnStatus kn_ggp_tell(const KnGgpPeer *peer, const char *message, size_t length, double seconds, KnText *reply,
                     double *arrived, KnError *error)
{
    int fd;
    double when;
    KnStatus status = connect_to(peer, &fd, error);
    if (status == KN_OK)
        status = talk(peer, fd, message, length, kn_clock_now() + seconds, reply, arrived ? arrived : &when,
                      error);
    if (fd >= 0) close(fd);
    return status;
}
