/* Tree sampling: needs no evaluation. */
#include <stdlib.h>
#include <string.h>

#include "players/registry.h"
#include "players/search_player.h"
#include "search/mcts.h"

/* A tree, and what its prior needs. */
typedef struct Tree {
    KnMcts *search;
    const KnGame *game;
    const KnEvaluation *evaluation;
} Tree;

/* The share of the points that a role expects of a position, in percent. */
static double expected(const Tree *tree, const void *position, int role, uint64_t *plays)
{
    const KnGame *game = tree->game;
    if (!kn_game_over(game, position))
        return kn_percent_of_score(tree->evaluation,
                                   kn_evaluate_counted(tree->evaluation, position, role, plays));
    double payoffs[KN_ROLES_MAX];
    game->type->payoffs(game, position, payoffs);
    return 100 * (payoffs[role] - game->payoff_low) / (game->payoff_high - game->payoff_low);
}

/* A prior: each move by the odds that the evaluation gives it after one ply. */
static uint64_t chances_by_evaluation(void *user, const void *position, const KnMove *moves, int count,
                                      double *chances)
{
    const Tree *tree = user;
    const KnGame *game = tree->game;
    unsigned char after[game->position_size] __attribute__((aligned(16))); /* threads share the tree */
    int role = game->type->mover(game, position);
    uint64_t plays = (uint64_t)count;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        memcpy(after, position, game->position_size);
        game->type->play(game, after, moves[i]);
        double percent = role == game->nature ? 50 : expected(tree, after, role, &plays);
        chances[i] = (percent + 1) / (101 - percent); /* never without any chance */
        sum += chances[i];
    }
    for (int i = 0; i < count; i++) chances[i] /= sum;
    return plays;
}

/* A prior: what an expert would play. */
static uint64_t chances_by_advisor(void *user, const void *position, const KnMove *moves, int count,
                                   double *chances)
{
    const KnMoveAdvisor *advisor = user;
    return advisor->chances(advisor, position, moves, count, chances);
}

static void free_uct(void *engine)
{
    Tree *tree = engine;
    if (!tree) return;
    kn_mcts_free(tree->search);
    free(tree);
}

static void *make_uct(const KnSearcher *searcher, KnError *error)
{
    Tree *tree = calloc(1, sizeof *tree);
    KnMctsOptions how = searcher->how.uct;
    if (!tree) {
        kn_fail_memory(error, "opening a player");
        return NULL;
    }
    *tree = (Tree){.game = searcher->game, .evaluation = searcher->evaluation};
    if (searcher->advisor) {
        how.prior = chances_by_advisor;
        how.prior_user = searcher->advisor;
    } else if (how.guidance > 0) {
        how.prior = chances_by_evaluation;
        how.prior_user = tree;
    }
    tree->search = kn_mcts_new(tree->game, tree->evaluation, &how, error);
    if (tree->search) return tree;
    free_uct(tree);
    return NULL;
}

static KnStatus run_uct(void *engine, const void *position, const KnHistory *history,
                        const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    return kn_mcts_run(((Tree *)engine)->search, position, history, request, result, error);
}

static const KnEngine uct = {
    .make = make_uct, .run = run_uct, .free = free_uct, .advised = true, .payoffs = true};

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
    how->guidance = kn_option_real(options, "prior");
    if (searcher->advisor && !kn_option_given(options, "prior")) how->guidance = 1;
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
    {"advisor", KN_OPTION_SPEC, "", 0, 0, "advisor",
     "leads the tree by what experts would play, such as habits(FILE), as much as prior says (then 1 by "
     "default)"},
    {"prior", KN_OPTION_REAL, "0", 0, 100, NULL,
     "how much the evaluation of a position's moves leads the tree (PUCT); 0: not at all"},
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
