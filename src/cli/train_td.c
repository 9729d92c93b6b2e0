/* knack train td: learns the weights of an evaluation by temporal differences. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "arena/td.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/train.h"
#include "players/course.h"

typedef struct Arguments {
    CliCommon common;
    CliShared shared;
    KnTdPlan plan;
    const char *against, *side;
    uint64_t against_games;
    const KnContext *context;
    const KnGame *opened;
} Arguments;

enum {
    KEY_TEACHER = 0x100,
    KEY_START,
    KEY_TERMS,
    KEY_OPENINGS,
    KEY_RANDOM,
    KEY_ALPHA,
    KEY_LAMBDA,
    KEY_SCALE,
    KEY_AT,
    KEY_BY,
    KEY_SIDE,
    KEY_GAMES,
    KEY_BATCH,
    KEY_LIMIT,
    KEY_MEMORY,
    KEY_AGAINST,
    KEY_AGAINST_GAMES,
    KEY_TABLES
};

static const struct argp_option options[] = {
    {"against", KEY_AGAINST, "PLAYER", 0,
     "With --into: whom the curve's matches are against (default: the same search with weights zero)", 1},
    {"against-games", KEY_AGAINST_GAMES, "N", 0, "With --into: games of each of those matches (default 60)",
     1},
    {"games", KEY_GAMES, "N", 0, "Games to learn from, those in the file included (default 4000)", 2},
    {"depth", 'd', "N[,N...]", 0, "Search depth; several are taken in turn (default 5)", 2},
    {"teacher", KEY_TEACHER, "PLAYER", 0, "Play against this one (default: against itself)", 2},
    {"openings", KEY_OPENINGS, "FILE", 0, "Openings, a line each; each is played from both sides", 2},
    {"random-plies", KEY_RANDOM, "N", 0,
     "Random moves before the players take over (default 0; 3 if nothing else varies the games)", 2},
    {"tables", KEY_TABLES, "DIR", 0,
     "Endgame tables, on for those of the data folder: searches ask them, and what they know ends a game", 2},
    {"plies", KEY_LIMIT, "N", 0, "A game of so many plies is a draw (default 400)", 2},
    {"alpha", KEY_ALPHA, "A", 0, "Step size, a man being the unit (default .01)", 3},
    {"lambda", KEY_LAMBDA, "L", 0, "Decay (default .95)", 3},
    {"scale", KEY_SCALE, "S", 0, "A prediction is tanh(score / S), in hundredths of a man (default 100)", 3},
    {"at", KEY_AT, "leaf|root", 0, "TDLeaf, or TD(lambda) at the position itself (default leaf)", 3},
    {"batch", KEY_BATCH, "N", 0,
     "Games played with the same weights before they move, and by as many threads at most (default 1)", 3},
    {"start", KEY_START, "NAME|FILE", 0, "Weights to start from (default zero)", 4},
    {"terms", KEY_TERMS, "NAME", 0, "Which terms: a set that the game has, or features (default: the first)",
     4},
    {"by", KEY_BY, "LIST", 0, "Keep weights apart by side, depth, opening (its first move)", 4},
    {"side", KEY_SIDE, "NAME", 0, "Learn only as this side (default: both in turn)", 4},
    {"memory", KEY_MEMORY, "MiB", 0, "Of a search's table (default 1)", 5},
    {0}};

static void parse_by(KnTdPlan *plan, const char *text, struct argp_state *state)
{
    static const char *const words[] = {"side", "depth", "opening"};
    bool *const flags[] = {&plan->by_side, &plan->by_depth, &plan->by_opening};
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        int found = -1;
        for (int i = 0; i < 3; i++)
            if (strlen(words[i]) == length && strncmp(at, words[i], length) == 0) found = i;
        if (found < 0)
            argp_error(state, "--by wants a list of side, depth, opening, not \"%s\"", text);
        else
            *flags[found] = true;
        at += length + (at[length] == ',');
    }
}

static void parse_depths(KnTdPlan *plan, char *text, struct argp_state *state)
{
    plan->depth_count = 0;
    for (char *word; (word = strsep(&text, ","));) {
        if (plan->depth_count == KN_TD_DEPTHS)
            argp_error(state, "--depth takes up to %d depths", KN_TD_DEPTHS);
        plan->depths[plan->depth_count++] = (int)cli_parse_count(state, "--depth", word, 1, 100);
    }
}

static const struct argp_child children[] = {
    CLI_SHARES(cli_game_argp), CLI_SHARES(cli_out_argp),    CLI_SHARES(cli_show_argp),
    CLI_SHARES(cli_load_argp), CLI_SHARES(cli_course_argp), CLI_SHARES(cli_seed_argp),
    CLI_SHARES(cli_jobs_argp), CLI_SHARES(cli_common_argp), {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    KnTdPlan *p = &a->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case 'd':
        parse_depths(p, arg, state);
        return 0;
    case KEY_TEACHER:
        p->teacher = arg;
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
    case KEY_ALPHA:
        p->rule.alpha = cli_parse_real(state, "--alpha", arg, 0, 100);
        return 0;
    case KEY_LAMBDA:
        p->rule.lambda = cli_parse_real(state, "--lambda", arg, 0, 1);
        return 0;
    case KEY_SCALE:
        p->rule.scale = cli_parse_real(state, "--scale", arg, 1e-3, 1e9);
        return 0;
    case KEY_AT:
        p->root = strcmp(arg, "root") == 0;
        if (!p->root && strcmp(arg, "leaf") != 0)
            argp_error(state, "--at wants leaf or root, not \"%s\"", arg);
        return 0;
    case KEY_BY:
        parse_by(p, arg, state);
        return 0;
    case KEY_SIDE:
        a->side = arg;
        return 0;
    case KEY_GAMES:
        p->games = cli_parse_count(state, "--games", arg, 1, 100000000);
        return 0;
    case KEY_BATCH:
        p->batch = (int)cli_parse_count(state, "--batch", arg, 1, 4096);
        return 0;
    case KEY_LIMIT:
        p->ply_limit = (size_t)cli_parse_count(state, "--plies", arg, 1, 100000);
        return 0;
    case KEY_MEMORY:
        p->table_mib = cli_parse_real(state, "--memory", arg, 0.01, 65536);
        return 0;
    case KEY_AGAINST:
        a->against = arg;
        return 0;
    case KEY_AGAINST_GAMES:
        a->against_games = cli_parse_count(state, "--against-games", arg, 2, 1000000);
        return 0;
    case ARGP_KEY_END:
        p->seed = a->shared.seed;
        p->jobs = a->shared.jobs;
        if (!a->shared.out && !a->shared.show && !a->shared.into)
            argp_error(state, "--out FILE, --into DIR or --show is wanted");
        if (a->shared.load && (a->shared.out || a->shared.into))
            argp_error(state, "--load learns nothing: it goes with --show alone");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Learns the weights of an evaluation's terms by temporal differences (TDLeaf), from games against itself "
    "or a teacher.\v"
    "Players use the file as eval=features(weights=FILE). --out is written after every game, and gone on "
    "from if it is there; a course keeps weights.json and a curve of matches; --load takes the name of a "
    "set, too. The same seed gives the same bytes for any --jobs, and after an interruption the same "
    "command goes on.\nExamples:\n"
    "  knack train td checkers --depth 5 --games 4000 --out chk.json\n"
    "  knack train td checkers --teacher 'alphabeta(depth=5, eval=features(weights=chinook-original))' --by "
    "side --out taught.json\n"
    "  knack train td othello --depth 2 --games 500 --alpha .1 --out oth.json --show\n"
    "  knack train td checkers --load chinook-original --show";

/* The live curve: on stderr, a line a block. */
static void print_block(void *user, const json_t *curve)
{
    const Arguments *a = user;
    const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
    double score = json_number_value(json_array_get(last, 1));
    if (a->common.quiet || a->common.json) return;
    fprintf(stderr, "%7.0f games: %s %4.1f%% %-20.*s| prediction moves by %.3f a turn\n",
            json_number_value(json_array_get(last, 0)),
            a->plan.teacher ? "against the teacher" : "first role", 100 * score, (int)(20 * score + 0.5),
            "####################", json_number_value(json_array_get(last, 2)));
}

