/* Shared by the files of `knack satisfice`. */
#ifndef KNACK_CLI_SATISFICE_H
#define KNACK_CLI_SATISFICE_H

#include "cli/cli.h"
#include "methods/satisficing/trials.h"

enum { SATISFICE_WORDS = 64 };

typedef struct SatisficeArguments {
    CliCommon common;
    KnTrialPlan plan;
    uint64_t index;
    uint32_t show;
    KnOutcomeMapAxis x, y;
    int size;
    bool csv;
    const char *svg;
    const char *words[SATISFICE_WORDS];
    size_t word_count;
} SatisficeArguments;

/* Parses the words into a->plan; a non-zero return is the exit code. */
int satisfice_deal(SatisficeArguments *a);

extern const char satisfice_trial_doc[];
int satisfice_trial(SatisficeArguments *a);

#endif
