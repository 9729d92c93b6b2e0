#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/game.h"
#include "games/replay.h"

/* Positions, hashes and joint moves are kept by ply in growing arrays. Undo is a step down, so that no game
 * needs an undo of its own. Matches and random games spend much of their time here, so alternating games have
 * a short way through: no joint move is filled in only to be taken apart again. */
struct KnState {
    const KnGame *game;
    size_t plies, capacity;
    size_t stride;            /* of positions: their size rounded up to their alignment */
    unsigned char *positions; /* plies + 1 of them */
    uint64_t *hashes;         /* of positions 0..plies */
    KnMove *joints;           /* plies x roles */
    /* Of games whose history bars moves (KnHistory): a bit for the upper bits of each hash before the current
     * one, and the game's own trace. Undo leaves bits behind, which only cost a look. */
    uint64_t *filter;
    uint64_t trace[KN_HISTORY_TRACE];
};

enum { FILTER_WORDS = (1 << KN_HISTORY_BITS) / 64 };

static bool grow(KnState *state)
{
    size_t capacity = state->capacity ? state->capacity * 2 : 64;
    void *positions = realloc(state->positions, capacity * state->stride);
    if (positions) state->positions = positions;
    void *hashes = realloc(state->hashes, capacity * sizeof(uint64_t));
    if (hashes) state->hashes = hashes;
    void *joints = realloc(state->joints, capacity * (size_t)state->game->roles * sizeof(KnMove));
    if (joints) state->joints = joints;
    if (!positions || !hashes || !joints) return false;
    state->capacity = capacity;
    return true;
}

static inline bool reserve_plies(KnState *state, size_t plies)
{
    return plies + 1 <= state->capacity || grow(state);
}

static inline void *position_slot(const KnState *state, size_t ply)
{
    return state->positions + ply * state->stride;
}

/* Positions are mostly a few blocks of 16 bytes, for which a call of memcpy takes longer than the copy. */
static inline void copy_position(const KnState *state, void *restrict to, const void *restrict from)
{
    size_t blocks = state->stride / 16;
    if (blocks > 8)
        memcpy(to, from, state->stride);
    else
        for (size_t i = 0; i < blocks; i++) memcpy((char *)to + i * 16, (const char *)from + i * 16, 16);
}

static bool bars_moves(const KnGame *game)
{
    return game->traits & KN_GAME_LOOKS_BACK && (game->type->barred || game->type->keep_allowed);
}

KnState *kn_state_new(const KnGame *game)
{
    KnState *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->game = game;
    state->stride = (game->position_size + 15) & ~(size_t)15;
    if (bars_moves(game)) state->filter = malloc(FILTER_WORDS * sizeof *state->filter);
    if (!reserve_plies(state, 0) || (bars_moves(game) && !state->filter)) {
        kn_state_free(state);
        return NULL;
    }
    kn_state_reset(state, NULL);
    return state;
}

void kn_state_free(KnState *state)
{
    if (!state) return;
    free(state->positions);
    free(state->hashes);
    free(state->joints);
    free(state->filter);
    free(state);
}

void kn_state_reset(KnState *state, const void *position)
{
    const KnGame *game = state->game;
    state->plies = 0;
    if (position)
        memmove(position_slot(state, 0), position, game->position_size);
    else
        game->type->start(game, position_slot(state, 0));
    state->hashes[0] = game->type->hash(game, position_slot(state, 0));
    if (!state->filter) return;
    memset(state->filter, 0, FILTER_WORDS * sizeof *state->filter);
    memset(state->trace, 0, sizeof state->trace);
}

const KnGame *kn_state_game(const KnState *state) { return state->game; }

const void *kn_state_position(const KnState *state) { return position_slot(state, state->plies); }

KnHistory kn_state_history(const KnState *state)
{
    return (KnHistory){.hashes = state->hashes,
                       .count = state->plies,
                       .filter = state->filter,
                       .trace = state->filter && state->game->type->trace ? state->trace : NULL};
}

size_t kn_state_plies(const KnState *state) { return state->plies; }

static bool ended_by_history(const KnState *state, double *payoffs)
{
    const KnGame *game = state->game;
    if (!game->type->ended) return false;
    KnHistory history = kn_state_history(state);
    double dropped[KN_ROLES_MAX];
    return game->type->ended(game, kn_state_position(state), &history, payoffs ? payoffs : dropped);
}

