/* Ratings from a cross table: Elo by maximum likelihood (Bradley and Terry, a draw being half a win for
 * each).
 *
 * Each pair that met gets one drawn game added in halves, so that a player who won or lost everything has a
 * finite rating; ratings are centred on 0. The error comes from the curvature of the likelihood, relative to
 * the mean of all players. */
#ifndef KNACK_ARENA_RATINGS_H
#define KNACK_ARENA_RATINGS_H

#include <stddef.h>

#include "base/error.h"

typedef struct KnRating {
    double elo;
    double error; /* 95%: elo -+ error */
} KnRating;

/* points[i * count + j]: what i scored against j, a draw counting half; games likewise (symmetric). Players
 * who are not connected by games keep 0 within their group. */
KnStatus kn_ratings(size_t count, const double *points, const double *games, KnRating *ratings,
                    KnError *error);

#endif
