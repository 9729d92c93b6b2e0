/* Any allowed move, each as likely: the floor that everything is measured from; and the first one, which is
 * lower still. */
#include "players/registry.h"

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)error;
    answer->move = request->allowed[kn_rng_below(request->rng, (uint32_t)request->allowed_count)];
    if (request->wants & KN_WANT_EXPLANATION) {
        answer->explanation = kn_explanation_new(
            request->arena,
            kn_arena_printf(request->arena, "%s is one of %d possible move%s: this player draws lots.",
                            kn_game_move_name(request->game, request->position, answer->move, request->arena),
                            request->allowed_count, kn_s((uint64_t)request->allowed_count)));
    }
    return KN_OK;
}

static KnStatus choose_first(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)error;
    answer->move = request->allowed[0];
    if (request->wants & KN_WANT_EXPLANATION)
        answer->explanation = kn_explanation_new(
            request->arena,
            kn_arena_printf(request->arena, "%s, the first of %d legal move%s",
                            kn_game_move_name(request->game, request->position, answer->move, request->arena),
                            request->allowed_count, kn_s((uint64_t)request->allowed_count)));
    return KN_OK;
}

const KnPlayerType kn_player_legal = {
    .head = {"legal", "the first legal move, always", NULL},
    .choose = choose_first,
};

const KnPlayerType kn_player_random = {
    .head = {"random", "any legal move, each as likely", NULL},
    .choose = choose,
};
