/* Boards as cells, and reviews, behind <knack/capi.h>. */
#include "arena/review.h"
#include "capi/capi_inside.h"

char *kn_capi_layout(KnCapiGame *board)
{
    const KnGame *game = board->game;
    json_t *cells = json_array(), *places = json_array(), *names = json_array();
    KnText name = KN_TEXT_EMPTY;
    for (int i = 0; i < game->cells; i++) {
        double x = i, y = 0;
        json_array_append_new(
            cells,
            json_integer(game->type->cell ? game->type->cell(game, kn_state_position(board->state), i) : 0));
        if (game->type->cell_place) game->type->cell_place(game, i, &x, &y);
        json_array_append_new(places, json_pack("[ff]", x, y));
        kn_text_clear(&name);
        if (game->type->cell_name) game->type->cell_name(game, i, &name);
        json_array_append_new(names, json_string(name.data));
    }
    kn_text_free(&name);
    return kn_capi_answer(board->capi, KN_OK,
                          json_pack("{so ss so so s[ff]}", "cells", cells, "symbols",
                                    game->cell_symbols ? game->cell_symbols : "", "places", places, "names",
                                    names, "payoffs", game->payoff_low, game->payoff_high));
}

char *kn_capi_review(KnCapiGame *board, const char *how)
{
    static const char *const known[] = {"judge", "role", "seed", "depth", "nodes", "seconds", NULL};
    KnCapi *capi = board->capi;
    KnError *error = &capi->error;
    KnReviewPlan plan = {.seed = 1, .cancel = &capi->cancel};
    int64_t role = -1, depth = 0, nodes = 0;
    json_t *document = NULL, *asked = NULL;
    kn_capi_begin(capi);
    KnStatus status = kn_capi_plan(capi, how && *how ? how : "{}", "how", known, &asked);
    KnJson at = kn_json_root(asked, "how");
    if (status == KN_OK) status = kn_capi_string(&at, "judge", &plan.judge, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "role", 0, 1, &role, error);
    if (status == KN_OK) status = kn_capi_seed(&at, "seed", &plan.seed, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "depth", 1, 200, &depth, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "nodes", 1, INT64_MAX, &nodes, error);
    if (status == KN_OK && kn_json_has(&at, "seconds"))
        status = kn_json_real(&at, "seconds", &plan.budget.seconds, error);
    if (status == KN_OK && !(plan.budget.seconds >= 0 && plan.budget.seconds <= 1e6))
        status = kn_json_fail(&at, "seconds", error, "a time from 0 to 1000000 seconds");
    plan.role = (int)role;
    plan.budget.depth = (int)depth;
    plan.budget.nodes = (uint64_t)nodes;
    KnReview review;
    if (status == KN_OK) status = kn_review(capi->context, board->state, &plan, NULL, &review, error);
    if (status == KN_OK) {
        document = kn_review_json(&review, board->game);
        kn_review_free(&review);
    }
    json_decref(asked);
    return kn_capi_end(capi, status, document);
}
