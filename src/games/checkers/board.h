/* Bitboards of English draughts, for the files of this folder.
 *
 * The 32 playable squares are bits of a word, laid out so that a diagonal step is a rotation by a constant:
 * +1 for down left, +7 for down right, modulo 32; a rotation of the board by 180 degrees reverses the word.
 * Whole sets step in one instruction, and each direction needs only a mask against wrapping. Squares have
 * their PDN numbers: 1-4 is the top row, where black begins, 29-32 the bottom row, where white begins;
 * black's men move down. */
#ifndef KNACK_GAMES_CHECKERS_BOARD_H
#define KNACK_GAMES_CHECKERS_BOARD_H

#include "games/game.h"

enum { KN_CHECKERS_BLACK, KN_CHECKERS_WHITE, KN_CHECKERS_MEN = 12 };

/* Twelve kings have at most 48 steps. No position with more than 28 captures is known (a hill climb over
 * positions found none); the generator stops at the limit. */
enum { KN_CHECKERS_MOVES_MAX = 64 };

/* 16 bytes without padding: a copy is one load and one store. */
typedef struct KnCheckersPosition {
    uint32_t pieces[2]; /* black and white, men and kings */
    uint32_t kings;     /* of both */
    uint16_t quiet;     /* plies since a man's move or a capture; always 0 with draw=0 */
    uint16_t mover;
} KnCheckersPosition;

/* The options of an instance. */
typedef struct KnCheckersRules {
    uint32_t limit; /* quiet plies that make a draw; UINT32_MAX: no limit */
    uint16_t tick;  /* added to the counter by a quiet ply; 0 without the rule */
    int repetition; /* occurrences that make a draw; 0: no rule */
} KnCheckersRules;

static inline const KnCheckersRules *kn_checkers_rules(const KnGame *game) { return game->data; }

/* The bit of PDN square s; a constant if s is one. */
#define KN_CHECKERS_INDEX(s) ((((((s)-1) / 4) + 1) / 2 + 7 * (((s)-1) / 8) + 6 * (((s)-1) % 4) + 10) & 31)
#define SQ(s)                (1u << KN_CHECKERS_INDEX(s))
/* Row r, 0 at the top. */
#define ROW(r) (SQ(4 * (r) + 1) | SQ(4 * (r) + 2) | SQ(4 * (r) + 3) | SQ(4 * (r) + 4))

/* The PDN number of a bit's index: the inverse of KN_CHECKERS_INDEX. */
static inline int kn_checkers_square(int index)
{
    static const uint8_t squares[32] = {18, 22, 25, 29, 12, 16, 19, 23, 26, 30, 1,  5,  20, 24, 27, 31,
                                        2,  6,  9,  13, 28, 32, 3,  7,  10, 14, 17, 21, 4,  8,  11, 15};
    return squares[index];
}

static inline int kn_checkers_square_of(uint32_t bit) { return kn_checkers_square(__builtin_ctz(bit)); }

/* Directions; `way ^ 2` is the opposite. Black's men move in the first two, white's in the last two. */
enum { DOWN_LEFT, DOWN_RIGHT, UP_RIGHT, UP_LEFT };

static inline uint32_t kn_checkers_rotate(uint32_t set, int by)
{
    return set << (by & 31) | set >> (-by & 31);
}

/* Steps a whole set in one direction; pieces that would leave the board are dropped. */
static inline __attribute__((always_inline)) uint32_t kn_checkers_step(uint32_t set, int way)
{
    enum { LEFT_EDGE = SQ(5) | SQ(13) | SQ(21) | SQ(29), RIGHT_EDGE = SQ(4) | SQ(12) | SQ(20) | SQ(28) };
    switch (way) {
    case DOWN_LEFT:
        return kn_checkers_rotate(set, 1) & ~(uint32_t)(ROW(0) | RIGHT_EDGE);
    case DOWN_RIGHT:
        return kn_checkers_rotate(set, 7) & ~(uint32_t)(ROW(0) | LEFT_EDGE);
    case UP_RIGHT:
        return kn_checkers_rotate(set, -1) & ~(uint32_t)(ROW(7) | LEFT_EDGE);
    default:
        return kn_checkers_rotate(set, -7) & ~(uint32_t)(ROW(7) | RIGHT_EDGE);
    }
}

