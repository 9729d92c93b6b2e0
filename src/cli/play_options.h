/* Options for how games are played, as a child parser together with the common options. In ARGP_KEY_INIT give
 * the first a KnMatchPlan and the second a CliCommon: state->child_inputs[0] = &mine->plan;
 *     state->child_inputs[1] = &mine->common; */
#ifndef KNACK_CLI_PLAY_OPTIONS_H
#define KNACK_CLI_PLAY_OPTIONS_H

#include <argp.h>

#include "arena/match.h"

extern const struct argp_child cli_play_options[];

/* Writes all games of stored runs to a file, in the format that its name ends in: csv, pdn, sgf or ggf. */
KnStatus cli_export_games(const KnContext *context, KnStore *store, const char *const *runs, size_t count,
                          const char *path, KnError *error);

/* --export needs a store and a known ending; ends the program with a message where it has not. */
void cli_check_export(struct argp_state *state, const char *path, bool store);

/* Games 100, seed 1. */
#define CLI_MATCH_PLAN ((KnMatchPlan){.games = 100, .seed = 1})

#endif
