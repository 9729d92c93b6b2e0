#include "cli/describe.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void cli_print_roff(const char *text, size_t length)
{
    bool begins = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (begins && (c == '.' || c == '\'')) fputs("\\&", stdout);
        begins = c == '\n';
        if (c == '\\')
            fputs("\\e", stdout);
        else if (c == '-')
            fputs("\\-", stdout);
        else if (c == '\'')
            fputs("\\(aq", stdout);
        else if (c == '`')
            fputs("\\(ga", stdout);
        else if (c == '^')
            fputs("\\(ha", stdout);
        else if (c == '~')
            fputs("\\(ti", stdout);
        else if (c == '"')
            fputs("\\(dq", stdout);
        else
            putchar(c);
    }
}

static void roff(const char *text) { cli_print_roff(text, strlen(text)); }

static bool is_short(int key) { return key > ' ' && key < 127; }

/* ---- iteration over all options of a command, including child parsers ---- */

typedef void Visit(const struct argp_option *option, const char *name);

static void walk(const struct argp *argp, const char *name, Visit *visit)
{
    for (const struct argp_option *option = argp->options;
         option && (option->name || option->key || option->doc); option++)
        if (!(option->flags & OPTION_HIDDEN)) visit(option, name);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        walk(child->argp, name, visit);
}

/* ---- a man page, from SYNOPSIS on ---- */

static void man_option(const struct argp_option *option, const char *name)
{
    (void)name;
    if (!option->name && !option->key) { /* a heading */
        fputs(".SS \"", stdout);
        roff(option->doc);
        fputs("\"\n", stdout);
        return;
    }
    fputs(option->flags & OPTION_ALIAS ? ".TQ\n" : ".TP\n", stdout);
    if (is_short(option->key)) printf("\\fB\\-%c\\fR%s", option->key, option->name ? ", " : "");
    if (option->name) {
        fputs("\\fB\\-\\-", stdout);
        roff(option->name);
        fputs("\\fR", stdout);
    }
    if (option->arg) {
        bool maybe = option->flags & OPTION_ARG_OPTIONAL;
        fputs(maybe ? "[=\\fI" : option->name ? "=\\fI" : " \\fI", stdout);
        roff(option->arg);
        fputs(maybe ? "\\fR]" : "\\fR", stdout);
    }
    putchar('\n');
    if (option->doc) {
        roff(option->doc);
        fputs(".\n", stdout);
    }
}

static void man_synopsis(const char *name, const char *usages)
{
    fputs(".SH SYNOPSIS\n", stdout);
    for (const char *at = usages ? usages : "", *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, "\n");
        if (at != usages && usages) fputs(".br\n", stdout);
        fputs(".B ", stdout);
        roff(name);
        fputs("\n[\\fIOPTION\\fR...]", stdout);
        if (end > at) {
            fputs(" \\fI", stdout);
            cli_print_roff(at, (size_t)(end - at));
            fputs("\\fR", stdout);
        }
        putchar('\n');
    }
}

/* The text after the options in --help: paragraphs, and after "Examples:" verbatim lines. */
static void man_rest(const char *text)
{
    static const char heading[] = "Examples:\n";
    const char *examples = strstr(text, heading);
    size_t length = examples ? (size_t)(examples - text) : strlen(text);
    if (length) {
        fputs(".SH NOTES\n", stdout);
        for (const char *at = text, *end; at < text + length;
             at = end + 1) { /* a line break starts a new paragraph, as in --help */
            end = memchr(at, '\n', (size_t)(text + length - at));
            if (!end) end = text + length;
            if (end > at) {
                if (at > text) fputs(".PP\n", stdout);
                cli_print_roff(at, (size_t)(end - at));
                putchar('\n');
            }
        }
    }
    if (examples) {
        fputs(".SH EXAMPLES\n.nf\n", stdout);
        roff(examples + strlen(heading));
        fputs("\n.fi\n", stdout);
    }
}

static void man(const struct argp *root, const char *name)
{
    const char *doc = root->doc ? root->doc : "", *rest = strchr(doc, '\v');
    man_synopsis(name, root->args_doc);
    fputs(".SH DESCRIPTION\n", stdout);
    cli_print_roff(doc, rest ? (size_t)(rest - doc) : strlen(doc));
    fputs("\n.SH OPTIONS\n", stdout);
    walk(root, name, man_option);
    fputs(".TP\n"
          "\\fB\\-?\\fR, \\fB\\-\\-help\\fR\n"
          "Give this help list.\n"
          ".TP\n"
          "\\fB\\-\\-usage\\fR\n"
          "Give a short usage message.\n",
          stdout);
    if (rest) man_rest(rest + 1);
}

