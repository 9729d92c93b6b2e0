/* How far does allocation get, in the paper's unit, where it decides by the signals of the shallow search
 * itself instead of by features that look one ply ahead? */
#include "lab/allocation/shared.h"
#include "lab/registry.h"

static const KnAllocationLearner signals = {
    .file = "signals", .alone = true, .search = true, KN_ALLOCATION_OURS};
static const KnAllocationLearner both = {
    .file = "signals-features", .search = true, .terms = "threats", KN_ALLOCATION_OURS};

static const KnAllocationRow rows[] = {
    {"never", "never", NULL, true},
    {"random", "random", NULL, false},
    {"features one ply ahead", NULL, &kn_allocation_ours, false},
    {"change of move or score, by hand", "dynamic", NULL, false},
    {"signals of the shallow search", NULL, &signals, true},
    {"... and the game's features", NULL, &both, true},
    {"oracle", "oracle", NULL, false},
    {"always", "always", NULL, true},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Its tables have a name of their own, so that no row of allocation.improvement is meant. */
static KnAllocationField field_of(void)
{
    KnAllocationField field = kn_allocation_checkers;
    field.name = "search-signals";
    return field;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games"),
             goal_games = (uint64_t)kn_lab_parameter(run, "goal games"), all = 0;
    for (size_t i = 0; i < ROWS; i++) all += rows[i].goal ? goal_games : games;
    kn_lab_expect(run, all);
    KnAllocationField field = field_of();
    return kn_allocation_ladder(run, &field, rows, ROWS, goal_games, false, error);
}

static const KnInterpretation interpretations[] = {
    {"What may a policy look at?",
     "In the paper, at the position before any search. Here, at the shallow search that is made anyway: how "
     "its "
     "score and its best move changed from depth to depth, how many moves tie and what is behind them, the "
     "part "
     "of its positions after the best move, and whether the best lines end in the middle of captures.",
     ""},
    {"What does that cost?",
     "In the paper's unit, deep searches, nothing. In positions it costs the values of all moves at each "
     "depth "
     "and the lines of the best moves: see the positions a game beside each row. In equal positions such "
     "signals pay only where they come free from a deepening search with a table (docs/allocation.md, "
     "\"By the signals of the search\").",
     ""},
    {"Which goal was set?",
     "Three quarters of the way from never to always with 8 deep searches in 40 moves; features that look "
     "one "
     "ply ahead make about .6 of it at best (allocation.limit).",
     ""},
    {0}};

static const KnParameter parameters[] = {
    {"games", 60, 10000, "Games a row, as in the paper."},
    {"goal games", 60, 40000, "Games of the bounds and of the rows with signals."},
    KN_ALLOCATION_SETS(2000, 400, 2000),
    {0}};

static const KnSize middle[] = {{"games", 2000},
                                {"goal games", 6000},
                                {"examples", 10000},
                                {"relief", 1000},
                                {"enrich", 100000},
                                {"expansions", 50},
                                {0}};

const KnExperiment kn_allocation_search_signals = {
    .head = {"allocation.search-signals", "allocation by the signals of the shallow search itself", NULL},
    .paper = "markovitch-sella-1996",
    .source = NULL,
    .parameters = parameters,
    .middle = middle,
    .interpretations = interpretations,
    .tolerances = NULL,
    .run = measure,
};
