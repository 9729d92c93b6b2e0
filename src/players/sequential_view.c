#include "players/sequential_view.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "games/sequential.h"
#include "games/turns.h"

typedef struct SequentialPlayer {
    KnGame *view;
    KnState *state; /* the same game, in turns */
    void *position; /* room for one of the view's */
} SequentialPlayer;

static void close(KnPlayer *player)
{
    SequentialPlayer *t = player->data;
    if (!t) return;
    kn_player_close(player->inner); /* before the game that it plays */
    player->inner = NULL;
    kn_state_free(t->state);
    kn_game_close(t->view);
    free(t->position);
    free(t);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    SequentialPlayer *t = player->data;
    kn_sequential_enter(t->view, position, t->position);
    kn_state_reset(t->state, t->position);
    return kn_player_begin(player->inner, role, t->position, error);
}

/* One step of the game description is one turn of the view: the move of the role to move. */
static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)state;
    SequentialPlayer *t = player->data;
    int mover = t->view->type->mover(t->view, kn_state_position(t->state));
    if (mover < 0) return KN_OK;
    KnStatus status = kn_state_play(t->state, joint[mover], error);
    if (status != KN_OK) return status;
    return kn_player_observe(player->inner, t->state,
                             kn_state_joint_at(t->state, kn_state_plies(t->state) - 1), error);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    SequentialPlayer *t = player->data;
    kn_sequential_enter(t->view, request->position, t->position);
    if (request->allowed_count == 1 || t->view->type->mover(t->view, t->position) != request->role) {
        answer->move = request->allowed[0];
        if (request->wants & KN_WANT_EXPLANATION)
            answer->explanation = kn_explanation_new(request->arena, "there is only one move");
        return KN_OK;
    }
    KnRequest ask = *request;
    ask.game = t->view;
    ask.position = t->position;
    ask.history = kn_state_history(t->state);
    return player->inner->type->choose(player->inner, &ask, answer, error);
}

static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    (void)state;
    SequentialPlayer *t = player->data;
    return kn_player_end(player->inner, t->state, payoffs, error);
}

static const KnPlayerType sequential_player = {
    .head = {"sequential", "plays a game description whose roles take turns as a game of turns", NULL},
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};

/* The sequential view, if a player type refuses the game itself and accepts the view. */
static KnStatus find_view(const KnPlayerType *type, const KnGame *game, KnGame **view, KnError *error)
{
    *view = NULL;
    KnStatus status = type->suits ? type->suits(game, error) : KN_OK;
    if (status == KN_OK || !kn_game_gdl(game) || !(game->traits & KN_GAME_SIMULTANEOUS)) return status;
    KnError explanation; /* only what the player needs is reported, not that the roles take no turns */
    if (kn_game_turns(game, view, &explanation) == KN_OK && *view) status = type->suits(*view, error);
    if (status == KN_OK) return KN_OK;
    kn_game_close(*view);
    *view = NULL;
    return status;
}

KnStatus kn_player_suits(const KnPlayerType *type, const KnGame *game, KnError *error)
{
    KnGame *view;
    KnStatus status = find_view(type, game, &view, error);
    kn_game_close(view);
    return status;
}

KnStatus kn_player_turn(KnPlayer *player, const KnSpec *spec, KnError *error)
{
    KnGame *view;
    KnStatus status = find_view(player->type, player->game, &view, error);
    if (status != KN_OK) return status;
    SequentialPlayer *t = calloc(1, sizeof *t);
    player->type = &sequential_player;
    player->data = t;
    if (!t) {
        kn_game_close(view);
        return kn_fail_memory(error, "opening a player");
    }
    t->view = view;
    t->state = kn_state_new(view);
    t->position = aligned_alloc(16, (view->position_size + 15) & ~(size_t)15);
    if (!t->state || !t->position) return kn_fail_memory(error, "opening a player");
    status = kn_player_open_spec(player->context, view, spec, &player->inner, error);
    if (status != KN_OK) return status;
    player->traits &= player->inner->traits;
    kn_player_add_note(player, kn_player_note(player->inner));
    return KN_OK;
}