/* ---- bash: a row of its case statement ---- */

static void bash_option(const struct argp_option *option, const char *name)
{
    (void)name;
    if (is_short(option->key)) printf(" -%c", option->key);
    if (option->name)
        printf(" --%s%s", option->name, option->arg && !(option->flags & OPTION_ARG_OPTIONAL) ? "=" : "");
}

/* Literal words are in lower case in a command's usage: list, show RUN, bash|fish|zsh. */
static void print_actions(const char *usage)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz-";
    for (const char *at = usage; *at; at += at[0] == '\n') {
        for (size_t length; *at != '-' && (length = strspn(at, small)) > 0; at += at[0] == '|') {
            printf(" %.*s", (int)length, at);
            at += length;
        }
        at += strcspn(at, "\n");
    }
}

/* The kinds of its other arguments: games, players, files. */
static void print_taken(const char *usage)
{
    bool game = strncmp(usage, "GAME", 4) == 0 || strstr(usage, " GAME") || strstr(usage, "\nGAME");
    printf("%s%s%s", game ? "games " : "", strstr(usage, "PLAYER") ? "players " : "",
           strstr(usage, "FILE") ? "files" : "");
}

static void bash(const struct argp *root, const char *name)
{
    const char *usage = root->args_doc ? root->args_doc : "";
    printf("    '%s') words='", name + strlen("knack "));
    walk(root, name, bash_option);
    print_actions(usage);
    fputs(" --help --usage' takes='", stdout);
    print_taken(usage);
    fputs("' ;;\n", stdout);
}

/* ---- fish: a line an option ---- */

static void fish_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') putchar('\\');
        putchar(*text == '\n' ? ' ' : *text);
    }
    putchar('\'');
}

static void fish_option(const struct argp_option *option, const char *name)
{
    if (!option->name && !option->key) return;
    printf("complete -c knack -n '__knack_at %s'", name + strlen("knack "));
    if (is_short(option->key)) printf(" -s %c", option->key);
    if (option->name) printf(" -l %s", option->name);
    if (option->arg) fputs(" -r", stdout);
    if (option->doc) {
        fputs(" -d ", stdout);
        fish_quoted(option->doc);
    }
    putchar('\n');
}

static void fish(const struct argp *root, const char *name) { walk(root, name, fish_option); }

/* ---- zsh: a row of its case statement, with words in the form of _describe ---- */

/* "--seed=:Seed of all random numbers", in single quotes; a colon inside the word is escaped. */
static void zsh_word(const char *word, const char *tail, const char *doc)
{
    printf(" '%s%s:", word, tail);
    for (; doc && *doc; doc++) {
        if (*doc == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*doc == '\n' ? ' ' : *doc);
    }
    putchar('\'');
}

static void zsh_flag(const struct argp_option *option, const char *name)
{
    (void)name;
    bool wants = option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
    char word[3] = {'-', is_short(option->key) ? (char)option->key : '\0', '\0'};
    if (word[1]) zsh_word(word, "", option->doc);
    if (!option->name || wants) return;
    char text[64];
    snprintf(text, sizeof text, "--%s", option->name);
    zsh_word(text, "", option->doc);
}

static void zsh_valued(const struct argp_option *option, const char *name)
{
    (void)name;
    char text[64];
    if (!option->name || !option->arg || option->flags & OPTION_ARG_OPTIONAL) return;
    snprintf(text, sizeof text, "--%s", option->name);
    zsh_word(text, "=", option->doc);
}

static void zsh(const struct argp *root, const char *name)
{
    const char *usage = root->args_doc ? root->args_doc : "";
    printf("    '%s')\n        flags=(", name + strlen("knack "));
    walk(root, name, zsh_flag);
    fputs(" '--help:Give this help list' '--usage:Give a short usage message')\n        valued=(", stdout);
    walk(root, name, zsh_valued);
    fputs(")\n        actions=(", stdout);
    print_actions(usage);
    fputs(") takes='", stdout);
    print_taken(usage);
    fputs("' ;;\n", stdout);
}

static void nothing(const struct argp *root, const char *name) { (void)root, (void)name; }

bool cli_describe(const struct argp *root, const char *name, const char *form)
{
    static const struct {
        const char *name;
        void (*print)(const struct argp *root, const char *name);
    } forms[] = {{"man", man}, {"bash", bash}, {"fish", fish}, {"zsh", zsh}, {"nothing", nothing}};
    /* argp adds a root above the command's own parser, with --help and its other options beside it. */
    const struct argp *own = root->parser || !root->children ? root : root->children[0].argp;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(forms[i].name, form) != 0) continue;
        forms[i].print(own, name);
        return true;
    }
    return false;
}
