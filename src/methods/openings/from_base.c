/* An opening book out of an experience base: the lines that were played often enough, with the games of each
 * move and the points that they brought to the side that made it. */
#include <math.h>
#include <string.h>

#include "methods/experience/base.h"
#include "methods/experience/move_rule.h"
#include "methods/openings/book.h"

enum { PAGES_MAX = 200000 };

typedef struct Copying {
    KnBase *base;
    const KnGame *game;
    const KnBookPlan *plan;
    KnOpeningBook *book;
    KnText line;
} Copying;

/* Points of a game from 0 to 1, of a mean outcome that the first role sees. */
static double share_of(const KnGame *game, int role, double mean)
{
    double points = (role ? -mean : mean) / kn_rule_max_points(game);
    return (1 + fmin(fmax(points, -1), 1)) / 2;
}

static KnStatus add_page(Copying *c, const void *position, const KnBaseMove *rows, int count,
                         KnOpeningPage **page, KnError *error)
{
    KnMove known[c->game->max_moves];
    int role = c->game->type->mover(c->game, position);
    if (c->book->count == PAGES_MAX)
        return kn_fail(error, KN_INPUT,
                       "more than %d positions; ask for fewer plies or for more games a move", PAGES_MAX);
    for (int i = 0; i < count; i++) known[i] = rows[i].move;
    *page = kn_opening_book_add(c->book, c->line.length ? c->line.data : "", position, known, count);
    if (!*page) return kn_fail_memory(error, "making an opening book");
    for (int i = 0; i < count; i++)
        (*page)->arms[i] = (KnBanditArm){rows[i].games,
                                         (double)rows[i].games * share_of(c->game, role, rows[i].mean)};
    return KN_OK;
}

/* The position after c->line, and what follows from it. */
static KnStatus copy_below(Copying *c, const void *position, int ply, KnError *error)
{
    const KnGame *game = c->game;
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnBaseView view;
    KnOpeningPage *page;
    int count = game->type->moves(game, position, moves), kept = 0;
    KnStatus status = kn_base_look(c->base, position, moves, count, rows, &view, error);
    for (int i = 0; i < count && status == KN_OK; i++)
        if (rows[i].explored && rows[i].games >= c->plan->least) rows[kept++] = rows[i];
    if (status != KN_OK || !kept) return status;
    status = add_page(c, position, rows, kept, &page, error);
    for (int i = 0; i < kept && status == KN_OK && ply + 1 < c->plan->plies; i++) {
        unsigned char next[game->position_size] __attribute__((aligned(16)));
        size_t before = c->line.length;
        memcpy(next, position, game->position_size);
        game->type->play(game, next, rows[i].move);
        if (before) kn_text_add_char(&c->line, ' ');
        game->type->move_text(game, position, rows[i].move, &c->line);
        status = kn_text_ok(&c->line) ? copy_below(c, next, ply + 1, error)
                                      : kn_fail_memory(error, "making an opening book");
        if (!kn_text_ok(&c->line)) break;
        c->line.length = before;
        c->line.data[before] = '\0';
    }
    return status;
}

KnStatus kn_opening_book_from_base(KnBase *base, const KnGame *game, const KnBookPlan *plan,
                                   KnOpeningBook **out, KnError *error)
{
    Copying c = {.base = base, .game = game, .plan = plan, .line = KN_TEXT_EMPTY};
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    KnBaseView view;
    *out = NULL;
    c.book = kn_opening_book_new(game);
    game->type->start(game, start);
    KnStatus status = c.book ? kn_base_look(base, start, NULL, 0, NULL, &view, error)
                             : kn_fail_memory(error, "making an opening book");
    if (status == KN_OK) {
        int role = game->type->mover(game, start);
        c.book->games = view.games;
        c.book->points = (double)view.games * share_of(game, role, view.mean);
        status = copy_below(&c, start, 0, error);
    }
    if (status == KN_OK && !c.book->count)
        status = kn_fail(error, KN_INPUT, "the base has no first move of %llu games or more",
                         (unsigned long long)plan->least);
    kn_text_free(&c.line);
    if (status == KN_OK)
        *out = c.book;
    else
        kn_opening_book_free(c.book);
    return status;
}
