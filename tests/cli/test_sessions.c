/* Runs the sessions in tests/cli/sessions: text files that read like a terminal.
 *
 *     $ knack match tictactoe random random -n 10      a command, run by sh in the test's folder
 *     ... random against random                         its output, stdout and stderr together
 *     (exit 2)                                          its exit code, unless 0
 *
 * In expected output `...` matches anything within a line, and a line that is just `...` any number of lines.
 * Lines of commands that begin with # are comments. */
#include "support/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"

/* Whether a line fits a pattern in which ... stands for anything. */
static int line_fits(const char *pattern, size_t pattern_length, const char *line, size_t length)
{
    const char *gap = memmem(pattern, pattern_length, "...", 3);
    if (!gap) return pattern_length == length && memcmp(pattern, line, length) == 0;
    size_t head = (size_t)(gap - pattern);
    if (head > length || memcmp(pattern, line, head) != 0) return 0;
    for (size_t skip = head; skip <= length; skip++)
        if (line_fits(gap + 3, pattern_length - head - 3, line + skip, length - skip)) return 1;
    return 0;
}

static const char *next_line(const char *text, size_t *length)
{
    *length = strcspn(text, "\n");
    return text + *length + (text[*length] == '\n');
}

/* Whether whole outputs fit, with lines of just ... standing for any number. */
static int output_fits(const char *pattern, const char *text)
{
    if (!*pattern) return !*text;
    size_t pattern_length, length;
    const char *pattern_rest = next_line(pattern, &pattern_length);
    if (pattern_length == 3 && memcmp(pattern, "...", 3) == 0) {
        for (;;) {
            if (output_fits(pattern_rest, text)) return 1;
            if (!*text) return 0;
            text = next_line(text, &length);
        }
    }
    if (!*text) return 0;
    const char *rest = next_line(text, &length);
    return line_fits(pattern, pattern_length, text, length) && output_fits(pattern_rest, rest);
}

/* Progress is told after ten seconds: on a slow machine only, and not what a session is about. */
static int is_progress(const char *line, size_t length)
{
    char text[200], name[100];
    unsigned long long done, total;
    int percent, end = 0;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
    return sscanf(text, "%99[^:]: %llu/%llu (%d%%),%n", name, &done, &total, &percent, &end) == 4 && end > 0;
}

static void drop_progress(KnText *output)
{
    KnText kept = KN_TEXT_EMPTY;
    for (const char *at = output->data; at && *at;) {
        size_t length;
        const char *rest = next_line(at, &length);
        if (!is_progress(at, length)) kn_text_add_bytes(&kept, at, (size_t)(rest - at));
        at = rest;
    }
    kn_text_free(output);
    *output = kept;
}

static void run(const char *command, KnText *output, int *code)
{
    KnText line = KN_TEXT_EMPTY;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", KNACK_BINARY);
    *strrchr(folder, '/') = '\0';
    kn_text_printf(&line, "export PATH='%s':\"$PATH\" KNACK_SOURCE='%s'; { %s\n} 2>&1", folder,
                   KNACK_SOURCE_DIR, command);
    FILE *pipe = popen(line.data, "r");
    assert_non_null(pipe);
    char bytes[4096];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, pipe)) > 0;) kn_text_add_bytes(output, bytes, got);
    int status = pclose(pipe);
    drop_progress(output);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    kn_text_free(&line);
}

/* One command with its expected output; returns what follows it in the file. */
static const char *play_step(const char *at, const char *path)
{
    size_t length;
    KnText command = KN_TEXT_EMPTY, wanted = KN_TEXT_EMPTY, output = KN_TEXT_EMPTY;
    const char *rest = next_line(at, &length);
    kn_text_add_bytes(&command, at + 2, length - 2);
    int code = 0, got = 0;
    while (*rest && strncmp(rest, "$ ", 2) != 0) {
        const char *line = rest;
        rest = next_line(line, &length);
        if (*line == '#') continue;
        if (sscanf(line, "(exit %d)", &code) == 1) continue;
        kn_text_add_bytes(&wanted, line, length);
        kn_text_add_char(&wanted, '\n');
    }
    while (wanted.length && (wanted.length == 1 || wanted.data[wanted.length - 2] == '\n') &&
           wanted.data[wanted.length - 1] == '\n')
        wanted.data[--wanted.length] = '\0'; /* blank lines before the next command are for the reader */
    run(command.data, &output, &got);
    if (output.length && output.data[output.length - 1] != '\n') kn_text_add_char(&output, '\n');
    if (got != code || !output_fits(wanted.data, output.data))
        fail_msg("%s\n$ %s\n--- wanted (exit %d)\n%s--- got (exit %d)\n%s", path, command.data, code,
                 wanted.data, got, output.data);
    kn_text_free(&command);
    kn_text_free(&wanted);
    kn_text_free(&output);
    return rest;
}

static void play_session(void **state)
{
    const char *path = *state;
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(path, &text, 1 << 20, &error));
    const char *at = text.data;
    size_t length;
    while (*at && strncmp(at, "$ ", 2) != 0) at = next_line(at, &length);
    assert_true(*at != '\0');
    while (*at) at = play_step(at, path);
    kn_text_free(&text);
}

static int is_session(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

/* With a name (plugin.txt) that session alone. */
int main(int argc, char **argv)
{
    struct dirent **entries;
    int count = scandir(KNACK_SOURCE_DIR "/tests/cli/sessions", &entries, is_session, alphasort);
    if (count <= 0) return 1;
    struct CMUnitTest *tests = calloc((size_t)count, sizeof *tests);
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    for (int i = 0; i < count; i++) {
        char *path;
        if (asprintf(&path, "%s/tests/cli/sessions/%s", KNACK_SOURCE_DIR, entries[i]->d_name) < 0) return 1;
        tests[i] = (struct CMUnitTest){
            .name = strdup(entries[i]->d_name), .test_func = play_session, .initial_state = path};
    }
    int failed = _cmocka_run_group_tests("sessions", tests, (size_t)count, NULL, NULL);
    for (int i = 0; i < count; i++) {
        free((void *)(uintptr_t)tests[i].name);
        free(tests[i].initial_state);
        free(entries[i]);
    }
    free(tests);
    free(entries);
    return failed;
}
