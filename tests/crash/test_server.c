/* The server is killed (-9) at random instants while a client plays: every game, move and run that it had
 * confirmed is there again when it comes back, each once, and what it had not confirmed was either done or
 * not. The match that it runs for somebody outlives it and ends as if alone. */
#include "support/check.h"
#include "support/client.h"
#include "support/fault_injection.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <knack/base.h>

enum { KILLS = 200, SESSIONS = 4000, GAMES = 3000 };

typedef struct Server {
    pid_t pid;
    int port;
} Server;

static Server serve(void)
{
    Server server = {0};
    int ends[2];
    char line[256] = "";
    assert_int_equal(pipe(ends), 0);
    server.pid = fork();
    assert_true(server.pid >= 0);
    if (server.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(fault_binary(), "knack", "serve", "--port", "0", "--engines", "1", "--data", "served",
              (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    if (!fgets(line, sizeof line, out) || sscanf(line, "Knack is at http://127.0.0.1:%d/", &server.port) != 1)
        fail_msg("it said: %s", line);
    fclose(out);
    return server;
}

/* ---- what was confirmed ---- */

typedef struct Session {
    char id[32];
    int ply;   /* confirmed */
    bool open; /* a move was sent and not confirmed */
} Session;

static Session sessions[SESSIONS];
static int session_count;
static long confirmed;

/* Nine moves that are never over before the eighth. */
static const char *const moves[] = {"a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3", "b3"};

static void new_session(int port)
{
    TestAnswer answer = test_try(port, "POST", "/api/sessions",
                                 "{\"game\": \"tictactoe\", \"seats\": [\"human\", \"human\"]}");
    const char *id = json_string_value(json_object_get(answer.json, "id"));
    if (answer.status == 201 && id && session_count < SESSIONS) {
        snprintf(sessions[session_count].id, sizeof sessions->id, "%s", id);
        session_count++;
        confirmed++;
    }
    test_answer_free(&answer);
}

/* False when the server is gone. */
static bool play(int port, Session *session)
{
    char path[80], body[64];
    snprintf(path, sizeof path, "/api/sessions/%s/move", session->id);
    snprintf(body, sizeof body, "{\"ply\": %d, \"move\": \"%s\"}", session->ply, moves[session->ply]);
    session->open = true;
    TestAnswer answer = test_try(port, "POST", path, body);
    int status = answer.status;
    if (status == 200) {
        session->ply++;
        session->open = false;
        confirmed++;
    } else if (status)
        fail_msg("%s %s: %d %s", path, body, status, answer.body);
    test_answer_free(&answer);
    return status != 0;
}

/* A game that was confirmed is there, with its moves; one that was under way may be there too. A server
 * that hardly gets a processor lets a connection go before it has answered: it is asked again. */
static void check_session(int port, Session *session)
{
    char path[80];
    snprintf(path, sizeof path, "/api/sessions/%s", session->id);
    TestAnswer answer = test_try(port, "GET", path, NULL);
    for (int again = 0; !answer.status && again < 20; again++) {
        test_answer_free(&answer);
        answer = test_try(port, "GET", path, NULL);
    }
    if (answer.status != 200) fail_msg("%s was confirmed and is gone: %d", path, answer.status);
    int ply = (int)json_integer_value(json_object_get(answer.json, "ply"));
    if (ply != session->ply && !(session->open && ply == session->ply + 1))
        fail_msg("%s: %d moves were confirmed, %d are there", path, session->ply, ply);
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(answer.json, "history"), i, row)
        assert_string_equal(json_string_value(json_object_get(row, "text")), moves[i]);
    session->ply = ply;
    session->open = false;
    test_answer_free(&answer);
}

/* ---- the kills ---- */

typedef struct Doom {
    pid_t pid;
    unsigned after; /* microseconds */
} Doom;

static void *strike(void *user)
{
    const Doom *doom = user;
    usleep(doom->after);
    kill(doom->pid, SIGKILL);
    return NULL;
}

static void one_life(KnRng *rng)
{
    Server server = serve();
    for (int i = session_count > 20 ? session_count - 20 : 0; i < session_count; i++)
        check_session(server.port, &sessions[i]);
    Doom doom = {server.pid, 1000 + kn_rng_below(rng, 60000)};
    pthread_t striker;
    int status;
    assert_int_equal(pthread_create(&striker, NULL, strike, &doom), 0);
    /* A slow server may be killed before it has confirmed any game. */
    for (bool gone = false; !gone;) {
        new_session(server.port);
        Session *session = session_count ? &sessions[session_count - 1] : NULL;
        bool there = true;
        for (int move = 0; session && there && move < 2; move++)
            there = session->ply >= 6 || play(server.port, session);
        gone = waitpid(server.pid, &status, there ? WNOHANG : 0) == server.pid;
    }
    pthread_join(striker, NULL);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) fail_msg("wait status %#x", (unsigned)status);
}

static long games_of_run(int port, char state[32])
{
    TestAnswer answer = test_ask(port, "GET", "/api/runs/endures", NULL);
    assert_int_equal(answer.status, 200);
    long games = (long)json_integer_value(json_object_get(answer.json, "games"));
    snprintf(state, 32, "%s", json_string_value(json_object_get(answer.json, "state")));
    test_answer_free(&answer);
    return games;
}

static void test_server(void **state)
{
    (void)state;
    KnRng rng = kn_rng_seeded(25);
    char text[160], how[32];
    Server server = serve();
    snprintf(text, sizeof text,
             "{\"game\": \"tictactoe\", \"players\": [\"uct(playouts=60)\", \"random\"], \"games\": %d, "
             "\"name\": \"endures\"}",
             GAMES);
    TestAnswer answer = test_ask(server.port, "POST", "/api/runs", text);
    assert_int_equal(answer.status, 201);
    test_answer_free(&answer);
    kill(server.pid, SIGKILL);
    waitpid(server.pid, NULL, 0);
    long kills = fault_count(KILLS);
    for (long i = 0; i < kills; i++) one_life(&rng);
    server = serve();
    for (int i = 0; i < session_count; i++) check_session(server.port, &sessions[i]);
    long games = 0;
    for (int i = 0; i < 6000 && games < GAMES; i++) {
        games = games_of_run(server.port, how);
        if (strcmp(how, "failed") == 0) fail_msg("the run failed after %ld games", games);
        usleep(10000);
    }
    assert_int_equal(games, GAMES);
    kill(server.pid, SIGTERM);
    int status;
    assert_int_equal(waitpid(server.pid, &status, 0), server.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    snprintf(text, sizeof text, "%ld kills, %ld answers confirmed", kills + 1, confirmed);
    fault_row("kill -9", "`knack serve`: games, moves, a run", text, "nothing");
}

/* What the server started becomes a child of this process. */
static int tear_down(void **state)
{
    (void)state;
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (FILE *children; (children = fopen(path, "r"));) {
        bool any = fscanf(children, "%d", &child) == 1;
        fclose(children);
        if (!any) return 0;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return -1;
}

int main(void)
{
    fault_begin();
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_server, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
