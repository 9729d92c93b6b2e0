/* A linear value learned game by game: each position's prediction is drawn towards its lambda-return, the
 * mean of what the positions after it predict and of the outcome (forward TD(lambda); at lambda 1 it is
 * regression on outcomes). Steps are smaller the more a weight has been moved already (AdaGrad), so that rare
 * terms need no step size of their own.
 *
 * Ownership: kn_lambda_init allocates, kn_lambda_free frees; `weights` may be read at any time. */
#ifndef KNACK_SEARCH_LAMBDA_H
#define KNACK_SEARCH_LAMBDA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct KnLambda {
    int count;
    bool squash; /* a prediction is tanh of the sum; else the sum itself */
    double lambda, step;
    double *weights, *squares; /* by term */
    double *values;            /* of the game's positions, a row each */
    double *predictions;
    size_t steps, capacity;
} KnLambda;

/* Weights zero, room for games of so many positions. False if memory runs out. */
bool kn_lambda_init(KnLambda *l, int count, size_t capacity, double lambda, double step, bool squash);
void kn_lambda_free(KnLambda *l);

/* Where the next position's terms are to be written; NULL if the game has gone on for too long. */
double *kn_lambda_row(KnLambda *l);

/* The game came out as `outcome` (-1 to 1): moves the weights and forgets the game. */
void kn_lambda_learn(KnLambda *l, double outcome);
static inline void kn_lambda_drop(KnLambda *l) { l->steps = 0; }

double kn_lambda_predict(const KnLambda *l, const double *values);

#endif
