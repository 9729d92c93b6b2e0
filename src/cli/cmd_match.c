/* knack match: two players, many games. */
#include <stdio.h>
#include <string.h>

#include "arena/match.h"
#include "cli/cli.h"
#include "cli/commands.h"

typedef struct Arguments {
    CliCommon common;
    KnMatchPlan plan;
    bool no_store;
    int given;
} Arguments;

enum { KEY_SEED = 0x100, KEY_OPENINGS, KEY_RANDOM, KEY_JUDGE, KEY_DEPTH, KEY_NODES, KEY_TIME, KEY_LIMIT, KEY_SPRT, KEY_NAME,
       KEY_NO_STORE };

static const struct argp_option options[] = {
    {"games", 'n', "N", 0, "Number of games (default 100)", 1},
    {"jobs", 'j', "N", 0, "Threads (default: all cores); the result does not depend on it", 1},
    {"seed", KEY_SEED, "S", 0, "Seed of all chance (default 1)", 1},
    {"openings", KEY_OPENINGS, "FILE", 0, "Openings, a line each: moves, or a position; each is played from both sides", 1},
    {"random-plies", KEY_RANDOM, "N", 0, "Begin with N random moves, the same from both sides", 1},
    {"plies", 'p', "N", 0, "End a contest after N plies", 1},
    {"judge", KEY_JUDGE, "LEAD", 0, "At the ply limit a material lead of LEAD wins (default: a draw)", 1},
    {"depth", KEY_DEPTH, "N", 0, "Depth limit for every move of both players", 2},
    {"nodes", KEY_NODES, "N", 0, "Node limit for every move of both players", 2},
    {"time", KEY_TIME, "SECONDS", 0, "Time limit for every move; makes the match nondeterministic", 2},
    {"forfeit-after", KEY_LIMIT, "SECONDS", 0, "A move that takes longer loses the game", 2},
    {"sprt", KEY_SPRT, "ELO0,ELO1", 0, "Stop as soon as one of these differences is accepted (alpha = beta = .05)", 3},
    {"name", KEY_NAME, "RUN", 0, "Name of the run in the results store", 3},
    {"no-store", KEY_NO_STORE, 0, 0, "Keep nothing", 3},
    {0}};

static void parse_sprt(Arguments *arguments, const char *text, struct argp_state *state)
{
    KnMatchPlan *plan = &arguments->plan;
    int used = 0;
    if (sscanf(text, "%lf,%lf%n", &plan->elo0, &plan->elo1, &used) != 2 || text[used])
        argp_error(state, "--sprt wants two Elo differences such as 0,10, not \"%s\"", text);
    plan->sprt = true;
    plan->alpha = plan->beta = 0.05;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    KnMatchPlan *plan = &arguments->plan;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &arguments->common; return 0;
    case 'n': plan->games = cli_parse_count(state, "--games", arg, 1, UINT32_MAX); return 0;
    case 'j': plan->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024); return 0;
    case KEY_SEED: plan->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX); return 0;
    case KEY_OPENINGS: plan->openings = arg; return 0;
    case KEY_RANDOM: plan->random_plies = (int)cli_parse_count(state, "--random-plies", arg, 0, 1000); return 0;
    case 'p': plan->rules.ply_limit = cli_parse_count(state, "--plies", arg, 1, 1000000); return 0;
    case KEY_JUDGE: plan->rules.judge = cli_parse_real(state, "--judge", arg, 0, 1e9); return 0;
    case KEY_DEPTH: plan->rules.budget.depth = (int)cli_parse_count(state, "--depth", arg, 1, 200); return 0;
    case KEY_NODES: plan->rules.budget.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX); return 0;
    case KEY_TIME: plan->rules.budget.seconds = cli_parse_real(state, "--time", arg, 1e-4, 1e6); return 0;
    case KEY_LIMIT: plan->rules.move_limit = cli_parse_real(state, "--forfeit-after", arg, 1e-4, 1e6); return 0;
    case KEY_SPRT: parse_sprt(arguments, arg, state); return 0;
    case KEY_NAME: plan->name = arg; return 0;
    case KEY_NO_STORE: arguments->no_store = true; return 0;
    case ARGP_KEY_ARG:
        if (arguments->given == 3) argp_error(state, "one argument too many: \"%s\"", arg);
        if (arguments->given == 0) plan->game = arg;
        else plan->players[arguments->given - 1] = arg;
        arguments->given++;
        return 0;
    case ARGP_KEY_END:
        if (arguments->given < 3) argp_error(state, "a game and two players are wanted");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Plays a match and tells who is better, with the error.\v"
    "Sides alternate, every opening is played from both, and the same seed gives the same games for any --jobs. "
    "Finished games are stored as they come: the same command resumes an interrupted match, and with more --games it goes "
    "on. Examples:\n"
    "  knack match tictactoe random random --games 1000\n"
    "  knack match checkers 'alphabeta(depth=4)' 'alphabeta(depth=2)' --random-plies 4\n"
    "  knack match othello 'alphabeta(depth=3)' 'uct(playouts=500)' --sprt 0,30 --games 20000";

