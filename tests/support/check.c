#include "support/check.h"

#include <string.h>

void check_fails_(const KnError *error, KnStatus wanted, const char *part, KnStatus got, const char *call)
{
    if (got != wanted) fail_msg("%s: status %d, wanted %d", call, (int)got, (int)wanted);
    if (!strstr(error->text, part)) fail_msg("%s: message \"%s\" lacks \"%s\"", call, error->text, part);
}
