/* knack gdl: check, show, compare and time game descriptions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/gdl_analysis.h"
#include "games/gdl/examine.h"
#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/playouts.h"
#include "games/gdl/trace.h"

enum { MOST_FILES = 1000 };

typedef struct Arguments {
    CliCommon common;
    const char *action, *files[MOST_FILES];
    int file_count;
    double limit;
    KnGdlReasoner reasoner;
} Arguments;

enum { KEY_LIMIT = 0x100, KEY_REASONER };

static const struct argp_option options[] = {
    {"limit", KEY_LIMIT, "SECONDS", 0,
     "For trace: time for perft (default 10); for bench: time to play with each method (default 0.5)", 1},
    {"reasoner", KEY_REASONER, "NAME", 0, "Reason about the rules by NAME: auto (default), fast or prover",
     1},
    {0}};

static const char *const reasoners[] = {"auto", "fast", "prover"};

static KnGdlReasoner parse_reasoner(struct argp_state *state, const char *arg)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(arg, reasoners[i]) == 0) return (KnGdlReasoner)i;
    argp_error(state, "--reasoner takes auto, fast or prover, not \"%s\"", arg);
    return KN_GDL_AUTO;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_LIMIT:
        arguments->limit = cli_parse_real(state, "--limit", arg, 0, 1e6);
        return 0;
    case KEY_REASONER:
        arguments->reasoner = parse_reasoner(state, arg);
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->action)
            arguments->action = arg;
        else if (arguments->file_count < MOST_FILES)
            arguments->files[arguments->file_count++] = arg;
        else
            argp_error(state, "too many arguments: \"%s\"", arg);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->file_count) argp_error(state, "give an action and a file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Check, show, compare and time descriptions in the game description language (GDL).\v"
    "check lists errors and warnings with line and column, also of what random games meet; the exit code is "
    "1 "
    "if there are errors. show "
    "prints "
    "roles, sizes and the results of grounding and analysis. trace compares a description with a reference "
    "(games, states, goals, legal moves, perft) and prints the first difference; the exit code is 1 if there "
    "is "
    "one. bench measures random games per second of CPU time: with the prover; with the propnet one game "
    "after "
    "the other, by differential propagation and by machine code where that is faster; and in batches of 256 "
    "games.\nExamples:\n"
    "  knack gdl check rules.kif\n"
    "  knack gdl show rules.kif\n"
    "  knack gdl trace rules.kif reference.json --limit 60";
static const char usage[] = "check FILE...\nshow FILE\ntrace FILE REFERENCE\nbench FILE...";

/* ---- check ---- */

static json_t *problem_json(const KnGdlProblem *problem)
{
    return json_pack("{sb si si ss}", "error", problem->error, "line", problem->place.line, "column",
                     problem->place.column, "text", problem->text);
}

/* Sorts problems by line and column. */
static void sort_problems(KnGdlDescription *description)
{
    for (int i = 1; i < description->problem_count; i++)
        for (int k = i; k > 0; k--) {
            KnGdlProblem *a = &description->problems[k - 1], *b = &description->problems[k], swap = *a;
            bool later = a->place.line > b->place.line ||
                         (a->place.line == b->place.line && a->place.column > b->place.column);
            if (!later) break;
            *a = *b;
            *b = swap;
        }
}

/* Returns 0 if there are no errors, 1 if there are some or the file is not a description. */
static int check_file(const char *path, json_t *rows)
{
    KnGdlDescription *description;
    KnError error;
    KnStatus status = kn_gdl_read_file(path, true, &description, &error);
    if (status == KN_OK) {
        status = kn_gdl_examine(path, description, &error);
        if (status == KN_SYSTEM) {
            kn_gdl_free(description);
            return cli_fail(&error);
        }
    }
    json_t *problems = json_array();
    if (!description) {
        if (status == KN_SYSTEM) {
            json_decref(problems);
            return cli_fail(&error);
        }
        if (!rows) printf("%s\n", error.text);
        json_array_append_new(problems, json_pack("{sb ss}", "error", true, "text", error.text));
    }
    if (description) sort_problems(description);
    for (int i = 0; description && i < description->problem_count; i++) {
        const KnGdlProblem *problem = &description->problems[i];
        if (rows)
            json_array_append_new(problems, problem_json(problem));
        else
            printf("%s:%d:%d: %s: %s\n", path, problem->place.line, problem->place.column,
                   problem->error ? "error" : "warning", problem->text);
    }
    if (description && !rows)
        printf("%s: %d rules, %d role%s: %s\n", path, description->rule_count, description->role_count,
               description->role_count == 1 ? "" : "s",
               status == KN_OK ? description->problem_count ? "no errors" : "no problems" : "unusable");
    if (rows)
        json_array_append_new(
            rows, json_pack("{ss sb so}", "file", path, "usable", status == KN_OK, "problems", problems));
    else
        json_decref(problems);
    kn_gdl_free(description);
    return status == KN_OK ? 0 : KN_NO;
}

