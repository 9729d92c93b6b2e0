/* Pairing: two tuples become one that has the cells of both, whose table has the sums of both weights, so
 * that a sum has fewer placements. Values stay exactly the same.
 *
 * Tuples A and B pair if each placement of A can be given a placement of B of its own, so that all these
 * pairs share the same slots. Symmetric placements can, and so can any two tuples of one placement. The
 * smallest unions come first: they share the most cells and make the smallest tables. */
#include <stdlib.h>
#include <string.h>

#include "learn/ntuple_inside.h"

enum { PAIRED = 20000 }; /* weights of a table that pairing makes, at most */

/* How B joins A: for each slot of B the slot of A that has the same cell, or one behind A's. */
typedef struct Join {
    int length;
    int8_t slot[KN_NTUPLE_LENGTH];
} Join;

/* A tuple while pairs are made. It owns what it points at. */
typedef struct Part {
    int length, count;
    uint16_t *cells; /* `count` placements of `length` cells */
    uint32_t entries;
    int32_t *weights; /* `entries` for each block: each set of tables, each phase */
} Part;

static void free_part(Part *part)
{
    free(part->cells);
    free(part->weights);
    *part = (Part){0};
}

static void free_parts(Part *parts, int count)
{
    for (int i = 0; parts && i < count; i++) free_part(&parts[i]);
    free(parts);
}

static Join join_of(const Part *a, int i, const Part *b, int k)
{
    Join join = {.length = a->length};
    for (int t = 0; t < b->length; t++) {
        int slot = 0;
        while (slot < a->length && a->cells[i * a->length + slot] != b->cells[k * b->length + t]) slot++;
        join.slot[t] = (int8_t)(slot < a->length ? slot : join.length++);
    }
    return join;
}

static bool same_join(const Part *b, const Join *one, const Join *two)
{
    return one->length == two->length && memcmp(one->slot, two->slot, (size_t)b->length) == 0;
}

/* Gives each placement of A one of B that joins it as the first pair does: partner[i]. */
static bool match(const Part *a, const Part *b, const Join *join, int first, uint16_t *partner)
{
    bool taken[KN_NTUPLE_PLACEMENTS];
    memset(taken, 0, (size_t)b->count * sizeof *taken);
    partner[0] = (uint16_t)first;
    taken[first] = true;
    for (int i = 1; i < a->count; i++) {
        int k = 0;
        for (; k < b->count; k++) {
            if (taken[k]) continue;
            Join here = join_of(a, i, b, k);
            if (same_join(b, join, &here)) break;
        }
        if (k == b->count) return false;
        partner[i] = (uint16_t)k;
        taken[k] = true;
    }
    return true;
}

/* The shortest join of A and B below `shorter` cells; false if there is none. */
static bool find_join(const Part *a, const Part *b, int shorter, Join *join, uint16_t *partner)
{
    bool found = false;
    if (a->count != b->count) return false;
    for (int k = 0; k < b->count; k++) {
        uint16_t partners[KN_NTUPLE_PLACEMENTS];
        Join here = join_of(a, 0, b, k);
        if (here.length >= shorter || !match(a, b, &here, k, partners)) continue;
        shorter = here.length;
        *join = here;
        memcpy(partner, partners, (size_t)a->count * sizeof *partner);
        found = true;
    }
    return found;
}

/* The index into B's table that an entry of the joined table implies. */
static uint32_t index_of(int symbols, const Part *b, const Join *join, uint32_t entry)
{
    uint8_t at[KN_NTUPLE_LENGTH];
    uint32_t index = 0, power = 1;
    for (int s = 0; s < join->length; s++, entry /= (uint32_t)symbols)
        at[s] = (uint8_t)(entry % (uint32_t)symbols);
    for (int t = 0; t < b->length; t++, power *= (uint32_t)symbols) index += power * at[join->slot[t]];
    return index;
}

static uint32_t table_size(int symbols, int length)
{
    uint32_t entries = 1;
    while (length-- > 0) entries *= (uint32_t)symbols;
    return entries;
}

/* The joined tuple. False: memory ran out, or a weight does not fit; *fits says which. */
static bool make_joined(int symbols, int blocks, const Part *a, const Part *b, const Join *join,
                        const uint16_t *partner, Part *out, bool *fits)
{
    *out = (Part){.length = join->length, .count = a->count, .entries = table_size(symbols, join->length)};
    out->cells = calloc((size_t)(a->count * join->length), sizeof *out->cells);
    out->weights = malloc((size_t)blocks * out->entries * sizeof *out->weights);
    *fits = true;
    if (!out->cells || !out->weights) return false;
    for (int i = 0; i < a->count; i++) {
        uint16_t *cells = out->cells + i * join->length;
        memcpy(cells, a->cells + i * a->length, (size_t)a->length * sizeof *cells);
        for (int t = 0; t < b->length; t++) cells[join->slot[t]] = b->cells[partner[i] * b->length + t];
    }
    for (uint32_t entry = 0; entry < out->entries; entry++) {
        uint32_t from = entry % a->entries, other = index_of(symbols, b, join, entry);
        for (int block = 0; block < blocks; block++) {
            int32_t sum = a->weights[(size_t)block * a->entries + from] +
                          b->weights[(size_t)block * b->entries + other];
            if (sum > INT16_MAX || sum < INT16_MIN) *fits = false;
            out->weights[(size_t)block * out->entries + entry] = sum;
        }
    }
    return *fits;
}

