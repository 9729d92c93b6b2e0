#include "methods/allocation/search_signals.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "jobs/parallel.h"
#include "methods/allocation/policy.h"

const char *const kn_search_signal_names[KN_SEARCH_SIGNALS] = {
    [KN_SEARCHED_SCORE] = "score of the shallow search",
    [KN_SEARCHED_CHANGE] = "its change over the last ply",
    [KN_SEARCHED_CHANGES] = "its change over two plies",
    [KN_SEARCHED_KEPT] = "best moves that were best a ply before",
    [KN_SEARCHED_STEADY] = "depths with this best move",
    [KN_SEARCHED_TIES] = "moves of best value",
    [KN_SEARCHED_LEAD] = "lead over the next value",
    [KN_SEARCHED_NEAR] = "moves within a man of the best",
    [KN_SEARCHED_EFFORT] = "effort on the best move",
    [KN_SEARCHED_GROWTH] = "growth of the last ply",
    [KN_SEARCHED_CAPTURES] = "best lines that end amid captures",
    [KN_SEARCHED_LEAST] = "least that those captures bring",
    [KN_SEARCHED_MOST] = "most that those captures bring",
    [KN_SEARCHED_NEXT] = "what captures bring after the next line",
};

enum { MAN = 100, LIMIT = 10000, LINES = 4, CAPTURES = 12 };

/* Proven scores become the largest heuristic ones: learners need numbers of one size. */
static double tame(double score) { return score > LIMIT ? LIMIT : score < -LIMIT ? -LIMIT : score; }

/* The values of all moves at one depth. */
typedef struct Depth {
    const KnScore *values;
    int count;
    KnScore best;
    uint64_t nodes;
} Depth;

static bool is_best(const Depth *depth, int move) { return depth->values[move] == depth->best; }

static int first_best(const Depth *depth)
{
    int i = 0;
    while (!is_best(depth, i)) i++;
    return i;
}

/* The best of the moves that are not; -1 if all are. */
static int next_best(const Depth *depth)
{
    int next = -1;
    for (int i = 0; i < depth->count; i++)
        if (!is_best(depth, i) && (next < 0 || depth->values[i] > depth->values[next])) next = i;
    return next;
}

/* ---- lines ---- */

static double lead_of(const KnGame *game, const void *position, int role)
{
    return game->type->material
               ? game->type->material(game, position, role) - game->type->material(game, position, 1 - role)
               : 0;
}

/* Follows captures from the end of a line, each side taking what leaves it the best material, until it is
 * quiet. Returns what that brings to the role; *amid: there was something to follow. */
static double follow_captures(const KnGame *game, void *position, int role, bool *amid)
{
    KnMove moves[game->max_moves];
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    unsigned char best[game->position_size] __attribute__((aligned(16)));
    double before = lead_of(game, position, role);
    *amid = false;
    for (int ply = 0; game->type->tactical && ply < CAPTURES; ply++) {
        bool may_stand;
        int count = game->type->tactical(game, position, moves, &may_stand),
            mover = game->type->mover(game, position);
        double most = may_stand ? lead_of(game, position, mover) : -1e9;
        bool takes = false;
        for (int i = 0; i < count; i++) {
            memcpy(next, position, game->position_size);
            game->type->play(game, next, moves[i]);
            double lead = lead_of(game, next, mover);
            if (lead <= most) continue;
            most = lead;
            takes = true;
            memcpy(best, next, game->position_size);
        }
        if (!takes) break;
        *amid = true;
        memcpy(position, best, game->position_size);
    }
    return lead_of(game, position, role) - before;
}

/* Plays a move and, for both sides, what searches to the rest of the depth choose; then looks at the end. */
static KnStatus look_along(KnPlayer *inner, const KnRequest *request, KnMove move, int depth, double *brings,
                           bool *amid, uint64_t *nodes, KnError *error)
{
    const KnGame *game = inner->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    memcpy(position, request->position, game->position_size);
    game->type->play(game, position, move);
    while (--depth > 0) {
        KnRequest ask = *request;
        KnAnswer answer;
        ask.position = position;
        ask.role = game->type->mover(game, position);
        ask.history = (KnHistory){0};
        ask.allowed = moves;
        ask.allowed_count = game->type->moves(game, position, moves);
        if (!ask.allowed_count) break;
        KnStatus status = kn_allocation_ask(inner, &ask, depth, NULL, &answer, error);
        if (status != KN_OK) return status;
        *nodes += answer.cost.nodes;
        game->type->play(game, position, answer.move);
    }
    *brings = follow_captures(game, position, request->role, amid);
    return KN_OK;
}

/* The lines of the best moves, some of them where many tie, and of the next best one. */
static KnStatus look_along_lines(KnPlayer *inner, const KnRequest *request, const Depth *last, int k,
                                 double *signals, uint64_t *nodes, KnError *error)
{
    KnStatus status = KN_OK;
    int looked = 0, next = next_best(last);
    double brings, least = 1e9, most = -1e9;
    bool amid, any = false;
    for (int i = 0; i < last->count && looked < LINES && status == KN_OK; i++) {
        if (!is_best(last, i)) continue;
        status = look_along(inner, request, request->allowed[i], k, &brings, &amid, nodes, error);
        if (status != KN_OK) return status;
        signals[KN_SEARCHED_CAPTURES] += amid;
        least = brings < least ? brings : least;
        most = brings > most ? brings : most;
        looked++;
        any = true;
    }
    KN_ASSERT(any);
    signals[KN_SEARCHED_CAPTURES] /= looked;
    signals[KN_SEARCHED_LEAST] = least;
    signals[KN_SEARCHED_MOST] = most;
    if (next < 0) return KN_OK;
    return look_along(inner, request, request->allowed[next], k, &signals[KN_SEARCHED_NEXT], &amid, nodes,
                      error);
}

