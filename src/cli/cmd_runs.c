/* knack runs: what the results store holds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/export.h"
#include "arena/store.h"
#include "arena/verify.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/commands.h"

typedef struct Arguments {
    CliCommon common;
    const char *action, *run, *format, *out;
    bool replay, accept;
} Arguments;

enum { KEY_OUT = 0x100, KEY_REPLAY, KEY_ACCEPT };

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "For export: csv, json, latex, pdn, sgf or ggf (default csv)", 1},
    {"out", KEY_OUT, "FILE", 0, "For export: write to FILE instead of stdout", 1},
    {"replay", KEY_REPLAY, 0, 0, "For verify: play every game through the rules again", 1},
    {"accept", KEY_ACCEPT, 0, 0, "For verify: take the list of runs as it is, after damage took some", 1},
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
    case KEY_REPLAY:
        arguments->replay = true;
        return 0;
    case KEY_ACCEPT:
        arguments->accept = true;
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
        if (strcmp(arguments->action, "verify") != 0 && (arguments->replay || arguments->accept))
            argp_error(state, "--replay and --accept are for `knack runs verify`");
        if (strcmp(arguments->action, "list") != 0 && strcmp(arguments->action, "verify") != 0 &&
            !arguments->run)
            argp_error(state, "which run? `knack runs list` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "List, show, export, verify and delete stored runs.\v"
                          "RUN is the name or the number of a run.\n"
                          "Examples:\n"
                          "  knack runs list\n"
                          "  knack runs show match-1a2b3c4d\n"
                          "  knack runs export match-1a2b3c4d --format pdn --out games.pdn\n"
                          "  knack runs verify --replay\n"
                          "  knack runs delete 3";
static const char usage[] = "list\nshow RUN\nexport RUN\nverify [RUN]\ndelete RUN";

typedef struct Listing {
    json_t *rows;
    int damaged;
} Listing;

static KnStatus list_json(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    Listing *listing = user;
    json_array_append_new(listing->rows, kn_run_json(run));
    listing->damaged += run->damage[0] != 0;
    return KN_OK;
}

static KnStatus list_line(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    Listing *listing = user;
    if (run->damage[0]) {
        listing->damaged++;
        printf("%4" PRId64 "  DAMAGED  %s: %s\n", run->id, run->name, run->damage);
        return KN_OK;
    }
    json_t *row = kn_run_json(run), *settings = json_object_get(row, "settings"),
           *matches = json_object_get(row, "matches");
    const char *game = json_string_value(json_object_get(settings, "game"));
    json_t *players = json_object_get(settings, "players");
    const char *first = json_string_value(json_array_get(players, 0)),
               *second = json_string_value(json_array_get(players, 1));
    uint64_t count = matches ? (uint64_t)json_integer_value(matches) : run->games;
    printf("%4" PRId64 "  %s  %-20s %8" PRIu64 " %s  %s: %s - %s", run->id, run->created, run->name, count,
           matches ? (count == 1 ? "match" : "matches") : (count == 1 ? "game" : "games"), game ? game : "?",
           first ? first : "?", second ? second : "?");
    if (json_array_size(players) > 2) printf(" and %zu more", json_array_size(players) - 2);
    puts(!run->summary[0] ? "  (unfinished)" : run->unchecked ? "  (not checked: of an older version)" : "");
    json_decref(row);
    return KN_OK;
}

/* The exit code of a list with damaged runs in it. */
static int tell_damaged(int damaged)
{
    KnError error;
    kn_fail(&error, KN_INPUT,
            "%d of the runs %s damaged: put a copy of results.db back, or delete %s (knack runs delete RUN)",
            damaged, damaged == 1 ? "is" : "are", damaged == 1 ? "it" : "them");
    return cli_fail(&error);
}

static int list(KnStore *store, bool json)
{
    KnError error;
    Listing listing = {.rows = json_array()};
    KnStatus status = kn_store_runs(store, json ? list_json : list_line, &listing, &error);
    int code = status == KN_OK ? cli_finish() : cli_fail(&error);
    if (status == KN_OK && json)
        code = cli_print_json(listing.rows);
    else
        json_decref(listing.rows);
    return code || !listing.damaged ? code : tell_damaged(listing.damaged);
}

static KnStatus show_run(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(json_t **)user = kn_run_json(run);
    return KN_OK;
}

static KnStatus note_id(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(int64_t *)user = run->id;
    return KN_OK;
}

static KnStatus pass_over(void *user, const KnStandingRecord *record, KnError *error)
{
    (void)user, (void)record, (void)error;
    return KN_OK;
}

