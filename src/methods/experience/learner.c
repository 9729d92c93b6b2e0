/* The learner `experience` (De Jong & Schultz 1988): a player with an experience base meets an opponent that
 * does not learn, and records every game. Its curve costs nothing: it is the score of the games themselves.
 * Where a curve is wanted, a held-out opponent says besides whether more was learned than this opponent's
 * habits.
 */
#include <knack/stats.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/held_out.h"
#include "arena/match.h"
#include "arena/openings.h"
#include "arena/play.h"
#include "base/assert.h"
#include "base/file.h"
#include "eval/ntuple.h"
#include "games/turns.h"
#include "methods/experience/player.h"
#include "methods/experience/move_rule.h"
#include "methods/experience/network.h"
#include "methods/registry.h"
#include "players/sequential_view.h"

static const char BASE[] = "experience.mdb", WORKING[] = "working.mdb", NETWORK_SUFFIX[] = ".network";
static const size_t FILE_MOST = (size_t)1 << (sizeof(size_t) > 4 ? 32 : 30);
enum {
    STEPS = 20,
    GAMES_LEAST = 10,   /* of a step */
    NETWORK_GAMES = 200 /* with fewer distinct games a network knows less than the search's evaluation */
};

static KnStatus suits(const KnContext *context, const KnGame *game, KnError *error)
{
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, "experience");
    return type ? kn_player_suits(type, game, error)
                : kn_fail(error, KN_INPUT, "needs the player experience, which is not registered");
}

/* ---- specs ---- */

/* `network`: the evaluation of the search; NULL: the game's own, with which the paper's learner and opponent
 * differ by their depth alone. */
static void add_inner(const KnOptions *options, const char *network, KnText *spec)
{
    const KnSpec *inner = kn_option_spec(options, "inner");
    if (!inner) {
        kn_text_printf(spec, "alphabeta(depth=%ld, eval=", kn_option_integer(options, "depth"));
        if (network) {
            kn_text_add(spec, "ntuple(file=");
            kn_text_add_quoted(spec, network);
            kn_text_add_char(spec, ')');
        } else
            kn_text_add(spec, "hand");
        kn_text_add_char(spec, ')');
        return;
    }
    KnSpec bare = *inner;
    bare.key = NULL;
    kn_spec_print(&bare, spec);
}

static bool has_network(const KnOptions *options) { return kn_option_choice(options, "value") == 1; }

static void add_learner(const KnOptions *options, const char *base, const char *network, KnText *spec)
{
    KnExperienceRule rule = (KnExperienceRule)kn_option_choice(options, "rule");
    kn_text_add(spec, "experience(");
    add_inner(options, network, spec);
    kn_text_add(spec, ", base=");
    kn_text_add_quoted(spec, base);
    kn_text_printf(spec, ", learn, -sync, rule=%s%s)", kn_rule_name(rule),
                   rule == KN_RULE_GINA ? ", recall" : "");
}

static void add_opponent(const KnLearnerTask *task, KnText *spec)
{
    const char *against = kn_learner_text(task, "against");
    double epsilon = kn_option_real(task->options, "epsilon");
    if (epsilon > 0) kn_text_add(spec, "noisy(");
    if (against)
        kn_text_add(spec, against);
    else
        kn_text_printf(spec, "alphabeta(depth=%ld, eval=hand)", kn_option_integer(task->options, "opponent"));
    if (epsilon > 0) kn_text_printf(spec, ", epsilon=%.10g)", epsilon);
}

/* A player that uses a base and adds nothing to it. */
static void add_user(const KnOptions *options, const char *base, const char *network, KnText *spec)
{
    kn_text_add(spec, "experience(");
    add_inner(options, network, spec);
    kn_text_add(spec, ", base=");
    kn_text_add_quoted(spec, base);
    kn_text_printf(spec, ", rule=%s)", kn_rule_name((KnExperienceRule)kn_option_choice(options, "rule")));
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    KnText network = KN_TEXT_EMPTY;
    kn_text_printf(&network, "%s%s", file, NETWORK_SUFFIX);
    add_user(options, file, has_network(options) ? network.data : NULL, spec);
    kn_text_free(&network);
}

/* ---- games ---- */

typedef struct Table {
    KnPlayer *players[2]; /* the learner, the opponent */
    KnState *state;
    KnOpenings *openings;
    int roles[2];
} Table;

