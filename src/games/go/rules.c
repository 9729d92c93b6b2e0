/* The rules of Go, written once for any shape and inlined with each shape as a constant. */

/* The loops over a board's few words should be unrolled into registers; gcc 12 vectorises them through memory
 * instead, which is 1.7 times slower on 19x19. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-vectorize")
#endif

#include "base/assert.h"
#include "games/go/board.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Writes eight moves: the bits of a byte from `base` on, then garbage. */
GO_INLINE void write_byte(const KnGoRules *rules, unsigned byte, unsigned base, KnMove *out)
{
#ifdef __SSE2__
    __m128i zero = _mm_setzero_si128(),
            places = _mm_loadl_epi64((const __m128i *)(const void *)rules->bits[byte]);
    places = _mm_add_epi16(_mm_unpacklo_epi8(places, zero), _mm_set1_epi16((short)base));
    __m128i low = _mm_unpacklo_epi16(places, zero), high = _mm_unpackhi_epi16(places, zero);
    __m128i *to = (__m128i *)(void *)out;
    _mm_storeu_si128(to, _mm_unpacklo_epi32(low, zero));
    _mm_storeu_si128(to + 1, _mm_unpackhi_epi32(low, zero));
    _mm_storeu_si128(to + 2, _mm_unpacklo_epi32(high, zero));
    _mm_storeu_si128(to + 3, _mm_unpackhi_epi32(high, zero));
#else
    for (int k = 0; k < 8; k++) out[k] = (KnMove)(base + rules->bits[byte][k]);
#endif
}

/* Lists a set as moves. Point by point this takes half of the time of random play, because of mispredicted
 * loop ends. So a byte of eight points is written at a time and the next one overwrites the excess; only near
 * the end of the buffer it goes point by point. */
GO_INLINE KnMove *list_points(KnGoShape s, const KnGoRules *rules, KnGoBits set, KnMove *out,
                              const KnMove *room)
{
#pragma GCC unroll 8
    for (int i = 0; i < s.words; i++) {
        int rows = s.lines - i * s.rows < s.rows ? s.lines - i * s.rows : s.rows;
#pragma GCC unroll 8
        for (unsigned shift = 0; shift < (unsigned)(rows * s.stride); shift += 8) {
            unsigned byte = set.w[i] >> shift & 255, base = (unsigned)i * 64 + shift;
            if (__builtin_expect(out + 8 <= room, 1)) {
                write_byte(rules, byte, base, out);
                out += rules->bit_counts[byte];
            } else {
                for (; byte; byte &= byte - 1) *out++ = (KnMove)(base + (unsigned)__builtin_ctz(byte));
            }
        }
    }
    return out;
}

GO_INLINE int list_moves(KnGoShape s, const KnGame *game, const KnGoPosition *p, KnMove *out)
{
    const KnGoRules *rules = go_rules(game);
    if (p->passes == 2) return 0;
    KnGoBits own = go_load(s, p->boards + p->mover * s.words);
    KnGoBits other = go_load(s, p->boards + (1 - p->mover) * s.words);
    KnGoBits atari = go_load(s, p->boards + 2 * s.words);
    KnGoBits legal = go_less(s, go_legal(s, rules->all, own, other, atari), go_point(s, p->ko));
    KnMove *end = list_points(s, rules, legal, out, out + game->max_moves);
    *end++ = KN_GO_PASS;
    return (int)(end - out);
}

/* Opposing strings that the move captures: those in atari next to it. */
GO_INLINE KnGoBits taken(KnGoShape s, KnGoBits near, KnGoBits other, KnGoBits atari)
{
    KnGoBits weak = go_both(s, other, atari), dead = go_both(s, near, weak);
    return go_any(s, dead) ? go_flood(s, dead, weak) : dead;
}

