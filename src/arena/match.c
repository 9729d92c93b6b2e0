#include "arena/match.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/identity.h"
#include "arena/openings.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/team.h"

/* How long finished games may wait for their transaction: few enough to lose, many enough to be cheap. */
static const double COMMIT_SECONDS = 0.2;

/* A thread's own things. */
typedef struct Worker {
    KnPlayer *players[2];
    KnContest *contest;
} Worker;

/* A finished game that waits for its turn to be counted. */
typedef struct Slot {
    KnRecord record;
    KnPlayed played;
    KnText start;
} Slot;

typedef struct Match {
    const KnContext *context;
    const KnMatchPlan *plan;
    KnPlayRules rules; /* the plan's, with tables */
    KnEndgame *tables;
    KnGame *game;
    int roles[2];
    KnOpenings *openings;
    Worker *workers;
    int worker_count;
    Slot *slots;
    uint64_t window;
    uint64_t base; /* games that were stored before: index = base + i */
    KnStore *store;
    int64_t run;
    bool in_transaction;
    double last_commit;
    KnProgress *progress;
    KnMatchResult *result;
    char far_note[KN_ERROR_TEXT]; /* the note of a player that plays elsewhere */
} Match;

KnStatus kn_match_roles(const KnGame *game, int roles[2], KnError *error)
{
    int count = 0;
    for (int role = 0; role < game->roles; role++) {
        if (role == game->nature) continue;
        if (count < 2) roles[count] = role;
        count++;
    }
    if (count == 2) return KN_OK;
    return kn_fail(error, KN_INPUT, "a match is for two players, and %s has %d", game->spec, count);
}

/* ---- one game ---- */

static KnStatus reopen(Match *match, Worker *worker, int player, KnError *error)
{
    kn_player_close(worker->players[player]);
    return kn_player_open(match->context, match->game, match->plan->players[player], &worker->players[player],
                          error);
}

static KnStatus play_game(void *user, int worker_index, uint64_t i, KnError *error)
{
    Match *match = user;
    Worker *worker = &match->workers[worker_index];
    Slot *slot = &match->slots[i % match->window];
    uint64_t index = match->base + i;
    int first = (int)(index % 2);
    KnStatus status = kn_openings_play(match->openings, index / 2, worker->contest, error);
    if (status != KN_OK) return status;

    const KnGame *game = match->game;
    KnPlayer *seated[KN_ROLES_MAX] = {0};
    KnRng rngs[KN_ROLES_MAX];
    KnRng seeds = kn_rng_stream(match->plan->seed, index);
    for (int role = 0; role < game->roles; role++) rngs[role] = kn_rng_seeded(kn_rng_next(&seeds));
    for (int seat = 0; seat < 2; seat++) seated[match->roles[seat]] = worker->players[seat ^ first];

    kn_text_clear(&slot->start);
    kn_played_free(&slot->played);
    KnContest *contest = worker->contest;
    status = kn_play(contest, seated, rngs, &match->rules, &slot->played, error);
    if (status != KN_OK) return status;

    const void *origin = kn_contest_position_at(contest, 0);
    unsigned char usual[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, usual);
    if (memcmp(usual, origin, game->position_size) != 0)
        game->type->position_text(game, origin, &slot->start);

    const KnPlayed *played = &slot->played;
    KnRecord *record = &slot->record;
    *record = (KnRecord){.index = index,
                         .first = first,
                         .start = slot->start.data,
                         .moves = played->moves.data,
                         .ending = kn_ending_name(played->ending),
                         .fault = played->fault,
                         .culprit = -1,
                         .plies = played->plies};
    for (int seat = 0; seat < 2; seat++) {
        int player = seat ^ first, role = match->roles[seat];
        record->payoffs[player] = played->payoffs[role];
        record->cost[player] = played->cost[role];
        record->decisions[player] = played->decisions[role];
        if (played->culprit == role) record->culprit = player;
    }
    if (record->culprit >= 0) return reopen(match, worker, record->culprit, error);
    return KN_OK;
}

/* ---- counting ---- */

