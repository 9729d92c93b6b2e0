#include "web/listen.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <unistd.h>

#include "web/connections.h"

enum {
    BACKLOG = 256,
    IDLE_SECONDS = 30,      /* a client that neither reads nor writes for this time is disconnected */
    PING_SECONDS = 10,      /* detects listeners that have vanished */
    HEADER_BYTES = 1 << 16, /* bytes of a request's line and headers */
    STACK_BYTES = 1 << 20,
    BLOCK_BYTES = 1 << 15,
    SPARE_FILES = 256 /* open files that the rest of the server may need */
};

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* ---- one exchange ---- */

/* A request that is being received. */
typedef struct Exchange {
    KnText body;
    size_t limit;
    bool too_large;
} Exchange;

/* Without memory for it there is none, and libmicrohttpd's own limits remain. */
static KnConnection *known(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection,
                                                                   MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result add_argument(void *user, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    KnHttpRequest *request = user;
    if (request->argument_count < KN_HTTP_ARGUMENTS)
        request->arguments[request->argument_count++] = (KnHttpPair){name, value ? value : ""};
    return MHD_YES;
}

/* ---- streams ---- */

typedef struct Stream {
    KnListener *listener;
    KnText text;
    size_t at;
    bool ended;
} Stream;

/* Blocks only this connection's thread. */
static ssize_t read_stream(void *user, uint64_t position, char *buffer, size_t room)
{
    (void)position;
    Stream *stream = user;
    if (stream->at == stream->text.length) {
        kn_text_clear(&stream->text);
        stream->at = 0;
        if (stream->ended) return MHD_CONTENT_READER_END_OF_STREAM;
        stream->ended = !kn_listener_read(stream->listener, &stream->text, PING_SECONDS);
        if (!stream->text.length) return MHD_CONTENT_READER_END_OF_STREAM;
    }
    size_t count = stream->text.length - stream->at;
    if (count > room) count = room;
    memcpy(buffer, stream->text.data + stream->at, count);
    stream->at += count;
    return (ssize_t)count;
}

static void close_stream(void *user)
{
    Stream *stream = user;
    kn_listener_close(stream->listener);
    kn_text_free(&stream->text);
    free(stream);
}

static struct MHD_Response *stream_response(KnHttpReply *reply)
{
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->text = KN_TEXT_EMPTY;
    stream->listener = reply->listener;
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES,
                                                                      read_stream, stream, close_stream);
    if (response)
        reply->listener = NULL; /* the stream's now */
    else
        free(stream);
    return response;
}

/* ---- replies ---- */

static void add_headers(struct MHD_Response *response, const KnHttpReply *reply, bool api)
{
    MHD_add_response_header(response, "Content-Type", reply->type);
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    /* No Cross-Origin-Opener-Policy: the page receives no messages and opens no windows, so the header would
     * protect nothing, but the browser would start a new process for the page, a quarter of the time until
     * the first board. */
    MHD_add_response_header(response, "Cache-Control", api ? "no-store" : "no-cache");
    if (reply->etag[0]) MHD_add_response_header(response, "ETag", reply->etag);
    if (reply->zipped) MHD_add_response_header(response, "Content-Encoding", "gzip");
    if (reply->varies) MHD_add_response_header(response, "Vary", "Accept-Encoding");
    if (reply->allow[0]) MHD_add_response_header(response, "Allow", reply->allow);
    if (reply->retry_after > 0) {
        char value[16];
        snprintf(value, sizeof value, "%d", reply->retry_after);
        MHD_add_response_header(response, "Retry-After", value);
    }
    if (reply->filename[0]) {
        char value[128];
        snprintf(value, sizeof value, "attachment; filename=\"%s\"", reply->filename);
        MHD_add_response_header(response, "Content-Disposition", value);
    }
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, KnHttpReply *reply, bool api)
{
    struct MHD_Response *response;
    if (reply->listener)
        response = stream_response(reply);
    else if (reply->bytes)
        response = MHD_create_response_from_buffer(reply->size, (void *)(uintptr_t)reply->bytes,
                                                   MHD_RESPMEM_PERSISTENT);
    else
        response = MHD_create_response_from_buffer(reply->text.length, reply->text.data,
                                                   MHD_RESPMEM_MUST_COPY);
    if (!response) return MHD_NO;
    add_headers(response, reply, api);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, size_t limit)
{
    KnHttpReply reply = KN_HTTP_REPLY;
    kn_reply_error(&reply, 413, NULL, "the request is larger than the limit of %zu bytes", limit);
    enum MHD_Result result = send_reply(connection, &reply, true);
    kn_reply_free(&reply);
    return result;
}

