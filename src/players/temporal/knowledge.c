/* What SeqLearner has learned, as JSON and for the eye. Only Advisors that are heard are kept: the others never speak again.
 *
 *     {"pairs": 3843, "advisors": [{"player": 0, "weight": 0.95, "right": 9, "wrong": 0, "context": "x#./#../..o", "sequences": ["a3 b2 c1"]}, ...]} */
#include <stdlib.h>
#include <string.h>

#include "players/temporal/seqlearner.h"

static json_t *advisor_json(const KnTemporalBoard *board, const KnAdvisor *advisor)
{
    KnText text = KN_TEXT_EMPTY;
    kn_cells_text(board->scene, advisor->context, &text);
    json_t *sequences = json_array();
    json_t *root = json_pack("{s:i, s:f, s:I, s:I, s:s, s:o}", "player", (int)advisor->player, "weight", advisor->weight, "right",
                             (json_int_t)advisor->right, "wrong", (json_int_t)advisor->wrong, "context", text.data, "sequences", sequences);
    for (size_t i = 0; root && i < advisor->sequence_count; i++) {
        kn_text_clear(&text);
        kn_sequence_text(board, &advisor->sequences[i], &text);
        json_array_append_new(sequences, json_string(text.data));
    }
    kn_text_free(&text);
    return root;
}

json_t *kn_seqlearner_knowledge(const KnWatcher *watcher)
{
    const KnSeqLearner *s = watcher->data;
    json_t *list = json_array();
    double threshold = s->rules.levels[s->rules.count - 1].weight - 1e-9;
    for (size_t i = 0; s->advisors && i < kn_advisors_count(s->advisors); i++) {
        const KnAdvisor *advisor = kn_advisors_at(s->advisors, i);
        if (advisor->weight >= threshold) json_array_append_new(list, advisor_json(s->board, advisor));
    }
    return json_pack("{s:I, s:o}", "pairs", (json_int_t)s->pairs, "advisors", list);
}

static KnStatus recall_advisor(KnSeqLearner *s, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"player", "weight", "right", "wrong", "context", "sequences", NULL};
    int64_t player, right, wrong;
    double weight;
    const char *context, *text;
    uint8_t cells[KN_SCENE_CELLS];
    KnJson sequences;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_integer(at, "player", 0, 1, &player, error);
    if (status == KN_OK) status = kn_json_integer(at, "right", 0, UINT32_MAX, &right, error);
    if (status == KN_OK) status = kn_json_integer(at, "wrong", 0, UINT32_MAX, &wrong, error);
    if (status == KN_OK) status = kn_json_real(at, "weight", &weight, error);
    if (status == KN_OK && !(weight >= 0 && weight <= 1)) return kn_json_fail(at, "weight", error, "expected a number from 0 to 1");
    if (status == KN_OK) status = kn_json_string(at, "context", &context, error);
    if (status == KN_OK && kn_cells_parse(s->board->scene, context, cells, error) != KN_OK) return kn_json_fail(at, "context", error, "no pattern of this board");
    if (status == KN_OK) status = kn_json_array(at, "sequences", &sequences, error);
    if (status == KN_OK && (!kn_json_size(&sequences) || kn_json_size(&sequences) > UINT16_MAX))
        return kn_json_fail(at, "sequences", error, "expected at least one");
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&sequences); i++) {
        KnJson item = kn_json_item(&sequences, i);
        KnSequence sequence;
        status = kn_json_string(&item, NULL, &text, error);
        if (status == KN_OK && kn_sequence_parse(s->board, (int)player, text, &sequence, error) != KN_OK) {
            char why[KN_ERROR_TEXT];
            memcpy(why, error->text, sizeof why);
            return kn_json_fail(&item, NULL, error, "%s", why);
        }
        KnAdvisor *advisor;
        if (status == KN_OK) status = kn_advisors_add(s->advisors, cells, &sequence, i > 0, weight, &advisor, error);
        if (status == KN_OK) advisor->right = (uint32_t)right, advisor->wrong = (uint32_t)wrong;
    }
    return status;
}

KnStatus kn_seqlearner_recall(KnWatcher *watcher, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"pairs", "advisors", NULL};
    KnSeqLearner *s = watcher->data;
    KnJson list;
    int64_t pairs;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_integer(at, "pairs", 0, INT64_MAX, &pairs, error);
    if (status == KN_OK) status = kn_json_array(at, "advisors", &list, error);
    if (status != KN_OK) return status;
    s->pairs = (size_t)pairs;
    kn_temporal_free(s->temporal);
    s->temporal = NULL;
    s->advisors = kn_advisors_new(s->board);
    if (!s->advisors) return kn_fail_memory(error, "reading Advisors");
    for (size_t i = 0; i < kn_json_size(&list) && status == KN_OK; i++) {
        KnJson item = kn_json_item(&list, i);
        status = recall_advisor(s, &item, error);
    }
    return status == KN_OK ? kn_advisors_ready(s->advisors, 0, error) : status;
}

/* ---- for the eye ---- */

enum { SHOWN = 6 };

/* Decisions foreseen, as if one more of each kind had been seen: few are no proof. */
static double share_of(const KnAdvisor *advisor) { return (advisor->right + 1.0) / (advisor->right + advisor->wrong + 2.0); }

static int compare_advisors(const void *a, const void *b)
{
    const KnAdvisor *x = *(const KnAdvisor *const *)a, *y = *(const KnAdvisor *const *)b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    double a_share = share_of(x), b_share = share_of(y);
    if (a_share != b_share) return a_share < b_share ? 1 : -1;
    if (x->right != y->right) return x->right < y->right ? 1 : -1;
    return x < y ? -1 : x > y;
}

void kn_seqlearner_show(const KnWatcher *watcher, KnText *out)
{
    const KnSeqLearner *s = watcher->data;
    size_t count = s->advisors ? kn_advisors_count(s->advisors) : 0;
    const KnAdvisor **order = malloc((count + 1) * sizeof *order);
    if (!order) return;
    for (size_t i = 0; i < count; i++) order[i] = kn_advisors_at(s->advisors, i);
    qsort(order, count, sizeof *order, compare_advisors);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const KnAdvisor *a = order[i];
        kn_text_printf(out, "%s%s Advisor for %s: weight %.2f, foresaw %u of %u decisions of an expert\n", i ? "\n" : "",
                       s->readings.sitact ? "Sitact" : "Sequence", watcher->game->role_names[a->player], a->weight, a->right, a->right + a->wrong);
        kn_cells_draw(s->board->scene, a->context, 2, out);
        for (size_t q = 0; q < a->sequence_count; q++) {
            kn_text_add(out, q ? "     or  " : "  plays  ");
            kn_sequence_text(s->board, &a->sequences[q], out);
            kn_text_add_char(out, '\n');
        }
    }
    free(order);
}