/* Counts a game; KN_STOPPED when the sequential test is decided. */
static KnStatus count_game(Match *match, const KnRecord *record)
{
    KnMatchResult *result = match->result;
    const KnMatchPlan *plan = match->plan;
    kn_standing_add(&result->standing, record);
    if (record->culprit >= 0 && !result->first_fault[0])
        snprintf(result->first_fault, sizeof result->first_fault, "game %llu, %.200s: %.700s",
                 (unsigned long long)record->index, plan->players[record->culprit], record->fault);
    if (!plan->sprt || record->index % 2 == 0) return KN_OK;
    result->sprt = kn_sprt(result->standing.pairs, plan->elo0, plan->elo1, plan->alpha, plan->beta);
    return result->sprt.state == KN_SPRT_CONTINUE ? KN_OK : KN_STOPPED;
}

static KnStatus store_game(Match *match, const KnRecord *record, KnError *error)
{
    if (!match->store) return KN_OK;
    KnStatus status = KN_OK;
    if (!match->in_transaction) {
        if ((status = kn_store_begin(match->store, error)) != KN_OK) return status;
        match->in_transaction = true;
        match->last_commit = kn_clock_now();
    }
    status = kn_store_add(match->store, match->run, record, error);
    if (status != KN_OK) {
        match->in_transaction = false;
        return status;
    }
    if (kn_clock_now() - match->last_commit < COMMIT_SECONDS) return KN_OK;
    match->in_transaction = false;
    return kn_store_commit(match->store, error);
}

static KnStatus commit_game(void *user, uint64_t i, KnError *error)
{
    Match *match = user;
    const KnRecord *record = &match->slots[i % match->window].record;
    KnStatus status = store_game(match, record, error);
    if (status != KN_OK) return status;
    kn_progress_tick(match->progress, 1);
    return count_game(match, record);
}

/* A game of an earlier, interrupted run of the same match. */
static KnStatus recount_game(void *user, const KnRecord *record, KnError *error)
{
    Match *match = user;
    if (match->base == match->plan->games) return KN_STOPPED;
    if (record->index != match->base)
        return kn_fail(error, KN_INPUT,
                       "game %llu of run %s is missing from the store; delete the run and play it again",
                       (unsigned long long)match->base, match->result->run_name);
    match->base++;
    return count_game(match, record);
}

/* ---- setting up ---- */

static KnStatus identify(Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, KNACK_VERSION);
    KnStatus status = kn_identity_spec(match->context, &digest, plan->game, error);
    for (int p = 0; p < 2 && status == KN_OK; p++)
        status = kn_identity_spec(match->context, &digest, plan->players[p], error);
    if (status != KN_OK) return status;
    kn_digest_u64(&digest, plan->seed);
    kn_openings_fingerprint(match->openings, &digest);
    kn_digest_u64(&digest, plan->rules.ply_limit);
    kn_digest_add(&digest, &plan->rules.judge, sizeof plan->rules.judge);
    kn_digest_u64(&digest, (uint64_t)plan->rules.budget.depth);
    kn_digest_u64(&digest, plan->rules.budget.nodes);
    kn_digest_add(&digest, &plan->rules.budget.seconds, sizeof plan->rules.budget.seconds);
    kn_digest_add(&digest, &plan->rules.move_limit, sizeof plan->rules.move_limit);
    if (match->tables) kn_endgame_fingerprint(match->tables, &digest);
    kn_digest_hex(&digest, match->result->identity);
    return KN_OK;
}

static json_t *settings_json(const KnMatchPlan *plan)
{
    json_t *settings = json_pack("{ss s[ss] so so sf si so sf sf}", "game", plan->game, "players",
                                 plan->players[0], plan->players[1], "seed", kn_json_from_uint64(plan->seed),
                                 "ply_limit", json_integer((json_int_t)plan->rules.ply_limit), "judge",
                                 plan->rules.judge, "depth", plan->rules.budget.depth, "nodes",
                                 json_integer((json_int_t)plan->rules.budget.nodes), "seconds",
                                 plan->rules.budget.seconds, "move_limit", plan->rules.move_limit);
    if (plan->openings) json_object_set_new(settings, "openings", json_string(plan->openings));
    if (plan->tables) json_object_set_new(settings, "tables", json_string(plan->tables));
    if (plan->random_plies) json_object_set_new(settings, "random_plies", json_integer(plan->random_plies));
    return settings;
}

