/* PWL: the weights of the second tier, an Advisor and a stage each, moved after every contest towards who
 * would have advised what the expert did.
 *
 * At each state where an expert had the move, and that the first tier leaves open: an Advisor whose strongest
 * support is the expert's move was right; one that supports others only, or opposes it, was wrong; silence
 * moves nothing. Steps are additive and bounded by 0 and 1. Weights are moved before the contest's own
 * knowledge is learned, else remembering the contest would look like foresight. */
#include "players/hoyle/mind.h"

#include <math.h>
#include <string.h>

/* By how much an Advisor's comments move its weight, in units of a step from -1 to 1; 0: it had nothing to
 * say. Who backs k of n moves would be right by chance in k of n cases, so being right counts 1 - k/n and
 * being wrong k/n: comments at random leave a weight where it is on average, and an Advisor that backs half
 * the moves gains little by being right. One that only opposes moves is right if the expert's is not among
 * them. */
static double judge(const Desk *desk, const int *strengths, int expert)
{
    int best = NEUTRAL, backed = 0, opposed = 0, left = 0;
    for (int i = 0; i < desk->count; i++)
        if (strengths[i] > best) best = strengths[i];
    for (int i = 0; i < desk->count; i++) {
        if (desk->sights[i].out) continue;
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

bool kn_weigh_voice(const Desk *desk, const int *strengths, int expert, double step, int *weight)
{
    double verdict = judge(desk, strengths, expert);
    move_weight(weight, verdict, step);
    return fabs(verdict) > 0;
}

static void weigh_state(Mind *mind, Desk *desk, KnMove move, KnRng *rng)
{
    Ruling ruling;
    int expert = -1;
    double step = mind->settings.step;
    for (int i = 0; i < desk->count; i++)
        if (desk->moves[i] == move) expert = i;
    if (expert < 0) return;
    if (!mind->settings.weigh_all) {
        kn_first_tier(desk, mind->settings.sequences != SEQUENCES_NONE, &ruling);
        if (ruling.chosen >= 0 || desk->sights[expert].out) return;
    }
    kn_second_tier(desk);
    for (int v = 0; v < SECOND_TIER; v++)
        mind->judged[desk->stage][v] += kn_weigh_voice(desk, kn_desk_strengths(desk, v), expert, step,
                                                       &mind->weights[desk->stage][v]);
    kn_patsy_weigh(mind->patsy, desk, expert, step);
    kn_seq_weigh(mind->seq, desk, expert, step);
    int chance[desk->count]; /* the benchmark comments on every move at random */
    for (int i = 0; i < desk->count; i++)
        chance[i] = desk->sights[i].out ? SILENT : (int)kn_rng_below(rng, HEAVY + 1);
    move_weight(&mind->random_weight[desk->stage], judge(desk, chance, expert), step);
}

void kn_mind_weigh(Mind *mind, Desk *desk, const KnWatched *contest, KnRng *rng)
{
    const KnGame *game = mind->game;
    KnMove moves[game->max_moves];
    for (size_t ply = 0; ply < contest->plies; ply++) {
        const void *position = kn_watched_position(contest, ply);
        if (!(contest->experts >> game->type->mover(game, position) & 1)) continue;
        int count = game->type->moves(game, position, moves);
        if (count < 2) continue;
        kn_desk_lay(desk, position, moves, count);
        weigh_state(mind, desk, contest->moves[ply], rng);
    }
}
