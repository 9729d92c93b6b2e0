/* knack games, knack players: the registry's entries, in groups or one with its options. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "players/dilemma/tables.h"
#include "players/player.h"

typedef struct Arguments {
    CliCommon common;
    const char *name; /* NULL: all */
    bool all;         /* those too that only fill the screen */
} Arguments;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'a':
        arguments->all = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name) argp_error(state, "give one name at most");
        arguments->name = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char *option_type(const KnOption *option)
{
    switch (option->type) {
    case KN_OPTION_INTEGER:
        return "whole number";
    case KN_OPTION_REAL:
        return "number";
    case KN_OPTION_FLAG:
        return "flag";
    case KN_OPTION_CHOICE:
        return option->choices;
    case KN_OPTION_STRING:
        return "text";
    case KN_OPTION_SPEC:
        return option->choices ? option->choices : "spec";
    }
    return "";
}

static json_t *thing_json(const KnThing *thing)
{
    json_t *options = json_array();
    for (const KnOption *option = thing->options; option && option->name; option++) {
        json_t *row = json_pack("{ss ss ss}", "name", option->name, "type", option_type(option), "help",
                                option->help);
        if (option->fallback) json_object_set_new(row, "default", json_string(option->fallback));
        if (option->low < option->high)
            json_object_set_new(row, "range", json_pack("[ff]", option->low, option->high));
        json_array_append_new(options, row);
    }
    return json_pack("{ss ss so}", "name", thing->name, "summary", thing->summary, "options", options);
}

static void print_thing(const KnThing *thing)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%-12s %s\n", thing->name, thing->summary);
    for (const KnOption *option = thing->options; option && option->name; option++) {
        kn_text_printf(&text, "    %-12s %s (%s", option->name, option->help, option_type(option));
        if (option->type == KN_OPTION_FLAG) {
        } else if (!option->fallback)
            kn_text_add(&text, "; required");
        else if (option->fallback[0])
            kn_text_printf(&text, "; default %s", option->fallback);
        kn_text_add(&text, ")\n");
    }
    cli_say(text.data);
    kn_text_free(&text);
}

/* ---- groups ---- */

typedef struct Group {
    const char *title;
    bool (*holds)(const KnContext *context, const KnThing *thing);
    bool names_only; /* too many for a line each */
} Group;

static bool is_described(const KnContext *context, const KnThing *thing)
{
    KnGame *game;
    if (kn_game_open(context, thing->name, &game, NULL) != KN_OK) return true;
    kn_game_close(game);
    return false;
}

static bool is_simultaneous(const KnContext *context, const KnThing *thing)
{
    KnGame *game;
    if (kn_game_open(context, thing->name, &game, NULL) != KN_OK) return false;
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    kn_game_close(game);
    return simultaneous;
}

static bool is_board_game(const KnContext *context, const KnThing *thing)
{
    return !is_described(context, thing) && !is_simultaneous(context, thing);
}

static bool is_strategy(const KnContext *context, const KnThing *thing)
{
    (void)context;
    return ((const KnPlayerType *)thing)->suits == kn_strategy_suits;
}

static bool is_foreign(const KnContext *context, const KnThing *thing)
{
    (void)context;
    return ((const KnPlayerType *)thing)->foreign;
}

static bool is_wrapper(const KnContext *context, const KnThing *thing)
{
    if (is_strategy(context, thing) || is_foreign(context, thing)) return false;
    for (const KnOption *option = thing->options; option && option->name; option++)
        if (option->type == KN_OPTION_SPEC && option->choices && strcmp(option->choices, "player") == 0)
            return true;
    return false;
}

static bool is_plain(const KnContext *context, const KnThing *thing)
{
    return !is_strategy(context, thing) && !is_foreign(context, thing) && !is_wrapper(context, thing);
}

static const Group game_groups[] = {{"Board games", is_board_game, false},
                                    {"Matrix games: simultaneous moves, repeated", is_simultaneous, false},
                                    {"Games from a description", is_described, false},
                                    {0}};
static const Group player_groups[] = {{"Players", is_plain, false},
                                      {"Players that use another player", is_wrapper, false},
                                      {"Engines of other programs", is_foreign, false},
                                      {"Strategies of repeated matrix games", is_strategy, true},
                                      {0}};

/* How many things a group has. */
static size_t group_size(const KnContext *context, KnKind kind, const Group *group)
{
    size_t size = 0;
    for (size_t i = 0; i < kn_registered(context, kind); i++)
        size += group->holds(context, kn_registered_at(context, kind, i));
    return size;
}

static void print_group(const KnContext *context, KnKind kind, const Group *group, bool all)
{
    enum { WIDTH = 100 };
    size_t column = 0, left = group_size(context, kind, group);
    printf("%s\n", group->title);
    for (size_t i = 0; i < kn_registered(context, kind); i++) {
        const KnThing *thing = kn_registered_at(context, kind, i);
        if (!group->holds(context, thing)) continue;
        if (!group->names_only) {
            KnText row = KN_TEXT_EMPTY;
            kn_text_printf(&row, "  %-12s %s\n", thing->name, thing->summary);
            cli_say(row.data);
            kn_text_free(&row);
            continue;
        }
        size_t length = strlen(thing->name) + 1;
        if (column && column + length > WIDTH) {
            column = 0;
            puts("");
            if (!all) { /* a line is enough to know what they are */
                printf("  and %zu more: --all lists them", left);
                column = 1;
                break;
            }
        }
        left--;
        printf("%s%s", column ? " " : "  ", thing->name);
        column += column ? length : length + 1;
    }
    puts(column ? "\n" : "");
}

static int list(KnKind kind, const Group *groups, const char *doc, int argc, char **argv)
{
    Arguments arguments = {0};
    static const struct argp_option options[] = {
        {"all", 'a', 0, 0, "List everything, also where a line is too long for a screen", 1}, {0}};
    const struct argp argp = {options, parse, "[NAME]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    const KnThing *one = NULL;
    KnSpec spec = {.kind = KN_SPEC_NAME, .text = arguments.name, .column = 1};
    KnError error;
    KN_ASSERT(kn_registered(context, kind) > 0);
    if (arguments.name && kn_lookup(context, kind, &spec, &one, &error) != KN_OK)
        code = cli_fail(&error);
    else if (arguments.common.json) {
        json_t *rows = json_array();
        for (size_t i = 0; i < kn_registered(context, kind) && !one; i++)
            json_array_append_new(rows, thing_json(kn_registered_at(context, kind, i)));
        if (one) json_array_append_new(rows, thing_json(one));
        code = cli_print_json(rows);
    } else {
        if (one) print_thing(one);
        for (const Group *group = groups; group->title && !one; group++)
            print_group(context, kind, group, arguments.all);
        if (!one) printf("`%s NAME` shows one of them with its options.\n", argv[0]);
        code = cli_finish();
    }
    kn_close(context);
    return code;
}

int command_games(int argc, char **argv)
{
    return list(KN_KIND_GAME, game_groups,
                "List the games, or show one with its options.\v"
                "A spec names a game: its name, with options in parentheses, for example\n"
                "  tictactoe(lose)    morris(men=6)    go(size=13)    gdl:rules.kif\n"
                "Example:\n"
                "  knack games checkers",
                argc, argv);
}

int command_players(int argc, char **argv)
{
    return list(KN_KIND_PLAYER, player_groups,
                "List the players, or show one with its options.\v"
                "A spec names a player, and players nest, for example\n"
                "  random    alphabeta(depth=6)    noisy(alphabeta(depth=2), 0.1)\n"
                "Example:\n"
                "  knack players alphabeta",
                argc, argv);
}
