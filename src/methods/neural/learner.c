/* The learner `neural`: a small neural network for any board game, from games of self-play. */
#include <math.h>

#include "eval/neural_explain.h"
#include "methods/neural/train.h"
#include "methods/registry.h"
#include "methods/selfplay/learner.h"

static const char NETWORK[] = "network.neural";

static KnStatus open_trainer(const KnLearnerTask *task, const KnSelfPlayPlan *play, const char *state,
                             KnSelfTrainer **trainer, KnError *error)
{
    const KnOptions *o = task->options;
    KnNeuralTraining plan = {.play = *play,
                             .phases = (int)kn_option_integer(o, "phases"),
                             .units = (int)kn_option_integer(o, "units"),
                             .passes = (int)kn_option_integer(o, "passes"),
                             .minibatch = (int)kn_option_integer(o, "minibatch"),
                             .rate = kn_option_real(o, "rate"),
                             .games = (uint64_t)kn_option_integer(o, "games"),
                             .teacher = kn_learner_text(task, "teacher")};
    return kn_neural_trainer_open(task->game, &plan, state, trainer, error);
}

static KnStatus train(const KnLearnerTask *task, KnTrainingRun *run, KnError *error)
{
    static const KnSelfLearner learner = {"neural", NETWORK, open_trainer};
    return kn_self_play_train(task, &learner, run, error);
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    (void)options;
    kn_self_play_player("neural", file, spec);
}

static KnStatus explain(const KnLearnerTask *task, const char *file, KnArena *arena,
                        KnExplanation **explanation, KnError *error)
{
    KnNeuralNetwork *network = NULL;
    KnStatus status = kn_neural_network_open(task->game, file, &network, error);
    if (status != KN_OK) return status;
    *explanation = kn_explanation_new(arena,
                                      kn_arena_printf(arena, "A neural network for %s", task->game->spec));
    if (*explanation) kn_neural_network_describe(network, arena, *explanation);
    kn_neural_network_free(network);
    return *explanation ? KN_OK : kn_fail_memory(error, "showing a network");
}

static const KnOption options[] = {
    KN_SELF_PLAY_OPTIONS,
    {"teacher", KN_OPTION_SPEC, "", 0, 0, "evaluation",
     "an evaluation that plays the games to learn from, such as ntuple (default: the network itself)"},
    {"units", KN_OPTION_INTEGER, "64", KN_NEURAL_STEP, KN_NEURAL_UNITS, NULL,
     "hidden units, a multiple of 16"},
    {"phases", KN_OPTION_INTEGER, "0", 0, KN_NEURAL_PHASES, NULL,
     "phases by the number of pieces (0: the game's own, or as the board suggests)"},
    {"rate", KN_OPTION_REAL, "0.002", 0, 1, NULL,
     "step of Adam in the beginning; it falls to a twentieth over the games"},
    {"batch", KN_OPTION_INTEGER, "128", 1, 4096, NULL, "games between two updates"},
    {"passes", KN_OPTION_INTEGER, "2", 1, 1000, NULL, "over the positions of a batch"},
    {"minibatch", KN_OPTION_INTEGER, "128", 1, 65536, NULL, "positions of a step"},
    {0}};

const KnLearnerType kn_learner_neural = {
    .head = {"neural", "a small neural network, from games of self-play", options},
    .file = NETWORK,
    .x = "games",
    .y = "points",
    .measures = "The share of points in a match against the same search with the game's own evaluation, at "
                "equal positions.",
    .low = 0,
    .high = 1,
    .chance = NAN,
    .points = 8,
    .trial = "games=16, batch=8, plies=60, nodes=20, against-games=4, units=16",
    .examples = "othello --out othello.neural --curve\n"
                "othello --teacher ntuple --games 60000 --out othello.neural --show",
    .suits = kn_self_play_suits,
    .train = train,
    .player = player,
    .explain = explain,
};
