/* Proofs by numbers and zones.
 *
 * Depth-first proof-number search (df-pn): of each position, how many more leaves at least must be settled
 * before the side to move has won (phi), or has lost (delta); always the line that seems to need least work
 * is looked at next. It finds deep and narrow proofs, of either side, without any notion of depth. Two things
 * make it exact on a whole board:
 *
 * Zones. A proof depends on a part of the board only (games/goals.h), and a move outside of that part is as
 * good as a pass. So where every move of a side must be answered, only a few need to be. If the defender is
 * to move: those inside the zone of the proof that the attacker succeeds after a pass; any other is answered
 * by that very proof. If the attacker is to move, the zone begins with the goal alone, and the answer to each
 * move inside may add to it, until nothing new comes in. For the defender can answer all moves outside of the
 * zone by passing, for ever: what is inside has not changed then, and the attacker, who needs progress, has
 * made none. (Where a rule against repetition binds the attacker, a pass would free him; then he is treated
 * as the defender is, by the proof against his pass.)
 *
 * Widening. At first a side has only its likely moves, the defender also the pass; the more a position takes,
 * the more moves of the defender are looked at (`likely`, round by round); much later the same goes for the
 * attacker. Without that a position where passing loses only after a long fight, or does not lose, would hide
 * the quick way out; with all moves at once every proof of a success would have to do with all of them.
 *
 * Weak numbers. Positions are reached on many ways, and sums would count them as often. So the number of a
 * position all of whose moves must be answered is the largest of theirs, and one more for each other move
 * that is still open.
 *
 * A position that repeats an earlier one of the same line is left open, so nothing is ever proved from a
 * repetition. */
#include "search/proof_number.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum {
    PLIES_MAX = 160,
    IMITATE_NODES = 300,
    CLOCK_EVERY = 32,
    WAYS = 4,
    ROOM = 4,
    BUCKETS_LEAST = 256,
    POOL = 1 << 14,
    NEEDS_MAX = 6,
    CANDIDATES_MAX = KN_GOAL_MOVES_MAX
};

/* How much a position has taken when the next round of likely moves is looked at. */
static const uint32_t round_from[2][KN_GOAL_ROUNDS] = {
    {0, 200, 5000}, {0, 20000, 100000}}; /* for the defender, for the attacker */

#define INFINITE ((uint32_t)1 << 30)
#define STUCK    ((uint32_t)1 << 28) /* cannot come about on this line */

typedef struct Entry {
    uint64_t key;
    uint32_t phi, delta;
    uint32_t work; /* nodes that went into it */
    int16_t move;
    uint16_t age; /* of the run that made it */
} Entry;

/* A move of a position that is being looked at. */
typedef struct Child {
    uint32_t phi, delta; /* of the position after it, for the side to move there */
    int move;
    bool tried;  /* the answer to another move, on it */
    KnZone zone; /* once it is refuted */
} Child;

struct KnNumberSearch {
    Entry *entries;
    KnZone *zones;        /* of entries that are settled */
    size_t mask, buckets; /* in use; all that there are */
    uint16_t age;
    Child *pool; /* moves of all positions of the line, one after the other */

    /* Of the run that is on. */
    KnGoal *goal;
    const KnGoalType *type;
    uint64_t nodes, most;
    uint64_t imitate_until; /* nodes */
    uint64_t pause;         /* nodes, when some position of the line gets more moves */
    double until;
    int ply, used; /* used: of the pool */
    bool stopped;
    uint64_t path[PLIES_MAX + 1];
};

/* What is known of a position: phi 0, the side to move wins; delta 0, it loses; then the zone says what that
 * depends on. */
typedef struct Node {
    uint32_t phi, delta;
    int move;
    KnZone zone;
} Node;

typedef struct Frame {
    int first, count;  /* in the pool */
    KnZone listed;     /* moves that are in the pool */
    KnZone zone;       /* what the answers depend on */
    KnZone need, done; /* where moves need an answer, once the pass has one; where they have it */
    bool begun;        /* the zone has: only moves inside it need an answer */
    bool fixed;        /* and only those inside `need`, whatever the answers add to the zone */
    bool complete;     /* all moves that could help are listed */
    int round;         /* of likely moves that has been listed */
    bool pressed;      /* and nothing else needs an answer: the defender would get away at once */
    int model;         /* 1 + a move that has been refuted, or 0 */
    int pass;          /* the pass in the pool, or -1 if it needs no answer */
} Frame;

