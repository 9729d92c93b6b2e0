#include "games/gdl/machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "games/gdl/bindings.h"
#include "games/gdl/ground.h"

enum { MOST_NEW_MOVES = 1 << 18, SHARED_TERMS = 4 << 20, SPARE = 64 };

/* Numbers of terms: facts, or moves. The arrays never move, so that what a number stands for can be read without the lock by
 * whoever has got the number. */
typedef struct Table {
    KnTerm *terms;    /* in the shared store */
    uint64_t *hashes;
    uint32_t count, capacity;
    uint32_t *numbers; /* by shared term, number + 1 */
    uint32_t numbers_capacity;
} Table;

/* A prover, and how its terms and the table's numbers correspond. */
typedef struct Desk {
    struct Desk *next;
    KnGdlProver *prover;
    KnTerms *terms;
    KnTerm *trues;                       /* (true fact) by number of fact; 0: not yet made */
    KnTerm *moves;                       /* by number of move */
    uint32_t *numbers[2];                /* by own term, number + 1: facts, moves */
    uint32_t numbers_capacity[2];
    uint64_t *state;                     /* the one that the prover is set up for */
    bool has_state;
    uint64_t *bad_state; /* where a question failed, so that it does not cost as much again */
    KnTerm bad_question; /* 0: none */
    KnError bad_error;
    KnTerm *sentences; /* scratch: a state's */
    uint32_t sentence_capacity;
} Desk;

enum { FACTS, MOVES };

struct KnGdlMachine {
    KnGdlSheet *sheet;
    bool grounded;
    int most_moves;
    uint64_t steps; /* for a question */
    size_t words;
    uint64_t *start;
    pthread_mutex_t lock; /* of what follows */
    KnTerms shared;
    Table tables[2];
    Desk *desks; /* not in use */
};

/* ---- The table of numbers (with the lock held) ---- */

static bool table_init(Table *table, uint32_t capacity)
{
    table->capacity = capacity;
    table->terms = calloc(capacity, sizeof *table->terms);
    table->hashes = calloc(capacity, sizeof *table->hashes);
    return table->terms && table->hashes;
}

static void table_free(Table *table)
{
    free(table->terms);
    free(table->hashes);
    free(table->numbers);
}

/* Grows with zeros behind. */
static bool grow_numbers(uint32_t **numbers, uint32_t *capacity, uint32_t wanted)
{
    uint32_t before = *capacity;
    if (!kn_gdl_grow((void **)numbers, capacity, wanted, sizeof **numbers)) return false;
    if (*capacity > before) memset(*numbers + before, 0, (*capacity - before) * sizeof **numbers);
    return true;
}

