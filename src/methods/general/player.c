/* The default player for a game of which only the rules are known (general game playing).
 *
 * Genesereth's lesson on incomplete search says: a player that knows nothing but the rules can search the
 * whole tree only of small games. On larger ones it must stop somewhere and estimate: at a fixed depth
 * (depth-limited search), at a depth that grows while time is left (iterative deepening), at quiet positions
 * (variable depth), with heuristics such as mobility, focus and goal proximity, or by playing to the end at
 * random (Monte Carlo). The lesson's searches and heuristics are players and evaluations of their own:
 * minimax, alphabeta and breadth in players/, eval/heuristics.c, eval/blend.c. This player chooses among
 * searches by the kind of game:
 *
 * - One role: an exact solver first (players/puzzle.c), in the start clock and then in half of each move's
 *   budget. It plays a proved line; otherwise the other half goes to Monte Carlo tree search (MCTS).
 * - Rules that depend on history: MCTS over single moves (search/mcts.h), which keeps the game's history.
 * - Rules that hide something (GDL-II): positions that agree with what the role has seen are sampled
 * (hidden.h), and each is searched as if everything were seen (determinization). The move with the best mean
 * is played.
 * - Everything else: simultaneous-move MCTS (search/mcts_simultaneous.h). Games of turns are the case in
 *   which all roles but one have a single move.
 *
 * Both tree searches back up proved values (MCTS-Solver, Winands, Bjornsson and Saito 2008), so that small
 * games and endings are played exactly. On unknown rules random playouts are the more reliable estimate
 * (Finnsson and Bjornsson 2008) unless a trial in the start clock shows that an evaluation learned there is
 * better (trial.h): then it takes their place. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "games/gdl/gdl.h"
#include "games/sequential.h"
#include "games/turns.h"
#include "jobs/parallel.h"
#include "methods/general/hidden.h"
#include "methods/general/knowledge.h"
#include "methods/general/trial.h"
#include "methods/registry.h"
#include "players/search_player.h"
#include "players/search_explanation.h"
#include "search/mcts_simultaneous.h"
#include "search/puzzle.h"

/* Learns before the first game. CLOCK: if there is a start clock. In the order of the option's choices. */
typedef enum Learning { LEARN_OFF, LEARN_ON, LEARN_CLOCK } Learning;

typedef struct General {
    KnBudget budget;
    uint64_t playouts; /* 0: no limit of its own */
    KnMctsSimultaneous *simultaneous;
    KnPlayer *puzzle;         /* for one role */
    KnPlayer *mcts;           /* where rules depend on history; then `simultaneous` is NULL */
    KnHidden *hidden;         /* where the rules hide something */
    KnScore *sums;            /* then: of the allowed moves over the positions sampled */
    Learning learn;           /* what is still to be done */
    KnEvaluation *evaluation; /* learned; NULL: none */
    KnTrial trial;
    KnKnowledge *knowledge; /* of earlier matches; NULL: not wanted, or no game description */
    void *here;             /* the position that was observed last, for thinking ahead */
} General;

enum { DEFAULT_PLAYOUTS = 2000, DEFAULT_NODES = 100000 }; /* if no option or clock limits it */

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

/* ---- Learning ---- */

/* Learns an evaluation and tries it, once, for at most `seconds`; 0: a fixed number of games, the same every
 * time. Games that it does not suit go on with playouts. */
