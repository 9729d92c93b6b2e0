/* Breadth-first search within a memory bound. */
#include "players/registry.h"
#include "players/search_player.h"
#include "search/breadth.h"

static void *make_breadth(const KnSearcher *searcher, KnError *error)
{
    KnBreadthOptions how = kn_breadth_options(searcher->game);
    how.bytes = searcher->how.breadth.bytes;
    double low = searcher->game->payoff_low, range = searcher->game->payoff_high - low;
    if (searcher->how.breadth.sufficient < 100)
        how.sufficient = low + range * searcher->how.breadth.sufficient / 100;
    return kn_breadth_new(searcher->game, searcher->evaluation, &how, error);
}

static KnStatus run_breadth(void *engine, const void *position, const KnHistory *history,
                            const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    return kn_breadth_run(engine, position, history, request, result, error);
}

static void free_breadth(void *engine) { kn_breadth_free(engine); }

static const KnEngine breadth = {.make = make_breadth, .run = run_breadth, .free = free_breadth};

static void settle_breadth(KnSearcher *searcher, const KnOptions *options)
{
    searcher->budget.depth = (int)kn_option_integer(options, "depth");
    searcher->how.breadth.bytes = (size_t)kn_option_integer(options, "memory") << 20;
    searcher->how.breadth.sufficient = kn_option_real(options, "sufficient");
}

static KnStatus open_breadth(KnPlayer *player, const KnOptions *options, KnError *error)
{
    return kn_searcher_open(player, options, &breadth, settle_breadth, error);
}

static const KnOption breadth_options[] = {
    KN_MEMORY_OPTION("64", "MiB that bound the tree"),
    KN_NODES_OPTION,
    KN_TIME_OPTION,
    KN_EVAL_OPTION("hand, the game's own"),
    {"sufficient", KN_OPTION_REAL, "100", 0, 100, NULL,
     "a payoff that is good enough to stop at, as a goal value of 0 to 100"},
    KN_DEPTH_OPTION("0"),
    {0}};

const KnPlayerType kn_player_breadth = {
    .head = {"breadth", "breadth-first search within a memory bound: finds shortest wins", breadth_options},
    .open = open_breadth,
    .close = kn_searcher_close,
    .prepare = kn_searcher_prepare,
    .begin = kn_searcher_begin,
    .choose = kn_searcher_choose,
};
