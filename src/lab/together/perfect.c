/* Connect Four against perfect play: how many won positions a network wins as first player, by the games that
 * it learned from. In the literature, n-tuple networks that learned from millions of games win 80 to 90 % of
 * their games as first player against a perfect opponent, from the empty board (Thill, Koch & Konen 2012).
 *
 * Games start at the empty board, which is won for the first player (Allis 1988), or after some random moves,
 * at positions that are won for the player to move by our own solver (games/connect_four.h) but not at once.
 * So each win counts that no move gave it away. A game in which one did is over: perfect play keeps it. */
#include "lab/together/shared.h"

#include <stdio.h>
#include <stdlib.h>

#include "arena/learner.h"
#include "arena/play.h"
#include "base/file.h"
#include "base/text.h"
#include "games/turns.h"
#include "lab/registry.h"
#include "lab/together/four_view.h"

enum { NEAR = 18, KNOWN = 4096 };

static const char GAME[] = "gdl:connectfour";

/* Whether the second player has lost, on a board with few discs: such proofs take seconds. */
typedef struct Known {
    KnFourBoard board;
    bool lost;
} Known;

typedef struct Table {
    KnLabRun *run;
    KnGame *game; /* with turns */
    KnFourView view;
    KnConnectFour *solver;
    KnState *state;
    KnMove *moves;
    int plies;        /* of an opening; 0: the empty board */
    KnMove *openings; /* of all games, the same for every row */
    uint64_t found;   /* openings that are there */
    KnRng rng;        /* of the perfect side */
    Known *known;
    size_t known_count;
} Table;

/* ---- the perfect side ---- */

/* Whether the perfect side, who is to move, has lost. */
static bool has_lost(Table *t, KnFourBoard board)
{
    enum { FEW = 10 };
    bool few = __builtin_popcountll(board.all) < FEW;
    for (size_t i = 0; few && i < t->known_count; i++)
        if (t->known[i].board.mover == board.mover && t->known[i].board.all == board.all)
            return t->known[i].lost;
    bool lost = kn_connect_four_loses(t->solver, board);
    if (few && t->known_count < KNOWN) t->known[t->known_count++] = (Known){board, lost};
    return lost;
}

/* What a move of the side that has lost leads to. On boards with few discs, distances would take too long:
 * there it only sees whether it loses at once. */
static int worth(const Table *t, const void *position, KnMove move)
{
    KnFourBoard next = kn_four_view_board_after(&t->view, position, move);
    if (__builtin_popcountll(next.all) > NEAR) return -kn_connect_four_score(t->solver, next);
    return kn_connect_four_wins_at_once(next) ? -2 : -1;
}

/* A best move of the side that has lost, drawn if there are several. */
static KnMove choose(Table *t, const KnState *state)
{
    int count = kn_state_moves(state, 1, t->moves), best = -1000, equal = 0;
    KnMove chosen = t->moves[0];
    for (int i = 0; i < count; i++) {
        int value = worth(t, kn_state_position(state), t->moves[i]);
        if (value > best) equal = 0, best = value;
        if (value == best && kn_rng_below(&t->rng, (uint32_t)++equal) == 0) chosen = t->moves[i];
    }
    return chosen;
}

static KnStatus before(void *user, const KnState *state, KnMove *joint, KnError *error)
{
    Table *t = user;
    if (kn_state_mover(state) != 1) return KN_OK;
    if (!has_lost(t, kn_four_view_board(&t->view, kn_state_position(state))))
        return kn_fail(error, KN_NO, "a win was given away");
    joint[1] = choose(t, state);
    return KN_OK;
}

/* ---- openings ---- */

/* Random moves; false if the game is over before. */
static KnStatus draw_opening(Table *t, KnRng *rng, KnMove *opening, bool *over, KnError *error)
{
    KnStatus status = KN_OK;
    kn_state_reset(t->state, NULL);
    for (int i = 0; i < t->plies && status == KN_OK && !kn_state_over(t->state, NULL); i++) {
        int count = kn_state_moves(t->state, kn_state_mover(t->state), t->moves);
        opening[i] = t->moves[kn_rng_below(rng, (uint32_t)count)];
        status = kn_state_play(t->state, opening[i], error);
    }
    *over = kn_state_over(t->state, NULL);
    return status;
}

/* Sets up the empty board, or a position that is won for the player to move, but not at once. */
static KnStatus play_opening(Table *t, uint64_t game, KnError *error)
{
    KnMove *opening = t->openings + game * (uint64_t)t->plies;
    KnStatus status = KN_OK;
    kn_state_reset(t->state, NULL);
    if (!t->plies) return KN_OK;
    for (int i = 0; game < t->found && i < t->plies && status == KN_OK; i++)
        status = kn_state_play(t->state, opening[i], error);
    KnRng rng = kn_rng_stream(kn_lab_seed(t->run, "openings"), game);
    for (bool won = game < t->found; !won && status == KN_OK;) {
        bool over;
        status = draw_opening(t, &rng, opening, &over, error);
        KnFourBoard board = kn_four_view_board(&t->view, kn_state_position(t->state));
        won = !over && !kn_connect_four_wins_at_once(board) && kn_connect_four_value(t->solver, board) == 1;
    }
    if (game == t->found) t->found++;
    return status;
}

