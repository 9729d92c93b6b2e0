/* n-tuple networks as packed files (learn/packed.h).
 *
 * The contents of a network, numbers in little-endian order:
 *
 *     32-bit length of the header, header (JSON text)
 *     16-bit cells, symbols, phases, sets of tables, tuples
 *     with one set: where the second side sees each cell (16 bit) and each symbol (8 bit)
 *     for each tuple: 16-bit length, 16-bit number of placements, their cells (16 bit each)
 *     all weights: the low bytes, then the high bytes, since these are mostly alike */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "learn/ntuple_inside.h"

static const KnPackedKind NETWORK = {"kntuple1", "an n-tuple network"};

/* ---- writing ---- */

static void add16(KnText *out, int value)
{
    uint16_t number = (uint16_t)value;
    kn_text_add_bytes(out, &number, sizeof number);
}

static void add_weights(const KnNtuple *net, KnText *out)
{
    size_t size = kn_ntuple_size(net);
    for (int shift = 0; shift < 16; shift += 8)
        for (size_t i = 0; i < size; i++) kn_text_add_char(out, (char)((uint16_t)net->weights[i] >> shift));
}

KnStatus kn_ntuple_pack(const KnNtuple *net, const char *header, KnText *out, KnError *error)
{
    enum { LEVEL = 12 };
    KnText plain = KN_TEXT_EMPTY;
    uint32_t length = (uint32_t)strlen(header);
    KN_ASSERT(net->weights);
    kn_text_add_bytes(&plain, &length, sizeof length);
    kn_text_add_bytes(&plain, header, length);
    add16(&plain, net->cells);
    add16(&plain, net->symbols);
    add16(&plain, net->phases);
    add16(&plain, net->sets);
    add16(&plain, net->tuples);
    if (net->sets == 1) {
        kn_text_add_bytes(&plain, net->seen[1], (size_t)net->cells * sizeof *net->seen[1]);
        kn_text_add_bytes(&plain, net->symbol[1], (size_t)net->symbols);
    }
    for (int t = 0; t < net->tuples; t++) {
        const KnTuple *tuple = &net->tuple[t];
        add16(&plain, tuple->length);
        add16(&plain, tuple->count);
        for (int p = 0; p < tuple->count; p++)
            kn_text_add_bytes(&plain, net->place + (size_t)(tuple->first + p) * KN_NTUPLE_LENGTH,
                              (size_t)tuple->length * sizeof *net->place);
    }
    add_weights(net, &plain);
    KnStatus status = kn_packed_compress(&NETWORK, &plain, LEVEL, out, error);
    kn_text_free(&plain);
    return status;
}

/* ---- reading ---- */

typedef struct Reader {
    const char *at, *end, *name;
    KnError *error;
} Reader;

static KnStatus damaged(Reader *in, const char *what)
{
    return kn_fail(in->error, KN_INPUT, "%s: %s", in->name, what);
}

static bool take(Reader *in, void *out, size_t size)
{
    if ((size_t)(in->end - in->at) < size) return false;
    memcpy(out, in->at, size);
    in->at += size;
    return true;
}

static KnStatus read_exchange(Reader *in, KnNtuple *net)
{
    uint16_t cells[KN_NTUPLE_CELLS];
    uint8_t symbols[KN_NTUPLE_SYMBOLS];
    if (!take(in, cells, (size_t)net->cells * sizeof *cells) || !take(in, symbols, (size_t)net->symbols))
        return damaged(in, "it ends before its tuples");
    return kn_ntuple_exchange(net, cells, symbols, in->error);
}

static KnStatus read_tuples(Reader *in, KnNtuple *net, int tuples)
{
    KnStatus status = KN_OK;
    for (int t = 0; t < tuples && status == KN_OK; t++) {
        uint16_t shape[2];
        if (!take(in, shape, sizeof shape)) return damaged(in, "it ends before its last tuple");
        size_t count = (size_t)shape[0] * shape[1];
        if (shape[0] > KN_NTUPLE_LENGTH || (size_t)(in->end - in->at) / sizeof(uint16_t) < count || !count)
            return damaged(in, "it has a tuple of an impossible size");
        uint16_t *cells = malloc(count * sizeof *cells);
        if (!cells) return kn_fail_memory(in->error, "reading a network");
        take(in, cells, count * sizeof *cells);
        status = kn_ntuple_add(net, shape[0], shape[1], cells, in->error);
        free(cells);
    }
    return status;
}

static KnStatus read_weights(Reader *in, KnNtuple *net)
{
    size_t size = kn_ntuple_size(net);
    if ((size_t)(in->end - in->at) != 2 * size) return damaged(in, "it has too few or too many weights");
    const uint8_t *low = (const uint8_t *)in->at, *high = low + size;
    for (size_t i = 0; i < size; i++) {
        net->weights[i] = (int16_t)(uint16_t)(low[i] | high[i] << 8);
        if (net->weights[i] && !kn_ntuple_used(net, i)) return damaged(in, "it has a weight without a table");
    }
    return KN_OK;
}

static KnStatus read_network(Reader *in, KnNtuple **out)
{
    struct {
        uint16_t cells, symbols, phases, sets, tuples;
    } size;
    if (!take(in, &size, sizeof size)) return damaged(in, "it ends before its tuples");
    if (size.cells < 1 || size.cells > KN_NTUPLE_CELLS || size.symbols < 2 ||
        size.symbols > KN_NTUPLE_SYMBOLS || size.phases < 1 || size.phases > KN_NTUPLE_PHASES ||
        size.sets < 1 || size.sets > 2)
        return damaged(in, "its board has an impossible size");
    KnNtuple *net = *out = kn_ntuple_new(size.cells, size.symbols, size.phases);
    if (!net) return kn_fail_memory(in->error, "reading a network");
    KnStatus status = size.sets == 1 ? read_exchange(in, net) : KN_OK;
    if (status == KN_OK) status = read_tuples(in, net, size.tuples);
    if (status == KN_OK) status = kn_ntuple_finish(net, in->error);
    return status == KN_OK ? read_weights(in, net) : status;
}

KnStatus kn_ntuple_unpack(const void *bytes, size_t size, const char *name, KnNtuple **net, char **header,
                          KnError *error)
{
    enum { MOST = 1 << 28 };
    KnText plain = KN_TEXT_EMPTY;
    *net = NULL;
    *header = NULL;
    KnStatus status = kn_packed_decompress(&NETWORK, bytes, size, MOST, name, &plain, error);
    Reader in = {plain.data, plain.data + plain.length, name, error};
    uint32_t length = 0;
    if (status == KN_OK && (!take(&in, &length, sizeof length) || (size_t)(in.end - in.at) < length))
        status = damaged(&in, "it ends inside its header");
    if (status == KN_OK) {
        *header = strndup(in.at, length);
        in.at += length;
        status = *header ? read_network(&in, net) : kn_fail_memory(error, "reading a network");
    }
    kn_text_free(&plain);
    if (status == KN_OK) return KN_OK;
    kn_ntuple_free(*net);
    free(*header);
    *net = NULL;
    *header = NULL;
    return status;
}
