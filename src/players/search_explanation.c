#include "players/search_explanation.h"

#include <stdlib.h>
#include <string.h>

#include "players/search_words.h"

/* No evaluation in men comes near this; what lies beyond it is a payoff, spread over +-KN_SCORE_PAYOFF. */
enum { BEYOND_MEN = 1000000 };

void kn_score_text(KnScore score, KnText *out)
{
    if (score >= KN_SCORE_PROVEN)
        kn_text_printf(out, "wins in %d", KN_SCORE_WIN - score);
    else if (score <= -KN_SCORE_PROVEN)
        kn_text_printf(out, "loses in %d", KN_SCORE_WIN + score);
    else if (abs(score) >= KN_SCORE_KNOWN - KN_SCORE_HEURISTIC)
        kn_text_add(out, score > 0 ? "wins by the tables" : "loses by the tables");
    else if (abs(score) > BEYOND_MEN)
        kn_text_printf(out, "%.0f %% of the points", 50 + 50.0 * score / KN_SCORE_PAYOFF);
    else
        kn_text_printf(out, score ? "%+.2f" : "even", score / 100.0);
}

/* The moves of a line in the game's notation; a chance node or a full text ends it. */
static void line_text(const KnGame *game, const void *position, const KnMove *moves, int count, KnText *out)
{
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memcpy(at, position, game->position_size);
    for (int i = 0; i < count; i++) {
        if (i) kn_text_add_char(out, ' ');
        game->type->move_text(game, at, moves[i], out);
        game->type->play(game, at, moves[i]);
    }
}

static int better_first(const void *a, const void *b)
{
    const KnRootMove *x = *(const KnRootMove *const *)a, *y = *(const KnRootMove *const *)b;
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    return (x->score < y->score) - (x->score > y->score);
}

/* A score with its unit; a proven one in words. */
static void tell_score(const KnGame *game, KnScore score, const KnSearchResult *found,
                       const KnEvaluation *evaluation, KnText *out)
{
    double worth;
    const char *unit;
    if (!kn_score_worth(game, score, found->playouts, evaluation, &worth, &unit))
        kn_score_text(score, out);
    else if (unit[0] == '%')
        kn_text_printf(out, "%.1f %s", worth, unit);
    else
        kn_text_printf(out, "%+.2f %s", worth, unit);
}

static void tell_moves(const KnRequest *request, const KnGame *game, const void *position,
                       const KnSearchResult *found, const KnEvaluation *evaluation, KnExplanation *root)
{
    static const char *const bounds[] = {"not searched", "at most", "at least", NULL};
    const KnRootMove *rows[found->root_count];
    for (int i = 0; i < found->root_count; i++) rows[i] = &found->root[i];
    qsort(rows, (size_t)found->root_count, sizeof *rows, better_first);
    KnExplanation *group = kn_explanation_group(request->arena, root, "moves");
    KnText value = KN_TEXT_EMPTY;
    for (int i = 0; i < found->root_count; i++) {
        const KnRootMove *row = rows[i];
        const char *name = kn_game_move_name(game, position, row->move, request->arena);
        kn_text_clear(&value);
        if (bounds[row->bound] && !row->visits) kn_text_printf(&value, "%s ", bounds[row->bound]);
        if (row->bound != KN_BOUND_NONE || row->visits)
            tell_score(game, row->score, found, evaluation, &value);
        if (row->visits)
            kn_text_printf(&value, row->visits == 1 ? ", %llu visit" : ", %llu visits",
                           (unsigned long long)row->visits);
        kn_explanation_text(request->arena, group, name, value.data);
    }
    kn_text_free(&value);
}

/* The parts of an evaluation that has some, where one stands and where the line leads. */
static void tell_evaluation(const KnRequest *request, const KnEvaluation *evaluation, const void *position,
                            const KnSearchResult *found, KnExplanation *root)
{
    if (!evaluation || (found->playouts && !found->judged && !found->guided)) return; /* nobody asked it */
    kn_explanation_text(request->arena, root, "evaluation", evaluation->spec);
    if (!evaluation->explain || !root) return;
    evaluation->explain(evaluation, position, request->role, request->arena,
                        kn_explanation_group(request->arena, root, "evaluation here"));
    if (found->leaf && !kn_game_over(evaluation->game, found->leaf))
        evaluation->explain(evaluation, found->leaf, request->role, request->arena,
                            kn_explanation_group(request->arena, root, "evaluation at the end of the line"));
}

