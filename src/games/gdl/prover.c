/* Backward chaining with linear tabling (Shen et al. 2001; Zhou & Sato 2003).
 *
 * A call is a sentence with its unbound variables numbered by first occurrence. Equal calls are the same
 * term, and each has one goal with a list of answers. Solving a goal runs its rules. A goal that meets itself
 * uses the answers found so far and is the leader of a strongly connected component: all goals down to it are
 * evaluated again until a pass adds no answer; then all goals of the component that took part are complete.
 * (A ground goal stops at its first proof, so goals it once needed may be left out later; those keep their
 * answers and start again when they are asked for.) A goal that depends on one further up the stack stays
 * partial and is evaluated once in each pass of the leader. Where negation is stratified, a negated goal
 * never meets an unfinished one: its answers are complete when it returns. Otherwise the question fails.
 *
 * In safe rules all answers are ground. Answers with variables are kept too, because unsafe rules occur and
 * work when called with bound arguments. */
#include "games/gdl/prover.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/gdl/bindings.h"

enum {
    MOST_TERMS = 3 << 20,
    MOST_ANSWERS = 8 << 20,
    MOST_FRAMES = 12000, /* of recursion: some 2 MiB of stack */
};
#define MOST_STEPS UINT64_C(20000000) /* a second or two */

typedef enum GoalState { FRESH, ACTIVE, PARTIAL, COMPLETE } GoalState;

typedef struct Goal {
    KnTerm call;
    KnSymbol relation;
    uint32_t stamp; /* situation that its answers belong to */
    GoalState state;
    bool met;       /* met again while active (recursion) */
    uint32_t low;   /* ACTIVE: its depth on the stack; PARTIAL: depth of the leader of its component */
    uint64_t round; /* last pass that evaluated it */
    KnTerm *answers;
    uint32_t count, capacity;
} Goal;

/* Per-term data. */
typedef struct Info {
    uint32_t goal;  /* number + 1 */
    uint32_t stamp; /* situation in which it is given (true, does) */
    bool fact;      /* fact of the description */
} Info;

typedef struct Active {
    uint32_t goal, low;
    uint64_t round;
} Active;

/* Given sentences of one kind, chained by the name of their last argument. */
typedef struct Given {
    KnTerm *sentences;
    uint32_t *next;  /* index + 1 */
    uint32_t *chain; /* by symbol, index + 1 */
    uint32_t *stamp; /* by symbol: situation of the chain */
    uint32_t count, capacity;
} Given;

struct KnGdlProver {
    const KnGdlDescription *description;
    KnTerms terms;
    Info *infos; /* by term */
    uint32_t info_count;
    Goal *goals;
    uint32_t goal_count, goal_capacity;
    uint64_t *seen; /* answers of incomplete goals: goal << 32 | answer; open addressing */
    uint32_t seen_count, seen_mask;
    uint32_t answers;               /* total number of answers */
    uint32_t stamps[3], last_stamp; /* by level */
    Given given[2];                 /* true, does */
    Active *stack;
    uint32_t depth;
    uint32_t *partial;
    uint32_t partial_count, partial_capacity;
    KnGdlBindings bindings;
    uint64_t added, rounds, steps, step_limit;
    const atomic_bool *cancel;
    int frames;
    bool relaxed;
    const char *failed; /* why; everything must be dropped before the next question */
};

/* ---- Growing arrays ---- */

static bool fail(KnGdlProver *p, const char *why)
{
    if (!p->failed) p->failed = why;
    return false;
}

/* A failure of the bindings is the prover's failure. */
static bool new_slots(KnGdlProver *p, uint32_t count, uint32_t *base)
{
    return kn_gdl_slots(&p->bindings, count, base) || fail(p, p->bindings.failed);
}

static bool unify(KnGdlProver *p, KnTerm a, uint32_t base_a, KnTerm b, uint32_t base_b)
{
    if (kn_gdl_unify(&p->bindings, a, base_a, b, base_b)) return true;
    return p->bindings.failed ? fail(p, p->bindings.failed) : false;
}

static KnTerm instance(KnGdlProver *p, KnTerm term, uint32_t base)
{
    KnTerm made = kn_gdl_instance(&p->bindings, term, base);
    if (!made) fail(p, p->bindings.failed);
    return made;
}

