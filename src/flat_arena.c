/* Matches, tournaments and the results store, through the flat interface. */
#include <stdlib.h>
#include <string.h>

#include "arena/export.h"
#include "arena/match.h"
#include "arena/tournament.h"
#include "flat_inside.h"

static const char *const known[] = {"game",         "players", "games",    "seed",   "jobs",
                                    "random_plies", "plies",   "openings", "tables", "sprt",
                                    "name",         "store",   NULL};

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
        status = kn_json_fail(at, "sprt", error, "wants two Elo differences");
    for (size_t i = 0; i < 2 && status == KN_OK; i++) {
        KnJson item = kn_json_item(&pair, i);
        status = kn_json_real(&item, NULL, i ? &match->elo1 : &match->elo0, error);
    }
    match->sprt = true;
    match->alpha = match->beta = 0.05;
    return status;
}

static KnStatus read_plan(KnFlat *flat, const char *text, Plan *plan)
{
    KnError *error = &flat->error;
    KnMatchPlan *match = &plan->match;
    *plan = (Plan){.match = {.games = 100, .seed = 1}, .store = true};
    int64_t games = 100, jobs = 0, random_plies = 0, plies = 0;
    KnStatus status = kn_flat_plan(flat, text, "plan", known, &plan->document);
    KnJson at = kn_json_root(plan->document, "plan");
    if (status == KN_OK) status = kn_json_string(&at, "game", &match->game, error);
    if (status == KN_OK) status = read_players(&at, plan, error);
    if (status == KN_OK) status = kn_flat_integer(&at, "games", 1, 100000000, &games, error);
    if (status == KN_OK) status = kn_flat_seed(&at, "seed", &match->seed, error);
    if (status == KN_OK) status = kn_flat_integer(&at, "jobs", 0, 1024, &jobs, error);
    if (status == KN_OK) status = kn_flat_integer(&at, "random_plies", 0, 1000, &random_plies, error);
    if (status == KN_OK) status = kn_flat_integer(&at, "plies", 0, 1000000, &plies, error);
    if (status == KN_OK) status = kn_flat_string(&at, "openings", &match->openings, error);
    if (status == KN_OK) status = kn_flat_string(&at, "tables", &match->tables, error);
    if (status == KN_OK) status = kn_flat_string(&at, "name", &match->name, error);
    if (status == KN_OK) status = read_sprt(&at, match, error);
    if (status == KN_OK && kn_json_has(&at, "store"))
        status = kn_json_bool(&at, "store", &plan->store, error);
    match->games = (uint64_t)games;
    match->jobs = (int)jobs;
    match->random_plies = (int)random_plies;
    match->rules = (KnPlayRules){.ply_limit = (size_t)plies, .cancel = &flat->cancel};
    return status;
}

static void free_plan(Plan *plan)
{
    free(plan->players);
    json_decref(plan->document);
}

char *kn_flat_match(KnFlat *flat, const char *text)
{
    Plan plan;
    KnMatchResult result;
    KnStore *store = NULL;
    json_t *document = NULL;
    KnStatus status = read_plan(flat, text, &plan);
    if (status == KN_OK && plan.count != 2)
        status = kn_fail(&flat->error, KN_INPUT, "plan: players: a match has two players, not %zu",
                         plan.count);
    if (status == KN_OK && plan.store) status = kn_store_open(flat->context, &store, &flat->error);
    if (status == KN_OK) {
        memcpy(plan.match.players, plan.players, sizeof plan.match.players);
        status = kn_match_run(flat->context, &plan.match, store, NULL, &result, &flat->error);
    }
    if (status == KN_OK) document = kn_match_json(&plan.match, &result);
    kn_store_close(store);
    free_plan(&plan);
    return kn_flat_answer(flat, status, document);
}

char *kn_flat_tournament(KnFlat *flat, const char *text)
{
    Plan plan;
    KnTournament result;
    KnStore *store = NULL;
    json_t *document = NULL;
    KnStatus status = read_plan(flat, text, &plan);
    if (status == KN_OK && plan.count < 2)
        status = kn_fail(&flat->error, KN_INPUT, "plan: players: a tournament has two players at least");
    if (status == KN_OK && (plan.match.sprt || plan.match.name))
        status = kn_fail(&flat->error, KN_INPUT, "plan: sprt and name are for matches");
    if (status == KN_OK && plan.store) status = kn_store_open(flat->context, &store, &flat->error);
    if (status == KN_OK) {
        KnTournamentPlan tournament = {
            .match = plan.match, .players = plan.players, .player_count = plan.count};
        status = kn_tournament_run(flat->context, &tournament, store, NULL, &result, &flat->error);
        if (status == KN_OK) {
            document = kn_tournament_json(&tournament, &result);
            kn_tournament_free(&result);
        }
    }
    kn_store_close(store);
    free_plan(&plan);
    return kn_flat_answer(flat, status, document);
}

/* ---- the store ---- */

static KnStatus add_run(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    json_t *row = json_pack("{sI ss ss ss ss sI}", "id", (json_int_t)run->id, "name", run->name, "kind",
                            run->kind, "identity", run->identity, "created", run->created, "games",
                            (json_int_t)run->games);
    json_object_set_new(row, "settings", json_loads(run->settings, 0, NULL));
    json_object_set_new(row, "summary", run->summary[0] ? json_loads(run->summary, 0, NULL) : json_null());
    json_array_append_new(user, row);
    return KN_OK;
}

char *kn_flat_runs(KnFlat *flat)
{
    KnStore *store = NULL;
    json_t *rows = json_array();
    KnStatus status = kn_store_open(flat->context, &store, &flat->error);
    if (status == KN_OK) status = kn_store_runs(store, add_run, rows, &flat->error);
    kn_store_close(store);
    return kn_flat_answer(flat, status, rows);
}

char *kn_flat_run(KnFlat *flat, const char *name, const char *format)
{
    KnStore *store = NULL;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_store_open(flat->context, &store, &flat->error);
    if (status == KN_OK) status = kn_export_run(flat->context, store, name, format, &text, &flat->error);
    kn_store_close(store);
    char *copy = status == KN_OK ? strdup(text.data) : NULL;
    if (status == KN_OK && !copy) kn_fail_memory(&flat->error, "reading a run");
    kn_text_free(&text);
    return copy;
}
