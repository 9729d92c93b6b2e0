/* knack tournament: a round robin with a cross table and ratings. */
#include <stdio.h>
#include <string.h>

#include "arena/tournament.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/contest_options.h"

enum { PLAYERS_MAX = 256, KEY_NO_STORE = 0x100 };

typedef struct Arguments {
    CliCommon common;
    KnTournamentPlan plan;
    const char *players[PLAYERS_MAX];
    bool no_store;
} Arguments;

static const struct argp_option options[] = {{"no-store", KEY_NO_STORE, 0, 0, "Keep nothing", 3}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->plan.match;
        state->child_inputs[1] = &arguments->common;
        return 0;
    case KEY_NO_STORE: arguments->no_store = true; return 0;
    case ARGP_KEY_ARG:
        if (!arguments->plan.match.game) arguments->plan.match.game = arg;
        else if (arguments->plan.player_count == PLAYERS_MAX) argp_error(state, "at most %d players", PLAYERS_MAX);
        else arguments->players[arguments->plan.player_count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (arguments->plan.player_count < 2) argp_error(state, "a game and at least two players are wanted");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Lets every pair of players play a match, and rates them.\v"
                          "Each pairing is stored as a match of its own: the same command resumes, and a larger tournament reuses "
                          "what it shares with a smaller one.\nExamples:\n"
                          "  knack tournament othello random 'alphabeta(depth=1)' 'alphabeta(depth=3)' --games 40\n"
                          "  knack tournament 'tictactoe(lose)' perfect 'reasonable(0.1)' 'reasonable(0.7)' random";

static void print_table(const KnTournamentPlan *plan, const KnTournament *t)
{
    size_t width = 6;
    for (size_t i = 0; i < t->count; i++)
        if (strlen(plan->players[i]) > width) width = strlen(plan->players[i]);
    printf("%s, %llu games a pairing\n\n    %-*s %8s %7s %9s ", plan->match.game, (unsigned long long)plan->match.games,
           (int)width, "player", "Elo", "+-", "points");
    for (size_t i = 0; i < t->count; i++) printf(" %8zu", i + 1);
    puts("");
    for (size_t place = 0; place < t->count; place++) {
        size_t i = t->order[place];
        double points = 0;
        for (size_t j = 0; j < t->count; j++) points += t->points[i * t->count + j];
        printf("%3zu %-*s %+8.1f %7.1f %9.1f ", place + 1, (int)width, plan->players[i], t->ratings[i].elo, t->ratings[i].error,
               points);
        for (size_t other = 0; other < t->count; other++) {
            size_t j = t->order[other];
            if (i == j) printf(" %8s", "-");
            else printf(" %8.1f", t->points[i * t->count + j]);
        }
        puts("");
    }
    if (t->forfeits) printf("\nFORFEITS: %llu games\n", (unsigned long long)t->forfeits);
    printf("\ndigest %s%s\n", t->digest, t->nondeterministic ? "  (nondeterministic)" : "");
}

int command_tournament(int argc, char **argv)
{
    Arguments arguments = {.plan.match = CLI_MATCH_PLAN};
    const struct argp argp = {options, parse, "GAME PLAYER PLAYER...", doc, cli_contest_options, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnTournamentPlan *plan = &arguments.plan;
    plan->players = arguments.players;
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    plan->match.rules.cancel = cli_interrupt();
    KnError error;
    KnStore *store = NULL;
    KnStatus status = arguments.no_store ? KN_OK : kn_store_open(context, &store, &error);
    KnTournament result = {0};
    if (status == KN_OK) {
        uint64_t pairings = plan->player_count * (plan->player_count - 1) / 2;
        KnProgress *progress = cli_progress(&arguments.common, "tournament", pairings * plan->match.games);
        status = kn_tournament_run(context, plan, store, progress, &result, &error);
        kn_progress_free(progress);
    }
    kn_store_close(store);
    kn_context_free(context);
    if (status != KN_OK) return cli_fail(&error);
    if (arguments.common.json) code = cli_print_json(kn_tournament_json(plan, &result));
    else {
        print_table(plan, &result);
        code = cli_finish();
    }
    kn_tournament_free(&result);
    return code;
}
