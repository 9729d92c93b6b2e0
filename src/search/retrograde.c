/* The time is linear in the number of moves: each move is generated once when the graph is built and visited
 * once when its target is decided.
 *
 * The graph holds only the lists of predecessors (compressed sparse rows). Decided states form layers by
 * their distance to the end, and layer d decides its predecessors: a state with a move to a lost state of the
 * opponent is won in d + 1 unless it is decided; a state whose last undecided move leads to a won state of
 * the opponent is lost in d + 1. The counter of a state with a winning move never reaches zero, because
 * winning moves do not decrement it. The contents of a layer do not depend on the order of work, so threads
 * can share it. */
#include "search/retrograde.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "jobs/parallel.h"

enum {
    CHUNK = 1024,
    STATE_BYTES = 48 /* code, index, results, counters, row and layer of a state; the moves need more */
};

/* An edge of the graph: the index of a state, doubled, plus one if the mover is the same at both ends. */
typedef uint32_t Edge;

typedef struct Edges {
    Edge *items;
    size_t count, capacity;
} Edges;

typedef struct Graph {
    const KnGame *game;
    const KnSolveOptions *options;
    KnRetrograde *out;
    _Atomic KnResult *results;
    _Atomic uint16_t *open;     /* moves not yet known to lose */
    _Atomic uint32_t *incoming; /* numbers of predecessors, later the free entries of their lists */
    uint64_t *first;            /* where a state's list of predecessors begins; count + 1 */
    Edge *predecessors;
    Edges *chunks; /* the moves of each chunk of states, until the lists exist */
    size_t chunk_count;
    Edges *scratch; /* one for each worker */
    int workers;
    atomic_size_t moves;
    Edges layer;    /* indices of the states in the current layer */
    uint32_t plies; /* the distance of that layer */
} Graph;

static bool edges_add(Edges *edges, Edge edge)
{
    if (edges->count == edges->capacity) {
        size_t capacity = edges->capacity ? edges->capacity * 2 : 1024;
        Edge *items = realloc(edges->items, capacity * sizeof *items);
        if (!items) return false;
        edges->items = items;
        edges->capacity = capacity;
    }
    edges->items[edges->count++] = edge;
    return true;
}

static KnResult result_at_end(const KnGame *game, const void *position)
{
    double payoffs[KN_ROLES_MAX] = {0}, middle = (game->payoff_low + game->payoff_high) / 2;
    game->type->payoffs(game, position, payoffs);
    double own = payoffs[game->type->mover(game, position)];
    return own > middle ? KN_RESULT_WIN : own < middle ? KN_RESULT_LOSS : KN_RESULT_DRAW;
}

/* The moves of a state as edges to its successors. Returns their number, or -1 with an error. */
static int successors(const KnGame *game, const KnStateSpace *states, const void *position, Edge *edges,
                      KnError *error)
{
    KnMove moves[game->max_moves];
    uint64_t codes[game->max_moves];
    size_t indices[game->max_moves];
    _Alignas(16) unsigned char next[game->position_size];
    int count = game->type->moves(game, position, moves), mover = game->type->mover(game, position);
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        codes[i] = kn_coder_code(&states->coder, game, next, NULL);
        edges[i] = game->type->mover(game, next) == mover;
    }
    KN_ASSERT(count >= 0 && count <= game->max_moves);
    kn_statespace_find_all(states, codes, count, indices);
    for (int i = 0; i < count; i++) {
        if (indices[i] == SIZE_MAX) {
            kn_fail(error, KN_SYSTEM,
                    "%s: a move leads out of the states enumerated (a mistake in its symmetries or codes)",
                    game->spec);
            return -1;
        }
        KN_ASSERT(indices[i] < states->count && states->count <= UINT32_MAX / 2);
        edges[i] |= (Edge)indices[i] << 1;
    }
    return count;
}

/* ---- Building the graph ---- */

