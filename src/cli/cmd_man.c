/* knack man, knack complete: manual pages and completion for shells, from the same tables as --help
 * (describe.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/describe.h"
#include <knack/base.h>

/* Commands with subcommands. */
static const struct {
    const char *name;
    const Command *parts; /* NULL: cli_train_parts() */
} parted[] = {{"train", NULL}, {"lab", cli_lab_parts}, {"satisfice", cli_satisfice_parts}};

static const Command *parts_of(const Command *command)
{
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++)
        if (strcmp(parted[i].name, command->name) == 0)
            return parted[i].parts ? parted[i].parts : cli_train_parts();
    return NULL;
}

static const Command *find(const Command *list, const char *name)
{
    for (; list && list->name; list++)
        if (strcmp(list->name, name) == 0) return list;
    return NULL;
}

/* ---- manual pages ---- */

/* The page's name of "knack train td" is knack-train-td. */
static void page_name(const char *command, char *page, size_t size)
{
    snprintf(page, size, "%s", command);
    for (char *c = page; *c; c++)
        if (*c == ' ') *c = '-';
}

static void print_head(const char *command, const char *summary)
{
    char page[100];
    page_name(command, page, sizeof page);
    printf(".TH %s 1 \"\" \"knack %s\" \"Knack\"\n.SH NAME\n", page, kn_version());
    cli_print_roff(page, strlen(page));
    fputs(" \\- ", stdout);
    cli_print_roff(summary, strlen(summary));
    putchar('\n');
}

static void print_foot(void) { fputs(".SH SEE ALSO\n.BR knack (1)\n", stdout); }

static void print_list(const char *command, const Command *list)
{
    for (; list->name; list++) {
        fputs(".TP\n.B ", stdout);
        cli_print_roff(command, strlen(command));
        putchar(' ');
        cli_print_roff(list->name, strlen(list->name));
        putchar('\n');
        cli_print_roff(list->summary, strlen(list->summary));
        putchar('\n');
    }
}

static void print_parts(const char *command, const Command *parts)
{
    fputs(".SH SYNOPSIS\n.B ", stdout);
    cli_print_roff(command, strlen(command));
    fputs("\n"
          "\\fIPART\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
          ".SH DESCRIPTION\n"
          "Each part has a page of its own.\n",
          stdout);
    print_list(command, parts);
    print_foot();
}

static void print_front(void)
{
    print_head("knack", "programs that acquire the knack of a game");
    fputs(".SH SYNOPSIS\n"
          ".B knack\n"
          "\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n"
          ".SH DESCRIPTION\n"
          "Play, match, train, solve, and regenerate published results. Each command has a page of its own:\n"
          ".BR knack\\-match (1)\n"
          "and so on; \\fBknack \\fICOMMAND \\fB\\-\\-help\\fR says the same.\n"
          ".SH COMMANDS\n",
          stdout);
    print_list("knack", cli_commands);
    fputs(".SH EXIT STATUS\n"
          ".TP\n"
          "0\n"
          "done\n"
          ".TP\n"
          "1\n"
          "done, and the answer is no\n"
          ".TP\n"
          "2\n"
          "wrong usage\n"
          ".TP\n"
          "3\n"
          "bad input\n"
          ".TP\n"
          "4\n"
          "the machine said no: memory, disk, network\n"
          ".SH ENVIRONMENT\n"
          ".TP\n"
          ".B KNACK_DATA\n"
          "The folder of results, solved tables and learned files (default $XDG_DATA_HOME/knack, else "
          "~/.local/share/knack).\n"
          ".TP\n"
          ".B KNACK_PLUGINS\n"
          "Shared objects with further games, with colons between.\n"
          ".TP\n"
          ".B NO_COLOR\n"
          "No colours on a terminal.\n",
          stdout);
}

/* Runs a command in a separate process that only describes its options, into `file` (NULL: stdout). Returns
 * its exit code. */
static int describe(const Command *command, const char *name, const char *form, const char *file)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return KN_SYSTEM;
    if (child == 0) {
        char word[64], described[32];
        snprintf(word, sizeof word, "%s", name);
        snprintf(described, sizeof described, "--describe=%s", form);
        if (file && !freopen(file, "w", stdout)) {
            fprintf(stderr, "knack: %s: %s\n", file, strerror(errno));
            _exit(KN_SYSTEM);
        }
        if (strcmp(form, "man") == 0) print_head(name, command->summary);
        exit(command->run(2, (char *[]){word, described, NULL}));
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return KN_SYSTEM;
    return WIFEXITED(status) ? WEXITSTATUS(status) : KN_SYSTEM;
}

typedef int Visit(const Command *command, const char *name, const Command *parts, void *user);

/* Visits every command and subcommand until a visit returns non-zero. */
static int each_command(Visit *visit, void *user)
{
    int code = 0;
    for (const Command *command = cli_commands; command->name && !code; command++) {
        const Command *parts = parts_of(command);
        char name[64];
        snprintf(name, sizeof name, "knack %s", command->name);
        code = visit(command, name, parts, user);
        for (const Command *part = parts; part && part->name && !code; part++) {
            snprintf(name, sizeof name, "knack %s %s", command->name, part->name);
            code = visit(part, name, NULL, user);
        }
    }
    return code;
}

