#include "cli/repeated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "arena/evolution.h"
#include "players/dilemma/strategy.h"

enum {
    KEY_TURNS = 0x300,
    KEY_CONTINUE,
    KEY_NOISE,
    KEY_KNOWN,
    KEY_REPETITIONS,
    KEY_ALL_DETERMINISTIC,
    KEY_ALL,
    KEY_CSV,
    KEY_ECOLOGY,
    KEY_MORAN,
    KEY_POPULATION,
    KEY_GRAPH
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "For repeated matrix games:", 4},
    {"all-deterministic", KEY_ALL_DETERMINISTIC, 0, 0, "Enter every deterministic dilemma strategy", 4},
    {"all", KEY_ALL, 0, 0, "Enter every named dilemma strategy", 4},
    {"turns", KEY_TURNS, "N", 0, "Turns of a match (default: the game's, 200)", 4},
    {"continue", KEY_CONTINUE, "P", 0, "Probability of another turn after each; --turns is then the maximum",
     4},
    {"known-length", KEY_KNOWN, 0, 0, "Let the players know the length of a match (default: unknown)", 4},
    {"noise", KEY_NOISE, "P", 0, "Probability that a move is replaced by the other one", 4},
    {"repetitions", KEY_REPETITIONS, "N", 0,
     "Matches of each pairing (default: 1 if all is deterministic, else 10)", 4},
    {"ecology", KEY_ECOLOGY, "N", 0, "Then run an ecology (replicator dynamics) for N generations", 4},
    {"moran", KEY_MORAN, "N", 0, "Then run the Moran process N times", 4},
    {"population", KEY_POPULATION, "N", 0, "Population of the Moran process (default: four of each strategy)",
     4},
    {"graph", KEY_GRAPH, "GRAPH", 0,
     "Graph of the Moran process: complete (default), cycle, grid, or a file with one edge a line", 4},
    {"csv", KEY_CSV, 0, 0, "Print CSV: all ordered pairs, the ecology, or the Moran process", 4},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    CliRepeated *r = state->input;
    for (const struct argp_option *option = options + 1; option->name; option++)
        if (option->key == key) r->given = option->name;
    switch (key) {
    case KEY_TURNS:
        r->plan.turns = (long)cli_parse_count(state, "--turns", arg, 1, 1000000);
        return 0;
    case KEY_CONTINUE:
        r->plan.go_on = cli_parse_real(state, "--continue", arg, 1e-9, 1);
        return 0;
    case KEY_NOISE:
        r->plan.noise = cli_parse_real(state, "--noise", arg, 0, 1);
        return 0;
    case KEY_KNOWN:
        r->plan.known = true;
        return 0;
    case KEY_REPETITIONS:
        r->plan.repetitions = cli_parse_count(state, "--repetitions", arg, 1, 1000000000);
        return 0;
    case KEY_ALL_DETERMINISTIC:
        r->all_deterministic = true;
        return 0;
    case KEY_ALL:
        r->all = true;
        return 0;
    case KEY_CSV:
        r->csv = true;
        return 0;
    case KEY_ECOLOGY:
        r->generations = cli_parse_count(state, "--ecology", arg, 1, 1000000);
        return 0;
    case KEY_MORAN:
        r->runs = cli_parse_count(state, "--moran", arg, 1, 100000000);
        return 0;
    case KEY_POPULATION:
        r->population = cli_parse_count(state, "--population", arg, 2, 1000000);
        return 0;
    case KEY_GRAPH:
        r->graph = arg;
        return 0;
    case ARGP_KEY_END:
        if (r->csv && r->generations && r->runs)
            argp_error(state, "--csv prints one table: choose --ecology or --moran");
        if ((r->population || r->graph) && !r->runs)
            argp_error(state, "--%s needs --moran", r->graph ? "graph" : "population");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_repeated_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

size_t cli_repeated_names(const CliRepeated *repeated, const char **names, size_t room)
{
    size_t count = 0;
    const KnStrategy *row;
    for (size_t i = 0; (row = kn_strategy_at(i)) && count < room; i++) {
        if (row->traits & KN_STRATEGY_FAMILY) continue;
        if (repeated->all || (repeated->all_deterministic && row->traits & KN_STRATEGY_DETERMINISTIC))
            names[count++] = row->player.head.name;
    }
    return count;
}

/* All results of one command. */
typedef struct Outcome {
    KnRepeated played;
    double *payoffs; /* by player */
    double *shares;  /* generations + 1 of them */
    KnMoran moran;
    size_t population;
} Outcome;

static KnStatus evolve(const CliRepeated *r, Outcome *outcome, KnError *error)
{
    size_t n = outcome->played.count;
    if (!r->generations && !r->runs) return KN_OK;
    outcome->payoffs = calloc(n * n, sizeof *outcome->payoffs);
    if (r->generations) outcome->shares = calloc((r->generations + 1) * n, sizeof *outcome->shares);
    if (!outcome->payoffs || (r->generations && !outcome->shares)) return kn_fail_memory(error, "evolving");
    for (size_t i = 0; i < n * n; i++)
        outcome->payoffs[i] = kn_repeated_payoff(&outcome->played, i / n, i % n);
    if (r->generations) kn_ecology(n, outcome->payoffs, NULL, r->generations, outcome->shares);
    if (!r->runs) return KN_OK;
    KnGraph *graph;
    KnStatus status = kn_graph_open(r->graph ? r->graph : "complete", r->population ? r->population : 4 * n,
                                    &graph, error);
    if (status != KN_OK) return status;
    if (r->population && graph->vertices != r->population)
        status = kn_fail(error, KN_USAGE, "--population %llu, but %s has %zu vertices",
                         (unsigned long long)r->population, r->graph, graph->vertices);
    KnMoranPlan plan = {.kinds = n,
                        .payoffs = outcome->payoffs,
                        .graph = graph,
                        .runs = r->runs,
                        .seed = kn_mix64(r->plan.seed),
                        .jobs = r->plan.jobs,
                        .cancel = r->plan.cancel};
    if (status == KN_OK) status = kn_moran(&plan, &outcome->moran, error);
    outcome->population = graph->vertices;
    kn_graph_free(graph);
    return status;
}

/* ---- printing ---- */

static int name_width(const KnRepeated *played)
{
    size_t width = 8;
    for (size_t i = 0; i < played->count; i++)
        if (strlen(played->names[i]) > width) width = strlen(played->names[i]);
    return (int)width;
}

static void print_ranking(const KnRepeatedPlan *plan, const KnRepeated *played)
{
    enum { MATRIX_MAX = 12 };
    int width = name_width(played);
    bool matrix = played->count <= MATRIX_MAX;
    printf("%s, %llu %s a pairing", played->game, (unsigned long long)played->repetitions,
           played->repetitions == 1 ? "match" : "matches");
    if (plan->noise > 0) printf(", noise %g", plan->noise);
    printf("\n\n    %-*s %8s %19s %12s %6s ", width, "player", "a turn", "95%", "cooperation", "wins");
    for (size_t i = 0; matrix && i < played->count; i++) printf(" %7zu", i + 1);
    puts("");
    for (size_t place = 0; place < played->count; place++) {
        size_t i = played->order[place];
        const KnRanked *ranked = &played->ranked[i];
        char interval[40] = "exact";
        if (played->chance && played->repetitions < 2)
            snprintf(interval, sizeof interval, "not known");
        else if (played->chance)
            snprintf(interval, sizeof interval, "[%.4f, %.4f]", ranked->interval.low, ranked->interval.high);
        printf("%3zu %-*s %8.4f %19s %11.1f%% %6llu ", place + 1, width, played->names[i], ranked->score,
               interval, 100 * ranked->cooperation, (unsigned long long)ranked->wins);
        for (size_t other = 0; matrix && other < played->count; other++)
            printf(" %7.3f", kn_repeated_payoff(played, i, played->order[other]));
        puts("");
    }
    printf("\ndigest %s%s\n", played->digest, played->nondeterministic ? "  (nondeterministic)" : "");
    if (played->run_name[0]) printf("run    %s\n", played->run_name);
}

/* Sorts players by a number, largest first. */
static void sort_by(const double *numbers, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at && numbers[order[at - 1]] < numbers[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

static void print_ecology(const CliRepeated *r, const Outcome *outcome)
{
    size_t n = outcome->played.count, gone = 0;
    const double *last = outcome->shares + r->generations * n;
    size_t order[n];
    sort_by(last, n, order);
    printf("\nEcology, after %llu generations:\n", (unsigned long long)r->generations);
    for (size_t place = 0; place < n; place++) {
        if (last[order[place]] < 0.0005)
            gone++;
        else
            printf("%3zu %-*s %7.2f%%\n", place + 1, name_width(&outcome->played),
                   outcome->played.names[order[place]], 100 * last[order[place]]);
    }
    if (gone) printf("    %zu with less than 0.05%%\n", gone);
}

static void print_moran(const CliRepeated *r, const Outcome *outcome)
{
    size_t n = outcome->played.count, never = 0;
    KN_ASSERT(n > 0);
    double fixed[n];
    size_t order[n];
    for (size_t i = 0; i < n; i++) fixed[i] = (double)outcome->moran.fixed[i];
    sort_by(fixed, n, order);
    printf("\nMoran process, %llu runs of %zu members (%s); fixation:\n", (unsigned long long)r->runs,
           outcome->population, r->graph ? r->graph : "complete");
    for (size_t place = 0; place < n; place++) {
        size_t i = order[place];
        KnInterval interval = kn_wilson(fixed[i], (double)r->runs, KN_Z95);
        if (fixed[i] == 0)
            never++;
        else
            printf("%3zu %-*s %7.2f%%  [%.2f, %.2f]\n", place + 1, name_width(&outcome->played),
                   outcome->played.names[i], 100 * fixed[i] / (double)r->runs, 100 * interval.low,
                   100 * interval.high);
    }
    if (never) printf("    %zu never\n", never);
    if (outcome->moran.unsettled)
        printf("    unsettled %llu\n", (unsigned long long)outcome->moran.unsettled);
    printf("    after %.0f births on average\n", kn_moments_mean(&outcome->moran.steps));
}

static void write_csv(const CliRepeated *r, const Outcome *outcome, KnText *out)
{
    const KnRepeated *played = &outcome->played;
    size_t n = played->count;
    if (!r->generations && !r->runs) kn_repeated_csv(played, out);
    if (r->generations) {
        kn_text_add(out, "generation,strategy,share\n");
        for (size_t g = 0; g <= r->generations; g++)
            for (size_t i = 0; i < n; i++) {
                kn_text_printf(out, "%zu,", g);
                kn_csv_field(out, played->names[i]);
                kn_text_add_char(out, ',');
                kn_text_add_real(out, outcome->shares[g * n + i]);
                kn_text_add_char(out, '\n');
            }
    }
    if (r->runs) {
        kn_text_add(out, "strategy,runs,fixed\n");
        for (size_t i = 0; i < n; i++) {
            kn_csv_field(out, played->names[i]);
            kn_text_printf(out, ",%llu,%llu\n", (unsigned long long)r->runs,
                           (unsigned long long)outcome->moran.fixed[i]);
        }
    }
}

static json_t *outcome_json(const CliRepeated *r, const Outcome *outcome)
{
    json_t *document = kn_repeated_json(&r->plan, &outcome->played);
    const KnRepeated *played = &outcome->played;
    size_t n = played->count;
    if (r->generations) {
        json_t *shares = json_object();
        for (size_t i = 0; i < n; i++) {
            json_t *row = json_array();
            for (size_t g = 0; g <= r->generations; g++)
                json_array_append_new(row, json_real(outcome->shares[g * n + i]));
            json_object_set_new(shares, played->names[i], row);
        }
        json_object_set_new(
            document, "ecology",
            json_pack("{sI so}", "generations", (json_int_t)r->generations, "shares", shares));
    }
    if (r->runs) {
        json_t *fixed = json_object();
        for (size_t i = 0; i < n; i++) {
            KnInterval interval = kn_wilson((double)outcome->moran.fixed[i], (double)r->runs, KN_Z95);
            json_object_set_new(fixed, played->names[i],
                                json_pack("{sI s[ff]}", "runs", (json_int_t)outcome->moran.fixed[i],
                                          "share_95", interval.low, interval.high));
        }
        json_object_set_new(document, "moran",
                            json_pack("{sI sI ss so sI sf}", "runs", (json_int_t)r->runs, "population",
                                      (json_int_t)outcome->population, "graph",
                                      r->graph ? r->graph : "complete", "fixed", fixed, "unsettled",
                                      (json_int_t)outcome->moran.unsettled, "mean_births",
                                      kn_moments_mean(&outcome->moran.steps)));
    }
    return document;
}

static int print_outcome(const CliCommon *common, const CliRepeated *r, const Outcome *outcome)
{
    if (common->json) return cli_print_json(outcome_json(r, outcome));
    if (r->csv) {
        KnText text = KN_TEXT_EMPTY;
        write_csv(r, outcome, &text);
        fwrite(text.data, 1, text.length, stdout);
        kn_text_free(&text);
        return cli_finish();
    }
    print_ranking(&r->plan, &outcome->played);
    if (r->generations) print_ecology(r, outcome);
    if (r->runs) print_moran(r, outcome);
    return cli_finish();
}

int cli_repeated_run(const KnContext *context, const CliCommon *common, CliRepeated *r, bool keep)
{
    KnError error;
    KnStore *store = NULL;
    Outcome outcome = {0};
    r->plan.cancel = cli_interrupt();
    KnStatus status = keep ? cli_store_open(common, context, &store, &error) : KN_OK;
    if (status == KN_OK) {
        KnProgress *progress = cli_progress(common, "tournament", kn_repeated_work(&r->plan));
        status = kn_repeated_run(context, &r->plan, store, progress, &outcome.played, &error);
        kn_progress_free(progress);
    }
    kn_store_close(store);
    if (status == KN_OK) status = evolve(r, &outcome, &error);
    int code = status == KN_OK ? print_outcome(common, r, &outcome) : cli_fail(&error);
    free(outcome.payoffs);
    free(outcome.shares);
    kn_moran_free(&outcome.moran);
    kn_repeated_free(&outcome.played);
    return code;
}
