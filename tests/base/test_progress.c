#include "support/check.h"
#include "jobs/parallel.h"
#include "base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_duration(double seconds, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_duration(&text, seconds);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
}

static void test_durations(void **state)
{
    (void)state;
    check_duration(0, "0.0 s");
    check_duration(3.21, "3.2 s");
    check_duration(9.96, "10 s");
    check_duration(59.7, "1 min 0 s");
    check_duration(185, "3 min 5 s");
    check_duration(7800, "2 h 10 min");
    check_duration(273600, "3 d 4 h");
    check_duration(-1, "0.0 s");
}

static void test_line_of_text(void **state)
{
    (void)state;
    KnText text = KN_TEXT_EMPTY;
    kn_progress_print(&text, &(KnProgressState){"match", 250, 1000, 20, 12.5, 60});
    assert_string_equal(text.data, "match: 250/1000 (25%), 12.5/s, 20 s, 1 min 0 s left");
    kn_text_clear(&text);
    kn_progress_print(&text, &(KnProgressState){"", 2500000, 0, 2, 1250000, -1});
    assert_string_equal(text.data, "2500000, 1.25M/s, 2.0 s");
    kn_text_clear(&text);
    kn_progress_print(&text, &(KnProgressState){"x", 999, 1000, 2, 499.5, 0.002});
    assert_string_equal(text.data, "x: 999/1000 (99%), 500/s, 2.0 s, 0.0 s left");
    kn_text_free(&text);
}

/* Three significant digits at every size. */
static void test_rates(void **state)
{
    (void)state;
    static const struct {
        double rate;
        const char *text;
    } rows[] = {{0, "0.00/s"},       {9.994, "9.99/s"},   {9.996, "10.0/s"},    {99.94, "99.9/s"},
                {99.96, "100/s"},    {9999.4, "9999/s"},  {9999.6, "10.0k/s"},  {999499, "999k/s"},
                {999501, "1.00M/s"}, {999.4e6, "999M/s"}, {999.6e6, "1.00G/s"}, {12.34e9, "12.3G/s"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnText text = KN_TEXT_EMPTY;
        char wanted[60];
        kn_progress_print(&text, &(KnProgressState){"", 1, 0, 0, rows[i].rate, -1});
        snprintf(wanted, sizeof wanted, "1, %s, 0.0 s", rows[i].text);
        assert_string_equal(text.data, wanted);
        kn_text_free(&text);
    }
    check_duration(9.94, "9.9 s");
    check_duration(59.4, "59 s");
    check_duration(3599.4, "59 min 59 s");
    check_duration(3599.6, "1 h 0 min");
    check_duration(86399.4, "23 h 59 min");
    check_duration(86400, "1 d 0 h");
    check_duration(1e30, "11574074 d 1 h");
}

/* What a short piece of work writes in each style, with a report at every tick. */
static char *written(KnProgressStyle style, double interval)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    KnProgress *progress = kn_progress_open(&(KnProgressOptions){
        .label = "work", .total = 4, .before = 1, .out = out, .style = style, .interval = interval});
    assert_non_null(progress);
    for (int i = 0; i < 3; i++) kn_progress_tick(progress, 1);
    kn_progress_free(progress);
    fclose(out);
    return buffer;
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) count++;
    return count;
}

static void test_styles(void **state)
{
    (void)state;
    char *plain = written(KN_PROGRESS_PLAIN, 1e-9);
    assert_int_equal(occurrences(plain, "\n"), 4);
    assert_int_equal(occurrences(plain, "\r"), 0);
    assert_memory_equal(plain, "work: 2/4 (50%), ", 17);
    assert_int_equal(occurrences(plain, "work: 4/4 (100%), "), 2); /* the last tick, and the end */
    free(plain);

    char *line = written(KN_PROGRESS_LINE, 1e-9);
    assert_int_equal(occurrences(line, "\n"), 1);
    assert_int_equal(occurrences(line, "\r\033[Kwork: "), 4);
    free(line);

    char *automatic = written(KN_PROGRESS_AUTO, 1e-9); /* memory is no terminal */
    assert_int_equal(occurrences(automatic, "\r"), 0);
    free(automatic);

    char *seldom = written(KN_PROGRESS_PLAIN, 0); /* every 10 s: short work says nothing */
    assert_string_equal(seldom, "");
    free(seldom);
}

static void count_reports(void *user, const KnProgressState *now)
{
    KnProgressState *last = user;
    assert_true(now->done >= last->done && now->elapsed >= last->elapsed);
    *last = *now;
}

static void count_only(void *user, const KnProgressState *now)
{
    (void)now;
    ++*(int *)user;
}

/* However often it ticks, reports come an interval apart, the first after one; the end is told besides. */
static void test_interval(void **state)
{
    (void)state;
    int reports = 0;
    const double interval = 0.02;
    KnProgress *progress =
        kn_progress_open(&(KnProgressOptions){.report = count_only, .user = &reports, .interval = interval});
    kn_progress_tick(progress, 1);
    bool late = kn_progress_state(progress).elapsed >= interval; /* the machine was busy */
    assert_true(reports == 0 || late);
    while (kn_progress_state(progress).elapsed < 4.5 * interval) kn_progress_tick(progress, 1);
    int most = (int)(kn_progress_state(progress).elapsed / interval);
    assert_true(reports >= 1 && reports <= most);
    int before = reports;
    kn_progress_free(progress);
    assert_int_equal(reports, before + 1);
}

