/* One match of a repeated game between two entrants. Private to arena/repeated*.c.
 *
 * Ownership: kn_table_close. A table serves one thread. */
#ifndef KNACK_ARENA_REPEATED_MATCH_H
#define KNACK_ARENA_REPEATED_MATCH_H

#include "games/game.h"
#include "players/dilemma/duel.h"

/* Who takes part; shared by all tables. */
typedef struct KnField {
    const KnContext *context;
    KnGame *game;
    const char *const *specs;
    KnPlayer **players; /* one each, to ask for agents; they never play */
    size_t count;
    KnDuelRules rules;
} KnField;

/* Where matches are played: copies of the players that play through their own interface, opened when they are
 * needed. */
typedef struct KnPairTable {
    const KnField *field;
    KnPlayer **seats; /* two for each entrant */
    KnState *state;
} KnPairTable;

typedef struct KnBout {
    uint64_t turns;
    int64_t scores[2];
    uint64_t cooperations[2];
} KnBout;

KnStatus kn_table_open(KnPairTable *table, const KnField *field, KnError *error);
void kn_table_close(KnPairTable *table);

/* Plays first against second; `seeds` is the match's own stream. */
KnStatus kn_table_play(KnPairTable *table, size_t first, size_t second, KnRng seeds, KnBout *bout,
                       KnError *error);

/* Whether nothing in a match of these two is left to chance. */
bool kn_field_certain(const KnField *field, size_t first, size_t second);

#endif
