/* The two programs talking: players started as `knack ggp`, matches run by `knack ggp-server`. */
#include "support/check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"

typedef struct Program {
    pid_t pid;
    int port;
} Program;

static Program start_player(const char *spec)
{
    int ends[2];
    char line[256] = "";
    Program program = {0};
    assert_int_equal(pipe(ends), 0);
    program.pid = fork();
    assert_true(program.pid >= 0);
    if (program.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody behind */
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execl(KNACK_BINARY, "knack", "ggp", "--port", "0", "--quiet", spec, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    assert_non_null(out);
    if (!fgets(line, sizeof line, out) || sscanf(line, "Knack plays at 127.0.0.1:%d", &program.port) != 1)
        fail_msg("it said: %s", line);
    fclose(out);
    return program;
}

static void end_player(Program program)
{
    int status = 0;
    kill(program.pid, SIGTERM);
    assert_int_equal(waitpid(program.pid, &status, 0), program.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Runs the manager; its document, and its exit code. */
static json_t *manage(int *code, const char *format, ...) __attribute__((format(printf, 2, 3)));
static json_t *manage(int *code, const char *format, ...)
{
    char words[600];
    KnText command = KN_TEXT_EMPTY;
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    kn_text_printf(&command, "'%s' ggp-server --json --quiet %s >answer.json", KNACK_BINARY, words);
    int status = system(command.data);
    assert_true(WIFEXITED(status));
    *code = WEXITSTATUS(status);
    kn_text_free(&command);
    json_t *document = NULL;
    KnError error;
    if (*code <= 1) check_ok(error, kn_json_load_file("answer.json", &document, &error));
    return document;
}

static long of_player(json_t *document, size_t player, const char *field)
{
    return (long)json_integer_value(
        json_object_get(json_array_get(json_object_get(document, "players"), player), field));
}

static void test_two_programs(void **state)
{
    (void)state;
    Program one = start_player("general(time=3600)"), two = start_player("random");
    int code;
    json_t *document = manage(&code,
                              "tictactoe 127.0.0.1:%d 127.0.0.1:%d --start 2 --play 1 --matches 2 --rotate "
                              "--scramble --log records",
                              one.port, two.port);
    assert_int_equal(code, 0);
    for (size_t player = 0; player < 2; player++) {
        assert_int_equal(of_player(document, player, "finished"), 2);
        assert_int_equal(of_player(document, player, "late") + of_player(document, player, "illegal") +
                             of_player(document, player, "over"),
                         0);
        assert_true(of_player(document, player, "answers") >= 10);
    }
    json_t *record = json_array_get(json_object_get(document, "matches"), 1);
    char path[300];
    snprintf(path, sizeof path, "records/%s.json", json_string_value(json_object_get(record, "matchId")));
    json_t *written;
    KnError error;
    check_ok(error, kn_json_load_file(path, &written, &error));
    assert_true(json_equal(record, written));
    json_decref(written);
    json_decref(document);

    /* Two roles for one program: the second START is refused, and chance plays on for it. */
    document = manage(&code, "tictactoe 127.0.0.1:%d 127.0.0.1:%d --start 1 --play 0.5", one.port, one.port);
    assert_int_equal(code, 1);
    assert_int_equal(of_player(document, 0, "unready") + of_player(document, 1, "unready"), 1);
    json_decref(document);

    /* A player that dies in mid-run is lost, and the manager goes on. */
    end_player(two);
    document = manage(&code, "tictactoe 127.0.0.1:%d 127.0.0.1:%d --start 2 --play 1", one.port, two.port);
    assert_int_equal(code, 1);
    assert_true(of_player(document, 1, "lost") > 0);
    assert_int_equal(of_player(document, 0, "late") + of_player(document, 0, "illegal") +
                         of_player(document, 0, "lost"),
                     0);
    json_decref(document);
    end_player(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
