/* What the users of a context share: it is made once, and unmade after its last user or with the context. */
#include "support/check.h"
#include "base/context.h"

typedef struct Counts {
    int made, unmade;
} Counts;

static KnStatus make(void *user, void **thing, KnError *error)
{
    (void)error;
    Counts *counts = user;
    counts->made++;
    *thing = counts;
    return KN_OK;
}

static void unmake(void *thing)
{
    Counts *counts = thing;
    counts->unmade++;
}

static KnStatus refuse(void *user, void **thing, KnError *error)
{
    (void)user, (void)thing;
    return kn_fail(error, KN_INPUT, "there is no such thing");
}

static void test_last_user(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = kn_context_new();
    Counts counts = {0};
    void *one, *two;
    check_fails(error, KN_INPUT, "no such thing", kn_share(context, "a", refuse, unmake, NULL, &one, &error));
    check_ok(error, kn_share(context, "a", make, unmake, &counts, &one, &error));
    check_ok(error, kn_share(context, "a", make, unmake, &counts, &two, &error));
    assert_ptr_equal(one, two);
    kn_unshare(context, one);
    assert_int_equal(counts.unmade, 0);
    kn_unshare(context, two);
    assert_int_equal(counts.unmade, 1);
    check_ok(error, kn_share(context, "a", make, unmake, &counts, &one, &error));
    kn_unshare(context, one);
    kn_close(context);
    assert_int_equal(counts.made, 2);
    assert_int_equal(counts.unmade, 2);
}

static void test_kept(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = kn_context_new();
    Counts counts = {0}, others = {0};
    void *thing;
    for (int i = 0; i < 3; i++) {
        check_ok(error, kn_share_kept(context, "a", make, unmake, &counts, &thing, &error));
        kn_unshare(context, thing);
        check_ok(error, kn_share(context, "b", make, unmake, &others, &thing, &error));
        kn_unshare(context, thing);
    }
    assert_int_equal(counts.made, 1);
    assert_int_equal(counts.unmade, 0);
    assert_int_equal(others.unmade, 3);
    kn_close(context);
    assert_int_equal(counts.unmade, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_last_user), cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
