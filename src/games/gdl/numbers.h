/* Numbers for facts and moves, that hold for the life of their machine. Private to games/gdl.
 *
 * Numbers are only ever added, under a lock; what a number stands for can be read without it by whoever has
 * got the number. The terms behind them live in one store that all threads share.
 *
 * Ownership: a value inside its machine; kn_gdl_numbers_free. The sheet is borrowed. */
#ifndef KNACK_GAMES_GDL_NUMBERS_H
#define KNACK_GAMES_GDL_NUMBERS_H

#include <pthread.h>

#include "games/gdl/sheet.h"

enum { KN_GDL_FACTS, KN_GDL_MOVED };

typedef struct KnGdlTable {
    KnTerm *terms; /* in the shared store */
    uint64_t *hashes;
    uint32_t count, capacity;
    uint32_t *numbers; /* by shared term, number + 1 */
    uint32_t numbers_capacity;
} KnGdlTable;

typedef struct KnGdlNumbers {
    const KnGdlSheet *sheet;
    pthread_mutex_t lock;
    KnTerms shared;
    KnGdlTable tables[2];
    bool closed; /* all facts are known, and no text can add to them */
} KnGdlNumbers;

bool kn_gdl_numbers_init(KnGdlNumbers *numbers, const KnGdlSheet *sheet);
bool kn_gdl_numbers_room(KnGdlNumbers *numbers, int kind, uint32_t capacity); /* once for each kind */
void kn_gdl_numbers_free(KnGdlNumbers *numbers);

/* The number of a term of another store, given if it has none yet. KN_INPUT if there is no more room. */
KnStatus kn_gdl_number(KnGdlNumbers *numbers, int kind, const KnTerms *from, KnTerm term, uint32_t *number,
                       KnError *error);

/* What a number stands for, in another store; 0 if that is full. */
KnTerm kn_gdl_numbered(KnGdlNumbers *numbers, int kind, uint32_t number, KnTerms *into);

/* Text: one numbered thing; a set of facts, sorted by their bytes; a set of facts read back. */
void kn_gdl_number_text(KnGdlNumbers *numbers, int kind, uint32_t number, KnText *out);
void kn_gdl_facts_text(KnGdlNumbers *numbers, const uint64_t *state, size_t words, const char *separator,
                       KnText *out);
KnStatus kn_gdl_parse_facts(KnGdlNumbers *numbers, const char *text, uint64_t *state, size_t words,
                            KnError *error);

#endif
