/* The learner `ntuple`: an n-tuple network for any board game, in self-play. */
#include <math.h>

#include "eval/ntuple_explain.h"
#include "methods/ntuple/train.h"
#include "methods/registry.h"
#include "methods/selfplay/learner.h"

static const char NETWORK[] = "network.ntuple";

static KnStatus open_trainer(const KnLearnerTask *task, const KnSelfPlayPlan *play, const char *state,
                             KnSelfTrainer **trainer, KnError *error)
{
    const KnOptions *o = task->options;
    KnNtuplePlan plan = {.network = {.length = (int)kn_option_integer(o, "length"),
                                     .walks = (int)kn_option_integer(o, "walks"),
                                     .phases = (int)kn_option_integer(o, "phases"),
                                     .seed = (uint64_t)kn_option_integer(o, "shape-seed"),
                                     .memory = kn_option_real(o, "memory")},
                         .play = *play,
                         .rate = kn_option_real(o, "rate"),
                         .least = kn_option_real(o, "least"),
                         .round = (int)kn_option_integer(o, "round")};
    return kn_ntuple_trainer_open(task->game, &plan, state, trainer, error);
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    static const KnSelfLearner learner = {"ntuple", NETWORK, open_trainer};
    return kn_self_play_train(task, &learner, run, error);
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    (void)options;
    kn_self_play_player("ntuple", file, spec);
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnNetwork *network = NULL;
    KnStatus status = kn_network_open(task->game, file, &network, error);
    if (status != KN_OK) return status;
    *explanation = kn_explanation_new(
        arena, kn_arena_printf(arena, "An n-tuple network for %s", network->look.game->spec));
    if (*explanation) kn_network_describe(network, arena, *explanation);
    kn_network_free(network);
    return *explanation ? KN_OK : kn_fail_memory(error, "showing a network");
}

static const KnOption options[] = {
    KN_SELF_PLAY_OPTIONS,
    {"rate", KN_OPTION_REAL, "3", 0, 10, NULL,
     "share of an error that one step takes away, before a weight's own step size"},
    {"batch", KN_OPTION_INTEGER, "16", 1, 4096, NULL,
     "games between two updates; as many threads can play at the same time"},
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
    .trial = "games=16, batch=8, plies=60, nodes=20, against-games=4",
    .examples = "othello --out othello.ntuple --curve\n"
                "checkers --games 200000 --out draughts.ntuple --show\n"
                "'othello(size=6)' --seconds 20 --out small.ntuple",
    .suits = kn_self_play_suits,
    .train = train,
    .player = player,
    .explain = explain,
};