static void print_result(const KnMatchPlan *plan, const KnMatchResult *result)
{
    const KnStanding *s = &result->standing;
    KnInterval interval = kn_standing_interval(s);
    KnElo elo = kn_standing_elo(s);
    char digest[KN_HEX128];
    kn_digest_hex(&s->digest, digest);
    printf("%s: %s against %s\n", plan->game, plan->players[0], plan->players[1]);
    printf("  games    %llu: %llu won, %llu drawn, %llu lost\n", (unsigned long long)s->games, (unsigned long long)s->wins,
           (unsigned long long)s->draws, (unsigned long long)s->losses);
    printf("  score    %.4f  [%.4f, %.4f]  (95%%, Wilson)\n", kn_standing_score(s), interval.low, interval.high);
    printf("  Elo      %+.1f  [%+.1f, %+.1f]\n", elo.elo, elo.low, elo.high);
    for (int seat = 0; seat < 2; seat++)
        printf("  %s  %llu won, %llu drawn, %llu lost\n", seat ? "second " : "first  ", (unsigned long long)s->by_seat[seat][0],
               (unsigned long long)s->by_seat[seat][1], (unsigned long long)s->by_seat[seat][2]);
    printf("  pairs    %llu %llu %llu %llu %llu  (scores 0, 1/2, 1, 3/2, 2)\n", (unsigned long long)s->pairs[0],
           (unsigned long long)s->pairs[1], (unsigned long long)s->pairs[2], (unsigned long long)s->pairs[3],
           (unsigned long long)s->pairs[4]);
    if (plan->sprt)
        printf("  SPRT     %s (LLR %.2f, bounds %.2f and %.2f) for %+.1f against %+.1f Elo\n",
               kn_sprt_state_name(result->sprt.state), result->sprt.llr, result->sprt.lower, result->sprt.upper, plan->elo0,
               plan->elo1);
    printf("  nodes    %llu and %llu, %.2f and %.2f s of processor time\n", (unsigned long long)s->cost[0].nodes,
           (unsigned long long)s->cost[1].nodes, s->cost[0].seconds, s->cost[1].seconds);
    for (int p = 0; p < 2; p++)
        if (s->forfeits[p]) printf("  FORFEITS %llu by %s\n", (unsigned long long)s->forfeits[p], plan->players[p]);
    if (result->first_fault[0]) printf("           first: %s\n", result->first_fault);
    printf("  digest   %s%s\n", digest, result->nondeterministic ? "  (nondeterministic)" : "");
    if (result->run_name[0]) printf("  run      %s%s\n", result->run_name, result->resumed ? " (resumed)" : "");
    printf("  time     %.2f s\n", result->seconds);
}

int command_match(int argc, char **argv)
{
    Arguments arguments = {.plan = {.games = 100, .seed = 1}};
    const struct argp argp = {options, parse, "GAME PLAYER PLAYER", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnMatchPlan *plan = &arguments.plan;
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    plan->rules.cancel = cli_interrupt();
    KnError error;
    KnStore *store = NULL;
    KnStatus status = arguments.no_store ? KN_OK : kn_store_open(context, &store, &error);
    KnMatchResult result;
    if (status == KN_OK) {
        KnProgress *progress = cli_progress(&arguments.common, "match", plan->games);
        status = kn_match_run(context, plan, store, progress, &result, &error);
        kn_progress_free(progress);
    }
    kn_store_close(store);
    kn_context_free(context);
    if (status != KN_OK) return cli_fail(&error);
    if (arguments.common.json) return cli_print_json(kn_match_json(plan, &result));
    print_result(plan, &result);
    return cli_finish();
}
