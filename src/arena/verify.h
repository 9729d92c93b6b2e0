/* Examining stored runs: do their checksums fit, is the summary the sum of the games, and do the rules agree
 * with the results. */
#ifndef KNACK_ARENA_VERIFY_H
#define KNACK_ARENA_VERIFY_H

#include "arena/store.h"

typedef struct KnVerified {
    uint64_t games;
    uint64_t unchecked; /* written by a version that had no checksums */
    uint64_t replayed;  /* all moves legal; the result is what the rules, the ply limit or the forfeit give */
    uint64_t by_tables; /* all moves legal; the result came from endgame tables and is not looked up again */
} KnVerified;

/* KN_INPUT with run, game and remedy if something does not fit. With `replay` every game is played through
 * the rules again. */
KnStatus kn_verify_run(const KnContext *context, KnStore *store, const char *run, bool replay,
                       KnVerified *verified, KnError *error);

/* The state after a stored game. */
KnStatus kn_record_replay(const KnStandingRecord *record, KnState *state, KnError *error);

#endif
