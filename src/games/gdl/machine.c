#include "games/gdl/machine.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/gdl/propnet_reasoner.h"
#include "games/gdl/ground.h"
#include "games/gdl/prover_reasoner.h"

enum { MOST_NEW_MOVES = 1 << 18, SPARE = 64 };

struct KnGdlMachine {
    KnGdlDescription *description;
    bool grounded;
    int most_moves;
    size_t words;
    uint64_t *start;
    KnGdlNumbers numbers;
    KnPropnetReasoner *propnet; /* exactly one of these two is set */
    KnProverReasoner *slow;
    KnError why_prover; /* why the propnet cannot be used */
};

/* ---- Questions ---- */

KnStatus kn_gdl_start(KnGdlMachine *m, uint64_t *state, KnError *error)
{
    (void)error;
    memcpy(state, m->start, m->words * sizeof *state);
    return KN_OK;
}

KnStatus kn_gdl_is_terminal(KnGdlMachine *m, const uint64_t *state, bool *terminal, KnError *error)
{
    return m->propnet ? kn_propnet_reasoner_terminal(m->propnet, state, terminal, error)
                      : kn_prover_reasoner_terminal(m->slow, state, terminal, error);
}

KnStatus kn_gdl_legal(KnGdlMachine *m, const uint64_t *state, int role, uint64_t *moves, int *count,
                      KnError *error)
{
    KN_ASSERT(role >= 0 && role < m->description->role_count);
    return m->propnet ? kn_propnet_reasoner_legal(m->propnet, state, role, moves, count, error)
                      : kn_prover_reasoner_legal(m->slow, state, role, moves, count, error);
}

KnStatus kn_gdl_next(KnGdlMachine *m, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                     KnError *error)
{
    return m->propnet ? kn_propnet_reasoner_next(m->propnet, state, joint, after, error)
                      : kn_prover_reasoner_next(m->slow, state, joint, after, error);
}

KnStatus kn_gdl_goal(KnGdlMachine *m, const uint64_t *state, int role, int *value, KnError *error)
{
    KN_ASSERT(role >= 0 && role < m->description->role_count);
    return m->propnet ? kn_propnet_reasoner_goal(m->propnet, state, role, value, error)
                      : kn_prover_reasoner_goal(m->slow, state, role, value, error);
}

KnStatus kn_gdl_is_open(KnGdlMachine *m, const uint64_t *state, bool *open, KnError *error)
{
    if (m->propnet) return kn_propnet_reasoner_open(m->propnet, state, open, error);
    bool terminal = true;
    KnStatus status = kn_prover_reasoner_terminal(m->slow, state, &terminal, error);
    uint64_t *moves = terminal || status != KN_OK ? NULL : malloc((size_t)m->most_moves * sizeof *moves);
    if (!terminal && status == KN_OK && !moves) return kn_fail_memory(error, "listing moves");
    *open = !terminal;
    for (int role = 0; role < m->description->role_count && *open && status == KN_OK; role++) {
        int count;
        status = kn_prover_reasoner_legal(m->slow, state, role, moves, &count, error);
        *open = count > 0;
    }
    free(moves);
    return status;
}

uint64_t kn_gdl_state_hash(const KnGdlMachine *m, const uint64_t *state)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1)
            hash += m->numbers.tables[KN_GDL_FACT_NUMBERS].hashes[w * 64 + (size_t)__builtin_ctzll(bits)];
    return kn_mix64(hash);
}

void kn_gdl_move_text(KnGdlMachine *m, uint64_t move, KnText *out)
{
    kn_gdl_number_text(&m->numbers, KN_GDL_MOVE_NUMBERS, (uint32_t)move, out);
}

void kn_gdl_state_text(KnGdlMachine *m, const uint64_t *state, const char *separator, KnText *out)
{
    kn_gdl_facts_text(&m->numbers, state, m->words, separator, out);
}

KnStatus kn_gdl_parse_state(KnGdlMachine *m, const char *text, uint64_t *state, KnError *error)
{
    return kn_gdl_parse_facts(&m->numbers, text, state, m->words, error);
}

/* ---- Life ---- */

static KnStatus no_memory(KnError *error) { return kn_fail_memory(error, "setting up a game description"); }