KnNumberSearch *kn_number_search_new(unsigned table_bits)
{
    KnNumberSearch *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    size_t count = (size_t)1 << table_bits;
    search->buckets = count / WAYS;
    search->mask = search->buckets - 1;
    search->entries = calloc(count, sizeof *search->entries);
    search->zones = calloc(count, sizeof *search->zones);
    search->pool = malloc(POOL * sizeof *search->pool);
    if (search->entries && search->zones && search->pool) return search;
    kn_number_search_free(search);
    return NULL;
}

void kn_number_search_free(KnNumberSearch *search)
{
    if (!search) return;
    free(search->entries), free(search->zones), free(search->pool);
    free(search);
}

/* ---- The table: buckets of four, where entries of earlier runs, then small ones, give way. Clearing it is a
 * new age. ---- */

/* A short run uses a part of the table, which the processor's caches hold. */
void kn_number_forget(KnNumberSearch *s, uint64_t about)
{
    size_t buckets = s->buckets;
    while (about && buckets > BUCKETS_LEAST && buckets * (WAYS / 2) >= about * ROOM) buckets /= 2;
    s->mask = buckets - 1;
    if (++s->age) return;
    memset(s->entries, 0, s->buckets * WAYS * sizeof *s->entries); /* once in 65536 runs */
    s->age = 1;
}

static Entry *bucket_of(const KnNumberSearch *s, uint64_t key)
{
    return &s->entries[((key >> 24 ^ key) & s->mask) * WAYS];
}

static void prefetch(const KnNumberSearch *s, uint64_t key)
{
    const Entry *bucket = bucket_of(s, key);
    __builtin_prefetch(bucket);
    __builtin_prefetch(bucket + WAYS / 2);
}

static Entry *look(const KnNumberSearch *s, uint64_t key)
{
    Entry *bucket = bucket_of(s, key);
    for (int i = 0; i < WAYS; i++)
        if (bucket[i].key == key && bucket[i].age == s->age) return &bucket[i];
    return NULL;
}

static void keep(KnNumberSearch *s, uint64_t key, const Node *node, uint64_t work)
{
    Entry *bucket = bucket_of(s, key), *slot = NULL;
    for (int i = 0; i < WAYS && !slot; i++)
        if (bucket[i].key == key && bucket[i].age == s->age) slot = &bucket[i], work += slot->work;
    for (int i = 0; i < WAYS && !slot; i++)
        if (bucket[i].age != s->age) slot = &bucket[i];
    if (!slot) {
        slot = bucket;
        for (int i = 1; i < WAYS; i++)
            if (bucket[i].work < slot->work) slot = &bucket[i];
    }
    *slot = (Entry){
        key,   node->phi, node->delta, work < UINT32_MAX ? (uint32_t)work : UINT32_MAX, (int16_t)node->move,
        s->age};
    if (!node->phi || !node->delta) s->zones[slot - s->entries] = node->zone;
}

static bool spent(KnNumberSearch *s)
{
    if (s->stopped) return true;
    if (s->most && s->nodes >= s->most)
        s->stopped = true;
    else if (s->until > 0 && s->nodes % CLOCK_EVERY == 0 && kn_clock_now() >= s->until)
        s->stopped = true;
    return s->stopped;
}

/* ---- The moves of a position ---- */

/* What to expect of a position by how many moves the attacker still needs, before it is looked at. */
typedef struct Expected {
    uint32_t proof, disproof;
} Expected;

static const Expected attacked[NEEDS_MAX + 1] = {{1, 30}, {1, 30}, {2, 6}, {5, 3},
                                                 {9, 2},  {15, 1}, {25, 1}}; /* the attacker is to move */

/* The defender is, by what he can make of it. */
static const Expected defended[NEEDS_MAX + 1][NEEDS_MAX + 1] = {
    {{1, 30}, {1, 30}, {2, 6}, {5, 3}, {9, 2}, {14, 1}, {14, 1}},
    {{1, 30}, {1, 30}, {2, 6}, {5, 3}, {9, 2}, {14, 1}, {14, 1}},
    {{3, 5}, {3, 5}, {3, 5}, {5, 3}, {9, 2}, {14, 1}, {16, 1}},
    {{6, 3}, {6, 3}, {6, 3}, {6, 3}, {10, 2}, {15, 1}, {18, 1}},
    {{11, 2}, {11, 2}, {11, 2}, {11, 2}, {12, 2}, {17, 1}, {20, 1}},
    {{20, 1}, {20, 1}, {20, 1}, {20, 1}, {20, 1}, {20, 1}, {25, 1}},
    {{30, 1}, {30, 1}, {30, 1}, {30, 1}, {30, 1}, {30, 1}, {30, 1}},
};

