#include "web/position_search.h"

#include <stdlib.h>
#include <string.h>

#include "games/sequential.h"
#include "web/session.h"

enum { TABLE_BYTES = 16 << 20, LINE_MAX = 24 };

static KnStatus set_up(KnPositionSearch *search_state, const KnContext *context, const KnState *state,
                       KnError *error)
{
    const KnGame *game = search_state->cached->game;
    search_state->searched = game;
    KnStatus status = KN_OK;
    if (game->traits & KN_GAME_SIMULTANEOUS) {
        status = kn_game_sequential(game, search_state->role, &search_state->view, error);
        if (status != KN_OK) return status;
        search_state->searched = search_state->view;
    }
    search_state->position = aligned_alloc(16, (search_state->searched->position_size + 15) & ~(size_t)15);
    if (!search_state->position) return kn_fail_memory(error, "looking at a position");
    if (search_state->view)
        kn_sequential_enter(search_state->view, kn_state_position(state), search_state->position);
    else {
        KnHistory history = kn_state_history(state);
        memcpy(search_state->position, kn_state_position(state), game->position_size);
        search_state->past = malloc((history.count + 1) * sizeof *search_state->past);
        if (!search_state->past) return kn_fail_memory(error, "looking at a position");
        if (history.count)
            memcpy(search_state->past, history.hashes, history.count * sizeof *search_state->past);
        search_state->history = (KnHistory){.hashes = search_state->past, .count = history.count};
    }
    if (search_state->searched->type->mover(search_state->searched, search_state->position) !=
        search_state->role)
        return kn_fail(error, KN_NO, "%s has no move here", game->role_names[search_state->role]);
    status = kn_evaluation_open_strongest(context, search_state->searched, &search_state->evaluation, error);
    if (status != KN_OK) return status;
    KnSearchOptions options = kn_search_options();
    options.table_bytes = TABLE_BYTES;
    search_state->search = kn_search_new(search_state->searched, search_state->evaluation, &options, error);
    return search_state->search ? KN_OK : error->status;
}

KnStatus kn_position_search_open(KnPlayerCache *cache, const KnContext *context, KnCachedGame *cached,
                                 const KnState *state, int role, KnPositionSearch **out, KnError *error)
{
    *out = NULL;
    KnPositionSearch *search_state = calloc(1, sizeof *search_state);
    if (!search_state) return kn_fail_memory(error, "looking at a position");
    search_state->cache = cache;
    search_state->cached = cached;
    search_state->role = role;
    kn_player_cache_retain_game(cache, cached);
    KnStatus status = set_up(search_state, context, state, error);
    if (status == KN_OK)
        *out = search_state;
    else
        kn_position_search_close(search_state);
    return status;
}

void kn_position_search_close(KnPositionSearch *search_state)
{
    if (!search_state) return;
    kn_search_free(search_state->search);
    kn_evaluation_close(search_state->evaluation);
    kn_game_close(search_state->view);
    kn_player_cache_release_game(search_state->cache, search_state->cached);
    free(search_state->position);
    free(search_state->past);
    free(search_state);
}

KnStatus kn_position_search_run(KnPositionSearch *search_state, KnBudget budget, const atomic_bool *cancel,
                                bool (*after)(void *user, const KnSearchResult *so_far), void *user,
                                KnError *error)
{
    KnRng rng = kn_rng_seeded(1);
    KnSearchRequest request = {.budget = budget,
                               .rng = &rng,
                               .cancel = cancel,
                               .all_values = true,
                               .after_depth = after,
                               .user = user};
    KnSearchResult found;
    return kn_search_run(search_state->search, search_state->position,
                         search_state->view ? NULL : &search_state->history, &request, &found, error);
}

static void add_line(const KnPositionSearch *search_state, const KnSearchResult *found, KnText *text)
{
    const KnGame *game = search_state->searched;
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memcpy(at, search_state->position, game->position_size);
    for (int i = 0; i < found->pv_length && i < LINE_MAX; i++) {
        if (i) kn_text_add_char(text, ' ');
        game->type->move_text(game, at, found->pv[i], text);
        game->type->play(game, at, found->pv[i]);
    }
}

static json_t *score_json(const KnPositionSearch *search_state, KnScore score)
{
    return kn_score_json(score, search_state->evaluation->payoffs, search_state->evaluation->log_odds);
}

json_t *kn_position_search_json(const KnPositionSearch *search_state, const KnSearchResult *found)
{
    const KnGame *game = search_state->searched;
    json_t *values = json_object(), *result = score_json(search_state, found->score);
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < found->root_count; i++) {
        if (found->root[i].bound != KN_BOUND_EXACT) continue;
        kn_text_clear(&text);
        game->type->move_text(game, search_state->position, found->root[i].move, &text);
        json_object_set_new(values, text.data, score_json(search_state, found->root[i].score));
    }
    kn_text_clear(&text);
    game->type->move_text(game, search_state->position, found->move, &text);
    json_object_set_new(result, "move", json_string(text.data));
    kn_text_clear(&text);
    add_line(search_state, found, &text);
    json_object_set_new(result, "line", json_string(text.data));
    kn_text_free(&text);
    json_object_set_new(result, "role", json_integer(search_state->role));
    json_object_set_new(result, "depth", json_integer(found->depth));
    json_object_set_new(result, "nodes", json_integer((json_int_t)found->nodes));
    json_object_set_new(result, "seconds", json_real(found->seconds));
    json_object_set_new(result, "values", values);
    return result;
}
