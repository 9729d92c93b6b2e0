/* The engine's side of the NBoard protocol: whatever the lines, it comes to its end, and all it says are
 * lines that it may say. */
#include "fuzz/dialogue.h"

#include "protocols/nboard_engine.h"

static KnStatus serve(int in, FILE *out, KnError *error)
{
    return kn_nboard_serve(fuzz_context(), "random", 1, in, out, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const known[] = {"set myname Knack ", "status", "pong ",     "nodestats ",
                                        "search ",           "=== ",   "learned\n", "analysis "};
    if (size <= 2048) fuzz_dialogue(bytes, size, serve, known, sizeof known / sizeof *known);
    return 0;
}
