/* n-tuple networks given as files: whatever the bytes, reading ends with a network or a message. A network
 * that was read evaluates any board, and writes bytes that read back to the same.
 *
 * Compression and check sum would keep a fuzzer out, so the input is the contents, and is wrapped here; every
 * fourth input goes in as it is. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "learn/ntuple_inside.h"

static void check_network(KnNtuple *net, const char *header)
{
    uint8_t board[KN_NTUPLE_CELLS];
    KnError error;
    KnText one = KN_TEXT_EMPTY;
    KnNtuple *again;
    char *same;
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < kn_ntuple_cells(net); c++)
            board[c] = (uint8_t)((c * 7 + i * 5) % kn_ntuple_symbols(net));
        fuzz_must(kn_ntuple_sum(net, board, i & 1, i % kn_ntuple_phases(net)) ==
                  kn_ntuple_sum_plain(net, board, i & 1, i % kn_ntuple_phases(net)));
    }
    fuzz_must(kn_ntuple_pack(net, header, &one, &error) == KN_OK);
    fuzz_must(kn_ntuple_unpack(one.data, one.length, "again", &again, &same, &error) == KN_OK);
    fuzz_must(strcmp(header, same) == 0 && kn_ntuple_size(net) == kn_ntuple_size(again));
    fuzz_must(memcmp(kn_ntuple_weights(net), kn_ntuple_weights(again), 2 * kn_ntuple_size(net)) == 0);
    kn_ntuple_free(again);
    free(same);
    kn_text_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText plain = KN_TEXT_EMPTY, wrapped = KN_TEXT_EMPTY;
    KnError error = {KN_OK, ""};
    KnNtuple *net;
    char *header;
    if (size % 4 == 3)
        kn_text_add_bytes(&wrapped, bytes, size);
    else {
        kn_text_add_bytes(&plain, bytes, size);
        fuzz_must(kn_packed_compress(&(KnPackedKind){"kntuple1", ""}, &plain, 1, &wrapped, &error) == KN_OK);
    }
    KnStatus status = kn_ntuple_unpack(wrapped.data, wrapped.length, "file", &net, &header, &error);
    fuzz_must((status == KN_OK) == (net != NULL));
    if (status == KN_OK)
        check_network(net, header);
    else
        fuzz_must(status == KN_INPUT && *error.text);
    if (net) {
        kn_ntuple_free(net);
        free(header);
    }
    kn_text_free(&plain);
    kn_text_free(&wrapped);
    return 0;
}
