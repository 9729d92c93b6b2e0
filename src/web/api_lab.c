/* The lab: experiments with measured and published values, and starting new measurements. */
#include <stdio.h>
#include <string.h>

#include "lab/export.h"
#include "lab/journal.h"
#include "lab/lab.h"
#include "lab/plot.h"
#include "lab/shipped.h"
#include "web/worker_processes.h"
#include "web/publish.h"

static const KnExperiment *find_experiment(const KnWeb *web, const char *name)
{
    return (const KnExperiment *)kn_find(web->context, KN_KIND_EXPERIMENT, name);
}

static json_t *result_of(const json_t *results, const char *name)
{
    size_t i;
    json_t *result;
    json_array_foreach(results, i,
                       result) if (strcmp(json_string_value(json_object_get(result, "experiment")), name) ==
                                   0) return result;
    return NULL;
}

static json_t *counts_json(const json_t *result)
{
    size_t counts[KN_VERDICTS];
    kn_lab_count(result, counts);
    json_t *object = json_object();
    for (int v = 0; v < KN_VERDICTS; v++)
        json_object_set_new(object, kn_verdict_name((KnVerdict)v), json_integer((json_int_t)counts[v]));
    return object;
}

/* The name of the run that measures an experiment (or, with NULL, all of them). */
static void run_name(const char *experiment, const char *scale, char *name, size_t size)
{
    snprintf(name, size, "lab-%.40s.%s", experiment ? experiment : "all", scale);
}

/* The process of this experiment or of all experiments: a running one, else the latest that failed or was
 * stopped. */
static json_t *process_of(KnWeb *web, const char *experiment)
{
    json_t *latest = NULL;
    for (int s = 0; s < KN_SCALES; s++)
        for (int all = 0; all < 2; all++) {
            char name[80];
            run_name(all ? NULL : experiment, kn_scale_name((KnScale)s), name, sizeof name);
            json_t *process = kn_runs_show(web->runs, name);
            const char *state = json_string_value(json_object_get(process, "state"));
            if (state && strcmp(state, "running") == 0) {
                json_decref(latest);
                return process;
            }
            if (state && !all && strcmp(state, "done") != 0 && !latest)
                latest = process;
            else
                json_decref(process);
        }
    return latest;
}

static KnScale scale_of(const char *name)
{
    KnScale scale = KN_SCALE_QUICK;
    if (name) kn_scale_parse(name, &scale, NULL);
    return scale;
}

/* The cells of an experiment that a running process has measured so far; NULL if none. */
static json_t *so_far(const KnWeb *web, const KnExperiment *experiment, const json_t *process)
{
    const char *state = json_string_value(json_object_get(process, "state"));
    if (!state || strcmp(state, "running") != 0) return NULL;
    return kn_lab_so_far(
        web->context, experiment,
        scale_of(json_string_value(json_object_get(json_object_get(process, "about"), "scale"))),
        KN_LAB_SEED);
}

json_t *kn_lab_event(KnWeb *web, const json_t *process)
{
    const char *label = json_string_value(json_object_get(json_object_get(process, "progress"), "label"));
    const KnExperiment *experiment = label ? find_experiment(web, label) : NULL;
    json_t *cells = experiment ? so_far(web, experiment, process) : NULL,
           *event = json_copy((json_t *)(uintptr_t)process);
    if (cells)
        json_object_set_new(event, "so_far",
                            json_pack("{ss so}", "experiment", label, "verdicts", counts_json(cells)));
    json_decref(cells);
    return event;
}

