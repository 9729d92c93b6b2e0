/* How much random openings leave to be won: games that begin with random moves are partly decided before the
 * players take over, and no player gets more from them than the other gives away.
 *
 * For two games whose values are known, five men's morris (solved) and Connect Four (by our own solver), the
 * first table tells how many openings are decided. The second one sets a bound beside what a network scores
 * against the game's own evaluation: perfect play against the same opponent, and the network itself where
 * each of its mistakes is taken back. Openings are drawn as in matches and played from both sides. */
#include "lab/together/shared.h"

#include <stdio.h>
#include <stdlib.h>

#include "arena/openings.h"
#include "arena/play.h"
#include "base/assert.h"
#include "base/text.h"
#include "eval/evaluation.h"
#include "games/turns.h"
#include "lab/registry.h"
#include "lab/together/four_view.h"
#include "search/solved.h"

enum { PLIES = 300, TABLE_BITS = 24 };

typedef struct Board {
    const char *name, *spec;
    bool four; /* the solver of Connect Four knows it; else it is solved as a whole */
    const char *openings, *games;
} Board;

static const Board morris = {"five men's morris", "morris(men=5)", false, "openings", "games"},
                   four = {"Connect Four", "gdl:connectfour", true, "openings of Connect Four",
                           "games of Connect Four"};

/* Who plays against the game's own evaluation. */
typedef enum Side { PERFECT, NETWORK, CORRECTED, SIDES } Side;
static const char *const columns[SIDES] = {"perfect play", "the network", "the network without mistakes"};

typedef struct Match {
    KnLabRun *run;
    const Board *board;
    KnGame *game; /* with turns */
    KnSolved *solved;
    KnConnectFour *solver;
    KnFourView view;
    KnState *state;
    KnOpenings *openings;
    Side side;
    int role; /* of the side that is measured, in this game */
    KnRng rng;
} Match;

/* ---- values ---- */

static int four_value(Match *m, KnFourBoard board)
{
    enum { CELLS = KN_CONNECT_FOUR_COLUMNS * KN_CONNECT_FOUR_ROWS };
    if (kn_connect_four_lost(board)) return -1;
    return __builtin_popcountll(board.all) == CELLS ? 0 : kn_connect_four_value(m->solver, board);
}

/* The value of a position for the role to move. */
static int value(Match *m, const void *position)
{
    if (m->board->four) return four_value(m, kn_four_view_board(&m->view, position));
    int found, plies;
    bool known = kn_solved_probe(m->solved, m->game, position, &found, &plies);
    KN_ASSERT(known);
    return known ? found : 0;
}

/* The value of a move for the role that makes it, and how long it takes if that is known; else 0 plies. */
static int value_of_move(Match *m, const void *position, KnMove move, int *plies)
{
    int found;
    *plies = 0;
    if (m->board->four) return -four_value(m, kn_four_view_board_after(&m->view, position, move));
    bool known = kn_solved_probe_move(m->solved, m->game, position, move, &found, plies);
    KN_ASSERT(known);
    return known ? found : 0;
}

/* One of the best moves, drawn; of moves that win, one that wins soonest. */
static KnMove best_move(Match *m, const void *position, const KnMove *moves, int count)
{
    int best = -1000000, equal = 0, plies;
    KnMove chosen = moves[0];
    for (int i = 0; i < count; i++) {
        int rank = value_of_move(m, position, moves[i], &plies) * 100000;
        if (rank > 0) rank -= plies;
        if (rank > best) equal = 0, best = rank;
        if (rank == best && kn_rng_below(&m->rng, (uint32_t)++equal) == 0) chosen = moves[i];
    }
    return chosen;
}

/* ---- games ---- */

static KnStatus before(void *user, const KnState *state, KnMove *joint, KnError *error)
{
    (void)error;
    Match *m = user;
    int role = kn_state_mover(state);
    if (m->side != PERFECT || role != m->role) return KN_OK;
    KnMove moves[m->game->max_moves];
    int count = kn_state_moves(state, role, moves);
    joint[role] = best_move(m, kn_state_position(state), moves, count);
    return KN_OK;
}

static KnStatus correct(void *user, const KnState *state, const KnRequest *request, KnAnswer *answer,
                        KnError *error)
{
    (void)state, (void)error;
    Match *m = user;
    int plies;
    if (m->side != CORRECTED || request->role != m->role) return KN_OK;
    if (value_of_move(m, request->position, answer->move, &plies) < value(m, request->position))
        answer->move = best_move(m, request->position, request->allowed, request->allowed_count);
    return KN_OK;
}

