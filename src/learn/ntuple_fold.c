/* Folding: the tables of short tuples go into those of longer ones that contain them, so that a sum has fewer
 * placements. Learning wants short tuples, which generalise; evaluation wants few.
 *
 * Tuple A folds into tuple B if every placement of A lies inside the same number m of placements of B, and
 * does so at the same slots in all of them, as symmetric placements do. Each weight of B then takes the m-th
 * part of the weights of A that its cells imply. Parts are rounded, so that a folded sum differs from the
 * plain one by half a unit for each placement at most.
 *
 * Then placements of a tuple on the same cells become one. A line that is its own mirror image is read in
 * both directions; its table can as well have the sums of both weights. This works if the placements on any
 * set of cells differ by the same permutations of slots, as symmetric placements do. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "learn/ntuple_inside.h"

enum { FITS = 64 }; /* ways in which A lies inside one placement of B */

typedef struct Fit {
    int count;
    uint8_t slots[FITS][KN_NTUPLE_LENGTH]; /* the slot of B of each cell of A */
    int shares;                            /* m */
} Fit;

static const uint16_t *cells_of(const KnNtuple *net, int placement)
{
    return net->place + (size_t)placement * KN_NTUPLE_LENGTH;
}

/* The slots at which placement a of A lies inside placement b of B. */
static bool find_slots(const KnNtuple *net, int a, int length_a, int b, int length_b, uint8_t *slots)
{
    for (int i = 0; i < length_a; i++) {
        int slot = -1;
        for (int j = 0; j < length_b && slot < 0; j++)
            if (cells_of(net, b)[j] == cells_of(net, a)[i]) slot = j;
        if (slot < 0) return false;
        slots[i] = (uint8_t)slot;
    }
    return true;
}

static int compare_slots(const void *a, const void *b) { return memcmp(a, b, KN_NTUPLE_LENGTH); }

/* All ways in which placements of A lie inside placement b, in order. */
static bool list_fits(const KnNtuple *net, const KnTuple *one, const KnTuple *two, int b, Fit *fit,
                      int *covered)
{
    memset(fit, 0, sizeof *fit);
    for (int a = one->first; a < one->first + one->count; a++) {
        uint8_t slots[KN_NTUPLE_LENGTH] = {0};
        if (!find_slots(net, a, one->length, b, two->length, slots)) continue;
        if (fit->count == FITS) return false;
        memcpy(fit->slots[fit->count++], slots, sizeof slots);
        covered[a - one->first]++;
    }
    qsort(fit->slots, (size_t)fit->count, sizeof *fit->slots, compare_slots);
    return true;
}

/* Whether tuple A folds into tuple B. */
static bool fits(const KnNtuple *net, int a, int b, Fit *fit)
{
    const KnTuple *one = &net->tuple[a], *two = &net->tuple[b];
    int covered[KN_NTUPLE_PLACEMENTS] = {0};
    if (one->length >= two->length || !list_fits(net, one, two, two->first, fit, covered) || !fit->count)
        return false;
    for (int i = 1; i < two->count; i++) {
        Fit other;
        if (!list_fits(net, one, two, two->first + i, &other, covered) || other.count != fit->count ||
            memcmp(other.slots, fit->slots, (size_t)fit->count * sizeof *fit->slots) != 0)
            return false;
    }
    for (int i = 0; i < one->count; i++)
        if (covered[i] != covered[0]) return false;
    fit->shares = covered[0];
    return fit->shares > 0;
}

/* The sum of A's weights that an entry of B implies. */
static int32_t implied(const KnNtuple *net, const KnTuple *one, const KnTuple *two, const Fit *fit,
                       const int32_t *tables, uint32_t entry)
{
    uint32_t symbols[KN_NTUPLE_LENGTH], rest = entry;
    int32_t sum = 0;
    for (int j = 0; j < two->length; j++, rest /= (uint32_t)net->symbols)
        symbols[j] = rest % (uint32_t)net->symbols;
    for (int k = 0; k < fit->count; k++) {
        uint32_t index = 0, power = 1;
        for (int i = 0; i < one->length; i++, power *= (uint32_t)net->symbols)
            index += power * symbols[fit->slots[k][i]];
        sum += tables[one->offset + index];
    }
    return sum;
}

/* Adds the shares of A's weights to those of B, for one set of tables and one phase. */
static void add_shares(const KnNtuple *net, const KnTuple *one, const KnTuple *two, const Fit *fit,
                       int32_t *tables)
{
    for (uint32_t entry = 0; entry < two->entries; entry++) {
        int32_t sum = implied(net, one, two, fit, tables, entry);
        tables[two->offset + entry] += (sum < 0 ? sum - fit->shares / 2 : sum + fit->shares / 2) /
                                       fit->shares;
    }
}

/* ---- placements on the same cells ---- */

