#include "games/phutball/goal.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/phutball/board.h"

enum {
    PLIES = 96,
    FIRST_CHAIN = 320, /* below: men, on point y * 16 + x */
    CHAINS = 190,
    GIVE_UP = KN_GOAL_MOVES_MAX - 1, /* stands for chains beyond the limit: the proof fails there */
    TRACES = 1 << 10,
    JUMPS_MOST = 40
};

/* A chain of jumps, by its end; its predecessor comes before it. */
typedef struct Chain {
    KnPhutPosition after; /* position after the turn */
    int16_t from;         /* predecessor; -1: this is the first jump */
} Chain;

typedef struct State {
    KnPhutPosition position;
    bool given_up;
    int count; /* number of chains; -1: not listed yet */
    bool more; /* there are more chains than fit */
    Chain chains[CHAINS];
} State;

/* Cached dependencies of a threat's proof, since the definitions ask repeatedly. */
typedef struct Trace {
    uint64_t key;
    KnZone zone;
    bool found;
} Trace;

typedef struct PhutGoal {
    KnGoal goal; /* first */
    const KnGame *game;
    const KnPhutRules *rules;
    int attacker, ply;
    Trace *traces;
    State states[PLIES];
} PhutGoal;

static PhutGoal *of(const KnGoal *goal) { return (PhutGoal *)(uintptr_t)goal; }
static State *now(const PhutGoal *g) { return &((PhutGoal *)(uintptr_t)g)->states[g->ply]; }

/* ---- chains ---- */

static bool same(const KnPhutPosition *a, const KnPhutPosition *b)
{
    return a->men_hash == b->men_hash && a->x == b->x && a->y == b->y;
}

/* Chains are many and needed at every position: a hash table finds them by men and ball. */
enum { SLOTS = 512 };
_Static_assert(CHAINS<UINT8_MAX && SLOTS> 2 * CHAINS,
               "a slot holds the number of a chain, and some are always free");

typedef struct Listing {
    const PhutGoal *goal;
    State *state;
    uint8_t slots[SLOTS]; /* 1 + a chain; 0: none */
} Listing;

/* The slot of the chain with this end, or the free slot for it. */
static uint8_t *slot_of(Listing *l, const KnPhutPosition *end)
{
    uint64_t at = kn_mix64(end->men_hash ^ (uint64_t)(end->y * 16 + end->x));
    for (;; at++) {
        uint8_t *slot = &l->slots[at % SLOTS];
        if (!*slot || same(&l->state->chains[*slot - 1].after, end)) return slot;
    }
}

static void follow(Listing *l, const KnPhutPosition *p, int from, int jumps)
{
    const PhutGoal *g = l->goal;
    State *s = l->state;
    int x, y;
    for (int d = 0; d < 8; d++) {
        if (!phut_landing(g->rules, p, d, &x, &y)) continue;
        KnPhutPosition next = *p;
        kn_phut_play(g->game, &next, (KnMove)(PHUT_JUMP + d));
        uint8_t *slot = slot_of(l, &next);
        if (*slot) continue;
        if (s->count == CHAINS || jumps == JUMPS_MOST) {
            s->more = true;
            return;
        }
        int here = s->count++;
        bool goes_on = next.jumping;
        s->chains[here] = (Chain){next, (int16_t)from};
        *slot = (uint8_t)s->count;
        if (!goes_on) continue;
        kn_phut_play(g->game, &s->chains[here].after, PHUT_STOP);
        follow(l, &next, here, jumps + 1);
        if (s->more && s->count == CHAINS) return; /* no room for further chains */
    }
}

static State *listed(const PhutGoal *g)
{
    State *s = now(g);
    if (s->count >= 0) return s;
    s->count = 0, s->more = false;
    if (s->given_up) return s;
    Listing listing = {.goal = g, .state = s};
    follow(&listing, &s->position, -1, 0);
    return s;
}

static bool scores(const PhutGoal *g, const KnPhutPosition *p)
{
    return !p->jumping && phut_distance(g->rules, g->attacker, p->y) == 0;
}

/* ---- the goal ---- */

