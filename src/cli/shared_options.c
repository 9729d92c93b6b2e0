#include "cli/shared_options.h"

enum { KEY_SEED = 0x304 };

static error_t parse_game(int key, char *arg, struct argp_state *state)
{
    CliShared *shared = state->input;
    if (key == ARGP_KEY_END && !shared->game) argp_error(state, "give a game");
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    if (shared->game) argp_error(state, "one argument too many: \"%s\"", arg);
    shared->game = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    CliShared *shared = state->input;
    switch (key) {
    case 'o':
        shared->out = arg;
        return 0;
    case KEY_SEED:
        shared->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case 'j':
        shared->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option out_options[] = {
    {"out", 'o', "FILE", 0, "Write the openings to FILE (default: standard output)", 1}, {0}};
static const struct argp_option seed_options[] = {
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 9}, {0}};
static const struct argp_option jobs_options[] = {
    {"jobs", 'j', "N", 0, "Use N threads (default: all cores); the result does not depend on N", 9}, {0}};

const struct argp cli_game_argp = {NULL, parse_game, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_out_argp = {out_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_seed_argp = {seed_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_jobs_argp = {jobs_options, parse, NULL, NULL, NULL, NULL, NULL};

void cli_share(struct argp_state *state, const struct argp_child *children, CliShared *shared,
               CliCommon *common)
{
    *shared = (CliShared){.seed = 1};
    for (int i = 0; children[i].argp; i++)
        state->child_inputs[i] = children[i].argp == &cli_common_argp ? (void *)common : shared;
}
