#include "cli/sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lab/plot.h"

/* ---- the grid ---- */

/* The length of the value at `text`: to the next comma outside of parentheses and quotes. */
static size_t value_length(const char *text)
{
    int open = 0;
    bool quoted = false;
    size_t length = 0;
    for (; text[length]; length++) {
        char c = text[length];
        if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '(')
            open++;
        else if (!quoted && c == ')')
            open--;
        else if (!quoted && c == ',' && !open)
            break;
    }
    return length;
}

KnStatus sweep_read(Sweep *sweep, const char *text, KnError *error)
{
    if (sweep->count == SWEEP_AXES)
        return kn_fail(error, KN_USAGE, "at most %d --sweep settings", SWEEP_AXES);
    SweepAxis *axis = &sweep->axes[sweep->count];
    *axis = (SweepAxis){.count = 0};
    size_t length = strcspn(text, "=");
    if (!length || length >= sizeof axis->name || text[length] != '=' || !text[length + 1])
        return kn_fail(error, KN_USAGE,
                       "--sweep expects NAME=VALUE,VALUE,..., such as depth=2,4,6, not \"%s\"", text);
    memcpy(axis->name, text, length);
    for (int i = 0; i < sweep->count; i++)
        if (strcmp(sweep->axes[i].name, axis->name) == 0)
            return kn_fail(error, KN_USAGE, "--sweep %s is given twice", axis->name);
    for (const char *at = text + length + 1;;) {
        size_t size = value_length(at);
        if (!size || size >= sizeof axis->values[0])
            return kn_fail(error, KN_USAGE, "--sweep %s: a value is empty or too long", text);
        if (axis->count == SWEEP_VALUES)
            return kn_fail(error, KN_USAGE, "--sweep %s: at most %d values", axis->name, SWEEP_VALUES);
        memcpy(axis->values[axis->count++], at, size);
        at += size;
        if (!*at) break;
        at++;
    }
    sweep->count++;
    if (sweep_points(sweep) > SWEEP_POINTS)
        return kn_fail(error, KN_USAGE, "a grid of %d points is too large; at most %d", sweep_points(sweep),
                       SWEEP_POINTS);
    return KN_OK;
}

void sweep_parse(Sweep *sweep, const char *text, struct argp_state *state)
{
    KnError error;
    if (sweep_read(sweep, text, &error) != KN_OK) argp_error(state, "%s", error.text);
}

int sweep_points(const Sweep *sweep)
{
    int points = sweep->count ? 1 : 0;
    for (int i = 0; i < sweep->count; i++) points *= sweep->axes[i].count;
    return points;
}

const char *sweep_value(const Sweep *sweep, int point, int axis)
{
    for (int i = sweep->count - 1; i > axis; i--) point /= sweep->axes[i].count;
    return sweep->axes[axis].values[point % sweep->axes[axis].count];
}

void sweep_label(const Sweep *sweep, int point, KnText *out)
{
    for (int i = 0; i < sweep->count; i++)
        kn_text_printf(out, "%s%s=%s", i ? " " : "", sweep->axes[i].name, sweep_value(sweep, point, i));
}

void sweep_fill(const Sweep *sweep, int point, const char *text, unsigned *used, KnText *out)
{
    for (const char *at = text; *at;) {
        int found = -1;
        size_t length = 0;
        for (int i = 0; *at == '{' && i < sweep->count; i++) {
            length = strlen(sweep->axes[i].name);
            if (strncmp(at + 1, sweep->axes[i].name, length) == 0 && at[1 + length] == '}') {
                found = i;
                break;
            }
        }
        if (found < 0) {
            kn_text_add_char(out, *at++);
            continue;
        }
        *used |= 1u << found;
        kn_text_add(out, sweep_value(sweep, point, found));
        at += length + 2;
    }
}

/* ---- options of players ---- */

