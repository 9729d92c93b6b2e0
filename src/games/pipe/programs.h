/* The programs behind a game whose rules only a foreign program knows (docs/pipe.md).
 *
 * Every request carries the whole state, so that any copy of the program can answer it: a thread that finds
 * all copies busy starts another, up to a limit, or waits for one. A copy greets like the first or is
 * refused. Every wait has a limit, and so has the length of an answer. After a failure the program is ended
 * and not started again: rules that failed once decide no game.
 *
 * Ownership: kn_programs_open / kn_programs_close (NULL is fine). The functions may be called by any thread.
 */
#ifndef KNACK_GAMES_PIPE_PROGRAMS_H
#define KNACK_GAMES_PIPE_PROGRAMS_H

#include <knack/base.h>

typedef struct KnPrograms KnPrograms;

typedef struct KnProgramsPlan {
    const char *command;
    const char *log; /* file for the dialogue; NULL or "": none */
    double patience; /* seconds for an answer */
    int most;        /* copies of the program */
} KnProgramsPlan;

/* Gets a line of an answer, without those that end it. A failure ends the program. */
typedef KnStatus (*KnProgramLine)(void *user, const char *line, KnError *error);

/* Starts the first copy and gives the lines of its greeting to `take`. */
KnStatus kn_programs_open(const KnProgramsPlan *plan, KnProgramLine take, void *user, KnPrograms **programs,
                          KnError *error);
void kn_programs_close(KnPrograms *programs);

/* Sends a request and gives each line of the answer to `take`, up to the `ok` that ends it. KN_NO, with what
 * it says, if the program answers `error TEXT`. */
KnStatus kn_programs_ask(KnPrograms *programs, const char *request, KnProgramLine take, void *user,
                         KnError *error);

#endif