/* ---- rows ---- */

/* Games of a player as the first against perfect play, one at a time: the solver's table serves all. */
static KnStatus play_all(Table *t, const char *key, const char *spec, uint64_t games, KnMeasure *won,
                         KnError *error)
{
    const json_t *done = kn_lab_done_work(t->run, key, games);
    uint64_t wins = (uint64_t)json_integer_value(done);
    KnPlayer *player = NULL;
    KnStatus status = KN_OK;
    if (!done) status = kn_player_open(kn_lab_context(t->run), t->game, spec, &player, error);
    for (uint64_t i = 0; !done && i < games && status == KN_OK; i++) {
        KnPlayed played;
        t->rng = kn_rng_stream(kn_lab_seed(t->run, "perfect side"), i);
        status = play_opening(t, i, error);
        KnRng rng = kn_rng_stream(kn_lab_seed(t->run, key), i);
        KnPlayPlan plan = {.state = t->state,
                           .players = {player, player},
                           .rngs = {&rng, &rng},
                           .rules.cancel = kn_lab_cancel(t->run),
                           .strict = true,
                           .untimed = true,
                           .before = before,
                           .user = t};
        if (status == KN_OK) status = kn_play(&plan, &played, error);
        if (status == KN_OK) wins += played.payoffs[0] > played.payoffs[1];
        if (status == KN_NO) status = KN_OK;
        kn_progress_tick(kn_lab_progress(t->run), 1);
    }
    if (player) kn_player_close(player);
    if (!done && status == KN_OK) status = kn_lab_keep(t->run, key, json_integer((json_int_t)wins), error);
    *won = kn_measure_share((double)wins, games, 1);
    return status;
}

static KnStatus train(Table *t, uint64_t games, KnText *path, KnError *error)
{
    char key[80], name[120];
    snprintf(key, sizeof key, "network of %llu games", (unsigned long long)games);
    kn_path_join(path, kn_context_data(kn_lab_context(t->run)), "lab/together");
    KnStatus status = kn_text_ok(path) ? kn_mkdirs(path->data, error) : kn_fail_memory(error, "training");
    snprintf(name, sizeof name, "lab/together/%s.%llu.perfect-%d.%llu.ntuple",
             kn_scale_name(kn_lab_scale(t->run)), (unsigned long long)kn_lab_run_seed(t->run), t->plies,
             (unsigned long long)games);
    kn_path_join(path, kn_context_data(kn_lab_context(t->run)), name);
    if (status != KN_OK || (kn_lab_done(t->run, key) && kn_file_exists(path->data))) return status;
    KnText learner = KN_TEXT_EMPTY;
    kn_text_printf(&learner, "ntuple(games=%llu, walks=20)", (unsigned long long)games);
    KnTrainPlan plan = {.learner = learner.data,
                        .game = GAME,
                        .seed = kn_lab_seed(t->run, "training") >> 11,
                        .jobs = kn_lab_jobs(t->run),
                        .out = path->data,
                        .cancel = kn_lab_cancel(t->run)};
    KnTrainResult result = {0};
    status = kn_train(kn_lab_context(t->run), &plan, &result, error);
    kn_train_result_free(&result);
    kn_text_free(&learner);
    return status == KN_OK ? kn_lab_keep(t->run, key, json_true(), error) : status;
}

/* A row: the same evaluation by one ply, and by a search. */
static KnStatus give_row(Table *t, const char *row, const char *eval, KnPoint *point, KnError *error)
{
    static const char *const columns[] = {"one ply", "by search"};
    uint64_t games = (uint64_t)kn_lab_parameter(t->run, "games");
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        KnText spec = KN_TEXT_EMPTY;
        char key[120];
        KnMeasure won = {0};
        snprintf(key, sizeof key, "%s, %s", row, columns[i]);
        if (i == 0)
            kn_text_printf(&spec, "alphabeta(depth=1, memory=1, width=full, eval=%s)", eval);
        else
            kn_text_printf(&spec, "alphabeta(depth=100, nodes=%.0f, memory=1, width=full, eval=%s)",
                           kn_lab_parameter(t->run, "positions"), eval);
        status = play_all(t, key, spec.data, games, &won, error);
        if (status == KN_OK) status = kn_lab_measured(t->run, row, columns[i], won, NULL, error);
        if (point) point[i] = (KnPoint){point[i].x, won.value, won.low, won.high};
        kn_text_free(&spec);
    }
    return status;
}

