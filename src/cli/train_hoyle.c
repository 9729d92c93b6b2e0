/* knack train hoyle: a learner that watches contests, or plays them, and is then tested (Lock 2003). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/training.h"
#include "base/file.h"
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
    bool limited;
    int agents;
} Arguments;

enum { KEY_LEARNER = 0x100, KEY_IN, KEY_WATCH, KEY_TEST, KEY_RUNS, KEY_LIMIT, KEY_AGENT, KEY_SEQUENCES };

static const struct argp_option options[] = {
    {"sequences", KEY_SEQUENCES, "WORD", 0,
     "Short for --learner 'hoyle(sequences=WORD)': none, rote or imitate", 2},
    {"learner", KEY_LEARNER, "SPEC", 0,
     "Who learns, with options (default: hoyle): hoyle(sequences=rote|imitate), hoyle(+patterns), ...", 2},
    {"in", KEY_IN, "ENVIRONMENT", 0,
     "increasing: it watches ever better agents against the best; double: that twice; playing: it plays "
     "against them itself "
     "(default: increasing)",
     2},
    {"watch", KEY_WATCH, "N", 0, "Contests with each agent in training (default 30)", 2},
    {"test", KEY_TEST, "N", 0,
     "Contests with each agent in testing, where nothing is learned (default 50; 0: no testing)", 2},
    {"runs", KEY_RUNS, "N", 0, "Runs, each from a seed of its own (default 1)", 2},
    {"agent", KEY_AGENT, "PLAYER", 0,
     "An agent; several are given strongest first, and the first is the expert that is believed (default: "
     "perfect, "
     "reasonable(0.1), reasonable(0.7), random)",
     3},
    {"plies", KEY_LIMIT, "N", 0,
     "A contest of so many plies is a draw (default: 100 where play may be endless)", 3},
    {0}};

static KnTrainingEnvironment parse_environment(const char *text, struct argp_state *state)
{
    static const char *const names[] = {"increasing", "double", "playing"};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], text) == 0) return (KnTrainingEnvironment)i;
    argp_error(state, "--in wants increasing, double or playing, not \"%s\"", text);
    return KN_TRAIN_INCREASING;
}

static const struct argp_child children[] = {
    CLI_SHARES(cli_game_argp), CLI_SHARES(cli_out_argp),    CLI_SHARES(cli_show_argp),
    CLI_SHARES(cli_load_argp), CLI_SHARES(cli_course_argp), CLI_SHARES(cli_seed_argp),
    CLI_SHARES(cli_jobs_argp), CLI_SHARES(cli_common_argp), {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    KnTrainingPlan *p = &a->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case KEY_LEARNER:
        p->learner = arg;
        return 0;
    case KEY_SEQUENCES:
        snprintf(a->learner, sizeof a->learner, "hoyle(sequences=%.20s)", arg);
        p->learner = a->learner;
        return 0;
    case KEY_IN:
        p->environment = parse_environment(arg, state);
        return 0;
    case KEY_WATCH:
        p->watch = cli_parse_count(state, "--watch", arg, 0, 1000000);
        return 0;
    case KEY_TEST:
        p->test = cli_parse_count(state, "--test", arg, 0, 1000000);
        return 0;
    case KEY_RUNS:
        p->runs = cli_parse_count(state, "--runs", arg, 0, 100000);
        return 0;
    case KEY_LIMIT:
        p->ply_limit = (size_t)cli_parse_count(state, "--plies", arg, 1, 100000), a->limited = true;
        return 0;
    case KEY_AGENT:
        if (a->agents == KN_TRAINING_AGENTS - 1)
            argp_error(state, "at most %d agents", KN_TRAINING_AGENTS - 1);
        p->agents[a->agents++] = arg;
        return 0;
    case ARGP_KEY_END:
        p->game = a->shared.game;
        p->seed = a->shared.seed;
        p->jobs = a->shared.jobs;
        if (a->shared.into &&
            (a->shared.load || a->shared.out || a->shared.show || p->runs > 1 || !p->watch || !p->test))
            argp_error(state, "--into makes courses of one run each, with --watch and --test: --out, --show, "
                              "--load and --runs do not go with it");
        if (a->shared.load && (a->shared.out || !a->shared.show))
            argp_error(state, "--load learns nothing: it goes with --show alone");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Teaches a learner that watches contests (Hoyle and its kin, Lock 2003), and tests it against each agent "
    "without learning.\v"
    "Players use the file as hoyle(knowledge=FILE); --out keeps what the first run has learned. A course "
    "keeps knowledge.json, and its curve tells how reliable it is against the first agent after an eighth of "
    "the contests, two eighths, and so on. The same seed gives the same bytes for any --jobs.\nExamples:\n"
    "  knack train hoyle 'tictactoe(lose)' --learner 'hoyle(sequences=rote)' --out lose.json --show\n"
    "  knack train hoyle 'morris(men=5)' --in double --watch 40 --runs 10\n"
    "  knack train hoyle 'othello(size=6)' --agent 'alphabeta(depth=4)' --agent random --watch 20 --out "
    "six.json\n"
    "  knack train hoyle 'tictactoe(lose)' --sequences rote --into course --seeds 3\n"
    "  knack explain 'tictactoe(lose)' start 'hoyle(knowledge=lose.json)'";

/* ---- Results ---- */

