/* Errands, with threads of this process for the members of a team (support/crew.h), each with a context of
 * its own. */
#include "support/check.h"
#include "support/crew.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 300 };

/* ---- a duty: index -> factor * index + addend ---- */

typedef struct Sum {
    uint64_t factor, addend;
    uint64_t fails; /* the lowest index that does */
    uint64_t window;
    uint64_t *slots;
    bool away;
    /* at home */
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

static KnStatus open_sum(KnPost *post_, void **user, KnError *error)
{
    Sum *s = *user = calloc(1, sizeof *s);
    assert_non_null(s);
    s->away = true;
    s->factor = kn_unpack_u64(&post_->brief);
    s->fails = kn_unpack_u64(&post_->brief);
    s->window = post_->window;
    s->slots = calloc(s->window, sizeof *s->slots);
    if (s->factor == 13) return kn_fail(error, KN_SYSTEM, "thirteen is not done here");
    return kn_unpack_ok(&post_->brief) ? KN_OK : kn_fail(error, KN_SYSTEM, "a brief in parts");
}

static void close_sum(void *user)
{
    free(((Sum *)user)->slots);
    free(user);
}

static KnStatus hear_sum(void *user, KnUnpack *news, KnError *error)
{
    ((Sum *)user)->addend = kn_unpack_u64(news);
    return kn_unpack_ok(news) ? KN_OK : kn_fail(error, KN_SYSTEM, "news in parts");
}

static void pack_sum(void *user, int worker, uint64_t index, KnText *out)
{
    (void)worker;
    const Sum *s = user;
    kn_pack_u64(out, s->slots[index % s->window]);
}

static KnStatus unpack_sum(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error)
{
    Sum *s = user;
    s->slots[index % s->window] = kn_unpack_u64(in);
    atomic_fetch_add(&s->far, 1);
    return worker == 2 && kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "a sum in parts");
}

static const KnDuty duty = {"sum", "sums", open_sum, close_sum, hear_sum, sum, pack_sum, unpack_sum};

static KnStatus commit(void *user, uint64_t index, KnError *error)
{
    Sum *s = user;
    if (index != s->next) return kn_fail(error, KN_USAGE, "out of order");
    s->next++;
    s->digest = s->digest * 31 + s->slots[index % s->window];
    return index == s->stops ? KN_STOPPED : KN_OK;
}

/* ---- members ---- */

static KnStatus settle(const char *data, KnContext **context, KnError *error)
{
    *context = kn_context_new();
    return strcmp(data, "here") == 0 ? KN_OK : kn_fail(error, KN_INPUT, "the data folder is another one");
}

static const KnDuty *find(const char *name) { return strcmp(name, duty.name) == 0 ? &duty : NULL; }

typedef struct Team {
    TestCrew *crew;
    KnTeam *home;
    KnContext *context;
} Team;

static Team *gather(int size)
{
    Team *t = calloc(1, sizeof *t);
    KnError error;
    t->crew = test_crew(size, settle, find);
    t->home = test_crew_team(t->crew);
    t->context = kn_context_new();
    assert_int_equal(kn_context_set_data(t->context, "here", &error), KN_OK);
    kn_context_set_team(t->context, t->home);
    return t;
}

static void part(Team *t)
{
    test_crew_free(t->crew);
    kn_context_free(t->context);
    free(t);
}

typedef struct Told {
    KnStatus status;
    KnError error;
    uint64_t next, digest, far;
} Told;

/* One errand of a run for each addend. */
static Told send_out(Team *t, Sum s, const uint64_t *addends, int runs, const atomic_bool *cancel)
{
    Told told = {KN_OK, {KN_OK, ""}, 0, 0, 0};
    KnText brief = KN_TEXT_EMPTY, news = KN_TEXT_EMPTY;
    KnErrand *errand;
    s.window = kn_team_window(kn_context_team(t->context), 2);
    s.slots = calloc(s.window, sizeof *s.slots);
    kn_pack_u64(&brief, s.factor);
    kn_pack_u64(&brief, s.fails);
    assert_int_equal(kn_errand_open(t->context, &duty, 2, s.window, &brief, &errand, &told.error), KN_OK);
    for (int r = 0; r < runs && told.status == KN_OK; r++) {
        s.addend = addends[r];
        s.next = 0;
        kn_text_clear(&news);
        kn_pack_u64(&news, s.addend);
        told.status = kn_errand_run(errand, &duty, &news, 2, COUNT, s.window, commit, &s, cancel,
                                    &told.error);
    }
    kn_errand_close(errand);
    told.next = s.next;
    told.digest = s.digest;
    told.far = atomic_load(&s.far);
    kn_text_free(&brief);
    kn_text_free(&news);
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
        Team *t = gather(size);
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
    Team *t = gather(3);
    Sum s = plain;
    s.fails = 101;
    Told told = send_out(t, s, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.status, KN_INPUT);
    assert_string_equal(told.error.text, "index 101 cannot be");
    assert_int_equal(told.next, 101);
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL); /* and the team is none the worse */
    assert_int_equal(told.status, KN_OK);
    part(t);
}

static void commit_that_has_enough_ends_it(void **state)
{
    (void)state;
    Team *t = gather(4);
    Sum s = plain;
    s.stops = 77;
    Told told = send_out(t, s, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.status, KN_OK);
    assert_int_equal(told.next, 78);
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.next, COUNT);
    part(t);
}

static void helper_that_cannot_set_up_says_so(void **state)
{
    (void)state;
    Team *t = gather(2);
    Sum s = plain;
    s.factor = 13;
    Told told = send_out(t, s, (uint64_t[]){0}, 1, NULL);
    if (told.status == KN_OK)
        assert_int_equal(told.next, COUNT); /* home was done before the helper had read its brief */
    else
        assert_string_equal(told.error.text, "rank 1: thirteen is not done here");
    KnError error;
    assert_int_equal(kn_context_set_data(t->context, "elsewhere", &error), KN_OK);
    told = send_out(t, plain, (uint64_t[]){0}, 1, NULL);
    if (told.status != KN_OK) assert_string_equal(told.error.text, "rank 1: the data folder is another one");
    part(t);
}

static void inside_an_errand_all_stays_here(void **state)
{
    (void)state;
    Team *t = gather(2);
    KnText brief = KN_TEXT_EMPTY;
    KnErrand *errand;
    KnError error;
    kn_pack_u64(&brief, 3);
    kn_pack_u64(&brief, COUNT);
    assert_int_equal(kn_errand_open(t->context, &duty, 2, 16, &brief, &errand, &error), KN_OK);
    assert_non_null(errand);
    Told told = send_out(t, plain, (uint64_t[]){0}, 1, NULL);
    assert_int_equal(told.status, KN_OK);
    assert_int_equal(told.far, 0);
    kn_errand_close(errand);
    kn_text_free(&brief);
    assert_int_equal(t->home->errands, 1);
    part(t);
}

static void cancelling_waits_for_nobody(void **state)
{
    (void)state;
    Team *t = gather(2);
    atomic_bool cancel = true;
    Told told = send_out(t, plain, (uint64_t[]){0}, 1, &cancel);
    assert_int_equal(told.status, KN_STOPPED);
    assert_true(atomic_load(&t->home->lost));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_gives_the_same),
        cmocka_unit_test(lowest_failure_is_reported),
        cmocka_unit_test(commit_that_has_enough_ends_it),
        cmocka_unit_test(helper_that_cannot_set_up_says_so),
        cmocka_unit_test(inside_an_errand_all_stays_here),
        cmocka_unit_test(cancelling_waits_for_nobody),
        cmocka_unit_test(bytes_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