static const KnThing *thing_of(const KnContext *context, const KnSpec *spec)
{
    if (spec->kind != KN_SPEC_NAME) return NULL;
    const KnThing *thing = kn_find(context, KN_KIND_PLAYER, spec->text);
    return thing ? thing : kn_find(context, KN_KIND_EVALUATION, spec->text);
}

static bool has_option(const KnThing *thing, const char *name)
{
    for (const KnOption *row = thing ? thing->options : NULL; row && row->name; row++)
        if (strcmp(row->name, name) == 0) return true;
    return false;
}

/* A copy with the option set in the outermost that has it; *done tells whether there was one. */
static KnSpec *set_in(const KnContext *context, const KnSpec *spec, const KnSpec *option, KnArena *arena,
                      bool *done)
{
    KnSpec *copy = kn_arena_copy(arena, spec, sizeof *spec);
    if (!copy) return NULL;
    const KnSpec **link = &copy->args;
    bool here = !*done && has_option(thing_of(context, spec), option->key);
    *done = *done || here;
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        if (here && arg->key && strcmp(arg->key, option->key) == 0) continue; /* what was given */
        KnSpec *own = set_in(context, arg, option, arena, done);
        if (!own) return NULL;
        own->next = NULL;
        *link = own;
        link = &own->next;
    }
    if (here) *link = option;
    return copy;
}

KnStatus sweep_set(const KnContext *context, const char *text, const char *name, const char *value,
                   KnText *out, KnError *error)
{
    KnArena *arena = kn_arena_new();
    const KnSpec *spec, *given;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "setting an option");
    const char *alone = status == KN_OK ? kn_arena_printf(arena, "set(%s=%s)", name, value)
                                        : NULL; /* a value stands only as somebody's option */
    if (status == KN_OK)
        status = alone ? kn_spec_parse(alone, arena, &given, error)
                       : kn_fail_memory(error, "setting an option");
    if (status == KN_OK && !(given->args && !given->args->next && given->args->key))
        status = kn_fail(error, KN_USAGE, "--sweep %s: \"%s\" is no value of an option", name, value);
    if (status == KN_OK) {
        KnSpec option = *given->args;
        bool done = false;
        KnSpec *set = set_in(context, spec, &option, arena, &done);
        if (!set)
            status = kn_fail_memory(error, "setting an option");
        else if (!done)
            status = kn_fail(error, KN_USAGE,
                             "--sweep %s: neither %s nor what is inside it has an option %s; write {%s} "
                             "where the value belongs",
                             name, text, name, name);
        else
            kn_spec_print(set, out);
    }
    kn_arena_free(arena);
    return status;
}

/* ---- showing ---- */

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

/* The x axis is the last setting; each combination of the others is a line. */
static json_t *figure_of(const Sweep *sweep, const SweepCell *cells, const char *title, const char *measure)
{
    const SweepAxis *axis = &sweep->axes[sweep->count - 1];
    int points = sweep_points(sweep), lines = points / axis->count;
    bool numbers = true;
    json_t *categories = json_array(), *series = json_array();
    for (int i = 0; i < axis->count; i++) numbers = numbers && is_number(axis->values[i]);
    for (int i = 0; i < axis->count && !numbers; i++)
        json_array_append_new(categories, json_string(axis->values[i]));
    for (int line = 0; line < lines; line++) {
        KnText name = KN_TEXT_EMPTY;
        json_t *list = json_array();
        for (int i = 0; i + 1 < sweep->count; i++)
            kn_text_printf(&name, "%s%s=%s", i ? " " : "", sweep->axes[i].name,
                           sweep_value(sweep, line * axis->count, i));
        for (int i = 0; i < axis->count; i++) {
            const SweepCell *cell = &cells[line * axis->count + i];
            json_array_append_new(list, json_pack("[ffff]", numbers ? strtod(axis->values[i], NULL) : i,
                                                  cell->value, cell->low, cell->high));
        }
        json_array_append_new(
            series, json_pack("{ss so}", "name", name.length ? name.data : measure, "points", list));
        kn_text_free(&name);
    }
    return json_pack("{ss ss ss ss ss so so}", "id", "sweep", "title", title, "kind",
                     numbers ? "lines" : "points", "x", axis->name, "y", measure, "categories", categories,
                     "series", series);
}

