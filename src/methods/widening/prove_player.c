/* Proof before search: a player that first tries to prove a win. If it finds none, its inner player chooses.
 * Then it tries to prove that the opponent wins after that choice; if so, it asks the inner player again
 * without that move.
 *
 * In a game with goals (games/goals.h: Fives, Phutball) it proves by iterative widening (Cazenave 2001,
 * methods/widening/proof.h), in other games by depth-first proof-number search over the rules (Nagai 2002,
 * search/dfpn_win.h), which also serves within a turn of several moves. Proofs get at most half of a budget
 * of positions, the inner player gets the rest. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/registry.h"
#include "methods/widening/proof.h"
#include "search/dfpn_win.h"

enum { TABLE_BITS = 14, TRIES = 3 /* choices of the inner player to examine */, LINE = 40 };

typedef struct Prove {
    uint64_t nodes;
    bool guard;
    KnProofSearch *goals;       /* for games with goals; otherwise NULL */
    KnDfpnWin *rules;           /* for other games, and within turns; otherwise NULL */
    KnMove plan[KN_GOAL_STEPS]; /* the rest of a turn that is proved to win */
    int planned, at;
    unsigned char *expected; /* the position where it goes on */
} Prove;

/* A win that is proved: the moves of the first turn. */
typedef struct Win {
    KnMove moves[KN_GOAL_STEPS];
    int count; /* 0: none was proved */
} Win;

/* The results of the proofs for one move. */
typedef struct Finding {
    bool won; /* a win of the player is proved */
    Win win;
    int refuted; /* choices of the inner player after which a win of the opponent is proved */
    bool lost;   /* the choice that is played is one of them */
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
    const KnGoalProvider *goals = player->game->type->goals;
    p->expected = malloc(player->game->position_size);
    if (!p->expected) return kn_fail_memory(error, "opening a player");
    if (!goals || goals->ready) status = kn_dfpn_win_new(player->game, TABLE_BITS, &p->rules, error);
    if (!goals || status != KN_OK) return status;
    return kn_proof_new(&(KnProofOptions){.nodes = p->nodes, .strict = true, .table_bits = TABLE_BITS},
                        &p->goals, error);
}

static void close(KnPlayer *player)
{
    Prove *p = player->data;
    if (!p) return;
    kn_proof_free(p->goals);
    kn_dfpn_win_free(p->rules);
    free(p->expected);
    free(p);
}

/* The win by the goals of the game: the moves of the first turn. */
static KnStatus prove_goal(const KnPlayer *player, const void *position, uint64_t most, Win *win,
                           uint64_t *spent, KnError *error)
{
    const Prove *p = player->data;
    const KnGame *game = player->game;
    const KnGoalProvider *goals = game->type->goals;
    KnGoal *goal;
    KnProofAnswer found;
    KnStatus status = goals->open(game, position, game->type->mover(game, position), &goal, error);
    if (status != KN_OK) return status;
    kn_proof_allow(p->goals, &(KnProofOptions){.nodes = most});
    kn_proof_run(p->goals, goal, &found);
    if (found.verdict == KN_PROVED && found.move != KN_GOAL_PASS)
        win->count = goals->steps(goal, found.move, win->moves);
    *spent += found.nodes;
    goals->free(goal);
    return KN_OK;
}

/* Tries to prove a win of the side to move. Adds its positions to *spent. */
static KnStatus prove(const KnPlayer *player, const void *position, const KnHistory *history, uint64_t most,
                      Win *win, uint64_t *spent, KnError *error)
{
    const Prove *p = player->data;
    const KnGame *game = player->game;
    const KnGoalProvider *goals = game->type->goals;
    uint64_t nodes = 0;
    KN_ASSERT(p->rules || p->goals);
    win->count = 0;
    if (most < 2 || kn_game_over(game, position)) return KN_OK;
    if (p->goals && (!goals->ready || goals->ready(position)))
        return prove_goal(player, position, most, win, spent, error);
    win->count = kn_dfpn_win_run(p->rules, position, history, most, &win->moves[0], &nodes);
    *spent += nodes;
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
        Win theirs_won = {.count = 0};
        memcpy(next, request->position, game->position_size);
        game->type->play(game, next, answer->move);
        bool theirs = !kn_game_over(game, next) && game->type->mover(game, next) != request->role;
        if (p->guard && theirs && f->nodes < most)
            status = prove(player, next, NULL, most - f->nodes, &theirs_won, &f->nodes, error);
        if (status != KN_OK) return status;
        if (!theirs_won.count) break;
        f->refuted++;
        int place = place_of(left, one.allowed_count, answer->move);
        if (place < 0 || one.allowed_count == 1 || attempt + 1 == TRIES) {
            *answer = first;
            f->lost = true;
            break;
        }
        left[place] = left[--one.allowed_count];
    }
    if (f->refuted) answer->has_values = false; /* the values do not know the proofs */
    answer->cost.nodes = searched;
    return KN_OK;
}

/* ---- The rest of a turn that is proved to win ---- */

