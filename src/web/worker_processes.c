#include "web/worker_processes.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/file.h"
#include "web/processes.h"
#include "web/publish.h"

enum { NAME_MAX_LENGTH = 60, LIST_MAX = 200, TAIL = 4096 };
static const double POLL_SECONDS = 0.5, GRACE_SECONDS = 5;

typedef enum RunState { RUN_RUNNING, RUN_STOPPED, RUN_DONE, RUN_FAILED } RunState;
static const char *const state_names[] = {"running", "stopped", "done", "failed"};

typedef struct Run {
    char name[NAME_MAX_LENGTH + 1];
    json_t *about, *words;
    RunState state;
    pid_t pid;
    bool ours;             /* a child of this process; false for one that an earlier server started */
    bool stopping;         /* interrupted, has not ended yet */
    double again;          /* time of the next interrupt, by kn_clock_now */
    double started, ended; /* seconds since 1970 */
    char message[512];
    json_t *progress; /* the last line, or NULL */
    struct Run *next;
} Run;

struct KnRuns {
    KnWeb *web;
    char *folder;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Run *list; /* latest first */
    bool closing;
    pthread_t monitor;
    bool monitoring;
};

static double unix_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool kn_runs_name(const char *name)
{
    size_t length = strnlen(name, NAME_MAX_LENGTH + 1);
    if (length == 0 || length > NAME_MAX_LENGTH || !isalnum((unsigned char)*name)) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("._-", *name)) return false;
    return true;
}

static void file_path(const KnRuns *runs, const char *name, const char *ending, KnText *path)
{
    kn_path_join(path, runs->folder, name);
    kn_text_add(path, ending);
}

static Run *find(KnRuns *runs, const char *name)
{
    for (Run *run = runs->list; run; run = run->next)
        if (strcmp(run->name, name) == 0) return run;
    return NULL;
}

static void run_free(Run *run)
{
    json_decref(run->about);
    json_decref(run->words);
    json_decref(run->progress);
    free(run);
}

/* ---- saving and showing ---- */

static KnStatus save(KnRuns *runs, const Run *run, KnError *error)
{
    json_t *row = json_pack("{sO sO ss sI sf sf ss}", "about", run->about, "words", run->words, "state",
                            state_names[run->state], "pid", (json_int_t)run->pid, "started", run->started,
                            "ended", run->ended, "message", run->message);
    KnStatus status = row ? kn_persistence_put(runs->web->persistence, KN_SAVED_RUN, run->name, row, error)
                          : kn_fail_memory(error, "saving a run");
    json_decref(row);
    return status;
}

static json_t *run_json(const Run *run)
{
    json_t *row = json_pack("{ss sO* ss ss sf sb}", "name", run->name, "about", run->about, "state",
                            state_names[run->state], "message", run->message, "started", run->started,
                            "stopping", run->stopping);
    json_object_set(row, "kind", json_object_get(run->about, "kind"));
    json_object_set_new(row, "ended", run->ended > 0 ? json_real(run->ended) : json_null());
    json_object_set_new(row, "progress", run->progress ? json_deep_copy(run->progress) : json_null());
    return row;
}

/* ---- a worker's log ---- */

/* Reads the last progress line and the last other line of a worker's log. */
static void read_log(const KnRuns *runs, Run *run)
{
    KnText path = KN_TEXT_EMPTY;
    file_path(runs, run->name, ".log", &path);
    int fd = open(path.data, O_RDONLY | O_CLOEXEC);
    kn_text_free(&path);
    if (fd < 0) return;
    off_t size = lseek(fd, 0, SEEK_END);
    char tail[TAIL + 1];
    ssize_t got = size < 0 ? -1 : pread(fd, tail, TAIL, size > TAIL ? size - TAIL : 0);
    close(fd);
    if (got < 0) return;
    tail[got] = '\0';
    char *rest = tail;
    if (size > TAIL && (rest = strchr(tail, '\n'))) rest++; /* the first line may be cut off */
    json_t *latest = NULL;
    run->message[0] = '\0';
    for (char *line;
         rest && (line = strsep(&rest, "\n")) && rest;) { /* a line without its end is still being written */
        json_t *progress = *line == '{' ? json_loads(line, 0, NULL) : NULL;
        if (progress) {
            json_decref(latest);
            latest = progress;
        } else if (*line)
            snprintf(run->message, sizeof run->message, "%s",
                     strncmp(line, "knack: ", 7) == 0 ? line + 7 : line);
    }
    if (!latest) return;
    json_decref(run->progress);
    run->progress = latest;
}

