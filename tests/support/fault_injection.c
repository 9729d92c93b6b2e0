#include "support/fault_injection.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>
#include <sqlite3.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "support/check.h"

enum {
    PATIENCE = 900 /* seconds: only what hangs takes so long, however busy the machine */,
    PATH_MOST = 400,
    FILE_MOST = 1 << 26
};

/* Tiny games: what matters is how often something is written, not what is played. */
const FaultJob fault_jobs[] = {
    {"match",
     "`knack match`",
     {"match", "othello(size=6)", "alphabeta(depth=2)", "random", "-n", "250", "--quiet", "--data", "@"},
     80,
     {NULL}},
    {"tournament",
     "`knack tournament`",
     {"tournament", "tictactoe", "random", "alphabeta(depth=2)", "uct(playouts=20)", "-n", "300", "--quiet",
      "--data", "@"},
     60,
     {NULL}},
    {"td",
     "`knack train td`",
     {"train", "td", "tictactoe", "--depth", "2", "--games", "30", "--quiet", "--out", "@/weights.json"},
     90,
     {NULL}},
    {"td-training",
     "`knack train td --into`",
     {"train", "td", "tictactoe", "--depth", "1", "--games", "10", "--against-games", "4", "--quiet",
      "--into", "@"},
     50,
     {NULL}},
    {"ntuple-training",
     "`knack train ntuple --into`",
     {"train", "ntuple", "tictactoe", "--games", "64", "--batch", "8", "--nodes", "20", "--against-games",
      "4", "--quiet", "--into", "@"},
     50,
     {NULL}},
    {"allocation",
     "`knack train allocation --store`",
     {"train", "allocation", "tictactoe", "-k", "2", "-n", "1", "--examples", "500", "--enrich", "1000",
      "--relief", "100", "--quiet", "--out", "@/policy.json", "--store", "@/examples"},
     50,
     {NULL}},
    {"allocation-training",
     "`knack train allocation --into`",
     {"train", "allocation", "tictactoe", "-k", "2", "-n", "1", "--examples", "500", "--enrich", "1000",
      "--relief", "100", "--quiet", "--into", "@"},
     50,
     {NULL}},
    {"sequences",
     "`knack train sequences`",
     {"train", "sequences", "tictactoe(lose)", "--watch", "10", "--quiet", "--out", "@/sequences.json"},
     50,
     {NULL}},
    {"experience",
     "`knack train experience`",
     {"train", "experience", "othello(size=4)", "--games", "60", "--opponent", "2", "--depth", "1",
      "--epsilon", ".3", "--quiet", "--into", "@"},
     90,
     {NULL}},
    {"tables",
     "`knack tables build`",
     {"tables", "build", "checkers", "--pieces", "3", "--quiet", "--folder", "@"},
     90,
     {NULL}},
    {"solve", "`knack solve`", {"solve", "tictactoe", "--jobs", "1", "--quiet", "--data", "@"}, 20, {NULL}},
    {"import",
     "`knack base import`",
     {"base", "import", "@/base.mdb", "--game", "tictactoe", "--run", "games", "--quiet", "--data", "before"},
     50,
     {"match", "tictactoe", "random", "random", "-n", "4500", "--quiet", "--data", "@", "--name", "games"}},
    {"lab",
     "`knack lab run`",
     {"lab", "run", "widening.ip3", "--scale", "quick", "--quiet", "--data", "@"},
     40,
     {NULL}},
};
const int fault_job_count = sizeof fault_jobs / sizeof *fault_jobs;

/* ---- processes ---- */

long fault_count(long full) { return getenv("KNACK_CRASH_TESTS") ? full : check_scaled(full / 100); }

const char *fault_binary(void)
{
    const char *other = getenv("KNACK_UNDER_TEST");
    return other ? other : KNACK_BINARY;
}

void fault_begin(void) { assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); }

static void set_number(const char *name, long value)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    setenv(name, text, 1);
}

/* In the child, before it becomes knack. */
static void suffer(const FaultHarm *harm)
{
    if (harm->library) {
        setenv("LD_PRELOAD", harm->library, 1);
        set_number("KNACK_FAIL_NTH", harm->nth);
        set_number("KNACK_FAIL_CODE", harm->code);
        set_number("KNACK_FAIL_LASTING", harm->lasting);
        set_number("KNACK_FAIL_NETWORK", harm->network);
    }
    if (harm->most_bytes) {
        signal(SIGXFSZ, SIG_IGN); /* the write fails then, as on a full disk */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)harm->most_bytes, (rlim_t)harm->most_bytes});
    }
}

