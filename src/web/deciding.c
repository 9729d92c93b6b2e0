#include "web/deciding.h"

#include <stdlib.h>
#include <string.h>

KnStatus kn_decision_copy(KnDecision *decision, KnSitting *sitting, size_t ply, int role, const char *spec,
                          KnError *error)
{
    KnWeb *web = sitting->web;
    *decision = (KnDecision){.web = web,
                             .shown = sitting->shown,
                             .role = role,
                             .seed = sitting->seed,
                             .seconds = web->options.move_seconds};
    kn_shelf_keep(web->shelf, sitting->shown);
    decision->spec = strdup(spec);
    decision->contest = kn_contest_new(sitting->shown->game);
    decision->arena = kn_arena_new();
    if (!decision->spec || !decision->contest || !decision->arena)
        return kn_fail_memory(error, "preparing a decision");
    size_t roles = (size_t)sitting->shown->game->roles;
    kn_contest_reset(decision->contest, kn_contest_position_at(sitting->contest, 0));
    KnStatus status = KN_OK;
    for (size_t i = 0; i < ply && status == KN_OK; i++)
        status = kn_contest_play_joint(decision->contest, sitting->joints + i * roles, error);
    return status;
}

/* Tells the player what has been played. */
static KnStatus retell(KnDecision *decision, KnPlayer *player, KnError *error)
{
    const KnContest *contest = decision->contest;
    KnStatus status = kn_player_begin(player, decision->role, kn_contest_position_at(contest, 0), error);
    if (status != KN_OK || !player->type->observe) return status;
    KnContest *again = kn_contest_new(decision->shown->game);
    if (!again) return kn_fail_memory(error, "telling a player the moves");
    kn_contest_reset(again, kn_contest_position_at(contest, 0));
    for (size_t ply = 0; ply < kn_contest_plies(contest) && status == KN_OK; ply++) {
        const KnMove *joint = kn_contest_joint_at(contest, ply);
        status = kn_contest_play_joint(again, joint, error);
        if (status == KN_OK) status = kn_player_observe(player, again, joint, error);
    }
    kn_contest_free(again);
    return status;
}

KnStatus kn_decision_make(KnDecision *decision, KnError *error)
{
    const KnGame *game = decision->shown->game;
    KnMove *moves = malloc(sizeof *moves * (size_t)game->max_moves);
    if (!moves) return kn_fail_memory(error, "preparing a decision");
    KnRng rng = kn_rng_stream(decision->seed,
                              kn_contest_plies(decision->contest) * KN_ROLES_MAX + (size_t)decision->role);
    KnRequest request = {.game = game,
                         .position = kn_contest_position(decision->contest),
                         .history = kn_contest_history(decision->contest),
                         .role = decision->role,
                         .allowed = moves,
                         .allowed_count = kn_contest_moves(decision->contest, decision->role, moves),
                         .budget = {.seconds = decision->seconds},
                         .rng = &rng,
                         .cancel = decision->cancel,
                         .wants = decision->wants,
                         .arena = decision->arena};
    KnPlayer *player = NULL;
    KnStatus status = request.allowed_count
                          ? KN_OK
                          : kn_fail(error, KN_NO, "%s has no move here", game->role_names[decision->role]);
    if (status == KN_OK)
        status = kn_shelf_lend(decision->web->shelf, decision->shown, decision->spec, &player, error);
    if (status == KN_OK) status = retell(decision, player, error);
    if (status == KN_OK) status = kn_player_choose(player, &request, &decision->answer, error);
    kn_shelf_back(decision->web->shelf, decision->shown, player);
    free(moves);
    return status;
}

void kn_decision_free(KnDecision *decision)
{
    if (!decision->web) return;
    free(decision->spec);
    kn_contest_free(decision->contest);
    kn_arena_free(decision->arena);
    kn_shelf_return(decision->web->shelf, decision->shown);
}

json_t *kn_decision_json(const KnDecision *decision)
{
    const char *name = kn_game_move_name(decision->shown->game, kn_contest_position(decision->contest),
                                         decision->answer.move, decision->arena);
    int path[KN_SITTING_PATH];
    bool simultaneous = decision->shown->game->traits & KN_GAME_SIMULTANEOUS;
    int count = kn_shown_path(decision->shown, kn_contest_position(decision->contest),
                              simultaneous ? KN_MOVE_NONE : decision->answer.move, name ? name : "", path,
                              KN_SITTING_PATH);
    json_t *cells = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(cells, json_integer(path[i]));
    json_t *document = json_pack("{ss so si sI ss}", "move", name ? name : "", "path", cells, "role",
                                 decision->role, "ply", (json_int_t)kn_contest_plies(decision->contest), "by",
                                 decision->spec);
    if (decision->answer.has_score) {
        json_t *score = kn_score_json(decision->answer.score);
        json_object_update_missing(document, score);
        json_decref(score);
    }
    if (decision->answer.reason)
        json_object_set_new(document, "reason", kn_reason_json(decision->answer.reason));
    return document;
}
