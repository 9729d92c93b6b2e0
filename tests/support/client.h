/* A tiny HTTP client over loopback, for tests of the server: one request a connection, and streams of events.
 * Everything fails the test when it takes longer than it may. */
#ifndef KNACK_TESTS_CLIENT_H
#define KNACK_TESTS_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct TestAnswer {
    int status;    /* 0: the server hung up without an answer */
    char *headers; /* as sent */
    char *body;    /* terminated; chunks put together */
    size_t size;
    json_t *json; /* the body where it is JSON, else NULL */
} TestAnswer;

int test_connect(int port); /* a socket that gives up after 20 s */
void test_send(int fd, const char *bytes, size_t size);

/* With a JSON body if it is not NULL. */
TestAnswer test_ask(int port, const char *method, const char *path, const char *body);
/* The same of a server that may have died: then the status is 0. */
TestAnswer test_try(int port, const char *method, const char *path, const char *body);
/* Bytes as they are; Connection: close is up to them. */
TestAnswer test_ask_raw(int port, const char *bytes, size_t size);
void test_answer_free(TestAnswer *answer);

typedef struct TestStream TestStream;

/* `last` NULL or the Last-Event-ID. */
TestStream *test_stream_open(int port, const char *path, const char *last);
/* The next event that is no ping: its name, id ("" if none) and data (a new reference). False when the stream
 * has ended. */
bool test_stream_next(TestStream *stream, char name[32], char id[32], json_t **data);
void test_stream_close(TestStream *stream);

#endif
