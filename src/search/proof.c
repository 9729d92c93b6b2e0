/* Abstract proof search with iterative widening (Cazenave 2001), and the order of the widenings. */
#include "search/proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "search/proof_number.h"

enum {
    DEPTH = 40,
    DEPTH_AT_FIRST = 12,
    TABLE_BITS = 16,
    NUMBER_BITS = 2,
    CLOCK_EVERY = 64,
    STEPS = 4,
    START_NODES = 100,
    SHORTEN_NODES = 4000,
    BY_NUMBERS = 3,
    NODES_A_SECOND = 2000000 /* more than any machine plays */
};

/* A widening: the attacker's moves (OR1, OR2 or all) and up to which ip the defender's are taken from (AND1:
 * 2, AND2: 3; 0: all moves). */
typedef struct Step {
    KnWidth width;
    int threats;
} Step;

#define OR1AND1                                                                                              \
    {                                                                                                        \
        KN_WIDTH_NARROW, 2                                                                                   \
    }
#define OR1AND2                                                                                              \
    {                                                                                                        \
        KN_WIDTH_NARROW, 3                                                                                   \
    }
#define OR2AND1                                                                                              \
    {                                                                                                        \
        KN_WIDTH_WIDE, 2                                                                                     \
    }
#define OR2AND2                                                                                              \
    {                                                                                                        \
        KN_WIDTH_WIDE, 3                                                                                     \
    }

static const struct {
    const char *name;
    Step steps[STEPS]; /* ends with a width of 0 */
} strategies[KN_PROOF_STRATEGIES] = {
    {"OR2-2AND2-2", {OR2AND2}},
    {"OR1-2AND2-2", {OR1AND2, OR2AND2}},
    {"OR2-2AND1-2", {OR2AND1, OR2AND2}},
    {"AND1-2OR1-2", {OR1AND1, OR1AND2, OR2AND2}},
    {"OR1-2AND1-2", {OR1AND1, OR2AND1, OR2AND2}},
    {"ORAND1-2", {OR1AND1, OR2AND2}},
    {"OR1-2ANDOR1-2", {OR1AND1, OR2AND1, OR1AND2, OR2AND2}},
    {"ORAND1-2AND1-2", {OR1AND1, OR1AND2, OR2AND1, OR2AND2}},
    {"brute force", {{KN_WIDTH_ALL, 0}}},
    {"both sides",
     {OR2AND1, OR2AND2}}, /* then all moves of both sides; where there are zones: proof_number.h */
};

const char *kn_proof_strategy_name(int strategy) { return strategies[strategy - 1].name; }

typedef struct Entry {
    uint64_t key;
    int8_t verdict, step;
    int16_t depth, move;
    uint16_t age; /* of the clearing that it came after */
} Entry;

struct KnProofSearch {
    KnProofOptions options;
    Entry *entries;
    size_t mask;
    uint16_t age;
    KnNumberSearch *numbers; /* of strategy 10 only */
    uint32_t history[2][KN_GOAL_MOVES_MAX];

    /* Of the run that is on. */
    KnGoal *goal;
    const KnGoalType *type;
    Step step;
    int step_number;
    KnGoalCount played;
    uint64_t tree;
    double until;
    uint64_t look;     /* at the clock, once so many have been played */
    int seen;          /* up to which gi a won position is told */
    bool singly;       /* replies are tested when their turn comes */
    bool stopped, cut; /* cut: some leaf was cut off by depth alone */
};

/* What a node found, and how many nodes it would have taken with the best moves first. */
typedef struct Found {
    KnProofVerdict verdict;
    uint64_t least;
} Found;

KnStatus kn_proof_new(const KnProofOptions *options, KnProofSearch **out, KnError *error)
{
    *out = NULL;
    if (options->strategy < 0 || options->strategy > KN_PROOF_STRATEGIES)
        return kn_fail(error, KN_USAGE, "strategies are numbered 1 to %d, not %d", KN_PROOF_STRATEGIES,
                       options->strategy);
    KnProofSearch *search = calloc(1, sizeof *search);
    if (!search) return kn_fail_memory(error, "opening a proof search");
    search->options = *options;
    if (!search->options.strategy) search->options.strategy = KN_PROOF_STRATEGIES;
    if (!search->options.table_bits) search->options.table_bits = TABLE_BITS;
    search->mask = ((size_t)1 << search->options.table_bits) - 1;
    search->entries = calloc(search->mask + 1, sizeof *search->entries);
    bool both = search->options.strategy == KN_PROOF_BOTH_SIDES;
    if (both) search->numbers = kn_number_search_new(search->options.table_bits + NUMBER_BITS);
    if (!search->entries || (both && !search->numbers)) {
        kn_proof_free(search);
        return kn_fail_memory(error, "opening a proof search");
    }
    *out = search;
    return KN_OK;
}

