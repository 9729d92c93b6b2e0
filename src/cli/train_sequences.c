/* knack train sequences: watches contests of the thesis's agents and keeps the sequences that foresee the
 * expert. */
#include <stdio.h>

#include "arena/training.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/train.h"
#include "cli/train_watching.h"
#include "games/turns.h"

typedef struct Arguments {
    CliCommon common;
    CliShared shared;
    KnTrainingPlan plan;
    char learner[40];
} Arguments;

enum { KEY_WATCH = 0x100, KEY_TEST, KEY_RUNS, KEY_EXPERT, KEY_METHOD };

static const struct argp_option options[] = {
    {"method", KEY_METHOD, "WORD", 0, "Short for --learner 'seqlearner(method=WORD)': context or sitact", 2},
    {"learner", 'l', "SPEC", 0, "seqlearner with options (default: seqlearner(sitact))", 2},
    {"watch", KEY_WATCH, "N", 0, "Contests of each of the eight tournaments that it watches (default 40)", 2},
    {"expert", KEY_EXPERT, "SPEC", 0,
     "Who is watched and imitated (default perfect); the weaker agents are made of it", 2},
    {"test", KEY_TEST, "N", 0, "Contests of testing against each agent (default 0: none)", 3},
    {"runs", KEY_RUNS, "N", 0, "Runs that are tested, each with a seed of its own (default 1)", 3},
    {0}};