static KnStatus play_game(Match *m, KnPlayer *const *players, uint64_t seed, uint64_t game, double *points,
                          KnError *error)
{
    KnPlayed played;
    KnRng rngs[2] = {kn_rng_stream(seed, 3 * game), kn_rng_stream(seed, 3 * game + 1)};
    m->rng = kn_rng_stream(seed, 3 * game + 2);
    m->role = (int)(game % 2);
    KnStatus status = kn_openings_play(m->openings, game / 2, m->state, error);
    KnPlayPlan plan = {.state = m->state,
                       .players = {players[m->role], players[!m->role]},
                       .rngs = {&rngs[0], &rngs[1]},
                       .rules = {.ply_limit = PLIES, .cancel = kn_lab_cancel(m->run)},
                       .strict = true,
                       .untimed = true,
                       .before = before,
                       .move = correct,
                       .user = m};
    if (status == KN_OK) status = kn_play(&plan, &played, error);
    if (status != KN_OK) return status;
    double lead = played.payoffs[m->role] - played.payoffs[!m->role];
    *points = lead > 0 ? 1 : lead < 0 ? 0 : .5;
    return KN_OK;
}

/* The game's own evaluation by name; what has none is searched without. */
static const char *own_evaluation(const KnGame *game)
{
    const KnGameEvaluation *own = kn_game_evaluation(game, NULL);
    return own ? own->name : "zero";
}

static KnStatus open_players(Match *m, double positions, KnPlayer **players, KnError *error)
{
    const char *const evals[2] = {"ntuple", own_evaluation(m->game)};
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        KnText spec = KN_TEXT_EMPTY;
        kn_text_printf(&spec, "alphabeta(depth=100, nodes=%.0f, memory=1, width=full, eval=%s)", positions,
                       evals[i]);
        status = kn_text_ok(&spec)
                     ? kn_player_open(kn_lab_context(m->run), m->game, spec.data, &players[i], error)
                     : kn_fail_memory(error, "perfect play");
        kn_text_free(&spec);
    }
    return status;
}

/* Points of one side against the game's own evaluation; pairs of games are the units. */
static KnStatus play_all(Match *m, const char *row, double positions, KnError *error)
{
    uint64_t games = (uint64_t)kn_lab_parameter(m->run, m->board->games);
    char key[160];
    snprintf(key, sizeof key, "%s, %s", row, columns[m->side]);
    json_t *done = json_incref((json_t *)kn_lab_done_work(m->run, key, games)), *pairs = done;
    KnPlayer *players[2] = {0};
    KnStatus status = KN_OK;
    if (!done) {
        pairs = json_array();
        status = open_players(m, positions, players, error);
    }
    double points[2] = {0};
    for (uint64_t i = 0; !done && i < games && status == KN_OK; i++) {
        status = play_game(m, players, kn_lab_seed(m->run, key), i, &points[i % 2], error);
        if (status == KN_OK && i % 2) json_array_append_new(pairs, json_real((points[0] + points[1]) / 2));
        kn_progress_tick(kn_lab_progress(m->run), 1);
    }
    for (int i = 0; i < 2; i++)
        if (players[i]) kn_player_close(players[i]);
    if (!done && status == KN_OK) status = kn_lab_keep(m->run, key, json_incref(pairs), error);
    KnMoments moments = {0};
    size_t at;
    json_t *pair;
    json_array_foreach(pairs, at, pair) kn_moments_add(&moments, json_number_value(pair));
    json_decref(pairs);
    if (status != KN_OK) return status;
    return kn_lab_measured(m->run, row, columns[m->side], kn_measure_within(kn_measure_mean(&moments), 0, 1),
                           NULL, error);
}

/* ---- openings ---- */

static KnStatus open_openings(Match *m, int plies, KnError *error)
{
    kn_openings_free(m->openings);
    m->openings = NULL;
    KnOpeningsPlan plan = {.random_plies = plies, .seed = kn_lab_seed(m->run, "openings")};
    return kn_openings_new(m->game, &plan, &m->openings, error);
}

static KnStatus judge_openings(Match *m, const char *row, KnError *error)
{
    uint64_t count = (uint64_t)kn_lab_parameter(m->run, m->board->openings), won = 0, lost = 0;
    char key[160];
    snprintf(key, sizeof key, "%s, values", row);
    const json_t *done = kn_lab_done_work(m->run, key, count);
    KnStatus status = KN_OK;
    if (done && json_unpack((json_t *)done, "[I,I]", &won, &lost) != 0)
        return kn_fail(error, KN_INPUT, "what was kept of \"%s\" is damaged; use --fresh", key);
    for (uint64_t i = 0; !done && i < count && status == KN_OK; i++) {
        status = kn_openings_play(m->openings, i, m->state, error);
        if (status != KN_OK) break;
        int here = value(m, kn_state_position(m->state));
        won += here > 0;
        lost += here < 0;
        kn_progress_tick(kn_lab_progress(m->run), 1);
    }
    if (!done && status == KN_OK)
        status = kn_lab_keep(m->run, key, json_pack("[I,I]", (json_int_t)won, (json_int_t)lost), error);
    const struct {
        const char *column;
        uint64_t openings;
    } cells[] = {{"decided", won + lost}, {"won for who is to move", won}, {"lost", lost}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells && status == KN_OK; i++)
        status = kn_lab_measured(m->run, row, cells[i].column,
                                 kn_measure_share((double)cells[i].openings, count, 1), NULL, error);
    return status;
}

