/* The subcommands: a row each, here and in main.c. */
#ifndef KNACK_CLI_COMMANDS_H
#define KNACK_CLI_COMMANDS_H

int command_analyse(int argc, char **argv);
int command_base(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_example(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_games(int argc, char **argv);
int command_gdl(int argc, char **argv);
int command_ggp(int argc, char **argv);
int command_ggp_server(int argc, char **argv);
int command_lab(int argc, char **argv);
int command_match(int argc, char **argv);
int command_methods(int argc, char **argv);
int command_nboard(int argc, char **argv);
int command_pdn(int argc, char **argv);
int command_perft(int argc, char **argv);
int command_gtp(int argc, char **argv);
int command_pipe(int argc, char **argv);
int command_man(int argc, char **argv);
int command_complete(int argc, char **argv);
int command_play(int argc, char **argv);
int command_players(int argc, char **argv);
int command_openings(int argc, char **argv);
int command_runs(int argc, char **argv);
int command_satisfice(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_capture(int argc, char **argv);
int command_tables(int argc, char **argv);
int command_tournament(int argc, char **argv);
int command_tour(int argc, char **argv);
int command_train(int argc, char **argv);

#endif
