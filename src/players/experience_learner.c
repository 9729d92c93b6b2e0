/* Experience bases as a learner that anybody can offer; `knack train experience` does the work
 * (cli/train_experience.c). */
#include <math.h>

#include "learn/experience/base.h"
#include "players/experience/rule.h"
#include "players/learner.h"

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    kn_text_printf(spec, "experience(alphabeta(depth=%ld), base=", kn_option_integer(options, "depth"));
    kn_text_add_quoted(spec, file);
    kn_text_printf(spec, ", rule=%s)", kn_rule_name((KnExperienceRule)kn_option_choice(options, "rule")));
}

static const KnOption options[] = {
    {"games", KN_OPTION_INTEGER, "400", 20, 100000, NULL, "games against the opponent, learning from each"},
    {"depth", KN_OPTION_INTEGER, "2", 1, 9, NULL,
     "search depth of the learner where its experience does not help"},
    {"opponent", KN_OPTION_INTEGER, "5", 1, 9, NULL, "search depth of the opponent, which does not learn"},
    {"epsilon", KN_OPTION_REAL, "0", 0, 1, NULL, "share of the opponent's moves that are random"},
    {"rule", KN_OPTION_CHOICE, "gina", 0, 0, KN_RULE_NAMES, "the move rule (docs/experience.md)"},
    {0}};

const KnLearner kn_learner_experience = {
    .head = {"experience", "what came of every position met, in a base (De Jong & Schultz 1988)", options},
    .x = "games",
    .y = "points",
    .measures = "The share of points over the games since the point before, against the opponent.",
    .low = 0,
    .high = 1,
    .chance = NAN,
    .file = "experience.mdb",
    .suits = kn_base_suits,
    .player = player,
};
