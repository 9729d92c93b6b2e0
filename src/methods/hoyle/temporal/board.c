#include "methods/hoyle/temporal/board.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

#include "base/assert.h"

enum { GAMES = 200, PLIES = 80 };

KnStatus kn_temporal_suits(const KnGame *game, KnError *error)
{
    KnStatus status = kn_board_view_suits(game, error);
    if (status == KN_OK && game->cells > KN_TEMPORAL_CELLS)
        return kn_fail(error, KN_INPUT, "needs a board of at most %d cells; this one has %d",
                       KN_TEMPORAL_CELLS, game->cells);
    return status;
}

KnAction kn_temporal_action(const KnTemporalBoard *board, const void *position, KnMove move)
{
    KnAction action = kn_board_view_action(board->view, position, move);
    if (!board->names_taken) action.taken = KN_NO_CELL;
    return action;
}

KnAction kn_temporal_board_transform(const KnTemporalBoard *board, int symmetry, KnAction action)
{
    KN_ASSERT(symmetry >= 0 && symmetry < board->symmetries);
    return kn_action_abstract(action) ? action
                                      : kn_board_view_transform_action(board->view, symmetry, action);
}

static KnStatus find_links(KnTemporalBoard *b, KnError *error)
{
    const KnGame *game = b->view->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove *moves = malloc((size_t)game->max_moves * sizeof *moves);
    if (!moves) return kn_fail_memory(error, "looking at a board");
    for (int i = 0; i < GAMES; i++) {
        KnRng rng = kn_rng_stream(0x7e3d0a1, (uint64_t)i);
        game->type->start(game, position);
        for (int ply = 0; ply < PLIES; ply++) {
            int count = game->type->moves(game, position, moves);
            if (!count) break;
            for (int m = 0; m < count; m++) {
                KnAction a = kn_board_view_action(b->view, position, moves[m]);
                if (a.from >= 0 && a.to >= 0) b->linked[a.from * b->cells + a.to] = 1;
            }
            game->type->play(game, position, moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
    }
    free(moves);
    return KN_OK;
}

/* A game with several kinds of men for a side is seen with the first kind only: patterns hold any symbol,
 * abstracted moves that one. */
static KnStatus find_men(KnTemporalBoard *b, KnError *error)
{
    for (int role = 0; role < 2; role++) {
        int symbol = 1;
        while (symbol < b->symbols && b->view->owner[symbol] != role) symbol++;
        if (symbol == b->symbols)
            return kn_fail(error, KN_INPUT,
                           "whose men stand on the board of %s could not be found out by playing",
                           b->view->game->spec);
        b->men[role] = (uint8_t)symbol;
    }
    return KN_OK;
}

KnStatus kn_temporal_board_open(const KnBoardView *view, KnTemporalBoard **out, KnError *error)
{
    *out = NULL;
    KnStatus status = kn_temporal_suits(view->game, error);
    if (status != KN_OK) return status;
    KnTemporalBoard *b = calloc(1, sizeof *b);
    if (b)
        *b = (KnTemporalBoard){
            .view = view, .cells = view->cells, .symbols = view->symbols, .symmetries = view->symmetries};
    if (b) b->linked = calloc((size_t)view->cells, (size_t)view->cells);
    if (!b || !b->linked) status = kn_fail_memory(error, "looking at a board");
    if (status == KN_OK) status = find_men(b, error);
    if (status == KN_OK && view->slides) status = find_links(b, error);
    if (status == KN_OK)
        *out = b;
    else
        kn_temporal_board_close(b);
    return status;
}

void kn_temporal_board_close(KnTemporalBoard *board)
{
    if (!board) return;
    free(board->linked);
    free(board);
}

void kn_temporal_action_text(const KnTemporalBoard *board, KnAction action, KnText *out)
{
    if (kn_action_abstract(action))
        kn_text_add_char(out, '*');
    else
        kn_action_text(board->view, action, out);
}

KnStatus kn_temporal_action_parse(const KnTemporalBoard *board, const char *text, KnAction *action,
                                  KnError *error)
{
    if (strcmp(text, "*") != 0) return kn_action_parse(board->view, text, action, error);
    *action = kn_abstract_action();
    return KN_OK;
}
