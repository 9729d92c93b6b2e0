/* A player that decides how deep its inner player searches each move, under a budget of deep searches
 * (Markovitch and Sella 1996). The decision is a policy's (players/allocation/policy.h); here the accounts
 * are kept.
 *
 * The accounts are settled when a move is played, not when it is asked for, so that a hint or a question why
 * costs nothing. A move of its own that it did not choose (a contest that is taken up in the middle) is
 * settled as its policy would have decided, where that can be told again, and else as shallow. After `moves`
 * moves a new budget begins. */
#include <stdlib.h>
#include <string.h>

#include "players/allocation/policy.h"
#include "players/registry.h"

typedef struct Allocate {
    KnPlayer *inner;
    KnPolicy *policy;
    KnAllotment left;
    int role;
    bool pending; /* a choice was made for the move to come: */
    bool deep;
} Allocate;

/* ---- life ---- */

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Allocate *a = player->data = calloc(1, sizeof *a);
    if (!a) return kn_fail_memory(error, "opening a player");
    KnAllotment budget = {.k = (int)kn_option_integer(options, "k"),
                          .n = (int)kn_option_integer(options, "n"),
                          .deep = (int)kn_option_integer(options, "deep"),
                          .moves = (int)kn_option_integer(options, "moves")};
    if (budget.deep > budget.moves)
        return kn_fail(
            error, KN_INPUT,
            "deep=%d deep searches cannot be made in moves=%d moves; deep must not be greater than moves",
            budget.deep, budget.moves);
    budget.deep_left = budget.deep;
    budget.moves_left = budget.moves;
    a->left = budget;
    KnStatus status = kn_allocation_open_inner_spec(player->context, player->game,
                                                    kn_option_spec(options, "inner"), budget.k + budget.n,
                                                    &a->inner, error);
    if (status == KN_OK)
        status = kn_policy_open(player->context, kn_option_spec(options, "policy"), a->inner, &budget,
                                &a->policy, error);
    if (status == KN_OK) player->traits &= a->inner->traits;
    return status;
}

static void close(KnPlayer *player)
{
    Allocate *a = player->data;
    if (!a) return;
    kn_policy_close(a->policy);
    kn_player_close(a->inner);
    free(a);
}

static KnStatus prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    Allocate *a = player->data;
    return kn_player_prepare(a->inner, role, seconds, rng, error);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Allocate *a = player->data;
    a->role = role;
    a->pending = false;
    a->left = a->policy->budget;
    return kn_player_begin(a->inner, role, position, error);
}

/* Asks the policy where there is something to decide. */
static KnStatus decide(Allocate *a, const KnRequest *request, KnAnswer *answer, KnAllocationChoice *choice,
                       KnError *error)
{
    *choice = (KnAllocationChoice){.why = ""};
    if (request->allowed_count == 1)
        choice->why = "there is only one move";
    else if (!a->left.deep_left && !a->policy->type->unbound)
        choice->why = "no deep search is left";
    else
        return a->policy->type->decide(a->policy, &a->left, request, answer, choice, error);
    return KN_OK;
}

static void settle(Allocate *a, bool deep)
{
    KnAllotment *left = &a->left;
    if (deep && left->deep_left) left->deep_left--;
    if (--left->moves_left) return;
    left->deep_left = left->deep;
    left->moves_left = left->moves;
}

/* What the policy would have decided in a position that somebody else played for it. */
static KnStatus would_be_deep(KnPlayer *player, const KnContest *contest, bool *deep, KnError *error)
{
    Allocate *a = player->data;
    const KnGame *game = player->game;
    const void *before = kn_contest_position_at(contest, kn_contest_plies(contest) - 1);
    KnMove moves[game->max_moves];
    KnRequest request = {.game = game, .position = before, .role = a->role, .allowed = moves};
    request.allowed_count = kn_game_moves_of(game, before, a->role, moves);
    KnAnswer answer = {0};
    KnAllocationChoice choice = {0};
    KnStatus status = KN_OK;
    if (!a->policy->type->varies && request.allowed_count)
        status = decide(a, &request, &answer, &choice, error);
    *deep = choice.deep;
    return status;
}

