/* Lock 2003, Table 6: a random player and TP-Context's two versions against the four agents of the thesis on
 * both games. The Baseline rows hold no learning, so that they show whether games, agents and counting are
 * read as the thesis meant them; every later table of the thesis stands on these agents. */
#include "lab/registry.h"
#include "lab/hoyle/trained.h"

#include <stdio.h>

#include "methods/hoyle/environment.h"

typedef struct Board {
    const char *id;
    const char *row;
    const char *title;
    const char *spec;
    size_t ply_limit;
    const char *random_note; /* on the cells against Random */
} Board;

static const Board boards[] = {
    {"lose-tictactoe", "Lose tic-tac-toe: Baseline", "Lose tic-tac-toe: a random player against each agent",
     "tictactoe(lose)", 0,
     "Where sides alternate, reliability and power add up to 100 but for chance; published, to 104.5."},
    {"morris", "Five men's morris: Baseline", "Five men's morris: a random player against each agent",
     "morris(men=5)", 100,
     "Where sides alternate, reliability and power add up to 100 but for chance; published, to 90.0."},
};

enum { BOARDS = sizeof boards / sizeof *boards, AGENTS = KN_TRAINED_AGENTS, COLUMNS = 2 * AGENTS - 1 };

/* The table prints no power against the perfect player, who cannot lose. */
static const char *const columns[COLUMNS] = {
    "Perfect reliability", "Expert reliability", "Expert power", "Novice reliability",
    "Novice power",        "Random reliability", "Random power"};

static const KnParameter parameters[] = {
    {"games", 4000, 40000,
     "Games a cell. The thesis played 1,000 (lose tic-tac-toe) or 500 (morris); 40,000 make our own error "
     "half a point at most, so "
     "that what is left of a difference is the thesis's sampling error or a different interpretation."},
    KN_TRAINED_PARAMETERS,
    {0}};

static const KnTolerance tolerances[] = {
    {"*", 1.0, 0,
     "One percentage point: less than the thesis's own sampling error in all cells but those near zero."},
    {0}};

/* temporal.table6-readings measures the alternatives. */
static const KnInterpretation interpretations[] = {
    {"\"A randomly-chosen best move\" of the perfect agent (p. 44): best by what?",
     "The fastest win; while the game is drawn a move that leaves the opponent the most ways to draw; any "
     "move when it is lost. Chosen for all tables together: Hoyle, TP-Context and "
     "TP-Sitact then play on morris about as published, at the price of Baseline's 0.2.",
     "Any move that keeps the value, however slowly it wins; any drawing move, with which Baseline fits and "
     "every learner plays far worse than published; the slowest loss when lost."},
    {"\"Reasonably means that a winning move one ply away is taken, a losing move two ply away is avoided, "
     "and otherwise a random, "
     "non-losing move is chosen\" (p. 45): does it look at its own losing moves?",
     "It takes a win in one, avoids a move that lets the opponent win in one, and otherwise moves at random, "
     "also into its own "
     "loss: in lose tic-tac-toe, where a move can only lose, it plays like the random agent.",
     "It avoids completing its own line."},
    {"Is an x%-reasonable agent reasonable in x% of the moves or of the games?",
     "Of the moves, drawn again at each.", "Of the games (not measured)."},
    {"Who begins?", "The two alternate.",
     "Always the random player, or never. With alternation two random players must win equally often, so "
     "that reliability and power "
     "against Random add up to 100 but for chance. The thesis's add up to 104.5 (lose tic-tac-toe) and to "
     "90.0 (morris), so "
     "that both cells cannot be met at once."},
    {"When does endless play end on five men's morris?", "A game is drawn after 100 plies.",
     "After 60, or after 200."},
    {0}};

static KnStatus run_board(KnLabRun *run, const Board *board, KnError *error)
{
    size_t column = 0;
    for (size_t a = 0; a < AGENTS; a++) {
        char key[100];
        snprintf(key, sizeof key, "%s against %s", board->spec, kn_environment_agents[a]);
        KnMatchPlan plan = {.game = board->spec,
                            .players = {"random", kn_environment_agents[a]},
                            .games = (uint64_t)kn_lab_parameter(run, "games"),
                            .rules = {.ply_limit = board->ply_limit}};
        KnMatchResult result;
        KnStatus status = kn_lab_match(run, key, plan, &result, error);
        const KnStanding *s = &result.standing;
        for (int power = 0; power <= (a > 0) && status == KN_OK; power++, column++) {
            uint64_t counted = power ? s->wins : s->wins + s->draws;
            KnMeasure share = kn_measure_share((double)counted, s->games, 100);
            status = kn_lab_cell(run, board->row, columns[column], share,
                                 a == AGENTS - 1 ? board->random_note : NULL, error);
        }
        if (status != KN_OK) return status;
    }
    return kn_lab_row_figure(run, board->id, board->title, board->row, error);
}

/* What TP-Context has learned, against the same agents. */
static KnStatus run_learners(KnLabRun *run, const KnTrainedGame *game, KnError *error)
{
    static const char *const learners[] = {"seqlearner(version=1, weights=walk)",
                                           "seqlearner(version=2, weights=walk)"},
                             *const names[] = {"Experiment I", "Experiment II"};
    KnStatus status = KN_OK;
    for (int l = 0; l < 2; l++) {
        char row[80];
        snprintf(row, sizeof row, "%s: %s", game->name, names[l]);
        const json_t *trained;
        status = kn_lab_trained(run, game, learners[l], NULL, &trained, error);
        for (int c = 0; c < COLUMNS && status == KN_OK; c++) {
            KnMoments moments = kn_trained_moments(trained, columns[c]);
            status = kn_lab_cell(run, row, columns[c], kn_measure_mean(&moments), NULL, error);
        }
        if (status != KN_OK) return status;
    }
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(run, "games") * BOARDS * AGENTS;
    for (int g = 0; g < KN_TRAINED_GAMES; g++) games += 2 * kn_lab_trained_work(run, &kn_trained_games[g]);
    kn_lab_expect(run, games);
    KnStatus status = KN_OK;
    for (size_t b = 0; b < BOARDS && status == KN_OK; b++) status = run_board(run, &boards[b], error);
    for (int g = 0; g < KN_TRAINED_GAMES && status == KN_OK; g++)
        status = run_learners(run, &kn_trained_games[g], error);
    return status;
}

const KnExperiment kn_temporal_table6 = {
    .head = {"temporal.table6",
             "a random player and TP-Context against the thesis's four agents, on both games", NULL},
    .paper = "lock-2003",
    .source = "table6",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
