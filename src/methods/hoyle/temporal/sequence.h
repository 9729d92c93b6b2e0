/* Sequences of actions, and patterns of cells with don't cares: the pieces that context pairs are made of.
 *
 * A sequence begins with an action of the player it is learned for, and alternates. In a solo the opponent's
 * actions are abstracted, but still count in its length, as in the thesis (figures 21 and 25 show solos of
 * length three).
 *
 * A normal form is the least image under the board's symmetries. Plain values; nothing allocates. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_SEQUENCE_H
#define KNACK_METHODS_HOYLE_TEMPORAL_SEQUENCE_H

#include "methods/hoyle/temporal/board.h"

enum { KN_SEQUENCE_MAX = 9 };

/* Without padding: equal sequences are equal bytes, the unused tail is zero. */
typedef struct KnSequence {
    uint8_t player; /* 0 or 1: whose it is */
    uint8_t length;
    KnAction actions[KN_SEQUENCE_MAX];
} KnSequence;

KnSequence kn_sequence_image(const KnTemporalBoard *board, int symmetry, const KnSequence *sequence);

/* The normal form of a sequence, and `cells` turned with it into `turned`; where several symmetries give the
 * same sequence, by the one that gives the least cells. */
KnSequence kn_sequence_normalise(const KnTemporalBoard *board, const KnSequence *sequence,
                                 const uint8_t *cells, uint8_t *transformed);

/* The symmetry that gives the normal form of a pattern. */
int kn_pattern_normaliser(const KnTemporalBoard *board, const uint8_t *pattern);

/* Maximal common pattern, in place: what both have, don't care elsewhere. */
static inline void kn_pattern_meet(uint8_t *pattern, const uint8_t *cells, int count)
{
    for (int c = 0; c < count; c++)
        if (pattern[c] != cells[c]) pattern[c] = KN_DONT_CARE;
}

/* "d3-g1 * g1-d3", with the game's own names of cells. */
void kn_sequence_text(const KnTemporalBoard *board, const KnSequence *sequence, KnText *out);
KnStatus kn_sequence_parse(const KnTemporalBoard *board, int player, const char *text, KnSequence *sequence,
                           KnError *error);

#endif
