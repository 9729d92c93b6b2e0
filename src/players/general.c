/* The strong default for a game that nothing is known of but its rules.
 *
 * A game of one role is given to the exact solver first (players/puzzle.c), in the start clock and then for
 * half of each budget, and what it proves is played. Everything else is tree sampling with proofs: over joint
 * moves (search/joint.h), or, where the rules look back, over single moves (search/uct.h). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/sequential.h"
#include "players/registry.h"
#include "players/searching.h"
#include "players/telling.h"
#include "search/joint.h"
#include "search/puzzle.h"

typedef struct General {
    KnBudget budget;
    uint64_t playouts; /* 0: no limit of its own */
    KnJoint *joint;
    KnPlayer *puzzle; /* for one role */
    KnPlayer *uct;    /* where rules look back: in place of `joint` */
} General;

enum { USUAL_PLAYOUTS = 2000, USUAL_NODES = 100000 }; /* where nothing else limits it */

static KnStatus open_inner(KnPlayer *player, KnPlayer **inner, KnError *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static KnStatus open_inner(KnPlayer *player, KnPlayer **inner, KnError *error, const char *format, ...)
{
    char spec[200];
    va_list list;
    va_start(list, format);
    vsnprintf(spec, sizeof spec, format, list);
    va_end(list);
    return kn_player_open(player->context, player->game, spec, inner, error);
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    General *g = player->data = calloc(1, sizeof *g);
    if (!g) return kn_fail_memory(error, "opening a player");
    g->budget.nodes = (uint64_t)kn_option_real(options, "nodes");
    g->budget.seconds = kn_option_real(options, "time");
    if (g->budget.seconds > 0) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    KnJointOptions how = kn_joint_options();
    how.playouts = (uint64_t)kn_option_real(options, "playouts");
    g->playouts = how.playouts;
    how.exploration = kn_option_real(options, "exploration");
    how.batch = (int)kn_option_integer(options, "batch");
    how.solve = kn_option_flag(options, "solve");
    long memory = kn_option_integer(options, "memory");
    how.bytes = (size_t)memory << 20;
    KnError none;
    KnStatus status = KN_OK;
    bool puzzle = how.solve && kn_puzzle_suits(player->game, &none) == KN_OK;
    if (puzzle) {
        how.bytes /= 2;
        status = open_inner(player, &g->puzzle, error, "puzzle(memory=%ld)", memory > 1 ? memory / 2 : 1);
    }
    if (status == KN_OK && player->game->traits & KN_GAME_LOOKS_BACK)
        return open_inner(player, &g->uct, error, "uct(playouts=%llu, memory=%ld, exploration=%.17g%s)",
                          how.playouts ? (unsigned long long)how.playouts : 1000000000000ull, memory,
                          how.exploration, how.solve ? "" : ", -solve");
    if (status == KN_OK) g->joint = kn_joint_new(player->game, &how, error);
    return status != KN_OK ? status : g->joint ? KN_OK : error ? error->status : KN_SYSTEM;
}

static void close(KnPlayer *player)
{
    General *g = player->data;
    if (!g) return;
    kn_joint_free(g->joint);
    kn_player_close(g->puzzle);
    kn_player_close(g->uct);
    free(g);
}

static KnStatus prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    General *g = player->data;
    return g->puzzle ? kn_player_prepare(g->puzzle, role, seconds, rng, error) : KN_OK;
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    General *g = player->data;
    if (g->joint) kn_joint_clear(g->joint);
    KnStatus status = g->puzzle ? kn_player_begin(g->puzzle, role, position, error) : KN_OK;
    return status == KN_OK && g->uct ? kn_player_begin(g->uct, role, position, error) : status;
}

/* Through a sequential view lines can be read. */
static KnStatus tell(const KnRequest *request, const KnSearchResult *found, KnAnswer *answer, KnError *error)
{
    if (!(request->game->traits & KN_GAME_SIMULTANEOUS)) {
        answer->reason = kn_tell_search(request, request->game, request->position, found, NULL, NULL);
        return KN_OK;
    }
    KnGame *view;
    KnStatus status = kn_game_sequential(request->game, request->role, &view, error);
    if (status != KN_OK) return status;
    unsigned char entered[view->position_size] __attribute__((aligned(16)));
    kn_sequential_enter(view, request->position, entered);
    answer->reason = kn_tell_search(request, view, entered, found, NULL, NULL);
    kn_game_close(view);
    return KN_OK;
}

