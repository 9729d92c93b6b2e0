/* The learner `openings`: a bandit (UCB1, learn/bandit.h) at each position that a player meets in its first
 * moves. It plays games against an opponent, tries the legal moves there by their upper confidence bounds,
 * and rewards each move tried with the points of its game. After the opening the player itself chooses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/stats.h>

#include "arena/held_out.h"
#include "arena/play.h"
#include "base/assert.h"
#include "base/file.h"
#include "games/turns.h"
#include "methods/openings/book.h"
#include "methods/registry.h"
#include "players/sequential_view.h"

static const char BOOK[] = "openings.json";
enum { STEPS = 20, MOVES_MOST = 20 };

static KnStatus suits(const KnContext *context, const KnGame *game, KnError *error)
{
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, "openings");
    KN_ASSERT(type != NULL);
    KnStatus status = kn_game_takes_turns(game, error);
    return status == KN_OK ? kn_player_suits(type, game, error) : status;
}

/* ---- one game ---- */

typedef struct Trial {
    const KnLearnerTask *task;
    KnOpeningBook *book;
    KnPlayer *players[2]; /* the learner's, the opponent's */
    KnState *state;
    int role, moves; /* the learner's side; its moves by the book */
    double exploration;
    struct {
        size_t page;
        int move;
    } tried[MOVES_MOST];
    int count;
} Trial;

/* Before a move of the learner in the opening: its bandit chooses. */
static KnStatus choose_opening(void *user, const KnState *state, KnMove *joint, KnError *error)
{
    Trial *t = user;
    const KnGame *game = kn_state_game(state);
    if (t->count == t->moves || kn_state_mover(state) != t->role) return KN_OK;
    KnMove moves[game->max_moves];
    int count = kn_state_moves(state, t->role, moves);
    char *line = kn_state_moves_text(state);
    KnOpeningPage *page = line ? kn_opening_book_find(t->book, line) : NULL;
    if (line && !page) page = kn_opening_book_add(t->book, line, kn_state_position(state), moves, count);
    free(line);
    if (!page) return kn_fail_memory(error, "learning openings");
    KN_ASSERT(page->count == count);
    int move = kn_bandit_ucb1(page->arms, page->count, t->exploration);
    t->tried[t->count].page = (size_t)(page - t->book->pages);
    t->tried[t->count++].move = move;
    joint[t->role] = moves[move];
    return KN_OK;
}

static KnStatus play(Trial *t, uint64_t index, double *points, KnError *error)
{
    const KnGame *game = t->book->game;
    KnRng rngs[2], seeds = kn_rng_stream(t->task->seed, index);
    KnPlayPlan plan = {.state = t->state,
                       .rules = {.ply_limit = (size_t)kn_option_integer(t->task->options, "plies"),
                                 .cancel = t->task->cancel},
                       .strict = true,
                       .before = choose_opening,
                       .user = t};
    KnPlayed played;
    t->role = (int)(index % 2);
    t->count = 0;
    kn_state_reset(t->state, NULL);
    for (int role = 0; role < 2; role++) {
        rngs[role] = kn_rng_seeded(kn_rng_next(&seeds));
        plan.rngs[role] = &rngs[role];
        plan.players[role] = t->players[role != t->role];
    }
    KnStatus status = kn_play(&plan, &played, error);
    if (status != KN_OK) return status;
    *points = (played.payoffs[t->role] - game->payoff_low) / (game->payoff_high - game->payoff_low);
    for (int i = 0; i < t->count; i++)
        kn_bandit_reward(&t->book->pages[t->tried[i].page].arms[t->tried[i].move], *points);
    return KN_OK;
}

/* ---- steps ---- */

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    KnSpec inner = *kn_option_spec(options, "player");
    inner.key = NULL;
    kn_text_add(spec, "openings(");
    kn_spec_print(&inner, spec);
    kn_text_add(spec, ", file=");
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ")");
}

