/* The site has no foreign engines: nothing to register (protocols/registry.h). */
#include "protocols/registry.h"

KnStatus kn_protocols_register(KnContext *context, KnError *error)
{
    return (void)context, (void)error, KN_OK;
}
