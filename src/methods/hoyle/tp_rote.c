/* TP-Rote: gathering sequences and filtering them into trees. */
#include "methods/hoyle/tp_rote.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { SHORT = 2, LONG = 3 };

/* A short sequence that followed a state, in the frame of the normal state. */
typedef struct Sequence {
    KnAction action[LONG];
    int length, seen, next;
    bool counted; /* in sum_to_it of the state it leads to */
} Sequence;

typedef struct State {
    int seen;
    int sum_to_it; /* how often the state came about by what trees hold already */
    int first;     /* sequence; -1 */
    bool used;     /* not to become a key */
} State;

struct KnRoteTable {
    KnStateTable state_table;
    State *states; /* by number */
    int state_capacity;
    Sequence *sequences;
    int count, capacity;
};

/* ---- Memory ---- */

static bool reserve(void **array, int *capacity, int wanted, size_t size)
{
    if (wanted <= *capacity) return true;
    int next = *capacity ? *capacity * 2 : 64;
    while (next < wanted) next *= 2;
    void *more = realloc(*array, (size_t)next * size);
    if (!more) return false;
    *array = more;
    *capacity = next;
    return true;
}

static void close_table(KnRoteTable *table)
{
    if (!table) return;
    kn_state_table_close(&table->state_table);
    free(table->states);
    free(table->sequences);
    free(table);
}

KnStatus kn_tp_rote_open(const KnBoardView *view, const KnTpRoteSettings *settings, KnTpRote **out,
                         KnError *error)
{
    *out = NULL;
    KnTpRote *rote = calloc(1, sizeof *rote);
    if (!rote) return kn_fail_memory(error, "opening sequence tables");
    rote->view = view;
    rote->settings = *settings;
    KnStatus status = KN_OK;
    for (int role = 0; role < 2 && status == KN_OK; role++) {
        rote->tables[role] = calloc(1, sizeof(KnRoteTable));
        if (!rote->tables[role]) status = kn_fail_memory(error, "opening sequence tables");
        if (status == KN_OK) status = kn_state_table_open(&rote->tables[role]->state_table, view, error);
        if (status == KN_OK) status = kn_state_table_open(&rote->keys[role], view, error);
    }
    if (status == KN_OK)
        *out = rote;
    else
        kn_tp_rote_close(rote);
    return status;
}

void kn_tp_rote_close(KnTpRote *rote)
{
    if (!rote) return;
    for (int role = 0; role < 2; role++) {
        close_table(rote->tables[role]);
        kn_state_table_close(&rote->keys[role]);
        free(rote->tree_of[role]);
    }
    free(rote->trees);
    free(rote->nodes);
    free(rote);
}

int kn_tp_rote_add_node(KnTpRote *rote, KnAction action)
{
    if (!reserve((void **)&rote->nodes, &rote->node_capacity, rote->node_count + 1, sizeof(KnRoteNode)))
        return -1;
    rote->nodes[rote->node_count] = (KnRoteNode){action, -1, -1};
    return rote->node_count++;
}

KnStatus kn_tp_rote_add_tree(KnTpRote *rote, int role, const void *normal, int *tree, KnError *error)
{
    KN_ASSERT(role == 0 || role == 1);
    int key, before = rote->keys[role].count;
    KnStatus status = kn_state_table_add(&rote->keys[role], normal, &key, error);
    if (status != KN_OK) return status;
    if (key < before) return kn_fail(error, KN_INPUT, "a state has two trees");
    int *more = realloc(rote->tree_of[role], (size_t)(key + 1) * sizeof(int));
    if (more) rote->tree_of[role] = more;
    if (!more ||
        !reserve((void **)&rote->trees, &rote->tree_capacity, rote->tree_count + 1, sizeof(KnRoteTree)))
        return kn_fail_memory(error, "making a sequence tree");
    *tree = rote->tree_count++;
    rote->trees[*tree] = (KnRoteTree){role, key, -1};
    KN_ASSERT(*tree < rote->tree_capacity && key < rote->keys[role].count);
    rote->tree_of[role][key] = *tree;
    return KN_OK;
}

bool kn_tp_rote_apply(const KnBoardView *view, void *position, KnAction action)
{
    const KnGame *game = view->game;
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    KnMove move = kn_board_view_move(view, position, action, moves, count);
    if (move == KN_MOVE_NONE) return false;
    game->type->play(game, position, move);
    return true;
}

/* ---- Gathering ---- */

/* The least way to write a sequence over the frames of its state: a state that is symmetric in itself must
 * not count one sequence as several. */
