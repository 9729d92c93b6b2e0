/* Neural networks given as files: whatever the bytes, reading ends with a network or a message. A network
 * that was read evaluates any board the same on both code paths, and writes bytes that read back to the same.
 *
 * Compression and check sum would keep a fuzzer out, so the input is the contents, and is wrapped here; every
 * fourth input goes in as it is. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "learn/neural.h"
#include "learn/packed.h"

static void check_network(const KnNeural *net, const char *header)
{
    uint8_t board[KN_NEURAL_CELLS];
    KnError error;
    KnText one = KN_TEXT_EMPTY, two = KN_TEXT_EMPTY;
    KnNeural *again;
    KnNeuralSize size = kn_neural_size(net);
    char *same;
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < size.cells; c++) board[c] = (uint8_t)((c * 7 + i * 5) % size.symbols);
        fuzz_must(kn_neural_value(net, board, i & 1, i % size.phases) ==
                  kn_neural_value_plain(net, board, i & 1, i % size.phases));
    }
    fuzz_must(kn_neural_pack(net, header, &one, &error) == KN_OK);
    fuzz_must(kn_neural_unpack(one.data, one.length, "again", &again, &same, &error) == KN_OK);
    fuzz_must(kn_neural_pack(again, same, &two, &error) == KN_OK);
    fuzz_must(one.length == two.length && memcmp(one.data, two.data, one.length) == 0);
    kn_neural_free(again);
    free(same);
    kn_text_free(&one);
    kn_text_free(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText plain = KN_TEXT_EMPTY, wrapped = KN_TEXT_EMPTY;
    KnError error = {KN_OK, ""};
    KnNeural *net;
    char *header;
    if (size % 4 == 3)
        kn_text_add_bytes(&wrapped, bytes, size);
    else {
        kn_text_add_bytes(&plain, bytes, size);
        fuzz_must(kn_packed_compress(&(KnPackedKind){"kneural1", ""}, &plain, 1, &wrapped, &error) == KN_OK);
    }
    KnStatus status = kn_neural_unpack(wrapped.data, wrapped.length, "file", &net, &header, &error);
    fuzz_must((status == KN_OK) == (net != NULL));
    if (status == KN_OK)
        check_network(net, header);
    else
        fuzz_must(status == KN_INPUT && *error.text);
    kn_neural_free(net);
    free(header);
    kn_text_free(&plain);
    kn_text_free(&wrapped);
    return 0;
}