static void send_to(const char *folder, const char *ending, int number)
{
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s.%s", folder, ending);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    if (file < 0) _exit(126);
    dup2(file, number);
    close(file);
}

static pid_t start_words(const char *const *words, const char *folder, const FaultHarm *harm)
{
    static char places[TORMENT_WORDS][PATH_MOST];
    const char *given[TORMENT_WORDS + 2] = {fault_binary()};
    for (int i = 0; i < TORMENT_WORDS && words[i]; i++) {
        snprintf(places[i], sizeof places[i], "%s%s", words[i][0] == '@' ? folder : "",
                 words[i][0] == '@' ? words[i] + 1 : words[i]);
        given[i + 1] = places[i];
    }
    pid_t parent = getpid(), child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(125);
        send_to(folder, "out", STDOUT_FILENO);
        send_to(folder, "err", STDERR_FILENO);
        if (harm) suffer(harm);
        execv(given[0], (char **)(uintptr_t)given);
        _exit(127);
    }
    return child;
}

pid_t fault_start(const FaultJob *job, const char *folder, const FaultHarm *harm)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) fail_msg("%s: %s", folder, strerror(errno));
    return start_words(job->words, folder, harm);
}

int fault_wait(const FaultJob *job, pid_t pid)
{
    int status;
    double end = kn_clock_now() + PATIENCE;
    for (;;) {
        pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid) return status;
        assert_int_equal(got, 0);
        if (kn_clock_now() > end) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            fail_msg("%s: it hangs", job->name);
        }
        usleep(500);
    }
}

void fault_said(const char *folder, KnText *text)
{
    char path[PATH_MOST];
    KnError error;
    snprintf(path, sizeof path, "%s.err", folder);
    check_ok(error, kn_file_read(path, text, FILE_MOST, &error));
}

static void must_end_well(const FaultJob *job, const char *folder, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    KnText said = KN_TEXT_EMPTY;
    fault_said(folder, &said);
    fail_msg("%s in %s: wait status %#x: %s", job->name, folder, (unsigned)status, said.data);
}

void fault_finish(const FaultJob *job, const char *folder)
{
    must_end_well(job, folder, fault_wait(job, fault_start(job, folder, NULL)));
}

double fault_undisturbed(const FaultJob *job, const char *folder, KnText *whole)
{
    if (job->first[0] && !kn_file_exists("before"))
        must_end_well(job, "before", fault_wait(job, start_words(job->first, "before", NULL)));
    fault_remove(folder);
    double started = kn_clock_now();
    fault_finish(job, folder);
    double took = kn_clock_now() - started;
    fault_describe(folder, NULL, whole);
    return took;
}

/* ---- what is in a folder ---- */

typedef struct Sight {
    KnText *saved, *whole; /* either may be NULL */
} Sight;

static void see(const Sight *sight, bool saved, const char *name, const char *bytes, size_t size)
{
    char line[PATH_MOST];
    snprintf(line, sizeof line, "%s %016llx\n", name, (unsigned long long)kn_hash64(bytes, size, 0));
    if (saved && sight->saved) kn_text_add(sight->saved, line);
    if (sight->whole) kn_text_add(sight->whole, line);
}

static int see_row(void *user, int count, char **values, char **names)
{
    (void)names;
    KnText row = KN_TEXT_EMPTY;
    for (int i = 0; i < count; i++) kn_text_printf(&row, "%s|", values[i] ? values[i] : "");
    see(user, true, "game", row.data, row.length);
    kn_text_free(&row);
    return 0;
}

static void ask(sqlite3 *db, const char *path, const char *sql, int (*row)(void *, int, char **, char **),
                void *user)
{
    if (sqlite3_exec(db, sql, row, user, NULL) != SQLITE_OK) fail_msg("%s: %s", path, sqlite3_errmsg(db));
}

static int must_be_ok(void *user, int count, char **values, char **names)
{
    (void)names;
    if (count != 1 || strcmp(values[0], "ok") != 0) fail_msg("%s: %s", (const char *)user, values[0]);
    return 0;
}