static bool still_writes(const KnRuns *runs, const Run *run)
{
    KnText path = KN_TEXT_EMPTY;
    file_path(runs, run->name, ".log", &path);
    bool writes = kn_process_writes(run->pid, path.data);
    kn_text_free(&path);
    return writes;
}

/* ---- starting ---- */

static void free_words(char **argv)
{
    for (char **word = argv; word && *word; word++) free(*word);
    free(argv);
}

static char **word_list(const char *program, const json_t *words)
{
    size_t count = json_array_size(words);
    char **argv = calloc(count + 2, sizeof *argv);
    if (!argv) return NULL;
    bool good = (argv[0] = strdup(program)) != NULL;
    for (size_t i = 0; i < count && good; i++)
        good = (argv[i + 1] = strdup(json_string_value(json_array_get(words, i)))) != NULL;
    if (good) return argv;
    free_words(argv);
    return NULL;
}

/* The caller holds the lock. */
static KnStatus spawn(KnRuns *runs, Run *run, KnError *error)
{
    KN_ASSERT(run->state != RUN_RUNNING || !run->pid);
    char **argv = word_list("knack", run->words);
    if (!argv) return kn_fail_memory(error, "starting a run");
    KnText out = KN_TEXT_EMPTY, log = KN_TEXT_EMPTY;
    file_path(runs, run->name, ".out", &out);
    file_path(runs, run->name, ".log", &log);
    KnStatus status = kn_process_start(runs->web->options.program, argv, out.data, log.data, &run->pid,
                                       error);
    kn_text_free(&out);
    kn_text_free(&log);
    free_words(argv);
    if (status != KN_OK) return status;
    run->ours = true;
    run->stopping = false;
    run->state = RUN_RUNNING;
    run->started = unix_time();
    run->ended = 0;
    run->message[0] = '\0';
    json_decref(run->progress);
    run->progress = NULL;
    pthread_cond_signal(&runs->changed);
    return KN_OK;
}

static int running(const KnRuns *runs)
{
    int count = 0;
    for (const Run *run = runs->list; run; run = run->next) count += run->state == RUN_RUNNING;
    return count;
}

static KnStatus check_room(const KnRuns *runs, KnError *error)
{
    if (runs->closing) return kn_fail(error, KN_STOPPED, "the server is shutting down");
    if (running(runs) < KN_WEB_PROCESSES) return KN_OK;
    return kn_fail(error, KN_STOPPED,
                   "%d runs are in progress, which is the limit of this server; stop one or wait for its end",
                   KN_WEB_PROCESSES);
}

KnStatus kn_runs_start(KnRuns *runs, const char *name, json_t *about, json_t *words, KnError *error)
{
    if (!kn_runs_name(name))
        return kn_fail(error, KN_INPUT, "a run's name consists of at most %d letters, digits, . _ and -",
                       NAME_MAX_LENGTH);
    pthread_mutex_lock(&runs->lock);
    Run *old = find(runs, name), *run = NULL;
    KnStatus status = check_room(runs, error);
    if (status == KN_OK && old && old->state == RUN_RUNNING)
        status = kn_fail(error, KN_NO, "%s is running already", name);
    if (status == KN_OK && old && !json_equal(old->words, words))
        status = kn_fail(error, KN_NO, "a run with other settings has the name %s; choose another name",
                         name);
    if (status == KN_OK) {
        run = old ? old : calloc(1, sizeof *run);
        if (!run) status = kn_fail_memory(error, "starting a run");
    }
    if (status == KN_OK && !old) {
        snprintf(run->name, sizeof run->name, "%s", name);
        run->about = json_incref(about);
        run->words = json_incref(words);
        run->next = runs->list;
        runs->list = run;
    }
    if (status == KN_OK) status = spawn(runs, run, error);
    if (status != KN_OK && run && !old) {
        runs->list = run->next;
        run_free(run);
    }
    if (status == KN_OK) status = save(runs, run, error);
    pthread_mutex_unlock(&runs->lock);
    return status;
}

KnStatus kn_runs_resume(KnRuns *runs, const char *name, KnError *error)
{
    pthread_mutex_lock(&runs->lock);
    Run *run = find(runs, name);
    KnStatus status = KN_OK;
    if (!run)
        status = kn_fail(error, KN_INPUT, "this server has not started a run named %s", name);
    else if (run->state == RUN_RUNNING)
        status = kn_fail(error, KN_NO, "%s is running already", name);
    else
        status = check_room(runs, error);
    if (status == KN_OK) status = spawn(runs, run, error);
    if (status == KN_OK) status = save(runs, run, error);
    pthread_mutex_unlock(&runs->lock);
    return status;
}

