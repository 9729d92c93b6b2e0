/* The player `allocate`: it decides how deep its inner player searches each move, under a budget of deep
 * searches (Markovitch and Sella 1996, section 2.4). The policy decides (methods/allocation/policy.h); this
 * file keeps the accounts.
 *
 * A deep search is paid for when the move is played, not when the player is asked, so that hints and
 * explanations cost nothing. Where the player is handed a game in the middle, its earlier moves cost what its
 * policy would have decided, if the policy can repeat that decision, and otherwise nothing. After `moves`
 * moves a new budget begins.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/allocation/policy.h"
#include "methods/registry.h"

typedef struct Allocate {
    KnPolicy *policy;
    KnDeepBudget left;
    int role;
    bool pending; /* the coming move was chosen by this player ... */
    bool deep;    /* ... with a deep search */
} Allocate;

/* ---- life ---- */

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Allocate *a = player->data = calloc(1, sizeof *a);
    if (!a) return kn_fail_memory(error, "opening a player");
    KnDeepBudget budget = {.k = (int)kn_option_integer(options, "k"),
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
    KnStatus status = kn_allocation_wrap(player, kn_option_spec(options, "inner"), budget.k + budget.n,
                                         error);
    if (status == KN_OK)
        status = kn_policy_open(player->context, kn_option_spec(options, "policy"), player->inner, &budget,
                                &a->policy, error);
    if (status == KN_OK && a->policy->note.length) kn_player_add_note(player, a->policy->note.data);
    return status;
}

static void close(KnPlayer *player)
{
    Allocate *a = player->data;
    if (!a) return;
    kn_policy_close(a->policy);
    free(a);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Allocate *a = player->data;
    a->role = role;
    a->pending = false;
    a->left = a->policy->budget;
    return kn_player_begin(player->inner, role, position, error);
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

/* Pays for a move that was played. */
static void pay(Allocate *a, bool deep)
{
    KnDeepBudget *left = &a->left;
    KN_ASSERT(left->moves_left > 0 && left->deep_left >= 0);
    if (deep && left->deep_left) left->deep_left--;
    if (--left->moves_left) return;
    left->deep_left = left->deep;
    left->moves_left = left->moves;
}

/* What the policy would have decided before a move that this player did not choose itself. */
static KnStatus would_be_deep(KnPlayer *player, const KnState *state, bool *deep, KnError *error)
{
    Allocate *a = player->data;
    const KnGame *game = player->game;
    const void *before = kn_state_position_at(state, kn_state_plies(state) - 1);
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

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Allocate *a = player->data;
    if (joint[a->role] != KN_MOVE_NONE) {
        bool deep = a->deep;
        KnStatus status = a->pending ? KN_OK : would_be_deep(player, state, &deep, error);
        if (status != KN_OK) return status;
        pay(a, deep);
        a->pending = false;
    }
    return kn_player_observe(player->inner, state, joint, error);
}

static void explain(const KnPlayer *player, const KnRequest *request, const KnAllocationChoice *choice,
                    KnAnswer *answer)
{
    const Allocate *a = player->data;
    KnArena *arena = request->arena;
    const KnDeepBudget *left = &a->left;
    const char *said = answer->explanation ? answer->explanation->text : NULL;
    if (said)
        answer->explanation->text = kn_arena_printf(arena, "%s%s A %s search: %s.", said,
                                                    *said && said[strlen(said) - 1] == '.' ? "" : ".",
                                                    choice->deep ? "deep" : "shallow", choice->why);
    KnExplanation *group = kn_allocation_explanation(player, request, "allocation", answer);
    kn_explanation_text(arena, group, "decision",
                        kn_arena_printf(arena, "%s, %d plies: %s", choice->deep ? "deep" : "shallow",
                                        choice->deep ? left->k + left->n : left->k, choice->why));
    if (choice->leaf) {
        kn_explanation_number(arena, group, "leaf", choice->leaf, "");
        if (choice->by_value) {
            kn_explanation_number(arena, group, "expected value of a deep search", choice->known->score, "");
            kn_explanation_number(arena, group, "threshold with what is left", choice->threshold, "");
        } else {
            kn_explanation_bar(arena, group, "probability that it pays", choice->known->score, 0, 1, "");
            kn_explanation_bar(arena, group, "threshold with what is left", choice->threshold, 0, 1, "");
        }
        kn_explanation_bar(arena, group, "share of positions in this leaf", choice->known->weight, 0, 1, "");
    }
    kn_explanation_text(arena, group, "left before this move",
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
        status = player->inner->type->choose(player->inner, &ask, answer, error);
    }
    answer->cost.nodes += choice.nodes;
    if (status == KN_OK && request->wants & KN_WANT_EXPLANATION) explain(player, request, &choice, answer);
    return status;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player that searches; its depth is set"},
    {"k", KN_OPTION_INTEGER, "4", 1, 200, NULL, "depth of a shallow search"},
    {"n", KN_OPTION_INTEGER, "2", 1, 50, NULL, "how many plies deeper a deep search goes"},
    {"deep", KN_OPTION_INTEGER, "8", 0, 10000, NULL, "deep searches in the budget"},
    {"moves", KN_OPTION_INTEGER, "40", 1, 10000, NULL, "number of moves that share the budget"},
    {"policy", KN_OPTION_SPEC, "random", 0, 0, "policy",
     "which moves get a deep search: never, always, random, oracle, dynamic, static(...), or a learned file"},
    {0}};

const KnPlayerType kn_player_allocate = {
    .head = {"allocate",
             "decides how deep another player searches each move, under a budget of deep searches", options},
    .once = "the depth of each search would be set twice, and the inner one's word would not count",
    .suits = kn_allocation_suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
