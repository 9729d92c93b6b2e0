#include "methods/widening/reader.h"

#include <stdlib.h>

#include "methods/widening/outlooks.h"
#include "search/dfpn.h"

enum {
    TABLE_BITS = 13,
    POOL = 1 << 12,
    EPSILON_SHIFT = 3,
    LADDER_NODES = 120,
    SURE = 10,
    PASS_NEEDS = 3,
    LEVELS = 5
};

/* Levels of widening: up to which ply the moves of rounds 1 and 2 are looked at (games/goals.h). They matter
 * near the question more than at the end of long lines. */
static const struct {
    int plies[KN_GOAL_ROUNDS - 1];
} levels[LEVELS] = {{{0, 0}}, {{3, 0}}, {{3, 1}}, {{6, 2}}, {{12, 4}}};

/* Deep in a line fewer moves that the attacker still needs count as saved. */
enum { FOUR_PLY = 5, THREE_PLY = 10 };

struct KnReader {
    KnDfpn search;
    KnGoal *goal;
    const KnGoalType *type;
    int level[2]; /* of widening, by side: the defender, the attacker */
};

static const KnDfpnDomain domain;

KnReader *kn_reader_new(void)
{
    KnReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    if (kn_dfpn_init(&reader->search, &domain, reader, TABLE_BITS, POOL)) return reader;
    kn_reader_free(reader);
    return NULL;
}

void kn_reader_free(KnReader *reader)
{
    if (!reader) return;
    kn_dfpn_free(&reader->search);
    free(reader);
}

static uint64_t key_of(KnDfpn *search)
{
    const KnReader *r = search->self;
    return r->type->hash(r->goal);
}

static bool or_node(KnDfpn *search) { return ((const KnReader *)search->self)->goal->attacking; }

static bool play(KnDfpn *search, int child)
{
    KnReader *r = search->self;
    return r->type->play(r->goal, search->pool[child].move);
}

static void undo(KnDfpn *search)
{
    KnReader *r = search->self;
    r->type->undo(r->goal);
}

/* The side to move succeeds at once. Returns the move, or -1. */
static int immediate(KnReader *r)
{
    KnZone zone = {{0}};
    int moves[KN_GOAL_MOVES_MAX];
    if (!r->goal->attacking) return r->type->escape ? r->type->escape(r->goal, &zone) : -1;
    return r->type->needs(r->goal) == 1 && r->type->attacks(r->goal, 1, moves) ? moves[0] : -1;
}

/* Positions that the bound leaves. */
static uint64_t left_of(const KnReader *r)
{
    return r->search.limit > r->search.nodes ? r->search.limit - r->search.nodes : 0;
}

/* A ladder counts as one step. */
static bool ladder(KnReader *r)
{
    if (!r->type->ladder || r->type->needs(r->goal) > (r->goal->attacking ? 2 : 1)) return false;
    uint64_t left = left_of(r);
    if (!left) return false;
    KnGoalCount played = {0, left < LADDER_NODES ? left : LADDER_NODES};
    bool reached = r->type->ladder(r->goal, &played);
    r->search.nodes += played.nodes;
    return reached;
}

/* A line that comes back to an earlier position gains nothing for the attacker. */
static bool terminal(KnDfpn *search, uint64_t key, KnDfpnNode *node)
{
    KnReader *r = search->self;
    KnGoalStanding standing = r->type->standing(r->goal);
    bool attacking = r->goal->attacking;
    if (standing != KN_GOAL_OPEN) {
        kn_dfpn_decide(node, (standing == KN_GOAL_REACHED) == attacking, KN_GOAL_PASS, NULL);
        return true;
    }
    if (search->ply >= KN_DFPN_PLIES || kn_dfpn_repeats(search, key, search->ply)) {
        kn_dfpn_decide(node, !attacking, KN_GOAL_PASS, NULL);
        return true;
    }
    int needs = r->type->needs(r->goal);
    if ((needs > 3 && search->ply > FOUR_PLY) || (needs > 2 && search->ply > THREE_PLY)) {
        kn_dfpn_decide(node, !attacking, KN_GOAL_PASS, NULL);
        return true;
    }
    int move = immediate(r);
    if (move >= 0) {
        kn_dfpn_decide(node, true, move, NULL);
        return true;
    }
    bool fresh = !kn_dfpn_probe(search, key); /* else the ladder was tried before */
    if (search->ply && fresh && ladder(r)) {
        kn_dfpn_decide(node, attacking, -1, NULL);
        return true;
    }
    return false;
}

/* The likely moves of the side to move, as many rounds as its level has at this ply. */
static int likely(KnReader *r, int *moves)
{
    KnGoalCount played = {0, left_of(r)};
    int count = r->type->sharp && played.most ? r->type->sharp(r->goal, &played, moves)
                                              : r->type->likely(r->goal, 0, moves);
    r->search.nodes += played.nodes;
    const int *plies = levels[r->level[r->goal->attacking]].plies;
    if (r->search.ply >= plies[0]) return count;
    KnZone listed = {{0}};
    int more[KN_GOAL_MOVES_MAX];
    for (int i = 0; i < count; i++) kn_zone_add(&listed, moves[i]);
    for (int round = 1; round < KN_GOAL_ROUNDS && r->search.ply < plies[round - 1]; round++) {
        int fresh = r->type->likely(r->goal, round, more);
        for (int i = 0; i < fresh; i++) {
            if (kn_zone_has(&listed, more[i])) continue;
            kn_zone_add(&listed, more[i]);
            moves[count++] = more[i];
        }
    }
    return count;
}

