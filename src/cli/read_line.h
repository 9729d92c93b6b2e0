/* A line from a person: with editing and history on a terminal where libedit was there at the build, else
 * plain. */
#ifndef KNACK_CLI_READ_LINE_H
#define KNACK_CLI_READ_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the prompt and reads a line without its newline; what does not fit is cut. False at the end of
 * input. */
bool cli_read_line(const char *prompt, char *line, size_t size);

#endif
