#include "games/gdl/prover_reasoner.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/bindings.h"
#include "games/gdl/prover.h"

enum { FACTS = KN_GDL_FACT_NUMBERS, MOVES = KN_GDL_MOVE_NUMBERS };

/* A prover with the mapping between its terms and the machine's numbers. */
typedef struct Workspace {
    struct Workspace *next;
    KnGdlProver *prover;
    KnTerms *terms;
    KnTerm *trues;        /* (true fact) by number of the fact; 0: not made yet */
    KnTerm *moves;        /* by number of move */
    uint32_t *numbers[2]; /* by own term: number + 1, for facts and moves */
    uint32_t numbers_capacity[2];
    uint64_t *state; /* state that the prover is set up for */
    bool has_state;
    uint64_t *bad_state; /* state where a question failed: repeating it fails immediately */
    KnTerm bad_question; /* 0: none */
    KnError bad_error;
    KnTerm *sentences; /* scratch: sentences of a state */
    uint32_t sentence_capacity;
} Workspace;

struct KnProverReasoner {
    const KnGdlDescription *description;
    KnGdlNumbers *numbers;
    int most_moves;
    uint64_t steps; /* for a question */
    const atomic_bool *cancel;
    size_t words;
    pthread_mutex_t lock;  /* of the workspaces */
    Workspace *workspaces; /* not in use */
};

/* Grows an array and zeroes the new part. */
static bool grow_numbers(uint32_t **numbers, uint32_t *capacity, uint32_t wanted)
{
    uint32_t before = *capacity;
    if (!kn_gdl_grow((void **)numbers, capacity, wanted, sizeof **numbers)) return false;
    if (*capacity > before) memset(*numbers + before, 0, (*capacity - before) * sizeof **numbers);
    return true;
}

/* ---- Desks ---- */

static void workspace_free(Workspace *workspace)
{
    if (!workspace) return;
    kn_gdl_prover_free(workspace->prover);
    free(workspace->trues);
    free(workspace->moves);
    free(workspace->numbers[FACTS]);
    free(workspace->numbers[MOVES]);
    free(workspace->state);
    free(workspace->bad_state);
    free(workspace->sentences);
    free(workspace);
}

static Workspace *workspace_new(const KnProverReasoner *m)
{
    Workspace *workspace = calloc(1, sizeof *workspace);
    if (!workspace) return NULL;
    workspace->prover = kn_gdl_prover_new(m->description);
    workspace->trues = calloc(m->numbers->tables[FACTS].capacity, sizeof *workspace->trues);
    workspace->moves = calloc(m->numbers->tables[MOVES].capacity, sizeof *workspace->moves);
    workspace->state = calloc(m->words, sizeof *workspace->state);
    workspace->bad_state = calloc(m->words, sizeof *workspace->bad_state);
    if (!workspace->prover || !workspace->trues || !workspace->moves || !workspace->state ||
        !workspace->bad_state) {
        workspace_free(workspace);
        return NULL;
    }
    kn_gdl_prover_relax(workspace->prover, false, m->steps);
    kn_gdl_prover_set_cancel(workspace->prover, m->cancel);
    workspace->terms = kn_gdl_prover_terms(workspace->prover);
    return workspace;
}

/* Borrows a workspace; the last one returned comes first, since it may still hold the next state. */
static KnStatus workspace_take(KnProverReasoner *m, Workspace **out, KnError *error)
{
    pthread_mutex_lock(&m->lock);
    Workspace *workspace = m->workspaces;
    if (workspace) m->workspaces = workspace->next;
    pthread_mutex_unlock(&m->lock);
    if (!workspace) workspace = workspace_new(m);
    *out = workspace;
    return workspace ? KN_OK : kn_fail_memory(error, "setting up a prover");
}

static void workspace_give_back(KnProverReasoner *m, Workspace *workspace)
{
    pthread_mutex_lock(&m->lock);
    workspace->next = m->workspaces;
    m->workspaces = workspace;
    pthread_mutex_unlock(&m->lock);
}

/* The number of a workspace's term. */
static KnStatus workspace_number(KnProverReasoner *m, Workspace *workspace, int kind, KnTerm term,
                                 uint32_t *number, KnError *error)
{
    if (!grow_numbers(&workspace->numbers[kind], &workspace->numbers_capacity[kind], term + 1))
        return kn_fail_memory(error, "numbering facts and moves");
    if (!workspace->numbers[kind][term]) {
        KnStatus status = kn_gdl_number(m->numbers, kind, workspace->terms, term, number, error);
        if (status != KN_OK) return status;
        workspace->numbers[kind][term] = *number + 1;
    }
    *number = workspace->numbers[kind][term] - 1;
    return KN_OK;
}

static KnTerm workspace_true(KnProverReasoner *m, Workspace *workspace, uint32_t number)
{
    if (!workspace->trues[number]) {
        KnTerm fact = kn_gdl_numbered(m->numbers, FACTS, number, workspace->terms);
        if (fact) workspace->trues[number] = kn_term_make(workspace->terms, KN_GDL_TRUE, &fact, 1);
    }
    return workspace->trues[number];
}