GO_INLINE uint64_t keys_of(KnGoShape s, const uint64_t *keys, KnGoBits b)
{
    uint64_t sum = 0;
    for (int i = 0; i < s.words; i++)
        for (uint64_t x = b.w[i]; x; x &= x - 1) sum ^= keys[i * 64 + __builtin_ctzll(x)];
    return sum;
}

GO_INLINE void place(KnGoShape s, const KnGoRules *rules, KnGoPosition *p, unsigned code)
{
    KN_ASSERT(rules->cells[code] != GO_NONE);
    int me = p->mover;
    KnGoBits own = go_load(s, p->boards + me * s.words);
    KnGoBits other = go_load(s, p->boards + (1 - me) * s.words);
    KnGoBits atari = go_load(s, p->boards + 2 * s.words);
    KnGoBits stone = go_point(s, code), near = go_next(s, stone);
    KnGoBits mates = go_both(s, near, own);
    uint64_t hash = p->board_hash ^ rules->keys[me][code];
    unsigned ko = GO_NONE;

    KnGoBits dead = taken(s, near, other, atari);
    bool takes = go_any(s, dead);
    if (takes) { /* neighbours of captured stones gain a liberty: at least two */
        other = go_less(s, other, dead);
        hash ^= keys_of(s, rules->keys[1 - me], dead);
        KnGoBits pinned = go_both(s, own, atari), freed = go_both(s, go_next(s, dead), pinned);
        if (go_any(s, freed)) freed = go_flood(s, freed, pinned);
        atari = go_less(s, go_less(s, atari, dead), freed);
    }
    KnGoBits rescued = go_both(s, mates, atari);
    if (go_any(s, rescued)) atari = go_less(s, atari, go_flood(s, rescued, go_both(s, own, atari)));
    own = go_either(s, own, stone);
    KnGoBits empty = go_less(s, rules->all, go_either(s, own, other));

    for (KnGoBits touched = go_both(s, near, other); go_any(s, touched);) {
        KnGoBits string = go_point(s, go_first(s, touched));
        if (!go_breathes(s, &string, other, empty)) atari = go_either(s, atari, string);
        touched = go_less(s, touched, string);
    }
    KnGoBits liberties = go_both(s, near, empty);
    if (!go_several(s, liberties)) {
        KnGoBits string = stone;
        if (!go_any(s, mates)) {
            atari = go_either(s, atari, stone);
            if (takes && !go_several(s, dead)) ko = go_first(s, dead);
        } else if (!go_breathes(s, &string, own, empty))
            atari = go_either(s, atari, string);
    }

    go_store(s, p->boards + me * s.words, own);
    if (takes) go_store(s, p->boards + (1 - me) * s.words, other);
    go_store(s, p->boards + 2 * s.words, atari);
    p->board_hash = hash;
    p->ko = (uint16_t)ko;
    p->mover = (uint8_t)(1 - me);
    p->passes = 0;
}

static void pass(KnGoPosition *p)
{
    p->ko = GO_NONE;
    p->mover ^= 1;
    p->passes++;
}

int kn_go_small_moves(const KnGame *game, const void *position, KnMove *moves)
{
    return list_moves(go_small, game, position, moves);
}

int kn_go_large_moves(const KnGame *game, const void *position, KnMove *moves)
{
    return list_moves(go_large, game, position, moves);
}

void kn_go_small_play(const KnGame *game, void *position, KnMove move)
{
    if (move == KN_GO_PASS)
        pass(position);
    else
        place(go_small, go_rules(game), position, (unsigned)move);
}

void kn_go_large_play(const KnGame *game, void *position, KnMove move)
{
    if (move == KN_GO_PASS)
        pass(position);
    else
        place(go_large, go_rules(game), position, (unsigned)move);
}

/* Positional superko: a placement may not recreate the stones of any earlier position, regardless of the side
 * to move. Hashes of the same stones agree above the tail; different stones collide with probability 2^-52 a
 * comparison. The current position need not be checked: a placement always changes the stones.
 *
 * An earlier position with the same stones had one of the mover's on the point that is played on. So only
 * points that were taken before and are empty now can be barred. The history's trace knows which were ever
 * taken, on small boards by each colour, on large ones, where that would not fit, by either. */
