/* A run of one experiment. The result is built as the JSON document that it is stored as: experiments are few
 * and small, and so there is one form of a result, not two. */
#include "lab/lab.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"
#include "base/math.h"
#include "jobs/parallel.h"
#include "lab/published.h"
#include "lab/units.h"

struct KnLabRun {
    const KnContext *context;
    const KnExperiment *experiment;
    KnLabPlan plan;
    KnProgress *progress;
    KnArena *arena;
    const KnPaper *paper;
    const KnPublishedTable *table; /* NULL: a table of our own */
    json_t *tables, *figures;
    json_t *current; /* table, borrowed; NULL before the first */
    json_t *cells;   /* of it, borrowed */
    KnStore *store;  /* opened with the first match */
    KnUnits *units;
    json_t *counted; /* the keys of units whose work was ticked */
    bool clocked;
    int cells_given;
    double told; /* when others could see the cells last */
};

/* The first cells are seen at once; where there are many, they are seen in bunches. */
enum { TELL_EACH = 100 };
static const double TELL_SECONDS = 0.3;
static const char SO_FAR[] = "sofar";

static KnStatus result_path(const KnLabRun *run, const char *ending, KnText *path, KnError *error);

/* Puts the cells so far where others see them. A courtesy: if it fails, the result is none the worse. */
static void tell_cells(KnLabRun *run)
{
    run->cells_given++;
    if (!run->plan.live || (run->cells_given > TELL_EACH && kn_clock_now() - run->told < TELL_SECONDS))
        return;
    KnText path = KN_TEXT_EMPTY;
    json_t *document = json_pack("{sO}", "tables", run->tables);
    char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
    if (text && result_path(run, SO_FAR, &path, NULL) == KN_OK)
        (void)kn_file_write_atomic(path.data, text, strlen(text), NULL);
    run->told = kn_clock_now();
    free(text);
    json_decref(document);
    kn_text_free(&path);
}

static void tell_no_more(const KnLabRun *run)
{
    KnText path = KN_TEXT_EMPTY;
    if (run->plan.live && result_path(run, SO_FAR, &path, NULL) == KN_OK) unlink(path.data);
    kn_text_free(&path);
}

static const char *const scales[KN_SCALES] = {"quick", "middle", "paper"};

const char *kn_scale_name(KnScale scale) { return scales[scale]; }

KnStatus kn_scale_parse(const char *name, KnScale *scale, KnError *error)
{
    for (int s = 0; s < KN_SCALES; s++) {
        if (strcmp(name, scales[s]) != 0) continue;
        *scale = (KnScale)s;
        return KN_OK;
    }
    return kn_fail(error, KN_USAGE, "expected a scale: quick, middle or paper, not \"%.60s\"", name);
}

const KnContext *kn_lab_context(const KnLabRun *run) { return run->context; }
KnScale kn_lab_scale(const KnLabRun *run) { return run->plan.scale; }
int kn_lab_jobs(const KnLabRun *run) { return run->plan.jobs; }
const atomic_bool *kn_lab_cancel(const KnLabRun *run) { return run->plan.cancel; }
KnProgress *kn_lab_progress(const KnLabRun *run) { return run->progress; }
void kn_lab_clocked(KnLabRun *run) { run->clocked = true; }
void kn_lab_expect(KnLabRun *run, uint64_t amount) { kn_progress_set_total(run->progress, amount); }
void kn_lab_expect_more(KnLabRun *run, uint64_t amount) { kn_progress_add_total(run->progress, amount); }

double kn_parameter_at(const KnExperiment *experiment, const KnParameter *parameter, KnScale scale)
{
    if (scale == KN_SCALE_QUICK) return parameter->quick;
    const KnSize *size = scale == KN_SCALE_MIDDLE ? experiment->middle : NULL;
    while (size && size->name && strcmp(size->name, parameter->name) != 0) size++;
    return size && size->name ? size->value : parameter->paper;
}

