/* Retrograde analysis of a pair of slices.
 *
 * Every position is looked at once forwards: captures and promotions leave the pair, and what they give is
 * known; the quiet moves that stay inside are counted. Then wins and losses spread backwards, ply by ply: who
 * can move to a loss wins, and who has only moves to wins, by the count, loses. A ply is one sweep over the
 * words for those of just this distance; what a sweep decides lies farther away than the sweep, so that
 * workers do not get into each other's way, and the outcome does not depend on their number. What is left
 * open is a draw. */
#include "games/checkers/endgame_pair.h"

#include <stdlib.h>
#include <string.h>

#include "jobs/parallel.h"

enum { CHUNK = 1 << 15 /* numbers that a worker takes at a time */, CODE_MAX = KN_WORD_NONE & KN_WORD_CODE };

/* ---- Life ---- */

static uint32_t *sets(KnPair *pair, bool men, int size)
{
    uint32_t **place = &pair->sets[men][size];
    if (!*place) *place = kn_rank_sets(pair->ranks, men, size);
    return *place;
}

static bool open_slice(KnPair *pair, KnPairSlice *slice, KnMaterial m)
{
    const KnRanks *ranks = pair->ranks;
    slice->material = m;
    slice->men = ranks->men_sets[m.men];
    slice->other_men = ranks->men_sets[m.other_men];
    slice->kings = ranks->king_sets[m.kings];
    slice->other_kings = ranks->king_sets[m.other_kings];
    slice->numbers = (uint32_t)kn_material_numbers(ranks, m);
    slice->men_of = sets(pair, true, m.men);
    slice->other_men_of = sets(pair, true, m.other_men);
    slice->kings_of = sets(pair, false, m.kings);
    slice->other_kings_of = sets(pair, false, m.other_kings);
    return slice->men_of && slice->other_men_of && slice->kings_of && slice->other_kings_of;
}

KnStatus kn_pair_open(KnPair *pair, KnMaterial m, KnError *error)
{
    KnMaterial exchanged = kn_material_exchanged(m);
    pair->slices = kn_material_same(m, exchanged) ? 1 : 2;
    if (open_slice(pair, &pair->slice[0], m) &&
        (pair->slices == 1 || open_slice(pair, &pair->slice[1], exchanged)))
        return KN_OK;
    return kn_fail_memory(error, "going through endgames");
}

void kn_pair_free(KnPair *pair)
{
    for (int s = 0; s < 2; s++) {
        free(pair->slice[s].words);
        for (int size = 0; size <= KN_ENDGAME_PIECES; size++) free(pair->sets[s][size]);
    }
    memset(pair->slice, 0, sizeof pair->slice);
    memset(pair->sets, 0, sizeof pair->sets);
}

/* ---- Rows ---- */

KnPairRow kn_pair_row(const KnPairSlice *slice, uint32_t row)
{
    KnPairRow r = {.first = row * slice->other_kings};
    r.kings_rank = row % slice->kings;
    row /= slice->kings;
    r.other_men_rank = row % slice->other_men;
    r.men_rank = row / slice->other_men;
    r.men = slice->men_of[r.men_rank];
    r.other_men = kn_checkers_turn(slice->other_men_of[r.other_men_rank]);
    r.kings = slice->kings_of[r.kings_rank];
    r.empty = r.men & r.other_men || (r.men | r.other_men) & r.kings;
    return r;
}

typedef struct Spread {
    KnPair *pair;
    KnPairTask *task;
    uint32_t rows_each[2], chunks[2];
} Spread;

static KnStatus run_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    Spread *spread = user;
    int slice = index >= spread->chunks[0];
    if (slice) index -= spread->chunks[0];
    const KnPairSlice *of = &spread->pair->slice[slice];
    uint32_t rows = kn_pair_rows(of), first = (uint32_t)index * spread->rows_each[slice];
    uint32_t end = rows - first < spread->rows_each[slice] ? rows : first + spread->rows_each[slice];
    return spread->task(spread->pair, worker, slice, first, end, error);
}

KnStatus kn_pair_each(KnPair *pair, KnPairTask *task, KnError *error)
{
    Spread spread = {.pair = pair, .task = task};
    for (int s = 0; s < pair->slices; s++) {
        const KnPairSlice *slice = &pair->slice[s];
        spread.rows_each[s] = slice->other_kings < CHUNK ? CHUNK / slice->other_kings : 1;
        spread.chunks[s] = (kn_pair_rows(slice) + spread.rows_each[s] - 1) / spread.rows_each[s];
    }
    return kn_parallel(pair->jobs, (uint64_t)spread.chunks[0] + spread.chunks[1], run_chunk, &spread,
                       pair->cancel, error);
}

/* ---- Forwards ---- */

