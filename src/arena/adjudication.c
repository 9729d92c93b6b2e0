#include "arena/adjudication.h"

#include "base/assert.h"
#include "base/error.h"
#include "eval/evaluation.h"

static void count(int *moves, bool so) { *moves = so ? *moves + 1 : 0; }

KnAdjudged kn_adjudicate_answer(const KnAdjudication *rules, KnVerdicts *v, size_t ply, int role,
                                const KnAnswer *answer)
{
    KN_ASSERT(role == 0 || role == 1);
    bool said = answer->has_score;
    double chance = said ? kn_chance_of_score(answer->score, answer->payoffs, answer->log_odds) : 50;
    count(&v->hopeless[role], said && chance <= rules->resign_below);
    count(&v->winning[role], said && chance >= 100 - rules->resign_below);
    count(&v->even[role], said && ply >= rules->draw_from && chance >= 50 - rules->draw_within &&
                              chance <= 50 + rules->draw_within);
    int other = 1 - role, moves = rules->resign_moves;
    if (moves && v->hopeless[role] >= moves && (!rules->resign_agreed || v->winning[other] >= moves))
        return role == 0 ? KN_FIRST_LOSES : KN_SECOND_LOSES;
    if (moves && rules->resign_agreed && v->winning[role] >= moves && v->hopeless[other] >= moves)
        return other == 0 ? KN_FIRST_LOSES : KN_SECOND_LOSES;
    if (rules->draw_moves && v->even[0] >= rules->draw_moves && v->even[1] >= rules->draw_moves)
        return KN_DRAWN;
    return KN_GOES_ON;
}

KnStatus kn_adjudication_check(const KnAdjudication *rules, const KnGame *game, KnError *error)
{
    if (!rules->resign_moves && !rules->draw_moves) return KN_OK;
    if (game->roles != 2 || !(game->traits & KN_GAME_ZERO_SUM) || game->traits & KN_GAME_SIMULTANEOUS)
        return kn_fail(error, KN_USAGE,
                       "games of %s cannot be adjudicated by scores: that needs two players in turn",
                       game->spec);
    if (rules->resign_moves < 0 || rules->draw_moves < 0 || !(rules->resign_below >= 0) ||
        rules->resign_below >= 50 || !(rules->draw_within >= 0) || rules->draw_within >= 50)
        return kn_fail(error, KN_USAGE, "a player resigns below 50 %% and agrees to a draw near 50 %%");
    return KN_OK;
}
