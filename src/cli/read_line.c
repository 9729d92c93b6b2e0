#include "cli/read_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef KNACK_LIBEDIT
#include <editline/readline.h>

static bool edit_line(const char *prompt, char *line, size_t size)
{
    char *typed = readline(prompt);
    if (!typed) return false;
    if (*typed) add_history(typed);
    snprintf(line, size, "%s", typed);
    free(typed);
    return true;
}
#endif

bool cli_read_line(const char *prompt, char *line, size_t size)
{
#ifdef KNACK_LIBEDIT
    const char *term = getenv("TERM");
    if (isatty(0) && isatty(1) && !(term && strcmp(term, "dumb") == 0)) return edit_line(prompt, line, size);
#endif
    fputs(prompt, stdout);
    fflush(stdout);
    if (!fgets(line, (int)size, stdin)) return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}