int kn_state_moves(const KnState *state, int role, KnMove *moves)
{
    const KnGame *game = state->game;
    const void *position = kn_state_position(state);
    KN_ASSERT(role >= 0 && role < game->roles);
    int count = kn_game_moves_of(game, position, role, moves);
    KN_ASSERT(count >= 0 && count <= game->max_moves);
    if (!count || ended_by_history(state, NULL)) return 0;
    if (!state->filter) return count;
    KnHistory history = kn_state_history(state);
    if (game->type->keep_allowed) return game->type->keep_allowed(game, position, &history, moves, count);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!game->type->barred(game, position, &history, moves[i])) moves[kept++] = moves[i];
    return kept;
}

uint32_t kn_state_movers(const KnState *state)
{
    return ended_by_history(state, NULL) ? 0 : kn_game_movers(state->game, kn_state_position(state));
}

bool kn_state_over(const KnState *state, double *payoffs)
{
    const KnGame *game = state->game;
    const void *position = kn_state_position(state);
    if (kn_game_over(game, position)) {
        if (payoffs) game->type->payoffs(game, position, payoffs);
        return true;
    }
    return ended_by_history(state, payoffs);
}

/* Makes the current position history, and returns a copy of it to play on. */
static inline void *next_position(KnState *state)
{
    const KnGame *game = state->game;
    const void *position = position_slot(state, state->plies);
    void *next = position_slot(state, state->plies + 1);
    if (state->filter) {
        uint64_t place = state->hashes[state->plies] >> (64 - KN_HISTORY_BITS);
        state->filter[place / 64] |= UINT64_C(1) << place % 64;
        if (game->type->trace) game->type->trace(game, position, state->trace);
    }
    copy_position(state, next, position);
    return next;
}

KnStatus kn_state_play_joint(KnState *state, const KnMove *joint, KnError *error)
{
    const KnGame *game = state->game;
    if (!game->type->play_joint) {
        int mover = game->type->mover(game, kn_state_position(state));
        KN_ASSERT(joint[mover] != KN_MOVE_NONE);
        return kn_state_play(state, joint[mover], error);
    }
    if (!reserve_plies(state, state->plies + 1)) return kn_fail_memory(error, "playing a game");
    size_t roles = (size_t)game->roles;
    memcpy(state->joints + state->plies * roles, joint, roles * sizeof *joint);
    void *next = next_position(state);
    game->type->play_joint(game, next, joint);
    state->hashes[++state->plies] = game->type->hash(game, next);
    return KN_OK;
}

KnStatus kn_state_play(KnState *state, KnMove move, KnError *error)
{
    const KnGame *game = state->game;
    if (!reserve_plies(state, state->plies + 1)) return kn_fail_memory(error, "playing a game");
    KnMove *joint = state->joints + state->plies * (size_t)game->roles;
    for (int role = 0; role < game->roles; role++) joint[role] = KN_MOVE_NONE;
    void *next = next_position(state);
    joint[game->type->mover(game, next)] = move;
    game->type->play(game, next, move);
    state->hashes[++state->plies] = game->type->hash(game, next);
    return KN_OK;
}

bool kn_state_undo(KnState *state)
{
    if (!state->plies) return false;
    state->plies--;
    return true;
}

KnStatus kn_state_set(KnState *state, const char *text, KnError *error)
{
    void *position = aligned_alloc(16, state->stride);
    if (!position) return kn_fail_memory(error, "setting up a position");
    memset(position, 0, state->stride);
    KnStatus status = kn_game_parse_position(state->game, text, position, error);
    if (status == KN_OK) kn_state_reset(state, position);
    free(position);
    return status;
}

int kn_state_mover(const KnState *state) { return __builtin_ffs((int)kn_state_movers(state)) - 1; }

KnStatus kn_state_play_text(KnState *state, const char *moves, KnError *error)
{
    size_t before = state->plies;
    KnStatus status = kn_replay(state, moves, error);
    if (status != KN_OK) state->plies = before;
    return status;
}

char *kn_state_text(const KnState *state)
{
    return kn_game_position_text(state->game, kn_state_position(state));
}

char *kn_state_drawing(const KnState *state)
{
    return kn_game_drawing(state->game, kn_state_position(state));
}

char *kn_state_moves_text(const KnState *state)
{
    KnText text = KN_TEXT_EMPTY;
    kn_moves_text(state, &text);
    return kn_text_take(&text);
}

const void *kn_state_position_at(const KnState *state, size_t ply)
{
    KN_ASSERT(ply <= state->plies);
    return position_slot(state, ply);
}

const KnMove *kn_state_joint_at(const KnState *state, size_t ply)
{
    KN_ASSERT(ply < state->plies);
    return state->joints + ply * (size_t)state->game->roles;
}
