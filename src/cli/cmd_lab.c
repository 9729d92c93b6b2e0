/* knack lab: measures the papers' tables and figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "lab/compare.h"
#include "lab/export.h"
#include "lab/journal.h"
#include "lab/lab.h"
#include "lab/print.h"
#include "lab/report.h"
#include "lab/shipped.h"

enum { MOST_WORDS = 256, KEY_SCALE = 0x100, KEY_SEED, KEY_FRESH, KEY_OWN };

typedef struct Arguments {
    CliCommon common;
    KnLabPlan plan;
    bool scale_given, seed_given, own;
    const char *out;
    const char *words[MOST_WORDS];
    size_t word_count;
} Arguments;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    KnLabPlan *plan = &arguments->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'j':
        plan->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case 'o':
        arguments->out = arg;
        return 0;
    case KEY_SEED:
        plan->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        arguments->seed_given = true;
        return 0;
    case KEY_SCALE:
        arguments->scale_given = true;
        if (kn_scale_parse(arg, &plan->scale, NULL) != KN_OK)
            argp_error(state, "--scale expects quick, middle or paper, not \"%s\"", arg);
        return 0;
    case KEY_OWN:
        arguments->own = true;
        return 0;
    case KEY_FRESH:
        plan->fresh = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The same with arguments: the experiments of `run`. */
static error_t parse_words(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    if (key != ARGP_KEY_ARG) return parse(key, arg, state);
    if (arguments->word_count == MOST_WORDS)
        argp_error(state, "more than %d experiments; use patterns such as 'temporal.*'", MOST_WORDS);
    arguments->words[arguments->word_count++] = arg;
    return 0;
}

/* ---- list ---- */

static const char list_doc[] =
    "List the experiments, with the table or figure of the paper that each regenerates.";

/* "; games: 60 quick, 300 middle, 786 paper". */
static void print_sizes(const KnExperiment *e, const KnParameter *p)
{
    printf("; %s: %.10g quick, ", p->name, p->quick);
    if (e->middle) printf("%.10g middle, ", kn_parameter_at(e, p, KN_SCALE_MIDDLE));
    printf("%.10g paper", p->paper);
}

static int lab_list(int argc, char **argv)
{
    Arguments arguments = {0};
    const struct argp argp = {NULL, parse, NULL, list_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    json_t *rows = json_array();
    for (size_t i = 0; i < kn_registered(context, KN_KIND_EXPERIMENT); i++) {
        const KnExperiment *e = (const KnExperiment *)kn_registered_at(context, KN_KIND_EXPERIMENT, i);
        json_t *sizes[KN_SCALES];
        for (int scale = 0; scale < KN_SCALES; scale++) {
            sizes[scale] = json_object();
            for (const KnParameter *p = e->parameters; p && p->name; p++)
                json_object_set_new(sizes[scale], p->name, json_real(kn_parameter_at(e, p, (KnScale)scale)));
        }
        if (!arguments.common.json) {
            printf("%-24s %s\n%-24s %s", e->head.name, e->head.summary, "", e->paper);
            for (const KnParameter *p = e->parameters; p && p->name; p++) print_sizes(e, p);
            putchar('\n');
        }
        json_array_append_new(rows, json_pack("{ss ss ss ss* so so so}", "name", e->head.name, "summary",
                                              e->head.summary, "paper", e->paper, "source", e->source,
                                              "quick", sizes[KN_SCALE_QUICK], "middle",
                                              sizes[KN_SCALE_MIDDLE], "paper_scale", sizes[KN_SCALE_PAPER]));
    }
    kn_close(context);
    if (arguments.common.json) return cli_print_json(rows);
    json_decref(rows);
    return cli_finish();
}

/* ---- run ---- */

static const struct argp_option run_options[] = {
    {"scale", KEY_SCALE, "quick|middle|paper", 0,
     "Sample sizes: quick (default; minutes for all), middle (a night), or the paper's own or larger", 1},
    {"seed", KEY_SEED, "S", 0,
     "Seed of all random numbers (default 1000, the report's; seeds below it are for development)", 1},
    {"jobs", 'j', "N", 0, "Use N threads (default: all cores); the result does not depend on N", 1},
    {"fresh", KEY_FRESH, 0, 0, "Drop what earlier runs of these experiments stored, and measure again", 1},
    {0}};

static const char run_doc[] =
    "Measure published tables and figures again and compare them with the published values.\v"
    "Name experiments by an id, by the beginning of ids, or by a pattern; without a name all experiments "
    "run. "
    "Cells that differ come first. --json prints one object for each cell, one on each line. Give the same "
    "command again to resume an interrupted run.\nExamples:\n"
    "  knack lab run\n"
    "  knack lab run temporal.table6 --scale paper\n"
    "  knack lab run 'temporal.*' --seed 7 --json";

typedef struct Chosen {
    const KnExperiment **experiments;
    size_t count;
} Chosen;

/* An experiment that several arguments name runs once. */
static KnStatus choose(void *user, const KnExperiment *experiment, KnError *error)
{
    Chosen *chosen = user;
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->experiments[i] == experiment) return KN_OK;
    const KnExperiment **grown = realloc(chosen->experiments, (chosen->count + 1) * sizeof *grown);
    if (!grown) return kn_fail_memory(error, "choosing experiments");
    chosen->experiments = grown;
    chosen->experiments[chosen->count++] = experiment;
    return KN_OK;
}

