/* The rules of a game as a tree for df-pn. A new leaf's numbers come from mobility: the side that must answer
 * needs as many answers as it has moves (Allis 1994, section 2.4). */
#include "search/dfpn_win.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include <knack/base.h>

#include "search/dfpn.h"

struct KnDfpnWin {
    const KnGame *game;
    KnDfpn search;
    KnMove *moves;            /* of the children in the search's pool */
    unsigned char *positions; /* of the line, by ply */
    size_t stride;
    double middle; /* payoffs above it are wins */
    int prover;
    const KnHistory *history;
};

KnStatus kn_dfpn_win_suits(const KnGame *game, KnError *error)
{
    if (game->roles == 2 && game->nature < 0 && game->traits & KN_GAME_ZERO_SUM &&
        !(game->traits & KN_GAME_SIMULTANEOUS))
        return KN_OK;
    return kn_fail(error, KN_INPUT, "needs a zero-sum game of two players with alternating moves");
}

static void *position_at(const KnDfpnWin *w, int ply)
{
    KN_ASSERT(ply >= 0 && ply <= KN_DFPN_WIN_PLIES);
    return w->positions + (size_t)ply * w->stride;
}

static uint64_t key_of(uint64_t hash) { return kn_mix64(hash) | 1; }

static uint64_t key_at(const KnDfpnWin *w, int ply)
{
    return key_of(w->game->type->hash(w->game, position_at(w, ply)));
}

/* ---- The domain ---- */

static uint64_t key(KnDfpn *search) { return key_at(search->self, search->ply); }

static bool or_node(KnDfpn *search)
{
    const KnDfpnWin *w = search->self;
    return w->game->type->mover(w->game, position_at(w, search->ply)) == w->prover;
}

/* add_child finds the ends of the game. */
static bool terminal(KnDfpn *search, uint64_t position, KnDfpnNode *node)
{
    (void)search, (void)position, (void)node;
    return false;
}

static bool in_history(const KnDfpnWin *w, uint64_t position)
{
    for (size_t i = w->history->count; i-- > 0;)
        if (key_of(w->history->hashes[i]) == position) return true;
    return false;
}

static bool play(KnDfpn *search, int child)
{
    KnDfpnWin *w = search->self;
    memcpy(position_at(w, search->ply + 1), position_at(w, search->ply), w->game->position_size);
    w->game->type->play(w->game, position_at(w, search->ply + 1), w->moves[child]);
    return true;
}

static void undo(KnDfpn *search) { (void)search; }

/* Adds a child by playing its move: the end of the game, a repetition, or a position to search. */
static KnDfpnChild *add_child(KnDfpn *search, KnDfpnNode *node, KnMove move)
{
    KnDfpnWin *w = search->self;
    const KnGame *game = w->game;
    if (search->used >= search->pool_size) return NULL;
    KnMove replies[game->max_moves];
    w->moves[search->used] = move;
    play(search, search->used);
    search->nodes++;
    const void *next = position_at(w, search->ply + 1);
    int count = game->type->moves(game, next, replies);
    KN_ASSERT(count >= 0 && count <= game->max_moves);
    uint64_t after = key_at(w, search->ply + 1);
    bool prover = count && game->type->mover(game, next) == w->prover;
    KnDfpnChild *child = kn_dfpn_add(search, node, node->count, after, prover ? 1 : (uint32_t)count,
                                     prover ? (uint32_t)count : 1);
    bool won = false;
    if (!count) {
        double payoffs[2];
        game->type->payoffs(game, next, payoffs);
        won = payoffs[w->prover] > w->middle;
    } else if (search->ply + 1 < KN_DFPN_WIN_PLIES && !kn_dfpn_repeats(search, after, search->ply + 1) &&
               !in_history(w, after))
        return child;
    child->final = true;
    child->proof = won ? 0 : KN_DFPN_INFINITE;
    child->disproof = won ? KN_DFPN_INFINITE : 0;
    return child;
}

static bool expand(KnDfpn *search, KnDfpnNode *node)
{
    const KnDfpnWin *w = search->self;
    KnMove moves[w->game->max_moves];
    int count = w->game->type->moves(w->game, position_at(w, search->ply), moves);
    for (int i = 0; i < count; i++) {
        const KnDfpnChild *child = add_child(search, node, moves[i]);
        if (!child) {
            search->stopped = true;
            return false;
        }
        if (!node->or_node || !child->final || child->proof) continue;
        kn_dfpn_decide(node, true, i, NULL); /* the prover wins with this move: the others do not matter */
        return true;
    }
    return false;
}

static const KnDfpnDomain rules = {.reread = true,
                                   .key = key,
                                   .or_node = or_node,
                                   .terminal = terminal,
                                   .expand = expand,
                                   .play = play,
                                   .undo = undo};

/* ---- The search ---- */

KnStatus kn_dfpn_win_new(const KnGame *game, unsigned bits, KnDfpnWin **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_dfpn_win_suits(game, error);
    if (status != KN_OK) return status;
    KnDfpnWin *w = calloc(1, sizeof *w);
    if (!w) return kn_fail_memory(error, "preparing proofs");
    int pool = KN_DFPN_WIN_PLIES * game->max_moves;
    w->game = game;
    w->middle = (game->payoff_low + game->payoff_high) / 2;
    w->stride = (game->position_size + 15) & ~(size_t)15;
    w->positions = aligned_alloc(16, (KN_DFPN_WIN_PLIES + 1) * w->stride);
    w->moves = malloc((size_t)pool * sizeof *w->moves);
    if (!kn_dfpn_init(&w->search, &rules, w, bits, pool) || !w->positions || !w->moves) {
        kn_dfpn_win_free(w);
        return kn_fail_memory(error, "preparing proofs");
    }
    *out = w;
    return KN_OK;
}

void kn_dfpn_win_free(KnDfpnWin *win)
{
    if (!win) return;
    kn_dfpn_free(&win->search);
    free(win->positions);
    free(win->moves);
    free(win);
}

bool kn_dfpn_win_run(KnDfpnWin *w, const void *position, const KnHistory *history, uint64_t limit,
                     KnMove *move, uint64_t *nodes)
{
    static const KnHistory none = {0};
    *move = KN_MOVE_NONE;
    *nodes = 0;
    if (kn_game_over(w->game, position)) return false;
    w->prover = w->game->type->mover(w->game, position);
    w->history = history ? history : &none;
    memcpy(position_at(w, 0), position, w->game->position_size);
    kn_dfpn_clear(&w->search, 0);
    KnDfpnNode root = kn_dfpn_run(&w->search, limit, 0);
    *nodes = w->search.nodes;
    if (root.proof) return false;
    *move = w->moves[root.move]; /* the root's children are the first of the pool */
    return true;
}
