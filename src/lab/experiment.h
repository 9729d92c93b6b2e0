/* An experiment: a table or figure of a paper, declared once and measured beside what was published.
 *
 * To add one: a C file here that defines a `const KnExperiment` and its `run`, a row in registry.c, the
 * published values in data/embed/published/PAPER.json, a test. Everything that decides a verdict (parameters,
 * readings, tolerances) stands in the declaration, before anything runs.
 *
 * `run` plays its matches through kn_lab_match (stored game by game, hence resumable), or cuts work of its
 * own into units (kn_lab_done, kn_lab_keep) that survive an interruption; it gives results with kn_lab_cell
 * and its kin, and pictures with kn_lab_figure. All chance comes from kn_lab_seed, so that the same seed
 * gives the same cells for any number of threads. What depends on clocks is marked with kn_lab_clocked.
 *
 * Ownership: strings and arrays handed in are copied. Calls are for the thread that runs `run`. */
#ifndef KNACK_LAB_EXPERIMENT_H
#define KNACK_LAB_EXPERIMENT_H

#include <jansson.h>
#include <stdatomic.h>

#include "arena/match.h"
#include "base/context.h"
#include "base/progress.h"
#include "jobs/job.h"
#include "lab/verdict.h"

typedef struct KnLabRun KnLabRun;

typedef enum KnScale { KN_SCALE_QUICK, KN_SCALE_MIDDLE, KN_SCALE_PAPER, KN_SCALES } KnScale;

const char *kn_scale_name(KnScale scale); /* "quick", "middle", "paper" */
KnStatus kn_scale_parse(const char *name, KnScale *scale, KnError *error);

/* A size, at each scale. Tables of these end with a row without a name. */
typedef struct KnParameter {
    const char *name;
    double quick, paper;
    const char *why; /* what it is, and why the paper scale is as it is */
} KnParameter;

/* A size at the middle scale, for experiments whose paper's scale takes days. */
typedef struct KnSize {
    const char *name;
    double value;
} KnSize;

/* What the paper leaves open, and how it is read here; ends with a row without `open`. */
typedef struct KnInterpretation {
    const char *open;   /* the question */
    const char *chosen; /* the reading used */
    const char *others; /* what else it could mean, and what that would change; "" if nothing */
} KnInterpretation;

/* What counts as the same number; ends with a row without a column. The first row whose pattern fits the
 * column holds. */
typedef struct KnTolerance {
    const char *column; /* a pattern: "*", "* power" */
    double absolute;    /* in the value's unit */
    double relative;    /* of the published value; the larger of both holds */
    const char *why;
} KnTolerance;

typedef struct KnExperiment {
    KnThing head;       /* name: "temporal.table6"; no options */
    const char *paper;  /* of data/embed/published/PAPER.json */
    const char *source; /* id of the table there that the first cells belong to; NULL: the experiment names
                           them itself */
    const KnParameter *parameters;
    const KnSize *middle; /* sizes at the middle scale; others are as the paper's. Ends with a row without a
                             name; NULL: the middle scale is the paper's */
    const KnInterpretation *interpretations;
    const KnTolerance *tolerances;
    KnStatus (*run)(KnLabRun *run, KnError *error);
} KnExperiment;

/* ---- what a run is given ---- */

const KnContext *kn_lab_context(const KnLabRun *run);
KnScale kn_lab_scale(const KnLabRun *run);
int kn_lab_jobs(const KnLabRun *run);
const atomic_bool *kn_lab_cancel(const KnLabRun *run);
KnProgress *kn_lab_progress(const KnLabRun *run);

/* The size of a declared parameter at a scale. */
double kn_parameter_at(const KnExperiment *experiment, const KnParameter *parameter, KnScale scale);

/* A declared parameter at this run's scale; asking for one that is not declared asserts. */
double kn_lab_parameter(const KnLabRun *run, const char *name);

/* The seed of one piece of the work, from the run's seed, the experiment and the key: pieces are independent.
 */
uint64_t kn_lab_seed(const KnLabRun *run, const char *key);

/* The run's own seed, for what several experiments share (learned policies): to be mixed with a purpose. */
uint64_t kn_lab_run_seed(const KnLabRun *run);

/* How much work there will be, in the unit that is ticked (kn_lab_match ticks games). */
void kn_lab_expect(KnLabRun *run, uint64_t amount);
/* The same, in parts. */
void kn_lab_expect_more(KnLabRun *run, uint64_t amount);

/* ---- doing the work ---- */

/* A match under the run's seed (by key), threads, store and cancel flag, whatever the plan says about those.
 * A forfeited game is a failure: a cell measured with a broken player would mean nothing. */
KnStatus kn_lab_match(KnLabRun *run, const char *key, KnMatchPlan plan, KnMatchResult *result,
                      KnError *error);

