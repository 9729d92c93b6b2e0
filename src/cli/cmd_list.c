/* knack games, knack players: what there is, from the registry. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
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
    printf("%-12s %s\n", thing->name, thing->summary);
    for (const KnOption *option = thing->options; option && option->name; option++) {
        printf("    %-12s %s (%s", option->name, option->help, option_type(option));
        if (option->type == KN_OPTION_FLAG) {
        } else if (!option->fallback)
            printf("; must be given");
        else if (option->fallback[0])
            printf("; default %s", option->fallback);
        puts(")");
    }
}

static int list(KnKind kind, const char *doc, int argc, char **argv)
{
    CliCommon common = {0};
    const struct argp argp = {NULL, parse, NULL, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &common);
    KnContext *context;
    int code = cli_open(&common, &context);
    if (code) return code;
    json_t *rows = json_array();
    for (size_t i = 0; i < kn_registered(context, kind); i++) {
        const KnThing *thing = kn_registered_at(context, kind, i);
        if (common.json)
            json_array_append_new(rows, thing_json(thing));
        else
            print_thing(thing);
    }
    kn_context_free(context);
    if (common.json) return cli_print_json(rows);
    json_decref(rows);
    return cli_finish();
}

int command_games(int argc, char **argv)
{
    return list(KN_KIND_GAME,
                "Lists the games with their options.\v"
                "A game is named by a spec: a name, with options in parentheses, for example\n"
                "  tictactoe(lose)    morris(men=6)    go(size=13)    gdl:rules.kif",
                argc, argv);
}

int command_players(int argc, char **argv)
{
    return list(KN_KIND_PLAYER,
                "Lists the players with their options.\v"
                "A player is named by a spec, and players nest, for example\n"
                "  random    alphabeta(depth=6)    reasonable(0.7)",
                argc, argv);
}
