/* knack match: two players, many games. */
#include <stdio.h>
#include <string.h>

#include "arena/match.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/play_options.h"
#include "cli/sweep.h"

typedef struct Arguments {
    CliCommon common;
    KnMatchPlan plan;
    bool no_store;
    const char *export;
    Sweep sweep;
    const char *sprt_detail; /* an option that needs --sprt */
    int given;
} Arguments;

enum { KEY_SPRT = 0x100, KEY_ALPHA, KEY_BETA, KEY_MODEL, KEY_NAME, KEY_NO_STORE, KEY_SWEEP, KEY_EXPORT };

static const struct argp_option options[] = {
    {"sprt", KEY_SPRT, "ELO0,ELO1", 0,
     "Sequential probability ratio test: stop when one of these Elo differences is accepted", 3},
    {"alpha", KEY_ALPHA, "P", 0, "With --sprt: the chance to accept ELO1 where ELO0 is true (default 0.05)",
     3},
    {"beta", KEY_BETA, "P", 0, "With --sprt: the chance to accept ELO0 where ELO1 is true (default 0.05)", 3},
    {"sprt-model", KEY_MODEL, "MODEL", 0,
     "With --sprt: the scale of ELO0 and ELO1, logistic (the default) or normalized", 3},
    {"name", KEY_NAME, "RUN", 0, "Name the run RUN in the results store", 3},
    {"no-store", KEY_NO_STORE, 0, 0, "Do not store the games", 3},
    {"export", KEY_EXPORT, "FILE", 0, "Write the games to FILE, as its name ends: .csv, .pdn, .sgf or .ggf",
     3},
    {"sweep", KEY_SWEEP, "NAME=VALUE,...", 0, SWEEP_HELP, 3},
    {0}};

static void parse_sprt(Arguments *arguments, const char *text, struct argp_state *state)
{
    KnMatchPlan *plan = &arguments->plan;
    int used = 0;
    if (sscanf(text, "%lf,%lf%n", &plan->test.elo0, &plan->test.elo1, &used) != 2 || text[used])
        argp_error(state, "--sprt expects two Elo differences such as 0,10, not \"%s\"", text);
    plan->sprt = true;
}

static void parse_model(Arguments *arguments, const char *text, struct argp_state *state)
{
    KnSprtModel *model = &arguments->plan.test.model;
    *model = strcmp(text, kn_sprt_model_name(KN_SPRT_NORMALIZED)) == 0 ? KN_SPRT_NORMALIZED
                                                                       : KN_SPRT_LOGISTIC;
    if (strcmp(text, kn_sprt_model_name(*model)) != 0)
        argp_error(state, "--sprt-model is logistic or normalized, not \"%s\"", text);
    arguments->sprt_detail = "--sprt-model";
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    KnMatchPlan *plan = &arguments->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = plan;
        state->child_inputs[1] = &arguments->common;
        return 0;
    case KEY_SPRT:
        parse_sprt(arguments, arg, state);
        return 0;
    case KEY_ALPHA:
        plan->test.alpha = cli_parse_real(state, "--alpha", arg, 1e-9, 1);
        arguments->sprt_detail = "--alpha";
        return 0;
    case KEY_BETA:
        plan->test.beta = cli_parse_real(state, "--beta", arg, 1e-9, 1);
        arguments->sprt_detail = "--beta";
        return 0;
    case KEY_MODEL:
        parse_model(arguments, arg, state);
        return 0;
    case KEY_NAME:
        plan->name = arg;
        return 0;
    case KEY_NO_STORE:
        arguments->no_store = true;
        return 0;
    case KEY_EXPORT:
        arguments->export = arg;
        return 0;
    case KEY_SWEEP:
        sweep_parse(&arguments->sweep, arg, state);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->given == 3) argp_error(state, "one argument too many: \"%s\"", arg);
        if (arguments->given == 0)
            plan->game = arg;
        else
            plan->players[arguments->given - 1] = arg;
        arguments->given++;
        return 0;
    case ARGP_KEY_END:
        if (arguments->given < 3) argp_error(state, "give a game and two players");
        if (arguments->sprt_detail && !plan->sprt)
            argp_error(state, "%s is for --sprt", arguments->sprt_detail);
        cli_check_export(state, arguments->export, !arguments->no_store);
        if (arguments->no_store && (plan->resume || (plan->name && !arguments->sweep.count)))
            argp_error(state, "--name and --resume are for stored games; leave out --no-store");
        if (arguments->sweep.count && plan->name && (strchr(plan->name, '/') || plan->name[0] == '.'))
            argp_error(state, "--name of a sweep names files: without / and no . at the beginning");
        if (arguments->sweep.count && arguments->export)
            argp_error(state, "--export is for one match; `knack runs export` writes those of a sweep");
        if (arguments->sweep.count && plan->sprt)
            argp_error(state, "--sweep needs matches of the same length; use it without --sprt");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Play a match and print the score with its 95 % interval.\v"
    "The players alternate sides, and both play every opening. The same seed gives the same games for any "
    "--jobs. Finished games are stored at once: the same command resumes an interrupted match, and more "
    "--games continue it. An engine is known by the contents of its program and of the files that its "
    "command names. A script or an interpreter can load more than that: such a match is played again unless "
    "you give --resume or the --name of its run. --sweep plays a match for each setting: it replaces {NAME} "
    "in GAME and in the "
    "PLAYERs, or sets the first player's option NAME. The grid is stored and drawn in the data folder's "
    "sweeps, under the name of --name.\n"
    "Examples:\n"
    "  knack match tictactoe random random --games 1000\n"
    "  knack match checkers 'alphabeta(depth=4)' 'alphabeta(depth=2)' --random-plies 4\n"
    "  knack match othello 'alphabeta(depth=3)' 'uct(playouts=500)' --sprt 0,30 --games 20000\n"
    "  knack match checkers 'alphabeta' 'uct' --tc 10+0.1 --resign 4,5 --draw 60,8,0.2 --export games.pdn\n"
    "  knack match othello 'alphabeta' 'alphabeta(depth=3)' --sweep depth=1,2,3,4 --random-plies 4";

