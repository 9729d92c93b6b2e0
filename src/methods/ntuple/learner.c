/* The learner `ntuple`: an n-tuple network for any board game, in self-play. Its curve is a match against the
 * same search with the game's own evaluation, at equal positions. */
#include <math.h>

#include "arena/match.h"
#include "eval/ntuple_explain.h"
#include "methods/ntuple/train.h"
#include "methods/registry.h"

static const char NETWORK[] = "network.ntuple", STATE[] = "network.state";

static KnStatus suits(const KnContext *context, const KnGame *game, KnError *error)
{
    (void)context;
    return kn_network_suits(game, error);
}

static KnNtuplePlan plan_of(const KnLearnerTask *task)
{
    const KnOptions *o = task->options;
    return (KnNtuplePlan){.network = {.length = (int)kn_option_integer(o, "length"),
                                      .walks = (int)kn_option_integer(o, "walks"),
                                      .phases = (int)kn_option_integer(o, "phases"),
                                      .seed = (uint64_t)kn_option_integer(o, "shape-seed"),
                                      .memory = kn_option_real(o, "memory")},
                          .lambda = kn_option_real(o, "lambda"),
                          .rate = kn_option_real(o, "rate"),
                          .epsilon = kn_option_real(o, "epsilon"),
                          .random_plies = (int)kn_option_integer(o, "random-plies"),
                          .depth = (int)kn_option_integer(o, "depth"),
                          .batch = (int)kn_option_integer(o, "batch"),
                          .ply_limit = (size_t)kn_option_integer(o, "plies"),
                          .seed = task->seed,
                          .jobs = task->jobs,
                          .timed = kn_option_real(o, "seconds") > 0,
                          .least = kn_option_real(o, "least"),
                          .round = (int)kn_option_integer(o, "round"),
                          .cancel = task->cancel};
}

/* The opponent of the curve: what the game has without learning. */
static void default_opponent(const KnGame *game, long nodes, KnText *spec)
{
    const KnGameEvaluation *own = kn_game_evaluation(game, NULL);
    kn_text_printf(spec, "alphabeta(depth=100, nodes=%ld, memory=1, eval=%s)", nodes,
                   own ? own->name : "zero");
}

static KnStatus measure(const KnLearnerTask *task, const KnNtuplePlan *plan, const char *file, double x,
                        KnTrainingRun *run, KnError *error)
{
    enum { PLIES = 8 };
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    const char *against = kn_learner_text(task, "against");
    long nodes = kn_option_integer(task->options, "nodes");
    kn_text_printf(&first, "alphabeta(depth=100, nodes=%ld, memory=1, eval=ntuple(file=", nodes);
    kn_text_add_quoted(&first, file);
    kn_text_add(&first, "))");
    if (against)
        kn_text_add(&second, against);
    else
        default_opponent(task->game, nodes, &second);
    KnMatchPlan match = {.game = task->game->spec,
                         .players = {first.data, second.data},
                         .games = (uint64_t)kn_option_integer(task->options, "against-games"),
                         .seed = kn_mix64(plan->seed ^ 0x27091e), /* not the games that it learned from */
                         .jobs = plan->jobs,
                         .random_plies = plan->random_plies < PLIES ? plan->random_plies : PLIES,
                         .rules = {.ply_limit = plan->ply_limit, .cancel = plan->cancel}};
    KnMatchResult result;
    KnStatus status = kn_match_run(task->context, &match, NULL, NULL, &result, error);
    if (status == KN_OK) {
        double points = (double)result.standing.wins + (double)result.standing.draws / 2,
               games = (double)result.standing.games;
        KnInterval interval = kn_wilson(points, games, KN_Z95);
        status = kn_training_run_add(run, x, points / games, interval.low, interval.high, error);
    }
    kn_text_free(&first);
    kn_text_free(&second);
    return status;
}

static void note_progress(KnTrainingRun *run, KnNtupleTrainer *trainer)
{
    KnText line = KN_TEXT_EMPTY;
    double seconds = kn_ntuple_trainer_seconds(trainer);
    kn_text_printf(&line, "%8llu games, %.0f a second: predictions are off by %.3f",
                   (unsigned long long)kn_ntuple_trainer_games(trainer),
                   (double)kn_ntuple_trainer_games(trainer) / fmax(seconds, 1e-3),
                   kn_ntuple_trainer_error(trainer));
    kn_training_run_note(run, line.data);
    kn_text_free(&line);
}

/* The games after which point `part` of `parts` is measured: whole batches, so that measuring changes
 * nothing. */
static uint64_t games_until(uint64_t games, uint64_t batch, uint64_t part, uint64_t parts)
{
    uint64_t until = (games * (part + 1) / parts + batch - 1) / batch * batch;
    return until < games ? until : games;
}