/* Plays until the book has learned from `to` games, and saves it. */
static KnStatus play_step(Trial *t, uint64_t to, const char *file, KnError *error)
{
    while (t->book->games < to) {
        double points = 0;
        KnStatus status = play(t, t->book->games, &points, error);
        if (status != KN_OK) return status;
        t->book->points += points;
        t->book->games++;
        kn_progress_tick(t->task->progress, 1);
    }
    return kn_opening_book_save(t->book, file, error);
}

/* A point is the score since the point before. Where the book was saved and its point was not, the book tells
 * what is missing: the run keeps the points won until its last point. */
static KnStatus add_point(const Trial *t, KnTrainingRun *run, uint64_t from, KnError *error)
{
    double before = json_number_value(kn_training_run_last(run, "points won")),
           won = t->book->points - before, games = (double)(t->book->games - from);
    KnInterval interval = kn_wilson(won, games, KN_Z95);
    KnStatus status = kn_training_run_also(run, "points won", json_real(t->book->points), error);
    return status == KN_OK ? kn_training_run_add(run, (double)t->book->games, won / games, interval.low,
                                                 interval.high, error)
                           : status;
}

/* The book as it is now, against an opponent that it was not made for. */
static KnStatus measure(const Trial *t, KnTrainingRun *run, const char *file, KnError *error)
{
    KnText spec = KN_TEXT_EMPTY;
    player(t->task->options, file, &spec);
    KnStatus status = kn_held_out_measure(t->task, spec.data, (double)t->book->games, run, error);
    kn_text_free(&spec);
    return status;
}

static KnStatus run_steps(Trial *t, KnTrainingRun *run, const char *file, KnError *error)
{
    const KnOptions *o = t->task->options;
    uint64_t games = (uint64_t)kn_option_integer(o, "games"),
             wanted = t->task->points ? (uint64_t)t->task->points : STEPS,
             steps = games < wanted ? games : wanted;
    KnStatus status = KN_OK;
    kn_progress_add_total(t->task->progress, games);
    kn_progress_skip(t->task->progress, t->book->games);
    for (uint64_t step = kn_training_run_points(run); step < steps && status == KN_OK; step++) {
        uint64_t to = games * (step + 1) / steps;
        KN_ASSERT(t->book->games <= to);
        if (t->book->games < to) status = play_step(t, to, file, error);
        if (status == KN_OK) status = measure(t, run, file, error);
        if (status == KN_OK) status = add_point(t, run, games * step / steps, error);
    }
    return status;
}

static KnStatus open_players(Trial *t, const KnGame *game, KnError *error)
{
    const char *player = kn_learner_text(t->task, "player"), *against = kn_learner_text(t->task, "against");
    const KnContext *context = t->task->context;
    t->state = kn_state_new(game);
    if (!t->state) return kn_fail_memory(error, "learning openings");
    KnStatus status = kn_player_open(context, game, player, &t->players[0], error);
    return status == KN_OK ? kn_player_open(context, game, against ? against : player, &t->players[1], error)
                           : status;
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    KnGame *view = NULL;
    KnText file = KN_TEXT_EMPTY;
    Trial t = {.task = task,
               .moves = (int)kn_option_integer(task->options, "moves"),
               .exploration = kn_option_real(task->options, "exploration")};
    KnStatus status = kn_game_turns(task->game, &view, error);
    const KnGame *game = view ? view : task->game;
    kn_training_run_path(run, BOOK, &file);
    if (status == KN_OK && kn_file_exists(file.data))
        status = kn_opening_book_load(game, file.data, &t.book, error);
    else if (status == KN_OK && !(t.book = kn_opening_book_new(game)))
        status = kn_fail_memory(error, "learning openings");
    if (status == KN_OK) status = open_players(&t, game, error);
    if (status == KN_OK) status = run_steps(&t, run, file.data, error);
    for (int i = 0; i < 2; i++) kn_player_close(t.players[i]);
    kn_state_free(t.state);
    kn_opening_book_free(t.book);
    kn_game_close(view);
    kn_text_free(&file);
    return status;
}

