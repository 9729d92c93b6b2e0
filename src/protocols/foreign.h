/* Other people's engines as players: what the GTP, NBoard and pipe players share.
 *
 *      a game server or GUI --> gtp_engine, nboard_engine, pipe_engine --> engine_session --> a player of
 * ours a match of ours --> gtp_player, nboard_player, pipe_player --> foreign --> base/child_process --> an
 * engine
 *
 * The engine is started when it is first needed and kept for the next game. An engine that cannot be started
 * is an error (KN_INPUT). Any later failure stops it and is KN_FORFEIT, which loses the game; the next game
 * starts it again. */
#ifndef KNACK_PROTOCOLS_FOREIGN_H
#define KNACK_PROTOCOLS_FOREIGN_H

#include "base/child_process.h"
#include "players/player.h"

typedef struct KnForeign {
    char *command;
    char *log;       /* file for the dialogue; NULL: none */
    double patience; /* seconds beyond its time before it loses */
    KnChild *child;  /* NULL: not running */
    double counted;  /* processor time of `child` that is in the player's cost already */
    KnText line;     /* the last one received */
    KnText name;     /* as it calls itself */
    bool has_score;  /* the last line of remarks with a score gave `score` */
    KnScore score;
} KnForeign;

/* Takes `command`, `log` and `patience` from the options. */
KnStatus kn_foreign_open(KnForeign *foreign, const KnOptions *options, KnError *error);
void kn_foreign_close(KnForeign *foreign, const char *farewell);

/* Stops the engine and returns the status: after an error it is not asked again. */
KnStatus kn_foreign_stop(KnForeign *foreign, KnStatus status);

/* The same where the first words after its start fail. No game has begun, so that this is not a lost game: a
 * KN_FORFEIT becomes KN_INPUT, which ends the match. */
KnStatus kn_foreign_unusable(KnForeign *foreign, KnStatus status, KnError *error);

/* Starts the engine, with its log. */
KnStatus kn_foreign_start(KnForeign *foreign, KnError *error);

/* The option `log`, for the players' tables of options. */
#define KN_FOREIGN_LOG                                                                                       \
    {                                                                                                        \
        "log", KN_OPTION_STRING, "", 0, 0, NULL,                                                             \
            "append the dialogue with the engine to this file, with times"                                   \
    }

KnStatus kn_foreign_send(KnForeign *foreign, const char *line, KnError *error);

/* How a protocol marks the engine's name and, if it can, an error and remarks: the first word (or words) of a
 * line. Remarks may hold `score NUMBER`. */
typedef struct KnForeignWords {
    const char *name, *error, *info; /* error and info may be NULL */
} KnForeignWords;

/* The rest of a line that begins with `word`; NULL if it does not. */
const char *kn_foreign_after(const char *line, const char *word);

/* Skips lines up to one that begins with `word`, and gives the rest of it. */
KnStatus kn_foreign_await(KnForeign *foreign, const KnForeignWords *words, const char *word, double seconds,
                          const atomic_bool *cancel, const char **rest, KnError *error);

/* Parses a move and checks that it is allowed. */
KnStatus kn_foreign_move(const KnForeign *foreign, const KnRequest *request, const char *text, KnMove *move,
                         KnError *error);

/* After a move: counts the engine's processor time (its start and thinking in the opponent's time included),
 * and explains the move as the engine's where an explanation is wanted. */
void kn_foreign_answered(KnForeign *foreign, KnPlayer *player, const KnRequest *request, KnAnswer *answer);

#endif
