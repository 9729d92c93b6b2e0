/* Breadth-first search within a memory bound. */
#include "players/registry.h"
#include "players/searching.h"
#include "search/breadth.h"

static void *make_breadth(const KnSearcher *searcher, KnError *error)
{
    KnBreadthOptions how = kn_breadth_options(searcher->game);
    how.bytes = searcher->how.breadth_bytes;
    return kn_breadth_new(searcher->game, searcher->evaluation, &how, error);
}

static KnStatus run_breadth(void *engine, const void *position, const KnHistory *history, const KnSearchRequest *request,
                            KnSearchResult *result, KnError *error)
{
    return kn_breadth_run(engine, position, history, request, result, error);
}

static void free_breadth(void *engine) { kn_breadth_free(engine); }

static const KnEngine breadth = {make_breadth, run_breadth, NULL, free_breadth};

static void settle_breadth(KnSearcher *searcher, const KnOptions *options)
{
    searcher->how.breadth_bytes = (size_t)kn_option_integer(options, "memory") << 20;
}

static KnStatus open_breadth(KnPlayer *player, const KnOptions *options, KnError *error)
{
    return kn_searcher_open(player, options, &breadth, settle_breadth, error);
}

static const KnOption breadth_options[] = {KN_MEMORY_OPTION("64", "MiB that bound the tree"), KN_NODES_OPTION, KN_TIME_OPTION, KN_EVAL_OPTION,
                                           {0}};

const KnPlayerType kn_player_breadth = {
    .head = {"breadth", "breadth-first search within a memory bound: finds shortest wins", breadth_options},
    .open = open_breadth,
    .close = kn_searcher_close,
    .begin = kn_searcher_begin,
    .choose = kn_searcher_choose,
};
