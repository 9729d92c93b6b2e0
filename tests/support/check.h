/* What every test includes: cmocka with the headers it needs, and a few shorthands of ours. */
#ifndef KNACK_TESTS_CHECK_H
#define KNACK_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"

/* A call that must succeed; its message is shown if it does not. */
#define check_ok(error, call)                                                                                \
    do {                                                                                                     \
        if ((call) != KN_OK) fail_msg("%s: %s", #call, (error).text);                                        \
    } while (0)

/* A call that must fail with this status and a message that holds this text. */
#define check_fails(error, wanted, part, call) check_fails_(&(error), (wanted), (part), (call), #call)
void check_fails_(const KnError *error, KnStatus wanted, const char *part, KnStatus got, const char *call);

/* A number that must be this one, within `most`. */
#define check_near(value, wanted, most) check_near_((value), (wanted), (most), #value)
void check_near_(double value, double wanted, double most, const char *what);

/* The part of a sample that a test draws: 0.4 of it, or KNACK_TEST_SCALE (1: all; sanitizer runs set 0.1); at
 * least 1. */
long check_scaled(long samples);

/* Resident memory of this process, in kB. */
long check_resident(void);

#endif