double kn_lab_parameter(const KnLabRun *run, const char *name)
{
    const KnParameter *p = run->experiment->parameters;
    while (p && p->name && strcmp(p->name, name) != 0) p++;
    if (!p || !p->name) return NAN;
    for (const KnParameter *other = p + 1; other->name; other++) KN_ASSERT(strcmp(other->name, name) != 0);
    return kn_parameter_at(run->experiment, p, run->plan.scale);
}

uint64_t kn_lab_seed(const KnLabRun *run, const char *key)
{
    uint64_t seed = kn_hash64(run->experiment->head.name, strlen(run->experiment->head.name), run->plan.seed);
    return kn_hash64(key, strlen(key), seed);
}

uint64_t kn_lab_run_seed(const KnLabRun *run) { return run->plan.seed; }

/* ---- work ---- */

static KnStatus note_id(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    *(int64_t *)user = run->id;
    return KN_OK;
}

/* Drops the stored games of a match. A match of one game finds its run, or makes it. */
static KnStatus forget_match(KnLabRun *run, KnMatchPlan plan, KnError *error)
{
    KnMatchResult result;
    int64_t id = 0;
    plan.games = 1;
    KnStatus status = kn_match_run(run->context, &plan, run->store, NULL, &result, error);
    if (status == KN_OK) status = kn_store_find(run->store, result.run_name, note_id, &id, error);
    if (status == KN_OK) status = kn_store_delete(run->store, id, error);
    return status;
}

KnStatus kn_lab_match(KnLabRun *run, const char *key, KnMatchPlan plan, KnMatchResult *result, KnError *error)
{
    KnStatus status = run->store ? KN_OK : kn_store_open(run->context, &run->store, error);
    if (status != KN_OK) return status;
    plan.seed = kn_lab_seed(run, key);
    plan.jobs = run->plan.jobs;
    plan.rules.cancel = run->plan.cancel;
    plan.name = NULL;
    if (run->plan.fresh) status = forget_match(run, plan, error);
    if (status == KN_OK) status = kn_match_run(run->context, &plan, run->store, run->progress, result, error);
    if (status == KN_STOPPED) return status;
    if (status != KN_OK) return kn_fail_within(error, "%s", key);
    if (result->nondeterministic) run->clocked = true;
    if (result->first_fault[0])
        return kn_fail(error, KN_SYSTEM, "%s: a player failed, so that nothing was measured: %s", key,
                       result->first_fault);
    return KN_OK;
}

const json_t *kn_lab_done(const KnLabRun *run, const char *key) { return kn_units_get(run->units, key); }

const json_t *kn_lab_done_work(KnLabRun *run, const char *key, uint64_t work)
{
    const json_t *unit = kn_lab_done(run, key);
    if (unit && !json_object_get(run->counted, key)) {
        json_object_set_new(run->counted, key, json_true());
        kn_progress_skip(run->progress, work);
    }
    return unit;
}

KnStatus kn_lab_keep(KnLabRun *run, const char *key, json_t *value, KnError *error)
{
    if (!value) return kn_fail_memory(error, "keeping a unit");
    json_object_set_new(run->counted, key, json_true());
    return kn_units_keep(run->units, key, value, error);
}

/* ---- work at other places ---- */

uint64_t kn_lab_window(const KnLabRun *run) { return kn_job_window(run->context, run->plan.jobs); }

KnStatus kn_lab_share(KnLabRun *run, const KnJobType *job_type, uint64_t count, uint64_t window,
                      KnLabOrigin *origin, KnCommit commit, void *user, KnError *error)
{
    *origin = (KnLabOrigin){run->experiment->head.name, run->plan.scale, run->plan.seed};
    KnJobRun job = {.jobs = run->plan.jobs,
                    .count = count,
                    .window = window,
                    .commit = commit,
                    .user = user,
                    .cancel = run->plan.cancel};
    return kn_job_run(run->context, job_type, origin, &job, error);
}