KnStatus kn_runs_stop(KnRuns *runs, const char *name, KnError *error)
{
    pthread_mutex_lock(&runs->lock);
    Run *run = find(runs, name);
    KnStatus status = KN_OK;
    if (!run)
        status = kn_fail(error, KN_INPUT, "this server has not started a run named %s", name);
    else if (run->state != RUN_RUNNING)
        status = kn_fail(error, KN_NO, "%s is not running", name);
    else if (!run->ours && !still_writes(runs, run))
        status = kn_fail(error, KN_NO, "%s has ended", name);
    else {
        kn_process_interrupt(run->pid);
        run->stopping = true;
        run->again = kn_clock_now() + GRACE_SECONDS;
        pthread_cond_signal(&runs->changed);
    }
    pthread_mutex_unlock(&runs->lock);
    return status;
}

json_t *kn_runs_show(KnRuns *runs, const char *name)
{
    pthread_mutex_lock(&runs->lock);
    const Run *run = find(runs, name);
    json_t *row = run ? run_json(run) : NULL;
    pthread_mutex_unlock(&runs->lock);
    return row;
}

json_t *kn_runs_list(KnRuns *runs)
{
    json_t *rows = json_array();
    pthread_mutex_lock(&runs->lock);
    for (const Run *run = runs->list; run; run = run->next) json_array_append_new(rows, run_json(run));
    pthread_mutex_unlock(&runs->lock);
    return rows;
}

json_t *kn_runs_output(KnRuns *runs, const char *name)
{
    if (!kn_runs_name(name)) return NULL;
    KnText path = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    file_path(runs, name, ".out", &path);
    json_t *document = kn_file_read(path.data, &text, 1 << 24, NULL) == KN_OK
                           ? json_loadb(text.data, text.length, 0, NULL)
                           : NULL;
    kn_text_free(&path);
    kn_text_free(&text);
    return document;
}

/* ---- monitoring ---- */

/* Updates the state of a worker; true if it has ended. The caller holds the lock. */
static bool has_ended(KnRuns *runs, Run *run)
{
    if (!run->ours) {
        if (still_writes(runs, run)) return false;
        run->state = RUN_STOPPED; /* its exit status is unknown; resuming is always safe */
    } else {
        char why[64];
        switch (kn_process_look(run->pid, why, sizeof why)) {
        case KN_PROCESS_RUNS:
            return false;
        case KN_PROCESS_DONE:
            run->state = RUN_DONE;
            break;
        case KN_PROCESS_INTERRUPTED:
            run->state = RUN_STOPPED;
            break;
        case KN_PROCESS_FAILED:
            run->state = RUN_FAILED;
            if (*why && !run->message[0]) snprintf(run->message, sizeof run->message, "%s", why);
        }
    }
    run->stopping = false;
    run->ended = unix_time();
    return true;
}

/* The first interrupt ends a worker at the next safe point, the second at once; committed results stay. */
static void interrupt_again(Run *run)
{
    if (!run->stopping || kn_clock_now() < run->again) return;
    kn_process_interrupt(run->pid);
    run->again = kn_clock_now() + GRACE_SECONDS;
}

/* Polls every running worker; returns the rows to publish. The caller holds the lock. */
static json_t *poll(KnRuns *runs)
{
    json_t *changed = json_array();
    for (Run *run = runs->list; run; run = run->next) {
        if (run->state != RUN_RUNNING) continue;
        KnError ignored;
        bool ended = has_ended(runs, run);
        if (!ended) interrupt_again(run);
        char message[sizeof run->message];
        memcpy(message, run->message, sizeof message);
        read_log(runs, run);
        if (!run->message[0]) memcpy(run->message, message, sizeof message);
        if (run->state == RUN_DONE || run->state == RUN_STOPPED) run->message[0] = '\0';
        if (ended) save(runs, run, &ignored);
        json_array_append_new(changed, run_json(run));
    }
    return changed;
}

bool kn_runs_poll(KnRuns *runs)
{
    pthread_mutex_lock(&runs->lock);
    json_t *changed = poll(runs);
    bool some = running(runs) > 0;
    pthread_mutex_unlock(&runs->lock);
    size_t i;
    json_t *row;
    json_array_foreach(changed, i, row) kn_publish_run(runs->web, row);
    json_decref(changed);
    return some;
}