static int count_tables(void *user, int count, char **values, char **names)
{
    (void)names, (void)count;
    *(int *)user = atoi(values[0]);
    return 0;
}

/* The games of a results store, without the times that they took. A run that is finished has its summary,
 * which counts too. */
static void see_store(const Sight *sight, const char *path)
{
    sqlite3 *db;
    int tables = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        fail_msg("%s: %s", path, sqlite3_errmsg(db));
    sqlite3_busy_timeout(db, 1000 * PATIENCE);
    ask(db, path, "PRAGMA integrity_check", must_be_ok, (void *)(uintptr_t)path);
    ask(db, path, "SELECT count(*) FROM sqlite_master WHERE name IN ('runs', 'games')", count_tables,
        &tables);
    assert_true(tables == 0 || tables == 2);
    if (tables)
        ask(db, path,
            "SELECT run, number, first, start, moves, ending, fault, culprit, payoff0, payoff1, plies, "
            "nodes0, nodes1, decisions0, decisions1 FROM games ORDER BY run, number",
            see_row, (void *)(uintptr_t)sight);
    sqlite3_close(db);
}

/* Each time that a game was played counts as saved: later plays stand in the same line of an export. */
static void see_plays(const Sight *sight, const char *line, size_t length)
{
    const Sight kept = {.saved = sight->saved};
    json_error_t error;
    json_t *game = json_loadb(line, length, 0, &error), *play;
    size_t i;
    if (!game) fail_msg("an exported game: %s", error.text);
    json_t *plays = json_object_get(game, "plays");
    assert_true(json_array_size(plays) > 0);
    json_array_foreach(plays, i, play)
    {
        char *told = json_dumps(play, JSON_SORT_KEYS);
        KnText text = KN_TEXT_EMPTY;
        kn_text_printf(&text, "%s %s", json_string_value(json_object_get(game, "id")), told);
        see(&kept, true, "play", text.data, text.length);
        kn_text_free(&text);
        free(told);
    }
    json_decref(game);
}

/* The games and positions of an exported base; positions change as games are added. */
static void see_export(const Sight *sight, const KnText *text)
{
    static const char game[] = "{\"id\"";
    const char *end;
    for (const char *at = text->data; (end = strchr(at, '\n')); at = end + 1) {
        see(sight, false, "base", at, (size_t)(end - at));
        if (strncmp(at, game, strlen(game)) == 0) see_plays(sight, at, (size_t)(end - at));
    }
}

/* Asks knack itself: whether a base is sound, and for its games and positions. */
static void see_base(const Sight *sight, const char *path)
{
    static const FaultJob job = {.name = "looking at a base"};
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    int status = fault_wait(&job,
                            start_words((const char *const[]){"base", "check", path, NULL}, "look", NULL));
    fault_said("look", &text);
    if (strstr(text.data, "is empty, and no experience base")) { /* its first page was not written; whoever
                                                                    opens it next begins it */
        kn_text_free(&text);
        return;
    }
    must_end_well(&job, "look", status);
    must_end_well(
        &job, "look",
        fault_wait(&job, start_words((const char *const[]){"base", "export", path, NULL}, "look", NULL)));
    check_ok(error, kn_file_read("look.out", &text, FILE_MOST, &error));
    see_export(sight, &text);
    kn_text_free(&text);
}

/* What has been learned from how many games, and the points of a curve. */
static void see_json(const Sight *sight, const char *name, const KnText *text)
{
    json_error_t error;
    json_t *json = json_loads(text->data, 0, &error), *point;
    if (!json) fail_msg("%s: %s", name, error.text);
    json_int_t games = json_integer_value(json_object_get(json_object_get(json, "state"), "games"));
    for (json_int_t i = 0; i < games && sight->saved; i++)
        kn_text_printf(sight->saved, "learned from game %lld\n", (long long)i);
    size_t i;
    json_array_foreach(json_object_get(json, "points"), i, point)
    {
        char *bytes = json_dumps(point, JSON_COMPACT);
        if (sight->saved) kn_text_printf(sight->saved, "point %s\n", bytes);
        free(bytes);
    }
    json_decref(json);
    see(sight, false, name, text->data, text->length);
}