static Expected expect(const KnNumberSearch *s, const KnOutlook *outlook)
{
    int needs = outlook->needs < NEEDS_MAX ? outlook->needs : NEEDS_MAX,
        reach = outlook->reach < NEEDS_MAX ? outlook->reach : NEEDS_MAX;
    return s->goal->attacking ? defended[needs][reach] : attacked[needs];
}

static Child *add_child(KnNumberSearch *s, Frame *frame, int move, uint64_t key, const KnOutlook *outlook)
{
    if (s->used >= POOL) {
        s->stopped = true;
        return NULL;
    }
    Child *child = &s->pool[s->used++];
    frame->count++;
    if (move != KN_GOAL_PASS) kn_zone_add(&frame->listed, move);
    child->move = move, child->tried = false;
    const Entry *entry = look(s, key);
    if (entry) {
        child->phi = entry->phi, child->delta = entry->delta;
        if (!entry->phi || !entry->delta) child->zone = s->zones[entry - s->entries];
        return child;
    }
    bool attacking = !s->goal->attacking;
    Expected expected = expect(s, outlook);
    child->phi = attacking ? expected.proof : expected.disproof;
    child->delta = attacking ? expected.disproof : expected.proof;
    return child;
}

static Child *add_one(KnNumberSearch *s, Frame *frame, int move)
{
    KnOutlook outlook;
    s->type->outlook(s->goal, &move, 1, &outlook);
    return add_child(s, frame, move, s->type->hash_after(s->goal, move), &outlook);
}

static void add_children(KnNumberSearch *s, Frame *frame, const int *moves, int count)
{
    uint64_t keys[CANDIDATES_MAX];
    KnOutlook outlooks[CANDIDATES_MAX];
    for (int i = 0; i < count; i++) { /* first ask for the table's memory, then look at it */
        keys[i] = s->type->hash_after(s->goal, moves[i]);
        prefetch(s, keys[i]);
    }
    s->type->outlook(s->goal, moves, count, outlooks);
    for (int i = 0; i < count; i++) add_child(s, frame, moves[i], keys[i], &outlooks[i]);
}

static Child *find_child(KnNumberSearch *s, const Frame *frame, int move)
{
    for (int i = frame->first; i < frame->first + frame->count; i++)
        if (s->pool[i].move == move) return &s->pool[i];
    return NULL;
}

/* The moves after which the defender cannot get away at once. Where one is not legal, that matters too. */
static void list_parries(KnNumberSearch *s, Frame *frame, int *moves, int count)
{
    int legal = 0;
    frame->begun = frame->complete = frame->pressed = true;
    for (int i = 0; i < count; i++) {
        kn_zone_add(&frame->zone, moves[i]);
        if (s->type->place(s->goal, moves[i]) == KN_PLACE_LEGAL)
            moves[legal++] = moves[i];
        else
            s->type->depends_reply(s->goal, moves[i], &frame->zone);
    }
    add_children(s, frame, moves, legal);
}

static void list_children(KnNumberSearch *s, Frame *frame)
{
    int moves[CANDIDATES_MAX];
    *frame = (Frame){.first = s->used, .pass = -1};
    if (s->goal->attacking && s->type->parries) {
        int count = s->type->parries(s->goal, moves, &frame->zone);
        if (count >= 0) {
            list_parries(s, frame, moves, count);
            return;
        }
    }
    frame->complete = !s->goal->attacking && s->type->needs(s->goal) == 1;
    if (frame->complete) frame->round = KN_GOAL_ROUNDS - 1;
    if (!frame->complete && (!s->goal->attacking || s->type->bound(s->goal))) {
        frame->pass = s->used;
        add_one(s, frame, KN_GOAL_PASS);
    }
    int count = frame->complete ? s->type->defences(s->goal, 1, moves) : s->type->likely(s->goal, 0, moves);
    add_children(s, frame, moves, count);
}

/* More moves for a position that has taken so much. Returns how much more it takes until the next, UINT64_MAX
 * if there are none. */