/* ---- tables ---- */

static void name_row(const Match *m, int plies, double positions, char *row, size_t room)
{
    int length = snprintf(row, room, "%s, %d plies", m->board->name, plies);
    if (positions > 0) snprintf(row + length, room - (size_t)length, ", %.0f positions", positions);
}

static KnStatus give_values(Match *m, const int *plies, int count, KnError *error)
{
    KnStatus status = KN_OK;
    for (int i = 0; i < count && status == KN_OK; i++) {
        char row[100];
        name_row(m, plies[i], 0, row, sizeof row);
        status = open_openings(m, plies[i], error);
        if (status == KN_OK) status = judge_openings(m, row, error);
    }
    return status;
}

static KnStatus give_points(Match *m, int plies, double positions, KnError *error)
{
    char row[100];
    name_row(m, plies, positions, row, sizeof row);
    KnStatus status = open_openings(m, plies, error);
    for (int side = 0; side < SIDES && status == KN_OK; side++) {
        m->side = (Side)side;
        status = play_all(m, row, positions, error);
    }
    return status;
}

static KnStatus open_match(KnLabRun *run, const Board *board, Match *m, KnError *error)
{
    *m = (Match){.run = run, .board = board};
    KnStatus status = kn_game_open_turns(kn_lab_context(run), board->spec, &m->game, error);
    if (status != KN_OK) return status;
    if (board->four)
        status = kn_four_view_open(m->game, &m->view, error);
    else
        status = kn_solved_open(m->game, NULL, &m->solved, error);
    if (board->four) m->solver = kn_connect_four_new(TABLE_BITS);
    m->state = kn_state_new(m->game);
    if (status == KN_OK && (!m->state || (board->four && !m->solver)))
        status = kn_fail_memory(error, "perfect play");
    return status;
}

static void close_match(Match *m)
{
    kn_openings_free(m->openings);
    kn_state_free(m->state);
    kn_connect_four_free(m->solver);
    kn_solved_free(m->solved);
    if (m->board && m->board->four) kn_four_view_close(&m->view);
    kn_game_close(m->game);
}

static KnStatus run_openings(KnLabRun *run, KnError *error)
{
    enum { EARLY = 4, LATE = 8 };
    static const int placed[] = {2, EARLY, 6, LATE};
    const int dropped = (int)kn_lab_parameter(run, "plies of Connect Four");
    const double positions = kn_lab_parameter(run, "positions"), deep = 12.5;
    Match matches[2] = {0};
    kn_lab_expect(
        run,
        (uint64_t)(4 * kn_lab_parameter(run, morris.openings) + kn_lab_parameter(run, four.openings) +
                   SIDES * (3 * kn_lab_parameter(run, morris.games) + kn_lab_parameter(run, four.games))));
    KnStatus status = open_match(run, &morris, &matches[0], error);
    if (status == KN_OK) status = open_match(run, &four, &matches[1], error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "values", "Values of random openings", "share of openings", 3, error);
    if (status == KN_OK) status = give_values(&matches[0], placed, 4, error);
    if (status == KN_OK) status = give_values(&matches[1], &dropped, 1, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "bounds", "Perfect play, networks, and networks without mistakes",
                                  "share of points", 3, error);
    if (status == KN_OK) status = give_points(&matches[0], EARLY, positions, error);
    if (status == KN_OK) status = give_points(&matches[0], LATE, positions, error);
    if (status == KN_OK) status = give_points(&matches[0], LATE, positions * deep, error);
    if (status == KN_OK) status = give_points(&matches[1], dropped, positions, error);
    for (int i = 0; i < 2; i++) close_match(&matches[i]);
    return status;
}

static const KnParameter parameters[] = {
    {"openings", 20, 1000, "Of five men's morris, whose values are in a table."},
    {"openings of Connect Four", 4, 200, "A value takes a third of a second after eight plies."},
    {"games", 4, 400, "Of a side against the game's own evaluation, on five men's morris."},
    {"games of Connect Four", 2, 100, "The same; each move of a perfect side asks for several values."},
    {"plies of Connect Four", 20, 8, "Random moves before the players take over."},
    {"positions", 40, 400, "A move of both sides; one row has 12.5 times as many."},
    {0}};

static const KnInterpretation interpretations[] = {
    {"How does perfect play choose among moves of equal value?",
     "At random, and of winning moves one that wins soonest where that is known.",
     "Whoever chooses so as to lead an opponent astray gets more: perfect play bounds what is sure, not what "
     "an opponent may give away. The network without mistakes chooses as the network does."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 0.02, 0, "Nothing was published: these are our own."}, {0}};

const KnExperiment kn_together_openings = {
    .head = {"together.openings", "what random openings leave to be won, by perfect play", NULL},
    .paper = "together",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = run_openings,
};
