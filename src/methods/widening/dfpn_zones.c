/* Strategy 10: depth-first proof-number search (search/dfpn.h) with relevance zones. It finds deep and narrow
 * proofs, for either side, without a depth limit. Three additions make it exact on a whole board.
 *
 * Relevance zones. A proof depends on a part of the board only (games/goals.h), and a move outside of that
 * part is as good as a pass (null move; compare the zones of lambda search, Thomsen 2000). So only a few
 * moves of the losing side need an answer. If the defender is to move: those inside the zone of the proof
 * that the attacker succeeds after a pass; that proof answers every other move. If the attacker is to move,
 * the zone begins with the goal alone, and the answer to each move inside may add to it, until it grows no
 * more. The defender can answer all moves outside of the zone by passing: what is inside does not change, so
 * the attacker, who needs progress, makes none. (Where a ko rule binds the attacker, a pass frees him. Then
 * he is treated as the defender is, by the proof against his pass.)
 *
 * Progressive widening. At first a side has only its likely moves, the defender also the pass. The more nodes
 * a position costs, the more moves of the defender are searched (`likely`, round by round); much later also
 * of the attacker. Without that, a position where passing loses only after a long fight, or does not lose,
 * hides the quick escape; with all moves from the start, every proof of a success must refute them all.
 *
 * Proof imitation, see below.
 *
 * Proof numbers are weak: many lines reach the same positions, and sums would count these once for each line.
 * A position that repeats an earlier one of its line stays open, so nothing is ever proved from a
 * repetition. */
#include "methods/widening/dfpn_zones.h"

#include <stdlib.h>
#include <string.h>

#include "methods/widening/outlooks.h"
#include "search/dfpn.h"

enum {
    IMITATION_NODES = 300,
    POOL = 1 << 14,
    CANDIDATES_MAX = KN_GOAL_MOVES_MAX,
    EXPECTED = 10,    /* the proof number of a position that is expected to be disproved */
    EPSILON_SHIFT = 3 /* 1+epsilon: an eighth */
};

/* The nodes that a position has cost when the next round of likely moves is added. */
static const uint32_t round_from[2][KN_GOAL_ROUNDS] = {
    {0, 200, 5000}, {0, 20000, 100000}}; /* for the defender, for the attacker */

/* What the search keeps of a position of its line, besides the children. */
typedef struct Frame {
    KnZone listed;     /* moves that are children */
    KnZone zone;       /* what the answers depend on */
    KnZone need, done; /* where moves need an answer, once the pass has one; where they have it */
    KnZone proof;      /* the payload of the decided position */
    bool begun;        /* the zone has begun: only moves inside it need an answer */
    bool fixed;        /* and only those inside `need`, whatever the answers add to the zone */
    bool complete;     /* all moves that could help are listed */
    bool pressed;      /* and nothing else needs an answer: otherwise the defender escapes at once */
    int round;         /* of likely moves, the last that has been listed */
    int model;         /* 1 + a move that has been refuted, or 0 */
    int pass;          /* the pass in the pool, or -1 if it needs no answer */
} Frame;

struct KnDfpnZones {
    KnDfpn search;
    KnGoal *goal;
    const KnGoalType *type;
    const KnReader *guide;    /* what it believes orders the search; may be NULL */
    bool loosened;            /* what the table held before is of use: see kn_dfpn_zones_loosen */
    int ply;                  /* of the goal's position; imitation goes deeper than the search */
    uint64_t imitation_limit; /* nodes */
    KnZone zones[POOL];       /* of children that are decided */
    bool tried[POOL];         /* children that imitation was tried on */
    Frame frames[KN_DFPN_PLIES + 1];
};

static const KnDfpnDomain domain;

KnDfpnZones *kn_dfpn_zones_new(unsigned table_bits)
{
    KnDfpnZones *zones = calloc(1, sizeof *zones);
    if (!zones) return NULL;
    if (kn_dfpn_init(&zones->search, &domain, zones, table_bits, POOL)) return zones;
    kn_dfpn_zones_free(zones);
    return NULL;
}

