#include "lab/published.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/json.h"

/* A string that must not be empty, copied; absent ones become `fallback` unless that is NULL. */
static KnStatus text(const KnJson *at, const char *key, const char *fallback, KnArena *arena,
                     const char **out, KnError *error)
{
    const char *found = fallback;
    if (!fallback || kn_json_has(at, key)) {
        KnStatus status = kn_json_string(at, key, &found, error);
        if (status != KN_OK) return status;
        if (!*found) return kn_json_fail(at, key, error, "is empty");
    }
    *out = kn_arena_string(arena, found);
    return *out ? KN_OK : kn_fail_memory(error, "reading published values");
}

/* A number that may be absent. */
static KnStatus number(const KnJson *at, const char *key, double fallback, double low, double *out,
                       KnError *error)
{
    *out = fallback;
    if (!kn_json_has(at, key)) return KN_OK;
    KnStatus status = kn_json_real(at, key, out, error);
    if (status == KN_OK && !(*out >= low)) return kn_json_fail(at, key, error, "must be at least %g", low);
    return status;
}

static KnStatus parse_value(const KnJson *at, const KnPublishedTable *table, KnArena *arena,
                            KnPublishedValue *value, KnError *error)
{
    static const char *const known[] = {"row",  "column", "page",     "value", "deviation",
                                        "runs", "n",      "relation", "text",  NULL};
    const char *relation;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = text(at, "row", NULL, arena, &value->row, error);
    if (status == KN_OK) status = text(at, "column", NULL, arena, &value->column, error);
    if (status == KN_OK) status = text(at, "page", table->page, arena, &value->page, error);
    if (status == KN_OK) status = text(at, "relation", "=", arena, &relation, error);
    if (status == KN_OK) status = kn_json_real(at, "value", &value->value, error);
    if (status == KN_OK) status = number(at, "deviation", -1, 0, &value->deviation, error);
    if (status == KN_OK) status = number(at, "runs", 0, 1, &value->runs, error);
    if (status == KN_OK) status = number(at, "n", 0, 1, &value->n, error);
    if (status != KN_OK) return status;
    if (strlen(relation) != 1 || !strchr("=<>", *relation))
        return kn_json_fail(at, "relation", error, "is \"%s\"; known: = < >", relation);
    value->relation = *relation;
    if (kn_published_value(table, value->row, value->column))
        return kn_json_fail(at, "column", error, "row \"%s\" has a second value in column \"%s\"", value->row,
                            value->column);
    return text(at, "text", value->relation == '=' ? "" : NULL, arena, &value->text, error);
}

static KnStatus parse_table(const KnJson *at, const KnPaper *paper, KnArena *arena, KnPublishedTable *table,
                            KnError *error)
{
    static const char *const known[] = {"id",       "label", "page",  "title",  "unit",
                                        "decimals", "note",  "timed", "values", NULL};
    int64_t decimals = 2;
    KnJson values;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = text(at, "id", NULL, arena, &table->id, error);
    if (status == KN_OK) status = text(at, "label", NULL, arena, &table->label, error);
    if (status == KN_OK) status = text(at, "page", NULL, arena, &table->page, error);
    if (status == KN_OK) status = text(at, "title", NULL, arena, &table->title, error);
    if (status == KN_OK) status = text(at, "unit", "", arena, &table->unit, error);
    if (status == KN_OK) status = text(at, "note", "", arena, &table->note, error);
    if (status == KN_OK) status = text(at, "timed", "", arena, &table->timed, error);
    if (status == KN_OK && kn_json_has(at, "decimals"))
        status = kn_json_integer(at, "decimals", 0, 9, &decimals, error);
    if (status == KN_OK) status = kn_json_array(at, "values", &values, error);
    if (status != KN_OK) return status;
    if (kn_published_table(paper, table->id))
        return kn_json_fail(at, "id", error, "\"%s\" occurs twice", table->id);
    table->decimals = (int)decimals;
    size_t count = kn_json_size(&values);
    KnPublishedValue *rows = KN_ARENA_NEW(arena, KnPublishedValue, count + 1);
    if (!rows) return kn_fail_memory(error, "reading published values");
    table->values = rows;
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnJson item = kn_json_item(&values, i);
        status = parse_value(&item, table, arena, &rows[i], error);
        if (status == KN_OK) table->count = i + 1;
    }
    return status;
}

