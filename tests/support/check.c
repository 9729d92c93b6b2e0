#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void check_fails_(const KnError *error, KnStatus wanted, const char *part, KnStatus got, const char *call)
{
    if (got != wanted) fail_msg("%s: status %d, wanted %d", call, (int)got, (int)wanted);
    if (!strstr(error->text, part)) fail_msg("%s: message \"%s\" lacks \"%s\"", call, error->text, part);
}

void check_near_(double value, double wanted, double most, const char *what)
{
    if (!(fabs(value - wanted) <= most)) fail_msg("%s: %.12g, wanted %.12g", what, value, wanted);
}

/* KNACK_TEST_SCALE=1 draws the whole samples; sanitized builds draw a tenth. */
static const double USUAL_SCALE = 0.4;

long check_scaled(long samples)
{
    const char *scale = getenv("KNACK_TEST_SCALE");
    long scaled = (long)((double)samples * (scale ? strtod(scale, NULL) : USUAL_SCALE));
    return scaled < 1 ? 1 : scaled;
}

long check_resident(void)
{
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &ignored, &pages), 2);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