static KnStatus sample(General *g, const KnRequest *request, KnBudget budget, KnAnswer *answer,
                       KnError *error)
{
    KnSearchRequest ask = {.allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .budget = budget,
                           .rng = request->rng,
                           .cancel = request->cancel};
    KnSearchResult found;
    kn_joint_limit(g->joint,
                   g->playouts || budget.nodes || budget.seconds > 0 ? g->playouts : USUAL_PLAYOUTS);
    KnStatus status = kn_joint_run(g->joint, request->position, request->role, &ask, &found, error);
    if (status != KN_OK) return status;
    answer->move = found.move;
    answer->has_score = true;
    answer->score = found.score;
    answer->depth = found.depth;
    answer->cost.nodes += found.nodes;
    if (request->wants & KN_WANT_VALUES && answer->values) {
        answer->has_values = true;
        for (int i = 0; i < found.root_count; i++) {
            answer->values[i] = found.root[i].score;
            if (found.root[i].bound != KN_BOUND_EXACT && !found.root[i].visits) answer->has_values = false;
        }
    }
    return request->wants & KN_WANT_REASON ? tell(request, &found, answer, error) : KN_OK;
}

/* The solver's answer, if it is proved within half of the budget. Sampling gets what is left. */
static KnStatus ask_solver(General *g, const KnRequest *request, KnBudget *budget, KnAnswer *answer,
                           bool *proved, KnError *error)
{
    KnRequest half = *request;
    half.budget = (KnBudget){.nodes = budget->nodes / 2, .seconds = budget->seconds / 2};
    if (!half.budget.nodes && half.budget.seconds <= 0) half.budget.nodes = 1000000;
    double started = kn_clock_now();
    KnStatus status = kn_player_choose(g->puzzle, &half, answer, error);
    *proved = status == KN_OK && kn_puzzle_player_proved(g->puzzle);
    if (*proved) return KN_OK;
    if (budget->nodes)
        budget->nodes = budget->nodes > answer->cost.nodes ? budget->nodes - answer->cost.nodes : 1;
    if (budget->seconds > 0) budget->seconds -= kn_clock_now() - started;
    if (budget->seconds < 0) budget->seconds = 1e-3;
    answer->has_score = answer->has_values = false;
    answer->reason = NULL;
    return status;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    General *g = player->data;
    KnBudget budget = kn_budget_narrow(g->budget, request->budget);
    if (request->allowed_count == 1 && !(request->wants & KN_WANT_REASON)) {
        answer->move = request->allowed[0];
        return KN_OK;
    }
    if (g->uct) {
        KnRequest inner = *request;
        inner.budget = budget;
        if (!g->playouts && !budget.nodes && budget.seconds <= 0) inner.budget.nodes = USUAL_NODES;
        return kn_player_choose(g->uct, &inner, answer, error);
    }
    bool proved = false;
    KnStatus status = g->puzzle ? ask_solver(g, request, &budget, answer, &proved, error) : KN_OK;
    return status != KN_OK || proved ? status : sample(g, request, budget, answer, error);
}

static const KnOption options[] = {
    KN_NODES_OPTION,
    KN_TIME_OPTION,
    {"playouts", KN_OPTION_INTEGER, "0", 0, 1e12, NULL,
     "samples a move; 0: no limit besides the others, or 2000 if there is none"},
    {"exploration", KN_OPTION_REAL, "0.5", 0, 100, NULL, "how much to try what is little tried"},
    {"batch", KN_OPTION_INTEGER, "0", 0, 65536, NULL,
     "random games a sample on rule sheets; 0: 1, or 256 where a clock leaves time for thousands of samples"},
    KN_MEMORY_OPTION("64", "MiB of the tree"),
    {"solve", KN_OPTION_FLAG, "yes", 0, 0, NULL,
     "carry proved values up the tree, and solve games of one role"},
    {0}};

const KnPlayerType kn_player_general = {
    .head = {"general", "the strong default for any game: solves puzzles, samples joint moves with proofs",
             options},
    .open = open,
    .close = close,
    .prepare = prepare,
    .begin = begin,
    .choose = choose,
};
