/* Abstract proof search (Cazenave 2001, section 2.1): an AND/OR tree with iterative deepening, whose nodes
 * ask the game definitions gi and ip (section 4, definitions.c); and iterative widening (section 2.2), which
 * searches again with larger sets of moves (section 5) when the small ones fail. */
#include "methods/widening/proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "methods/widening/dfpn_zones.h"

enum {
    DEPTH = 40,
    DEPTH_AT_FIRST = 12,
    TABLE_BITS = 16,
    DFPN_BITS = 2,
    CLOCK_EVERY = 64,
    STEPS = 4,
    QUICK_NODES = 400, /* of df-pn, before anything else */
    START_NODES = 100,
    SHORTEN_NODES = 4000,
    GUIDE_NODES = 1500, /* of the fast reader, and its largest share of a bound */
    GUIDE_SHARE = 6,
    BY_DFPN = 3,
    NODES_A_SECOND = 2000000 /* more than any machine plays */
};

/* A widening step: the attacker's set of moves, and up to which ip the defender's moves come from (0: all
 * moves). */
typedef struct Step {
    KnWidth width;
    int threats;
} Step;

/* The sets of moves of section 5. OR1: the narrow set of the attacker (the liberties of the string); OR2: all
 * moves worth trying. AND1: the defender's ip1 and ip2 moves; AND2: ip3 moves too. */
/* clang-format off */
#define OR1AND1 {KN_WIDTH_NARROW, 2}
#define OR1AND2 {KN_WIDTH_NARROW, 3}
#define OR2AND1 {KN_WIDTH_WIDE, 2}
#define OR2AND2 {KN_WIDTH_WIDE, 3}
/* clang-format on */

/* The widening strategies of section 5, by their numbers and names there; the last is ours. */
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
    {"both sides", {OR2AND1, OR2AND2}}, /* then df-pn with zones (dfpn_zones.h), or all moves of both sides */
};

const char *kn_proof_strategy_name(int strategy)
{
    KN_ASSERT(strategy >= 1 && strategy <= KN_PROOF_STRATEGIES);
    return strategies[strategy - 1].name;
}

typedef struct Entry {
    uint64_t key;
    int8_t verdict, step;
    int16_t depth, move;
    uint16_t age; /* of the table when it was written */
} Entry;

struct KnProofSearch {
    KnProofOptions options;
    Entry *entries;
    size_t mask;
    uint16_t age;
    KnDfpnZones *dfpn;                      /* of strategy 10 only */
    KnReader *reader;                       /* of strategy 10 only: its beliefs guide df-pn */
    uint32_t history[2][KN_GOAL_MOVES_MAX]; /* history heuristic, by side */

    /* Of the current run. */
    KnGoal *goal;
    const KnGoalType *type;
    Step step;
    int step_number;
    KnGoalCount played;
    uint64_t tree;
    double until;
    uint64_t next_look; /* at the clock, in positions played */
    int largest_gi;     /* up to which gi OR nodes are tested */
    bool lazy;          /* replies are tested when their turn comes */
    bool stopped, cut;  /* cut: some leaf was cut off by depth alone */
};

/* The verdict of a node, and how many nodes it takes with the best move first. */
typedef struct Finding {
    KnProofVerdict verdict;
    uint64_t least;
} Finding;

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
    if (both) search->dfpn = kn_dfpn_zones_new(search->options.table_bits + DFPN_BITS);
    if (both) search->reader = kn_reader_new();
    if (!search->entries || (both && !(search->dfpn && search->reader))) {
        kn_proof_free(search);
        return kn_fail_memory(error, "opening a proof search");
    }
    *out = search;
    return KN_OK;
}

void kn_proof_free(KnProofSearch *search)
{
    if (!search) return;
    kn_dfpn_zones_free(search->dfpn);
    kn_reader_free(search->reader);
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
    else if (s->until > 0 &&
             s->played.nodes >= s->next_look) { /* definitions play many positions between two checks */
        s->next_look = s->played.nodes + CLOCK_EVERY;
        s->stopped = kn_clock_now() >= s->until;
    }
    return s->stopped;
}