/* Rotates the board by 180 degrees: square s becomes 33 - s. */
static inline uint32_t kn_checkers_turn(uint32_t set)
{
    set = (set >> 1 & 0x55555555u) | (set & 0x55555555u) << 1;
    set = (set >> 2 & 0x33333333u) | (set & 0x33333333u) << 2;
    set = (set >> 4 & 0x0f0f0f0fu) | (set & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(set);
}

/* Population count without the POPCNT instruction, which not every x86-64 has. */
static inline int kn_checkers_popcount(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

static inline uint32_t kn_checkers_king_row(int side) { return side == KN_CHECKERS_BLACK ? ROW(7) : ROW(0); }

/* A move: the low half is the set of the squares it leaves and reaches (one square if a king's jumps return
 * to the start), the high half the captured pieces. Two routes with the same result are the same move. */
static inline KnMove kn_checkers_move(uint32_t change, uint32_t taken)
{
    return (KnMove)taken << 32 | change;
}
static inline uint32_t kn_checkers_change(KnMove move) { return (uint32_t)move; }
static inline uint32_t kn_checkers_taken(KnMove move) { return (uint32_t)(move >> 32); }

/* Origin and destination of the moving piece. */
static inline uint32_t kn_checkers_from(const KnCheckersPosition *p, KnMove move)
{
    return kn_checkers_change(move) & p->pieces[p->mover];
}
static inline uint32_t kn_checkers_to(const KnCheckersPosition *p, KnMove move)
{
    uint32_t to = kn_checkers_change(move) & ~p->pieces[p->mover];
    return to ? to : kn_checkers_change(move);
}

/* Plays a legal move. A man never stands on its king row, so a change there is an arrival. */
static inline void kn_checkers_apply(KnCheckersPosition *p, KnMove move, unsigned tick)
{
    uint32_t change = kn_checkers_change(move), taken = kn_checkers_taken(move);
    int side = p->mover;
    uint32_t kings = p->kings, king = kings & change;
    unsigned quiet = king ? p->quiet + tick : 0;
    if (taken) {
        p->pieces[1 - side] ^= taken;
        kings &= ~taken;
        quiet = 0;
        if (!(change & (change - 1))) change = 0; /* it returns to its square */
    }
    p->pieces[side] ^= change;
    p->kings = kings ^ (king ? change : change & kn_checkers_king_row(side));
    p->quiet = (uint16_t)quiet;
    p->mover = (uint16_t)(1 - side);
}

/* moves.c: generates all legal moves by the board alone (counters ignored), captures if there are any; counts
 * them; tells whether a side can capture; and counts the routes of a capture. `out` has room for
 * KN_CHECKERS_MOVES_MAX. */
int kn_checkers_generate(const KnCheckersPosition *p, KnMove *out);
int kn_checkers_count(const KnCheckersPosition *p, bool paths);
bool kn_checkers_can_jump(const KnCheckersPosition *p, int side);
int kn_checkers_paths(const KnCheckersPosition *p, KnMove move);

/* notation.c and position.c: the text hooks. */
void kn_checkers_move_text(const KnGame *game, const void *position, KnMove move, KnText *out);
KnStatus kn_checkers_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                                KnError *error);
void kn_checkers_position_text(const KnGame *game, const void *position, KnText *out);
KnStatus kn_checkers_parse_position(const KnGame *game, const char *text, void *position, KnError *error);
KnStatus kn_checkers_check(const KnGame *game, const void *position, KnError *error);
void kn_checkers_draw(const KnGame *game, const void *position, bool colour, KnText *out);

/* features.c */
extern const KnFeature kn_checkers_features[];
extern const int kn_checkers_feature_count;
extern const KnGameEvaluation kn_checkers_evaluations[];
void kn_checkers_feature_values(const KnGame *game, const void *position, int role, double *values);
double kn_checkers_material(const KnGame *game, const void *position, int role);
int kn_checkers_phase(const KnGame *game, const void *position);

/* feature_set.c: the table for this processor, and the portable one. */
const KnFeatureTable *kn_checkers_feature_set(void);
const KnFeatureTable *kn_checkers_feature_set_plain(void);

/* threats.c */
enum { KN_CHECKERS_THREATS = 8 };
extern const KnFeature kn_checkers_threat_features[KN_CHECKERS_THREATS];
int kn_checkers_threat_values(const KnGame *game, const void *position, double *values);

#endif
