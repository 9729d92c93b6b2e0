/* Cazenave 2001, tables 1 to 6, and the effect of the ip3 test. */
#include <stdio.h>

#include "base/assert.h"
#include "lab/registry.h"
#include "lab/widening/shared.h"

enum { STRATEGIES = 9, TABLES = 5 };

static const KnTolerance tolerances[] = {
    {"*", 0.01, 0, "Cells of the printed tables are not comparable in any case; claims have no tolerance."},
    {0}};

static const char other_problems[] = "Other problems (the books are not available) and another machine.";

/* The problems and limits of each printed table, and the corresponding table here. */
static const struct {
    const char *id, *row, *own, *own_title;
    int volume;
    double seconds;
} tables[TABLES] = {
    {"table1", "volume 1, 1 s", "time1", "Volume 1, limits by the clock of this machine: 1 s", 1, 1},
    {"table2", "volume 2, 1 s", "time2", "Volume 2, limits by the clock of this machine: 1 s", 2, 1},
    {"table3", "volume 3, 1 s", "time3", "Volume 3, limits by the clock of this machine: 1 s", 3, 1},
    {"table4", "volume 2, 0.1 s", "time4", "Volume 2, limits by the clock of this machine: 0.1 s", 2, 0.1},
    {"table5", "volume 3, 0.1 s", "time5", "Volume 3, limits by the clock of this machine: 0.1 s", 3, 0.1}};

static void name_row(char row[64], int strategy)
{
    snprintf(row, 64, "%d %s", strategy, kn_proof_strategy_name(strategy));
}

/* ---- tables 1 to 5 ---- */

/* Strategies 1 and 3 with lazy tests: each defence is tested when its turn comes, not the whole set before.
 */
static KnStatus sweep_lazy(KnLabRun *run, const KnCaptureProblems *problems, int t, KnWideningSweep sweeps[2],
                           KnError *error)
{
    KN_ASSERT(t >= 0 && t < TABLES);
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        char key[80];
        KnProofOptions options = {
            .strategy = i ? 3 : 1, .nodes = (uint64_t)(tables[t].seconds * KN_WIDENING_NODES), .lazy = true};
        snprintf(key, sizeof key, "%s strategy %d singly", tables[t].id, options.strategy);
        status = kn_widening_sweep(run, problems, key, tables[t].volume,
                                   (int)kn_lab_parameter(run, "problems"), options, &sweeps[i], error);
    }
    return status;
}

static KnStatus sweep_table(KnLabRun *run, const KnCaptureProblems *problems, int t, bool by_clock,
                            KnWideningSweep *sweeps, KnError *error)
{
    KnStatus status = KN_OK;
    int most = (int)kn_lab_parameter(run, "problems");
    for (int s = 1; s <= STRATEGIES && status == KN_OK; s++) {
        char key[80];
        KnProofOptions options = {.strategy = s};
        if (by_clock)
            options.seconds = tables[t].seconds;
        else
            options.nodes = (uint64_t)(tables[t].seconds * KN_WIDENING_NODES);
        snprintf(key, sizeof key, "%s strategy %d%s", tables[t].id, s, by_clock ? " by the clock" : "");
        status = kn_widening_sweep(run, problems, key, tables[t].volume, most, options, &sweeps[s], error);
    }
    return status;
}

static KnStatus give_table(KnLabRun *run, int t, bool by_clock, const KnWideningSweep *sweeps, KnError *error)
{
    KnStatus status = by_clock ? kn_lab_own_table(run, tables[t].own, tables[t].own_title, "", 2, error)
                               : kn_lab_table(run, tables[t].id, error);
    for (int s = 1; s <= STRATEGIES; s++)
        for (int c = 0; c < KN_WIDENING_COLUMNS && status == KN_OK; c++) {
            char row[64];
            KnMeasure measure = kn_widening_column(&sweeps[s], c);
            name_row(row, s);
            status = by_clock ? kn_lab_measured(run, row, kn_widening_columns[c], measure, NULL, error)
                              : kn_lab_incomparable(run, row, kn_widening_columns[c], measure, other_problems,
                                                    error);
        }
    return status;
}

