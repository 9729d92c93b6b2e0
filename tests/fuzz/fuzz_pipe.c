/* The engine's side of the pipe protocol: whatever the lines, it comes to its end, and all it says are lines
 * that it may say. */
#include "fuzz/dialogue.h"

#include "protocols/pipe_engine.h"

static KnStatus serve(int in, FILE *out, KnError *error)
{
    return kn_pipe_serve(fuzz_context(), "tictactoe", "random", 1, in, out, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const known[] = {"error ", "id ", "pipeok\n", "readyok\n", "info ", "bestmove "};
    if (size <= 4096) fuzz_dialogue(bytes, size, serve, known, sizeof known / sizeof *known);
    return 0;
}
