/* Proofs by zones. One side, the prover, wants its aim within a number of its own moves: the attacker to reach the goal, the defender to
 * see it lost. Where the other side is to move, it first passes; if the prover's aim is proved then, that proof has a zone outside of which
 * the rest of the board does not matter, and only replies inside the zone can spoil it. Each reply's own proof adds to the zone, until
 * nothing new comes in. That is all moves of the board, looked at for the price of a few; nothing is guessed. */
#include "search/proof_zone.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { PLIES_MAX = 120, CLOCK_EVERY = 256 };

typedef struct Entry {
    uint64_t key;
    int16_t proved; /* 1; or 0: not within `depth` */
    int16_t depth, move;
    int8_t width, threat;
    bool cut; /* not proved for want of depth alone */
    KnZone zone;
} Entry;

struct KnZoneSearch {
    Entry *entries;
    size_t mask;
    uint32_t history[2][KN_GOAL_MOVES_MAX];
};

typedef struct Run {
    KnZoneSearch *search;
    KnGoal *goal;
    const KnGoalType *type;
    bool attacker; /* proves */
    KnWidth width;
    int threat; /* a pass must be punished within as many moves */
    uint64_t nodes, most;
    double until;
    int ply;
    bool stopped, cut; /* cut: a line was given up for want of depth */
} Run;

KnZoneSearch *kn_zone_search_new(unsigned table_bits)
{
    KnZoneSearch *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->mask = ((size_t)1 << table_bits) - 1;
    search->entries = calloc(search->mask + 1, sizeof *search->entries);
    if (search->entries) return search;
    free(search);
    return NULL;
}

void kn_zone_search_free(KnZoneSearch *search)
{
    if (search) free(search->entries);
    free(search);
}

void kn_zone_search_clear(KnZoneSearch *search)
{
    memset(search->entries, 0, (search->mask + 1) * sizeof *search->entries);
    memset(search->history, 0, sizeof search->history);
}

static uint64_t key_of(const KnGoal *goal, bool attacker) { return goal->type->hash(goal) * 2 + attacker + 1; }

static Entry *look(const KnZoneSearch *search, const KnGoal *goal, bool attacker)
{
    uint64_t key = key_of(goal, attacker);
    Entry *entry = &search->entries[(key >> 16 ^ key) & search->mask];
    return entry->key == key ? entry : NULL;
}

static void keep(Run *run, bool proved, int depth, int move, const KnZone *zone)
{
    uint64_t key = key_of(run->goal, run->attacker);
    Entry *entry = &run->search->entries[(key >> 16 ^ key) & run->search->mask];
    if (entry->key == key && entry->proved && !proved) return;
    *entry = (Entry){.key = key, .proved = proved, .depth = (int16_t)depth, .move = (int16_t)move,
                     .width = (int8_t)run->width, .threat = (int8_t)run->threat, .cut = run->cut};
    if (zone) entry->zone = *zone;
}

static bool spent(Run *run)
{
    if (run->stopped) return true;
    if (run->most && run->nodes >= run->most) run->stopped = true;
    else if (run->until > 0 && run->nodes % CLOCK_EVERY == 0 && kn_clock_now() >= run->until) run->stopped = true;
    return run->stopped;
}

static bool prove(Run *run, int depth, KnZone *zone);

/* Plays a move, proves what is left, and takes it back. */
static bool prove_after(Run *run, int move, int depth, KnZone *zone)
{
    memset(zone, 0, sizeof *zone);
    if (spent(run) || !run->type->play(run->goal, move)) return false;
    run->nodes++, run->ply++;
    bool proved = prove(run, depth, zone);
    run->type->undo(run->goal);
    run->ply--;
    return proved && !run->stopped;
}

/* What was good elsewhere counts most, then what looks good. */
static uint64_t worth(const Run *run, const uint32_t *history, int move)
{
    return (uint64_t)history[move] << 8 | (run->type->promise ? (uint8_t)run->type->promise(run->goal, move) : 0);
}

static void sort(const Run *run, const uint32_t *history, int *moves, int count, int first)
{
    uint64_t worths[KN_GOAL_MOVES_MAX];
    for (int i = 0; i < count; i++) {
        int move = moves[i], at = i;
        uint64_t value = move == first ? UINT64_MAX : worth(run, history, move);
        for (; at > 0 && worths[at - 1] < value; at--) moves[at] = moves[at - 1], worths[at] = worths[at - 1];
        moves[at] = move, worths[at] = value;
    }
}

/* The prover's own moves. Two kinds cost no depth, so that ladders are read to their ends: at depth 0 the attacker may go on by moves
 * that leave him one short of the goal; and the defender's answers to such moves, of which there are few. */
static int list_moves(Run *run, int depth, int *moves)
{
    if (run->attacker) return run->type->widen(run->goal, depth ? run->width : KN_WIDTH_NARROW, moves);
    return run->type->needs(run->goal) == 1 ? run->type->defences(run->goal, 1, moves) : run->type->rescues(run->goal, moves);
}

static bool prove_by_moving(Run *run, int depth, int first, KnZone *zone)
{
    int moves[KN_GOAL_MOVES_MAX], count = list_moves(run, depth, moves);
    int left = depth - (depth && (run->attacker || run->type->needs(run->goal) > 1));
    uint32_t *history = run->search->history[0];
    sort(run, history, moves, count, first);
    for (int i = 0; i < count && !run->stopped; i++) {
        if (!prove_after(run, moves[i], left, zone)) continue;
        run->type->depends_move(run->goal, moves[i], zone);
        if (depth < 24) history[moves[i]] += 1u << depth;
        keep(run, true, depth, moves[i], zone);
        return true;
    }
    if (!run->stopped) keep(run, false, depth, KN_GOAL_PASS, NULL);
    return false;
}