/* Units: what was kept under a key by this run or by an interrupted one (borrowed; NULL: still to be done),
 * and keeping it (takes the reference). A unit counts once kn_lab_keep returns. */
const json_t *kn_lab_done(const KnLabRun *run, const char *key);
KnStatus kn_lab_keep(KnLabRun *run, const char *key, json_t *value, KnError *error);
/* The same as kn_lab_done, for a unit of `work` ticks: one that an earlier run kept is ticked when it is
 * first asked for, so that a resumed run ends at its total too. */
const json_t *kn_lab_done_work(KnLabRun *run, const char *key, uint64_t work);

/* What a worker needs to know of a run: the first member of every payload of the lab's job types, written by
 * kn_lab_share. */
typedef struct KnLabOrigin {
    const char *experiment;
    KnScale scale;
    uint64_t seed;
} KnLabOrigin;

#define KN_LAB_ORIGIN(type)                                                                                  \
    KN_STRINGS(type, origin.experiment), KN_PLAIN(type, origin.scale), KN_PLAIN(type, origin.seed)

/* Runs a job (jobs/job.h) with the run's threads and cancel flag. `origin` is the first member of the
 * payload. `window` is that of kn_lab_window; 0 without a commit. Tasks leave results only: units and cells
 * are the affair of the commit, or of what comes after. */
KnStatus kn_lab_share(KnLabRun *run, const KnJobType *job_type, uint64_t count, uint64_t window,
                      KnLabOrigin *origin, KnCommit commit, void *user, KnError *error);
uint64_t kn_lab_window(const KnLabRun *run); /* slots for results that wait for their turn */

/* In `open` of such a job type: the run as a worker sees it, which answers the questions at the top of this
 * header and keeps nothing. The caller frees it with kn_lab_leave (NULL is fine). */
KnStatus kn_lab_visit(const KnWorkerSite *site, const KnLabOrigin *origin, KnLabRun **run, KnError *error);
void kn_lab_leave(KnLabRun *run);

/* What follows was measured with clocks or foreign engines; the result is stamped. */
void kn_lab_clocked(KnLabRun *run);

/* ---- giving results ---- */

/* Following cells belong to this published table of the paper; fails if there is none. */
KnStatus kn_lab_table(KnLabRun *run, const char *id, KnError *error);
/* Following cells belong to a table of our own. */
KnStatus kn_lab_own_table(KnLabRun *run, const char *id, const char *title, const char *unit, int decimals,
                          KnError *error);

/* A value or claim that the table publishes at (row, column); fails if it does not. `note` may be NULL. */
KnStatus kn_lab_cell(KnLabRun *run, const char *row, const char *column, KnMeasure measure, const char *note,
                     KnError *error);
/* The same where the two are not the same quantity: not comparable, for this reason. */
KnStatus kn_lab_incomparable(KnLabRun *run, const char *row, const char *column, KnMeasure measure,
                             const char *explanation, KnError *error);
/* The same under another reading, which `label` names in place of the row: shown beside the published value
 * to see how much the reading moves it, with the verdict it would have had as the reason, and never counted
 * as agreeing or differing. */
KnStatus kn_lab_variant(KnLabRun *run, const char *label, const char *row, const char *column,
                        KnMeasure measure, KnError *error);
/* Measured, with nothing published beside it. */
KnStatus kn_lab_measured(KnLabRun *run, const char *row, const char *column, KnMeasure measure,
                         const char *note, KnError *error);

typedef struct KnPoint {
    double x, y, low, high; /* low == high: no error bar */
} KnPoint;

typedef struct KnSeries {
    const char *name;
    const KnPoint *points;
    size_t count;
} KnSeries;

typedef enum KnFigureKind {
    KN_FIGURE_LINES,  /* points joined in each series */
    KN_FIGURE_POINTS, /* points with error bars, series side by side: for categories */
    KN_FIGURE_MAP     /* one series; a field (x, y) coloured by `low`; x and y on a grid */
} KnFigureKind;

typedef struct KnFigure {
    const char *id, *title, *x_label, *y_label; /* y_label is or begins with the unit (kn_unit_bounds) */
    KnFigureKind kind;
    const char *const *categories; /* names of x = 0, 1, ...; NULL: x is a number */
    size_t category_count;
    bool steps; /* of lines: x goes up by factors, and is named where the first series has points */
    const KnSeries *series;
    size_t series_count;
} KnFigure;

KnStatus kn_lab_figure(KnLabRun *run, const KnFigure *figure, KnError *error);

/* A figure of one row of the current table as far as its cells are given: published beside measured, with the
 * errors of both, by column. */
KnStatus kn_lab_row_figure(KnLabRun *run, const char *id, const char *title, const char *row, KnError *error);

#endif
