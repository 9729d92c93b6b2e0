/* Quoting: whatever goes in, what comes out is one quoted string without a bare quote or control character. */
#include "fuzz/fuzz.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText in = KN_TEXT_EMPTY, out = KN_TEXT_EMPTY;
    kn_text_add_bytes(&in, bytes, size);
    kn_text_add_quoted(&out, in.data);
    if (kn_text_ok(&in) && kn_text_ok(&out)) {
        fuzz_must(out.length >= 2 && out.data[0] == '"' && out.data[out.length - 1] == '"');
        for (size_t i = 1; i + 1 < out.length; i++) {
            fuzz_must((unsigned char)out.data[i] >= ' ' && out.data[i] != '"');
            if (out.data[i] == '\\') fuzz_must(++i + 1 < out.length);
        }
    }
    kn_text_free(&in);
    kn_text_free(&out);
    return 0;
}
