/* Matches, tournaments and the results store, behind <knack/capi.h>. */
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "arena/tournament.h"
#include "capi/capi_inside.h"

static const char *const known[] = {
    "game",         "players", "games",       "seed",          "jobs",
    "random_plies", "plies",   "openings",    "tables",        "sprt",
    "alpha",        "beta",    "sprt_model",  "name",          "store",
    "resume",       "depth",   "nodes",       "seconds",       "judge",
    "tc",           "resign",  "draw",        "opening_plies", "shuffle_openings",
    "engine_jobs",  "system",  "challengers", "rounds",        NULL};

typedef struct Plan {
    json_t *document;
    KnMatchPlan match;
    const char **players;
    size_t count;
    bool store;
    KnTournamentSystem system;
    int64_t challengers, rounds;
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

/* A list of `count` numbers. */
static KnStatus read_numbers(const KnJson *at, const char *key, size_t count, double *numbers, KnError *error)
{
    KnJson list;
    KnStatus status = kn_json_array(at, key, &list, error);
    if (status == KN_OK && kn_json_size(&list) != count)
        status = kn_json_fail(at, key, error, "expected %zu numbers", count);
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnJson item = kn_json_item(&list, i);
        status = kn_json_real(&item, NULL, &numbers[i], error);
        if (status == KN_OK && !(numbers[i] >= 0 && numbers[i] <= 1e6))
            status = kn_json_fail(at, key, error, "numbers from 0 to 1000000");
    }
    return status;
}

static KnStatus read_rules(const KnJson *at, KnPlayRules *rules, KnError *error)
{
    KnAdjudication *a = &rules->adjudication;
    int64_t depth = 0, nodes = 0;
    const char *clock = NULL;
    double resign[2], draw[3];
    KnStatus status = kn_capi_integer(at, "depth", 1, 200, &depth, error);
    if (status == KN_OK) status = kn_capi_integer(at, "nodes", 1, INT64_MAX, &nodes, error);
    if (status == KN_OK && kn_json_has(at, "seconds"))
        status = kn_json_real(at, "seconds", &rules->budget.seconds, error);
    if (status == KN_OK && !(rules->budget.seconds >= 0 && rules->budget.seconds <= 1e6))
        status = kn_json_fail(at, "seconds", error, "a time from 0 to 1000000 seconds");
    if (status == KN_OK && kn_json_has(at, "judge")) status = kn_json_real(at, "judge", &rules->judge, error);
    if (status == KN_OK && !(rules->judge >= 0))
        status = kn_json_fail(at, "judge", error, "a lead of 0 or more");
    if (status == KN_OK) status = kn_capi_string(at, "tc", &clock, error);
    if (status == KN_OK && clock) status = kn_time_control_parse(clock, &rules->clock, error);
    if (status == KN_OK && kn_json_has(at, "resign")) {
        status = read_numbers(at, "resign", 2, resign, error);
        if (status == KN_OK) a->resign_moves = (int)resign[0], a->resign_below = resign[1];
    }
    if (status == KN_OK && kn_json_has(at, "draw")) {
        status = read_numbers(at, "draw", 3, draw, error);
        if (status == KN_OK)
            a->draw_from = (size_t)draw[0], a->draw_moves = (int)draw[1], a->draw_within = draw[2];
    }
    rules->budget.depth = (int)depth;
    rules->budget.nodes = (uint64_t)nodes;
    return status;
}

static KnStatus read_system(const KnJson *at, Plan *plan, KnError *error)
{
    static const char *const names[] = {"round robin", "gauntlet", "swiss"};
    const char *name = names[0];
    KnStatus status = kn_capi_string(at, "system", &name, error);
    if (status == KN_OK) status = kn_capi_integer(at, "challengers", 1, 1000, &plan->challengers, error);
    if (status == KN_OK) status = kn_capi_integer(at, "rounds", 1, 1000, &plan->rounds, error);
    if (status != KN_OK) return status;
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            plan->system = (KnTournamentSystem)i;
            return KN_OK;
        }
    return kn_json_fail(at, "system", error, "expected round robin, gauntlet or swiss");
}

static KnStatus read_plan(KnCapi *capi, const char *text, Plan *plan)
{
    KnError *error = &capi->error;
    KnMatchPlan *match = &plan->match;
    *plan = (Plan){.match = {.games = 100, .seed = 1}, .store = true};
    int64_t games = 100, jobs = 0, random_plies = 0, plies = 0, opening_plies = 0, engine_jobs = 0;
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
    KnPlayRules rules = {.ply_limit = (size_t)plies, .cancel = &capi->cancel};
    if (status == KN_OK) status = read_rules(&at, &rules, error);
    if (status == KN_OK) status = read_system(&at, plan, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "opening_plies", 1, 10000, &opening_plies, error);
    if (status == KN_OK) status = kn_capi_integer(&at, "engine_jobs", 1, 1024, &engine_jobs, error);
    if (status == KN_OK && kn_json_has(&at, "shuffle_openings"))
        status = kn_json_bool(&at, "shuffle_openings", &match->shuffle_openings, error);
    match->opening_plies = (int)opening_plies;
    match->engine_jobs = (int)engine_jobs;
    match->games = (uint64_t)games;
    match->jobs = (int)jobs;
    match->random_plies = (int)random_plies;
    match->rules = rules;
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
    kn_capi_begin(capi);
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
    return kn_capi_end(capi, status, document);
}

char *kn_capi_tournament(KnCapi *capi, const char *text)
{
    Plan plan;
    KnTournament result;
    KnStore *store = NULL;
    json_t *document = NULL;
    kn_capi_begin(capi);
    KnStatus status = read_plan(capi, text, &plan);
    if (status == KN_OK && plan.count < 2)
        status = kn_fail(&capi->error, KN_INPUT, "plan: players: a tournament has two players at least");
    if (status == KN_OK && (plan.match.sprt || plan.match.name))
        status = kn_fail(&capi->error, KN_INPUT, "plan: sprt and name are for matches");
    if (status == KN_OK && plan.store) status = kn_store_open(capi->context, &store, &capi->error);
    if (status == KN_OK) {
        KnTournamentPlan tournament = {.match = plan.match,
                                       .players = plan.players,
                                       .player_count = plan.count,
                                       .system = plan.system,
                                       .challengers = (size_t)plan.challengers,
                                       .rounds = (size_t)plan.rounds};
        status = kn_tournament_run(capi->context, &tournament, store, NULL, &result, &capi->error);
        if (status == KN_OK) {
            document = kn_tournament_json(&tournament, &result);
            kn_tournament_free(&result);
        }
    }
    kn_store_close(store);
    free_plan(&plan);
    return kn_capi_end(capi, status, document);
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
