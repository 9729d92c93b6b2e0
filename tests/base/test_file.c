#include "support/check.h"
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test works in a folder of its own under the current one. */
static char *scratch(const char *name)
{
    char *template = NULL;
    assert_true(asprintf(&template, "knack-%s-XXXXXX", name) > 0);
    assert_non_null(mkdtemp(template));
    return template;
}

static int entries(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void discard(char *folder, const char *const *names)
{
    for (; *names; names++) {
        KnText path = KN_TEXT_EMPTY;
        kn_path_join(&path, folder, *names);
        remove(path.data);
        kn_text_free(&path);
    }
    rmdir(folder);
    free(folder);
}

static void test_write_and_read(void **state)
{
    (void)state;
    char *folder = scratch("write");
    KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    KnError error;
    kn_path_join(&path, folder, "a");
    assert_false(kn_file_exists(path.data));
    check_ok(error, kn_file_write_atomic(path.data, "one\0two", 7, &error));
    assert_true(kn_file_exists(path.data));
    check_ok(error, kn_file_read(path.data, &text, 7, &error));
    assert_int_equal(text.length, 7);
    assert_memory_equal(text.data, "one\0two", 8);
    check_fails(error, KN_INPUT, "larger than the 6 bytes", kn_file_read(path.data, &text, 6, &error));
    assert_int_equal(text.length, 0);

    char *large = malloc(300000);
    memset(large, 'k', 300000);
    check_ok(error, kn_file_write_atomic(path.data, large, 300000, &error));
    check_ok(error, kn_file_read(path.data, &text, 1 << 20, &error));
    assert_int_equal(text.length, 300000);
    assert_memory_equal(text.data, large, 300000);
    free(large);
    check_ok(error, kn_file_write_atomic(path.data, "", 0, &error));
    check_ok(error, kn_file_read(path.data, &text, 0, &error));
    assert_int_equal(text.length, 0);
    assert_int_equal(entries(folder), 1); /* no temporary file is left */
    kn_text_free(&path);
    kn_text_free(&text);
    discard(folder, (const char *[]){"a", NULL});
}

static void test_keeps_mode_and_link(void **state)
{
    (void)state;
    char *folder = scratch("link");
    KnText path = KN_TEXT_EMPTY, link = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    KnError error;
    kn_path_join(&path, folder, "real");
    kn_path_join(&link, folder, "link");
    check_ok(error, kn_file_write_atomic(path.data, "old", 3, &error));
    assert_int_equal(chmod(path.data, 0640), 0);
    assert_int_equal(symlink("real", link.data), 0);
    check_ok(error, kn_file_write_atomic(link.data, "new", 3, &error));
    struct stat seen;
    assert_int_equal(lstat(link.data, &seen), 0);
    assert_true(S_ISLNK(seen.st_mode));
    assert_int_equal(stat(path.data, &seen), 0);
    assert_int_equal(seen.st_mode & 0777, 0640);
    check_ok(error, kn_file_read(path.data, &text, 10, &error));
    assert_string_equal(text.data, "new");
    kn_text_free(&path);
    kn_text_free(&link);
    kn_text_free(&text);
    discard(folder, (const char *[]){"link", "real", NULL});
}

static void test_failures_name_the_path(void **state)
{
    (void)state;
    KnError error;
    char *folder = scratch("keep");
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, folder, "missing/file");
    check_fails(error, KN_SYSTEM, path.data, kn_file_write_atomic(path.data, "x", 1, &error));
    check_fails(error, KN_USAGE, "is a folder", kn_file_write_atomic(folder, "x", 1, &error));
    check_fails(error, KN_SYSTEM, "No such file",
                kn_file_read(path.data, &(KnText){(char *)"", 0, 0, false}, 10, &error));
    check_fails(error, KN_INPUT, "is a folder",
                kn_file_read(folder, &(KnText){(char *)"", 0, 0, false}, 10, &error));
    assert_int_equal(entries(folder), 0);
    kn_text_free(&path);
    discard(folder, (const char *[]){NULL});
}