static KnStatus give_rows(Table *t, KnError *error)
{
    enum { TRAININGS = 4 };
    static const double shares[TRAININGS] = {1. / 64, 1. / 16, 1. / 4, 1};
    KnPoint points[TRAININGS][2], lines[2][TRAININGS];
    kn_lab_expect(t->run, (uint64_t)((TRAININGS + 2) * 2 * kn_lab_parameter(t->run, "games")));
    KnStatus status = kn_lab_own_table(t->run, "perfect", "Won positions that are won against perfect play",
                                       "share of games", 3, error);
    /* from the empty board it would begin anywhere, and each proof takes minutes */
    if (status == KN_OK && t->plies) status = give_row(t, "no evaluation", "zero", NULL, error);
    if (status == KN_OK) status = give_row(t, "the network of the program", "ntuple", NULL, error);
    for (int i = 0; i < TRAININGS && status == KN_OK; i++) {
        KnText path = KN_TEXT_EMPTY, eval = KN_TEXT_EMPTY;
        char row[60];
        uint64_t games = (uint64_t)(kn_lab_parameter(t->run, "training games") * shares[i]);
        if (!games) games = 1;
        points[i][0].x = points[i][1].x = (double)games;
        snprintf(row, sizeof row, "network of %llu games", (unsigned long long)games);
        status = train(t, games, &path, error);
        kn_text_add(&eval, "ntuple(file=");
        kn_text_add_quoted(&eval, path.data);
        kn_text_add(&eval, ")");
        if (status == KN_OK) status = give_row(t, row, eval.data, points[i], error);
        for (int k = 0; k < 2; k++) lines[k][i] = points[i][k];
        kn_text_free(&path);
        kn_text_free(&eval);
    }
    KnSeries series[2] = {{"one ply", lines[0], TRAININGS}, {"by search", lines[1], TRAININGS}};
    KnFigure figure = {.id = "perfect",
                       .title = "Connect Four: won positions that a network wins against perfect play",
                       .x_label = "games learned from",
                       .y_label = "share of games",
                       .kind = KN_FIGURE_LINES,
                       .steps = true,
                       .series = series,
                       .series_count = 2};
    return status == KN_OK ? kn_lab_figure(t->run, &figure, error) : status;
}

static KnStatus run_perfect(KnLabRun *run, KnError *error)
{
    Table t = {.run = run};
    KnStatus status = kn_game_open_turns(kn_lab_context(run), GAME, &t.game, error);
    if (status == KN_OK) status = kn_four_view_open(t.game, &t.view, error);
    if (status == KN_OK) {
        t.plies = (int)kn_lab_parameter(run, "opening");
        t.solver = kn_connect_four_new(t.plies ? 22 : 26);
        t.state = kn_state_new(t.game);
        t.known = malloc(KNOWN * sizeof *t.known);
        t.openings = calloc((size_t)(kn_lab_parameter(run, "games") * t.plies) + 1, sizeof *t.openings);
        t.moves = malloc((size_t)t.game->max_moves * sizeof *t.moves);
        if (!t.solver || !t.state || !t.known || !t.openings || !t.moves)
            status = kn_fail_memory(error, "perfect play");
    }
    if (status == KN_OK) status = give_rows(&t, error);
    kn_connect_four_free(t.solver);
    kn_state_free(t.state);
    free(t.known);
    free(t.openings);
    free(t.moves);
    kn_four_view_close(&t.view);
    kn_game_close(t.game);
    return status;
}

static const KnParameter parameters[] = {
    {"games", 1, 60, "Against perfect play, of each player; all have the same openings."},
    {"opening", 16, 12, "Random moves before the first; even, so that the first player is to move."},
    {"positions", 40, 400, "A move of the players that search."},
    {"training games", 64, 4000,
     "Of the longest training; others have a quarter of it, and so on. The program's own has 20,000."},
    {0}};

static const KnParameter first_parameters[] = {
    {"games", 1, 40, "Against perfect play, of each player."},
    {"opening", 16, 0, "Random moves before the first: none, except where minutes are too long."},
    {"positions", 40, 400, "A move of the players that search."},
    {"training games", 64, 4000,
     "Of the longest training; others have a quarter of it, and so on. The program's own has 20,000."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 0.02, 0, "Nothing was published: these are our own."}, {0}};

const KnExperiment kn_together_perfect = {
    .head = {"together.perfect", "n-tuple networks of Connect Four against perfect play", NULL},
    .paper = "together",
    .parameters = parameters,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_perfect,
};

const KnExperiment kn_together_first = {
    .head = {"together.first", "n-tuple networks of Connect Four against perfect play, from the empty board",
             NULL},
    .paper = "together",
    .parameters = first_parameters,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_perfect,
};