static KnStatus number_of(KnGdlMachine *m, int kind, const KnTerms *from, KnTerm term, uint32_t *number, KnError *error)
{
    Table *table = &m->tables[kind];
    KnTerm shared = kn_term_import(&m->shared, from, term);
    if (!shared || !grow_numbers(&table->numbers, &table->numbers_capacity, shared + 1))
        return kn_fail_memory(error, "numbering facts and moves");
    if (!table->numbers[shared]) {
        if (table->count == table->capacity)
            return kn_fail(error, KN_INPUT, "%s: more than %u different %s in the states met so far%s", m->sheet->name,
                           table->capacity, kind == FACTS ? "facts" : "moves",
                           kind == FACTS ? "; give more room with facts=N" : "");
        table->terms[table->count] = shared;
        table->hashes[table->count] = kn_mix64(kn_term_hash(&m->sheet->symbols, &m->shared, shared));
        table->numbers[shared] = ++table->count;
    }
    *number = table->numbers[shared] - 1;
    return KN_OK;
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

static Desk *desk_new(const KnGdlMachine *m)
{
    Desk *desk = calloc(1, sizeof *desk);
    if (!desk) return NULL;
    desk->prover = kn_gdl_prover_new(m->sheet);
    desk->trues = calloc(m->tables[FACTS].capacity, sizeof *desk->trues);
    desk->moves = calloc(m->tables[MOVES].capacity, sizeof *desk->moves);
    desk->state = calloc(m->words, sizeof *desk->state);
    desk->bad_state = calloc(m->words, sizeof *desk->bad_state);
    if (!desk->prover || !desk->trues || !desk->moves || !desk->state || !desk->bad_state) {
        desk_free(desk);
        return NULL;
    }
    kn_gdl_prover_relax(desk->prover, false, m->steps);
    desk->terms = kn_gdl_prover_terms(desk->prover);
    return desk;
}

/* Borrows a desk; the last one given back comes first, since it may still know the state that is asked for next. */
static KnStatus desk_take(KnGdlMachine *m, Desk **out, KnError *error)
{
    pthread_mutex_lock(&m->lock);
    Desk *desk = m->desks;
    if (desk) m->desks = desk->next;
    pthread_mutex_unlock(&m->lock);
    if (!desk) desk = desk_new(m);
    *out = desk;
    return desk ? KN_OK : kn_fail_memory(error, "setting up a prover");
}

static void desk_give_back(KnGdlMachine *m, Desk *desk)
{
    pthread_mutex_lock(&m->lock);
    desk->next = m->desks;
    m->desks = desk;
    pthread_mutex_unlock(&m->lock);
}

/* The number of one of the desk's terms. */
static KnStatus desk_number(KnGdlMachine *m, Desk *desk, int kind, KnTerm term, uint32_t *number, KnError *error)
{
    if (!grow_numbers(&desk->numbers[kind], &desk->numbers_capacity[kind], term + 1))
        return kn_fail_memory(error, "numbering facts and moves");
    if (!desk->numbers[kind][term]) {
        pthread_mutex_lock(&m->lock);
        KnStatus status = number_of(m, kind, desk->terms, term, number, error);
        pthread_mutex_unlock(&m->lock);
        if (status != KN_OK) return status;
        desk->numbers[kind][term] = *number + 1;
    }
    *number = desk->numbers[kind][term] - 1;
    return KN_OK;
}

/* A numbered fact or move as a term of the desk. */
static KnTerm desk_import(KnGdlMachine *m, Desk *desk, int kind, uint32_t number)
{
    pthread_mutex_lock(&m->lock);
    KnTerm term = kn_term_import(desk->terms, &m->shared, m->tables[kind].terms[number]);
    pthread_mutex_unlock(&m->lock);
    return term;
}

static KnTerm desk_true(KnGdlMachine *m, Desk *desk, uint32_t number)
{
    if (!desk->trues[number]) {
        KnTerm fact = desk_import(m, desk, FACTS, number);
        if (fact) desk->trues[number] = kn_term_make(desk->terms, KN_GDL_TRUE, &fact, 1);
    }
    return desk->trues[number];
}

static KnTerm desk_move(KnGdlMachine *m, Desk *desk, uint32_t number)
{
    if (!desk->moves[number]) desk->moves[number] = desk_import(m, desk, MOVES, number);
    return desk->moves[number];
}

static void desk_forget(const KnGdlMachine *m, Desk *desk)
{
    memset(desk->trues, 0, m->tables[FACTS].capacity * sizeof *desk->trues);
    memset(desk->moves, 0, m->tables[MOVES].capacity * sizeof *desk->moves);
    for (int kind = 0; kind < 2; kind++)
        if (desk->numbers[kind]) memset(desk->numbers[kind], 0, desk->numbers_capacity[kind] * sizeof(uint32_t));
    desk->has_state = false;
}

/* Sets the desk's prover up for a state, unless it is so already. */
static KnStatus desk_set_state(KnGdlMachine *m, Desk *desk, const uint64_t *state, KnError *error)
{
    if (kn_gdl_prover_begin(desk->prover)) desk_forget(m, desk);
    if (desk->has_state && memcmp(desk->state, state, m->words * sizeof *state) == 0) return KN_OK;
    desk->has_state = false;
    uint32_t count = 0;
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
            KnTerm sentence = desk_true(m, desk, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits));
            if (!sentence || !kn_gdl_grow((void **)&desk->sentences, &desk->sentence_capacity, count + 1, sizeof(KnTerm)))
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
static KnStatus desk_for(KnGdlMachine *m, const uint64_t *state, Desk **desk, KnError *error)
{
    KnStatus status = desk_take(m, desk, error);
    if (status != KN_OK) return status;
    status = desk_set_state(m, *desk, state, error);
    if (status != KN_OK) desk_give_back(m, *desk);
    return status;
}

/* Asks about the state alone. */
static KnStatus desk_ask(const KnGdlMachine *m, Desk *desk, KnTerm question, const KnTerm **answers, size_t *count, KnError *error)
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

/* ---- The machine ---- */

/* Gathers facts from answers to (init ?x) or (next ?x). */
static KnStatus collect(KnGdlMachine *m, Desk *desk, const KnTerm *answers, size_t count, uint64_t *state, KnError *error)
{
    memset(state, 0, m->words * sizeof *state);
    for (size_t i = 0; i < count; i++) {
        KnTerm fact = kn_term_args(desk->terms, answers[i])[0];
        uint32_t number = 0;
        if (!kn_term_ground(desk->terms, fact)) {
            KnText text = KN_TEXT_EMPTY;
            kn_term_text(&m->sheet->symbols, desk->terms, answers[i], &text);
            kn_fail(error, KN_INPUT, "%s: an unsafe rule makes %s true, with a variable", m->sheet->name, text.data);
            kn_text_free(&text);
            return KN_INPUT;
        }
        KnStatus status = desk_number(m, desk, FACTS, fact, &number, error);
        if (status != KN_OK) return status;
        state[number / 64] |= UINT64_C(1) << number % 64;
    }
    return KN_OK;
}

static KnStatus find_start(KnGdlMachine *m, KnError *error)
{
    Desk *desk;
    const KnTerm *answers;
    size_t count;
    KnStatus status = desk_for(m, m->start, &desk, error); /* no facts yet */
    if (status != KN_OK) return status;
    status = kn_gdl_ask(desk->prover, m->sheet->queries.init, &answers, &count, error);
    if (status == KN_OK) status = collect(m, desk, answers, count, m->start, error);
    desk_give_back(m, desk);
    return status;
}

KnStatus kn_gdl_start(KnGdlMachine *m, uint64_t *state, KnError *error)
{
    (void)error;
    memcpy(state, m->start, m->words * sizeof *state);
    return KN_OK;
}

KnStatus kn_gdl_is_terminal(KnGdlMachine *m, const uint64_t *state, bool *terminal, KnError *error)
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

static KnStatus list_moves(KnGdlMachine *m, Desk *desk, const KnTerm *answers, size_t count, uint64_t *moves, int *listed,
                           KnError *error)
{
    if (!kn_gdl_grow((void **)&desk->sentences, &desk->sentence_capacity, (uint32_t)count, sizeof(KnTerm)))
        return kn_fail_memory(error, "listing moves");
    size_t ground = 0; /* what an unsafe rule leaves open is no move */
    for (size_t i = 0; i < count; i++)
        if (kn_term_ground(desk->terms, answers[i])) desk->sentences[ground++] = answers[i];
    if (ground > (size_t)m->most_moves)
        return kn_fail(error, KN_INPUT, "%s: %zu legal moves at once; give more room with moves=N", m->sheet->name, ground);
    Order order = {&m->sheet->symbols, desk->terms};
    if (ground) qsort_r(desk->sentences, ground, sizeof(KnTerm), by_term, &order);
    for (size_t i = 0; i < ground; i++) {
        uint32_t number = 0;
        KnStatus status = desk_number(m, desk, MOVES, kn_term_args(desk->terms, desk->sentences[i])[1], &number, error);
        if (status != KN_OK) return status;
        moves[i] = number;
    }
    *listed = (int)ground;
    return KN_OK;
}

KnStatus kn_gdl_legal(KnGdlMachine *m, const uint64_t *state, int role, uint64_t *moves, int *count, KnError *error)
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

static KnStatus set_moves(KnGdlMachine *m, Desk *desk, const uint64_t *joint, KnError *error)
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

KnStatus kn_gdl_next(KnGdlMachine *m, const uint64_t *state, const uint64_t *joint, uint64_t *after, KnError *error)
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
static int goal_value(const KnGdlMachine *m, const Desk *desk, KnTerm term)
{
    const KnTermNode *node = kn_term(desk->terms, term);
    if (node->arity || node->variables) return -1;
    const char *name = m->sheet->symbols.names[node->symbol];
    size_t digits = strspn(name, "0123456789");
    if (!digits || digits > 3 || name[digits]) return -1;
    long value = strtol(name, NULL, 10);
    return value <= 100 ? (int)value : -1;
}

KnStatus kn_gdl_goal(KnGdlMachine *m, const uint64_t *state, int role, int *value, KnError *error)
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

uint64_t kn_gdl_state_hash(const KnGdlMachine *m, const uint64_t *state)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1)
            hash += m->tables[FACTS].hashes[w * 64 + (size_t)__builtin_ctzll(bits)];
    return kn_mix64(hash);
}