static KnStatus list_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    Graph *graph = user;
    const KnGame *game = graph->game;
    const KnStateSpace *states = &graph->out->states;
    Edges *scratch = &graph->scratch[worker], *kept = &graph->chunks[index];
    _Alignas(16) unsigned char position[game->position_size];
    Edge edges[game->max_moves];
    size_t begin = (size_t)index * CHUNK, end = begin + CHUNK < states->count ? begin + CHUNK : states->count;
    scratch->count = 0;
    for (size_t i = begin; i < end; i++) {
        game->type->unpack(game, states->codes[i], position);
        int count = successors(game, states, position, edges, error);
        if (count < 0) return KN_SYSTEM;
        if (!count) graph->results[i] = result_at_end(game, position);
        atomic_store_explicit(&graph->open[i], (uint16_t)count, memory_order_relaxed);
        for (int k = 0; k < count; k++) {
            atomic_fetch_add_explicit(&graph->incoming[edges[k] >> 1], 1, memory_order_relaxed);
            if (!edges_add(scratch, edges[k])) return kn_fail_memory(error, "solving");
        }
    }
    kept->count = scratch->count;
    kept->items = malloc((scratch->count + 1) * sizeof *kept->items);
    if (!kept->items) return kn_fail_memory(error, "solving");
    memcpy(kept->items, scratch->items, scratch->count * sizeof *kept->items);
    size_t moves = atomic_fetch_add(&graph->moves, scratch->count) + scratch->count;
    if (moves * 2 * sizeof(Edge) + states->count * STATE_BYTES > kn_solve_memory(graph->options))
        return kn_solve_too_large(game, graph->options, states->count, error);
    kn_progress_tick(graph->options->progress, end - begin);
    return KN_OK;
}

/* Enters the moves of a chunk into the lists of predecessors. */
static KnStatus invert_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker, (void)error;
    Graph *graph = user;
    const Edge *edge = graph->chunks[index].items;
    size_t begin = (size_t)index * CHUNK, count = graph->out->states.count;
    size_t end = begin + CHUNK < count ? begin + CHUNK : count;
    for (size_t i = begin; i < end; i++)
        for (int left = graph->open[i]; left > 0; left--, edge++) {
            size_t to = *edge >> 1;
            uint32_t room = atomic_fetch_sub_explicit(&graph->incoming[to], 1, memory_order_relaxed);
            KN_ASSERT(room > 0 && graph->first[to] + room <= graph->first[to + 1]);
            graph->predecessors[graph->first[to] + room - 1] = (Edge)i << 1 | (*edge & 1);
        }
    free(graph->chunks[index].items);
    graph->chunks[index].items = NULL;
    return KN_OK;
}

static KnStatus make_graph(Graph *graph, KnError *error)
{
    size_t count = graph->out->states.count;
    const KnSolveOptions *options = graph->options;
    graph->chunk_count = (count + CHUNK - 1) / CHUNK;
    graph->workers = kn_jobs(options->jobs);
    graph->results = calloc(count, sizeof *graph->results);
    graph->open = calloc(count, sizeof *graph->open);
    graph->incoming = calloc(count, sizeof *graph->incoming);
    graph->first = malloc((count + 1) * sizeof *graph->first);
    graph->chunks = calloc(graph->chunk_count, sizeof *graph->chunks);
    graph->scratch = calloc((size_t)graph->workers, sizeof *graph->scratch);
    if (!graph->results || !graph->open || !graph->incoming || !graph->first || !graph->chunks ||
        !graph->scratch)
        return kn_fail_memory(error, "solving");
    KnStatus status = kn_parallel(options->jobs, graph->chunk_count, list_chunk, graph, options->cancel,
                                  error);
    if (status != KN_OK) return status;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        graph->first[i] = sum;
        sum += graph->incoming[i];
    }
    graph->first[count] = sum;
    graph->out->moves = sum;
    graph->predecessors = malloc((sum + 1) * sizeof *graph->predecessors);
    if (!graph->predecessors) return kn_fail_memory(error, "solving");
    return kn_parallel(options->jobs, graph->chunk_count, invert_chunk, graph, options->cancel, error);
}

/* ---- Values, layer by layer ---- */

/* Applies a decided successor to one of its predecessors; true if that decides the predecessor. */
static bool decide(Graph *graph, size_t at, bool wins)
{
    KN_ASSERT(at < graph->out->states.count && graph->plies < KN_RESULT_PLIES_MAX);
    KnResult undecided = 0, plies = (KnResult)((graph->plies + 1) << 2);
    if (wins)
        return atomic_compare_exchange_strong_explicit(&graph->results[at], &undecided, plies | KN_RESULT_WIN,
                                                       memory_order_relaxed, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&graph->open[at], 1, memory_order_relaxed) != 1) return false;
    atomic_store_explicit(&graph->results[at], plies | KN_RESULT_LOSS, memory_order_relaxed);
    return true;
}

