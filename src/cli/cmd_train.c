/* knack train: runs a learner. Each method has options of its own; this finds it. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/train.h"

const Command cli_train_parts[] = {
    {"allocation", "when a deep search is worth it (Markovitch & Sella 1996)", train_allocation},
    {"td", "the weights of an evaluation, by temporal differences (Schaeffer, Hlynka & Jussila 2001)",
     train_td},
    {"experience", "what came of every position met, in a base (De Jong & Schultz 1988)", train_experience},
    {"regress", "the same weights, fitted to the outcomes of games", train_regress},
    {"sequences", "sequences of moves with their contexts, by watching experts (Lock 2003)", train_sequences},
    {"hoyle", "Advisors, sequences and what else is learned by watching contests (Lock 2003)", train_hoyle},
    {0},
};

static void print_help(FILE *out)
{
    fputs("Usage: knack train METHOD GAME [OPTION...] --out FILE\n"
          "Learns something about a game by playing it, and writes it to a file that players read.\n\n",
          out);
    for (const Command *method = cli_train_parts; method->name; method++)
        fprintf(out, "  %-11s %s\n", method->name, method->summary);
    fputs("\n`knack train METHOD --help` explains a method, with examples. Methods that make courses (--into "
          "DIR) take --sweep NAME=VALUE,...: a course for\n"
          "each setting of the method's option NAME, one table and one picture of where they end; several "
          "make a grid.\n",
          out);
}

int command_train(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return KN_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return cli_finish();
    }
    for (const Command *method = cli_train_parts; method->name; method++) {
        if (strcmp(method->name, argv[1]) != 0) continue;
        char name[64];
        snprintf(name, sizeof name, "knack train %s", method->name);
        argv[1] = name;
        return train_sweeps(argc - 1, argv + 1) ? train_sweep(method, argc - 1, argv + 1)
                                                : train_run(method, argc - 1, argv + 1);
    }
    fprintf(stderr, "knack train: there is no method \"%s\"; known:", argv[1]);
    for (const Command *method = cli_train_parts; method->name; method++)
        fprintf(stderr, " %s", method->name);
    fputs("\n", stderr);
    return KN_USAGE;
}
