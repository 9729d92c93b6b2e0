/* Pattern features of a linear evaluation (Buro 1997): the content of a few squares of an edge, corner or
 * line, summed over all symmetric places of the board. A pattern and its colour-exchanged twin are one
 * feature with opposite sign. Learners find the weights (`knack train`); the built-in weights are `othello`.
 *
 * A pattern's squares are at fixed bits; the board is transformed in eight ways instead. Two sets of six bits
 * become a base 3 number, and a table gives the feature and its sign, so the whole sum is 32 look-ups and a
 * few counts. */
#include "games/othello/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIX = 729, FOUR = 81, NAME = 24 };

/* Simple counts, which come before the patterns. */
enum { MOVE, MOBILITY, POTENTIAL, STABLE, FRONTIER, DISCS, PARITY, COUNTS };

enum { CORNER, EDGE, SECOND, DIAGONAL, THIRD, FOURTH, KINDS };

static const struct {
    const char *name;
    int squares;
    bool mirrored; /* it is its own mirror image: both readings are equal */
} kinds[KINDS] = {[CORNER] = {"corner", 6, false},     [EDGE] = {"edge", 6, false},
                  [SECOND] = {"second line", 6, true}, [DIAGONAL] = {"diagonal", 4, false},
                  [THIRD] = {"third line", 4, true},   [FOURTH] = {"fourth line", 4, true}};

static const KnFeature counts[COUNTS] = {
    [MOVE] = {"value of move", "1 for the side to move", 1, 1},
    [MOBILITY] = {"mobility", "squares where one may place a disc, less the other's", -60, 60},
    [POTENTIAL] = {"potential", "empty squares beside the other's discs, less those beside one's own", -60,
                   60},
    [STABLE] = {"stable", "discs that can never be turned over again, less the other's", -64, 64},
    [FRONTIER] = {"frontier", "discs beside an empty square, less the other's", -60, 60},
    [DISCS] = {"discs", "own discs less the other's", -64, 64},
    [PARITY] = {"parity", "1 if one moves last should nobody pass, else -1", -1, 1},
};

struct KnOthelloPatterns {
    KnFeatureTable table[2];
    KnFeature *features;
    char (*names)[NAME];
    uint16_t three[64];       /* a bit set as a base 3 number */
    int16_t term[KINDS][SIX]; /* 1 + the term of a pattern, negative where its colours are exchanged; 0: worth
                                 nothing by symmetry */
};

/* ---- making ---- */

static int cells_of(int kind, int pattern, int *cells)
{
    for (int i = 0; i < kinds[kind].squares; i++, pattern /= 3) cells[i] = pattern % 3;
    return kinds[kind].squares;
}

static int pattern_of(const int *cells, int count, bool mirrored, bool exchanged)
{
    int pattern = 0;
    for (int i = count - 1; i >= 0; i--) {
        int cell = cells[mirrored ? count - 1 - i : i];
        pattern = 3 * pattern + (exchanged && cell ? 3 - cell : cell);
    }
    return pattern;
}

/* Numbers the patterns of a kind from `terms` on; returns the next number. */
static int number(KnOthelloPatterns *p, int kind, int terms)
{
    int all = kinds[kind].squares == 6 ? SIX : FOUR;
    for (int pattern = 1; pattern < all; pattern++) {
        if (p->term[kind][pattern]) continue;
        int cells[6], count = cells_of(kind, pattern, cells),
                      alike = kinds[kind].mirrored ? pattern_of(cells, count, true, false) : pattern;
        int against = pattern_of(cells, count, false, true),
            against_mirrored = kinds[kind].mirrored ? pattern_of(cells, count, true, true) : against;
        if (against_mirrored == pattern) continue; /* its value is 0 by symmetry */
        p->term[kind][pattern] = p->term[kind][alike] = (int16_t)(terms + 1);
        p->term[kind][against] = p->term[kind][against_mirrored] = (int16_t) - (terms + 1);
        if (p->features) {
            char *name = p->names[terms];
            size_t length = (size_t)snprintf(name, NAME, "%s ", kinds[kind].name);
            for (int i = 0; i < count; i++) name[length + (size_t)i] = "-XO"[cells[i]];
            p->features[terms] = (KnFeature){
                name, "places where this stands (X one's own), less those with the colours exchanged", -8, 8};
        }
        terms++;
    }
    return terms;
}

static int number_all(KnOthelloPatterns *p)
{
    int terms = COUNTS;
    memset(p->term, 0, sizeof p->term);
    for (int kind = 0; kind < KINDS; kind++) terms = number(p, kind, terms);
    return terms;
}

/* ---- reading a board ---- */

typedef struct Image {
    uint64_t own, their;
} Image;

static inline uint64_t mirror(uint64_t b)
{
    b = (b >> 1 & 0x5555555555555555u) | (b & 0x5555555555555555u) << 1;
    b = (b >> 2 & 0x3333333333333333u) | (b & 0x3333333333333333u) << 2;
    return (b >> 4 & 0x0f0f0f0f0f0f0f0fu) | (b & 0x0f0f0f0f0f0f0f0fu) << 4;
}

static inline uint64_t transpose(uint64_t b)
{
    uint64_t t = (b ^ b >> 7) & 0x00aa00aa00aa00aau;
    b ^= t ^ t << 7;
    t = (b ^ b >> 14) & 0x0000cccc0000ccccu;
    b ^= t ^ t << 14;
    t = (b ^ b >> 28) & 0x00000000f0f0f0f0u;
    return b ^ t ^ t << 28;
}

/* The eight images of the board: the first four have each edge on top once, the others are their mirror
 * images. */