static KnStatus spread_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    Graph *graph = user;
    size_t begin = (size_t)index * CHUNK;
    size_t end = begin + CHUNK < graph->layer.count ? begin + CHUNK : graph->layer.count;
    for (size_t i = begin; i < end; i++) {
        size_t from = graph->layer.items[i];
        KN_ASSERT(from < graph->out->states.count);
        int value = kn_result_value(atomic_load_explicit(&graph->results[from], memory_order_relaxed));
        for (uint64_t k = graph->first[from]; k < graph->first[from + 1]; k++) {
            Edge edge = graph->predecessors[k];
            bool wins = (edge & 1 ? value : -value) > 0;
            if (decide(graph, edge >> 1, wins) && !edges_add(&graph->scratch[worker], edge >> 1))
                return kn_fail_memory(error, "solving");
        }
    }
    return KN_OK;
}

static KnStatus collect_layer(Graph *graph, KnError *error)
{
    graph->layer.count = 0;
    for (int i = 0; i < graph->workers; i++) {
        for (size_t k = 0; k < graph->scratch[i].count; k++)
            if (!edges_add(&graph->layer, graph->scratch[i].items[k]))
                return kn_fail_memory(error, "solving");
        graph->scratch[i].count = 0;
    }
    return KN_OK;
}