static void close_table(Table *t)
{
    for (int i = 0; i < 2; i++) kn_player_close(t->players[i]);
    kn_openings_free(t->openings);
    kn_state_free(t->state);
}

static KnStatus open_table(const KnLearnerTask *task, const char *base, const char *network, Table *t,
                           KnError *error)
{
    KnText specs[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    *t = (Table){.state = kn_state_new(task->game)};
    if (!t->state) return kn_fail_memory(error, "learning from games");
    add_learner(task->options, base, network, &specs[0]);
    add_opponent(task, &specs[1]);
    KnStatus status = kn_match_roles(task->game, t->roles, error);
    if (status == KN_OK)
        status = kn_openings_new(
            task->game,
            &(KnOpeningsPlan){.random_plies = (int)kn_option_integer(task->options, "random-plies"),
                              .seed = task->seed},
            &t->openings, error);
    for (int i = 0; i < 2; i++) {
        if (status == KN_OK)
            status = kn_player_open(task->context, task->game, specs[i].data, &t->players[i], error);
        kn_text_free(&specs[i]);
    }
    return status;
}

/* Game `index` is that of a match with the same seed: openings in pairs, sides exchanged. */
static KnStatus play(const KnLearnerTask *task, const Table *t, uint64_t index, double *points,
                     KnError *error)
{
    const KnGame *game = task->game;
    KnRng rngs[KN_ROLES_MAX], seeds = kn_rng_stream(task->seed, index), identities = seeds;
    int first = (int)(index % 2);
    KnPlayPlan plan = {
        .state = t->state,
        .rules = {.ply_limit = (size_t)kn_option_integer(task->options, "plies"), .cancel = task->cancel},
        .strict = true,
        .game_id = kn_base_play_id(t->players[1]->spec, kn_rng_next(&identities))};
    KnPlayed played;
    KnStatus status = kn_openings_play(t->openings, index / 2, t->state, error);
    for (int role = 0; role < game->roles; role++) {
        rngs[role] = kn_rng_seeded(kn_rng_next(&seeds));
        plan.rngs[role] = &rngs[role];
    }
    for (int seat = 0; seat < 2; seat++) plan.players[t->roles[seat]] = t->players[seat ^ first];
    if (status == KN_OK) status = kn_play(&plan, &played, error);
    if (status != KN_OK) return status;
    *points += (played.payoffs[t->roles[first]] - game->payoff_low) / (game->payoff_high - game->payoff_low);
    return KN_OK;
}

/* What one step came to. */
typedef struct Step {
    double points;
    uint64_t games, positions, distinct, decisions, from_base;
} Step;

static KnStatus play_games(const KnLearnerTask *task, const char *base, const char *network, uint64_t from,
                           uint64_t to, Step *step, KnError *error)
{
    Table table;
    KnStatus status = open_table(task, base, network, &table, error);
    for (uint64_t i = from; i < to && status == KN_OK; i++) {
        status = play(task, &table, i, &step->points, error);
        kn_progress_tick(task->progress, 1);
    }
    if (status == KN_OK) {
        const KnPlayer *learner = table.players[0];
        if (!kn_experience_tally(learner))
            learner = learner->inner; /* behind the view of a game description */
        const KnExperienceTally *tally = kn_experience_tally(learner);
        KnBaseStat size;
        KN_ASSERT(tally != NULL);
        status = kn_base_size(kn_experience_base(learner), &size, error);
        step->games = to - from;
        step->positions = size.positions;
        step->distinct = size.games;
        step->from_base = tally->from_base;
        step->decisions = tally->from_base + tally->ignored + tally->searched;
    }
    close_table(&table);
    return status;
}

/* ---- steps ---- */

/* What counts is the file of the last point: an interrupted step is played again from there, so that a run is
 * the same however often it was interrupted. File and curve cannot change in one operation. So the file of
 * point N first lies beside the old one as next-N.mdb, then the curve gets its point, then the file takes its
 * place: the curve tells whether next-N.mdb counts. */
static void next_path(const KnTrainingRun *run, size_t points, KnText *path)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "next-%zu.mdb", points);
    kn_training_run_path(run, name.data, path);
    kn_text_free(&name);
}

static void remove_working(const KnTrainingRun *run)
{
    KnText work = KN_TEXT_EMPTY;
    kn_training_run_path(run, WORKING, &work);
    unlink(work.data);
    kn_text_add(&work, "-lock");
    unlink(work.data);
    kn_text_free(&work);
}