static int print_page(const Command *command, const char *name, const Command *parts, const char *file)
{
    if (!parts) return describe(command, name, "man", file);
    if (file && !freopen(file, "w", stdout)) {
        fprintf(stderr, "knack: %s: %s\n", file, strerror(errno));
        return KN_SYSTEM;
    }
    print_head(name, command->summary);
    print_parts(name, parts);
    return cli_finish();
}

static int write_page(const Command *command, const char *name, const Command *parts, void *user)
{
    char page[100], file[4096];
    page_name(name, page, sizeof page);
    snprintf(file, sizeof file, "%s/%s.1", (const char *)user, page);
    return print_page(command, name, parts, file);
}

static int write_pages(char *folder)
{
    KnError error;
    if (kn_mkdirs(folder, &error) != KN_OK) return cli_fail(&error);
    char file[4096];
    snprintf(file, sizeof file, "%s/knack.1", folder);
    if (!freopen(file, "w", stdout)) {
        fprintf(stderr, "knack: %s: %s\n", file, strerror(errno));
        return KN_SYSTEM;
    }
    print_front();
    int code = cli_finish();
    return code ? code : each_command(write_page, folder);
}

typedef struct Arguments {
    CliCommon common;
    char *words[2], *all;
    int count;
} Arguments;

enum { KEY_ALL = 0x100 };

