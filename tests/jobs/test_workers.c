/* Jobs with threads of this process for workers (support/crew.h), each with a context of its own. */
#include "support/check.h"
#include "support/crew.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 300 };

/* ---- a job type: index -> factor * index + addend ---- */

typedef struct Sum {
    uint64_t factor, addend;
    uint64_t fails; /* the lowest index that does */
    uint64_t window;
    uint64_t *slots;
    /* on the coordinator */
    uint64_t next, stops, digest;
    atomic_uint_fast64_t far;
} Sum;

static KnStatus sum(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    Sum *s = user;
    if (index >= s->fails) return kn_fail(error, KN_INPUT, "index %llu cannot be", (unsigned long long)index);
    usleep((unsigned)(index * 7919 % 50));
    s->slots[index % s->window] = s->factor * index + s->addend;
    return KN_OK;
}

/* The payload is the head of a Sum. */
static KnStatus open_sum(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    Sum *s = *user = payload;
    s->window = site->window;
    s->slots = calloc(s->window, sizeof *s->slots);
    return s->factor == 13 ? kn_fail(error, KN_SYSTEM, "thirteen is not done here") : KN_OK;
}

static void close_sum(void *user) { free(((Sum *)user)->slots); }

static KnStatus update_sum(void *user, KnUnpack *in, KnError *error)
{
    ((Sum *)user)->addend = kn_unpack_u64(in);
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "a malformed update");
}

static void *slot_of_sum(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    const Sum *s = user;
    return &s->slots[index % s->window];
}

static KnStatus received_sum(void *user, uint64_t index, KnError *error)
{
    (void)index, (void)error;
    atomic_fetch_add(&((Sum *)user)->far, 1);
    return KN_OK;
}

static const KnJobType job_type = {.name = "sum",
                                   .summary = "sums",
                                   .payload = KN_LAYOUT(Sum, KN_PLAIN(Sum, factor), KN_PLAIN(Sum, fails)),
                                   .open = open_sum,
                                   .close = close_sum,
                                   .update = update_sum,
                                   .run = sum,
                                   .result = KN_LAYOUT_PLAIN(uint64_t),
                                   .slot = slot_of_sum,
                                   .received = received_sum};

static KnStatus commit(void *user, uint64_t index, KnError *error)
{
    Sum *s = user;
    if (index != s->next) return kn_fail(error, KN_USAGE, "out of order");
    s->next++;
    s->digest = s->digest * 31 + s->slots[index % s->window];
    return index == s->stops ? KN_STOPPED : KN_OK;
}

/* ---- members ---- */

static KnStatus open_context(const char *data, KnContext **context, KnError *error)
{
    *context = kn_context_new();
    return strcmp(data, "here") == 0 ? KN_OK : kn_fail(error, KN_INPUT, "the data folder is another one");
}

static const KnJobType *find(const char *name) { return strcmp(name, job_type.name) == 0 ? &job_type : NULL; }

typedef struct Group {
    TestCrew *crew;
    KnWorkers *workers;
    KnContext *context;
} Group;

static Group *gather(int size)
{
    Group *t = calloc(1, sizeof *t);
    KnError error;
    t->crew = test_crew(size, open_context, find);
    t->workers = test_crew_team(t->crew);
    t->context = kn_context_new();
    assert_int_equal(kn_context_set_data(t->context, "here", &error), KN_OK);
    kn_context_set_workers(t->context, t->workers);
    return t;
}

static void part(Group *t)
{
    test_crew_free(t->crew);
    kn_close(t->context);
    free(t);
}

typedef struct Told {
    KnStatus status;
    KnError error;
    uint64_t next, digest, far;
} Told;

/* One job, a step for each addend. */
static Told send_out(Group *t, Sum s, const uint64_t *addends, int runs, const atomic_bool *cancel)
{
    Told told = {KN_OK, {KN_OK, ""}, 0, 0, 0};
    KnText update = KN_TEXT_EMPTY;
    KnJob *job;
    s.window = kn_job_window(t->context, 2);
    s.slots = calloc(s.window, sizeof *s.slots);
    KnJobRun run = {
        .jobs = 2, .count = COUNT, .window = s.window, .commit = commit, .user = &s, .cancel = cancel};
    assert_int_equal(kn_job_open(t->context, &job_type, 2, s.window, &s, &job, &told.error), KN_OK);
    for (int r = 0; r < runs && told.status == KN_OK; r++) {
        s.addend = addends[r];
        s.next = 0;
        kn_text_clear(&update);
        kn_pack_u64(&update, s.addend);
        kn_job_update(job, &update);
        told.status = kn_job_step(job, &job_type, &run, &told.error);
    }
    kn_job_close(job);
    told.next = s.next;
    told.digest = s.digest;
    told.far = atomic_load(&s.far);
    kn_text_free(&update);
    free(s.slots);
    return told;
}

static const Sum plain = {.factor = 3, .fails = COUNT, .stops = COUNT};

/* ---- tests ---- */

static void any_size_gives_the_same(void **state)
{
    (void)state;
    const uint64_t addends[] = {5, 70, 900};
    uint64_t expected = 0, far = 0;
    for (int r = 0; r < 3; r++)
        for (uint64_t i = 0; i < COUNT; i++) expected = expected * 31 + 3 * i + addends[r];
    for (int size = 1; size <= 4; size++) {
        Group *t = gather(size);
        for (int again = 0; again < 2; again++) {
            Told told = send_out(t, plain, addends, 3, NULL);
            assert_int_equal(told.status, KN_OK);
            assert_int_equal(told.next, COUNT);
            assert_int_equal(told.digest, expected);
            if (size == 1) assert_int_equal(told.far, 0);
            far += told.far;
        }
        part(t);
    }
    assert_true(far > 0);
}