static KnStatus spread(Graph *graph, KnError *error)
{
    for (int i = 0; i < graph->workers; i++) graph->scratch[i].count = 0;
    for (size_t i = 0; i < graph->out->states.count; i++)
        if (graph->results[i] && !edges_add(&graph->layer, (Edge)i)) return kn_fail_memory(error, "solving");
    for (graph->plies = 0; graph->layer.count; graph->plies++) {
        if (graph->plies >= KN_RESULT_PLIES_MAX)
            return kn_fail(error, KN_SYSTEM, "%s: a forced win takes more than %d plies", graph->game->spec,
                           KN_RESULT_PLIES_MAX);
        size_t chunks = (graph->layer.count + CHUNK - 1) / CHUNK;
        int jobs = chunks < 4 ? 1 : graph->options->jobs; /* too little work for threads */
        KnStatus status = kn_parallel(jobs, chunks, spread_chunk, graph, graph->options->cancel, error);
        if (status == KN_OK) status = collect_layer(graph, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

static void graph_free(Graph *graph)
{
    free(graph->results);
    free(graph->open);
    free(graph->incoming);
    free(graph->first);
    free(graph->predecessors);
    for (size_t i = 0; graph->chunks && i < graph->chunk_count; i++) free(graph->chunks[i].items);
    free(graph->chunks);
    for (int i = 0; graph->scratch && i < graph->workers; i++) free(graph->scratch[i].items);
    free(graph->scratch);
    free(graph->layer.items);
}

static KnStatus solve(const KnGame *game, const KnSolveOptions *options, KnRetrograde *out, KnError *error)
{
    KnStatus status = kn_statespace_enumerate(game, options, &out->states, error);
    if (status != KN_OK) return status;
    kn_progress_set_total(options->progress, 3 * out->states.count);
    out->results = calloc(out->states.count, sizeof *out->results);
    if (!out->results) return kn_fail_memory(error, "solving");
    Graph graph = {.game = game, .options = options, .out = out};
    status = make_graph(&graph, error);
    if (status == KN_OK) status = spread(&graph, error);
    if (status == KN_OK)
        for (size_t i = 0; i < out->states.count; i++) out->results[i] = graph.results[i];
    graph_free(&graph);
    return status == KN_OK ? kn_retrograde_verify(game, options, out, error) : status;
}

KnStatus kn_retrograde(const KnGame *game, const KnSolveOptions *options, KnRetrograde *out, KnError *error)
{
    static const KnSolveOptions plain;
    *out = (KnRetrograde){0};
    KnStatus status = solve(game, options ? options : &plain, out, error);
    if (status != KN_OK) kn_retrograde_free(out);
    return status;
}

void kn_retrograde_free(KnRetrograde *retrograde)
{
    kn_statespace_free(&retrograde->states);
    free(retrograde->results);
    *retrograde = (KnRetrograde){0};
}

/* ---- Checking ---- */

typedef struct Check {
    const KnGame *game;
    const KnSolveOptions *options;
    const KnRetrograde *solved;
    KnStateCounts (*tallies)[KN_TALLY_PHASES]; /* by worker and phase */
} Check;

/* The result of a state by definition, from the results of its successors. */
static KnResult expected_result(const KnRetrograde *solved, const Edge *edges, int count)
{
    int fastest = -1, slowest = -1;
    bool drawn = false;
    for (int i = 0; i < count; i++) {
        KnResult result = solved->results[edges[i] >> 1];
        int value = edges[i] & 1 ? kn_result_value(result) : -kn_result_value(result);
        int plies = kn_result_plies(result) + 1;
        if (value > 0 && (fastest < 0 || plies < fastest)) fastest = plies;
        if (value < 0 && plies > slowest) slowest = plies;
        drawn |= value == 0;
    }
    if (fastest >= 0) return (KnResult)(fastest << 2 | KN_RESULT_WIN);
    return (KnResult)(drawn ? KN_RESULT_DRAW : slowest << 2 | KN_RESULT_LOSS);
}

static void tally_add(KnStateCounts *tally, KnResult result, int size)
{
    uint64_t states = (uint64_t)size;
    int value = kn_result_value(result), plies = kn_result_plies(result);
    KN_ASSERT(size >= 1);
    tally->classes++;
    tally->states += states;
    *(value > 0 ? &tally->wins : value < 0 ? &tally->losses : &tally->draws) += states;
    if (tally->longest < (uint32_t)plies) tally->longest = (uint32_t)plies;
}

static void tally_merge(KnStateCounts *to, const KnStateCounts *from)
{
    to->states += from->states;
    to->classes += from->classes;
    to->wins += from->wins;
    to->draws += from->draws;
    to->losses += from->losses;
    if (to->longest < from->longest) to->longest = from->longest;
}

static KnStatus wrong(const KnGame *game, const void *position, KnResult found, KnResult wanted,
                      KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    if (game->type->position_text) game->type->position_text(game, position, &text);
    kn_fail(error, KN_NO,
            "%s, position \"%s\": solved as %+d in %d plies, but its successors make it %+d in %d",
            game->spec, text.data, kn_result_value(found), kn_result_plies(found), kn_result_value(wanted),
            kn_result_plies(wanted));
    kn_text_free(&text);
    return KN_NO;
}

static KnStatus check_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    Check *check = user;
    const KnGame *game = check->game;
    const KnRetrograde *solved = check->solved;
    const KnStateSpace *states = &solved->states;
    _Alignas(16) unsigned char position[game->position_size];
    Edge edges[game->max_moves];
    size_t begin = (size_t)index * CHUNK, end = begin + CHUNK < states->count ? begin + CHUNK : states->count;
    for (size_t i = begin; i < end; i++) {
        game->type->unpack(game, states->codes[i], position);
        int count = successors(game, states, position, edges, error), size;
        if (count < 0) return KN_SYSTEM;
        KnResult wanted = count ? expected_result(solved, edges, count) : result_at_end(game, position);
        if (kn_coder_code(&states->coder, game, position, &size) != states->codes[i])
            return kn_fail(error, KN_SYSTEM, "%s: a code does not read back as itself", game->spec);
        if (wanted != solved->results[i]) return wrong(game, position, solved->results[i], wanted, error);
        int phase = game->type->phase ? game->type->phase(game, position) : 0;
        KN_ASSERT(phase >= 0);
        tally_add(&check->tallies[worker][phase < KN_TALLY_PHASES ? phase : KN_TALLY_PHASES - 1], wanted,
                  size);
    }
    kn_progress_tick(check->options->progress, end - begin);
    return KN_OK;
}

KnStatus kn_retrograde_verify(const KnGame *game, const KnSolveOptions *options, KnRetrograde *retrograde,
                              KnError *error)
{
    int workers = kn_jobs(options->jobs);
    Check check = {.game = game, .options = options, .solved = retrograde};
    check.tallies = calloc((size_t)workers, sizeof *check.tallies);
    if (!check.tallies) return kn_fail_memory(error, "checking a solution");
    KnStatus status = kn_parallel(options->jobs, (retrograde->states.count + CHUNK - 1) / CHUNK, check_chunk,
                                  &check, options->cancel, error);
    if (status == KN_OK) {
        retrograde->total = (KnStateCounts){0};
        memset(retrograde->phase, 0, sizeof retrograde->phase);
        for (int i = 0; i < workers; i++)
            for (int k = 0; k < KN_TALLY_PHASES; k++) {
                tally_merge(&retrograde->phase[k], &check.tallies[i][k]);
                tally_merge(&retrograde->total, &check.tallies[i][k]);
            }
    }
    free(check.tallies);
    return status;
}