static Part *list_parts(const KnNtuple *net, int blocks)
{
    Part *parts = calloc((size_t)net->tuples, sizeof *parts);
    for (int t = 0; parts && t < net->tuples; t++) {
        const KnTuple *tuple = &net->tuple[t];
        Part *part = &parts[t];
        *part = (Part){tuple->length, tuple->count, NULL, tuple->entries, NULL};
        part->cells = calloc((size_t)(tuple->count * tuple->length), sizeof *part->cells);
        part->weights = malloc((size_t)blocks * tuple->entries * sizeof *part->weights);
        if (!part->cells || !part->weights) {
            free_parts(parts, net->tuples);
            return NULL;
        }
        for (int p = 0; p < tuple->count; p++)
            memcpy(part->cells + p * tuple->length,
                   net->place + (size_t)(tuple->first + p) * KN_NTUPLE_LENGTH,
                   (size_t)tuple->length * sizeof *part->cells);
        for (int block = 0; block < blocks; block++)
            for (uint32_t i = 0; i < tuple->entries; i++)
                part->weights[(size_t)block * tuple->entries + i] =
                    net->weights[(size_t)block * net->stride + tuple->offset + i];
    }
    return parts;
}

/* Joins part b to part a, if that makes a tuple of at most `length` cells; *count falls then. A sum that is
 * too large for a weight is left alone. */
static KnStatus try_join(const KnNtuple *net, int blocks, Part *parts, int *count, int a, int b, int length,
                         uint16_t *partner, KnError *error)
{
    Join join;
    Part joined;
    bool fits;
    if (!find_join(&parts[a], &parts[b], length + 1, &join, partner)) return KN_OK;
    if (make_joined(net->symbols, blocks, &parts[a], &parts[b], &join, partner, &joined, &fits)) {
        free_part(&parts[a]);
        free_part(&parts[b]);
        parts[a] = joined;
        parts[b] = parts[--*count];
        parts[*count] = (Part){0};
        return KN_OK;
    }
    free_part(&joined);
    return fits ? kn_fail_memory(error, "making a network") : KN_OK;
}

/* The smallest unions first. */
static KnStatus join_all(const KnNtuple *net, int blocks, Part *parts, int *count, KnError *error)
{
    uint16_t *partner = malloc(KN_NTUPLE_PLACEMENTS * sizeof *partner);
    KnStatus status = partner ? KN_OK : kn_fail_memory(error, "making a network");
    for (int length = 2; length <= KN_NTUPLE_LENGTH && table_size(net->symbols, length) <= PAIRED; length++)
        for (int a = 0; a < *count; a++)
            for (int b = a + 1; b < *count && status == KN_OK;) {
                int before = *count;
                status = try_join(net, blocks, parts, count, a, b, length, partner, error);
                b += *count == before; /* else another part stands there now */
            }
    free(partner);
    return status;
}

static KnStatus build(const KnNtuple *net, int blocks, const Part *parts, int count, KnNtuple **out,
                      KnError *error)
{
    KnNtuple *made = *out = kn_ntuple_new(net->cells, net->symbols, net->phases);
    KnStatus status = made ? KN_OK : kn_fail_memory(error, "making a network");
    if (status == KN_OK && net->sets == 1)
        status = kn_ntuple_exchange(made, net->seen[1], net->symbol[1], error);
    for (int t = 0; t < count && status == KN_OK; t++)
        status = kn_ntuple_add(made, parts[t].length, parts[t].count, parts[t].cells, error);
    if (status == KN_OK) status = kn_ntuple_finish(made, error);
    for (int t = 0; t < count && status == KN_OK; t++)
        for (int block = 0; block < blocks; block++) {
            int16_t *to = made->weights + (size_t)block * made->stride + made->tuple[t].offset;
            const int32_t *from = parts[t].weights + (size_t)block * parts[t].entries;
            for (uint32_t i = 0; i < parts[t].entries; i++) to[i] = (int16_t)from[i];
        }
    if (status == KN_OK) return KN_OK;
    kn_ntuple_free(made);
    *out = NULL;
    return status;
}

KnStatus kn_ntuple_pair(const KnNtuple *net, KnNtuple **out, KnError *error)
{
    int blocks = net->sets * net->phases, count = net->tuples;
    Part *parts = list_parts(net, blocks);
    *out = NULL;
    KnStatus status = parts ? KN_OK : kn_fail_memory(error, "making a network");
    if (status == KN_OK) status = join_all(net, blocks, parts, &count, error);
    if (status == KN_OK) status = build(net, blocks, parts, count, out, error);
    free_parts(parts, net->tuples);
    return status;
}