/* A disk that fills up half-way (here: a limit on the size of files) loses nothing. */
static void test_full_disk_keeps_the_old(void **state)
{
    (void)state;
    char *folder = scratch("full");
    KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    KnError error;
    kn_path_join(&path, folder, "a");
    check_ok(error, kn_file_write_atomic(path.data, "old", 3, &error));
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    char *large = calloc(1, 300000);
    KnStatus status = kn_file_write_atomic(path.data, large, 300000, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    free(large);
    check_fails(error, KN_SYSTEM, path.data, status);
    check_ok(error, kn_file_read(path.data, &text, 1 << 20, &error));
    assert_string_equal(text.data, "old");
    assert_int_equal(entries(folder), 1);
    kn_text_free(&path);
    kn_text_free(&text);
    discard(folder, (const char *[]){"a", NULL});
}

/* A writer that was killed at the wrong moment leaves its file; the next one removes it, but not that of
 * somebody who is at work. */
static void test_leftovers_go(void **state)
{
    (void)state;
    char *folder = scratch("left");
    KnText path = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    KnError error;
    static const char *const names[] = {"a.0123456789abcdef.tmp", "a.fedcba9876543210.tmp", "a.0123.tmp",
                                        "ab.0123456789abcdef.tmp", "a.0123456789abcdef.tmpx"};
    for (size_t i = 0; i < 5; i++) {
        kn_path_join(&path, folder, names[i]);
        check_ok(error, kn_file_write_atomic(path.data, "left", 4, &error));
    }
    kn_path_join(&other, folder, names[1]);
    int at_work = open(other.data, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(at_work, LOCK_EX | LOCK_NB), 0);
    kn_path_join(&path, folder, "a");
    check_ok(error, kn_file_write_atomic(path.data, "new", 3, &error));
    assert_int_equal(entries(folder), 5);
    for (size_t i = 0; i < 5; i++) {
        kn_path_join(&other, folder, names[i]);
        assert_int_equal(kn_file_exists(other.data), i != 0);
    }
    close(at_work);
    check_ok(error, kn_file_write_atomic(path.data, "newer", 5, &error));
    assert_int_equal(entries(folder), 4);
    kn_text_free(&path);
    kn_text_free(&other);
    discard(folder, (const char *[]){"a", names[2], names[3], names[4], NULL});
}

static void test_devices_are_written_through(void **state)
{
    (void)state;
    KnError error;
    check_ok(error, kn_file_write_atomic("/dev/null", "x", 1, &error));
    struct stat seen;
    assert_int_equal(stat("/dev/null", &seen), 0);
    assert_true(S_ISCHR(seen.st_mode)); /* still the device */
    if (access("/dev/full", W_OK) == 0)
        check_fails(error, KN_SYSTEM, "/dev/full", kn_file_write_atomic("/dev/full", "x", 1, &error));
    KnText text = KN_TEXT_EMPTY; /* endless input ends at the limit */
    check_fails(error, KN_INPUT, "larger", kn_file_read("/dev/zero", &text, 100000, &error));
    kn_text_free(&text);
}

static void test_joins(void **state)
{
    (void)state;
    const char *rows[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"", "b", "b"}, {"a", "/b", "/b"}, {"/", "b", "/b"}};
    KnText path = KN_TEXT_EMPTY;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kn_path_join(&path, rows[i][0], rows[i][1]);
        assert_string_equal(path.data, rows[i][2]);
    }
    kn_path_join(&path, path.data, "c"); /* onto itself */
    assert_string_equal(path.data, "/b/c");
    kn_text_free(&path);
}

