#include "web/guard.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/embedded.h"
#include "base/file.h"
#include "players/player.h"
#include "search/solved.h"
#include "eval/weights.h"

/* String options that name neither a file nor a command. */
static const struct {
    const char *thing, *option;
} harmless[] = {{"matrix", "payoffs"},   {"matrix", "actions"}, {"matrix", "later"},
                {"satisfice", "action"}, {"Cycler", "word"},    {"fsm", "text"},
                {"memory", "text"},      {"blend", "weights"},  {"features", "set"}};

/* Limits for threads, and for the games that an evaluation plays when it is opened: that work cannot be
 * cancelled. No threads at all would mean all cores. */
static const struct {
    const char *thing, *option;
    double most, least;
} bounded[] = {{"alphabeta", "threads", 1, 1},   {"uct", "threads", 1, 1},
               {"general", "threads", 1, 1},     {"blend", "fit", 1000, 0},
               {"blend", "nodes", 100000, 0},    {"proximity", "games", 1000, 0},
               {"proximity", "nodes", 100000, 0}};

static bool is_harmless(const KnThing *thing, const KnOption *option, const KnSpec *value)
{
    /* `on` and `auto` use the server's own endgame tables; any other value would name a folder. */
    if (strcmp(thing->name, "alphabeta") == 0 && strcmp(option->name, "tables") == 0 &&
        (strcmp(value->text, "on") == 0 || strcmp(value->text, "auto") == 0 ||
         strcmp(value->text, "off") == 0))
        return true;
    if (strcmp(thing->name, "features") == 0 && strcmp(option->name, "weights") == 0 &&
        kn_weights_named(value->text))
        return true;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(harmless[i].thing, thing->name) == 0 && strcmp(harmless[i].option, option->name) == 0)
            return true;
    return false;
}

/* data:learned/NAME: a file that was learned on this server. NAME has no slash and does not begin with a dot.
 */
static bool is_learned_here(const KnOption *option, const char *text)
{
    static const char start[] = KN_DATA_FILE KN_GUARD_LEARNED "/";
    if (!option->choices || strcmp(option->choices, KN_OPTION_FILE) != 0) return false;
    if (strncmp(text, start, sizeof start - 1) != 0 || !isalnum((unsigned char)text[sizeof start - 1]))
        return false;
    for (text += sizeof start - 1; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("._-", *text)) return false;
    return true;
}

/* The registry kind of a spec option, by the word in its table; KN_KINDS if the table has none. */
static KnKind kind_of(const KnOption *option)
{
    for (int kind = 0; kind < KN_KINDS; kind++)
        if (option->choices && strcmp(option->choices, kn_kind_name((KnKind)kind)) == 0) return (KnKind)kind;
    return KN_KINDS;
}

/* One walk over a spec. */
typedef struct Guard {
    const KnContext *context;
    KnArena *arena;
    bool solves; /* some player of the spec needs the game solved */
} Guard;

static KnStatus walk(Guard *guard, KnKind kind, const KnSpec *spec, KnError *error);

static KnStatus check_option(Guard *guard, const KnThing *thing, const KnOption *option, const KnSpec *value,
                             KnError *error)
{
    switch (option->type) {
    case KN_OPTION_INTEGER:
        if (strcmp(option->name, "memory") == 0 && value->number > KN_GUARD_MEMORY)
            return kn_fail(error, KN_INPUT, "%s, column %d: memory is limited to %d MiB over HTTP",
                           thing->name, value->column, KN_GUARD_MEMORY);
        for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++)
            if (strcmp(bounded[i].thing, thing->name) == 0 && strcmp(bounded[i].option, option->name) == 0 &&
                (value->number > bounded[i].most || value->number < bounded[i].least))
                return kn_fail(error, KN_INPUT, "%s, column %d: %s is limited to %.0f over HTTP", thing->name,
                               value->column, option->name, bounded[i].most);
        return KN_OK;
    case KN_OPTION_REAL:
    case KN_OPTION_FLAG:
    case KN_OPTION_CHOICE:
        return KN_OK;
    case KN_OPTION_STRING:
        if (is_harmless(thing, option, value) || is_learned_here(option, value->text)) return KN_OK;
        return kn_fail(error, KN_INPUT,
                       "%s, column %d: %s names a file or a command, which is not allowed over HTTP; use the "
                       "command line",
                       thing->name, value->column, option->name);
    case KN_OPTION_SPEC: {
        KnKind kind = kind_of(option);
        if (kind == KN_KINDS)
            return kn_fail(error, KN_INPUT, "%s, column %d: %s is not allowed over HTTP", thing->name,
                           value->column, option->name);
        return walk(guard, kind, value, error);
    }
    }
    return kn_fail(error, KN_INPUT, "%s: %s is not allowed over HTTP", thing->name, option->name);
}

/* These players solve the game when they are opened, which can take hours and gigabytes. */
static bool needs_solution(const KnThing *thing, const KnOptions *options)
{
    if (strcmp(thing->name, "perfect") == 0) return true;
    return strcmp(thing->name, "reasonable") == 0 && kn_option_real(options, "share") < 1 &&
           !kn_option_spec(options, "rest");
}

