#include "lab/journal.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sealed.h"
#include "base/assert.h"
#include "base/embedded.h"
#include "base/json.h"
#include "lab/lab.h"
#include "lab/published.h"
#include "lab/report_parts.h"

static const char journal_name[] = "journal.json";

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- verdicts on claims ---- */

const char *kn_claim_verdict_name(KnClaimVerdict verdict)
{
    static const char *const names[KN_CLAIM_VERDICTS] = {"not reproduced", "partly reproduced", "reproduced",
                                                         "undecided", "not tested at this scale"};
    KN_ASSERT(verdict < KN_CLAIM_VERDICTS);
    return names[verdict];
}

KnClaimVerdict kn_claim_judge(const KnClaimCounts *counts)
{
    size_t agree = counts->verdicts[KN_AGREES], differ = counts->verdicts[KN_DIFFERS];
    KN_ASSERT(agree + differ + counts->verdicts[KN_NOT_COMPARABLE] <= counts->values);
    if (agree) return agree == counts->values ? KN_CLAIM_REPRODUCED : KN_CLAIM_PARTLY;
    if (differ) return KN_CLAIM_NOT_REPRODUCED;
    bool in_full = counts->values && counts->at_paper_scale == counts->values;
    return in_full ? KN_CLAIM_UNDECIDED : KN_CLAIM_NOT_TESTED;
}

/* ---- finding cells ---- */

/* What one paper's part is made from. */
typedef struct Sources {
    const KnPaper *paper;
    const KnContext *context;
    const json_t *results; /* of all papers */
    json_t *entry;         /* of journal.json */
} Sources;

static bool of_paper(const Sources *sources, const json_t *result)
{
    return strcmp(string_of(json_object_get(result, "paper"), "cite"), sources->paper->cite) == 0;
}

/* The published value that a cell of a table stands for; NULL for variants and measurements of our own. */
static const KnPublishedValue *published_of(const Sources *sources, const json_t *table, const json_t *cell)
{
    const KnPublishedTable *published = kn_published_table(sources->paper, string_of(table, "id"));
    if (!published || !*string_of(table, "label")) return NULL;
    return kn_published_value(published, string_of(cell, "row"), string_of(cell, "column"));
}

/* Where a published value was measured; *scale, if wanted, is that of the measurement. */
static json_t *find_cell(const Sources *sources, const char *table_id, const KnPublishedValue *value,
                         KnScale *scale)
{
    size_t r, t, c;
    json_t *result, *table, *cell;
    json_array_foreach(sources->results, r, result)
    {
        if (!of_paper(sources, result)) continue;
        json_array_foreach(json_object_get(result, "tables"), t, table)
        {
            if (strcmp(string_of(table, "id"), table_id) != 0) continue;
            json_array_foreach(json_object_get(table, "cells"), c, cell)
            {
                if (published_of(sources, table, cell) != value) continue;
                if (scale && kn_scale_parse(string_of(result, "scale"), scale, NULL) != KN_OK)
                    *scale = KN_SCALE_QUICK;
                return cell;
            }
        }
    }
    return NULL;
}

/* ---- claims ---- */

typedef struct Testing {
    KnClaimCounts counts;
    size_t measured;
    const char *why;      /* why the first cell without a verdict has none; NULL if all have one */
    json_t *only;         /* the cell, where a single value tests the claim */
    json_t *example;      /* the value that differs most for its margin */
    int decimals, digits; /* of the cell; of the example */
    double distance;      /* of the example, in margins */
    const char *unit;
} Testing;

/* [table, row, column]. */
static KnStatus place_of(const KnJson *place, const char *words[3], KnError *error)
{
    if (!json_is_array(place->value) || kn_json_size(place) != 3)
        return kn_json_fail(place, NULL, error, "expected a table, a row and a column");
    KnStatus status = KN_OK;
    for (size_t i = 0; i < 3 && status == KN_OK; i++) {
        KnJson word = kn_json_item(place, i);
        status = kn_json_string(&word, NULL, &words[i], error);
    }
    return status;
}

/* The example of a difference is the clearest one: the farthest for its margin, or for its interval where a
 * claim has no margin. */