GO_INLINE int trace_of(KnGoShape s, int colour)
{
    return 2 * s.words <= KN_HISTORY_TRACE ? colour * s.words : 0;
}

static bool in_history(const KnHistory *history, uint64_t after)
{
    if (!kn_history_may_hold(history, after)) return false;
    for (size_t i = history->count; i-- > 0;)
        if ((history->hashes[i] ^ after) >> GO_TAIL == 0) return true;
    return false;
}

GO_INLINE bool is_barred(KnGoShape s, const KnGoRules *rules, const KnGoPosition *p, const KnHistory *history,
                         unsigned code)
{
    int me = p->mover;
    KnGoBits near = go_next(s, go_point(s, code));
    KnGoBits dead = taken(s, near, go_load(s, p->boards + (1 - me) * s.words),
                          go_load(s, p->boards + 2 * s.words));
    return in_history(history, p->board_hash ^ rules->keys[me][code] ^ keys_of(s, rules->keys[1 - me], dead));
}

bool kn_go_barred(const KnGame *game, const void *position, const KnHistory *history, KnMove move)
{
    const KnGoRules *rules = go_rules(game);
    if (!rules->superko || move == KN_GO_PASS || !history) return false;
    return GO_SHAPED(rules, is_barred, rules, position, history, (unsigned)move);
}

GO_INLINE void add_trace(KnGoShape s, const KnGoPosition *p, uint64_t *trace)
{
    _Static_assert((int)GO_WORDS <= (int)KN_HISTORY_TRACE, "a trace has a bit for each point");
    for (int colour = 0; colour < 2; colour++)
        for (int i = 0; i < s.words; i++) trace[trace_of(s, colour) + i] |= p->boards[colour * s.words + i];
}

void kn_go_trace(const KnGame *game, const void *position, uint64_t *trace)
{
    GO_SHAPED(go_rules(game), add_trace, position, trace);
}

/* The points to look at, one by one; mostly there are few. Most of them capture nothing: then the hash of the
 * stones afterwards is known at once. */
GO_INLINE int keep_allowed(KnGoShape s, const KnGoRules *rules, const KnGoPosition *p,
                           const KnHistory *history, KnMove *moves, int count)
{
    const int me = p->mover;
    KnGoBits other = go_load(s, p->boards + (1 - me) * s.words);
    KnGoBits stones = go_either(s, go_load(s, p->boards + me * s.words), other);
    KnGoBits taking = go_next(s, go_both(s, other, go_load(s, p->boards + 2 * s.words)));
    KnGoBits suspects = go_less(s, history->trace ? go_load(s, history->trace + trace_of(s, me)) : rules->all,
                                stones);
    KnGoBits barred = go_nothing();
    for (int i = 0; i < s.words; i++)
        for (uint64_t left = suspects.w[i]; left; left &= left - 1) {
            unsigned code = (unsigned)(i * 64 + __builtin_ctzll(left));
            uint64_t point = left & -left;
            if (taking.w[i] & point ? is_barred(s, rules, p, history, code)
                                    : in_history(history, p->board_hash ^ rules->keys[me][code]))
                barred.w[i] |= point;
        }
    if (!go_any(s, barred)) return count;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (moves[i] == KN_GO_PASS || !(barred.w[moves[i] >> 6] >> (moves[i] & 63) & 1))
            moves[kept++] = moves[i];
    return kept;
}

int kn_go_keep_allowed(const KnGame *game, const void *position, const KnHistory *history, KnMove *moves,
                       int count)
{
    const KnGoRules *rules = go_rules(game);
    if (!rules->superko || !history) return count;
    return GO_SHAPED(rules, keep_allowed, rules, position, history, moves, count);
}
