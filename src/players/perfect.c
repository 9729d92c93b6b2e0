/* Perfect play from a solved table: keeps the value of the game, at random among equals.
 *
 * How it wins and loses are interpretations of Lock's "randomly-chosen best move" (2003, 2.3): by default the
 * fastest win, and any move when lost; see the lab's report for what the alternatives give. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "players/registry.h"
#include "players/search_explanation.h"
#include "search/solved.h"

typedef struct Perfect {
    KnSolved *solved;
    int win;  /* 0 fastest, 1 any */
    int loss; /* 0 any, 1 slowest */
    int draw; /* 0 any, 1 narrow, 2 wide */
} Perfect;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Perfect *perfect = player->data = calloc(1, sizeof *perfect);
    if (!perfect) return kn_fail_memory(error, "opening a player");
    perfect->win = kn_option_choice(options, "win");
    perfect->loss = kn_option_choice(options, "loss");
    perfect->draw = kn_option_choice(options, "draw");
    return kn_solved_open(player->game, NULL, &perfect->solved, error);
}

static void close(KnPlayer *player)
{
    Perfect *perfect = player->data;
    if (perfect) kn_solved_free(perfect->solved);
    free(perfect);
}

/* The score of a move: wins by their distance, draws 0, losses by theirs. */
static KnScore exact_score(int value, int plies)
{
    KN_ASSERT(value == 0 || (plies >= 0 && plies <= KN_RESULT_PLIES_MAX));
    return value > 0 ? KN_SCORE_WIN - plies : value < 0 ? plies - KN_SCORE_WIN : 0;
}

/* The rank of a move under the interpretation chosen; moves of equal rank are drawn at random. */
static int rank(const Perfect *perfect, int value, int plies)
{
    if (value > 0) return KN_RESULT_PLIES_MAX + 1 - (perfect->win == 0 ? plies : 0);
    if (value < 0) return -KN_RESULT_PLIES_MAX - 1 + (perfect->loss == 1 ? plies : 0);
    return 0;
}

/* How many moves the opponent has after a drawing one that do not lose: a habit of leaving few or many of
 * them makes play less various. */
static int ways_out(const Perfect *perfect, const KnRequest *request, KnMove move)
{
    const KnGame *game = request->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    memcpy(next, request->position, game->position_size);
    game->type->play(game, next, move);
    KnMove replies[game->max_moves];
    int count = game->type->moves(game, next, replies), ways = 0;
    for (int i = 0; i < count; i++) {
        int value, plies;
        ways += kn_solved_probe_move(perfect->solved, game, next, replies[i], &value, &plies) && value >= 0;
    }
    return ways;
}

static void tell(const KnRequest *request, KnAnswer *answer, const KnScore *scores, int equals)
{
    KnArena *arena = request->arena;
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s ", kn_game_move_name(request->game, request->position, answer->move, arena));
    if (answer->score)
        kn_score_text(answer->score, &text);
    else
        kn_text_add(&text, "draws");
    kn_text_add(&text, " with best play: this is known exactly.");
    if (equals > 1) kn_text_printf(&text, " %d moves do as well.", equals);
    answer->explanation = kn_explanation_new(arena, text.data);
    KnExplanation *moves = kn_explanation_group(arena, answer->explanation, "moves");
    for (int i = 0; i < request->allowed_count; i++) {
        kn_text_clear(&text);
        if (scores[i])
            kn_score_text(scores[i], &text);
        else
            kn_text_add(&text, "draws");
        kn_explanation_text(arena, moves,
                            kn_game_move_name(request->game, request->position, request->allowed[i], arena),
                            text.data);
    }
    kn_text_free(&text);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const Perfect *perfect = player->data;
    KnScore scores[request->allowed_count];
    int best[request->allowed_count], count = 0, highest = 0;
    for (int i = 0; i < request->allowed_count; i++) {
        int value, plies;
        if (!kn_solved_probe_move(perfect->solved, request->game, request->position, request->allowed[i],
                                  &value, &plies))
            return kn_fail(
                error, KN_INPUT,
                "this position cannot come up in a game from the start, so the solution does not know it");
        scores[i] = exact_score(value, plies);
        int ranked = rank(perfect, value, plies);
        if (!value && perfect->draw)
            ranked = (perfect->draw == 1 ? -1 : 1) * ways_out(perfect, request, request->allowed[i]);
        if (!count || ranked > highest) count = 0, highest = ranked;
        if (ranked == highest) best[count++] = i;
    }
    KN_ASSERT(count > 0 && count <= request->allowed_count);
    int chosen = best[kn_rng_below(request->rng, (uint32_t)count)];
    answer->move = request->allowed[chosen];
    answer->has_score = true;
    answer->score = scores[chosen];
    if (request->wants & KN_WANT_VALUES && answer->values) {
        memcpy(answer->values, scores, sizeof scores);
        answer->has_values = true;
    }
    if (request->wants & KN_WANT_EXPLANATION) tell(request, answer, scores, count);
    return KN_OK;
}

static const KnOption options[] = {
    {"win", KN_OPTION_CHOICE, "fastest", 0, 0, "fastest|any", "which winning moves it plays"},
    {"loss", KN_OPTION_CHOICE, "any", 0, 0, "any|slowest", "which moves it plays when lost"},
    {"draw", KN_OPTION_CHOICE, "any", 0, 0, "any|narrow|wide",
     "which moves it plays when drawn: any, those that leave the other side the fewest ways to draw, or the "
     "most, which helps it: results against wide are better than against any"},
    {0}};

const KnPlayerType kn_player_perfect = {
    .head = {"perfect", "never gives anything away: plays from the solved game", options},
    .suits = kn_statespace_solvable,
    .open = open,
    .close = close,
    .choose = choose,
};
