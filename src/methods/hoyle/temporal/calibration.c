/* Whether weights keep what they promise: a weight of .9 says that the Advisor foresees nine of ten decisions
 * of an expert. Counted in games that were not learned from. */
#include <math.h>
#include <stdlib.h>

#include "methods/hoyle/temporal/seqlearner.h"

KnStatus kn_seqlearner_judge(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    KnSeqLearner *s = learner->data;
    if (s->near) return KN_OK; /* its pairs have no weights */
    if (!s->judge) {
        s->foresight = calloc(kn_advisors_count(s->advisors) + 1, sizeof *s->foresight);
        if (s->foresight) s->judge = kn_pwl_new(s->advisors, &s->readings, s->foresight);
        if (!s->judge) return kn_fail_memory(error, "judging Advisors");
    }
    KnStatus status = kn_game_actions_fill(&s->record, s->board, played, error);
    return status == KN_OK ? kn_pwl_update(s->judge, &s->record, error) : status;
}

/* Of the Advisors that had to say something ten times or more: how many weigh .9 and more, and how many of
 * those were right nine times of ten, and three times of four; and by how much weight and share differ on
 * average over what was advised. */
void kn_seqlearner_calibration(const KnSeqLearner *s, json_t *figures)
{
    enum { ENOUGH = 10 };
    int heavy = 0, kept = 0, nearly = 0;
    double difference = 0, judged = 0;
    if (!s->foresight) return;
    for (size_t i = 0; i < kn_advisors_count(s->advisors); i++) {
        const KnForesight *f = &s->foresight[i];
        double count = (double)f->right + f->wrong, weight = kn_advisors_at(s->advisors, i)->weight;
        if (count < ENOUGH) continue;
        double share = f->right / count;
        difference += count * fabs(weight - share);
        judged += count;
        if (weight < 0.9 - 1e-9) continue;
        heavy++;
        kept += share >= 0.9;
        nearly += share >= 0.75;
    }
    json_object_set_new(figures, "judged at .9", json_integer(heavy));
    json_object_set_new(figures, "right at .9", json_integer(kept));
    json_object_set_new(figures, "right at .75", json_integer(nearly));
    json_object_set_new(figures, "weight off by", json_real(judged > 0 ? difference / judged : 0));
}
