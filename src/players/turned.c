#include "players/turned.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "games/sequential.h"
#include "games/turns.h"

typedef struct Turned {
    KnGame *view;
    KnContest *contest; /* the same contest, in turns */
    void *position;     /* room for one of the view's */
} Turned;

static void close(KnPlayer *player)
{
    Turned *t = player->data;
    if (!t) return;
    kn_player_close(player->inner); /* before the game that it plays */
    player->inner = NULL;
    kn_contest_free(t->contest);
    kn_game_close(t->view);
    free(t->position);
    free(t);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Turned *t = player->data;
    kn_sequential_enter(t->view, position, t->position);
    kn_contest_reset(t->contest, t->position);
    return kn_player_begin(player->inner, role, t->position, error);
}

/* One step of the sheet is one turn of the view: the move of whoever has it there. */
static KnStatus observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error)
{
    (void)contest;
    Turned *t = player->data;
    int mover = t->view->type->mover(t->view, kn_contest_position(t->contest));
    if (mover < 0) return KN_OK;
    KnStatus status = kn_contest_play(t->contest, joint[mover], error);
    if (status != KN_OK) return status;
    return kn_player_observe(player->inner, t->contest,
                             kn_contest_joint_at(t->contest, kn_contest_plies(t->contest) - 1), error);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Turned *t = player->data;
    kn_sequential_enter(t->view, request->position, t->position);
    if (request->allowed_count == 1 || t->view->type->mover(t->view, t->position) != request->role) {
        answer->move = request->allowed[0];
        if (request->wants & KN_WANT_REASON)
            answer->reason = kn_reason_new(request->arena, "there is only one move");
        return KN_OK;
    }
    KnRequest ask = *request;
    ask.game = t->view;
    ask.position = t->position;
    ask.history = kn_contest_history(t->contest);
    return player->inner->type->choose(player->inner, &ask, answer, error);
}

static KnStatus end(KnPlayer *player, const KnContest *contest, const double *payoffs, KnError *error)
{
    (void)contest;
    Turned *t = player->data;
    return kn_player_end(player->inner, t->contest, payoffs, error);
}

static const KnPlayerType turned = {
    .head = {"turned", "plays a rule sheet whose roles take turns as a game of turns", NULL},
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};

/* The view of a sheet that a kind of player refuses, where it takes that instead. */
static KnStatus find_view(const KnPlayerType *type, const KnGame *game, KnGame **view, KnError *error)
{
    *view = NULL;
    KnStatus status = type->suits ? type->suits(game, error) : KN_OK;
    if (status == KN_OK || !kn_game_gdl(game) || !(game->traits & KN_GAME_SIMULTANEOUS)) return status;
    KnError reason; /* that a sheet has no turns is no news: what the player needs is */
    if (kn_game_turns(game, view, &reason) == KN_OK && *view) status = type->suits(*view, error);
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
    Turned *t = calloc(1, sizeof *t);
    player->type = &turned;
    player->data = t;
    if (!t) {
        kn_game_close(view);
        return kn_fail_memory(error, "opening a player");
    }
    t->view = view;
    t->contest = kn_contest_new(view);
    t->position = aligned_alloc(16, (view->position_size + 15) & ~(size_t)15);
    if (!t->contest || !t->position) return kn_fail_memory(error, "opening a player");
    status = kn_player_open_spec(player->context, view, spec, &player->inner, error);
    if (status != KN_OK) return status;
    player->traits &= player->inner->traits;
    if (player->inner->note.length) kn_text_add(&player->note, player->inner->note.data);
    return KN_OK;
}