KnStatus kn_lab_visit(const KnWorkerSite *site, const KnLabOrigin *origin, KnLabRun **out, KnError *error)
{
    *out = NULL;
    const char *name = origin->experiment ? origin->experiment : "";
    const KnExperiment *experiment = (const KnExperiment *)kn_find(site->context, KN_KIND_EXPERIMENT, name);
    if (!experiment || (unsigned)origin->scale >= KN_SCALES)
        return kn_fail(error, KN_SYSTEM, "this rank knows no experiment \"%s\"", name);
    KnLabRun *run = *out = calloc(1, sizeof *run);
    if (!run) return kn_fail_memory(error, "preparing an experiment");
    *run = (KnLabRun){
        .context = site->context,
        .experiment = experiment,
        .plan = {.scale = origin->scale, .seed = origin->seed, .jobs = site->jobs, .cancel = site->cancel}};
    return KN_OK;
}

void kn_lab_leave(KnLabRun *run) { free(run); }

/* ---- tables and cells ---- */

static KnStatus add_table(KnLabRun *run, json_t *table, KnError *error)
{
    json_t *cells = json_object_get(table, "cells");
    if (!table || json_array_append_new(run->tables, table) != 0)
        return kn_fail_memory(error, "adding a table");
    run->current = table;
    run->cells = cells;
    return KN_OK;
}

KnStatus kn_lab_table(KnLabRun *run, const char *id, KnError *error)
{
    const KnPublishedTable *table = kn_published_table(run->paper, id);
    if (!table)
        return kn_fail(error, KN_INPUT, "published/%s.json has no table \"%s\", which %s asks for",
                       run->paper->id, id, run->experiment->head.name);
    run->table = table;
    return add_table(run,
                     json_pack("{ss ss ss ss ss si ss s[]}", "id", table->id, "label", table->label, "page",
                               table->page, "title", table->title, "unit", table->unit, "decimals",
                               table->decimals, "note", table->note, "cells"),
                     error);
}

KnStatus kn_lab_own_table(KnLabRun *run, const char *id, const char *title, const char *unit, int decimals,
                          KnError *error)
{
    run->table = NULL;
    return add_table(run,
                     json_pack("{ss ss ss ss ss si ss s[]}", "id", id, "label", "", "page", "", "title",
                               title, "unit", unit, "decimals", decimals, "note", "", "cells"),
                     error);
}

static double precision_for(const KnExperiment *experiment, const char *column, double published)
{
    for (const KnTolerance *t = experiment->tolerances; t && t->column; t++)
        if (fnmatch(t->column, column, 0) == 0) return fmax(t->absolute, t->relative * fabs(published));
    return 0;
}

/* JSON has no infinities: what is not finite becomes null. */
static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static KnStatus add_cell(KnLabRun *run, const char *row, const char *column,
                         const KnPublishedValue *published, double precision, KnMeasure m,
                         KnJudgement judgement, const char *note, KnError *error)
{
    double published_error = published ? kn_published_error(run->table, published) : NAN;
    bool sampled = m.kind == KN_MEASURE_MEAN || m.kind == KN_MEASURE_ESTIMATE;
    if (sampled && !(m.low < m.high)) m.low = -INFINITY, m.high = INFINITY; /* equal samples have none */
    char relation[2] = {published ? published->relation : '=', 0};
    json_t *cell = json_pack(
        "{ss ss ss so so so so so so so sI ss ss ss ss ss ss}", "row", row, "column", column, "relation",
        relation, "published", real(published ? published->value : NAN), "published_error",
        real(published_error), "tolerance", real(published ? precision : NAN), "margin",
        real(published && *relation == '=' ? judgement.margin : NAN), "measured", real(m.value), "low",
        real(m.low), "high", real(m.high), "n", (json_int_t)m.n, "kind", kn_measure_kind_name(m.kind),
        "verdict", kn_verdict_name(judgement.verdict), "why", judgement.why, "note", note ? note : "",
        "claim", published ? published->text : "", "page", published ? published->page : "");
    /* What the clock decides differs from run to run, ratios of times too: a reader who compares runs leaves
     * such cells out. */
    if (cell && run->table && kn_published_timed(run->table, column))
        json_object_set_new(cell, "timed", json_true());
    if (!cell || json_array_append_new(run->cells, cell) != 0) return kn_fail_memory(error, "adding a cell");
    tell_cells(run);
    return KN_OK;
}

