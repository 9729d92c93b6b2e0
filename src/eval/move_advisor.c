#include "eval/move_advisor.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/context.h"
#include "base/spec.h"

static KnStatus open_registered(KnMoveAdvisor *advisor, const KnSpec *spec, KnError *error)
{
    const KnThing *thing;
    KnOptions options;
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "opening an advisor");
    KnSpec bare = *spec;
    bare.key = NULL; /* "advisor=habits" names the advisor "habits" */
    KnStatus status = kn_lookup(advisor->context, KN_KIND_ADVISOR, &bare, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, &bare, arena, &options, error);
    if (status == KN_OK)
        status = ((const KnMoveAdvisorType *)(const void *)thing)->open(advisor, &options, error);
    kn_arena_free(arena);
    return status;
}

KnStatus kn_move_advisor_open(const KnContext *context, const KnGame *game, const KnSpec *spec,
                              KnMoveAdvisor **out, KnError *error)
{
    KnMoveAdvisor *advisor = calloc(1, sizeof *advisor);
    *out = NULL;
    if (!advisor) return kn_fail_memory(error, "opening an advisor");
    advisor->context = context;
    advisor->game = game;
    KnStatus status = open_registered(advisor, spec, error);
    if (status == KN_OK)
        *out = advisor;
    else
        kn_move_advisor_close(advisor);
    return status;
}

void kn_move_advisor_close(KnMoveAdvisor *advisor)
{
    if (!advisor) return;
    if (advisor->close) advisor->close(advisor);
    free(advisor);
}