/* ---- Text ---- */

void kn_gdl_move_text(KnGdlMachine *m, uint64_t move, KnText *out)
{
    pthread_mutex_lock(&m->lock);
    kn_term_text(&m->sheet->symbols, &m->shared, m->tables[MOVES].terms[move], out);
    pthread_mutex_unlock(&m->lock);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Facts as a list of strings, for sorting. */
static size_t state_strings(KnGdlMachine *m, const uint64_t *state, char **strings)
{
    size_t count = 0;
    pthread_mutex_lock(&m->lock);
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
            KnText text = KN_TEXT_EMPTY;
            kn_term_text(&m->sheet->symbols, &m->shared, m->tables[FACTS].terms[w * 64 + (size_t)__builtin_ctzll(bits)], &text);
            if (text.capacity) strings[count++] = text.data;
        }
    pthread_mutex_unlock(&m->lock);
    return count;
}

void kn_gdl_state_text(KnGdlMachine *m, const uint64_t *state, const char *separator, KnText *out)
{
    size_t facts = 0;
    for (size_t w = 0; w < m->words; w++) facts += (size_t)__builtin_popcountll(state[w]);
    char **strings = malloc((facts + 1) * sizeof *strings);
    if (!strings) {
        out->failed = true;
        return;
    }
    size_t count = state_strings(m, state, strings);
    qsort(strings, count, sizeof *strings, by_text);
    for (size_t i = 0; i < count; i++) {
        if (i) kn_text_add(out, separator);
        kn_text_add(out, strings[i]);
        KnText done = {strings[i], 0, 1, false};
        kn_text_free(&done);
    }
    free(strings);
}

