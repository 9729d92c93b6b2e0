/* Tree sampling that was shown how experts play: uct whose selection is led by habits (habits.h). A node's
 * moves start with the chances that an expert would play them, and what playouts find takes over (PUCT: Rosin
 * 2011). Without a file all moves are equally likely: the same player before it has watched anybody. */
#include <stdlib.h>

#include "methods/hoyle/game_learner.h"
#include "methods/hoyle/habits.h"
#include "methods/registry.h"
#include "players/search_player.h"
#include "search/mcts.h"

typedef struct Guided {
    KnMcts *tree;
    KnGameLearner *learner; /* NULL: nobody was watched */
    KnBudget budget;
} Guided;

static uint64_t chances(void *user, const void *position, const KnMove *moves, int count, double *out)
{
    const Guided *g = user;
    if (!g->learner) {
        for (int i = 0; i < count; i++) out[i] = 1.0 / count;
        return 0;
    }
    kn_habits_chances(kn_game_learner_habits_of(g->learner), position, moves, count, out);
    return (uint64_t)count; /* each move was played to see what it does */
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Guided *g = player->data = calloc(1, sizeof *g);
    if (!g) return kn_fail_memory(error, "opening a player");
    const char *file = kn_option_string(options, "knowledge");
    KnStatus status = KN_OK;
    if (file && file[0]) {
        KnText path = KN_TEXT_EMPTY;
        kn_context_file(player->context, file, &path);
        status = kn_text_ok(&path) ? kn_game_learner_load(player->context, player->game, "habits", path.data,
                                                          &g->learner, error)
                                   : kn_fail_memory(error, "opening a player");
        kn_text_free(&path);
    }
    if (status != KN_OK) return status;
    g->budget.nodes = (uint64_t)kn_option_real(options, "nodes");
    KnMctsOptions how = kn_mcts_options();
    how.playouts = g->budget.nodes ? 0 : (uint64_t)kn_option_integer(options, "playouts");
    how.bytes = (size_t)kn_option_integer(options, "memory") << 20;
    how.guidance = kn_option_real(options, "guidance");
    how.prior = chances;
    how.prior_user = g;
    g->tree = kn_mcts_new(player->game, NULL, &how, error);
    return g->tree ? KN_OK : error->status;
}

static void close(KnPlayer *player)
{
    Guided *g = player->data;
    if (!g) return;
    kn_mcts_free(g->tree);
    kn_game_learner_close(g->learner);
    free(g);
}

static void tell(const KnRequest *request, const Guided *g, const KnSearchResult *found, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    double likely[found->root_count];
    KnMove moves[found->root_count];
    for (int i = 0; i < found->root_count; i++) moves[i] = found->root[i].move;
    chances((void *)(uintptr_t)g, request->position, moves, found->root_count, likely);
    const char *move = kn_game_move_name(request->game, request->position, found->move, arena);
    answer->explanation = kn_explanation_new(
        arena, kn_arena_printf(arena, "%s: most tried, in %llu random games led by what experts played", move,
                               (unsigned long long)found->playouts));
    KnExplanation *visits = kn_explanation_group(arena, answer->explanation, "random games"),
                  *habits = kn_explanation_group(arena, answer->explanation,
                                                 "chance that an expert plays it");
    for (int i = 0; i < found->root_count; i++) {
        const char *name = kn_game_move_name(request->game, request->position, moves[i], arena);
        kn_explanation_number(arena, visits, name, (double)found->root[i].visits, "");
        kn_explanation_bar(arena, habits, name, likely[i], 0, 1, "");
    }
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Guided *g = player->data;
    KnSearchRequest ask = {.allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .budget = kn_budget_narrow(g->budget, request->budget),
                           .rng = request->rng,
                           .cancel = request->cancel,
                           .open_ended = kn_budget_decides(g->budget, request->budget)};
    KnSearchResult found;
    KnStatus status = kn_mcts_run(g->tree, request->position, &request->history, &ask, &found, error);
    if (status != KN_OK) return status;
    answer->move = found.move;
    answer->score = found.score;
    answer->has_score = answer->payoffs = true;
    answer->cost.nodes = found.nodes;
    for (int i = 0; i < found.root_count && request->wants & KN_WANT_VALUES; i++)
        answer->values[i] = found.root[i].score;
    answer->has_values = request->wants & KN_WANT_VALUES;
    if (request->wants & KN_WANT_EXPLANATION) tell(request, g, &found, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"knowledge", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "what `knack train sequences --method habits` has learned; without, all moves are equally likely"},
    {"playouts", KN_OPTION_INTEGER, "1000", 1, 1e12, NULL, "random games a move"},
    KN_NODES_OPTION,
    {"guidance", KN_OPTION_REAL, "1", 0, 100, NULL, "how much what experts played counts, against results"},
    KN_MEMORY_OPTION("64", "MiB of the tree"),
    {0}};

const KnPlayerType kn_player_guided = {
    .head = {"guided", "tree sampling that is led by what experts were seen to play", options},
    .suits = kn_board_view_suits,
    .open = open,
    .close = close,
    .choose = choose,
};
