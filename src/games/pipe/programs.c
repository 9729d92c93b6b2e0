#include "games/pipe/programs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/child_process.h"
#include "base/clock.h"

enum { COPIES = 64, ANSWER_LINES = 4096, ANSWER_BYTES = 1 << 22 };
static const char HELLO[] = "rules 1", READY[] = "rulesok", DONE[] = "ok";

struct KnPrograms {
    char *command, *log;
    double patience;
    int most;
    pthread_mutex_t lock; /* protects what follows */
    pthread_cond_t freed;
    KnChild *idle[COPIES];
    int idle_count, running;
    bool failed;     /* nobody is asked any more */
    KnError failure; /* why */
    KnText greeting; /* of the first copy */
};

/* The text after a word at the beginning of a line; NULL if it begins otherwise. */
static const char *after_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' ')) return NULL;
    return line + length + strspn(line + length, " ");
}

/* One request to one copy. KN_FORFEIT if it does not answer as it should. */
static KnStatus converse(const KnPrograms *programs, KnChild *child, const char *request, const char *end,
                         KnProgramLine take, void *user, KnError *error)
{
    double until = kn_clock_now() + programs->patience;
    size_t bytes = 0;
    KnText line = KN_TEXT_EMPTY;
    KnStatus status = kn_child_write(child, request, programs->patience, error);
    for (int lines = 0; status == KN_OK; lines++) {
        double left = until - kn_clock_now();
        if (left <= 0 || lines > ANSWER_LINES || bytes > ANSWER_BYTES) {
            status = kn_fail(error, KN_FORFEIT,
                             "\"%.200s\" has sent %d lines in %.1f s without the \"%s\" that ends its answer",
                             programs->command, lines, programs->patience - left, end);
            break;
        }
        status = kn_child_read(child, left, NULL, &line, error);
        if (status != KN_OK) break;
        bytes += line.length;
        const char *said = after_word(line.data, "error");
        if (said) {
            status = kn_fail(error, KN_NO, "\"%.200s\" says: %.500s", programs->command, said);
            break;
        }
        if (after_word(line.data, end)) break;
        status = take(user, line.data, error);
    }
    kn_text_free(&line);
    return status;
}

static KnStatus keep_line(void *user, const char *line, KnError *error)
{
    (void)error;
    kn_text_printf(user, "%s\n", line);
    return KN_OK;
}

/* Starts a copy. `greeting` gets what it says. */
static KnStatus start_copy(const KnPrograms *programs, KnText *greeting, KnChild **child, KnError *error)
{
    KnStatus status = kn_child_start(programs->command, child, error);
    if (status == KN_OK && programs->log) status = kn_child_log(*child, programs->log, error);
    if (status == KN_OK) status = converse(programs, *child, HELLO, READY, keep_line, greeting, error);
    if (status == KN_OK) return KN_OK;
    kn_child_end(*child);
    *child = NULL;
    kn_fail_within(error, "the program with the rules does not start");
    if (error && (status == KN_FORFEIT || status == KN_NO)) error->status = status = KN_INPUT;
    return status;
}

/* Another copy, which must greet like the first. */
static KnStatus start_another(const KnPrograms *programs, KnChild **child, KnError *error)
{
    KnText greeting = KN_TEXT_EMPTY;
    KnStatus status = start_copy(programs, &greeting, child, error);
    if (status == KN_OK && strcmp(greeting.data, programs->greeting.data) != 0) {
        kn_child_end(*child);
        *child = NULL;
        status = kn_fail(error, KN_FORFEIT, "\"%.200s\" declares another game than when it was first started",
                         programs->command);
    }
    kn_text_free(&greeting);
    return status;
}

/* The copy is gone, or did not start: nobody is asked any more. */
static void note_failure(KnPrograms *programs, const KnError *error)
{
    pthread_mutex_lock(&programs->lock);
    programs->running--;
    if (!programs->failed) programs->failure = *error;
    programs->failed = true;
    pthread_cond_broadcast(&programs->freed);
    pthread_mutex_unlock(&programs->lock);
}

