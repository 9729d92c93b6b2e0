/* The engine's side of the NBoard protocol: whatever the lines, it comes to its end, and all it says are lines that it may say. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "games/game.h"
#include "players/player.h"
#include "servers/nboard.h"

static KnContext *context_once(void)
{
    static KnContext *context;
    KnError error;
    if (!context) {
        context = kn_context_new();
        fuzz_must(context && kn_games_register(context, &error) == KN_OK && kn_players_register(context, &error) == KN_OK);
    }
    return context;
}

static void check_line(const char *line)
{
    static const char *const known[] = {"set myname Knack ", "status", "pong ", "nodestats ", "search ", "=== ", "learned\n", "analysis "};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(line, known[i], strlen(known[i])) == 0) return;
    fuzz_must(false);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 2048) return 0;
    int in = memfd_create("fuzz", MFD_CLOEXEC);
    char *said = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&said, &length);
    if (in < 0 || !out) return 0;
    fuzz_must(write(in, bytes, size) == (ssize_t)size && lseek(in, 0, SEEK_SET) == 0);
    KnError error;
    fuzz_must(kn_nboard_serve(context_once(), "random", 1, in, out, &error) == KN_OK);
    fclose(out);
    close(in);
    for (const char *line = said; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) check_line(line);
    free(said);
    return 0;
}
