#include "eval/same_rules.h"

#include <string.h>

#include "base/arena.h"
#include "base/context.h"
#include "base/spec.h"
#include "base/text.h"

/* Rules that decide when play ends and how a result is counted. They leave board, moves and aim as they are,
 * so that features keep their meaning: Othello's patterns are trained for discs and serve to win. */
static bool keeps_features(const char *option)
{
    static const char *const names[] = {"draw",   "repetition", "komi",  "superko", "empties",
                                        "payoff", "endless",    "facts", "moves",   "reasoner"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0) return true;
    return false;
}

/* An option's value as text, its default if the spec leaves it out. Of a file only the name, unless the whole
 * path is wanted. */
static void add_value(const KnOptions *options, const KnOption *option, bool whole, KnText *out)
{
    switch (option->type) {
    case KN_OPTION_INTEGER:
        kn_text_printf(out, "%ld", kn_option_integer(options, option->name));
        break;
    case KN_OPTION_REAL:
        kn_text_add_real(out, kn_option_real(options, option->name));
        break;
    case KN_OPTION_FLAG:
        kn_text_add(out, kn_option_flag(options, option->name) ? "yes" : "no");
        break;
    case KN_OPTION_CHOICE:
        kn_text_printf(out, "%d", kn_option_choice(options, option->name));
        break;
    case KN_OPTION_STRING: {
        const char *text = kn_option_string(options, option->name),
                   *slash = text && !whole ? strrchr(text, '/') : NULL;
        kn_text_add_quoted(out, slash ? slash + 1 : text ? text : ""); /* a game description in any folder */
        break;
    }
    case KN_OPTION_SPEC: {
        const KnSpec *spec = kn_option_spec(options, option->name);
        if (spec) kn_spec_print(spec, out);
        break;
    }
    }
}

/* Appends the game's name and every option, or every one that features depend on, defaults included: two
 * specs of the same rules get the same text. */
static KnStatus add_rules(const KnContext *context, const char *text, bool all, KnText *out, KnError *error)
{
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "comparing rules");
    const KnSpec *spec;
    const KnThing *game;
    KnOptions options;
    KnStatus status = kn_spec_parse(text, arena, &spec, error);
    if (status == KN_OK) status = kn_lookup(context, KN_KIND_GAME, spec, &game, error);
    if (status == KN_OK) status = kn_options_bind(game->options, spec, arena, &options, error);
    if (status == KN_OK) kn_text_add(out, game->name);
    for (int i = 0; status == KN_OK && game->options && game->options[i].name; i++) {
        if (!all && keeps_features(game->options[i].name)) continue;
        kn_text_printf(out, " %s=", game->options[i].name);
        add_value(&options, &game->options[i], all, out);
    }
    kn_arena_free(arena);
    return status;
}

static bool same(const KnGame *game, const char *spec, bool all)
{
    if (strcmp(spec, game->spec) == 0) return true;
    KnText wanted = KN_TEXT_EMPTY, found = KN_TEXT_EMPTY;
    KnError unreadable;
    bool equal = add_rules(game->context, game->spec, all, &wanted, &unreadable) == KN_OK &&
                 add_rules(game->context, spec, all, &found, &unreadable) == KN_OK && kn_text_ok(&wanted) &&
                 kn_text_ok(&found) && strcmp(wanted.data, found.data) == 0;
    kn_text_free(&wanted);
    kn_text_free(&found);
    return equal;
}

bool kn_same_rules(const KnGame *game, const char *made_for) { return same(game, made_for, false); }

bool kn_same_game(const KnGame *game, const char *spec) { return same(game, spec, true); }
