/* A player and an evaluation as a plug-in.
 *
 * greedy(eval=SPEC) tries every legal move and takes the one whose position an evaluation likes best.
 * random-leaf is an evaluation that gives every position a fixed random score. Deep searches play
 * surprisingly well with it, since a side with more moves has more chances of a high score (Beal and Smith
 * 1994).
 *
 *     cc -shared -fPIC greedy.c $(pkg-config --cflags knack) -o greedy.so
 *     knack match othello greedy random --plugin ./greedy.so
 *     knack match othello 'alphabeta(depth=4, eval=random-leaf)' random --plugin ./greedy.so */
#include <stdlib.h>
#include <string.h>

#include <knack/plugin.h>

/* ---- The player ---- */

static KnStatus suits(const KnGame *game, KnError *error)
{
    return game->traits & KN_GAME_SIMULTANEOUS ? kn_fail(error, KN_INPUT, "roles move at the same time")
                                               : KN_OK;
}

static KnStatus open_player(KnPlayer *player, const KnOptions *options, KnError *error)
{
    KnEvaluation *evaluation;
    KnStatus status = kn_evaluation_open(player->context, player->game, kn_option_spec(options, "eval"),
                                         &evaluation, error);
    if (status == KN_OK) player->data = evaluation;
    return status;
}

static void close_player(KnPlayer *player) { kn_evaluation_close(player->data); }

/* The score of a move for the role that plays it: exact where the game ends there. */
static KnScore score_move(const KnPlayer *player, const KnRequest *request, KnMove move, void *after)
{
    const KnGame *game = player->game;
    memcpy(after, request->position, game->position_size);
    game->type->play(game, after, move);
    if (!kn_game_over(game, after)) return kn_evaluate_for(player->data, after, request->role);
    double payoffs[KN_ROLES_MAX];
    game->type->payoffs(game, after, payoffs);
    return kn_score_of_payoff(game, payoffs[request->role], 1);
}

/* Adds one move to the explanation, with its score in men; proven results have no such number. */
static void explain_move(const KnRequest *request, KnExplanation *root, KnMove move, KnScore score)
{
    if (!root) return;
    char *text = kn_game_move_text(request->game, request->position, move);
    if (score > -KN_SCORE_HEURISTIC && score < KN_SCORE_HEURISTIC)
        kn_explanation_number(request->arena, root, text, score / 100.0, "men");
    else
        kn_explanation_text(request->arena, root, text, score > 0 ? "wins at once" : "ends the game");
    kn_free(text);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    void *after = aligned_alloc(16, (player->game->position_size + 15) & ~(size_t)15);
    if (!after) return kn_fail_memory(error, "looking at a move");
    KnExplanation *root = request->wants & KN_WANT_EXPLANATION
                              ? kn_explanation_new(request->arena,
                                                   "The move with the best position after it.")
                              : NULL;
    uint32_t ties = 0;
    for (int i = 0; i < request->allowed_count; i++) {
        KnScore score = score_move(player, request, request->allowed[i], after);
        if (answer->values) answer->values[i] = score;
        explain_move(request, root, request->allowed[i], score);
        if (ties && score < answer->score) continue;
        ties = ties && score == answer->score ? ties + 1 : 1;
        if (kn_rng_below(request->rng, ties) == 0) answer->move = request->allowed[i]; /* ties: at random */
        answer->score = score;
    }
    free(after);
    answer->has_score = true;
    answer->has_values = answer->values != NULL;
    answer->cost.nodes = (uint64_t)request->allowed_count;
    answer->explanation = root;
    return KN_OK;
}

static const KnOption player_options[] = {
    {"eval", KN_OPTION_SPEC, "", 0, 0, "evaluation", "scores the positions; the game's default if absent"},
    {0}};

static const KnPlayerType greedy = {
    .head = {"greedy", "takes the move with the best position after it", player_options},
    .suits = suits,
    .open = open_player,
    .close = close_player,
    .choose = choose};

/* ---- The evaluation ---- */

static KnScore random_score(const KnEvaluation *self, const void *position)
{
    enum { SPREAD = 1000 }; /* ten men to either side */
    uint64_t seed = *(const uint64_t *)self->data;
    KnRng rng = kn_rng_seeded(kn_hash64(position, self->game->position_size, seed));
    return (KnScore)kn_rng_below(&rng, 2 * SPREAD + 1) - SPREAD;
}

static void close_evaluation(KnEvaluation *self) { free(self->data); }

static KnStatus open_evaluation(KnEvaluation *self, const KnOptions *options, KnError *error)
{
    uint64_t *seed = self->data = malloc(sizeof *seed);
    if (!seed) return kn_fail_memory(error, "opening an evaluation");
    *seed = (uint64_t)kn_option_integer(options, "seed");
    self->score = random_score;
    self->close = close_evaluation;
    return KN_OK;
}

static const KnOption evaluation_options[] = {
    {"seed", KN_OPTION_INTEGER, "1", 0, 1e9, NULL, "different seeds give different scores"}, {0}};

static const KnEvaluationType random_leaf = {
    .head = {"random-leaf", "a fixed random score for every position", evaluation_options},
    .open = open_evaluation};

KN_PLUGIN(KN_PLUGIN_PLAYER(greedy), KN_PLUGIN_EVALUATION(random_leaf));
