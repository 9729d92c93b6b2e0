#include "methods/allocation/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/allocation/search_signals.h"
#include "methods/experience/entry_features.h"

static const char *const sources[KN_COLUMN_SOURCES] = {"game",    "general", "budget", "cell",
                                                       "pattern", "base",    "terms",  "search"};

/* ---- general columns ---- */

static const char *const general_names[KN_GENERAL_COLUMNS] = {
    [KN_GENERAL_MOVES] = "moves",
    [KN_GENERAL_LEAD] = "material lead",
    [KN_GENERAL_MATERIAL] = "material of both",
    [KN_GENERAL_PHASE] = "phase",
    [KN_GENERAL_EVALUATION] = "static evaluation",
    [KN_GENERAL_BEST] = "best evaluation after one move",
    [KN_GENERAL_SPREAD] = "spread of evaluations after one move",
    [KN_GENERAL_TIES] = "moves of best evaluation",
};

static const char *const budget_names[] = {"moves made"};
enum { BUDGET = sizeof budget_names / sizeof *budget_names };

/* ---- life ---- */

void kn_feature_view_close(KnFeatureView *view)
{
    if (!view) return;
    for (int c = 0; view->names && c < view->count; c++) free(view->names[c]);
    free(view->names);
    free(view->columns);
    kn_evaluation_close(view->evaluation);
    kn_pattern_matcher_close(view->matcher);
    free(view->board);
    free(view);
}

static KnStatus add_column(KnFeatureView *view, KnColumnSource from, int index, const char *name,
                           KnError *error)
{
    KnFeatureColumn *columns = realloc(view->columns, ((size_t)view->count + 1) * sizeof *columns);
    if (columns) view->columns = columns;
    char **names = realloc(view->names, ((size_t)view->count + 1) * sizeof *names), *copy = strdup(name);
    if (names) view->names = names;
    if (!columns || !names || !copy) {
        free(copy);
        return kn_fail_memory(error, "preparing features");
    }
    KN_ASSERT(from < KN_COLUMN_SOURCES && index >= 0);
    int own = view->game->feature_count;
    view->columns[view->count] = (KnFeatureColumn){from, index,
                                                   from == KN_FROM_GAME     ? index
                                                   : from == KN_FROM_BUDGET ? own
                                                                            : own + 1};
    view->names[view->count++] = copy;
    view->needs[from] = true;
    return KN_OK;
}

/* What is needed to fill the columns that there are. */
static KnStatus get_ready(KnFeatureView *view, const char *eval, KnError *error)
{
    KnStatus status = KN_OK;
    if (view->needs[KN_FROM_GENERAL])
        status = eval ? kn_evaluation_open_text(view->game->context, view->game, eval, &view->evaluation,
                                                error)
                      : kn_evaluation_open(view->game->context, view->game, NULL, &view->evaluation, error);
    if (status == KN_OK && view->needs[KN_FROM_PATTERN])
        status = kn_pattern_matcher_open(view->board, view->patterns, view->pattern_count, &view->matcher,
                                         error);
    return status;
}

/* With windows, or (for cells alone) perhaps without. */
static KnStatus open_pattern_board(KnFeatureView *view, bool windows, KnError *error)
{
    if (view->board && (!windows || view->board->windows)) return KN_OK;
    if (!view->board) view->board = malloc(sizeof *view->board);
    if (!view->board) return kn_fail_memory(error, "preparing patterns");
    return windows ? kn_pattern_board_of_game(view->game, view->board, error)
                   : kn_pattern_board_cells(view->game, view->board, error);
}

static KnStatus add_cell(KnFeatureView *view, int index, KnError *error)
{
    KN_ASSERT(index >= 0 && index < view->game->cells);
    KnStatus status = open_pattern_board(view, false, error);
    if (status != KN_OK) return status;
    char name[40];
    snprintf(name, sizeof name, "cell %d", index + 1);
    return add_column(view, KN_FROM_CELLS, index, name, error);
}

static KnStatus add_pattern(KnFeatureView *view, const KnPattern *pattern, KnError *error)
{
    KnStatus status = open_pattern_board(view, true, error);
    if (status != KN_OK) return status;
    if (view->pattern_count == KN_PATTERNS_MAX)
        return kn_fail(error, KN_INPUT, "more than %d patterns", KN_PATTERNS_MAX);
    KnText name = KN_TEXT_EMPTY;
    kn_pattern_print(view->board, pattern, &name);
    view->patterns[view->pattern_count] = *pattern;
    status = add_column(view, KN_FROM_PATTERN, view->pattern_count++, name.data, error);
    kn_text_free(&name);
    return status;
}

