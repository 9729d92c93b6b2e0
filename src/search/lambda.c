#include "search/lambda.h"

#include <math.h>
#include <stdlib.h>

bool kn_lambda_init(KnLambda *l, int count, size_t capacity, double lambda, double step, bool squash)
{
    *l = (KnLambda){.count = count, .squash = squash, .lambda = lambda, .step = step, .capacity = capacity};
    l->weights = calloc((size_t)count, sizeof *l->weights);
    l->squares = calloc((size_t)count, sizeof *l->squares);
    l->values = malloc(capacity * (size_t)count * sizeof *l->values);
    l->predictions = malloc(capacity * sizeof *l->predictions);
    return l->weights && l->squares && l->values && l->predictions;
}

void kn_lambda_free(KnLambda *l)
{
    free(l->weights);
    free(l->squares);
    free(l->values);
    free(l->predictions);
    *l = (KnLambda){0};
}

double *kn_lambda_row(KnLambda *l)
{
    return l->steps < l->capacity ? l->values + l->steps++ * (size_t)l->count : NULL;
}

double kn_lambda_predict(const KnLambda *l, const double *values)
{
    double sum = 0;
    for (int i = 0; i < l->count; i++) sum += l->weights[i] * values[i];
    return l->squash ? tanh(sum) : sum;
}

/* The gradient is that of the cross entropy where the sum is squashed, of the square error where not: the
 * error times the term in both. */
void kn_lambda_learn(KnLambda *l, double outcome)
{
    for (size_t t = 0; t < l->steps; t++)
        l->predictions[t] = kn_lambda_predict(l, l->values + t * (size_t)l->count);
    double wanted = outcome;
    for (size_t t = l->steps; t-- > 0;) {
        if (t + 1 < l->steps) wanted = (1 - l->lambda) * l->predictions[t + 1] + l->lambda * wanted;
        double error = wanted - l->predictions[t];
        const double *values = l->values + t * (size_t)l->count;
        for (int i = 0; i < l->count; i++) {
            double slope = error * values[i];
            if (slope == 0) continue;
            l->squares[i] += slope * slope;
            l->weights[i] += l->step * slope / sqrt(l->squares[i]);
        }
    }
    l->steps = 0;
}
