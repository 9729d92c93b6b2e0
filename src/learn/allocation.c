#include "learn/allocation.h"

static int32_t greatest(const int32_t *values, int count)
{
    int32_t best = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > best) best = values[i];
    return best;
}

KnDeepWorth kn_deep_worth(const int32_t *shallow, const int32_t *deep, int count, int shallow_move, int deep_move)
{
    int32_t shallow_best = greatest(shallow, count), deep_best = greatest(deep, count);
    int choices = 0, wrong = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        if (shallow[i] != shallow_best) continue;
        choices++;
        wrong += deep[i] != deep_best;
        sum += deep[i];
    }
    return (KnDeepWorth){.single_positive = shallow_move != deep_move,
                         .single_utility = (double)deep[deep_move] - deep[shallow_move],
                         .positive = wrong > 0,
                         .utility = deep_best - sum / choices};
}
