#include "search/puzzle_inside.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "games/gdl/propnet_reasoner.h"

KnStatus kn_puzzle_suits(const KnGame *game, KnError *error)
{
    if (game->roles != 1 || game->nature >= 0)
        return kn_fail(error, KN_INPUT, "a puzzle has one role, and no chance");
    if (game->traits & KN_GAME_LOOKS_BACK)
        return kn_fail(error, KN_INPUT,
                       "its rules look back: a position alone does not determine what can follow");
    return KN_OK;
}

KnPuzzle *kn_puzzle_new(const KnGame *game, size_t bytes, KnError *error)
{
    if (kn_puzzle_suits(game, error) != KN_OK) return NULL;
    KnPuzzle *p = calloc(1, sizeof *p);
    if (!p) {
        kn_fail_memory(error, "opening a solver");
        return NULL;
    }
    p->game = game;
    p->stride = (game->position_size + 15) & ~(size_t)15;
    size_t fit = bytes / (p->stride + sizeof *p->parents + sizeof *p->homes + sizeof *p->steps +
                          4 * sizeof *p->slots),
           least = (size_t)game->max_moves + 1;
    if (fit < least) fit = least;
    p->capacity = fit < UINT32_MAX / 4 ? (uint32_t)fit : UINT32_MAX / 4;
    uint32_t slots = 4;
    while (slots < 2 * p->capacity) slots *= 2;
    p->mask = slots - 1;
    void *positions = NULL;
    if (posix_memalign(&positions, 64, p->capacity * p->stride) == 0) p->positions = positions;
    p->parents = malloc(p->capacity * sizeof *p->parents);
    p->steps = malloc(p->capacity * sizeof *p->steps);
    p->homes = malloc(p->capacity * sizeof *p->homes);
    p->slots = calloc(slots, sizeof *p->slots);
    p->blank = calloc(1, p->stride);
    p->moves = malloc((size_t)game->max_moves * sizeof *p->moves);
    KnGdlMachine *machine = kn_game_gdl(game);
    KnPropnetReasoner *fast = machine ? kn_gdl_machine_propnet(machine) : NULL;
    if (fast) {
        p->net = kn_propnet_reasoner_net(fast);
        p->relaxed = kn_gdl_relaxed_new(machine, 0, 0, NULL);
    }
    if (p->positions && (!fast || p->relaxed) && p->parents && p->steps && p->homes && p->slots && p->blank &&
        p->moves)
        return p;
    kn_puzzle_free(p);
    kn_fail(error, KN_SYSTEM, "out of memory: %zu bytes for solving a puzzle", bytes);
    return NULL;
}

void kn_puzzle_free(KnPuzzle *p)
{
    if (!p) return;
    free(p->positions);
    free(p->parents);
    free(p->steps);
    free(p->homes);
    free(p->slots);
    free(p->blank);
    free(p->moves);
    free(p->line);
    kn_gdl_relaxed_free(p->relaxed);
    kn_gdl_patterns_free(p->patterns);
    kn_puzzle_best_first_free(p);
    free(p);
}

/* A hash of the position without the masked bits. */
static uint64_t key_of(const KnPuzzle *p, const unsigned char *position)
{
    uint64_t key = 0;
    for (size_t i = 0; i < p->stride; i += 8) {
        uint64_t word, blank;
        memcpy(&word, position + i, 8);
        memcpy(&blank, p->blank + i, 8);
        key = (key ^ (word & ~blank)) * 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
    }
    return key;
}

static bool alike(const KnPuzzle *p, const unsigned char *a, const unsigned char *b)
{
    for (size_t i = 0; i < p->stride; i += 8) {
        uint64_t x, y, blank;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        memcpy(&blank, p->blank + i, 8);
        if ((x ^ y) & ~blank) return false;
    }
    return true;
}

/* Whether a slot is in use: the position that it names must have this slot as its home (a sparse set, Briggs
 * and Torczon 1993). So a pass need not clear the slots, which for a small puzzle in a large memory takes
 * longer than solving it. */
static bool in_use(const KnPuzzle *p, uint32_t slot)
{
    uint32_t held = p->slots[slot];
    return held && held <= p->count && p->homes[held - 1] == slot;
}

