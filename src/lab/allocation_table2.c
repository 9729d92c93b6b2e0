/* Markovitch and Sella 1996, Table 2: strategies of allocating deep searches, against a player that never makes one. */
#include "lab/allocation.h"
#include "lab/registry.h"

typedef struct Row {
    const char *name;
    const char *policy;
} Row;

static const Row rows[] = {
    {"never", "never"},
    {"random", "random"},
    {"oracle", "oracle"},
    {"always", "always"},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const KnParameter parameters[] = {{"games", 600, 10000, "Games a row, as in the paper at paper scale."}, {0}};

static const KnTolerance tolerances[] = {
    {"probability", 0.02, 0, "Twice the paper's own interval; what it leaves open about rules and judge weighs about as much."},
    {"*", 0.03, 0, "Shares of wins, losses and ties move more than points do: a win for a tie is half a point."},
    {0}};

static const KnReading readings[] = {
    {"\"A simple evaluation function ... which relied only on piece advantage. It also made the player with an advantage more "
     "aggressive\" (4.1): what is a king worth, and what is aggression?",
     "A king counts three men; the evaluation is (own - other) / (own + other), which makes the leader trade.",
     "Without such a term oracle scores clearly more than always, which contradicts the paper."},
    {"\"A significant piece advantage (4 in our experiments)\" for the judge after 40 paired moves: pieces or men?",
     "A lead of 4 in men, a king counting three.", "A lead of four pieces gives 74 to 88% ties, far more than printed."},
    {"Who begins?", "The strategy, in every second game: then never must come out at one half.",
     "If the strategy always moves second, random and always score a point or so more."},
    {"Which draws do the rules have?", "None but the judge's: a game ends when a side cannot move, or after 80 plies.",
     "With tournament rules (a third repetition, or 40 moves without progress) always scores .674 [.662, .686] in 6,000 games on a "
     "development seed: no difference."},
    {"Which of several best moves is chosen?", "Any, each as likely, as the paper says (5.1).", ""},
    {"Random draws 8 of the 40 moves before the game: what if such a move is forced, or the game is over by then?",
     "Then that deep search is lost. All other strategies spend none on a forced move.", ""},
    {0}};

static KnStatus measure_row(KnLabRun *run, const Row *row, KnError *error)
{
    KnMatchResult result;
    KnStatus status = kn_allocation_match(run, &kn_allocation_checkers, row->name, row->policy,
                                          (uint64_t)kn_lab_parameter(run, "games"), &result, error);
    if (status != KN_OK) return status;
    const KnStanding *s = &result.standing;
    const struct { const char *column; uint64_t count; } shares[] = {{"wins", s->wins}, {"losses", s->losses}, {"ties", s->draws}};
    for (size_t i = 0; i < 3 && status == KN_OK; i++)
        status = kn_lab_cell(run, row->name, shares[i].column, kn_measure_share((double)shares[i].count, s->games, 1), NULL, error);
    if (status == KN_OK) status = kn_lab_cell(run, row->name, "probability", kn_allocation_points(s), NULL, error);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    kn_lab_expect(run, (uint64_t)kn_lab_parameter(run, "games") * ROWS);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < ROWS && status == KN_OK; i++) status = measure_row(run, &rows[i], error);
    return status;
}

const KnExperiment kn_allocation_table2 = {
    .head = {"allocation.table2", "strategies of allocating deep searches against a player that never makes one", NULL},
    .paper = "markovitch-sella-1996",
    .source = "table2",
    .parameters = parameters,
    .readings = readings,
    .tolerances = tolerances,
    .run = measure,
};
