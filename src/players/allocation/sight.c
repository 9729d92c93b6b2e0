/* Looking at a position with the columns of a view. A decision comes before every search and must cost next
 * to nothing beside it; so what is computed from the board beyond the game's own features waits until a tree
 * asks for it. */
#include "players/allocation/view.h"

#include <math.h>
#include <string.h>

/* A found win is worth as much as the greatest guess that is told apart; learners need numbers of one size.
 */
static double tame(KnScore score)
{
    enum { LIMIT = 10000 };
    return score > LIMIT ? LIMIT : score < -LIMIT ? -LIMIT : score;
}

/* The evaluation of what a move leads to, for who makes it. */
static double after(const KnView *view, const void *position, int role, KnMove move)
{
    const KnGame *game = view->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    memcpy(next, position, game->position_size);
    game->type->play(game, next, move);
    KnScore score = kn_evaluate(view->evaluation, next);
    return tame(game->type->mover(game, next) == role ? score : -score);
}

static void fill_general(const KnView *view, const KnViewOf *of, double *out)
{
    const void *position = of->position;
    int role = of->role, count = of->count;
    const KnGame *game = view->game;
    double own = game->type->material ? game->type->material(game, position, role) : 0;
    double their = game->type->material ? game->type->material(game, position, 1 - role) : 0;
    out[KN_GENERAL_MOVES] = count;
    out[KN_GENERAL_LEAD] = own - their;
    out[KN_GENERAL_MATERIAL] = own + their;
    out[KN_GENERAL_PHASE] = game->type->phase ? game->type->phase(game, position) : 0;
    out[KN_GENERAL_EVALUATION] = tame(kn_evaluate(view->evaluation, position));
    double best = -1e9, worst = 1e9, ties = 0;
    for (int i = 0; i < count; i++) {
        double value = after(view, position, role, of->moves[i]);
        if (value > best) ties = 0;
        if (value >= best) ties++, best = value;
        if (value < worst) worst = value;
    }
    out[KN_GENERAL_BEST] = count ? best : 0;
    out[KN_GENERAL_SPREAD] = count ? best - worst : 0;
    out[KN_GENERAL_TIES] = ties;
}

/* ---- looking ---- */

/* What was seen so far; the arrays have room for all that the view's columns may ask. */
typedef struct Sight {
    const KnView *view;
    const KnViewOf *of;
    double *own, *general, *terms;
    uint8_t *cells;
    uint64_t *windows; /* of the matcher */
    bool seen[KN_COLUMN_SOURCES];
} Sight;

/* Everything that columns of this source need. */
static void see(Sight *sight, KnColumnSource from)
{
    const KnView *view = sight->view;
    const KnViewOf *of = sight->of;
    const KnGame *game = view->game;
    sight->seen[from] = true;
    if (from == KN_FROM_GAME) game->type->feature_values(game, of->position, of->role, sight->own);
    if (from == KN_FROM_GENERAL) fill_general(view, of, sight->general);
    if (from == KN_FROM_TERMS) view->terms->values(game, of->position, sight->terms);
    if (from == KN_FROM_CELLS) kn_ground_board(view->ground, game, of->position, of->role, sight->cells);
    if (from == KN_FROM_PATTERN) {
        if (!sight->seen[KN_FROM_CELLS]) see(sight, KN_FROM_CELLS);
        kn_pattern_matcher_look(view->matcher, sight->cells, sight->windows);
    }
}

static double tell(void *context, int column)
{
    Sight *sight = context;
    const KnView *view = sight->view;
    KnColumnSource from = view->columns[column].from;
    int index = view->columns[column].index;
    if (!sight->seen[from]) see(sight, from);
    switch (from) {
    case KN_FROM_GAME:
        return sight->own[index];
    case KN_FROM_GENERAL:
        return sight->general[index];
    case KN_FROM_PATTERN:
        return kn_pattern_matcher_find(view->matcher, sight->cells, sight->windows, index);
    case KN_FROM_CELLS:
        return sight->cells[index];
    case KN_FROM_BASE:
        return sight->of->entry ? sight->of->entry[index] : 0;
    case KN_FROM_TERMS:
        return sight->terms[index];
    default:
        return sight->of->made;
    }
}

/* Without a tree all values, else those that cost nothing or are always asked for, and with them its leaf. */
static int look(const KnView *view, const KnViewOf *of, const KnTree *tree, double *values)
{
    int features = view->game->feature_count;
    double own[features + 2], general[KN_GENERAL_COLUMNS], terms[view->terms ? view->terms->count : 1];
    uint8_t cells[view->ground ? view->ground->cells : 1];
    uint64_t windows[view->matcher ? kn_pattern_matcher_words(view->matcher) : 1];
    Sight sight = {.view = view,
                   .of = of,
                   .own = own,
                   .general = general,
                   .terms = terms,
                   .cells = cells,
                   .windows = windows};
    if (!tree) {
        for (int c = 0; c < view->count; c++) values[c] = tell(&sight, c);
        return 0;
    }
    if (view->needs[KN_FROM_GAME]) see(&sight, KN_FROM_GAME);
    own[features] = of->made;
    own[features + 1] = (double)NAN;
    for (int c = 0; c < view->count; c++) values[c] = own[view->columns[c].first];
    return kn_tree_leaf_told(tree, values, tell, &sight);
}

void kn_view_fill(const KnView *view, const KnViewOf *of, double *values) { look(view, of, NULL, values); }

int kn_view_leaf(const KnView *view, const KnTree *tree, const KnViewOf *of)
{
    double values[view->count];
    return look(view, of, tree, values);
}
