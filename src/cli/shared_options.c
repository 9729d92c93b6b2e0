#include "cli/shared_options.h"

enum { KEY_SHOW = 0x300, KEY_LOAD, KEY_INTO, KEY_SEEDS, KEY_SEED };

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
    case KEY_SHOW:
        shared->show = true;
        return 0;
    case KEY_LOAD:
        shared->load = arg;
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

static error_t parse_course(int key, char *arg, struct argp_state *state)
{
    CliShared *shared = state->input;
    switch (key) {
    case KEY_INTO:
        shared->into = arg;
        return 0;
    case KEY_SEEDS:
        shared->seeds = cli_parse_count(state, "--seeds", arg, 1, 1000);
        return 0;
    case ARGP_KEY_END:
        if (shared->seeds && !shared->into) argp_error(state, "--seeds goes with --into");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option out_options[] = {
    {"out", 'o', "FILE", 0, "Write the openings to FILE (default: standard output)", 1}, {0}};
static const struct argp_option show_options[] = {
    {"show", KEY_SHOW, 0, 0, "Print what was learned, for people to read", 1}, {0}};
static const struct argp_option load_options[] = {
    {"load", KEY_LOAD, "FILE", 0, "Learn nothing, take what this file holds (to --show it)", 1}, {0}};
static const struct argp_option course_options[] = {
    {"into", KEY_INTO, "DIR", 0,
     "Make a course in DIR/SEED: step by step, with what is learned and a curve of it (curve.json); "
     "interrupted, the same command goes on",
     1},
    {"seeds", KEY_SEEDS, "N", 0, "With --into: N training runs, with seeds from --seed on (default 1)", 1},
    {0}};
static const struct argp_option seed_options[] = {
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 9}, {0}};
static const struct argp_option jobs_options[] = {
    {"jobs", 'j', "N", 0, "Use N threads (default: all cores); the result does not depend on N", 9}, {0}};

const struct argp cli_game_argp = {NULL, parse_game, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_out_argp = {out_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_show_argp = {show_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_course_argp = {course_options, parse_course, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_seed_argp = {seed_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_jobs_argp = {jobs_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_load_argp = {load_options, parse, NULL, NULL, NULL, NULL, NULL};

void cli_share(struct argp_state *state, const struct argp_child *children, CliShared *shared,
               CliCommon *common)
{
    *shared = (CliShared){.seed = 1};
    for (int i = 0; children[i].argp; i++)
        state->child_inputs[i] = children[i].argp == &cli_common_argp ? (void *)common : shared;
}