/* A copy for the caller alone: an idle one, a new one, or the next that gets idle. */
static KnStatus borrow(KnPrograms *programs, KnChild **child, KnError *error)
{
    *child = NULL;
    pthread_mutex_lock(&programs->lock);
    while (!programs->failed && !programs->idle_count && programs->running >= programs->most)
        pthread_cond_wait(&programs->freed, &programs->lock);
    bool failed = programs->failed;
    if (failed) *error = programs->failure;
    KnStatus status = failed ? programs->failure.status : KN_OK;
    if (!failed && programs->idle_count)
        *child = programs->idle[--programs->idle_count];
    else if (!failed)
        programs->running++;
    pthread_mutex_unlock(&programs->lock);
    if (failed || *child) return status;
    status = start_another(programs, child, error);
    if (status != KN_OK) note_failure(programs, error);
    return status;
}

static void give_back(KnPrograms *programs, KnChild *child)
{
    pthread_mutex_lock(&programs->lock);
    programs->idle[programs->idle_count++] = child;
    pthread_cond_signal(&programs->freed);
    pthread_mutex_unlock(&programs->lock);
}

KnStatus kn_programs_ask(KnPrograms *programs, const char *request, KnProgramLine take, void *user,
                         KnError *error)
{
    KnChild *child;
    KnError why = {0};
    KnStatus status = borrow(programs, &child, &why);
    if (status == KN_OK) {
        status = converse(programs, child, request, DONE, take, user, &why);
        if (status == KN_OK || status == KN_NO)
            give_back(programs, child);
        else {
            kn_child_end(child);
            note_failure(programs, &why);
        }
    }
    if (status != KN_OK && error) *error = why;
    return status;
}

/* Gives the greeting line by line. */
static KnStatus read_greeting(const KnPrograms *programs, KnProgramLine take, void *user, KnError *error)
{
    char *lines = strdup(programs->greeting.data);
    if (!lines) return kn_fail_memory(error, "opening a game");
    KnStatus status = KN_OK;
    for (char *rest = lines, *line; status == KN_OK && *rest && (line = strsep(&rest, "\n"));)
        if (*line) status = take(user, line, error);
    free(lines);
    return status;
}

KnStatus kn_programs_open(const KnProgramsPlan *plan, KnProgramLine take, void *user, KnPrograms **out,
                          KnError *error)
{
    *out = NULL;
    KnPrograms *programs = calloc(1, sizeof *programs);
    if (!programs) return kn_fail_memory(error, "opening a game");
    pthread_mutex_init(&programs->lock, NULL);
    pthread_cond_init(&programs->freed, NULL);
    programs->greeting = KN_TEXT_EMPTY;
    programs->command = strdup(plan->command);
    programs->log = plan->log && *plan->log ? strdup(plan->log) : NULL;
    programs->patience = plan->patience;
    programs->most = plan->most < COPIES ? plan->most : COPIES;
    KnChild *child = NULL;
    KnStatus status = programs->command ? start_copy(programs, &programs->greeting, &child, error)
                                        : kn_fail_memory(error, "opening a game");
    if (status == KN_OK) {
        programs->idle[programs->idle_count++] = child;
        programs->running = 1;
        status = read_greeting(programs, take, user, error);
    }
    if (status == KN_OK)
        *out = programs;
    else
        kn_programs_close(programs);
    return status;
}

void kn_programs_close(KnPrograms *programs)
{
    if (!programs) return;
    for (int i = 0; i < programs->idle_count; i++) {
        kn_child_write(programs->idle[i], "quit", 0.1, NULL);
        kn_child_end(programs->idle[i]);
    }
    pthread_mutex_destroy(&programs->lock);
    pthread_cond_destroy(&programs->freed);
    kn_text_free(&programs->greeting);
    free(programs->command);
    free(programs->log);
    free(programs);
}