/* Columns come from one set only. */
static KnStatus find_terms(KnFeatureView *view, const char *name, KnError *error)
{
    const KnFeatureTable *row = view->game->feature_tables;
    while (row && row->name && strcmp(row->name, name) != 0) row++;
    if (!row || !row->name) {
        KnText known = KN_TEXT_EMPTY;
        for (row = view->game->feature_tables; row && row->name; row++)
            kn_text_printf(&known, "%s%s", known.length ? ", " : "", row->name);
        kn_fail(error, KN_INPUT, "%s has no set of terms \"%.40s\"; known: %s", view->game->spec, name,
                known.length ? known.data : "none");
        kn_text_free(&known);
        return KN_INPUT;
    }
    if (view->terms && view->terms != row)
        return kn_fail(error, KN_INPUT, "features come from one set of terms, not from %s and %s",
                       view->terms->name, name);
    view->terms = row;
    return KN_OK;
}

static KnStatus add_terms(KnFeatureView *view, const char *name, KnError *error)
{
    KnStatus status = find_terms(view, name, error);
    for (int i = 0; status == KN_OK && i < view->terms->count; i++)
        status = add_column(view, KN_FROM_TERMS, i, view->terms->features[i].name, error);
    return status;
}

KnStatus kn_feature_view_open(const KnGame *game, const KnFeaturePlan *plan, KnFeatureView **out,
                              KnError *error)
{
    *out = NULL;
    KnFeatureView *view = calloc(1, sizeof *view);
    if (!view) return kn_fail_memory(error, "preparing features");
    view->game = game;
    KnStatus status = KN_OK;
    bool own = plan->from[KN_FROM_GAME] && game->type->feature_values;
    for (int i = 0; own && i < game->feature_count && status == KN_OK; i++)
        status = add_column(view, KN_FROM_GAME, i, game->features[i].name, error);
    for (int i = 0; plan->from[KN_FROM_GENERAL] && i < KN_GENERAL_COLUMNS && status == KN_OK; i++)
        status = add_column(view, KN_FROM_GENERAL, i, general_names[i], error);
    for (int i = 0; plan->from[KN_FROM_BUDGET] && i < BUDGET && status == KN_OK; i++)
        status = add_column(view, KN_FROM_BUDGET, i, budget_names[i], error);
    for (int i = 0; plan->from[KN_FROM_BASE] && i < KN_ENTRIES && status == KN_OK; i++)
        status = add_column(view, KN_FROM_BASE, i, kn_entry_names[i], error);
    for (int i = 0; plan->from[KN_FROM_SEARCH] && i < KN_SEARCH_SIGNALS && status == KN_OK; i++)
        status = add_column(view, KN_FROM_SEARCH, i, kn_search_signal_names[i], error);
    for (int i = 0; plan->from[KN_FROM_CELLS] && i < game->cells && status == KN_OK; i++)
        status = add_cell(view, i, error);
    if (plan->terms && status == KN_OK) status = add_terms(view, plan->terms, error);
    for (int i = 0; i < plan->pattern_count && status == KN_OK; i++)
        status = add_pattern(view, &plan->patterns[i], error);
    if (status == KN_OK && !view->count)
        status = kn_fail(error, KN_INPUT, "%s has no features of its own; use the general ones", game->spec);
    if (status == KN_OK) status = get_ready(view, plan->eval, error);
    if (status == KN_OK)
        *out = view;
    else
        kn_feature_view_close(view);
    return status;
}

void kn_feature_view_keep(KnFeatureView *view, const bool *keep)
{
    KN_ASSERT(keep && view->count > 0);
    int kept = 0;
    memset(view->needs, 0, sizeof view->needs);
    for (int c = 0; c < view->count; c++) {
        if (!keep[c]) {
            free(view->names[c]);
            continue;
        }
        view->needs[view->columns[c].from] = true;
        view->columns[kept] = view->columns[c];
        view->names[kept++] = view->names[c];
    }
    view->count = kept;
}

/* ---- JSON ---- */

json_t *kn_feature_view_json(const KnFeatureView *view)
{
    json_t *rows = json_array();
    for (int c = 0; c < view->count; c++) {
        json_t *row = json_pack("{ss ss}", "name", view->names[c], "from", sources[view->columns[c].from]);
        if (view->columns[c].from == KN_FROM_PATTERN) {
            const KnPattern *pattern = &view->patterns[view->columns[c].index];
            json_t *cells = json_array();
            for (int i = 0; i < view->board->size; i++)
                json_array_append_new(cells, json_string(view->board->kind[pattern->kind[i]].name));
            json_object_set_new(row, "cells", cells);
            json_object_set_new(row, "region", json_string(view->board->region[pattern->region]));
        }
        if (view->columns[c].from == KN_FROM_TERMS)
            json_object_set_new(row, "set", json_string(view->terms->name));
        json_array_append_new(rows, row);
    }
    return rows;
}