/* With the lock held: one fact of a text. A grounded machine knows all its facts, and no text can add to them. */
static KnStatus parse_fact(KnGdlMachine *m, const char **text, uint64_t *state, KnError *error)
{
    const char *begin = *text;
    KnTerm term;
    uint32_t number;
    KnStatus status = kn_gdl_read_term(&m->sheet->symbols, &m->shared, text, &term, error);
    if (status != KN_OK) return status;
    const Table *table = &m->tables[FACTS];
    bool known = term < table->numbers_capacity && table->numbers[term];
    if (!known && m->grounded) return kn_fail(error, KN_INPUT, "\"%.*s\" is no fact of this game", (int)(*text - begin), begin);
    status = number_of(m, FACTS, &m->shared, term, &number, error);
    if (status == KN_OK) state[number / 64] |= UINT64_C(1) << number % 64;
    return status;
}

KnStatus kn_gdl_parse_state(KnGdlMachine *m, const char *text, uint64_t *state, KnError *error)
{
    memset(state, 0, m->words * sizeof *state);
    KnStatus status = KN_OK;
    pthread_mutex_lock(&m->lock);
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (!*text || status != KN_OK) break;
        status = parse_fact(m, &text, state, error);
    }
    pthread_mutex_unlock(&m->lock);
    return status;
}

