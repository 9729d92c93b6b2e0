/* knack example: the example programs that travel inside the command, so that they are there without the
 * source. */
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "cli/cli.h"
#include "cli/commands.h"

typedef struct Arguments {
    CliCommon common;
    const char *name; /* NULL: list them */
} Arguments;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name) argp_error(state, "give one name at most");
        arguments->name = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char FOLDER[] = "examples/";

/* The name of an example; NULL for other files. */
static const char *example_name(const KnEmbeddedRow *row)
{
    return strncmp(row->name, FOLDER, sizeof FOLDER - 1) == 0 ? row->name + sizeof FOLDER - 1 : NULL;
}

/* What an example says about itself first: the words after the mark of its opening comment. */
static void add_summary(const KnEmbeddedRow *row, KnText *out)
{
    const char *text = (const char *)row->bytes + strspn((const char *)row->bytes, "/*\"#! ");
    size_t length = strcspn(text, ":,(.?\n");
    while (length && text[length - 1] == ' ') length--;
    kn_text_add_bytes(out, text, length);
}

static void print_list(bool json)
{
    json_t *rows = json_array();
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        const char *name = example_name(row);
        if (!name) continue;
        KnText summary = KN_TEXT_EMPTY;
        add_summary(row, &summary);
        if (json)
            json_array_append_new(rows, json_pack("{ss ss}", "name", name, "summary", summary.data));
        else
            printf("  %-20s %s\n", name, summary.data);
        kn_text_free(&summary);
    }
    if (json)
        cli_print_json(rows);
    else {
        json_decref(rows);
        puts("`knack example NAME >FILE` writes one to a file.");
    }
}

static KnStatus print_example(const char *name, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_text_printf(&path, "%s%s", FOLDER, name);
    const KnEmbeddedRow *row = kn_embedded_find(path.data);
    kn_text_free(&path);
    if (!row)
        return kn_fail(error, KN_INPUT, "there is no example \"%.60s\"; `knack example` lists them", name);
    fwrite(row->bytes, 1, *row->size, stdout);
    return KN_OK;
}

static const char doc[] = "List the example programs, or print one, to read it and to change it.\v"
                          "Examples:\n"
                          "  knack example\n"
                          "  knack example clobber.py >mygame.py";

int command_example(int argc, char **argv)
{
    Arguments arguments = {0};
    const struct argp argp = {NULL, parse, "[NAME]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnError error;
    KnStatus status = KN_OK;
    if (arguments.name)
        status = print_example(arguments.name, &error);
    else
        print_list(arguments.common.json);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