static KnStatus ticking(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker, (void)index, (void)error;
    kn_progress_tick(user, 2);
    return KN_OK;
}

/* Three parts of 10, of which the second was there: while the first runs, the total is that of all three. */
static void test_parts(void **state)
{
    (void)state;
    KnProgress *progress = kn_progress_new(NULL, "parts", 0);
    kn_progress_parts(progress, 3);
    assert_int_equal(kn_progress_state(progress).total, 0);
    kn_progress_add_total(progress, 6);
    kn_progress_add_total(progress, 4);
    kn_progress_tick(progress, 5);
    assert_int_equal(kn_progress_state(progress).total, 30);
    kn_progress_tick(progress, 5);
    kn_progress_part_done(progress);
    assert_int_equal(kn_progress_state(progress).total, 30);
    kn_progress_part_done(progress);
    assert_int_equal(kn_progress_state(progress).total, 20);
    kn_progress_add_total(progress, 12); /* a little more than the first */
    kn_progress_tick(progress, 12);
    kn_progress_part_done(progress);
    KnProgressState end = kn_progress_state(progress);
    assert_int_equal(end.done, 22);
    assert_int_equal(end.total, 22);
    kn_progress_free(progress);

    progress = kn_progress_new(NULL, "elsewhere", 0);
    kn_progress_parts(progress, 2);
    kn_progress_add_total(progress, 10);
    assert_int_equal(kn_progress_state(progress).total, 20);
    kn_progress_part_elsewhere(progress);
    assert_int_equal(kn_progress_state(progress).total, 10);
    kn_progress_free(progress);
}

/* What was there before takes no time, and so does not make the rest look quick. */
static void test_skip(void **state)
{
    (void)state;
    KnProgress *progress = kn_progress_new(NULL, "resumed", 100);
    kn_progress_skip(progress, 90);
    KnProgressState now = kn_progress_state(progress);
    assert_int_equal(now.done, 90);
    assert_true(now.rate == 0 && now.remaining < 0);
    kn_progress_tick(progress, 10);
    assert_true(kn_progress_state(progress).remaining == 0);
    kn_progress_free(progress);
}

static void test_many_threads_and_callback(void **state)
{
    (void)state;
    KnProgressState last = {0};
    KnProgress *progress = kn_progress_open(&(KnProgressOptions){
        .label = "many", .total = 1, .report = count_reports, .user = &last, .interval = 1e-4});
    kn_progress_set_total(progress, 4000);
    KnError error;
    check_ok(error, kn_parallel(4, 2000, ticking, progress, NULL, &error));
    KnProgressState now = kn_progress_state(progress);
    assert_int_equal(now.done, 4000);
    assert_true(now.remaining == 0);
    kn_progress_free(progress); /* the callback hears the end */
    assert_int_equal(last.done, 4000);
    assert_int_equal(last.total, 4000);
}

/* What was done before a resumed run does not flatter its rate. */
static void test_resumed(void **state)
{
    (void)state;
    KnProgress *progress = kn_progress_open(&(KnProgressOptions){.total = 1010, .before = 1000});
    kn_progress_tick(progress, 5);
    usleep(2000);
    KnProgressState now = kn_progress_state(progress);
    assert_int_equal(now.done, 1005);
    assert_true(now.rate > 0 && now.rate <= 5 / 0.002);
    assert_true(now.remaining > 0.0019);
    kn_progress_free(progress);
}

/* More than was planned: the total was wrong, so that there is none, and no share of it. */
static void test_beyond(void **state)
{
    (void)state;
    KnProgress *progress = kn_progress_new(NULL, "work", 10);
    KnText text = KN_TEXT_EMPTY;
    kn_progress_tick(progress, 10);
    assert_int_equal(kn_progress_state(progress).total, 10);
    kn_progress_tick(progress, 3);
    KnProgressState now = kn_progress_state(progress);
    assert_true(now.total == 0 && now.remaining < 0);
    kn_progress_print(&text, &now);
    assert_null(strchr(text.data, '%'));
    kn_text_free(&text);
    kn_progress_free(progress);
}

static void test_silence(void **state)
{
    (void)state;
    kn_progress_tick(NULL, 1);
    kn_progress_set_total(NULL, 1);
    assert_int_equal(kn_progress_state(NULL).done, 0);
    kn_progress_free(NULL);
    KnProgress *quiet = kn_progress_new(NULL, "quiet", 3);
    kn_progress_tick(quiet, 3);
    assert_int_equal(kn_progress_state(quiet).done, 3);
    kn_progress_free(quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations), cmocka_unit_test(test_line_of_text),
        cmocka_unit_test(test_rates),     cmocka_unit_test(test_interval),
        cmocka_unit_test(test_styles),    cmocka_unit_test(test_many_threads_and_callback),
        cmocka_unit_test(test_resumed),   cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_silence),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
