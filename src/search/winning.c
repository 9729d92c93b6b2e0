/* Numbers are those of Allis (1994) in the depth-first form of Nagai (2002): pn, how many leaves must still
 * be shown to be wins, and dn, how many that they are not. A leaf begins with as many as the side that must
 * answer has moves. */
#include "search/winning.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

#define MOST ((uint32_t)1 << 30) /* as good as never; sums stop here */

typedef struct Entry {
    uint64_t key; /* 0: none */
    uint32_t pn, dn;
} Entry;

struct KnWinning {
    const KnGame *game;
    Entry *table;
    uint64_t mask;
    double middle; /* payoffs above it are wins */
    int attacker;
    uint64_t nodes, most;
    const KnHistory *history;
    uint64_t path[KN_WINNING_PLIES];
};

typedef struct Child {
    KnMove move;
    uint64_t key;
    uint32_t pn, dn; /* of a leaf that was just made; the table's where it has them */
    bool settled;    /* over, or it came again: not in the table */
} Child;

KnStatus kn_winning_suits(const KnGame *game, KnError *error)
{
    if (game->roles == 2 && game->nature < 0 && game->traits & KN_GAME_ZERO_SUM &&
        !(game->traits & KN_GAME_SIMULTANEOUS))
        return KN_OK;
    return kn_fail(error, KN_INPUT,
                   "needs a game for two who take turns and where one wins what the other loses");
}

KnStatus kn_winning_new(const KnGame *game, unsigned bits, KnWinning **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_winning_suits(game, error);
    if (status != KN_OK) return status;
    KnWinning *w = calloc(1, sizeof *w);
    Entry *table = calloc((size_t)1 << bits, sizeof *table);
    if (!w || !table) {
        free(w);
        free(table);
        return kn_fail_memory(error, "preparing proofs");
    }
    *w = (KnWinning){.game = game,
                     .table = table,
                     .mask = ((uint64_t)1 << bits) - 1,
                     .middle = (game->payoff_low + game->payoff_high) / 2};
    *out = w;
    return KN_OK;
}

void kn_winning_free(KnWinning *winning)
{
    if (winning) free(winning->table);
    free(winning);
}

static Entry *slot_of(KnWinning *w, uint64_t key) { return &w->table[key & w->mask]; }

static uint32_t add(uint32_t a, uint32_t b) { return a >= MOST || b >= MOST || a + b >= MOST ? MOST : a + b; }

/* On the line to here, or in the contest so far. */
static bool comes_again(const KnWinning *w, uint64_t key, int ply)
{
    for (int i = ply; i >= 0; i--)
        if (w->path[i] == key) return true;
    for (size_t i = w->history->count; i-- > 0;)
        if ((kn_mix64(w->history->hashes[i]) | 1) == key) return true;
    return false;
}

static uint64_t key_of(const KnWinning *w, const void *position)
{
    return kn_mix64(w->game->type->hash(w->game, position)) | 1;
}

/* Plays a move to see what it leads to: the end, a place that was there before, or something to be looked at.
 */
static void make_child(KnWinning *w, const void *position, int ply, Child *child)
{
    const KnGame *game = w->game;
    _Alignas(16) unsigned char next[game->position_size];
    KnMove moves[game->max_moves];
    memcpy(next, position, game->position_size);
    game->type->play(game, next, child->move);
    w->nodes++;
    child->key = key_of(w, next);
    child->settled = true;
    int count = game->type->moves(game, next, moves);
    if (!count) {
        double payoffs[2];
        game->type->payoffs(game, next, payoffs);
        bool won = payoffs[w->attacker] > w->middle;
        child->pn = won ? 0 : MOST;
        child->dn = won ? MOST : 0;
    } else if (ply + 1 >= KN_WINNING_PLIES || comes_again(w, child->key, ply)) {
        child->pn = MOST;
        child->dn = 0;
    } else {
        bool own = game->type->mover(game, next) == w->attacker;
        child->settled = false;
        child->pn = own ? 1 : (uint32_t)count;
        child->dn = own ? (uint32_t)count : 1;
    }
}

static void refresh(KnWinning *w, Child *child)
{
    const Entry *entry = slot_of(w, child->key);
    if (child->settled || entry->key != child->key) return;
    child->pn = entry->pn;
    child->dn = entry->dn;
}

/* What a node's children say together; the child to look at next, and the second best number beside it. */
typedef struct Sum {
    uint32_t pn, dn, second;
    int best;
} Sum;

static Sum sum_up(KnWinning *w, Child *children, int count, bool own)
{
    Sum s = {own ? MOST : 0, own ? 0 : MOST, MOST, 0};
    for (int i = 0; i < count; i++) {
        refresh(w, &children[i]);
        uint32_t least = own ? children[i].pn : children[i].dn, other = own ? children[i].dn : children[i].pn;
        uint32_t *lowest = own ? &s.pn : &s.dn, *whole = own ? &s.dn : &s.pn;
        *whole = add(*whole, other);
        if (least < *lowest || i == 0)
            s.second = i ? *lowest : MOST, *lowest = least, s.best = i;
        else if (least < s.second)
            s.second = least;
    }
    return s;
}

static uint32_t least_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Looks below a position until one of its numbers reaches its limit, or the budget is spent. */
static Sum look(KnWinning *w, const void *position, int ply, uint32_t most_pn, uint32_t most_dn,
                KnMove *winner)
{
    const KnGame *game = w->game;
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    bool own = game->type->mover(game, position) == w->attacker;
    Child children[count];
    w->path[ply] = key_of(w, position);
    for (int i = 0; i < count; i++) {
        children[i] = (Child){.move = moves[i]};
        make_child(w, position, ply, &children[i]);
        if (own && children[i].settled && !children[i].pn) { /* won at once: nothing else matters */
            if (winner) *winner = moves[i];
            *slot_of(w, w->path[ply]) = (Entry){w->path[ply], 0, MOST};
            return (Sum){0, MOST, MOST, i};
        }
    }
    _Alignas(16) unsigned char next[game->position_size];
    for (;;) {
        Sum s = sum_up(w, children, count, own);
        *slot_of(w, w->path[ply]) = (Entry){w->path[ply], s.pn, s.dn};
        if (!s.pn && winner) *winner = children[s.best].move;
        if (s.pn >= most_pn || s.dn >= most_dn || w->nodes >= w->most || children[s.best].settled) return s;
        const Child *child = &children[s.best];
        uint32_t step = s.second < MOST ? s.second + 1 : MOST, pn, dn;
        if (own)
            pn = least_of(most_pn, step), dn = add(most_dn - s.dn, child->dn);
        else
            dn = least_of(most_dn, step), pn = add(most_pn - s.pn, child->pn);
        memcpy(next, position, game->position_size);
        game->type->play(game, next, child->move);
        w->nodes++;
        Sum below = look(w, next, ply + 1, pn, dn, NULL);
        children[s.best].pn = below.pn; /* also if its place in the table was taken by another */
        children[s.best].dn = below.dn;
    }
}

bool kn_winning_run(KnWinning *w, const void *position, const KnHistory *history, uint64_t most, KnMove *move,
                    uint64_t *nodes)
{
    static const KnHistory none = {0};
    memset(w->table, 0, (w->mask + 1) * sizeof *w->table);
    w->attacker = w->game->type->mover(w->game, position);
    w->history = history ? history : &none;
    w->nodes = 0;
    w->most = most;
    *move = KN_MOVE_NONE;
    if (!kn_game_over(w->game, position)) look(w, position, 0, MOST, MOST, move);
    *nodes = w->nodes;
    return *move != KN_MOVE_NONE;
}
