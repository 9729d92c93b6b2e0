#include "methods/ntuple/train.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/json.h"

typedef struct Pupil {
    KnPupil head;
    KnNtuplePlan plan;
    KnNetwork *network;
    KnNtupleLearner *learner;
} Pupil;

static KnStatus open_evaluation(const KnPupil *self, KnEvaluation **evaluation, KnError *error)
{
    return kn_network_evaluation(((const Pupil *)self)->network, evaluation, error);
}

static double learn(KnPupil *self, const uint8_t *cells, int side, int phase, double target)
{
    Pupil *n = (Pupil *)self;
    return kn_ntuple_learn(n->learner, cells, side, phase, target, n->plan.rate);
}

static KnStatus pack_state(const KnPupil *self, const char *header, KnText *out, KnError *error)
{
    return kn_ntuple_learner_pack(((const Pupil *)self)->learner, header, out, error);
}

static KnStatus unpack_state(KnPupil *self, const void *bytes, size_t size, const char *name, char **header,
                             KnError *error)
{
    return kn_ntuple_learner_unpack(((Pupil *)self)->learner, bytes, size, name, header, error);
}

/* The file has fewer and rounder weights than the learner. */
static KnStatus pack_trimmed(const Pupil *n, KnText *out, KnError *error)
{
    int16_t *weights = kn_ntuple_weights(n->network->net);
    size_t size = kn_ntuple_size(n->network->net) * sizeof *weights;
    int16_t *kept = malloc(size);
    if (!kept) return kn_fail_memory(error, "saving a network");
    memcpy(kept, weights, size);
    kn_ntuple_learner_trim(n->learner, n->plan.least, n->plan.round, weights);
    KnStatus status = kn_network_pack(n->network, out, error);
    memcpy(weights, kept, size);
    free(kept);
    return status;
}

static KnStatus pack(KnPupil *self, const KnSelfPlayPlan *p, uint64_t games, KnText *out, KnError *error)
{
    Pupil *n = (Pupil *)self;
    const KnNetworkPlan *s = &n->plan.network;
    json_decref(n->network->made);
    n->network->made = json_pack(
        "{ss sI so sf sf sf si si si sI sf si si si si so sf}", "by", "knack train ntuple", "games",
        (json_int_t)games, "seed", kn_json_from_uint64(p->seed), "lambda", p->lambda, "rate", n->plan.rate,
        "epsilon", p->epsilon, "random-plies", p->random_plies, "depth", p->depth, "batch", p->batch, "plies",
        (json_int_t)p->ply_limit, "least", n->plan.least, "round", n->plan.round, "walks", s->walks, "length",
        s->length, "phases", s->phases, "shape-seed", kn_json_from_uint64(s->seed), "memory", s->memory);
    return n->network->made ? pack_trimmed(n, out, error) : kn_fail_memory(error, "saving a network");
}

static void close(KnPupil *self)
{
    Pupil *n = (Pupil *)self;
    kn_ntuple_learner_free(n->learner);
    kn_network_free(n->network);
    free(n);
}

KnStatus kn_ntuple_trainer_open(const KnGame *game, const KnNtuplePlan *plan, const char *state,
                                KnSelfTrainer **out, KnError *error)
{
    KN_ASSERT(plan->round > 0);
    Pupil *n = calloc(1, sizeof *n);
    *out = NULL;
    if (!n) return kn_fail_memory(error, "preparing to train");
    n->plan = *plan;
    n->head = (KnPupil){.open_evaluation = open_evaluation,
                        .learn = learn,
                        .pack_state = pack_state,
                        .unpack_state = unpack_state,
                        .pack = pack,
                        .close = close};
    KnStatus status = kn_network_make(game, &plan->network, &n->network, error);
    if (status == KN_OK && !(n->learner = kn_ntuple_learner_new(n->network->net, n->network->shared)))
        status = kn_fail_memory(error, "preparing to train");
    if (status != KN_OK) {
        close(&n->head);
        return status;
    }
    n->head.look = &n->network->look;
    return kn_self_trainer_open(&n->head, &plan->play, state, out, error);
}
