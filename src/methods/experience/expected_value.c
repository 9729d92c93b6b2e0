#include "methods/experience/expected_value.h"

#include <math.h>
#include <string.h>

static double for_role(const KnExpect *e, double value) { return e->role == 0 ? value : -value; }

KnEvidence kn_evidence(const KnExpect *e, const KnBaseMove *row)
{
    double games = (double)row->games, met = (double)row->met, count = met + e->others * (games - met),
           rest = games * row->mean - met * row->met_mean;
    if (e->others == 1) return (KnEvidence){games, for_role(e, row->mean)};
    return (KnEvidence){count, count > 0 ? for_role(e, (met * row->met_mean + e->others * rest) / count) : 0};
}

/* Whether a move leads to the mirror image of where an earlier one leads: the base holds these as one, and
 * its games would count twice. */
static bool is_image(const KnExpect *e, const void *position, const KnBaseMove *rows, int i)
{
    const KnGame *game = e->game;
    if (!kn_base_kind(e->base)->symmetry) return false;
    _Alignas(16) unsigned char next[game->position_size], scratch[game->position_size],
        images[2][(game->position_size + 15) & ~(size_t)15];
    for (int k = 0; k < i; k++) {
        if (!rows[k].explored || rows[k].games != rows[i].games || rows[k].paths != rows[i].paths ||
            rows[k].mean != rows[i].mean)
            continue;
        for (int which = 0; which < 2; which++) {
            memcpy(next, position, game->position_size);
            game->type->play(game, next, rows[which ? i : k].move);
            kn_game_normalise(game, next, images[which], scratch);
        }
        if (memcmp(images[0], images[1], game->position_size) == 0) return true;
    }
    return false;
}

KnStatus kn_expect(const KnExpect *e, const void *position, KnEvidence evidence, int depth, double *value,
                   KnError *error)
{
    const KnGame *game = e->game;
    *value = evidence.mean;
    if (depth <= 0 || evidence.games < (double)e->few || kn_game_over(game, position)) return KN_OK;
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnBaseView view;
    int count = game->type->moves(game, position, moves);
    KnStatus status = kn_base_look(e->base, position, moves, count, rows, &view, error);
    if (status != KN_OK || !view.explored) return status;
    bool own = game->type->mover(game, position) == e->role;
    double best = -INFINITY, sum = 0, seen = 0;
    _Alignas(16) unsigned char next[game->position_size];
    for (int i = 0; i < count && status == KN_OK; i++) {
        if (!rows[i].explored || (!own && is_image(e, position, rows, i))) continue;
        KnEvidence row = kn_evidence(e, &rows[i]);
        double found, n = row.games;
        if (n <= 0) continue;
        memcpy(next, position, game->position_size);
        game->type->play(game, next, rows[i].move);
        status = kn_expect(e, next, row, depth - 1, &found, error);
        sum += n * found;
        seen += n;
        best = fmax(best, (n * found + e->weight * evidence.mean) / (n + e->weight));
    }
    if (status == KN_OK && seen > 0) *value = own ? best : sum / seen;
    return status;
}