static bool grow(KnGdlProver *p, void **array, uint32_t *capacity, uint32_t wanted, size_t size)
{
    return kn_gdl_grow(array, capacity, wanted, size) || fail(p, kn_gdl_no_memory);
}

/* The data of a term, zeroed on first use. NULL if memory runs out. */
static Info *info_of(KnGdlProver *p, KnTerm term)
{
    if (term >= p->info_count) {
        uint32_t wanted = p->terms.capacity;
        Info *grown = realloc(p->infos, wanted * sizeof *grown);
        if (!grown) {
            fail(p, kn_gdl_no_memory);
            return NULL;
        }
        memset(grown + p->info_count, 0, (wanted - p->info_count) * sizeof *grown);
        p->infos = grown;
        p->info_count = wanted;
    }
    return &p->infos[term];
}

/* ---- Goals ---- */

static uint32_t stamp_of(const KnGdlProver *p, KnSymbol relation)
{
    return p->stamps[p->description->relations[relation].level];
}

static bool goal_for(KnGdlProver *p, KnTerm call, uint32_t *goal)
{
    Info *info = info_of(p, call);
    if (!info) return false;
    if (!info->goal) {
        if (!grow(p, (void **)&p->goals, &p->goal_capacity, p->goal_count + 1, sizeof *p->goals))
            return false;
        p->goals[p->goal_count] = (Goal){.call = call, .relation = kn_term(&p->terms, call)->symbol};
        info->goal = ++p->goal_count;
    }
    *goal = info->goal - 1;
    Goal *g = &p->goals[*goal];
    uint32_t stamp = stamp_of(p, g->relation);
    if (g->stamp != stamp) { /* its answers are out of date */
        g->stamp = stamp;
        g->state = FRESH;
        g->count = 0;
    }
    return true;
}

static bool seen_insert(uint64_t *table, uint32_t mask, uint64_t key)
{
    for (uint32_t i = (uint32_t)kn_mix64(key);; i++) {
        uint64_t *place = &table[i & mask];
        if (*place == key) return false;
        if (*place) continue;
        *place = key;
        return true;
    }
}

/* Adds an answer; false if it is known, or on failure. */
static bool note_answer(KnGdlProver *p, uint32_t goal, KnTerm answer)
{
    KN_ASSERT(goal < p->goal_count);
    if (!p->seen || p->seen_count * 2 > p->seen_mask) {
        uint32_t size = p->seen ? (p->seen_mask + 1) * 2 : 1024;
        uint64_t *larger = calloc(size, sizeof *larger);
        if (!larger) return fail(p, kn_gdl_no_memory);
        for (uint32_t i = 0; p->seen && i <= p->seen_mask; i++)
            if (p->seen[i]) seen_insert(larger, size - 1, p->seen[i]);
        free(p->seen);
        p->seen = larger;
        p->seen_mask = size - 1;
    }
    bool fresh = seen_insert(p->seen, p->seen_mask, (uint64_t)(goal + 1) << 32 | answer);
    p->seen_count += fresh;
    return fresh;
}

static void add_answer(KnGdlProver *p, uint32_t goal, KnTerm answer)
{
    if (!answer || !note_answer(p, goal, answer)) return;
    Goal *g = &p->goals[goal];
    if (g->count == g->capacity) {
        uint32_t larger = g->capacity ? g->capacity * 2 : 4;
        KnTerm *grown = realloc(g->answers, larger * sizeof *grown);
        if (!grown) {
            fail(p, kn_gdl_no_memory);
            return;
        }
        p->answers += larger - g->capacity;
        g->answers = grown;
        g->capacity = larger;
        if (p->answers > MOST_ANSWERS) fail(p, "more answers than the bound allows");
    }
    g->answers[g->count++] = answer;
    p->added++;
}

static bool solve(KnGdlProver *p, uint32_t goal);

/* ---- Rules ---- */

/* A rule that runs for a goal; the goal's own variables are at call_base. */
typedef struct Run {
    const KnGdlRule *rule;
    uint32_t base;
    uint32_t goal, call_base;
    KnTerm call;
    bool once; /* ground call: one proof is enough */
} Run;