static bool play(KnGoal *goal, int move)
{
    PhutGoal *g = of(goal);
    if (g->ply + 1 >= PLIES) return false;
    State *s = now(g), *next = s + 1;
    next->count = -1, next->given_up = move == GIVE_UP;
    if (move >= FIRST_CHAIN && move < GIVE_UP)
        next->position = listed(g)->chains[move - FIRST_CHAIN].after;
    else {
        next->position = s->position;
        if (move == KN_GOAL_PASS || move == GIVE_UP)
            next->position.mover ^= 1;
        else
            kn_phut_play(g->game, &next->position, (KnMove)move);
    }
    g->ply++;
    goal->attacking = !goal->attacking;
    return true;
}

static void undo(KnGoal *goal)
{
    of(goal)->ply--;
    goal->attacking = !goal->attacking;
}

static KnGoalStanding standing(const KnGoal *goal)
{
    const PhutGoal *g = of(goal);
    const State *s = now(g);
    if (s->given_up) return KN_GOAL_LOST;
    if (!phut_over(g->rules, &s->position)) return KN_GOAL_OPEN;
    return scores(g, &s->position) ? KN_GOAL_REACHED : KN_GOAL_LOST;
}

static int needs(const KnGoal *goal)
{
    (void)goal;
    return 1;
}

static uint64_t hash(const KnGoal *goal)
{
    const PhutGoal *g = of(goal);
    return g->game->type->hash(g->game, &now(g)->position) ^
           kn_mix64((uint64_t)g->attacker << 1 | now(g)->given_up);
}

/* ---- points ---- */

static bool empty(const PhutGoal *g, const KnPhutPosition *p, int x, int y)
{
    return x >= 1 && x <= g->rules->width && y >= 1 && y <= g->rules->height && !phut_man_at(p, x, y) &&
           !(x == p->x && y == p->y);
}

static int point(int x, int y) { return y * 16 + x; }

/* Adds the points that the side to move can bring the ball to, including its own, and their neighbours. */
static void add_reach(const PhutGoal *g, KnZone *zone)
{
    const State *s = listed(g);
    for (int i = -1; i < s->count; i++) {
        const KnPhutPosition *p = i < 0 ? &s->position : &s->chains[i].after;
        for (int d = -1; d < 8; d++) {
            int x = p->x + (d < 0 ? 0 : phut_dx[d]), y = p->y + (d < 0 ? 0 : phut_dy[d]);
            if (x >= 1 && x <= g->rules->width && y >= 1 && y <= g->rules->height)
                kn_zone_add(zone, point(x, y));
        }
    }
}

/* Adds the landing points of a chain. */
static void add_landings(const State *s, int chain, KnZone *zone)
{
    KN_ASSERT(chain >= 0 && chain < s->count);
    for (; chain >= 0; chain = s->chains[chain].from)
        kn_zone_add(zone, point(s->chains[chain].after.x, s->chains[chain].after.y));
}

typedef struct List {
    int *moves, count;
} List;

static void add_men(const PhutGoal *g, List *list, const KnZone *zone)
{
    const KnPhutPosition *p = &now(g)->position;
    for (int w = 0; w < KN_ZONE_WORDS; w++)
        for (uint64_t bits = zone->w[w]; bits; bits &= bits - 1) {
            int place = w * 64 + __builtin_ctzll(bits);
            if (empty(g, p, place & 15, place >> 4)) list->moves[list->count++] = place;
        }
}

/* Adds chains, winning ones first; chains that lose the game are never useful. */
static void add_chains(const PhutGoal *g, List *list)
{
    const State *s = listed(g);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->count; i++) {
            bool ends = phut_over(g->rules, &s->chains[i].after);
            if (ends && scores(g, &s->chains[i].after) != g->goal.attacking) {
                if (g->goal.attacking) continue;              /* it would lose */
                if (scores(g, &s->chains[i].after)) continue; /* the opponent would lose, too */
            }
            if (ends == (pass == 0)) list->moves[list->count++] = FIRST_CHAIN + i;
        }
    if (s->more && !g->goal.attacking) list->moves[list->count++] = GIVE_UP;
}

static int winning_chain(const PhutGoal *g)
{
    const State *s = listed(g);
    for (int i = 0; i < s->count; i++)
        if (scores(g, &s->chains[i].after) && phut_over(g->rules, &s->chains[i].after)) return i;
    return -1;
}

