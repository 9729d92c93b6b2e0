#include "web/look.h"

#include <stdlib.h>
#include <string.h>

#include "games/sequential.h"
#include "web/sitting.h"

enum { TABLE_BYTES = 16 << 20, LINE_MAX = 24 };

static KnStatus set_up(KnLook *look, const KnContext *context, const KnContest *contest, KnError *error)
{
    const KnGame *game = look->shown->game;
    look->searched = game;
    KnStatus status = KN_OK;
    if (game->traits & KN_GAME_SIMULTANEOUS) {
        status = kn_game_sequential(game, look->role, &look->view, error);
        if (status != KN_OK) return status;
        look->searched = look->view;
    }
    look->position = aligned_alloc(16, (look->searched->position_size + 15) & ~(size_t)15);
    if (!look->position) return kn_fail_memory(error, "looking at a position");
    if (look->view)
        kn_sequential_enter(look->view, kn_contest_position(contest), look->position);
    else {
        KnHistory history = kn_contest_history(contest);
        memcpy(look->position, kn_contest_position(contest), game->position_size);
        look->past = malloc((history.count + 1) * sizeof *look->past);
        if (!look->past) return kn_fail_memory(error, "looking at a position");
        if (history.count) memcpy(look->past, history.hashes, history.count * sizeof *look->past);
        look->history = (KnHistory){look->past, history.count};
    }
    if (look->searched->type->mover(look->searched, look->position) != look->role)
        return kn_fail(error, KN_NO, "%s has nothing to decide here", game->role_names[look->role]);
    status = kn_evaluation_open(context, look->searched, NULL, &look->evaluation, error);
    if (status != KN_OK) return status;
    KnSearchOptions options = kn_search_options();
    options.table_bytes = TABLE_BYTES;
    look->search = kn_search_new(look->searched, look->evaluation, &options, error);
    return look->search ? KN_OK : error->status;
}

KnStatus kn_look_open(KnShelf *shelf, const KnContext *context, KnShown *shown, const KnContest *contest,
                      int role, KnLook **out, KnError *error)
{
    *out = NULL;
    KnLook *look = calloc(1, sizeof *look);
    if (!look) return kn_fail_memory(error, "looking at a position");
    look->shelf = shelf;
    look->shown = shown;
    look->role = role;
    kn_shelf_keep(shelf, shown);
    KnStatus status = set_up(look, context, contest, error);
    if (status == KN_OK)
        *out = look;
    else
        kn_look_close(look);
    return status;
}

void kn_look_close(KnLook *look)
{
    if (!look) return;
    kn_search_free(look->search);
    kn_evaluation_close(look->evaluation);
    kn_game_close(look->view);
    kn_shelf_return(look->shelf, look->shown);
    free(look->position);
    free(look->past);
    free(look);
}

KnStatus kn_look_run(KnLook *look, KnBudget budget, const atomic_bool *cancel,
                     bool (*after)(void *user, const KnSearchResult *so_far), void *user, KnError *error)
{
    KnRng rng = kn_rng_seeded(1);
    KnSearchRequest request = {.budget = budget,
                               .rng = &rng,
                               .cancel = cancel,
                               .all_values = true,
                               .after_depth = after,
                               .user = user};
    KnSearchResult found;
    return kn_search_run(look->search, look->position, look->view ? NULL : &look->history, &request, &found,
                         error);
}

static void add_line(const KnLook *look, const KnSearchResult *found, KnText *text)
{
    const KnGame *game = look->searched;
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memcpy(at, look->position, game->position_size);
    for (int i = 0; i < found->pv_length && i < LINE_MAX; i++) {
        if (i) kn_text_add_char(text, ' ');
        game->type->move_text(game, at, found->pv[i], text);
        game->type->play(game, at, found->pv[i]);
    }
}

json_t *kn_look_json(const KnLook *look, const KnSearchResult *found)
{
    const KnGame *game = look->searched;
    json_t *values = json_object(), *result = kn_score_json(found->score);
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < found->root_count; i++) {
        if (found->root[i].bound != KN_BOUND_EXACT) continue;
        kn_text_clear(&text);
        game->type->move_text(game, look->position, found->root[i].move, &text);
        json_object_set_new(values, text.data, kn_score_json(found->root[i].score));
    }
    kn_text_clear(&text);
    game->type->move_text(game, look->position, found->move, &text);
    json_object_set_new(result, "move", json_string(text.data));
    kn_text_clear(&text);
    add_line(look, found, &text);
    json_object_set_new(result, "line", json_string(text.data));
    kn_text_free(&text);
    json_object_set_new(result, "role", json_integer(look->role));
    json_object_set_new(result, "depth", json_integer(found->depth));
    json_object_set_new(result, "nodes", json_integer((json_int_t)found->nodes));
    json_object_set_new(result, "seconds", json_real(found->seconds));
    json_object_set_new(result, "values", values);
    return result;
}