/* A file that is not there yet has the name that it will have. */
static void test_real_paths(void **state)
{
    (void)state;
    KnError error;
    char *folder = scratch("real");
    KnText path = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    kn_path_join(&path, folder, "./new");
    char *before = kn_path_real(path.data);
    check_ok(error, kn_file_write_atomic(path.data, "x", 1, &error));
    char *after = kn_path_real(path.data);
    assert_non_null(before);
    assert_non_null(after);
    assert_string_equal(before, after);
    assert_int_equal(before[0], '/');
    kn_path_join(&other, folder, "missing/new");
    assert_null(kn_path_real(other.data));
    free(before);
    free(after);
    before = kn_path_real("/no-such-name");
    assert_string_equal(before, "/no-such-name");
    free(before);
    kn_text_free(&path);
    kn_text_free(&other);
    discard(folder, (const char *[]){"new", NULL});
}

static void test_mkdirs(void **state)
{
    (void)state;
    char *folder = scratch("make");
    KnText path = KN_TEXT_EMPTY;
    KnError error;
    kn_path_join(&path, folder, "a//b/c/");
    check_ok(error, kn_mkdirs(path.data, &error));
    check_ok(error, kn_mkdirs(path.data, &error));
    struct stat seen;
    assert_true(stat(path.data, &seen) == 0 && S_ISDIR(seen.st_mode));
    kn_path_join(&path, folder, "file");
    check_ok(error, kn_file_write_atomic(path.data, "x", 1, &error));
    check_fails(error, KN_SYSTEM, "in the way", kn_mkdirs(path.data, &error));
    kn_path_join(&path, path.data, "below");
    check_fails(error, KN_SYSTEM, "file", kn_mkdirs(path.data, &error));
    check_fails(error, KN_USAGE, "empty", kn_mkdirs("", &error));
    check_ok(error, kn_mkdirs("/", &error));
    kn_text_free(&path);
    discard(folder, (const char *[]){"file", "a/b/c", "a/b", "a", NULL});
}

static void test_a_removed_file_has_no_name(void **state)
{
    (void)state;
    int file = open("named", O_RDWR | O_CREAT, 0600);
    assert_true(kn_file_is_named(file, "named"));
    assert_int_equal(unlink("named"), 0);
    assert_false(kn_file_is_named(file, "named"));
    int other = open("named", O_RDWR | O_CREAT, 0600);
    assert_false(kn_file_is_named(file, "named"));
    assert_true(kn_file_is_named(other, "named"));
    close(file);
    close(other);
    unlink("named");
}

static void test_data_dir(void **state)
{
    (void)state;
    KnText path = KN_TEXT_EMPTY;
    KnError error;
    setenv("HOME", "/home/k", 1);
    setenv("XDG_DATA_HOME", "/xdg", 1);
    setenv("KNACK_DATA", "/knack", 1);
    check_ok(error, kn_data_dir("here", &path, &error));
    assert_string_equal(path.data, "here");
    check_ok(error, kn_data_dir(NULL, &path, &error));
    assert_string_equal(path.data, "/knack");
    unsetenv("KNACK_DATA");
    check_ok(error, kn_data_dir("", &path, &error));
    assert_string_equal(path.data, "/xdg/knack");
    setenv("XDG_DATA_HOME", "relative", 1);
    check_ok(error, kn_data_dir(NULL, &path, &error));
    assert_string_equal(path.data, "/home/k/.local/share/knack");
    unsetenv("XDG_DATA_HOME");
    check_ok(error, kn_data_dir(NULL, &path, &error));
    assert_string_equal(path.data, "/home/k/.local/share/knack");
    kn_text_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_keeps_mode_and_link),
        cmocka_unit_test(test_failures_name_the_path),
        cmocka_unit_test(test_full_disk_keeps_the_old),
        cmocka_unit_test(test_leftovers_go),
        cmocka_unit_test(test_devices_are_written_through),
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_real_paths),
        cmocka_unit_test(test_mkdirs),
        cmocka_unit_test(test_a_removed_file_has_no_name),
        cmocka_unit_test(test_data_dir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
