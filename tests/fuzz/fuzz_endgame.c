/* Endgame tables: whatever the bytes, the checks say yes or why not; what they accept can be unpacked, block
 * by block, or is refused with a reason. The check sums are put right first, so that the fuzzer gets past
 * them. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/hash.h"
#include "games/checkers/endgame_file.h"

static void mend(unsigned char *bytes, size_t size)
{
    KnEndgameHead head;
    if (size < sizeof head) return;
    memcpy(&head, bytes, sizeof head);
    head.file_bytes = size;
    if (head.index_at <= size && head.index_at % 8 == 0)
        head.index_sum = kn_hash64(bytes + head.index_at, size - head.index_at, KN_ENDGAME_VERSION);
    head.head_sum = kn_hash64(&head, offsetof(KnEndgameHead, head_sum), KN_ENDGAME_VERSION);
    memcpy(bytes, &head, sizeof head);
}

static void unpack_all(const KnEndgameFile *file)
{
    unsigned char block[KN_ENDGAME_BLOCK];
    ZSTD_DCtx *unpacker = ZSTD_createDCtx();
    for (uint64_t b = 0; unpacker && b < file->head.blocks && b < 64; b++) {
        KnError error = {KN_OK, ""};
        if (!file->index[b].bytes) continue;
        KnStatus status = kn_endgame_file_unpack(file, b, unpacker, block, &error);
        fuzz_must(status == KN_OK || (status == KN_INPUT && error.text[0]));
    }
    ZSTD_freeDCtx(unpacker);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnRanks ranks;
    kn_ranks_fill(&ranks);
    unsigned char *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, bytes, size);
    for (int mended = 0; mended < 2; mended++) {
        KnEndgameFile file = {0};
        KnError error = {KN_OK, ""};
        if (mended) mend(copy, size);
        KnStatus status = kn_endgame_file_check(&ranks, copy, size, "fuzz", &file, &error);
        if (status == KN_OK)
            unpack_all(&file);
        else
            fuzz_must(status == KN_INPUT && error.text[0]);
    }
    free(copy);
    return 0;
}
