#include "lab/together/four_view.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = KN_CONNECT_FOUR_COLUMNS * KN_CONNECT_FOUR_ROWS };

KnFourBoard kn_four_view_board(const KnFourView *view, const void *position)
{
    uint8_t cells[KN_LOOK_CELLS];
    int side, phase;
    uint64_t own[2] = {0};
    kn_look_at(&view->look, position, cells, &side, &phase);
    for (int c = 0; c < CELLS; c++)
        if (cells[c]) own[cells[c] - 1] |= 1ull << view->bit[c];
    int mover = __builtin_popcountll(own[0] | own[1]) % 2;
    return (KnFourBoard){own[mover], own[0] | own[1]};
}

KnFourBoard kn_four_view_board_after(const KnFourView *view, const void *position, KnMove move)
{
    const KnGame *game = view->look.game;
    memcpy(view->after, position, game->position_size);
    game->type->play(game, view->after, move);
    return kn_four_view_board(view, view->after);
}

/* Which bit each cell is. The first disc shows which symbol is whose, and which row is the lowest. */
static KnStatus find_bits(KnFourView *view, KnError *error)
{
    uint8_t cells[KN_LOOK_CELLS];
    int side, phase, first = -1;
    double x, y, ground;
    const KnGame *game = view->look.game, *board = view->look.board;
    if (board->cells != CELLS || !board->type->cell_place)
        return kn_fail(error, KN_INPUT, "%s does not show a board of seven columns of six", game->spec);
    KnMove moves[game->max_moves];
    game->type->start(game, view->after);
    game->type->moves(game, view->after, moves);
    game->type->play(game, view->after, moves[0]);
    kn_look_at(&view->look, view->after, cells, &side, &phase);
    for (int c = 0; c < CELLS; c++)
        if (cells[c]) first = c;
    if (first < 0 || cells[first] != 1)
        return kn_fail(error, KN_INPUT, "%s does not show its discs", game->spec);
    board->type->cell_place(board, first, &x, &ground);
    for (int c = 0; c < CELLS; c++) {
        board->type->cell_place(board, c, &x, &y);
        int row = (int)(ground > 0 ? ground - y : y);
        view->bit[c] = (KN_CONNECT_FOUR_ROWS + 1) * (int)x + row;
    }
    return KN_OK;
}

KnStatus kn_four_view_open(const KnGame *game, KnFourView *view, KnError *error)
{
    KnStatus status = kn_look_open(game, 0, &view->look, error);
    if (status != KN_OK) return status;
    view->after = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    return view->after ? find_bits(view, error) : kn_fail_memory(error, "perfect play");
}

void kn_four_view_close(KnFourView *view)
{
    kn_look_close(&view->look);
    free(view->after);
}