static uint64_t widen_children(KnNumberSearch *s, Frame *frame, uint64_t work)
{
    const uint32_t *from = round_from[s->goal->attacking];
    while (!frame->pressed && frame->round + 1 < KN_GOAL_ROUNDS) {
        if (work < from[frame->round + 1]) return from[frame->round + 1] - work;
        int moves[CANDIDATES_MAX], count = s->type->likely(s->goal, ++frame->round, moves), fresh = 0;
        for (int i = 0; i < count; i++)
            if (!kn_zone_has(&frame->listed, moves[i])) moves[fresh++] = moves[i];
        add_children(s, frame, moves, fresh);
    }
    return UINT64_MAX;
}

/* ---- Zones ---- */

/* One move from success, the attacker to move: by which, and what that depends on; -1: it is not legal. */
static int take(KnNumberSearch *s, KnZone *zone)
{
    int moves[CANDIDATES_MAX];
    if (!s->type->attacks(s->goal, 1, moves) || !s->type->play(s->goal, moves[0])) return -1;
    bool reached = s->type->standing(s->goal) == KN_GOAL_REACHED;
    if (reached) s->type->depends_end(s->goal, zone);
    s->type->undo(s->goal);
    if (reached) s->type->depends_move(s->goal, moves[0], zone);
    return reached ? moves[0] : -1;
}

/* The same, if the defender, to move, passed. */
static bool begin_with_threat(KnNumberSearch *s, KnZone *zone)
{
    if (!s->type->play(s->goal, KN_GOAL_PASS)) return false;
    bool taken = take(s, zone) >= 0;
    s->type->undo(s->goal);
    return taken;
}

/* Where the zone begins; false: not yet, the pass has not been answered. */
static bool begin(KnNumberSearch *s, Frame *frame)
{
    if (frame->begun) return true;
    if (frame->pass >= 0) {
        if (s->pool[frame->pass].phi) return false;
        frame->zone = s->pool[frame->pass].zone, frame->model = 1 + KN_GOAL_PASS;
    }
    if (frame->complete && !begin_with_threat(s, &frame->zone)) return false;
    if (s->goal->attacking) s->type->depends_end(s->goal, &frame->zone);
    if (frame->pass >= 0) {
        s->type->depends_elsewhere(s->goal, &frame->zone);
        frame->need = frame->zone, frame->fixed = true;
    }
    return frame->begun = true;
}

static bool imitate(KnNumberSearch *s, Frame *frame, Child *child);

/* A place of the zone: true if it is answered; its answer joins the zone. */
static bool answer(KnNumberSearch *s, Frame *frame, int place)
{
    if (kn_zone_has(&frame->listed, place)) {
        Child *child = find_child(s, frame, place);
        if (child->phi && !imitate(s, frame, child)) return false;
        kn_zone_join(&frame->zone, &child->zone);
        s->type->depends_reply(s->goal, place, &frame->zone);
        return true;
    }
    if (frame->pressed) return true;
    KnPlace kind = s->type->place(s->goal, place);
    if (kind == KN_PLACE_TAKEN) return true;
    if (kind == KN_PLACE_LEGAL && !frame->complete) {
        Child *child = add_one(s, frame, place);
        if (!child || (child->phi && !imitate(s, frame, child))) return false;
        kn_zone_join(&frame->zone, &child->zone);
    }
    s->type->depends_reply(s->goal, place, &frame->zone);
    return true;
}

/* Answers all that needs it and can be; the answers join the zone. True: nothing is left open. */
static bool answer_zone(KnNumberSearch *s, Frame *frame)
{
    const KnZone *need = frame->fixed ? &frame->need : &frame->zone;
    for (;;) {
        bool grown = false, open = false;
        for (int word = 0; word < KN_ZONE_WORDS; word++)
            for (uint64_t bits = need->w[word] & ~frame->done.w[word]; bits; bits &= bits - 1) {
                int place = word * 64 + __builtin_ctzll(bits);
                if (!answer(s, frame, place)) {
                    open = true;
                    continue;
                }
                kn_zone_add(&frame->done, place);
                grown = true;
            }
        if (!grown) return !open;
    }
}

/* Grows the zone by all answers that there are. True: no move is left that could matter, the side to move has
 * lost. */
static bool settle(KnNumberSearch *s, Frame *frame)
{
    if (!begin(s, frame)) return false;
    while (answer_zone(s, frame) && !s->stopped) {
        if (frame->fixed) return true;
        KnZone before = frame->zone;
        s->type->depends_elsewhere(s->goal, &frame->zone);
        if (memcmp(&before, &frame->zone, sizeof before) == 0) return true;
    }
    return false;
}