static KnStatus walk(Guard *guard, KnKind kind, const KnSpec *spec, KnError *error)
{
    const KnContext *context = guard->context;
    if (spec->kind != KN_SPEC_NAME)
        return kn_fail(error, KN_INPUT, "column %d: expected a name, not \"%s\"", spec->column, spec->text);
    /* A game's own evaluations are not in the registry; opening the player checks their names. */
    if (kind == KN_KIND_EVALUATION && !spec->args && !kn_find(context, kind, spec->text)) return KN_OK;
    const KnThing *thing;
    KnOptions options;
    KnSpec bare = *spec;
    bare.key = NULL;
    KnStatus status = kn_lookup(context, kind, &bare, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, &bare, guard->arena, &options, error);
    if (status != KN_OK) return status;
    if (kind == KN_KIND_PLAYER && ((const KnPlayerType *)thing)->foreign)
        return kn_fail(error, KN_INPUT,
                       "column %d: %s runs a program, which is not allowed over HTTP; use the command line",
                       spec->column, thing->name);
    if (kind == KN_KIND_PLAYER) guard->solves |= needs_solution(thing, &options);
    for (const KnOption *option = thing->options; option && option->name && status == KN_OK; option++) {
        const KnSpec *value = options.values[option - thing->options];
        if (value) status = check_option(guard, thing, option, value, error);
    }
    return status;
}

/* Parses and checks a spec; *parsed lives in the arena. */
static KnStatus check(Guard *guard, KnKind kind, const char *spec, const KnSpec **parsed, KnError *error)
{
    if (!guard->arena) return kn_fail_memory(error, "reading a spec");
    if (strnlen(spec, KN_GUARD_SPEC + 1) > KN_GUARD_SPEC)
        return kn_fail(error, KN_INPUT, "a spec over HTTP has at most %d characters", KN_GUARD_SPEC);
    KnStatus status = kn_spec_parse(spec, guard->arena, parsed, error);
    return status == KN_OK ? walk(guard, kind, *parsed, error) : status;
}

void kn_guard_description_path(const KnContext *context, const char *hash, KnText *path)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "gdl/%.32s.kif", hash);
    kn_path_join(path, kn_context_data(context), name.data);
    kn_text_free(&name);
}

/* A game description that travels inside the program; a file of the same name would be read instead of it. */
static bool is_built_in(const char *name)
{
    char path[80];
    if (strlen(name) > 60 || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789")]) return false;
    snprintf(path, sizeof path, "gdl/%s.kif", name);
    return kn_embedded_find(path) && !kn_file_exists(name);
}

static KnStatus uploaded(const KnContext *context, const char *hash, KnText *allowed, KnError *error)
{
    if (is_built_in(hash)) {
        kn_text_clear(allowed);
        kn_text_printf(allowed, "gdl(%s)", hash);
        return KN_OK;
    }
    if (strlen(hash) != 32 || strspn(hash, "0123456789abcdef") != 32)
        return kn_fail(
            error, KN_INPUT,
            "gdl:NAME: upload the game description first; over HTTP it is named by its hash of 32 digits, "
            "or by its name if it is built in (gdl:connectfour)");
    KnText path = KN_TEXT_EMPTY;
    kn_guard_description_path(context, hash, &path);
    KnStatus status = KN_OK;
    if (!kn_file_exists(path.data))
        status = kn_fail(error, KN_INPUT,
                         "the server does not have the game description gdl:%s; upload it again", hash);
    kn_text_clear(allowed);
    kn_text_add(allowed, "gdl(");
    kn_text_add_quoted(allowed, path.data);
    kn_text_add(allowed, ")");
    kn_text_free(&path);
    return status;
}

KnStatus kn_guard_game(const KnContext *context, const char *spec, KnText *allowed, KnError *error)
{
    if (strncasecmp(spec, "gdl:", 4) == 0) return uploaded(context, spec + 4, allowed, error);
    Guard guard = {.context = context, .arena = kn_arena_new()};
    const KnSpec *parsed;
    KnStatus status = check(&guard, KN_KIND_GAME, spec, &parsed, error);
    kn_text_clear(allowed);
    if (status == KN_OK) kn_spec_print(parsed, allowed);
    kn_arena_free(guard.arena);
    return status;
}

static KnStatus check_solved(const KnGame *game, const char *spec, KnError *error)
{
    if (strcmp(game->type->head.name, "tictactoe") == 0) return KN_OK;
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = kn_statespace_solvable(game, error);
    bool uploads = strcmp(game->type->head.name, "gdl") ==
                   0; /* its spec names a file of the server, which the message must not show */
    if (status != KN_OK)
        return kn_fail_within(error, "%s cannot play %s", spec, uploads ? "these rules" : game->spec);
    status = kn_solved_path(game, &path, error);
    if (status == KN_OK && !kn_file_exists(path.data))
        status = kn_fail(error, KN_INPUT,
                         "%s needs the solution of %s; run `knack solve '%s'` once on the server", spec,
                         game->spec, game->spec);
    kn_text_free(&path);
    return status;
}

static KnStatus guard_for(const KnContext *context, const KnGame *game, KnKind kind, const char *spec,
                          KnError *error)
{
    Guard guard = {.context = context, .arena = kn_arena_new()};
    const KnSpec *parsed;
    KnStatus status = check(&guard, kind, spec, &parsed, error);
    if (status == KN_OK && guard.solves) status = check_solved(game, spec, error);
    kn_arena_free(guard.arena);
    return status;
}

KnStatus kn_guard_player(const KnContext *context, const KnGame *game, const char *spec, KnError *error)
{
    return guard_for(context, game, KN_KIND_PLAYER, spec, error);
}

KnStatus kn_guard_learner(const KnContext *context, const KnGame *game, const char *spec, KnError *error)
{
    return guard_for(context, game, KN_KIND_LEARNER, spec, error);
}
