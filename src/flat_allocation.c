#include "flat_allocation.h"

#include "players/allocation/train.h"

enum {
    LEARNER_ID3 = 1,
    LEARNER_REGRESSION = 2,
    LEAST = 50 /* examples of a leaf by cuts, as `knack train allocation` has it */
};

KnStatus kn_flat_allocation(KnFlat *flat, const KnGame *game, const KnOptions *options, uint64_t seed,
                            int jobs, const char *out, KnError *error)
{
    KnTraining training = kn_training();
    KnText inner = KN_TEXT_EMPTY;
    kn_spec_print(kn_option_spec(options, "inner"), &inner);
    int learner = kn_option_choice(options, "learner");
    training.play.inner = inner.data;
    training.play.k = (int)kn_option_integer(options, "shallow");
    training.play.n = (int)kn_option_integer(options, "extra");
    training.play.seed = seed;
    training.play.jobs = jobs;
    training.play.cancel = &flat->cancel;
    training.tree = (uint64_t)kn_option_integer(options, "examples");
    training.enrich = (uint64_t)kn_option_integer(options, "enrich");
    training.relief = (uint64_t)kn_option_integer(options, "relief");
    training.patterns = (int)kn_option_integer(options, "patterns");
    training.game_features = game->feature_count > 0;
    training.general_features = !training.game_features;
    training.plan.cuts = learner != LEARNER_ID3;
    training.plan.measure = learner == LEARNER_REGRESSION ? KN_TREE_VARIANCE : KN_TREE_INFORMATION;
    training.by_worth = learner == LEARNER_REGRESSION;
    if (training.plan.cuts && !training.plan.least) training.plan.least = LEAST;
    KnTrainingSets sets;
    KnLearned *learned = NULL;
    KnStatus status = kn_training_sets_make(flat->context, game, &training, NULL, NULL, &sets, error);
    if (status == KN_OK) {
        status = kn_training_learn(game, &training, &sets, &learned, NULL, error);
        kn_training_sets_free(&sets);
    }
    if (status == KN_OK) status = kn_learned_save(learned, out, error);
    kn_learned_free(learned);
    kn_text_free(&inner);
    return status;
}