static void offer_example(Testing *testing, json_t *cell, int decimals)
{
    double margin = json_number_value(json_object_get(cell, "margin")),
           width = json_number_value(json_object_get(cell, "high")) -
                   json_number_value(json_object_get(cell, "low")),
           distance = fabs(json_number_value(json_object_get(cell, "measured")) -
                           json_number_value(json_object_get(cell, "published"))) /
                      (margin > 0  ? margin
                       : width > 0 ? width / 2
                                   : 1);
    if (testing->example && distance <= testing->distance) return;
    testing->example = cell;
    testing->digits = decimals;
    testing->distance = distance;
}

/* Adds the published values that one pattern [table, row, column] names. */
static KnStatus test_pattern(const Sources *sources, const KnJson *pattern, Testing *testing, KnError *error)
{
    const char *words[3];
    KnStatus status = place_of(pattern, words, error);
    if (status != KN_OK) return status;
    const KnPublishedTable *table = kn_published_table(sources->paper, words[0]);
    size_t before = testing->counts.values;
    for (size_t i = 0; table && i < table->count; i++) {
        const KnPublishedValue *value = &table->values[i];
        if (fnmatch(words[1], value->row, 0) != 0 || fnmatch(words[2], value->column, 0) != 0) continue;
        KnScale scale = KN_SCALE_QUICK;
        json_t *cell = find_cell(sources, table->id, value, &scale);
        bool timed = json_is_true(json_object_get(cell, "timed")); /* no scale decides it */
        testing->counts.at_paper_scale += cell && (timed || scale == KN_SCALE_PAPER);
        testing->only = testing->counts.values++ ? NULL : cell;
        testing->decimals = table->decimals;
        testing->unit = table->unit;
        KnVerdict verdict;
        testing->measured += cell != NULL;
        if (!cell || kn_verdict_parse(string_of(cell, "verdict"), &verdict, NULL) != KN_OK) continue;
        testing->counts.verdicts[verdict]++;
        if (verdict == KN_DIFFERS) offer_example(testing, cell, table->decimals);
        if (verdict == KN_NOT_COMPARABLE && !testing->why)
            testing->why = timed ? "times depend on the machine and have no verdict" : string_of(cell, "why");
    }
    if (testing->counts.values > before) return KN_OK;
    return kn_json_fail(pattern, NULL, error,
                        "%s publishes no value of table \"%s\", row \"%s\", column \"%s\"",
                        sources->paper->id, words[0], words[1], words[2]);
}

static KnStatus judge_claim(const Sources *sources, const KnJson *claim, json_t *claims,
                            size_t totals[KN_CLAIM_VERDICTS], KnError *error)
{
    const char *text;
    KnJson patterns;
    Testing testing = {0};
    KnStatus status = kn_json_string(claim, "text", &text, error);
    if (status == KN_OK) status = kn_json_array(claim, "cells", &patterns, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&patterns); i++) {
        KnJson pattern = kn_json_item(&patterns, i);
        status = test_pattern(sources, &pattern, &testing, error);
    }
    if (status != KN_OK) return status;
    const KnClaimCounts *counts = &testing.counts;
    KnClaimVerdict verdict = kn_claim_judge(counts);
    totals[verdict]++;
    size_t agree = counts->verdicts[KN_AGREES], differ = counts->verdicts[KN_DIFFERS];
    json_t *object = json_pack("{ss ss sI sI sI sI}", "text", text, "verdict", kn_claim_verdict_name(verdict),
                               "values", (json_int_t)counts->values, "agree", (json_int_t)agree, "differ",
                               (json_int_t)differ, "open", (json_int_t)(counts->values - agree - differ));
    json_object_set_new(object, "measured", json_integer((json_int_t)testing.measured));
    if (testing.why) json_object_set_new(object, "why", json_string(testing.why));
    if (!testing.measured && kn_json_has(claim, "experiment"))
        json_object_set_new(object, "command",
                            json_pack("s+++", "knack lab run ", string_of(claim->value, "experiment"),
                                      " --scale ", kn_scale_name(KN_SCALE_MIDDLE)));
    if (testing.example && counts->values > 1)
        json_object_set_new(object, "example",
                            json_pack("{sO si}", "cell", testing.example, "decimals", testing.digits));
    if (testing.only && counts->values == 1) {
        json_object_set(object, "value", testing.only);
        json_object_set_new(object, "decimals", json_integer(testing.decimals));
        json_object_set_new(object, "unit", json_string(testing.unit));
    }
    return json_array_append_new(claims, object) == 0 ? KN_OK : kn_fail_memory(error, "judging claims");
}

