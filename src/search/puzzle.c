#include "search/puzzle.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/gdl.h"

/* Positions are stored in the order of discovery, which is also the queue; a hash table over them holds their
 * indices. Positions are compared by all their bytes, so no proof rests on a hash. */
struct KnPuzzle {
    const KnGame *game;
    size_t stride;
    unsigned char *positions;
    uint32_t *parents;
    KnMove *steps; /* the move from the parent */
    uint32_t capacity, count;
    uint32_t *slots; /* index + 1 of a position whose home is this slot; any other content means free */
    uint32_t *homes; /* the slot of each position */
    uint32_t mask;
    unsigned char *blank; /* mask of the bits that are step counters; all 0 in the exact pass */
    bool blanked;
    KnMove *moves, *line;
    int line_room;
    KnMeter meter;
};

enum { NO_PARENT = UINT32_MAX };

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
    if (p->positions && p->parents && p->steps && p->homes && p->slots && p->blank && p->moves) return p;
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
    free(p);
}

static unsigned char *at(const KnPuzzle *p, uint32_t index)
{
    KN_ASSERT(index < p->capacity);
    return p->positions + index * p->stride;
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

/* Adds the position at the end of the list unless it is there already. */
static bool add_position(KnPuzzle *p, uint32_t parent, KnMove step)
{
    KN_ASSERT(p->count < p->capacity && (parent == NO_PARENT || parent < p->count));
    const unsigned char *position = at(p, p->count);
    uint32_t i = (uint32_t)(kn_mix64(key_of(p, position))) & p->mask;
    for (; in_use(p, i); i = (i + 1) & p->mask)
        if (alike(p, at(p, p->slots[i] - 1), position)) return false;
    p->slots[i] = p->count + 1;
    p->homes[p->count] = i;
    p->parents[p->count] = parent;
    p->steps[p->count++] = step;
    return true;
}

/* ---- Step counters ---- */

enum { GAMES = 24, PLIES = 400 };

/* Finds the facts that change during random games but are the same in all games after the same number of
 * moves. This is a heuristic and takes a tenth of the time at most: if that is too short for these few games,
 * there is no time for two passes either. */
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
                memcpy(at(p, ply), now, p->stride);
                known = ply + 1;
            }
            for (size_t i = 0; i < p->stride; i++) {
                differs[i] |= (unsigned char)(now[i] ^ at(p, ply)[i]);
                changes[i] |= (unsigned char)(now[i] ^ at(p, 0)[i]);
            }
            int count = kn_game_moves_of(game, now, 0, p->moves);
            if (!count) break;
            if (seconds > 0 && kn_meter_seconds(&p->meter) > seconds / 10) return;
            kn_game_play_joint(game, now, &p->moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    for (size_t i = 0; i < p->stride; i++) {
        p->blank[i] = (unsigned char)(changes[i] & ~differs[i]);
        p->blanked |= p->blank[i] != 0;
    }
}

/* The highest payoff that the rules can give. */
static double highest(const KnGame *game)
{
    KnGdlMachine *machine = kn_game_gdl(game);
    KnPropnetReasoner *fast = machine ? kn_gdl_machine_propnet(machine) : NULL;
    if (!fast) return game->payoff_high;
    const KnPropnet *net = kn_propnet_reasoner_net(fast);
    int best = 0;
    for (uint32_t i = net->first_goal[0]; i < net->first_goal[1]; i++)
        if (net->goals[i].value > best) best = net->goals[i].value;
    return best;
}

/* ---- The search ---- */

typedef struct Pass {
    double wanted;
    uint32_t best; /* index of the best end; NO_PARENT: none yet */
    double payoff;
    int depth;
    KnStop stop;
} Pass;

static void compare_end(const KnPuzzle *p, uint32_t index, Pass *pass)
{
    double payoff;
    KN_ASSERT(index < p->count);
    p->game->type->payoffs(p->game, at(p, index), &payoff);
    if (pass->best != NO_PARENT && payoff <= pass->payoff) return;
    pass->best = index;
    pass->payoff = payoff;
}

/* Visits all positions in the order of discovery. The visit of a position shows whether it is an end. */
static void visit_all(KnPuzzle *p, const void *position, Pass *pass)
{
    const KnGame *game = p->game;
    p->count = 0;
    memset(at(p, 0), 0, p->stride);
    memcpy(at(p, 0), position, game->position_size);
    add_position(p, NO_PARENT, KN_MOVE_NONE);
    pass->best = NO_PARENT;
    pass->depth = 0;
    pass->stop = KN_STOP_DONE;
    uint32_t level_end = 1;
    for (uint32_t next = 0; next < p->count; next++) {
        if (next == level_end) {
            pass->depth++;
            level_end = p->count;
        }
        int count = kn_game_moves_of(game, at(p, next), 0, p->moves);
        KN_ASSERT(count >= 0 && count <= game->max_moves);
        if (!count) compare_end(p, next, pass);
        if (pass->best != NO_PARENT && pass->payoff >= pass->wanted) return;
        for (int i = 0; i < count; i++) {
            if (p->count == p->capacity) {
                pass->stop = KN_STOP_MEMORY;
                return;
            }
            if (!kn_meter_count(&p->meter)) {
                pass->stop = p->meter.why;
                return;
            }
            memcpy(at(p, p->count), at(p, next), p->stride);
            kn_game_play_joint(game, at(p, p->count), &p->moves[i]);
            add_position(p, next, p->moves[i]);
        }
    }
}

/* The moves that lead to a position. */
static KnStatus write_line(KnPuzzle *p, uint32_t index, KnPuzzleResult *result, KnError *error)
{
    int length = 0;
    for (uint32_t i = index; p->parents[i] != NO_PARENT; i = p->parents[i]) length++;
    if (length > p->line_room) {
        KnMove *line = realloc(p->line, (size_t)length * sizeof *line);
        if (!line) return kn_fail_memory(error, "solving a puzzle");
        p->line = line;
        p->line_room = length;
    }
    int k = length;
    for (uint32_t i = index; p->parents[i] != NO_PARENT; i = p->parents[i]) p->line[--k] = p->steps[i];
    KN_ASSERT(k == 0);
    result->moves = p->line;
    result->length = length;
    return KN_OK;
}

KnStatus kn_puzzle_solve(KnPuzzle *p, const void *position, const KnBudget *budget, const atomic_bool *cancel,
                         KnPuzzleResult *result, KnError *error)
{
    *result = (KnPuzzleResult){0};
    kn_meter_start(&p->meter, budget, cancel);
    find_counters(p, position, budget->seconds);
    Pass pass = {.wanted = highest(p->game)};
    KnStatus status = KN_OK;
    for (int exact = !p->blanked; exact < 2 && status == KN_OK; exact++) {
        if (exact) memset(p->blank, 0, p->stride);
        visit_all(p, position, &pass);
        result->stored = p->count;
        result->depth = pass.depth;
        result->stop = pass.stop;
        bool better = pass.best != NO_PARENT && (!result->found || pass.payoff > result->payoff);
        if (better) {
            result->found = true;
            result->payoff = pass.payoff;
            status = write_line(p, pass.best, result, error);
        }
        result->proved = result->found &&
                         (result->payoff >= pass.wanted || (exact && pass.stop == KN_STOP_DONE));
        if (result->proved || pass.stop != KN_STOP_DONE)
            break; /* the exact pass would need even more nodes and memory */
    }
    result->nodes = p->meter.nodes;
    result->seconds = kn_meter_seconds(&p->meter);
    return status;
}
