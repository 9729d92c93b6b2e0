#include "methods/thinking/signals.h"

#include <math.h>

#include "base/math.h"

void kn_thinking_start(KnThinkingTrack *track, const KnScore *previous)
{
    *track = (KnThinkingTrack){.move = KN_MOVE_NONE, .previous = previous ? *previous : 0};
    if (!previous) track->previous = INT32_MIN;
}

static double bounded(double x, double most) { return fmin(fmax(x, -most), most); }

void kn_thinking_see(KnThinkingTrack *t, const KnDeepening *found, double effort, double *signals)
{
    double score = found->score, nodes = (double)found->depth_nodes;
    bool same = t->depths && found->move == t->move;
    t->stable = same ? t->stable + 1 : 0;
    t->unrest = t->unrest / 2 + (t->depths && !same);
    signals[KN_SIGNAL_EFFORT] = kn_math_log2(fmax(effort, 1e-6));
    signals[KN_SIGNAL_DEPTH] = found->depth;
    signals[KN_SIGNAL_MOVES] = found->moves;
    signals[KN_SIGNAL_STABLE] = t->stable;
    signals[KN_SIGNAL_UNREST] = t->unrest;
    signals[KN_SIGNAL_CHANGE] = t->depths ? bounded(score - t->scores[0], KN_THINKING_SCORE) : 0;
    signals[KN_SIGNAL_TWO_PLIES] = t->depths > 1 ? bounded(score - t->scores[1], KN_THINKING_SCORE) : 0;
    signals[KN_SIGNAL_DROP] = t->previous == INT32_MIN
                                  ? 0
                                  : bounded((double)t->previous - score, KN_THINKING_SCORE);
    signals[KN_SIGNAL_LEAD] = bounded(score, KN_THINKING_SCORE);
    signals[KN_SIGNAL_FOCUS] = nodes > 0 ? (double)found->move_nodes / nodes : 1;
    signals[KN_SIGNAL_RIVALS] = found->rivals;
    signals[KN_SIGNAL_BEYOND] = found->beyond;
    signals[KN_SIGNAL_GROWTH] = t->last_nodes > 0 && nodes > 0
                                    ? bounded(kn_math_log2(nodes / t->last_nodes), 10)
                                    : 0;
    t->scores[1] = t->scores[0];
    t->scores[0] = found->score;
    t->move = found->move;
    t->last_nodes = nodes;
    t->depths++;
}

/* A man is about 100. */
double kn_thinking_rule(const double *signals)
{
    double stability = 1.3 - 0.1 * fmin(signals[KN_SIGNAL_STABLE], 6),
           unrest = 1 + 0.5 * signals[KN_SIGNAL_UNREST];
    double falling = bounded(1 + fmax(signals[KN_SIGNAL_DROP], -signals[KN_SIGNAL_TWO_PLIES]) / 200, 2);
    double focus = fmax(0.5, 1.6 - signals[KN_SIGNAL_FOCUS]);
    return fmin(4, stability * unrest * fmax(falling, 0.75) * focus);
}