/* What surprises first: claims by their verdicts, in the paper's order within each. */
static void sort_claims(json_t *claims)
{
    json_t *sorted = json_array(), *claim;
    for (int verdict = 0; verdict < KN_CLAIM_VERDICTS; verdict++) {
        size_t i;
        json_array_foreach(claims, i, claim) if (strcmp(string_of(claim, "verdict"),
                                                        kn_claim_verdict_name((KnClaimVerdict)verdict)) == 0)
            json_array_append(sorted, claim);
    }
    json_array_clear(claims);
    json_array_extend(claims, sorted);
    json_decref(sorted);
}

/* The one value that stands for the paper in a line. */
static KnStatus add_headline(const Sources *sources, const KnJson *entry, json_t *part, KnError *error)
{
    KnJson headline, place;
    const char *experiment, *text, *words[3];
    if (!kn_json_has(entry, "headline")) return KN_OK;
    KnStatus status = kn_json_object(entry, "headline", &headline, error);
    if (status == KN_OK) status = kn_json_string(&headline, "experiment", &experiment, error);
    if (status == KN_OK) status = kn_json_string(&headline, "text", &text, error);
    if (status == KN_OK) status = kn_json_array(&headline, "cell", &place, error);
    if (status == KN_OK) status = place_of(&place, words, error);
    if (status != KN_OK) return status;
    const KnPublishedTable *table = kn_published_table(sources->paper, words[0]);
    const KnPublishedValue *value = table ? kn_published_value(table, words[1], words[2]) : NULL;
    if (!value) return kn_json_fail(&place, NULL, error, "%s publishes no such value", sources->paper->id);
    json_t *cell = find_cell(sources, table->id, value, NULL);
    char relation[2] = {value->relation, 0};
    json_object_set_new(part, "headline",
                        json_pack("{ss ss si ss sf sO?}", "experiment", experiment, "text", text, "decimals",
                                  table->decimals, "relation", relation, "published", value->value, "cell",
                                  cell));
    return KN_OK;
}

/* ---- the sentences that follow from the verdicts ---- */

static void add_number(KnText *text, size_t number)
{
    static const char *const words[] = {"none", "one",   "two",   "three", "four", "five",
                                        "six",  "seven", "eight", "nine",  "ten"};
    if (number < sizeof words / sizeof *words)
        kn_text_add(text, words[number]);
    else
        kn_text_printf(text, "%zu", number);
}

static void say_found(KnText *text, const size_t totals[KN_CLAIM_VERDICTS], size_t claims, bool measured)
{
    static const KnClaimVerdict order[] = {KN_CLAIM_NOT_REPRODUCED, KN_CLAIM_PARTLY, KN_CLAIM_REPRODUCED,
                                           KN_CLAIM_UNDECIDED};
    if (totals[KN_CLAIM_NOT_TESTED] == claims) {
        kn_text_add(text, measured ? "What was measured so far is too little to decide a claim."
                                   : "Nothing has been measured yet.");
        return;
    }
    kn_text_add(text, "Of ");
    add_number(text, claims);
    kn_text_add(text, " claims");
    const char *separator = " ";
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        size_t number = totals[order[i]];
        if (!number) continue;
        kn_text_add(text, separator);
        add_number(text, number);
        kn_text_printf(text, " %s %s", number == 1 ? "is" : "are", kn_claim_verdict_name(order[i]));
        separator = ", ";
    }
    kn_text_add(text, !totals[KN_CLAIM_NOT_TESTED]       ? "."
                      : totals[KN_CLAIM_NOT_TESTED] == 1 ? "; one needs a larger scale."
                                                         : "; the others need a larger scale.");
}

