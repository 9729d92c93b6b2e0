/* Matches, tournaments and the results store, behind <knack/capi.h>. */
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "arena/tournament.h"
#include "capi/capi_inside.h"

static const char *const known[] = {"game",       "players",  "games",  "seed",   "jobs",  "random_plies",
                                    "plies",      "openings", "tables", "sprt",   "alpha", "beta",
                                    "sprt_model", "name",     "store",  "resume", NULL};

typedef struct Plan {
    json_t *document;
    KnMatchPlan match;
    const char **players;
    size_t count;
    bool store;
} Plan;

static KnStatus read_players(const KnJson *at, Plan *plan, KnError *error)
{
    KnJson list;
    KnStatus status = kn_json_array(at, "players", &list, error);
    if (status != KN_OK) return status;
    plan->count = kn_json_size(&list);
    plan->players = calloc(plan->count + 1, sizeof *plan->players);
    if (!plan->players) return kn_fail_memory(error, "reading a plan");
    for (size_t i = 0; i < plan->count && status == KN_OK; i++) {
        KnJson item = kn_json_item(&list, i);
        status = kn_json_string(&item, NULL, &plan->players[i], error);
    }
    return status;
}

static KnStatus read_sprt(const KnJson *at, KnMatchPlan *match, KnError *error)
{
    if (!kn_json_has(at, "sprt")) return KN_OK;
    KnJson pair;
    KnStatus status = kn_json_array(at, "sprt", &pair, error);
    if (status == KN_OK && kn_json_size(&pair) != 2)
        status = kn_json_fail(at, "sprt", error, "expected two Elo differences");
    for (size_t i = 0; i < 2 && status == KN_OK; i++) {
        KnJson item = kn_json_item(&pair, i);
        status = kn_json_real(&item, NULL, i ? &match->test.elo1 : &match->test.elo0, error);
    }
    match->sprt = true;
    match->test.alpha = match->test.beta = 0.05;
    if (status == KN_OK && kn_json_has(at, "alpha"))
        status = kn_json_real(at, "alpha", &match->test.alpha, error);
    if (status == KN_OK && kn_json_has(at, "beta"))
        status = kn_json_real(at, "beta", &match->test.beta, error);
    const char *model = NULL;
    if (status == KN_OK) status = kn_capi_string(at, "sprt_model", &model, error);
    if (status != KN_OK || !model) return status;
    match->test.model = strcmp(model, "normalized") == 0 ? KN_SPRT_NORMALIZED : KN_SPRT_LOGISTIC;
    if (strcmp(model, kn_sprt_model_name(match->test.model)) != 0)
        status = kn_json_fail(at, "sprt_model", error, "expected logistic or normalized");
    return status;
}

static KnStatus read_plan(KnCapi *capi, const char *text, Plan *plan)
{
    KnError *error = &capi->error;
    KnMatchPlan *match = &plan->match;
    *plan = (Plan){.match = {.games = 100, .seed = 1}, .store = true};
    int64_t games = 100, jobs = 0, random_plies = 0, plies = 0;
    KnStatus status = kn_capi_plan(capi, text, "plan", known, &plan->document);
    KnJson at = kn_json_root(plan->document, "plan");
    if (status == KN_OK) status = kn_json_string(&at, "game", &match->game, error);
    if (status == KN_OK) status = read_players(&at, plan, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "games", 1, 100000000, &games, error);
    if (status == KN_OK) status = kn_capi_seed(&at, "seed", &match->seed, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "jobs", 0, 1024, &jobs, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "random_plies", 0, 1000, &random_plies, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "plies", 0, 1000000, &plies, error);
    if (status == KN_OK) status = kn_capi_string(&at, "openings", &match->openings, error);
    if (status == KN_OK) status = kn_capi_string(&at, "tables", &match->tables, error);
    if (status == KN_OK) status = kn_capi_string(&at, "name", &match->name, error);
    if (status == KN_OK) status = read_sprt(&at, match, error);
    if (status == KN_OK && kn_json_has(&at, "store"))
        status = kn_json_bool(&at, "store", &plan->store, error);
    if (status == KN_OK && kn_json_has(&at, "resume"))
        status = kn_json_bool(&at, "resume", &match->resume, error);
    match->games = (uint64_t)games;
    match->jobs = (int)jobs;
    match->random_plies = (int)random_plies;
    match->rules = (KnPlayRules){.ply_limit = (size_t)plies, .cancel = &capi->cancel};
    return status;
}

static void free_plan(Plan *plan)
{
    free(plan->players);
    json_decref(plan->document);
}

char *kn_capi_match(KnCapi *capi, const char *text)
{
    Plan plan;
    KnMatchResult result;
    KnStore *store = NULL;
    json_t *document = NULL;
    KnStatus status = read_plan(capi, text, &plan);
    if (status == KN_OK && plan.count != 2)
        status = kn_fail(&capi->error, KN_INPUT, "plan: players: a match has two players, not %zu",
                         plan.count);
    if (status == KN_OK && plan.store) status = kn_store_open(capi->context, &store, &capi->error);
    if (status == KN_OK) {
        memcpy(plan.match.players, plan.players, sizeof plan.match.players);
        status = kn_match_run(capi->context, &plan.match, store, NULL, &result, &capi->error);
    }
    if (status == KN_OK) document = kn_match_json(&plan.match, &result);
    kn_store_close(store);
    free_plan(&plan);
    return kn_capi_answer(capi, status, document);
}

char *kn_capi_tournament(KnCapi *capi, const char *text)
{
    Plan plan;
    KnTournament result;
    KnStore *store = NULL;
    json_t *document = NULL;
    KnStatus status = read_plan(capi, text, &plan);
    if (status == KN_OK && plan.count < 2)
        status = kn_fail(&capi->error, KN_INPUT, "plan: players: a tournament has two players at least");
    if (status == KN_OK && (plan.match.sprt || plan.match.name))
        status = kn_fail(&capi->error, KN_INPUT, "plan: sprt and name are for matches");
    if (status == KN_OK && plan.store) status = kn_store_open(capi->context, &store, &capi->error);
    if (status == KN_OK) {
        KnTournamentPlan tournament = {
            .match = plan.match, .players = plan.players, .player_count = plan.count};
        status = kn_tournament_run(capi->context, &tournament, store, NULL, &result, &capi->error);
        if (status == KN_OK) {
            document = kn_tournament_json(&tournament, &result);
            kn_tournament_free(&result);
        }
    }
    kn_store_close(store);
    free_plan(&plan);
    return kn_capi_answer(capi, status, document);
}

/* ---- The store ---- */

char *kn_capi_runs(KnCapi *capi)
{
    KnStore *store = NULL;
    KnStatus status = kn_store_open_reading(capi->context, &store, &capi->error);
    char *text = status == KN_OK ? kn_store_json_string(store, &capi->error) : NULL;
    kn_store_close(store);
    return text;
}

char *kn_capi_run(KnCapi *capi, const char *name, const char *format)
{
    KnStore *store = NULL;
    KnStatus status = kn_store_open_reading(capi->context, &store, &capi->error);
    char *text = status == KN_OK ? kn_store_export(capi->context, store, name, format, &capi->error) : NULL;
    kn_store_close(store);
    return text;
}
