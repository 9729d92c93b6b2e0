/* A second opinion on our distributions from the GNU Scientific Library, where it is installed. */
#include "support/check.h"

#ifdef KNACK_HAVE_GSL
#include <math.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_statistics_double.h>

#include <knack/base.h>
#include <knack/stats.h>

static void check_close(double ours, double theirs, double tolerance, const char *what, double x, double y)
{
    if (!(fabs(ours - theirs) <= tolerance * fmax(fabs(theirs), 1e-300)))
        fail_msg("%s(%.17g, %g): %.17g, GSL %.17g", what, x, y, ours, theirs);
}

static void test_normal(void **state)
{
    (void)state;
    for (double x = -35; x <= 8; x += 0.37)
        check_close(kn_normal_cdf(x), gsl_cdf_ugaussian_P(x), 1e-12, "normal cdf", x, 0);
    for (double e = -280; e < -0.31; e += 1.3) {
        double p = pow(10, e);
        check_close(kn_normal_quantile(p), gsl_cdf_ugaussian_Pinv(p), 1e-13, "normal quantile", p, 0);
        if (p > 1e-12)
            check_close(kn_normal_quantile(1 - p), gsl_cdf_ugaussian_Pinv(1 - p), 1e-12, "normal quantile",
                        1 - p, 0);
    }
}

static const double degrees[] = {1, 1.5, 2, 3, 7, 30, 99, 999, 39999};

static void test_student(void **state)
{
    (void)state;
    const double ps[] = {0.0005, 0.01, 0.025, 0.05, 0.2, 0.4, 0.6, 0.9, 0.975, 0.999};
    for (size_t d = 0; d < sizeof degrees / sizeof *degrees; d++) {
        for (double t = -12; t <= 12; t += 0.7)
            check_close(kn_student_t_cdf(t, degrees[d]), gsl_cdf_tdist_P(t, degrees[d]), 1e-9, "t cdf", t,
                        degrees[d]);
        for (size_t i = 0; i < sizeof ps / sizeof *ps; i++)
            check_close(kn_student_t_quantile(ps[i], degrees[d]), gsl_cdf_tdist_Pinv(ps[i], degrees[d]), 1e-8,
                        "t quantile", ps[i], degrees[d]);
    }
}

static void test_beta(void **state)
{
    (void)state;
    const double parameters[] = {0.5, 1, 2.5, 10, 200};
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (double x = 0.01; x < 1; x += 0.07) {
                double theirs = gsl_sf_beta_inc(parameters[a], parameters[b], x);
                double ours = kn_incomplete_beta(parameters[a], parameters[b], x);
                if (fabs(ours - theirs) > 1e-12)
                    check_close(ours, theirs, 1e-9, "beta", parameters[a], parameters[b]);
            }
}

static void test_moments(void **state)
{
    (void)state;
    enum { N = 1000 };
    double values[N];
    KnRng rng = kn_rng_seeded(5);
    KnMoments moments = {0};
    for (int i = 0; i < N; i++) {
        values[i] = 100 + kn_normal_quantile(kn_rng_real(&rng) + 1e-17);
        kn_moments_add(&moments, values[i]);
    }
    check_close(kn_moments_mean(&moments), gsl_stats_mean(values, 1, N), 1e-14, "mean", 0, 0);
    check_close(kn_moments_variance(&moments), gsl_stats_variance(values, 1, N), 1e-12, "variance", 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_beta),
        cmocka_unit_test(test_moments),
    };
    gsl_set_error_handler_off(); /* an underflow to 0 is an answer */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 77; /* skipped: ctest counts and names it */ }
#endif