static KnStatus run_parts(const KnLearnerTask *task, const KnNtuplePlan *plan, KnNtupleTrainer *trainer,
                          const char *file, KnTrainingRun *run, KnError *error)
{
    enum { PARTS = 10 };
    uint64_t games = (uint64_t)kn_option_integer(task->options, "games"),
             wanted = task->points ? (uint64_t)task->points : PARTS, parts = games < wanted ? games : wanted,
             done = kn_training_run_points(run);
    double seconds = kn_option_real(task->options, "seconds");
    KnStatus status = KN_OK;
    kn_progress_add_total(task->progress, seconds > 0 ? 0 : games); /* by the clock: not known */
    kn_progress_skip(task->progress, kn_ntuple_trainer_games(trainer));
    for (uint64_t part = done; part < parts && status == KN_OK; part++) {
        uint64_t until = seconds > 0 ? games : games_until(games, (uint64_t)plan->batch, part, parts);
        status = kn_ntuple_trainer_run(trainer, until, seconds * (double)(part + 1) / (double)parts,
                                       task->progress, error);
        if (status == KN_OK) note_progress(run, trainer);
        if (status == KN_OK && (task->points || part + 1 == parts))
            status = kn_ntuple_trainer_save(trainer, file, error);
        if (status == KN_OK && task->points)
            status = measure(task, plan, file, (double)kn_ntuple_trainer_games(trainer), run, error);
    }
    return status;
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    KnText file = KN_TEXT_EMPTY, state = KN_TEXT_EMPTY;
    KnNtuplePlan plan = plan_of(task);
    KnNtupleTrainer *trainer = NULL;
    kn_training_run_path(run, NETWORK, &file);
    kn_training_run_path(run, STATE, &state);
    KnStatus status = kn_ntuple_trainer_open(task->game, &plan, state.data, &trainer, error);
    if (status == KN_OK) status = run_parts(task, &plan, trainer, file.data, run, error);
    kn_ntuple_trainer_close(trainer);
    kn_text_free(&file);
    kn_text_free(&state);
    return status;
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    (void)options;
    kn_text_add(spec, "alphabeta(depth=4, eval=ntuple(file=");
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnNetwork *network = NULL;
    KnStatus status = kn_network_open(task->game, file, &network, error);
    if (status != KN_OK) return status;
    *explanation =
        kn_explanation_new(arena, kn_arena_printf(arena, "An n-tuple network for %s", network->game->spec));
    if (*explanation) kn_network_describe(network, arena, *explanation);
    kn_network_free(network);
    return *explanation ? KN_OK : kn_fail_memory(error, "showing a network");
}

static const KnOption options[] = {
    {"games", KN_OPTION_INTEGER, "20000", 1, 1000000000, NULL, "games of self-play to learn from"},
    {"seconds", KN_OPTION_REAL, "0", 0, 1e9, NULL,
     "stop after this time, if it comes first; the result then depends on the machine (0: no limit)"},
    {"lambda", KN_OPTION_REAL, "0.7", 0, 1, NULL, "how far a later value counts, from search to search"},
    {"rate", KN_OPTION_REAL, "3", 0, 10, NULL,
     "share of an error that one step takes away, before a weight's own step size"},
    {"epsilon", KN_OPTION_REAL, "0.1", 0, 1, NULL, "share of random moves"},
    {"random-plies", KN_OPTION_INTEGER, "8", 0, 1000, NULL, "random moves at the start of a game, at most"},
    {"depth", KN_OPTION_INTEGER, "1", 1, 20, NULL, "search depth in self-play; a quiescence search follows"},
    {"batch", KN_OPTION_INTEGER, "16", 1, 4096, NULL,
     "games between two updates; as many threads can play at the same time"},
    {"plies", KN_OPTION_INTEGER, "300", 1, 100000, NULL, "a game of this many plies is a draw"},
    {"length", KN_OPTION_INTEGER, "0", 0, KN_NTUPLE_LENGTH, NULL,
     "cells of the longest tuples (0: as many as fill a table of 16384 weights)"},
    {"walks", KN_OPTION_INTEGER, "0", 0, 1000, NULL,
     "tuples that are random walks over neighbouring cells (0: as the board suggests)"},
    {"phases", KN_OPTION_INTEGER, "0", 0, KN_NTUPLE_PHASES, NULL,
     "phases by the number of pieces (0: the game's own, or as the board suggests)"},
    {"shape-seed", KN_OPTION_INTEGER, "1", 0, 1e15, NULL, "seed of the walks"},
    {"memory", KN_OPTION_REAL, "128", 0.01, 1024, NULL, "MiB for the weights in training, at most"},
    {"least", KN_OPTION_REAL, "0", 0, 1e9, NULL,
     "in the file, weights whose errors add up to less than this are zero"},
    {"round", KN_OPTION_INTEGER, "1", 1, 4096, NULL,
     "in the file, weights are multiples of this many 4096ths; larger ones make it smaller"},
    {"nodes", KN_OPTION_INTEGER, "400", 1, 100000000, NULL,
     "positions that both sides may search for a move in the matches of the curve"},
    {"against", KN_OPTION_SPEC, "", 0, 0, "player",
     "opponent in the matches of the curve (default: the same search with the game's own evaluation)"},
    {"against-games", KN_OPTION_INTEGER, "100", 2, 1000000, NULL, "games of each match of the curve"},
    {0}};

const KnLearnerType kn_learner_ntuple = {
    .head = {"ntuple", "an n-tuple network, by temporal differences in self-play from nothing", options},
    .file = NETWORK,
    .x = "games",
    .y = "points",
    .measures = "The share of points in a match against the same search with the game's own evaluation, at "
                "equal positions.",
    .low = 0,
    .high = 1,
    .chance = NAN,
    .points = 8,
    .trial = "games=40, batch=8, plies=60, nodes=20, against-games=4",
    .examples = "othello --out othello.ntuple --curve\n"
                "checkers --games 200000 --out draughts.ntuple --show\n"
                "'othello(size=6)' --seconds 20 --out small.ntuple",
    .suits = suits,
    .train = train,
    .player = player,
    .explain = explain,
};