KnStatus kn_pair_ask(const KnPair *pair, int worker, const KnCheckersPosition *position, KnMove move,
                     KnEndgameAnswer *answer, KnError *error)
{
    KnCheckersPosition next = *position;
    kn_checkers_apply(&next, move, 0);
    KnEndgameProber *prober = pair->probers[worker];
    if (!kn_endgame_ask(prober, &next, answer)) {
        const char *fault = kn_endgame_prober_fault(prober);
        return kn_fail(error, KN_INPUT, "%s",
                       fault[0] ? fault
                                : "a smaller endgame table is missing; build with fewer --pieces first");
    }
    /* Without distances, as if it ended here: lost at once, won by the next move. */
    if (pair->kind == KN_ENDGAME_WLD) answer->plies = answer->value > 0;
    if (answer->plies >= KN_WORD_DRAWN)
        return kn_fail(error, KN_SYSTEM, "a win of %d plies is longer than tables hold", answer->plies);
    return KN_OK;
}

KnStatus kn_pair_capture_word(const KnPair *pair, int worker, const KnCheckersPosition *position,
                              const KnMove *moves, int count, uint16_t *word, KnError *error)
{
    int win = 0, loss = 0;
    bool draw = false;
    for (int i = 0; i < count; i++) {
        KnEndgameAnswer after;
        KnStatus status = kn_pair_ask(pair, worker, position, moves[i], &after, error);
        if (status != KN_OK) return status;
        if (after.value < 0 && (!win || after.plies + 1 < win)) win = after.plies + 1;
        if (after.value > 0 && after.plies + 1 > loss) loss = after.plies + 1;
        draw = draw || after.value == 0;
    }
    *word = (uint16_t)(KN_WORD_TAKES | (win ? win + 1 : draw ? 0 : loss + 1));
    return KN_OK;
}

/* The word with which a position begins. */
static KnStatus first_word(const KnPair *pair, int worker, const KnCheckersPosition *position, uint16_t *word,
                           KnError *error)
{
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = kn_checkers_generate(position, moves), inside = 0, win = 0, loss = 0;
    *word = 1; /* lost at once */
    if (count == 0) return KN_OK;
    if (kn_checkers_taken(moves[0]))
        return kn_pair_capture_word(pair, worker, position, moves, count, word, error);
    bool draw = false;
    for (int i = 0; i < count; i++) {
        uint32_t change = kn_checkers_change(moves[i]);
        if (change & position->kings || !(change & ROW(7))) {
            inside++;
            continue;
        }
        KnEndgameAnswer after;
        KnStatus status = kn_pair_ask(pair, worker, position, moves[i], &after, error);
        if (status != KN_OK) return status;
        if (after.value < 0 && (!win || after.plies + 1 < win)) win = after.plies + 1;
        if (after.value > 0 && after.plies > loss) loss = after.plies;
        draw = draw || after.value == 0;
    }
    if (win)
        *word = (uint16_t)(win + 1); /* perhaps there is a shorter one inside */
    else if (inside)
        *word = (uint16_t)(KN_WORD_OPEN | inside * KN_WORD_ONE | (draw ? KN_WORD_DRAWN : loss));
    else
        *word = (uint16_t)(draw ? 0 : loss + 2);
    return KN_OK;
}

static KnStatus look_forwards(KnPair *pair, int worker, int s, uint32_t first, uint32_t end, KnError *error)
{
    KnPairSlice *slice = &pair->slice[s];
    for (uint32_t row = first; row < end; row++) {
        KnPairRow r = kn_pair_row(slice, row);
        uint16_t *words = slice->words + r.first;
        uint32_t taken = r.men | r.other_men | r.kings;
        for (uint32_t i = 0; i < slice->other_kings; i++) {
            uint32_t others = slice->other_kings_of[i];
            words[i] = KN_WORD_NONE;
            if (r.empty || others & taken) continue;
            KnCheckersPosition position = {
                {r.men | r.kings, r.other_men | others}, r.kings | others, 0, KN_CHECKERS_BLACK};
            KnStatus status = first_word(pair, worker, &position, &words[i], error);
            if (status != KN_OK) return status;
        }
    }
    kn_progress_tick(pair->progress, (uint64_t)(end - first) * slice->other_kings);
    return KN_OK;
}

/* ---- Backwards ---- */

enum { WAITING = 512, MOST_BEFORE = 32 };

/* Predecessors to update, queued so that prefetching has time to bring their words into the cache. */
typedef struct UpdateQueue {
    uint16_t *words;
    uint32_t numbers[WAITING];
    int count, plies;
} UpdateQueue;

typedef struct Sweep {
    KnPair *pair;
    int plies;
    uint32_t chunks[2];
    int *farthest; /* plies decided so far, by worker */
    UpdateQueue *queues;
} Sweep;

