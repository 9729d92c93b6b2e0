#include "methods/hoyle/temporal/sequence.h"

#include <string.h>

_Static_assert(sizeof(KnSequence) == 2 + sizeof(KnAction) * KN_SEQUENCE_MAX,
               "sequences are compared as bytes");

KnSequence kn_sequence_image(const KnTemporalBoard *board, int symmetry, const KnSequence *sequence)
{
    KnSequence image = *sequence;
    for (int i = 0; i < sequence->length; i++)
        image.actions[i] = kn_temporal_board_transform(board, symmetry, sequence->actions[i]);
    return image;
}

KnSequence kn_sequence_normalise(const KnTemporalBoard *board, const KnSequence *sequence,
                                 const uint8_t *cells, uint8_t *transformed)
{
    KnSequence least = *sequence;
    memcpy(transformed, cells, (size_t)board->cells);
    for (int s = 1; s < board->symmetries; s++) {
        KnSequence image = kn_sequence_image(board, s, sequence);
        int order = memcmp(&image, &least, sizeof image);
        if (order > 0) continue;
        uint8_t other[KN_TEMPORAL_CELLS];
        kn_board_view_transform_cells(board->view, s, cells, other);
        if (order < 0 || memcmp(other, transformed, (size_t)board->cells) < 0)
            memcpy(transformed, other, (size_t)board->cells);
        least = image;
    }
    return least;
}

int kn_pattern_normaliser(const KnTemporalBoard *board, const uint8_t *pattern)
{
    uint8_t least[KN_TEMPORAL_CELLS], image[KN_TEMPORAL_CELLS];
    int best = 0;
    memcpy(least, pattern, (size_t)board->cells);
    for (int s = 1; s < board->symmetries; s++) {
        kn_board_view_transform_cells(board->view, s, pattern, image);
        if (memcmp(image, least, (size_t)board->cells) >= 0) continue;
        memcpy(least, image, (size_t)board->cells);
        best = s;
    }
    return best;
}

void kn_sequence_text(const KnTemporalBoard *board, const KnSequence *sequence, KnText *out)
{
    for (int i = 0; i < sequence->length; i++) {
        if (i) kn_text_add_char(out, ' ');
        kn_temporal_action_text(board, sequence->actions[i], out);
    }
}

KnStatus kn_sequence_parse(const KnTemporalBoard *board, int player, const char *text, KnSequence *sequence,
                           KnError *error)
{
    const char *all = text;
    memset(sequence, 0, sizeof *sequence);
    sequence->player = (uint8_t)player;
    while (*text) {
        char word[40];
        size_t length = strcspn(text, " ");
        if (!length || length >= sizeof word || sequence->length == KN_SEQUENCE_MAX)
            return kn_fail(error, KN_INPUT,
                           "\"%.60s\" is no sequence: expected up to %d actions with a blank between", all,
                           KN_SEQUENCE_MAX);
        memcpy(word, text, length);
        word[length] = 0;
        KnAction *action = &sequence->actions[sequence->length];
        KnStatus status = kn_temporal_action_parse(board, word, action, error);
        if (status != KN_OK) return status;
        if (kn_action_abstract(*action) && sequence->length % 2 == 0)
            return kn_fail(error, KN_INPUT,
                           "\"%.60s\" is no sequence: only the opponent's actions can be abstracted", all);
        sequence->length++;
        text += length;
        if (*text == ' ') text++;
    }
    return sequence->length ? KN_OK : kn_fail(error, KN_INPUT, "a sequence needs at least one action");
}