/* ---- Imitation ----
 *
 * Most moves are refuted by the very answers that refuted another one. So once a move has been refuted,
 * others are tried against the same proof, move by move: the table holds it under the hash of a position that
 * differs from this one by the same stones as at the outset (`other`). No move is searched for, and nothing
 * is taken for granted: what comes out is a proof of its own. */

/* The side to move succeeds at once: the defender gets away, or the attacker takes what he wants. */
static bool at_once(KnNumberSearch *s, uint64_t key, Node *node)
{
    KnZone zone = {{0}};
    int move = -1;
    if (s->goal->attacking)
        move = s->type->needs(s->goal) == 1 ? take(s, &zone) : -1;
    else if (s->type->escape)
        move = s->type->escape(s->goal, &zone);
    if (move < 0) return false;
    *node = (Node){0, INFINITE, move, zone};
    keep(s, key, node, 1);
    return true;
}

static bool simulate(KnNumberSearch *s, uint64_t other, bool attacker, KnZone *zone);

static bool simulate_after(KnNumberSearch *s, int move, uint64_t other, bool attacker, KnZone *zone)
{
    if (spent(s) || s->nodes >= s->imitate_until || !s->type->play(s->goal, move)) return false;
    s->nodes++, s->ply++;
    memset(zone, 0, sizeof *zone);
    bool proved = simulate(s, other, attacker, zone);
    s->ply--;
    s->type->undo(s->goal);
    return proved;
}

/* The move of the proof that is imitated. */
static bool simulate_move(KnNumberSearch *s, uint64_t key, uint64_t other, bool attacker, KnZone *zone)
{
    const Entry *model = look(s, key ^ other);
    if (!model || model->phi) return false;
    int move = model->move;
    if (move == KN_GOAL_PASS ? attacker : s->type->place(s->goal, move) != KN_PLACE_LEGAL) return false;
    if (!simulate_after(s, move, other, attacker, zone)) return false;
    s->type->depends_move(s->goal, move, zone);
    Node node = {0, INFINITE, move, *zone};
    keep(s, key, &node, 1);
    return true;
}

static bool simulate_parries(KnNumberSearch *s, uint64_t key, uint64_t other, const int *parries, int count,
                             KnZone *zone)
{
    KnZone reply;
    for (int i = 0; i < count; i++) {
        kn_zone_add(zone, parries[i]);
        if (s->type->place(s->goal, parries[i]) == KN_PLACE_LEGAL) {
            if (!simulate_after(s, parries[i], other, false, &reply)) return false;
            kn_zone_join(zone, &reply);
        }
        s->type->depends_reply(s->goal, parries[i], zone);
    }
    s->type->depends_elsewhere(s->goal, zone);
    Node node = {INFINITE, 0, count ? parries[0] : KN_GOAL_PASS, *zone};
    keep(s, key, &node, 1);
    return true;
}

static bool simulate_replies(KnNumberSearch *s, uint64_t key, uint64_t other, bool attacker, KnZone *zone)
{
    KnZone done = {{0}}, reply = {{0}};
    bool complete = attacker && s->type->needs(s->goal) == 1;
    uint64_t model = 0; /* the position after a move that has been answered */
    int parries[CANDIDATES_MAX],
        count = attacker || !s->type->parries ? -1 : s->type->parries(s->goal, parries, zone);
    if (count >= 0) return simulate_parries(s, key, other, parries, count, zone);
    if (complete) {
        if (!begin_with_threat(s, zone)) return false;
        int moves[CANDIDATES_MAX];
        count = s->type->defences(s->goal, 1, moves);
        for (int i = 0; i < count; i++) {
            if (!simulate_after(s, moves[i], other, attacker, &reply)) return false;
            kn_zone_add(&done, moves[i]);
            s->type->depends_reply(s->goal, moves[i], &reply);
            kn_zone_join(zone, &reply);
        }
    } else if (attacker || s->type->bound(s->goal)) {
        if (!simulate_after(s, KN_GOAL_PASS, other, attacker, zone)) return false;
        model = s->type->hash_after(s->goal, KN_GOAL_PASS);
    }
    if (!attacker) s->type->depends_end(s->goal, zone);
    for (;;) {
        bool grown = false;
        s->type->depends_elsewhere(s->goal, zone);
        for (int word = 0; word < KN_ZONE_WORDS; word++)
            for (uint64_t bits = zone->w[word] & ~done.w[word]; bits; bits &= bits - 1) {
                int place = word * 64 + __builtin_ctzll(bits);
                KnPlace kind = s->type->place(s->goal, place);
                kn_zone_add(&done, place);
                if (kind == KN_PLACE_TAKEN) continue;
                if (kind == KN_PLACE_LEGAL && !complete) {
                    uint64_t after = s->type->hash_after(s->goal, place);
                    if (!simulate_after(s, place, other, attacker, &reply) &&
                        (!model || !simulate_after(s, place, after ^ model, attacker, &reply)))
                        return false;
                    model = after;
                    kn_zone_join(zone, &reply);
                }
                s->type->depends_reply(s->goal, place, zone);
                grown = true;
            }
        if (!grown) break;
    }
    Node node = {INFINITE, 0, KN_GOAL_PASS, *zone};
    keep(s, key, &node, 1);
    return true;
}

