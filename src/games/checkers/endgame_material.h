/* Endgame tables of draughts: how positions are sorted into slices and numbered inside them.
 *
 * Everything is seen from the side to move, which plays black: a position with white to move is rotated by
 * half a turn and its colours are exchanged. A *slice* is all positions of one material: the numbers of men
 * and kings of the mover and of the opponent. A quiet move leads into the slice of the exchanged material, a
 * promotion or capture into another one.
 *
 * Inside a slice a position's number is made of four ranks, each that of a set of squares among all sets of
 * its size (men have 28 squares, kings 32). Sets that overlap have numbers too: these belong to no position,
 * a quarter of all at most, and cost nothing after compression. In exchange a rank is a sum of one look-up a
 * piece, and moving one piece changes one of the four ranks.
 *
 * Plain values; KnRanks is filled once by kn_ranks_fill and read-only afterwards. */
#ifndef KNACK_GAMES_CHECKERS_ENDGAME_MATERIAL_H
#define KNACK_GAMES_CHECKERS_ENDGAME_MATERIAL_H

#include "games/checkers/board.h"

enum {
    KN_ENDGAME_PIECES = 6, /* the most that tables are made for */
    KN_ENDGAME_SLICES = 7 * 7 * 7 * 7
};

typedef struct KnMaterial {
    uint8_t men, kings;             /* of the side to move */
    uint8_t other_men, other_kings; /* of the other */
} KnMaterial;

/* By the place in the set, then by the bit: what it adds to the set's rank. */
typedef struct KnRanks {
    uint32_t men[KN_ENDGAME_PIECES][32];
    uint32_t kings[KN_ENDGAME_PIECES][32];
    uint32_t men_sets[KN_ENDGAME_PIECES + 1]; /* how many sets there are of each size */
    uint32_t king_sets[KN_ENDGAME_PIECES + 1];
} KnRanks;

void kn_ranks_fill(KnRanks *ranks);

static inline uint32_t kn_rank(const uint32_t (*row)[32], uint32_t set)
{
    uint32_t rank = 0;
    for (int i = 0; set; i++, set &= set - 1) rank += row[i][__builtin_ctz(set)];
    return rank;
}

/* All sets of a size by their rank; the caller frees. NULL if memory runs out. */
uint32_t *kn_rank_sets(const KnRanks *ranks, bool men, int size);

static inline int kn_material_pieces(KnMaterial m) { return m.men + m.kings + m.other_men + m.other_kings; }
static inline KnMaterial kn_material_exchanged(KnMaterial m)
{
    return (KnMaterial){m.other_men, m.other_kings, m.men, m.kings};
}
static inline bool kn_material_same(KnMaterial a, KnMaterial b)
{
    return a.men == b.men && a.kings == b.kings && a.other_men == b.other_men &&
           a.other_kings == b.other_kings;
}
static inline bool kn_material_valid(KnMaterial m) /* both sides are there, and not too many */
{
    return m.men + m.kings > 0 && m.other_men + m.other_kings > 0 &&
           kn_material_pieces(m) <= KN_ENDGAME_PIECES;
}
/* A place in arrays of KN_ENDGAME_SLICES. */
static inline int kn_material_id(KnMaterial m)
{
    return ((m.men * 7 + m.kings) * 7 + m.other_men) * 7 + m.other_kings;
}

/* "2m1k-1m": the mover's men and kings, then the other's. */
enum { KN_MATERIAL_TEXT = 16 };
void kn_material_text(KnMaterial m, char text[KN_MATERIAL_TEXT]);

/* Materials of this many pieces in an order in which each comes after all that its moves lead to; the
 * exchanged one comes next to each. Returns how many; `out` has room for KN_ENDGAME_SLICES. */
int kn_materials(int pieces, KnMaterial *out);

uint64_t kn_material_numbers(const KnRanks *ranks,
                             KnMaterial m); /* of the slice, those of no position included */

/* The position as its mover sees it: black to move, no counter. */
static inline KnCheckersPosition kn_endgame_view(const KnCheckersPosition *p)
{
    if (p->mover == KN_CHECKERS_BLACK)
        return (KnCheckersPosition){{p->pieces[0], p->pieces[1]}, p->kings, 0, 0};
    return (KnCheckersPosition){
        {kn_checkers_turn(p->pieces[1]), kn_checkers_turn(p->pieces[0])}, kn_checkers_turn(p->kings), 0, 0};
}

/* Of a position so seen. */
static inline KnMaterial kn_material_of(const KnCheckersPosition *p)
{
    return (KnMaterial){(uint8_t)kn_checkers_popcount(p->pieces[0] & ~p->kings),
                        (uint8_t)kn_checkers_popcount(p->pieces[0] & p->kings),
                        (uint8_t)kn_checkers_popcount(p->pieces[1] & ~p->kings),
                        (uint8_t)kn_checkers_popcount(p->pieces[1] & p->kings)};
}

/* Its number; the material must be its own. */
static inline uint64_t kn_endgame_number(const KnRanks *ranks, KnMaterial m, const KnCheckersPosition *p)
{
    uint64_t number = kn_rank(ranks->men, p->pieces[0] & ~p->kings);
    number = number * ranks->men_sets[m.other_men] +
             kn_rank(ranks->men, kn_checkers_turn(p->pieces[1] & ~p->kings));
    number = number * ranks->king_sets[m.kings] + kn_rank(ranks->kings, p->pieces[0] & p->kings);
    return number * ranks->king_sets[m.other_kings] + kn_rank(ranks->kings, p->pieces[1] & p->kings);
}

#endif
