/* The values of features in a position. A decision comes before every search and must cost next to nothing
 * beside it, so that what is computed from the board beyond the game's own features waits until the tree
 * asks for it. */
#include "base/assert.h"
#include "methods/allocation/features.h"

#include <math.h>
#include <string.h>

/* Limits proven scores to the largest heuristic score: learners need numbers of one size.
 */
static double tame(KnScore score)
{
    enum { LIMIT = 10000 };
    return score > LIMIT ? LIMIT : score < -LIMIT ? -LIMIT : score;
}

/* The evaluation of what a move leads to, for who makes it. */
static double after(const KnFeatureView *view, const void *position, int role, KnMove move)
{
    const KnGame *game = view->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    memcpy(next, position, game->position_size);
    game->type->play(game, next, move);
    KnScore score = kn_evaluate(view->evaluation, next);
    return tame(game->type->mover(game, next) == role ? score : -score);
}

static void fill_general(const KnFeatureView *view, const KnFeatureSource *of, double *out)
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
typedef struct FeatureCache {
    const KnFeatureView *view;
    const KnFeatureSource *of;
    double *own, *general, *terms;
    uint8_t *cells;
    uint64_t *windows; /* of the matcher */
    bool seen[KN_COLUMN_SOURCES];
} FeatureCache;

/* Everything that columns of this source need. */
static void compute(FeatureCache *cache, KnColumnSource from)
{
    const KnFeatureView *view = cache->view;
    const KnFeatureSource *of = cache->of;
    const KnGame *game = view->game;
    cache->seen[from] = true;
    if (from == KN_FROM_GAME) game->type->feature_values(game, of->position, of->role, cache->own);
    if (from == KN_FROM_GENERAL) fill_general(view, of, cache->general);
    if (from == KN_FROM_TERMS) view->terms->values(game, of->position, cache->terms);
    if (from == KN_FROM_CELLS) kn_pattern_board_fill(view->board, game, of->position, of->role, cache->cells);
    if (from == KN_FROM_PATTERN) {
        if (!cache->seen[KN_FROM_CELLS]) compute(cache, KN_FROM_CELLS);
        kn_pattern_matcher_look(view->matcher, cache->cells, cache->windows);
    }
}

static double tell(void *context, int column)
{
    FeatureCache *cache = context;
    const KnFeatureView *view = cache->view;
    KN_ASSERT(column >= 0 && column < view->count);
    KnColumnSource from = view->columns[column].from;
    int index = view->columns[column].index;
    if (!cache->seen[from]) compute(cache, from);
    switch (from) {
    case KN_FROM_GAME:
        return cache->own[index];
    case KN_FROM_GENERAL:
        return cache->general[index];
    case KN_FROM_PATTERN:
        return kn_pattern_matcher_find(view->matcher, cache->cells, cache->windows, index);
    case KN_FROM_CELLS:
        return cache->cells[index];
    case KN_FROM_BASE:
        return cache->of->entry ? cache->of->entry[index] : 0;
    case KN_FROM_TERMS:
        return cache->terms[index];
    case KN_FROM_SEARCH:
        return cache->of->signals ? cache->of->signals[index] : 0;
    default:
        return cache->of->made;
    }
}

/* Without a tree all values, else those that cost nothing or are always asked for, and with them its leaf. */
static int look(const KnFeatureView *view, const KnFeatureSource *of, const KnTree *tree, double *values)
{
    int features = view->game->feature_count;
    double own[features + 2], general[KN_GENERAL_COLUMNS], terms[view->terms ? view->terms->count : 1];
    uint8_t cells[view->board ? view->board->cells : 1];
    uint64_t windows[view->matcher ? kn_pattern_matcher_words(view->matcher) : 1];
    FeatureCache cache = {.view = view,
                          .of = of,
                          .own = own,
                          .general = general,
                          .terms = terms,
                          .cells = cells,
                          .windows = windows};
    if (!tree) {
        for (int c = 0; c < view->count; c++) values[c] = tell(&cache, c);
        return 0;
    }
    if (view->needs[KN_FROM_GAME]) compute(&cache, KN_FROM_GAME);
    own[features] = of->made;
    own[features + 1] = (double)NAN;
    for (int c = 0; c < view->count; c++) values[c] = own[view->columns[c].first];
    return kn_tree_leaf_lazy(tree, values, tell, &cache);
}

/* Section 3.3: features of a board. */
void kn_feature_view_fill(const KnFeatureView *view, const KnFeatureSource *of, double *values)
{
    look(view, of, NULL, values);
}

int kn_feature_view_leaf(const KnFeatureView *view, const KnTree *tree, const KnFeatureSource *of)
{
    double values[view->count];
    return look(view, of, tree, values);
}
