#include "games/contest.h"

#include <stdlib.h>
#include <string.h>

/* Everything is kept by ply in three growing arrays: taking back is a step down, and no game needs an undo.
 */
struct KnContest {
    const KnGame *game;
    size_t plies, capacity;
    size_t stride;            /* of positions: their size rounded up to their alignment */
    unsigned char *positions; /* plies + 1 of them */
    uint64_t *hashes;         /* of positions 0..plies */
    KnMove *joints;           /* plies x roles */
};

static bool contest_reserve(KnContest *contest, size_t plies)
{
    if (plies + 1 <= contest->capacity) return true;
    size_t capacity = contest->capacity ? contest->capacity * 2 : 64;
    void *positions = realloc(contest->positions, capacity * contest->stride);
    if (positions) contest->positions = positions;
    void *hashes = realloc(contest->hashes, capacity * sizeof(uint64_t));
    if (hashes) contest->hashes = hashes;
    void *joints = realloc(contest->joints, capacity * (size_t)contest->game->roles * sizeof(KnMove));
    if (joints) contest->joints = joints;
    if (!positions || !hashes || !joints) return false;
    contest->capacity = capacity;
    return true;
}

static void *position_slot(const KnContest *contest, size_t ply)
{
    return contest->positions + ply * contest->stride;
}

KnContest *kn_contest_new(const KnGame *game)
{
    KnContest *contest = calloc(1, sizeof *contest);
    if (!contest) return NULL;
    contest->game = game;
    contest->stride = (game->position_size + 15) & ~(size_t)15;
    if (!contest_reserve(contest, 0)) {
        kn_contest_free(contest);
        return NULL;
    }
    kn_contest_reset(contest, NULL);
    return contest;
}

void kn_contest_free(KnContest *contest)
{
    if (!contest) return;
    free(contest->positions);
    free(contest->hashes);
    free(contest->joints);
    free(contest);
}

void kn_contest_reset(KnContest *contest, const void *position)
{
    const KnGame *game = contest->game;
    contest->plies = 0;
    if (position)
        memmove(position_slot(contest, 0), position, game->position_size);
    else
        game->type->start(game, position_slot(contest, 0));
    contest->hashes[0] = game->type->hash(game, position_slot(contest, 0));
}

const KnGame *kn_contest_game(const KnContest *contest) { return contest->game; }

const void *kn_contest_position(const KnContest *contest) { return position_slot(contest, contest->plies); }

KnHistory kn_contest_history(const KnContest *contest)
{
    return (KnHistory){contest->hashes, contest->plies};
}

size_t kn_contest_plies(const KnContest *contest) { return contest->plies; }

static bool ended_by_history(const KnContest *contest, double *payoffs)
{
    const KnGame *game = contest->game;
    if (!game->type->ended) return false;
    KnHistory history = kn_contest_history(contest);
    double dropped[KN_ROLES_MAX];
    return game->type->ended(game, kn_contest_position(contest), &history, payoffs ? payoffs : dropped);
}

int kn_contest_moves(const KnContest *contest, int role, KnMove *moves)
{
    const KnGame *game = contest->game;
    const void *position = kn_contest_position(contest);
    int count = kn_game_moves_of(game, position, role, moves);
    if (!count || ended_by_history(contest, NULL)) return 0;
    if (!game->type->barred) return count;
    KnHistory history = kn_contest_history(contest);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!game->type->barred(game, position, &history, moves[i])) moves[kept++] = moves[i];
    return kept;
}

uint32_t kn_contest_movers(const KnContest *contest)
{
    return ended_by_history(contest, NULL) ? 0 : kn_game_movers(contest->game, kn_contest_position(contest));
}

bool kn_contest_over(const KnContest *contest, double *payoffs)
{
    const KnGame *game = contest->game;
    const void *position = kn_contest_position(contest);
    if (kn_game_over(game, position)) {
        if (payoffs) game->type->payoffs(game, position, payoffs);
        return true;
    }
    return ended_by_history(contest, payoffs);
}

KnStatus kn_contest_play_joint(KnContest *contest, const KnMove *joint, KnError *error)
{
    const KnGame *game = contest->game;
    if (!contest_reserve(contest, contest->plies + 1)) return kn_fail_memory(error, "playing a contest");
    size_t roles = (size_t)game->roles;
    memcpy(contest->joints + contest->plies * roles, joint, roles * sizeof *joint);
    void *next = position_slot(contest, contest->plies + 1);
    memcpy(next, position_slot(contest, contest->plies), game->position_size);
    kn_game_play_joint(game, next, joint);
    contest->plies++;
    contest->hashes[contest->plies] = game->type->hash(game, next);
    return KN_OK;
}

KnStatus kn_contest_play(KnContest *contest, KnMove move, KnError *error)
{
    KnMove joint[KN_ROLES_MAX];
    for (int role = 0; role < contest->game->roles; role++) joint[role] = KN_MOVE_NONE;
    joint[contest->game->type->mover(contest->game, kn_contest_position(contest))] = move;
    return kn_contest_play_joint(contest, joint, error);
}

bool kn_contest_undo(KnContest *contest)
{
    if (!contest->plies) return false;
    contest->plies--;
    return true;
}

const void *kn_contest_position_at(const KnContest *contest, size_t ply)
{
    return position_slot(contest, ply);
}

const KnMove *kn_contest_joint_at(const KnContest *contest, size_t ply)
{
    return contest->joints + ply * (size_t)contest->game->roles;
}