static void least_sequence(const KnBoardView *view, const int *symmetries, int turn_count,
                           const KnAction *actions, int length, KnAction *least)
{
    KN_ASSERT(turn_count > 0 && turn_count <= KN_BOARD_SYMMETRIES && length > 0 && length <= LONG);
    for (int t = 0; t < turn_count; t++) {
        KnAction transformed[LONG];
        int order = 0;
        for (int i = 0; i < length; i++) {
            transformed[i] = kn_board_view_transform_action(view, symmetries[t], actions[i]);
            uint64_t key = kn_action_key(transformed[i]), old = kn_action_key(least[i]);
            if (t && !order) order = key < old ? -1 : key > old;
        }
        if (!t || order < 0) memcpy(least, transformed, (size_t)length * sizeof *least);
    }
}

static KnStatus count_sequence(KnRoteTable *table, int state, const KnAction *actions, int length,
                               KnError *error)
{
    KN_ASSERT(state >= 0 && state < table->state_table.count && length <= LONG);
    for (int i = table->states[state].first; i >= 0; i = table->sequences[i].next) {
        Sequence *s = &table->sequences[i];
        bool same = s->length == length;
        for (int k = 0; k < length && same; k++) same = kn_action_equal(s->action[k], actions[k]);
        if (!same) continue;
        s->seen++;
        return KN_OK;
    }
    if (!reserve((void **)&table->sequences, &table->capacity, table->count + 1, sizeof(Sequence)))
        return kn_fail_memory(error, "counting sequences");
    Sequence *s = &table->sequences[table->count];
    *s = (Sequence){.length = length, .seen = 1, .next = table->states[state].first};
    memcpy(s->action, actions, (size_t)length * sizeof *actions);
    table->states[state].first = table->count++;
    return KN_OK;
}

