/* The weights of the second tier, an Advisor and a stage each, learned after every game from what experts did
 * where the first tier leaves a choice. By default a logistic regression of the expert's move on what the
 * Advisors say, so that Advisors who always speak together share a weight; PWL (weights=walk) is the
 * thesis's.
 *
 * PWL, at each state where an expert had the move, and that the first tier leaves open: an Advisor whose
 * strongest support is the expert's move was right; one that supports others only, or opposes it, was wrong;
 * silence moves nothing. Steps are additive and bounded by 0 and 1. Weights are moved before the game's own
 * knowledge is learned, else remembering the game would look like foresight. */
#include "methods/hoyle/hoyle.h"

#include <math.h>

#include "base/math.h"

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

/* What an Advisor says of a move, from -1 to 1; silence is 0. */
static double opinion(const Decision *decision, int advisor, int move)
{
    int strength = kn_decision_strengths(decision, advisor)[move];
    return strength == SILENT ? 0 : (double)(strength - NEUTRAL) / NEUTRAL;
}

/* The chance that the expert plays each move: exp(sum of coefficient times opinion), as shares. */
static void foresee(const Decision *decision, const double *coefficients, double *chances)
{
    double sum = 0, highest = -INFINITY;
    for (int i = 0; i < decision->count; i++) {
        chances[i] = 0;
        for (int v = 0; v < SECOND_TIER; v++) chances[i] += coefficients[v] * opinion(decision, v, i);
        if (!decision->consequences[i].out && chances[i] > highest) highest = chances[i];
    }
    for (int i = 0; i < decision->count; i++) {
        chances[i] = decision->consequences[i].out ? 0 : kn_math_exp(chances[i] - highest);
        sum += chances[i];
    }
    for (int i = 0; i < decision->count; i++) chances[i] /= sum;
}

/* One step of stochastic gradient ascent on the likelihood of the expert's move (conditional logistic
 * regression), with steps that shrink by what a coefficient has moved (AdaGrad: Duchi et al. 2011). Weights
 * are the coefficients as shares of the largest; who misleads has none. */
static void learn_logistic(HoyleKnowledge *knowledge, const Decision *decision, int expert)
{
    static const double rate = 0.025; /* .1 and .5 were worse on development seeds */
    double *coefficients = knowledge->coefficients[decision->stage],
           *squares = knowledge->squares[decision->stage], chances[decision->count], largest = 1e-6;
    foresee(decision, coefficients, chances);
    for (int v = 0; v < SECOND_TIER; v++) {
        double gradient = opinion(decision, v, expert);
        for (int i = 0; i < decision->count; i++) gradient -= chances[i] * opinion(decision, v, i);
        squares[v] += gradient * gradient;
        if (squares[v] > 0) coefficients[v] += rate * gradient / sqrt(squares[v]);
        if (coefficients[v] > largest) largest = coefficients[v];
    }
    for (int v = 0; v < SECOND_TIER; v++) {
        double share = coefficients[v] / largest;
        knowledge->weights[decision->stage][v] = share > 0 ? (int)(share * WEIGHT_UNIT + 0.5) : 0;
    }
}

/* The expert's move in a decision that is his to make; -1 where the first tier decides or took it away. */
static int open_decision(const HoyleKnowledge *knowledge, Decision *decision, KnMove move)
{
    FirstTierResult result;
    int expert = -1;
    for (int i = 0; i < decision->count; i++)
        if (decision->moves[i] == move) expert = i;
    if (expert < 0 || knowledge->settings.weigh_all) return expert;
    kn_first_tier(decision, knowledge->settings.sequences != SEQUENCES_NONE, &result);
    return result.chosen >= 0 || decision->consequences[expert].out ? -1 : expert;
}

static void weigh_state(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played, size_t ply,
                        int expert, KnRng *rng)
{
    double step = knowledge->settings.step;
    kn_second_tier(decision);
    for (int v = 0; v < SECOND_TIER; v++)
        kn_reasons_note(knowledge, decision, v, played, ply,
                        judge(decision, kn_decision_strengths(decision, v), expert));
    if (knowledge->settings.rule == WEIGHTS_LOGISTIC) learn_logistic(knowledge, decision, expert);
    for (int v = 0; v < SECOND_TIER && knowledge->settings.rule == WEIGHTS_WALK; v++)
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

static void judge_state(HoyleKnowledge *knowledge, Decision *decision, int expert)
{
    double coefficients[SECOND_TIER], chances[decision->count];
    int last;
    kn_second_tier(decision);
    for (int v = 0; v < SECOND_TIER; v++) /* PWL's weights are read as coefficients */
        coefficients[v] = knowledge->settings.rule == WEIGHTS_LOGISTIC
                              ? knowledge->coefficients[decision->stage][v]
                              : (double)knowledge->weights[decision->stage][v] / WEIGHT_UNIT;
    foresee(decision, coefficients, chances);
    knowledge->foreseen_decisions++;
    knowledge->foreseen_bits -= kn_math_log2(chances[expert]);
    knowledge->chance_bits += kn_math_log2(kn_first_tier_left(decision, &last));
}

/* Goes through the experts' decisions of a game that are open to the second tier: learns from them, or, with
 * no generator, judges itself. */
static void each_decision(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played,
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
        int expert = open_decision(knowledge, decision, played->moves[ply]);
        if (expert >= 0 && rng)
            weigh_state(knowledge, decision, played, ply, expert, rng);
        else if (expert >= 0)
            judge_state(knowledge, decision, expert);
    }
}

/* Thesis 1.4: PWL. */
void kn_hoyle_learn_weights(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played,
                            KnRng *rng)
{
    each_decision(knowledge, decision, played, rng);
}

void kn_hoyle_judge(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played)
{
    each_decision(knowledge, decision, played, NULL);
}