static bool simulate(KnNumberSearch *s, uint64_t other, bool attacker, KnZone *zone)
{
    KnGoalStanding standing = s->type->standing(s->goal);
    if (standing != KN_GOAL_OPEN) {
        s->type->depends_end(s->goal, zone);
        return (standing == KN_GOAL_REACHED) == attacker;
    }
    if (s->ply >= PLIES_MAX) return false;
    uint64_t key = s->type->hash(s->goal);
    bool moves = s->goal->attacking == attacker;
    const Entry *entry = look(s, key);
    if (entry && (!entry->phi || !entry->delta)) {
        *zone = s->zones[entry - s->entries];
        return !entry->phi == moves;
    }
    Node node;
    if (moves && at_once(s, key, &node)) {
        *zone = node.zone;
        return true;
    }
    return moves ? simulate_move(s, key, other, attacker, zone)
                 : simulate_replies(s, key, other, attacker, zone);
}

/* Tries the proof against another move of this position: the pass, or the last that was refuted. */
static bool imitate(KnNumberSearch *s, Frame *frame, Child *child)
{
    if (child->tried || !frame->model || s->stopped) return false;
    child->tried = true;
    bool attacker = !s->goal->attacking;
    uint64_t other = s->type->hash_after(s->goal, child->move) ^
                     s->type->hash_after(s->goal, frame->model - 1);
    s->imitate_until = s->nodes + IMITATE_NODES;
    if (!simulate_after(s, child->move, other, attacker, &child->zone)) return false;
    child->phi = 0, child->delta = INFINITE;
    return true;
}

/* ---- The tree ---- */

/* The move to look at next, and the numbers that follow; -1: none. `second`: the next best delta. */
static int select_child(const KnNumberSearch *s, const Frame *frame, Node *node, uint32_t *second,
                        uint32_t *others)
{
    int best = -1;
    uint32_t most = 0, open = 0;
    node->phi = *second = STUCK;
    const KnZone *only = frame->fixed                          ? &frame->need
                         : frame->begun && !s->goal->attacking ? &frame->zone
                                                               : NULL;
    for (int i = frame->first; i < frame->first + frame->count; i++) {
        const Child *child = &s->pool[i];
        if (!child->phi) continue; /* refuted */
        if (only && child->move != KN_GOAL_PASS && !kn_zone_has(only, child->move)) continue;
        open++;
        if (child->phi > most) most = child->phi;
        if (child->phi >= STUCK && child->delta >= STUCK) continue;
        if (best < 0 || child->delta < node->phi)
            *second = node->phi, node->phi = child->delta, best = i;
        else if (child->delta < *second)
            *second = child->delta;
    }
    *others = open ? open - 1 : 0;
    node->delta = most + *others < STUCK ? most + *others : STUCK;
    if (best < 0)
        node->delta = STUCK;
    else
        node->move = s->pool[best].move;
    return best;
}

static void expand(KnNumberSearch *s, uint32_t phi_limit, uint32_t delta_limit, Node *node);

static bool repeats(const KnNumberSearch *s, uint64_t key)
{
    for (int i = s->ply - 2; i >= 0; i -= 2)
        if (s->path[i] == key) return true;
    return false;
}