void kn_dfpn_zones_free(KnDfpnZones *zones)
{
    if (!zones) return;
    kn_dfpn_free(&zones->search);
    free(zones);
}

void kn_dfpn_zones_clear(KnDfpnZones *zones, uint64_t nodes)
{
    kn_dfpn_clear(&zones->search, nodes);
    zones->loosened = false;
}

void kn_dfpn_zones_loosen(KnDfpnZones *zones)
{
    kn_dfpn_renew(&zones->search);
    zones->loosened = true;
}

static Frame *frame_of(KnDfpn *search)
{
    KnDfpnZones *z = search->self;
    KN_ASSERT(z->ply == search->ply);
    return &z->frames[search->ply];
}

/* Plays a move of the goal; false if memory runs out. */
static bool play_move(KnDfpnZones *z, int move)
{
    if (!z->type->play(z->goal, move)) return false;
    z->ply++;
    return true;
}

static void undo_move(KnDfpnZones *z)
{
    KN_ASSERT(z->ply > 0);
    z->ply--;
    z->type->undo(z->goal);
}

/* ---- The moves of a position ---- */

/* What the search with tighter rules made of a position: a proof holds still, a disproof is expected. False:
 * nothing. */
static bool recall(KnDfpnZones *z, uint64_t key, KnExpected *expected)
{
    const KnDfpnEntry *before = z->loosened ? kn_dfpn_probe_before(&z->search, key) : NULL;
    if (!before) return false;
    if (before->proof) {
        *expected = before->disproof ? (KnExpected){before->proof, before->disproof}
                                     : (KnExpected){EXPECTED, 1};
        return true;
    }
    KnZone zone = *(const KnZone *)kn_dfpn_payload(&z->search, before);
    KnDfpnNode proved = {.disproof = KN_DFPN_INFINITE, .move = before->move, .payload = &zone};
    if (!kn_dfpn_probe(&z->search, key)) kn_dfpn_store(&z->search, key, &proved, before->work);
    return false;
}

/* Returns the index of the child; -1: the pool is full. */
static int add_child(KnDfpnZones *z, KnDfpnNode *node, int move, uint64_t key, const KnOutlook *outlook)
{
    KnExpected expected;
    if (!recall(z, key, &expected) && (!z->guide || !kn_reader_expects(z->guide, key, &expected)))
        expected = kn_expected(z->goal->attacking, outlook);
    int index = z->search.used;
    const KnDfpnChild *child = kn_dfpn_add(&z->search, node, move, key, expected.proof, expected.disproof);
    if (!child) return -1;
    if (move != KN_GOAL_PASS) kn_zone_add(&z->frames[z->ply].listed, move);
    z->tried[index] = false;
    if (!child->proof || !child->disproof)
        z->zones[index] = *(const KnZone *)kn_dfpn_payload(&z->search, kn_dfpn_probe(&z->search, key));
    return index;
}

static int add_one(KnDfpnZones *z, KnDfpnNode *node, int move)
{
    KnOutlook outlook;
    z->type->outlook(z->goal, &move, 1, &outlook);
    return add_child(z, node, move, z->type->hash_after(z->goal, move), &outlook);
}

static void add_children(KnDfpnZones *z, KnDfpnNode *node, const int *moves, int count)
{
    uint64_t keys[CANDIDATES_MAX];
    KnOutlook outlooks[CANDIDATES_MAX];
    KN_ASSERT(count <= CANDIDATES_MAX);
    for (int i = 0; i < count; i++) { /* ask for the table's memory before it is needed */
        keys[i] = z->type->hash_after(z->goal, moves[i]);
        kn_dfpn_prefetch(&z->search, keys[i]);
    }
    z->type->outlook(z->goal, moves, count, outlooks);
    for (int i = 0; i < count; i++) add_child(z, node, moves[i], keys[i], &outlooks[i]);
}