/* OR1: men next to the ball or where it lands, and all jumps. OR2: men wherever an own jump could pass
 * (Cazenave 2001). Other men make no threat. */
static int list_attacks(const PhutGoal *g, KnWidth width, int *moves)
{
    List list = {moves, 0};
    KnZone zone = {{0}};
    const State *s = listed(g);
    if (width == KN_WIDTH_NARROW) {
        for (int d = 0; d < 8; d++) {
            int x = s->position.x + phut_dx[d], y = s->position.y + phut_dy[d];
            if (empty(g, &s->position, x, y)) kn_zone_add(&zone, point(x, y));
            if (phut_landing(g->rules, &s->position, d, &x, &y) && empty(g, &s->position, x, y))
                kn_zone_add(&zone, point(x, y));
        }
    } else
        add_reach(g, &zone);
    add_chains(g, &list);
    add_men(g, &list, &zone);
    return list.count;
}

static int attacks(KnGoal *goal, int within, int *moves)
{
    const PhutGoal *g = of(goal);
    int chain = winning_chain(g);
    if (chain >= 0) {
        moves[0] = FIRST_CHAIN + chain;
        return 1;
    }
    return within == 1 ? 0 : list_attacks(g, KN_WIDTH_WIDE, moves);
}

static int legal(KnGoal *goal, int *moves)
{
    const PhutGoal *g = of(goal);
    List list = {moves, 0};
    KnZone all;
    memset(&all, 0xff, sizeof all);
    add_chains(g, &list);
    add_men(g, &list, &all);
    return list.count;
}

static int widen(KnGoal *goal, KnWidth width, int *moves)
{
    return width == KN_WIDTH_ALL ? legal(goal, moves) : list_attacks(of(goal), width, moves);
}

/* ---- Dependencies of a threat ----
 *
 * The searches of the definitions (methods/widening/proof.h), recording the points that the proof depends on.
 */

static bool trace_any(PhutGoal *g, int k, KnZone *zone);

static bool trace_replies(PhutGoal *g, int k, KnZone *zone)
{
    int moves[KN_GOAL_MOVES_MAX];
    KnZone part = {{0}};
    if (standing(&g->goal) != KN_GOAL_OPEN || !play(&g->goal, KN_GOAL_PASS)) return false;
    bool found = trace_any(g, k, &part);
    undo(&g->goal);
    if (!found) return false;
    kn_zone_join(zone, &part);
    List list = {moves, 0};
    add_men(g, &list, &part);
    add_chains(g, &list);
    for (int i = 0; i < list.count; i++) {
        KnZone reply = {{0}};
        if (!play(&g->goal, moves[i])) return false;
        found = trace_any(g, k, &reply);
        undo(&g->goal);
        if (!found) return false;
        kn_zone_join(zone, &reply);
    }
    add_reach(g, zone);
    return true;
}

static void add_move(const PhutGoal *g, int move, KnZone *zone)
{
    if (move >= FIRST_CHAIN)
        add_landings(listed(g), move - FIRST_CHAIN, zone);
    else
        kn_zone_add(zone, move);
}

static bool trace_within(PhutGoal *g, int k, KnZone *zone)
{
    int moves[KN_GOAL_MOVES_MAX], count = attacks(&g->goal, k, moves);
    for (int i = 0; i < count; i++) {
        KnZone part = {{0}};
        if (!play(&g->goal, moves[i])) return false;
        bool wins = standing(&g->goal) == KN_GOAL_REACHED || (k > 1 && trace_replies(g, k - 1, &part));
        undo(&g->goal);
        if (!wins) continue;
        add_move(g, moves[i], &part);
        kn_zone_join(zone, &part);
        return true;
    }
    return false;
}

static bool trace_any(PhutGoal *g, int k, KnZone *zone)
{
    if (standing(&g->goal) != KN_GOAL_OPEN) return standing(&g->goal) == KN_GOAL_REACHED;
    uint64_t key = hash(&g->goal) ^ kn_mix64((uint64_t)k + 77);
    Trace *trace = &g->traces[key & (TRACES - 1)];
    if (trace->key != key) {
        KnZone part = {{0}};
        bool found = false;
        for (int j = 1; j <= k && !found; j++) found = trace_within(g, j, &part);
        trace = &g->traces[key & (TRACES - 1)];
        *trace = (Trace){key, part, found};
    }
    if (trace->found) kn_zone_join(zone, &trace->zone);
    return trace->found;
}