static bool proved(const KnGdlProver *p, const Run *run) { return run->once && p->goals[run->goal].count; }

static void run_body(KnGdlProver *p, const Run *run, int literal);

static bool count_step(KnGdlProver *p)
{
    if (p->bindings.failed) return fail(p, p->bindings.failed);
    if (++p->steps > p->step_limit)
        return fail(p, "more steps than the bound allows: the rules are endless or too costly");
    if (p->cancel && p->steps % 1024 == 0 && atomic_load_explicit(p->cancel, memory_order_relaxed))
        return fail(p, "stopped");
    return !p->failed;
}

/* Whether a ground sentence is given or a fact, without running rules. */
static bool stated(KnGdlProver *p, KnTerm sentence, KnSymbol relation)
{
    const Info *info = info_of(p, sentence);
    if (!info) return false;
    return info->fact ||
           ((relation == KN_GDL_TRUE || relation == KN_GDL_DOES) && info->stamp == stamp_of(p, relation));
}

/* Whether a question has an answer. Without one, a negated question must be complete: an unfinished one
 * depends on the rule that asks. */
static bool has_answer(KnGdlProver *p, KnTerm call, bool negated)
{
    uint32_t goal;
    if (!goal_for(p, call, &goal) || !solve(p, goal)) return false;
    if (p->goals[goal].count) return true;
    return negated && p->goals[goal].state != COMPLETE ? fail(p, "unstratified negation") : false;
}

/* Whether a ground sentence holds. */
static bool holds(KnGdlProver *p, KnTerm sentence, bool negated)
{
    KnSymbol relation = kn_term(&p->terms, sentence)->symbol;
    if (stated(p, sentence, relation)) return true;
    if (relation == KN_GDL_TRUE || relation == KN_GDL_DOES || p->description->relations[relation].only_facts)
        return false;
    return has_answer(p, sentence, negated);
}

static void run_open_literal(KnGdlProver *p, const Run *run, int literal, KnTerm call)
{
    uint32_t goal;
    if (!goal_for(p, call, &goal) || !solve(p, goal)) return;
    KnTerm pattern = run->rule->body[literal].term;
    /* New answers may arrive while the list is in use, if the goal is further up the stack; go by index since
     * the array may move. */
    for (uint32_t i = 0; i < p->goals[goal].count && count_step(p) && !proved(p, run); i++) {
        KnTerm answer = p->goals[goal].answers[i];
        KnGdlMark mark = kn_gdl_mark(&p->bindings);
        uint32_t base = 0;
        unsigned variables = kn_term(&p->terms, answer)->variables;
        if (variables && !new_slots(p, variables, &base)) return;
        if (unify(p, pattern, run->base, answer, base)) run_body(p, run, literal + 1);
        kn_gdl_undo(&p->bindings, mark);
    }
}

static void run_literal(KnGdlProver *p, const Run *run, int number)
{
    const KnGdlLiteral *literal = &run->rule->body[number];
    if (literal->kind == KN_GDL_DIFFERS || literal->kind == KN_GDL_EQUALS) {
        bool same = kn_gdl_identical(&p->bindings, literal->term, run->base, literal->other, run->base);
        if (same == (literal->kind == KN_GDL_EQUALS)) run_body(p, run, number + 1);
        return;
    }
    KnSymbol relation = kn_term(&p->terms, literal->term)->symbol;
    if (literal->kind == KN_GDL_FAILS && p->relaxed &&
        p->description->relations[relation].level != KN_GDL_FIXED) {
        run_body(p, run, number + 1);
        return;
    }
    KnTerm call = instance(p, literal->term, run->base);
    if (!call) return;
    if (literal->kind == KN_GDL_HOLDS && !kn_term_ground(&p->terms, call)) {
        run_open_literal(p, run, number, call);
        return;
    }
    bool negated = literal->kind == KN_GDL_FAILS,
         true_here = kn_term_ground(&p->terms, call) ? holds(p, call, negated) : has_answer(p, call, negated);
    if (!p->failed && true_here == (literal->kind == KN_GDL_HOLDS)) run_body(p, run, number + 1);
}

