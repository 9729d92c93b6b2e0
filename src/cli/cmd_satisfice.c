/* knack satisfice: the outcomes of satisficing agents, for one trial, many random trials, or a map over two
 * parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include <knack/stats.h>
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/satisfice.h"
#include "methods/satisficing/outcome_map.h"

enum {
    MOST_POINTS = 2000,
    KEY_SEED = 0x100,
    KEY_CSV,
    KEY_SVG,
    KEY_X,
    KEY_Y,
    KEY_SIZE,
    KEY_ROUNDS,
    KEY_INDEX,
    KEY_SHOW
};

static const struct argp_option outcomes_options[] = {
    {"trials", 'n', "N", 0, "Number of trials (default 1000000)", 1},
    {"seed", KEY_SEED, "S", 0, "Seed (default 1)", 1},
    {"jobs", 'j', "N", 0, "Threads (default: all cores); the result does not depend on it", 1},
    {"rounds", KEY_ROUNDS, "N", 0, "Rounds after which a trial counts as unsettled (default 100000)", 1},
    {"csv", KEY_CSV, 0, 0, "Print a table in CSV", 1},
    {0}};

static const struct argp_option map_options[] = {
    {"x", KEY_X, "NAME=LOW..HIGH", 0, "Horizontal axis (default alpha=0..2)", 1},
    {"y", KEY_Y, "NAME=LOW..HIGH", 0, "Vertical axis (default beta=0..2)", 1},
    {"size", KEY_SIZE, "N", 0, "Points along each axis (default 41)", 1},
    {"trials", 'n', "N", 0, "Trials at each point (default 1, for fixed parameters)", 1},
    {"seed", KEY_SEED, "S", 0, "Seed (default 1)", 1},
    {"jobs", 'j', "N", 0, "Threads (default: all cores)", 1},
    {"rounds", KEY_ROUNDS, "N", 0, "Rounds after which a trial counts as unsettled (default 100000)", 1},
    {"csv", KEY_CSV, 0, 0, "Print a row for each point in CSV", 1},
    {"svg", KEY_SVG, "FILE", 0, "Draw the map into FILE", 1},
    {0}};

static const struct argp_option trial_options[] = {
    {"seed", KEY_SEED, "S", 0, "Seed of parameters that are not fixed (default 1)", 1},
    {"index", KEY_INDEX, "I", 0, "Number of the trial of this seed (default 0)", 1},
    {"rounds", KEY_ROUNDS, "N", 0, "Rounds after which it counts as unsettled (default 100000)", 1},
    {"show", KEY_SHOW, "N", 0, "Rounds to print (default 20)", 1},
    {"csv", KEY_CSV, 0, 0, "Print the rounds in CSV", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    SatisficeArguments *a = state->input;
    KnError error;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    case 'n':
        a->plan.trials = cli_parse_count(state, "--trials", arg, 1, (uint64_t)1 << 40);
        return 0;
    case 'j':
        a->plan.jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_SEED:
        a->plan.seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_INDEX:
        a->index = cli_parse_count(state, "--index", arg, 0, UINT64_MAX);
        return 0;
    case KEY_ROUNDS:
        a->plan.rounds = (uint32_t)cli_parse_count(state, "--rounds", arg, 1, 100000000);
        return 0;
    case KEY_SHOW:
        a->show = (uint32_t)cli_parse_count(state, "--show", arg, 0, 100000000);
        return 0;
    case KEY_SIZE:
        a->size = (int)cli_parse_count(state, "--size", arg, 1, MOST_POINTS);
        return 0;
    case KEY_CSV:
        a->csv = true;
        return 0;
    case KEY_SVG:
        a->svg = arg;
        return 0;
    case KEY_X:
    case KEY_Y: {
        KnOutcomeMapAxis *axis = key == KEY_X ? &a->x : &a->y;
        KnRange range;
        KnStatus status = kn_range_word(arg, &axis->number, &range, &error);
        if (status == KN_OK && (range.above >= 0 || range.below >= 0))
            status = kn_fail(&error, KN_INPUT, "an axis needs two numbers");
        if (status != KN_OK) argp_error(state, "%s: %s", key == KEY_X ? "--x" : "--y", error.text);
        axis->low = range.low;
        axis->high = range.high;
        return 0;
    }
    case ARGP_KEY_ARG:
        if (a->word_count == SATISFICE_WORDS) argp_error(state, "too many arguments: \"%s\"", arg);
        a->words[a->word_count++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int satisfice_deal(SatisficeArguments *a)
{
    KnError error;
    KnStatus status = KN_OK;
    a->plan.trial = kn_trial_distribution_paper();
    for (size_t i = 0; i < a->word_count && status == KN_OK; i++)
        status = kn_trial_distribution_word(&a->plan.trial, a->words[i], &error);
    return status == KN_OK ? 0 : cli_fail(&error);
}

/* ---- outcomes ---- */

