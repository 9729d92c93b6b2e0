/* The learner `thinking`: when a deepening search should stop, from the signals of its own depths. Games of
 * self-play are played with an equal share of positions a move; some searches get eight times as many, and
 * show what stopping sooner would have cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <knack/stats.h>

#include "base/file.h"
#include "base/math.h"
#include "games/turns.h"
#include "methods/registry.h"
#include "methods/thinking/model.h"
#include "players/sequential_view.h"

static const char FILE_NAME[] = "thinking.json";
enum { STEPS = 10 };

static KnStatus suits(const KnContext *context, const KnGame *game, KnError *error)
{
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, "clock");
    if (!type) return kn_fail(error, KN_INPUT, "needs the player clock, which is not registered");
    if (game->roles != 2 || game->nature >= 0)
        return kn_fail(error, KN_INPUT, "needs two players, without chance");
    KnStatus status = kn_game_takes_turns(game, error);
    return status == KN_OK ? kn_player_suits(type, game, error) : status;
}

/* One training. */
typedef struct Training {
    const KnLearnerTask *task;
    const KnGame *game;
    KnTrainingRun *run;
    KnRecordPlan plan;
    double most;
    uint64_t games, steps;
    KnSearchRecords records;
} Training;

/* The searches of a step's games: from the run if it has them, else played. */
static KnStatus take_step(Training *t, uint64_t step, KnError *error)
{
    KnText name = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    uint64_t first = t->games * step / t->steps, end = t->games * (step + 1) / t->steps;
    size_t before = t->records.count;
    kn_text_printf(&name, "searches-%02llu.json", (unsigned long long)step);
    kn_training_run_path(t->run, name.data, &path);
    KnStatus status;
    if (kn_file_exists(path.data)) {
        status = kn_records_load(path.data, &t->records, error);
        kn_progress_skip(t->task->progress, end - first);
    } else {
        status = kn_records_make(t->task->context, t->game, &t->plan, first, end, t->task->progress,
                                 &t->records, error);
        if (status == KN_OK) status = kn_records_save(&t->records, before, path.data, error);
    }
    kn_text_free(&name);
    kn_text_free(&path);
    return status;
}

static double within(double y) { return fmin(fmax(y, -1), 1); } /* the range of the curve */

/* Of the points that equal shares lose, the part that the model saves, on games that it did not see. */
static KnStatus add_point(const Training *t, const KnThinking *model, const KnSearchRecords *tests,
                          uint64_t games, KnError *error)
{
    KnThinkingTest test;
    kn_thinking_test(model, tests, &test);
    double y = 0, half = 1;
    if (test.even_loss > 0 && test.searches > 1) {
        y = (test.even_loss - test.loss) / test.even_loss;
        half = KN_Z95 * sqrt(test.variance / test.searches) / test.even_loss;
    }
    json_t *row = json_pack("{sf sf sf sf}", "searches", test.searches, "points lost by equal shares",
                            test.even_loss, "points lost", test.loss, "shares used", test.used);
    KnStatus status = kn_training_run_also(t->run, "tests", row, error);
    if (status != KN_OK) return status;
    return kn_training_run_add(t->run, (double)games, within(y), within(y - half), within(y + half), error);
}

static KnStatus learn(const Training *t, uint64_t games, KnError *error)
{
    KnSearchRecords lessons = {0}, tests = {0};
    KnThinking *model = NULL;
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = kn_records_part(&t->records, false, &lessons, error);
    if (status == KN_OK) status = kn_records_part(&t->records, true, &tests, error);
    if (status == KN_OK) status = kn_thinking_learn(&lessons, (double)t->plan.units, t->most, &model, error);
    if (status == KN_OK) {
        model->game = strdup(t->game->spec);
        model->inner = strdup(t->plan.inner);
        model->seed = t->task->seed;
        kn_training_run_path(t->run, FILE_NAME, &path);
        status = model->game && model->inner ? kn_thinking_save(model, path.data, error)
                                             : kn_fail_memory(error, "learning to allot thinking time");
    }
    if (status == KN_OK) status = add_point(t, model, &tests, games, error);
    kn_thinking_free(model);
    kn_text_free(&path);
    free(lessons.searches);
    free(tests.searches);
    return status;
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    const KnOptions *o = task->options;
    KnGame *view = NULL;
    Training t = {.task = task,
                  .run = run,
                  .plan = {.inner = kn_learner_text(task, "inner"),
                           .units = (uint64_t)kn_option_integer(o, "units"),
                           .seed = task->seed,
                           .every = (int)kn_option_integer(o, "every"),
                           .random_plies = (int)kn_option_integer(o, "random-plies"),
                           .plies = (int)kn_option_integer(o, "plies"),
                           .judge = kn_option_real(o, "judge"),
                           .jobs = task->jobs,
                           .cancel = task->cancel},
                  .most = kn_option_real(o, "most"),
                  .games = (uint64_t)kn_option_integer(o, "games")};
    t.steps = task->points ? (uint64_t)task->points : 1;
    if (t.steps > t.games) t.steps = t.games;
    KnStatus status = kn_game_turns(task->game, &view, error);
    t.game = view ? view : task->game;
    kn_progress_add_total(task->progress, t.games);
    for (uint64_t step = 0; step < t.steps && status == KN_OK; step++) {
        status = take_step(&t, step, error);
        if (status == KN_OK && step >= kn_training_run_points(run))
            status = learn(&t, t.games * (step + 1) / t.steps, error);
    }
    kn_records_free(&t.records);
    kn_game_close(view);
    return status;
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    KnSpec inner = *kn_option_spec(options, "inner");
    inner.key = NULL;
    kn_text_add(spec, "clock(");
    kn_spec_print(&inner, spec);
    kn_text_printf(spec, ", units=%ld, pace=thinking, file=", 40 * kn_option_integer(options, "units"));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ")");
}

