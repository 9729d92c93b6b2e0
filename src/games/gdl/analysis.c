#include "games/gdl/analysis.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/gdl/analysis_parts.h"

enum { GAMES = 60, PLIES = 400, MOST_PAIRS = 3000 };
#define MOST_FLIPS UINT64_C(20000000) /* limit on node changes in random games */
#define MOST_CONE  UINT64_C(60000000) /* limit on nodes visited to find subgames */

const char *kn_gdl_proof_name(KnGdlProof proof)
{
    static const char *const names[] = {"unknown", "no", "observed", "proved"};
    return names[proof];
}

static KnStatus no_memory(KnGdlStudy *s) { return kn_fail_memory(s->error, "analysing a game description"); }

/* ---- Latches ---- */

static KnStatus find_latches(KnGdlStudy *s)
{
    const KnPropnet *net = s->net;
    uint8_t *latches = s->result->latches = calloc(net->fact_count + 1, sizeof *latches);
    if (!latches) return no_memory(s);
    kn_gdl_study_moves(s, true);
    for (uint32_t f = 0; f < net->fact_count; f++)
        for (int off = 0; off < 2; off++) {
            KnPropnetWire before = kn_propnet_fact(f) ^ (KnPropnetWire)off,
                          after = net->next[f] ^ (KnPropnetWire)off;
            bool possible = kn_gdl_logic_assume(s->logic, net->terminal ^ 1) &&
                            kn_gdl_logic_assume(s->logic, before);
            if (!possible || kn_gdl_logic_value(s->logic, after) > 0)
                latches[f] |= off ? KN_GDL_STAYS_FALSE : KN_GDL_STAYS_TRUE;
            kn_gdl_logic_clear(s->logic);
        }
    kn_gdl_study_moves(s, false);
    return KN_OK;
}

/* Whether each node stays true once true (bit 1), and false once false (bit 2), as a consequence of its
 * inputs. */
static void find_lasting(const KnGdlStudy *s, uint8_t *lasting)
{
    const KnPropnet *net = s->net;
    for (uint32_t n = 0; n < net->count; n++) {
        const KnPropnetNode *node = &net->nodes[n];
        uint8_t all = KN_GDL_STAYS_TRUE | KN_GDL_STAYS_FALSE;
        if (node->kind == KN_NODE_FACT)
            all = s->result->latches[node->first];
        else if (node->kind == KN_NODE_MOVE)
            all = 0;
        else if (node->kind == KN_NODE_AND) {
            for (uint32_t i = 0; i < node->count; i++) {
                KnPropnetWire wire = net->wires[node->first + i];
                uint8_t input = lasting[wire / 2];
                all = (uint8_t)(all & (wire & 1 ? input >> 1 | input << 1 : input));
            }
        } else if (node->kind == KN_NODE_LOOP) {
            const KnPropnetBlock *block = &net->blocks[node->first];
            for (uint32_t w = block->first_way; w < block->first_way + block->way_count; w++) {
                uint8_t input = lasting[net->ways[w].outside / 2];
                all = (uint8_t)(all & (net->ways[w].outside & 1 ? input >> 1 | input << 1 : input));
            }
        }
        lasting[n] = all & 3;
    }
}

/* Whether all goals but the lowest are latches. */
static KnStatus find_rising(KnGdlStudy *s)
{
    const KnPropnet *net = s->net;
    uint8_t *lasting = calloc(net->count, sizeof *lasting);
    if (!lasting) return no_memory(s);
    find_lasting(s, lasting);
    for (int r = 0; r < net->roles; r++) {
        int least = 101;
        bool all = net->first_goal[r + 1] > net->first_goal[r];
        for (uint32_t g = net->first_goal[r]; g < net->first_goal[r + 1]; g++)
            if (net->goals[g].value < least) least = net->goals[g].value;
        for (uint32_t g = net->first_goal[r]; g < net->first_goal[r + 1]; g++) {
            KnPropnetWire wire = net->goals[g].wire;
            if (net->goals[g].value > least) all &= lasting[wire / 2] >> (wire & 1) & 1;
        }
        if (all) s->result->rising[r] = KN_GDL_PROVED;
    }
    free(lasting);
    return KN_OK;
}