static void say_sure(KnText *text, size_t decided, size_t values, const json_t *runs)
{
    size_t i, at[KN_SCALES] = {0};
    json_t *run;
    if (!json_array_size(runs)) {
        kn_text_add(text, "Start a measurement to see.");
        return;
    }
    json_array_foreach(runs, i, run)
    {
        KnScale scale;
        if (kn_scale_parse(string_of(run, "scale"), &scale, NULL) == KN_OK) at[scale]++;
    }
    kn_text_printf(
        text, "%zu of the %zu values that test them have a verdict, each from a 95 %% interval; measured at ",
        decided, values);
    const char *separator = "";
    for (int scale = KN_SCALES - 1; scale >= 0; scale--) {
        if (!at[scale]) continue;
        kn_text_printf(text, "%sthe %s scale in ", separator,
                       scale == KN_SCALE_PAPER ? "paper's own" : kn_scale_name((KnScale)scale));
        add_number(text, at[scale]);
        if (!*separator) kn_text_add(text, at[scale] == 1 ? " experiment" : " experiments");
        separator = ", at ";
    }
    kn_text_add(text, ".");
}

/* ---- tables, figures and what goes with them ---- */

/* Where a result is from: {scale, seed, origin}. */
static json_t *source_of(const json_t *result)
{
    return json_pack("{sO sO ss}", "scale", json_object_get(result, "scale"), "seed",
                     json_object_get(result, "seed"), "origin", string_of(result, "origin"));
}

/* A copy of a table with the cells that are published (or are not), each with what the result beside this one
 * measured in its place. */
static json_t *part_of_table(const Sources *sources, const json_t *result, json_t *table, bool published)
{
    json_t *copy = json_copy(table), *cells = json_array(), *cell;
    const json_t *beside = json_object_get(result, "beside");
    size_t i;
    json_array_foreach(json_object_get(table, "cells"), i, cell)
    {
        if (!published_of(sources, table, cell) == published) continue;
        const json_t *other = kn_lab_same_cell(beside, table, cell);
        json_t *both = other ? json_copy(cell) : json_incref(cell);
        if (other) json_object_set(both, "beside", (json_t *)(uintptr_t)other);
        json_array_append_new(cells, both);
    }
    json_object_set_new(copy, "cells", cells);
    json_object_set(copy, "experiment", json_object_get(result, "experiment"));
    json_object_set_new(copy, "source", source_of(result));
    if (beside) json_object_set_new(copy, "beside", source_of(beside));
    return copy;
}

static void append_table(json_t *tables, json_t *table)
{
    if (json_array_size(json_object_get(table, "cells"))) json_array_append(tables, table);
    json_decref(table);
}

/* The points of a figure of one column: what was published, as a number or as a bound, and what was measured.
 */
typedef struct ColumnPoints {
    json_t *names, *published, *above, *below, *measured;
    double least, most; /* the smallest and the largest sample */
} ColumnPoints;

static void add_column_point(ColumnPoints *points, const KnPublishedValue *value, const json_t *cell)
{
    json_int_t at = (json_int_t)json_array_size(points->names);
    double error = KN_Z95 * json_number_value(json_object_get(cell, "published_error")),
           n = json_number_value(json_object_get(cell, "n"));
    json_t *bound = value->relation == '>'   ? points->above
                    : value->relation == '<' ? points->below
                                             : points->published;
    json_array_append_new(points->names, json_string(value->row));
    json_array_append_new(bound,
                          json_pack("[Ifff]", at, value->value, value->value - error, value->value + error));
    json_array_append_new(points->measured,
                          json_pack("[IOOO]", at, json_object_get(cell, "measured"),
                                    json_object_get(cell, "low"), json_object_get(cell, "high")));
    points->least = at ? fmin(points->least, n) : n;
    points->most = at ? fmax(points->most, n) : n;
}

/* Series with points: what was published stands before what was measured, further bounds after it. */
static json_t *column_series(const ColumnPoints *points)
{
    const struct {
        const char *name;
        json_t *points;
    } printed[] = {{"published", points->published},
                   {"claimed: above this", points->above},
                   {"claimed: below this", points->below}};
    json_t *series = json_array();
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
        if (json_array_size(printed[i].points))
            json_array_append_new(series,
                                  json_pack("{ss sO}", "name", printed[i].name, "points", printed[i].points));
    json_array_insert_new(series, json_array_size(series) > 0,
                          json_pack("{ss sO}", "name", "measured", "points", points->measured));
    return series;
}

