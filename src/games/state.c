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
    const KnGameType *type;
    unsigned char *here;   /* the current position: positions + plies * stride */
    int mover;             /* of it, in alternating games */
    bool ends, alternates; /* the history may end a game; one role moves at a time */
    bool plain;            /* two roles take turns, positions are small, and the history bars no move */
    KnHistory history;     /* as rules get it */
    size_t capacity;
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
    if (positions) {
        state->positions = positions;
        state->here = state->positions + state->history.count * state->stride;
    }
    void *hashes = realloc(state->hashes, capacity * sizeof(uint64_t));
    if (hashes) state->history.hashes = state->hashes = hashes;
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

/* Most positions have one of these sizes, for which a call of memcpy takes longer than the copy. */
static inline void copy_position(const KnState *state, void *restrict to, const void *restrict from)
{
    if (state->stride == 16)
        memcpy(to, from, 16);
    else if (state->stride == 32)
        memcpy(to, from, 32);
    else if (state->stride == 64)
        memcpy(to, from, 64);
    else
        memcpy(to, from, state->stride);
}

/* Makes the position at this ply the current one. */
static inline void stand_at(KnState *state, size_t ply)
{
    state->history.count = ply;
    state->here = position_slot(state, ply);
    if (state->alternates) state->mover = state->type->mover(state->game, state->here);
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
    state->type = game->type;
    state->ends = game->traits & KN_GAME_LOOKS_BACK && game->type->ended;
    state->alternates = !game->type->play_joint;
    state->stride = (game->position_size + 15) & ~(size_t)15;
    state->plain = state->alternates && !game->type->moves_of && game->roles == 2 &&
                   (state->stride == 16 || state->stride == 32) && !bars_moves(game);
    if (bars_moves(game)) state->filter = malloc(FILTER_WORDS * sizeof *state->filter);
    if (!reserve_plies(state, 0) || (bars_moves(game) && !state->filter)) {
        kn_state_free(state);
        return NULL;
    }
    state->history.filter = state->filter;
    if (state->filter && game->type->trace) state->history.trace = state->trace;
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
    if (position)
        memmove(state->positions, position, game->position_size);
    else
        game->type->start(game, state->positions);
    stand_at(state, 0);
    state->hashes[0] = game->type->hash(game, state->here);
    if (!state->filter) return;
    memset(state->filter, 0, FILTER_WORDS * sizeof *state->filter);
    memset(state->trace, 0, sizeof state->trace);
}

const KnGame *kn_state_game(const KnState *state) { return state->game; }

const void *kn_state_position(const KnState *state) { return state->here; }

KnHistory kn_state_history(const KnState *state) { return state->history; }

size_t kn_state_plies(const KnState *state) { return state->history.count; }

static inline bool ended_by_history(const KnState *state, double *payoffs)
{
    if (!state->ends) return false;
    double dropped[KN_ROLES_MAX];
    return state->type->ended(state->game, state->here, &state->history, payoffs ? payoffs : dropped);
}

/* The moves that the history leaves. Few games need it: the others should not save registers for it. */
static __attribute__((noinline)) int allowed_moves(const KnState *state, KnMove *moves, int count)
{
    if (state->type->keep_allowed)
        return state->type->keep_allowed(state->game, state->here, &state->history, moves, count);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!state->type->barred(state->game, state->here, &state->history, moves[i]))
            moves[kept++] = moves[i];
    return kept;
}

static __attribute__((noinline)) int moves_of_any(const KnState *state, int role, KnMove *moves)
{
    const KnGame *game = state->game;
    int count = state->type->moves_of  ? state->type->moves_of(game, state->here, role, moves)
                : state->mover == role ? state->type->moves(game, state->here, moves)
                                       : 0;
    KN_ASSERT(count >= 0 && count <= game->max_moves);
    if (!count || ended_by_history(state, NULL)) return 0;
    return state->filter ? allowed_moves(state, moves, count) : count;
}

