/* knack runs: what the results store holds. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arena/export.h"
#include "arena/store.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/commands.h"

typedef struct Arguments {
    CliCommon common;
    const char *action, *run, *format, *out;
} Arguments;

enum { KEY_OUT = 0x100 };

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "For export: csv, json, latex, pdn, sgf or ggf (default csv)", 1},
    {"out", KEY_OUT, "FILE", 0, "For export: write to FILE instead of stdout", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'f':
        arguments->format = arg;
        return 0;
    case KEY_OUT:
        arguments->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->action)
            arguments->action = arg;
        else if (!arguments->run)
            arguments->run = arg;
        else
            argp_error(state, "one argument too many: \"%s\"", arg);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->action) arguments->action = "list";
        if (strcmp(arguments->action, "list") != 0 && !arguments->run)
            argp_error(state, "which run? `knack runs list` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Lists, shows, exports and deletes stored runs.\v"
                          "RUN is the name or the number of a run.\n"
                          "Examples:\n"
                          "  knack runs list\n"
                          "  knack runs show match-1a2b3c4d\n"
                          "  knack runs export match-1a2b3c4d --format pdn --out games.pdn\n"
                          "  knack runs delete 3";
static const char usage[] = "list\nshow RUN\nexport RUN\ndelete RUN";

static json_t *run_json(const KnRun *run)
{
    json_t *row = json_pack("{sI ss ss ss ss sI}", "id", (json_int_t)run->id, "name", run->name, "kind",
                            run->kind, "identity", run->identity, "created", run->created, "games",
                            (json_int_t)run->games);
    json_object_set_new(row, "settings", json_loads(run->settings, 0, NULL));
    if (run->summary[0]) json_object_set_new(row, "summary", json_loads(run->summary, 0, NULL));
    return row;
}

static KnStatus list_json(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    json_array_append_new(user, run_json(run));
    return KN_OK;
}

static KnStatus list_line(void *user, const KnRun *run, KnError *error)
{
    (void)user, (void)error;
    json_t *settings = json_loads(run->settings, 0, NULL);
    const char *game = json_string_value(json_object_get(settings, "game"));
    json_t *players = json_object_get(settings, "players");
    const char *first = json_string_value(json_array_get(players, 0)),
               *second = json_string_value(json_array_get(players, 1));
    printf("%4" PRId64 "  %s  %-20s %8" PRIu64 " games  %s: %s - %s", run->id, run->created, run->name,
           run->games, game ? game : "?", first ? first : "?", second ? second : "?");
    if (json_array_size(players) > 2) printf(" and %zu more", json_array_size(players) - 2);
    puts(run->summary[0] ? "" : "  (unfinished)");
    json_decref(settings);
    return KN_OK;
}

static int list(KnStore *store, bool json)
{
    KnError error;
    json_t *rows = json_array();
    KnStatus status = kn_store_runs(store, json ? list_json : list_line, rows, &error);
    if (status == KN_OK && json) return cli_print_json(rows);
    json_decref(rows);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}

static KnStatus show_run(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(json_t **)user = run_json(run);
    return KN_OK;
}

static KnStatus note_id(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(int64_t *)user = run->id;
    return KN_OK;
}

static int show(KnStore *store, const char *name)
{
    KnError error;
    json_t *run = NULL;
    return kn_store_find(store, name, show_run, &run, &error) == KN_OK ? cli_print_json(run)
                                                                       : cli_fail(&error);
}

static int erase(KnStore *store, const char *name)
{
    KnError error;
    int64_t id;
    KnStatus status = kn_store_find(store, name, note_id, &id, &error);
    if (status == KN_OK) status = kn_store_delete(store, id, &error);
    if (status != KN_OK) return cli_fail(&error);
    printf("Deleted run %s.\n", name);
    return cli_finish();
}

static int export(const KnContext *context, KnStore *store, const Arguments *arguments)
{
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_export_run(context, store, arguments->run, arguments->format, &text, &error);
    if (status == KN_OK && arguments->out)
        status = kn_file_write_atomic(arguments->out, text.data, text.length, &error);
    int code = 0;
    if (status != KN_OK)
        code = cli_fail(&error);
    else if (!arguments->out) {
        fwrite(text.data, 1, text.length, stdout);
        code = cli_finish();
    }
    kn_text_free(&text);
    return code;
}

int command_runs(int argc, char **argv)
{
    Arguments arguments = {.format = "csv"};
    const struct argp argp = {options, parse, usage, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnStore *store;
    if (kn_store_open(context, &store, &error) != KN_OK)
        code = cli_fail(&error);
    else if (strcmp(arguments.action, "list") == 0)
        code = list(store, arguments.common.json);
    else if (strcmp(arguments.action, "show") == 0)
        code = show(store, arguments.run);
    else if (strcmp(arguments.action, "delete") == 0)
        code = erase(store, arguments.run);
    else if (strcmp(arguments.action, "export") == 0)
        code = export(context, store, &arguments);
    else {
        kn_fail(&error, KN_USAGE, "knack runs cannot \"%s\"; it can list, show, export and delete",
                arguments.action);
        code = cli_fail(&error);
    }
    kn_store_close(store);
    kn_close(context);
    return code;
}
