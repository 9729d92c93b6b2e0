/* The rules of the house that a machine can check, read off the sources themselves:
 *   - a room (a folder of src/) includes headers of its own and of the rooms above it, never of one below;
 * files directly in src/ stand above the command line only;
 *   - includes are written from src/ ("room/file.h"), never with "..";
 *   - a header is guarded by its path: KNACK_ROOM_FILE_H;
 *   - library rooms neither end the process nor print on their own;
 *   - a file stays under 700 lines.
 * The checks are functions on a text, so that the last test can show each of them a text that breaks its
 * rule. */
#include "support/check.h"
#include "base/file.h"

#include <ctype.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 700, ROOT = 13 };

/* From the top down; `learn` comes before `games`, since its algorithms know no game. "" stands for src/
 * itself: what is there may use every library room. */
static const char *const rooms[] = {"base",   "jobs",    "learn", "games",   "formats", "eval",
                                    "search", "players", "arena", "methods", "lab",     "protocols",
                                    "web",    "",        "capi",  "cli",     "site"};
enum { ROOMS = sizeof rooms / sizeof *rooms };
_Static_assert(ROOMS == ROOT + 4, "src/ itself stands before cli and site");

/* The rank of the room that a path below src/ lies in; -1 if there is no such room. */
static int rank(const char *path)
{
    if (strncmp(path, "jobs/mpi/", 9) == 0) return ROOMS; /* a program of its own, made of the command line */
    const char *slash = strchr(path, '/');
    if (!slash) return ROOT;
    for (int i = 0; i < ROOMS; i++)
        if (strlen(rooms[i]) == (size_t)(slash - path) &&
            strncmp(rooms[i], path, (size_t)(slash - path)) == 0)
            return i;
    return -1;
}

