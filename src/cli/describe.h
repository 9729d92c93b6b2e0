/* Man pages and shell completion from the tables behind --help.
 *
 * A command's tables are on its stack, inside its call of argp_parse. To read them, cmd_man.c runs the
 * command in a separate process with the hidden option --describe=FORM; the parser of the common options,
 * which sees the root of all tables, prints and exits. */
#ifndef KNACK_CLI_DESCRIBE_H
#define KNACK_CLI_DESCRIBE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* Prints the options of the command `name` ("knack train td") in a form: man, bash, fish, zsh, or nothing
 * (only checks the options before it). False if there is no such form. */
bool cli_describe(const struct argp *root, const char *name, const char *form);

/* Prints a text with roff escapes. */
void cli_print_roff(const char *text, size_t length);

#endif