static void lowest_failure_is_reported(void **state)
{
    (void)state;
    Group *t = gather(3);
    Sum s = plain;
    s.fails = 101;
    Told told = send_out(t, s, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.status, KN_INPUT);
    assert_string_equal(told.error.text, "index 101 cannot be");
    assert_int_equal(told.next, 101);
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL); /* and the workers still work */
    assert_int_equal(told.status, KN_OK);
    part(t);
}

static void stopping_commit_ends_the_run(void **state)
{
    (void)state;
    Group *t = gather(4);
    Sum s = plain;
    s.stops = 77;
    Told told = send_out(t, s, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.status, KN_OK);
    assert_int_equal(told.next, 78);
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.next, COUNT);
    part(t);
}

static void worker_that_cannot_open_reports_it(void **state)
{
    (void)state;
    Group *t = gather(2);
    Sum s = plain;
    s.factor = 13;
    Told told = send_out(t, s, (uint64_t[]){0}, 1, NULL);
    if (told.status == KN_OK)
        assert_int_equal(told.next,
                         COUNT); /* the coordinator was done before the worker had opened the job */
    else
        assert_string_equal(told.error.text, "rank 1: thirteen is not done here");
    KnError error;
    assert_int_equal(kn_context_set_data(t->context, "elsewhere", &error), KN_OK);
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL);
    if (told.status != KN_OK) assert_string_equal(told.error.text, "rank 1: the data folder is another one");
    part(t);
}

static void nested_job_stays_in_the_process(void **state)
{
    (void)state;
    Group *t = gather(2);
    KnJob *job;
    KnError error;
    assert_int_equal(kn_job_open(t->context, &job_type, 2, 16, &plain, &job, &error), KN_OK);
    assert_non_null(job);
    Told told = send_out(t, plain, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.status, KN_OK);
    assert_int_equal(told.far, 0);
    kn_job_close(job);
    assert_int_equal(t->workers->jobs_started, 1);
    part(t);
}

static void cancelling_does_not_wait(void **state)
{
    (void)state;
    Group *t = gather(2);
    atomic_bool cancel = true;
    Told told = send_out(t, plain, (uint64_t[]){0}, 1, &cancel);
    assert_int_equal(told.status, KN_STOPPED);
    assert_true(atomic_load(&t->workers->lost));
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL); /* alone from now on */
    assert_int_equal(told.status, KN_OK);
    assert_int_equal(told.far, 0);
    part(t);
}

static void bytes_come_back(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_pack_int(&text, -7);
    kn_pack_string(&text, NULL);
    kn_pack_string(&text, "");
    kn_pack_real(&text, 0.1);
    KnUnpack in = kn_unpack(text.data, text.length);
    assert_int_equal(kn_unpack_int(&in), -7);
    assert_null(kn_unpack_string(&in));
    assert_string_equal(kn_unpack_string(&in), "");
    assert_true(kn_unpack_real(&in) == 0.1);
    assert_true(kn_unpack_ok(&in));
    assert_int_equal(kn_unpack_u64(&in), 0);
    assert_false(kn_unpack_ok(&in));
    in = kn_unpack(text.data, text.length - 1);
    kn_unpack_int(&in);
    assert_false(kn_unpack_ok(&in)); /* some is left */
    in = kn_unpack("\5\0\0\0\0\0\0\0abcde", 13);
    assert_null(kn_unpack_string(&in)); /* without an end */
    assert_false(kn_unpack_ok(&in));
    kn_text_free(&text);
}

typedef struct Thing {
    const char *names[2];
    int number;
    double secret; /* not in the layout */
    KnText text;
    json_t *json;
} Thing;

static const KnLayout layout = KN_LAYOUT(Thing, KN_STRINGS(Thing, names), KN_PLAIN(Thing, number),
                                         KN_TEXT(Thing, text), KN_JSON(Thing, json));

static void struct_comes_back_by_its_layout(void **state)
{
    (void)state;
    KnText bytes = KN_TEXT_EMPTY;
    Thing sent = {{"a", NULL}, 7, 0.5, KN_TEXT_EMPTY, json_pack("[i]", 3)}, got = {.number = 1};
    kn_text_add_bytes(&sent.text, "x\0y", 3);
    kn_pack_struct(&bytes, &layout, &sent);
    KnUnpack in = kn_unpack(bytes.data, bytes.length);
    kn_unpack_struct(&in, &layout, &got);
    assert_true(kn_unpack_ok(&in));
    assert_string_equal(got.names[0], "a");
    assert_null(got.names[1]);
    assert_int_equal(got.number, 7);
    assert_true(got.secret == 0);
    assert_int_equal(got.text.length, 3);
    assert_memory_equal(got.text.data, "x\0y", 3);
    assert_true(json_equal(got.json, sent.json));
    kn_text_free(&got.text);
    json_decref(got.json);
    for (size_t length = 0; length < bytes.length; length++) {
        got = (Thing){.number = 1};
        in = kn_unpack(bytes.data, length);
        kn_unpack_struct(&in, &layout, &got);
        assert_false(kn_unpack_ok(&in));
        kn_text_free(&got.text);
        json_decref(got.json);
    }
    kn_text_free(&sent.text);
    json_decref(sent.json);
    kn_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_gives_the_same),
        cmocka_unit_test(lowest_failure_is_reported),
        cmocka_unit_test(stopping_commit_ends_the_run),
        cmocka_unit_test(worker_that_cannot_open_reports_it),
        cmocka_unit_test(nested_job_stays_in_the_process),
        cmocka_unit_test(cancelling_does_not_wait),
        cmocka_unit_test(bytes_come_back),
        cmocka_unit_test(struct_comes_back_by_its_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
