#include "methods/experience/explain.h"

#include <stdlib.h>

#include "players/search_explanation.h"

/* "6 games, 2 distinct", and what those against the opponent of now came to. */
static const char *games_text(KnArena *arena, uint64_t games, uint64_t distinct, uint64_t met,
                              double met_mean)
{
    const char *text = kn_arena_printf(arena, "%llu %s", (unsigned long long)games,
                                       games == 1 ? "game" : "games");
    if (text && distinct < games)
        text = kn_arena_printf(arena, "%s (%llu distinct)", text, (unsigned long long)distinct);
    if (text && met && met < games)
        text = kn_arena_printf(arena, "%s, %llu of them against this opponent with mean %+.1f", text,
                               (unsigned long long)met, met_mean + 0.0);
    return text ? text : "";
}

static int better_first(const void *a, const void *b)
{
    const KnBaseMove *x = *(const KnBaseMove *const *)a, *y = *(const KnBaseMove *const *)b;
    if (x->explored != y->explored) return x->explored ? -1 : 1;
    return (x->value < y->value) - (x->value > y->value);
}

/* Known moves, best for the first player first or last as the mover likes; then how many are new. */
static void tell_moves(const KnRequest *request, const KnBaseMove *rows, const KnBaseView *view,
                       KnExplanation *group)
{
    KnArena *arena = request->arena;
    const KnBaseMove *sorted[view->count];
    for (int i = 0; i < view->count; i++) sorted[i] = &rows[i];
    qsort(sorted, (size_t)view->count, sizeof *sorted, better_first);
    KnExplanation *known = kn_explanation_group(arena, group, "known moves");
    for (int i = 0; i < view->explored; i++) {
        const KnBaseMove *row = sorted[request->role == 0 ? i : view->explored - 1 - i];
        double sign = request->role == 0 ? 1 : -1;
        kn_explanation_text(
            arena, known, kn_game_move_name(request->game, request->position, row->move, arena),
            kn_arena_printf(arena, "value %+g, mean %+.1f of %s; %llu %s", sign * row->value + 0.0,
                            sign * row->mean + 0.0,
                            games_text(arena, row->games, row->distinct, row->met, sign * row->met_mean),
                            (unsigned long long)row->paths, row->paths == 1 ? "path" : "paths"));
    }
    KnText fresh = KN_TEXT_EMPTY;
    for (int i = view->explored; i < view->count; i++) {
        if (fresh.length) kn_text_add_char(&fresh, ' ');
        request->game->type->move_text(request->game, request->position, sorted[i]->move, &fresh);
    }
    if (fresh.length) kn_explanation_text(arena, group, "unexplored", fresh.data);
    kn_text_free(&fresh);
}

void kn_explain_experience(const KnRequest *request, const KnBaseMove *rows, const KnBaseView *view,
                           const char *how, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (!answer->explanation)
        answer->explanation = kn_explanation_new(arena, kn_arena_printf(arena, "%s: %s", move, how));
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, "experience");
    kn_explanation_text(arena, group, "decision", how);
    if (!view->known) {
        kn_explanation_text(arena, group, "position", "never met");
        return;
    }
    double sign = request->role == 0 ? 1 : -1;
    kn_explanation_text(
        arena, group, "position",
        kn_arena_printf(arena, "met in %s, %llu %s below it; value %+g for the mover, mean %+.1f",
                        games_text(arena, view->games, view->distinct, view->met, sign * view->met_mean),
                        (unsigned long long)view->paths, view->paths == 1 ? "path" : "paths",
                        sign * view->value + 0.0, sign * view->mean + 0.0));
    if (view->explored || view->count) tell_moves(request, rows, view, group);
    if (view->leaf != KN_MOVE_NONE) {
        KnText score = KN_TEXT_EMPTY;
        kn_score_text(view->leaf_score, &score);
        kn_explanation_text(
            arena, group, "best unexplored",
            kn_arena_printf(arena, "%s, searched %d %s deep: %s",
                            kn_game_move_name(request->game, request->position, view->leaf, arena),
                            view->leaf_depth, view->leaf_depth == 1 ? "ply" : "plies", score.data));
        kn_text_free(&score);
    }
}
