/* The engine's side of GTP: whatever the lines, it comes to its end, and every answer begins with = or ? and
 * ends with an empty line. */
#include "fuzz/dialogue.h"

#include "protocols/gtp_engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2 || size > 1024) return 0;
    char *said = NULL;
    size_t length = 0;
    FILE *in = fmemopen((void *)(uintptr_t)(bytes + 1), size - 1, "r"), *out = open_memstream(&said, &length);
    if (!in || !out) return 0;
    KnError error;
    fuzz_must(kn_gtp_serve(fuzz_context(), bytes[0] & 1 ? "go(3)" : "othello(4)", "random", 1, in, out,
                           &error) == KN_OK);
    fclose(out);
    fclose(in);
    fuzz_must(length == 0 ||
              (strchr("=?", said[0]) && length >= 2 && memcmp(said + length - 2, "\n\n", 2) == 0));
    free(said);
    return 0;
}
