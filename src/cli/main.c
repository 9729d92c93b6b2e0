/* Finds the subcommand and lets it run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "knack.h"

const Command cli_commands[] = {
    {"games", "the games, with their options", command_games},
    {"players", "the players, with their options", command_players},
    {"methods", "which methods run on which games", command_methods},
    {"perft", "count the tree of a game", command_perft},
    {"play", "play a game in the terminal", command_play},
    {"explain", "a player's move in a position, and its reasons", command_explain},
    {"match", "two players, many games, one answer with its error", command_match},
    {"tournament", "a round robin with a cross table and ratings", command_tournament},
    {"openings", "make openings for matches and training", command_openings},
    {"runs", "stored runs: list, show, export, delete", command_runs},
    {"train", "run a learner, and write what it learned to a file", command_train},
    {"base", "experience bases: stat, check, dump, merge, compact, import, export", command_base},
    {"solve", "the exact value of a game that can be solved", command_solve},
    {"capture", "captures of Go, proved or refuted", command_capture},
    {"tables", "endgame tables: build, list, stat, check, probe", command_tables},
    {"pdn", "replay and check a file of draughts games", command_pdn},
    {"satisfice", "where satisficing agents end up: trials, outcomes, maps", command_satisfice},
    {"gdl", "rule sheets: check, show, trace", command_gdl},
    {"ggp", "play any game on the network, for game managers", command_ggp},
    {"ggp-server", "matches between players of any game on the network", command_ggp_server},
    {"gtp", "be an engine of Go or Othello over GTP", command_gtp},
    {"nboard", "be an engine of Othello for NBoard and its like", command_nboard},
    {"pipe", "be an engine for other programs, in lines", command_pipe},
    {"bench", "the benchmark suite, with a signature", command_bench},
    {"serve", "the workbench page, on this machine", command_serve},
    {"lab", "the papers' tables and figures, measured beside published", command_lab},
    {"man", "a manual page of a command", command_man},
    {"complete", "completion for bash and fish", command_complete},
    {0},
};

static void print_help(FILE *out)
{
    fputs("Usage: knack COMMAND [ARGUMENT...]\n"
          "Programs that acquire the knack of a game: play, match, solve, and regenerate published "
          "results.\n\n",
          out);
    for (const Command *command = cli_commands; command->name; command++)
        fprintf(out, "  %-11s %s\n", command->name, command->summary);
    fputs("\n`knack COMMAND --help` explains a command, with examples. Exit codes: 0 done, 1 a negative "
          "answer,\n"
          "2 wrong usage, 3 bad input, 4 system error.\n",
          out);
}

int cli_run(int argc, char **argv)
{
    argp_err_exit_status = KN_USAGE;
    setenv("ARGP_HELP_FMT", "rmargin=110", 0); /* examples keep to their lines */
    if (argc < 2) {
        print_help(stderr);
        return KN_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return cli_finish();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("knack %s\n", kn_version());
        return cli_finish();
    }
    for (const Command *command = cli_commands; command->name; command++) {
        if (strcmp(command->name, argv[1]) != 0) continue;
        char name[64];
        snprintf(name, sizeof name, "knack %s", command->name);
        argv[1] = name;
        return command->run(argc - 1, argv + 1);
    }
    fprintf(stderr, "knack: there is no command \"%s\"; known:", argv[1]);
    for (const Command *command = cli_commands; command->name; command++)
        fprintf(stderr, " %s", command->name);
    fputs("\n", stderr);
    return KN_USAGE;
}