/* The end of a line: the standing, or a repetition. */
static bool ends(KnNumberSearch *s, uint64_t key, Node *node)
{
    KnGoalStanding standing = s->type->standing(s->goal);
    *node = (Node){STUCK, STUCK, KN_GOAL_PASS, {{0}}};
    if (standing == KN_GOAL_OPEN) return s->ply >= PLIES_MAX || repeats(s, key);
    bool wins = (standing == KN_GOAL_REACHED) == s->goal->attacking;
    node->phi = wins ? 0 : INFINITE, node->delta = wins ? INFINITE : 0;
    s->type->depends_end(s->goal, &node->zone);
    return true;
}

static void win(KnNumberSearch *s, const Child *child, const KnZone *zone, Node *node)
{
    *node = (Node){0, INFINITE, child->move, *zone};
    s->type->depends_move(s->goal, child->move, &node->zone);
}

/* Settled by what the table holds of the moves that are listed. */
static bool settled_already(KnNumberSearch *s, Frame *frame, Node *node)
{
    if (settle(s, frame)) {
        *node = (Node){INFINITE, 0, frame->count ? s->pool[frame->first].move : KN_GOAL_PASS, frame->zone};
        return true;
    }
    for (int i = frame->first; i < frame->first + frame->count; i++)
        if (!s->pool[i].delta) {
            win(s, &s->pool[i], &s->pool[i].zone, node);
            return true;
        }
    return false;
}

/* Looks at a child; true: the node is settled by it. */
static bool visit(KnNumberSearch *s, Frame *frame, int index, uint32_t phi_limit, uint32_t delta_limit,
                  Node *node)
{
    Node after;
    int move = s->pool[index].move;
    if (spent(s) || !s->type->play(s->goal, move)) {
        s->stopped = true;
        return false;
    }
    s->nodes++, s->ply++;
    expand(s, phi_limit, delta_limit, &after);
    s->ply--;
    s->type->undo(s->goal);
    Child *child = &s->pool[index];
    child->phi = after.phi, child->delta = after.delta;
    if (!after.delta) {
        win(s, child, &after.zone, node);
        return true;
    }
    if (after.phi) return false;
    child->zone = after.zone;
    if (frame->pass < 0 || index == frame->pass) frame->model = 1 + move;
    if (!settled_already(s, frame, node)) return false;
    if (!node->delta) node->move = move;
    return true;
}

/* Until the side to move has won or lost, or needs at least so much for either. */
static void expand(KnNumberSearch *s, uint32_t phi_limit, uint32_t delta_limit, Node *node)
{
    uint64_t key = s->type->hash(s->goal), started = s->nodes;
    if (ends(s, key, node) || at_once(s, key, node)) return;
    s->path[s->ply] = key;
    Frame frame;
    list_children(s, &frame);
    const Entry *own = look(s, key);
    uint64_t before = own ? own->work : 0;
    widen_children(s, &frame, before);
    bool settled = settled_already(s, &frame, node);
    while (!settled && !s->stopped) {
        uint32_t second, others;
        int count = frame.count;
        uint64_t left = widen_children(s, &frame, before + s->nodes - started), pause = s->pause;
        if (frame.count > count && (settled = settled_already(s, &frame, node))) break;
        int best = select_child(s, &frame, node, &second, &others);
        if (best < 0 || node->phi >= phi_limit || node->delta >= delta_limit || s->nodes >= pause) break;
        uint32_t further = second + second / 8 + 1;
        if (left < pause - s->nodes) s->pause = s->nodes + left;
        settled = visit(s, &frame, best, delta_limit - others, phi_limit < further ? phi_limit : further,
                        node);
        s->pause = pause;
    }
    s->used = frame.first;
    if (!s->stopped || settled) keep(s, key, node, s->nodes - started + 1);
}

KnProofVerdict kn_number_prove(KnNumberSearch *s, KnGoal *goal, uint64_t most, double until, uint64_t *nodes)
{
    Node node;
    s->goal = goal, s->type = goal->type, s->nodes = 0, s->most = most, s->until = until;
    s->ply = s->used = 0, s->stopped = false, s->pause = UINT64_MAX;
    expand(s, INFINITE, INFINITE, &node);
    *nodes = s->nodes;
    if (node.phi && node.delta) return KN_UNPROVED;
    return !node.phi == goal->attacking ? KN_PROVED : KN_DISPROVED;
}

int kn_number_move(const KnNumberSearch *s, const KnGoal *goal)
{
    const Entry *entry = look(s, goal->type->hash(goal));
    return entry && (!entry->phi || !entry->delta) ? entry->move : -1;
}