/* The summary stands for the games: they are read too, so that it is not shown for others. */
static int show(KnStore *store, const char *name)
{
    KnError error;
    json_t *run = NULL;
    KnStatus status = kn_store_find(store, name, show_run, &run, &error);
    if (status == KN_OK)
        status = kn_store_games(store, json_integer_value(json_object_get(run, "id")), pass_over, NULL,
                                &error);
    if (status == KN_OK) return cli_print_json(run);
    json_decref(run);
    return cli_fail(&error);
}

static int erase(KnStore *store, const char *name, bool json)
{
    KnError error;
    int64_t id;
    KnStatus status = kn_store_find_damaged(store, name, note_id, &id, &error);
    if (status == KN_OK) status = kn_store_delete(store, id, &error);
    if (status != KN_OK) return cli_fail(&error);
    if (json) return cli_print_json(json_pack("{ss}", "deleted", name));
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

/* ---- verify ---- */

typedef struct Names {
    char (*names)[24]; /* numbers of runs: a damaged name may be anything */
    size_t count, room;
} Names;

static KnStatus note_number(void *user, const KnRun *run, KnError *error)
{
    Names *names = user;
    if (names->count == names->room) {
        size_t room = names->room ? 2 * names->room : 64;
        void *grown = realloc(names->names, room * sizeof *names->names);
        if (!grown) return kn_fail_memory(error, "listing runs");
        names->names = grown;
        names->room = room;
    }
    snprintf(names->names[names->count++], sizeof *names->names, "%" PRId64, run->id);
    return KN_OK;
}

static json_t *verified_json(const char *run, const KnVerified *verified, bool whole, const char *text)
{
    return json_pack("{ss sb sI sI sI sI ss?}", "run", run, "whole", whole, "games",
                     (json_int_t)verified->games, "unchecked", (json_int_t)verified->unchecked, "replayed",
                     (json_int_t)verified->replayed, "by_tables", (json_int_t)verified->by_tables, "damage",
                     whole ? NULL : text);
}

static void print_verified(const char *run, const KnVerified *v, bool replay)
{
    printf("run %-6s whole: %" PRIu64 " game%s", run, v->games, kn_s(v->games));
    if (replay) printf(", %" PRIu64 " replayed", v->replayed);
    if (v->by_tables) printf(", %" PRIu64 " ended by tables (moves replayed, result not)", v->by_tables);
    if (v->unchecked) printf("; not checked: %" PRIu64 " were written by an older version", v->unchecked);
    putchar('\n');
}

/* Every run is examined, whatever is wrong with the others. */
static int verify(const KnContext *context, KnStore *store, const Arguments *arguments)
{
    KnError error, first = {0};
    Names names = {0};
    json_t *rows = json_array();
    KnStatus listed = arguments->accept ? kn_store_accept(store, &error) : KN_OK;
    if (listed == KN_OK)
        listed = arguments->run ? kn_store_find_damaged(store, arguments->run, note_number, &names, &error)
                                : kn_store_runs(store, note_number, &names, &error);
    if (listed != KN_OK) first = error;
    for (size_t i = 0; i < names.count; i++) {
        KnVerified verified;
        KnStatus status = kn_verify_run(context, store, names.names[i], arguments->replay, &verified, &error);
        if (status != KN_OK && first.status == KN_OK) first = error;
        if (arguments->common.json)
            json_array_append_new(rows,
                                  verified_json(names.names[i], &verified, status == KN_OK, error.text));
        else if (status == KN_OK)
            print_verified(names.names[i], &verified, arguments->replay);
        else
            printf("run %-6s DAMAGED: %s\n", names.names[i], error.text);
    }
    free(names.names);
    int code = arguments->common.json ? cli_print_json(rows) : cli_finish();
    if (!arguments->common.json) json_decref(rows);
    return first.status != KN_OK ? cli_fail(&first) : code;
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
    bool writes = strcmp(arguments.action, "delete") == 0 || arguments.accept;
    if ((writes ? kn_store_open : kn_store_open_reading)(context, &store, &error) != KN_OK)
        code = cli_fail(&error);
    else if (strcmp(arguments.action, "list") == 0)
        code = list(store, arguments.common.json);
    else if (strcmp(arguments.action, "show") == 0)
        code = show(store, arguments.run);
    else if (strcmp(arguments.action, "delete") == 0)
        code = erase(store, arguments.run, arguments.common.json);
    else if (strcmp(arguments.action, "export") == 0)
        code = export(context, store, &arguments);
    else if (strcmp(arguments.action, "verify") == 0)
        code = verify(context, store, &arguments);
    else {
        kn_fail(&error, KN_USAGE, "knack runs cannot \"%s\"; it can list, show, export, verify and delete",
                arguments.action);
        code = cli_fail(&error);
    }
    kn_store_close(store);
    kn_close(context);
    return code;
}
