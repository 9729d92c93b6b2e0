/* What a command runs: its program and files decide its identity, and what they do not show is doubted. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/command.h"
#include "base/file.h"
#include "base/text.h"

static void identify(const char *command, char hex[KN_HEX128], KnText *doubt)
{
    KnError error;
    KnDigest digest;
    kn_digest_start(&digest);
    kn_text_clear(doubt);
    check_ok(error, kn_command_identity(command, &digest, doubt, &error));
    kn_digest_hex(&digest, hex);
}

static void write_file(const char *path, const char *text)
{
    KnError error;
    check_ok(error, kn_file_write_atomic(path, text, strlen(text), &error));
}

static void test_doubts(void **state)
{
    (void)state;
    static const struct {
        const char *command, *doubt; /* NULL: none */
    } cases[] = {
        {"/bin/cat", NULL},
        {"cat -u model.txt", NULL},
        {"nice -n 5 cat", NULL},
        {"A=1 env B=2 cat", NULL},
        {"'/bin/cat' \"a b\" c\\ d", NULL},
        {"sh ./engine.sh", "sh loads files"},
        {"nice sh ./engine.sh", "sh loads files"},
        {"/usr/bin/../../bin/sh", "loads files"},
        {"python3.99 x.py", "is not found"},
        {"./engine.sh", "is a script"},
        {"cat | cat", "the shell decides"},
        {"cat $FILE", "the shell decides"},
        {"cat \"`pwd`\"", "the shell decides"},
        {"cat *.txt", "the shell decides"},
        {"cd elsewhere && ./cat", "the shell decides"},
        {"nosuchprogramanywhere", "is not found"},
        {"", "is not found"},
        {"'unfinished", "is not found"},
    };
    KnText doubt = KN_TEXT_EMPTY;
    char hex[KN_HEX128];
    write_file("engine.sh", "exit\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        identify(cases[i].command, hex, &doubt);
        if (cases[i].doubt ? !strstr(doubt.data, cases[i].doubt) : doubt.length)
            fail_msg("%s: \"%s\", expected \"%s\"", cases[i].command, doubt.data,
                     cases[i].doubt ? cases[i].doubt : "");
    }
    kn_text_free(&doubt);
}

/* A change of any file that a command names changes its identity; of another file it does not. */
static void test_contents(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "cat model.txt",    "cat --weights=model.txt", "cat 'player(w=model.txt)'",
        "nice ./model.txt", "cat < model.txt",         "cat \"./model.txt\""};
    KnText doubt = KN_TEXT_EMPTY;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char one[KN_HEX128], two[KN_HEX128], three[KN_HEX128], other[KN_HEX128];
        write_file("model.txt", "one");
        write_file("other.txt", "one");
        identify(commands[i], one, &doubt);
        write_file("other.txt", "two");
        identify(commands[i], other, &doubt);
        write_file("model.txt", "two");
        identify(commands[i], two, &doubt);
        write_file("model.txt", "one");
        identify(commands[i], three, &doubt);
        assert_string_equal(one, other);
        assert_string_equal(one, three);
        if (strcmp(one, two) == 0) fail_msg("%s does not notice that model.txt changes", commands[i]);
    }
    kn_text_free(&doubt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubts), cmocka_unit_test(test_contents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