static void run_body(KnGdlProver *p, const Run *run, int literal)
{
    if (!count_step(p) || proved(p, run)) return;
    if (literal == run->rule->count) {
        add_answer(p, run->goal, instance(p, run->call, run->call_base));
        return;
    }
    if (++p->frames > MOST_FRAMES)
        fail(p, "the rules recurse too deeply");
    else
        run_literal(p, run, literal);
    p->frames--;
}

/* Matches the given `true` or `does` sentences with the call. */
static void run_given(KnGdlProver *p, const Given *given, const Run *run)
{
    const KnTermNode *node = kn_term(&p->terms, run->call);
    KnTerm last = kn_term_args(&p->terms, run->call)[node->arity - 1];
    bool any = kn_term_is_variable(&p->terms, last);
    KnSymbol symbol = any ? 0 : kn_term(&p->terms, last)->symbol;
    if (!any && given->stamp[symbol] != stamp_of(p, node->symbol)) return;
    uint32_t i = any ? (given->count ? 1 : 0) : given->chain[symbol];
    while (i && count_step(p)) {
        KnTerm sentence = given->sentences[i - 1];
        KnGdlMark mark = kn_gdl_mark(&p->bindings);
        if (unify(p, run->call, run->call_base, sentence, 0)) add_answer(p, run->goal, sentence);
        kn_gdl_undo(&p->bindings, mark);
        i = !any ? given->next[i - 1] : i < given->count ? i + 1 : 0;
    }
}

/* One pass over the rules of a goal. */
static void evaluate(KnGdlProver *p, uint32_t goal)
{
    KnSymbol relation = p->goals[goal].relation;
    Run run = {.goal = goal, .call = p->goals[goal].call};
    run.once = kn_term_ground(&p->terms, run.call);
    KnGdlMark mark = kn_gdl_mark(&p->bindings);
    if (!new_slots(p, kn_term(&p->terms, run.call)->variables, &run.call_base)) return;
    if (relation == KN_GDL_TRUE || relation == KN_GDL_DOES)
        run_given(p, &p->given[relation == KN_GDL_DOES], &run);
    for (run.rule = p->description->relations[relation].rules; run.rule && !p->failed && !proved(p, &run);
         run.rule = run.rule->next) {
        KnGdlMark begin = kn_gdl_mark(&p->bindings);
        if (!count_step(p) || !new_slots(p, (uint32_t)run.rule->variables, &run.base)) break;
        if (unify(p, run.rule->head, run.base, run.call, run.call_base)) run_body(p, &run, 0);
        kn_gdl_undo(&p->bindings, begin);
    }
    kn_gdl_undo(&p->bindings, mark);
}

/* ---- Solving ---- */

static void lower(uint32_t *low, uint32_t value)
{
    if (value < *low) *low = value;
}

/* The goal stays partial under a leader further up, and so do its own followers. */
static bool leave_partial(KnGdlProver *p, uint32_t goal, uint32_t low, uint32_t waiting)
{
    if (!grow(p, (void **)&p->partial, &p->partial_capacity, p->partial_count + 1, sizeof *p->partial))
        return false;
    p->partial[p->partial_count++] = goal;
    for (uint32_t i = waiting; i < p->partial_count; i++) {
        p->goals[p->partial[i]].state = PARTIAL;
        p->goals[p->partial[i]].low = low;
    }
    lower(&p->stack[p->depth - 1].low, low);
    return true;
}

/* Whether the present answers may be used: complete, or current in this pass. */
static bool usable(KnGdlProver *p, Goal *g)
{
    if (g->state == COMPLETE) return true;
    if (g->state == FRESH) return false;
    Active *caller = &p->stack[p->depth - 1];
    if (g->state == ACTIVE)
        g->met = true;
    else if (g->round < p->stack[g->low].round)
        return false; /* not evaluated in this pass yet */
    lower(&caller->low, g->low);
    return true;
}

