/* What a command takes, told from the tables that its --help is made of: for man pages and for shells that
 * complete.
 *
 * A command's tables live on its stack, inside its call of argp_parse. So a command is asked like this: it is
 * run with the one hidden option
 * --describe=FORM, and the parser of common options, which has the root of all tables, prints and ends the
 * process. Hence a process of its own for each (cmd_man.c). */
#ifndef KNACK_CLI_DESCRIBE_H
#define KNACK_CLI_DESCRIBE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* Prints what the command named `name` ("knack train td") takes, in a form: man, bash, fish, zsh, or nothing
 * (the options before it are known, and that was all that was asked). False if there is no such form. */
bool cli_describe(const struct argp *root, const char *name, const char *form);

/* A text as roff wants it, without line breaks; the same with every blank kept, for examples. */
void cli_print_roff(const char *text, size_t length);

#endif