void kn_proof_free(KnProofSearch *search)
{
    if (!search) return;
    kn_number_search_free(search->numbers);
    free(search->entries);
    free(search);
}

int kn_proof_strategy(const KnProofSearch *search) { return search->options.strategy; }

KnProofOptions kn_proof_allow(KnProofSearch *search, const KnProofOptions *bounds)
{
    KnProofOptions before = search->options;
    if (bounds)
        search->options.nodes = bounds->nodes, search->options.seconds = bounds->seconds,
        search->options.depth = bounds->depth;
    return before;
}

static bool spent(KnProofSearch *s)
{
    if (s->stopped) return true;
    if (s->options.nodes && s->played.nodes >= s->options.nodes)
        s->stopped = true;
    else if (s->until > 0 && s->played.nodes >= s->look) { /* small searches play many at once */
        s->look = s->played.nodes + CLOCK_EVERY;
        s->stopped = kn_clock_now() >= s->until;
    }
    return s->stopped;
}

/* ---- The table. A decided entry answers whatever the depth. A disproof ("lost") holds for the moves that
 * were looked at: of its own widening. ---- */

static Entry *slot(const KnProofSearch *s, uint64_t key) { return &s->entries[(key >> 20 ^ key) & s->mask]; }

static bool holds(const KnProofSearch *s, const Entry *entry, uint64_t key)
{
    return entry->key == key && entry->age == s->age;
}

static bool answers(const KnProofSearch *s, const Entry *entry, int depth)
{
    if (entry->verdict == KN_PROVED) return true;
    if (entry->step != s->step_number) return false;
    return entry->verdict == KN_DISPROVED || entry->depth >= depth;
}

static void store(KnProofSearch *s, KnProofVerdict verdict, int depth, int move)
{
    if (s->stopped) return;
    uint64_t key = s->type->hash(s->goal);
    Entry *entry = slot(s, key);
    if (holds(s, entry, key) && entry->verdict == KN_PROVED && verdict != KN_PROVED) return;
    *entry = (Entry){key, (int8_t)verdict, (int8_t)s->step_number, (int16_t)depth, (int16_t)move, s->age};
}

static void credit(KnProofSearch *s, int move, int depth)
{
    if (move >= 0 && depth < 24) s->history[s->goal->attacking][move] += 1u << depth;
}