/* Who wins a repeated dilemma says little: what both earn does. */
static void print_payoffs(const KnStanding *s)
{
    printf("  payoff   ");
    for (int p = 0; p < 2; p++) {
        printf("%s%.2f", p ? " and " : "", kn_moments_mean(&s->payoffs[p]));
        if (s->games < 2) continue;
        KnInterval mean = kn_moments_interval_within(&s->payoffs[p], s->range[0], s->range[1]);
        printf(" [%.2f, %.2f]", mean.low, mean.high);
    }
    printf(" a game\n");
}

static void print_result(const KnMatchPlan *plan, const KnMatchResult *result)
{
    const KnStanding *s = &result->standing;
    KnInterval interval = kn_standing_interval(s);
    KnElo elo = kn_standing_elo(s);
    char digest[KN_HEX128];
    kn_digest_hex(&s->digest, digest);
    printf("%s: %s against %s\n", plan->game, plan->players[0], plan->players[1]);
    printf("  games    %llu: %llu won, %llu drawn, %llu lost\n", (unsigned long long)s->games,
           (unsigned long long)s->wins, (unsigned long long)s->draws, (unsigned long long)s->losses);
    printf("  score    %.4f  [%.4f, %.4f]  (95%%, Wilson)\n", kn_standing_score(s), interval.low,
           interval.high);
    printf("  Elo      %+.1f  [%+.1f, %+.1f], LOS %.1f %%\n", elo.elo, elo.low, elo.high,
           100 * kn_standing_los(s));
    if (!result->zero_sum && s->games) print_payoffs(s);
    for (int seat = 0; seat < 2; seat++)
        printf("  %s  %llu won, %llu drawn, %llu lost\n", seat ? "second " : "first  ",
               (unsigned long long)s->by_seat[seat][0], (unsigned long long)s->by_seat[seat][1],
               (unsigned long long)s->by_seat[seat][2]);
    printf("  pairs    %llu %llu %llu %llu %llu  (scores 0, 1/2, 1, 3/2, 2)\n",
           (unsigned long long)s->pairs[0], (unsigned long long)s->pairs[1], (unsigned long long)s->pairs[2],
           (unsigned long long)s->pairs[3], (unsigned long long)s->pairs[4]);
    if (plan->sprt)
        printf("  SPRT     %s (LLR %.2f, bounds %.2f and %.2f) for %+.1f against %+.1f %s Elo, alpha %g, "
               "beta %g\n",
               kn_sprt_state_name(result->sprt.state), result->sprt.llr, result->sprt.lower,
               result->sprt.upper, plan->test.elo0, plan->test.elo1, kn_sprt_model_name(plan->test.model),
               plan->test.alpha, plan->test.beta);
    printf("  nodes    %llu and %llu, %.2f and %.2f s of processor time\n",
           (unsigned long long)s->cost[0].nodes, (unsigned long long)s->cost[1].nodes, s->cost[0].seconds,
           s->cost[1].seconds);
    for (int p = 0; p < 2; p++)
        if (s->forfeits[p])
            printf("  FORFEITS %llu by %s\n", (unsigned long long)s->forfeits[p], plan->players[p]);
    if (result->repeats[0]) printf("  REPEATS  %s\n", result->repeats);
    if (result->note[0]) printf("  NOTE     %s\n", result->note);
    if (result->first_fault[0]) printf("           first: %s\n", result->first_fault);
    printf("  digest   %s%s\n", digest, result->nondeterministic ? "  (nondeterministic)" : "");
    if (result->doubt[0]) printf("  IDENTITY incomplete: %s\n", result->doubt);
    if (result->run_name[0])
        printf("  run      %s%s\n", result->run_name, result->resumed ? " (resumed)" : "");
    printf("  time     %.2f s\n", result->seconds);
}

/* ---- sweeps ---- */

