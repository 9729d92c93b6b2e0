/* knack openings: makes a file of openings by a stated rule. */
#include <stdio.h>
#include <string.h>

#include "arena/opening_sets.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/commands.h"

typedef struct Arguments {
    CliCommon common;
    CliShared shared;
    KnOpeningPlan plan;
} Arguments;

enum { KEY_PLIES = 0x100, KEY_COUNT, KEY_DEPTH, KEY_EVAL, KEY_VARIED, KEY_MARGIN };

static const struct argp_option options[] = {
    {"plies", KEY_PLIES, "N", 0, "Length of the openings in plies (default 3)", 1},
    {"count", KEY_COUNT, "N", 0, "Number of openings (default 144)", 1},
    {"varied", KEY_VARIED, 0, 0, "Take positions from games of varied players", 1},
    {"depth", KEY_DEPTH, "N", 0, "Depth of the search that judges them, in plies (default 9)", 2},
    {"eval", KEY_EVAL, "EVALUATION", 0, "Evaluation of that search (default: the game's)", 2},
    {"margin", KEY_MARGIN, "N", 0,
     "With --varied: largest advantage of a side, in hundredths of a man or point (default 50)", 2},
    {0}};

static const struct argp_child children[] = {CLI_SHARES(cli_game_argp),
                                             CLI_SHARES(cli_out_argp),
                                             CLI_SHARES(cli_seed_argp),
                                             CLI_SHARES(cli_common_argp),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    KnOpeningPlan *p = &a->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case KEY_PLIES:
        p->plies = (int)cli_parse_count(state, "--plies", arg, 1, 200);
        return 0;
    case KEY_COUNT:
        p->count = (size_t)cli_parse_count(state, "--count", arg, 1, 100000);
        return 0;
    case KEY_VARIED:
        p->varied = true;
        return 0;
    case KEY_DEPTH:
        p->depth = (int)cli_parse_count(state, "--depth", arg, 1, 100);
        return 0;
    case KEY_EVAL:
        p->eval = arg;
        return 0;
    case KEY_MARGIN:
        p->margin = (KnScore)cli_parse_count(state, "--margin", arg, 0, KN_SCORE_HEURISTIC);
        return 0;
    case ARGP_KEY_END:
        p->seed = a->shared.seed;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Make openings for matches and training: the most balanced short sequences of moves, or positions from "
    "games of varied players.\v"
    "Only --varied uses the seed. The program contains the sets checkers-three-ply and checkers-held-out: "
    "name them like files, for example `--openings checkers-three-ply`.\n"
    "Examples:\n"
    "  knack openings checkers --plies 3 --count 144 --depth 13 --eval 'features(weights=chinook-original)'\n"
    "  knack openings checkers --varied --plies 8 --count 400 --seed 8 --out held-out.txt";

static KnStatus make(Arguments *a, const KnContext *context, const KnGame *game, KnText *text, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->nature >= 0)
        return kn_fail(error, KN_INPUT,
                       "%s: openings want a game in which players take turns, without chance", game->spec);
    kn_text_printf(text, "# %s, %zu openings of %d plies: ", game->spec, a->plan.count, a->plan.plies);
    if (a->plan.varied)
        kn_text_printf(text, "from games of varied players (seed %llu), within %d of even",
                       (unsigned long long)a->plan.seed, a->plan.margin);
    else
        kn_text_add(text, "the most balanced");
    kn_text_printf(text, " by a search to depth %d (%s).\n", a->plan.depth,
                   a->plan.eval ? a->plan.eval : "default evaluation");
    KnProgress *progress = cli_progress(&a->common, "openings", 0);
    KnStatus status = kn_openings_make(context, game, &a->plan, progress, text, error);
    kn_progress_free(progress);
    return status;
}

/* Lines as a list, without remarks. */
static int print_json(const Arguments *a, char *text)
{
    json_t *list = json_array();
    char *line;
    while ((line = strsep(&text, "\n")))
        if (*line && *line != '#') json_array_append_new(list, json_string(line));
    json_t *document = json_pack("{ss so}", "game", a->shared.game, "openings", list);
    if (a->shared.out) json_object_set_new(document, "file", json_string(a->shared.out));
    return cli_print_json(document);
}

int command_openings(int argc, char **argv)
{
    Arguments a = {.plan = {.plies = 3, .count = 144, .depth = 9, .margin = 50, .seed = 1}};
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    a.plan.cancel = cli_interrupt();
    KnError error;
    KnGame *game = NULL;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_game_open(context, a.shared.game, &game, &error);
    if (status == KN_OK) status = make(&a, context, game, &text, &error);
    if (status == KN_OK && a.shared.out)
        status = kn_file_write_atomic(a.shared.out, text.data, text.length, &error);
    if (status == KN_OK && a.common.json)
        code = print_json(&a, text.data);
    else if (status == KN_OK && !a.shared.out)
        fputs(text.data, stdout);
    kn_text_free(&text);
    kn_game_close(game);
    kn_close(context);
    if (status != KN_OK) return cli_fail(&error);
    return code ? code : cli_finish();
}
