#include "games/playout.h"

#include "base/assert.h"

static bool looks_back(const KnGame *game) { return game->traits & KN_GAME_LOOKS_BACK; }

int kn_playout_draw(const KnGame *game, const void *position, int role, const KnMove *moves, int count,
                    double *chances, KnRng *rng)
{
    KN_ASSERT(count > 0);
    if (role != game->nature || !game->type->chances) return (int)kn_rng_below(rng, (uint32_t)count);
    game->type->chances(game, position, moves, count, chances);
    double at = kn_rng_real(rng);
    int i = 0;
    while (i < count - 1 && (at -= chances[i]) >= 0) i++;
    return i;
}

int kn_playout_moves(const KnPlayout *p, const void *position, double *payoffs)
{
    const KnGame *game = p->game;
    int count = game->type->moves(game, position, p->moves);
    KN_ASSERT(count <= game->max_moves);
    if (count == 0) {
        game->type->payoffs(game, position, payoffs);
    } else if (game->type->ended) {
        KnHistory history = {.hashes = p->hashes, .count = p->hash_count};
        if (game->type->ended(game, position, &history, payoffs)) count = 0;
    }
    return count;
}

bool kn_playout_barred(const KnPlayout *p, const void *position, KnMove move)
{
    KnHistory history = {.hashes = p->hashes, .count = p->hash_count};
    return p->game->type->barred && p->game->type->barred(p->game, position, &history, move);
}

void kn_playout_step(KnPlayout *p, void *position, KnMove move)
{
    if (looks_back(p->game)) p->hashes[p->hash_count++] = p->game->type->hash(p->game, position);
    p->game->type->play(p->game, position, move);
}

/* Games that alternate: one role moves, and the history may bar a move. */
static KnPlayoutEnd run_alternating(KnPlayout *p, void *position, double *payoffs)
{
    const KnGame *game = p->game;
    for (int ply = 0;; ply++) {
        int count = kn_playout_moves(p, position, payoffs);
        if (count == 0) return KN_PLAYOUT_OVER;
        if (ply >= p->plies) return KN_PLAYOUT_CUT;
        int role = game->nature >= 0 ? game->type->mover(game, position) : 0;
        int pick = kn_playout_draw(game, position, role, p->moves, count, p->chances, p->rng);
        while (kn_playout_barred(p, position, p->moves[pick])) {
            p->moves[pick] = p->moves[--count];
            if (count == 0) return KN_PLAYOUT_CUT;
            pick = (int)kn_rng_below(p->rng, (uint32_t)count);
        }
        if (p->allow && !p->allow(p->user)) return KN_PLAYOUT_STOPPED;
        kn_playout_step(p, position, p->moves[pick]);
    }
}

static KnPlayoutEnd run_simultaneous(KnPlayout *p, void *position, double *payoffs)
{
    const KnGame *game = p->game;
    KN_ASSERT(!looks_back(game));
    for (int ply = 0;; ply++) {
        uint32_t movers = kn_game_movers(game, position);
        if (!movers) {
            game->type->payoffs(game, position, payoffs);
            return KN_PLAYOUT_OVER;
        }
        if (ply >= p->plies) return KN_PLAYOUT_CUT;
        KnMove joint[KN_ROLES_MAX];
        for (int role = 0; role < game->roles; role++) {
            int count = movers >> role & 1 ? kn_game_moves_of(game, position, role, p->moves) : 0;
            joint[role] = KN_MOVE_NONE;
            if (count)
                joint[role] =
                    p->moves[kn_playout_draw(game, position, role, p->moves, count, p->chances, p->rng)];
        }
        if (p->allow && !p->allow(p->user)) return KN_PLAYOUT_STOPPED;
        kn_game_play_joint(game, position, joint);
    }
}

KnPlayoutEnd kn_playout_run(KnPlayout *p, void *position, double *payoffs)
{
    return p->game->traits & KN_GAME_SIMULTANEOUS ? run_simultaneous(p, position, payoffs)
                                                  : run_alternating(p, position, payoffs);
}