static KnStatus choose_side(Arguments *a, const KnGame *game, KnError *error)
{
    if (!a->side) return KN_OK;
    for (int role = 0; role < game->roles; role++)
        if (strcmp(game->role_names[role], a->side) == 0) {
            a->plan.learner_role = role;
            return KN_OK;
        }
    return kn_fail(error, KN_USAGE, "--side %s: the sides of %s are %s and %s", a->side, game->spec,
                   game->role_names[0], game->role_names[1]);
}

static KnStatus learn(Arguments *a, const KnTdPlan *plan, const char *file, KnProgress *progress,
                      KnWeights **weights, KnError *error)
{
    return kn_td_train(a->context, a->opened, plan, file, progress, weights, error);
}

/* ---- a course: training in parts, a match after each ---- */

enum { PARTS = 20 };

static KnStatus measure(const Arguments *a, const KnTdPlan *plan, const char *file, double *y,
                        KnInterval *interval, KnError *error)
{
    KnText player = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    kn_text_printf(&player, "alphabeta(depth=%d, memory=1, eval=features(weights=", plan->depths[0]);
    kn_text_add_quoted(&player, file);
    kn_text_add(&player, "))");
    if (a->against)
        kn_text_add(&other, a->against);
    else
        kn_text_printf(&other, "alphabeta(depth=%d, memory=1, eval=features(weights=zero))", plan->depths[0]);
    KnMatchPlan match = {.game = a->opened->spec,
                         .players = {player.data, other.data},
                         .games = a->against_games,
                         .seed = kn_mix64(plan->seed ^ 0x7d1ea), /* not the games it learned from */
                         .jobs = plan->jobs,
                         .openings = plan->openings,
                         .random_plies = plan->random_plies ? plan->random_plies : 4,
                         .tables = plan->tables,
                         .rules = {.ply_limit = plan->ply_limit, .cancel = plan->cancel}};
    KnMatchResult result;
    KnStatus status = kn_match_run(a->context, &match, NULL, NULL, &result, error);
    if (status == KN_OK) {
        double points = (double)result.standing.wins + (double)result.standing.draws / 2,
               games = (double)result.standing.games;
        *y = points / games;
        *interval = kn_wilson(points, games, KN_Z95);
    }
    kn_text_free(&player);
    kn_text_free(&other);
    return status;
}

