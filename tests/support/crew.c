#include "support/crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "support/check.h"

enum { MEMBERS_MAX = 4 };

typedef struct Letter {
    int from;
    KnText bytes;
    struct Letter *next;
} Letter;

typedef struct Box {
    pthread_mutex_t lock;
    Letter *first, **last;
} Box;

typedef struct Member {
    KnWorkers workers;
    int number;
    TestCrew *crew;
    pthread_t thread;
} Member;

struct TestCrew {
    Member members[MEMBERS_MAX];
    Box boxes[MEMBERS_MAX];
    KnOpenWorkerContext open_context;
    KnFindJobType find;
};

static void post(KnWorkers *workers, int to, const void *bytes, size_t size)
{
    Member *me = (Member *)workers;
    Letter *letter = calloc(1, sizeof *letter);
    assert_non_null(letter);
    letter->from = me->number;
    letter->bytes = KN_TEXT_EMPTY;
    kn_text_add_bytes(&letter->bytes, bytes, size);
    Box *box = &me->crew->boxes[to];
    pthread_mutex_lock(&box->lock);
    *box->last = letter;
    box->last = &letter->next;
    pthread_mutex_unlock(&box->lock);
}

static bool fetch(KnWorkers *workers, int *from, KnText *message)
{
    Box *box = &((Member *)workers)->crew->boxes[((Member *)workers)->number];
    pthread_mutex_lock(&box->lock);
    Letter *letter = box->first;
    if (letter && !(box->first = letter->next)) box->last = &box->first;
    pthread_mutex_unlock(&box->lock);
    if (!letter) return false;
    *from = letter->from;
    kn_text_add_bytes(message, letter->bytes.data, letter->bytes.length);
    kn_text_free(&letter->bytes);
    free(letter);
    return true;
}

static void *help(void *user)
{
    Member *member = user;
    kn_workers_serve(&member->workers, member->crew->open_context, member->crew->find);
    return NULL;
}

TestCrew *test_crew(int size, KnOpenWorkerContext open_context, KnFindJobType find)
{
    static const int cores[MEMBERS_MAX] = {2, 1, 2, 1};
    TestCrew *crew = calloc(1, sizeof *crew);
    assert_true(crew && size <= MEMBERS_MAX);
    crew->open_context = open_context;
    crew->find = find;
    for (int m = 0; m < size; m++) {
        pthread_mutex_init(&crew->boxes[m].lock, NULL);
        crew->boxes[m].last = &crew->boxes[m].first;
        crew->members[m] = (Member){.workers = {.size = size, .cores = cores, .send = post, .receive = fetch},
                                    .number = m,
                                    .crew = crew};
    }
    for (int m = 1; m < size; m++)
        assert_int_equal(pthread_create(&crew->members[m].thread, NULL, help, &crew->members[m]), 0);
    return crew;
}

KnWorkers *test_crew_team(TestCrew *crew) { return &crew->members[0].workers; }

void test_crew_free(TestCrew *crew)
{
    int size = crew->members[0].workers.size, from;
    kn_workers_dismiss(&crew->members[0].workers);
    for (int m = 1; m < size; m++) pthread_join(crew->members[m].thread, NULL);
    KnText late = KN_TEXT_EMPTY; /* what helpers said when nobody listened any more */
    for (int m = 0; m < size; m++)
        while (fetch(&crew->members[m].workers, &from, &late)) kn_text_clear(&late);
    kn_text_free(&late);
    for (int m = 0; m < size; m++) pthread_mutex_destroy(&crew->boxes[m].lock);
    free(crew);
}
