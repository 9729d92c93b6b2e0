#include "games/gdl/slow.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/prover.h"

enum { FACTS = KN_GDL_FACTS, MOVES = KN_GDL_MOVED };

/* A prover, and how its terms and the table's numbers correspond. */
typedef struct Desk {
    struct Desk *next;
    KnGdlProver *prover;
    KnTerms *terms;
    KnTerm *trues;        /* (true fact) by number of fact; 0: not yet made */
    KnTerm *moves;        /* by number of move */
    uint32_t *numbers[2]; /* by own term, number + 1: facts, moves */
    uint32_t numbers_capacity[2];
    uint64_t *state; /* the one that the prover is set up for */
    bool has_state;
    uint64_t *bad_state; /* where a question failed, so that it does not cost as much again */
    KnTerm bad_question; /* 0: none */
    KnError bad_error;
    KnTerm *sentences; /* scratch: a state's */
    uint32_t sentence_capacity;
} Desk;

struct KnGdlSlow {
    const KnGdlSheet *sheet;
    KnGdlNumbers *numbers;
    int most_moves;
    uint64_t steps; /* for a question */
    const atomic_bool *cancel;
    size_t words;
    pthread_mutex_t lock; /* of the desks */
    Desk *desks;          /* not in use */
};

/* Grows with zeros behind. */
static bool grow_numbers(uint32_t **numbers, uint32_t *capacity, uint32_t wanted)
{
    uint32_t before = *capacity;
    if (!kn_gdl_grow((void **)numbers, capacity, wanted, sizeof **numbers)) return false;
    if (*capacity > before) memset(*numbers + before, 0, (*capacity - before) * sizeof **numbers);
    return true;
}

/* ---- Desks ---- */

static void desk_free(Desk *desk)
{
    if (!desk) return;
    kn_gdl_prover_free(desk->prover);
    free(desk->trues);
    free(desk->moves);
    free(desk->numbers[FACTS]);
    free(desk->numbers[MOVES]);
    free(desk->state);
    free(desk->bad_state);
    free(desk->sentences);
    free(desk);
}

static Desk *desk_new(const KnGdlSlow *m)
{
    Desk *desk = calloc(1, sizeof *desk);
    if (!desk) return NULL;
    desk->prover = kn_gdl_prover_new(m->sheet);
    desk->trues = calloc(m->numbers->tables[FACTS].capacity, sizeof *desk->trues);
    desk->moves = calloc(m->numbers->tables[MOVES].capacity, sizeof *desk->moves);
    desk->state = calloc(m->words, sizeof *desk->state);
    desk->bad_state = calloc(m->words, sizeof *desk->bad_state);
    if (!desk->prover || !desk->trues || !desk->moves || !desk->state || !desk->bad_state) {
        desk_free(desk);
        return NULL;
    }
    kn_gdl_prover_relax(desk->prover, false, m->steps);
    kn_gdl_prover_heed(desk->prover, m->cancel);
    desk->terms = kn_gdl_prover_terms(desk->prover);
    return desk;
}

/* Borrows a desk; the last one given back comes first, since it may still know the state that is asked for
 * next. */
static KnStatus desk_take(KnGdlSlow *m, Desk **out, KnError *error)
{
    pthread_mutex_lock(&m->lock);
    Desk *desk = m->desks;
    if (desk) m->desks = desk->next;
    pthread_mutex_unlock(&m->lock);
    if (!desk) desk = desk_new(m);
    *out = desk;
    return desk ? KN_OK : kn_fail_memory(error, "setting up a prover");
}

static void desk_give_back(KnGdlSlow *m, Desk *desk)
{
    pthread_mutex_lock(&m->lock);
    desk->next = m->desks;
    m->desks = desk;
    pthread_mutex_unlock(&m->lock);
}