static const char outcomes_doc[] =
    "Sample trials of two satisficing agents and print how often each outcome occurs.\v"
    "Without words, parameters are sampled as in the paper's Table 1. A WORD fixes a parameter (lambda=.9), "
    "gives "
    "its range (delta=.1..sigma, alpha=sigma+.1..2) or the start (start=CC, CD, DC, DD, same, mixed, "
    "random), or "
    "is a condition on trials ('sigma-delta>0.4'). Parameters: sigma and delta (payoffs of CC and DD), "
    "temptation "
    "(1) and sucker (0), lambda (lambda2 for the second agent), alpha and beta (initial aspirations). "
    "Intervals "
    "are Wilson's, 95%.\nExamples:\n"
    "  knack satisfice outcomes\n"
    "  knack satisfice outcomes start=CC delta=-.1..sigma\n"
    "  knack satisfice outcomes start=same lambda=.8..1 'sigma-delta>.4' 'alpha>sigma' 'beta>sigma'";

static void row_name(const KnTallyRow *row, KnText *out)
{
    kn_text_clear(out);
    if (row->code)
        kn_cycle_code_text(row->code, out);
    else
        kn_text_printf(out, "cycle of %u", row->period);
}

static json_t *mark_json(const KnTallyMark *mark)
{
    return mark->any ? json_pack("{sI so}", "rounds", (json_int_t)mark->rounds, "index",
                                 kn_json_from_uint64(mark->index))
                     : json_null();
}

static json_t *outcomes_json(const SatisficeArguments *a, const KnOutcomeCounts *tally,
                             const char *distribution, double seconds)
{
    json_t *rows = json_array();
    KnText name = KN_TEXT_EMPTY;
    for (size_t i = 0; i < tally->row_count; i++) {
        const KnTallyRow *row = &tally->rows[i];
        KnInterval interval = kn_wilson((double)row->count, (double)tally->trials, KN_Z95);
        row_name(row, &name);
        json_array_append_new(rows, json_pack("{ss sI sI sf sf sf}", "outcome", name.data, "period",
                                              (json_int_t)row->period, "trials", (json_int_t)row->count,
                                              "share", (double)row->count / (double)tally->trials, "low",
                                              interval.low, "high", interval.high));
    }
    kn_text_free(&name);
    return json_pack("{ss sI so so sI sI sf so so so sf}", "deal", distribution, "trials",
                     (json_int_t)tally->trials, "seed", kn_json_from_uint64(a->plan.seed), "outcomes", rows,
                     "unsettled", (json_int_t)tally->unsettled, "no_dilemma", (json_int_t)tally->no_dilemma,
                     "mean_rounds",
                     (double)tally->rounds / fmax(1, (double)(tally->trials - tally->unsettled)), "slowest",
                     mark_json(&tally->slowest), "longest", mark_json(&tally->longest),
                     "soonest_other_than_cc", mark_json(&tally->soonest), "seconds", seconds);
}

static void print_row(const char *name, uint64_t count, uint64_t trials)
{
    KnInterval interval = kn_wilson((double)count, (double)trials, KN_Z95);
    printf("  %-28s %12llu  %8.4f%%  [%.4f, %.4f]\n", name, (unsigned long long)count,
           100 * (double)count / (double)trials, 100 * interval.low, 100 * interval.high);
}

