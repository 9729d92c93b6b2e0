/* A Go board for tactical reading: strings with their liberties and adjacent opposing strings, updated
 * incrementally with undo.
 *
 * The game's own positions (board.h) do not store strings, which makes them small and fast to copy. Reading a
 * capture asks for the liberties of the same string again and again, so here they are stored as bit sets.
 * Every change is logged with the previous content; undo replays the log and costs as much as the move.
 *
 * Points are numbered with a border around the board, so neighbours need no edge test. */
#ifndef KNACK_GAMES_GO_STRINGS_H
#define KNACK_GAMES_GO_STRINGS_H

#include "games/go/go.h"

enum {
    KN_STRINGS_WORDS = 7,
    KN_STRINGS_POINTS = KN_STRINGS_WORDS * 64,
    KN_STRINGS_NONE = 0, /* a border point: a pass, or no ko */
};

enum { KN_STONE_NONE, KN_STONE_BLACK, KN_STONE_WHITE, KN_STONE_BORDER };
#define KN_STONE_OTHER(colour) (3 - (colour))

typedef struct KnPointSet {
    uint64_t w[KN_STRINGS_WORDS];
} KnPointSet;

static inline bool kn_points_has(const KnPointSet *set, int point)
{
    return set->w[point >> 6] >> (point & 63) & 1;
}
static inline void kn_points_add(KnPointSet *set, int point)
{
    set->w[point >> 6] |= (uint64_t)1 << (point & 63);
}
static inline void kn_points_drop(KnPointSet *set, int point)
{
    set->w[point >> 6] &= ~((uint64_t)1 << (point & 63));
}

/* for (each point of a set, lowest first) */
#define KN_POINTS_EACH(strings, set, point)                                                                  \
    for (int word_##point = 0, point = 0; word_##point < (strings)->words; word_##point++)                   \
        for (uint64_t bits_##point = (set)->w[word_##point];                                                 \
             bits_##point && (point = word_##point * 64 + __builtin_ctzll(bits_##point), true);              \
             bits_##point &= bits_##point - 1)

typedef struct KnString {
    uint16_t stones, liberties; /* numbers of them */
    KnPointSet free;            /* the liberties */
    KnPointSet foes;            /* adjacent opposing strings, by head */
} KnString;

typedef struct KnStrings {
    int size, stride, words;
    uint8_t colour[KN_STRINGS_POINTS];
    uint16_t head[KN_STRINGS_POINTS]; /* of a stone: the point that names its string */
    uint16_t link[KN_STRINGS_POINTS]; /* of a stone: the next of its string, cyclic */
    KnString string[KN_STRINGS_POINTS];
    uint64_t hash; /* Zobrist hash of the stones */
    int ko;        /* point forbidden by ko, or KN_STRINGS_NONE */
    int plies;
    struct KnStringsLog *log;
} KnStrings;

/* An empty board; NULL if memory runs out. */
KnStrings *kn_strings_new(int size);
void kn_strings_free(KnStrings *strings);

/* Sets up the stones and the ko of a position. Earlier moves cannot be undone afterwards. */
void kn_strings_set(KnStrings *strings, const KnGame *game, const void *position);

static inline int kn_strings_point(const KnStrings *s, int x, int y) { return (y + 1) * s->stride + x + 1; }
static inline int kn_strings_x(const KnStrings *s, int point) { return point % s->stride - 1; }
static inline int kn_strings_y(const KnStrings *s, int point) { return point / s->stride - 1; }
KnMove kn_strings_move(const KnStrings *strings, const KnGame *game, int point); /* KN_GO_PASS for none */
int kn_strings_from_move(const KnStrings *strings, const KnGame *game, KnMove move);

/* How many points a set has. Bit by bit: sets of liberties are small, and not every processor counts bits. */
static inline int kn_points_count(const KnStrings *s, const KnPointSet *set)
{
    int count = 0;
    for (int w = 0; w < s->words; w++)
        for (uint64_t bits = set->w[w]; bits; bits &= bits - 1) count++;
    return count;
}

/* The string of a stone. */
static inline KnString *kn_string_of(KnStrings *s, int point) { return &s->string[s->head[point]]; }

/* Whether a move is legal: no suicide, no ko. */
bool kn_strings_legal(const KnStrings *strings, int point, int colour);

/* Plays a legal move or a pass (KN_STRINGS_NONE); undoes the last one. False: out of memory, nothing was
 * played. */
bool kn_strings_play(KnStrings *strings, int point, int colour);
void kn_strings_undo(KnStrings *strings);

/* Hash and ko after a legal move or a pass. */
uint64_t kn_strings_hash_after(const KnStrings *strings, int point, int colour, int *ko);

/* Number of stones that the last move captured. */
int kn_strings_taken(const KnStrings *strings);

/* The four neighbours of a point. */
#define KN_NEIGHBOURS(s, point)                                                                              \
    {                                                                                                        \
        (point) - (s)->stride, (point)-1, (point) + 1, (point) + (s)->stride                                 \
    }

#endif