/* The number of one of the desk's terms. */
static KnStatus desk_number(KnGdlSlow *m, Desk *desk, int kind, KnTerm term, uint32_t *number, KnError *error)
{
    if (!grow_numbers(&desk->numbers[kind], &desk->numbers_capacity[kind], term + 1))
        return kn_fail_memory(error, "numbering facts and moves");
    if (!desk->numbers[kind][term]) {
        KnStatus status = kn_gdl_number(m->numbers, kind, desk->terms, term, number, error);
        if (status != KN_OK) return status;
        desk->numbers[kind][term] = *number + 1;
    }
    *number = desk->numbers[kind][term] - 1;
    return KN_OK;
}

static KnTerm desk_true(KnGdlSlow *m, Desk *desk, uint32_t number)
{
    if (!desk->trues[number]) {
        KnTerm fact = kn_gdl_numbered(m->numbers, FACTS, number, desk->terms);
        if (fact) desk->trues[number] = kn_term_make(desk->terms, KN_GDL_TRUE, &fact, 1);
    }
    return desk->trues[number];
}

static KnTerm desk_move(KnGdlSlow *m, Desk *desk, uint32_t number)
{
    if (!desk->moves[number]) desk->moves[number] = kn_gdl_numbered(m->numbers, MOVES, number, desk->terms);
    return desk->moves[number];
}

static void desk_forget(const KnGdlSlow *m, Desk *desk)
{
    memset(desk->trues, 0, m->numbers->tables[FACTS].capacity * sizeof *desk->trues);
    memset(desk->moves, 0, m->numbers->tables[MOVES].capacity * sizeof *desk->moves);
    for (int kind = 0; kind < 2; kind++)
        if (desk->numbers[kind])
            memset(desk->numbers[kind], 0, desk->numbers_capacity[kind] * sizeof(uint32_t));
    desk->has_state = false;
}

/* Sets the desk's prover up for a state, unless it is so already. */
static KnStatus desk_set_state(KnGdlSlow *m, Desk *desk, const uint64_t *state, KnError *error)
{
    if (kn_gdl_prover_begin(desk->prover)) desk_forget(m, desk);
    if (desk->has_state && memcmp(desk->state, state, m->words * sizeof *state) == 0) return KN_OK;
    desk->has_state = false;
    uint32_t count = 0;
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
            KnTerm sentence = desk_true(m, desk, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits));
            if (!sentence ||
                !kn_gdl_grow((void **)&desk->sentences, &desk->sentence_capacity, count + 1, sizeof(KnTerm)))
                return kn_fail_memory(error, "setting up a state");
            desk->sentences[count++] = sentence;
        }
    KnStatus status = kn_gdl_prover_state(desk->prover, desk->sentences, count, error);
    if (status != KN_OK) return status;
    memcpy(desk->state, state, m->words * sizeof *state);
    desk->has_state = true;
    return KN_OK;
}

/* A desk set up for a state. */
static KnStatus desk_for(KnGdlSlow *m, const uint64_t *state, Desk **desk, KnError *error)
{
    KnStatus status = desk_take(m, desk, error);
    if (status != KN_OK) return status;
    status = desk_set_state(m, *desk, state, error);
    if (status != KN_OK) desk_give_back(m, *desk);
    return status;
}

/* Asks about the state alone. */
static KnStatus desk_ask(const KnGdlSlow *m, Desk *desk, KnTerm question, const KnTerm **answers,
                         size_t *count, KnError *error)
{
    size_t size = m->words * sizeof *desk->state;
    *count = 0;
    if (desk->bad_question == question && memcmp(desk->bad_state, desk->state, size) == 0) {
        if (error) *error = desk->bad_error;
        return desk->bad_error.status;
    }
    KnError failure;
    KnStatus status = kn_gdl_ask(desk->prover, question, answers, count, &failure);
    if (status == KN_OK) return KN_OK;
    memcpy(desk->bad_state, desk->state, size);
    desk->bad_question = question;
    desk->bad_error = failure;
    if (error) *error = failure;
    return status;
}