/* What was measured, and how often; the values may be times. */
static void see_units(const Sight *sight, const char *name, const KnText *text)
{
    const char *end;
    for (const char *at = text->data; (end = strchr(at, '\n')); at = end + 1) {
        json_t *line = json_loadb(at, (size_t)(end - at), 0, NULL);
        const char *key = json_string_value(json_object_get(line, "key"));
        if (!line) fail_msg("%s: a torn line in the middle", name);
        if (key) see(sight, true, key, "", 0);
        json_decref(line);
    }
}

static bool ends(const char *name, const char *ending)
{
    size_t length = strlen(name), short_one = strlen(ending);
    return length >= short_one && strcmp(name + length - short_one, ending) == 0;
}

static void see_file(const Sight *sight, const char *path, const char *name)
{
    if (ends(name, ".tmp") && !sight->whole)
        return; /* left by a killed writer, removed by the next; in the end there may be none */
    if (ends(name, "-lock") || ends(name, "-shm") || ends(name, "-wal") || ends(name, "-journal"))
        return; /* LMDB's and SQLite's own, part of what they open */
    if (strcmp(name, "results.db") == 0) {
        see_store(sight, path);
        return;
    }
    if ((strcmp(name, "working.mdb") == 0 || strncmp(name, "next-", 5) == 0) && !sight->whole)
        return; /* not yet part of a training run */
    if (ends(name, ".mdb")) {
        see_base(sight, path);
        return;
    }
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    check_ok(error, kn_file_read(path, &text, FILE_MOST, &error));
    if (ends(name, ".units"))
        see_units(sight, name, &text);
    else if (strstr(path, "/lab/"))
        see(sight, false, name, "", 0); /* a result has the day and the time it took in it */
    else if (ends(name, ".json"))
        see_json(sight, name, &text);
    else if (ends(name, ".ntuple") || ends(name, ".neural") ||
             ends(name, ".state")) /* replaced as the training goes on */
        see(sight, false, name, text.data, text.length);
    else
        see(sight, !ends(name, ".tsv") || !strstr(name, "test"), name, text.data, text.length);
    kn_text_free(&text);
}

static int proper(const struct dirent *entry) { return entry->d_name[0] != '.'; }

void fault_describe(const char *folder, KnText *saved, KnText *whole)
{
    const Sight sight = {saved, whole};
    struct dirent **entries;
    int count = scandir(folder, &entries, proper, alphasort);
    if (count < 0) fail_msg("%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        char path[PATH_MOST];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        struct stat info;
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            fault_describe(path, saved, whole);
        else
            see_file(&sight, path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (saved) kn_text_add(saved, "");
    if (whole) kn_text_add(whole, "");
}

void fault_check_kept(const char *job, const KnText *before, const KnText *after)
{
    const char *in = after->data ? after->data : "", *end;
    for (const char *line = before->data; line && (end = strchr(line, '\n')); line = end + 1) {
        size_t length = (size_t)(end - line) + 1;
        while (*in && strncmp(in, line, length) != 0) {
            const char *next = strchr(in, '\n');
            in = next ? next + 1 : "";
        }
        if (!*in) fail_msg("%s: lost: %.*s", job, (int)length - 1, line);
        in += length;
    }
}

void fault_check_same(const char *job, const KnText *wanted, const KnText *got)
{
    if (strcmp(wanted->data, got->data) == 0) return;
    size_t at = 0;
    while (wanted->data[at] == got->data[at]) at++;
    while (at > 0 && wanted->data[at - 1] != '\n') at--;
    fail_msg("%s: it ends otherwise than undisturbed; undisturbed:\n%.300s\nnow:\n%.300s", job,
             wanted->data + at, got->data + at);
}

void fault_remove(const char *folder)
{
    char command[PATH_MOST + 20];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

void fault_row(const char *fault, const char *how, const char *count, const char *lost)
{
    print_message("%s: %s: %s: %s\n", fault, how, count, lost);
    const char *path = getenv("KNACK_CRASH_TABLE");
    if (!path) return;
    FILE *table = fopen(path, "a");
    if (!table) fail_msg("%s: %s", path, strerror(errno));
    fprintf(table, "| %s | %s | %s | %s |\n", fault, how, count, lost);
    fclose(table);
}
