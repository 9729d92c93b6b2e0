/* Finds the subcommand and lets it run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/run.h"
#include <knack/base.h>

const Command cli_commands[] = {
    {"tour", "see what Knack is and does, in a minute", command_tour},
    {"games", "list the games, or show one with its options", command_games},
    {"players", "list the players, or show one with its options", command_players},
    {"methods", "show which methods run on which games", command_methods},
    {"perft", "count the positions of a game tree", command_perft},
    {"play", "play a game in the terminal", command_play},
    {"explain", "choose a move in a position and explain it", command_explain},
    {"analyse", "judge the moves of a game from a file, and find where it turned", command_analyse},
    {"match", "play many games between two players and print the score with its interval", command_match},
    {"tournament", "play a round robin, a gauntlet or Swiss rounds, with a cross table and ratings",
     command_tournament},
    {"openings", "make openings for matches and training", command_openings},
    {"runs", "list, show, export or delete stored runs", command_runs},
    {"train", "run a learner and save what it learned", command_train},
    {"base", "inspect, merge, import and export experience bases", command_base},
    {"solve", "compute the exact value of a game that can be solved", command_solve},
    {"capture", "prove or refute Go capture problems", command_capture},
    {"tables", "build, check and probe endgame tables", command_tables},
    {"pdn", "replay and check a file of checkers games", command_pdn},
    {"satisfice", "compute where satisficing agents end: trials, outcomes, maps", command_satisfice},
    {"gdl", "check, show and trace game descriptions", command_gdl},
    {"ggp", "play any game on the network for a game manager", command_ggp},
    {"ggp-server", "manage matches of general game players on the network", command_ggp_server},
    {"gtp", "serve as a Go or Othello engine over GTP", command_gtp},
    {"nboard", "serve as an Othello engine for NBoard", command_nboard},
    {"pipe", "serve as an engine for any game over a line protocol", command_pipe},
    {"bench", "run the benchmark suite and print its signature", command_bench},
    {"serve", "serve the page for your browser", command_serve},
    {"lab", "measure the papers' tables and figures again", command_lab},
    {"example", "list example programs, or print one to change it", command_example},
    {"man", "print the manual page of a command", command_man},
    {"complete", "print completion scripts for shells", command_complete},
    {0},
};

static void print_help(FILE *out)
{
    fputs("Usage: knack COMMAND [ARGUMENT...]\n"
          "A workbench for programs that learn games: play, train, compare and explain them.\n"
          "\n",
          out);
    for (const Command *command = cli_commands; command->name; command++)
        fprintf(out, "  %-11s %s\n", command->name, command->summary);
    fputs("\n"
          "`knack help COMMAND` explains a command with examples. Exit codes: 0 done, 1 negative answer,\n"
          "2 wrong usage, 3 bad input, 4 system error.\n",
          out);
}

/* `knack` alone. */
static const char first_steps[] =
    "Knack is a workbench for programs that learn games. Five things to try:\n"
    "  knack tour                                see what it does, in a minute\n"
    "  knack serve                               open the page: play, watch, learn, measure\n"
    "  knack play othello                        play in the terminal\n"
    "  knack explain checkers start alphabeta    ask for a move and the reasons\n"
    "  knack train experience othello --out mine.mdb   train a player\n"
    "`knack help` lists every command.\n";

/* A board of Othello, as Knack prints it, begins with - where its first square is empty, and would be taken
 * for options. Empty squares may be written as points, too. */
static void keep_boards(int argc, char **argv)
{
    enum { SQUARES_LEAST = 16 };
    for (int i = 2; i < argc; i++) {
        size_t squares = strspn(argv[i], "-XO");
        if (argv[i][0] == '-' && squares >= SQUARES_LEAST && (!argv[i][squares] || argv[i][squares] == ' '))
            argv[i][0] = '.';
    }
}

/* Runs the command argv[1] with the words after it. */
static int run_command(int argc, char **argv)
{
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

/* `knack help train td` is `knack train td --help`. */
static int help(int argc, char **argv)
{
    enum { WORDS = 4 };
    char option[] = "--help", *words[WORDS + 3] = {argv[0]};
    int count = 1;
    for (int i = 2; i < argc && count <= WORDS; i++) words[count++] = argv[i];
    words[count++] = option;
    return run_command(count, words);
}

int cli_run(int argc, char **argv)
{
    argp_err_exit_status = KN_USAGE;
    setenv("ARGP_HELP_FMT", "rmargin=110", 0); /* examples keep their lines */
    if (argc < 2) {
        fputs(first_steps, stderr);
        return KN_USAGE;
    }
    bool helps = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "-h") == 0;
    if (helps && argc > 2) return help(argc, argv);
    if (helps) {
        print_help(stdout);
        return cli_finish();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("knack %s\n", kn_version());
        return cli_finish();
    }
    keep_boards(argc, argv);
    return run_command(argc, argv);
}
