/* PWL: the weights of the second tier, an Advisor and a stage each, moved after every game towards who
 * would have advised what the expert did.
 *
 * At each state where an expert had the move, and that the first tier leaves open: an Advisor whose strongest
 * support is the expert's move was right; one that supports others only, or opposes it, was wrong; silence
 * moves nothing. Steps are additive and bounded by 0 and 1. Weights are moved before the game's own
 * knowledge is learned, else remembering the game would look like foresight. */
#include "methods/hoyle/hoyle.h"

#include <math.h>
#include <string.h>

/* By how much an Advisor's comments move its weight, in units of a step from -1 to 1; 0: it had nothing to
 * say. Who backs k of n moves would be right at random in k of n cases, so being right counts 1 - k/n and
 * being wrong k/n: comments at random leave a weight where it is on average, and an Advisor that backs half
 * the moves gains little by being right. One that only opposes moves is right if the expert's is not among
 * them. */
static double judge(const Decision *decision, const int *strengths, int expert)
{
    int best = NEUTRAL, backed = 0, opposed = 0, left = 0;
    for (int i = 0; i < decision->count; i++)
        if (strengths[i] > best) best = strengths[i];
    for (int i = 0; i < decision->count; i++) {
        if (decision->consequences[i].out) continue;
        left++;
        backed += best > NEUTRAL && strengths[i] == best;
        opposed += strengths[i] != SILENT && strengths[i] < NEUTRAL;
    }
    if (backed) return strengths[expert] == best ? 1 - (double)backed / left : -(double)backed / left;
    if (opposed)
        return strengths[expert] != SILENT && strengths[expert] < NEUTRAL ? (double)opposed / left - 1
                                                                          : (double)opposed / left;
    return 0;
}

static void move_weight(int *weight, double verdict, double step)
{
    *weight += (int)lround(verdict * step * WEIGHT_UNIT);
    if (*weight < 0) *weight = 0;
    if (*weight > WEIGHT_UNIT) *weight = WEIGHT_UNIT;
}

bool kn_hoyle_update_weight(const Decision *decision, const int *strengths, int expert, double step,
                            int *weight)
{
    double verdict = judge(decision, strengths, expert);
    move_weight(weight, verdict, step);
    return fabs(verdict) > 0;
}

static void weigh_state(HoyleKnowledge *knowledge, Decision *decision, KnMove move, KnRng *rng)
{
    FirstTierResult result;
    int expert = -1;
    double step = knowledge->settings.step;
    for (int i = 0; i < decision->count; i++)
        if (decision->moves[i] == move) expert = i;
    if (expert < 0) return;
    if (!knowledge->settings.weigh_all) {
        kn_first_tier(decision, knowledge->settings.sequences != SEQUENCES_NONE, &result);
        if (result.chosen >= 0 || decision->consequences[expert].out) return;
    }
    kn_second_tier(decision);
    for (int v = 0; v < SECOND_TIER; v++)
        knowledge->judged[decision->stage][v] +=
            kn_hoyle_update_weight(decision, kn_decision_strengths(decision, v), expert, step,
                                   &knowledge->weights[decision->stage][v]);
    kn_patsy_update_weights(knowledge->patsy, decision, expert, step);
    kn_seq_advisor_update_weight(knowledge->seq, decision, expert, step);
    int chance[decision->count]; /* the benchmark comments on every move at random */
    for (int i = 0; i < decision->count; i++)
        chance[i] = decision->consequences[i].out ? SILENT : (int)kn_rng_below(rng, HEAVY + 1);
    move_weight(&knowledge->random_weight[decision->stage], judge(decision, chance, expert), step);
}

/* Thesis 1.4: PWL. */
void kn_hoyle_learn_weights(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played,
                            KnRng *rng)
{
    const KnGame *game = knowledge->game;
    KnMove moves[game->max_moves];
    for (size_t ply = 0; ply < played->plies; ply++) {
        const void *position = kn_played_game_position(played, ply);
        if (!(played->experts >> game->type->mover(game, position) & 1)) continue;
        int count = game->type->moves(game, position, moves);
        if (count < 2) continue;
        kn_decision_look_ahead(decision, position, moves, count);
        weigh_state(knowledge, decision, played->moves[ply], rng);
    }
}