static KnTerm workspace_move(KnProverReasoner *m, Workspace *workspace, uint32_t number)
{
    if (!workspace->moves[number])
        workspace->moves[number] = kn_gdl_numbered(m->numbers, MOVES, number, workspace->terms);
    return workspace->moves[number];
}

static void workspace_forget(const KnProverReasoner *m, Workspace *workspace)
{
    memset(workspace->trues, 0, m->numbers->tables[FACTS].capacity * sizeof *workspace->trues);
    memset(workspace->moves, 0, m->numbers->tables[MOVES].capacity * sizeof *workspace->moves);
    for (int kind = 0; kind < 2; kind++)
        if (workspace->numbers[kind])
            memset(workspace->numbers[kind], 0, workspace->numbers_capacity[kind] * sizeof(uint32_t));
    workspace->has_state = false;
}

/* Sets up the prover for a state, unless it is set up already. */
static KnStatus workspace_set_state(KnProverReasoner *m, Workspace *workspace, const uint64_t *state,
                                    KnError *error)
{
    if (kn_gdl_prover_begin(workspace->prover)) workspace_forget(m, workspace);
    if (workspace->has_state && memcmp(workspace->state, state, m->words * sizeof *state) == 0) return KN_OK;
    workspace->has_state = false;
    uint32_t count = 0;
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
            KnTerm sentence = workspace_true(m, workspace,
                                             (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits));
            if (!sentence || !kn_gdl_grow((void **)&workspace->sentences, &workspace->sentence_capacity,
                                          count + 1, sizeof(KnTerm)))
                return kn_fail_memory(error, "setting up a state");
            workspace->sentences[count++] = sentence;
        }
    KnStatus status = kn_gdl_prover_state(workspace->prover, workspace->sentences, count, error);
    if (status != KN_OK) return status;
    memcpy(workspace->state, state, m->words * sizeof *state);
    workspace->has_state = true;
    return KN_OK;
}

/* Borrows a workspace and sets it up for a state. */
static KnStatus workspace_for(KnProverReasoner *m, const uint64_t *state, Workspace **workspace,
                              KnError *error)
{
    KnStatus status = workspace_take(m, workspace, error);
    if (status != KN_OK) return status;
    status = workspace_set_state(m, *workspace, state, error);
    if (status != KN_OK) workspace_give_back(m, *workspace);
    return status;
}

/* Asks a question about the state without moves. */
static KnStatus workspace_ask(const KnProverReasoner *m, Workspace *workspace, KnTerm question,
                              const KnTerm **answers, size_t *count, KnError *error)
{
    size_t size = m->words * sizeof *workspace->state;
    *count = 0;
    if (workspace->bad_question == question && memcmp(workspace->bad_state, workspace->state, size) == 0) {
        if (error) *error = workspace->bad_error;
        return workspace->bad_error.status;
    }
    KnError failure;
    KnStatus status = kn_gdl_ask(workspace->prover, question, answers, count, &failure);
    if (status == KN_OK) return KN_OK;
    memcpy(workspace->bad_state, workspace->state, size);
    workspace->bad_question = question;
    workspace->bad_error = failure;
    if (error) *error = failure;
    return status;
}

/* ---- Answers ---- */

/* Collects facts from answers to (init ?x) or (next ?x). */
static KnStatus collect(KnProverReasoner *m, Workspace *workspace, const KnTerm *answers, size_t count,
                        uint64_t *state, KnError *error)
{
    memset(state, 0, m->words * sizeof *state);
    for (size_t i = 0; i < count; i++) {
        KnTerm fact = kn_term_args(workspace->terms, answers[i])[0];
        uint32_t number = 0;
        if (!kn_term_ground(workspace->terms, fact)) {
            KnText text = KN_TEXT_EMPTY;
            kn_term_text(&m->description->symbols, workspace->terms, answers[i], &text);
            kn_fail(error, KN_INPUT, "%s: an unsafe rule makes %s true, with a variable",
                    m->description->name, text.data);
            kn_text_free(&text);
            return KN_INPUT;
        }
        KnStatus status = workspace_number(m, workspace, FACTS, fact, &number, error);
        if (status != KN_OK) return status;
        state[number / 64] |= UINT64_C(1) << number % 64;
    }
    return KN_OK;
}

KnStatus kn_prover_reasoner_start(KnProverReasoner *m, uint64_t *state, KnError *error)
{
    Workspace *workspace;
    const KnTerm *answers;
    size_t count;
    memset(state, 0, m->words * sizeof *state);
    KnStatus status = workspace_for(m, state, &workspace, error); /* no facts yet */
    if (status != KN_OK) return status;
    status = kn_gdl_ask(workspace->prover, m->description->queries.init, &answers, &count, error);
    if (status == KN_OK) status = collect(m, workspace, answers, count, state, error);
    workspace_give_back(m, workspace);
    return status;
}