static json_t *grid_json(const Sweep *sweep, const SweepCell *cells, const char *title, const char *measure)
{
    json_t *points = json_array();
    for (int p = 0; p < sweep_points(sweep); p++) {
        json_t *settings = json_object();
        for (int i = 0; i < sweep->count; i++)
            json_object_set_new(settings, sweep->axes[i].name, json_string(sweep_value(sweep, p, i)));
        json_t *point = json_pack("{so sf sf sf}", "settings", settings, "value", cells[p].value, "low",
                                  cells[p].low, "high", cells[p].high);
        if (isfinite(cells[p].cost)) json_object_set_new(point, "positions", json_real(cells[p].cost));
        json_array_append_new(points, point);
    }
    return json_pack("{ss ss so so}", "title", title, "measure", measure, "points", points, "figure",
                     figure_of(sweep, cells, title, measure));
}

static void print_grid(const Sweep *sweep, const SweepCell *cells, const char *title, const char *measure)
{
    printf("%s\n", title);
    int widths[SWEEP_AXES];
    for (int i = 0; i < sweep->count; i++) {
        widths[i] = (int)strlen(sweep->axes[i].name);
        for (int v = 0; v < sweep->axes[i].count; v++)
            if ((int)strlen(sweep->axes[i].values[v]) > widths[i])
                widths[i] = (int)strlen(sweep->axes[i].values[v]);
        printf("  %-*s", widths[i], sweep->axes[i].name);
    }
    printf("  %s (95%%)%s\n", measure, isfinite(cells[0].cost) ? "  positions a move" : "");
    for (int p = 0; p < sweep_points(sweep); p++) {
        for (int i = 0; i < sweep->count; i++) printf("  %-*s", widths[i], sweep_value(sweep, p, i));
        printf("  %.4f  [%.4f, %.4f]", cells[p].value, cells[p].low, cells[p].high);
        if (isfinite(cells[p].cost)) printf("  %.1f", cells[p].cost);
        puts("");
    }
}

KnStatus sweep_show(const Sweep *sweep, const SweepCell *cells, const char *title, const char *measure,
                    const char *folder, const char *name, const CliCommon *common, KnError *error)
{
    KnText path = KN_TEXT_EMPTY, picture = KN_TEXT_EMPTY, svg = KN_TEXT_EMPTY;
    json_t *grid = grid_json(sweep, cells, title, measure);
    char *text = grid ? json_dumps(grid, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    kn_path_join(&path, folder, name);
    kn_text_add(&picture, path.data);
    kn_text_add(&path, ".json");
    kn_text_add(&picture, ".svg");
    KnStatus status = text ? kn_mkdirs(folder, error) : kn_fail_memory(error, "keeping a sweep");
    if (status == KN_OK) status = kn_file_write_atomic(path.data, text, strlen(text), error);
    KnError unseen;
    KnStatus drawn = status == KN_OK ? kn_plot_svg(json_object_get(grid, "figure"), "sweep", &svg, &unseen)
                                     : KN_NO;
    if (drawn == KN_OK) status = kn_file_write_atomic(picture.data, svg.data, svg.length, error);
    if (status == KN_OK && common->json) {
        cli_print_json(json_incref(grid));
    } else if (status == KN_OK) {
        print_grid(sweep, cells, title, measure);
        printf("kept in %s%s%s\n", path.data,
               drawn == KN_OK ? ", drawn in " : "; not drawn: ", drawn == KN_OK ? picture.data : unseen.text);
    }
    free(text);
    json_decref(grid);
    kn_text_free(&path);
    kn_text_free(&picture);
    kn_text_free(&svg);
    return status;
}