static KnStatus note_name(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    KnMatchResult *result = user;
    snprintf(result->run_name, sizeof result->run_name, "%s", run->name);
    return KN_OK;
}

/* Finds or makes the run in the store, and counts what it holds. */
static KnStatus resume(Match *match, KnError *error)
{
    if (!match->store) return KN_OK;
    json_t *settings = settings_json(match->plan);
    KnText text = KN_TEXT_EMPTY;
    kn_json_canonical(settings, &text);
    json_decref(settings);
    KnStatus status = kn_store_run(match->store, "match", match->plan->name, match->result->identity,
                                   text.data, &match->run, error);
    kn_text_free(&text);
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)match->run);
    if (status == KN_OK) status = kn_store_find(match->store, number, note_name, match->result, error);
    if (status == KN_OK) status = kn_store_games(match->store, match->run, recount_game, match, error);
    match->result->resumed = match->base;
    kn_progress_tick(match->progress, match->base);
    return status;
}

static KnStatus open_workers(Match *match, KnError *error)
{
    match->worker_count = kn_jobs(match->plan->jobs);
    match->workers = calloc((size_t)match->worker_count, sizeof *match->workers);
    if (!match->window) match->window = kn_team_window(kn_context_team(match->context), match->plan->jobs);
    match->slots = calloc(match->window, sizeof *match->slots);
    if (!match->workers || !match->slots) return kn_fail_memory(error, "preparing a match");
    for (uint64_t i = 0; i < match->window; i++)
        match->slots[i].start = match->slots[i].played.moves = KN_TEXT_EMPTY;
    for (int w = 0; w < match->worker_count; w++) {
        Worker *worker = &match->workers[w];
        worker->contest = kn_contest_new(match->game);
        if (!worker->contest) return kn_fail_memory(error, "preparing a match");
        for (int p = 0; p < 2; p++) {
            KnStatus status = reopen(match, worker, p, error);
            if (status != KN_OK) return status;
            unsigned traits = worker->players[p]->traits;
            if (traits & KN_PLAYER_ASKS)
                return kn_fail(error, KN_USAGE, "%s cannot play a match: try `knack play`",
                               worker->players[p]->spec);
            if (!(traits & KN_PLAYER_REPEATABLE)) match->result->nondeterministic = true;
        }
    }
    if (match->plan->rules.budget.seconds > 0) match->result->nondeterministic = true;
    return KN_OK;
}

static void keep_note(KnMatchResult *result, const char *note)
{
    if (note[0] && !result->note[0])
        snprintf(result->note, sizeof result->note, "%.*s", (int)strcspn(note, "\n"), note);
}

static void close_match(Match *match)
{
    if (match->tables) keep_note(match->result, kn_endgame_notes(match->tables));
    keep_note(match->result, match->far_note);
    for (int w = 0; match->workers && w < match->worker_count; w++) {
        for (int p = 0; p < 2; p++) {
            if (match->workers[w].players[p])
                keep_note(match->result, match->workers[w].players[p]->note.data);
            kn_player_close(match->workers[w].players[p]);
        }
        kn_contest_free(match->workers[w].contest);
    }
    for (uint64_t i = 0; match->slots && i < match->window; i++) {
        kn_text_free(&match->slots[i].start);
        kn_played_free(&match->slots[i].played);
    }
    free(match->workers);
    free(match->slots);
    kn_openings_free(match->openings);
    kn_endgame_close(match->tables);
    kn_game_close(match->game);
}

static KnStatus check_plan(const Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    if (!plan->games) return kn_fail(error, KN_USAGE, "a match needs at least one game");
    if (plan->sprt) return kn_sprt_check(plan->elo0, plan->elo1, plan->alpha, plan->beta, error);
    if (match->game->traits & KN_GAME_ENDLESS && !plan->rules.ply_limit)
        return kn_fail(error, KN_USAGE, "contests of %s need not end; set a ply limit (e.g. --plies 200)",
                       match->game->spec);
    return KN_OK;
}