/* Brings the file to the curve's last point. */
static KnStatus recover(const KnTrainingRun *run, KnError *error)
{
    KnText kept = KN_TEXT_EMPTY, next = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    remove_working(run);
    kn_training_run_path(run, BASE, &kept);
    next_path(run, kn_training_run_points(run), &next);
    if (kn_file_exists(next.data) && rename(next.data, kept.data) != 0)
        status = kn_fail_errno(error, "%s: cannot take the place of %s", next.data, kept.data);
    next_path(run, kn_training_run_points(run) + 1, &next); /* of a step that is played again */
    unlink(next.data);
    kn_text_free(&kept);
    kn_text_free(&next);
    return status;
}

static KnStatus copy_base(const char *from, const char *to, KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(from, &bytes, FILE_MOST, error);
    if (status == KN_OK) status = kn_file_write_atomic(to, bytes.data, bytes.length, error);
    kn_text_free(&bytes);
    return status;
}

static KnStatus commit_step(KnTrainingRun *run, const Step *step, uint64_t games, KnError *error)
{
    KnInterval interval = kn_wilson(step->points, (double)step->games, KN_Z95);
    double without = step->decisions ? (double)step->from_base / (double)step->decisions : 0;
    KnStatus status = kn_training_run_also(run, "growth",
                                           json_pack("[IIfI]", (json_int_t)games, (json_int_t)step->positions,
                                                     without, (json_int_t)step->distinct),
                                           error);
    KnText line = KN_TEXT_EMPTY;
    kn_text_printf(&line, "%llu of %llu games are distinct", (unsigned long long)step->distinct,
                   (unsigned long long)games);
    if (kn_text_ok(&line)) kn_training_run_note(run, line.data);
    kn_text_free(&line);
    if (status == KN_OK)
        status = kn_training_run_add(run, (double)games, step->points / (double)step->games, interval.low,
                                     interval.high, error);
    return status == KN_OK ? recover(run, error) : status;
}

/* ---- the network ---- */

/* What the base of the last point holds, as a network beside it. It follows from the base alone, so that it
 * does not matter how often it is learned. *known: there were games enough. */
static KnStatus learn_network(const KnLearnerTask *task, const KnTrainingRun *run, bool last, KnText *path,
                              bool *known, KnError *error)
{
    KnText file = KN_TEXT_EMPTY;
    KnGame *view = NULL;
    KnBase *base = NULL;
    KnBaseStat size = {0};
    kn_training_run_path(run, BASE, &file);
    kn_text_clear(path);
    kn_text_printf(path, "%s%s", file.data, NETWORK_SUFFIX);
    KnStatus status = kn_game_turns(task->game, &view, error);
    const KnGame *game = view ? view : task->game;
    if (status == KN_OK) status = kn_base_open(task->context, game, file.data, 0, NULL, &base, error);
    if (status == KN_OK) status = kn_base_size(base, &size, error);
    *known = last || size.games >= NETWORK_GAMES;
    if (status == KN_OK && *known)
        status = kn_base_learn_network(base, game, &kn_base_network_default, path->data, error);
    kn_base_close(base);
    kn_game_close(view);
    kn_text_free(&file);
    return status;
}

static KnStatus train_step(const KnLearnerTask *task, KnTrainingRun *run, uint64_t number, uint64_t steps,
                           KnError *error)
{
    KnText kept = KN_TEXT_EMPTY, work = KN_TEXT_EMPTY, next = KN_TEXT_EMPTY, network = KN_TEXT_EMPTY;
    uint64_t games = (uint64_t)kn_option_integer(task->options, "games"), from = games * number / steps,
             to = games * (number + 1) / steps;
    Step step = {0};
    kn_training_run_path(run, BASE, &kept);
    kn_training_run_path(run, WORKING, &work);
    next_path(run, number + 1, &next);
    bool known = false;
    KnStatus status = number ? copy_base(kept.data, work.data, error) : KN_OK;
    if (status == KN_OK && number && has_network(task->options))
        status = learn_network(task, run, false, &network, &known, error);
    if (status == KN_OK)
        status = play_games(task, work.data, known ? network.data : NULL, from, to, &step, error);
    if (status == KN_OK) status = kn_base_compact(work.data, error);
    if (status == KN_OK) status = copy_base(work.data, next.data, error);
    KnText user = KN_TEXT_EMPTY;
    add_user(task->options, work.data, known ? network.data : NULL, &user);
    if (status == KN_OK) status = kn_held_out_measure(task, user.data, (double)to, run, error);
    kn_text_free(&user);
    if (status == KN_OK) status = commit_step(run, &step, to, error);
    remove_working(run);
    kn_text_free(&kept);
    kn_text_free(&work);
    kn_text_free(&next);
    kn_text_free(&network);
    return status;
}