/* ---- Transposition table. A proof answers at any depth. A disproof holds for the moves of its own widening
 * step. ---- */

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

/* History heuristic. */
static void credit(KnProofSearch *s, int move, int depth)
{
    KN_ASSERT(move < KN_GOAL_MOVES_MAX);
    if (move >= 0 && depth < 24) s->history[s->goal->attacking][move] += 1u << depth;
}

/* The table's move first, then by history; ties stay as listed, which is the same in all strategies. */
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

static Finding or_node(KnProofSearch *s, int depth, int failed);
static Finding and_node(KnProofSearch *s, int depth);

static Finding after(KnProofSearch *s, int move, int depth)
{
    if (spent(s) || !s->type->play(s->goal, move)) return (Finding){KN_UNPROVED, 0};
    s->played.nodes++;
    Finding found = s->goal->attacking ? or_node(s, depth, 0) : and_node(s, depth);
    s->type->undo(s->goal);
    return found;
}

/* The same for a reply that is not yet known to parry the threat to reach the goal `within` moves: if it does
 * not, the threat refutes it. */
static Finding after_reply(KnProofSearch *s, int move, int within, int depth)
{
    if (spent(s) || !s->type->play(s->goal, move)) return (Finding){KN_UNPROVED, 0};
    s->played.nodes++;
    bool holds = false;
    for (int k = 1; k <= within && !holds; k++) holds = kn_proof_gi(s->goal, k, &s->played);
    Finding found = holds       ? (Finding){KN_PROVED, 0}
                    : depth < 0 ? (Finding){KN_UNPROVED, 1}
                                : or_node(s, depth, within);
    s->type->undo(s->goal);
    return found;
}

/* The horizon: quiescence search by forcing moves, where the game has it. */
static Finding leaf(KnProofSearch *s)
{
    if (s->type->forced && s->type->forced(s->goal, &s->played)) return (Finding){KN_PROVED, 1};
    s->cut = true;
    return (Finding){KN_UNPROVED, 1};
}

/* Whether the position or the table decides the node. `first`: the table's move, or -1. */
static bool known(KnProofSearch *s, int depth, Finding *found, int *first)
{
    KnGoalStanding standing = s->type->standing(s->goal);
    *first = -1;
    if (standing != KN_GOAL_OPEN) {
        *found = (Finding){standing == KN_GOAL_REACHED ? KN_PROVED : KN_DISPROVED, 1};
        return true;
    }
    uint64_t key = s->type->hash(s->goal);
    const Entry *entry = slot(s, key);
    if (!holds(s, entry, key)) return false;
    *first = entry->move;
    if (!answers(s, entry, depth)) return false;
    if (entry->verdict == KN_UNPROVED) s->cut = true;
    *found = (Finding){entry->verdict, 1};
    return true;
}

/* The attacker moves. `failed`: up to which gi the definitions are known not to hold. */
static Finding or_node(KnProofSearch *s, int depth, int failed)
{
    Finding found;
    int first, moves[KN_GOAL_MOVES_MAX];
    s->tree++;
    if (known(s, depth, &found, &first)) return found;
    for (int k = failed + 1; k <= s->largest_gi; k++) {
        int move = kn_proof_gi_move(s->goal, k, &s->played);
        if (move < 0) continue;
        store(s, KN_PROVED, depth, move);
        return (Finding){KN_PROVED, 1};
    }
    if (s->played.most && spent(s))
        return (Finding){KN_UNPROVED, 1}; /* at the bound a definition that fails was not searched */
    if (depth <= 0) return leaf(s);
    int count = s->type->widen(s->goal, s->step.width, moves), best = -1;
    KN_ASSERT(count <= KN_GOAL_MOVES_MAX);
    sort(s, moves, count, first);
    found = (Finding){KN_DISPROVED, 1};
    for (int i = 0; i < count; i++) {
        Finding one = after(s, moves[i], depth - 1);
        if (one.verdict == KN_PROVED) {
            found = (Finding){KN_PROVED, 1 + one.least};
            best = moves[i];
            credit(s, best, depth);
            break;
        }
        if (one.verdict == KN_UNPROVED) found.verdict = KN_UNPROVED;
        found.least += one.least;
        if (s->stopped) return (Finding){KN_UNPROVED, found.least};
    }
    store(s, found.verdict, depth, best >= 0 ? best : first);
    return found;
}