/* The published value of a cell; fails where there is none, since then the experiment and its data file
 * disagree. */
static KnStatus find_published(const KnLabRun *run, const char *row, const char *column,
                               const KnPublishedValue **value, KnError *error)
{
    *value = run->table ? kn_published_value(run->table, row, column) : NULL;
    if (*value) return KN_OK;
    return kn_fail(error, KN_INPUT, "published/%s.json: %s has no value for row \"%s\", column \"%s\"",
                   run->paper->id, run->table ? run->table->id : "the current table", row, column);
}

/* Shares of 100 and of 1 cannot leave their bounds; nor can their intervals. Differences have other units. */
static KnMeasure bounded(const KnLabRun *run, KnMeasure measure)
{
    KnInterval bounds = kn_unit_bounds(json_string_value(json_object_get(run->current, "unit")));
    return isfinite(bounds.high) ? kn_measure_within(measure, bounds.low, bounds.high) : measure;
}

/* A value under the name `label`, judged; a variant is judged too, but not counted. */
static KnStatus add_judged(KnLabRun *run, const char *label, const char *row, const char *column,
                           KnMeasure measure, bool variant, const char *note, KnError *error)
{
    const KnPublishedValue *value;
    KnStatus status = find_published(run, row, column, &value, error);
    if (status != KN_OK) return status;
    double precision = precision_for(run->experiment, column, value->value);
    if (value->relation == '=') measure = bounded(run, measure);
    KnJudgement judgement = kn_judge((KnPublished){.relation = value->relation,
                                                   .value = value->value,
                                                   .error = kn_published_error(run->table, value),
                                                   .rounding = 0.5 * kn_math_pow(10, -run->table->decimals),
                                                   .precision = precision,
                                                   .timed = kn_published_timed(run->table, column)},
                                     measure);
    char why[160];
    if (judgement.small && run->plan.scale == KN_SCALE_QUICK) {
        snprintf(why, sizeof why, "%s; needs --scale middle", judgement.why);
        judgement.why = why;
    }
    if (variant && judgement.verdict != KN_NOT_COMPARABLE) {
        judgement.why = judgement.verdict == KN_AGREES ? "another reading; it would agree"
                                                       : "another reading; it would differ";
        judgement.verdict = KN_NOT_COMPARABLE;
    }
    return add_cell(run, label, column, value, precision, measure, judgement, note, error);
}

KnStatus kn_lab_cell(KnLabRun *run, const char *row, const char *column, KnMeasure measure, const char *note,
                     KnError *error)
{
    return add_judged(run, row, row, column, measure, false, note, error);
}

KnStatus kn_lab_variant(KnLabRun *run, const char *label, const char *row, const char *column,
                        KnMeasure measure, KnError *error)
{
    return add_judged(run, label, row, column, measure, true, NULL, error);
}

KnStatus kn_lab_incomparable(KnLabRun *run, const char *row, const char *column, KnMeasure measure,
                             const char *explanation, KnError *error)
{
    const KnPublishedValue *value;
    KnStatus status = find_published(run, row, column, &value, error);
    if (status != KN_OK) return status;
    KnJudgement judgement = {KN_NOT_COMPARABLE, NAN, explanation, false};
    return add_cell(run, row, column, value, precision_for(run->experiment, column, value->value),
                    bounded(run, measure), judgement, NULL, error);
}