static int find_child(const KnDfpnZones *z, const KnDfpnNode *node, int move)
{
    for (int i = node->first; i < node->first + node->count; i++)
        if (z->search.pool[i].move == move) return i;
    KN_ASSERT(false);
    return -1;
}

/* The attacker is to move and needs one move: returns it, and what its success depends on; -1: it is not
 * legal. */
static int reaching_move(KnDfpnZones *z, KnZone *zone)
{
    int moves[CANDIDATES_MAX];
    if (!z->type->attacks(z->goal, 1, moves) || !play_move(z, moves[0])) return -1;
    bool reached = z->type->standing(z->goal) == KN_GOAL_REACHED;
    if (reached) z->type->depends_end(z->goal, zone);
    undo_move(z);
    if (reached) z->type->depends_move(z->goal, moves[0], zone);
    return reached ? moves[0] : -1;
}

/* The same after a pass of the defender. */
static bool begin_with_threat(KnDfpnZones *z, KnZone *zone)
{
    if (!play_move(z, KN_GOAL_PASS)) return false;
    bool reached = reaching_move(z, zone) >= 0;
    undo_move(z);
    return reached;
}

/* The moves after which the defender cannot escape at once. If one is not legal, that matters too. */
static void list_parries(KnDfpnZones *z, Frame *frame, KnDfpnNode *node, int *moves, int count)
{
    int legal = 0;
    frame->begun = frame->complete = frame->pressed = true;
    for (int i = 0; i < count; i++) {
        kn_zone_add(&frame->zone, moves[i]);
        if (z->type->place(z->goal, moves[i]) == KN_PLACE_LEGAL)
            moves[legal++] = moves[i];
        else
            z->type->depends_reply(z->goal, moves[i], &frame->zone);
    }
    add_children(z, node, moves, legal);
}

static bool expand(KnDfpn *search, KnDfpnNode *node)
{
    KnDfpnZones *z = search->self;
    Frame *frame = frame_of(search);
    int moves[CANDIDATES_MAX];
    *frame = (Frame){.pass = -1};
    if (z->goal->attacking && z->type->parries) {
        int count = z->type->parries(z->goal, moves, &frame->zone);
        if (count >= 0) {
            list_parries(z, frame, node, moves, count);
            return false;
        }
    }
    frame->complete = !z->goal->attacking && z->type->needs(z->goal) == 1 &&
                      begin_with_threat(z, &frame->zone);
    if (frame->complete) frame->round = KN_GOAL_ROUNDS - 1;
    if (!frame->complete && (!z->goal->attacking || z->type->bound(z->goal))) {
        frame->pass = search->used;
        add_one(z, node, KN_GOAL_PASS);
    }
    int count = frame->complete ? z->type->defences(z->goal, 1, moves) : z->type->likely(z->goal, 0, moves);
    add_children(z, node, moves, count);
    return false;
}

static uint64_t widen(KnDfpn *search, KnDfpnNode *node, uint64_t work)
{
    KnDfpnZones *z = search->self;
    Frame *frame = frame_of(search);
    const uint32_t *from = round_from[z->goal->attacking];
    while (!frame->pressed && frame->round + 1 < KN_GOAL_ROUNDS) {
        if (work < from[frame->round + 1]) return from[frame->round + 1] - work;
        int moves[CANDIDATES_MAX], count = z->type->likely(z->goal, ++frame->round, moves), fresh = 0;
        for (int i = 0; i < count; i++)
            if (!kn_zone_has(&frame->listed, moves[i])) moves[fresh++] = moves[i];
        add_children(z, node, moves, fresh);
    }
    return UINT64_MAX;
}

/* ---- Zones ---- */

