#include "games/go/playout_policy.h"

enum {
    BORDER = 3,
    ANSWERED_PERCENT = 90, /* of ataris */
    SHAPED_PERCENT = 95,   /* of moves with a pattern next to the last one */
    LOOKS = 6,             /* random probes for chains left in atari */
    LARGE = 6,             /* stones that are never put in atari by their owner */
    REFUSED_PERCENT = 60,  /* of random moves that put fewer in atari; they may be vital inside an eye */
    MOVES = 64,
};

#define OTHER(colour) (3 - (colour))

/* Candidates of one kind, one of which is drawn. Set `count` alone: clearing all of it would cost more than
 * looking for moves. */
typedef struct Moves {
    int count, at[MOVES];
} Moves;

static void add(Moves *moves, int point)
{
    if (moves->count < MOVES) moves->at[moves->count++] = point;
}

static int draw(const Moves *moves, KnRng *rng)
{
    if (moves->count < 2) return moves->count ? moves->at[0] : KN_PLAYOUT_PASS;
    return moves->at[kn_rng_below(rng, (uint32_t)moves->count)];
}

void kn_playout_policy_fill(KnPlayoutPolicy *policy, KnPlayoutKind kind)
{
    policy->kind = kind;
    kn_playout_patterns_fill(&policy->patterns);
}

bool kn_playout_policy_shape(const KnPlayoutPolicy *policy, const KnPlayoutBoard *b, int point)
{
    const int around[8] = {
        point - b->stride - 1, point - b->stride, point - b->stride + 1, point - 1, point + 1,
        point + b->stride - 1, point + b->stride, point + b->stride + 1};
    unsigned surrounding = 0;
    for (int i = 0; i < 8; i++) surrounding |= (unsigned)b->colour[around[i]] << (2 * i);
    return kn_playout_patterns_fit(&policy->patterns, surrounding);
}

static int last_liberty(const KnPlayoutBoard *b, int head) { return (int)(b->sum[head] / b->free[head]); }

/* ---- ataris ---- */

/* Adds the moves that take chains in atari next to a chain. */
static void add_captures(const KnPlayoutBoard *b, int head, Moves *moves)
{
    int at = head, colour = b->colour[head];
    do {
        const int next[4] = KN_PLAYOUT_NEXT(b, at);
        for (int i = 0; i < 4; i++) {
            if (b->colour[next[i]] != OTHER(colour) || !kn_playout_board_atari(b, b->head[next[i]])) continue;
            int point = last_liberty(b, b->head[next[i]]);
            if (kn_playout_board_legal(b, point, colour)) add(moves, point);
        }
        at = b->next[at];
    } while (at != head);
}

bool kn_playout_policy_saves(const KnPlayoutBoard *b, int head, int point)
{
    Moves captures = {0};
    int colour = b->colour[head];
    if (point == last_liberty(b, head) && !kn_playout_board_self_atari(b, point, colour)) return true;
    add_captures(b, head, &captures);
    for (int i = 0; i < captures.count; i++)
        if (captures.at[i] == point) return true;
    return false;
}

/* The answer to the last move: capture it, or save an adjacent chain. */
static int answer(const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    int head = b->head[b->last], point;
    if (kn_playout_board_atari(b, head)) {
        point = last_liberty(b, head);
        if (kn_playout_board_legal(b, point, colour)) return point;
    }
    const int next[4] = KN_PLAYOUT_NEXT(b, b->last);
    Moves saves;
    saves.count = 0;
    for (int i = 0; i < 4; i++) {
        if (b->colour[next[i]] != colour) continue;
        head = b->head[next[i]];
        if (!kn_playout_board_atari(b, head)) continue;
        point = last_liberty(b, head);
        add_captures(b, head, &saves);
        if (kn_playout_board_legal(b, point, colour) && !kn_playout_board_self_atari(b, point, colour))
            add(&saves, point);
    }
    return draw(&saves, rng);
}

/* Whether a move captures, or saves a friendly chain from atari. */
static bool decides(const KnPlayoutBoard *b, int point, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    bool friend = false;
    for (int i = 0; i < 4; i++) {
        int there = b->colour[next[i]];
        if (!there || there == BORDER || !kn_playout_board_atari(b, b->head[next[i]])) continue;
        if (there != colour) return true;
        friend = true;
    }
    return friend && !kn_playout_board_self_atari(b, point, colour);
}

/* ---- small eye spaces and chains with two liberties ---- */

/* The middle of three empty points in a row or a bend that one colour surrounds; 0: there is none at `from`.
 */
static int vital_point(const KnPlayoutBoard *b, int from)
{
    int points[4] = {from}, count = 1, middle = 0, touched = 0;
    for (int i = 0; i < count; i++) {
        const int next[4] = KN_PLAYOUT_NEXT(b, points[i]);
        int free = 0;
        for (int n = 0; n < 4; n++) {
            int there = b->colour[next[n]], known = 0;
            if (there != BORDER) touched |= there;
            if (touched == 3) return 0;
            if (there) continue;
            free++;
            for (int k = 0; k < count; k++) known |= points[k] == next[n];
            if (known) continue;
            if (count == 3) return 0;
            points[count++] = next[n];
        }
        if (free == 2) middle = points[i];
    }
    return count == 3 ? middle : 0;
}

static int nakade(const KnPlayoutBoard *b, int colour)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, b->last);
    for (int i = 0; i < 4; i++) {
        int point = b->colour[next[i]] ? 0 : vital_point(b, next[i]);
        if (point && kn_playout_board_legal(b, point, colour)) return point;
    }
    return KN_PLAYOUT_PASS;
}