/* The plan of a point; the caller frees its texts. */
static KnStatus plan_point(const Arguments *a, const KnContext *context, int point, KnText texts[4],
                           KnMatchPlan *plan, KnError *error)
{
    const Sweep *sweep = &a->sweep;
    unsigned used = 0;
    *plan = a->plan;
    sweep_fill(sweep, point, plan->game, &used, &texts[0]);
    for (int p = 0; p < 2; p++) sweep_fill(sweep, point, plan->players[p], &used, &texts[1 + p]);
    for (int i = 0; i < sweep->count; i++) {
        if (used >> i & 1) continue;
        KnText set = KN_TEXT_EMPTY;
        KnStatus status = sweep_set(context, texts[1].data, sweep->axes[i].name, sweep_value(sweep, point, i),
                                    &set, error);
        kn_text_free(&texts[1]);
        texts[1] = set;
        if (status != KN_OK) return status;
    }
    plan->game = texts[0].data;
    for (int p = 0; p < 2; p++) plan->players[p] = texts[1 + p].data;
    if (plan->name) {
        kn_text_printf(&texts[3], "%s ", plan->name);
        sweep_label(sweep, point, &texts[3]);
        plan->name = texts[3].data;
    }
    return KN_OK;
}

static KnStatus sweep_point(const Arguments *a, const KnContext *context, KnStore *store, int point,
                            SweepCell *cell, KnError *error)
{
    KnText texts[4] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY, KN_TEXT_EMPTY, KN_TEXT_EMPTY}, label = KN_TEXT_EMPTY;
    KnMatchPlan plan;
    KnMatchResult result;
    KnStatus status = plan_point(a, context, point, texts, &plan, error);
    sweep_label(&a->sweep, point, &label);
    if (status == KN_OK) {
        KnProgress *progress = cli_progress(&a->common, label.data, plan.games);
        status = kn_match_run(context, &plan, store, progress, &result, error);
        kn_progress_free(progress);
    }
    if (status == KN_OK) {
        KnInterval interval = kn_standing_interval(&result.standing);
        double moves = (double)(result.standing.decisions[0] ? result.standing.decisions[0] : 1);
        *cell = (SweepCell){kn_standing_score(&result.standing), interval.low, interval.high,
                            (double)result.standing.cost[0].nodes / moves};
    }
    for (int i = 0; i < 4; i++) kn_text_free(&texts[i]);
    kn_text_free(&label);
    return status;
}

/* Every point is an ordinary match, stored and resumable; the grid collects them. */
static KnStatus run_sweep(const Arguments *a, const KnContext *context, KnStore *store, KnError *error)
{
    SweepCell cells[SWEEP_POINTS];
    int points = sweep_points(&a->sweep);
    KnStatus status = KN_OK;
    for (int i = 0; i < points && status == KN_OK; i++)
        status = sweep_point(a, context, store, i, &cells[i], error);
    if (status != KN_OK) return status;
    KnText title = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
    kn_text_printf(&title, "%s: %s against %s, %llu games a point", a->plan.game, a->plan.players[0],
                   a->plan.players[1], (unsigned long long)a->plan.games);
    kn_path_join(&folder, kn_context_data(context), "sweeps");
    if (a->plan.name)
        kn_text_add(&name, a->plan.name);
    else {
        KnDigest digest;
        char hex[KN_HEX128];
        kn_digest_start(&digest);
        kn_digest_string(&digest, title.data);
        kn_digest_u64(&digest, a->plan.seed);
        for (int i = 0; i < points; i++) {
            KnText label = KN_TEXT_EMPTY;
            sweep_label(&a->sweep, i, &label);
            kn_digest_string(&digest, label.data);
            kn_text_free(&label);
        }
        kn_digest_hex(&digest, hex);
        kn_text_printf(&name, "match-%.8s", hex);
    }
    status = sweep_show(&a->sweep, cells, title.data, "score", folder.data, name.data, &a->common, error);
    kn_text_free(&title);
    kn_text_free(&folder);
    kn_text_free(&name);
    return status;
}

int command_match(int argc, char **argv)
{
    Arguments arguments = {.plan = CLI_MATCH_PLAN};
    arguments.plan.test.alpha = arguments.plan.test.beta = 0.05;
    const struct argp argp = {options, parse, "GAME PLAYER PLAYER", doc, cli_play_options, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnMatchPlan *plan = &arguments.plan;
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    plan->rules.cancel = cli_interrupt();
    KnError error;
    KnStore *store = NULL;
    KnStatus status = arguments.no_store ? KN_OK : cli_store_open(&arguments.common, context, &store, &error);
    KnMatchResult result;
    bool sweeps = arguments.sweep.count > 0;
    if (status == KN_OK && sweeps)
        status = run_sweep(&arguments, context, store, &error);
    else if (status == KN_OK) {
        KnProgress *progress = cli_progress(&arguments.common, "match", plan->games);
        status = kn_match_run(context, plan, store, progress, &result, &error);
        kn_progress_free(progress);
        const char *run = result.run_name;
        if (status == KN_OK && arguments.export)
            status = cli_export_games(context, store, &run, 1, arguments.export, &error);
    }
    kn_store_close(store);
    kn_close(context);
    if (status != KN_OK) return cli_fail(&error);
    if (sweeps) return cli_finish();
    if (arguments.common.json) return cli_print_json(kn_match_json(plan, &result));
    print_result(plan, &result);
    return cli_finish();
}