/* The least k for which ip(k) holds, or 0: there is no threat. */
static int threat(KnProofSearch *s)
{
    for (int k = 1; k <= s->step.threats; k++)
        if (kn_proof_ip(s->goal, k, &s->played)) return k;
    return 0;
}

/* The forced moves of the defender; without a threat all moves. */
static int replies(KnProofSearch *s, int within, int *moves)
{
    if (!within) return s->type->legal(s->goal, moves);
    return s->lazy ? s->type->defences(s->goal, within, moves)
                   : kn_proof_forced_moves(s->goal, within, moves, &s->played);
}

/* The defender moves. */
static Finding and_node(KnProofSearch *s, int depth)
{
    Finding found;
    int first, moves[KN_GOAL_MOVES_MAX];
    s->tree++;
    if (known(s, depth, &found, &first)) return found;
    bool brute = !s->step.threats;
    if (brute && depth <= 0) return leaf(s);
    if (s->options.null_move && depth > 2) {
        Finding pass = after(s, KN_GOAL_PASS, depth - 3);
        if (pass.verdict != KN_PROVED) return (Finding){KN_UNPROVED, 1 + pass.least};
    }
    int within = threat(s), best = -1;
    KN_ASSERT(within >= 0 && within <= KN_GOAL_THREATS);
    if (s->played.most && spent(s)) return (Finding){KN_UNPROVED, 1};
    if (!within && !brute) { /* no threat: disproved for this widening step */
        store(s, KN_DISPROVED, depth, -1);
        return (Finding){KN_DISPROVED, 1};
    }
    int count = replies(s, within, moves);
    sort(s, moves, count, first);
    found = (Finding){KN_PROVED, 1};
    for (int i = 0; i < count + brute; i++) {
        int move = i == count ? KN_GOAL_PASS : moves[i]; /* brute force also passes */
        Finding one = within && s->lazy ? after_reply(s, move, within, depth - 1)
                      : depth > 0       ? after(s, move, depth - 1)
                                        : (Finding){KN_UNPROVED, 1};
        if (one.verdict != KN_PROVED) {
            found = (Finding){one.verdict, 1 + one.least};
            best = move;
            if (depth > 0) credit(s, best, depth);
            break;
        }
        found.least += one.least;
    }
    if (s->stopped) return (Finding){KN_UNPROVED, found.least};
    if (depth <= 0 && found.verdict != KN_PROVED) found = leaf(s); /* some reply parries the threat */
    store(s, found.verdict, depth, best >= 0 ? best : first);
    return found;
}

/* ---- Deepening and widening ---- */

/* Iterative deepening within a widening step, until it is decided, no leaf is cut by depth, or a bound is
 * reached. */
static Finding deepen(KnProofSearch *s, int most, KnProofAnswer *answer)
{
    Finding found = {KN_UNPROVED, 0};
    uint64_t least = 0;
    for (int depth = 1; depth <= most; depth++) {
        s->cut = false;
        answer->depth = depth;
        found = s->goal->attacking ? or_node(s, depth, 0) : and_node(s, depth);
        least += found.least;
        if (s->stopped || found.verdict == KN_PROVED || !s->cut) break;
    }
    return (Finding){found.verdict, least};
}

/* Starts a new age: wiping the table would take longer than most problems. */
static void clear(KnProofSearch *s)
{
    if (!++s->age) {
        memset(s->entries, 0, (s->mask + 1) * sizeof *s->entries);
        s->age = 1;
    }
    memset(s->history, 0, sizeof s->history);
}

/* The next move of the line that shows a proof: the prover's from the tables or the definitions, any defence
 * against it. */