static KnStatus check_network(const KnLearnerTask *task, KnError *error)
{
    if (!has_network(task->options)) return KN_OK;
    if (kn_option_spec(task->options, "inner"))
        return kn_fail(error, KN_USAGE,
                       "value=network evaluates for the learner's own search: give depth=, and not inner=");
    return kn_look_suits(task->game, error);
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    uint64_t games = (uint64_t)kn_option_integer(task->options, "games"),
             wanted = task->points ? (uint64_t)task->points : STEPS,
             most = games < GAMES_LEAST ? 1 : games / GAMES_LEAST, steps = most < wanted ? most : wanted,
             done = kn_training_run_points(run);
    KnStatus status = check_network(task, error);
    if (status == KN_OK) status = recover(run, error);
    kn_progress_add_total(task->progress, games);
    kn_progress_skip(task->progress, games * done / steps);
    for (uint64_t step = done; step < steps && status == KN_OK; step++)
        status = train_step(task, run, step, steps, error);
    KnText network = KN_TEXT_EMPTY;
    bool known;
    if (status == KN_OK && has_network(task->options))
        status = learn_network(task, run, true, &network, &known, error);
    kn_text_free(&network);
    return status;
}

/* ---- the row ---- */

/* ---- the base as a tree to walk in, like an opening explorer ---- */

enum { EXPLORED_PLIES = 5, EXPLORED_MOVES = 4, EXPLORED_LEAST = 2 };

static int most_games_first(const void *a, const void *b)
{
    const KnBaseMove *x = a, *y = b;
    if (x->games != y->games) return x->games < y->games ? 1 : -1;
    return (x->move > y->move) - (x->move < y->move);
}

/* "c4", and of an opening move also its mirror images: "c4 = d3, e6, f5". */
static const char *moves_to(const KnGame *game, const void *position, const KnBaseMove *rows, int count,
                            int row, KnArena *arena)
{
    KnText names = KN_TEXT_EMPTY;
    int images = 0;
    kn_text_add(&names, kn_game_move_name(game, position, rows[row].move, arena));
    for (int i = row + 1; i < count; i++)
        if (rows[i].explored && rows[i].child == rows[row].child)
            kn_text_printf(&names, "%s%s", images++ ? ", " : " = ",
                           kn_game_move_name(game, position, rows[i].move, arena));
    const char *text = kn_arena_printf(arena, "%s", kn_text_ok(&names) ? names.data : "");
    kn_text_free(&names);
    return text;
}

/* Whether a row before this one leads to the same position, as mirror images do. */
static bool shown_before(const KnBaseMove *rows, int row)
{
    for (int i = 0; i < row; i++)
        if (rows[i].explored && rows[i].child == rows[row].child) return true;
    return false;
}

/* The moves that were played most from here, with what came of them for who made them, and what followed. */
static KnStatus explore(const KnGame *game, KnBase *base, KnState *state, KnArena *arena,
                        KnExplanation *parent, int plies, KnError *error)
{
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnBaseView view;
    const void *position = kn_state_position(state);
    if (kn_state_over(state, NULL)) return KN_OK;
    int mover = game->type->mover(game, position), count = kn_state_moves(state, mover, moves);
    double sign = mover == 0 ? 1 : -1;
    KnStatus status = kn_base_look(base, position, moves, count, rows, &view, error);
    if (status != KN_OK || !view.known) return status;
    qsort(rows, (size_t)count, sizeof *rows, most_games_first);
    for (int i = 0, shown = 0; i < count && shown < EXPLORED_MOVES && status == KN_OK; i++) {
        if (!rows[i].explored || (plies > 1 && rows[i].games < EXPLORED_LEAST) || shown_before(rows, i))
            continue;
        shown++;
        KnExplanation *node = kn_explanation_number(
            arena, parent,
            kn_arena_printf(arena, "%s: mean %+.1f for %s, value %+g, %llu distinct",
                            moves_to(game, kn_state_position(state), rows, count, i, arena),
                            sign * rows[i].mean + 0.0, game->role_names[mover], sign * rows[i].value + 0.0,
                            (unsigned long long)rows[i].distinct),
            (double)rows[i].games, "games");
        if (plies >= EXPLORED_PLIES) continue;
        status = kn_state_play(state, rows[i].move, error);
        if (status == KN_OK) status = explore(game, base, state, arena, node, plies + 1, error);
        if (status == KN_OK) kn_state_undo(state);
    }
    return status;
}