static void make_plan(const KnPlayer *player, const void *position, const Win *win)
{
    Prove *p = player->data;
    p->planned = 0, p->at = 1;
    if (win->count < 2) return;
    memcpy(p->plan, win->moves, sizeof p->plan);
    memcpy(p->expected, position, player->game->position_size);
    player->game->type->play(player->game, p->expected, p->plan[0]);
    p->planned = win->count;
}

/* Whether the position is where the plan goes on: the win is its rest. */
static bool follow_plan(const KnPlayer *player, const void *position, Win *win)
{
    Prove *p = player->data;
    if (p->at >= p->planned || memcmp(position, p->expected, player->game->position_size)) return false;
    win->count = p->planned - p->at;
    memcpy(win->moves, p->plan + p->at, (size_t)win->count * sizeof *win->moves);
    player->game->type->play(player->game, p->expected, p->plan[p->at++]);
    return true;
}

/* ---- The explanation ---- */

/* A reply that does not lose at once, if there is one. */
static KnMove stubborn_reply(const KnGame *game, const void *position, int winner)
{
    KnMove replies[game->max_moves], moves[game->max_moves];
    int count = game->type->moves(game, position, replies);
    _Alignas(16) unsigned char next[game->position_size], after[game->position_size];
    for (int i = 0; i < count; i++) {
        bool loses = false;
        memcpy(next, position, game->position_size);
        game->type->play(game, next, replies[i]);
        int answers = kn_game_over(game, next) ? 0 : game->type->moves(game, next, moves);
        for (int k = 0; k < answers && !loses; k++) {
            memcpy(after, next, game->position_size);
            game->type->play(game, after, moves[k]);
            double payoffs[2] = {0};
            if (kn_game_over(game, after)) game->type->payoffs(game, after, payoffs);
            loses = payoffs[winner] > payoffs[1 - winner];
        }
        if (answers && !loses) return replies[i];
    }
    return replies[0];
}

/* The line of a win, as long as proofs with the player's own bound find it again. */
static KnStatus write_line(const KnPlayer *player, const KnRequest *request, Win win, KnText *out,
                           KnError *error)
{
    const Prove *p = player->data;
    const KnGame *game = player->game;
    uint64_t ignored = 0;
    KnStatus status = KN_OK;
    _Alignas(16) unsigned char position[game->position_size];
    memcpy(position, request->position, game->position_size);
    for (int plies = 0; plies < LINE && status == KN_OK && !kn_game_over(game, position); plies++) {
        KnMove move;
        if (game->type->mover(game, position) != request->role) {
            move = stubborn_reply(game, position, request->role);
        } else {
            if (!win.count) status = prove(player, position, NULL, p->nodes, &win, &ignored, error);
            if (status != KN_OK || !win.count) break;
            move = win.moves[0];
            memmove(win.moves, win.moves + 1, (size_t)--win.count * sizeof *win.moves);
        }
        if (out->length) kn_text_add_char(out, ' ');
        game->type->move_text(game, position, move, out);
        game->type->play(game, position, move);
    }
    return status;
}

static KnStatus explain(const KnPlayer *player, const KnRequest *request, const Finding *f, KnAnswer *answer,
                        KnError *error)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!answer->explanation)
        answer->explanation =
            kn_explanation_new(arena, kn_arena_printf(arena, f->won ? "%s: it wins by force" : "%s", move));
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, "proofs");
    kn_explanation_text(arena, group, "own win", f->won ? "proved" : "not found");
    KnStatus status = KN_OK;
    if (f->won) {
        KnText line = KN_TEXT_EMPTY, position = KN_TEXT_EMPTY;
        status = write_line(player, request, f->win, &line, error);
        request->game->type->position_text(request->game, request->position, &position);
        if (status == KN_OK) kn_explanation_line(arena, group, "line", line.data, position.data);
        kn_text_free(&line);
        kn_text_free(&position);
    }
    if (f->refuted) kn_explanation_number(arena, group, "choices after which the other wins", f->refuted, "");
    if (f->lost)
        kn_explanation_text(arena, group, "this choice",
                            "the other wins after it as well: it was the first of those examined");
    kn_explanation_number(arena, group, "positions", (double)f->nodes, "");
    return status;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const Prove *p = player->data;
    Finding f = {0};
    uint64_t most = request->budget.nodes && request->budget.nodes / 2 < p->nodes ? request->budget.nodes / 2
                                                                                  : p->nodes;
    KnStatus status = KN_OK;
    bool going_on = follow_plan(player, request->position, &f.win);
    if (!going_on)
        status = prove(player, request->position, &request->history, p->guard ? most / 2 : most, &f.win,
                       &f.nodes, error);
    if (status != KN_OK) return status;
    f.won = f.win.count && place_of(request->allowed, request->allowed_count, f.win.moves[0]) >= 0;
    if (f.won) {
        if (!going_on) make_plan(player, request->position, &f.win);
        answer->move = f.win.moves[0];
        answer->has_score = true;
        answer->score = KN_SCORE_PROVEN;
    } else
        status = ask(player, request, most, answer, &f, error);
    if (status != KN_OK) return status;
    answer->cost.nodes += f.nodes;
    return request->wants & KN_WANT_EXPLANATION ? explain(player, request, &f, answer, error) : KN_OK;
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