/* ---- Answers ---- */

/* Gathers facts from answers to (init ?x) or (next ?x). */
static KnStatus collect(KnGdlSlow *m, Desk *desk, const KnTerm *answers, size_t count, uint64_t *state,
                        KnError *error)
{
    memset(state, 0, m->words * sizeof *state);
    for (size_t i = 0; i < count; i++) {
        KnTerm fact = kn_term_args(desk->terms, answers[i])[0];
        uint32_t number = 0;
        if (!kn_term_ground(desk->terms, fact)) {
            KnText text = KN_TEXT_EMPTY;
            kn_term_text(&m->sheet->symbols, desk->terms, answers[i], &text);
            kn_fail(error, KN_INPUT, "%s: an unsafe rule makes %s true, with a variable", m->sheet->name,
                    text.data);
            kn_text_free(&text);
            return KN_INPUT;
        }
        KnStatus status = desk_number(m, desk, FACTS, fact, &number, error);
        if (status != KN_OK) return status;
        state[number / 64] |= UINT64_C(1) << number % 64;
    }
    return KN_OK;
}

KnStatus kn_gdl_slow_start(KnGdlSlow *m, uint64_t *state, KnError *error)
{
    Desk *desk;
    const KnTerm *answers;
    size_t count;
    memset(state, 0, m->words * sizeof *state);
    KnStatus status = desk_for(m, state, &desk, error); /* no facts yet */
    if (status != KN_OK) return status;
    status = kn_gdl_ask(desk->prover, m->sheet->queries.init, &answers, &count, error);
    if (status == KN_OK) status = collect(m, desk, answers, count, state, error);
    desk_give_back(m, desk);
    return status;
}

KnStatus kn_gdl_slow_terminal(KnGdlSlow *m, const uint64_t *state, bool *terminal, KnError *error)
{
    Desk *desk;
    const KnTerm *answers;
    size_t count;
    KnStatus status = desk_for(m, state, &desk, error);
    if (status != KN_OK) return status;
    status = desk_ask(m, desk, m->sheet->queries.terminal, &answers, &count, error);
    *terminal = count > 0;
    desk_give_back(m, desk);
    return status;
}

typedef struct Order {
    const KnSymbols *symbols;
    const KnTerms *terms;
} Order;

static int by_term(const void *a, const void *b, void *user)
{
    const Order *order = user;
    return kn_term_compare(order->symbols, order->terms, *(const KnTerm *)a, *(const KnTerm *)b);
}

static KnStatus list_moves(KnGdlSlow *m, Desk *desk, const KnTerm *answers, size_t count, uint64_t *moves,
                           int *listed, KnError *error)
{
    if (!kn_gdl_grow((void **)&desk->sentences, &desk->sentence_capacity, (uint32_t)count, sizeof(KnTerm)))
        return kn_fail_memory(error, "listing moves");
    size_t ground = 0; /* what an unsafe rule leaves open is no move */
    for (size_t i = 0; i < count; i++)
        if (kn_term_ground(desk->terms, answers[i])) desk->sentences[ground++] = answers[i];
    if (ground > (size_t)m->most_moves)
        return kn_fail(error, KN_INPUT, "%s: %zu legal moves at once; give more room with moves=N",
                       m->sheet->name, ground);
    Order order = {&m->sheet->symbols, desk->terms};
    if (ground) qsort_r(desk->sentences, ground, sizeof(KnTerm), by_term, &order);
    for (size_t i = 0; i < ground; i++) {
        uint32_t number = 0;
        KnStatus status = desk_number(m, desk, MOVES, kn_term_args(desk->terms, desk->sentences[i])[1],
                                      &number, error);
        if (status != KN_OK) return status;
        moves[i] = number;
    }
    *listed = (int)ground;
    return KN_OK;
}