static KnStatus gather_for(KnTpRote *rote, const KnPlayedGame *played, const KnAction *actions, int role,
                           KnError *error)
{
    KN_ASSERT(!rote->filtered && (role == 0 || role == 1));
    const KnBoardView *view = rote->view;
    KnRoteTable *table = rote->tables[role];
    unsigned char normal[view->game->position_size] __attribute__((aligned(16)));
    for (size_t ply = 0; ply < played->plies; ply++) {
        int symmetries[KN_BOARD_SYMMETRIES], number, before = table->state_table.count;
        int turn_count = kn_board_view_normalise_all(view, kn_played_game_position(played, ply), normal,
                                                     symmetries);
        KnStatus status = kn_state_table_add(&table->state_table, normal, &number, error);
        if (status != KN_OK) return status;
        if (!reserve((void **)&table->states, &table->state_capacity, number + 1, sizeof(State)))
            return kn_fail_memory(error, "counting states");
        if (number == before) table->states[number] = (State){.first = -1};
        table->states[number].seen++;
        int length = kn_played_game_mover(played, ply) == role ? LONG : SHORT;
        if (ply + (size_t)length > played->plies) continue;
        KnAction least[LONG];
        least_sequence(view, symmetries, turn_count, actions + ply, length, least);
        status = count_sequence(table, number, least, length, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

/* Thesis 2.2.1. */
KnStatus kn_tp_rote_gather(KnTpRote *rote, const KnPlayedGame *played, KnError *error)
{
    if (rote->filtered)
        return kn_fail(error, KN_USAGE, "the sequence tables were given up when the trees were built");
    KnAction *actions = malloc((played->plies + 1) * sizeof *actions);
    if (!actions) return kn_fail_memory(error, "gathering sequences");
    for (size_t ply = 0; ply < played->plies; ply++)
        actions[ply] = kn_board_view_action(rote->view, kn_played_game_position(played, ply),
                                            played->moves[ply]);
    KnStatus status = KN_OK;
    for (int role = 0; role < 2 && status == KN_OK; role++)
        if (kn_played_game_outcome(played, role) >= 0)
            status = gather_for(rote, played, actions, role, error);
    free(actions);
    return status;
}

/* ---- Filtering ---- */

typedef struct Builder {
    KnTpRote *rote;
    KnRoteTable *table;
    int tree;
    KnAction path[KN_ROTE_LENGTH];
    int states[KN_ROTE_LENGTH]; /* on the way: none is gone through twice */
    int depth;
    bool failed;
} Builder;

static bool significant(const KnTpRote *rote, const State *state)
{
    return state->seen > rote->settings.significant;
}

static bool likely(const KnTpRote *rote, const State *state, const Sequence *sequence)
{
    double n = rote->settings.significant;
    double cutoff = rote->settings.cutoff_base - (state->seen - n) / n * 0.01;
    return (double)sequence->seen / state->seen > cutoff;
}

/* How often a state came about otherwise than by what trees hold decides whether it may be a key of its own.
 * (Thesis 2.2.2: Do-Not-Maintain.) */
static bool do_not_maintain(const KnTpRote *rote, const State *state)
{
    return state->seen - state->sum_to_it <= rote->settings.significant;
}

/* Merges a whole sequence into the tree. */
static void merge(Builder *b, int length)
{
    KN_ASSERT(length > 0 && length <= KN_ROTE_LENGTH && b->tree < b->rote->tree_count);
    KnTpRote *rote = b->rote;
    int parent = -1;
    for (int i = 0; i < length; i++) {
        int found = parent < 0 ? rote->trees[b->tree].first : rote->nodes[parent].child, last = -1;
        while (found >= 0 && !kn_action_equal(rote->nodes[found].action, b->path[i]))
            last = found, found = rote->nodes[found].sibling;
        if (found < 0) {
            found = kn_tp_rote_add_node(rote, b->path[i]);
            if (found < 0) {
                b->failed = true;
                return;
            }
            if (last >= 0)
                rote->nodes[last].sibling = found;
            else if (parent >= 0)
                rote->nodes[parent].child = found;
            else
                rote->trees[b->tree].first = found;
        }
        parent = found;
    }
}

static void attempt_build(Builder *b, const void *position, int length, Sequence *last);

/* A state on the way of a sequence that a tree holds came about by it too. Segments end where it is the
 * other's turn, always: if ends alone were looked at, every state where the player has the move would become
 * a key, however many trees lead through it, and trees would save no space (temporal.rote). */
static void pass_through(const Builder *b, const void *position, const Sequence *sequence)
{
    const KnBoardView *view = b->rote->view;
    unsigned char normal[view->game->position_size] __attribute__((aligned(16)));
    kn_board_view_normalise(view, position, normal);
    int number = kn_state_table_find(&b->table->state_table, normal);
    if (number < 0) return;
    State *state = &b->table->states[number];
    state->sum_to_it += sequence->seen;
    if (do_not_maintain(b->rote, state)) state->used = true;
}

/* Extends the path by everything likely that followed state `number`, whose frame is `turn` away from the
 * path's. False if nothing did. */
static bool extend(Builder *b, const void *position, int number, int symmetry, int length)
{
    KN_ASSERT(number >= 0 && number < b->table->state_table.count && length <= KN_ROTE_LENGTH);
    const KnBoardView *view = b->rote->view;
    const State *state = &b->table->states[number];
    bool any = false;
    for (int i = state->first; i >= 0; i = b->table->sequences[i].next) {
        Sequence *s = &b->table->sequences[i];
        if (!likely(b->rote, state, s) || length + s->length > KN_ROTE_LENGTH) continue;
        unsigned char next[view->game->position_size] __attribute__((aligned(16)));
        memcpy(next, position, view->game->position_size);
        bool legal = true;
        for (int k = 0; k < s->length && legal; k++) {
            b->path[length + k] = kn_board_view_transform_action(view, view->inverse[symmetry], s->action[k]);
            legal = kn_tp_rote_apply(view, next, b->path[length + k]);
            if (legal && !b->rote->settings.ends && !s->counted && k + 1 < s->length)
                pass_through(b, next, s);
        }
        if (!legal) continue;
        any = true;
        KN_ASSERT(b->depth < KN_ROTE_LENGTH);
        b->states[b->depth++] = number;
        attempt_build(b, next, length + s->length, s);
        b->depth--;
    }
    return any;
}

/* Table 1: what the sequence leads to, and on from there as long as the next segment is likely too.
 * (Thesis 2.2.2: Attempt-Build.) */
static void attempt_build(Builder *b, const void *position, int length, Sequence *last)
{
    const KnBoardView *view = b->rote->view;
    unsigned char normal[view->game->position_size] __attribute__((aligned(16)));
    int symmetry = kn_board_view_normalise(view, position, normal),
        number = kn_state_table_find(&b->table->state_table, normal);
    bool goes_on = number >= 0 && b->depth < KN_ROTE_LENGTH - 1;
    if (number >= 0) {
        State *state = &b->table->states[number];
        if (!last->counted) state->sum_to_it += last->seen, last->counted = true;
        if (do_not_maintain(b->rote, state)) state->used = true;
        goes_on = goes_on && significant(b->rote, state) && !(b->rote->settings.stops && state->used);
    }
    for (int i = 0; i < b->depth && goes_on; i++) goes_on = b->states[i] != number;
    if (!goes_on || !extend(b, position, number, symmetry, length)) merge(b, length);
}

static KnStatus filter_table(KnTpRote *rote, int role, KnError *error)
{
    KnRoteTable *table = rote->tables[role];
    for (int n = 0; n < table->state_table.count; n++) {
        State *state = &table->states[n];
        if (state->used || !significant(rote, state)) continue;
        bool any = false;
        for (int i = state->first; i >= 0 && !any; i = table->sequences[i].next)
            any = likely(rote, state, &table->sequences[i]);
        if (!any) continue;
        Builder b = {.rote = rote, .table = table};
        KnStatus status = kn_tp_rote_add_tree(rote, role, kn_state_table_at(&table->state_table, n), &b.tree,
                                              error);
        if (status != KN_OK) return status;
        extend(&b, kn_state_table_at(&table->state_table, n), n, 0, 0);
        if (b.failed) return kn_fail_memory(error, "building sequence trees");
        table->states[n].used = true;
    }
    return KN_OK;
}

/* Once, after everything is there: keys that would not have become keys by now. */
static void refilter(KnTpRote *rote, int role)
{
    for (int t = 0; t < rote->tree_count; t++) {
        KnRoteTree *tree = &rote->trees[t];
        if (tree->role != role) continue;
        int number = kn_state_table_find(&rote->tables[role]->state_table,
                                         kn_state_table_at(&rote->keys[role], tree->key));
        if (number >= 0 && do_not_maintain(rote, &rote->tables[role]->states[number])) tree->first = -1;
    }
}

/* Takes out of a list what a tree holds too, seen from another frame; returns what is left of the list. */
static int without(KnTpRote *rote, int list, int held, int symmetry)
{
    int kept = -1, last = -1;
    for (int node = list; node >= 0; node = rote->nodes[node].sibling) {
        int twin = held;
        KnAction transformed = kn_board_view_transform_action(rote->view, symmetry, rote->nodes[node].action);
        while (twin >= 0 && !kn_action_equal(rote->nodes[twin].action, transformed))
            twin = rote->nodes[twin].sibling;
        bool drop = false;
        if (twin >= 0) {
            rote->nodes[node].child = without(rote, rote->nodes[node].child, rote->nodes[twin].child,
                                              symmetry);
            drop = rote->nodes[node].child < 0;
        }
        if (drop) continue;
        if (last >= 0)
            rote->nodes[last].sibling = node;
        else
            kept = node;
        last = node;
    }
    if (last >= 0) rote->nodes[last].sibling = -1;
    return kept;
}

/* Sequences that an odd tree holds are not kept a second time, one move earlier, in an even one. */
static void remove_duplicates(KnTpRote *rote, KnRoteTree *tree)
{
    const KnBoardView *view = rote->view;
    const void *key = kn_state_table_at(&rote->keys[tree->role], tree->key);
    unsigned char next[view->game->position_size] __attribute__((aligned(16))),
        normal[view->game->position_size] __attribute__((aligned(16)));
    if (view->game->type->mover(view->game, key) == tree->role) return;
    int kept = -1, last = -1;
    for (int node = tree->first; node >= 0; node = rote->nodes[node].sibling) {
        memcpy(next, key, view->game->position_size);
        bool drop = false;
        if (kn_tp_rote_apply(view, next, rote->nodes[node].action)) {
            int symmetry = kn_board_view_normalise(view, next, normal),
                odd = kn_state_table_find(&rote->keys[tree->role], normal);
            int held = odd >= 0 ? rote->trees[rote->tree_of[tree->role][odd]].first : -1;
            if (held >= 0) {
                rote->nodes[node].child = without(rote, rote->nodes[node].child, held, symmetry);
                drop = rote->nodes[node].child < 0;
            }
        }
        if (drop) continue;
        if (last >= 0)
            rote->nodes[last].sibling = node;
        else
            kept = node;
        last = node;
    }
    if (last >= 0) rote->nodes[last].sibling = -1;
    tree->first = kept;
}

/* Thesis 2.2.2, table 1: Filter. */
KnStatus kn_tp_rote_filter(KnTpRote *rote, KnError *error)
{
    KnStatus status = KN_OK;
    if (rote->filtered) return KN_OK;
    for (int role = 0; role < 2 && status == KN_OK; role++) {
        status = filter_table(rote, role, error);
        if (status == KN_OK) refilter(rote, role);
    }
    for (int t = 0; t < rote->tree_count && status == KN_OK; t++) remove_duplicates(rote, &rote->trees[t]);
    for (int role = 0; role < 2; role++) {
        close_table(rote->tables[role]);
        rote->tables[role] = NULL;
    }
    rote->filtered = true;
    return status;
}
