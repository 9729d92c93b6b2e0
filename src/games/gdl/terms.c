#include "games/gdl/terms.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/hash.h"
#include <knack/base.h>

/* ---- Symbols ---- */

static const char *const keywords[KN_GDL_KEYWORDS] = {"role",     "init", "true",     "next", "legal",
                                                      "does",     "goal", "terminal", "base", "input",
                                                      "distinct", "not",  "or",       "<="};

static uint32_t name_hash(const char *name, size_t length) { return (uint32_t)kn_hash64(name, length, 0); }

static bool grow_buckets(uint32_t **buckets, uint32_t *mask, uint32_t size)
{
    uint32_t *fresh = calloc(size, sizeof *fresh);
    if (!fresh) return false;
    free(*buckets);
    *buckets = fresh;
    *mask = size - 1;
    return true;
}

/* The bucket that holds the name, or the free one where it would go. */
static uint32_t *name_bucket(const KnSymbols *symbols, const char *name, size_t length)
{
    for (uint32_t i = name_hash(name, length);; i++) {
        uint32_t *bucket = &symbols->buckets[i & symbols->mask];
        if (!*bucket) return bucket;
        const char *known = symbols->names[*bucket - 1];
        if (strncmp(known, name, length) == 0 && !known[length]) return bucket;
    }
}

static bool symbols_grow(KnSymbols *symbols)
{
    if (symbols->count < symbols->capacity) return true;
    uint32_t capacity = symbols->capacity ? symbols->capacity * 2 : 256;
    const char **names = realloc(symbols->names, capacity * sizeof *names);
    if (!names) return false;
    symbols->names = names;
    if (!grow_buckets(&symbols->buckets, &symbols->mask, capacity * 4)) return false;
    symbols->capacity = capacity;
    for (uint32_t i = 0; i < symbols->count; i++) *name_bucket(symbols, names[i], strlen(names[i])) = i + 1;
    return true;
}

bool kn_symbols_init(KnSymbols *symbols)
{
    *symbols = (KnSymbols){.arena = kn_arena_new()};
    KnSymbol ignored;
    bool ok = symbols->arena != NULL;
    for (int i = 0; ok && i < KN_GDL_KEYWORDS; i++) {
        ok = symbols_grow(symbols);
        if (!ok) break;
        symbols->names[symbols->count] = keywords[i];
        *name_bucket(symbols, keywords[i], strlen(keywords[i])) = ++symbols->count;
    }
    return ok && kn_symbol_add(symbols, "role", 4, &ignored);
}

void kn_symbols_free(KnSymbols *symbols)
{
    kn_arena_free(symbols->arena);
    free(symbols->names);
    free(symbols->buckets);
    *symbols = (KnSymbols){0};
}

static bool find_keyword(const char *name, size_t length, KnSymbol *symbol)
{
    for (KnSymbol i = 0; i < KN_GDL_KEYWORDS; i++)
        if (strlen(keywords[i]) == length && strncasecmp(keywords[i], name, length) == 0) {
            *symbol = i;
            return true;
        }
    return false;
}

bool kn_symbol_find(const KnSymbols *symbols, const char *name, size_t length, KnSymbol *symbol)
{
    if (find_keyword(name, length, symbol)) return true;
    uint32_t found = *name_bucket(symbols, name, length);
    if (found) *symbol = found - 1;
    return found;
}

bool kn_symbol_add(KnSymbols *symbols, const char *name, size_t length, KnSymbol *symbol)
{
    if (kn_symbol_find(symbols, name, length, symbol)) return true;
    char *kept = kn_arena_alloc(symbols->arena, length + 1);
    if (!kept || !symbols_grow(symbols)) return false;
    memcpy(kept, name, length);
    *symbol = symbols->count;
    symbols->names[symbols->count++] = kept;
    *name_bucket(symbols, kept, length) = symbols->count;
    return true;
}

/* ---- Terms ---- */

static uint32_t node_hash(uint32_t symbol, const KnTerm *args, int arity)
{
    uint64_t hash = kn_mix64(symbol ^ (uint64_t)arity << 32);
    for (int i = 0; i < arity; i++) hash = kn_mix64(hash ^ args[i]);
    return (uint32_t)(hash >> 16);
}

static void put_in_bucket(KnTerms *terms, KnTerm term)
{
    KnTermNode *node = &terms->nodes[term];
    uint32_t *bucket =
        &terms->buckets[node_hash(node->symbol, terms->args + node->args, node->arity) & terms->mask];
    node->next = *bucket;
    *bucket = term;
}

