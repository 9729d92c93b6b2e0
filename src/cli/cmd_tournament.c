/* knack tournament: a round robin. For board games a cross table with ratings; for repeated matrix games the
 * payoff for each turn (cli/repeated.h), because there wins do not count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/tournament.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/play_options.h"
#include "cli/repeated.h"

enum { PLAYERS_MAX = 256, KEY_NO_STORE = 0x100, KEY_GAUNTLET, KEY_SWISS, KEY_EXPORT };

typedef struct Arguments {
    CliCommon common;
    KnTournamentPlan plan;
    const char *players[PLAYERS_MAX];
    CliRepeated repeated;
    bool no_store;
    const char *export;
} Arguments;

static const struct argp_option options[] = {
    {"gauntlet", KEY_GAUNTLET, "N", OPTION_ARG_OPTIONAL,
     "The first N players (default 1) meet all the others, and not each other", 3},
    {"swiss", KEY_SWISS, "ROUNDS", OPTION_ARG_OPTIONAL,
     "Pair players of nearly equal scores, for ROUNDS rounds (default: log2 of the players)", 3},
    {"export", KEY_EXPORT, "FILE", 0, "Write all games to FILE, as its name ends: .csv, .pdn, .sgf or .ggf",
     3},
    {"no-store", KEY_NO_STORE, 0, 0, "Do not store the games", 3},
    {0}};

static void set_system(KnTournamentPlan *plan, KnTournamentSystem system, struct argp_state *state)
{
    if (plan->system != KN_ROUND_ROBIN && plan->system != system)
        argp_error(state, "a tournament is either a gauntlet or a Swiss one");
    plan->system = system;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->plan.match;
        state->child_inputs[1] = &arguments->common;
        state->child_inputs[2] = &arguments->repeated;
        return 0;
    case KEY_GAUNTLET:
        set_system(&arguments->plan, KN_GAUNTLET, state);
        arguments->plan.challengers = arg ? cli_parse_count(state, "--gauntlet", arg, 1, PLAYERS_MAX) : 1;
        return 0;
    case KEY_SWISS:
        set_system(&arguments->plan, KN_SWISS, state);
        arguments->plan.rounds = arg ? cli_parse_count(state, "--swiss", arg, 1, PLAYERS_MAX) : 0;
        return 0;
    case KEY_EXPORT:
        arguments->export = arg;
        return 0;
    case KEY_NO_STORE:
        arguments->no_store = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->plan.match.game)
            arguments->plan.match.game = arg;
        else if (arguments->plan.player_count == PLAYERS_MAX)
            argp_error(state, "at most %d players", PLAYERS_MAX);
        else if (arg[strspn(arg, "0123456789")] == 0)
            argp_error(
                state,
                "\"%s\" is no player; rounds and challengers are given as --swiss=%s and --gauntlet=%s", arg,
                arg, arg);
        else
            arguments->players[arguments->plan.player_count++] = arg;
        return 0;
    case ARGP_KEY_END:
        arguments->plan.player_count += cli_repeated_names(&arguments->repeated,
                                                           arguments->players + arguments->plan.player_count,
                                                           PLAYERS_MAX - arguments->plan.player_count);
        cli_check_export(state, arguments->export, !arguments->no_store);
        if (arguments->plan.player_count < 2) argp_error(state, "give a game and at least two players");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Play a match between every pair of players, or a gauntlet or Swiss rounds, and rank them.\v"
    "In board games each pairing is stored as a match: the same command resumes it, and a larger tournament "
    "reuses the matches of a smaller one. In repeated matrix games the payoff for each turn counts, and "
    "every player also meets a copy of itself.\n"
    "Examples:\n"
    "  knack tournament othello random 'alphabeta(depth=1)' 'alphabeta(depth=3)' --games 40\n"
    "  knack tournament checkers alphabeta uct random --gauntlet --nodes 2000 --export gauntlet.pdn\n"
    "  knack tournament 'tictactoe(lose)' perfect 'reasonable(0.1)' 'reasonable(0.7)' random\n"
    "  knack tournament dilemma titfortat defector 'memory1(.9,.1,.5,.2)' --noise 0.01\n"
    "  knack tournament dilemma --all-deterministic --turns 200 --csv\n"
    "  knack tournament dilemma --all --repetitions 10 --ecology 500 --moran 100 --graph cycle";

static void print_table(const KnTournamentPlan *plan, const KnTournament *t)
{
    size_t width = 6;
    for (size_t i = 0; i < t->count; i++)
        if (strlen(plan->players[i]) > width) width = strlen(plan->players[i]);
    printf("%s, %llu game%s a pairing\n\n    %-*s %8s %7s %9s ", plan->match.game,
           (unsigned long long)plan->match.games, kn_s(plan->match.games), (int)width, "player", "Elo", "+-",
           "points");
    for (size_t i = 0; i < t->count; i++) printf(" %8zu", i + 1);
    puts("");
    for (size_t place = 0; place < t->count; place++) {
        size_t i = t->order[place];
        double points = 0;
        for (size_t j = 0; j < t->count; j++) points += t->points[i * t->count + j];
        printf("%3zu %-*s %+8.1f %7.1f %9.1f ", place + 1, (int)width, plan->players[i], t->ratings[i].elo,
               t->ratings[i].error, points);
        for (size_t other = 0; other < t->count; other++) {
            size_t j = t->order[other];
            if (i == j || t->games[i * t->count + j] <= 0)
                printf(" %8s", i == j ? "-" : "");
            else
                printf(" %8.1f", t->points[i * t->count + j]);
        }
        puts("");
    }
    if (t->forfeits) printf("\nFORFEITS: %llu game%s\n", (unsigned long long)t->forfeits, kn_s(t->forfeits));
    if (t->repeats[0]) printf("\nREPEATS: %s\n", t->repeats);
    if (t->note[0]) printf("\nNOTE: %s\n", t->note);
    if (t->doubt[0]) printf("\nIDENTITY incomplete: %s\n", t->doubt);
    printf("\ndigest %s%s\n", t->digest, t->nondeterministic ? "  (nondeterministic)" : "");
}

static KnStatus export_games(const KnContext *context, KnStore *store, const KnTournament *t,
                             const char *path, KnError *error)
{
    const char **runs = calloc(t->pairing_count + 1, sizeof *runs);
    if (!runs) return kn_fail_memory(error, "exporting games");
    for (size_t i = 0; i < t->pairing_count; i++) runs[i] = t->pairings[i].run;
    KnStatus status = cli_export_games(context, store, runs, t->pairing_count, path, error);
    free(runs);
    return status;
}

static int run_boards(const KnContext *context, Arguments *arguments)
{
    KnTournamentPlan *plan = &arguments->plan;
    if (!plan->match.games) plan->match.games = CLI_MATCH_PLAN.games;
    plan->match.rules.cancel = cli_interrupt();
    KnError error;
    KnStore *store = NULL;
    KnStatus status = arguments->no_store ? KN_OK
                                          : cli_store_open(&arguments->common, context, &store, &error);
    KnTournament result = {0};
    if (status == KN_OK) {
        uint64_t pairings = kn_tournament_pairings(plan);
        KnProgress *progress = cli_progress(&arguments->common, "tournament", pairings * plan->match.games);
        status = kn_tournament_run(context, plan, store, progress, &result, &error);
        kn_progress_free(progress);
        if (status == KN_OK && arguments->export)
            status = export_games(context, store, &result, arguments->export, &error);
    }
    kn_store_close(store);
    if (status != KN_OK) kn_tournament_free(&result);
    if (status != KN_OK) return cli_fail(&error);
    int code;
    if (arguments->common.json)
        code = cli_print_json(kn_tournament_json(plan, &result));
    else {
        print_table(plan, &result);
        code = cli_finish();
    }
    kn_tournament_free(&result);
    return code;
}

static int run_repeated(const KnContext *context, Arguments *arguments)
{
    const KnMatchPlan *match = &arguments->plan.match;
    KnRepeatedPlan *plan = &arguments->repeated.plan;
    KnError error;
    if (match->games || match->openings || match->random_plies || match->rules.ply_limit ||
        match->rules.judge > 0 || match->rules.budget.depth || match->rules.budget.nodes ||
        match->rules.budget.seconds > 0 || match->rules.move_limit > 0 || match->rules.clock.seconds > 0 ||
        match->rules.clock.increment > 0 || match->rules.adjudication.resign_moves ||
        match->rules.adjudication.draw_moves || arguments->plan.system != KN_ROUND_ROBIN ||
        arguments->export) {
        kn_fail(&error, KN_USAGE,
                "games, openings, plies and limits are for board games; repeated games have --repetitions "
                "and --turns");
        return cli_fail(&error);
    }
    plan->game = match->game;
    plan->seed = match->seed;
    plan->jobs = match->jobs;
    plan->players = arguments->players;
    plan->player_count = arguments->plan.player_count;
    return cli_repeated_run(context, &arguments->common, &arguments->repeated, !arguments->no_store);
}

int command_tournament(int argc, char **argv)
{
    const struct argp_child children[] = {
        cli_play_options[0], cli_play_options[1], {&cli_repeated_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {options, parse, "GAME PLAYER PLAYER...", doc, children, NULL, NULL};
    Arguments arguments = {.plan.match = CLI_MATCH_PLAN};
    arguments.plan.match.games = 0; /* not given */
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    arguments.plan.players = arguments.players;
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game;
    if (kn_game_open(context, arguments.plan.match.game, &game, &error) != KN_OK)
        code = cli_fail(&error);
    else {
        bool repeated = kn_repeated_suits(game);
        kn_game_close(game);
        if (repeated)
            code = run_repeated(context, &arguments);
        else if (arguments.repeated.given) {
            kn_fail(
                &error, KN_USAGE,
                "--%s is for repeated matrix games of two players who could change places, such as dilemma",
                arguments.repeated.given);
            code = cli_fail(&error);
        } else
            code = run_boards(context, &arguments);
    }
    kn_close(context);
    return code;
}