/* ---- Life ---- */

static KnStatus number_all(KnGdlMachine *m, const KnTerms *from, const KnGdlGround *ground, KnError *error)
{
    KnStatus status = KN_OK;
    uint32_t number;
    for (uint32_t i = 0; i < ground->fact_count && status == KN_OK; i++)
        status = number_of(m, FACTS, from, ground->facts[i], &number, error);
    for (uint32_t i = 0; i < ground->move_count && status == KN_OK; i++)
        status = number_of(m, MOVES, from, ground->moves[i], &number, error);
    return status;
}

/* What the sheet's own base and input say is trusted, but there is room for what they forget. Without grounding (NULL) the
 * limits say how much room there is. */
static KnStatus set_sizes(KnGdlMachine *m, const KnGdlLimits *limits, const KnGdlGround *ground, KnError *error)
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
    if (!m->start || !table_init(&m->tables[FACTS], (uint32_t)m->words * 64) || !table_init(&m->tables[MOVES], moves ? moves : 1))
        return kn_fail_memory(error, "setting up a rule sheet");
    return KN_OK;
}

static KnStatus set_up(KnGdlMachine *m, const KnGdlLimits *limits, KnError *error)
{
    KnGdlGround ground = {0};
    KnGdlProver *prover = kn_gdl_prover_new(m->sheet);
    if (!prover || !kn_terms_init(&m->shared, SHARED_TERMS)) {
        kn_gdl_prover_free(prover);
        return kn_fail_memory(error, "setting up a rule sheet");
    }
    KnStatus status = kn_gdl_ground(m->sheet, prover, m->steps, &ground, error);
    bool numbered = status == KN_OK;
    m->grounded = numbered && ground.complete;
    if (numbered || status == KN_NO) status = set_sizes(m, limits, numbered ? &ground : NULL, error);
    if (status == KN_OK && numbered) status = number_all(m, kn_gdl_prover_terms(prover), &ground, error);
    kn_gdl_ground_free(&ground);
    kn_gdl_prover_free(prover);
    return status == KN_OK ? find_start(m, error) : status;
}

KnStatus kn_gdl_machine_new(KnGdlSheet *sheet, const KnGdlLimits *limits, KnGdlMachine **out, KnError *error)
{
    *out = NULL;
    KnGdlMachine *m = calloc(1, sizeof *m);
    if (!m) {
        kn_gdl_free(sheet);
        return kn_fail_memory(error, "setting up a rule sheet");
    }
    m->sheet = sheet;
    m->steps = limits->steps;
    pthread_mutex_init(&m->lock, NULL);
    KnStatus status = set_up(m, limits, error);
    if (status == KN_OK) *out = m;
    else kn_gdl_machine_free(m);
    return status;
}

void kn_gdl_machine_free(KnGdlMachine *m)
{
    if (!m) return;
    while (m->desks) {
        Desk *next = m->desks->next;
        desk_free(m->desks);
        m->desks = next;
    }
    table_free(&m->tables[FACTS]);
    table_free(&m->tables[MOVES]);
    kn_terms_free(&m->shared);
    free(m->start);
    pthread_mutex_destroy(&m->lock);
    kn_gdl_free(m->sheet);
    free(m);
}

const KnGdlSheet *kn_gdl_machine_sheet(const KnGdlMachine *m) { return m->sheet; }
size_t kn_gdl_machine_words(const KnGdlMachine *m) { return m->words; }
int kn_gdl_machine_moves(const KnGdlMachine *m) { return m->most_moves; }
bool kn_gdl_machine_grounded(const KnGdlMachine *m) { return m->grounded; }

uint32_t kn_gdl_machine_facts(KnGdlMachine *m)
{
    pthread_mutex_lock(&m->lock);
    uint32_t count = m->tables[FACTS].count;
    pthread_mutex_unlock(&m->lock);
    return count;
}