static KnStatus give_ratio(KnLabRun *run, int t, const char *column, const double *over, const double *under,
                           size_t count, KnError *error)
{
    return kn_lab_measured(run, tables[t].row, column, kn_widening_ratio(over, under, count), NULL, error);
}

/* Where the gain comes from: the attacker's search, and the cost of computing the whole set of ip3 moves. */
static KnStatus give_parts(KnLabRun *run, int t, const KnWideningSweep *one, const KnWideningSweep *three,
                           const KnWideningSweep lazy[2], KnError *error)
{
    size_t count = one->count;
    KnStatus status = give_ratio(run, t, "nodes of 3 / nodes of 1", three->nodes, one->nodes, count, error);
    if (status == KN_OK)
        status = give_ratio(run, t, "positions of 3 / of 1", three->positions, one->positions, count, error);
    if (status == KN_OK)
        status = give_ratio(run, t, "positions of 3 / of 1, the attacker's search", three->attack,
                            one->attack, count, error);
    if (status == KN_OK)
        status = give_ratio(run, t, "positions of 3 / of 1, defences tested singly", lazy[1].positions,
                            lazy[0].positions, count, error);
    if (status == KN_OK)
        status = give_ratio(run, t, "positions of 1, defences tested singly / as a set", lazy[0].positions,
                            one->positions, count, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, tables[t].row, "solved by 1, singly less as a set",
                                 kn_widening_gain(lazy[0].solved, one->solved, count), NULL, error);
    return status;
}

static KnStatus give_claims(KnLabRun *run, int t, const KnWideningSweep *sweeps,
                            const KnWideningSweep lazy[2], KnError *error)
{
    const KnWideningSweep *one = &sweeps[1], *three = &sweeps[3], *nine = &sweeps[9];
    KnStatus status = kn_lab_table(run, "widening", error);
    if (status == KN_OK)
        status = kn_lab_cell(run, tables[t].row, "time of 3 / time of 1",
                             kn_widening_ratio(three->seconds, one->seconds, one->count), NULL, error);
    if (status == KN_OK)
        status = kn_lab_cell(run, tables[t].row, "solved by 3 less by 1",
                             kn_widening_gain(three->solved, one->solved, one->count), NULL, error);
    if (status == KN_OK)
        status = kn_lab_cell(run, tables[t].row, "solved by 3 less by 9",
                             kn_widening_gain(three->solved, nine->solved, one->count), NULL, error);
    return status == KN_OK ? give_parts(run, t, one, three, lazy, error) : status;
}

static KnStatus run_tables(KnLabRun *run, KnError *error)
{
    KnCaptureProblems *problems;
    bool clock = kn_lab_parameter(run, "clock") > 0;
    kn_lab_clocked(run);
    kn_lab_expect(run, (uint64_t)(TABLES * (STRATEGIES * (1 + clock) + 2)));
    KnStatus status = kn_widening_open(run, &problems, error);
    for (int by_clock = 0; by_clock <= clock && status == KN_OK; by_clock++)
        for (int t = 0; t < TABLES && status == KN_OK; t++) {
            KnWideningSweep sweeps[STRATEGIES + 1] = {{0}}, lazy[2] = {{0}};
            status = sweep_table(run, problems, t, by_clock, sweeps, error);
            if (status == KN_OK && !by_clock) status = sweep_lazy(run, problems, t, lazy, error);
            if (status == KN_OK) status = give_table(run, t, by_clock, sweeps, error);
            if (status == KN_OK && !by_clock) status = give_claims(run, t, sweeps, lazy, error);
            for (int s = 1; s <= STRATEGIES; s++) kn_widening_free(&sweeps[s]);
            for (int i = 0; i < 2; i++) kn_widening_free(&lazy[i]);
        }
    kn_problems_free(problems);
    return status;
}

static const KnParameter tables_parameters[] = {
    {"problems", 10, 0, "Of each volume, evenly spread; 0: all (about 90)."},
    {"clock", 0, 1,
     "Whether limits by this machine's clock are measured too: brute force then takes its second for most "
     "problems."},
    {0}};

