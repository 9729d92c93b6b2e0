#include "cli/bench_sequences.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "methods/hoyle/temporal/advisors.h"

enum { ADVISORS = 2400, BOARDS = 4096, PLIES = 60 };

/* Boards from random play, one after the other. */
static void random_boards(const KnTemporalBoard *board, uint8_t (*cells)[KN_TEMPORAL_CELLS], KnMove *moves)
{
    const KnGame *game = board->view->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnRng rng = kn_rng_seeded(1);
    int ply = PLIES;
    for (int i = 0; i < BOARDS; i++) {
        if (ply++ == PLIES) game->type->start(game, position), ply = 0;
        kn_board_view_cells(board->view, position, cells[i]);
        int count = game->type->moves(game, position, moves);
        if (count)
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        else
            ply = PLIES;
    }
}

/* Contexts as they are learned: what three boards of about the same age have in common. */
static KnStatus make_advisors(const KnTemporalBoard *board, uint8_t (*cells)[KN_TEMPORAL_CELLS],
                              KnAdvisors *advisors, KnError *error)
{
    KnRng rng = kn_rng_seeded(2);
    KnStatus status = KN_OK;
    while (kn_advisors_count(advisors) < ADVISORS && status == KN_OK) {
        uint8_t context[KN_TEMPORAL_CELLS];
        uint32_t first = kn_rng_below(&rng, BOARDS - 2 * (PLIES + 1));
        memcpy(context, cells[first], sizeof context);
        for (uint32_t other = 1; other < 3; other++)
            kn_pattern_meet(context, cells[first + other * (PLIES + 1)], board->cells);
        KnSequence sequence;
        memset(&sequence, 0, sizeof sequence);
        sequence.length = 1;
        sequence.actions[0] = (KnAction){KN_NO_CELL, (int16_t)kn_rng_below(&rng, (uint32_t)board->cells),
                                         KN_NO_CELL};
        status = kn_advisors_add(advisors, context, &sequence, false, 1, NULL, error);
    }
    return status == KN_OK ? kn_advisors_ready(advisors, 0, error) : status;
}

static KnStatus match_all(const KnTemporalBoard *board, int positions, uint64_t *units, KnDigest *digest,
                          KnError *error)
{
    uint8_t(*cells)[KN_TEMPORAL_CELLS] = calloc(BOARDS, sizeof *cells);
    KnMove *moves = malloc((size_t)board->view->game->max_moves * sizeof *moves);
    KnAdvisors *advisors = kn_advisors_new(board);
    KnInstance *found = NULL;
    KnStatus status = cells && moves && advisors ? KN_OK : kn_fail_memory(error, "matching Advisors");
    if (status == KN_OK) {
        random_boards(board, cells, moves);
        status = make_advisors(board, cells, advisors, error);
    }
    if (status == KN_OK && !(found = malloc((kn_advisors_room(advisors) + 1) * sizeof *found)))
        status = kn_fail_memory(error, "matching Advisors");
    uint64_t hits = 0;
    for (int i = 0; i < positions && status == KN_OK; i++)
        hits += kn_advisors_match(advisors, 0, cells[i % BOARDS], found);
    *units += (uint64_t)positions;
    kn_digest_u64(digest, hits);
    free(found);
    free(cells);
    free(moves);
    kn_advisors_free(advisors);
    return status;
}

KnStatus bench_sequences(const KnGame *game, int positions, uint64_t *units, KnDigest *digest, KnError *error)
{
    KnBoardView *view = NULL;
    KnTemporalBoard *board = NULL;
    KnStatus status = kn_board_view_open(game, &view, error);
    if (status == KN_OK) status = kn_temporal_board_open(view, &board, error);
    if (status == KN_OK) status = match_all(board, positions, units, digest, error);
    kn_temporal_board_close(board);
    kn_board_view_close(view);
    return status;
}