/* Where the zone begins; false: not yet, the pass has not been answered. */
static bool begin(KnDfpnZones *z, Frame *frame, const KnDfpnNode *node)
{
    if (frame->begun) return true;
    if (frame->pass >= 0) {
        if (!kn_dfpn_loses(node, &z->search.pool[frame->pass])) return false;
        frame->zone = z->zones[frame->pass], frame->model = 1 + KN_GOAL_PASS;
    }
    if (z->goal->attacking) z->type->depends_end(z->goal, &frame->zone);
    if (frame->pass >= 0) {
        z->type->depends_elsewhere(z->goal, &frame->zone);
        frame->need = frame->zone, frame->fixed = true;
    }
    return frame->begun = true;
}

static bool imitate(KnDfpnZones *z, Frame *frame, const KnDfpnNode *node, int child);

/* A place of the zone: true if it is answered; its answer joins the zone. */
static bool answer(KnDfpnZones *z, Frame *frame, KnDfpnNode *node, int place)
{
    bool listed = kn_zone_has(&frame->listed, place);
    if (!listed && frame->pressed) return true;
    KnPlace kind = listed ? KN_PLACE_LEGAL : z->type->place(z->goal, place);
    if (kind == KN_PLACE_TAKEN) return true;
    if (listed || (kind == KN_PLACE_LEGAL && !frame->complete)) {
        int child = listed ? find_child(z, node, place) : add_one(z, node, place);
        if (child < 0) return false;
        if (!kn_dfpn_loses(node, &z->search.pool[child]) && !imitate(z, frame, node, child)) return false;
        kn_zone_join(&frame->zone, &z->zones[child]);
    }
    z->type->depends_reply(z->goal, place, &frame->zone);
    return true;
}

/* Answers every place that needs it and can be answered; the answers join the zone. True: nothing is left
 * open. */
static bool answer_zone(KnDfpnZones *z, Frame *frame, KnDfpnNode *node)
{
    const KnZone *need = frame->fixed ? &frame->need : &frame->zone;
    for (;;) {
        bool grown = false, open = false;
        for (int word = 0; word < KN_ZONE_WORDS; word++)
            for (uint64_t bits = need->w[word] & ~frame->done.w[word]; bits; bits &= bits - 1) {
                int place = word * 64 + __builtin_ctzll(bits);
                if (!answer(z, frame, node, place)) {
                    open = true;
                    continue;
                }
                kn_zone_add(&frame->done, place);
                grown = true;
            }
        if (!grown) return !open;
    }
}

/* Grows the zone by all answers known. True: no move is left that could matter, the side to move has lost. */
static bool answered(KnDfpnZones *z, Frame *frame, KnDfpnNode *node)
{
    if (!begin(z, frame, node)) return false;
    while (answer_zone(z, frame, node) && !z->search.stopped) {
        if (frame->fixed) return true;
        KnZone before = frame->zone;
        z->type->depends_elsewhere(z->goal, &frame->zone);
        if (memcmp(&before, &frame->zone, sizeof before) == 0) return true;
    }
    return false;
}

static bool lost(KnDfpn *search, KnDfpnNode *node)
{
    KnDfpnZones *z = search->self;
    Frame *frame = frame_of(search);
    if (!answered(z, frame, node)) return false;
    frame->proof = frame->zone;
    kn_dfpn_decide(node, false, node->count ? search->pool[node->first].move : KN_GOAL_PASS, &frame->proof);
    return true;
}

static void won(KnDfpn *search, KnDfpnNode *node, int child, const void *payload)
{
    KnDfpnZones *z = search->self;
    Frame *frame = frame_of(search);
    frame->proof = *(const KnZone *)payload;
    z->type->depends_move(z->goal, search->pool[child].move, &frame->proof);
    node->payload = &frame->proof;
}

static const void *child_payload(KnDfpn *search, int child)
{
    return &((KnDfpnZones *)search->self)->zones[child];
}