static KnStatus learn(KnPlayer *player, double seconds, KnError *error)
{
    static const double LEARNING = 0.4, TRYING = 0.4; /* of the start clock */
    General *g = player->data;
    KnError none;
    double started = kn_clock_now();
    g->learn = LEARN_OFF;
    if (!g->simultaneous || g->hidden || g->puzzle || !kn_game_gdl(player->game) ||
        kn_game_takes_turns(player->game, &none) != KN_OK)
        return KN_OK;
    KnStatus status = kn_evaluation_open_text(player->context, player->game, "facts(state)", &g->evaluation,
                                              error);
    if (g->knowledge && status == KN_OK && seconds > 0) kn_knowledge_teach(g->knowledge, g->evaluation);
    double left = seconds - (kn_clock_now() - started); /* analysing the rules took some of it */
    if (status != KN_OK || (seconds > 0 && left < seconds * (LEARNING + TRYING))) return status;
    status = kn_evaluation_prepare(g->evaluation, seconds * LEARNING, error);
    if (status == KN_OK && g->knowledge && seconds > 0)
        kn_knowledge_keep_weights(g->knowledge, g->evaluation);
    KnTrialPlan plan = kn_trial_plan();
    plan.seconds = seconds * TRYING;
    return status == KN_OK
               ? kn_trial_run(player->game, g->simultaneous, g->evaluation, &plan, &g->trial, error)
               : status;
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    General *g = player->data = calloc(1, sizeof *g);
    if (!g) return kn_fail_memory(error, "opening a player");
    g->budget.nodes = (uint64_t)kn_option_real(options, "nodes");
    g->budget.seconds = kn_option_real(options, "time");
    g->budget.processor = kn_option_flag(options, "cpu");
    if (g->budget.seconds > 0) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    KnMctsSimultaneousOptions how = kn_mcts_simultaneous_options();
    how.playouts = (uint64_t)kn_option_real(options, "playouts");
    g->playouts = how.playouts;
    how.exploration = kn_option_real(options, "exploration");
    how.batch = (int)kn_option_integer(options, "batch");
    how.amaf = kn_option_real(options, "amaf");
    g->learn = (Learning)kn_option_choice(options, "learn");
    how.solve = kn_option_flag(options, "solve");
    how.threads = (int)kn_option_integer(options, "threads");
    if (!how.threads) how.threads = kn_cores();
    if (how.threads > 1) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    long memory = kn_option_integer(options, "memory");
    how.bytes = (size_t)memory << 20;
    KnError none;
    KnStatus status = KN_OK;
    if (kn_hidden_suits(player->game)) {
        g->hidden = kn_hidden_new(player->game, error);
        g->sums = malloc((size_t)player->game->max_moves * sizeof *g->sums);
        if (!g->hidden) return KN_SYSTEM;
        if (!g->sums) return kn_fail_memory(error, "opening a player");
    }
    bool puzzle = how.solve && !g->hidden && kn_puzzle_suits(player->game, &none) == KN_OK;
    if (puzzle) {
        how.bytes /= 2;
        status = open_inner(player, &g->puzzle, error, "puzzle(memory=%ld)", memory > 1 ? memory / 2 : 1);
    }
    if (status == KN_OK && player->game->traits & KN_GAME_LOOKS_BACK)
        return open_inner(player, &g->mcts, error,
                          "uct(playouts=%llu, memory=%ld, exploration=%.17g, threads=%d%s)",
                          how.playouts ? (unsigned long long)how.playouts : 1000000000000ull, memory,
                          how.exploration, how.threads, how.solve ? "" : ", -solve");
    if (status == KN_OK && kn_option_flag(options, "keep")) {
        status = kn_knowledge_new(player->context, player->game, &g->knowledge, error);
        player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    }
    if (status == KN_OK) g->here = aligned_alloc(16, (player->game->position_size + 15) & ~(size_t)15);
    if (status == KN_OK && !g->here) status = kn_fail_memory(error, "opening a player");
    if (status == KN_OK) g->simultaneous = kn_mcts_simultaneous_new(player->game, &how, error);
    if (g->simultaneous && !g->puzzle && !g->hidden) player->traits |= KN_PLAYER_PONDERS;
    return status != KN_OK ? status : g->simultaneous ? KN_OK : error ? error->status : KN_SYSTEM;
}

