/* The entry point that libFuzzer calls, and replay.c too. A fuzzer feeds one parser and checks what must hold
 * whatever the bytes: no crash, and what was accepted survives a round trip. __builtin_trap() reports a
 * broken promise. */
#ifndef KNACK_TESTS_FUZZ_H
#define KNACK_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define fuzz_must(condition)                                                                                 \
    do {                                                                                                     \
        if (!(condition)) __builtin_trap();                                                                  \
    } while (0)

#endif