static KnStatus make_fast(KnGdlMachine *m, const KnGdlLimits *limits, KnError *error)
{
    KnPropnetReasonerLimits bounds = {.steps = limits->steps,
                                      .plain = limits->plain,
                                      .split = limits->split,
                                      .demand = limits->demand,
                                      .cancel = limits->cancel};
    KnStatus status = kn_propnet_reasoner_new(m->description, &bounds, &m->propnet, error);
    if (status != KN_OK) return status;
    m->most_moves = (int)kn_propnet_reasoner_most_moves(m->propnet, (uint32_t)limits->moves,
                                                        limits->moves_hold);
    m->words = kn_gdl_state_words(kn_propnet_reasoner_net(m->propnet));
    m->grounded = m->numbers.closed = true;
    m->start = calloc(m->words, sizeof *m->start);
    if (!m->start) return no_memory(error);
    kn_propnet_reasoner_start(m->propnet, m->start);
    return kn_propnet_reasoner_number(m->propnet, &m->numbers, error);
}

static KnStatus number_all(KnGdlMachine *m, const KnTerms *from, const KnGdlGround *ground, KnError *error)
{
    KnStatus status = KN_OK;
    uint32_t number;
    for (uint32_t i = 0; i < ground->fact_count && status == KN_OK; i++)
        status = kn_gdl_number(&m->numbers, KN_GDL_FACT_NUMBERS, from, ground->facts[i], &number, error);
    for (uint32_t i = 0; i < ground->move_count && status == KN_OK; i++)
        status = kn_gdl_number(&m->numbers, KN_GDL_MOVE_NUMBERS, from, ground->moves[i], &number, error);
    return status;
}

/* Room for facts and moves: the declared or derived ones, and some reserve for what base and input may have
 * forgotten. Without grounding (NULL) the limits decide. */
static KnStatus set_sizes(KnGdlMachine *m, const KnGdlLimits *limits, const KnGdlGround *ground,
                          KnError *error)
{
    uint32_t facts = limits->facts, moves = MOST_NEW_MOVES;
    m->most_moves = limits->moves;
    if (ground) {
        facts = ground->fact_count + (ground->complete ? 0 : ground->fact_count / 4 + SPARE);
        moves = ground->move_count + (ground->complete ? 0 : ground->move_count / 4 + SPARE);
        int most = (int)ground->most_moves + (ground->complete ? 0 : (int)ground->most_moves / 4 + SPARE);
        if (most < m->most_moves) m->most_moves = most > 0 ? most : 1;
    }
    m->words = ((size_t)facts + 63) / 64;
    if (!m->words) m->words = 1;
    m->start = calloc(m->words, sizeof *m->start);
    if (!m->start || !kn_gdl_numbers_room(&m->numbers, KN_GDL_FACT_NUMBERS, (uint32_t)m->words * 64) ||
        !kn_gdl_numbers_room(&m->numbers, KN_GDL_MOVE_NUMBERS, moves ? moves : 1))
        return no_memory(error);
    return KN_OK;
}

static KnStatus make_slow(KnGdlMachine *m, const KnGdlLimits *limits, KnError *error)
{
    KnGdlGround ground = {0};
    KnGdlProver *prover = kn_gdl_prover_new(m->description);
    if (!prover) return no_memory(error);
    kn_gdl_prover_set_cancel(prover, limits->cancel);
    KnStatus status = limits->lazy ? KN_NO
                                   : kn_gdl_ground(m->description, prover, limits->steps, &ground, error);
    bool numbered = status == KN_OK;
    m->grounded = m->numbers.closed = numbered && ground.complete;
    if (numbered || status == KN_NO) status = set_sizes(m, limits, numbered ? &ground : NULL, error);
    if (status == KN_OK && numbered) status = number_all(m, kn_gdl_prover_terms(prover), &ground, error);
    kn_gdl_ground_free(&ground);
    kn_gdl_prover_free(prover);
    if (status != KN_OK) return status;
    m->slow = kn_prover_reasoner_new(m->description, &m->numbers, m->words, m->most_moves, limits->steps,
                                     limits->cancel);
    return m->slow ? kn_prover_reasoner_start(m->slow, m->start, error) : no_memory(error);
}

static KnStatus set_up(KnGdlMachine *m, const KnGdlLimits *limits, KnError *error)
{
    if (!kn_gdl_numbers_init(&m->numbers, m->description)) return no_memory(error);
    if (limits->reasoner == KN_GDL_PROVER) {
        kn_fail(&m->why_prover, KN_NO, "the prover was asked for");
        return make_slow(m, limits, error);
    }
    KnStatus status = make_fast(m, limits, &m->why_prover);
    if (status == KN_OK) return KN_OK;
    if (status == KN_NO && limits->reasoner == KN_GDL_AUTO) return make_slow(m, limits, error);
    if (error) *error = m->why_prover;
    if (status != KN_NO) return status;
    return kn_fail(error, KN_INPUT, "%s: the fast reasoner cannot be used: %s", m->description->name,
                   m->why_prover.text);
}

