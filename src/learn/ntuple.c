#include "learn/ntuple_inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* ---- life ---- */

KnNtuple *kn_ntuple_new(int cells, int symbols, int phases)
{
    KN_ASSERT(cells > 0 && cells <= KN_NTUPLE_CELLS && symbols > 1 && symbols <= KN_NTUPLE_SYMBOLS);
    KN_ASSERT(phases > 0 && phases <= KN_NTUPLE_PHASES);
    KnNtuple *net = calloc(1, sizeof *net);
    if (!net) return NULL;
    net->cells = cells;
    net->symbols = symbols;
    net->phases = phases;
    net->sets = 2;
    net->tuple = calloc(KN_NTUPLE_PLACEMENTS, sizeof *net->tuple);
    net->place = calloc((size_t)KN_NTUPLE_PLACEMENTS * KN_NTUPLE_LENGTH, sizeof *net->place);
    net->owner = calloc(KN_NTUPLE_PLACEMENTS, sizeof *net->owner);
    bool enough = net->tuple && net->place && net->owner;
    for (int side = 0; side < 2; side++) {
        net->seen[side] = calloc((size_t)cells, sizeof *net->seen[side]);
        net->symbol[side] = calloc((size_t)symbols, sizeof *net->symbol[side]);
        enough = enough && net->seen[side] && net->symbol[side];
        for (int c = 0; enough && c < cells; c++) net->seen[side][c] = (uint16_t)c;
        for (int s = 0; enough && s < symbols; s++) net->symbol[side][s] = (uint8_t)s;
    }
    if (enough) return net;
    kn_ntuple_free(net);
    return NULL;
}

void kn_ntuple_free(KnNtuple *net)
{
    if (!net) return;
    for (int side = 0; side < 2; side++) {
        free(net->seen[side]);
        free(net->symbol[side]);
    }
    free(net->tuple);
    free(net->place);
    free(net->owner);
    kn_board_rows_free(&net->rows);
    free(net->base);
    free(net->weights);
    free(net);
}

static bool distinct(const KnNtuple *net, int length, const uint16_t *cells)
{
    for (int i = 0; i < length; i++) {
        if (cells[i] >= net->cells) return false;
        for (int j = 0; j < i; j++)
            if (cells[i] == cells[j]) return false;
    }
    return true;
}

KnStatus kn_ntuple_add(KnNtuple *net, int length, int count, const uint16_t *cells, KnError *error)
{
    KN_ASSERT(!net->weights);
    uint32_t entries = 1;
    if (length < 1 || length > KN_NTUPLE_LENGTH || count < 1 ||
        count > KN_NTUPLE_PLACEMENTS - net->placements)
        return kn_fail(error, KN_INPUT,
                       "a tuple of %d cells in %d placements: at most %d cells and %d "
                       "placements in all are possible",
                       length, count, KN_NTUPLE_LENGTH, KN_NTUPLE_PLACEMENTS);
    for (int i = 0; i < length; i++) {
        entries *= (uint32_t)net->symbols;
        if (entries > KN_NTUPLE_TABLE)
            return kn_fail(error, KN_INPUT, "a tuple of %d cells with %d symbols needs more than %d weights",
                           length, net->symbols, KN_NTUPLE_TABLE);
    }
    if (net->entries > KN_NTUPLE_WEIGHTS - entries)
        return kn_fail(error, KN_INPUT, "the tuples need more than %d weights", KN_NTUPLE_WEIGHTS);
    for (int p = 0; p < count; p++)
        if (!distinct(net, length, cells + (size_t)p * (size_t)length))
            return kn_fail(error, KN_INPUT, "a tuple has a cell twice, or one beyond the board's %d cells",
                           net->cells);
    net->tuple[net->tuples] = (KnTuple){length, net->placements, count, net->entries, entries};
    for (int p = 0; p < count; p++) {
        memcpy(net->place + (size_t)net->placements * KN_NTUPLE_LENGTH, cells + (size_t)p * (size_t)length,
               (size_t)length * sizeof *cells);
        net->owner[net->placements++] = net->tuples;
    }
    net->entries += entries;
    net->tuples++;
    return KN_OK;
}

KnStatus kn_ntuple_exchange(KnNtuple *net, const uint16_t *cells, const uint8_t *symbols, KnError *error)
{
    KN_ASSERT(!net->weights);
    bool cell_hit[KN_NTUPLE_CELLS] = {false}, symbol_hit[KN_NTUPLE_SYMBOLS] = {false};
    bool good = symbols[0] == 0;
    for (int c = 0; c < net->cells && good; c++) {
        good = cells[c] < net->cells && !cell_hit[cells[c]];
        if (good) cell_hit[cells[c]] = true;
    }
    for (int s = 0; s < net->symbols && good; s++) {
        good = symbols[s] < net->symbols && !symbol_hit[symbols[s]];
        if (good) symbol_hit[symbols[s]] = true;
    }
    if (!good) return kn_fail(error, KN_INPUT, "an exchange of sides that is no permutation");
    memcpy(net->seen[1], cells, (size_t)net->cells * sizeof *cells);
    memcpy(net->symbol[1], symbols, (size_t)net->symbols);
    net->sets = 1;
    return KN_OK;
}

/* ---- tables ---- */

KnStatus kn_ntuple_finish(KnNtuple *net, KnError *error)
{
    KN_ASSERT(!net->weights);
    if (!net->tuples) return kn_fail(error, KN_INPUT, "a network without tuples");
    net->padded = (net->placements + KN_ROW_LANES - 1) / KN_ROW_LANES * KN_ROW_LANES;
    net->stride = ((size_t)net->entries + 16) & ~(size_t)15; /* leaves at least one zero at the end */
    size_t size = kn_ntuple_size(net);
    if (size > KN_NTUPLE_WEIGHTS)
        return kn_fail(error, KN_INPUT, "a network with %zu weights: at most %d are possible", size,
                       KN_NTUPLE_WEIGHTS);
    net->weights = calloc(size + 2, sizeof *net->weights); /* the vector code reads two weights at a time */
    if (!net->weights) return kn_fail_memory(error, "making a network");
    return kn_ntuple_make_rows(net, error);
}

/* ---- what it consists of ---- */

int kn_ntuple_cells(const KnNtuple *net) { return net->cells; }
int kn_ntuple_symbols(const KnNtuple *net) { return net->symbols; }
int kn_ntuple_phases(const KnNtuple *net) { return net->phases; }
int kn_ntuple_tuples(const KnNtuple *net) { return net->tuples; }
int kn_ntuple_placements(const KnNtuple *net) { return net->placements; }
bool kn_ntuple_exchanges(const KnNtuple *net) { return net->sets == 1; }
int16_t *kn_ntuple_weights(const KnNtuple *net) { return net->weights; }
int kn_ntuple_seen(const KnNtuple *net, int side, int cell) { return net->seen[side][cell]; }

const uint16_t *kn_ntuple_placement(const KnNtuple *net, int placement, int *length, int *tuple)
{
    KN_ASSERT(placement >= 0 && placement < net->placements);
    *tuple = net->owner[placement];
    *length = net->tuple[*tuple].length;
    return net->place + (size_t)placement * KN_NTUPLE_LENGTH;
}

size_t kn_ntuple_size(const KnNtuple *net) { return (size_t)net->sets * (size_t)net->phases * net->stride; }

bool kn_ntuple_used(const KnNtuple *net, size_t weight) { return weight % net->stride < net->entries; }