/* Whether a chain with the liberties `point` and `other` has more than two after a move of its owner at
 * `point`. */
static bool gains(const KnPlayoutBoard *b, int head, int point, int other)
{
    const int next[4] = KN_PLAYOUT_NEXT(b, point);
    int fresh = 0;
    for (int i = 0; i < 4; i++) fresh += !b->colour[next[i]] && next[i] != other;
    return fresh > 1 || kn_playout_board_liberties_after(b, point, b->colour[head], 3) > 2;
}

/* Adds the liberties of a chain that has two, where its owner would gain liberties. */
static void add_liberties(const KnPlayoutBoard *b, int head, int colour, Moves *moves)
{
    int free[3];
    if (kn_playout_board_liberties(b, head, 3, free) != 2) return;
    for (int i = 0; i < 2; i++)
        if (kn_playout_board_legal(b, free[i], colour) && !kn_playout_board_self_atari(b, free[i], colour) &&
            gains(b, head, free[i], free[1 - i]))
            add(moves, free[i]);
}

static int low_liberties(const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    Moves moves;
    int seen[4], count = moves.count = 0;
    add_liberties(b, b->head[b->last], colour, &moves);
    const int next[4] = KN_PLAYOUT_NEXT(b, b->last);
    for (int i = 0; i < 4; i++) {
        if (b->colour[next[i]] != colour) continue;
        bool known = false;
        for (int k = 0; k < count; k++) known |= seen[k] == b->head[next[i]];
        if (known) continue;
        seen[count++] = b->head[next[i]];
        add_liberties(b, b->head[next[i]], colour, &moves);
    }
    return draw(&moves, rng);
}

/* ---- choosing ---- */

/* A move with shape next to a point. */
static int shapely(const KnPlayoutPolicy *policy, const KnPlayoutBoard *b, int near, int colour, KnRng *rng)
{
    Moves moves;
    moves.count = 0;
    const int around[8] = {near - b->stride - 1, near - b->stride, near - b->stride + 1, near - 1, near + 1,
                           near + b->stride - 1, near + b->stride, near + b->stride + 1};
    for (int i = 0; i < 8; i++) {
        int point = around[i];
        if (!b->colour[point] && kn_playout_policy_shape(policy, b, point) &&
            kn_playout_board_legal(b, point, colour) && !kn_playout_board_self_atari(b, point, colour))
            add(&moves, point);
    }
    return draw(&moves, rng);
}

/* Whether a random move throws stones away. */
static bool refused(const KnPlayoutBoard *b, int point, int colour, KnRng *rng)
{
    if (!kn_playout_board_self_atari(b, point, colour) || kn_playout_board_taken(b, point, colour))
        return false;
    return kn_playout_board_joined(b, point, colour) >= LARGE || kn_rng_below(rng, 100) < REFUSED_PERCENT;
}

static int random_move(const KnPlayoutPolicy *policy, const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    if (!b->empties) return KN_PLAYOUT_PASS;
    int at = (int)kn_rng_below(rng, (uint32_t)b->empties);
    for (int i = 0; i < b->empties; i++) {
        int point = b->empty[at];
        if (++at == b->empties) at = 0;
        if (!kn_playout_board_legal(b, point, colour) || kn_playout_board_eye(b, point, colour)) continue;
        if (policy->kind != KN_PLAYOUT_FUEGO || !refused(b, point, colour, rng)) return point;
    }
    return KN_PLAYOUT_PASS;
}

/* An answer near the last move. */
static int local_move(const KnPlayoutPolicy *policy, const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    int point = KN_PLAYOUT_PASS;
    bool fuego = policy->kind == KN_PLAYOUT_FUEGO;
    if (kn_rng_below(rng, 100) < ANSWERED_PERCENT) point = answer(b, colour, rng);
    if (!point && fuego) point = nakade(b, colour);
    if (!point && fuego) point = low_liberties(b, colour, rng);
    if (!point && kn_rng_below(rng, 100) < SHAPED_PERCENT) point = shapely(policy, b, b->last, colour, rng);
    return point;
}

int kn_playout_policy_choose(const KnPlayoutPolicy *policy, const KnPlayoutBoard *b, int colour, KnRng *rng)
{
    if (policy->kind != KN_PLAYOUT_UNIFORM) {
        int point = b->last && b->colour[b->last] == OTHER(colour) ? local_move(policy, b, colour, rng) : 0;
        if (point && !kn_playout_board_eye(b, point, colour)) return point;
        for (int i = 0; i < LOOKS && b->empties; i++) {
            point = b->empty[kn_rng_below(rng, (uint32_t)b->empties)];
            if (decides(b, point, colour) && kn_playout_board_legal(b, point, colour) &&
                !kn_playout_board_eye(b, point, colour))
                return point;
        }
    }
    return random_move(policy, b, colour, rng);
}

int kn_playout_policy_run(const KnPlayoutPolicy *policy, KnPlayoutBoard *b, int colour, KnRng *rng,
                          uint8_t *first)
{
    int moves = 0, most = 3 * b->size * b->size;
    b->passes = 0;
    for (; b->passes < 2 && moves < most; moves++, colour = OTHER(colour)) {
        int point = kn_playout_policy_choose(policy, b, colour, rng);
        kn_playout_board_play(b, point, colour);
        if (point && !first[point]) first[point] = (uint8_t)colour;
    }
    return moves;
}