KnStatus kn_gdl_machine_new(KnGdlDescription *description, const KnGdlLimits *limits, KnGdlMachine **out,
                            KnError *error)
{
    *out = NULL;
    KnGdlMachine *m = calloc(1, sizeof *m);
    if (!m) {
        kn_gdl_free(description);
        return no_memory(error);
    }
    m->description = description;
    KnStatus status = set_up(m, limits, error);
    if (status == KN_OK)
        *out = m;
    else
        kn_gdl_machine_free(m);
    return status;
}

void kn_gdl_machine_free(KnGdlMachine *m)
{
    if (!m) return;
    kn_propnet_reasoner_free(m->propnet);
    kn_prover_reasoner_free(m->slow);
    kn_gdl_numbers_free(&m->numbers);
    free(m->start);
    kn_gdl_free(m->description);
    free(m);
}

const KnGdlDescription *kn_gdl_machine_description(const KnGdlMachine *m) { return m->description; }
size_t kn_gdl_machine_words(const KnGdlMachine *m) { return m->words; }
int kn_gdl_machine_moves(const KnGdlMachine *m) { return m->most_moves; }
bool kn_gdl_machine_grounded(const KnGdlMachine *m) { return m->grounded; }
KnPropnetReasoner *kn_gdl_machine_propnet(const KnGdlMachine *m) { return m->propnet; }
const char *kn_gdl_machine_why_prover(const KnGdlMachine *m)
{
    return m->propnet ? NULL : m->why_prover.text;
}

/* Without a propnet, moves are not counted by role: all numbered moves, or the limit of a state, stand in. */
uint32_t kn_gdl_feasible(KnGdlMachine *m, int role)
{
    KN_ASSERT(role >= 0 && role < m->description->role_count);
    uint32_t count = (uint32_t)m->most_moves;
    if (m->propnet) {
        const uint32_t *first = kn_propnet_reasoner_net(m->propnet)->first_action;
        count = first[role + 1] - first[role];
    } else if (m->grounded) {
        count = m->numbers.tables[KN_GDL_MOVE_NUMBERS].count;
    }
    return count ? count : 1;
}

/* The caller holds the lock. */
static KnTerm *copy_table(const KnGdlTable *table)
{
    KnTerm *copy = malloc(((size_t)table->count + 1) * sizeof *copy);
    if (copy) memcpy(copy, table->terms, table->count * sizeof *copy);
    return copy;
}

KnStatus kn_gdl_machine_terms(KnGdlMachine *m, KnTerms *terms, KnTerm **facts, KnTerm **moves, KnError *error)
{
    pthread_mutex_lock(&m->numbers.lock);
    bool ok = kn_terms_copy(terms, &m->numbers.shared, m->numbers.shared.limit);
    *facts = copy_table(&m->numbers.tables[KN_GDL_FACT_NUMBERS]);
    *moves = copy_table(&m->numbers.tables[KN_GDL_MOVE_NUMBERS]);
    pthread_mutex_unlock(&m->numbers.lock);
    return ok && *facts && *moves ? KN_OK : no_memory(error);
}

bool kn_gdl_hides(const KnGdlMachine *m) { return m->description->percepts != 0; }

/* Whether a fact is a percept of a role. The caller holds the lock. */
static bool is_percept(const KnGdlMachine *m, uint32_t fact, int role)
{
    const KnTerms *terms = &m->numbers.shared, *given = &m->description->terms;
    KnTerm term = m->numbers.tables[KN_GDL_FACT_NUMBERS].terms[fact];
    if (kn_term(terms, term)->symbol != m->description->percepts || kn_term(terms, term)->arity != 2)
        return false;
    const KnTermNode *seer = kn_term(terms, kn_term_args(terms, term)[0]);
    return seer->symbol == kn_term(given, m->description->roles[role])->symbol && !seer->arity;
}

bool kn_gdl_same_percepts(KnGdlMachine *m, const uint64_t *a, const uint64_t *b, int role)
{
    KN_ASSERT(role >= 0 && role < m->description->role_count);
    bool same = true;
    pthread_mutex_lock(&m->numbers.lock);
    for (size_t w = 0; w < m->words && same; w++)
        for (uint64_t bits = a[w] ^ b[w]; bits && same; bits &= bits - 1)
            same = !is_percept(m, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits), role);
    pthread_mutex_unlock(&m->numbers.lock);
    return same;
}

uint32_t kn_gdl_machine_facts(KnGdlMachine *m)
{
    pthread_mutex_lock(&m->numbers.lock);
    uint32_t count = m->numbers.tables[KN_GDL_FACT_NUMBERS].count;
    pthread_mutex_unlock(&m->numbers.lock);
    return count;
}