static KnStatus parse_paper(const KnJson *root, KnArena *arena, KnPaper *paper, KnError *error)
{
    static const char *const known[] = {"paper", "cite", "title", "author", "year", "where", "tables", NULL};
    int64_t year = 0;
    KnJson tables;
    KnStatus status = kn_json_only(root, known, error);
    if (status == KN_OK) status = text(root, "paper", NULL, arena, &paper->id, error);
    if (status == KN_OK) status = text(root, "cite", NULL, arena, &paper->cite, error);
    if (status == KN_OK) status = text(root, "title", NULL, arena, &paper->title, error);
    if (status == KN_OK) status = text(root, "author", NULL, arena, &paper->author, error);
    if (status == KN_OK) status = text(root, "where", NULL, arena, &paper->where, error);
    if (status == KN_OK) status = kn_json_integer(root, "year", 1900, 2100, &year, error);
    if (status == KN_OK) status = kn_json_array(root, "tables", &tables, error);
    if (status != KN_OK) return status;
    paper->year = (int)year;
    size_t count = kn_json_size(&tables);
    KnPublishedTable *rows = KN_ARENA_NEW(arena, KnPublishedTable, count + 1);
    if (!rows) return kn_fail_memory(error, "reading published values");
    paper->tables = rows;
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnJson item = kn_json_item(&tables, i);
        status = parse_table(&item, paper, arena, &rows[i], error);
        if (status == KN_OK) paper->count = i + 1;
    }
    return status;
}

KnStatus kn_published_parse(const void *bytes, size_t size, const char *name, KnArena *arena,
                            const KnPaper **out, KnError *error)
{
    *out = NULL;
    KnPaper *paper = KN_ARENA_NEW(arena, KnPaper, 1);
    if (!paper) return kn_fail_memory(error, "reading published values");
    json_t *document;
    KnStatus status = kn_json_load_bytes(bytes, size, name, &document, error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(document, name);
    status = parse_paper(&root, arena, paper, error);
    json_decref(document);
    if (status == KN_OK) *out = paper;
    return status;
}

KnStatus kn_published_load(const char *paper, KnArena *arena, const KnPaper **out, KnError *error)
{
    char name[200];
    snprintf(name, sizeof name, "published/%s.json", paper);
    const KnEmbeddedRow *row = kn_embedded_find(name);
    if (!row)
        return kn_fail(error, KN_INPUT, "there is no data/embed/%s with the values that %s published", name,
                       paper);
    return kn_published_parse(row->bytes, *row->size, name, arena, out, error);
}

const KnPublishedTable *kn_published_table(const KnPaper *paper, const char *id)
{
    for (size_t i = 0; i < paper->count; i++)
        if (strcmp(paper->tables[i].id, id) == 0) return &paper->tables[i];
    return NULL;
}

const KnPublishedValue *kn_published_value(const KnPublishedTable *table, const char *row, const char *column)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->values[i].row, row) == 0 && strcmp(table->values[i].column, column) == 0)
            return &table->values[i];
    return NULL;
}

double kn_published_error(const KnPublishedTable *table, const KnPublishedValue *value)
{
    if (value->deviation >= 0 && value->runs > 1) return value->deviation / sqrt(value->runs);
    double whole = strcmp(table->unit, "%") == 0 ? 100 : strcmp(table->unit, "share") == 0 ? 1 : 0;
    if (whole == 0 || value->n < 1 || value->value < 0 || value->value > whole) return 0;
    return sqrt(value->value * (whole - value->value) / value->n);
}

bool kn_published_timed(const KnPublishedTable *table, const char *column)
{
    size_t length = strlen(column);
    if (strcmp(table->timed, "*") == 0) return true;
    for (const char *at = table->timed; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == length && strncmp(at, column, length) == 0) return true;
    return false;
}
