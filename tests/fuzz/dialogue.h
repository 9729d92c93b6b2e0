/* What fuzzers of line protocols and of files have in common: a context made once, the input as a file, and a
 * look at every line of an answer. */
#ifndef KNACK_TESTS_FUZZ_DIALOGUE_H
#define KNACK_TESTS_FUZZ_DIALOGUE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "games/game.h"
#include "players/player.h"

/* With all games and players; it lives as long as the process. */
static inline KnContext *fuzz_context(void)
{
    static KnContext *context;
    KnError error;
    if (!context) {
        context = kn_context_new();
        fuzz_must(context && kn_games_register(context, &error) == KN_OK &&
                  kn_players_register(context, &error) == KN_OK);
    }
    return context;
}

/* A file without a name that holds the bytes, at its beginning; to be closed. -1 if the system has none left.
 */
static inline int fuzz_file(const uint8_t *bytes, size_t size)
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0) return -1;
    fuzz_must(write(file, bytes, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0);
    return file;
}

/* Lets `serve` answer the bytes, which must go well, and looks at what it said. Messages quote what was not
 * understood, up to its first zero byte; each line must begin with one of `known`. */
static inline void fuzz_dialogue(const uint8_t *bytes, size_t size,
                                 KnStatus (*serve)(int in, FILE *out, KnError *error),
                                 const char *const *known, size_t count)
{
    char *said = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&said, &length);
    int in = fuzz_file(bytes, size);
    KnError error;
    if (out && in >= 0) fuzz_must(serve(in, out, &error) == KN_OK);
    if (out) fclose(out);
    if (in >= 0) close(in);
    for (const char *line = said; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        bool may = false;
        for (size_t i = 0; i < count; i++) may = may || strncmp(line, known[i], strlen(known[i])) == 0;
        fuzz_must(may);
    }
    free(said);
}

#endif