static bool solve(KnGdlProver *p, uint32_t goal)
{
    if (usable(p, &p->goals[goal])) return true;
    if (p->depth == MOST_FRAMES || ++p->frames > MOST_FRAMES) return fail(p, "the rules recurse too deeply");
    uint32_t depth = p->depth++, waiting = p->partial_count;
    for (uint32_t i = 0; i < p->goals[goal].count; i++)
        note_answer(p, goal, p->goals[goal].answers[i]); /* answers kept from before */
    p->stack[depth] = (Active){goal, depth, 0};
    p->goals[goal].state = ACTIVE;
    p->goals[goal].low = depth;
    bool done = false;
    while (!done && !p->failed) {
        uint64_t before = p->added;
        p->goals[goal].met = false;
        p->goals[goal].round = p->stack[depth].round = ++p->rounds;
        evaluate(p, goal);
        done = p->stack[depth].low < depth || !p->goals[goal].met || p->added == before;
    }
    uint32_t low = p->stack[depth].low;
    p->depth--;
    p->frames--;
    if (p->failed) return false;
    if (low < depth) return leave_partial(p, goal, low, waiting);
    p->goals[goal].state = COMPLETE;
    while (p->partial_count > waiting) {
        Goal *member = &p->goals[p->partial[--p->partial_count]];
        member->state = member->round >= p->stack[depth].round ? COMPLETE : FRESH;
    }
    return true;
}

/* ---- Situations ---- */

static void forget_seen(KnGdlProver *p)
{
    if (p->seen_count) memset(p->seen, 0, ((size_t)p->seen_mask + 1) * sizeof *p->seen);
    p->seen_count = 0;
}

static KnStatus give(KnGdlProver *p, Given *given, const KnTerm *sentences, size_t count, uint32_t stamp,
                     KnError *error)
{
    given->count = 0;
    uint32_t capacity = given->capacity;
    bool ok = count < MOST_TERMS &&
              grow(p, (void **)&given->sentences, &given->capacity, (uint32_t)count, sizeof(KnTerm)) &&
              grow(p, (void **)&given->next, &capacity, (uint32_t)count, sizeof(uint32_t));
    for (size_t i = count; ok && i-- > 0;) { /* backwards: chains then run forwards */
        Info *info = info_of(p, sentences[i]);
        if (!(ok = info != NULL)) break;
        info->stamp = stamp;
        const KnTermNode *node = kn_term(&p->terms, sentences[i]);
        KnSymbol symbol = kn_term(&p->terms, kn_term_args(&p->terms, sentences[i])[node->arity - 1])->symbol;
        if (given->stamp[symbol] != stamp) given->chain[symbol] = 0;
        given->stamp[symbol] = stamp;
        given->sentences[i] = sentences[i];
        given->next[i] = given->chain[symbol];
        given->chain[symbol] = (uint32_t)i + 1;
    }
    if (!ok) return kn_fail_memory(error, "setting up a state");
    given->count = (uint32_t)count;
    return KN_OK;
}

KnStatus kn_gdl_prover_state(KnGdlProver *p, const KnTerm *facts, size_t count, KnError *error)
{
    forget_seen(p);
    p->stamps[KN_GDL_STATE] = ++p->last_stamp;
    p->stamps[KN_GDL_MOVES] = ++p->last_stamp;
    p->given[1].count = 0;
    return give(p, &p->given[0], facts, count, p->stamps[KN_GDL_STATE], error);
}

KnStatus kn_gdl_prover_moves(KnGdlProver *p, const KnTerm *moves, size_t count, KnError *error)
{
    forget_seen(p);
    p->stamps[KN_GDL_MOVES] = ++p->last_stamp;
    return give(p, &p->given[1], moves, count, p->stamps[KN_GDL_MOVES], error);
}

/* Drops everything but the description's own terms and facts. */
static void forget(KnGdlProver *p)
{
    for (uint32_t i = 0; i < p->goal_count; i++) free(p->goals[i].answers);
    p->goal_count = 0;
    p->answers = 0;
    forget_seen(p);
    kn_terms_truncate(&p->terms, p->description->terms.count, p->description->terms.args_count);
    memset(p->infos, 0, p->info_count * sizeof *p->infos);
    for (size_t s = 0; s < p->description->symbols.count; s++)
        for (const KnGdlRule *rule = p->description->relations[s].rules; rule; rule = rule->next)
            if (!rule->count && kn_term_ground(&p->terms, rule->head)) p->infos[rule->head].fact = true;
    p->given[0].count = p->given[1].count = 0;
    for (int level = 0; level < 3; level++) p->stamps[level] = ++p->last_stamp;
    kn_gdl_bindings_clear(&p->bindings);
    p->depth = p->partial_count = 0;
    p->frames = 0;
    p->failed = NULL;
}

