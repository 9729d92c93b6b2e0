/* Options for how games are played, as a child parser together with the common options. In ARGP_KEY_INIT give
 * the first a KnMatchPlan and the second a CliCommon: state->child_inputs[0] = &mine->plan;
 *     state->child_inputs[1] = &mine->common; */
#ifndef KNACK_CLI_PLAY_OPTIONS_H
#define KNACK_CLI_PLAY_OPTIONS_H

#include <argp.h>

#include "arena/match.h"

extern const struct argp_child cli_play_options[];

/* Games 100, seed 1. */
#define CLI_MATCH_PLAN ((KnMatchPlan){.games = 100, .seed = 1})

#endif
