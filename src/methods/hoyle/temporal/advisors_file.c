#include "methods/hoyle/temporal/advisors_file.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[2] = {"wrongly", "rightly"};

static json_t *advisor_json(const KnTemporalBoard *board, const KnAdvisor *advisor)
{
    KnText text = KN_TEXT_EMPTY;
    kn_cells_text(board->view, advisor->context, &text);
    json_t *sequences = json_array();
    json_t *root = json_pack("{s:i, s:f, s:I, s:I, s:s, s:o}", "player", (int)advisor->player, "weight",
                             advisor->weight, "right", (json_int_t)advisor->right, "wrong",
                             (json_int_t)advisor->wrong, "context", text.data, "sequences", sequences);
    for (size_t i = 0; root && i < advisor->sequence_count; i++) {
        kn_text_clear(&text);
        kn_sequence_text(board, &advisor->sequences[i], &text);
        json_array_append_new(sequences, json_string(text.data));
    }
    for (int kind = 0; root && advisor->telling && kind < 2; kind++) {
        if (!advisor->fired[kind]) continue;
        kn_text_clear(&text);
        kn_cells_text(board->view, advisor->fired[kind], &text);
        json_object_set_new(root, kinds[kind], json_string(text.data));
    }
    kn_text_free(&text);
    return root;
}

json_t *kn_advisors_json(const KnTemporalBoard *board, const KnAdvisors *advisors, double threshold)
{
    json_t *list = json_array();
    for (size_t i = 0; advisors && i < kn_advisors_count(advisors); i++) {
        const KnAdvisor *advisor = kn_advisors_at(advisors, i);
        if (advisor->weight >= threshold) json_array_append_new(list, advisor_json(board, advisor));
    }
    return list;
}

/* The boards where a telling Advisor was wrong and right. */
static KnStatus recall_boards(const KnTemporalBoard *board, KnAdvisor *advisor, const KnJson *at,
                              KnError *error)
{
    for (int kind = 0; kind < 2; kind++) {
        const char *text;
        uint8_t cells[KN_BOARD_CELLS];
        if (!json_object_get(at->value, kinds[kind])) continue;
        KnStatus status = kn_json_string(at, kinds[kind], &text, error);
        if (status != KN_OK) return status;
        if (kn_cells_parse(board->view, text, cells, error) != KN_OK)
            return kn_json_fail(at, kinds[kind], error, "no board of this game");
        kn_advisor_fired(advisor, kind, cells, board->cells);
        advisor->telling = true;
    }
    return KN_OK;
}

static KnStatus recall_advisor(const KnTemporalBoard *board, KnAdvisors *advisors, const KnJson *at,
                               KnError *error)
{
    static const char *const known[] = {"player",    "weight",  "right",   "wrong", "context",
                                        "sequences", "wrongly", "rightly", NULL};
    int64_t player, right, wrong;
    double weight;
    const char *context, *text;
    uint8_t cells[KN_BOARD_CELLS];
    KnJson sequences;
    KnAdvisor *advisor = NULL;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_integer(at, "player", 0, 1, &player, error);
    if (status == KN_OK) status = kn_json_integer(at, "right", 0, UINT32_MAX, &right, error);
    if (status == KN_OK) status = kn_json_integer(at, "wrong", 0, UINT32_MAX, &wrong, error);
    if (status == KN_OK) status = kn_json_real(at, "weight", &weight, error);
    if (status == KN_OK && !(weight >= 0 && weight <= 1))
        return kn_json_fail(at, "weight", error, "expected a number from 0 to 1");
    if (status == KN_OK) status = kn_json_string(at, "context", &context, error);
    if (status == KN_OK && kn_cells_parse(board->view, context, cells, error) != KN_OK)
        return kn_json_fail(at, "context", error, "no pattern of this board");
    if (status == KN_OK) status = kn_json_array(at, "sequences", &sequences, error);
    if (status == KN_OK && (!kn_json_size(&sequences) || kn_json_size(&sequences) > UINT16_MAX))
        return kn_json_fail(at, "sequences", error, "expected at least one");
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&sequences); i++) {
        KnJson item = kn_json_item(&sequences, i);
        KnSequence sequence;
        status = kn_json_string(&item, NULL, &text, error);
        if (status == KN_OK && kn_sequence_parse(board, (int)player, text, &sequence, error) != KN_OK) {
            char why[KN_ERROR_TEXT];
            memcpy(why, error->text, sizeof why);
            return kn_json_fail(&item, NULL, error, "%s", why);
        }
        if (status == KN_OK)
            status = kn_advisors_add(advisors, cells, &sequence, i > 0, weight, &advisor, error);
        if (status == KN_OK) advisor->right = (uint32_t)right, advisor->wrong = (uint32_t)wrong;
    }
    return status == KN_OK ? recall_boards(board, advisor, at, error) : status;
}

KnStatus kn_advisors_parse(const KnTemporalBoard *board, const KnJson *list, double threshold,
                           KnAdvisors **advisors, KnError *error)
{
    *advisors = kn_advisors_new(board);
    if (!*advisors) return kn_fail_memory(error, "reading Advisors");
    KnStatus status = KN_OK;
    for (size_t i = 0; i < kn_json_size(list) && status == KN_OK; i++) {
        KnJson item = kn_json_item(list, i);
        status = recall_advisor(board, *advisors, &item, error);
    }
    return status == KN_OK ? kn_advisors_ready(*advisors, threshold, error) : status;
}
