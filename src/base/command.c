#include "base/command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

/* Programs that run what comes after them. */
static const char *const launchers[] = {"env",    "exec", "nice",    "nohup",   "setsid",  "stdbuf", "time",
                                        "ionice", "chrt", "taskset", "numactl", "timeout", "command"};
/* Programs whose behaviour is in files that they load. A number may follow the name (python3.11). */
static const char *const interpreters[] = {
    "python", "pypy", "perl",  "ruby",   "node",  "nodejs", "deno",   "bun",  "java",   "lua",     "luajit",
    "tclsh",  "sh",   "bash",  "dash",   "zsh",   "ksh",    "fish",   "php",  "julia",  "Rscript", "guile",
    "racket", "sbcl", "ghc",   "runghc", "ocaml", "mono",   "dotnet", "wine", "octave", "gawk",    "awk",
    "swipl",  "go",   "cargo", "make",   "uv",    "pipx",   "npx",    "npm"};
/* Programs that talk to a program elsewhere. */
static const char *const remotes[] = {"ssh",  "nc",     "ncat",   "netcat", "socat", "telnet", "curl",
                                      "wget", "docker", "podman", "rsh",    "srun",  "mpirun", "websocat"};

/* Whether a program's name is in a list, version numbers aside. */
static bool listed(const char *const *list, size_t count, const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t length = strlen(name);
    while (length && strchr("0123456789.-", name[length - 1])) length--;
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && strncmp(list[i], name, length) == 0) return true;
    return false;
}

#define LISTED(list, path) listed(list, sizeof(list) / sizeof *(list), path)

static bool is_file(const char *path)
{
    struct stat info;
    return *path && stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, R_OK) == 0;
}

/* The file that the shell would run: with a slash the path itself, else the first of $PATH. */
static bool find_program(const char *word, KnText *path)
{
    kn_text_clear(path);
    if (strchr(word, '/')) {
        kn_text_add(path, word);
        return is_file(word);
    }
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        kn_text_clear(path);
        kn_text_printf(path, "%.*s%s%s", (int)length, at, length ? "/" : "", word);
        if (is_file(path->data) && access(path->data, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

typedef struct Reading {
    KnDigest *digest;
    KnText *doubt;
    KnText word, path;
    bool program; /* the next word is a program */
    bool found;   /* a program was found */
    bool shell;   /* there is more than words */
} Reading;

static void add_doubt(Reading *r, const char *what, const char *why)
{
    if (r->doubt->length) kn_text_add(r->doubt, "; ");
    kn_text_printf(r->doubt, "%.200s %s", what, why);
}

static bool is_binary(const char *path)
{
    char head[4];
    FILE *file = fopen(path, "re");
    bool binary = file && fread(head, 1, sizeof head, file) == sizeof head &&
                  memcmp(head, "\177ELF", sizeof head) == 0;
    if (file) fclose(file);
    return binary;
}

static KnStatus add_program(Reading *r, KnError *error)
{
    char resolved[PATH_MAX];
    const char *path = realpath(r->path.data, resolved) ? resolved : r->path.data;
    bool launches = LISTED(launchers, r->word.data);
    r->program = launches;
    r->found = !launches;
    if (launches) return KN_OK;
    kn_digest_string(r->digest, path);
    if (LISTED(interpreters, r->word.data) || LISTED(interpreters, path))
        add_doubt(r, r->word.data, "loads files that the command does not name");
    else if (LISTED(remotes, r->word.data))
        add_doubt(r, r->word.data, "runs or reaches a program elsewhere");
    else if (!is_binary(path))
        add_doubt(r, r->word.data, "is a script, which can run other files");
    return kn_digest_file(r->digest, path, error);
}

/* The files within a word: the whole of it, or parts between brackets, commas, equal signs and spaces. */
static KnStatus add_files(Reading *r, KnError *error)
{
    if (is_file(r->word.data)) return kn_digest_file(r->digest, r->word.data, error);
    KnStatus status = KN_OK;
    for (char *at = r->word.data; *at && status == KN_OK;) {
        at += strspn(at, "(),=:;\"' \t");
        size_t length = strcspn(at, "(),=:;\"' \t");
        char kept = at[length];
        at[length] = 0;
        if (is_file(at)) status = kn_digest_file(r->digest, at, error);
        at[length] = kept;
        at += length;
    }
    return status;
}

static bool is_assignment(const char *word)
{
    size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
    return name && word[name] == '=';
}

static KnStatus add_word(Reading *r, KnError *error)
{
    if (!r->word.length) return KN_OK;
    KnStatus status = KN_OK;
    if (r->program && !is_assignment(r->word.data) && find_program(r->word.data, &r->path))
        status = add_program(r, error);
    else
        status = add_files(r, error);
    kn_text_clear(&r->word);
    return status;
}

/* One character of the command; `quote` is the open quotation mark or 0. */
static KnStatus read_character(Reading *r, const char **at, char *quote, KnError *error)
{
    char c = *(*at)++;
    if (*quote == '\'' ? c == '\'' : *quote && c == *quote) {
        *quote = 0;
    } else if (!*quote && (c == '\'' || c == '"')) {
        *quote = c;
    } else if (c == '\\' && *quote != '\'' && **at) {
        kn_text_add_char(&r->word, *(*at)++);
    } else if (*quote != '\'' && (c == '$' || c == '`')) {
        r->shell = true;
    } else if (!*quote && strchr("|&;<>()\n", c)) {
        r->shell = true;
        KnStatus status = add_word(r, error);
        if (!strchr("<>", c)) r->program = true;
        return status;
    } else if (!*quote && (c == ' ' || c == '\t')) {
        return add_word(r, error);
    } else {
        if (!*quote && strchr("*?[~", c)) r->shell = true;
        kn_text_add_char(&r->word, c);
    }
    return KN_OK;
}

KnStatus kn_command_identity(const char *command, KnDigest *digest, KnText *doubt, KnError *error)
{
    Reading r = {.digest = digest, .doubt = doubt, .program = true};
    r.word = r.path = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    char quote = 0;
    kn_text_clear(&r.word);
    for (const char *at = command; *at && status == KN_OK;) status = read_character(&r, &at, &quote, error);
    if (status == KN_OK) status = add_word(&r, error);
    if (r.shell) add_doubt(&r, "the shell", "decides what the command runs");
    if (!r.found) add_doubt(&r, "its program", "is not found");
    if (status == KN_OK && (!kn_text_ok(&r.word) || !kn_text_ok(&r.path) || !kn_text_ok(doubt)))
        status = kn_fail_memory(error, "identifying a program");
    kn_text_free(&r.word);
    kn_text_free(&r.path);
    return status;
}