static const struct argp_child children[] = {CLI_SHARES(cli_game_argp),   CLI_SHARES(cli_out_argp),
                                             CLI_SHARES(cli_show_argp),   CLI_SHARES(cli_course_argp),
                                             CLI_SHARES(cli_seed_argp),   CLI_SHARES(cli_jobs_argp),
                                             CLI_SHARES(cli_common_argp), {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case 'l':
        a->plan.learner = arg;
        return 0;
    case KEY_METHOD:
        snprintf(a->learner, sizeof a->learner, "seqlearner(method=%.20s)", arg);
        a->plan.learner = a->learner;
        return 0;
    case KEY_WATCH:
        a->plan.watch = cli_parse_count(state, "--watch", arg, 1, 1000000);
        return 0;
    case KEY_TEST:
        a->plan.test = cli_parse_count(state, "--test", arg, 0, 1000000);
        return 0;
    case KEY_RUNS:
        a->plan.runs = cli_parse_count(state, "--runs", arg, 1, 100000);
        return 0;
    case KEY_EXPERT:
        a->plan.agents[0] = arg;
        return 0;
    case ARGP_KEY_END:
        a->plan.seed = a->shared.seed;
        a->plan.jobs = a->shared.jobs;
        if (a->shared.into && (a->shared.out || a->shared.show || a->plan.runs > 1))
            argp_error(state,
                       "--into makes courses of one run each: --out, --show and --runs do not go with it");
        if (a->shared.into && !a->plan.test)
            argp_error(state, "--into wants --test N: each point of the curve is a test");
        if (!a->shared.out && !a->shared.show && !a->plan.test)
            argp_error(state, "--out FILE, --show or --test N is wanted");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Watches contests of a random, a novice, an expert and a perfect agent against a perfect one, twice "
    "over, and learns Advisors: contexts with the sequences "
    "of moves that go with them (TP-Context), or single moves (TP-Sitact).\v"
    "Players use the file as seqlearner(FILE); --out keeps what the first run has learned. A course keeps "
    "knowledge.json, and its curve tells how reliable it is against the expert after an eighth of the "
    "contests, two eighths, and so on. Games that cannot be solved need an expert of their own.\n"
    "Examples:\n"
    "  knack train sequences 'tictactoe(lose)' --watch 20 --out lose.json --show\n"
    "  knack train sequences 'morris(men=5)' --learner 'seqlearner(version=2)' --test 50 --runs 10\n"
    "  knack train sequences 'tictactoe(lose)' --test 50 --into course --seeds 3\n"
    "  knack train sequences 'othello(size=6)' --expert 'alphabeta(depth=6)' --out six.json";

/* The agents of the thesis, made of another expert. */
static void make_agents(KnTrainingPlan *plan, KnText made[2])
{
    if (!plan->agents[0]) return;
    static const char *const shares[2] = {"0.1", "0.7"};
    for (int i = 0; i < 2; i++) {
        kn_text_printf(&made[i], "reasonable(%s, rest=%s)", shares[i], plan->agents[0]);
        plan->agents[i + 1] = made[i].data;
    }
    plan->agents[3] = "random";
}

static void print_test(const KnTraining *training, KnText *out)
{
    static const char *const names[] = {"expert agent watched", "0.1-reasonable", "0.7-reasonable", "random"};
    kn_text_printf(out, "%-22s %22s %22s\n", "against", "reliability (%)", "power (%)");
    for (int a = 0; a < training->agents && a < 4; a++) {
        KnMoments r = kn_training_moments(training, KN_RELIABILITY, a),
                  p = kn_training_moments(training, KN_POWER, a);
        KnInterval ri = kn_moments_interval(&r, 0.95), pi = kn_moments_interval(&p, 0.95);
        if (training->count < 2)
            kn_text_printf(out, "%-22s %22.1f %22.1f\n", names[a], r.mean, p.mean);
        else
            kn_text_printf(out, "%-22s %6.1f [%5.1f, %5.1f] %6.1f [%5.1f, %5.1f]\n", names[a], r.mean, ri.low,
                           ri.high, p.mean, pi.low, pi.high);
    }
    KnMoments pairs = kn_training_figure(training, "pairs"),
              advisors = kn_training_figure(training, "advisors");
    kn_text_printf(out, "context pairs %.1f, retained as Advisors %.1f; runs %llu\n", pairs.mean,
                   advisors.mean, (unsigned long long)training->count);
}

int train_sequences(int argc, char **argv)
{
    Arguments a = {.plan = {.learner = "seqlearner(sitact)",
                            .environment = KN_TRAIN_DOUBLE,
                            .watch = 40,
                            .runs = 1,
                            .seed = 1}};
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    KnWatcher *watcher = NULL;
    KnTraining *training = NULL;
    KnText text = KN_TEXT_EMPTY, made[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    a.plan.game = a.shared.game;
    a.plan.cancel = cli_interrupt();
    make_agents(&a.plan, made);
    KnStatus status = kn_game_open_turns(context, a.shared.game, &game, &error);
    if (status == KN_OK) a.plan.ply_limit = kn_training_limit(game);
    if (status == KN_OK && a.shared.into) {
        TrainWatching watching = {&a.common, context, game, "sequences", &a.plan};
        status = train_courses(context, a.shared.into, a.plan.seed, cli_seeds(&a.shared), train_watching,
                               &watching, &error);
    } else if (status == KN_OK) {
        KnProgress *progress = cli_progress(
            &a.common, "contests",
            8 * a.plan.watch + (a.plan.test ? a.plan.runs * (8 * a.plan.watch + 4 * a.plan.test) : 0));
        a.plan.progress = progress;
        if (a.shared.out || a.shared.show)
            status = kn_training_teach(context, &a.plan, game, &watcher, &error);
        if (status == KN_OK && a.plan.test) status = kn_training_run(context, &a.plan, &training, &error);
        kn_progress_free(progress);
    }
    if (status == KN_OK && a.shared.out) status = kn_watcher_save(watcher, a.shared.out, &error);
    if (status == KN_OK && a.shared.show && watcher->type->show) watcher->type->show(watcher, &text);
    if (status == KN_OK && training) print_test(training, &text);
    kn_training_free(training);
    kn_watcher_close(watcher);
    kn_game_close(game);
    kn_context_free(context);
    if (status == KN_OK && text.length) fputs(text.data, stdout);
    kn_text_free(&text);
    for (int i = 0; i < 2; i++) kn_text_free(&made[i]);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
