/* Binding a spec's arguments to an option table: see base/spec.h. */
#include "base/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"

static size_t table_rows(const KnOption *table)
{
    size_t rows = 0;
    while (table && table[rows].name) rows++;
    return rows;
}

static void list_options(const KnOption *table, KnText *out)
{
    if (!table_rows(table)) kn_text_add(out, "it has no options");
    for (size_t i = 0; i < table_rows(table); i++)
        kn_text_printf(out, "%s%s", i ? ", " : "its options are ", table[i].name);
}

/* The word of `choices` that equals the text without regard to case, or -1. */
static int choice_index(const char *choices, const char *text)
{
    int index = 0;
    for (const char *c = choices; *c; index++) {
        size_t length = strcspn(c, "|");
        if (strlen(text) == length && strncasecmp(c, text, length) == 0) return index;
        c += length + (c[length] == '|');
    }
    return -1;
}

static KnStatus check_value(const KnOption *row, const KnSpec *owner, const KnSpec *value, KnError *error)
{
    switch (row->type) {
    case KN_OPTION_INTEGER:
    case KN_OPTION_REAL:
        if (value->kind != KN_SPEC_NUMBER)
            return kn_fail(error, KN_INPUT, "%s, column %d: %s wants a number, not \"%s\"", owner->text,
                           value->column, row->name, value->text);
        if (row->type == KN_OPTION_INTEGER && value->number != floor(value->number))
            return kn_fail(error, KN_INPUT, "%s, column %d: %s wants a whole number, not %s", owner->text,
                           value->column, row->name, value->text);
        if (!(value->number >= row->low && value->number <= row->high))
            return kn_fail(error, KN_INPUT, "%s, column %d: %s must lie between %g and %g, not at %s",
                           owner->text, value->column, row->name, row->low, row->high, value->text);
        return KN_OK;
    case KN_OPTION_FLAG:
        if (value->kind == KN_SPEC_NAME && !value->args &&
            (choice_index("yes|true|on|no|false|off", value->text) >= 0))
            return KN_OK;
        return kn_fail(error, KN_INPUT, "%s, column %d: %s wants yes or no, not \"%s\"", owner->text,
                       value->column, row->name, value->text);
    case KN_OPTION_CHOICE:
        if (value->kind != KN_SPEC_STRING && !value->args && choice_index(row->choices, value->text) >= 0)
            return KN_OK;
        return kn_fail(error, KN_INPUT, "%s, column %d: %s must be one of %s, not \"%s\"", owner->text,
                       value->column, row->name, row->choices, value->text);
    case KN_OPTION_STRING:
        if (!value->args) return KN_OK;
        return kn_fail(error, KN_INPUT, "%s, column %d: %s wants a word or a \"text\"", owner->text,
                       value->column, row->name);
    case KN_OPTION_SPEC:
        if (value->kind == KN_SPEC_NAME) return KN_OK;
        return kn_fail(error, KN_INPUT, "%s, column %d: %s wants the name of %s, not %s", owner->text,
                       value->column, row->name, row->choices ? row->choices : "something known",
                       value->text);
    }
    return KN_OK;
}

static const KnSpec *flag_word(KnArena *arena, const KnSpec *like, const char *word)
{
    KnSpec *spec = KN_ARENA_NEW(arena, KnSpec, 1);
    if (spec) *spec = (KnSpec){.kind = KN_SPEC_NAME, .text = word, .column = like->column};
    return spec;
}