/* All problems, with limits by positions only: the same on every machine. */
static const KnSize tables_middle[] = {{"clock", 0}, {0}};

const KnExperiment kn_widening_tables = {
    .head = {"widening.tables1-5",
             "nine widening strategies on three volumes of capture problems: time, nodes, least nodes, share "
             "solved",
             NULL},
    .paper = "cazenave-2001",
    .source = "table1",
    .parameters = tables_parameters,
    .middle = tables_middle,
    .interpretations = kn_widening_interpretations,
    .tolerances = tolerances,
    .run = run_tables,
};

/* ---- table 6 ---- */

static const struct {
    const char *row, *claim;
    double seconds, kept_time, cleared_time, kept_solved, cleared_solved; /* as printed in tables 1 to 6 */
    int volume;
} books[] = {{"ggv1 1 s", NULL, 1, 0.30, 0.45, 99.12, 99.12, 1},
             {"ggv2 1 s", NULL, 1, 7.48, 7.44, 88.89, 89.58, 2},
             {"ggv3 1 s", "all volumes, 1 s", 1, 5.10, 6.38, 84.00, 84.00, 3},
             {"ggv1 0.1 s", NULL, 0.1, 0, 0, 0, 0, 1},
             {"ggv2 0.1 s", NULL, 0.1, 2.41, 2.92, 86.81, 85.42, 2},
             {"ggv3 0.1 s", "all volumes, 0.1 s", 0.1, 1.74, 2.04, 80.00, 78.67, 3}};
enum { BOOKS = sizeof books / sizeof *books };

static KnStatus give_printed(KnLabRun *run, KnError *error)
{
    KnStatus status = kn_lab_own_table(
        run, "printed",
        "What the paper's own tables say of a kept table: the text's claim does not hold in the second row",
        "", 3, error);
    for (int i = 0; i < BOOKS && status == KN_OK; i++) {
        if (books[i].cleared_time <= 0) continue; /* the paper prints no table with a cleared one */
        status = kn_lab_measured(run, books[i].row, "time kept / cleared, as printed",
                                 kn_measure_single(books[i].kept_time / books[i].cleared_time), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, books[i].row, "solved kept less cleared, as printed",
                                     kn_measure_exact(books[i].kept_solved - books[i].cleared_solved), NULL,
                                     error);
    }
    return status;
}

static KnStatus both_tables(KnLabRun *run, const KnCaptureProblems *problems, const char *name, int volume,
                            double seconds, KnWideningSweep sweeps[2], KnError *error)
{
    KnStatus status = KN_OK;
    for (int keep = 0; keep < 2 && status == KN_OK; keep++) {
        char key[80];
        KnProofOptions options = {
            .strategy = 3, .nodes = (uint64_t)(seconds * KN_WIDENING_NODES), .keep = keep};
        snprintf(key, sizeof key, "%s %s", name, keep ? "kept" : "cleared");
        status = kn_widening_sweep(run, problems, key, volume, (int)kn_lab_parameter(run, "problems"),
                                   options, &sweeps[keep], error);
    }
    return status;
}

