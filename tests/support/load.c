#include "support/load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "support/check.h"

enum { TIMES = 1 << 20 /* moves that are timed */ };
static const double FLOOD_SECONDS = 0.1, AGAIN_SECONDS = 3; /* between the requests of a flood, and until a
                                                              hostile client connects again */

typedef enum Kind {
    ASKS,    /* a player's requests */
    HEARS,   /* a player's stream of events */
    IDLES,   /* connects and says nothing */
    HALVES,  /* sends half a request */
    FLOODS,  /* asks for the list of games again and again */
    OPENS,   /* opens endless games, then asks one of them for hints */
    COLLECTS /* a stream of events that it does not read */
} Kind;

typedef struct Wire {
    Kind kind;
    int fd;
    struct Player *player; /* NULL for hostile ones */
    uint32_t address;
    KnText in;
    bool sent;
    double again; /* when to connect again; 0: is connected */
    double next;  /* when to ask again */
    int newlines; /* of a stream: bytes of the empty line that ends its headers; 4: they are over */
    size_t chunk; /* bytes to come of the current chunk */
    size_t size;  /* of the next one, as far as its line is read */
    int games;    /* still to open */
    char id[32];
} Wire;

typedef struct Player {
    Wire asks, hears;
    char id[32], move[32];
    long ply;
    double next;  /* when to move; 0: waits for something */
    double moved; /* when it moved; 0: it has its answer */
    bool over;
} Player;

typedef struct Load {
    const LoadPlan *plan;
    int poll;
    KnRng rng;
    double now, warm; /* the time; and when players begin to move */
    double end;
    Player *players;
    int player_count;
    Wire *wires; /* of hostile clients */
    int wire_count;
    double *times;
    int count, room;
    LoadResult result;
} Load;

/* ---- sockets ---- */

static void hang_up(Load *load, Wire *wire, double pause)
{
    if (wire->fd >= 0) close(wire->fd);
    wire->fd = -1;
    wire->sent = false;
    wire->newlines = 0;
    wire->chunk = wire->size = 0;
    wire->again = load->now + pause;
    kn_text_clear(&wire->in);
}

static void dial(Load *load, Wire *wire)
{
    wire->again = 0;
    wire->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (wire->fd < 0) fail_msg("no socket: %s", strerror(errno));
    int yes = 1;
    setsockopt(wire->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(wire->address)};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)load->plan->port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = wire};
    bool good = bind(wire->fd, (struct sockaddr *)&from, sizeof from) == 0 &&
                epoll_ctl(load->poll, EPOLL_CTL_ADD, wire->fd, &event) == 0 &&
                (connect(wire->fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS);
    if (!good) hang_up(load, wire, wire->player ? 0.1 : AGAIN_SECONDS);
}

static void say(Load *load, Wire *wire, const char *method, const char *path, const char *body)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path);
    if (body)
        kn_text_printf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    kn_text_printf(&text, "\r\n%s", body ? body : "");
    wire->sent = true;
    load->result.requests++;
    if (send(wire->fd, text.data, text.length, MSG_NOSIGNAL) != (ssize_t)text.length)
        hang_up(load, wire, 0.5); /* the buffer of a new socket holds any of these requests */
    kn_text_free(&text);
}

/* ---- replies ---- */

/* The complete reply at the start of `in`: its status and JSON (a new reference, or NULL). 0 if it is not
 * complete. */
static int take_reply(KnText *in, bool parse, json_t **json)
{
    *json = NULL;
    char *end = in->data ? strstr(in->data, "\r\n\r\n") : NULL;
    if (!end) return 0;
    const char *length = strcasestr(in->data, "Content-Length:");
    size_t head = (size_t)(end + 4 - in->data),
           size = length && length < end ? strtoul(length + 15, NULL, 10) : 0;
    if (in->length < head + size) return 0;
    int status = atoi(in->data + 9);
    if (parse) *json = json_loadb(in->data + head, size, 0, NULL);
    KnText rest = KN_TEXT_EMPTY;
    kn_text_add_bytes(&rest, in->data + head + size, in->length - head - size);
    kn_text_free(in);
    *in = rest;
    return status;
}

