#include "games/checkers/endgame_material.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t choose(int n, int k)
{
    uint64_t product = 1;
    if (k > n) return 0;
    for (int i = 1; i <= k; i++) product = product * (uint64_t)(n - k + i) / (uint64_t)i;
    return (uint32_t)product;
}

/* Where black's men may stand: the king row excepted. */
static const uint32_t men_squares = ~(uint32_t)ROW(7);

void kn_ranks_fill(KnRanks *ranks)
{
    for (int i = 0; i < KN_ENDGAME_PIECES; i++) {
        int place = 0; /* among the squares of men */
        for (int bit = 0; bit < 32; bit++) {
            ranks->kings[i][bit] = choose(bit, i + 1);
            ranks->men[i][bit] = choose(place, i + 1);
            place += (men_squares >> bit & 1) != 0;
        }
    }
    for (int size = 0; size <= KN_ENDGAME_PIECES; size++) {
        ranks->men_sets[size] = choose(28, size);
        ranks->king_sets[size] = choose(32, size);
    }
}

uint32_t *kn_rank_sets(const KnRanks *ranks, bool men, int size)
{
    uint32_t count = men ? ranks->men_sets[size] : ranks->king_sets[size];
    uint32_t *sets = malloc(count * sizeof *sets);
    if (!sets) return NULL;
    /* Ranks follow the order of the sets as numbers; the next number with as many bits comes by the
     * well-known trick. */
    uint64_t set = ((uint64_t)1 << size) - 1;
    for (uint32_t rank = 0; rank < count;) {
        if (!men || !(set & ~(uint64_t)men_squares)) sets[rank++] = (uint32_t)set;
        if (!set) break;
        uint64_t low = set & -set, up = set + low;
        set = up | ((set ^ up) / low) >> 2;
    }
    return sets;
}

void kn_material_text(KnMaterial m, char text[KN_MATERIAL_TEXT])
{
    int at = 0;
    const int counts[2][2] = {{m.men, m.kings}, {m.other_men, m.other_kings}};
    for (int side = 0; side < 2; side++) {
        if (side) at += snprintf(text + at, (size_t)(KN_MATERIAL_TEXT - at), "-");
        if (counts[side][0])
            at += snprintf(text + at, (size_t)(KN_MATERIAL_TEXT - at), "%dm", counts[side][0] % 10);
        if (counts[side][1])
            at += snprintf(text + at, (size_t)(KN_MATERIAL_TEXT - at), "%dk", counts[side][1] % 10);
    }
}

int kn_materials(int pieces, KnMaterial *out)
{
    int count = 0;
    for (int men = 0; men <= pieces; men++) {
        for (int mine = men; mine >= 0; mine--) {
            for (int kings = pieces - men; kings >= 0; kings--) {
                KnMaterial m = {(uint8_t)mine, (uint8_t)kings, (uint8_t)(men - mine),
                                (uint8_t)(pieces - men - kings)};
                KnMaterial e = kn_material_exchanged(m);
                if (!kn_material_valid(m) || kn_material_id(m) < kn_material_id(e)) continue;
                out[count++] = m;
                if (!kn_material_same(m, e)) out[count++] = e;
            }
        }
    }
    return count;
}

uint64_t kn_material_numbers(const KnRanks *ranks, KnMaterial m)
{
    return (uint64_t)ranks->men_sets[m.men] * ranks->men_sets[m.other_men] * ranks->king_sets[m.kings] *
           ranks->king_sets[m.other_kings];
}
