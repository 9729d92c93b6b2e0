/* Temporal differences as a learner that anybody can offer; `knack train td` does the work (cli/train_td.c).
 */
#include <math.h>

#include "games/gdl/gdl.h"
#include "games/turns.h"
#include "players/learner.h"

static KnStatus suits(const KnGame *game, KnError *error)
{
    KnStatus status = kn_game_takes_turns(game, error);
    if (status != KN_OK) return status;
    if (!game->terms && !game->feature_count && !kn_game_gdl(game))
        return kn_fail(error, KN_INPUT, "needs a game with features");
    return KN_OK;
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    kn_text_printf(spec, "alphabeta(depth=%ld, eval=features(weights=", kn_option_integer(options, "depth"));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static const KnOption options[] = {
    {"depth", KN_OPTION_INTEGER, "3", 1, 9, NULL,
     "search depth, in training and in the matches of the curve"},
    {"games", KN_OPTION_INTEGER, "400", 20, 100000, NULL, "games to learn from, against itself"},
    {"alpha", KN_OPTION_REAL, "0.03", 0, 10, NULL, "step size; the paper's is .01, for thousands of games"},
    {"lambda", KN_OPTION_REAL, "0.95", 0, 1, NULL, "how far a surprise reaches back"},
    {"scale", KN_OPTION_REAL, "100", 1, 100000, NULL,
     "a prediction is tanh(score / scale), in hundredths of a man"},
    {"at", KN_OPTION_CHOICE, "leaf", 0, 0, "leaf|root", "TDLeaf, or TD(lambda) at the position itself"},
    {"start", KN_OPTION_CHOICE, "zero", 0, 0, "zero|one", "weights to start from"},
    {"random-plies", KN_OPTION_INTEGER, "4", 1, 20, NULL, "random moves at the beginning of each game"},
    {"against-games", KN_OPTION_INTEGER, "60", 10, 1000, NULL, "games of each match of the curve"},
    {0}};

const KnLearner kn_learner_td = {
    .head = {"td", "the weights of an evaluation, by temporal differences (Schaeffer, Hlynka & Jussila 2001)",
             options},
    .x = "games",
    .y = "points",
    .measures = "The share of points in a match against the same search with weights of zero.",
    .low = 0,
    .high = 1,
    .chance = 0.5,
    .file = "weights.json",
    .suits = suits,
    .player = player,
};