/* ---- players ---- */

static double draw_pause(Load *load) { return -log(1 - kn_rng_real(&load->rng)) * load->plan->pause; }

static void ask_game(Load *load, Player *player)
{
    char body[256];
    snprintf(body, sizeof body, "{\"game\": \"checkers\", \"seats\": [\"human\", \"%s\"]}",
             load->plan->engine);
    say(load, &player->asks, "POST", "/api/sessions", body);
}

static void make_move(Load *load, Player *player)
{
    char path[80], body[120];
    snprintf(path, sizeof path, "/api/sessions/%s/move", player->id);
    snprintf(body, sizeof body, "{\"ply\": %ld, \"move\": \"%s\"}", player->ply, player->move);
    player->next = 0;
    player->moved = kn_clock_now();
    say(load, &player->asks, "POST", path, body);
}

/* The session as an event shows it: after the engine's move the player thinks. */
static void see_session(Load *load, Player *player, const json_t *session)
{
    const json_t *movers = json_object_get(session, "movers");
    long ply = (long)json_integer_value(json_object_get(session, "ply"));
    player->over = json_is_true(json_object_get(session, "over"));
    bool mine = json_array_size(movers) == 1 && json_integer_value(json_array_get(movers, 0)) == 0;
    if (!mine && !player->over) return;
    if (player->moved > 0 && ply > player->ply) {
        if (load->count < load->room) load->times[load->count++] = kn_clock_now() - player->moved;
        player->moved = 0;
    }
    if (player->over || player->moved > 0) return;
    player->ply = ply;
    snprintf(
        player->move, sizeof player->move, "%s",
        json_string_value(json_object_get(json_array_get(json_object_get(session, "legal"), 0), "move")));
    double from = load->now > load->warm ? load->now : load->warm;
    if (player->next == 0) player->next = from + draw_pause(load);
}

