/* A training as a file: the weights, how they are trained, and how far it got. The file is written whole
 * after every batch, so that the same command goes on after any interruption. */
#include "methods/tdleaf/trainer.h"

#include "arena/identity.h"

KnStatus kn_trainer_identify(KnTrainer *t, KnError *error)
{
    const KnTdPlan *p = t->plan;
    KnDigest digest;
    char hex[KN_HEX128];
    kn_digest_start(&digest);
    kn_openings_fingerprint(t->openings, &digest);
    KnStatus status = p->teacher ? kn_identity_spec(t->context, &digest, p->teacher, NULL, error) : KN_OK;
    if (status != KN_OK) return status;
    if (t->tables) kn_endgame_fingerprint(t->tables, &digest);
    for (int s = 0; s < t->weights->count; s++)
        kn_digest_add(&digest, t->weights->sets[s].weights,
                      kn_weights_size(t->weights->features) * sizeof(double));
    kn_digest_hex(&digest, hex);
    json_t *depths = json_array();
    for (int i = 0; i < p->depth_count; i++) json_array_append_new(depths, json_integer(p->depths[i]));
    t->weights->made = json_pack(
        "{ss ss ss* ss* ss* ss* so sf sf sf sb si si sI so si ss}", "by", "knack train td", "game",
        t->game->spec, "teacher", p->teacher, "start", p->start, "openings", p->openings, "tables", p->tables,
        "depths", depths, "alpha", p->rule.alpha, "lambda", p->rule.lambda, "scale", p->rule.scale, "root",
        p->root, "batch", p->batch, "random_plies", p->random_plies, "ply_limit", (json_int_t)p->ply_limit,
        "seed", kn_json_from_uint64(p->seed), "learner_role", p->learner_role, "identity", hex);
    return t->weights->made ? KN_OK : kn_fail_memory(error, "preparing to train");
}

KnStatus kn_trainer_save(KnTrainer *t, const char *file, KnError *error)
{
    json_decref(t->weights->state);
    t->weights->state = json_pack("{sI s[I,I,I] sI s[f,f,f,f] sO}", "games", (json_int_t)t->done, "results",
                                  (json_int_t)t->results[0], (json_int_t)t->results[1],
                                  (json_int_t)t->results[2], "predictions", (json_int_t)t->updates, "block",
                                  t->block[0], t->block[1], t->block[2], t->block[3], "curve", t->curve);
    if (!t->weights->state) return kn_fail_memory(error, "saving weights");
    return file ? kn_weights_save(t->weights, file, error) : KN_OK;
}

static KnStatus read_count(const KnJson *object, const char *key, uint64_t *count, KnError *error)
{
    int64_t value = 0;
    KnStatus status = kn_json_integer(object, key, 0, INT64_MAX, &value, error);
    *count = (uint64_t)value;
    return status;
}

static KnStatus read_state(KnTrainer *t, const char *file, KnError *error)
{
    KnJson root = kn_json_root(t->weights->state, file), list;
    KnStatus status = read_count(&root, "games", &t->done, error);
    if (status == KN_OK) status = read_count(&root, "predictions", &t->updates, error);
    if (status == KN_OK) status = kn_json_array(&root, "results", &list, error);
    if (status == KN_OK && kn_json_size(&list) != 3)
        return kn_json_fail(&list, NULL, error, "three counts are wanted");
    for (size_t i = 0; i < 3 && status == KN_OK; i++) {
        KnJson item = kn_json_item(&list, i);
        status = read_count(&item, NULL, &t->results[i], error);
    }
    if (status == KN_OK) status = kn_json_array(&root, "block", &list, error);
    if (status == KN_OK && kn_json_size(&list) != 4)
        return kn_json_fail(&list, NULL, error, "four numbers are wanted");
    for (size_t i = 0; i < 4 && status == KN_OK; i++) {
        KnJson item = kn_json_item(&list, i);
        status = kn_json_real(&item, NULL, &t->block[i], error);
    }
    if (status == KN_OK) status = kn_json_array(&root, "curve", &list, error);
    if (status != KN_OK) return status;
    json_decref(t->curve);
    t->curve = json_incref(list.value);
    return KN_OK;
}

KnStatus kn_trainer_resume(KnTrainer *t, const char *file, KnError *error)
{
    KnWeights *kept;
    KnStatus status = kn_weights_open(t->own_game, file, &kept, error);
    if (status != KN_OK) return status;
    if (!kept->state || !kept->made || !json_equal(kept->made, t->weights->made)) {
        kn_weights_free(kept);
        return kn_fail(error, KN_INPUT,
                       "%s holds other weights, or was trained in another way; name another file to write to",
                       file);
    }
    kn_weights_free(t->weights);
    t->weights = kept;
    return read_state(t, file, error);
}