uint32_t kn_puzzle_add(KnPuzzle *p, uint32_t parent, KnMove step)
{
    KN_ASSERT(p->count < p->capacity && (parent == KN_PUZZLE_NO_PARENT || parent < p->count));
    const unsigned char *position = kn_puzzle_at(p, p->count);
    uint32_t i = (uint32_t)(kn_mix64(key_of(p, position))) & p->mask;
    for (; in_use(p, i); i = (i + 1) & p->mask)
        if (alike(p, kn_puzzle_at(p, p->slots[i] - 1), position)) return p->slots[i] - 1;
    p->slots[i] = p->count + 1;
    p->homes[p->count] = i;
    p->parents[p->count] = parent;
    p->steps[p->count] = step;
    return p->count++;
}

void kn_puzzle_begin(KnPuzzle *p, const void *position)
{
    p->count = 0;
    memset(kn_puzzle_at(p, 0), 0, p->stride);
    memcpy(kn_puzzle_at(p, 0), position, p->game->position_size);
    kn_puzzle_add(p, KN_PUZZLE_NO_PARENT, KN_MOVE_NONE);
}

/* ---- Step counters ---- */

enum { GAMES = 24, PLIES = 400 };

/* Of the facts that look like step counters, keeps none or, if one is, all that are for sure: those that the
 * games did not reach too, since what becomes of the others depends on them. */
static void keep_clocks(KnPuzzle *p)
{
    size_t words = kn_gdl_machine_words(kn_game_gdl(p->game));
    uint64_t seen[words], clocks[words], any = 0;
    memcpy(seen, kn_gdl_facts(p->blank), sizeof seen);
    memset(clocks, 0xff, sizeof clocks);
    kn_gdl_relaxed_clocks(p->relaxed, clocks);
    for (size_t w = 0; w < words; w++) any |= seen[w] &= clocks[w];
    kn_gdl_set_facts(p->game, p->blank, any ? clocks : seen);
}

/* Finds the facts that change during random games but are the same in all games after the same number of
 * moves. Without a propnet this is a heuristic. It takes a tenth of the time at most: if that is too short
 * for these few games, there is no time for two passes either. */