/* The table's move first, then by credit; else as listed, which is the same in all strategies. */
static void sort(const KnProofSearch *s, int *moves, int count, int first)
{
    const uint32_t *history = s->history[s->goal->attacking];
    for (int i = 1; i < count; i++) {
        int move = moves[i], at = i;
        for (; at > 0 && moves[at - 1] != first && (move == first || history[moves[at - 1]] < history[move]);
             at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
}

/* ---- The tree ---- */

static Found or_node(KnProofSearch *s, int depth, int failed);
static Found and_node(KnProofSearch *s, int depth);

static Found after(KnProofSearch *s, int move, int depth)
{
    if (spent(s) || !s->type->play(s->goal, move)) return (Found){KN_UNPROVED, 0};
    s->played.nodes++;
    Found found = s->goal->attacking ? or_node(s, depth, 0) : and_node(s, depth);
    s->type->undo(s->goal);
    return found;
}

/* The same of a reply that may not even prevent what is threatened within so many moves: then that refutes
 * it. */
static Found after_reply(KnProofSearch *s, int move, int within, int depth)
{
    if (spent(s) || !s->type->play(s->goal, move)) return (Found){KN_UNPROVED, 0};
    s->played.nodes++;
    bool holds = false;
    for (int k = 1; k <= within && !holds; k++) holds = kn_proof_gi(s->goal, k, &s->played);
    Found found = holds       ? (Found){KN_PROVED, 0}
                  : depth < 0 ? (Found){KN_UNPROVED, 1}
                              : or_node(s, depth, within);
    s->type->undo(s->goal);
    return found;
}

/* At the foot of the tree: what can be forced is proved, the rest is cut. */
static Found leaf(KnProofSearch *s)
{
    if (s->type->forced && s->type->forced(s->goal, &s->played)) return (Found){KN_PROVED, 1};
    s->cut = true;
    return (Found){KN_UNPROVED, 1};
}

/* The node's end if the position or the table tells it. */
static bool known(KnProofSearch *s, int depth, Found *found, int *first)
{
    KnGoalStanding standing = s->type->standing(s->goal);
    *first = -1;
    if (standing != KN_GOAL_OPEN) {
        *found = (Found){standing == KN_GOAL_REACHED ? KN_PROVED : KN_DISPROVED, 1};
        return true;
    }
    uint64_t key = s->type->hash(s->goal);
    const Entry *entry = slot(s, key);
    if (!holds(s, entry, key)) return false;
    *first = entry->move;
    if (!answers(s, entry, depth)) return false;
    if (entry->verdict == KN_UNPROVED) s->cut = true;
    *found = (Found){entry->verdict, 1};
    return true;
}

/* `failed`: up to which gi it is known not to be won. */
static Found or_node(KnProofSearch *s, int depth, int failed)
{
    Found found;
    int first, moves[KN_GOAL_MOVES_MAX];
    s->tree++;
    if (known(s, depth, &found, &first)) return found;
    for (int k = failed + 1; k <= s->seen; k++) {
        int move = kn_proof_gi_move(s->goal, k, &s->played);
        if (move < 0) continue;
        store(s, KN_PROVED, depth, move);
        return (Found){KN_PROVED, 1};
    }
    if (s->played.most && spent(s))
        return (Found){KN_UNPROVED, 1}; /* what the definitions deny then, they have not looked at */
    if (depth <= 0) return leaf(s);
    int count = s->type->widen(s->goal, s->step.width, moves), best = -1;
    sort(s, moves, count, first);
    found = (Found){KN_DISPROVED, 1};
    for (int i = 0; i < count; i++) {
        Found one = after(s, moves[i], depth - 1);
        if (one.verdict == KN_PROVED) {
            found = (Found){KN_PROVED, 1 + one.least};
            best = moves[i];
            credit(s, best, depth);
            break;
        }
        if (one.verdict == KN_UNPROVED) found.verdict = KN_UNPROVED;
        found.least += one.least;
        if (s->stopped) return (Found){KN_UNPROVED, found.least};
    }
    store(s, found.verdict, depth, best >= 0 ? best : first);
    return found;
}

/* Within how many moves the attacker threatens to reach the goal, or 0: then the defender may do as he likes.
 */
static int threat(KnProofSearch *s)
{
    for (int k = 1; k <= s->step.threats; k++)
        if (kn_proof_ip(s->goal, k, &s->played)) return k;
    return 0;
}

/* The defender's moves that may matter. */
static int replies(KnProofSearch *s, int within, int *moves)
{
    if (!within) return s->type->legal(s->goal, moves);
    return s->singly ? s->type->defences(s->goal, within, moves)
                     : kn_proof_forced_moves(s->goal, within, moves, &s->played);
}

static Found and_node(KnProofSearch *s, int depth)
{
    Found found;
    int first, moves[KN_GOAL_MOVES_MAX];
    s->tree++;
    if (known(s, depth, &found, &first)) return found;
    bool brute = !s->step.threats;
    if (brute && depth <= 0) return leaf(s);
    if (s->options.null_move && depth > 2) {
        Found pass = after(s, KN_GOAL_PASS, depth - 3);
        if (pass.verdict != KN_PROVED) return (Found){KN_UNPROVED, 1 + pass.least};
    }
    int within = threat(s), best = -1;
    if (s->played.most && spent(s)) return (Found){KN_UNPROVED, 1};
    if (!within &&
        !brute) { /* "lost", as far as this widening goes: what it does not see may still be there */
        store(s, KN_DISPROVED, depth, -1);
        return (Found){KN_DISPROVED, 1};
    }
    int count = replies(s, within, moves);
    sort(s, moves, count, first);
    found = (Found){KN_PROVED, 1};
    for (int i = 0; i < count + brute; i++) {
        int move = i == count ? KN_GOAL_PASS : moves[i]; /* brute force has the pass too */
        Found one = within && s->singly ? after_reply(s, move, within, depth - 1)
                    : depth > 0         ? after(s, move, depth - 1)
                                        : (Found){KN_UNPROVED, 1};
        if (one.verdict != KN_PROVED) {
            found = (Found){one.verdict, 1 + one.least};
            best = move;
            if (depth > 0) credit(s, best, depth);
            break;
        }
        found.least += one.least;
    }
    if (s->stopped) return (Found){KN_UNPROVED, found.least};
    if (depth <= 0 && found.verdict != KN_PROVED) found = leaf(s); /* something prevents it */
    store(s, found.verdict, depth, best >= 0 ? best : first);
    return found;
}

/* ---- Deepening and widening ---- */

/* One widening: deeper and deeper until it is decided, nothing is cut by depth any more, or a bound is
 * reached. */
static Found deepen(KnProofSearch *s, int most, KnProofAnswer *answer)
{
    Found found = {KN_UNPROVED, 0};
    uint64_t least = 0;
    for (int depth = 1; depth <= most; depth++) {
        s->cut = false;
        answer->depth = depth;
        found = s->goal->attacking ? or_node(s, depth, 0) : and_node(s, depth);
        least += found.least;
        if (s->stopped || found.verdict == KN_PROVED || !s->cut) break;
    }
    return (Found){found.verdict, least};
}

/* The table by its age: to write it all over would take longer than most problems. */
static void clear(KnProofSearch *s)
{
    if (!++s->age) {
        memset(s->entries, 0, (s->mask + 1) * sizeof *s->entries);
        s->age = 1;
    }
    memset(s->history, 0, sizeof s->history);
}

/* The next move of the line that shows a proof: what the tables or the definitions say for the prover, any
 * defence against it. */
static int line_move(KnProofSearch *s, KnProofVerdict verdict, int step)
{
    uint64_t key = s->type->hash(s->goal);
    const Entry *entry = slot(s, key);
    int move_by_numbers = s->numbers && step == BY_NUMBERS ? kn_number_move(s->numbers, s->goal) : -1;
    if (move_by_numbers >= 0) return move_by_numbers;
    if (holds(s, entry, key) && entry->move >= 0 && entry->verdict == KN_PROVED) return entry->move;
    if (verdict != KN_PROVED) return -1;
    for (int k = 1; k <= KN_GOAL_THREATS; k++) {
        int moves[KN_GOAL_MOVES_MAX], move = -1;
        KnGoalCount apart = {0}; /* the line is no part of the search */
        if (s->goal->attacking)
            move = kn_proof_gi_move(s->goal, k, &apart);
        else if (kn_proof_ip(s->goal, k, &apart))
            move = s->type->defences(s->goal, k, moves) ? moves[0] : -1;
        if (move >= 0) return move;
    }
    return -1;
}

static void read_line(KnProofSearch *s, KnProofAnswer *answer)
{
    bool ko = s->goal->ko;
    int played = 0;
    while (played < KN_PROOF_LINE && s->type->standing(s->goal) == KN_GOAL_OPEN) {
        int move = line_move(s, answer->verdict, answer->step);
        if (move < 0 || (s->type->place && s->type->place(s->goal, move) != KN_PLACE_LEGAL) ||
            !s->type->play(s->goal, move))
            break;
        answer->line[played++] = move;
    }
    answer->length = played;
    while (played-- > 0) s->type->undo(s->goal);
    s->goal->ko = ko;
}

/* Where a step gives up: one that others follow soon, as what it can find at all it finds early. */
static int depth_of(const KnProofSearch *s, bool last)
{
    return s->options.depth ? s->options.depth : last ? DEPTH : DEPTH_AT_FIRST;
}

/* The move at the root by which the defender gets away from all that the widening which is on looks at, if he
 * is to move and has one. */
static bool saves(const KnProofSearch *s, KnProofVerdict verdict, int *move)
{
    if (s->goal->attacking || verdict != KN_DISPROVED) return false;
    uint64_t key = s->type->hash(s->goal);
    const Entry *entry = slot(s, key);
    if (!holds(s, entry, key) || entry->move <= KN_GOAL_PASS)
        return false; /* there was no threat that it would see */
    *move = entry->move;
    return true;
}

static void widen(KnProofSearch *s, KnProofAnswer *answer)
{
    const Step *steps = strategies[s->options.strategy - 1].steps;
    bool quick = s->numbers && s->type->depends_end; /* only for a start */
    int count = 0;
    while (count < (quick ? 2 : STEPS) && steps[count].width) count++;
    for (int i = 0; i < count; i++) {
        s->step = steps[i];
        if (s->options.without_ip3 && s->step.threats > 2) s->step.threats = 2;
        s->seen = !s->step.threats ? 0 : s->options.without_ip3 ? 2 : KN_GOAL_THREATS;
        s->step_number = answer->step = i + 1;
        if (!s->options.keep) clear(s);
        Found found = deepen(s, depth_of(s, i == count - 1), answer);
        answer->least += found.least;
        if (found.verdict == KN_PROVED) answer->verdict = KN_PROVED; /* "disproved" is of these moves only */
        if (answer->verdict == KN_PROVED || s->stopped) return;
        if (s->options.until_saved && saves(s, found.verdict, &answer->move)) return;
    }
    if (s->options.strategy != KN_PROOF_BOTH_SIDES || s->type->place) return;
    s->step =
        (Step){KN_WIDTH_ALL,
               0}; /* a game that cannot say what a proof depends on: all moves of both sides, one by one */
    s->seen = 0;
    s->step_number = ++answer->step;
    if (!s->options.keep) clear(s);
    Found found = deepen(s, depth_of(s, true), answer);
    answer->least += found.least;
    answer->verdict = found.verdict;
}

/* ---- Strategy 10 ---- */

/* The widening that the paper recommends, for some nodes more: what it finds is short. */
static bool widen_awhile(KnProofSearch *s, KnProofAnswer *answer, uint64_t nodes)
{
    uint64_t bound = s->options.nodes;
    KnProofAnswer found = *answer;
    found.verdict = KN_UNPROVED;
    s->options.nodes = bound && bound < s->played.nodes + nodes ? bound : s->played.nodes + nodes;
    s->stopped = false;
    s->played.most = s->options.strict ? s->options.nodes : 0;
    widen(s, &found);
    s->options.nodes = bound;
    if (found.verdict == KN_PROVED) *answer = found;
    return found.verdict == KN_PROVED;
}

/* First widening, for a moment; then by numbers. These may find a long way to a capture where there is a
 * short one: if so, widening gets another chance. */
static void both_sides(KnProofSearch *s, KnProofAnswer *answer)
{
    uint64_t bound = s->options.nodes, nodes = 0;
    uint64_t in_time = s->options.seconds > 0 ? (uint64_t)(s->options.seconds * NODES_A_SECOND) + 1 : 0;
    kn_number_forget(s->numbers, bound && (!in_time || bound < in_time) ? bound : in_time);
    if (widen_awhile(s, answer, START_NODES) || (bound && s->played.nodes >= bound)) return;
    answer->step = BY_NUMBERS, answer->depth = 0;
    answer->verdict = kn_number_prove(s->numbers, s->goal, bound ? bound - s->played.nodes : 0, s->until,
                                      &nodes);
    s->played.nodes += nodes;
    if (answer->verdict == KN_UNPROVED || s->goal->attacking != (answer->verdict == KN_PROVED)) return;
    int move = kn_number_move(s->numbers, s->goal);
    answer->move = move < 0 ? KN_GOAL_PASS : move;
    if (answer->verdict == KN_PROVED) widen_awhile(s, answer, SHORTEN_NODES);
}

void kn_proof_run(KnProofSearch *s, KnGoal *goal, KnProofAnswer *answer)
{
    double started = kn_clock_now();
    *answer = (KnProofAnswer){0};
    s->goal = goal, s->type = goal->type, s->tree = s->look = 0, s->stopped = false;
    s->played = (KnGoalCount){0, s->options.strict ? s->options.nodes : 0};
    s->singly = s->options.singly || s->options.strategy == KN_PROOF_BOTH_SIDES;
    s->until = s->options.seconds > 0 ? started + s->options.seconds : 0;
    goal->ko = false;
    clear(s);
    KnGoalStanding standing = goal->type->standing(goal);
    if (standing != KN_GOAL_OPEN)
        answer->verdict = standing == KN_GOAL_REACHED ? KN_PROVED : KN_DISPROVED;
    else if (s->numbers && goal->type->depends_end)
        both_sides(s, answer);
    else
        widen(s, answer);
    answer->nodes = s->played.nodes, answer->tree = s->tree, answer->seconds = kn_clock_now() - started,
    answer->ko = goal->ko;
    if (standing == KN_GOAL_OPEN && answer->verdict != KN_UNPROVED) read_line(s, answer);
    if (answer->verdict == KN_PROVED && goal->attacking && answer->length) answer->move = answer->line[0];
}
