/* Checks a solved pair: the value of each position must follow from the values after its moves, by the rules
 * and not by the way it was found. Distances strictly fall along the moves that prove a win or a loss, so a
 * cycle of positions cannot support itself. */
#include <stdlib.h>

#include "jobs/parallel.h"
#include "games/checkers/endgame_pair.h"

/* What the successors of a position say. */
typedef struct Verdict {
    int win, loss; /* plies plus one, 0: none */
    bool draw;
} Verdict;

static void add_after(Verdict *verdict, int value, int plies)
{
    if (value < 0 && (!verdict->win || plies + 2 < verdict->win)) verdict->win = plies + 2;
    if (value > 0 && plies + 2 > verdict->loss) verdict->loss = plies + 2;
    verdict->draw = verdict->draw || value == 0;
}

static void add_word(Verdict *verdict, uint16_t word)
{
    int code = word & KN_WORD_OPEN ? 0 : word & KN_WORD_CODE;
    add_after(verdict, !code ? 0 : code % 2 ? -1 : 1, code - 1);
}

/* The number of the position that a quiet move leads to: the other slice's, in which mover and other have
 * changed places. */
static uint32_t number_after(const KnPair *pair, const KnPairSlice *slice, const KnPairRow *r,
                             uint32_t theirs, uint32_t men, uint32_t kings)
{
    uint32_t number = r->other_men_rank * slice->men + kn_rank(pair->ranks->men, men);
    return (number * slice->other_kings + theirs) * slice->kings +
           kn_rank(pair->ranks->kings, kn_checkers_turn(kings));
}

static KnStatus right_word(const KnPair *pair, int worker, int s, const KnPairRow *r,
                           const KnCheckersPosition *position, uint16_t *word, KnError *error)
{
    const KnPairSlice *slice = &pair->slice[s], *after_slice = &pair->slice[kn_pair_opposite(pair, s)];
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = kn_checkers_generate(position, moves);
    *word = 1;
    if (!count) return KN_OK;
    if (kn_checkers_taken(moves[0]))
        return kn_pair_capture_word(pair, worker, position, moves, count, word, error);
    Verdict verdict = {0};
    uint32_t theirs = kn_rank(pair->ranks->kings, kn_checkers_turn(position->pieces[1] & position->kings));
    for (int i = 0; i < count; i++) {
        uint32_t change = kn_checkers_change(moves[i]);
        bool king = change & position->kings;
        if (!king && change & ROW(7)) {
            KnEndgameAnswer after;
            KnStatus status = kn_pair_ask(pair, worker, position, moves[i], &after, error);
            if (status != KN_OK) return status;
            add_after(&verdict, after.value, after.plies);
        } else {
            uint32_t number = number_after(pair, slice, r, theirs, king ? r->men : r->men ^ change,
                                           king ? r->kings ^ change : r->kings);
            add_word(&verdict, after_slice->words[number]);
        }
    }
    *word = (uint16_t)(verdict.win ? verdict.win : verdict.draw ? 0 : verdict.loss);
    return KN_OK;
}

static void count_word(KnPairCounts *counts, uint16_t word)
{
    unsigned code = word & KN_WORD_CODE;
    counts->positions++;
    if (!code)
        counts->draws++;
    else if (code % 2)
        counts->losses++;
    else
        counts->wins++;
    if (code && code - 1 > counts->longest) counts->longest = code - 1;
}

static KnStatus wrong(const KnCheckersPosition *position, uint16_t word, uint16_t right, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    kn_checkers_position_text(NULL, position, &text);
    kn_fail(error, KN_NO,
            "%s is wrong: %d where its successors say %d; this is a mistake of the program or of the machine",
            text.data, word & KN_WORD_OPEN ? 0 : word, right);
    kn_text_free(&text);
    return KN_NO;
}

static KnStatus verify_rows(KnPair *pair, int worker, int s, uint32_t first, uint32_t end, KnError *error)
{
    KnPairSlice *slice = &pair->slice[s];
    KnPairCounts counts = {0};
    for (uint32_t row = first; row < end; row++) {
        KnPairRow r = kn_pair_row(slice, row);
        const uint16_t *words = slice->words + r.first;
        uint32_t taken = r.men | r.other_men | r.kings;
        for (uint32_t i = 0; !r.empty && i < slice->other_kings; i++) {
            uint32_t others = slice->other_kings_of[i];
            if (others & taken) continue;
            KnCheckersPosition position = {
                {r.men | r.kings, r.other_men | others}, r.kings | others, 0, KN_CHECKERS_BLACK};
            uint16_t word = words[i] & KN_WORD_OPEN ? 0 : words[i], right;
            KnStatus status = right_word(pair, worker, s, &r, &position, &right, error);
            if (status != KN_OK) return status;
            if (word != right) return wrong(&position, word, right, error);
            count_word(&counts, word);
        }
    }
    KnPairCounts *sum = &slice->counts;
    __atomic_fetch_add(&sum->positions, counts.positions, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum->wins, counts.wins, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum->draws, counts.draws, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum->losses, counts.losses, __ATOMIC_RELAXED);
    uint64_t longest = __atomic_load_n(&sum->longest, __ATOMIC_RELAXED);
    while (counts.longest > longest &&
           !__atomic_compare_exchange_n(&sum->longest, &longest, counts.longest, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    kn_progress_tick(pair->progress, (uint64_t)(end - first) * slice->other_kings);
    return KN_OK;
}

KnStatus kn_pair_verify(KnPair *pair, KnError *error)
{
    for (int s = 0; s < pair->slices; s++) pair->slice[s].counts = (KnPairCounts){0};
    return kn_pair_each(pair, verify_rows, error);
}