bool kn_gdl_prover_begin(KnGdlProver *p)
{
    bool full = p->terms.count > p->terms.limit / 2 || p->terms.args_count > p->terms.limit / 2 ||
                p->answers > MOST_ANSWERS / 2 || p->failed || p->last_stamp > UINT32_MAX - 16;
    if (!full) return false;
    if (p->last_stamp > UINT32_MAX - 16) {
        p->last_stamp = 0;
        for (int k = 0; k < 2; k++)
            memset(p->given[k].stamp, 0, p->description->symbols.count * sizeof(uint32_t));
    }
    forget(p);
    return true;
}

KnStatus kn_gdl_ask(KnGdlProver *p, KnTerm question, const KnTerm **answers, size_t *count, KnError *error)
{
    KN_ASSERT(question && question < p->terms.count);
    uint32_t goal = 0;
    *answers = NULL;
    *count = 0;
    p->steps = 0;
    p->bindings.work = 0;
    p->bindings.work_limit = p->step_limit * 8;
    if (!p->failed && goal_for(p, question, &goal)) {
        /* the bottom of the stack stands for the caller */
        p->stack[0] = (Active){UINT32_MAX, 0, 0};
        p->depth = 1;
        solve(p, goal);
        p->depth = 0;
    }
    if (p->failed) {
        KnText text = KN_TEXT_EMPTY;
        kn_term_text(&p->description->symbols, &p->terms, question, &text);
        kn_fail(error, p->failed == kn_gdl_no_memory ? KN_SYSTEM : KN_INPUT, "%s: asking for %s: %s",
                p->description->name, text.data, p->failed);
        kn_text_free(&text);
        return p->failed == kn_gdl_no_memory ? KN_SYSTEM : KN_INPUT;
    }
    *answers = p->goals[goal].answers;
    *count = p->goals[goal].count;
    return KN_OK;
}

KnTerms *kn_gdl_prover_terms(KnGdlProver *p) { return &p->terms; }

void kn_gdl_prover_relax(KnGdlProver *p, bool relaxed, uint64_t steps)
{
    p->relaxed = relaxed;
    p->step_limit = steps ? steps : MOST_STEPS;
}

void kn_gdl_prover_set_cancel(KnGdlProver *p, const atomic_bool *cancel) { p->cancel = cancel; }

uint64_t kn_gdl_prover_steps(const KnGdlProver *p) { return p->steps; }

/* ---- Life ---- */

KnGdlProver *kn_gdl_prover_new(const KnGdlDescription *description)
{
    KnGdlProver *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->description = description;
    p->step_limit = MOST_STEPS;
    p->bindings.terms = &p->terms;
    bool ok = kn_terms_copy(&p->terms, &description->terms,
                            MOST_TERMS > description->terms.count * 2 ? MOST_TERMS
                                                                      : description->terms.count * 2) &&
              info_of(p, p->terms.count - 1) && (p->stack = calloc(MOST_FRAMES + 1, sizeof *p->stack));
    for (int k = 0; k < 2 && ok; k++) {
        p->given[k].chain = calloc(description->symbols.count, sizeof(uint32_t));
        p->given[k].stamp = calloc(description->symbols.count, sizeof(uint32_t));
        ok = p->given[k].chain && p->given[k].stamp;
    }
    if (!ok) {
        kn_gdl_prover_free(p);
        return NULL;
    }
    forget(p);
    return p;
}

void kn_gdl_prover_free(KnGdlProver *p)
{
    if (!p) return;
    for (uint32_t i = 0; i < p->goal_count; i++) free(p->goals[i].answers);
    for (int k = 0; k < 2; k++) {
        free(p->given[k].sentences);
        free(p->given[k].next);
        free(p->given[k].chain);
        free(p->given[k].stamp);
    }
    kn_terms_free(&p->terms);
    free(p->infos);
    free(p->goals);
    free(p->seen);
    free(p->stack);
    free(p->partial);
    kn_gdl_bindings_free(&p->bindings);
    free(p);
}