static void refuted(KnDfpn *search, const KnDfpnNode *node, int child, const KnDfpnNode *after)
{
    (void)node;
    KnDfpnZones *z = search->self;
    Frame *frame = frame_of(search);
    z->zones[child] = *(const KnZone *)after->payload;
    if (frame->pass < 0 || child == frame->pass) frame->model = 1 + search->pool[child].move;
}

/* Moves outside the zone need no answer. */
static bool relevant(KnDfpn *search, const KnDfpnNode *node, const KnDfpnChild *child)
{
    (void)node;
    const KnDfpnZones *z = search->self;
    const Frame *frame = frame_of(search);
    if (child->move == KN_GOAL_PASS) return true;
    if (frame->fixed) return kn_zone_has(&frame->need, child->move);
    return !frame->begun || z->goal->attacking || kn_zone_has(&frame->zone, child->move);
}

/* ---- Proof imitation (simulation: Kawano 1996) ----
 *
 * Most moves are refuted by the same answers that refuted another one. So once a move has been refuted,
 * others are tried against the same proof, move by move: the table holds it under the hash of a position that
 * differs from this one by the same stones as at the start (`other`). No move is searched for, and nothing is
 * taken for granted: the result is a proof of its own. */

/* Keeps a decided position: for the side to move, or against it. */
static void keep(KnDfpnZones *z, uint64_t key, bool wins, int move, const KnZone *zone)
{
    KnDfpnNode node = {.or_node = z->goal->attacking};
    kn_dfpn_decide(&node, wins, move, zone);
    kn_dfpn_store(&z->search, key, &node, 1);
}

/* The side to move succeeds at once: the attacker reaches the goal, or the defender escapes. Returns the
 * move, -1: there is none. */
static int immediate_success(KnDfpnZones *z, uint64_t key, KnZone *zone)
{
    int move = -1;
    *zone = (KnZone){{0}};
    if (z->goal->attacking)
        move = z->type->needs(z->goal) == 1 ? reaching_move(z, zone) : -1;
    else if (z->type->escape)
        move = z->type->escape(z->goal, zone);
    if (move >= 0) keep(z, key, true, move, zone);
    return move;
}

static bool simulate(KnDfpnZones *z, uint64_t other, bool attacker, KnZone *zone);

static bool simulate_after(KnDfpnZones *z, int move, uint64_t other, bool attacker, KnZone *zone)
{
    if (kn_dfpn_spent(&z->search) || z->search.nodes >= z->imitation_limit || !play_move(z, move))
        return false;
    z->search.nodes++;
    memset(zone, 0, sizeof *zone);
    bool proved = simulate(z, other, attacker, zone);
    undo_move(z);
    return proved;
}

/* Whether the prover's move of the imitated proof works here too. */
static bool simulate_move(KnDfpnZones *z, uint64_t key, uint64_t other, bool attacker, KnZone *zone)
{
    const KnDfpnEntry *model = kn_dfpn_probe(&z->search, key ^ other);
    if (!model || (attacker ? model->proof : model->disproof)) return false;
    int move = model->move;
    if (move == KN_GOAL_PASS ? attacker : z->type->place(z->goal, move) != KN_PLACE_LEGAL) return false;
    if (!simulate_after(z, move, other, attacker, zone)) return false;
    z->type->depends_move(z->goal, move, zone);
    keep(z, key, true, move, zone);
    return true;
}

static bool simulate_parries(KnDfpnZones *z, uint64_t key, uint64_t other, const int *parries, int count,
                             KnZone *zone)
{
    KnZone reply;
    for (int i = 0; i < count; i++) {
        kn_zone_add(zone, parries[i]);
        if (z->type->place(z->goal, parries[i]) == KN_PLACE_LEGAL) {
            if (!simulate_after(z, parries[i], other, false, &reply)) return false;
            kn_zone_join(zone, &reply);
        }
        z->type->depends_reply(z->goal, parries[i], zone);
    }
    z->type->depends_elsewhere(z->goal, zone);
    keep(z, key, false, count ? parries[0] : KN_GOAL_PASS, zone);
    return true;
}

