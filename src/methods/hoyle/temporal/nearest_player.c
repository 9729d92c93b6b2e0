/* SeqLearner by nearest contexts: of the moves that do not lose within two plies, the one whose board is
 * known or nearest to what was safe. */
#include <string.h>

#include "methods/hoyle/temporal/seqlearner.h"

/* How a game that is over ended for a role: 1, 0, -1; 2: it goes on. `moves` is scratch. */
static int ending(const KnGame *game, const void *position, int role, KnMove *moves, int *count)
{
    double payoffs[KN_ROLES_MAX], middle = (game->payoff_low + game->payoff_high) / 2;
    *count = game->type->moves(game, position, moves);
    if (*count) return 2;
    game->type->payoffs(game, position, payoffs);
    return payoffs[role] > middle ? 1 : payoffs[role] < middle ? -1 : 0;
}

/* Excludes moves that lose immediately or to the next reply, unless all do. Returns a move that wins
 * immediately, or -1. */
static int look_ahead(const KnSeqPlayer *p, const KnRequest *request, bool *barred, double *home)
{
    const KnGame *game = request->game;
    unsigned char next[game->position_size] __attribute__((aligned(16))),
        last[game->position_size] __attribute__((aligned(16)));
    KnMove replies[game->max_moves], ignored[game->max_moves];
    uint8_t cells[KN_TEMPORAL_CELLS];
    int count, none, left = 0;
    for (int i = 0; i < request->allowed_count; i++) {
        memcpy(next, request->position, game->position_size);
        game->type->play(game, next, request->allowed[i]);
        int end = ending(game, next, request->role, replies, &count);
        if (end == 1) return i;
        barred[i] = end == -1;
        home[i] = 0;
        for (int r = 0; r < count && !barred[i]; r++) {
            memcpy(last, next, game->position_size);
            game->type->play(game, last, replies[r]);
            int then = ending(game, last, request->role, ignored, &none);
            barred[i] = then == -1;
            kn_board_view_cells(p->learner->board->view, last, cells);
            home[i] += then == 2 ? (double)kn_nearest_home(p->nearest, request->role, cells) / count : 0;
        }
        left += !barred[i];
    }
    if (!left) memset(barred, 0, (size_t)request->allowed_count * sizeof *barred);
    return -1;
}

static void tell(const KnSeqPlayer *p, const KnRequest *request, KnAnswer *answer, const KnNearness *verdict)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!verdict) {
        answer->explanation = kn_explanation_new(arena, kn_arena_printf(arena, "%s: wins at once", move));
        return;
    }
    if (verdict->from_safe > p->learner->board->cells) {
        answer->explanation = kn_explanation_new(
            arena, kn_arena_printf(arena, "%s: at random, since nothing was learned", move));
        return;
    }
    const char *why =
        verdict->from_safe
            ? kn_arena_printf(arena, "its board is %d cells away from one that was safe", verdict->from_safe)
            : kn_arena_printf(arena, "its board was reached %u times and never in a game that was lost soon",
                              verdict->safe);
    answer->explanation = kn_explanation_new(arena, kn_arena_printf(arena, "%s: %s", move, why));
    const KnAdvisor *pair = kn_advisors_at(p->learner->advisors, verdict->pair);
    KnText text = KN_TEXT_EMPTY;
    kn_cells_text(p->learner->board->view, pair->context, &text);
    kn_text_add(&text, " then ");
    kn_sequence_text(p->learner->board, &pair->sequences[0], &text);
    kn_explanation_text(arena, answer->explanation, "the pair", kn_arena_string(arena, text.data));
    kn_text_free(&text);
}

KnStatus kn_seqplayer_nearest(KnSeqPlayer *p, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const KnTemporalBoard *board = p->learner->board;
    int count = request->allowed_count;
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnAction legal[count];
    KnNearness verdicts[count];
    bool barred[count];
    double home[count];
    (void)error;
    kn_board_view_cells(board->view, request->position, cells);
    for (int i = 0; i < count; i++)
        legal[i] = kn_temporal_action(board, request->position, request->allowed[i]);
    p->decisions++;
    int chosen = look_ahead(p, request, barred, home);
    bool wins = chosen >= 0;
    if (!wins) {
        kn_nearest_judge(p->nearest, request->role, cells, legal, count, verdicts);
        for (int i = 0; i < count; i++) verdicts[i].home = home[i];
        chosen = kn_nearest_best(verdicts, barred, count, request->rng);
        p->advised += verdicts[chosen].from_safe <= board->cells;
        p->enforced += verdicts[chosen].safe && !verdicts[chosen].lost;
    }
    answer->move = request->allowed[chosen];
    if (request->wants & KN_WANT_EXPLANATION) tell(p, request, answer, wins ? NULL : &verdicts[chosen]);
    return KN_OK;
}
