/* A load on the server, over loopback: clients who play, and clients who try to keep it from answering.
 *
 * Every client has an address of its own (127.1.x.y). Those who play open a game of draughts against an
 * engine, listen to its events as the page does, think, and move. A hostile client opens games between
 * engines without end, keeps connections idle, sends half requests, floods, asks for hints, or collects
 * streams of events. One thread drives the players and one the hostile clients (epoll). */
#ifndef KNACK_TESTS_LOAD_H
#define KNACK_TESTS_LOAD_H

typedef struct LoadPlan {
    int port;
    int clients, hostile; /* who play; and the others */
    int idle;             /* idle connections of each hostile client */
    int games;            /* endless games of each hostile client */
    double seconds;       /* that it lasts */
    double warm_up;       /* seconds in which games are opened and nobody moves */
    double pause;         /* mean seconds that a player thinks */
    const char *engine;   /* whom the players meet */
} LoadPlan;

typedef struct LoadResult {
    int moves;             /* answered by the engine */
    int waiting;           /* not answered when the time was up */
    int mistakes;          /* of the server: players refused or disconnected */
    int last;              /* status of the latest mistake; 0: a stream ended */
    int refusals;          /* 429 and 503 that hostile clients were given */
    double median, most99; /* seconds from a move to the engine's answer: 50th and 99th percentile */
    double slowest;
    long requests; /* of all clients */
    double cpu;    /* seconds of CPU that the clients themselves took */
} LoadResult;

/* Fails the test where the system gives no sockets. */
LoadResult load_run(const LoadPlan *plan);

#endif
