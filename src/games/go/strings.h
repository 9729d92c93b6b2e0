/* A Go board for tactics: strings of stones with their liberties and the strings of the other colour next to
 * them, all kept up to date as stones are played and taken back.
 *
 * The game's own positions (board.h) know no strings: that makes them small and quick to copy. Reading a
 * capture asks the same string for its liberties again and again between single moves, so here they are kept,
 * as sets with a bit a point. Every change is logged with what stood there before; taking back replays the
 * log, which costs as much as the move did.
 *
 * Points are numbered with a border around the board, so that neighbours need no test for the edge. */
#ifndef KNACK_GAMES_GO_STRINGS_H
#define KNACK_GAMES_GO_STRINGS_H

#include "games/go/go.h"

enum {
    KN_STRINGS_WORDS = 7,
    KN_STRINGS_POINTS = KN_STRINGS_WORDS * 64,
    KN_STRINGS_NONE = 0, /* a point of the border: stands for a pass, and for no ko */
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

/* for (every point of a set, lowest first) */
#define KN_POINTS_EACH(strings, set, point)                                                                  \
    for (int word_##point = 0, point = 0; word_##point < (strings)->words; word_##point++)                   \
        for (uint64_t bits_##point = (set)->w[word_##point];                                                 \
             bits_##point && (point = word_##point * 64 + __builtin_ctzll(bits_##point), true);              \
             bits_##point &= bits_##point - 1)

typedef struct KnString {
    uint16_t stones, liberties; /* how many */
    KnPointSet free;            /* the liberties */
    KnPointSet foes;            /* strings of the other colour next to it, by their heads */
} KnString;

typedef struct KnStrings {
    int size, stride, words;
    uint8_t colour[KN_STRINGS_POINTS];
    uint16_t head[KN_STRINGS_POINTS]; /* of a stone: its string's name, one of its points */
    uint16_t link[KN_STRINGS_POINTS]; /* of a stone: the next of its string, in a circle */
    KnString string[KN_STRINGS_POINTS];
    uint64_t hash; /* of the stones */
    int ko;        /* where the side to move may not play, or KN_STRINGS_NONE */
    int plies;
    struct KnStringsLog *log;
} KnStrings;

/* An empty board; NULL without memory. */
KnStrings *kn_strings_new(int size);
void kn_strings_free(KnStrings *strings);

/* The stones and the ko of a position. What was played before can no longer be taken back. */
void kn_strings_set(KnStrings *strings, const KnGame *game, const void *position);

static inline int kn_strings_point(const KnStrings *s, int x, int y) { return (y + 1) * s->stride + x + 1; }
static inline int kn_strings_x(const KnStrings *s, int point) { return point % s->stride - 1; }
static inline int kn_strings_y(const KnStrings *s, int point) { return point / s->stride - 1; }
KnMove kn_strings_move(const KnStrings *strings, const KnGame *game, int point); /* KN_GO_PASS for none */
int kn_strings_from_move(const KnStrings *strings, const KnGame *game, KnMove move);

/* The string that a stone belongs to. */
static inline KnString *kn_string_of(KnStrings *s, int point) { return &s->string[s->head[point]]; }

/* No suicide, no retaking of the ko. */
bool kn_strings_legal(const KnStrings *strings, int point, int colour);

/* Plays a legal stone, or passes (KN_STRINGS_NONE); takes back the last. False: no memory to log it, nothing
 * was played. */
bool kn_strings_play(KnStrings *strings, int point, int colour);
void kn_strings_undo(KnStrings *strings);

/* What the hash and the ko would be after a legal stone or a pass. */
uint64_t kn_strings_hash_after(const KnStrings *strings, int point, int colour, int *ko);

/* How many stones the last move took. */
int kn_strings_taken(const KnStrings *strings);

/* The four neighbours of a point. */
#define KN_NEIGHBOURS(s, point)                                                                              \
    {                                                                                                        \
        (point) - (s)->stride, (point)-1, (point) + 1, (point) + (s)->stride                                 \
    }

#endif