static KnStatus observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error)
{
    Allocate *a = player->data;
    if (joint[a->role] != KN_MOVE_NONE) {
        bool deep = a->deep;
        KnStatus status = a->pending ? KN_OK : would_be_deep(player, contest, &deep, error);
        if (status != KN_OK) return status;
        settle(a, deep);
        a->pending = false;
    }
    return kn_player_observe(a->inner, contest, joint, error);
}

static void tell(const Allocate *a, const KnRequest *request, const KnAllocationChoice *choice,
                 KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const KnAllotment *left = &a->left;
    if (!answer->reason)
        answer->reason =
            kn_reason_new(arena, kn_game_move_name(request->game, request->position, answer->move, arena));
    else if (answer->reason->text)
        answer->reason->text = kn_arena_printf(arena, "%s; a %s search: %s", answer->reason->text,
                                               choice->deep ? "deep" : "shallow", choice->why);
    KnReason *group = kn_reason_group(arena, answer->reason, "allocation");
    kn_reason_text(arena, group, "decision",
                   kn_arena_printf(arena, "%s, %d plies: %s", choice->deep ? "deep" : "shallow",
                                   choice->deep ? left->k + left->n : left->k, choice->why));
    if (choice->leaf) {
        kn_reason_number(arena, group, "leaf", choice->leaf, "");
        if (choice->by_worth) {
            kn_reason_number(arena, group, "expected worth of a deep search", choice->known->score, "");
            kn_reason_number(arena, group, "threshold with what is left", choice->threshold, "");
        } else {
            kn_reason_bar(arena, group, "probability that it is worth it", choice->known->score, 0, 1, "");
            kn_reason_bar(arena, group, "threshold with what is left", choice->threshold, 0, 1, "");
        }
        kn_reason_bar(arena, group, "share of positions in this leaf", choice->known->weight, 0, 1, "");
    }
    kn_reason_text(arena, group, "left before this move",
                   kn_arena_printf(arena, "%d of %d deep searches, for %d of %d moves", left->deep_left,
                                   left->deep, left->moves_left, left->moves));
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Allocate *a = player->data;
    KnScore *room = answer->values;
    KnAllocationChoice choice;
    KnStatus status = decide(a, request, answer, &choice, error);
    if (status != KN_OK) return status;
    a->pending = true;
    a->deep = choice.deep;
    if (!choice.answered) {
        KnRequest ask = *request;
        int depth = choice.deep ? a->left.k + a->left.n : a->left.k;
        if (ask.budget.depth <= 0 || depth < ask.budget.depth) ask.budget.depth = depth;
        answer->values = room;
        status = a->inner->type->choose(a->inner, &ask, answer, error);
    }
    if (status == KN_OK && request->wants & KN_WANT_REASON) tell(a, request, &choice, answer);
    return status;
}

static KnStatus end(KnPlayer *player, const KnContest *contest, const double *payoffs, KnError *error)
{
    Allocate *a = player->data;
    return kn_player_end(a->inner, contest, payoffs, error);
}

static KnStatus suits(const KnGame *game, KnError *error)
{
    if (!(game->traits & KN_GAME_SIMULTANEOUS)) return KN_OK;
    return kn_fail(error, KN_INPUT, "needs a game in which players take turns");
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player that searches; its depth is set"},
    {"k", KN_OPTION_INTEGER, "4", 1, 200, NULL, "depth of a shallow search"},
    {"n", KN_OPTION_INTEGER, "2", 1, 50, NULL, "how many plies deeper a deep search goes"},
    {"deep", KN_OPTION_INTEGER, "8", 0, 10000, NULL, "deep searches that may be made"},
    {"moves", KN_OPTION_INTEGER, "40", 1, 10000, NULL, "in so many moves"},
    {"policy", KN_OPTION_SPEC, "random", 0, 0, "policy",
     "who decides: never, always, random, oracle, static(...), or a file"},
    {0}};

const KnPlayerType kn_player_allocate = {
    .head = {"allocate",
             "decides how deep another player searches each move, under a budget of deep searches", options},
    .once = "the depth of each search would be set twice, and the inner one's word would not count",
    .suits = suits,
    .open = open,
    .close = close,
    .prepare = prepare,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};