static void wait_a_while(KnRuns *runs)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double due = (double)until.tv_sec + (double)until.tv_nsec / 1e9 + POLL_SECONDS;
    until.tv_sec = (time_t)due;
    until.tv_nsec = (long)((due - (double)until.tv_sec) * 1e9);
    if (running(runs))
        pthread_cond_timedwait(&runs->changed, &runs->lock, &until);
    else
        pthread_cond_wait(&runs->changed, &runs->lock);
}

static void *monitor_runs(void *user)
{
    KnRuns *runs = user;
    pthread_mutex_lock(&runs->lock);
    while (!runs->closing) {
        wait_a_while(runs);
        pthread_mutex_unlock(&runs->lock);
        kn_runs_poll(runs);
        pthread_mutex_lock(&runs->lock);
    }
    pthread_mutex_unlock(&runs->lock);
    return NULL;
}

/* ---- life ---- */

static void read_back(KnRuns *runs, const json_t *rows)
{
    size_t i;
    json_t *row;
    Run **end = &runs->list;
    json_array_foreach(rows, i, row)
    {
        const json_t *saved = json_object_get(row, "saved");
        const char *name = json_string_value(json_object_get(row, "id")),
                   *state = json_string_value(json_object_get(saved, "state"));
        Run *run = name && state && kn_runs_name(name) ? calloc(1, sizeof *run) : NULL;
        if (!run) continue;
        snprintf(run->name, sizeof run->name, "%s", name);
        run->about = json_incref(json_object_get(saved, "about"));
        run->words = json_incref(json_object_get(saved, "words"));
        run->pid = (pid_t)json_integer_value(json_object_get(saved, "pid"));
        run->started = json_number_value(json_object_get(saved, "started"));
        run->ended = json_number_value(json_object_get(saved, "ended"));
        snprintf(run->message, sizeof run->message, "%s",
                 json_string_value(json_object_get(saved, "message")));
        for (int s = 0; s <= RUN_FAILED; s++)
            if (strcmp(state, state_names[s]) == 0) run->state = (RunState)s;
        if (run->state == RUN_RUNNING && !still_writes(runs, run)) run->state = RUN_STOPPED;
        *end = run;
        end = &run->next;
    }
}

KnStatus kn_runs_open(KnWeb *web, KnRuns **out, KnError *error)
{
    *out = NULL;
    KnRuns *runs = calloc(1, sizeof *runs);
    if (!runs) return kn_fail_memory(error, "managing runs");
    runs->web = web;
    pthread_mutex_init(&runs->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&runs->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    KnText folder = KN_TEXT_EMPTY;
    kn_path_join(&folder, kn_context_data(web->context), "web");
    runs->folder = strdup(folder.data);
    kn_text_free(&folder);
    KnStatus status = runs->folder ? kn_mkdirs(runs->folder, error) : kn_fail_memory(error, "managing runs");
    json_t *rows = NULL;
    if (status == KN_OK) status = kn_persistence_list(web->persistence, KN_SAVED_RUN, LIST_MAX, &rows, error);
    if (status == KN_OK) read_back(runs, rows);
    json_decref(rows);
    bool alone = web->options.without_threads;
    if (status == KN_OK && !alone && pthread_create(&runs->monitor, NULL, monitor_runs, runs) != 0)
        status = kn_fail(error, KN_SYSTEM, "cannot start threads");
    else if (status == KN_OK)
        runs->monitoring = !alone;
    if (status == KN_OK)
        *out = runs;
    else
        kn_runs_close(runs);
    return status;
}

void kn_runs_close(KnRuns *runs)
{
    if (!runs) return;
    pthread_mutex_lock(&runs->lock);
    runs->closing = true;
    pthread_cond_signal(&runs->changed);
    pthread_mutex_unlock(&runs->lock);
    if (runs->monitoring) pthread_join(runs->monitor, NULL);
    bool left = true;
    for (double limit = kn_clock_now() + GRACE_SECONDS; left && kn_clock_now() < limit; usleep(10000)) {
        left = false;
        for (Run *run = runs->list; run; run = run->next) {
            if (run->state != RUN_RUNNING || !run->ours)
                continue; /* a worker of an earlier server keeps running */
            if (!run->stopping) kn_process_interrupt(run->pid);
            run->stopping = left = true;
        }
        json_decref(poll(runs));
    }
    while (runs->list) {
        Run *run = runs->list;
        runs->list = run->next;
        run_free(run);
    }
    pthread_cond_destroy(&runs->changed);
    pthread_mutex_destroy(&runs->lock);
    free(runs->folder);
    free(runs);
}
