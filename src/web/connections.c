#include "web/connections.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/hash.h"
#include "web/fair_share.h"

enum { BUCKETS = 1024 /* a power of two */ };

/* An address with open connections, or with requests that still count. */
typedef struct Client {
    struct Client *next; /* in its bucket */
    uint64_t key;
    bool exempt; /* from the rate of requests */
    int connections;
    double tokens, at; /* requests that it may send, as of the time `at` */
} Client;

struct KnConnection {
    KnConnections *all;
    KnConnection *next, *previous;
    Client *client;
    int fd;
    double since; /* it waits */
    bool works, refused, closed;
};

struct KnConnections {
    pthread_mutex_t lock;
    KnConnection *first;
    int count, most; /* those that are not about to close; and their limit */
    double swept;
    Client *clients[BUCKETS];
};

KnConnections *kn_connections_new(int most)
{
    KnConnections *connections = calloc(1, sizeof *connections);
    if (!connections) return NULL;
    pthread_mutex_init(&connections->lock, NULL);
    connections->most = most;
    return connections;
}

void kn_connections_free(KnConnections *connections)
{
    if (!connections) return;
    KN_ASSERT(!connections->first);
    for (size_t i = 0; i < BUCKETS; i++)
        for (Client *client = connections->clients[i], *next; client; client = next) {
            next = client->next;
            free(client);
        }
    pthread_mutex_destroy(&connections->lock);
    free(connections);
}

/* ---- clients; the caller holds the lock ---- */

static uint64_t key_of(const struct sockaddr *address, bool *own)
{
    static const struct in6_addr loopback = IN6ADDR_LOOPBACK_INIT;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    *own = false;
    if (address && address->sa_family == AF_INET) {
        memcpy(&four, address, sizeof four);
        *own = four.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
        return kn_hash128(&four.sin_addr, sizeof four.sin_addr).low | 1;
    }
    if (address && address->sa_family == AF_INET6) {
        memcpy(&six, address, sizeof six);
        const unsigned char *bytes = six.sin6_addr.s6_addr;
        if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
            *own = bytes[12] == 127 && !bytes[13] && !bytes[14] && bytes[15] == 1;
            return kn_hash128(bytes + 12, 4).low | 1;
        }
        *own = memcmp(bytes, &loopback, sizeof loopback) == 0;
        return kn_hash128(bytes, 8).low | 1;
    }
    return 1;
}

static void refill(Client *client, double now)
{
    client->tokens += (now - client->at) * KN_CONNECTION_RATE;
    if (client->tokens > KN_CONNECTION_BURST) client->tokens = KN_CONNECTION_BURST;
    client->at = now;
}

/* Finds or adds a client; forgets those of its bucket that have nothing any more. */
static Client *client_of(KnConnections *all, const struct sockaddr *address, double now)
{
    bool own;
    uint64_t key = key_of(address, &own);
    Client *found = NULL;
    Client **bucket = &all->clients[key >> 1 & (BUCKETS - 1)];
    for (Client **at = bucket; *at;) {
        Client *client = *at;
        refill(client, now);
        if (client->key == key) found = client;
        if (client->key != key && !client->connections && client->tokens >= KN_CONNECTION_BURST) {
            *at = client->next;
            free(client);
        } else
            at = &client->next;
    }
    if (found || !(found = calloc(1, sizeof *found))) return found;
    *found = (Client){.next = *bucket, .key = key, .exempt = own, .tokens = KN_CONNECTION_BURST, .at = now};
    return *bucket = found;
}

/* ---- making room; the caller holds the lock ---- */

/* Wakes the connection's thread, which closes it. */
static void shut(KnConnection *connection)
{
    connection->closed = true;
    connection->all->count--;
    shutdown(connection->fd, SHUT_RDWR);
}

/* Closes connections whose requests do not become complete. */
static void sweep(KnConnections *all, double now)
{
    if (now - all->swept < 1) return;
    all->swept = now;
    for (KnConnection *c = all->first; c; c = c->next)
        if (!c->works && !c->closed && now - c->since > KN_CONNECTION_SECONDS) shut(c);
}

/* Closes the connection that has waited longest of the client with the most. False if none waits. */
static bool evict(KnConnections *all, const KnConnection *newcomer)
{
    KnConnection *chosen = NULL;
    for (KnConnection *c = all->first; c; c = c->next) {
        if (c == newcomer || c->works || c->closed) continue;
        if (!chosen || c->client->connections > chosen->client->connections ||
            (c->client->connections == chosen->client->connections && c->since < chosen->since))
            chosen = c;
    }
    if (chosen) shut(chosen);
    return chosen != NULL;
}

/* ---- connections ---- */

bool kn_connections_admit(KnConnections *all, const struct sockaddr *address)
{
    pthread_mutex_lock(&all->lock);
    const Client *client = client_of(all, address, kn_clock_now());
    bool admitted = !client || client->exempt || client->connections < KN_CONNECTION_FEW ||
                    (all->count < all->most && kn_fair_share_allows((size_t)client->connections,
                                                                    (size_t)all->count, (size_t)all->most));
    pthread_mutex_unlock(&all->lock);
    return admitted;
}

KnConnection *kn_connection_open(KnConnections *all, int fd, const struct sockaddr *address)
{
    KnConnection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    double now = kn_clock_now();
    pthread_mutex_lock(&all->lock);
    Client *client = client_of(all, address, now);
    if (client) {
        *connection =
            (KnConnection){.all = all, .next = all->first, .client = client, .fd = fd, .since = now};
        if (all->first) all->first->previous = connection;
        all->first = connection;
        client->connections++;
        all->count++;
        sweep(all, now);
        if (all->count > all->most) connection->refused = !evict(all, connection);
    }
    pthread_mutex_unlock(&all->lock);
    if (client) return connection;
    free(connection);
    return NULL;
}

void kn_connection_close(KnConnection *connection)
{
    if (!connection) return;
    KnConnections *all = connection->all;
    pthread_mutex_lock(&all->lock);
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        all->first = connection->next;
    if (connection->next) connection->next->previous = connection->previous;
    connection->client->connections--;
    if (!connection->closed) all->count--;
    pthread_mutex_unlock(&all->lock);
    free(connection);
}

uint64_t kn_connection_client(const KnConnection *connection) { return connection->client->key; }

KnAdmission kn_connection_begin(KnConnection *connection)
{
    pthread_mutex_lock(&connection->all->lock);
    Client *client = connection->client;
    refill(client, kn_clock_now());
    bool early = !client->exempt && client->tokens < 1;
    if (!client->exempt && !early) client->tokens--;
    connection->works = true;
    bool refused = connection->refused;
    pthread_mutex_unlock(&connection->all->lock);
    return refused ? KN_TOO_MANY_CONNECTIONS : early ? KN_TOO_MANY_REQUESTS : KN_ADMITTED;
}

void kn_connection_end(KnConnection *connection)
{
    pthread_mutex_lock(&connection->all->lock);
    connection->works = false;
    connection->refused = false;
    connection->since = kn_clock_now();
    pthread_mutex_unlock(&connection->all->lock);
}