/* ---- the row ---- */

/* The lines of the book, the most played moves first, down to the end of the opening. */
static void add_line(const KnOpeningBook *book, const char *line, KnArena *arena, KnExplanation *parent)
{
    enum { SHOWN = 4 };
    const KnOpeningPage *page = kn_opening_book_find(book, line);
    if (!page) return;
    bool told[page->count];
    memset(told, 0, sizeof told);
    for (int n = 0; n < SHOWN && n < page->count; n++) {
        int best = -1;
        for (int i = 0; i < page->count; i++)
            if (!told[i] && page->arms[i].plays && (best < 0 || page->arms[i].plays > page->arms[best].plays))
                best = i;
        if (best < 0) return;
        told[best] = true;
        kn_explanation_text(
            arena, parent, kn_arena_printf(arena, "%s%s%s", line, *line ? " " : "", page->moves[best]),
            kn_arena_printf(arena, "%.2f points a game, %llu game%s", kn_bandit_mean(&page->arms[best]),
                            (unsigned long long)page->arms[best].plays, kn_s(page->arms[best].plays)));
    }
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnGame *view = NULL;
    KnOpeningBook *book = NULL;
    KnStatus status = kn_game_turns(task->game, &view, error);
    if (status == KN_OK) status = kn_opening_book_load(view ? view : task->game, file, &book, error);
    if (status == KN_OK) {
        *explanation = kn_explanation_new(
            arena, kn_arena_printf(arena, "an opening book of %s: %zu position%s from %llu game%s",
                                   book->game->spec, book->count, kn_s(book->count),
                                   (unsigned long long)book->games, kn_s(book->games)));
        for (size_t i = 0; i < book->count; i++) {
            const KnOpeningPage *page = &book->pages[i];
            KnExplanation *group = kn_explanation_group(
                arena, *explanation,
                *page->line ? kn_arena_printf(arena, "after %s", page->line) : "at the start");
            add_line(book, page->line, arena, group);
        }
        if (!*explanation) status = kn_fail_memory(error, "showing an opening book");
    }
    kn_opening_book_free(book);
    kn_game_close(view);
    return status;
}

static const KnOption options[] = {
    {"player", KN_OPTION_SPEC, "alphabeta(depth=2)", 0, 0, "player",
     "the player that learns its openings, and goes on after them"},
    {"games", KN_OPTION_INTEGER, "400", 1, 10000000, NULL, "games to learn from"},
    {"moves", KN_OPTION_INTEGER, "1", 1, MOVES_MOST, NULL, "own moves of the opening"},
    {"against", KN_OPTION_SPEC, "", 0, 0, "player",
     "the opponent (default: the same player, without a book)"},
    {"exploration", KN_OPTION_REAL, "0.5", 0, 100, NULL, "width of the confidence bound; UCB1 has 1"},
    {"plies", KN_OPTION_INTEGER, "200", 1, 100000, NULL, "a game of this many plies is a draw"},
    KN_HELD_OUT_OPTIONS,
    {0}};

const KnLearnerType kn_learner_openings = {
    .head = {"openings", "which opening moves pay, by a bandit (UCB1: Auer, Cesa-Bianchi & Fischer 2002)",
             options},
    .file = BOOK,
    .x = "games",
    .y = "points",
    .measures = "The share of points in the games since the last point of the curve.",
    .low = 0,
    .high = 1,
    .chance = NAN,
    .points = STEPS,
    .trial = "player=alphabeta(depth=1, memory=1), games=6, plies=60, test=2, held-out=random",
    .examples = "othello --out book.json --show\n"
                "checkers --player 'alphabeta(depth=4)' --moves 2 --games 1000 --out book.json",
    .suits = suits,
    .train = train,
    .player = player,
    .explain = explain,
};