static const char *agent_name(const Arguments *a, int agent)
{
    static const char *const names[] = {"perfect", "expert", "novice", "random"};
    return a->plan.agents[0] ? a->plan.agents[agent] : names[agent];
}

static void add_measure(KnText *text, KnMoments moments)
{
    KnInterval interval = kn_moments_interval(&moments, 0.95);
    if (moments.count > 1)
        kn_text_printf(text, "  %6.2f (%.2f to %.2f)", moments.mean, interval.low, interval.high);
    else
        kn_text_printf(text, "  %6.2f", moments.mean);
}

static void print_table(const Arguments *a, const KnTraining *t, KnText *text)
{
    if (!a->plan.test) return;
    kn_text_printf(text, "%s on %s: %llu run%s, tested in %llu contests with each; %% of contests%s\n",
                   a->plan.learner, a->plan.game, (unsigned long long)t->count, t->count == 1 ? "" : "s",
                   (unsigned long long)a->plan.test, t->count > 1 ? ", mean over runs (95% interval)" : "");
    for (int i = 0; i < t->agents; i++) {
        kn_text_printf(text, "%-18s reliability", agent_name(a, i));
        add_measure(text, kn_training_moments(t, KN_RELIABILITY, i));
        kn_text_add(text, "  power");
        add_measure(text, kn_training_moments(t, KN_POWER, i));
        kn_text_add_char(text, '\n');
    }
}

static json_t *moments_json(KnMoments moments)
{
    KnInterval interval = kn_moments_interval(&moments, 0.95);
    if (moments.count < 2) return json_pack("{s:f}", "mean", moments.mean);
    return json_pack("{s:f, s:[f, f]}", "mean", moments.mean, "interval", interval.low, interval.high);
}

/* Means over runs of everything counted; clocks are left out, so that equal seeds print equal bytes. */
static json_t *results_json(const Arguments *a, const KnTraining *t)
{
    json_t *agents = json_array(), *figures = json_object();
    const char *name;
    json_t *value;
    for (int i = 0; i < t->agents && a->plan.test; i++) {
        json_t *counts = json_object();
        if (t->runs[0].score[i].tally)
            json_object_foreach(t->runs[0].score[i].tally, name, value)
                json_object_set_new(counts, name, moments_json(kn_training_tally(t, name, i)));
        json_array_append_new(agents,
                              json_pack("{s:s, s:o, s:o, s:o}", "agent", agent_name(a, i), "reliability",
                                        moments_json(kn_training_moments(t, KN_RELIABILITY, i)), "power",
                                        moments_json(kn_training_moments(t, KN_POWER, i)), "counts", counts));
    }
    if (t->runs[0].figures) json_object_foreach(t->runs[0].figures, name, value)
        {
            if (json_is_number(value))
                json_object_set_new(figures, name, moments_json(kn_training_figure(t, name)));
        }
    return json_pack("{s:s, s:s, s:I, s:o, s:o}", "game", a->plan.game, "learner", a->plan.learner, "runs",
                     (json_int_t)t->count, "agents", agents, "figures", figures);
}

