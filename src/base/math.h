/* Elementary functions with the same bits on every machine.
 *
 * The C library picks variants of exp, log and pow by processor (with and without fused multiply-add), and
 * they differ in the last digit. Whatever reaches a stored number (weights, ratings, intervals, a choice that
 * decides a game) uses these instead: plain double arithmetic in a fixed order, no fused operations
 * (-ffp-contract=off), no tables. Addition, multiplication, division, sqrt, floor and ldexp are exact by IEEE
 * 754 and are used as they are.
 *
 * Errors are below 1.5 units in the last place for exp, log, log1p, expm1 and tanh, a few units for the
 * others (tests/base/test_math.c measures them); pow grows with |y log x|. */
#ifndef KNACK_BASE_MATH_H
#define KNACK_BASE_MATH_H

double kn_math_exp(double x);
double kn_math_expm1(double x); /* exp(x) - 1, precise near 0 */
double kn_math_log(double x);   /* NaN below 0, -inf at 0 */
double kn_math_log1p(double x); /* log(1 + x), precise near 0 */
double kn_math_log2(double x);  /* exact for powers of two */
double kn_math_log10(double x);
double kn_math_pow(double x, double y); /* x >= 0; small whole y by multiplication */
double kn_math_tanh(double x);
double kn_math_cbrt(double x);
double kn_math_hypot(double x, double y);
double kn_math_erfc(double x);   /* relative precision also where it is tiny */
double kn_math_lgamma(double x); /* x > 0 */

#endif