KnStatus kn_gdl_slow_legal(KnGdlSlow *m, const uint64_t *state, int role, uint64_t *moves, int *count,
                           KnError *error)
{
    Desk *desk;
    const KnTerm *answers;
    size_t found;
    *count = 0;
    KnStatus status = desk_for(m, state, &desk, error);
    if (status != KN_OK) return status;
    status = desk_ask(m, desk, m->sheet->queries.legal[role], &answers, &found, error);
    if (status == KN_OK) status = list_moves(m, desk, answers, found, moves, count, error);
    desk_give_back(m, desk);
    return status;
}

static KnStatus set_moves(KnGdlSlow *m, Desk *desk, const uint64_t *joint, KnError *error)
{
    KnTerm sentences[KN_GDL_ROLES];
    int roles = m->sheet->role_count;
    for (int role = 0; role < roles; role++) {
        KnTerm pair[2] = {m->sheet->roles[role], desk_move(m, desk, (uint32_t)joint[role])};
        sentences[role] = pair[1] ? kn_term_make(desk->terms, KN_GDL_DOES, pair, 2) : 0;
        if (!sentences[role]) return kn_fail_memory(error, "setting up a joint move");
    }
    return kn_gdl_prover_moves(desk->prover, sentences, (size_t)roles, error);
}

KnStatus kn_gdl_slow_next(KnGdlSlow *m, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                          KnError *error)
{
    Desk *desk;
    const KnTerm *answers;
    size_t count;
    KnStatus status = desk_for(m, state, &desk, error);
    if (status != KN_OK) return status;
    status = set_moves(m, desk, joint, error);
    if (status == KN_OK) status = kn_gdl_ask(desk->prover, m->sheet->queries.next, &answers, &count, error);
    if (status == KN_OK) status = collect(m, desk, answers, count, after, error);
    KnStatus cleared = kn_gdl_prover_moves(desk->prover, NULL, 0, error);
    desk_give_back(m, desk);
    return status == KN_OK ? cleared : status;
}

/* A constant that is a number from 0 to 100, else -1. */
static int goal_value(const KnGdlSlow *m, const Desk *desk, KnTerm term)
{
    const KnTermNode *node = kn_term(desk->terms, term);
    if (node->arity || node->variables) return -1;
    const char *name = m->sheet->symbols.names[node->symbol];
    size_t digits = strspn(name, "0123456789");
    if (!digits || digits > 3 || name[digits]) return -1;
    long value = strtol(name, NULL, 10);
    return value <= 100 ? (int)value : -1;
}

KnStatus kn_gdl_slow_goal(KnGdlSlow *m, const uint64_t *state, int role, int *value, KnError *error)
{
    Desk *desk;
    const KnTerm *answers;
    size_t count;
    *value = -1;
    KnStatus status = desk_for(m, state, &desk, error);
    if (status != KN_OK) return status;
    status = desk_ask(m, desk, m->sheet->queries.goal[role], &answers, &count, error);
    if (status == KN_OK && count == 1) *value = goal_value(m, desk, kn_term_args(desk->terms, answers[0])[1]);
    desk_give_back(m, desk);
    return status;
}

/* ---- Life ---- */

KnGdlSlow *kn_gdl_slow_new(const KnGdlSheet *sheet, KnGdlNumbers *numbers, size_t words, int most_moves,
                           uint64_t steps, const atomic_bool *cancel)
{
    KnGdlSlow *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    *m = (KnGdlSlow){.sheet = sheet,
                     .numbers = numbers,
                     .words = words,
                     .most_moves = most_moves,
                     .steps = steps,
                     .cancel = cancel};
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

void kn_gdl_slow_free(KnGdlSlow *m)
{
    if (!m) return;
    while (m->desks) {
        Desk *next = m->desks->next;
        desk_free(m->desks);
        m->desks = next;
    }
    pthread_mutex_destroy(&m->lock);
    free(m);
}