KnStatus kn_lab_measured(KnLabRun *run, const char *row, const char *column, KnMeasure measure,
                         const char *note, KnError *error)
{
    if (!run->cells)
        return kn_fail(error, KN_USAGE, "%s: a cell before its table", run->experiment->head.name);
    KnJudgement judgement = {KN_NOT_COMPARABLE, NAN, "nothing is published beside it", false};
    return add_cell(run, row, column, NULL, NAN, bounded(run, measure), judgement, note, error);
}

/* A coordinate of a figure: six digits are finer than any picture, and maps have thousands of points. */
static json_t *coordinate(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return real(isfinite(value) ? strtod(text, NULL) : value);
}

/* An interval that leaves the bounds of its unit ends there. Of a map, low is the value and y a place. */
static KnPoint inside(const KnFigure *figure, KnPoint p)
{
    KnInterval bounds = kn_unit_bounds(figure->y_label);
    if (figure->kind == KN_FIGURE_MAP || !(p.low < p.high)) return p;
    p.low = fmin(fmax(p.low, bounds.low), p.y);
    p.high = fmax(fmin(p.high, bounds.high), p.y);
    return p;
}

KnStatus kn_lab_figure(KnLabRun *run, const KnFigure *figure, KnError *error)
{
    static const char *const kinds[] = {"lines", "points", "map"};
    json_t *categories = json_array(), *series = json_array();
    for (size_t i = 0; i < figure->category_count; i++)
        json_array_append_new(categories, json_string(figure->categories[i]));
    for (size_t i = 0; i < figure->series_count; i++) {
        json_t *points = json_array();
        for (size_t k = 0; k < figure->series[i].count; k++) {
            KnPoint p = inside(figure, figure->series[i].points[k]);
            json_array_append_new(points, json_pack("[oooo]", coordinate(p.x), coordinate(p.y),
                                                    coordinate(p.low), coordinate(p.high)));
        }
        json_array_append_new(series, json_pack("{ss so}", "name", figure->series[i].name, "points", points));
    }
    json_t *object = json_pack("{ss ss ss ss ss so so}", "id", figure->id, "title", figure->title, "kind",
                               kinds[figure->kind], "x", figure->x_label, "y", figure->y_label, "categories",
                               categories, "series", series);
    if (object && figure->steps) json_object_set_new(object, "steps", json_true());
    if (!object || json_array_append_new(run->figures, object) != 0)
        return kn_fail_memory(error, "adding a figure");
    return KN_OK;
}