/* Whether a move that the attacker needs is barred to him, as it is in an eye. */
static bool barred(KnReader *r)
{
    int moves[KN_GOAL_MOVES_MAX], needs = r->type->needs(r->goal);
    return needs <= PASS_NEEDS && r->type->attacks(r->goal, needs, moves) < needs;
}

/* The moves that are looked at: the likely ones, all defences against an atari, and where the defender could
 * escape at once only what prevents it. The defender may pass rather than fill his own eye. */
static int list(KnReader *r, int *moves)
{
    KnZone zone = {{0}};
    if (!r->goal->attacking) {
        if (r->type->needs(r->goal) == 1) return r->type->defences(r->goal, 1, moves);
        int count = likely(r, moves);
        if (barred(r)) moves[count++] = KN_GOAL_PASS;
        return count;
    }
    int count = r->type->parries ? r->type->parries(r->goal, moves, &zone) : -1, legal = 0;
    if (count < 0) return likely(r, moves);
    for (int i = 0; i < count; i++)
        if (r->type->place(r->goal, moves[i]) == KN_PLACE_LEGAL) moves[legal++] = moves[i];
    return legal;
}

static bool expand(KnDfpn *search, KnDfpnNode *node)
{
    KnReader *r = search->self;
    int moves[KN_GOAL_MOVES_MAX], count = list(r, moves);
    KnOutlook outlooks[KN_GOAL_MOVES_MAX];
    r->type->outlook(r->goal, moves, count, outlooks);
    for (int i = 0; i < count; i++) {
        KnExpected expected = kn_expected(r->goal->attacking, &outlooks[i]);
        if (!kn_dfpn_add(search, node, moves[i], r->type->hash_after(r->goal, moves[i]), expected.proof,
                         expected.disproof))
            break;
    }
    return false;
}

static const KnDfpnDomain domain = {
    .weak = true,
    .shift = EPSILON_SHIFT,
    .key = key_of,
    .or_node = or_node,
    .terminal = terminal,
    .expand = expand,
    .play = play,
    .undo = undo,
};

/* The line that the table holds. */
static void read_line(KnReader *r, KnReading *reading)
{
    int played = 0;
    while (played < KN_READER_LINE && r->type->standing(r->goal) == KN_GOAL_OPEN) {
        const KnDfpnEntry *entry = kn_dfpn_probe(&r->search, r->type->hash(r->goal));
        int move = immediate(r);
        if (move < 0) move = entry ? entry->move : -1;
        if (move <= KN_GOAL_PASS || r->type->place(r->goal, move) != KN_PLACE_LEGAL ||
            !r->type->play(r->goal, move))
            break;
        reading->line[played++] = move;
    }
    reading->length = played;
    while (played-- > 0) r->type->undo(r->goal);
}

bool kn_reader_expects(const KnReader *r, uint64_t key, KnExpected *expected)
{
    const KnDfpnEntry *entry = kn_dfpn_probe(&r->search, key);
    if (!entry) return false;
    if (!entry->proof)
        *expected = (KnExpected){1, SURE};
    else if (!entry->disproof)
        *expected = (KnExpected){SURE, 1};
    else
        return false;
    return true;
}

/* One search with the present levels. */
static void read_once(KnReader *r, uint64_t nodes, KnReading *reading)
{
    kn_dfpn_clear(&r->search, nodes);
    KnDfpnNode root = kn_dfpn_run(&r->search, nodes, 0);
    *reading = (KnReading){.reached = root.proof < root.disproof,
                           .settled = !root.proof || !root.disproof,
                           .nodes = r->search.nodes};
    read_line(r, reading);
    bool succeeds = reading->reached == r->goal->attacking;
    if (!reading->length && succeeds && root.move > KN_GOAL_PASS)
        reading->line[reading->length++] = root.move; /* the most promising */
    reading->move = succeeds && reading->length ? reading->line[0] : KN_GOAL_PASS;
}

/* Iterative widening: while the moves that were looked at are read to the end, the losing side gets the next
 * level of moves, until none of it helps. A wider search that does not come to an end changes nothing. */
void kn_reader_run(KnReader *r, KnGoal *goal, uint64_t nodes, KnReading *reading)
{
    uint64_t bound = nodes ? nodes : KN_READER_NODES, spent = 0;
    r->goal = goal, r->type = goal->type;
    r->level[0] = r->level[1] = 0;
    goal->ko = false;
    read_once(r, bound, reading);
    for (spent = reading->nodes; reading->settled && spent < bound; spent = reading->nodes) {
        KnReading wider;
        int loser = !reading->reached;
        if (r->level[loser] == LEVELS - 1) break;
        r->level[loser]++;
        read_once(r, bound - spent, &wider);
        wider.nodes += spent;
        if (!wider.settled) {
            reading->nodes = wider.nodes;
            break;
        }
        *reading = wider;
    }
    reading->ko = goal->ko;
}