/* "Strategies ... (measured with n = 2,000)". */
static void add_caption(KnText *text, const char *caption, const ColumnPoints *points)
{
    kn_text_add(text, caption);
    if (!(points->most > 0)) return;
    kn_text_add(text, " (measured with n = ");
    kn_report_count(text, (long long)points->least);
    if (points->most > points->least) {
        kn_text_add(text, " to ");
        kn_report_count(text, (long long)points->most);
    }
    kn_text_add(text, ")");
}

/* Published and measured values of one column, by row: the key figure of papers that print a table. `wanted`
 * names table and column, and if need be the rows (a pattern), the axis and a caption. */
static json_t *column_figure(const Sources *sources, const json_t *result, const json_t *wanted)
{
    const char *id = string_of(wanted, "table"), *column = string_of(wanted, "column"),
               *rows = string_of(wanted, "rows"), *caption = string_of(wanted, "caption"),
               *axis = string_of(wanted, "axis");
    ColumnPoints points = {.names = json_array(),
                           .published = json_array(),
                           .above = json_array(),
                           .below = json_array(),
                           .measured = json_array()};
    size_t t, c;
    json_t *table, *cell, *found = NULL;
    json_array_foreach(json_object_get(result, "tables"), t, table)
    {
        if (strcmp(string_of(table, "id"), id) != 0) continue;
        json_array_foreach(json_object_get(table, "cells"), c, cell)
        {
            const KnPublishedValue *value = published_of(sources, table, cell);
            if (!value || strcmp(value->column, column) != 0) continue;
            if (*rows && fnmatch(rows, value->row, 0) != 0) continue;
            found = table;
            add_column_point(&points, value, cell);
        }
    }
    KnText title = KN_TEXT_EMPTY;
    add_caption(&title, *caption ? caption : string_of(found, "title"), &points);
    json_t *figure = json_pack(
        "{ss ss ss ss ss sO so}", "id", id, "title", kn_text_ok(&title) ? title.data : "", "kind", "points",
        "x", "", "y", *axis ? axis : column, "categories", points.names, "series", column_series(&points));
    kn_text_free(&title);
    json_decref(points.names);
    json_decref(points.published);
    json_decref(points.above);
    json_decref(points.below);
    json_decref(points.measured);
    return figure;
}

/* A figure that says which experiment it is of. */
static json_t *named_figure(const json_t *result, const json_t *figure)
{
    json_t *copy = json_copy((json_t *)(uintptr_t)figure);
    json_object_set(copy, "experiment", json_object_get(result, "experiment"));
    return copy;
}

/* Adds a published value to a curve as a line across it. */
static void add_reference(const Sources *sources, const json_t *wanted, json_t *figure)
{
    const json_t *place = json_object_get(wanted, "published");
    const KnPublishedTable *table =
        kn_published_table(sources->paper, place ? json_string_value(json_array_get(place, 0)) : "");
    const KnPublishedValue *value = table ? kn_published_value(table,
                                                               json_string_value(json_array_get(place, 1)),
                                                               json_string_value(json_array_get(place, 2)))
                                          : NULL;
    if (!value) return;
    char name[80];
    const char *relation = value->relation == '>' ? "more than " : value->relation == '<' ? "less than " : "";
    snprintf(name, sizeof name, "published: %s%g", relation, value->value);
    json_t *series = json_copy(json_object_get(figure, "series")), *points = json_array(), *point;
    size_t i;
    json_array_foreach(json_object_get(json_array_get(series, 0), "points"), i, point) json_array_append_new(
        points, json_pack("[Offf]", json_array_get(point, 0), value->value, value->value, value->value));
    json_array_append_new(series, json_pack("{ss so sb}", "name", name, "points", points, "reference", 1));
    json_object_set_new(figure, "series", series);
}

static json_t *key_figure(const Sources *sources)
{
    const json_t *wanted = json_object_get(sources->entry, "figure");
    size_t r, i;
    json_t *result, *figure;
    json_array_foreach(sources->results, r, result)
    {
        if (strcmp(string_of(result, "experiment"), string_of(wanted, "experiment")) != 0) continue;
        if (!json_object_get(wanted, "figure")) {
            json_t *made = column_figure(sources, result, wanted);
            json_object_set(made, "experiment", json_object_get(result, "experiment"));
            return made;
        }
        json_array_foreach(json_object_get(result, "figures"), i, figure)
        {
            if (strcmp(string_of(figure, "id"), string_of(wanted, "figure")) != 0) continue;
            json_t *named = named_figure(result, figure);
            if (*string_of(wanted, "caption"))
                json_object_set(named, "title", json_object_get(wanted, "caption"));
            if (*string_of(wanted, "axis")) json_object_set(named, "y", json_object_get(wanted, "axis"));
            add_reference(sources, wanted, named);
            return named;
        }
    }
    return json_null();
}