static double number(const json_t *cell, const char *key)
{
    const json_t *value = json_object_get(cell, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

KnStatus kn_lab_row_figure(KnLabRun *run, const char *id, const char *title, const char *row, KnError *error)
{
    size_t i, room = json_array_size(run->cells), count = 0;
    const char **columns = KN_ARENA_NEW(run->arena, const char *, room + 1);
    KnPoint *published = KN_ARENA_NEW(run->arena, KnPoint, room + 1),
            *measured = KN_ARENA_NEW(run->arena, KnPoint, room + 1);
    if (!columns || !published || !measured) return kn_fail_memory(error, "drawing a row");
    json_t *cell;
    json_array_foreach(run->cells, i, cell)
    {
        if (strcmp(json_string_value(json_object_get(cell, "row")), row) != 0) continue;
        columns[count] = json_string_value(json_object_get(cell, "column"));
        double value = number(cell, "published"), reach = KN_Z95 * number(cell, "published_error");
        if (isnan(reach)) reach = 0;
        published[count] = (KnPoint){(double)count, value, value - reach, value + reach};
        measured[count] = (KnPoint){(double)count, number(cell, "measured"), number(cell, "low"),
                                    number(cell, "high")};
        count++;
    }
    KnSeries series[] = {{"published", published, count}, {"measured", measured, count}};
    KnFigure figure = {.id = id,
                       .title = title,
                       .x_label = "",
                       .y_label = run->table ? run->table->unit : "",
                       .kind = KN_FIGURE_POINTS,
                       .categories = columns,
                       .category_count = count,
                       .series = series,
                       .series_count = 2};
    return kn_lab_figure(run, &figure, error);
}

/* ---- the result ---- */

static json_t *declared(const KnLabRun *run)
{
    const KnExperiment *e = run->experiment;
    json_t *parameters = json_array(), *interpretations = json_array(), *tolerances = json_array();
    for (const KnParameter *p = e->parameters; p && p->name; p++)
        json_array_append_new(parameters,
                              json_pack("{ss sf ss}", "name", p->name, "value",
                                        kn_parameter_at(run->experiment, p, run->plan.scale), "why", p->why));
    for (const KnInterpretation *r = e->interpretations; r && r->open; r++)
        json_array_append_new(interpretations, json_pack("{ss ss ss}", "open", r->open, "chosen", r->chosen,
                                                         "others", r->others));
    for (const KnTolerance *t = e->tolerances; t && t->column; t++)
        json_array_append_new(tolerances, json_pack("{ss sf sf ss}", "column", t->column, "absolute",
                                                    t->absolute, "relative", t->relative, "why", t->why));
    const KnPaper *p = run->paper;
    return json_pack("{si ss ss s{ss ss ss ss si} ss so so so so}", "format", KN_LAB_FORMAT, "experiment",
                     e->head.name, "summary", e->head.summary, "paper", "cite", p->cite, "title", p->title,
                     "author", p->author, "where", p->where, "year", p->year, "scale",
                     kn_scale_name(run->plan.scale), "seed", kn_json_from_uint64(run->plan.seed),
                     "parameters", parameters, "readings", interpretations, "tolerances", tolerances);
}

/* "model name : Xeon ..." of /proc/cpuinfo, where there is one. */
static void processor_name(char *name, size_t size)
{
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0) continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 1 + strspn(colon + 1, " "), "\n"),
                 colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file) fclose(file);
}

static json_t *record(const KnLabRun *run, time_t started, double seconds, double cpu)
{
    char processor[256], when[64] = "";
    processor_name(processor, sizeof processor);
    struct utsname machine = {0};
    uname(&machine);
    struct tm utc;
    if (gmtime_r(&started, &utc)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
#ifdef __clang__
    static const char compiler[] = "clang " __clang_version__;
#else
    static const char compiler[] = "gcc " __VERSION__;
#endif
    return json_pack("{ss ss ss ss si si ss sf sf}", "version", KNACK_VERSION, "compiler", compiler, "system",
                     machine.sysname, "processor", processor, "cores", kn_cores(), "jobs",
                     kn_jobs(run->plan.jobs), "started", when, "seconds", seconds, "cpu_seconds", cpu);
}

/* What must be equal for units of an earlier run to be taken over. */
static void identify(const KnLabRun *run, char identity[KN_HEX128])
{
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, KNACK_VERSION);
    kn_digest_string(&digest, run->experiment->head.name);
    kn_digest_u64(&digest, run->plan.seed);
    for (const KnParameter *p = run->experiment->parameters; p && p->name; p++) {
        double value = kn_parameter_at(run->experiment, p, run->plan.scale);
        kn_digest_string(&digest, p->name);
        kn_digest_add(&digest, &value, sizeof value);
    }
    kn_digest_hex(&digest, identity);
}