/* A public header belongs to the room whose types it defines; the rooms below may include it. */
static int public_rank(const char *name)
{
    static const struct {
        const char *name, *room;
    } headers[] = {{"base.h", "base/"},   {"explain.h", "base/"},    {"stats.h", "base/"},
                   {"game.h", "games/"},  {"evaluation.h", "eval/"}, {"player.h", "players/"},
                   {"match.h", "arena/"}, {"learn.h", "arena/"},     {"plugin.h", ""},
                   {"capi.h", "capi/"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(headers[i].name, name) == 0) return rank(headers[i].room);
    return -1;
}

/* ---- A source with comments and the insides of strings blanked; lines stay where they are ---- */

static char *blank_text(const char *source, bool strings)
{
    char *code = strdup(source);
    assert_non_null(code);
    enum { CODE, LINE, BLOCK, STRING, CHARACTER } in = CODE;
    for (char *c = code; *c; c++) {
        char now = *c, next = c[1];
        if (in == CODE) {
            if (now == '/' && next == '/')
                in = LINE;
            else if (now == '/' && next == '*')
                in = BLOCK, *c++ = ' ';
            else if (now == '"') {
                in = STRING;
                continue;
            } else if (now == '\'') {
                in = CHARACTER;
                continue;
            } else
                continue;
            *c = ' ';
        } else if (in == LINE) {
            if (now == '\n')
                in = CODE;
            else
                *c = ' ';
        } else if (in == BLOCK) {
            if (now == '*' && next == '/') in = CODE, *c++ = ' ';
            if (*c != '\n') *c = ' ';
        } else {
            if (now == '\n' || now == (in == STRING ? '"' : '\'')) {
                in = CODE;
                continue;
            }
            bool escape = now == '\\' && next && next != '\n';
            if (strings) *c = ' ';
            if (escape) {
                c++;
                if (strings) *c = ' ';
            }
        }
    }
    return code;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static void complain(KnText *complaints, const char *path, int line, const char *text)
{
    kn_text_printf(complaints, "src/%s:%d: %s\n", path, line, text);
}

/* ---- The rules ---- */

static void check_include(KnText *complaints, const char *path, int line, const char *included)
{
    char text[300];
    int from = rank(path), to = rank(included);
    if (strncmp(included, "knack/", 6) == 0) to = public_rank(included + 6);
    if (strstr(included, "..")) {
        complain(complaints, path, line, "an include goes up with \"..\"; write it from src/");
    } else if (to < 0) {
        snprintf(text, sizeof text, "\"%.200s\" is in no room", included);
        complain(complaints, path, line, text);
    } else if (to > from) {
        snprintf(text, sizeof text, "includes \"%.200s\", which lies below it", included);
        complain(complaints, path, line, text);
    }
}

static void check_includes(KnText *complaints, const char *path, const char *source)
{
    char *code = blank_text(source, false);
    for (const char *at = code; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        const char *c = at + strspn(at, " \t");
        if (*c != '#') continue;
        c += 1 + strspn(c + 1, " \t");
        if (strncmp(c, "include", 7) != 0) continue;
        c += 7;
        c += strspn(c, " \t");
        if (*c != '"' && strncmp(c, "<knack/", 7) != 0) continue;
        char included[256];
        snprintf(included, sizeof included, "%.*s", (int)strcspn(c + 1, "\">\n"), c + 1);
        check_include(complaints, path, line_of(code, c), included);
    }
    free(code);
}

static void check_guard(KnText *complaints, const char *path, const char *source)
{
    size_t length = strlen(path);
    if (length < 2 || strcmp(path + length - 2, ".h") != 0) return;
    char guard[300] = "KNACK_", wanted[1000];
    for (size_t i = 0, at = strlen(guard); i < length && at + 1 < sizeof guard; i++)
        guard[at++] = isalnum((unsigned char)path[i]) ? (char)toupper((unsigned char)path[i]) : '_';
    snprintf(wanted, sizeof wanted, "#ifndef %s\n#define %s\n", guard, guard);
    char *code = blank_text(source, false);
    const char *first = strchr(code, '#');
    if (!first || strncmp(first, wanted, strlen(wanted)) != 0) {
        snprintf(wanted, sizeof wanted, "its first directives are not the include guard %s", guard);
        complain(complaints, path, 1, wanted);
    }
    free(code);
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A call is the bare name and a parenthesis; member functions and longer names are other things. */
static void check_calls(KnText *complaints, const char *path, const char *source)
{
    static const char *const forbidden[] = {"exit",    "abort", "_Exit",   "quick_exit", "printf",
                                            "vprintf", "puts",  "putchar", "perror"};
    if (rank(path) > ROOT || strcmp(path, "base/assert.c") == 0)
        return; /* a failed assertion ends the process */
    char *code = blank_text(source, true);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        size_t length = strlen(forbidden[i]);
        for (const char *at = code; (at = strstr(at, forbidden[i])); at += length) {
            bool starts = at == code || (!is_name(at[-1]) && at[-1] != '.' &&
                                         !(at[-1] == '>' && at - code > 1 && at[-2] == '-'));
            if (!starts || at[length + strspn(at + length, " \t")] != '(' || is_name(at[length])) continue;
            /* __attribute__((format(printf, 1, 2))) has a comma instead, so only calls come here */
            char text[100];
            snprintf(text, sizeof text,
                     "a library room calls %s(): return a KnError, write to a FILE that was passed",
                     forbidden[i]);
            complain(complaints, path, line_of(code, at), text);
        }
    }
    free(code);
}

static void check_length(KnText *complaints, const char *path, const char *source)
{
    int lines = line_of(source, source + strlen(source)) - 1;
    if (lines >= MOST_LINES)
        complain(complaints, path, lines, "700 lines or more: it probably holds two things");
}

static void check_file(KnText *complaints, const char *path, const char *source)
{
    if (rank(path) < 0) {
        complain(complaints, path, 1, "lies in no room of the house");
        return;
    }
    check_includes(complaints, path, source);
    check_guard(complaints, path, source);
    check_calls(complaints, path, source);
    check_length(complaints, path, source);
}

/* ---- The whole of src/ ---- */

typedef struct Walk {
    KnText complaints;
    int files;
} Walk;

static Walk walk; /* nftw passes nothing on */

static int visit(const char *file, const struct stat *stat, int type, struct FTW *where)
{
    (void)stat, (void)where;
    size_t length = strlen(file);
    if (type != FTW_F || length < 2 ||
        (strcmp(file + length - 2, ".c") != 0 && strcmp(file + length - 2, ".h") != 0))
        return 0;
    KnText source = KN_TEXT_EMPTY;
    KnError error;
    check_ok(error, kn_file_read(file, &source, 1 << 24, &error));
    check_file(&walk.complaints, file + strlen(KNACK_SOURCE_DIR "/src/"), source.data);
    walk.files++;
    kn_text_free(&source);
    return 0;
}

static void test_sources_keep_the_rules(void **state)
{
    (void)state;
    walk = (Walk){KN_TEXT_EMPTY, 0};
    assert_int_equal(nftw(KNACK_SOURCE_DIR "/src", visit, 16, FTW_PHYS), 0);
    assert_true(walk.files > 10);
    if (walk.complaints.length) {
        print_error("%s", walk.complaints.data);
        fail();
    }
}

/* ---- The rules themselves ---- */

static void check_complains(const char *path, const char *source, const char *part)
{
    KnText complaints = KN_TEXT_EMPTY;
    check_file(&complaints, path, source);
    if (!part && complaints.length) fail_msg("unexpected: %s", complaints.data);
    if (part && !strstr(complaints.data, part))
        fail_msg("%s: \"%s\" lacks \"%s\"", path, complaints.data, part);
    kn_text_free(&complaints);
}

static void test_rules_can_fail(void **state)
{
    (void)state;
    check_complains("search/a.c", "#include \"games/game.h\"\n#include \"search/b.h\"\n#include <stdio.h>\n",
                    NULL);
    check_complains("search/a.c", "\n  # include \"players/spec.h\"\n",
                    "src/search/a.c:2: includes \"players/spec.h\"");
    check_complains("search/a.c", "/* #include \"players/spec.h\" */\n", NULL);
    check_complains("base/a.c", "#include \"../games/game.h\"\n", "\"..\"");
    check_complains("base/a.c", "#include \"local.h\"\n", "lies below");
    check_complains("base/a.c", "#include <knack/knack.h>\n", "is in no room");
    check_complains("base/a.c", "#include <knack/game.h>\n", "below");
    check_complains("games/a.c", "#include <knack/game.h>\n#include <knack/base.h>\n", NULL);
    check_complains("base/a.c", "#include \"odd/knack.h\"\n", "in no room");
    check_complains("odd/a.c", "", "no room of the house");
    check_complains("knack.c", "#include \"web/server.h\"\n#include <knack/plugin.h>\n", NULL);
    check_complains("knack.c", "#include \"cli/main.h\"\n", "lies below");
    check_complains("cli/main.c", "#include \"web/server.h\"\nint main(void) { printf(\"x\"); exit(1); }\n",
                    NULL);

    check_complains("games/gdl/rules.h",
                    "/* x */\n#ifndef KNACK_GAMES_GDL_RULES_H\n#define KNACK_GAMES_GDL_RULES_H\n#endif\n",
                    NULL);
    check_complains("games/go.h", "#ifndef GO_H\n#define GO_H\n#endif\n", "KNACK_GAMES_GO_H");
    check_complains("games/go.h",
                    "#include <stdio.h>\n#ifndef KNACK_GAMES_GO_H\n#define KNACK_GAMES_GO_H\n#endif\n",
                    "guard");

    check_complains("base/a.c", "void f(void) { exit(1); }\n", "exit()");
    check_complains("base/a.c", "x\n/* a\nb */ abort ();\n", "a.c:3: a library room calls abort()");
    check_complains("base/a.c", "f(\"\\\"\"); puts(\"x\");\n", "puts()");
    check_complains("base/a.c", "char c = '\"'; printf(\"x\");\n", "printf()");
    check_complains(
        "base/a.c",
        "fprintf(out, \"exit(1)\"); kn_exit(); _exit(127); a->exit(1); /* abort() */ fputs(x); snprintf(x);\n"
        "void g(const char *f, ...) __attribute__((format(printf, 1, 2))); // puts()\n",
        NULL);

    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < MOST_LINES - 1; i++) kn_text_add(&text, ";\n");
    check_complains("base/a.c", text.data, NULL);
    kn_text_add(&text, ";\n");
    check_complains("base/a.c", text.data, "700 lines");
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources_keep_the_rules),
        cmocka_unit_test(test_rules_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