static void close(KnPlayer *player)
{
    General *g = player->data;
    if (!g) return;
    kn_mcts_simultaneous_free(g->simultaneous);
    kn_player_close(g->puzzle);
    kn_player_close(g->mcts);
    kn_evaluation_close(g->evaluation);
    kn_hidden_free(g->hidden);
    kn_knowledge_free(g->knowledge);
    free(g->sums);
    free(g->here);
    free(g);
}

/* Thinks ahead: the tree of the present position grows, and the next choice finds it. */
static KnStatus ponder(General *g, const KnGame *game, int role, double seconds, KnRng *rng, KnError *error)
{
    KnSearchResult found;
    KnSearchRequest ask = {.budget = {.seconds = seconds, .processor = g->budget.processor}, .rng = rng};
    if (!(kn_game_movers(game, g->here) >> role & 1)) return KN_OK;
    kn_mcts_simultaneous_limit(g->simultaneous, 0);
    return kn_mcts_simultaneous_run(g->simultaneous, g->here, role, &ask, &found, error);
}

/* Solves the puzzle, unless the way is known from an earlier match. */
static KnStatus prepare_puzzle(General *g, int role, double seconds, KnRng *rng, KnError *error)
{
    int length;
    const KnMove *line = g->knowledge ? kn_knowledge_line(g->knowledge, &length) : NULL;
    if (line && kn_puzzle_player_suggest(g->puzzle, line, length)) return KN_OK;
    KnStatus status = kn_player_prepare(g->puzzle, role, seconds, rng, error);
    if (status != KN_OK || !g->knowledge || seconds <= 0) return status;
    line = kn_puzzle_player_line(g->puzzle, &length);
    if (line) kn_knowledge_keep_line(g->knowledge, line, length);
    return KN_OK;
}

/* Under a start clock. A short one is better spent on the tree. */
static KnStatus prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    static const double SHORTEST = 5;
    General *g = player->data;
    if (g->knowledge && seconds > 0) kn_knowledge_load(g->knowledge);
    if (g->puzzle) return prepare_puzzle(g, role, seconds, rng, error);
    if (g->learn && seconds >= SHORTEST) {
        double started = kn_clock_now();
        KnStatus status = learn(player, seconds, error);
        seconds -= kn_clock_now() - started;
        if (status != KN_OK || seconds <= 0) return status;
    }
    return g->simultaneous && !g->hidden ? ponder(g, player->game, role, seconds, rng, error) : KN_OK;
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    General *g = player->data;
    if (g->simultaneous) {
        kn_mcts_simultaneous_clear(g->simultaneous);
        memcpy(g->here, position, player->game->position_size);
    }
    if (g->hidden) kn_hidden_begin(g->hidden, role, position);
    KnStatus status = g->puzzle ? kn_player_begin(g->puzzle, role, position, error) : KN_OK;
    return status == KN_OK && g->mcts ? kn_player_begin(g->mcts, role, position, error) : status;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    General *g = player->data;
    KnStatus status = g->puzzle ? kn_player_observe(g->puzzle, state, joint, error) : KN_OK;
    if (status == KN_OK && g->mcts) status = kn_player_observe(g->mcts, state, joint, error);
    if (g->simultaneous) memcpy(g->here, kn_state_position(state), player->game->position_size);
    if (status == KN_OK && g->hidden)
        status = kn_hidden_observe(g->hidden, joint, kn_state_position(state), error);
    return status;
}

/* Explains the search. Lines of a simultaneous game are printed through its sequential view. */
static KnStatus explain_search(const KnRequest *request, const KnEvaluation *evaluation,
                               const KnSearchResult *found, KnAnswer *answer, KnError *error)
{
    if (!(request->game->traits & KN_GAME_SIMULTANEOUS)) {
        answer->explanation = kn_explain_search(request, request->game, request->position, found, evaluation,
                                                NULL);
        return KN_OK;
    }
    KnGame *view;
    KnStatus status = kn_game_sequential(request->game, request->role, &view, error);
    if (status != KN_OK) return status;
    unsigned char entered[view->position_size] __attribute__((aligned(16)));
    kn_sequential_enter(view, request->position, entered);
    answer->explanation = kn_explain_search(request, view, entered, found, evaluation, NULL);
    kn_game_close(view);
    return KN_OK;
}