static void print_outcomes(const SatisficeArguments *a, const KnOutcomeCounts *tally,
                           const char *distribution, double seconds)
{
    enum { ROWS = 24, WORDS = 8 };
    KnText name = KN_TEXT_EMPTY;
    printf("%s\n%llu trials, seed %llu\n\n", distribution, (unsigned long long)tally->trials,
           (unsigned long long)a->plan.seed);
    uint64_t longer = 0, of_period = 0;
    for (size_t i = 0, printed = 0; i < tally->row_count; i++) {
        const KnTallyRow *row = &tally->rows[i];
        bool last = i + 1 == tally->row_count || tally->rows[i + 1].period != row->period;
        if (row->period <= WORDS) row_name(row, &name);
        of_period += row->count;
        if (row->period > WORDS && !last) continue; /* longer cycles are grouped by period */
        if (row->period > WORDS) {
            kn_text_clear(&name);
            kn_text_printf(&name, "cycles of %u", row->period);
        }
        uint64_t count = row->period > WORDS ? of_period : row->count;
        if (printed++ < ROWS)
            print_row(name.data, count, tally->trials);
        else
            longer += count;
        if (last) of_period = 0;
    }
    if (longer) print_row("longer cycles", longer, tally->trials);
    kn_text_free(&name);
    if (tally->unsettled) print_row("unsettled", tally->unsettled, tally->trials);
    printf("\nrounds before settling: mean %.3f",
           (double)tally->rounds / fmax(1, (double)(tally->trials - tally->unsettled)));
    if (tally->slowest.any)
        printf(", maximum %u (trial %llu)", tally->slowest.rounds, (unsigned long long)tally->slowest.index);
    if (tally->longest.any && tally->longest.rounds > 1)
        printf("\nlongest cycle: %u rounds (trial %llu)", tally->longest.rounds,
               (unsigned long long)tally->longest.index);
    if (tally->soonest.any)
        printf("\nearliest outcome other than CC: after %u rounds (trial %llu)", tally->soonest.rounds,
               (unsigned long long)tally->soonest.index);
    if (tally->no_dilemma) {
        printf("\nno dilemma: %.4f%% of the trials lack temptation > sigma > delta > sucker",
               100 * (double)tally->no_dilemma / (double)tally->trials);
    }
    printf("\n%.2f s, %.2f million trials per second\n", seconds,
           (double)tally->trials / fmax(seconds, 1e-9) / 1e6);
}

static void csv_outcomes(const KnOutcomeCounts *tally)
{
    KnText name = KN_TEXT_EMPTY;
    puts("outcome,period,trials,share,low,high");
    for (size_t i = 0; i <= tally->row_count; i++) {
        bool last = i == tally->row_count;
        if (!last) row_name(&tally->rows[i], &name);
        uint64_t count = last ? tally->unsettled : tally->rows[i].count;
        KnInterval interval = kn_wilson((double)count, (double)tally->trials, KN_Z95);
        printf("%s,%u,%llu,%.6f,%.6f,%.6f\n", last ? "unsettled" : name.data,
               last ? 0 : tally->rows[i].period, (unsigned long long)count,
               (double)count / (double)tally->trials, interval.low, interval.high);
    }
    kn_text_free(&name);
}

