/* Plain minimax to a fixed depth. */
#include "players/registry.h"
#include "players/search_player.h"
#include "search/minimax.h"

static void *make_minimax(const KnSearcher *searcher, KnError *error)
{
    KnMinimax *engine = kn_minimax_new(searcher->game, searcher->evaluation, searcher->how.minimax.quiescence,
                                       error);
    if (engine) kn_minimax_deepen(engine, searcher->how.minimax.deepening);
    return engine;
}

static KnStatus run_minimax(void *engine, const void *position, const KnHistory *history,
                            const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    return kn_minimax_run(engine, position, history, request, result, error);
}

static void free_minimax(void *engine) { kn_minimax_free(engine); }

static const KnEngine minimax = {.make = make_minimax, .run = run_minimax, .free = free_minimax};

static void settle_minimax(KnSearcher *searcher, const KnOptions *options)
{
    searcher->budget.depth = (int)kn_option_integer(options, "depth");
    searcher->yields = !kn_option_given(options, "depth") &&
                       (kn_option_flag(options, "deepening") || !kn_option_given(options, "deepening"));
    searcher->how.minimax.quiescence = kn_option_flag(options, "quiescence");
    searcher->how.minimax.deepening = kn_option_flag(options, "deepening");
}

static KnStatus open_minimax(KnPlayer *player, const KnOptions *options, KnError *error)
{
    return kn_searcher_open(player, options, &minimax, settle_minimax, error);
}

static const KnOption minimax_options[] = {KN_DEPTH_OPTION("2"),
                                           KN_NODES_OPTION,
                                           KN_TIME_OPTION,
                                           KN_EVAL_OPTION("hand, the game's own"),
                                           KN_QUIESCENCE_OPTION("no"),
                                           {"deepening", KN_OPTION_FLAG, "no", 0, 0, NULL,
                                            "iterative deepening: depth 1, 2, ... while the budget lasts"},
                                           {0}};

const KnPlayerType kn_player_minimax = {
    .head = {"minimax", "plain minimax to a fixed depth: slow, and the measure of the other searches",
             minimax_options},
    .open = open_minimax,
    .close = kn_searcher_close,
    .prepare = kn_searcher_prepare,
    .begin = kn_searcher_begin,
    .choose = kn_searcher_choose,
};
