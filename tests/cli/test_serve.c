/* `knack serve` as a program: its address, a taken port, an unreadable folder, the end, and kill -9 in the
 * middle of everything.
 *
 * Whatever a test starts, and what that starts, becomes a child of the test once its own parent is gone;
 * tear_down ends them all, so that a test that fails leaves nothing running. */
#include "support/check.h"
#include "support/client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Server {
    pid_t pid;
    int port;
} Server;

/* Starts the program; its stdout (with `errors`, its stderr) can be read from *out. */
static pid_t start(const char *const *words, bool errors, FILE **out)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], errors ? 2 : 1);
        close(ends[0]);
        close(ends[1]);
        execv(KNACK_BINARY, (char *const *)(uintptr_t)words);
        _exit(127);
    }
    close(ends[1]);
    *out = fdopen(ends[0], "r");
    assert_non_null(*out);
    return pid;
}

static Server serve(const char *data)
{
    Server server = {0};
    FILE *out;
    char line[256] = "";
    server.pid =
        start((const char *const[]){"knack", "serve", "--port", "0", "--engines", "2", "--data", data, NULL},
              false, &out);
    if (!fgets(line, sizeof line, out) || sscanf(line, "Knack is at http://127.0.0.1:%d/", &server.port) != 1)
        fail_msg("it said: %s", line);
    fclose(out);
    return server;
}

static int end(Server server, int with)
{
    int status = 0;
    kill(server.pid, with);
    assert_int_equal(waitpid(server.pid, &status, 0), server.pid);
    return status;
}

static char *ask_text(Server server, const char *method, const char *path, const char *body, int wanted)
{
    TestAnswer answer = test_ask(server.port, method, path, body);
    if (answer.status != wanted)
        fail_msg("%s %s: %d %s", method, path, answer.status, answer.body ? answer.body : "");
    char *text = strdup(answer.body);
    test_answer_free(&answer);
    return text;
}

static long field(const char *text, const char *name)
{
    json_t *json = json_loads(text, 0, NULL);
    long value = (long)json_integer_value(json_object_get(json, name));
    json_decref(json);
    return value;
}

static void test_start_and_end(void **state)
{
    (void)state;
    Server server = serve("plain");
    free(ask_text(server, "GET", "/api/about", NULL, 200));
    char port[16], said[512] = "";
    FILE *out;
    snprintf(port, sizeof port, "%d", server.port);
    pid_t second = start((const char *const[]){"knack", "serve", "--port", port, "--data", "other", NULL},
                         true, &out);
    int status;
    assert_non_null(fgets(said, sizeof said, out));
    fclose(out);
    assert_int_equal(waitpid(second, &status, 0), second);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    if (!strstr(said, "is in use") || !strstr(said, "--port")) fail_msg("it said: %s", said);
    status = end(server, SIGTERM);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_bad_folder(void **state)
{
    (void)state;
    FILE *file = fopen("occupied", "w");
    assert_non_null(file);
    fclose(file);
    char said[512] = "";
    FILE *out;
    int status;
    pid_t pid = start(
        (const char *const[]){"knack", "serve", "--port", "0", "--data", "occupied/below", NULL}, true, &out);
    assert_non_null(fgets(said, sizeof said, out));
    fclose(out);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    if (!strstr(said, "occupied")) fail_msg("it said: %s", said);
    pid = start(
        (const char *const[]){"knack", "serve", "--host", "no.such.host.invalid", "--data", "plain", NULL},
        true, &out);
    assert_non_null(fgets(said, sizeof said, out));
    fclose(out);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

/* Killed without warning after every answer: whatever was answered is there again. */
static void test_kill(void **state)
{
    (void)state;
    static const char *const moves[] = {"b2", "a1", "c3"};
    Server server = serve("killed");
    char *text = ask_text(server, "POST", "/api/sessions", "{\"game\": \"tictactoe\"}", 201), path[80],
         move[100], id[32], body[64];
    json_t *json = json_loads(text, 0, NULL);
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(json, "id")));
    json_decref(json);
    free(text);
    snprintf(path, sizeof path, "/api/sessions/%s", id);
    snprintf(move, sizeof move, "/api/sessions/%s/move", id);
    for (int ply = 0; ply < 3; ply++) {
        snprintf(body, sizeof body, "{\"ply\": %d, \"move\": \"%s\"}", ply, moves[ply]);
        char *answered = ask_text(server, "POST", move, body, 200);
        int status = end(server, SIGKILL);
        assert_true(WIFSIGNALED(status));
        server = serve("killed");
        char *read_back = ask_text(server, "GET", path, NULL, 200);
        assert_int_equal(field(read_back, "ply"), ply + 1);
        assert_string_equal(read_back, answered);
        free(answered);
        free(read_back);
    }
    end(server, SIGKILL);
}

/* A run outlives its server, and the next one finds it. */
static void test_orphan(void **state)
{
    (void)state;
    Server server = serve("orphan");
    free(ask_text(server, "POST", "/api/runs",
                  "{\"game\": \"checkers\", \"players\": [\"alphabeta(depth=4)\", \"random\"], \"games\": "
                  "100000, \"plies\": 80, \"name\": \"orphan\"}",
                  201));
    long games = 0;
    for (int i = 0; i < 1000 && games < 2; i++) {
        char *text = ask_text(server, "GET", "/api/runs/orphan", NULL, 200);
        games = field(text, "games");
        free(text);
        usleep(20000);
    }
    end(server, SIGKILL);
    server = serve("orphan");
    char *text = ask_text(server, "GET", "/api/runs/orphan", NULL, 200);
    assert_non_null(strstr(text, "\"state\":\"running\""));
    free(text);
    free(ask_text(server, "POST", "/api/runs/orphan/stop", "{}", 200));
    bool stopped = false;
    for (int i = 0; i < 1000 && !stopped; i++) {
        text = ask_text(server, "GET", "/api/runs/orphan", NULL, 200);
        stopped = strstr(text, "\"state\":\"stopped\"") != NULL;
        free(text);
        usleep(20000);
    }
    assert_true(stopped);
    int status = end(server, SIGINT);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int tear_down(void **state)
{
    (void)state;
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (;;) {
        FILE *children = fopen(path, "r");
        if (!children) return -1;
        bool any = fscanf(children, "%d", &child) == 1;
        fclose(children);
        if (!any) return 0;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
}

int main(void)
{
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_start_and_end, tear_down),
        cmocka_unit_test_teardown(test_bad_folder, tear_down),
        cmocka_unit_test_teardown(test_kill, tear_down),
        cmocka_unit_test_teardown(test_orphan, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