/* The defences to a threat to reach the goal with the next move. */
static bool simulate_defences(KnDfpnZones *z, uint64_t other, KnZone *done, KnZone *zone)
{
    KnZone reply;
    int moves[CANDIDATES_MAX];
    int count = z->type->defences(z->goal, 1, moves);
    for (int i = 0; i < count; i++) {
        if (!simulate_after(z, moves[i], other, true, &reply)) return false;
        kn_zone_add(done, moves[i]);
        z->type->depends_reply(z->goal, moves[i], &reply);
        kn_zone_join(zone, &reply);
    }
    return true;
}

/* Every reply inside the zone: `model` is the position after a move that has been answered, or 0. */
static bool simulate_zone(KnDfpnZones *z, uint64_t other, bool attacker, bool complete, uint64_t model,
                          KnZone *done, KnZone *zone)
{
    KnZone reply = {{0}};
    for (bool grown = true; grown;) {
        grown = false;
        z->type->depends_elsewhere(z->goal, zone);
        for (int word = 0; word < KN_ZONE_WORDS; word++)
            for (uint64_t bits = zone->w[word] & ~done->w[word]; bits; bits &= bits - 1) {
                int place = word * 64 + __builtin_ctzll(bits);
                KnPlace kind = z->type->place(z->goal, place);
                kn_zone_add(done, place);
                if (kind == KN_PLACE_TAKEN) continue;
                if (kind == KN_PLACE_LEGAL && !complete) {
                    uint64_t after = z->type->hash_after(z->goal, place);
                    if (!simulate_after(z, place, other, attacker, &reply) &&
                        (!model || !simulate_after(z, place, after ^ model, attacker, &reply)))
                        return false;
                    model = after;
                    kn_zone_join(zone, &reply);
                }
                z->type->depends_reply(z->goal, place, zone);
                grown = true;
            }
    }
    return true;
}

static bool simulate_replies(KnDfpnZones *z, uint64_t key, uint64_t other, bool attacker, KnZone *zone)
{
    KnZone done = {{0}};
    bool complete = attacker && z->type->needs(z->goal) == 1 && begin_with_threat(z, zone);
    uint64_t model = 0;
    int parries[CANDIDATES_MAX],
        count = attacker || !z->type->parries ? -1 : z->type->parries(z->goal, parries, zone);
    if (count >= 0) return simulate_parries(z, key, other, parries, count, zone);
    if (complete) {
        if (!simulate_defences(z, other, &done, zone)) return false;
    } else if (attacker || z->type->bound(z->goal)) {
        if (!simulate_after(z, KN_GOAL_PASS, other, attacker, zone)) return false;
        model = z->type->hash_after(z->goal, KN_GOAL_PASS);
    }
    if (!attacker) z->type->depends_end(z->goal, zone);
    if (!simulate_zone(z, other, attacker, complete, model, &done, zone)) return false;
    keep(z, key, false, KN_GOAL_PASS, zone);
    return true;
}

/* Whether the prover (`attacker`, or the defender) succeeds by the imitated proof. */
static bool simulate(KnDfpnZones *z, uint64_t other, bool attacker, KnZone *zone)
{
    KnGoalStanding standing = z->type->standing(z->goal);
    if (standing != KN_GOAL_OPEN) {
        z->type->depends_end(z->goal, zone);
        return (standing == KN_GOAL_REACHED) == attacker;
    }
    if (z->ply >= KN_DFPN_PLIES) return false;
    uint64_t key = z->type->hash(z->goal);
    const KnDfpnEntry *entry = kn_dfpn_probe(&z->search, key);
    if (entry && (!entry->proof || !entry->disproof)) {
        *zone = *(const KnZone *)kn_dfpn_payload(&z->search, entry);
        return !entry->proof == attacker;
    }
    if (z->goal->attacking != attacker) return simulate_replies(z, key, other, attacker, zone);
    KnZone found;
    if (immediate_success(z, key, &found) < 0) return simulate_move(z, key, other, attacker, zone);
    *zone = found;
    return true;
}

