/* What SeqLearner has learned, as JSON and for the eye: {"pairs": 3843, "advisors": [...]}, as
 * advisors_file.h has them. */
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/temporal/advisors_file.h"
#include "methods/hoyle/temporal/seqlearner.h"

json_t *kn_seqlearner_knowledge(const KnGameLearner *learner)
{
    const KnSeqLearner *s = learner->data;
    double threshold = s->near ? 0 : s->rules.levels[s->rules.count - 1].weight - 1e-9;
    return json_pack("{s:I, s:o}", "pairs", (json_int_t)s->pairs, "advisors",
                     kn_advisors_json(s->board, s->advisors, threshold));
}

KnStatus kn_seqlearner_parse(KnGameLearner *learner, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"pairs", "advisors", NULL};
    KnSeqLearner *s = learner->data;
    KnJson list;
    int64_t pairs;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_integer(at, "pairs", 0, INT64_MAX, &pairs, error);
    if (status == KN_OK) status = kn_json_array(at, "advisors", &list, error);
    if (status != KN_OK) return status;
    s->pairs = (size_t)pairs;
    kn_tp_context_free(s->temporal);
    s->temporal = NULL;
    kn_advisors_free(s->advisors);
    s->settled = true;
    return kn_advisors_parse(s->board, &list, 0, &s->advisors, error);
}

/* ---- for the eye ---- */

enum { SHOWN = 6 };

/* Decisions foreseen, as if one more of each kind had been seen: few are no proof. */
static double share_of(const KnAdvisor *advisor)
{
    return (advisor->right + 1.0) / (advisor->right + advisor->wrong + 2.0);
}

static int compare_advisors(const void *a, const void *b)
{
    const KnAdvisor *x = *(const KnAdvisor *const *)a, *y = *(const KnAdvisor *const *)b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    double a_share = share_of(x), b_share = share_of(y);
    if (a_share != b_share) return a_share < b_share ? 1 : -1;
    if (x->right != y->right) return x->right < y->right ? 1 : -1;
    return x < y ? -1 : x > y;
}

void kn_seqlearner_show(const KnGameLearner *learner, KnText *out)
{
    const KnSeqLearner *s = learner->data;
    size_t count = s->advisors ? kn_advisors_count(s->advisors) : 0;
    const KnAdvisor **order = malloc((count + 1) * sizeof *order);
    if (!order) return;
    for (size_t i = 0; i < count; i++) order[i] = kn_advisors_at(s->advisors, i);
    qsort(order, count, sizeof *order, compare_advisors);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const KnAdvisor *a = order[i];
        kn_text_printf(out, "%s%s Advisor for %s: weight %.2f, foresaw %u of %u decisions of an expert\n",
                       i ? "\n" : "",
                       s->near              ? "Nearest"
                       : s->readings.sitact ? "Sitact"
                                            : "Sequence",
                       learner->game->role_names[a->player], a->weight, a->right, a->right + a->wrong);
        kn_cells_draw(s->board->view, a->context, 2, out);
        for (size_t q = 0; q < a->sequence_count; q++) {
            kn_text_add(out, q ? "     or  " : "  plays  ");
            kn_sequence_text(s->board, &a->sequences[q], out);
            kn_text_add_char(out, '\n');
        }
    }
    free(order);
}