static int command_check(const Arguments *arguments)
{
    json_t *rows = arguments->common.json ? json_array() : NULL;
    int code = 0;
    for (int i = 0; i < arguments->file_count; i++) {
        int mine = check_file(arguments->files[i], rows);
        if (mine > code) code = mine;
    }
    int printed = rows ? cli_print_json(rows) : cli_finish();
    return printed ? printed : code;
}

/* ---- show ---- */

static KnStatus open_machine(const Arguments *arguments, const char *path, KnGdlReasoner reasoner,
                             KnGdlMachine **machine, KnError *error)
{
    KnGdlDescription *description;
    KnStatus status = kn_gdl_read_file(path, false, &description, error);
    (void)arguments;
    KnGdlLimits limits = {.facts = 16384, .moves = 4096, .reasoner = reasoner};
    return status == KN_OK ? kn_gdl_machine_new(description, &limits, machine, error) : status;
}

static json_t *roles_json(const KnGdlMachine *machine)
{
    const KnGdlDescription *description = kn_gdl_machine_description(machine);
    json_t *roles = json_array();
    for (int r = 0; r < description->role_count; r++) {
        KnText text = KN_TEXT_EMPTY;
        kn_term_text(&description->symbols, &description->terms, description->roles[r], &text);
        json_array_append_new(roles, json_string(text.data));
        kn_text_free(&text);
    }
    return roles;
}

static json_t *network_json(const KnPropnetReasonerInfo *info)
{
    return json_pack("{sb si si si si si si si si sI sf}", "declared", info->declared, "facts",
                     (int)info->facts, "actions", (int)info->actions, "sentences", (int)info->sentences,
                     "ground_rules", (int)info->instances, "gates", (int)info->gates, "wires",
                     (int)info->wires, "depth", (int)info->depth, "loops", (int)info->loops, "steps",
                     (json_int_t)info->steps, "seconds", info->seconds);
}

static void print_network(const KnPropnetReasonerInfo *info)
{
    printf("grounded   %s, in %.3f s and %" PRIu64 " steps\n",
           info->declared ? "from its base and input relations" : "from its rules", info->seconds,
           info->steps);
    printf("facts      %" PRIu32 " possible\n", info->facts);
    printf("moves      %" PRIu32 " possible, over all roles\n", info->actions);
    printf("sentences  %" PRIu32 ", from %" PRIu32 " ground rules\n", info->sentences, info->instances);
    printf("propnet    %" PRIu32 " components, %" PRIu32 " wires, depth %" PRIu32, info->gates, info->wires,
           info->depth);
    if (info->loops) printf("; %" PRIu32 " recursive sentences", info->loops);
    puts("");
}

