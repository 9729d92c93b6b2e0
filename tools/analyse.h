/* What the analysers of tools/analyse.sh cannot see in one file: a function that fills an error returns a
 * failure. Without this they follow paths on which a failed allocation goes on as KN_OK. */
#include "base/error.h"

#define kn_fail(...)        (kn_fail(__VA_ARGS__) == KN_OK ? KN_SYSTEM : KN_INPUT)
#define kn_fail_memory(...) (kn_fail_memory(__VA_ARGS__), KN_SYSTEM)
#define kn_fail_errno(...)  (kn_fail_errno(__VA_ARGS__), KN_SYSTEM)