/* Keeps one placement of a tuple on each set of cells, if the others differ from it in the same ways. */
static bool find_orders(const KnNtuple *net, const KnTuple *tuple, Fit *fit, bool *merged)
{
    int covered[KN_NTUPLE_PLACEMENTS] = {0};
    bool alike = true, first = true;
    for (int p = tuple->first; p < tuple->first + tuple->count && alike; p++) {
        Fit here;
        uint8_t slots[KN_NTUPLE_LENGTH];
        if (merged[p]) continue;
        alike = list_fits(net, tuple, tuple, p, &here, covered);
        if (first) *fit = here;
        first = false;
        alike = alike && here.count == fit->count &&
                memcmp(here.slots, fit->slots, (size_t)fit->count * sizeof *fit->slots) == 0;
        for (int q = p + 1; q < tuple->first + tuple->count; q++)
            if (find_slots(net, q, tuple->length, p, tuple->length, slots)) merged[q] = true;
    }
    if (!alike) memset(merged + tuple->first, 0, (size_t)tuple->count * sizeof *merged);
    return alike && fit->count > 1;
}

static KnStatus merge_orders(const KnNtuple *net, const bool *gone, int32_t *all, bool *merged,
                             KnError *error)
{
    int32_t *sums = malloc(KN_NTUPLE_TABLE * sizeof *sums);
    if (!sums) return kn_fail_memory(error, "making a network");
    for (int t = 0; t < net->tuples; t++) {
        const KnTuple *tuple = &net->tuple[t];
        Fit fit = {0};
        if (gone[t] || !find_orders(net, tuple, &fit, merged)) continue;
        for (int block = 0; block < net->sets * net->phases; block++) {
            int32_t *tables = all + (size_t)block * net->stride;
            for (uint32_t entry = 0; entry < tuple->entries; entry++)
                sums[entry] = implied(net, tuple, tuple, &fit, tables, entry);
            memcpy(tables + tuple->offset, sums, tuple->entries * sizeof *sums);
        }
    }
    free(sums);
    return KN_OK;
}

/* ---- the whole ---- */

/* The tuples and placements that stay, with the weights of all tables (32 bits each). */
static KnStatus build(const KnNtuple *net, const bool *gone, const bool *merged, const int32_t *all,
                      KnNtuple **out, KnError *error)
{
    KnNtuple *made = *out = kn_ntuple_new(net->cells, net->symbols, net->phases);
    KnStatus status = made ? KN_OK : kn_fail_memory(error, "making a network");
    if (status == KN_OK && net->sets == 1)
        status = kn_ntuple_exchange(made, net->seen[1], net->symbol[1], error);
    for (int t = 0; t < net->tuples && status == KN_OK; t++) {
        const KnTuple *tuple = &net->tuple[t];
        if (gone[t]) continue;
        uint16_t *cells = malloc((size_t)(tuple->count * tuple->length) * sizeof *cells);
        int count = 0;
        for (int p = tuple->first; cells && p < tuple->first + tuple->count; p++)
            if (!merged[p])
                memcpy(cells + count++ * tuple->length, cells_of(net, p),
                       (size_t)tuple->length * sizeof *cells);
        status = cells ? kn_ntuple_add(made, tuple->length, count, cells, error)
                       : kn_fail_memory(error, "making a network");
        free(cells);
    }
    if (status == KN_OK) status = kn_ntuple_finish(made, error);
    for (int block = 0; status == KN_OK && block < net->sets * net->phases; block++)
        for (int t = 0, kept = 0; t < net->tuples; t++) {
            if (gone[t]) continue;
            const int32_t *from = all + (size_t)block * net->stride + net->tuple[t].offset;
            int16_t *to = made->weights + (size_t)block * made->stride + made->tuple[kept++].offset;
            for (uint32_t i = 0; i < net->tuple[t].entries; i++)
                to[i] = (int16_t)(from[i] > 32767 ? 32767 : from[i] < -32767 ? -32767 : from[i]);
        }
    return status;
}

KnStatus kn_ntuple_fold(const KnNtuple *net, KnNtuple **out, KnError *error)
{
    size_t size = kn_ntuple_size(net);
    bool *gone = calloc((size_t)net->tuples, sizeof *gone),
         *merged = calloc((size_t)net->placements, sizeof *merged);
    int32_t *all = malloc(size * sizeof *all);
    KnStatus status = gone && merged && all ? KN_OK : kn_fail_memory(error, "making a network");
    *out = NULL;
    for (size_t i = 0; status == KN_OK && i < size; i++) all[i] = net->weights[i];
    for (int length = 1; status == KN_OK && length < KN_NTUPLE_LENGTH; length++)
        for (int a = 0; a < net->tuples; a++) {
            Fit fit;
            if (net->tuple[a].length != length) continue;
            for (int b = 0; b < net->tuples && !gone[a]; b++) {
                if (gone[b] || !fits(net, a, b, &fit)) continue;
                for (int block = 0; block < net->sets * net->phases; block++)
                    add_shares(net, &net->tuple[a], &net->tuple[b], &fit, all + (size_t)block * net->stride);
                gone[a] = true;
            }
        }
    if (status == KN_OK) status = merge_orders(net, gone, all, merged, error);
    if (status == KN_OK) status = build(net, gone, merged, all, out, error);
    free(gone);
    free(merged);
    free(all);
    KnNtuple *paired = NULL;
    if (status == KN_OK) status = kn_ntuple_pair(*out, &paired, error);
    kn_ntuple_free(*out);
    *out = paired;
    return status;
}