/* Everything that playing needs: game, openings, players. */
static KnStatus set_up(Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    KnStatus status = kn_game_open(match->context, plan->game, &match->game, error);
    if (status == KN_OK) status = kn_match_roles(match->game, match->roles, error);
    if (status == KN_OK) status = check_plan(match, error);
    if (status == KN_OK && plan->tables)
        status = kn_endgame_open(match->game, plan->tables, &match->tables, error);
    match->rules.tables = match->tables;
    if (status == KN_OK)
        status = kn_openings_new(match->game, plan->openings, plan->random_plies, plan->seed,
                                 &match->openings, error);
    return status == KN_OK ? open_workers(match, error) : status;
}

static KnStatus save_summary(Match *match, KnError *error)
{
    json_t *summary = kn_match_json(match->plan, match->result);
    KnText text = KN_TEXT_EMPTY;
    kn_json_canonical(summary, &text);
    json_decref(summary);
    KnStatus status = kn_store_finish(match->store, match->run, text.data, error);
    kn_text_free(&text);
    return status;
}

/* ---- games that are played elsewhere ---- */

static void write_brief(const Match *match, KnText *brief)
{
    const KnMatchPlan *plan = match->plan;
    kn_pack_string(brief, plan->game);
    for (int p = 0; p < 2; p++) kn_pack_string(brief, plan->players[p]);
    kn_pack_u64(brief, plan->games);
    kn_pack_u64(brief, plan->seed);
    kn_pack_string(brief, plan->openings);
    kn_pack_int(brief, plan->random_plies);
    kn_pack_u64(brief, plan->rules.ply_limit);
    kn_pack_real(brief, plan->rules.judge);
    kn_pack_bytes(brief, &plan->rules.budget, sizeof plan->rules.budget);
    kn_pack_real(brief, plan->rules.move_limit);
    kn_pack_string(brief, plan->tables);
    kn_pack_u64(brief, match->base);
}

/* A match at a helper: no store, no result. */
typedef struct Away {
    Match match;
    KnMatchPlan plan;
    KnMatchResult result;
} Away;

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "preparing a match");
    KnUnpack *in = &post->brief;
    KnMatchPlan *plan = &away->plan;
    plan->jobs = post->jobs;
    plan->game = kn_unpack_string(in);
    for (int p = 0; p < 2; p++) plan->players[p] = kn_unpack_string(in);
    plan->games = kn_unpack_u64(in);
    plan->seed = kn_unpack_u64(in);
    plan->openings = kn_unpack_string(in);
    plan->random_plies = kn_unpack_int(in);
    plan->rules.ply_limit = kn_unpack_u64(in);
    plan->rules.judge = kn_unpack_real(in);
    kn_unpack_into(in, &plan->rules.budget, sizeof plan->rules.budget);
    plan->rules.move_limit = kn_unpack_real(in);
    plan->tables = kn_unpack_string(in);
    plan->rules.cancel = post->cancel;
    away->match = (Match){.context = post->context,
                          .plan = plan,
                          .rules = plan->rules,
                          .window = post->window,
                          .result = &away->result};
    away->match.base = kn_unpack_u64(in);
    if (!kn_unpack_ok(in)) return kn_fail(error, KN_SYSTEM, "a match came over in parts");
    return set_up(&away->match, error);
}

static void close_away(void *user)
{
    Away *away = user;
    close_match(&away->match);
    free(away);
}

_Static_assert(offsetof(Away, match) == 0, "a task takes an Away for its Match");

static void pack_game(void *user, int worker, uint64_t i, KnText *out)
{
    const Match *match = user;
    const Slot *slot = &match->slots[i % match->window];
    const KnRecord *record = &slot->record;
    kn_pack_bytes(out, record, sizeof *record);
    kn_pack_int(out, (int)slot->played.ending);
    kn_pack_string(out, record->start);
    kn_pack_string(out, record->moves);
    kn_pack_string(out, record->fault);
    for (int p = 0; p < 2; p++) kn_pack_string(out, match->workers[worker].players[p]->note.data);
}