static json_t *experiment_json(KnWeb *web, const KnExperiment *experiment, const json_t *result)
{
    json_t *parameters = json_array();
    for (const KnParameter *p = experiment->parameters; p && p->name; p++)
        json_array_append_new(parameters, json_pack("{ss sf sf sf ss}", "name", p->name, "quick", p->quick,
                                                    "middle", kn_parameter_at(experiment, p, KN_SCALE_MIDDLE),
                                                    "paper", p->paper, "why", p->why));
    json_t *row = json_pack("{ss ss ss so}", "name", experiment->head.name, "summary",
                            experiment->head.summary, "paper", experiment->paper, "parameters", parameters);
    if (result) {
        json_object_set(row, "scale", json_object_get(result, "scale"));
        json_object_set(row, "origin", json_object_get(result, "origin"));
        json_object_set(row, "seed", json_object_get(result, "seed"));
        json_object_set(row, "measured", json_object_get(json_object_get(result, "record"), "started"));
        json_object_set_new(row, "verdicts", counts_json(result));
    }
    json_t *process = process_of(web, experiment->head.name);
    json_object_set_new(row, "run", process ? process : json_null());
    return row;
}

static void list(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    KnError error;
    json_t *results, *rows = json_array();
    if (kn_lab_shown(web->context, NULL, NULL, &results, &error) != KN_OK) {
        json_decref(rows);
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    for (size_t i = 0; i < kn_registered(web->context, KN_KIND_EXPERIMENT); i++) {
        const KnExperiment *experiment = (const KnExperiment *)kn_registered_at(web->context,
                                                                                KN_KIND_EXPERIMENT, i);
        json_array_append_new(rows,
                              experiment_json(web, experiment, result_of(results, experiment->head.name)));
    }
    json_decref(results);
    json_t *all = kn_runs_show(web->runs, "lab-all.quick");
    kn_reply_json(reply, 200,
                  json_pack("{ss so so}", "rule", kn_verdict_rule, "run", all ? all : json_null(),
                            "experiments", rows));
}

/* The experiment of a call; NULL, with the reply 404, if there is none. */
static const KnExperiment *asked(const KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const KnExperiment *experiment = find_experiment(web, call->words[0]);
    if (!experiment)
        kn_reply_error(reply, 404, NULL, "there is no experiment %.60s; /api/lab lists them", call->words[0]);
    return experiment;
}

/* Its stored result, a new reference; NULL with an empty error if it has none. */
static json_t *latest_result(const KnWeb *web, const KnExperiment *experiment, KnError *error)
{
    json_t *results;
    *error = (KnError){0};
    if (kn_lab_shown(web->context, NULL, NULL, &results, error) != KN_OK) return NULL;
    json_t *result = json_incref(result_of(results, experiment->head.name));
    json_decref(results);
    return result;
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const KnExperiment *experiment = asked(web, call, reply);
    KnError error;
    if (!experiment) return;
    json_t *result = latest_result(web, experiment, &error);
    if (error.status != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    json_t *row = experiment_json(web, experiment, result);
    json_t *cells = so_far(web, experiment, json_object_get(row, "run"));
    json_object_set_new(row, "result", result ? result : json_null());
    json_object_set_new(row, "so_far", cells ? cells : json_null());
    kn_reply_json(reply, 200, row);
}

static void figure(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const KnExperiment *experiment = asked(web, call, reply);
    KnError error;
    if (!experiment) return;
    json_t *result = latest_result(web, experiment, &error), *found = NULL, *one;
    size_t i;
    json_array_foreach(json_object_get(result, "figures"), i,
                       one) if (strcmp(json_string_value(json_object_get(one, "id")), call->words[1]) == 0)
        found = one;
    if (!found)
        kn_reply_error(reply, 404, NULL, "%s has no figure %.40s", experiment->head.name, call->words[1]);
    else if (kn_plot_svg(found, call->words[1], &reply->text, &error) != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        if (error.status == KN_NO) reply->status = 503; /* no gnuplot here */
    } else
        reply->type = "image/svg+xml";
    json_decref(result);
}

KnStatus kn_web_measure(KnWeb *web, const char *experiment, const char *scale, KnError *error)
{
    char name[80], data[4200], scaled[32];
    run_name(experiment, scale, name, sizeof name);
    snprintf(data, sizeof data, "--data=%.4000s", kn_context_data(web->context));
    snprintf(scaled, sizeof scaled, "--scale=%s", scale);
    json_t *words = json_pack("[ssssss]", "lab", "run", scaled, data, "--json", "--progress=json");
    if (experiment) {
        json_array_append_new(words, json_string("--"));
        json_array_append_new(words, json_string(experiment));
    }
    json_t *about = json_pack("{ss ss ss}", "kind", "lab", "experiment", experiment ? experiment : "*",
                              "scale", scale);
    KnStatus status = words && about ? kn_runs_start(web->runs, name, about, words, error)
                                     : kn_fail_memory(error, "starting the lab");
    json_decref(words);
    json_decref(about);
    return status;
}

/* Starts an experiment (NULL: all) and replies with its process. */
static void begin(KnWeb *web, const KnCall *call, const char *experiment, KnHttpReply *reply)
{
    const char *scale;
    KnError error;
    if (!kn_call_text(call, "scale", false, 10, &scale, reply)) return;
    if (!scale) scale = "quick";
    KnScale parsed;
    bool known = kn_scale_parse(scale, &parsed, NULL) == KN_OK;
    if (!known || (parsed != KN_SCALE_QUICK && !experiment)) {
        kn_reply_error(reply, 400, "scale",
                       experiment ? "scale: expected quick, middle or paper"
                                  : "scale: all of them are measured at the scale quick only");
        return;
    }
    if (kn_web_measure(web, experiment, scale, &error) != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    char name[80];
    run_name(experiment, scale, name, sizeof name);
    kn_reply_json(reply, 201, kn_runs_show(web->runs, name));
}

static void measure(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const KnExperiment *experiment = asked(web, call, reply);
    if (experiment) begin(web, call, experiment->head.name, reply);
}

static void measure_all(KnWeb *web, const KnCall *call, KnHttpReply *reply) { begin(web, call, NULL, reply); }

static void stop_process(KnWeb *web, const char *name, KnHttpReply *reply)
{
    KnError error;
    if (kn_runs_stop(web->runs, name, &error) == KN_OK)
        kn_reply_json(reply, 200, kn_runs_show(web->runs, name));
    else {
        kn_reply_fail(reply, &error, NULL);
        if (error.status == KN_INPUT) reply->status = 409;
    }
}

static void halt_all(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    stop_process(web, "lab-all.quick", reply);
}

/* Stops the process that measures an experiment. */
static void halt(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const KnExperiment *experiment = asked(web, call, reply);
    if (!experiment) return;
    json_t *process = process_of(web, experiment->head.name);
    const char *name = json_string_value(json_object_get(process, "name"));
    if (!name)
        kn_reply_error(reply, 409, NULL, "%s is not being measured", experiment->head.name);
    else
        stop_process(web, name, reply);
    json_decref(process);
}

/* ---- the lab as a journal ---- */

/* The journal of everything measured so far; NULL, with a reply, if it cannot be made. */
static json_t *journal_of(const KnWeb *web, KnHttpReply *reply)
{
    KnError error;
    json_t *results, *journal = NULL;
    KnStatus status = kn_lab_shown(web->context, NULL, NULL, &results, &error);
    if (status == KN_OK) {
        status = kn_lab_journal(web->context, results, &journal, &error);
        json_decref(results);
    }
    if (status != KN_OK) kn_reply_fail(reply, &error, NULL);
    return journal;
}

/* All papers with their claims, without tables and figures. */
static void papers(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    static const char *const told[] = {"paper", "system", "name",   "question", "says", "found",
                                       "sure",  "cite",   "claims", "headline", NULL};
    json_t *journal = journal_of(web, reply), *rows = json_array(), *paper;
    size_t i;
    if (!journal) {
        json_decref(rows);
        return;
    }
    json_array_foreach(journal, i, paper)
    {
        json_t *row = json_object();
        for (const char *const *key = told; *key; key++)
            json_object_set(row, *key, json_object_get(paper, *key));
        json_array_append_new(rows, row);
    }
    json_decref(journal);
    kn_reply_json(reply, 200, json_pack("{so}", "papers", rows));
}

static void one_paper(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    json_t *journal = journal_of(web, reply), *paper, *found = NULL;
    size_t i;
    if (!journal) return;
    json_array_foreach(journal, i, paper)
    {
        if (strcmp(json_string_value(json_object_get(paper, "system")), call->words[0]) == 0) found = paper;
    }
    if (found)
        kn_reply_json(reply, 200, json_incref(found));
    else
        kn_reply_error(reply, 404, NULL, "there is no paper %.60s; /api/papers lists them", call->words[0]);
    json_decref(journal);
}

/* Whether a figure is the one of this file name, EXPERIMENT-ID.ENDING, `length` letters without the ending.
 */
static bool is_figure(const json_t *figure, const char *name, size_t length)
{
    char own[200];
    const char *experiment = json_string_value(json_object_get(figure, "experiment")),
               *id = json_string_value(json_object_get(figure, "id"));
    if (!experiment || !id) return false;
    snprintf(own, sizeof own, "%.90s-%.90s", experiment, id);
    return strlen(own) == length && strncmp(own, name, length) == 0;
}

static const json_t *find_figure(const json_t *figures, const char *name, size_t length)
{
    size_t i;
    json_t *figure;
    json_array_foreach(figures, i, figure)
    {
        if (is_figure(figure, name, length)) return figure;
    }
    return NULL;
}

static const json_t *figure_of_paper(const json_t *paper, const char *name, size_t length)
{
    const json_t *key = json_object_get(paper, "figure"),
                 *found = is_figure(key, name, length)
                              ? key
                              : find_figure(json_object_get(paper, "figures"), name, length);
    size_t i;
    json_t *extension;
    json_array_foreach(json_object_get(paper, "extensions"), i, extension)
    {
        if (!found) found = find_figure(json_object_get(extension, "figures"), name, length);
    }
    return found;
}

/* A figure of the journal as a file: EXPERIMENT-ID.svg, .png or .csv. */
static void paper_figure(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *name = call->words[1], *dot = strrchr(name, '.'), *ending = dot ? dot + 1 : "";
    json_t *journal = journal_of(web, reply), *paper;
    const json_t *figure = NULL;
    KnStatus status = KN_OK;
    KnError error;
    size_t i;
    if (!journal) return;
    json_array_foreach(journal, i, paper)
    {
        if (dot && strcmp(json_string_value(json_object_get(paper, "system")), call->words[0]) == 0)
            figure = figure_of_paper(paper, name, (size_t)(dot - name));
    }
    if (figure && strcmp(ending, "csv") == 0) {
        kn_export_figure_csv(figure, &reply->text);
        reply->type = "text/csv; charset=utf-8";
    } else if (figure && strcmp(ending, "svg") == 0) {
        status = kn_plot_svg(figure, "figure", &reply->text, &error);
        reply->type = "image/svg+xml";
    } else if (figure && strcmp(ending, "png") == 0) {
        status = kn_plot_png(figure, &reply->text, &error);
        reply->type = "image/png";
    } else
        kn_reply_error(reply, 404, NULL, "%.60s has no figure %.120s; its paper lists them", call->words[0],
                       name);
    if (status != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        if (error.status == KN_NO) reply->status = 503; /* no gnuplot here */
    }
    json_decref(journal);
}

const KnRoute kn_routes_lab[] = {
    {"GET", "papers", papers, 0},
    {"GET", "papers/*", one_paper, 0},
    {"GET", "papers/*/figures/*", paper_figure, 0},
    {"GET", "lab", list, 0},
    {"POST", "lab", measure_all, KN_WEB_BODY},
    {"POST", "lab/stop", halt_all, KN_WEB_BODY},
    {"GET", "lab/*", show, 0},
    {"GET", "lab/*/figures/*", figure, 0},
    {"POST", "lab/*/run", measure, KN_WEB_BODY},
    {"POST", "lab/*/stop", halt, KN_WEB_BODY},
    {0},
};