/* The next reply to look at: the one that refuted before, then those that refuted elsewhere. -1: none is left. */
static int next_reply(const Run *run, const KnZone *zone, const KnZone *done, int first)
{
    const uint32_t *history = run->search->history[1];
    int best = -1;
    uint64_t most = 0;
    for (int word = 0; word < KN_ZONE_WORDS; word++)
        for (uint64_t bits = zone->w[word] & ~done->w[word]; bits; bits &= bits - 1) {
            int place = word * 64 + __builtin_ctzll(bits);
            if (place == first) return place;
            uint64_t value = worth(run, history, place);
            if (best < 0 || value > most) best = place, most = value;
        }
    return best;
}

static bool prove_against_replies(Run *run, int depth, int first, KnZone *zone)
{
    KnZone done = {{0}}, reply;
    if (first != KN_GOAL_PASS && run->type->place(run->goal, first) == KN_PLACE_LEGAL) { /* it may well refute again */
        if (!prove_after(run, first, depth, &reply)) {
            if (!run->stopped) keep(run, false, depth, first, NULL);
            return false;
        }
        run->type->depends_reply(run->goal, first, &reply);
        kn_zone_add(&done, first);
    } else {
        memset(&reply, 0, sizeof reply);
    }
    bool cut = run->cut;
    if (!prove_after(run, KN_GOAL_PASS, depth < run->threat ? depth : run->threat, zone)) {
        if (depth >= run->threat) run->cut = cut; /* no threat: that is final */
        if (!run->stopped) keep(run, false, depth, KN_GOAL_PASS, NULL);
        return false;
    }
    kn_zone_join(zone, &reply);
    for (;;) {
        run->type->depends_elsewhere(run->goal, zone);
        int place = next_reply(run, zone, &done, first);
        if (place < 0) break;
        kn_zone_add(&done, place);
        KnPlace kind = run->type->place(run->goal, place);
        if (kind == KN_PLACE_TAKEN) continue;
        memset(&reply, 0, sizeof reply);
        if (kind == KN_PLACE_LEGAL && !prove_after(run, place, depth, &reply)) {
            if (run->stopped) return false;
            if (depth < 24) run->search->history[1][place] += 1u << depth;
            keep(run, false, depth, place, NULL);
            return false;
        }
        run->type->depends_reply(run->goal, place, &reply);
        kn_zone_join(zone, &reply);
    }
    keep(run, true, depth, KN_GOAL_PASS, zone);
    return true;
}

static bool give_up(Run *run)
{
    run->cut = true;
    return false;
}

static bool prove(Run *run, int depth, KnZone *zone)
{
    KnGoal *goal = run->goal;
    KnGoalStanding standing = run->type->standing(goal);
    if (standing != KN_GOAL_OPEN) {
        run->type->depends_end(goal, zone);
        return (standing == KN_GOAL_REACHED) == run->attacker;
    }
    int needs = run->type->needs(goal);
    if (run->ply >= PLIES_MAX) return give_up(run);
    if (run->attacker ? needs > depth && needs > 1 + goal->attacking : depth == 0 && (goal->attacking || needs > 1)) return give_up(run);
    const Entry *entry = look(run->search, goal, run->attacker);
    int first = KN_GOAL_PASS;
    if (depth == 0 && run->attacker && goal->attacking && !(entry && entry->proved) && run->type->forced &&
        !run->type->forced(goal, &run->nodes)) /* the same moves, without the zones: much quicker */
        return give_up(run);
    if (entry) {
        if (entry->proved) {
            *zone = entry->zone;
            return true;
        }
        if (entry->width >= (int8_t)run->width && entry->threat >= (int8_t)run->threat && (entry->depth >= depth || !entry->cut)) {
            run->cut |= entry->cut;
            return false;
        }
        first = entry->move;
    }
    bool before = run->cut;
    run->cut = depth == 0; /* what follows is all there is only if nothing was held back */
    bool proved = goal->attacking == run->attacker ? prove_by_moving(run, depth, first, zone) : prove_against_replies(run, depth, first, zone);
    run->cut = before || (!proved && run->cut);
    return proved;
}

KnZoneProof kn_zone_prove(KnZoneSearch *search, KnGoal *goal, bool attacker, KnWidth width, int threat, int depth, uint64_t most,
                          double until)
{
    Run run = {.search = search, .goal = goal, .type = goal->type, .attacker = attacker, .width = width, .threat = threat,
               .most = most, .until = until};
    KnZone zone = {{0}};
    bool proved = prove(&run, depth, &zone);
    return (KnZoneProof){.proved = proved, .stopped = run.stopped, .exhausted = !proved && !run.stopped && !run.cut, .move = kn_zone_move(search, goal, attacker), .nodes = run.nodes};
}

int kn_zone_move(const KnZoneSearch *search, const KnGoal *goal, bool attacker)
{
    const Entry *entry = look(search, goal, attacker);
    return entry && entry->proved && goal->attacking == attacker ? entry->move : KN_GOAL_PASS;
}

int kn_zone_refutation(const KnZoneSearch *search, const KnGoal *goal, bool attacker)
{
    const Entry *entry = look(search, goal, attacker);
    return entry && !entry->proved && goal->attacking != attacker ? entry->move : KN_GOAL_PASS;
}
