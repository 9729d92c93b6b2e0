/* knack train regress: fits the weights of an evaluation to the outcomes of games. */
#include <stdio.h>

#include "arena/td.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/train.h"

typedef struct Arguments {
    CliCommon common;
    CliShared shared;
    KnTdPlan plan;
    double ridge;
} Arguments;

enum {
    KEY_GAMES = 0x100,
    KEY_START,
    KEY_TERMS,
    KEY_OPENINGS,
    KEY_RANDOM,
    KEY_TABLES,
    KEY_PLIES,
    KEY_SCALE,
    KEY_RIDGE
};

static const struct argp_option options[] = {
    {"games", KEY_GAMES, "N", 0, "Games that the search plays against itself (default 2000)", 2},
    {"depth", 'd', "N", 0, "Its depth (default 5)", 2},
    {"start", KEY_START, "NAME|FILE", 0,
     "The weights it plays with, and from which the fit starts (default zero)", 2},
    {"terms", KEY_TERMS, "NAME", 0, "Which terms: a set that the game has, or features (default: the first)",
     2},
    {"openings", KEY_OPENINGS, "FILE", 0, "Openings, a line each", 2},
    {"random-plies", KEY_RANDOM, "N", 0, "Random moves before the search takes over (default 4)", 2},
    {"tables", KEY_TABLES, "DIR", 0, "Endgame tables, on for those of the data folder, that end games", 2},
    {"plies", KEY_PLIES, "N", 0, "A game of so many plies is a draw (default 400)", 2},
    {"scale", KEY_SCALE, "S", 0, "An outcome is predicted as tanh(score / S) (default 100)", 3},
    {"ridge", KEY_RIDGE, "R", 0, "What draws weights to 0 (default .005)", 3},
    {0}};

static const struct argp_child children[] = {CLI_SHARES(cli_game_argp),
                                             CLI_SHARES(cli_out_argp),
                                             CLI_SHARES(cli_show_argp),
                                             CLI_SHARES(cli_seed_argp),
                                             CLI_SHARES(cli_jobs_argp),
                                             CLI_SHARES(cli_common_argp),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    KnTdPlan *p = &a->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case 'd':
        p->depths[0] = (int)cli_parse_count(state, "--depth", arg, 1, 100);
        return 0;
    case KEY_GAMES:
        p->games = cli_parse_count(state, "--games", arg, 1, 10000000);
        return 0;
    case KEY_START:
        p->start = arg;
        return 0;
    case KEY_TERMS:
        p->terms = arg;
        return 0;
    case KEY_OPENINGS:
        p->openings = arg;
        return 0;
    case KEY_RANDOM:
        p->random_plies = (int)cli_parse_count(state, "--random-plies", arg, 0, 1000);
        return 0;
    case KEY_TABLES:
        p->tables = arg;
        return 0;
    case KEY_PLIES:
        p->ply_limit = (size_t)cli_parse_count(state, "--plies", arg, 1, 100000);
        return 0;
    case KEY_SCALE:
        p->rule.scale = cli_parse_real(state, "--scale", arg, 1e-3, 1e9);
        return 0;
    case KEY_RIDGE:
        a->ridge = cli_parse_real(state, "--ridge", arg, 1e-12, 1e12);
        return 0;
    case ARGP_KEY_END:
        p->seed = a->shared.seed;
        p->jobs = a->shared.jobs;
        if (!a->shared.out && !a->shared.show) argp_error(state, "--out FILE or --show is wanted");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Fits the weights of an evaluation's terms to the outcomes of games that a search plays against itself, "
    "phase by phase, by least squares.\v"
    "Terms are those at the leaves of the principal variations, so that nothing hangs. Players use the file "
    "as eval=features(weights=FILE).\n"
    "Examples:\n"
    "  knack train regress checkers --games 2000 --start chinook-original --out fitted.json\n"
    "  knack train regress othello --depth 2 --games 500 --out oth.json --show";

int train_regress(int argc, char **argv)
{
    Arguments a = {.plan = kn_td_plan(), .ridge = 0.005};
    a.plan.games = 2000;
    a.plan.batch = 64;
    a.plan.jobs = 0;
    a.plan.random_plies = 4;
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    a.plan.cancel = cli_interrupt();
    KnError error;
    KnGame *game = NULL;
    KnWeights *weights = NULL;
    double loss[2];
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_game_open(context, a.shared.game, &game, &error);
    if (status == KN_OK) {
        KnProgress *progress = cli_progress(&a.common, "games", a.plan.games);
        status = kn_td_regress(context, game, &a.plan, a.ridge, progress, &weights, loss, &error);
        kn_progress_free(progress);
    }
    if (status == KN_OK && a.shared.out) status = kn_weights_save(weights, a.shared.out, &error);
    if (status == KN_OK && a.shared.show) kn_weights_show(weights, &text);
    if (status == KN_OK)
        kn_text_printf(
            &text, "mean square error of the outcome: %.4f with the weights it played with, %.4f fitted\n",
            loss[0], loss[1]);
    kn_weights_free(weights);
    kn_game_close(game);
    kn_context_free(context);
    if (status == KN_OK) fputs(text.data, stdout);
    kn_text_free(&text);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
