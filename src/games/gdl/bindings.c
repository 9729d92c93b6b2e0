#include "games/gdl/bindings.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { MOST_SLOTS = 4 << 20 }; /* variables in use at the same time */

const char kn_gdl_no_memory[] = "out of memory";

static bool fail(KnGdlBindings *v, const char *why)
{
    if (!v->failed) v->failed = why;
    return false;
}

static inline bool count_work(KnGdlBindings *v)
{
    return ++v->work <= v->work_limit ||
           fail(v, "more steps than the bound allows: the rules are endless or too costly");
}

bool kn_gdl_grow(void **array, uint32_t *capacity, uint32_t wanted, size_t size)
{
    if (wanted <= *capacity) return true;
    uint32_t larger = *capacity ? *capacity : 64;
    while (larger < wanted) larger *= 2;
    void *grown = realloc(*array, larger * size);
    if (!grown) return false;
    *array = grown;
    *capacity = larger;
    return true;
}

void kn_gdl_bindings_clear(KnGdlBindings *v)
{
    v->slot_count = v->trail_count = 0;
    v->work = 0;
    v->failed = NULL;
}

void kn_gdl_bindings_free(KnGdlBindings *v)
{
    free(v->slots);
    free(v->trail);
}

bool kn_gdl_slots(KnGdlBindings *v, uint32_t count, uint32_t *base)
{
    *base = v->slot_count;
    if (v->slot_count + count > MOST_SLOTS) return fail(v, "the rules recurse too deeply");
    if (!kn_gdl_grow((void **)&v->slots, &v->slot_capacity, v->slot_count + count, sizeof *v->slots))
        return fail(v, kn_gdl_no_memory);
    if (!count) return true;
    memset(v->slots + v->slot_count, 0, count * sizeof *v->slots);
    v->slot_count += count;
    return true;
}

/* Dereferences: the result is a structure or an unbound variable. */
static inline void resolve(const KnGdlBindings *v, KnTerm *term, uint32_t *base)
{
    while (kn_term_is_variable(v->terms, *term)) {
        const KnGdlSlot *slot = &v->slots[*base + (kn_term(v->terms, *term)->symbol & ~KN_TERM_VARIABLE)];
        if (!slot->term) return;
        *term = slot->term;
        *base = slot->base;
    }
}

static uint32_t slot_of(const KnGdlBindings *v, KnTerm variable, uint32_t base)
{
    return base + (kn_term(v->terms, variable)->symbol & ~KN_TERM_VARIABLE);
}

static bool occurs(KnGdlBindings *v, uint32_t slot, KnTerm term, uint32_t base)
{
    resolve(v, &term, &base);
    if (kn_term_ground(v->terms, term)) return false;
    if (kn_term_is_variable(v->terms, term)) return slot_of(v, term, base) == slot;
    if (!count_work(v)) return true;
    for (int i = 0; i < kn_term(v->terms, term)->arity; i++)
        if (occurs(v, slot, kn_term_args(v->terms, term)[i], base)) return true;
    return false;
}

static bool bind(KnGdlBindings *v, uint32_t slot, KnTerm term, uint32_t base)
{
    KN_ASSERT(slot < v->slot_count && !v->slots[slot].term);
    if (!kn_term_ground(v->terms, term) && occurs(v, slot, term, base)) return false;
    if (!kn_gdl_grow((void **)&v->trail, &v->trail_capacity, v->trail_count + 1, sizeof *v->trail))
        return fail(v, kn_gdl_no_memory);
    v->trail[v->trail_count++] = slot;
    v->slots[slot] = (KnGdlSlot){term, base};
    return true;
}

bool kn_gdl_unify(KnGdlBindings *v, KnTerm a, uint32_t base_a, KnTerm b, uint32_t base_b)
{
    if (!count_work(v)) return false;
    resolve(v, &a, &base_a);
    resolve(v, &b, &base_b);
    bool ground_a = kn_term_ground(v->terms, a), ground_b = kn_term_ground(v->terms, b);
    if (ground_a && ground_b) return a == b;
    bool variable_a = kn_term_is_variable(v->terms, a), variable_b = kn_term_is_variable(v->terms, b);
    if (variable_a && variable_b && slot_of(v, a, base_a) == slot_of(v, b, base_b)) return true;
    if (variable_a) return bind(v, slot_of(v, a, base_a), b, base_b);
    if (variable_b) return bind(v, slot_of(v, b, base_b), a, base_a);
    const KnTermNode *x = kn_term(v->terms, a), *y = kn_term(v->terms, b);
    if (x->symbol != y->symbol || x->arity != y->arity) return false;
    for (int i = 0; i < x->arity; i++)
        if (!kn_gdl_unify(v, kn_term_args(v->terms, a)[i], base_a, kn_term_args(v->terms, b)[i], base_b))
            return false;
    return true;
}

bool kn_gdl_identical(KnGdlBindings *v, KnTerm a, uint32_t base_a, KnTerm b, uint32_t base_b)
{
    resolve(v, &a, &base_a);
    resolve(v, &b, &base_b);
    if (kn_term_ground(v->terms, a) && kn_term_ground(v->terms, b)) return a == b;
    if (!count_work(v)) return false;
    const KnTermNode *x = kn_term(v->terms, a), *y = kn_term(v->terms, b);
    bool variable_a = kn_term_is_variable(v->terms, a), variable_b = kn_term_is_variable(v->terms, b);
    if (variable_a || variable_b)
        return variable_a && variable_b && slot_of(v, a, base_a) == slot_of(v, b, base_b);
    if (x->symbol != y->symbol || x->arity != y->arity) return false;
    for (int i = 0; i < x->arity; i++)
        if (!kn_gdl_identical(v, kn_term_args(v->terms, a)[i], base_a, kn_term_args(v->terms, b)[i], base_b))
            return false;
    return true;
}

/* The variable that stands for an unbound slot in an instance. */
static KnTerm number_slot(KnGdlBindings *v, uint32_t slot)
{
    KN_ASSERT(slot < v->slot_count);
    uint32_t i = 0;
    while (i < v->name_count && v->names[i] != slot) i++;
    if (i == v->name_count) {
        if (i == sizeof v->names / sizeof *v->names) {
            fail(v, "a sentence with too many variables");
            return 0;
        }
        v->names[v->name_count++] = slot;
    }
    return kn_term_variable(v->terms, i);
}

static KnTerm build(KnGdlBindings *v, KnTerm term, uint32_t base)
{
    resolve(v, &term, &base);
    if (kn_term_ground(v->terms, term)) return term;
    if (kn_term_is_variable(v->terms, term)) return number_slot(v, slot_of(v, term, base));
    if (!count_work(v)) return 0;
    KnTerm args[KN_GDL_ARITY];
    int arity = kn_term(v->terms, term)->arity;
    for (int i = 0; i < arity; i++)
        if (!(args[i] = build(v, kn_term_args(v->terms, term)[i], base))) return 0;
    return kn_term_make(v->terms, kn_term(v->terms, term)->symbol, args, arity);
}

KnTerm kn_gdl_instance(KnGdlBindings *v, KnTerm term, uint32_t base)
{
    KN_ASSERT(term && term < v->terms->count);
    if (kn_term_ground(v->terms, term)) return term;
    v->name_count = 0;
    KnTerm made = build(v, term, base);
    if (!made && !v->failed) fail(v, "more terms, or more deeply nested ones, than the bound allows");
    return made;
}