/* ---- Turns ---- */

/* The only role with a choice where a fact is true: -1 none, -2 several. */
static int mover_where(KnGdlStudy *s, uint32_t fact)
{
    const KnPropnet *net = s->net;
    int mover = -1;
    bool possible = kn_gdl_logic_assume(s->logic, net->terminal ^ 1) &&
                    kn_gdl_logic_assume(s->logic, kn_propnet_fact(fact));
    for (int r = 0; r < net->roles && possible && mover != -2; r++) {
        uint32_t choices = 0;
        for (uint32_t a = net->first_action[r]; a < net->first_action[r + 1] && choices < 2; a++)
            choices += kn_gdl_logic_value(s->logic, net->actions[a].legal) >= 0;
        if (choices > 1) mover = mover == -1 ? r : -2;
    }
    kn_gdl_logic_clear(s->logic);
    return mover;
}

static KnStatus find_turns(KnGdlStudy *s)
{
    KnGdlAnalysis *a = s->result;
    a->turn_group = -1;
    for (uint32_t g = 0; g < a->group_count && a->turn_group < 0 && a->roles > 1; g++) {
        const KnGdlGroup *group = &a->groups[g];
        if (!group->exact) continue;
        int *movers = malloc(group->count * sizeof *movers);
        if (!movers) return no_memory(s);
        bool told = true;
        for (uint32_t i = 0; i < group->count && told; i++)
            told = (movers[i] = mover_where(s, group->facts[i])) != -2;
        if (!told) {
            free(movers);
            continue;
        }
        a->turn_group = (int)g;
        a->turn_movers = movers;
        a->turns = KN_GDL_PROVED;
    }
    return KN_OK;
}

/* ---- Random games ---- */

typedef struct Watch {
    KnGdlRun *run;
    const KnGdlAnswers *answers;
    KnRng rng;
    int last[KN_GDL_ROLES]; /* last goal values; -1: none yet */
} Watch;

static uint32_t nth_legal(const uint64_t *legal, uint32_t words, uint32_t n)
{
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t bits = legal[w]; bits; bits &= bits - 1)
            if (n-- == 0) return w * 64 + (uint32_t)__builtin_ctzll(bits);
    return 0;
}

/* Tests unproved groups, which may still serve for drawing. */
static void watch_groups(KnGdlStudy *s, const uint64_t *state)
{
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        KnGdlCandidate *c = &s->candidates[i];
        if (c->active || !c->seen || c->argument < 0) continue;
        uint32_t holding = 0;
        for (uint32_t k = 0; k < c->count; k++) {
            uint32_t fact = s->members[c->first + k] - 1;
            holding += (uint32_t)(state[fact / 64] >> fact % 64 & 1);
        }
        c->seen = holding <= 1;
    }
}