/* A position before a loss in this many plies is won. */
static void update_before_loss(uint16_t *words, uint32_t number, int plies)
{
    uint16_t word = __atomic_load_n(&words[number], __ATOMIC_RELAXED), wins = (uint16_t)(plies + 2);
    if (word & KN_WORD_OPEN || (!(word & KN_WORD_TAKES) && word > wins))
        __atomic_store_n(&words[number], wins, __ATOMIC_RELAXED);
}

/* In a position before a win, one more move fails; returns the plies of the loss if it was the
 * last one. */
static int update_before_win(uint16_t *words, uint32_t number, int plies)
{
    uint16_t word = __atomic_load_n(&words[number], __ATOMIC_RELAXED);
    if (!(word & KN_WORD_OPEN) || (word & KN_WORD_DRAWN) == KN_WORD_DRAWN) return 0;
    word = __atomic_fetch_sub(&words[number], KN_WORD_ONE, __ATOMIC_RELAXED);
    if ((word & ~KN_WORD_OPEN) >= 2 * KN_WORD_ONE) return 0;
    int promoted = word & KN_WORD_DRAWN, loss = (promoted > plies ? promoted : plies) + 1;
    __atomic_store_n(&words[number], (uint16_t)(loss + 1), __ATOMIC_RELAXED);
    return loss;
}

static int apply_updates(UpdateQueue *queue)
{
    int farthest = 0, plies = queue->plies;
    if (plies % 2 == 0) {
        for (int i = 0; i < queue->count; i++) update_before_loss(queue->words, queue->numbers[i], plies);
        farthest = queue->count ? plies + 1 : 0;
    } else {
        for (int i = 0; i < queue->count; i++) {
            int loss = update_before_win(queue->words, queue->numbers[i], plies);
            if (loss > farthest) farthest = loss;
        }
    }
    queue->count = 0;
    return farthest;
}

static inline void gather(UpdateQueue *queue, uint32_t number)
{
    __builtin_prefetch(&queue->words[number], 1);
    queue->numbers[queue->count++] = number;
}

/* What a position's predecessors have in common: the other side moved one of its pieces, all else stood as it
 * stands. */
typedef struct Before {
    const KnRanks *ranks;
    uint32_t men_scale, kings_scale; /* what a step of the rank of the men, of the kings, is worth */
    uint32_t base_for_men, base_for_kings;
} Before;

static inline __attribute__((always_inline)) void men_before(const Before *b, UpdateQueue *queue,
                                                             uint32_t men, uint32_t empty, int way)
{
    for (uint32_t to = kn_checkers_step(men, way) & empty; to; to &= to - 1) {
        uint32_t at = to & -to, moved = men ^ at ^ kn_checkers_step(at, way ^ 2);
        gather(queue, b->base_for_men + b->men_scale * kn_rank(b->ranks->men, kn_checkers_turn(moved)));
    }
}

static inline __attribute__((always_inline)) void kings_before(const Before *b, UpdateQueue *queue,
                                                               uint32_t kings, uint32_t empty, int way)
{
    for (uint32_t to = kn_checkers_step(kings, way) & empty; to; to &= to - 1) {
        uint32_t at = to & -to, moved = kings ^ at ^ kn_checkers_step(at, way ^ 2);
        gather(queue, b->base_for_kings + b->kings_scale * kn_rank(b->ranks->kings, kn_checkers_turn(moved)));
    }
}

/* Gathers the numbers of all positions from which the other side could have moved here inside the pair: men
 * go back down, since white's go up. */
static void find_before(const KnPairSlice *slice, const KnRanks *ranks, uint32_t number, UpdateQueue *queue)
{
    KnPairRow r = kn_pair_row(slice, number / slice->other_kings);
    uint32_t others = slice->other_kings_of[number % slice->other_kings];
    uint32_t empty = ~(r.men | r.kings | r.other_men | others);
    uint32_t mine = kn_rank(ranks->kings, kn_checkers_turn(r.kings)),
             theirs = kn_rank(ranks->kings, kn_checkers_turn(others));
    Before b = {.ranks = ranks, .kings_scale = slice->kings};
    b.men_scale = slice->men * slice->other_kings * slice->kings;
    b.base_for_men = (r.men_rank * slice->other_kings + theirs) * slice->kings + mine;
    b.base_for_kings = (r.other_men_rank * slice->men + r.men_rank) * slice->other_kings * slice->kings +
                       mine;
    if (r.other_men) {
        men_before(&b, queue, r.other_men, empty, DOWN_LEFT);
        men_before(&b, queue, r.other_men, empty, DOWN_RIGHT);
    }
    if (others) {
        kings_before(&b, queue, others, empty, DOWN_LEFT);
        kings_before(&b, queue, others, empty, DOWN_RIGHT);
        kings_before(&b, queue, others, empty, UP_LEFT);
        kings_before(&b, queue, others, empty, UP_RIGHT);
    }
}