int kn_state_moves(const KnState *state, int role, KnMove *moves)
{
    KN_ASSERT(role >= 0 && role < state->game->roles);
    if (!state->plain) return moves_of_any(state, role, moves);
    if (state->mover != role) return 0;
    int count = state->type->moves(state->game, state->here, moves);
    KN_ASSERT(count >= 0 && count <= state->game->max_moves);
    return count && !ended_by_history(state, NULL) ? count : 0;
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

/* Notes the current position where the history bars moves. */
static __attribute__((noinline)) void remember(KnState *state)
{
    uint64_t place = state->hashes[state->history.count] >> (64 - KN_HISTORY_BITS);
    state->filter[place / 64] |= UINT64_C(1) << place % 64;
    if (state->type->trace) state->type->trace(state->game, state->here, state->trace);
}

/* Makes the current position history, and returns a copy of it to play on. */
static inline void *next_position(KnState *state)
{
    void *next = state->here + state->stride;
    if (state->filter) remember(state);
    copy_position(state, next, state->here);
    return next;
}

KnStatus kn_state_play_joint(KnState *state, const KnMove *joint, KnError *error)
{
    const KnGame *game = state->game;
    if (state->alternates) {
        KN_ASSERT(joint[state->mover] != KN_MOVE_NONE);
        return kn_state_play(state, joint[state->mover], error);
    }
    if (!reserve_plies(state, state->history.count + 1)) return kn_fail_memory(error, "playing a game");
    size_t roles = (size_t)game->roles;
    memcpy(state->joints + state->history.count * roles, joint, roles * sizeof *joint);
    void *next = next_position(state);
    game->type->play_joint(game, next, joint);
    stand_at(state, state->history.count + 1);
    state->hashes[state->history.count] = game->type->hash(game, next);
    return KN_OK;
}

static __attribute__((noinline)) KnStatus play_any(KnState *state, KnMove move, KnError *error)
{
    const KnGame *game = state->game;
    if (!reserve_plies(state, state->history.count + 1)) return kn_fail_memory(error, "playing a game");
    KN_ASSERT(state->alternates);
    KnMove *joint = state->joints + state->history.count * (size_t)game->roles;
    if (game->roles == 2)
        joint[0] = joint[1] = KN_MOVE_NONE;
    else
        for (int role = 0; role < game->roles; role++) joint[role] = KN_MOVE_NONE;
    joint[state->mover] = move;
    unsigned char *next = next_position(state);
    state->type->play(game, next, move);
    state->here = next;
    state->mover = state->type->mover(game, next);
    state->hashes[++state->history.count] = state->type->hash(game, next);
    return KN_OK;
}

/* The usual case has a way of its own: the same, with nothing to ask of the game. */
KnStatus kn_state_play(KnState *state, KnMove move, KnError *error)
{
    size_t ply = state->history.count;
    if (!state->plain || ply + 2 > state->capacity) return play_any(state, move, error);
    KnMove *joint = state->joints + 2 * ply;
    joint[0] = joint[1] = KN_MOVE_NONE;
    joint[state->mover] = move;
    unsigned char *next = state->here + state->stride;
    if (state->stride == 32) memcpy(next + 16, state->here + 16, 16);
    memcpy(next, state->here, 16);
    state->here = next;
    state->history.count = ply + 1;
    state->type->play(state->game, next, move);
    state->mover = state->type->mover(state->game, next);
    state->hashes[ply + 1] = state->type->hash(state->game, next);
    return KN_OK;
}

bool kn_state_undo(KnState *state)
{
    if (!state->history.count) return false;
    stand_at(state, state->history.count - 1);
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
    size_t before = state->history.count;
    KnStatus status = kn_replay(state, moves, error);
    if (status != KN_OK) stand_at(state, before);
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
    KN_ASSERT(ply <= state->history.count);
    return position_slot(state, ply);
}

const KnMove *kn_state_joint_at(const KnState *state, size_t ply)
{
    KN_ASSERT(ply < state->history.count);
    return state->joints + ply * (size_t)state->game->roles;
}