/* The same, and whether leaves are worth what was learned. */
static KnStatus explain(const General *g, const KnRequest *request, const KnSearchResult *found,
                        KnAnswer *answer, KnError *error)
{
    KnStatus status = explain_search(request, g->trial.evaluates ? g->evaluation : NULL, found, answer,
                                     error);
    if (status == KN_OK && g->evaluation)
        kn_explanation_text(
            request->arena, answer->explanation, "leaves",
            kn_arena_printf(request->arena,
                            "worth what %s; the learned evaluation won %.1f points in %d games of a trial",
                            g->trial.evaluates ? "the learned evaluation says" : "random playouts say",
                            g->trial.points, g->trial.games));
    if (status == KN_OK && g->knowledge)
        kn_explanation_text(request->arena, answer->explanation, "knowledge",
                            kn_arena_printf(request->arena, "%s", kn_knowledge_note(g->knowledge)));
    return status;
}

/* A score without the distance of a proved end, so that a mean makes sense. */
static KnScore clip(KnScore score)
{
    return score > KN_SCORE_PAYOFF ? KN_SCORE_PAYOFF : score < -KN_SCORE_PAYOFF ? -KN_SCORE_PAYOFF : score;
}

static KnStatus sample(General *g, const KnRequest *request, KnBudget budget, KnAnswer *answer,
                       KnError *error)
{
    KN_ASSERT(g->simultaneous);
    KnSearchRequest ask = {.allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .budget = budget,
                           .rng = request->rng,
                           .cancel = request->cancel};
    KnSearchResult found;
    kn_mcts_simultaneous_limit(
        g->simultaneous, g->playouts || budget.nodes || budget.seconds > 0 ? g->playouts : DEFAULT_PLAYOUTS);
    KnStatus status = kn_mcts_simultaneous_run(g->simultaneous, request->position, request->role, &ask,
                                               &found, error);
    if (status != KN_OK) return status;
    answer->move = found.move;
    answer->has_score = answer->payoffs = true;
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
    return request->wants & KN_WANT_EXPLANATION ? explain(g, request, &found, answer, error) : KN_OK;
}

/* Determinization: searches positions that the role cannot tell from the present one, as if it could. */
static KnStatus sample_hidden(General *g, const KnRequest *request, KnBudget budget, KnAnswer *answer,
                              KnError *error)
{
    enum { POSITIONS = 16 };
    const void *positions[POSITIONS];
    int count = kn_hidden_sample(g->hidden, request->role, request->position, POSITIONS, request->rng,
                                 positions);
    if (!count) { /* nothing that was seen helps: any move is as good */
        answer->move = request->allowed[kn_rng_below(request->rng, (uint32_t)request->allowed_count)];
        return KN_OK;
    }
    uint64_t playouts = g->playouts || budget.nodes || budget.seconds > 0 ? g->playouts : DEFAULT_PLAYOUTS;
    KnBudget share = {.nodes = (budget.nodes + (uint64_t)count - 1) / (uint64_t)count,
                      .seconds = budget.seconds / count,
                      .processor = budget.processor};
    memset(g->sums, 0, (size_t)request->allowed_count * sizeof *g->sums);
    kn_mcts_simultaneous_limit(g->simultaneous, (playouts + (uint64_t)count - 1) / (uint64_t)count);
    for (int i = 0; i < count; i++) {
        KnSearchRequest ask = {.allowed = request->allowed,
                               .allowed_count = request->allowed_count,
                               .budget = share,
                               .rng = request->rng,
                               .cancel = request->cancel};
        KnSearchResult found;
        KnStatus status = kn_mcts_simultaneous_run(g->simultaneous, positions[i], request->role, &ask, &found,
                                                   error);
        if (status != KN_OK) return status;
        answer->cost.nodes += found.nodes;
        for (int k = 0; k < found.root_count; k++) g->sums[k] += clip(found.root[k].score) / count;
    }
    int best = 0;
    for (int k = 1; k < request->allowed_count; k++)
        if (g->sums[k] > g->sums[best]) best = k;
    answer->move = request->allowed[best];
    answer->has_score = answer->payoffs = true;
    answer->score = g->sums[best];
    if (request->wants & KN_WANT_VALUES && answer->values) {
        answer->has_values = true;
        for (int k = 0; k < request->allowed_count; k++) answer->values[k] = g->sums[k];
    }
    return KN_OK;
}