static inline void turn(const KnOthelloPosition *p, Image *images)
{
    images[0] = (Image){p->own, p->their};
    images[1] = (Image){__builtin_bswap64(p->own), __builtin_bswap64(p->their)};
    images[2] = (Image){transpose(p->own), transpose(p->their)};
    images[3] = (Image){__builtin_bswap64(images[2].own), __builtin_bswap64(images[2].their)};
    for (int i = 0; i < 4; i++) images[4 + i] = (Image){mirror(images[i].own), mirror(images[i].their)};
}

static inline uint64_t corner_bits(uint64_t b) { return (b & 7) | (b >> 8 & 7) << 3; }
static inline uint64_t diagonal_bits(uint64_t b)
{
    return (b & 1) | (b >> 8 & 2) | (b >> 16 & 4) | (b >> 24 & 8);
}

static inline int look_up(const KnOthelloPatterns *p, int kind, uint64_t own, uint64_t their)
{
    return p->term[kind][p->three[own] + 2 * p->three[their]];
}

/* The 32 pattern instances of a board, as entries of `term`. */
enum { SHOWN = 32 };

static inline __attribute__((always_inline)) void show(const KnOthelloPatterns *p,
                                                       const KnOthelloPosition *position, int *shown)
{
    Image images[8];
    turn(position, images);
    for (int i = 0; i < 8; i++) {
        uint64_t own = images[i].own, their = images[i].their;
        *shown++ = look_up(p, CORNER, corner_bits(own), corner_bits(their));
        *shown++ = look_up(p, EDGE, own & 63, their & 63);
    }
    for (int i = 0; i < 4; i++) {
        uint64_t own = images[i].own, their = images[i].their;
        *shown++ = look_up(p, SECOND, own >> 9 & 63, their >> 9 & 63);
        *shown++ = look_up(p, THIRD, own >> 18 & 15, their >> 18 & 15);
        *shown++ = look_up(p, FOURTH, own >> 26 & 15, their >> 26 & 15);
        int corner = i < 2 ? i : i + 2; /* the four corners: two images and their mirror images */
        *shown++ = look_up(p, DIAGONAL, diagonal_bits(images[corner].own),
                           diagonal_bits(images[corner].their));
    }
}

static inline int popcount(uint64_t b) { return __builtin_popcountll(b); }

static inline void count_all(const KnOthello *o, const KnOthelloPosition *p, double *values)
{
    uint64_t own = p->own, their = p->their, empty = o->board & ~(own | their),
             open = kn_othello_around(empty), stable[2];
    kn_othello_stable(o, own, their, &stable[0], &stable[1]);
    values[MOVE] = 1;
    values[MOBILITY] = popcount(kn_othello_mobility(o, own, their)) -
                       popcount(kn_othello_mobility(o, their, own));
    values[POTENTIAL] = popcount(kn_othello_around(their) & empty) - popcount(kn_othello_around(own) & empty);
    values[STABLE] = popcount(stable[0]) - popcount(stable[1]);
    values[FRONTIER] = popcount(own & open) - popcount(their & open);
    values[DISCS] = popcount(own) - popcount(their);
    values[PARITY] = popcount(empty) & 1 ? 1 : -1;
}

static int values(const KnGame *game, const void *position, double *out)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    int shown[SHOWN];
    show(o->patterns, p, shown);
    memset(out, 0, (size_t)o->patterns->table->count * sizeof *out);
    count_all(o, p, out);
    for (int i = 0; i < SHOWN; i++)
        if (shown[i]) out[abs(shown[i]) - 1] += shown[i] > 0 ? 1 : -1;
    return kn_othello_phase(o, popcount(p->own | p->their));
}

/* The weighted sum without writing a thousand numbers. */
static double sum(const KnGame *game, const void *position, const double *weights)
{
    const KnOthello *o = kn_othello_of(game);
    const KnOthelloPosition *p = position;
    weights += kn_othello_phase(o, popcount(p->own | p->their)) * o->patterns->table->count;
    int shown[SHOWN];
    double counted[COUNTS], total = 0;
    show(o->patterns, p, shown);
    count_all(o, p, counted);
    for (int i = 0; i < COUNTS; i++) total += counted[i] * weights[i];
    for (int i = 0; i < SHOWN; i++) {
        if (shown[i] > 0)
            total += weights[shown[i] - 1];
        else if (shown[i] < 0)
            total -= weights[-shown[i] - 1];
    }
    return total;
}

/* ---- life ---- */

KnOthelloPatterns *kn_othello_patterns_new(void)
{
    KnOthelloPatterns *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    int terms = number_all(p);
    p->features = calloc((size_t)terms, sizeof *p->features);
    p->names = calloc((size_t)terms, sizeof *p->names);
    if (!p->features || !p->names) {
        kn_othello_patterns_free(p);
        return NULL;
    }
    memcpy(p->features, counts, sizeof counts);
    number_all(p);
    for (int set = 0; set < 64; set++)
        for (int i = 5; i >= 0; i--) p->three[set] = (uint16_t)(3 * p->three[set] + (set >> i & 1));
    p->table[0] = (KnFeatureTable){.name = "patterns",
                                   .help = "what stands on edges, corners and lines, and a few counts",
                                   .features = p->features,
                                   .count = terms,
                                   .values = values,
                                   .sum = sum,
                                   .by_name = true};
    return p;
}

void kn_othello_patterns_free(KnOthelloPatterns *patterns)
{
    if (!patterns) return;
    free(patterns->features);
    free(patterns->names);
    free(patterns);
}

const KnFeatureTable *kn_othello_patterns_table(const KnOthelloPatterns *patterns) { return patterns->table; }