static json_t *run_of(const json_t *result)
{
    const json_t *record = json_object_get(result, "record");
    const char *experiment = string_of(result, "experiment"), *scale = string_of(result, "scale");
    json_t *seed = json_object_get(result, "seed");
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(seed));
    const char *shown = json_is_string(seed) ? json_string_value(seed) : number;
    const char *note = kn_sealed_stamped(result)
                           ? "edited by hand or damaged: the file does not fit its checksum"
                           : "";
    return json_pack("{ss ss ss ss ss sO ss+++++ sO sO sO sO}", "experiment", experiment, "summary",
                     string_of(result, "summary"), "note", note, "origin", string_of(result, "origin"),
                     "scale", scale, "seed", seed, "command", "knack lab run ", experiment, " --scale ",
                     scale, " --seed ", shown, "seconds", json_object_get(record, "seconds"), "started",
                     json_object_get(record, "started"), "version", json_object_get(record, "version"),
                     "processor", json_object_get(record, "processor"));
}

/* The figures of an experiment that tests claims, but for the key figure, which stands first. */
static void add_other_figures(const Sources *sources, const json_t *result, json_t *figures)
{
    const json_t *key = json_object_get(sources->entry, "figure");
    bool has_key = strcmp(string_of(key, "experiment"), string_of(result, "experiment")) == 0;
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(result, "figures"), i, figure)
    {
        if (!has_key || strcmp(string_of(key, "figure"), string_of(figure, "id")) != 0)
            json_array_append_new(figures, named_figure(result, figure));
    }
}

/* What the results of this paper add to its part: tables, interpretations, extensions, runs. */
static void add_results(const Sources *sources, json_t *part)
{
    json_t *tables = json_object_get(part, "tables"), *variants = json_object_get(part, "variants"),
           *interpretations = json_object_get(part, "interpretations"),
           *extensions = json_object_get(part, "extensions"), *runs = json_object_get(part, "runs"), *result,
           *table, *item;
    size_t r, t, i;
    json_array_foreach(sources->results, r, result)
    {
        if (!of_paper(sources, result)) continue;
        const char *experiment = string_of(result, "experiment");
        json_array_append_new(runs, run_of(result));
        const json_t *beside = json_object_get(result, "beside");
        if (beside) json_array_append_new(runs, run_of(beside));
        json_t *own = json_array();
        size_t before = json_array_size(tables);
        json_array_foreach(json_object_get(result, "tables"), t, table)
        {
            bool printed = *string_of(table, "label") != 0;
            append_table(tables, part_of_table(sources, result, table, true));
            append_table(printed ? variants : own, part_of_table(sources, result, table, false));
        }
        json_array_foreach(json_object_get(result, "readings"), i, item)
        {
            json_t *copy = json_copy(item);
            json_object_set_new(copy, "experiment", json_string(experiment));
            json_array_append_new(interpretations, copy);
        }
        bool tests = json_array_size(tables) > before;
        if (tests) add_other_figures(sources, result, json_object_get(part, "figures"));
        if (json_array_size(own) || !tests) {
            json_t *extension = json_pack("{ss ss sO s[]}", "experiment", experiment, "summary",
                                          string_of(result, "summary"), "tables", own, "figures");
            json_array_foreach(json_object_get(result, "figures"), i, item)
            {
                if (!tests)
                    json_array_append_new(json_object_get(extension, "figures"), named_figure(result, item));
            }
            json_array_append_new(extensions, extension);
        }
        json_decref(own);
    }
}

static void add_missing(const Sources *sources, json_t *part)
{
    const KnContext *context = sources->context;
    for (size_t i = 0; i < kn_registered(context, KN_KIND_EXPERIMENT); i++) {
        const KnExperiment *e = (const KnExperiment *)kn_registered_at(context, KN_KIND_EXPERIMENT, i);
        bool measured = strcmp(e->paper, sources->paper->id) != 0;
        size_t r;
        json_t *run;
        json_array_foreach(json_object_get(part, "runs"), r, run)
            measured |= strcmp(string_of(run, "experiment"), e->head.name) == 0;
        if (!measured)
            json_array_append_new(
                json_object_get(part, "missing"),
                json_pack("{ss ss}", "experiment", e->head.name, "summary", e->head.summary));
    }
}

