/* Two ways to find all facts and moves. A description with base and input relations declares them. Otherwise:
 * start from init and add everything that could be legal or next in the union of all states so far, with
 * `not` taken as true, until nothing new appears. This relaxation finds a superset. */
#include "games/gdl/ground.h"

#include <stdlib.h>

#include "games/gdl/bindings.h"

enum { MOST_FACTS = 100000, MOST_MOVES = 200000 };
#define MOST_STEPS UINT64_C(5000000) /* about half a second */

/* A set of terms, as marks and a list. */
typedef struct TermSet {
    KnTerm *terms;
    uint32_t count, capacity;
    unsigned char *known; /* by term */
    uint32_t known_size;
} TermSet;

static bool set_add(TermSet *set, const KnTerms *terms, KnTerm term)
{
    if (term >= set->known_size) {
        uint32_t size = set->known_size;
        if (!kn_gdl_grow((void **)&set->known, &size, terms->capacity, 1)) return false;
        for (uint32_t i = set->known_size; i < size; i++) set->known[i] = 0;
        set->known_size = size;
    }
    if (set->known[term]) return true;
    if (!kn_gdl_grow((void **)&set->terms, &set->capacity, set->count + 1, sizeof *set->terms)) return false;
    set->known[term] = 1;
    set->terms[set->count++] = term;
    return true;
}

static void set_free(TermSet *set)
{
    free(set->terms);
    free(set->known);
}

typedef struct Grounding {
    const KnGdlDescription *description;
    KnGdlProver *prover;
    KnTerms *terms;
    TermSet facts, moves; /* the terms */
    TermSet trues, does;  /* as sentences */
    uint32_t by_role[KN_GDL_ROLES];
    uint64_t steps;
    KnError *error;
} Grounding;

/* Asks the prover and counts its steps against the limit. */
static KnStatus ask(Grounding *g, KnTerm question, const KnTerm **answers, size_t *count)
{
    KnStatus status = kn_gdl_ask(g->prover, question, answers, count, g->error);
    uint64_t used = kn_gdl_prover_steps(g->prover);
    g->steps = used < g->steps ? g->steps - used : 1;
    kn_gdl_prover_relax(g->prover, true, g->steps);
    return status == KN_INPUT ? KN_NO : status;
}

static KnStatus no_memory(Grounding *g) { return kn_fail_memory(g->error, "grounding a game description"); }

static KnStatus add_facts(Grounding *g, const KnTerm *answers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        KnTerm fact = kn_term_args(g->terms, answers[i])[0];
        if (!kn_term_ground(g->terms, fact)) return KN_NO;
        KnTerm sentence = kn_term_make(g->terms, KN_GDL_TRUE, &fact, 1);
        if (!sentence || !set_add(&g->facts, g->terms, fact) || !set_add(&g->trues, g->terms, sentence))
            return no_memory(g);
    }
    return g->facts.count > MOST_FACTS ? KN_NO : KN_OK;
}

static KnStatus add_moves(Grounding *g, int role, const KnTerm *answers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        KnTerm pair[2] = {g->description->roles[role], kn_term_args(g->terms, answers[i])[1]};
        if (!kn_term_ground(g->terms, pair[1])) return KN_NO;
        KnTerm sentence = kn_term_make(g->terms, KN_GDL_DOES, pair, 2);
        uint32_t before = g->does.count;
        if (!sentence || !set_add(&g->moves, g->terms, pair[1]) || !set_add(&g->does, g->terms, sentence))
            return no_memory(g);
        g->by_role[role] += g->does.count - before;
    }
    return g->does.count > MOST_MOVES ? KN_NO : KN_OK;
}

static KnStatus ask_facts(Grounding *g, KnTerm question)
{
    const KnTerm *answers;
    size_t count;
    KnStatus status = ask(g, question, &answers, &count);
    return status == KN_OK ? add_facts(g, answers, count) : status;
}

static KnStatus ask_moves(Grounding *g, const KnTerm *questions)
{
    KnStatus status = KN_OK;
    for (int role = 0; role < g->description->role_count && status == KN_OK; role++) {
        const KnTerm *answers;
        size_t count;
        status = ask(g, questions[role], &answers, &count);
        if (status == KN_OK) status = add_moves(g, role, answers, count);
    }
    return status;
}

static KnStatus from_declarations(Grounding *g)
{
    KnStatus status = kn_gdl_prover_state(g->prover, NULL, 0, g->error);
    if (status == KN_OK) status = ask_facts(g, g->description->queries.init);
    if (status == KN_OK) status = ask_facts(g, g->description->queries.base);
    if (status == KN_OK) status = ask_moves(g, g->description->queries.input);
    return status;
}

static KnStatus from_rules(Grounding *g)
{
    KnStatus status = kn_gdl_prover_state(g->prover, NULL, 0, g->error);
    if (status == KN_OK) status = ask_facts(g, g->description->queries.init);
    for (uint32_t before = UINT32_MAX; status == KN_OK && before != g->facts.count + g->does.count;) {
        before = g->facts.count + g->does.count;
        status = kn_gdl_prover_state(g->prover, g->trues.terms, g->trues.count, g->error);
        if (status == KN_OK) status = ask_moves(g, g->description->queries.legal);
        if (status == KN_OK) status = kn_gdl_prover_moves(g->prover, g->does.terms, g->does.count, g->error);
        if (status == KN_OK) status = ask_facts(g, g->description->queries.next);
    }
    return status;
}

static void take_set(Grounding *g, TermSet *set, KnTerm **list, uint32_t *count)
{
    kn_terms_sort(&g->description->symbols, g->terms, set->terms, set->count);
    *list = set->terms;
    *count = set->count;
    set->terms = NULL;
}

KnStatus kn_gdl_ground(const KnGdlDescription *description, KnGdlProver *prover, uint64_t steps,
                       KnGdlGround *ground, KnError *error)
{
    bool declared = description->relations[KN_GDL_BASE].rules && description->relations[KN_GDL_INPUT].rules;
    Grounding g = {.description = description,
                   .prover = prover,
                   .terms = kn_gdl_prover_terms(prover),
                   .steps = steps && steps < MOST_STEPS ? steps : MOST_STEPS,
                   .error = error};
    *ground = (KnGdlGround){.complete = !declared};
    kn_gdl_prover_relax(prover, true, g.steps);
    KnStatus status = declared ? from_declarations(&g) : from_rules(&g);
    kn_gdl_prover_relax(prover, false, 0);
    if (status == KN_OK) {
        take_set(&g, &g.facts, &ground->facts, &ground->fact_count);
        take_set(&g, &g.moves, &ground->moves, &ground->move_count);
        for (int role = 0; role < description->role_count; role++)
            if (g.by_role[role] > ground->most_moves) ground->most_moves = g.by_role[role];
    }
    set_free(&g.facts);
    set_free(&g.moves);
    set_free(&g.trues);
    set_free(&g.does);
    return status;
}

void kn_gdl_ground_free(KnGdlGround *ground)
{
    free(ground->facts);
    free(ground->moves);
    *ground = (KnGdlGround){0};
}
