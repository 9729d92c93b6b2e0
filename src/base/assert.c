#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void kn_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr,
            "%s:%d: assertion failed: %s\nThis is a defect of knack, not of its input; please report it.\n",
            file, line, condition);
    abort();
}
