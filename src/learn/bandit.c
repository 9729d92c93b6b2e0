#include "learn/bandit.h"

#include <math.h>

#include "base/assert.h"
#include "base/math.h"

double kn_bandit_mean(const KnBanditArm *arm) { return arm->plays ? arm->reward / (double)arm->plays : 0; }

int kn_bandit_ucb1(const KnBanditArm *arms, int count, double exploration)
{
    KN_ASSERT(count > 0 && exploration >= 0);
    uint64_t plays = 0;
    for (int i = 0; i < count; i++) {
        if (!arms[i].plays) return i;
        plays += arms[i].plays;
    }
    double spread = 2 * kn_math_log((double)plays), best_bound = -INFINITY;
    int best = 0;
    for (int i = 0; i < count; i++) {
        double bound = kn_bandit_mean(&arms[i]) + exploration * sqrt(spread / (double)arms[i].plays);
        if (bound > best_bound) {
            best_bound = bound;
            best = i;
        }
    }
    return best;
}

void kn_bandit_reward(KnBanditArm *arm, double reward)
{
    KN_ASSERT(reward >= 0 && reward <= 1);
    arm->plays++;
    arm->reward += reward;
}

int kn_bandit_best(const KnBanditArm *arms, int count)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        if (!arms[i].plays) continue;
        if (best < 0 || arms[i].plays > arms[best].plays ||
            (arms[i].plays == arms[best].plays && kn_bandit_mean(&arms[i]) > kn_bandit_mean(&arms[best])))
            best = i;
    }
    return best;
}