/* ---- depths ---- */

static void compare_depths(const Depth *depths, int k, double *signals)
{
    const Depth *last = &depths[k], *before = &depths[k - 1];
    int chosen = first_best(last), next = next_best(last), kept = 0, ties = 0, near = 0, steady = 0;
    for (int i = 0; i < last->count; i++) {
        ties += is_best(last, i);
        kept += is_best(last, i) && k > 1 && is_best(before, i);
        near += (double)last->best - last->values[i] <= MAN;
    }
    for (int d = k; d >= 1 && is_best(&depths[d], chosen); d--) steady++;
    signals[KN_SEARCHED_SCORE] = tame(last->best);
    if (k > 1) signals[KN_SEARCHED_CHANGE] = tame(last->best) - tame(before->best);
    if (k > 2) signals[KN_SEARCHED_CHANGES] = tame(last->best) - tame(depths[k - 2].best);
    signals[KN_SEARCHED_KEPT] = (double)kept / ties;
    signals[KN_SEARCHED_STEADY] = steady;
    signals[KN_SEARCHED_TIES] = ties;
    signals[KN_SEARCHED_LEAD] = next < 0 ? 0 : tame(last->best) - tame(last->values[next]);
    signals[KN_SEARCHED_NEAR] = near;
    if (k > 1 && before->nodes && last->nodes)
        signals[KN_SEARCHED_GROWTH] = kn_math_log2((double)last->nodes / (double)before->nodes);
}

KnStatus kn_search_signals(KnPlayer *inner, const KnRequest *request, int k, double *signals, uint64_t *nodes,
                           KnError *error)
{
    int count = request->allowed_count;
    KN_ASSERT(k >= 1 && count > 0);
    for (int i = 0; i < KN_SEARCH_SIGNALS; i++) signals[i] = 0;
    *nodes = 0;
    KnRng fixed = kn_rng_seeded(1);
    KnRequest ask = *request;
    KnAnswer answer;
    ask.rng = &fixed;
    ask.wants = 0;
    ask.pace = NULL;
    Depth depths[k + 1];
    KnScore values[(size_t)k * (size_t)count];
    for (int d = 1; d <= k; d++) {
        KnScore *here = values + (size_t)(d - 1) * (size_t)count;
        KnStatus status = kn_allocation_ask(inner, &ask, d, here, &answer, error);
        if (status != KN_OK) return status;
        depths[d] = (Depth){.values = here, .count = count, .best = here[0], .nodes = answer.cost.nodes};
        for (int i = 1; i < count; i++)
            if (here[i] > depths[d].best) depths[d].best = here[i];
        *nodes += answer.cost.nodes;
    }
    compare_depths(depths, k, signals);
    KnRequest one = ask;
    one.allowed = &request->allowed[first_best(&depths[k])];
    one.allowed_count = 1;
    KnScore value;
    KnStatus status = kn_allocation_ask(inner, &one, k, &value, &answer, error);
    if (status != KN_OK) return status;
    *nodes += answer.cost.nodes;
    signals[KN_SEARCHED_EFFORT] = depths[k].nodes ? (double)answer.cost.nodes / (double)depths[k].nodes : 1;
    return look_along_lines(inner, &ask, &depths[k], k, signals, nodes, error);
}

/* ---- examples ---- */

typedef struct Adding {
    const KnExamplesPlan *plan;
    KnExamples *set;
    KnPlayer **players; /* one a thread */
} Adding;

static KnStatus add_signals(void *user, int thread, uint64_t index, KnError *error)
{
    Adding *a = user;
    const KnGame *game = a->set->game;
    size_t i = a->set->signalled + index;
    const void *position = kn_example_position(a->set, i);
    KnMove moves[game->max_moves];
    double signals[KN_SEARCH_SIGNALS];
    uint64_t nodes;
    KnRequest request = {.game = game,
                         .position = position,
                         .role = game->type->mover(game, position),
                         .allowed = moves,
                         .allowed_count = game->type->moves(game, position, moves),
                         .cancel = a->plan->cancel};
    KnStatus status = kn_search_signals(a->players[thread], &request, a->plan->k, signals, &nodes, error);
    for (int s = 0; s < KN_SEARCH_SIGNALS && status == KN_OK; s++)
        a->set->signals[i * KN_SEARCH_SIGNALS + (size_t)s] = (float)signals[s];
    return status;
}

KnStatus kn_examples_add_signals(const KnContext *context, const KnExamplesPlan *plan, KnExamples *set,
                                 KnError *error)
{
    if (set->signalled == set->count) return KN_OK;
    int jobs = kn_jobs(plan->jobs);
    float *signals = realloc(set->signals, set->count * KN_SEARCH_SIGNALS * sizeof *signals);
    if (signals) set->signals = signals;
    Adding a = {.plan = plan, .set = set, .players = calloc((size_t)jobs, sizeof(KnPlayer *))};
    KnStatus status = signals && a.players ? KN_OK : kn_fail_memory(error, "making examples");
    for (int i = 0; i < jobs && status == KN_OK; i++) {
        status = kn_allocation_open_inner(context, set->game, plan->inner, plan->k, &a.players[i], error);
        if (status == KN_OK) status = kn_player_begin(a.players[i], 0, kn_example_position(set, 0), error);
    }
    if (status == KN_OK)
        status = kn_parallel(jobs, set->count - set->signalled, add_signals, &a, plan->cancel, error);
    for (int i = 0; i < jobs && a.players; i++) kn_player_close(a.players[i]);
    free(a.players);
    if (status == KN_OK) set->signalled = set->count;
    return status;
}