/* Observes a state and plays a move; false at the end. */
static bool watch_state(KnGdlStudy *s, Watch *watch)
{
    KnGdlAnalysis *a = s->result;
    const KnPropnet *net = s->net;
    int with_choice = 0;
    uint32_t joint[KN_GDL_ROLES];
    bool over = watch->run->answers[watch->answers->terminal] & 1;
    a->states++;
    watch_groups(s, watch->run->state);
    for (int r = 0; r < a->roles; r++) {
        int value = kn_gdl_run_goal(net, watch->answers, watch->run, r);
        if (value < 0) continue;
        if (value < watch->last[r]) a->rising[r] = KN_GDL_DENIED;
        watch->last[r] = value;
    }
    for (int r = 0; r < a->roles && !over; r++) {
        const uint64_t *legal = watch->run->answers + watch->answers->legal[r];
        uint32_t words = watch->answers->legal_words[r], count = 0;
        for (uint32_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(legal[w]);
        with_choice += count > 1;
        over = count == 0;
        if (count)
            joint[r] = net->first_action[r] + nth_legal(legal, words, kn_rng_below(&watch->rng, count));
    }
    if (over) return false;
    if (with_choice > 1) a->turns = KN_GDL_DENIED;
    kn_gdl_run_moves(watch->run, joint);
    kn_gdl_run_advance(watch->run);
    return true;
}

static void note_outcome(KnGdlAnalysis *a, const KnPropnet *net, const Watch *watch)
{
    int goals[KN_GDL_ROLES];
    for (int r = 0; r < a->roles; r++) goals[r] = kn_gdl_run_goal(net, watch->answers, watch->run, r);
    for (int r = 0; r < a->roles; r++)
        for (int k = 0; k < a->roles; k++) {
            int x = goals[r], y = goals[k];
            if (k == r || x < 0 || y < 0) continue;
            if (a->opposed[r][k] == KN_GDL_UNKNOWN) {
                a->opposed[r][k] = a->allied[r][k] = KN_GDL_OBSERVED;
                a->sums[r][k] = x + y;
            }
            if (x + y != a->sums[r][k]) a->opposed[r][k] = KN_GDL_DENIED;
            if (x != y) a->allied[r][k] = KN_GDL_DENIED;
        }
}

static KnStatus watch_games(KnGdlStudy *s, KnPropnetReasoner *fast)
{
    KnGdlAnalysis *a = s->result;
    const KnPropnetDifferential *differential = kn_propnet_reasoner_flow(fast);
    Watch watch = {.run = kn_gdl_run_new(differential),
                   .answers = kn_propnet_differential_answers(differential),
                   .rng = kn_rng_seeded(1)};
    uint64_t *start = calloc(watch.answers->next_words, sizeof *start);
    if (!watch.run || !start) {
        kn_gdl_run_free(watch.run);
        free(start);
        return no_memory(s);
    }
    kn_propnet_reasoner_start(fast, start);
    if (a->turns == KN_GDL_UNKNOWN) a->turns = KN_GDL_OBSERVED;
    for (int r = 0; r < a->roles; r++)
        if (a->rising[r] == KN_GDL_UNKNOWN) a->rising[r] = KN_GDL_OBSERVED;
    for (; a->games < GAMES && watch.run->flipped < MOST_FLIPS; a->games++) {
        int plies = 0;
        for (int r = 0; r < a->roles; r++) watch.last[r] = -1;
        kn_gdl_run_state(watch.run, start);
        while (watch_state(s, &watch) && ++plies < PLIES) continue;
        if (watch.run->answers[watch.answers->terminal] & 1) note_outcome(a, s->net, &watch);
    }
    kn_gdl_run_free(watch.run);
    free(start);
    return KN_OK;
}

/* ---- Goals of pairs ---- */

/* Proves that final goals of two roles add up to `sum`, or (-1) are equal. */
static bool prove_pair(KnGdlStudy *s, int first, int second, int sum)
{
    const KnPropnet *net = s->net;
    uint64_t pairs = (uint64_t)(net->first_goal[first + 1] - net->first_goal[first]) *
                     (net->first_goal[second + 1] - net->first_goal[second]);
    if (pairs > MOST_PAIRS) return false;
    for (uint32_t g = net->first_goal[first]; g < net->first_goal[first + 1]; g++)
        for (uint32_t h = net->first_goal[second]; h < net->first_goal[second + 1]; h++) {
            int x = net->goals[g].value, y = net->goals[h].value;
            KnPropnetWire wires[3] = {net->terminal, net->goals[g].wire, net->goals[h].wire};
            if (x < 0 || y < 0 || (sum >= 0 ? x + y == sum : x == y)) continue;
            if (!kn_gdl_logic_refute(s->logic, wires, 3)) return false;
        }
    return true;
}

static void prove_goals(KnGdlStudy *s)
{
    KnGdlAnalysis *a = s->result;
    for (int r = 0; r < a->roles; r++)
        for (int k = r + 1; k < a->roles; k++) {
            if (a->opposed[r][k] == KN_GDL_OBSERVED && prove_pair(s, r, k, a->sums[r][k]))
                a->opposed[r][k] = a->opposed[k][r] = KN_GDL_PROVED;
            if (a->allied[r][k] == KN_GDL_OBSERVED && prove_pair(s, r, k, -1))
                a->allied[r][k] = a->allied[k][r] = KN_GDL_PROVED;
        }
}

/* ---- Independent subgames ---- */

typedef struct Parts {
    KnGdlStudy *study;
    uint32_t *leader; /* by fact or move node: union-find */
    bool *clock;      /* by fact */
    uint32_t *marks, mark;
    uint32_t *stack;
    uint64_t visited;
} Parts;

static uint32_t leader_of(Parts *p, uint32_t node)
{
    while (p->leader[node] != node) node = p->leader[node] = p->leader[p->leader[node]];
    return node;
}

static void push(Parts *p, uint32_t *depth, uint32_t node)
{
    if (p->marks[node] == p->mark) return;
    p->marks[node] = p->mark;
    p->stack[(*depth)++] = node;
}

/* Unites a fact or move (0: none) with everything that a wire depends on. */
static void unite_below(Parts *p, uint32_t node, KnPropnetWire wire)
{
    const KnPropnet *net = p->study->net;
    uint32_t depth = 0;
    p->mark++;
    push(p, &depth, wire / 2);
    while (depth) {
        const KnPropnetNode *n = &net->nodes[p->stack[--depth]];
        p->visited++;
        if (n->kind == KN_NODE_MOVE || (n->kind == KN_NODE_FACT && !p->clock[n->first])) {
            uint32_t here = (uint32_t)(n - net->nodes);
            if (!node) node = here;
            p->leader[leader_of(p, here)] = leader_of(p, node);
        }
        for (uint32_t i = 0; n->kind == KN_NODE_AND && i < n->count; i++)
            push(p, &depth, net->wires[n->first + i] / 2);
        if (n->kind != KN_NODE_LOOP) continue;
        const KnPropnetBlock *block = &net->blocks[n->first];
        for (uint32_t w = block->first_way; w < block->first_way + block->way_count; w++)
            push(p, &depth, net->ways[w].outside / 2);
    }
}

/* The top component of an answer does not unite: it may combine several subgames. Each input below it belongs
 * to one. */
static void unite_answer(Parts *p, KnPropnetWire wire)
{
    const KnPropnet *net = p->study->net;
    const KnPropnetNode *node = &net->nodes[wire / 2];
    if (node->kind != KN_NODE_AND) return;
    for (uint32_t i = 0; i < node->count && p->visited < MOST_CONE; i++)
        unite_below(p, 0, net->wires[node->first + i]);
}

/* Numbers the subgames that hold a fact, in the order of facts. */
static void number_parts(Parts *p)
{
    KnGdlAnalysis *a = p->study->result;
    const KnPropnet *net = p->study->net;
    for (uint32_t n = 0; n < net->count; n++) p->marks[n] = KN_GDL_NO_PART;
    for (uint32_t f = 0; f < net->fact_count; f++) {
        uint32_t leader = leader_of(p, kn_propnet_fact(f) / 2);
        bool alone = net->next[f] == KN_WIRE_FALSE || net->next[f] == kn_propnet_fact(f); /* never changes */
        if (!p->clock[f] && !(alone && leader == kn_propnet_fact(f) / 2) &&
            p->marks[leader] == KN_GDL_NO_PART)
            p->marks[leader] = a->parts++;
    }
    for (uint32_t f = 0; f < net->fact_count; f++)
        a->part_of_fact[f] = p->clock[f] ? KN_GDL_NO_PART : p->marks[leader_of(p, kn_propnet_fact(f) / 2)];
    for (uint32_t i = 0; i < net->action_count; i++)
        a->part_of_action[i] = p->marks[leader_of(p, kn_propnet_move(net, i) / 2)];
}

static KnStatus find_parts(KnGdlStudy *s)
{
    const KnPropnet *net = s->net;
    KnGdlAnalysis *a = s->result;
    Parts p = {s,
               malloc(net->count * sizeof *p.leader),
               calloc(net->fact_count + 1, sizeof *p.clock),
               calloc(net->count, sizeof *p.marks),
               0,
               malloc(net->count * sizeof *p.stack),
               0};
    a->part_of_fact = calloc(net->fact_count + 1, sizeof *a->part_of_fact);
    a->part_of_action = calloc(net->action_count + 1, sizeof *a->part_of_action);
    bool ok = p.leader && p.clock && p.marks && p.stack && a->part_of_fact && a->part_of_action;
    for (uint32_t n = 0; ok && n < net->count; n++) p.leader[n] = n;
    for (uint32_t g = 0; ok && g < a->group_count; g++)
        for (uint32_t i = 0; a->groups[g].clock && i < a->groups[g].count; i++)
            p.clock[a->groups[g].facts[i]] = true;
    for (uint32_t f = 0; ok && f < net->fact_count && p.visited < MOST_CONE; f++)
        if (!p.clock[f]) unite_below(&p, kn_propnet_fact(f) / 2, net->next[f]);
    for (uint32_t i = 0; ok && i < net->action_count && p.visited < MOST_CONE; i++)
        unite_below(&p, kn_propnet_move(net, i) / 2, net->actions[i].legal);
    if (ok) unite_answer(&p, net->terminal);
    for (uint32_t g = 0; ok && g < net->first_goal[net->roles] && p.visited < MOST_CONE; g++)
        unite_answer(&p, net->goals[g].wire);
    if (ok && p.visited < MOST_CONE) number_parts(&p);
    free(p.leader);
    free(p.clock);
    free(p.marks);
    free(p.stack);
    return ok ? KN_OK : no_memory(s);
}

/* ---- Boards ---- */

static KnStatus find_boards(KnGdlStudy *s)
{
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        const KnGdlCandidate *c = &s->candidates[i];
        for (uint32_t k = 0; (c->active || c->seen) && c->argument >= 0 && k < c->count; k++)
            s->single[s->members[c->first + k] - 1] |= UINT64_C(1) << c->argument;
    }
    return kn_gdl_boards_find(s->description, &s->terms, s->facts, s->net->fact_count, s->single,
                              &s->result->boards, s->error);
}