/* Adds the content of a stream to `in`, without headers and chunk sizes. */
static void add_stream(Wire *wire, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char c = bytes[i];
        if (wire->newlines < 4)
            wire->newlines = c == '\r' || c == '\n' ? wire->newlines + 1 : 0;
        else if (wire->chunk > 0) {
            kn_text_add_char(&wire->in, c);
            wire->chunk--;
        } else if (c == '\n') { /* after the size, or after the chunk, where no digits stand */
            wire->chunk = wire->size;
            wire->size = 0;
        } else if (c != '\r')
            wire->size = wire->size * 16 + (size_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
}

/* Reads the events in a stream. */
static void hear(Load *load, Player *player)
{
    KnText *in = &player->hears.in;
    if (!in->data) return;
    for (char *at = in->data, *end; (end = strstr(at, "\n\n")); at = end + 2) {
        *end = '\0';
        char *event = strstr(at, "event: session\n"), *data = event ? strstr(event, "data: ") : NULL;
        if (data) {
            json_t *session = json_loads(data + 6, JSON_DISABLE_EOF_CHECK, NULL);
            if (session) see_session(load, player, session);
            json_decref(session);
        }
        if (!end[2] || !strstr(end + 2, "\n\n")) {
            KnText rest = KN_TEXT_EMPTY;
            kn_text_add(&rest, end + 2);
            kn_text_free(in);
            *in = rest;
            return;
        }
    }
}

static void receive_answer(Load *load, Player *player)
{
    json_t *json;
    int status;
    while ((status = take_reply(&player->asks.in, true, &json))) {
        if (!player->id[0] && status == 201) {
            snprintf(player->id, sizeof player->id, "%s", json_string_value(json_object_get(json, "id")));
            dial(load, &player->hears);
        } else if (status != 200) {
            load->result.mistakes++;
            load->result.last = status;
        }
        json_decref(json);
    }
}

/* ---- hostile clients ---- */

static void attack(Load *load, Wire *wire)
{
    static const char endless[] = "{\"game\": \"othello\", \"seats\": [\"uct(playouts=100000000)\", "
                                  "\"uct(playouts=100000000)\"], \"pace\": {\"delay\": 0}}";
    static const char half[] = "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                               "application/json\r\nContent-Length: 1000\r\n\r\n{";
    char path[80];
    switch (wire->kind) {
    case HALVES:
        wire->sent = send(wire->fd, half, sizeof half - 1, MSG_NOSIGNAL) > 0;
        break;
    case FLOODS:
        say(load, wire, "GET", "/api/games", NULL);
        break;
    case COLLECTS:
        say(load, wire, "GET", "/api/events?runs=1", NULL);
        break;
    case OPENS:
        snprintf(path, sizeof path, "/api/sessions/%s/hint", wire->id);
        if (wire->games > 0)
            say(load, wire, "POST", "/api/sessions", endless);
        else
            say(load, wire, "POST", path, "{\"spec\": \"uct(playouts=100000000)\"}");
        break;
    default:
        break;
    }
}

static void receive_refusal(Load *load, Wire *wire)
{
    json_t *json;
    int status;
    if (wire->kind == COLLECTS) return;
    while ((status = take_reply(&wire->in, wire->kind == OPENS && !wire->id[0], &json))) {
        load->result.refusals += status == 429 || status == 503;
        const char *id = json_string_value(json_object_get(json, "id"));
        if (id) snprintf(wire->id, sizeof wire->id, "%s", id);
        json_decref(json);
        if (wire->kind == OPENS && wire->games > 0) wire->games--;
        wire->next = load->now + FLOOD_SECONDS;
    }
}

/* ---- the loop ---- */

static void connected(Load *load, Wire *wire)
{
    char path[80];
    if (wire->sent) return;
    if (wire->kind == ASKS) {
        if (!wire->player->id[0]) ask_game(load, wire->player);
        if (wire->player->moved > 0 && wire->player->moved < load->now) make_move(load, wire->player);
    } else if (wire->kind == HEARS) {
        snprintf(path, sizeof path, "/api/events?session=%s", wire->player->id);
        say(load, wire, "GET", path, NULL);
    } else
        attack(load, wire);
}

static void readable(Load *load, Wire *wire)
{
    char piece[1 << 14];
    ssize_t got = 0;
    while (wire->fd >= 0 && (got = recv(wire->fd, piece, sizeof piece, 0)) > 0)
        if (wire->kind == HEARS)
            add_stream(wire, piece, (size_t)got);
        else if (wire->kind != COLLECTS)
            kn_text_add_bytes(&wire->in, piece, (size_t)got);
    bool ended = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
    if (wire->kind == ASKS)
        receive_answer(load, wire->player);
    else if (wire->kind == HEARS)
        hear(load, wire->player);
    else
        receive_refusal(load, wire);
    if (wire->fd >= 0 && ended) {
        /* The server may close a connection that is idle; a stream of a game is none. */
        load->result.mistakes += wire->kind == HEARS;
        hang_up(load, wire, wire->player ? 0 : AGAIN_SECONDS);
    }
}

static void open_wire(Load *load, Wire *wire, Kind kind, Player *player, int index)
{
    *wire = (Wire){.kind = kind,
                   .fd = -1,
                   .player = player,
                   .in = KN_TEXT_EMPTY,
                   .address = (uint32_t)(0x7f010000 + (index / 250) * 256 + index % 250 + 1),
                   .games = load->plan->games};
}

/* Moves of players whose time has come, and wires that connect again. */
static void tick(Load *load)
{
    for (int i = 0; i < load->player_count; i++) {
        Player *player = &load->players[i];
        bool lost = player->asks.again > 0 && player->moved > 0; /* closed as the move was sent: again */
        if (player->hears.again > 0 && player->id[0]) dial(load, &player->hears);
        if (player->next > 0 && player->next <= load->now) {
            if (player->asks.fd < 0) { /* closed while it was idle: connect, then move */
                player->next = 0;
                player->moved = load->now;
                dial(load, &player->asks);
            } else
                make_move(load, player);
        } else if (lost)
            dial(load, &player->asks);
    }
    for (int i = 0; i < load->wire_count; i++) {
        Wire *wire = &load->wires[i];
        if (wire->again > 0 && wire->again <= load->now) dial(load, wire);
        if (wire->next <= 0 || wire->next > load->now) continue;
        wire->next = 0;
        if (wire->fd >= 0) attack(load, wire);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarize(Load *load)
{
    const Player *players = load->players;
    LoadResult *result = &load->result;
    for (int i = 0; i < load->player_count; i++)
        if (players[i].moved > 0) { /* the time so far counts, so that no answer at all is not overlooked */
            if (load->now - players[i].moved > 0.25) result->waiting++;
            if (load->count < load->room) load->times[load->count++] = load->now - players[i].moved;
        }
    result->moves = load->count;
    if (!load->count) return;
    qsort(load->times, (size_t)load->count, sizeof *load->times, compare);
    result->median = load->times[load->count / 2];
    result->most99 = load->times[(int)ceil(0.99 * load->count) - 1];
    result->slowest = load->times[load->count - 1];
}

static double thread_cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *drive(void *user)
{
    Load *load = user;
    struct epoll_event events[256];
    double ticked = 0, before = thread_cpu();
    while ((load->now = kn_clock_now()) < load->end) {
        int count = epoll_wait(load->poll, events, 256, 5);
        load->now = kn_clock_now();
        for (int i = 0; i < count; i++) {
            Wire *wire = events[i].data.ptr;
            if (wire->fd >= 0 && events[i].events & EPOLLOUT) connected(load, wire);
            if (wire->fd >= 0 && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readable(load, wire);
        }
        if (load->now < ticked + 0.002) continue;
        ticked = load->now;
        tick(load);
    }
    load->result.cpu = thread_cpu() - before;
    return NULL;
}

static Load load_new(const LoadPlan *plan, int players, int wires)
{
    double now = kn_clock_now();
    Load load = {.plan = plan,
                 .poll = epoll_create1(EPOLL_CLOEXEC),
                 .rng = kn_rng_stream(1, 1),
                 .now = now,
                 .warm = now + plan->warm_up,
                 .end = now + plan->seconds,
                 .players = calloc((size_t)players + 1, sizeof *load.players),
                 .player_count = players,
                 .wires = calloc((size_t)wires + 1, sizeof *load.wires),
                 .wire_count = wires,
                 .times = calloc(TIMES, sizeof *load.times),
                 .room = TIMES};
    assert_true(load.players && load.wires && load.times && load.poll >= 0);
    return load;
}

static void load_free(Load *load)
{
    for (int i = 0; i < load->wire_count; i++) {
        hang_up(load, &load->wires[i], 0);
        kn_text_free(&load->wires[i].in);
    }
    for (int i = 0; i < load->player_count; i++) {
        hang_up(load, &load->players[i].asks, 0);
        hang_up(load, &load->players[i].hears, 0);
        kn_text_free(&load->players[i].asks.in);
        kn_text_free(&load->players[i].hears.in);
    }
    close(load->poll);
    free(load->players);
    free(load->wires);
    free(load->times);
}

LoadResult load_run(const LoadPlan *plan)
{
    static const Kind first[] = {OPENS, HALVES, FLOODS, COLLECTS};
    int each = plan->idle + 4;
    Load peaceful = load_new(plan, plan->clients, 0), hostile = load_new(plan, 0, plan->hostile * each);
    for (int i = 0; i < hostile.wire_count; i++) {
        Wire *wire = &hostile.wires[i];
        open_wire(&hostile, wire, i % each < 4 ? first[i % each] : IDLES, NULL, plan->clients + i / each);
        wire->again = hostile.now + 1.0 * i / hostile.wire_count;
    }
    for (int i = 0; i < plan->clients; i++) {
        Player *player = &peaceful.players[i];
        open_wire(&peaceful, &player->asks, ASKS, player, i);
        open_wire(&peaceful, &player->hears, HEARS, player, i);
        dial(&peaceful, &player->asks);
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, drive, &hostile), 0);
    drive(&peaceful);
    pthread_join(thread, NULL);
    summarize(&peaceful);
    peaceful.result.refusals = hostile.result.refusals;
    peaceful.result.requests += hostile.result.requests;
    peaceful.result.cpu += hostile.result.cpu;
    load_free(&peaceful);
    load_free(&hostile);
    return peaceful.result;
}
