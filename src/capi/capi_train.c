/* Training through the C API for bindings: kn_train with a plan in JSON. */
#include "arena/learner.h"
#include "capi/capi_inside.h"

typedef struct Request {
    json_t *document;
    KnTrainPlan plan;
    bool explain;
} Request;

static KnStatus read_request(KnCapi *capi, const char *text, Request *request)
{
    static const char *const known[] = {"game", "learner", "out",     "into", "seed",
                                        "jobs", "points",  "explain", NULL};
    KnError *error = &capi->error;
    KnTrainPlan *plan = &request->plan;
    int64_t jobs = 0, points = 0;
    *request = (Request){.plan = {.seed = 1, .cancel = &capi->cancel}};
    KnStatus status = kn_capi_plan(capi, text, "plan", known, &request->document);
    KnJson at = kn_json_root(request->document, "plan");
    if (status == KN_OK) status = kn_json_string(&at, "game", &plan->game, error);
    if (status == KN_OK) status = kn_json_string(&at, "learner", &plan->learner, error);
    if (status == KN_OK) status = kn_capi_string(&at, "out", &plan->out, error);
    if (status == KN_OK) status = kn_capi_string(&at, "into", &plan->folder, error);
    if (status == KN_OK) status = kn_capi_seed(&at, "seed", &plan->seed, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "jobs", 0, 1024, &jobs, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "points", 0, 10000, &points, error);
    if (status == KN_OK && kn_json_has(&at, "explain"))
        status = kn_json_bool(&at, "explain", &request->explain, error);
    if (status == KN_OK && !plan->out == !plan->folder)
        status = kn_fail(error, KN_INPUT, "plan: give either out (a file) or into (a folder)");
    plan->jobs = (int)jobs;
    plan->points = (int)points;
    return status;
}

static json_t *result_json(const KnTrainPlan *plan, const KnTrainResult *r)
{
    json_t *root = json_pack("{ss ss ss ss}", "learner", plan->learner, "game", plan->game, "file", r->file,
                             "player", r->player);
    if (r->has_point) json_object_set_new(root, "point", json_pack("[ffff]", r->x, r->y, r->low, r->high));
    if (r->also) json_object_set_new(root, "also", kn_train_result_also(r));
    if (r->learned) json_object_set_new(root, "learned", kn_explanation_json(r->learned));
    return root;
}

char *kn_capi_train(KnCapi *capi, const char *text)
{
    Request request;
    KnTrainResult result = {0};
    json_t *document = NULL;
    KnArena *arena = kn_arena_new();
    kn_capi_begin(capi);
    KnStatus status = read_request(capi, text, &request);
    if (status == KN_OK && !arena) status = kn_fail_memory(&capi->error, "training");
    if (request.explain) request.plan.explain = arena;
    if (status == KN_OK) status = kn_train(capi->context, &request.plan, &result, &capi->error);
    if (status == KN_OK) document = result_json(&request.plan, &result);
    kn_train_result_free(&result);
    kn_arena_free(arena);
    json_decref(request.document);
    return kn_capi_end(capi, status, document);
}
