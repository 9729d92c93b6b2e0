/* Numbers of facts and moves, fixed for the life of a machine. Private to games/gdl.
 *
 * Numbers are only added, under a lock. A thread that has a number may read what it stands for without the
 * lock. The terms are in one store that all threads share.
 *
 * Ownership: a value inside its machine; kn_gdl_numbers_free. The description is borrowed. */
#ifndef KNACK_GAMES_GDL_NUMBERS_H
#define KNACK_GAMES_GDL_NUMBERS_H

#include <pthread.h>

#include "games/gdl/description.h"

enum { KN_GDL_FACT_NUMBERS, KN_GDL_MOVE_NUMBERS };

typedef struct KnGdlTable {
    KnTerm *terms; /* in the shared store */
    uint64_t *hashes;
    uint32_t count, capacity;
    uint32_t *numbers; /* by shared term: number + 1 */
    uint32_t numbers_capacity;
} KnGdlTable;

typedef struct KnGdlNumbers {
    const KnGdlDescription *description;
    pthread_mutex_t lock;
    KnTerms shared;
    KnGdlTable tables[2];
    bool closed; /* all facts are known: texts cannot add any */
} KnGdlNumbers;

bool kn_gdl_numbers_init(KnGdlNumbers *numbers, const KnGdlDescription *description);
bool kn_gdl_numbers_room(KnGdlNumbers *numbers, int kind, uint32_t capacity); /* call it once for each kind */
void kn_gdl_numbers_free(KnGdlNumbers *numbers);

/* The number of a term of another store; a new number if it has none. KN_INPUT if there is no room. */
KnStatus kn_gdl_number(KnGdlNumbers *numbers, int kind, const KnTerms *from, KnTerm term, uint32_t *number,
                       KnError *error);

/* The term of a number, in another store; 0 if that store is full. */
KnTerm kn_gdl_numbered(KnGdlNumbers *numbers, int kind, uint32_t number, KnTerms *into);

/* Text: one fact or move; a set of facts, sorted by bytes; a set of facts parsed back. */
void kn_gdl_number_text(KnGdlNumbers *numbers, int kind, uint32_t number, KnText *out);
void kn_gdl_facts_text(KnGdlNumbers *numbers, const uint64_t *state, size_t words, const char *separator,
                       KnText *out);
KnStatus kn_gdl_parse_facts(KnGdlNumbers *numbers, const char *text, uint64_t *state, size_t words,
                            KnError *error);

#endif
