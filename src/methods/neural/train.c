#include "methods/neural/train.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

typedef struct Pupil {
    KnPupil head;
    KnNeuralTraining plan;
    char *teacher;
    KnNeuralNetwork *network;
    KnNeuralLearner *learner;
} Pupil;

/* A teacher's scores must be log-odds, for they become targets. */
static KnStatus open_evaluation(const KnPupil *self, KnEvaluation **evaluation, KnError *error)
{
    const Pupil *n = (const Pupil *)self;
    const KnGame *game = n->network->look.game;
    if (!n->teacher) return kn_neural_network_evaluation(n->network, evaluation, error);
    KnStatus status = kn_evaluation_open_text(game->context, game, n->teacher, evaluation, error);
    if (status != KN_OK || (*evaluation)->log_odds > 0) return status;
    kn_evaluation_close(*evaluation);
    *evaluation = NULL;
    return kn_fail(error, KN_INPUT, "teacher=%s: only ntuple and neural evaluations predict results",
                   n->teacher);
}

static double learn(KnPupil *self, const uint8_t *cells, int side, int phase, double target)
{
    return kn_neural_learner_add(((Pupil *)self)->learner, cells, side, phase, target);
}

static KnStatus end_batch(KnPupil *self, uint64_t games, KnError *error)
{
    const double least = 0.05;
    Pupil *n = (Pupil *)self;
    double done = games < n->plan.games ? (double)games / (double)n->plan.games : 1;
    return kn_neural_learner_update(n->learner, n->plan.rate * (1 - done * (1 - least)), error);
}

static KnStatus pack_state(const KnPupil *self, const char *header, KnText *out, KnError *error)
{
    return kn_neural_learner_pack(((const Pupil *)self)->learner, header, out, error);
}

static KnStatus unpack_state(KnPupil *self, const void *bytes, size_t size, const char *name, char **header,
                             KnError *error)
{
    return kn_neural_learner_unpack(((Pupil *)self)->learner, bytes, size, name, header, error);
}

static KnStatus pack(KnPupil *self, const KnSelfPlayPlan *p, uint64_t games, KnText *out, KnError *error)
{
    Pupil *n = (Pupil *)self;
    json_decref(n->network->made);
    n->network->made = json_pack(
        "{ss sI so sf sf sf si si si sI si si si si ss}", "by", "knack train neural", "games",
        (json_int_t)games, "seed", kn_json_from_uint64(p->seed), "lambda", p->lambda, "rate", n->plan.rate,
        "epsilon", p->epsilon, "random-plies", p->random_plies, "depth", p->depth, "batch", p->batch, "plies",
        (json_int_t)p->ply_limit, "units", n->plan.units, "phases", n->plan.phases, "passes", n->plan.passes,
        "minibatch", n->plan.minibatch, "teacher", n->teacher ? n->teacher : "itself");
    return n->network->made ? kn_neural_network_pack(n->network, out, error)
                            : kn_fail_memory(error, "saving a network");
}

static void close(KnPupil *self)
{
    Pupil *n = (Pupil *)self;
    kn_neural_learner_free(n->learner);
    kn_neural_network_free(n->network);
    free(n->teacher);
    free(n);
}

static KnStatus set_up(Pupil *n, const KnGame *game, KnError *error)
{
    const KnNeuralTraining *plan = &n->plan;
    KnNeuralPlan how = {.seed = plan->play.seed, .passes = plan->passes, .minibatch = plan->minibatch};
    KnCellSymmetries *symmetries = malloc(sizeof *symmetries);
    if (!symmetries) return kn_fail_memory(error, "preparing to train");
    KnStatus status = kn_neural_network_make(game, plan->phases, plan->units, &n->network, symmetries, error);
    bool enough = true;
    if (status == KN_OK) enough = (n->learner = kn_neural_learner_new(n->network->net, &how)) != NULL;
    for (int i = 1; status == KN_OK && enough && i < symmetries->count; i++)
        enough = kn_neural_learner_symmetry(n->learner, symmetries->cells[i]);
    if (plan->teacher) enough = enough && (n->teacher = strdup(plan->teacher));
    free(symmetries);
    return status == KN_OK && !enough ? kn_fail_memory(error, "preparing to train") : status;
}

KnStatus kn_neural_trainer_open(const KnGame *game, const KnNeuralTraining *plan, const char *state,
                                KnSelfTrainer **out, KnError *error)
{
    Pupil *n = calloc(1, sizeof *n);
    *out = NULL;
    if (!n) return kn_fail_memory(error, "preparing to train");
    n->plan = *plan;
    n->head = (KnPupil){.open_evaluation = open_evaluation,
                        .learn = learn,
                        .end_batch = end_batch,
                        .pack_state = pack_state,
                        .unpack_state = unpack_state,
                        .pack = pack,
                        .close = close};
    KnStatus status = set_up(n, game, error);
    if (status != KN_OK) {
        close(&n->head);
        return status;
    }
    n->head.look = &n->network->look;
    return kn_self_trainer_open(&n->head, &plan->play, state, out, error);
}