/* Defences: every man that the threat depends on, and every chain. Without a threat, all moves. */
static int defences(KnGoal *goal, int within, int *moves)
{
    PhutGoal *g = of(goal);
    KnZone zone = {{0}};
    List list = {moves, 0};
    if (!play(goal, KN_GOAL_PASS)) return legal(goal, moves);
    bool found = trace_any(g, within, &zone);
    undo(goal);
    if (!found) return legal(goal, moves);
    add_men(g, &list, &zone);
    add_chains(g, &list);
    return list.count;
}

static const KnGoalType phut_type = {.name = "goal",
                                     .play = play,
                                     .undo = undo,
                                     .standing = standing,
                                     .needs = needs,
                                     .hash = hash,
                                     .attacks = attacks,
                                     .defences = defences,
                                     .widen = widen,
                                     .legal = legal};

KnStatus kn_phut_goal_open(const KnGame *game, const void *position, int attacker, KnGoal **goal,
                           KnError *error)
{
    *goal = NULL;
    if (strcmp(game->type->head.name, "phutball"))
        return kn_fail(error, KN_INPUT, "goals are of Phutball, not of %s", game->spec);
    const KnPhutPosition *p = position;
    if (p->jumping)
        return kn_fail(error, KN_INPUT, "a chain of jumps is under way: a goal is asked for between turns");
    PhutGoal *g = calloc(1, sizeof *g);
    if (g) g->traces = calloc(TRACES, sizeof *g->traces);
    if (!g || !g->traces) {
        free(g);
        return kn_fail_memory(error, "opening a goal");
    }
    g->goal.type = &phut_type;
    g->game = game, g->rules = phut_rules(game), g->attacker = attacker;
    g->states[0].position = *p, g->states[0].count = -1;
    g->goal.attacking = p->mover == attacker;
    *goal = &g->goal;
    return KN_OK;
}

void kn_phut_goal_free(KnGoal *goal)
{
    if (!goal) return;
    free(of(goal)->traces);
    free(of(goal));
}

void kn_phut_goal_turn(KnGoal *goal, bool attacking)
{
    PhutGoal *g = of(goal);
    if (goal->attacking != attacking) now(g)->position.mover ^= 1, now(g)->count = -1;
    goal->attacking = attacking;
}

void kn_phut_goal_after(KnGoal *goal, int move, void *position)
{
    if (!play(goal, move)) return;
    memcpy(position, &now(of(goal))->position, sizeof(KnPhutPosition));
    undo(goal);
}

static bool ready(const void *position) { return !((const KnPhutPosition *)position)->jumping; }

/* The jumps of a chain, and the end of the turn where the ball could go on. */
static int chain_steps(const PhutGoal *g, int chain, KnMove *moves)
{
    const State *s = listed(g);
    int order[JUMPS_MOST + 1], length = 0, count = 0;
    for (int at = chain; at >= 0; at = s->chains[at].from) order[length++] = at;
    KnPhutPosition p = s->position;
    while (length-- > 0) {
        const KnPhutPosition *end = &s->chains[order[length]].after;
        for (int d = 0, x, y; d < 8; d++) {
            if (!phut_landing(g->rules, &p, d, &x, &y)) continue;
            KnPhutPosition next = p;
            kn_phut_play(g->game, &next, (KnMove)(PHUT_JUMP + d));
            if (!same(&next, end)) continue;
            p = next;
            moves[count++] = (KnMove)(PHUT_JUMP + d);
            break;
        }
    }
    if (p.jumping) moves[count++] = PHUT_STOP;
    return count;
}

static int steps(KnGoal *goal, int move, KnMove *moves)
{
    KN_ASSERT(move != KN_GOAL_PASS && move != GIVE_UP);
    if (move >= FIRST_CHAIN) return chain_steps(of(goal), move - FIRST_CHAIN, moves);
    moves[0] = (KnMove)move;
    return 1;
}

const KnGoalProvider kn_phut_goals = {
    .open = kn_phut_goal_open, .free = kn_phut_goal_free, .ready = ready, .steps = steps};