static KnStatus run_parts(Arguments *a, KnTdPlan plan, KnCourse *course, KnProgress *progress, KnError *error)
{
    KnText file = KN_TEXT_EMPTY;
    kn_course_path(course, "weights.json", &file);
    uint64_t games = plan.games, parts = games < PARTS ? games : PARTS;
    KnStatus status = KN_OK;
    for (uint64_t part = kn_course_points(course); part < parts && status == KN_OK; part++) {
        plan.games = games * (part + 1) / parts;
        KnWeights *weights = NULL;
        double y = 0;
        KnInterval interval = {0, 1};
        status = learn(a, &plan, file.data, NULL, &weights, error);
        kn_weights_free(weights);
        if (status == KN_OK) status = measure(a, &plan, file.data, &y, &interval, error);
        if (status == KN_OK)
            status = kn_course_add(course, (double)plan.games, y, interval.low, interval.high, error);
        kn_progress_tick(progress, plan.games - games * part / parts);
    }
    kn_text_free(&file);
    return status == KN_OK ? kn_course_finish(course, error) : status;
}

static KnStatus one_course(void *user, uint64_t seed, const char *folder, KnError *error)
{
    Arguments *a = user;
    KnTdPlan plan = a->plan;
    plan.seed = seed;
    plan.block = NULL;
    KnCourse *course;
    json_t *about = json_pack("{ss ss si sI sf sf sf ss* ss* ss* si sI ss* ss* sI}", "learner", "td", "game",
                              a->opened->spec, "depth", plan.depths[0], "games", (json_int_t)plan.games,
                              "alpha", plan.rule.alpha, "lambda", plan.rule.lambda, "scale", plan.rule.scale,
                              "teacher", plan.teacher, "start", plan.start, "terms", plan.terms, "batch",
                              plan.batch, "against_games", (json_int_t)a->against_games, "against",
                              a->against, "tables", plan.tables, "seed", (json_int_t)seed);
    KnStatus status = kn_course_open(folder, about, &course, error);
    if (status != KN_OK) return status;
    KnProgress *progress = cli_progress(&a->common, "games", plan.games);
    if (!kn_course_done(course)) status = run_parts(a, plan, course, progress, error);
    kn_progress_free(progress);
    kn_course_close(course);
    return status;
}

/* ---- the command ---- */

static KnStatus run(Arguments *a, KnText *text, KnError *error)
{
    if (a->shared.into)
        return train_courses(a->context, a->shared.into, a->plan.seed, cli_seeds(&a->shared), one_course, a,
                             error);
    KnWeights *weights = NULL;
    KnStatus status;
    if (a->shared.load)
        status = kn_weights_open(a->opened, a->shared.load, &weights, error);
    else {
        KnProgress *progress = cli_progress(&a->common, "games", a->plan.games);
        status = learn(a, &a->plan, a->shared.out, progress, &weights, error);
        kn_progress_free(progress);
    }
    if (status == KN_OK && a->shared.show)
        kn_weights_show(weights, text);
    else if (status == KN_OK)
        kn_text_printf(text, "%s: %d set%s of %zu weights after %llu games\n", a->shared.out, weights->count,
                       weights->count == 1 ? "" : "s", kn_weights_size(weights->terms),
                       (unsigned long long)kn_td_games(weights));
    kn_weights_free(weights);
    return status;
}

int train_td(int argc, char **argv)
{
    Arguments a = {.plan = kn_td_plan(), .against_games = 60};
    a.plan.jobs = 0;
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    a.context = context;
    a.plan.cancel = cli_interrupt();
    a.plan.block = print_block;
    a.plan.user = &a;
    if (!a.plan.openings && !a.plan.random_plies) a.plan.random_plies = 3;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_game_open(context, a.shared.game, &game, &error);
    a.opened = game;
    if (status == KN_OK) status = choose_side(&a, game, &error);
    if (status == KN_OK) status = run(&a, &text, &error);
    kn_game_close(game);
    kn_context_free(context);
    if (status == KN_OK) fputs(text.data, stdout);
    kn_text_free(&text);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
