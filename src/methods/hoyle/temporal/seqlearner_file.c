/* What SeqLearner has learned, as JSON and for the eye: {"pairs": 3843, "advisors": [...]}, as
 * advisors_file.h has them. */
#include <stdlib.h>
#include <string.h>

#include <knack/stats.h>

#include "methods/hoyle/temporal/advisors_file.h"
#include "methods/hoyle/temporal/seqlearner.h"

/* ---- the most telling Advisors ---- */

enum { TELLING = 10 };

/* Telling: right often, and often asked. The lower end of the interval of its share says both. */
static double telling(const KnAdvisor *advisor)
{
    return kn_wilson(advisor->right, (double)advisor->right + advisor->wrong, KN_Z95).low;
}

static int compare_advisors(const void *a, const void *b)
{
    const KnAdvisor *x = *(KnAdvisor *const *)a, *y = *(KnAdvisor *const *)b;
    double p = telling(x), q = telling(y);
    if (p != q) return p < q ? 1 : -1;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* The ten of them, the most telling first; returns how many there are. */
static size_t most_telling(const KnSeqLearner *s, KnAdvisor *found[TELLING])
{
    size_t count = s->advisors ? kn_advisors_count(s->advisors) : 0, kept = count < TELLING ? count : TELLING;
    KnAdvisor **order = malloc((count + 1) * sizeof *order);
    if (!order) return 0;
    for (size_t i = 0; i < count; i++) order[i] = kn_advisors_at(s->advisors, i);
    qsort(order, count, sizeof *order, compare_advisors);
    memcpy(found, order, kept * sizeof *order);
    free(order);
    return kept;
}

json_t *kn_seqlearner_knowledge(const KnGameLearner *learner)
{
    const KnSeqLearner *s = learner->data;
    KnAdvisor *best[TELLING];
    for (size_t i = most_telling(s, best); i > 0; i--) best[i - 1]->telling = true;
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

static void explain_advisor(const KnGameLearner *learner, const KnAdvisor *a, KnArena *arena,
                            KnExplanation *group)
{
    static const char *const kinds[2] = {"fired wrongly: the expert did something else",
                                         "fired rightly: the expert did what it says"};
    const KnSeqLearner *s = learner->data;
    KnText text = KN_TEXT_EMPTY;
    for (size_t q = 0; q < a->sequence_count; q++) {
        if (q) kn_text_add(&text, " or ");
        kn_sequence_text(s->board, &a->sequences[q], &text);
    }
    KnExplanation *node = kn_explanation_bar(arena, group,
                                             kn_arena_printf(arena, "%s plays %s",
                                                             learner->game->role_names[a->player],
                                                             text.data ? text.data : ""),
                                             a->weight, 0, 1, "weight");
    kn_explanation_text(
        arena, node, "so far",
        kn_arena_printf(arena, "foresaw %u of %u decisions of an expert", a->right, a->right + a->wrong));
    kn_text_clear(&text);
    kn_cells_text(s->board->view, a->context, &text);
    kn_explanation_pattern(arena, node, "where", text.data);
    for (int kind = 1; kind >= 0; kind--) {
        if (!a->fired[kind]) continue;
        kn_text_clear(&text);
        kn_cells_text(s->board->view, a->fired[kind], &text);
        kn_explanation_pattern(arena, node, kinds[kind], text.data);
    }
    kn_text_free(&text);
}

void kn_seqlearner_explain(const KnGameLearner *learner, KnArena *arena, KnExplanation *root)
{
    const KnSeqLearner *s = learner->data;
    KnAdvisor *best[TELLING];
    size_t kept = most_telling(s, best);
    int weights[10] = {0};
    kn_explanation_number(arena, root, "context pairs seen", (double)s->pairs, NULL);
    kn_explanation_number(arena, root, "Advisors kept",
                          (double)(s->advisors ? kn_advisors_count(s->advisors) : 0), NULL);
    for (size_t i = 0; s->advisors && !s->near && i < kn_advisors_count(s->advisors); i++) {
        int tenth = (int)(kn_advisors_at(s->advisors, i)->weight * 10);
        weights[tenth < 0 ? 0 : tenth > 9 ? 9 : tenth]++;
    }
    KnExplanation *spread = s->near ? NULL : kn_explanation_group(arena, root, "Advisors by weight");
    for (int t = 9; t >= 0; t--)
        kn_explanation_number(arena, spread, kn_arena_printf(arena, "%.1f to %.1f", t / 10.0, (t + 1) / 10.0),
                              weights[t], NULL);
    KnExplanation *group = kn_explanation_group(arena, root,
                                                s->near ? "boards with what was done" : "the most telling");
    for (size_t i = 0; i < kept; i++) explain_advisor(learner, best[i], arena, group);
}