/* Tries the proof against another move of this position: the pass, or the last move refuted. */
static bool imitate(KnDfpnZones *z, Frame *frame, const KnDfpnNode *node, int index)
{
    KnDfpnChild *child = &z->search.pool[index];
    if (z->tried[index] || !frame->model || z->search.stopped) return false;
    z->tried[index] = true;
    uint64_t other = z->type->hash_after(z->goal, child->move) ^
                     z->type->hash_after(z->goal, frame->model - 1);
    z->imitation_limit = z->search.nodes + IMITATION_NODES;
    if (!simulate_after(z, child->move, other, !z->goal->attacking, &z->zones[index])) return false;
    child->proof = node->or_node ? KN_DFPN_INFINITE : 0;
    child->disproof = node->or_node ? 0 : KN_DFPN_INFINITE;
    return true;
}

/* ---- The domain ---- */

static uint64_t key_of(KnDfpn *search)
{
    const KnDfpnZones *z = search->self;
    return z->type->hash(z->goal);
}

static bool or_node(KnDfpn *search) { return ((const KnDfpnZones *)search->self)->goal->attacking; }

static bool play(KnDfpn *search, int child) { return play_move(search->self, search->pool[child].move); }

static void undo(KnDfpn *search) { undo_move(search->self); }

/* The end of a line: the goal's standing, an immediate success, or a repetition, which stays open. */
static bool terminal(KnDfpn *search, uint64_t key, KnDfpnNode *node)
{
    KnDfpnZones *z = search->self;
    KnZone *zone = &frame_of(search)->proof;
    KnGoalStanding standing = z->type->standing(z->goal);
    *zone = (KnZone){{0}};
    if (standing != KN_GOAL_OPEN) {
        z->type->depends_end(z->goal, zone);
        kn_dfpn_decide(node, (standing == KN_GOAL_REACHED) == z->goal->attacking, KN_GOAL_PASS, zone);
        return true;
    }
    node->proof = node->disproof = KN_DFPN_STUCK;
    node->move = KN_GOAL_PASS;
    if (search->ply >= KN_DFPN_PLIES || kn_dfpn_repeats(search, key, search->ply)) return true;
    int move = immediate_success(z, key, zone);
    if (move >= 0) kn_dfpn_decide(node, true, move, zone);
    return move >= 0;
}

static const KnDfpnDomain domain = {
    .weak = true,
    .shift = EPSILON_SHIFT,
    .payload = sizeof(KnZone),
    .key = key_of,
    .or_node = or_node,
    .terminal = terminal,
    .expand = expand,
    .play = play,
    .undo = undo,
    .relevant = relevant,
    .refuted = refuted,
    .lost = lost,
    .won = won,
    .widen = widen,
    .child_payload = child_payload,
};

KnProofVerdict kn_dfpn_zones_prove(KnDfpnZones *z, KnGoal *goal, const KnReader *guide, uint64_t limit,
                                   double deadline, uint64_t *nodes)
{
    z->guide = guide;
    z->goal = goal, z->type = goal->type, z->ply = 0;
    KnDfpnNode root = kn_dfpn_run(&z->search, limit, deadline);
    KN_ASSERT(z->ply == 0);
    *nodes = z->search.nodes;
    return !root.proof ? KN_PROVED : !root.disproof ? KN_DISPROVED : KN_UNPROVED;
}

int kn_dfpn_zones_move(const KnDfpnZones *z, const KnGoal *goal)
{
    const KnDfpnEntry *entry = kn_dfpn_probe(&z->search, goal->type->hash(goal));
    return entry && (!entry->proof || !entry->disproof) ? entry->move : -1;
}