static const struct argp_option man_options[] = {
    {"all", KEY_ALL, "DIR", 0, "Write every page to DIR; make DIR if it does not exist", 1}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    case KEY_ALL:
        a->all = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (a->count == 2) argp_error(state, "one argument too many: \"%s\"", arg);
        a->words[a->count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->all && a->count) argp_error(state, "--all writes every page; it goes without a command");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char man_doc[] = "Print a manual page, from the same tables as --help.\v"
                              "`make install` installs all pages: `man knack-match` then works.\n"
                              "Examples:\n"
                              "  knack man match | man -l -\n"
                              "  knack man train td\n"
                              "  knack man --all pages";

int command_man(int argc, char **argv)
{
    Arguments a = {0};
    const struct argp argp = {man_options, parse, "[COMMAND [PART]]", man_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (a.all) return write_pages(a.all);
    if (!a.count) {
        print_front();
        return cli_finish();
    }
    const Command *command = find(cli_commands, a.words[0]), *parts = command ? parts_of(command) : NULL;
    const Command *part = a.count == 2 ? find(parts, a.words[1]) : NULL;
    if (!command || (a.count == 2 && !part)) {
        fprintf(stderr, "knack man: there is no command \"%s%s%s\"; knack --help lists them\n", a.words[0],
                a.count == 2 ? " " : "", a.count == 2 ? a.words[1] : "");
        return KN_USAGE;
    }
    char name[64];
    snprintf(name, sizeof name, part ? "knack %s %s" : "knack %s", command->name, part ? part->name : "");
    int code = print_page(part ? part : command, name, part ? NULL : parts, NULL);
    return code;
}

/* ---- completion ---- */

static void print_names(const KnContext *context, KnKind kind)
{
    for (size_t i = 0; i < kn_registered(context, kind); i++)
        printf("%s%s", i ? " " : "", kn_registered_at(context, kind, i)->name);
}

static void print_words(const Command *list)
{
    for (int i = 0; list[i].name; i++) printf("%s%s", i ? " " : "", list[i].name);
}

static int bash_row(const Command *command, const char *name, const Command *parts, void *user)
{
    (void)user;
    if (!parts) return describe(command, name, "bash", NULL);
    printf("    '%s') words='", command->name);
    print_words(parts);
    puts("' takes='' ;;");
    return 0;
}

/* The first words select the row: a command, or a command and its subcommand. */
static int print_bash(const KnContext *context)
{
    fputs("# bash completion for knack, made by `knack complete bash`: source it, or put it where "
          "bash-completion looks.\n"
          "_knack() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} at=${COMP_WORDS[1]} "
          "words takes\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    print_words(cli_commands);
    fputs(" --help --version' -- \"$word\"))\n        return\n    fi\n    case $at in\n", stdout);
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++)
        printf("    %s) [ \"$COMP_CWORD\" -gt 2 ] && at=\"$at ${COMP_WORDS[2]}\" ;;\n", parted[i].name);
    fputs("    esac\n    case $at in\n", stdout);
    int code = each_command(bash_row, NULL);
    fputs("    *) return ;;\n"
          "    esac\n"
          "    # The file or number that an option wants is not ours to guess; a file is the best guess.\n"
          "    if [[ $last == = || $word == = ]] || [[ $last == --* && \" $words \" == *\" $last= \"* ]]; "
          "then\n"
          "        COMPREPLY=($(compgen -f -- \"${word#=}\"))\n"
          "        return\n"
          "    fi\n"
          "    [[ $takes == *games* ]] && words+=' ",
          stdout);
    print_names(context, KN_KIND_GAME);
    fputs("'\n    [[ $takes == *players* ]] && words+=' ", stdout);
    print_names(context, KN_KIND_PLAYER);
    fputs("'\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    [[ $takes == *files* && $word != -* ]] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
          "    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
          "    return 0\n"
          "}\n"
          "complete -F _knack knack\n",
          stdout);
    return code;
}

static int fish_rows(const Command *command, const char *name, const Command *parts, void *user)
{
    (void)user;
    if (!parts) return describe(command, name, "fish", NULL);
    for (; parts->name; parts++)
        printf("complete -c knack -n '__knack_at %s' -a %s\n", command->name, parts->name);
    return 0;
}

static int print_fish(void)
{
    fputs("# fish completion for knack, made by `knack complete fish`.\n"
          "function __knack_at\n"
          "    set -l words (commandline -opc)\n"
          "    set -e words[1]\n"
          "    test (count $words) -ge (count $argv); and test \"$words[1..\"(count $argv)\"]\" = \"$argv\"\n"
          "end\n",
          stdout);
    for (const Command *command = cli_commands; command->name; command++)
        printf("complete -c knack -n __fish_use_subcommand -a %s\n", command->name);
    return each_command(fish_rows, NULL);
}

static int zsh_row(const Command *command, const char *name, const Command *parts, void *user)
{
    (void)user;
    if (!parts) return describe(command, name, "zsh", NULL);
    printf("    '%s') actions=(", command->name);
    print_words(parts);
    puts(") ;;");
    return 0;
}

/* As in bash, the first words select the row. Options with a value are offered with "=" and without a blank
 * after it. */
static int print_zsh(const KnContext *context)
{
    fputs("#compdef knack\n"
          "# zsh completion for knack, made by `knack complete zsh`: put it into a folder of $fpath as "
          "_knack.\n"
          "_knack() {\n"
          "    local at=$words[2] takes last=$words[CURRENT-1]\n"
          "    local -a flags valued actions\n"
          "    if (( CURRENT == 2 )); then\n"
          "        compadd -- ",
          stdout);
    print_words(cli_commands);
    fputs(" --help --version\n        return\n    fi\n    case $at in\n", stdout);
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++)
        printf("    %s) (( CURRENT > 3 )) && at=\"$at $words[3]\" ;;\n", parted[i].name);
    fputs("    esac\n    case $at in\n", stdout);
    int code = each_command(zsh_row, NULL);
    fputs("    *) return 1 ;;\n"
          "    esac\n"
          "    # The file or number that an option wants is not ours to guess; a file is the best guess.\n"
          "    if [[ $PREFIX == --*=* ]]; then\n"
          "        compset -P '*='\n"
          "        _files\n"
          "        return\n"
          "    fi\n"
          "    if [[ $last == --* && -n ${(M)valued:#$last=:*} ]]; then\n"
          "        _files\n"
          "        return\n"
          "    fi\n"
          "    if [[ $PREFIX == -* ]]; then\n"
          "        _describe -o option flags -- valued -S ''\n"
          "        return\n"
          "    fi\n"
          "    (( $#actions )) && compadd -- $actions\n"
          "    [[ $takes == *games* ]] && compadd -- ",
          stdout);
    print_names(context, KN_KIND_GAME);
    fputs("\n    [[ $takes == *players* ]] && compadd -- ", stdout);
    print_names(context, KN_KIND_PLAYER);
    fputs("\n"
          "    [[ $takes == *files* ]] && _files\n"
          "    return 0\n"
          "}\n"
          "# zsh reads this file through $fpath as the body of the function; when sourced, it registers the "
          "function.\n"
          "if [[ $funcstack[1] == _knack ]]; then _knack \"$@\"; elif (( $+functions[compdef] )); then "
          "compdef _knack knack; fi\n",
          stdout);
    return code;
}

static const char complete_doc[] = "Print a completion script for a shell.\v"
                                   "`make install` installs it for bash, fish and zsh.\n"
                                   "Examples:\n"
                                   "  source <(knack complete bash)\n"
                                   "  knack complete fish | source\n"
                                   "  knack complete zsh >~/.zfunc/_knack";

int command_complete(int argc, char **argv)
{
    Arguments a = {0};
    const struct argp argp = {NULL, parse, "bash|fish|zsh", complete_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    static const char *const shells[] = {"bash", "fish", "zsh"};
    int shell = 0;
    while (shell < 3 && (a.count != 1 || strcmp(a.words[0], shells[shell]) != 0)) shell++;
    if (shell == 3) {
        fputs("knack complete: for which shell? bash, fish or zsh\n", stderr);
        return KN_USAGE;
    }
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    code = shell == 0 ? print_bash(context) : shell == 1 ? print_fish() : print_zsh(context);
    kn_close(context);
    return code ? code : cli_finish();
}