/* DATA/lab/temporal.table6.quick.1000 and the ending. */
static KnStatus result_path(const KnLabRun *run, const char *ending, KnText *path, KnError *error)
{
    char name[300];
    snprintf(name, sizeof name, "lab/%.200s.%s.%llu.%s", run->experiment->head.name,
             kn_scale_name(run->plan.scale), (unsigned long long)run->plan.seed, ending);
    kn_path_join(path, kn_context_data(run->context), "lab");
    KnStatus status = kn_mkdirs(path->data, error);
    kn_path_join(path, kn_context_data(run->context), name);
    if (status == KN_OK && !kn_text_ok(path)) return kn_fail_memory(error, "naming a result");
    return status;
}

static KnStatus set_up(KnLabRun *run, KnError *error)
{
    run->tables = json_array();
    run->figures = json_array();
    run->arena = kn_arena_new();
    if (!run->tables || !run->figures || !run->arena) return kn_fail_memory(error, "preparing an experiment");
    KnStatus status = kn_published_load(run->experiment->paper, run->arena, &run->paper, error);
    if (status == KN_OK && run->experiment->source)
        status = kn_lab_table(run, run->experiment->source, error);
    char identity[KN_HEX128];
    identify(run, identity);
    KnText path = KN_TEXT_EMPTY;
    if (status == KN_OK) status = result_path(run, "units", &path, error);
    if (status == KN_OK) status = kn_units_open(path.data, identity, run->plan.fresh, &run->units, error);
    kn_text_free(&path);
    return status;
}

static KnStatus save(const KnLabRun *run, const json_t *result, KnError *error)
{
    KnText text = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    kn_json_canonical(result, &text);
    kn_text_add_char(&text, '\n');
    KnStatus status = kn_text_ok(&text) ? result_path(run, "json", &path, error)
                                        : kn_fail_memory(error, "saving a result");
    if (status == KN_OK) status = kn_sealed_write(path.data, text.data, error);
    kn_text_free(&text);
    kn_text_free(&path);
    return status;
}

json_t *kn_lab_so_far(const KnContext *context, const KnExperiment *experiment, KnScale scale, uint64_t seed)
{
    KnLabRun run = {.context = context, .experiment = experiment, .plan = {.scale = scale, .seed = seed}};
    KnText path = KN_TEXT_EMPTY;
    KnError error;
    json_t *document = NULL;
    if (result_path(&run, SO_FAR, &path, &error) == KN_OK && kn_file_exists(path.data))
        kn_json_load_file(path.data, &document, &error);
    if (!json_is_array(json_object_get(document, "tables"))) {
        json_decref(document);
        document = NULL;
    }
    kn_text_free(&path);
    return document;
}

KnStatus kn_lab_run(const KnContext *context, const KnExperiment *experiment, const KnLabPlan *plan,
                    KnProgress *progress, json_t **out, KnError *error)
{
    *out = NULL;
    KnLabRun run = {.context = context,
                    .experiment = experiment,
                    .plan = *plan,
                    .progress = progress,
                    .counted = json_object()};
    time_t started = time(NULL);
    double clock = kn_clock_now(), cpu = kn_clock_process_cpu();
    KnStatus status = set_up(&run, error);
    if (status == KN_OK) status = experiment->run(&run, error);
    json_t *result = status == KN_OK ? declared(&run) : NULL;
    if (result) {
        json_object_set(result, "tables", run.tables);
        json_object_set(result, "figures", run.figures);
        json_object_set_new(result, "nondeterministic", json_boolean(run.clocked));
        json_object_set_new(result, "record",
                            record(&run, started, kn_clock_now() - clock, kn_clock_process_cpu() - cpu));
        status = save(&run, result, error);
    } else if (status == KN_OK)
        status = kn_fail_memory(error, "making a result");
    if (status == KN_OK)
        *out = result;
    else
        json_decref(result);
    if (status != KN_OK && status != KN_STOPPED) kn_fail_within(error, "%s", experiment->head.name);
    tell_no_more(&run);
    kn_store_close(run.store);
    kn_units_close(run.units);
    json_decref(run.counted);
    kn_arena_free(run.arena);
    json_decref(run.tables);
    json_decref(run.figures);
    return status;
}
