/* Proof before search: a player that first tries to prove a win, and lets its inner player choose only where
 * it finds none; then it tries to prove that the other wins after that choice, and asks again without it if
 * so.
 *
 * Where a game tells goals (games/goals.h: Fives), proofs are those of iterative widening (Cazenave 2001,
 * search/proof.h); elsewhere proof numbers over the game's rules (search/winning.h). Under a budget of
 * positions proofs get at most half of it, and the inner player what is left. */
#include <stdlib.h>
#include <string.h>

#include "players/registry.h"
#include "search/proof.h"
#include "search/winning.h"

enum { TABLE_BITS = 14, TRIES = 3 /* choices of the inner player that are looked at */ };

typedef struct Prove {
    uint64_t nodes;
    bool guard;
    KnProofSearch *goals; /* the one or the other */
    KnWinning *rules;
} Prove;

/* What became of the proofs of one move. */
typedef struct Finding {
    bool won;    /* its own win was proved */
    int refuted; /* choices after which the other's win was */
    uint64_t nodes;
} Finding;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Prove *p = player->data = calloc(1, sizeof *p);
    if (!p) return kn_fail_memory(error, "opening a player");
    p->nodes = (uint64_t)kn_option_integer(options, "nodes");
    p->guard = kn_option_flag(options, "guard");
    KnStatus status = kn_player_wrap(player, kn_option_spec(options, "inner"), error);
    if (status != KN_OK) return status;
    if (p->guard && !(player->inner->traits & KN_PLAYER_RESTRICTS))
        return kn_fail(error, KN_INPUT,
                       "%s cannot be asked for another move, which guarding against losses needs; write "
                       "prove(..., -guard)",
                       player->inner->spec);
    if (!player->game->type->goals) return kn_winning_new(player->game, TABLE_BITS, &p->rules, error);
    return kn_proof_new(&(KnProofOptions){.nodes = p->nodes, .strict = true, .table_bits = TABLE_BITS},
                        &p->goals, error);
}

static void close(KnPlayer *player)
{
    Prove *p = player->data;
    if (!p) return;
    kn_proof_free(p->goals);
    kn_winning_free(p->rules);
    free(p);
}

/* Whether the side to move in a position wins; adds to *spent. */
static KnStatus prove(const KnPlayer *player, const void *position, const KnHistory *history, uint64_t most,
                      KnMove *move, uint64_t *spent, KnError *error)
{
    const Prove *p = player->data;
    const KnGame *game = player->game;
    uint64_t nodes = 0;
    *move = KN_MOVE_NONE;
    if (most < 2 || kn_game_over(game, position)) return KN_OK;
    if (p->rules) {
        kn_winning_run(p->rules, position, history, most, move, &nodes);
        *spent += nodes;
        return KN_OK;
    }
    KnGoal *goal;
    KnStatus status = game->type->goals->open(game, position, game->type->mover(game, position), &goal,
                                              error);
    if (status != KN_OK) return status;
    KnProofAnswer found;
    kn_proof_allow(p->goals, &(KnProofOptions){.nodes = most});
    kn_proof_run(p->goals, goal, &found);
    if (found.verdict == KN_PROVED && found.move != KN_GOAL_PASS) *move = game->type->goals->move(found.move);
    *spent += found.nodes;
    game->type->goals->free(goal);
    return KN_OK;
}

static int place_of(const KnMove *moves, int count, KnMove move)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == move) return i;
    return -1;
}

/* Asks the inner player, and again without what loses; if all that is tried loses, the first choice stands.
 */
static KnStatus ask(KnPlayer *player, const KnRequest *request, uint64_t most, KnAnswer *answer, Finding *f,
                    KnError *error)
{
    const Prove *p = player->data;
    const KnGame *game = player->game;
    KnMove left[request->allowed_count];
    memcpy(left, request->allowed, sizeof left);
    KnRequest one = *request;
    KnAnswer first = {0};
    uint64_t searched = 0;
    one.allowed = left;
    _Alignas(16) unsigned char next[game->position_size];
    for (int attempt = 0;; attempt++) {
        uint64_t spent = f->nodes + searched;
        if (request->budget.nodes)
            one.budget.nodes = request->budget.nodes > spent ? request->budget.nodes - spent : 1;
        if (attempt) one.wants &= ~(unsigned)KN_WANT_VALUES;
        KnScore *room = answer->values;
        *answer = (KnAnswer){.move = KN_MOVE_NONE, .values = room};
        KnStatus status = player->inner->type->choose(player->inner, &one, answer, error);
        if (status != KN_OK) return status;
        searched += answer->cost.nodes;
        if (!attempt) first = *answer;
        KnMove reply = KN_MOVE_NONE;
        memcpy(next, request->position, game->position_size);
        game->type->play(game, next, answer->move);
        bool theirs = !kn_game_over(game, next) && game->type->mover(game, next) != request->role;
        if (p->guard && theirs && f->nodes < most)
            status = prove(player, next, NULL, most - f->nodes, &reply, &f->nodes, error);
        if (status != KN_OK) return status;
        if (reply == KN_MOVE_NONE) break;
        f->refuted++;
        int place = place_of(left, one.allowed_count, answer->move);
        if (place < 0 || one.allowed_count == 1 || attempt + 1 == TRIES) {
            *answer = first;
            break;
        }
        left[place] = left[--one.allowed_count];
    }
    if (f->refuted) answer->has_values = false; /* they were told before what was proved */
    answer->cost.nodes = searched;
    return KN_OK;
}

static void tell(const KnRequest *request, const Finding *f, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!answer->reason)
        answer->reason = kn_reason_new(arena,
                                       kn_arena_printf(arena, f->won ? "%s: it wins by force" : "%s", move));
    KnReason *group = kn_reason_group(arena, answer->reason, "proofs");
    kn_reason_text(arena, group, "own win", f->won ? "proved" : "not found");
    if (f->refuted) kn_reason_number(arena, group, "choices after which the other wins", f->refuted, "");
    kn_reason_number(arena, group, "positions", (double)f->nodes, "");
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const Prove *p = player->data;
    Finding f = {0};
    uint64_t most = request->budget.nodes && request->budget.nodes / 2 < p->nodes ? request->budget.nodes / 2
                                                                                  : p->nodes;
    KnMove move;
    KnStatus status = prove(player, request->position, &request->history, p->guard ? most / 2 : most, &move,
                            &f.nodes, error);
    if (status != KN_OK) return status;
    f.won = place_of(request->allowed, request->allowed_count, move) >= 0;
    if (f.won) {
        answer->move = move;
        answer->has_score = true;
        answer->score = KN_SCORE_SURE;
    } else
        status = ask(player, request, most, answer, &f, error);
    if (status != KN_OK) return status;
    answer->cost.nodes += f.nodes;
    if (request->wants & KN_WANT_REASON) tell(request, &f, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "who chooses where nothing is proved"},
    {"nodes", KN_OPTION_INTEGER, "1000", 2, 1e12, NULL,
     "positions that the proofs of a move may play; half of the budget at most, where there is one"},
    {"guard", KN_OPTION_FLAG, "yes", 0, 0, NULL,
     "also look whether the other wins after the inner player's move, and ask for another then"},
    {0}};

const KnPlayerType kn_player_prove = {
    .head = {"prove", "proves wins and losses before another player chooses", options},
    .once = "what the inner one could prove, the outer one has tried to prove already; give it more nodes",
    .suits = kn_winning_suits,
    .open = open,
    .close = close,
    .choose = choose,
};
