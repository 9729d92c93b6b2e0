/* What players share that are programs of somebody else's: the child, its name, its manners, and what its
 * answers are checked for.
 *
 * The program is started when it is first needed, and kept for the next contest. Whatever goes wrong ends it
 * and is an error that costs the contest; the next contest starts it anew. */
#ifndef KNACK_ENGINES_FOREIGN_H
#define KNACK_ENGINES_FOREIGN_H

#include "engines/child.h"
#include "players/player.h"

typedef struct KnForeign {
    char *command;
    char *log;       /* a file for all that is said; NULL: none */
    double patience; /* seconds beyond its time before it has lost */
    KnChild *child;  /* NULL: not running */
    KnText line;     /* what it said last */
    KnText name;     /* as it calls itself */
} KnForeign;

/* Takes `command` and `patience` from the options. */
KnStatus kn_foreign_open(KnForeign *foreign, const KnOptions *options, KnError *error);
void kn_foreign_close(KnForeign *foreign, const char *farewell);

/* Ends the program and hands the status on: an engine that went astray is not asked again. */
KnStatus kn_foreign_part(KnForeign *foreign, KnStatus status);

/* Starts the program, with its log. */
KnStatus kn_foreign_start(KnForeign *foreign, KnError *error);

/* The option of the log, for the tables of players. */
#define KN_FOREIGN_LOG                                                                                       \
    {                                                                                                        \
        "log", KN_OPTION_STRING, "", 0, 0, NULL,                                                             \
            "a file to which all that is said to it and by it is added, with the time"                       \
    }

KnStatus kn_foreign_say(KnForeign *foreign, const char *line, KnError *error);

/* A move that it named: read, and found to be allowed. */
KnStatus kn_foreign_move(const KnForeign *foreign, const KnRequest *request, const char *text, KnMove *move,
                         KnError *error);

/* "MOVE: NAME says so", where a reason is wanted. */
void kn_foreign_tell(const KnForeign *foreign, const KnRequest *request, KnAnswer *answer);

#endif
