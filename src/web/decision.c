#include "web/decision.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

KnStatus kn_decision_copy(KnDecision *decision, KnSession *session, size_t ply, int role, const char *spec,
                          KnError *error)
{
    KN_ASSERT(ply <= session->plies && role >= 0 && role < session->cached->game->roles);
    KnWeb *web = session->web;
    *decision = (KnDecision){.web = web,
                             .cached = session->cached,
                             .role = role,
                             .seed = session->seed,
                             .seconds = web->options.move_seconds};
    kn_player_cache_retain_game(web->cache, session->cached);
    decision->spec = strdup(spec);
    decision->state = kn_state_new(session->cached->game);
    decision->arena = kn_arena_new();
    if (!decision->spec || !decision->state || !decision->arena)
        return kn_fail_memory(error, "preparing a decision");
    size_t roles = (size_t)session->cached->game->roles;
    kn_state_reset(decision->state, kn_state_position_at(session->state, 0));
    KnStatus status = KN_OK;
    for (size_t i = 0; i < ply && status == KN_OK; i++)
        status = kn_state_play_joint(decision->state, session->joints + i * roles, error);
    return status;
}

uint64_t kn_decision_kind(const KnCachedGame *cached, const char *spec)
{
    return kn_hash128(cached->spec, strlen(cached->spec)).low ^ kn_hash128(spec, strlen(spec)).high;
}

/* Replays the game to the player: begin, then observe for each move. */
static KnStatus replay_to(KnDecision *decision, KnPlayer *player, KnError *error)
{
    const KnState *state = decision->state;
    KnStatus status = kn_player_begin(player, decision->role, kn_state_position_at(state, 0), error);
    if (status != KN_OK || !player->type->observe) return status;
    KnState *again = kn_state_new(decision->cached->game);
    if (!again) return kn_fail_memory(error, "replaying the moves");
    kn_state_reset(again, kn_state_position_at(state, 0));
    for (size_t ply = 0; ply < kn_state_plies(state) && status == KN_OK; ply++) {
        const KnMove *joint = kn_state_joint_at(state, ply);
        status = kn_state_play_joint(again, joint, error);
        if (status == KN_OK) status = kn_player_observe(player, again, joint, error);
    }
    kn_state_free(again);
    return status;
}

KnStatus kn_decision_make(KnDecision *decision, KnError *error)
{
    const KnGame *game = decision->cached->game;
    KnMove *moves = malloc(sizeof *moves * (size_t)game->max_moves);
    if (!moves) return kn_fail_memory(error, "preparing a decision");
    KnRng rng = kn_rng_stream(decision->seed,
                              kn_state_plies(decision->state) * KN_ROLES_MAX + (size_t)decision->role);
    KnRequest request = {.game = game,
                         .position = kn_state_position(decision->state),
                         .history = kn_state_history(decision->state),
                         .role = decision->role,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(decision->state, decision->role, moves),
                         .budget = {.seconds = decision->seconds, .cap = true},
                         .rng = &rng,
                         .cancel = decision->cancel,
                         .wants = decision->wants,
                         .arena = decision->arena};
    KnStatus status = request.allowed_count
                          ? KN_OK
                          : kn_fail(error, KN_NO, "%s has no move here", game->role_names[decision->role]);
    if (status == KN_OK)
        status = kn_player_cache_acquire(decision->web->cache, decision->cached, decision->spec,
                                         &decision->player, error);
    if (status == KN_OK) status = replay_to(decision, decision->player, error);
    if (decision->has_preferred) {
        moves[0] = decision->preferred;
        request.allowed_count = 1;
    }
    if (status == KN_OK)
        status = decision->judges ? kn_judge_move(decision->player, &request, decision->made,
                                                  &decision->answer, &decision->judgement, error)
                                  : kn_player_choose(decision->player, &request, &decision->answer, error);
    free(moves);
    return status;
}

void kn_decision_release(KnDecision *decision)
{
    kn_player_cache_release(decision->web->cache, decision->cached, decision->player);
    decision->player = NULL;
}

void kn_decision_free(KnDecision *decision)
{
    if (!decision->web) return;
    KN_ASSERT(!decision->player);
    free(decision->spec);
    kn_state_free(decision->state);
    kn_arena_free(decision->arena);
    kn_player_cache_release_game(decision->web->cache, decision->cached);
}

json_t *kn_decision_json(const KnDecision *decision)
{
    const char *name = kn_game_move_name(decision->cached->game, kn_state_position(decision->state),
                                         decision->answer.move, decision->arena);
    int path[KN_SESSION_PATH];
    bool simultaneous = decision->cached->game->traits & KN_GAME_SIMULTANEOUS;
    int count = kn_move_path(decision->cached, kn_state_position(decision->state),
                             simultaneous ? KN_MOVE_NONE : decision->answer.move, name ? name : "", path,
                             KN_SESSION_PATH);
    json_t *cells = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(cells, json_integer(path[i]));
    json_t *document = json_pack("{ss so si sI ss}", "move", name ? name : "", "path", cells, "role",
                                 decision->role, "ply", (json_int_t)kn_state_plies(decision->state), "by",
                                 decision->spec);
    if (decision->answer.has_score) {
        json_t *score = kn_score_json(decision->answer.score, decision->answer.payoffs,
                                      decision->answer.log_odds);
        json_object_update_missing(document, score);
        json_decref(score);
    }
    if (decision->answer.explanation)
        json_object_set_new(document, "reason", kn_explanation_json(decision->answer.explanation));
    return document;
}

void kn_decision_add_verdict(const KnDecision *decision, json_t *document)
{
    const KnJudgement *judgement = &decision->judgement;
    if (judgement->quality == KN_QUALITY_NONE) return;
    json_object_set_new(document, "verdict", json_string(kn_move_quality_name(judgement->quality)));
    if (judgement->has_cost) {
        json_object_set_new(document, "cost", json_real(judgement->cost));
        json_object_set_new(document, "unit", json_string(judgement->unit));
    }
    if (judgement->because) json_object_set_new(document, "because", json_string(judgement->because));
    if (judgement->has_score)
        json_object_set_new(document, "made", kn_score_json(judgement->score, false, 0));
}
