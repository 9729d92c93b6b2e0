/* Another player with a shaky hand: now and then it plays at random. And the opposite, a player made steady:
 * ties=first takes chance away from it. */
#include <stdlib.h>

#include "base/assert.h"

#include "players/registry.h"

typedef struct Noisy {
    double epsilon;
    bool steady;
} Noisy;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Noisy *n = player->data = calloc(1, sizeof *n);
    if (!n) return kn_fail_memory(error, "opening a player");
    n->epsilon = kn_option_real(options, "epsilon");
    n->steady = kn_option_choice(options, "ties") == 1;
    return kn_player_wrap(player, kn_option_spec(options, "inner"), error);
}

static void close(KnPlayer *player) { free(player->data); }

static void tell(const KnRequest *request, const Noisy *n, bool slipped, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!answer->explanation)
        answer->explanation =
            kn_explanation_new(arena, kn_arena_printf(arena, slipped ? "%s: drawn at random" : "%s", move));
    kn_explanation_bar(arena, answer->explanation, "chance of a random move", n->epsilon, 0, 1, "");
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KN_ASSERT(request->allowed_count > 0 && player->inner);
    Noisy *n = player->data;
    bool slips = n->epsilon > 0 && kn_rng_real(request->rng) < n->epsilon;
    KnStatus status = KN_OK;
    if (slips) {
        answer->move = request->allowed[kn_rng_below(request->rng, (uint32_t)request->allowed_count)];
    } else {
        KnRequest ask = *request;
        if (n->steady) ask.rng = NULL;
        status = player->inner->type->choose(player->inner, &ask, answer, error);
    }
    if (status == KN_OK && request->wants & KN_WANT_EXPLANATION) tell(request, n, slips, answer);
    return status;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player"},
    {"epsilon", KN_OPTION_REAL, "0.1", 0, 1, NULL, "how often it plays at random instead"},
    {"ties", KN_OPTION_CHOICE, "random", 0, 0, "random|first",
     "first: the inner player breaks ties without chance (searches only)"},
    {0}};

const KnPlayerType kn_player_noisy = {
    .head = {"noisy", "another player that sometimes moves at random, or never by chance", options},
    .open = open,
    .close = close,
    .choose = choose,
};