static KnStatus add_explorer(const KnGame *game, KnBase *base, KnArena *arena, KnExplanation *root,
                             KnError *error)
{
    KnState *state = kn_state_new(game);
    if (!state) return kn_fail_memory(error, "showing an experience base");
    KnStatus status = explore(game, base, state, arena, kn_explanation_group(arena, root, "first moves"), 1,
                              error);
    kn_state_free(state);
    return status;
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnGame *view = NULL;
    KnBase *base = NULL;
    KnBaseStat size;
    KnStatus status = kn_game_turns(task->game, &view, error);
    const KnGame *game = view ? view : task->game;
    if (status == KN_OK) status = kn_base_open(task->context, game, file, 0, NULL, &base, error);
    if (status == KN_OK) status = kn_base_size(base, &size, error);
    if (status == KN_OK) {
        *explanation = kn_explanation_new(arena,
                                          kn_arena_printf(arena, "an experience base of %s", game->spec));
        kn_explanation_number(arena, *explanation, "games", (double)size.plays, NULL);
        kn_explanation_number(arena, *explanation, "distinct games", (double)size.games, NULL);
        kn_explanation_number(arena, *explanation, "positions", (double)size.positions, NULL);
        status = *explanation ? add_explorer(game, base, arena, *explanation, error)
                              : kn_fail_memory(error, "showing an experience base");
    }
    kn_base_close(base);
    kn_game_close(view);
    return status;
}

static const KnOption options[] = {
    {"games", KN_OPTION_INTEGER, "400", 1, 10000000, NULL, "games against the opponent, learning from each"},
    {"depth", KN_OPTION_INTEGER, "2", 1, 60, NULL,
     "search depth of the learner where its experience does not help"},
    {"opponent", KN_OPTION_INTEGER, "5", 1, 60, NULL, "search depth of the opponent, which does not learn"},
    {"epsilon", KN_OPTION_REAL, "0", 0, 1, NULL, "share of the opponent's moves that are random"},
    {"rule", KN_OPTION_CHOICE, "gina", 0, 0, KN_RULE_NAMES, "the move rule (docs/experience.md)"},
    {"value", KN_OPTION_CHOICE, "search", 0, 0, "search|network",
     "what the learner's search goes by: its own evaluation, or a network that is learned from the base's "
     "games, for positions that were never met"},
    {"plies", KN_OPTION_INTEGER, "200", 1, 100000, NULL, "a game of this many plies is a draw"},
    {"random-plies", KN_OPTION_INTEGER, "0", 0, 1000, NULL, "random moves at the start of each game"},
    {"inner", KN_OPTION_SPEC, "", 0, 0, "player",
     "the learner's search (default: alphabeta of that depth, eval=hand)"},
    {"against", KN_OPTION_SPEC, "", 0, 0, "player",
     "the opponent (default: alphabeta of that depth, eval=hand)"},
    KN_HELD_OUT_OPTIONS,
    {0}};

const KnLearnerType kn_learner_experience = {
    .head = {"experience",
             "the results of every position met, in an experience base (De Jong & Schultz 1988)", options},
    .paper = "dejong-1988",
    .file = BASE,
    .suffix = NETWORK_SUFFIX,
    .x = "games",
    .y = "points",
    .measures = "The share of points against the opponent, in the games since the last point of the curve.",
    .low = 0,
    .high = 1,
    .chance = NAN,
    .points = STEPS,
    .trial =
        "games=4, inner=alphabeta(depth=1, memory=1), against=alphabeta(depth=1, memory=1), epsilon=0.1, "
        "rule=expect, plies=60, test=2, held-out=random",
    .examples = "othello --out othello.mdb\n"
                "othello --games 400 --into runs --seeds 4\n"
                "othello --epsilon .1 --rule expect --games 3000 --into shaky",
    .suits = suits,
    .train = train,
    .player = player,
    .explain = explain,
};