/* ---- The command ---- */

static KnStatus show_file(const Arguments *a, const KnContext *context, const KnGame *game, const char *file,
                          KnText *text, KnError *error)
{
    KnWatcher *watcher;
    KnStatus status = kn_watcher_load(context, game, NULL, file, &watcher, error);
    if (status != KN_OK) return status;
    kn_text_printf(text, "%s on %s, after %llu contests\n", watcher->spec, game->spec,
                   (unsigned long long)watcher->contests);
    if (watcher->type->show) watcher->type->show(watcher, text);
    kn_watcher_close(watcher);
    (void)a;
    return KN_OK;
}

static KnStatus show_taught(const Arguments *a, const KnContext *context, const KnGame *game, KnText *text,
                            KnError *error)
{
    KnWatcher *watcher;
    KnStatus status = kn_training_teach(context, &a->plan, game, &watcher, error);
    if (status != KN_OK) return status;
    if (watcher->type->show) watcher->type->show(watcher, text);
    kn_watcher_close(watcher);
    return KN_OK;
}

static KnStatus run(Arguments *a, const KnContext *context, const KnGame *game, KnText *text,
                    json_t **document, KnError *error)
{
    if (a->shared.load) return show_file(a, context, game, a->shared.load, text, error);
    if (a->shared.into) {
        TrainWatching watching = {&a->common, context, game, "hoyle", &a->plan};
        return train_courses(context, a->shared.into, a->plan.seed, cli_seeds(&a->shared), train_watching,
                             &watching, error);
    }
    int agents = a->agents ? a->agents : 4, cycles = a->plan.environment == KN_TRAIN_DOUBLE ? 2 : 1;
    KnTraining *training;
    a->plan.save = a->shared.out;
    a->plan.progress =
        cli_progress(&a->common, "contests",
                     a->plan.runs * (uint64_t)agents * ((uint64_t)cycles * a->plan.watch + a->plan.test));
    KnStatus status = kn_training_run(context, &a->plan, &training, error);
    kn_progress_free(a->plan.progress);
    a->plan.progress = NULL;
    if (status != KN_OK) return status;
    print_table(a, training, text);
    *document = results_json(a, training);
    kn_training_free(training);
    if (a->shared.show)
        status = a->shared.out ? show_file(a, context, game, a->shared.out, text, error)
                               : show_taught(a, context, game, text, error);
    else if (a->shared.out)
        kn_text_printf(text, "what was learned: %s\n", a->shared.out);
    return status;
}

int train_hoyle(int argc, char **argv)
{
    Arguments a = {.plan = {.learner = "hoyle", .watch = 30, .test = 50, .runs = 1, .seed = 1}};
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    KnText text = KN_TEXT_EMPTY;
    json_t *document = NULL;
    a.plan.cancel = cli_interrupt();
    KnStatus status = kn_game_open_turns(context, a.plan.game, &game, &error);
    if (status == KN_OK && !a.limited) a.plan.ply_limit = kn_training_limit(game);
    if (status == KN_OK) status = run(&a, context, game, &text, &document, &error);
    kn_game_close(game);
    kn_context_free(context);
    if (status == KN_OK && a.common.json && document)
        code = cli_print_json(document);
    else {
        if (status == KN_OK) fputs(text.data, stdout);
        json_decref(document);
    }
    kn_text_free(&text);
    return status != KN_OK ? cli_fail(&error) : code ? code : cli_finish();
}