static void find_counters(KnPuzzle *p, const void *from, double seconds)
{
    const KnGame *game = p->game;
    memset(p->blank, 0, p->stride);
    p->blanked = false;
    if (!kn_game_gdl(game) || p->capacity < PLIES + 2) return;
    unsigned char differs[p->stride], changes[p->stride], now[p->stride] __attribute__((aligned(16)));
    memset(differs, 0, sizeof differs);
    memset(changes, 0, sizeof changes);
    KnRng rng = kn_rng_seeded(1);
    uint32_t known = 0; /* plies stored so far, in the space of the positions */
    for (int g = 0; g < GAMES; g++) {
        memset(now, 0, sizeof now);
        memcpy(now, from, game->position_size);
        for (uint32_t ply = 0; ply <= PLIES; ply++) {
            if (ply >= known) {
                memcpy(kn_puzzle_at(p, ply), now, p->stride);
                known = ply + 1;
            }
            for (size_t i = 0; i < p->stride; i++) {
                differs[i] |= (unsigned char)(now[i] ^ kn_puzzle_at(p, ply)[i]);
                changes[i] |= (unsigned char)(now[i] ^ kn_puzzle_at(p, 0)[i]);
            }
            int count = kn_game_moves_of(game, now, 0, p->moves);
            if (!count) break;
            if (seconds > 0 && kn_meter_seconds(&p->meter) > seconds / 10) return;
            kn_game_play_joint(game, now, &p->moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    for (size_t i = 0; i < p->stride; i++) p->blank[i] = (unsigned char)(changes[i] & ~differs[i]);
    if (p->relaxed) keep_clocks(p);
    for (size_t i = 0; i < p->stride; i++) p->blanked |= p->blank[i] != 0;
}

/* ---- Payoffs ---- */

/* The highest payoff below a limit that the rules can give from here, as far as the delete relaxation tells;
 * it aims at it. */
static double highest(KnPuzzle *p, const void *position, int limit)
{
    const KnPropnet *net = p->net;
    if (!net) return p->game->payoff_high;
    for (int best = limit;;) {
        int next = 0;
        for (uint32_t i = net->first_goal[0]; i < net->first_goal[1]; i++)
            if (net->goals[i].value > next && net->goals[i].value < best) next = net->goals[i].value;
        best = next;
        if (!best || !p->relaxed) return best;
        kn_gdl_relaxed_aim(p->relaxed, 0, best);
        kn_gdl_relaxed_unknown(p->relaxed, NULL);
        if (kn_gdl_relaxed_bound(p->relaxed, kn_gdl_facts(position)) != KN_GDL_NEVER) return best;
    }
}

double kn_puzzle_highest(KnPuzzle *p, const void *position) { return highest(p, position, 101); }

void kn_puzzle_end(const KnPuzzle *p, uint32_t index, KnPuzzlePass *pass)
{
    double payoff;
    KN_ASSERT(index < p->count);
    p->game->type->payoffs(p->game, kn_puzzle_at(p, index), &payoff);
    if (pass->best != KN_PUZZLE_NO_PARENT && payoff <= pass->payoff) return;
    pass->best = index;
    pass->payoff = payoff;
}

/* ---- Breadth first ---- */

/* Visits all positions in the order of discovery. The visit of a position shows whether it is an end. */
static void visit_all(KnPuzzle *p, const void *position, KnPuzzlePass *pass)
{
    const KnGame *game = p->game;
    kn_puzzle_begin(p, position);
    pass->best = KN_PUZZLE_NO_PARENT;
    pass->depth = 0;
    pass->level = 0;
    pass->stop = KN_STOP_DONE;
    uint32_t level_end = 1;
    for (uint32_t next = 0; next < p->count; next++) {
        if (next == level_end) {
            pass->depth++;
            pass->level = next;
            level_end = p->count;
        }
        int count = kn_game_moves_of(game, kn_puzzle_at(p, next), 0, p->moves);
        KN_ASSERT(count >= 0 && count <= game->max_moves);
        if (!count) kn_puzzle_end(p, next, pass);
        if (pass->best != KN_PUZZLE_NO_PARENT && pass->payoff >= pass->wanted) return;
        for (int i = 0; i < count; i++) {
            if (p->count >= pass->capacity) {
                pass->stop = KN_STOP_MEMORY;
                return;
            }
            if (!kn_meter_count(&p->meter)) {
                pass->stop = p->meter.why;
                return;
            }
            memcpy(kn_puzzle_at(p, p->count), kn_puzzle_at(p, next), p->stride);
            kn_game_play_joint(game, kn_puzzle_at(p, p->count), &p->moves[i]);
            kn_puzzle_add(p, next, p->moves[i]);
        }
    }
}

/* Whether a breadth-first pass that saw through step counters cannot have missed a shorter way: nothing but
 * ends and payoffs depends on the counters, and whatever they say, no position before the last level has the
 * payoff, and none that ended the game there would let it go on. */
static bool none_was_missed(KnPuzzle *p, const KnPuzzlePass *pass, bool apart)
{
    if (!apart) return false;
    for (uint32_t i = 0; i < pass->level; i++) {
        const unsigned char *position = kn_puzzle_at(p, i);
        if (i % 1024 == 0 && !kn_meter_look(&p->meter)) return false;
        if (kn_gdl_relaxed_bound(p->relaxed, kn_gdl_facts(position)) == 0) return false;
        if (kn_game_over(p->game, position) && kn_gdl_relaxed_may_go_on(p->relaxed)) return false;
    }
    return true;
}

/* ---- The plan of passes ---- */

/* The moves that lead to a position. */
static KnStatus write_line(KnPuzzle *p, uint32_t index, KnPuzzleResult *result, KnError *error)
{
    int length = 0;
    for (uint32_t i = index; p->parents[i] != KN_PUZZLE_NO_PARENT; i = p->parents[i]) length++;
    if (length > p->line_room) {
        KnMove *line = realloc(p->line, (size_t)length * sizeof *line);
        if (!line) return kn_fail_memory(error, "solving a puzzle");
        p->line = line;
        p->line_room = length;
    }
    int k = length;
    for (uint32_t i = index; p->parents[i] != KN_PUZZLE_NO_PARENT; i = p->parents[i])
        p->line[--k] = p->steps[i];
    KN_ASSERT(k == 0);
    result->moves = p->line;
    result->length = length;
    return KN_OK;
}

/* One pass, with the step counters seen through or not. Keeps what is better than what was found before. */
static KnStatus run_pass(KnPuzzle *p, const void *position, KnPuzzleSearch order, KnPuzzlePass *pass,
                         KnPuzzleResult *result, KnError *error)
{
    KnStatus status = KN_OK;
    bool apart = p->relaxed && kn_gdl_relaxed_unknown(p->relaxed, kn_gdl_facts(p->blank));
    pass->doubtful = false;
    if (order == KN_PUZZLE_BREADTH)
        visit_all(p, position, pass);
    else
        status = kn_puzzle_best_first(p, position, order, pass, error);
    result->stored = p->count;
    if (order == KN_PUZZLE_BREADTH) result->depth = pass->depth;
    result->stop = pass->stop;
    if (status != KN_OK || pass->best == KN_PUZZLE_NO_PARENT) return status;
    bool surely_shortest = order != KN_PUZZLE_GREEDY && !p->blanked, first = !result->found;
    if (!first && pass->payoff <= result->payoff &&
        !(pass->payoff == result->payoff && surely_shortest && !result->shortest))
        return KN_OK;
    result->found = true;
    result->payoff = pass->payoff;
    result->proved = pass->payoff >= pass->wanted;
    result->search = order;
    if (surely_shortest)
        result->shortest = order == KN_PUZZLE_BREADTH || result->proved;
    else if (order == KN_PUZZLE_BREADTH)
        result->shortest = result->proved && none_was_missed(p, pass, apart);
    else
        result->shortest = order != KN_PUZZLE_GREEDY && result->proved && apart && !pass->doubtful;
    return write_line(p, pass->best, result, error);
}

/* Passes that see through step counters, and if they end with nothing proved exact ones. Where the first
 * stops at a limit, the second would need even more nodes and memory. Best-first search that has seen all
 * shows that the payoff at which it aimed is out of reach, and goes on to the next. */
static KnStatus run_order(KnPuzzle *p, const void *position, KnPuzzleSearch order, KnPuzzlePass *pass,
                          KnPuzzleResult *result, KnError *error)
{
    KnStatus status = KN_OK;
    if (p->blanked) {
        status = run_pass(p, position, order, pass, result, error);
        if (status != KN_OK || result->proved || pass->stop != KN_STOP_DONE) return status;
        memset(p->blank, 0, p->stride);
        p->blanked = false;
    }
    for (;;) {
        status = run_pass(p, position, order, pass, result, error);
        if (status != KN_OK || result->proved || pass->stop != KN_STOP_DONE) return status;
        if (order == KN_PUZZLE_BREADTH) {
            result->proved = result->found; /* nothing is left */
            return KN_OK;
        }
        pass->wanted = highest(p, position, (int)pass->wanted);
        result->proved = result->found && result->payoff >= pass->wanted;
        if (result->proved) return KN_OK;
        if (pass->wanted <= 0) order = KN_PUZZLE_BREADTH; /* any end will do */
    }
}

/* Breadth-first search with a part of memory and time, then greedy search, which finds its way where there
 * are too many positions to see them all, then breadth-first search with all that is left. */
static KnStatus run_all(KnPuzzle *p, const void *position, KnPuzzlePass *pass, KnPuzzleResult *result,
                        KnError *error)
{
    static const struct {
        KnPuzzleSearch order;
        double part; /* of the budget, up to here */
    } plan[] = {{KN_PUZZLE_BREADTH, 0.4}, {KN_PUZZLE_GREEDY, 0.8}, {KN_PUZZLE_BREADTH, 1}};
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        p->meter.stopped = false;
        if (!kn_meter_narrow(&p->meter, plan[i].part)) continue;
        pass->capacity = i == 0 ? p->capacity / 2 + 1 : p->capacity;
        status = run_order(p, position, plan[i].order, pass, result, error);
        if (status != KN_OK || result->proved || pass->stop == KN_STOP_DONE || pass->stop == KN_STOP_CANCEL)
            break;
    }
    return status;
}

KnStatus kn_puzzle_use(KnPuzzle *p, KnPuzzleSearch search, KnError *error)
{
    if (!p->relaxed && search != KN_PUZZLE_AUTO && search != KN_PUZZLE_BREADTH)
        return kn_fail(error, KN_INPUT,
                       "%s has no propnet, which A* and greedy search need for their heuristics; use "
                       "search=breadth, or leave it out",
                       p->game->spec);
    p->search = search;
    return KN_OK;
}

KnStatus kn_puzzle_solve(KnPuzzle *p, const void *position, const KnBudget *budget, const atomic_bool *cancel,
                         KnPuzzleResult *result, KnError *error)
{
    *result = (KnPuzzleResult){0};
    kn_meter_start(&p->meter, budget, cancel);
    find_counters(p, position, budget->seconds);
    KnPuzzlePass pass = {.wanted = highest(p, position, 101), .capacity = p->capacity};
    KnPuzzleSearch search = p->search;
    if (search == KN_PUZZLE_AUTO && !p->relaxed) search = KN_PUZZLE_BREADTH;
    KnStatus status = search == KN_PUZZLE_AUTO ? run_all(p, position, &pass, result, error)
                                               : run_order(p, position, search, &pass, result, error);
    result->nodes = p->meter.nodes;
    result->seconds = kn_meter_seconds(&p->meter);
    return status;
}
