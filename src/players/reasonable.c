/* The agents of Lock's thesis (2003, 2.3): an x-reasonable agent plays reasonably with probability x, and
 * perfectly otherwise.
 *
 * Reasonably: takes a win in one, avoids giving the opponent a win in one, and is otherwise random. The
 * thesis adds "non-losing" to the random move; a check for one's own loss does not fit its Baseline (see the
 * lab's interpretations), so it is an option, off by default. Each decision is drawn again. */
#include <stdlib.h>
#include <string.h>

#include "players/registry.h"
#include "players/search_words.h"

typedef struct Reasonable {
    double share;
    bool avoids_own_loss;
    KnPlayer *perfect; /* NULL if share is 1 */
} Reasonable;

/* What a move leads to, one and two plies on. */
typedef enum Outlook { LOSES_NOW, LETS_THEM_WIN, QUIET, WINS_NOW } Outlook;

/* 1 if the game is over and `role` has won, -1 if over and lost, else 0. */
static int ended_for(const KnGame *game, const void *position, int role)
{
    if (!kn_game_over(game, position)) return 0;
    double payoffs[KN_ROLES_MAX];
    game->type->payoffs(game, position, payoffs);
    return payoffs[role] >= game->payoff_high ? 1 : payoffs[role] <= game->payoff_low ? -1 : 0;
}

static bool opponent_wins_next(const KnGame *game, const void *position, int role, KnCost *cost)
{
    if (game->type->mover(game, position) == role) return false;
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        cost->nodes++;
        if (ended_for(game, next, role) < 0 && ended_for(game, next, 1 - role) > 0) return true;
    }
    return false;
}

static Outlook look(const KnRequest *request, KnMove move, bool loss_in_one, KnCost *cost)
{
    const KnGame *game = request->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    memcpy(next, request->position, game->position_size);
    game->type->play(game, next, move);
    cost->nodes++;
    int ended = ended_for(game, next, request->role);
    if (ended > 0) return WINS_NOW;
    if (ended < 0) return loss_in_one ? LOSES_NOW : QUIET;
    return opponent_wins_next(game, next, request->role, cost) ? LETS_THEM_WIN : QUIET;
}

static const char *careless(int moves, KnArena *arena)
{
    if (moves == 1) return "Every other move loses at once.";
    return kn_arena_printf(
        arena,
        "At this strength it plays some moves without looking ahead; this was one of %d that do not lose at "
        "once.",
        moves);
}

static KnStatus choose_reasonably(const Reasonable *mind, const KnRequest *request, KnAnswer *answer)
{
    static const char *const why[] = {"Every move loses at once.",
                                      "Every move lets the opponent win at once.", NULL, "It wins at once."};
    KnMove best[request->allowed_count];
    int count = 0;
    Outlook highest = LOSES_NOW;
    for (int i = 0; i < request->allowed_count; i++) {
        Outlook outlook = look(request, request->allowed[i], mind->avoids_own_loss, &answer->cost);
        if (outlook > highest) count = 0, highest = outlook;
        if (outlook == highest) best[count++] = request->allowed[i];
    }
    answer->move = best[kn_rng_below(request->rng, (uint32_t)count)];
    if (request->wants & KN_WANT_EXPLANATION)
        answer->explanation = kn_explanation_new(
            request->arena,
            kn_arena_printf(request->arena, "%s. %s", kn_move_sentence(request, answer->move),
                            highest == QUIET ? careless(count, request->arena) : why[highest]));
    return KN_OK;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const Reasonable *mind = player->data;
    bool reasonably = kn_rng_real(request->rng) < mind->share;
    if (reasonably || !mind->perfect) return choose_reasonably(mind, request, answer);
    return mind->perfect->type->choose(mind->perfect, request, answer, error);
}

static KnStatus suits(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2)
        return kn_fail(error, KN_INPUT, "needs two players who take turns");
    return KN_OK;
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Reasonable *mind = player->data = calloc(1, sizeof *mind);
    if (!mind) return kn_fail_memory(error, "opening a player");
    mind->share = kn_option_real(options, "share");
    mind->avoids_own_loss = kn_option_flag(options, "careful");
    if (mind->share >= 1) return KN_OK;
    const KnSpec *rest = kn_option_spec(options, "rest");
    if (rest) return kn_player_open_spec(player->context, player->game, rest, &mind->perfect, error);
    return kn_player_open(player->context, player->game, "perfect", &mind->perfect, error);
}

static void close(KnPlayer *player)
{
    Reasonable *mind = player->data;
    if (mind) kn_player_close(mind->perfect);
    free(mind);
}

static const KnOption options[] = {
    {"share", KN_OPTION_REAL, "1", 0, 1, NULL,
     "of its moves that are merely reasonable; the others are perfect"},
    {"rest", KN_OPTION_SPEC, "", 0, 0, "player", "who plays the other moves, if not perfect"},
    {"careful", KN_OPTION_FLAG, NULL, 0, 0, NULL, "also avoid a move that loses immediately without a reply"},
    {0}};

const KnPlayerType kn_player_reasonable = {
    .head = {"reasonable",
             "takes a win in one, avoids a loss in two, else random; perfect for the rest of its moves",
             options},
    .suits = suits,
    .open = open,
    .close = close,
    .choose = choose,
};