KnStatus kn_prover_reasoner_terminal(KnProverReasoner *m, const uint64_t *state, bool *terminal,
                                     KnError *error)
{
    Workspace *workspace;
    const KnTerm *answers;
    size_t count;
    KnStatus status = workspace_for(m, state, &workspace, error);
    if (status != KN_OK) return status;
    status = workspace_ask(m, workspace, m->description->queries.terminal, &answers, &count, error);
    *terminal = count > 0;
    workspace_give_back(m, workspace);
    return status;
}

static KnStatus list_moves(KnProverReasoner *m, Workspace *workspace, const KnTerm *answers, size_t count,
                           uint64_t *moves, int *listed, KnError *error)
{
    if (!kn_gdl_grow((void **)&workspace->sentences, &workspace->sentence_capacity, (uint32_t)count,
                     sizeof(KnTerm)))
        return kn_fail_memory(error, "listing moves");
    size_t ground = 0; /* skip answers with variables, from unsafe rules */
    for (size_t i = 0; i < count; i++)
        if (kn_term_ground(workspace->terms, answers[i])) workspace->sentences[ground++] = answers[i];
    if (ground > (size_t)m->most_moves)
        return kn_fail(error, KN_INPUT, "%s: %zu legal moves in one state; raise the limit with moves=N",
                       m->description->name, ground);
    kn_terms_sort(&m->description->symbols, workspace->terms, workspace->sentences, ground);
    for (size_t i = 0; i < ground; i++) {
        uint32_t number = 0;
        KnStatus status = workspace_number(
            m, workspace, MOVES, kn_term_args(workspace->terms, workspace->sentences[i])[1], &number, error);
        if (status != KN_OK) return status;
        moves[i] = number;
    }
    *listed = (int)ground;
    return KN_OK;
}

KnStatus kn_prover_reasoner_legal(KnProverReasoner *m, const uint64_t *state, int role, uint64_t *moves,
                                  int *count, KnError *error)
{
    Workspace *workspace;
    const KnTerm *answers;
    size_t found;
    *count = 0;
    KnStatus status = workspace_for(m, state, &workspace, error);
    if (status != KN_OK) return status;
    status = workspace_ask(m, workspace, m->description->queries.legal[role], &answers, &found, error);
    if (status == KN_OK) status = list_moves(m, workspace, answers, found, moves, count, error);
    workspace_give_back(m, workspace);
    return status;
}

static KnStatus set_moves(KnProverReasoner *m, Workspace *workspace, const uint64_t *joint, KnError *error)
{
    KnTerm sentences[KN_GDL_ROLES];
    int roles = m->description->role_count;
    for (int role = 0; role < roles; role++) {
        KnTerm pair[2] = {m->description->roles[role], workspace_move(m, workspace, (uint32_t)joint[role])};
        sentences[role] = pair[1] ? kn_term_make(workspace->terms, KN_GDL_DOES, pair, 2) : 0;
        if (!sentences[role]) return kn_fail_memory(error, "setting up a joint move");
    }
    return kn_gdl_prover_moves(workspace->prover, sentences, (size_t)roles, error);
}

KnStatus kn_prover_reasoner_next(KnProverReasoner *m, const uint64_t *state, const uint64_t *joint,
                                 uint64_t *after, KnError *error)
{
    Workspace *workspace;
    const KnTerm *answers;
    size_t count;
    KnStatus status = workspace_for(m, state, &workspace, error);
    if (status != KN_OK) return status;
    status = set_moves(m, workspace, joint, error);
    if (status == KN_OK)
        status = kn_gdl_ask(workspace->prover, m->description->queries.next, &answers, &count, error);
    if (status == KN_OK) status = collect(m, workspace, answers, count, after, error);
    KnStatus cleared = kn_gdl_prover_moves(workspace->prover, NULL, 0, error);
    workspace_give_back(m, workspace);
    return status == KN_OK ? cleared : status;
}

KnStatus kn_prover_reasoner_goal(KnProverReasoner *m, const uint64_t *state, int role, int *value,
                                 KnError *error)
{
    Workspace *workspace;
    const KnTerm *answers;
    size_t count;
    *value = -1;
    KnStatus status = workspace_for(m, state, &workspace, error);
    if (status != KN_OK) return status;
    status = workspace_ask(m, workspace, m->description->queries.goal[role], &answers, &count, error);
    if (status == KN_OK && count == 1)
        *value = kn_term_goal(&m->description->symbols, workspace->terms,
                              kn_term_args(workspace->terms, answers[0])[1]);
    workspace_give_back(m, workspace);
    return status;
}

/* ---- Life ---- */

KnProverReasoner *kn_prover_reasoner_new(const KnGdlDescription *description, KnGdlNumbers *numbers,
                                         size_t words, int most_moves, uint64_t steps,
                                         const atomic_bool *cancel)
{
    KnProverReasoner *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    *m = (KnProverReasoner){.description = description,
                            .numbers = numbers,
                            .words = words,
                            .most_moves = most_moves,
                            .steps = steps,
                            .cancel = cancel};
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

void kn_prover_reasoner_free(KnProverReasoner *m)
{
    if (!m) return;
    while (m->workspaces) {
        Workspace *next = m->workspaces->next;
        workspace_free(m->workspaces);
        m->workspaces = next;
    }
    pthread_mutex_destroy(&m->lock);
    free(m);
}
