/* The lab, behind <knack/capi.h>. */
#include "capi/capi_inside.h"
#include "lab/lab.h"
#include "lab/shipped.h"

typedef struct Lab {
    KnCapi *capi;
    KnLabPlan plan;
    json_t *results;
} Lab;

static KnStatus measure(void *user, const KnExperiment *experiment, KnError *error)
{
    Lab *lab = user;
    json_t *result = NULL;
    KnStatus status = kn_lab_run(lab->capi->context, experiment, &lab->plan, NULL, &result, error);
    if (status == KN_OK) json_array_append_new(lab->results, result);
    return status;
}

char *kn_capi_lab(KnCapi *capi, const char *text)
{
    static const char *const known[] = {"experiments", "scale", "seed", "jobs", "shipped", NULL};
    KnError *error = &capi->error;
    Lab lab = {.capi = capi, .plan = {.seed = KN_LAB_SEED, .cancel = &capi->cancel}, .results = json_array()};
    const char *experiments = NULL, *scale = NULL;
    int64_t jobs = 0;
    bool shipped = false;
    json_t *asked = NULL;
    kn_capi_begin(capi);
    KnStatus status = kn_capi_plan(capi, text && *text ? text : "{}", "plan", known, &asked);
    KnJson at = kn_json_root(asked, "plan");
    if (status == KN_OK) status = kn_capi_string(&at, "experiments", &experiments, error);
    if (status == KN_OK) status = kn_capi_string(&at, "scale", &scale, error);
    if (status == KN_OK) status = kn_capi_seed(&at, "seed", &lab.plan.seed, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "jobs", 0, 1024, &jobs, error);
    if (status == KN_OK && kn_json_has(&at, "shipped"))
        status = kn_json_bool(&at, "shipped", &shipped, error);
    lab.plan.jobs = (int)jobs;
    if (status == KN_OK && scale) status = kn_scale_parse(scale, &lab.plan.scale, error);
    if (status == KN_OK && experiments)
        status = kn_lab_select(capi->context, experiments, measure, &lab, error);
    else if (status == KN_OK) {
        json_decref(lab.results);
        lab.results = NULL;
        const KnScale *at_scale = scale ? &lab.plan.scale : NULL;
        status = shipped ? kn_lab_shown(capi->context, at_scale, NULL, &lab.results, error)
                         : kn_lab_results(capi->context, at_scale, NULL, &lab.results, error);
    }
    json_decref(asked);
    if (status != KN_OK) json_decref(lab.results);
    return kn_capi_end(capi, status, status == KN_OK ? lab.results : NULL);
}