/* Whether one of 64 words has this code, four at a time: a sweep looks at every word, and finds few. Others
 * may be writing meanwhile, but never this code, and never over it. */
static bool any_equal(const uint16_t *words, uint16_t code)
{
    typedef uint64_t __attribute__((may_alias)) Four;
    const uint64_t ones = 0x0001000100010001u, mask = ones * (uint16_t)~KN_WORD_TAKES, wanted = ones * code;
    uint64_t found = 0;
    for (int i = 0; i < 64; i += 4) {
        uint64_t differing =
            (__atomic_load_n((const Four *)(const void *)(words + i), __ATOMIC_RELAXED) & mask) ^ wanted;
        found |= (differing - ones) & ~differing & ones << 15; /* some quarter is zero */
    }
    return found != 0;
}

static KnStatus sweep_chunk(void *user, int worker, uint64_t index, KnError *error)
{
    (void)error;
    Sweep *sweep = user;
    KnPair *pair = sweep->pair;
    int s = index >= sweep->chunks[0];
    if (s) index -= sweep->chunks[0];
    KnPairSlice *slice = &pair->slice[s];
    UpdateQueue *queue = &sweep->queues[worker];
    queue->words = pair->slice[kn_pair_opposite(pair, s)].words;
    queue->count = 0;
    queue->plies = sweep->plies;
    uint32_t first = (uint32_t)index * CHUNK,
             end = slice->numbers - first < CHUNK ? slice->numbers : first + CHUNK;
    uint16_t code = (uint16_t)(sweep->plies + 1);
    int *farthest = &sweep->farthest[worker];
    uint64_t updated = 0;
    for (uint32_t at = first; at < end; at += 64) {
        uint32_t stop = end - at < 64 ? end : at + 64;
        if (stop - at == 64 && !any_equal(slice->words + at, code)) continue;
        for (uint32_t i = at; i < stop; i++) {
            if ((__atomic_load_n(&slice->words[i], __ATOMIC_RELAXED) & ~KN_WORD_TAKES) != code) continue;
            find_before(slice, pair->ranks, i, queue);
            updated++;
            if (queue->count <= WAITING - MOST_BEFORE) continue;
            int far = apply_updates(queue);
            if (far > *farthest) *farthest = far;
        }
    }
    int far = apply_updates(queue);
    if (far > *farthest) *farthest = far;
    kn_progress_tick(pair->progress, updated);
    return KN_OK;
}

/* The plies of the farthest position that was decided at the beginning. */
static int first_farthest(const KnPair *pair)
{
    int farthest = 0;
    for (int s = 0; s < pair->slices; s++) {
        const KnPairSlice *slice = &pair->slice[s];
        for (uint32_t i = 0; i < slice->numbers; i++) {
            int code = slice->words[i] & KN_WORD_CODE;
            if (!(slice->words[i] & KN_WORD_OPEN) && code != CODE_MAX && code - 1 > farthest)
                farthest = code - 1;
        }
    }
    return farthest;
}

static KnStatus spread_backwards(KnPair *pair, KnError *error)
{
    Sweep sweep = {.pair = pair};
    int jobs = kn_jobs(pair->jobs), farthest = first_farthest(pair);
    sweep.farthest = calloc((size_t)jobs, sizeof *sweep.farthest);
    sweep.queues = calloc((size_t)jobs, sizeof *sweep.queues);
    KnStatus status = sweep.farthest && sweep.queues ? KN_OK : kn_fail_memory(error, "solving endgames");
    for (int s = 0; s < pair->slices; s++) sweep.chunks[s] = (pair->slice[s].numbers + CHUNK - 1) / CHUNK;
    for (sweep.plies = 0; status == KN_OK && sweep.plies <= farthest; sweep.plies++) {
        if (sweep.plies + 2 >= CODE_MAX)
            status = kn_fail(error, KN_SYSTEM, "a win of %d plies is longer than tables hold", sweep.plies);
        else
            status = kn_parallel(jobs, (uint64_t)sweep.chunks[0] + sweep.chunks[1], sweep_chunk, &sweep,
                                 pair->cancel, error);
        for (int w = 0; w < jobs; w++)
            if (sweep.farthest && sweep.farthest[w] > farthest) farthest = sweep.farthest[w];
    }
    free(sweep.farthest);
    free(sweep.queues);
    return status;
}

KnStatus kn_pair_solve(KnPair *pair, KnError *error)
{
    for (int s = 0; s < pair->slices; s++) {
        KnPairSlice *slice = &pair->slice[s];
        slice->words = malloc(slice->numbers * sizeof *slice->words);
        if (!slice->words) return kn_fail_memory(error, "solving endgames");
    }
    KnStatus status = kn_pair_each(pair, look_forwards, error);
    return status == KN_OK ? spread_backwards(pair, error) : status;
}
