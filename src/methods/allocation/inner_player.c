/* The player inside: made to look as deep as it may be asked to, and asked. */
#include "methods/allocation/policy.h"

#include <string.h>

static const KnOption *find_option(const KnThing *thing, const char *name)
{
    for (const KnOption *row = thing->options; row && row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

/* A copy of the inner player's spec in which the searching player, itself or the player that it wraps, looks
 * `depth` plies ahead: otherwise its own, lower limit would hold. Sets *found if some player in it has a
 * depth. */
static KnStatus deepen_spec(const KnContext *context, const KnSpec *spec, int depth, KnArena *arena,
                            const KnSpec **out, bool *found, KnError *error)
{
    const KnThing *thing;
    KnOptions options;
    KnStatus status = kn_lookup(context, KN_KIND_PLAYER, spec, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, spec, arena, &options, error);
    if (status != KN_OK) return status;
    KnSpec *copy = kn_arena_copy(arena, spec, sizeof *spec);
    if (!copy) return kn_fail_memory(error, "opening a player");
    *out = copy;
    const KnOption *row = find_option(thing, "depth");
    bool given = false;
    const KnSpec **link = &copy->args;
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        KnSpec *own = kn_arena_copy(arena, arg, sizeof *arg);
        if (!own) return kn_fail_memory(error, "opening a player");
        if (row)
            given = given || options.values[row - thing->options] == arg;
        else if (arg->kind == KN_SPEC_NAME && kn_find(context, KN_KIND_PLAYER, arg->text)) {
            const KnSpec *deeper;
            status = deepen_spec(context, arg, depth, arena, &deeper, found, error);
            if (status != KN_OK) return status;
            *own = *deeper;
        }
        own->next = NULL;
        *link = own;
        link = &own->next;
    }
    if (!row) return KN_OK;
    *found = true;
    long limit = kn_option_integer(&options, "depth");
    if (given && limit < depth)
        return kn_fail(error, KN_INPUT,
                       "%s, column %d: its own depth=%ld is less than %d, which it may be asked for; leave "
                       "it out, and it is set",
                       spec->text, spec->column, limit, depth);
    if (given) return KN_OK;
    KnSpec *set = KN_ARENA_NEW(arena, KnSpec, 1);
    char *text = kn_arena_printf(arena, "%d", depth);
    if (!set || !text) return kn_fail_memory(error, "opening a player");
    *set = (KnSpec){
        .kind = KN_SPEC_NUMBER, .text = text, .key = "depth", .number = depth, .column = spec->column};
    *link = set;
    return KN_OK;
}

KnStatus kn_allocation_open_inner_spec(const KnContext *context, const KnGame *game, const KnSpec *spec,
                                       int depth, KnPlayer **inner, KnError *error)
{
    *inner = NULL;
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "opening a player");
    const KnSpec *deeper;
    bool found = false;
    KnStatus status = deepen_spec(context, spec, depth, arena, &deeper, &found, error);
    if (status == KN_OK && !found)
        status =
            kn_fail(error, KN_INPUT,
                    "%s does not look ahead by depth, so that there is nothing to allocate; try alphabeta",
                    spec->text);
    if (status == KN_OK) status = kn_player_open_spec(context, game, deeper, inner, error);
    kn_arena_free(arena);
    return status;
}

KnStatus kn_allocation_open_inner(const KnContext *context, const KnGame *game, const char *text, int depth,
                                  KnPlayer **inner, KnError *error)
{
    *inner = NULL;
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "opening a player");
    if (status == KN_OK) status = kn_allocation_open_inner_spec(context, game, spec, depth, inner, error);
    kn_arena_free(arena);
    return status;
}

KnStatus kn_allocation_wrap(KnPlayer *player, const KnSpec *spec, int depth, KnError *error)
{
    KnStatus status = kn_allocation_open_inner_spec(player->context, player->game, spec, depth,
                                                    &player->inner, error);
    if (status == KN_OK) player->traits &= player->inner->traits;
    return status;
}

KnStatus kn_allocation_suits(const KnGame *game, KnError *error)
{
    if (!(game->traits & KN_GAME_SIMULTANEOUS)) return KN_OK;
    return kn_fail(error, KN_INPUT, "needs a game in which players take turns");
}

KnExplanation *kn_allocation_explanation(const KnPlayer *player, const KnRequest *request, const char *label,
                                         KnAnswer *answer)
{
    KnArena *arena = request->arena;
    if (!answer->explanation)
        answer->explanation = kn_explanation_new(
            arena, kn_game_move_name(request->game, request->position, answer->move, arena));
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, label);
    if (kn_player_note(player)[0])
        kn_explanation_text(arena, group, "learned for something else",
                            kn_arena_string(arena, kn_player_note(player)));
    return group;
}

static KnStatus ask_with(KnPlayer *inner, const KnRequest *request, KnBudget budget, KnScore *values,
                         KnAnswer *answer, KnError *error)
{
    KnRequest ask = *request;
    ask.budget = budget;
    if (values) ask.wants |= KN_WANT_VALUES;
    *answer = (KnAnswer){.move = KN_MOVE_NONE, .values = values};
    KnStatus status = inner->type->choose(inner, &ask, answer, error);
    if (status == KN_OK && values && !answer->has_values)
        return kn_fail(error, KN_INPUT, "%s does not give the value of every move, which this policy needs",
                       inner->spec);
    return status;
}

KnStatus kn_allocation_ask(KnPlayer *inner, const KnRequest *request, int depth, KnScore *values,
                           KnAnswer *answer, KnError *error)
{
    KnBudget budget = request->budget;
    if (budget.depth <= 0 || depth < budget.depth) budget.depth = depth;
    return ask_with(inner, request, budget, values, answer, error);
}

KnStatus kn_allocation_ask_nodes(KnPlayer *inner, const KnRequest *request, uint64_t nodes, KnScore *values,
                                 KnAnswer *answer, KnError *error)
{
    return ask_with(inner, request, (KnBudget){.nodes = nodes}, values, answer, error);
}