static KnStatus write_part(const Sources *sources, const KnJson *entry, json_t *part, KnError *error)
{
    KnJson claims;
    size_t totals[KN_CLAIM_VERDICTS] = {0}, i, decided = 0, values = 0;
    json_t *judged = json_object_get(part, "claims"), *claim;
    KnStatus status = kn_json_array(entry, "claims", &claims, error);
    for (i = 0; status == KN_OK && i < kn_json_size(&claims); i++) {
        KnJson item = kn_json_item(&claims, i);
        status = judge_claim(sources, &item, judged, totals, error);
    }
    if (status == KN_OK) status = add_headline(sources, entry, part, error);
    if (status != KN_OK) return status;
    sort_claims(judged);
    json_array_foreach(judged, i, claim)
    {
        values += (size_t)json_integer_value(json_object_get(claim, "values"));
        decided += (size_t)json_integer_value(json_object_get(claim, "agree")) +
                   (size_t)json_integer_value(json_object_get(claim, "differ"));
    }
    add_results(sources, part);
    add_missing(sources, part);
    KnText found = KN_TEXT_EMPTY, sure = KN_TEXT_EMPTY;
    say_found(&found, totals, json_array_size(judged), json_array_size(json_object_get(part, "runs")) > 0);
    say_sure(&sure, decided, values, json_object_get(part, "runs"));
    json_object_set_new(part, "found", json_string(kn_text_ok(&found) ? found.data : ""));
    json_object_set_new(part, "sure", json_string(kn_text_ok(&sure) ? sure.data : ""));
    json_object_set_new(part, "figure", key_figure(sources));
    kn_text_free(&found);
    kn_text_free(&sure);
    return KN_OK;
}

static KnStatus add_paper(const KnContext *context, const json_t *results, const KnJson *entry,
                          json_t *journal, KnError *error)
{
    static const char *const copied[] = {"paper", "system", "name", "question", "says", NULL};
    const char *id, *text;
    KnStatus status = kn_json_string(entry, "paper", &id, error);
    for (const char *const *key = copied; status == KN_OK && *key; key++)
        status = kn_json_string(entry, *key, &text, error);
    if (status != KN_OK) return status;
    KnArena *arena = kn_arena_new();
    Sources sources = {.context = context, .results = results, .entry = entry->value};
    status = arena ? kn_published_load(id, arena, &sources.paper, error)
                   : kn_fail_memory(error, "reading published values");
    if (status == KN_OK) {
        const KnPaper *paper = sources.paper;
        json_t *part = json_pack("{ss ss ss ss si s[] s[] s[] s[] s[] s[] s[] s[]}", "cite", paper->cite,
                                 "title", paper->title, "author", paper->author, "where", paper->where,
                                 "year", paper->year, "claims", "tables", "interpretations", "variants",
                                 "extensions", "runs", "missing", "figures");
        for (const char *const *key = copied; *key; key++)
            json_object_set(part, *key, json_object_get(entry->value, *key));
        status = part ? write_part(&sources, entry, part, error)
                      : kn_fail_memory(error, "writing the journal");
        json_array_append_new(journal, part);
    }
    kn_arena_free(arena);
    return status;
}

KnStatus kn_lab_journal(const KnContext *context, const json_t *results, json_t **journal, KnError *error)
{
    const KnEmbeddedRow *row = kn_embedded_find(journal_name);
    KN_ASSERT(row);
    json_t *document;
    *journal = NULL;
    KnStatus status = kn_json_load_bytes(row->bytes, *row->size, journal_name, &document, error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(document, journal_name);
    json_t *papers = json_array();
    for (size_t i = 0; status == KN_OK && i < json_array_size(document); i++) {
        KnJson entry = kn_json_item(&root, i);
        status = add_paper(context, results, &entry, papers, error);
    }
    json_decref(document);
    if (status == KN_OK)
        *journal = papers;
    else
        json_decref(papers);
    return status;
}
