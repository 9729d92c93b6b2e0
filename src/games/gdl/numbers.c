#include "games/gdl/numbers.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/gdl/bindings.h"

enum { SHARED_TERMS = 4 << 20 };

bool kn_gdl_numbers_init(KnGdlNumbers *numbers, const KnGdlDescription *description)
{
    numbers->description = description;
    pthread_mutex_init(&numbers->lock, NULL);
    return kn_terms_init(&numbers->shared, SHARED_TERMS);
}

bool kn_gdl_numbers_room(KnGdlNumbers *numbers, int kind, uint32_t capacity)
{
    KN_ASSERT(!numbers->tables[kind].terms);
    KnGdlTable *table = &numbers->tables[kind];
    table->capacity = capacity;
    table->terms = calloc(capacity, sizeof *table->terms);
    table->hashes = calloc(capacity, sizeof *table->hashes);
    return table->terms && table->hashes;
}

void kn_gdl_numbers_free(KnGdlNumbers *numbers)
{
    for (int kind = 0; kind < 2; kind++) {
        free(numbers->tables[kind].terms);
        free(numbers->tables[kind].hashes);
        free(numbers->tables[kind].numbers);
    }
    kn_terms_free(&numbers->shared);
    pthread_mutex_destroy(&numbers->lock);
}

/* The caller holds the lock. */
static KnStatus number_shared(KnGdlNumbers *numbers, int kind, KnTerm shared, uint32_t *number,
                              KnError *error)
{
    KnGdlTable *table = &numbers->tables[kind];
    uint32_t before = table->numbers_capacity;
    if (!shared ||
        !kn_gdl_grow((void **)&table->numbers, &table->numbers_capacity, shared + 1, sizeof *table->numbers))
        return kn_fail_memory(error, "numbering facts and moves");
    if (table->numbers_capacity > before)
        memset(table->numbers + before, 0, (table->numbers_capacity - before) * sizeof *table->numbers);
    if (!table->numbers[shared]) {
        if (table->count == table->capacity)
            return kn_fail(error, KN_INPUT, "%s: more than %u different %s in the states met so far%s",
                           numbers->description->name, table->capacity,
                           kind == KN_GDL_FACT_NUMBERS ? "facts" : "moves",
                           kind == KN_GDL_FACT_NUMBERS ? "; give more room with facts=N" : "");
        table->terms[table->count] = shared;
        table->hashes[table->count] =
            kn_mix64(kn_term_hash(&numbers->description->symbols, &numbers->shared, shared));
        table->numbers[shared] = ++table->count;
    }
    *number = table->numbers[shared] - 1;
    return KN_OK;
}

KnStatus kn_gdl_number(KnGdlNumbers *numbers, int kind, const KnTerms *from, KnTerm term, uint32_t *number,
                       KnError *error)
{
    KN_ASSERT(kind == KN_GDL_FACT_NUMBERS || kind == KN_GDL_MOVE_NUMBERS);
    KN_ASSERT(kn_term_ground(from, term));
    pthread_mutex_lock(&numbers->lock);
    KnStatus status = number_shared(numbers, kind, kn_term_import(&numbers->shared, from, term), number,
                                    error);
    pthread_mutex_unlock(&numbers->lock);
    return status;
}

KnTerm kn_gdl_numbered(KnGdlNumbers *numbers, int kind, uint32_t number, KnTerms *into)
{
    pthread_mutex_lock(&numbers->lock);
    KN_ASSERT(number < numbers->tables[kind].count);
    KnTerm term = kn_term_import(into, &numbers->shared, numbers->tables[kind].terms[number]);
    pthread_mutex_unlock(&numbers->lock);
    return term;
}

/* ---- Text ---- */

void kn_gdl_number_text(KnGdlNumbers *numbers, int kind, uint32_t number, KnText *out)
{
    pthread_mutex_lock(&numbers->lock);
    kn_term_text(&numbers->description->symbols, &numbers->shared, numbers->tables[kind].terms[number], out);
    pthread_mutex_unlock(&numbers->lock);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The facts as strings, for sorting. */
static size_t fact_strings(KnGdlNumbers *numbers, const uint64_t *state, size_t words, char **strings)
{
    size_t count = 0;
    pthread_mutex_lock(&numbers->lock);
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
            KnText text = KN_TEXT_EMPTY;
            KnTerm fact = numbers->tables[KN_GDL_FACT_NUMBERS].terms[w * 64 + (size_t)__builtin_ctzll(bits)];
            kn_term_text(&numbers->description->symbols, &numbers->shared, fact, &text);
            if (text.capacity) strings[count++] = text.data;
        }
    pthread_mutex_unlock(&numbers->lock);
    return count;
}

void kn_gdl_facts_text(KnGdlNumbers *numbers, const uint64_t *state, size_t words, const char *separator,
                       KnText *out)
{
    size_t facts = 0;
    for (size_t w = 0; w < words; w++) facts += (size_t)__builtin_popcountll(state[w]);
    char **strings = malloc((facts + 1) * sizeof *strings);
    if (!strings) {
        out->failed = true;
        return;
    }
    size_t count = fact_strings(numbers, state, words, strings);
    qsort(strings, count, sizeof *strings, by_text);
    for (size_t i = 0; i < count; i++) {
        if (i) kn_text_add(out, separator);
        kn_text_add(out, strings[i]);
        KnText done = {strings[i], 0, 1, false};
        kn_text_free(&done);
    }
    free(strings);
}

/* Parses one fact. The caller holds the lock. */
static KnStatus parse_fact(KnGdlNumbers *numbers, const char **text, uint64_t *state, KnError *error)
{
    const char *begin = *text;
    KnTerm term;
    uint32_t number = 0;
    KnStatus status = kn_gdl_read_term(&numbers->description->symbols, &numbers->shared, text, &term, error);
    if (status != KN_OK) return status;
    const KnGdlTable *table = &numbers->tables[KN_GDL_FACT_NUMBERS];
    bool known = term < table->numbers_capacity && table->numbers[term];
    if (!known && numbers->closed)
        return kn_fail(error, KN_INPUT, "\"%.*s\" is no fact of this game", (int)(*text - begin), begin);
    status = number_shared(numbers, KN_GDL_FACT_NUMBERS, term, &number, error);
    if (status == KN_OK) state[number / 64] |= UINT64_C(1) << number % 64;
    return status;
}

KnStatus kn_gdl_parse_facts(KnGdlNumbers *numbers, const char *text, uint64_t *state, size_t words,
                            KnError *error)
{
    memset(state, 0, words * sizeof *state);
    KnStatus status = KN_OK;
    pthread_mutex_lock(&numbers->lock);
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (!*text || status != KN_OK) break;
        status = parse_fact(numbers, &text, state, error);
    }
    pthread_mutex_unlock(&numbers->lock);
    return status;
}
