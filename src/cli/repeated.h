/* Tournaments of repeated games on the command line: their options, and what cmd_tournament.c calls when the
 * game is one. */
#ifndef KNACK_CLI_REPEATED_H
#define KNACK_CLI_REPEATED_H

#include "arena/repeated.h"
#include "cli/cli.h"

typedef struct CliRepeated {
    KnRepeatedPlan plan; /* seed, jobs, game and players are filled in by the command */
    bool all_deterministic, all;
    bool csv;
    uint64_t generations; /* of the ecology; 0: none */
    uint64_t runs;        /* of the Moran process; 0: none */
    uint64_t population;  /* 0: four of each */
    const char *graph;
    const char *given; /* an option of these that was given; NULL: none was */
} CliRepeated;

/* The child parser; give it a CliRepeated as input. */
extern const struct argp cli_repeated_argp;

/* Adds the strategies that --all and --all-deterministic stand for, as far as there is room. */
size_t cli_repeated_names(const CliRepeated *repeated, const char **names, size_t room);

/* Plays and prints; returns the exit code. */
int cli_repeated_run(const KnContext *context, const CliCommon *common, CliRepeated *repeated, bool keep);

#endif
