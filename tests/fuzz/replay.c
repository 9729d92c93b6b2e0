/* Stands in for libFuzzer where there is none: feeds every file of a folder to the fuzzer, whole, then cut
 * short and with single bytes changed, the same changes each time. Each input lies in a heap block of just
 * its size, so that the address sanitizer sees a read past its end. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

enum { MOST_BYTES = 1 << 20, CHANGES = 64 };

static void feed(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void feed_variants(uint8_t *bytes, size_t size)
{
    KnRng rng = kn_rng_seeded(size);
    feed(bytes, size);
    for (int i = 0; i < CHANGES && size > 0; i++) {
        size_t place = kn_rng_below(&rng, (uint32_t)size);
        feed(bytes, place);
        uint8_t kept = bytes[place];
        bytes[place] = (uint8_t)kn_rng_next(&rng);
        feed(bytes, size);
        bytes[place] = kept;
    }
}

int main(int argc, char **argv)
{
    static uint8_t bytes[MOST_BYTES];
    if (argc != 2) return fprintf(stderr, "usage: %s FOLDER\n", argv[0]), 2;
    struct dirent **entries;
    int count = scandir(argv[1], &entries, NULL, alphasort), fed = 0;
    if (count < 0) return perror(argv[1]), 1;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
        FILE *file = entries[i]->d_type == DT_DIR ? NULL : fopen(path, "rb");
        free(entries[i]);
        if (!file) continue;
        printf("%s\n", path);
        fflush(stdout);
        feed_variants(bytes, fread(bytes, 1, sizeof bytes, file));
        fclose(file);
        fed++;
    }
    free(entries);
    feed(bytes, 0);
    printf("%d seeds fed\n", fed);
    return fed ? 0 : 1;
}