static int command_show(const Arguments *arguments)
{
    KnGdlMachine *machine;
    KnError error;
    double started = kn_clock_now();
    if (open_machine(arguments, arguments->files[0], arguments->reasoner, &machine, &error) != KN_OK)
        return cli_fail(&error);
    double seconds = kn_clock_now() - started;
    const KnGdlDescription *description = kn_gdl_machine_description(machine);
    const KnPropnetReasoner *propnet = kn_gdl_machine_propnet(machine);
    KnGdlAnalysis *analysis;
    if (kn_gdl_analyse(machine, &analysis, &error) != KN_OK) {
        kn_gdl_machine_free(machine);
        return cli_fail(&error);
    }
    json_t *roles = roles_json(machine);
    if (arguments->common.json) {
        json_t *document = json_pack("{ss so si si ss sf}", "file", arguments->files[0], "roles", roles,
                                     "rules", description->rule_count, "warnings", description->problem_count,
                                     "reasoner", propnet ? "fast" : "prover", "seconds", seconds);
        if (propnet)
            json_object_set_new(document, "network", network_json(kn_propnet_reasoner_info(propnet)));
        else
            json_object_set_new(document, "why", json_string(kn_gdl_machine_why_prover(machine)));
        if (analysis)
            json_object_set_new(document, "analysis", cli_gdl_analysis_json(machine, analysis, roles));
        kn_gdl_analysis_free(analysis);
        kn_gdl_machine_free(machine);
        return cli_print_json(document);
    }
    printf("roles     ");
    for (size_t r = 0; r < json_array_size(roles); r++)
        printf(" %s", json_string_value(json_array_get(roles, r)));
    printf("\nrules      %d, %d warning%s\n", description->rule_count, description->problem_count,
           description->problem_count == 1 ? "" : "s");
    if (propnet) print_network(kn_propnet_reasoner_info(propnet));
    printf("reasoner   %s%s%s\n", propnet ? "fast" : "prover", propnet ? "" : ": ",
           propnet ? "" : kn_gdl_machine_why_prover(machine));
    if (analysis) cli_gdl_print_analysis(machine, analysis, roles);
    kn_gdl_analysis_free(analysis);
    json_decref(roles);
    kn_gdl_machine_free(machine);
    return cli_finish();
}

/* ---- trace ---- */

static int command_trace(const Arguments *arguments)
{
    KnGdlMachine *machine;
    KnGdlTrace trace;
    KnError error;
    if (open_machine(arguments, arguments->files[0], arguments->reasoner, &machine, &error) != KN_OK)
        return cli_fail(&error);
    KnStatus status = kn_gdl_trace(machine, arguments->files[1], arguments->limit, &trace, &error);
    const char *reasoner = kn_gdl_machine_propnet(machine) ? "fast" : "prover";
    kn_gdl_machine_free(machine);
    if (status != KN_OK && status != KN_NO) return cli_fail(&error);
    if (arguments->common.json) {
        json_t *document = json_pack("{ss sb ss sI sI si si}", "file", arguments->files[0], "agrees",
                                     status == KN_OK, "reasoner", reasoner, "games", (json_int_t)trace.games,
                                     "states", (json_int_t)trace.states, "depths", trace.depths,
                                     "depths_given", trace.depths_given);
        if (status == KN_NO) json_object_set_new(document, "difference", json_string(error.text));
        int code = cli_print_json(document);
        return code ? code : (int)status;
    }
    if (status == KN_NO)
        printf("%s: %s\n", arguments->files[0], error.text);
    else
        printf("%s: agrees (%s): %" PRIu64 " game%s, %" PRIu64 " state%s, perft to %d of %d%s\n",
               arguments->files[0], reasoner, trace.games, kn_s(trace.games), trace.states,
               kn_s(trace.states), trace.depths, trace.depths_given,
               trace.stopped ? ", then out of time" : "");
    int code = cli_finish();
    return code ? code : (int)status;
}

/* ---- bench ---- */

typedef KnStatus Play(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                      KnRng *rng, KnGdlPlayouts *out, KnError *error);

