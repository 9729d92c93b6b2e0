/* Neural networks as packed files (learn/packed.h). The contents, numbers in little-endian order:
 *
 *     32-bit length of the header, header (JSON text)
 *     16-bit cells, symbols, phases, units, sets of outputs
 *     with one set: where the second side sees each cell (16 bit) and each symbol (8 bit)
 *     all weights (16 bit), in the order of KnNeuralLayout */
#include <stdlib.h>
#include <string.h>

#include "jobs/pack.h"
#include "learn/neural_inside.h"
#include "learn/packed.h"

static const KnPackedKind NETWORK = {"kneural1", "a neural network"};

enum { SIZES = 5 };

KnStatus kn_neural_pack(const KnNeural *net, const char *header, KnText *out, KnError *error)
{
    enum { LEVEL = 12 };
    KnText plain = KN_TEXT_EMPTY;
    uint32_t length = (uint32_t)strlen(header);
    uint16_t sizes[SIZES] = {(uint16_t)net->size.cells, (uint16_t)net->size.symbols,
                             (uint16_t)net->size.phases, (uint16_t)net->size.units, (uint16_t)net->sets};
    kn_pack_bytes(&plain, &length, sizeof length);
    kn_pack_bytes(&plain, header, length);
    kn_pack_bytes(&plain, sizes, sizeof sizes);
    if (net->sets == 1) {
        kn_pack_bytes(&plain, net->seen, (size_t)net->size.cells * sizeof *net->seen);
        kn_pack_bytes(&plain, net->symbol, (size_t)net->size.symbols);
    }
    kn_pack_bytes(&plain, net->weights, net->at.count * sizeof *net->weights);
    KnStatus status = kn_packed_compress(&NETWORK, &plain, LEVEL, out, error);
    kn_text_free(&plain);
    return status;
}

/* The rest of a network whose size is known. */
static KnStatus read_weights(KnUnpack *in, KnNeural *net, const char *name, KnError *error)
{
    size_t size = net->at.count * sizeof *net->weights;
    const void *bytes = in->left == size ? kn_unpack_bytes(in, size) : NULL;
    if (!bytes) return kn_fail(error, KN_INPUT, "%s: it has too few or too many weights", name);
    memcpy(net->weights, bytes, size);
    for (size_t i = net->at.output; i < net->at.last; i++)
        if (abs(net->weights[i]) > KN_NEURAL_MOST)
            return kn_fail(error, KN_INPUT, "%s: it has a weight beyond %d", name, KN_NEURAL_MOST);
    return kn_neural_renew(net, error);
}

static KnStatus read_network(KnUnpack *in, const char *name, KnNeural **net, KnError *error)
{
    uint16_t sizes[SIZES] = {0}, cells[KN_NEURAL_CELLS];
    uint8_t symbols[KN_NEURAL_SYMBOLS];
    const void *bytes = kn_unpack_bytes(in, sizeof sizes);
    if (bytes) memcpy(sizes, bytes, sizeof sizes);
    bool exchange = sizes[4] == 1;
    if (!bytes || sizes[0] > KN_NEURAL_CELLS || sizes[1] > KN_NEURAL_SYMBOLS || sizes[4] < 1 || sizes[4] > 2)
        return kn_fail(error, KN_INPUT, "%s: its board has an impossible size", name);
    if (exchange) {
        const void *seen = kn_unpack_bytes(in, sizes[0] * sizeof *cells),
                   *symbol = kn_unpack_bytes(in, sizes[1]);
        if (!seen || !symbol) return kn_fail(error, KN_INPUT, "%s: it ends before its weights", name);
        memcpy(cells, seen, sizes[0] * sizeof *cells);
        memcpy(symbols, symbol, sizes[1]);
    }
    KnStatus status = kn_neural_new((KnNeuralSize){sizes[0], sizes[1], sizes[2], sizes[3]},
                                    exchange ? cells : NULL, exchange ? symbols : NULL, net, error);
    return status == KN_OK ? read_weights(in, *net, name, error) : status;
}

KnStatus kn_neural_unpack(const void *bytes, size_t size, const char *name, KnNeural **net, char **header,
                          KnError *error)
{
    enum { MOST = 1 << 24 };
    KnText plain = KN_TEXT_EMPTY;
    uint32_t length = 0;
    *net = NULL;
    *header = NULL;
    KnStatus status = kn_packed_decompress(&NETWORK, bytes, size, MOST, name, &plain, error);
    if (status == KN_OK) {
        KnUnpack in = kn_unpack(plain.data, plain.length);
        const void *at = kn_unpack_bytes(&in, sizeof length);
        if (at) memcpy(&length, at, sizeof length);
        const char *text = at ? kn_unpack_bytes(&in, length) : NULL;
        if (!text)
            status = kn_fail(error, KN_INPUT, "%s: it ends inside its header", name);
        else if (!(*header = strndup(text, length)))
            status = kn_fail_memory(error, "reading a network");
        if (status == KN_OK) status = read_network(&in, name, net, error);
    }
    kn_text_free(&plain);
    if (status == KN_OK) return KN_OK;
    kn_neural_free(*net);
    free(*header);
    *net = NULL;
    *header = NULL;
    return status;
}