static bool terms_reserve(KnTerms *terms, uint32_t nodes, uint32_t args)
{
    if (nodes > terms->capacity) {
        uint32_t capacity = terms->capacity ? terms->capacity : 256;
        while (capacity < nodes) capacity *= 2;
        KnTermNode *grown = realloc(terms->nodes, capacity * sizeof *grown);
        if (!grown) return false;
        terms->nodes = grown;
        if (!grow_buckets(&terms->buckets, &terms->mask, capacity * 2)) return false;
        terms->capacity = capacity;
        for (KnTerm t = 1; t < terms->count; t++) put_in_bucket(terms, t);
    }
    if (args > terms->args_capacity) {
        uint32_t capacity = terms->args_capacity ? terms->args_capacity : 512;
        while (capacity < args) capacity *= 2;
        KnTerm *grown = realloc(terms->args, capacity * sizeof *grown);
        if (!grown) return false;
        terms->args = grown;
        terms->args_capacity = capacity;
    }
    return true;
}

bool kn_terms_init(KnTerms *terms, uint32_t limit)
{
    *terms = (KnTerms){.limit = limit, .count = 1};
    return terms_reserve(terms, 256, 512);
}

void kn_terms_free(KnTerms *terms)
{
    free(terms->nodes);
    free(terms->args);
    free(terms->buckets);
    *terms = (KnTerms){0};
}

bool kn_terms_copy(KnTerms *terms, const KnTerms *from, uint32_t limit)
{
    KN_ASSERT(terms != from && limit >= from->count);
    *terms = (KnTerms){.limit = limit, .count = 1};
    if (!terms_reserve(terms, from->count, from->args_count + 1)) return false;
    memcpy(terms->nodes, from->nodes, from->count * sizeof *from->nodes);
    memcpy(terms->args, from->args, from->args_count * sizeof *from->args);
    terms->count = from->count;
    terms->args_count = from->args_count;
    for (KnTerm t = 1; t < terms->count; t++) put_in_bucket(terms, t);
    return true;
}

void kn_terms_truncate(KnTerms *terms, uint32_t count, uint32_t args_count)
{
    KN_ASSERT(count >= 1 && count <= terms->count && args_count <= terms->args_count);
    terms->count = count;
    terms->args_count = args_count;
    terms->failed = false;
    memset(terms->buckets, 0, ((size_t)terms->mask + 1) * sizeof *terms->buckets);
    for (KnTerm t = 1; t < count; t++) put_in_bucket(terms, t);
}

static bool is_this(const KnTerms *terms, const KnTermNode *node, uint32_t symbol, const KnTerm *args,
                    int arity)
{
    return node->symbol == symbol && node->arity == arity &&
           (!arity || memcmp(terms->args + node->args, args, (size_t)arity * sizeof *args) == 0);
}

KnTerm kn_term_find(const KnTerms *terms, KnSymbol symbol, const KnTerm *args, int arity)
{
    for (KnTerm t = terms->buckets[node_hash(symbol, args, arity) & terms->mask]; t; t = terms->nodes[t].next)
        if (is_this(terms, &terms->nodes[t], symbol, args, arity)) return t;
    return 0;
}

KnTerm kn_term_make(KnTerms *terms, KnSymbol symbol, const KnTerm *args, int arity)
{
    KN_ASSERT(arity >= 0 && arity <= KN_GDL_ARITY);
    KnTerm known = kn_term_find(terms, symbol, args, arity);
    if (known) return known;
    unsigned depth = 0, size = 1,
             variables = symbol & KN_TERM_VARIABLE ? (symbol & ~KN_TERM_VARIABLE) + 1 : 0;
    for (int i = 0; i < arity; i++) {
        const KnTermNode *node = &terms->nodes[args[i]];
        if (node->variables > variables) variables = node->variables;
        if (node->depth >= depth) depth = node->depth + 1u;
        size += node->size;
    }
    if (depth > KN_TERM_DEPTH || size > KN_TERM_SIZE || terms->count >= terms->limit ||
        terms->args_count + (uint32_t)arity > 4 * (uint64_t)terms->limit ||
        !terms_reserve(terms, terms->count + 1, terms->args_count + (uint32_t)arity)) {
        terms->failed = true;
        return 0;
    }
    KnTerm term = terms->count++;
    terms->nodes[term] = (KnTermNode){.symbol = symbol,
                                      .args = terms->args_count,
                                      .arity = (uint8_t)arity,
                                      .depth = (uint8_t)depth,
                                      .size = (uint16_t)size,
                                      .variables = (uint16_t)variables};
    if (arity) memcpy(terms->args + terms->args_count, args, (size_t)arity * sizeof *args);
    terms->args_count += (uint32_t)arity;
    put_in_bucket(terms, term);
    return term;
}