/* Values with nothing published beside them, which can have no verdict. */
static size_t count_own(const json_t *result)
{
    size_t t, c, count = 0;
    json_t *table, *cell;
    json_array_foreach(json_object_get(result, "tables"), t, table)
    {
        json_array_foreach(json_object_get(table, "cells"), c, cell)
            count += !json_is_number(json_object_get(cell, "published"));
    }
    return count;
}

/* Runs them one after the other. After a failure the others still run; an interruption stops all. */
static int run_chosen(const KnContext *context, const Arguments *arguments, const Chosen *chosen)
{
    int code = 0;
    size_t total[KN_VERDICTS] = {0}, counts[KN_VERDICTS], own = 0;
    for (size_t i = 0; i < chosen->count; i++) {
        KnError error;
        json_t *result;
        KnProgress *progress = cli_progress(&arguments->common, chosen->experiments[i]->head.name, 0);
        KnStatus status = kn_lab_run(context, chosen->experiments[i], &arguments->plan, progress, &result,
                                     &error);
        kn_progress_free(progress);
        if (status == KN_STOPPED) {
            fprintf(stderr, "knack: stopped; the same command goes on from here\n");
            return 130;
        }
        if (status != KN_OK) {
            code = cli_fail(&error);
            continue;
        }
        KnText text = KN_TEXT_EMPTY;
        if (arguments->common.json)
            kn_lab_print_lines(result, &text);
        else
            kn_lab_print_table(result, &text);
        fputs(text.data, stdout);
        fflush(stdout);
        kn_text_free(&text);
        kn_lab_count(result, counts);
        for (int v = 0; v < KN_VERDICTS; v++) total[v] += counts[v];
        own += count_own(result);
        json_decref(result);
    }
    if (!arguments->common.json && chosen->count > 1)
        printf("Of %zu published values %zu differ, %zu agree and %zu have no verdict; %zu more values are "
               "our own.\n",
               total[KN_DIFFERS] + total[KN_AGREES] + total[KN_NOT_COMPARABLE] - own, total[KN_DIFFERS],
               total[KN_AGREES], total[KN_NOT_COMPARABLE] - own, own);
    return code ? code : cli_finish();
}