/* The row that an argument is for, and its value; *row = -1 if there is none. */
static KnStatus place_argument(const KnOption *table, const KnSpec *spec, const KnSpec *arg,
                               const KnOptions *so_far, KnArena *arena, size_t *row, const KnSpec **value,
                               KnError *error)
{
    size_t rows = table_rows(table);
    *value = arg;
    const char *name = arg->key ? arg->key : arg->kind == KN_SPEC_NAME && !arg->args ? arg->text : NULL;
    for (size_t i = 0; name && i < rows; i++) {
        if (strcasecmp(table[i].name, name) != 0 || (!arg->key && table[i].type != KN_OPTION_FLAG)) continue;
        if (!arg->key) *value = flag_word(arena, arg, arg->sign == '-' ? "no" : "yes");
        if (!*value) return kn_fail_memory(error, "binding options");
        *row = i;
        return KN_OK;
    }
    if (!arg->key && !arg->sign)
        for (size_t i = 0; i < rows; i++)
            if (table[i].type != KN_OPTION_FLAG && !so_far->values[i]) {
                *row = i;
                return KN_OK;
            }
    KnText known = KN_TEXT_EMPTY;
    list_options(table, &known);
    kn_fail(error, KN_INPUT, "%s, column %d: unknown option \"%s\"; %s", spec->text, arg->key_column,
            arg->key ? arg->key : arg->text, known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

static KnStatus bind_fallback(const KnOption *row, const KnSpec *spec, KnArena *arena, const KnSpec **value,
                              KnError *error)
{
    if (row->type == KN_OPTION_FLAG && !row->fallback) {
        *value = flag_word(arena, spec, "no");
        return *value ? KN_OK : kn_fail_memory(error, "binding options");
    }
    if (!row->fallback)
        return kn_fail(error, KN_INPUT, "%s, column %d: %s must be given (%s)", spec->text, spec->column,
                       row->name, row->help);
    if (!row->fallback[0]) return KN_OK;
    KnSpec *fallback = KN_ARENA_NEW(arena, KnSpec, 1);
    if (!fallback) return kn_fail_memory(error, "binding options");
    if (row->type == KN_OPTION_SPEC) return kn_spec_parse(row->fallback, arena, value, error);
    bool number = row->type == KN_OPTION_INTEGER || row->type == KN_OPTION_REAL;
    *fallback = (KnSpec){.kind = number ? KN_SPEC_NUMBER : KN_SPEC_NAME,
                         .text = row->fallback,
                         .number = number ? strtod(row->fallback, NULL) : 0,
                         .column = spec->column};
    *value = fallback;
    return KN_OK;
}

KnStatus kn_options_bind(const KnOption *table, const KnSpec *spec, KnArena *arena, KnOptions *options,
                         KnError *error)
{
    size_t rows = table_rows(table);
    options->table = table;
    options->values = kn_arena_alloc(arena, (rows + 1) * sizeof *options->values);
    options->given = kn_arena_alloc(arena, (rows + 1) * sizeof *options->given);
    if (!options->values || !options->given) return kn_fail_memory(error, "binding options");
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        size_t row = 0;
        const KnSpec *value;
        KnStatus status = place_argument(table, spec, arg, options, arena, &row, &value, error);
        if (status != KN_OK) return status;
        if (options->values[row])
            return kn_fail(error, KN_INPUT, "%s, column %d: %s is given twice", spec->text, arg->key_column,
                           table[row].name);
        if ((status = check_value(&table[row], spec, value, error)) != KN_OK) return status;
        options->values[row] = value;
        options->given[row] = true;
    }
    for (size_t i = 0; i < rows; i++) {
        if (options->values[i]) continue;
        KnStatus status = bind_fallback(&table[i], spec, arena, &options->values[i], error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

/* The row of an option and its value. A name that is not in the table is a defect of the caller. */
static const KnSpec *option_value(const KnOptions *options, const char *name, const KnOption **row)
{
    size_t i = 0, rows = table_rows(options->table);
    while (i < rows && strcmp(options->table[i].name, name) != 0) i++;
    KN_ASSERT(i < rows);
    *row = &options->table[i];
    return options->values[i];
}

bool kn_option_given(const KnOptions *options, const char *name)
{
    const KnOption *row;
    option_value(options, name, &row);
    return options->given[row - options->table];
}

long kn_option_integer(const KnOptions *options, const char *name)
{
    return (long)kn_option_real(options, name);
}

double kn_option_real(const KnOptions *options, const char *name)
{
    const KnOption *row;
    return option_value(options, name, &row)->number;
}

bool kn_option_flag(const KnOptions *options, const char *name)
{
    const KnOption *row;
    const KnSpec *value = option_value(options, name, &row);
    return choice_index("yes|true|on", value->text) >= 0;
}

int kn_option_choice(const KnOptions *options, const char *name)
{
    const KnOption *row;
    const KnSpec *value = option_value(options, name, &row);
    return choice_index(row->choices, value->text);
}

const char *kn_option_string(const KnOptions *options, const char *name)
{
    const KnSpec *value = kn_option_spec(options, name);
    return value ? value->text : NULL;
}

const KnSpec *kn_option_spec(const KnOptions *options, const char *name)
{
    const KnOption *row;
    return option_value(options, name, &row);
}