KnTerm kn_term_variable(KnTerms *terms, unsigned number)
{
    KN_ASSERT(number < KN_TERM_VARIABLE);
    if (number >= UINT16_MAX) {
        terms->failed = true;
        return 0;
    }
    return kn_term_make(terms, KN_TERM_VARIABLE | number, NULL, 0);
}

KnTerm kn_term_import(KnTerms *terms, const KnTerms *from, KnTerm term)
{
    KN_ASSERT(terms != from && term && term < from->count);
    const KnTermNode *node = kn_term(from, term);
    KnTerm args[KN_GDL_ARITY];
    for (int i = 0; i < node->arity; i++) {
        args[i] = kn_term_import(terms, from, kn_term_args(from, term)[i]);
        if (!args[i]) return 0;
    }
    return kn_term_make(terms, node->symbol, args, node->arity);
}

int kn_term_compare(const KnSymbols *symbols, const KnTerms *terms, KnTerm a, KnTerm b)
{
    if (a == b) return 0;
    const KnTermNode *x = kn_term(terms, a), *y = kn_term(terms, b);
    if (x->symbol != y->symbol) {
        bool variable_x = x->symbol & KN_TERM_VARIABLE, variable_y = y->symbol & KN_TERM_VARIABLE;
        if (variable_x || variable_y)
            return variable_x && variable_y ? (x->symbol > y->symbol) - (x->symbol < y->symbol)
                                            : variable_x - variable_y;
        return strcmp(symbols->names[x->symbol], symbols->names[y->symbol]);
    }
    if (x->arity != y->arity) return x->arity - y->arity;
    for (int i = 0; i < x->arity; i++) {
        int order = kn_term_compare(symbols, terms, kn_term_args(terms, a)[i], kn_term_args(terms, b)[i]);
        if (order) return order;
    }
    return 0;
}

typedef struct Order {
    const KnSymbols *symbols;
    const KnTerms *terms;
} Order;

static int by_term(const void *a, const void *b, void *user)
{
    const Order *order = user;
    return kn_term_compare(order->symbols, order->terms, *(const KnTerm *)a, *(const KnTerm *)b);
}

void kn_terms_sort(const KnSymbols *symbols, const KnTerms *terms, KnTerm *list, size_t count)
{
    Order order = {symbols, terms};
    if (count) qsort_r(list, count, sizeof *list, by_term, &order);
}

void kn_term_text(const KnSymbols *symbols, const KnTerms *terms, KnTerm term, KnText *out)
{
    KN_ASSERT(term && term < terms->count);
    const KnTermNode *node = kn_term(terms, term);
    if (node->symbol & KN_TERM_VARIABLE) {
        kn_text_printf(out, "?%u", node->symbol & ~KN_TERM_VARIABLE);
        return;
    }
    if (!node->arity) {
        kn_text_add(out, symbols->names[node->symbol]);
        return;
    }
    kn_text_printf(out, "(%s", symbols->names[node->symbol]);
    for (int i = 0; i < node->arity; i++) {
        kn_text_add_char(out, ' ');
        kn_term_text(symbols, terms, kn_term_args(terms, term)[i], out);
    }
    kn_text_add_char(out, ')');
}

uint64_t kn_term_hash(const KnSymbols *symbols, const KnTerms *terms, KnTerm term)
{
    const KnTermNode *node = kn_term(terms, term);
    const char *name = symbols->names[node->symbol];
    uint64_t hash = kn_hash64(name, strlen(name), node->arity);
    for (int i = 0; i < node->arity; i++)
        hash = kn_mix64(hash ^ kn_term_hash(symbols, terms, kn_term_args(terms, term)[i]));
    return hash;
}

int kn_term_goal(const KnSymbols *symbols, const KnTerms *terms, KnTerm term)
{
    const KnTermNode *node = kn_term(terms, term);
    if (node->arity || node->variables) return -1;
    const char *name = symbols->names[node->symbol];
    size_t digits = strspn(name, "0123456789");
    if (!digits || digits > 3 || name[digits]) return -1;
    long value = strtol(name, NULL, 10);
    return value <= 100 ? (int)value : -1;
}
