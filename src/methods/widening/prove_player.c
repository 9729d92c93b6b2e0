/* Proof before search: a player that first tries to prove a win. If it finds none, its inner player chooses.
 * Then it tries to prove that the opponent wins after that choice; if so, it asks the inner player again
 * without that move.
 *
 * In a game with goals (games/goals.h: Fives) it proves by iterative widening (Cazenave 2001,
 * methods/widening/proof.h), in other games by depth-first proof-number search over the rules (Nagai 2002,
 * search/dfpn_win.h). Proofs get at most half of a budget of positions, the inner player gets the rest. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/registry.h"
#include "methods/widening/proof.h"
#include "search/dfpn_win.h"

enum { TABLE_BITS = 14, TRIES = 3 /* choices of the inner player to examine */ };

typedef struct Prove {
    uint64_t nodes;
    bool guard;
    KnProofSearch *goals; /* for games with goals; otherwise NULL */
    KnDfpnWin *rules;     /* for other games; otherwise NULL */
} Prove;

/* The results of the proofs for one move. */
typedef struct Finding {
    bool won;    /* a win of the player is proved */
    int refuted; /* choices of the inner player after which a win of the opponent is proved */
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
    if (!player->game->type->goals) return kn_dfpn_win_new(player->game, TABLE_BITS, &p->rules, error);
    return kn_proof_new(&(KnProofOptions){.nodes = p->nodes, .strict = true, .table_bits = TABLE_BITS},
                        &p->goals, error);
}

static void close(KnPlayer *player)
{
    Prove *p = player->data;
    if (!p) return;
    kn_proof_free(p->goals);
    kn_dfpn_win_free(p->rules);
    free(p);
}

/* Tries to prove a win of the side to move: *move is the winning move, or none. Adds its positions to *spent.
 */
static KnStatus prove(const KnPlayer *player, const void *position, const KnHistory *history, uint64_t most,
                      KnMove *move, uint64_t *spent, KnError *error)
{
    const Prove *p = player->data;
    const KnGame *game = player->game;
    uint64_t nodes = 0;
    KN_ASSERT(!p->rules != !p->goals);
    *move = KN_MOVE_NONE;
    if (most < 2 || kn_game_over(game, position)) return KN_OK;
    if (p->rules) {
        kn_dfpn_win_run(p->rules, position, history, most, move, &nodes);
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

/* Asks the inner player, and again without a choice that loses. If all choices that it examines lose, the
 * first stands. */
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
    if (f->refuted) answer->has_values = false; /* the values do not know the proofs */
    answer->cost.nodes = searched;
    return KN_OK;
}

static void explain(const KnRequest *request, const Finding *f, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!answer->explanation)
        answer->explanation =
            kn_explanation_new(arena, kn_arena_printf(arena, f->won ? "%s: it wins by force" : "%s", move));
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, "proofs");
    kn_explanation_text(arena, group, "own win", f->won ? "proved" : "not found");
    if (f->refuted) kn_explanation_number(arena, group, "choices after which the other wins", f->refuted, "");
    kn_explanation_number(arena, group, "positions", (double)f->nodes, "");
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
        answer->score = KN_SCORE_PROVEN;
    } else
        status = ask(player, request, most, answer, &f, error);
    if (status != KN_OK) return status;
    answer->cost.nodes += f.nodes;
    if (request->wants & KN_WANT_EXPLANATION) explain(request, &f, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player that chooses if no win is proved"},
    {"nodes", KN_OPTION_INTEGER, "1000", 2, 1e12, NULL,
     "the largest number of positions for the proofs of a move; at most half of the budget"},
    {"guard", KN_OPTION_FLAG, "yes", 0, 0, NULL,
     "also search for a win of the opponent after the inner player's move, and ask for another move if there "
     "is one"},
    {0}};

const KnPlayerType kn_player_prove = {
    .head = {"prove", "proves wins and losses before another player chooses", options},
    .once = "what the inner one could prove, the outer one has tried to prove already; give it more nodes",
    .suits = kn_dfpn_win_suits,
    .open = open,
    .close = close,
    .choose = choose,
};
