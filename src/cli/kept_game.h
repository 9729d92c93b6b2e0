/* Games at the terminal are kept: a run of the results store, with the moves in DATA/play/NAME.json while the
 * game goes on and in the store when it is over.
 *
 * Ownership: cli_kept_free releases what cli_kept_start or cli_kept_load have opened. */
#ifndef KNACK_CLI_KEPT_GAME_H
#define KNACK_CLI_KEPT_GAME_H

#include "arena/match.h"
#include "base/json.h"

/* What decides a game besides its moves. The strings live in `document` when it was loaded. */
typedef struct CliKept {
    const char *game, *from, *adviser; /* adviser: NULL if not given */
    const char *players[2];
    uint64_t seed, ply_limit;
    const char *moves; /* to replay; NULL for a new game */
    KnStore *store;    /* NULL: the game is not kept */
    int64_t run;       /* 0: there is no run yet, or the game is no longer kept */
    KnError trouble;   /* why not */
    char name[128];
    KnText path;
    json_t *document;
} CliKept;

/* Opens the store for a new game, of which nothing is kept before the first move. If the store
 * cannot be opened, it says so on stderr, and the game goes on without; likewise after the failures below. */
void cli_kept_start(const KnContext *context, CliKept *kept);

/* Reads the unfinished game of a run, by name or number. */
KnStatus cli_kept_load(const KnContext *context, const char *run, CliKept *kept, KnError *error);

/* After every move and take-back. */
void cli_kept_save(CliKept *kept, const KnState *state);

/* The game is over. */
void cli_kept_finish(CliKept *kept, const KnState *state, const KnPlayed *played);

/* Whether all that should have been kept was: the first failure of those above. */
KnStatus cli_kept_outcome(const CliKept *kept, KnError *error);

/* Prints the games of `knack play`, newest first: how they ended, or how to go on with them. */
KnStatus cli_kept_list(const KnContext *context, bool json, KnError *error);

void cli_kept_free(CliKept *kept);

#endif
