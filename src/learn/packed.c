#include "learn/packed.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/hash.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files hold numbers as memory does");

enum { HEAD = 24, LETTERS = 8 };

KnStatus kn_packed_compress(const KnPackedKind *kind, const KnText *plain, int level, KnText *out,
                            KnError *error)
{
    kn_text_clear(out);
    if (!kn_text_ok(plain)) return kn_fail_memory(error, "saving a network");
    size_t room = ZSTD_compressBound(plain->length);
    char *packed = malloc(HEAD + room);
    if (!packed) return kn_fail_memory(error, "saving a network");
    size_t size = ZSTD_compress(packed + HEAD, room, plain->data, plain->length, level);
    if (ZSTD_isError(size)) {
        free(packed);
        return kn_fail(error, KN_SYSTEM, "saving a network: %s", ZSTD_getErrorName(size));
    }
    uint64_t whole = plain->length;
    memset(packed, 0, HEAD);
    memcpy(packed, kind->letters, LETTERS);
    memcpy(packed + 16, &whole, sizeof whole);
    uint32_t check = kn_crc32(0, packed + 16, size + 8);
    memcpy(packed + 8, &check, sizeof check);
    kn_text_add_bytes(out, packed, HEAD + size);
    free(packed);
    return kn_text_ok(out) ? KN_OK : kn_fail_memory(error, "saving a network");
}

KnStatus kn_packed_decompress(const KnPackedKind *kind, const void *bytes, size_t size, size_t most,
                              const char *name, KnText *plain, KnError *error)
{
    const char *at = bytes;
    uint32_t check, zero;
    uint64_t whole;
    if (size < HEAD || memcmp(at, kind->letters, LETTERS) != 0)
        return kn_fail(error, KN_INPUT, "%s: this is not a file of %s", name, kind->what);
    memcpy(&check, at + 8, sizeof check);
    memcpy(&zero, at + 12, sizeof zero);
    memcpy(&whole, at + 16, sizeof whole);
    if (zero || check != kn_crc32(0, at + 16, size - 16))
        return kn_fail(error, KN_INPUT, "%s: its check sum is wrong; the file is damaged", name);
    if (whole > most || ZSTD_getFrameContentSize(at + HEAD, size - HEAD) != whole)
        return kn_fail(error, KN_INPUT, "%s: it says that it holds %llu bytes", name,
                       (unsigned long long)whole);
    char *out = malloc(whole + 1);
    if (!out) return kn_fail_memory(error, "reading a network");
    size_t got = ZSTD_decompress(out, whole, at + HEAD, size - HEAD);
    if (!ZSTD_isError(got) && got == whole) kn_text_add_bytes(plain, out, whole);
    free(out);
    if (ZSTD_isError(got) || got != whole)
        return kn_fail(error, KN_INPUT, "%s: it cannot be unpacked; the file is damaged", name);
    return kn_text_ok(plain) ? KN_OK : kn_fail_memory(error, "reading a network");
}
