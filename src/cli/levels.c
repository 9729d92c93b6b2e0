#include "cli/levels.h"

#include <jansson.h>
#include <stdlib.h>
#include <strings.h>

#include "arena/review.h"
#include "base/embedded.h"

/* The levels of a game: under its whole spec, or under its name; `any`: or those of any game. A new
 * reference; NULL if it has none. */
static json_t *levels_of(const KnGame *game, bool any)
{
    const KnEmbeddedRow *row = kn_embedded_find("levels.json");
    json_t *all = row ? json_loadb((const char *)row->bytes, *row->size, 0, NULL) : NULL;
    json_t *levels = json_object_get(all, game->spec);
    if (!levels) levels = json_object_get(all, game->type->head.name);
    if (!levels && any) levels = json_object_get(all, "*");
    json_incref(levels);
    json_decref(all);
    return levels;
}

static const char *field(const json_t *level, const char *name)
{
    const char *text = json_string_value(json_object_get(level, name));
    return text ? text : "";
}

KnStatus cli_level(const KnGame *game, const char *wanted, KnText *spec, KnError *error)
{
    json_t *levels = levels_of(game, true), *level;
    size_t i;
    char *end;
    long number = strtol(wanted, &end, 10);
    KnText known = KN_TEXT_EMPTY;
    json_array_foreach(levels, i, level)
    {
        bool this = *end ? strcasecmp(field(level, "id"), wanted) == 0 : number == (long)i + 1;
        if (this) kn_text_add(spec, field(level, "spec"));
        kn_text_printf(&known, "%s%zu %s", i ? ", " : "", i + 1, field(level, "id"));
    }
    KnStatus status = KN_OK;
    if (!spec->length)
        status = known.length
                     ? kn_fail(error, KN_USAGE, "%s has no level \"%.40s\"; it has: %s", game->spec, wanted,
                               known.data)
                     : kn_fail(error, KN_USAGE, "%s has no levels; name a player with --second", game->spec);
    json_decref(levels);
    kn_text_free(&known);
    return status;
}

void cli_fitting_opponent(const KnGame *game, KnText *spec)
{
    json_t *levels = levels_of(game, false);
    size_t count = json_array_size(levels);
    if (count) kn_text_add(spec, field(json_array_get(levels, count / 2), "spec"));
    if (!spec->length) kn_text_add(spec, kn_fitting_player(game));
    json_decref(levels);
}