/* The rule, with what each of its terms does to the share at most. */
static KnExplanation *describe(const KnThinking *model, KnArena *arena)
{
    double most = 1;
    for (int i = 0; i < KN_THINKING_TERMS; i++) most = fmax(most, fabs(model->weights[i]));
    KnExplanation *root = kn_explanation_new(
        arena, kn_arena_printf(arena, "thinking time of %s on %s, from %llu searches", model->inner,
                               model->game, (unsigned long long)model->searches));
    KnExplanation *rule = kn_explanation_group(
        arena, root,
        kn_arena_printf(arena, "%.3g shares of %.0f positions, times 2 to the power of the sum of",
                        model->base, model->units));
    for (int i = 0; i < KN_THINKING_TERMS; i++) {
        KnExplanation *term = kn_explanation_bar(arena, rule, kn_thinking_terms[i], model->weights[i], -most,
                                                 most, NULL);
        if (model->weights[i] < 0 || model->weights[i] > 0)
            kn_explanation_text(arena, term, "at its full size",
                                kn_arena_printf(arena, "%.2f times the share",
                                                kn_math_exp(model->weights[i] * kn_math_log(2))));
    }
    kn_explanation_text(
        arena, root, "in all",
        kn_arena_printf(arena, "at least %g and at most %g shares", KN_THINKING_LEAST, model->most));
    return root;
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnGame *view = NULL;
    KnThinking *model = NULL;
    KnStatus status = kn_game_turns(task->game, &view, error);
    if (status == KN_OK) status = kn_thinking_load(view ? view : task->game, file, &model, error);
    if (status == KN_OK) {
        *explanation = describe(model, arena);
        if (!*explanation) status = kn_fail_memory(error, "showing thinking time");
    }
    kn_thinking_free(model);
    kn_game_close(view);
    return status;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, "alphabeta", 0, 0, "player", "the player that searches, by deepening"},
    {"units", KN_OPTION_INTEGER, "2000", 16, 1000000000, NULL, "positions of an equal share"},
    {"games", KN_OPTION_INTEGER, "400", 1, 10000000, NULL,
     "games of self-play; every fourth is kept for the tests of the curve"},
    {"every", KN_OPTION_INTEGER, "6", 1, 1000, NULL, "record one search in this many"},
    {"most", KN_OPTION_REAL, "4", 1, KN_THINKING_ROOM, NULL, "shares that a move may use at most"},
    {"random-plies", KN_OPTION_INTEGER, "6", 0, 1000, NULL, "random moves at the start of each game"},
    {"plies", KN_OPTION_INTEGER, "200", 1, 100000, NULL, "a game of this many plies is broken off"},
    {"judge", KN_OPTION_REAL, "0", 0, 1e6, NULL, "then a material lead of this wins; 0: it is a draw"},
    {0}};

const KnLearnerType kn_learner_thinking = {
    .head = {"thinking", "when a deepening search should stop, from the signals of its own depths", options},
    .file = FILE_NAME,
    .x = "games",
    .y = "part of the loss that is saved",
    .measures = "Of the points that searches with equal shares lose against searches with eight times as "
                "many positions, the part that the model saves with as many positions on average.",
    .low = -1,
    .high = 1,
    .chance = 0,
    .points = STEPS,
    .trial = "inner=alphabeta(memory=1), units=150, games=4, every=1, random-plies=0, plies=60",
    .examples = "checkers --inner 'alphabeta(eval=ntuple, memory=1, width=selective)' --out thinking.json\n"
                "checkers --load thinking.json --show",
    .suits = suits,
    .train = train,
    .player = player,
    .explain = explain,
};