static int line_move(KnProofSearch *s, KnProofVerdict verdict, int step)
{
    uint64_t key = s->type->hash(s->goal);
    const Entry *entry = slot(s, key);
    int dfpn_move = s->dfpn && step == BY_DFPN ? kn_dfpn_zones_move(s->dfpn, s->goal) : -1;
    if (dfpn_move >= 0) return dfpn_move;
    if (holds(s, entry, key) && entry->move >= 0 && entry->verdict == KN_PROVED) return entry->move;
    if (verdict != KN_PROVED) return -1;
    for (int k = 1; k <= KN_GOAL_THREATS; k++) {
        int moves[KN_GOAL_MOVES_MAX], move = -1;
        KnGoalCount apart = {0}; /* not counted: the line is not part of the search */
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

/* The depth limit of a step. All but the last give up early: what they can find, they find soon. */
static int depth_of(const KnProofSearch *s, bool last)
{
    return s->options.depth ? s->options.depth : last ? DEPTH : DEPTH_AT_FIRST;
}

/* Whether the defender, to move at the root, has a move that the current widening step does not refute. */
static bool saves(const KnProofSearch *s, KnProofVerdict verdict, int *move)
{
    if (s->goal->attacking || verdict != KN_DISPROVED) return false;
    uint64_t key = s->type->hash(s->goal);
    const Entry *entry = slot(s, key);
    if (!holds(s, entry, key) || entry->move <= KN_GOAL_PASS) return false; /* the step saw no threat */
    *move = entry->move;
    return true;
}

/* Iterative widening (section 2.2). */
static void widen(KnProofSearch *s, KnProofAnswer *answer)
{
    const Step *steps = strategies[s->options.strategy - 1].steps;
    bool quick = s->dfpn && s->type->depends_end; /* df-pn follows */
    int count = 0;
    while (count < (quick ? 2 : STEPS) && steps[count].width) count++;
    for (int i = 0; i < count; i++) {
        s->step = steps[i];
        if (s->options.without_ip3 && s->step.threats > 2) s->step.threats = 2;
        s->largest_gi = !s->step.threats ? 0 : s->options.without_ip3 ? 2 : KN_GOAL_THREATS;
        s->step_number = answer->step = i + 1;
        if (!s->options.keep) clear(s);
        Finding found = deepen(s, depth_of(s, i == count - 1), answer);
        answer->least += found.least;
        if (found.verdict == KN_PROVED)
            answer->verdict = KN_PROVED; /* a disproof holds for these moves only */
        if (answer->verdict == KN_PROVED || s->stopped) return;
        if (s->options.until_saved && saves(s, found.verdict, &answer->move)) return;
    }
    if (s->options.strategy != KN_PROOF_BOTH_SIDES || s->type->place) return;
    s->step = (Step){KN_WIDTH_ALL, 0}; /* without zones: all moves of both sides */
    s->largest_gi = 0;
    s->step_number = ++answer->step;
    if (!s->options.keep) clear(s);
    Finding found = deepen(s, depth_of(s, true), answer);
    answer->least += found.least;
    answer->verdict = found.verdict;
}

/* ---- Strategy 10 ---- */

/* Widening in the order that the paper recommends, for `nodes` more: its proofs are short. */
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

/* df-pn for at most `nodes` more; 0: as far as the bounds allow. True: decided. */
static bool prove_by_dfpn(KnProofSearch *s, const KnReader *guide, uint64_t nodes, KnProofAnswer *answer)
{
    uint64_t bound = s->options.nodes, left = bound ? bound - s->played.nodes : 0, played = 0;
    if (nodes && (!left || nodes < left)) left = nodes;
    answer->step = BY_DFPN, answer->depth = 0;
    answer->verdict = kn_dfpn_zones_prove(s->dfpn, s->goal, guide, left, s->until, &played);
    s->played.nodes += played;
    return answer->verdict != KN_UNPROVED;
}

static bool exhausted(const KnProofSearch *s)
{
    return s->options.nodes && s->played.nodes >= s->options.nodes;
}

/* Most questions are decided by a little df-pn, or by a little widening. For the others the reader's beliefs
 * guide df-pn. */
static bool decide(KnProofSearch *s, KnProofAnswer *answer)
{
    uint64_t bound = s->options.nodes;
    uint64_t quick = bound && bound / GUIDE_SHARE < QUICK_NODES ? bound / GUIDE_SHARE + 1 : QUICK_NODES;
    if (prove_by_dfpn(s, NULL, quick, answer)) return true;
    if (exhausted(s) || widen_awhile(s, answer, START_NODES) || exhausted(s)) return false;
    uint64_t most = bound ? (bound - s->played.nodes) / GUIDE_SHARE : GUIDE_NODES;
    kn_reader_run(s->reader, s->goal, most < GUIDE_NODES ? most + 1 : GUIDE_NODES, &answer->reading);
    answer->read = true;
    s->played.nodes += answer->reading.nodes;
    return !exhausted(s) && prove_by_dfpn(s, s->reader, 0, answer);
}

/* Proofs of df-pn may be long where there is a short one: then widening gets a chance. */
static void both_sides(KnProofSearch *s, bool loosened, KnProofAnswer *answer)
{
    if (loosened ? !prove_by_dfpn(s, NULL, 0, answer) : !decide(s, answer)) return;
    if (s->goal->attacking != (answer->verdict == KN_PROVED)) return;
    int move = kn_dfpn_zones_move(s->dfpn, s->goal);
    answer->move = move < 0 ? KN_GOAL_PASS : move;
    if (answer->verdict == KN_PROVED && !exhausted(s)) widen_awhile(s, answer, SHORTEN_NODES);
}

/* Forgets the last run, or keeps what holds with looser rules. */
static void prepare_dfpn(KnProofSearch *s, bool loosened)
{
    uint64_t bound = s->options.nodes,
             in_time = s->options.seconds > 0 ? (uint64_t)(s->options.seconds * NODES_A_SECOND) + 1 : 0;
    if (loosened)
        kn_dfpn_zones_loosen(s->dfpn);
    else
        kn_dfpn_zones_clear(s->dfpn, bound && (!in_time || bound < in_time) ? bound : in_time);
}

static void run(KnProofSearch *s, KnGoal *goal, bool loosened, KnProofAnswer *answer)
{
    double started = kn_clock_now();
    *answer = (KnProofAnswer){0};
    s->goal = goal, s->type = goal->type, s->tree = s->next_look = 0, s->stopped = false;
    s->played = (KnGoalCount){0, s->options.strict ? s->options.nodes : 0};
    s->lazy = s->options.lazy || s->options.strategy == KN_PROOF_BOTH_SIDES;
    s->until = s->options.seconds > 0 ? started + s->options.seconds : 0;
    goal->ko = false;
    clear(s);
    if (s->dfpn) prepare_dfpn(s, loosened);
    KnGoalStanding standing = goal->type->standing(goal);
    if (standing != KN_GOAL_OPEN)
        answer->verdict = standing == KN_GOAL_REACHED ? KN_PROVED : KN_DISPROVED;
    else if (s->dfpn && goal->type->depends_end)
        both_sides(s, loosened, answer);
    else
        widen(s, answer);
    answer->nodes = s->played.nodes, answer->tree = s->tree, answer->seconds = kn_clock_now() - started,
    answer->ko = goal->ko;
    if (standing == KN_GOAL_OPEN && answer->verdict != KN_UNPROVED) read_line(s, answer);
    if (answer->verdict == KN_PROVED && goal->attacking && answer->length) answer->move = answer->line[0];
}

void kn_proof_run(KnProofSearch *s, KnGoal *goal, KnProofAnswer *answer) { run(s, goal, false, answer); }

void kn_proof_run_loosened(KnProofSearch *s, KnGoal *goal, KnProofAnswer *answer)
{
    KN_ASSERT(s->dfpn);
    run(s, goal, true, answer);
}