static int outcomes(int argc, char **argv)
{
    SatisficeArguments a = {.plan = {.trials = 1000000, .seed = 1}};
    const struct argp argp = {outcomes_options, parse, "[WORD...]", outcomes_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    int code = satisfice_deal(&a);
    if (code) return code;
    KnError error;
    KnOutcomeCounts tally;
    a.plan.cancel = cli_interrupt();
    a.plan.progress = cli_progress(&a.common, "trials", a.plan.trials);
    double started = kn_clock_now();
    KnStatus status = kn_trials_run(&a.plan, &tally, &error);
    double seconds = kn_clock_now() - started;
    kn_progress_free(a.plan.progress);
    if (status != KN_OK) return cli_fail(&error);
    KnText distribution = KN_TEXT_EMPTY;
    kn_trial_distribution_text(&a.plan.trial, &distribution);
    json_t *document = a.common.json ? outcomes_json(&a, &tally, distribution.data, seconds) : NULL;
    if (a.csv && !document)
        csv_outcomes(&tally);
    else if (!document)
        print_outcomes(&a, &tally, distribution.data, seconds);
    kn_text_free(&distribution);
    kn_tally_free(&tally);
    return document ? cli_print_json(document) : cli_finish();
}

/* ---- map ---- */

static const char map_doc[] =
    "Draw a map of outcomes over two parameters, like the paper's figures 4 (one trial a point), 6 and 7 "
    "(many).\v"
    "Words are those of `knack satisfice outcomes`. Letters: C and D mutual cooperation and defection, + a "
    "cycle, "
    "/ one-sided, ? unsettled. With several trials a point, digits give the tenths that end in mutual "
    "cooperation.\nExamples:\n"
    "  knack satisfice map sigma=.8 delta=.7 lambda=.9 start=DD --size 201 --svg figure4a.svg\n"
    "  knack satisfice map --x alpha=.5..2 --y beta=.5..2 --trials 1000 --size 31 --svg figure6.svg\n"
    "  knack satisfice map --x delta=.05..0.95 --y sigma=.51..1 'delta<sigma' --trials 1000 --csv";

static int write_map(const SatisficeArguments *a, const KnOutcomeMap *map)
{
    KnError error;
    KnText out = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    if (a->svg) {
        kn_outcome_map_svg(
            map, map->trials == 1 ? "Outcomes of two satisficing agents" : "Share of mutual cooperation",
            &out);
        status = kn_text_ok(&out) ? kn_file_write_atomic(a->svg, out.data, out.length, &error)
                                  : kn_fail_memory(&error, "drawing");
        kn_text_clear(&out);
    }
    json_t *document = NULL;
    if (status == KN_OK && a->common.json)
        document = kn_outcome_map_json(map, &a->plan);
    else if (status == KN_OK && a->csv)
        kn_outcome_map_csv(map, &out);
    else if (status == KN_OK && (!a->svg || map->x.points <= 100))
        kn_outcome_map_text(map, &out);
    if (status == KN_OK && !kn_text_ok(&out)) status = kn_fail_memory(&error, "drawing");
    if (status == KN_OK && !document) fputs(out.data, stdout);
    kn_text_free(&out);
    if (status != KN_OK) return cli_fail(&error);
    return document ? cli_print_json(document) : cli_finish();
}

static int draw_map(int argc, char **argv)
{
    SatisficeArguments a = {.plan = {.trials = 1, .seed = 1},
                            .size = 41,
                            .x = {KN_TRIAL_ALPHA, 0, 2, 0},
                            .y = {KN_TRIAL_BETA, 0, 2, 0}};
    const struct argp argp = {map_options, parse, "[WORD...]", map_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    int code = satisfice_deal(&a);
    if (code) return code;
    KnError error;
    a.x.points = a.y.points = a.size;
    size_t count = (size_t)a.size * (size_t)a.size;
    KnOutcomeMapPoint *points = calloc(count, sizeof *points);
    a.plan.cancel = cli_interrupt();
    a.plan.progress = cli_progress(&a.common, "trials", a.plan.trials * count);
    KnStatus status = points ? kn_trials_map(&a.plan, &a.x, &a.y, points, &error)
                             : kn_fail_memory(&error, "drawing a map");
    kn_progress_free(a.plan.progress);
    code = status == KN_OK ? write_map(&a, &(KnOutcomeMap){a.x, a.y, a.plan.trials, points})
                           : cli_fail(&error);
    free(points);
    return code;
}

/* ---- the command ---- */

static int trial(int argc, char **argv)
{
    SatisficeArguments a = {.plan = {.trials = 1, .seed = 1}, .show = 20};
    const struct argp argp = {
        trial_options, parse, "[WORD...]\nGAME AGENT...", satisfice_trial_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    return satisfice_trial(&a);
}

const Command cli_satisfice_parts[] = {
    {"trial", "show one trial, round by round, and its outcome", trial},
    {"outcomes", "measure how often each outcome occurs", outcomes},
    {"map", "map outcomes over two parameters", draw_map},
    {0},
};

int command_satisfice(int argc, char **argv)
{
    FILE *out = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) ? stdout : stderr;
    for (const Command *part = cli_satisfice_parts; argc > 1 && part->name; part++) {
        if (strcmp(part->name, argv[1]) != 0) continue;
        char name[64];
        snprintf(name, sizeof name, "knack satisfice %s", part->name);
        argv[1] = name;
        return part->run(argc - 1, argv + 1);
    }
    if (argc > 1 && out == stderr)
        fprintf(stderr, "knack satisfice: unknown action \"%s\"; known: trial outcomes map\n", argv[1]);
    else {
        fputs("Usage: knack satisfice trial|outcomes|map [OPTION...] [WORD...]\n"
              "Compute where satisficing agents end: such an agent repeats an action that pays at least its "
              "aspiration.\n\n",
              out);
        for (const Command *part = cli_satisfice_parts; part->name; part++)
            fprintf(out, "  %-10s %s\n", part->name, part->summary);
        fputs("\n`knack satisfice ACTION --help` explains each, with examples.\n", out);
    }
    return out == stdout ? cli_finish() : KN_USAGE;
}