static void tell_counts(KnArena *arena, const KnSearchResult *found, const KnEvaluation *expansion,
                        KnExplanation *root)
{
    if (expansion)
        kn_explanation_text(
            arena, root, "expanded",
            kn_arena_printf(arena, "%llu position%s beyond the horizon, where %s changed; to move %d",
                            (unsigned long long)found->extended, kn_s(found->extended), expansion->spec,
                            found->deepest > found->depth ? found->deepest : found->depth));
    if (found->playouts) kn_explanation_number(arena, root, "random games", (double)found->playouts, "");
    if (found->judged)
        kn_explanation_number(arena, root, "judged by the evaluation", (double)found->judged, "");
    if (found->stored) kn_explanation_number(arena, root, "in memory", (double)found->stored, "positions");
    if (found->solved) kn_explanation_number(arena, root, "proved", (double)found->solved, "positions");
    if (found->assumes) kn_explanation_text(arena, root, "assumes", kn_assumption_words(found->assumes));
}

KnExplanation *kn_explain_search(const KnRequest *request, const KnGame *game, const void *position,
                                 const KnSearchResult *found, const KnEvaluation *evaluation,
                                 const KnEvaluation *expansion)
{
    KnArena *arena = request->arena;
    KnText text = KN_TEXT_EMPTY;
    KnExplanation *root = kn_explanation_new(arena,
                                             kn_search_sentence(request, game, position, found, evaluation));
    if (root && found->pv_length) {
        KnText board = KN_TEXT_EMPTY;
        game->type->position_text(game, position, &board);
        kn_text_clear(&text);
        line_text(game, position, found->pv, found->pv_length, &text);
        kn_explanation_line(arena, root, "line", text.data, board.data);
        if (found->leaf) {
            kn_text_clear(&board);
            game->type->position_text(game, found->leaf, &board);
            kn_explanation_board(arena, root, "leads to", board.data);
        }
        kn_text_free(&board);
    }
    kn_text_free(&text);
    kn_explain_changes(request, game, position, found, evaluation, root);
    tell_evaluation(request, evaluation, position, found, root);
    if (found->depth)
        kn_explanation_number(arena, root, "looked ahead", found->depth, found->depth == 1 ? "ply" : "plies");
    kn_explanation_number(arena, root, "searched", (double)found->nodes,
                          found->nodes == 1 ? "position" : "positions");
    tell_counts(arena, found, expansion, root);
    if (found->stop != KN_STOP_DONE) kn_explanation_text(arena, root, "ended by", kn_stop_name(found->stop));
    if (root) tell_moves(request, game, position, found, evaluation, root);
    return root;
}

KnExplanation *kn_explain_solved(const KnRequest *request, KnMove best, int margin, const int *margins,
                                 uint64_t nodes)
{
    KnArena *arena = request->arena;
    const KnGame *game = request->game;
    int count = request->allowed_count;
    const char *result = margin ? kn_arena_printf(arena, "%s by %d with best play",
                                                  margin > 0 ? "wins" : "loses", abs(margin))
                                : "draws with best play";
    KnExplanation *root = kn_explanation_new(arena, kn_arena_printf(arena, "%s. Counted to the end, it %s.",
                                                                    kn_move_sentence(request, best), result));
    kn_explanation_number(arena, root, "searched", (double)nodes, "positions");
    KnExplanation *group = kn_explanation_group(arena, root, "moves");
    for (int value = margin; margins && value >= -game->cells; value--) /* best first */
        for (int i = 0; i < count; i++)
            if (margins[i] == value)
                kn_explanation_text(arena, group,
                                    kn_game_move_name(game, request->position, request->allowed[i], arena),
                                    kn_arena_printf(arena, "%+d", value));
    return root;
}

void kn_explain_endgame(const KnRequest *request, KnEndgameProber *prober, int pieces, uint64_t known,
                        const char *note, KnExplanation *root)
{
    KnArena *arena = request->arena;
    KnEndgameAnswer answer;
    KnText text = KN_TEXT_EMPTY;
    if (kn_endgame_ask(prober, request->position, &answer)) {
        kn_endgame_answer_text(answer, &text);
        KnExplanation *group = kn_explanation_text(arena, root, "tables", text.data);
        for (int i = 0; i < request->allowed_count; i++) {
            if (!kn_endgame_ask_move(prober, request->position, request->allowed[i], &answer)) continue;
            kn_text_clear(&text);
            kn_endgame_answer_text(answer, &text);
            kn_explanation_text(
                arena, group, kn_game_move_name(request->game, request->position, request->allowed[i], arena),
                text.data);
        }
    } else {
        kn_text_printf(&text, "for up to %d pieces; they knew %llu of the positions searched", pieces,
                       (unsigned long long)known);
        kn_explanation_text(arena, root, "tables", text.data);
    }
    if (note[0]) kn_explanation_text(arena, root, "tables left out", note);
    kn_text_free(&text);
}