static KnStatus run_table6(KnLabRun *run, KnError *error)
{
    KnCaptureProblems *problems;
    kn_lab_clocked(run);
    kn_lab_expect(run, 2 * (BOOKS + 2));
    KnStatus status = kn_widening_open(run, &problems, error);
    for (int i = 0; i < BOOKS && status == KN_OK; i++) {
        KnWideningSweep sweeps[2] = {{0}};
        status = both_tables(run, problems, books[i].row, books[i].volume, books[i].seconds, sweeps, error);
        if (status == KN_OK) status = kn_lab_table(run, "table6", error);
        for (int c = 0; c < KN_WIDENING_COLUMNS && status == KN_OK; c++)
            status = kn_lab_incomparable(run, books[i].row, kn_widening_columns[c],
                                         kn_widening_column(&sweeps[1], c), other_problems, error);
        for (int k = 0; k < 2; k++) kn_widening_free(&sweeps[k]);
        if (status != KN_OK || !books[i].claim) continue;
        status = both_tables(run, problems, books[i].claim, 0, books[i].seconds, sweeps, error);
        if (status == KN_OK) status = kn_lab_table(run, "kept", error);
        if (status == KN_OK)
            status = kn_lab_cell(run, books[i].claim, "time kept / cleared",
                                 kn_widening_ratio(sweeps[1].seconds, sweeps[0].seconds, sweeps[0].count),
                                 NULL, error);
        if (status == KN_OK)
            status = kn_lab_cell(run, books[i].claim, "solved kept less cleared",
                                 kn_widening_gain(sweeps[1].solved, sweeps[0].solved, sweeps[0].count), NULL,
                                 error);
        if (status == KN_OK)
            status = kn_lab_measured(run, books[i].claim, "nodes kept / cleared",
                                     kn_widening_ratio(sweeps[1].nodes, sweeps[0].nodes, sweeps[0].count),
                                     NULL, error);
        for (int k = 0; k < 2; k++) kn_widening_free(&sweeps[k]);
    }
    kn_problems_free(problems);
    return status == KN_OK ? give_printed(run, error) : status;
}

static const KnParameter table6_parameters[] = {
    {"problems", 10, 0, "Of each volume, evenly spread; 0: all (about 90)."}, {0}};

const KnExperiment kn_widening_table6 = {
    .head = {"widening.table6", "OR2-2AND1-2 with a transposition table that is kept between widenings",
             NULL},
    .paper = "cazenave-2001",
    .source = "table6",
    .parameters = table6_parameters,
    .interpretations = kn_widening_interpretations,
    .tolerances = tolerances,
    .run = run_table6,
};

/* ---- ip3 ---- */

static KnStatus run_ip3(KnLabRun *run, KnError *error)
{
    KnCaptureProblems *problems;
    KnWideningSweep sweeps[2] = {{0}};
    kn_lab_clocked(run);
    kn_lab_expect(run, 2);
    KnStatus status = kn_widening_open(run, &problems, error);
    for (int without = 0; without < 2 && status == KN_OK; without++) {
        KnProofOptions options = {.strategy = 1, .nodes = KN_WIDENING_NODES, .without_ip3 = without};
        status = kn_widening_sweep(run, problems, without ? "without ip3" : "with ip3", 0,
                                   (int)kn_lab_parameter(run, "problems"), options, &sweeps[without], error);
    }
    if (status == KN_OK) status = kn_lab_table(run, "ip3", error);
    if (status == KN_OK)
        status = kn_lab_cell(run, "all volumes", "time with / without ip3",
                             kn_widening_ratio(sweeps[0].seconds, sweeps[1].seconds, sweeps[0].count), NULL,
                             error);
    if (status == KN_OK)
        status = kn_lab_cell(run, "all volumes", "solved with less without ip3",
                             kn_widening_gain(sweeps[0].solved, sweeps[1].solved, sweeps[0].count), NULL,
                             error);
    for (int without = 0; without < 2 && status == KN_OK; without++)
        for (int c = 0; c < KN_WIDENING_COLUMNS && status == KN_OK; c++)
            status = kn_lab_measured(run, without ? "without ip3" : "with ip3", kn_widening_columns[c],
                                     kn_widening_column(&sweeps[without], c), NULL, error);
    for (int k = 0; k < 2; k++) kn_widening_free(&sweeps[k]);
    kn_problems_free(problems);
    return status;
}

static const KnInterpretation ip3_interpretations[] = {
    {"What is left without the ip3 test?",
     "The same search with gi and ip up to two moves: moves of the "
     "defender are those that prevent a capture within two.",
     "The paper compares with an alpha-beta that uses the same moves; "
     "what it does at AND nodes without a test is not said."},
    {0}};

const KnExperiment kn_widening_ip3 = {
    .head = {"widening.ip3", "the search without widening, with and without the ip3 test", NULL},
    .paper = "cazenave-2001",
    .source = "ip3",
    .parameters = table6_parameters,
    .interpretations = ip3_interpretations,
    .tolerances = tolerances,
    .run = run_ip3,
};