static int lab_run(int argc, char **argv)
{
    Arguments arguments = {.plan = {.scale = KN_SCALE_QUICK, .seed = KN_LAB_SEED}};
    const struct argp argp = {run_options, parse_words, "[ID...]", run_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    arguments.plan.cancel = cli_interrupt();
    arguments.plan.live = arguments.common.progress; /* a program looks on */
    Chosen chosen = {0};
    KnError error;
    KnStatus status = KN_OK;
    if (!arguments.word_count) status = kn_lab_select(context, "*", choose, &chosen, &error);
    for (size_t i = 0; i < arguments.word_count && status == KN_OK; i++)
        status = kn_lab_select(context, arguments.words[i], choose, &chosen, &error);
    code = status == KN_OK ? run_chosen(context, &arguments, &chosen) : cli_fail(&error);
    if (!code && !arguments.common.json && !arguments.common.quiet)
        fputs("`knack lab report` writes the papers' claims, verdicts and figures as pages.\n", stderr);
    free(chosen.experiments);
    kn_close(context);
    return code;
}

/* ---- report ---- */

static const struct argp_option report_options[] = {
    {"out", 'o', "FOLDER", 0, "Where to write the pages (default: lab/report in the data folder)", 1},
    {"scale", KEY_SCALE, "SCALE", 0, "Only results at this scale (default: the largest there is)", 1},
    {"seed", KEY_SEED, "S", 0, "Only results with this seed (default: the latest)", 1},
    {"own", KEY_OWN, 0, 0, "Only what was measured here, without the results that came with the program", 1},
    {0}};

static const struct argp_option export_options[] = {
    {"out", 'o', "FOLDER", 0, "Where to write (default: lab-export)", 1},
    {"scale", KEY_SCALE, "SCALE", 0, "Only results at this scale (default: the largest there is)", 1},
    {"seed", KEY_SEED, "S", 0, "Only results with this seed (default: the latest)", 1},
    {"own", KEY_OWN, 0, 0, "Only what was measured here, without the results that came with the program", 1},
    {0}};

static const char report_doc[] =
    "Write the lab as a journal: an index, and a page for each paper with its claims and verdicts, "
    "published "
    "values beside ours, and the command behind each number. Nothing is measured: the results that came with "
    "the program are shown, and beside them those that `knack lab run` has measured here.\v"
    "Examples:\n"
    "  knack lab report\n"
    "  knack lab report --scale paper --out journal";

static KnStatus read_journal(const KnContext *context, const Arguments *arguments, json_t **journal,
                             size_t *count, KnError *error)
{
    json_t *results;
    *journal = NULL;
    const KnScale *scale = arguments->scale_given ? &arguments->plan.scale : NULL;
    const uint64_t *seed = arguments->seed_given ? &arguments->plan.seed : NULL;
    KnStatus status = arguments->own ? kn_lab_results(context, scale, seed, &results, error)
                                     : kn_lab_shown(context, scale, seed, &results, error);
    if (status != KN_OK) return status;
    *count = json_array_size(results);
    if (!*count)
        status = kn_fail(error, KN_NO, "nothing has been measured yet%s; `knack lab run` does",
                         arguments->scale_given || arguments->seed_given ? " at this scale and seed" : "");
    if (status == KN_OK) status = kn_lab_journal(context, results, journal, error);
    json_decref(results);
    return status;
}

static KnStatus write_report(const KnContext *context, const Arguments *arguments, const char *folder,
                             size_t *count, KnError *error)
{
    json_t *journal;
    KnStatus status = read_journal(context, arguments, &journal, count, error);
    if (status == KN_OK) status = kn_report_write(journal, folder, error);
    json_decref(journal);
    return status;
}

static int lab_report(int argc, char **argv)
{
    Arguments arguments = {0};
    const struct argp argp = {report_options, parse, NULL, report_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnText path = KN_TEXT_EMPTY;
    if (arguments.out)
        kn_text_add(&path, arguments.out);
    else
        kn_path_join(&path, kn_context_data(context), "lab/report");
    KnError error;
    size_t count = 0;
    KnStatus status = write_report(context, &arguments, path.data, &count, &error);
    if (status == KN_OK) kn_text_add(&path, "/index.html");
    if (status != KN_OK)
        code = cli_fail(&error);
    else if (arguments.common.json)
        code = cli_print_json(json_pack("{ss sI}", "file", path.data, "experiments", (json_int_t)count));
    else {
        printf("%s\n", path.data);
        code = cli_finish();
    }
    kn_text_free(&path);
    kn_close(context);
    return code;
}

/* ---- export ---- */

static const char export_doc[] = "Write the journal as files for a paper of your own: LaTeX tables, CSV, and "
                                 "figures as SVG and PNG (these need "
                                 "gnuplot).\v"
                                 "Examples:\n"
                                 "  knack lab export --out journal-files\n"
                                 "  knack lab export --own --scale paper";

static int lab_export(int argc, char **argv)
{
    Arguments arguments = {.out = "lab-export"};
    const struct argp argp = {export_options, parse, NULL, export_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnExported exported = {0};
    json_t *journal;
    size_t count;
    KnStatus status = read_journal(context, &arguments, &journal, &count, &error);
    if (status == KN_OK) status = kn_lab_export(journal, arguments.out, &exported, &error);
    json_decref(journal);
    kn_close(context);
    if (status != KN_OK) return cli_fail(&error);
    if (arguments.common.json)
        return cli_print_json(json_pack("{ss sI sI sb}", "folder", arguments.out, "tables",
                                        (json_int_t)exported.tables, "figures", (json_int_t)exported.figures,
                                        "pictures", exported.pictures));
    printf("%s: %zu tables, %zu figures\n", arguments.out, exported.tables, exported.figures);
    if (!exported.pictures)
        fputs("gnuplot is not installed: figures have their numbers only (CSV)\n", stderr);
    return cli_finish();
}

/* ---- compare ---- */

static const struct argp_option compare_options[] = {
    {"scale", KEY_SCALE, "SCALE", 0,
     "Only results at this scale (default: the largest there is, on each side)", 1},
    {0}};

static const char compare_doc[] = "Compare two sets of results cell by cell, and say what changed beyond "
                                  "chance (5 % for all cells together, by "
                                  "Holm's method).\v"
                                  "A and B are \"shipped\", a seed of what was measured here, a data folder, "
                                  "or the file of a result.\nExamples:\n"
                                  "  knack lab compare shipped 1000\n"
                                  "  knack lab compare old-data new-data --scale quick";

static int lab_compare(int argc, char **argv)
{
    Arguments arguments = {0};
    const struct argp argp = {compare_options, parse_words, "A B", compare_doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (arguments.word_count != 2) {
        fputs("knack lab compare: give two sets of results, A and B (--help explains)\n", stderr);
        return KN_USAGE;
    }
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    const KnScale *scale = arguments.scale_given ? &arguments.plan.scale : NULL;
    KnError error;
    json_t *a = NULL, *b = NULL, *comparison = NULL;
    KnStatus status = kn_lab_named_results(context, arguments.words[0], scale, &a, &error);
    if (status == KN_OK) status = kn_lab_named_results(context, arguments.words[1], scale, &b, &error);
    if (status == KN_OK) status = kn_lab_compare(a, b, &comparison, &error);
    json_decref(a);
    json_decref(b);
    kn_close(context);
    if (status != KN_OK) return cli_fail(&error);
    if (arguments.common.json) return cli_print_json(comparison);
    KnText text = KN_TEXT_EMPTY;
    kn_lab_print_comparison(comparison, &text);
    fputs(text.data, stdout);
    kn_text_free(&text);
    json_decref(comparison);
    return cli_finish();
}

/* ---- dispatch ---- */

const Command cli_lab_parts[] = {
    {"list", "the experiments", lab_list},
    {"run", "measure, and print published and measured values", lab_run},
    {"report", "write the results as pages, one for each paper", lab_report},
    {"compare", "say what changed between two sets of results", lab_compare},
    {"export", "write tables and figures as LaTeX, CSV, SVG and PNG", lab_export},
    {0},
};

static void print_help(FILE *out)
{
    fputs("Usage: knack lab list|run|report|compare|export [ARGUMENT...]\n"
          "Measure the papers' tables and figures and compare them with the published values.\n"
          "\n",
          out);
    for (const Command *part = cli_lab_parts; part->name; part++)
        fprintf(out, "  %-8s %s\n", part->name, part->summary);
    fputs("\n`knack lab run --help` and the like explain them, with examples.\n", out);
}

int command_lab(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return cli_finish();
    }
    for (const Command *part = cli_lab_parts; part->name; part++) {
        if (strcmp(part->name, word) != 0) continue;
        char name[64];
        snprintf(name, sizeof name, "knack lab %s", part->name);
        argv[1] = name;
        return part->run(argc - 1, argv + 1);
    }
    if (*word)
        fprintf(stderr, "knack: there is no \"knack lab %s\"; known: list run report compare export\n", word);
    else
        print_help(stderr);
    return KN_USAGE;
}