/* Random games per second of CPU time, measured over about `seconds`. */
static KnStatus measure_play(KnGdlMachine *machine, Play *play, double seconds, double *rate,
                             KnGdlPlayouts *out, KnError *error)
{
    uint64_t *state = calloc(kn_gdl_machine_words(machine), sizeof *state);
    KnRng rng = kn_rng_seeded(1);
    KnStatus status = state ? kn_gdl_start(machine, state, error)
                            : kn_fail_memory(error, "playing random games");
    double used = 0;
    uint64_t games = 0;
    for (uint64_t batch = 1; status == KN_OK && used < seconds; batch *= 2) {
        double started = kn_clock_cpu();
        status = play(machine, state, batch, 1000, &rng, out, error);
        games += out->games;
        used += kn_clock_cpu() - started;
    }
    *rate = (double)games / (used > 0 ? used : 1e-9);
    free(state);
    return status;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

enum { WAYS = 4 };

static const struct {
    const char *name;
    KnGdlReasoner reasoner;
    bool plain;
    Play *play;
} ways[WAYS] = {{"prover", KN_GDL_PROVER, false, kn_gdl_playouts_single},
                {"differential", KN_GDL_AUTO, true, kn_gdl_playouts_single},
                {"single", KN_GDL_AUTO, false, kn_gdl_playouts_single},
                {"batched", KN_GDL_AUTO, false, kn_gdl_playouts}};

/* Measures all ways on one description. */
static KnStatus measure_description(const Arguments *arguments, const char *path, double *rates,
                                    KnError *error)
{
    KnStatus status = KN_OK;
    for (int w = 0; w < WAYS && status == KN_OK; w++) {
        KnGdlMachine *machine = NULL;
        KnGdlDescription *description;
        KnGdlPlayouts out;
        KnGdlLimits limits = {
            .facts = 16384, .moves = 4096, .reasoner = ways[w].reasoner, .plain = ways[w].plain};
        status = kn_gdl_read_file(path, false, &description, error);
        if (status == KN_OK) status = kn_gdl_machine_new(description, &limits, &machine, error);
        if (status == KN_OK)
            status = measure_play(machine, ways[w].play, arguments->limit, &rates[w], &out, error);
        kn_gdl_machine_free(machine);
    }
    return status;
}

static int command_rates(const Arguments *arguments)
{
    bool text = !arguments->common.json;
    json_t *rows = json_array();
    int files = arguments->file_count;
    double *ratios[WAYS] = {0};
    KnError error;
    int code = 0;
    for (int w = 0; w < WAYS; w++) ratios[w] = calloc((size_t)files, sizeof(double));
    if (text)
        printf("%-40s %12s %12s %12s %12s   random games per second\n", "", ways[0].name, ways[1].name,
               ways[2].name, ways[3].name);
    for (int f = 0; f < files && !code; f++) {
        double rates[WAYS] = {0};
        if (measure_description(arguments, arguments->files[f], rates, &error) != KN_OK)
            code = cli_fail(&error);
        if (text && !code) printf("%-40s", arguments->files[f]);
        json_t *row = json_pack("{ss}", "file", arguments->files[f]);
        for (int w = 0; w < WAYS && !code; w++) {
            if (text) printf(" %12.0f", rates[w]);
            json_object_set_new(row, ways[w].name, json_real(rates[w]));
            if (ratios[w]) ratios[w][f] = rates[w] / rates[0];
        }
        if (text && !code) puts("");
        fflush(stdout);
        json_array_append_new(rows, row);
    }
    if (text && !code && files > 1 && ratios[0] && ratios[1] && ratios[2] && ratios[3]) {
        printf("%-40s", "median speed-up over the prover");
        for (int w = 0; w < WAYS; w++) printf(" %12.1f", median(ratios[w], files));
        puts("");
    }
    for (int w = 0; w < WAYS; w++) free(ratios[w]);
    if (!text && !code) return cli_print_json(rows);
    json_decref(rows);
    return code ? code : cli_finish();
}

int command_gdl(int argc, char **argv)
{
    Arguments arguments = {.limit = -1};
    const struct argp argp = {options, parse, usage, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    static const struct {
        const char *name;
        int files; /* 0: any number */
        int (*run)(const Arguments *arguments);
    } actions[] = {{"check", 0, command_check},
                   {"show", 1, command_show},
                   {"trace", 2, command_trace},
                   {"bench", 0, command_rates}};
    if (arguments.limit < 0) arguments.limit = strcmp(arguments.action, "trace") == 0 ? 10 : 0.5;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, arguments.action) != 0) continue;
        if (actions[i].files && arguments.file_count != actions[i].files) {
            fprintf(stderr, "knack gdl: %s needs %d file%s\n", actions[i].name, actions[i].files,
                    actions[i].files == 1 ? "" : "s");
            return KN_USAGE;
        }
        return actions[i].run(&arguments);
    }
    fprintf(stderr, "knack gdl: unknown action \"%s\"; known: check show trace bench\n", arguments.action);
    return KN_USAGE;
}
