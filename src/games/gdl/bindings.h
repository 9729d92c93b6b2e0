/* Variable bindings of the prover, by structure sharing (Boyer & Moore 1972).
 *
 * Terms of a rule are not copied: a term together with the place of its variables (`base`) stands for its
 * instance. Variables are slots of one growing array, bound to such pairs and unbound through a trail. Ground
 * terms, the usual case, unify by comparing numbers.
 *
 * Ownership: a value inside its prover; kn_gdl_bindings_free. `failed` says why a call failed. */
#ifndef KNACK_GAMES_GDL_BINDINGS_H
#define KNACK_GAMES_GDL_BINDINGS_H

#include "games/gdl/terms.h"

typedef struct KnGdlSlot {
    KnTerm term; /* 0: unbound */
    uint32_t base;
} KnGdlSlot;

typedef struct KnGdlBindings {
    KnTerms *terms;
    KnGdlSlot *slots;
    uint32_t slot_count, slot_capacity;
    uint32_t *trail; /* slots in binding order */
    uint32_t trail_count, trail_capacity;
    uint32_t names[KN_GDL_VARIABLES * 2]; /* slots in the order in which an instance numbers them */
    uint32_t name_count;
    uint64_t work, work_limit; /* an instance may be exponentially larger than its parts: work bounds it */
    const char *failed;
} KnGdlBindings;

extern const char kn_gdl_no_memory[];

void kn_gdl_bindings_clear(KnGdlBindings *bindings);
void kn_gdl_bindings_free(KnGdlBindings *bindings);

/* Allocates `count` unbound variables. */
bool kn_gdl_slots(KnGdlBindings *bindings, uint32_t count, uint32_t *base);

/* Unifies two instances; false if they do not unify. Bindings made on the way stay until kn_gdl_undo. */
bool kn_gdl_unify(KnGdlBindings *bindings, KnTerm a, uint32_t base_a, KnTerm b, uint32_t base_b);

/* Whether two instances are identical without further bindings. */
bool kn_gdl_identical(KnGdlBindings *bindings, KnTerm a, uint32_t base_a, KnTerm b, uint32_t base_b);

/* An instance as a term, its unbound variables numbered by first occurrence; 0 on failure. */
KnTerm kn_gdl_instance(KnGdlBindings *bindings, KnTerm term, uint32_t base);

/* A choice point: kn_gdl_undo removes later bindings and slots. */
typedef struct KnGdlMark {
    uint32_t trail, slots;
} KnGdlMark;

static inline KnGdlMark kn_gdl_mark(const KnGdlBindings *bindings)
{
    return (KnGdlMark){bindings->trail_count, bindings->slot_count};
}

static inline void kn_gdl_undo(KnGdlBindings *bindings, KnGdlMark mark)
{
    while (bindings->trail_count > mark.trail)
        bindings->slots[bindings->trail[--bindings->trail_count]].term = 0;
    bindings->slot_count = mark.slots;
}

/* Grows an array to at least `wanted` items, by doubling. */
bool kn_gdl_grow(void **array, uint32_t *capacity, uint32_t wanted, size_t size);

#endif
