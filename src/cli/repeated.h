/* Tournaments of repeated games: options and the call for cmd_tournament.c. */
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
    const char *given; /* one of these options that was given; NULL: none */
} CliRepeated;

/* The argp child parser; its input is a CliRepeated. */
extern const struct argp cli_repeated_argp;

/* Adds the strategies of --all and --all-deterministic, as far as there is room. */
size_t cli_repeated_names(const CliRepeated *repeated, const char **names, size_t room);

/* Plays and prints; returns the exit code. */
int cli_repeated_run(const KnContext *context, const CliCommon *common, CliRepeated *repeated, bool keep);

#endif