/* ---- The whole ---- */

static KnStatus study_all(KnGdlStudy *s, KnPropnetReasoner *fast)
{
    KnStatus status = kn_gdl_find_groups(s);
    if (status == KN_OK) status = find_latches(s);
    if (status == KN_OK) status = find_rising(s);
    if (status == KN_OK) status = find_turns(s);
    if (status == KN_OK) status = watch_games(s, fast);
    if (status == KN_OK) prove_goals(s);
    if (status == KN_OK) status = find_parts(s);
    if (status == KN_OK) status = find_boards(s);
    if (status == KN_OK) status = kn_gdl_find_role_symmetry(s);
    return status;
}

KnStatus kn_gdl_analyse(KnGdlMachine *machine, KnGdlAnalysis **out, KnError *error)
{
    KnPropnetReasoner *fast = kn_gdl_machine_propnet(machine);
    *out = NULL;
    if (!fast) return KN_OK;
    const KnPropnet *net = kn_propnet_reasoner_net(fast);
    KnGdlStudy s = {.description = kn_gdl_machine_description(machine), .net = net, .error = error};
    s.result = calloc(1, sizeof *s.result);
    s.logic = kn_gdl_logic_new(net);
    KnStatus status = s.result && s.logic ? kn_gdl_machine_terms(machine, &s.terms, &s.facts, &s.moves, error)
                                          : no_memory(&s);
    if (status == KN_OK) {
        s.result->roles = net->roles;
        s.result->facts = net->fact_count;
        s.result->actions = net->action_count;
        status = study_all(&s, fast);
    }
    kn_gdl_logic_free(s.logic);
    kn_terms_free(&s.terms);
    free(s.facts);
    free(s.moves);
    free(s.candidates);
    free(s.members);
    free(s.single);
    if (status == KN_OK)
        *out = s.result;
    else
        kn_gdl_analysis_free(s.result);
    return status;
}

void kn_gdl_analysis_free(KnGdlAnalysis *a)
{
    if (!a) return;
    for (uint32_t g = 0; g < a->group_count; g++) free(a->groups[g].facts);
    free(a->groups);
    free(a->turn_movers);
    free(a->latches);
    free(a->fact_images);
    free(a->part_of_fact);
    free(a->part_of_action);
    kn_gdl_boards_free(&a->boards);
    free(a);
}