static enum MHD_Result answer(KnWeb *web, struct MHD_Connection *connection, const char *url,
                              const char *method, const Exchange *exchange)
{
    KnHttpRequest request = {.method = method,
                             .path = url,
                             .body = exchange->body.data,
                             .body_size = exchange->body.length,
                             .host = header(connection, "Host"),
                             .origin = header(connection, "Origin"),
                             .fetch_site = header(connection, "Sec-Fetch-Site"),
                             .content_type = header(connection, "Content-Type"),
                             .if_none_match = header(connection, "If-None-Match"),
                             .last_event_id = header(connection, "Last-Event-ID"),
                             .cookie = header(connection, "Cookie"),
                             .accept_encoding = header(connection, "Accept-Encoding")};
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_argument, &request);
    KnHttpReply reply = KN_HTTP_REPLY;
    KnConnection *own = known(connection);
    KnAdmission admission = own ? kn_connection_begin(own) : KN_ADMITTED;
    if (own) request.client = kn_connection_client(own);
    if (admission == KN_TOO_MANY_REQUESTS)
        kn_reply_error(&reply, 429, NULL, "too many requests; this server answers %d a second of one client",
                       KN_CONNECTION_RATE);
    else if (admission == KN_TOO_MANY_CONNECTIONS)
        kn_reply_error(&reply, 503, NULL, "the server has no connection left; try again in a moment");
    else
        kn_web_answer(web, &request, &reply);
    kn_log(&web->options.log, KN_LOG_DEBUG, "%s %s %d", method, url, reply.status);
    enum MHD_Result result = send_reply(connection, &reply, strncmp(url, "/api/", 5) == 0);
    kn_reply_free(&reply);
    return result;
}

/* libmicrohttpd calls this for the headers, for each piece of the body, and at the end. */
static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *piece, size_t *size,
                              void **state)
{
    (void)version;
    KnWeb *web = user;
    Exchange *exchange = *state;
    if (!exchange) {
        if (!(exchange = *state = calloc(1, sizeof *exchange))) return MHD_NO;
        exchange->body = KN_TEXT_EMPTY;
        exchange->limit = kn_web_body_limit(method, url);
        const char *length = header(connection, "Content-Length");
        if (length && strtoull(length, NULL, 10) > exchange->limit && exchange->limit)
            return refuse(connection, exchange->limit);
        return MHD_YES;
    }
    if (*size) {
        if (exchange->body.length + *size > exchange->limit)
            exchange->too_large = true;
        else
            kn_text_add_bytes(&exchange->body, piece, *size);
        if (!kn_text_ok(&exchange->body)) return MHD_NO;
        *size = 0;
        return exchange->too_large && exchange->limit
                   ? MHD_NO
                   : MHD_YES; /* discard the rest of a body that is too long */
    }
    return answer(web, connection, url, method, exchange);
}

static void completed(void *user, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode why)
{
    (void)user, (void)why;
    Exchange *exchange = *state;
    KnConnection *own = known(connection);
    if (own) kn_connection_end(own);
    if (!exchange) return;
    kn_text_free(&exchange->body);
    free(exchange);
    *state = NULL;
}

/* libmicrohttpd calls this before it starts a thread for a connection. */
static enum MHD_Result admit(void *user, const struct sockaddr *address, socklen_t length)
{
    (void)length;
    return kn_connections_admit(((KnWeb *)user)->connections, address) ? MHD_YES : MHD_NO;
}

