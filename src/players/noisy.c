/* Another player with a shaky hand: now and then it plays at random. And the opposite, a player made steady: ties=first takes chance away from it. */
#include <stdlib.h>

#include "players/registry.h"

typedef struct Noisy {
    KnPlayer *inner;
    double epsilon;
    bool steady;
} Noisy;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Noisy *n = player->data = calloc(1, sizeof *n);
    if (!n) return kn_fail_memory(error, "opening a player");
    n->epsilon = kn_option_real(options, "epsilon");
    n->steady = kn_option_choice(options, "ties") == 1;
    KnStatus status = kn_player_open_spec(player->context, player->game, kn_option_spec(options, "inner"), &n->inner, error);
    if (status == KN_OK) player->traits &= n->inner->traits;
    return status;
}

static void close(KnPlayer *player)
{
    Noisy *n = player->data;
    if (!n) return;
    kn_player_close(n->inner);
    free(n);
}

static KnStatus prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    return kn_player_prepare(((Noisy *)player->data)->inner, role, seconds, rng, error);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    return kn_player_begin(((Noisy *)player->data)->inner, role, position, error);
}

static KnStatus observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error)
{
    return kn_player_observe(((Noisy *)player->data)->inner, contest, joint, error);
}

static KnStatus end(KnPlayer *player, const KnContest *contest, const double *payoffs, KnError *error)
{
    return kn_player_end(((Noisy *)player->data)->inner, contest, payoffs, error);
}

static void tell(const KnRequest *request, const Noisy *n, bool slipped, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!answer->reason) answer->reason = kn_reason_new(arena, kn_arena_printf(arena, slipped ? "%s: drawn at random" : "%s", move));
    kn_reason_bar(arena, answer->reason, "chance of a random move", n->epsilon, 0, 1, "");
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Noisy *n = player->data;
    bool slips = n->epsilon > 0 && kn_rng_real(request->rng) < n->epsilon;
    KnStatus status = KN_OK;
    if (slips) {
        answer->move = request->allowed[kn_rng_below(request->rng, (uint32_t)request->allowed_count)];
    } else {
        KnRequest ask = *request;
        if (n->steady) ask.rng = NULL;
        status = n->inner->type->choose(n->inner, &ask, answer, error);
    }
    if (status == KN_OK && request->wants & KN_WANT_REASON) tell(request, n, slips, answer);
    return status;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player"},
    {"epsilon", KN_OPTION_REAL, "0.1", 0, 1, NULL, "how often it plays at random instead"},
    {"ties", KN_OPTION_CHOICE, "random", 0, 0, "random|first", "first: the inner player breaks ties without chance (searches only)"},
    {0}};

const KnPlayerType kn_player_noisy = {
    .head = {"noisy", "another player that sometimes moves at random, or never by chance", options},
    .open = open,
    .close = close,
    .prepare = prepare,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};
