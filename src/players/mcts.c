/* Tree sampling: needs no evaluation. */
#include "players/registry.h"
#include "players/search_player.h"
#include "search/mcts.h"

static void *make_uct(const KnSearcher *searcher, KnError *error)
{
    return kn_mcts_new(searcher->game, searcher->evaluation, &searcher->how.uct, error);
}

static KnStatus run_uct(void *engine, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    return kn_mcts_run(engine, position, history, request, result, error);
}

static void free_uct(void *engine) { kn_mcts_free(engine); }

static const KnEngine uct = {.make = make_uct, .run = run_uct, .free = free_uct, .payoffs = true};

static void settle_uct(KnSearcher *searcher, const KnOptions *options)
{
    KnMctsOptions *how = &searcher->how.uct;
    *how = kn_mcts_options();
    how->playouts = searcher->playouts = (uint64_t)kn_option_real(options, "playouts");
    searcher->yields = !kn_option_given(options, "playouts");
    how->exploration = kn_option_real(options, "exploration");
    how->bytes = (size_t)kn_option_integer(options, "memory") << 20;
    how->playout_plies = (int)kn_option_integer(options, "plies");
    how->solve = kn_option_flag(options, "solve");
    how->threads = (int)kn_option_integer(options, "threads");
}

static KnStatus open_uct(KnPlayer *player, const KnOptions *options, KnError *error)
{
    if (kn_option_integer(options, "threads") > 1) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    return kn_searcher_open(player, options, &uct, settle_uct, error);
}

static const KnOption uct_options[] = {
    {"playouts", KN_OPTION_INTEGER, "1000", 0, 1e12, NULL,
     "random games a move; 0: as many as time or nodes allow, which is the default with one of them"},
    KN_NODES_OPTION,
    KN_TIME_OPTION,
    KN_EVAL_OPTION("hand, the game's own"),
    {"exploration", KN_OPTION_REAL, "0.7", 0, 100, NULL, "how much to try what is little tried"},
    {"plies", KN_OPTION_INTEGER, "1000", 1, 100000, NULL,
     "of a random game, before the evaluation judges it"},
    KN_MEMORY_OPTION("64", "MiB of the tree"),
    {"solve", KN_OPTION_FLAG, "yes", 0, 0, NULL, "carry proved wins and losses up the tree"},
    KN_THREADS_OPTION("threads that grow the tree together; results are then not repeatable"),
    {0}};

const KnPlayerType kn_player_mcts = {
    .head = {"uct", "tree sampling by random games (UCT)", uct_options},
    .open = open_uct,
    .close = kn_searcher_close,
    .prepare = kn_searcher_prepare,
    .begin = kn_searcher_begin,
    .choose = kn_searcher_choose,
};