/* Asks the exact solver with half of the budget. *budget becomes what is left for the tree search. */
static KnStatus ask_solver(General *g, const KnRequest *request, KnBudget *budget, KnAnswer *answer,
                           bool *proved, KnError *error)
{
    KN_ASSERT(g->puzzle);
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
    answer->explanation = NULL;
    return status;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KN_ASSERT(request->allowed_count > 0);
    General *g = player->data;
    KnBudget budget = kn_budget_narrow(g->budget, request->budget);
    if (request->allowed_count == 1 && !(request->wants & KN_WANT_EXPLANATION)) {
        answer->move = request->allowed[0];
        return KN_OK;
    }
    if (g->mcts) {
        KnRequest inner = *request;
        inner.budget = budget;
        if (!g->playouts && !budget.nodes && budget.seconds <= 0) inner.budget.nodes = DEFAULT_NODES;
        return kn_player_choose(g->mcts, &inner, answer, error);
    }
    if (g->hidden) return sample_hidden(g, request, budget, answer, error);
    bool proved = false;
    KnStatus status = g->learn == LEARN_ON ? learn(player, 0, error) : KN_OK;
    if (status != KN_OK) return status;
    status = g->puzzle ? ask_solver(g, request, &budget, answer, &proved, error) : KN_OK;
    return status != KN_OK || proved ? status : sample(g, request, budget, answer, error);
}

static const KnOption options[] = {
    KN_NODES_OPTION,
    KN_TIME_OPTION,
    {"playouts", KN_OPTION_INTEGER, "0", 0, 1e12, NULL,
     "playouts a move; 0: no limit besides the others, or 2000 if there is none"},
    {"exploration", KN_OPTION_REAL, "0.5", 0, 100, NULL, "how much to try what is little tried"},
    {"batch", KN_OPTION_INTEGER, "0", 0, 256, NULL,
     "playouts at a time on game descriptions, each from a leaf of its own; 0: 1, or 256 under a clock"},
    {"amaf", KN_OPTION_REAL, "100", 0, 1e6, NULL,
     "on game descriptions, visits that a move's results in all playouts count for at most (GRAVE); 0: none"},
    {"learn", KN_OPTION_CHOICE, "clock", 0, 0, "off|on|clock",
     "game descriptions of two roles: learn an evaluation before the game, and use it instead of playouts if "
     "it wins a trial; clock: if there is a start clock of 5 s or more"},
    {"keep", KN_OPTION_FLAG, "no", 0, 0, NULL,
     "keep what is learned in a start clock, for the next match of the same rules, in the data folder"},
    {"cpu", KN_OPTION_FLAG, "no", 0, 0, NULL,
     "let the tree search count processor time, not the clock on the wall"},
    KN_MEMORY_OPTION("64", "MiB of the tree"),
    {"threads", KN_OPTION_INTEGER, "1", 0, 256, NULL,
     "threads, each with a tree of its own, whose statistics are added up; results are then not repeatable. "
     "0: "
     "as many as there are cores"},
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
    .observe = observe,
    .choose = choose,
};