static int find_name(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static KnStatus read_pattern(KnFeatureView *view, const KnJson *row, KnError *error)
{
    KnJson cells;
    const char *name;
    KnPattern pattern = {0};
    KnStatus status = open_pattern_board(view, true, error);
    if (status == KN_OK) status = kn_json_array(row, "cells", &cells, error);
    if (status != KN_OK) return status;
    const KnPatternLanguage *board = view->board;
    if ((int)kn_json_size(&cells) != board->size)
        return kn_json_fail(row, "cells", error, "a pattern of %s has %d cells", view->game->spec,
                            board->size);
    for (int i = 0; i < board->size; i++) {
        KnJson item = kn_json_item(&cells, (size_t)i);
        status = kn_json_string(&item, NULL, &name, error);
        if (status != KN_OK) return status;
        int kind = 0;
        while (kind < board->kinds && strcmp(board->kind[kind].name, name) != 0) kind++;
        if (kind == board->kinds)
            return kn_json_fail(&item, NULL, error, "%s knows no \"%.40s\"", view->game->spec, name);
        pattern.kind[i] = (uint8_t)kind;
    }
    status = kn_json_string(row, "region", &name, error);
    if (status != KN_OK) return status;
    int region = 0;
    while (region < board->regions && strcmp(board->region[region], name) != 0) region++;
    if (region == board->regions)
        return kn_json_fail(row, "region", error, "%s has no region \"%.40s\"", view->game->spec, name);
    pattern.region = (uint8_t)region;
    return add_pattern(view, &pattern, error);
}

static KnStatus read_column(KnFeatureView *view, const KnJson *row, KnError *error)
{
    const KnGame *game = view->game;
    const char *name, *from;
    KnStatus status = kn_json_string(row, "name", &name, error);
    if (status == KN_OK) status = kn_json_string(row, "from", &from, error);
    if (status != KN_OK) return status;
    int source = find_name(from, sources, KN_COLUMN_SOURCES), index = -1;
    if (source == KN_FROM_PATTERN) return read_pattern(view, row, error);
    if (source == KN_FROM_CELLS) {
        int cell = 0;
        if (sscanf(name, "cell %d", &cell) == 1 && cell >= 1 && cell <= game->cells)
            return add_cell(view, cell - 1, error);
    }
    if (source == KN_FROM_TERMS) {
        const char *set;
        status = kn_json_string(row, "set", &set, error);
        if (status == KN_OK) status = find_terms(view, set, error);
        if (status != KN_OK) return status;
        for (int i = 0; i < view->terms->count && index < 0; i++)
            if (strcmp(view->terms->features[i].name, name) == 0) index = i;
    }
    if (source == KN_FROM_GENERAL)
        index = find_name(name, general_names, KN_GENERAL_COLUMNS);
    else if (source == KN_FROM_BUDGET)
        index = find_name(name, budget_names, BUDGET);
    else if (source == KN_FROM_BASE)
        index = find_name(name, kn_entry_names, KN_ENTRIES);
    else if (source == KN_FROM_SEARCH)
        index = find_name(name, kn_search_signal_names, KN_SEARCH_SIGNALS);
    else if (source == KN_FROM_GAME)
        for (int i = 0; i < game->feature_count && index < 0; i++)
            if (strcmp(game->features[i].name, name) == 0) index = i;
    if (source < 0)
        return kn_json_fail(row, "from", error,
                            "\"%.40s\" is none of game, general, budget, cell, pattern, base, terms, search",
                            from);
    if (index < 0)
        return kn_json_fail(row, "name", error,
                            "%s has no feature \"%.60s\"; the file was made for other features", game->spec,
                            name);
    return add_column(view, (KnColumnSource)source, index, name, error);
}

KnStatus kn_feature_view_from_json(const KnJson *at, const char *key, const KnGame *game, const char *eval,
                                   KnFeatureView **out, KnError *error)
{
    *out = NULL;
    KnJson rows;
    KnStatus status = kn_json_array(at, key, &rows, error);
    if (status != KN_OK) return status;
    enum { COLUMNS_MAX = 1000 };
    if (kn_json_size(&rows) > COLUMNS_MAX)
        return kn_json_fail(at, key, error, "more than %d features", COLUMNS_MAX);
    KnFeatureView *view = calloc(1, sizeof *view);
    if (!view) return kn_fail_memory(error, "reading features");
    view->game = game;
    for (size_t i = 0; i < kn_json_size(&rows) && status == KN_OK; i++) {
        KnJson row = kn_json_item(&rows, i);
        status = read_column(view, &row, error);
    }
    if (status == KN_OK && !view->count) status = kn_json_fail(at, key, error, "no features");
    if (status == KN_OK) status = get_ready(view, eval, error);
    if (status == KN_OK)
        *out = view;
    else
        kn_feature_view_close(view);
    return status;
}
