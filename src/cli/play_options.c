/* Options for how games are played, shared by match and tournament. */
#include "cli/play_options.h"

#include "cli/cli.h"

enum {
    KEY_SEED = 0x200,
    KEY_OPENINGS,
    KEY_RANDOM,
    KEY_JUDGE,
    KEY_DEPTH,
    KEY_NODES,
    KEY_TIME,
    KEY_LIMIT,
    KEY_TABLES,
    KEY_RESUME
};

static const struct argp_option options[] = {
    {"games", 'n', "N", 0, "Play N games for each pairing (default 100)", 1},
    {"jobs", 'j', "N", 0, "Use N threads (default: all cores); the result does not depend on N", 1},
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 1},
    {"openings", KEY_OPENINGS, "FILE", 0,
     "Read openings from FILE, one on each line: moves or a position; both players start from each", 1},
    {"random-plies", KEY_RANDOM, "N", 0, "Start with N random moves, the same for both sides", 1},
    {"plies", 'p', "N", 0, "End a game after N plies", 1},
    {"judge", KEY_JUDGE, "LEAD", 0, "At the limit of plies, a material lead of LEAD wins (default: a draw)",
     1},
    {"tables", KEY_TABLES, "DIR|on", 0,
     "End a game at its value in the endgame tables of DIR (on: those of the data folder)", 1},
    {"resume", KEY_RESUME, 0, 0,
     "Continue the last stored run although an engine's command does not show all that it runs", 1},
    {"depth", KEY_DEPTH, "N", 0, "Limit the depth of every move to N plies", 2},
    {"nodes", KEY_NODES, "N", 0, "Limit every move to N positions", 2},
    {"time", KEY_TIME, "SECONDS", 0, "Limit every move to SECONDS; the result is then nondeterministic", 2},
    {"forfeit-after", KEY_LIMIT, "SECONDS", 0, "A move that takes longer than SECONDS loses the game", 2},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    KnMatchPlan *plan = state->input;
    switch (key) {
    case 'n':
        plan->games = cli_parse_count(state, "--games", arg, 1, UINT32_MAX);
        return 0;
    case 'j':
        plan->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_SEED:
        plan->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_OPENINGS:
        plan->openings = arg;
        return 0;
    case KEY_RANDOM:
        plan->random_plies = (int)cli_parse_count(state, "--random-plies", arg, 0, 1000);
        return 0;
    case 'p':
        plan->rules.ply_limit = cli_parse_count(state, "--plies", arg, 1, 1000000);
        return 0;
    case KEY_JUDGE:
        plan->rules.judge = cli_parse_real(state, "--judge", arg, 0, 1e9);
        return 0;
    case KEY_TABLES:
        plan->tables = arg;
        return 0;
    case KEY_RESUME:
        plan->resume = true;
        return 0;
    case KEY_DEPTH:
        plan->rules.budget.depth = (int)cli_parse_count(state, "--depth", arg, 1, 200);
        return 0;
    case KEY_NODES:
        plan->rules.budget.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX);
        return 0;
    case KEY_TIME:
        plan->rules.budget.seconds = cli_parse_real(state, "--time", arg, 1e-4, 1e6);
        return 0;
    case KEY_LIMIT:
        plan->rules.move_limit = cli_parse_real(state, "--forfeit-after", arg, 1e-4, 1e6);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp_child cli_play_options[] = {{&argp, 0, NULL, 0}, {&cli_common_argp, 0, NULL, 0}, {0}};