/* libmicrohttpd calls this when a connection opens and before its socket closes. */
static void notice(void *user, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code)
{
    KnWeb *web = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *socket = MHD_get_connection_info(connection,
                                                                         MHD_CONNECTION_INFO_CONNECTION_FD);
        const union MHD_ConnectionInfo *client = MHD_get_connection_info(connection,
                                                                         MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        if (socket)
            *context = kn_connection_open(web->connections, socket->connect_fd,
                                          client ? client->client_addr : NULL);
    } else {
        kn_connection_close(*context);
        *context = NULL;
    }
}

/* ---- the daemon ---- */

/* The system's limit of open files may be lower than the wanted number of connections. */
static int connection_limit(const KnWeb *web)
{
    struct rlimit files;
    rlim_t wanted = (rlim_t)web->options.connections;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return (int)wanted;
    rlim_t room = files.rlim_cur > 2 * SPARE_FILES ? files.rlim_cur - SPARE_FILES : files.rlim_cur / 2;
    room = room / 2; /* as many again may be about to close */
    return (int)(wanted < room ? wanted : room);
}

static KnStatus bind_socket(const KnWeb *web, const struct addrinfo *address, int *out, int *port,
                            KnError *error)
{
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0) return kn_fail_errno(error, "no socket could be opened");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    KnStatus status = KN_OK;
    if (bind(fd, address->ai_addr, address->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0) {
        if (errno == EADDRINUSE)
            status = kn_fail(error, KN_SYSTEM,
                             "port %d of %s is in use, perhaps by another `knack serve`; choose another with "
                             "--port (0: any free one)",
                             web->options.port, web->options.host);
        else if (errno == EACCES)
            status = kn_fail(error, KN_SYSTEM,
                             "you may not use port %d of %s; choose one above 1023 with --port",
                             web->options.port, web->options.host);
        else
            status = kn_fail_errno(error, "%s, port %d: cannot listen", web->options.host, web->options.port);
    }
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    if (status == KN_OK && getsockname(fd, (struct sockaddr *)&bound, &length) != 0)
        status = kn_fail_errno(error, "cannot read the port number");
    if (status != KN_OK) {
        close(fd);
        return status;
    }
    *port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                              : ((struct sockaddr_in *)&bound)->sin_port);
    *out = fd;
    return KN_OK;
}

static void log_line(void *user, const char *format, va_list args)
{
    KnWeb *web = user;
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\n")] = '\0';
    kn_log(&web->options.log, KN_LOG_DEBUG, "%s", text);
}

KnStatus kn_web_listen(KnWeb *web, KnError *error)
{
    char port[16];
    snprintf(port, sizeof port, "%d", web->options.port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV | AI_NUMERICHOST},
                    *found;
    const char *host = strcmp(web->options.host, "localhost") == 0 ? "127.0.0.1" : web->options.host;
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0)
        return kn_fail(error, KN_INPUT,
                       "\"%s\" is not an address (%s); an address is 127.0.0.1 or ::1, for example. Give a "
                       "name with --name",
                       web->options.host, gai_strerror(code));
    int fd = -1;
    KnStatus status = bind_socket(web, found, &fd, &web->port, error);
    freeaddrinfo(found);
    if (status != KN_OK) return status;
    int connections = connection_limit(web);
    if (!(web->connections = kn_connections_new(connections))) {
        close(fd);
        return kn_fail_memory(error, "starting the server");
    }
    /* libmicrohttpd has room for as many again, which are being closed: at its own limit it hangs up. */
    web->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ERROR_LOG |
            MHD_USE_ITC,
        0, admit, web, handle, web, MHD_OPTION_EXTERNAL_LOGGER, log_line, web, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)(2 * connections + SPARE_FILES / 2),
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES, MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES, MHD_OPTION_NOTIFY_COMPLETED,
        completed, NULL, MHD_OPTION_NOTIFY_CONNECTION, notice, web, MHD_OPTION_END);
    if (web->daemon) return KN_OK;
    close(fd);
    return kn_fail(error, KN_SYSTEM,
                   "the server cannot start; raise the limits of threads and open files (ulimit)");
}

void kn_web_unlisten(KnWeb *web)
{
    if (web->daemon) MHD_stop_daemon(web->daemon);
    web->daemon = NULL;
    kn_connections_free(web->connections);
    web->connections = NULL;
}