static KnStatus unpack_game(void *user, int worker, uint64_t i, KnUnpack *in, KnError *error)
{
    (void)worker;
    Match *match = user;
    Slot *slot = &match->slots[i % match->window];
    KnRecord *record = &slot->record;
    kn_text_clear(&slot->start);
    kn_played_free(&slot->played);
    slot->played = (KnPlayed){.moves = KN_TEXT_EMPTY};
    kn_unpack_into(in, record, sizeof *record);
    slot->played.ending = (KnEnding)kn_unpack_int(in);
    const char *start = kn_unpack_string(in), *moves = kn_unpack_string(in), *fault = kn_unpack_string(in);
    for (int p = 0; p < 2; p++) {
        const char *note = kn_unpack_string(in);
        if (note && *note && !match->far_note[0])
            snprintf(match->far_note, sizeof match->far_note, "%.*s", (int)strcspn(note, "\n"), note);
    }
    if (!kn_unpack_ok(in) || !start || !moves || !fault)
        return kn_fail(error, KN_SYSTEM, "a game came over in parts");
    kn_text_add(&slot->start, start);
    kn_text_add(&slot->played.moves, moves);
    snprintf(slot->played.fault, sizeof slot->played.fault, "%s", fault);
    record->start = slot->start.data;
    record->moves = slot->played.moves.data;
    record->fault = slot->played.fault;
    record->ending = kn_ending_name(slot->played.ending);
    return kn_text_ok(&slot->start) && kn_text_ok(&slot->played.moves)
               ? KN_OK
               : kn_fail_memory(error, "taking in a game");
}

const KnDuty kn_match_duty = {"match", "games of a match", open_away, close_away,
                              NULL,    play_game,          pack_game, unpack_game};

static KnStatus play_games(Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    KnErrand *errand;
    KnText brief = KN_TEXT_EMPTY;
    write_brief(match, &brief);
    KnStatus status = kn_errand_open(match->context, &kn_match_duty, plan->jobs, match->window, &brief,
                                     &errand, error);
    kn_text_free(&brief);
    if (status == KN_OK)
        status = kn_errand_run(errand, &kn_match_duty, NULL, plan->jobs, plan->games - match->base,
                               match->window, commit_game, match, plan->rules.cancel, error);
    kn_errand_close(errand);
    return status;
}

KnStatus kn_match_run(const KnContext *context, const KnMatchPlan *plan, KnStore *store, KnProgress *progress,
                      KnMatchResult *result, KnError *error)
{
    Match match = {.context = context,
                   .plan = plan,
                   .rules = plan->rules,
                   .store = store,
                   .progress = progress,
                   .result = result};
    memset(result, 0, sizeof *result);
    kn_standing_start(&result->standing);
    double started = kn_clock_now();
    KnStatus status = set_up(&match, error);
    if (status == KN_OK) status = identify(&match, error);
    if (status == KN_OK) status = resume(&match, error);
    bool decided = result->sprt.state != KN_SPRT_CONTINUE;
    if (status == KN_OK && match.base < plan->games && !decided) status = play_games(&match, error);
    if (match.in_transaction) {
        KnError late;
        KnStatus committed = kn_store_commit(store, status == KN_OK ? error : &late);
        if (status == KN_OK) status = committed;
    }
    result->seconds = kn_clock_now() - started;
    if (status == KN_OK && store) status = save_summary(&match, error);
    close_match(&match);
    return status;
}

json_t *kn_match_json(const KnMatchPlan *plan, const KnMatchResult *result)
{
    json_t *standing = kn_standing_json(&result->standing);
    json_t *timing = json_object_get(standing, "timing");
    json_incref(timing);
    json_object_del(standing, "timing");
    json_object_set_new(timing, "seconds", json_real(result->seconds));
    json_object_set_new(timing, "resumed_games", json_integer((json_int_t)result->resumed));
    json_t *object = json_pack("{so so so ss sb ss}", "settings", settings_json(plan), "result", standing,
                               "timing", timing, "identity", result->identity, "nondeterministic",
                               result->nondeterministic, "version", KNACK_VERSION);
    if (result->run_name[0]) json_object_set_new(object, "run", json_string(result->run_name));
    if (result->note[0]) json_object_set_new(object, "note", json_string(result->note));
    if (result->first_fault[0]) json_object_set_new(object, "first_fault", json_string(result->first_fault));
    if (plan->sprt)
        json_object_set_new(object, "sprt",
                            json_pack("{sf sf sf sf sf ss}", "elo0", plan->elo0, "elo1", plan->elo1, "llr",
                                      result->sprt.llr, "lower", result->sprt.lower, "upper",
                                      result->sprt.upper, "verdict", kn_sprt_state_name(result->sprt.state)));
    return object;
}
