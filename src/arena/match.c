#include "arena/match.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/adjudication.h"
#include "arena/identity.h"
#include "arena/openings.h"
#include "arena/repeats.h"
#include "arena/time_control.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/json.h"
#include "jobs/job.h"

/* How long finished games may wait for their transaction: few enough to lose, many enough to be cheap. */
static const double COMMIT_SECONDS = 0.2;

/* A thread's own things. */
typedef struct Worker {
    KnPlayer *players[2];
    KnState *state;
} Worker;

/* A finished game that waits for its turn to be counted. */
typedef struct Slot {
    KnStandingRecord record; /* its strings are these: */
    KnText start, moves;
    char fault[KN_ERROR_TEXT];
    KnEnding ending;
    char note[KN_ERROR_TEXT]; /* the note of a player on a worker, "" if it has none */
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
    int worker_count, jobs;
    Slot *slots;
    uint64_t window;
    uint64_t base; /* games that were stored before: index = base + i */
    KnStore *store;
    int64_t run;
    bool in_transaction;
    double last_commit;
    KnProgress *progress;
    KnRepeats *repeats;
    KnMatchResult *result;
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

uint64_t kn_match_game_id(const char *identity, uint64_t index)
{
    KnDigest digest;
    if (!identity[0]) return 0;
    kn_digest_start(&digest);
    kn_digest_string(&digest, identity);
    kn_digest_u64(&digest, index);
    return kn_digest_end(&digest).high;
}

/* The first line of a note; none replaces one that is there. */
static void copy_note(char kept[KN_ERROR_TEXT], const char *note)
{
    if (note[0] && !kept[0]) snprintf(kept, KN_ERROR_TEXT, "%.*s", (int)strcspn(note, "\n"), note);
}

static KnStatus reopen(Match *match, Worker *worker, int player, KnError *error)
{
    kn_player_close(worker->players[player]);
    return kn_player_open(match->context, match->game, match->plan->players[player], &worker->players[player],
                          error);
}

/* Writes a finished game down, for the standing and the store. */
static KnStatus write_record(const Match *match, const KnState *state, const KnPlayed *played, uint64_t index,
                             Slot *slot, KnError *error)
{
    const KnGame *game = match->game;
    const void *origin = kn_state_position_at(state, 0);
    unsigned char usual[game->position_size] __attribute__((aligned(16)));
    int first = (int)(index % 2);
    kn_text_clear(&slot->start);
    kn_text_clear(&slot->moves);
    game->type->start(game, usual);
    if (memcmp(usual, origin, game->position_size) != 0)
        game->type->position_text(game, origin, &slot->start);
    kn_moves_text(state, &slot->moves);
    if (!kn_text_ok(&slot->start) || !kn_text_ok(&slot->moves))
        return kn_fail_memory(error, "writing down a game");
    memcpy(slot->fault, played->fault, sizeof slot->fault);
    slot->ending = played->ending;
    KnStandingRecord *record = &slot->record;
    *record = (KnStandingRecord){.index = index,
                                 .first = first,
                                 .start = slot->start.data,
                                 .moves = slot->moves.data,
                                 .ending = kn_ending_name(played->ending),
                                 .fault = slot->fault,
                                 .culprit = -1,
                                 .plies = played->plies};
    for (int seat = 0; seat < 2; seat++) {
        int player = seat ^ first, role = match->roles[seat];
        record->payoffs[player] = played->payoffs[role];
        record->cost[player] = played->cost[role];
        record->decisions[player] = played->decisions[role];
        if (played->culprit == role) record->culprit = player;
    }
    return KN_OK;
}

static KnStatus play_game(void *user, int worker_index, uint64_t i, KnError *error)
{
    Match *match = user;
    Worker *worker = &match->workers[worker_index];
    Slot *slot = &match->slots[i % match->window];
    uint64_t index = match->base + i;
    KnStatus status = kn_openings_play(match->openings, index / 2, worker->state, error);
    if (status != KN_OK) return status;
    KnPlayPlan plan = {.state = worker->state,
                       .rules = match->rules,
                       .game_id = kn_match_game_id(match->result->identity, index)};
    KnRng rngs[KN_ROLES_MAX], seeds = kn_rng_stream(match->plan->seed, index);
    for (int role = 0; role < match->game->roles; role++) {
        rngs[role] = kn_rng_seeded(kn_rng_next(&seeds));
        plan.rngs[role] = &rngs[role];
    }
    for (int seat = 0; seat < 2; seat++)
        plan.players[match->roles[seat]] = worker->players[seat ^ (int)(index % 2)];
    KnPlayed played;
    status = kn_play(&plan, &played, error);
    slot->note[0] = 0;
    for (int p = 0; p < 2; p++) copy_note(slot->note, kn_player_note(worker->players[p]));
    if (status == KN_OK) status = write_record(match, worker->state, &played, index, slot, error);
    if (status != KN_OK || slot->record.culprit < 0) return status;
    return reopen(match, worker, slot->record.culprit, error);
}

/* ---- counting ---- */

/* Counts a game; KN_STOPPED when the sequential test is decided. */
static KnStatus count_game(Match *match, const KnStandingRecord *record)
{
    KnMatchResult *result = match->result;
    const KnMatchPlan *plan = match->plan;
    KN_ASSERT(record->index == result->standing.games); /* games are counted in order */
    kn_standing_add(&result->standing, record);
    kn_repeats_add(match->repeats, record);
    if (record->culprit >= 0 && !result->first_fault[0])
        snprintf(result->first_fault, sizeof result->first_fault, "game %llu, %.200s: %.700s",
                 (unsigned long long)record->index, plan->players[record->culprit], record->fault);
    if (!plan->sprt || record->index % 2 == 0) return KN_OK;
    result->sprt = kn_sprt(result->standing.pairs, &plan->test);
    return result->sprt.state == KN_SPRT_CONTINUE ? KN_OK : KN_STOPPED;
}

static KnStatus store_game(Match *match, const KnStandingRecord *record, KnError *error)
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

/* The score so far, for the line of progress. */
static void note_progress(Match *match)
{
    const KnStanding *s = &match->result->standing;
    KnElo elo = kn_standing_elo(s);
    char note[160];
    int used = snprintf(note, sizeof note, "+%llu =%llu -%llu, Elo %+.0f [%+.0f, %+.0f], LOS %.1f%%",
                        (unsigned long long)s->wins, (unsigned long long)s->draws,
                        (unsigned long long)s->losses, elo.elo, elo.low, elo.high, 100 * kn_standing_los(s));
    if (match->plan->sprt && used > 0 && used < (int)sizeof note)
        snprintf(note + used, sizeof note - (size_t)used, ", LLR %.2f", match->result->sprt.llr);
    kn_progress_note(match->progress, note);
}

static KnStatus commit_game(void *user, uint64_t i, KnError *error)
{
    Match *match = user;
    const KnStandingRecord *record = &match->slots[i % match->window].record;
    KnStatus status = store_game(match, record, error);
    if (status != KN_OK) return status;
    status = count_game(match, record);
    if (kn_progress_due(match->progress)) note_progress(match);
    kn_progress_tick(match->progress, 1);
    return status;
}

/* A game of an earlier, interrupted run of the same match. */
static KnStatus recount_game(void *user, const KnStandingRecord *record, KnError *error)
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

/* An engine that may have changed unseen: a run of this match is used again under its name, or when the plan
 * asks for it. Runs without a name are numbered. */
static KnStatus number_run(Match *match, const KnDigest *digest, KnError *error)
{
    char *identity = match->result->identity, last[KN_HEX128] = "";
    bool held = true;
    for (uint64_t number = 1; held; number++) {
        KnDigest numbered = *digest;
        kn_digest_u64(&numbered, number);
        kn_digest_hex(&numbered, identity);
        KnStatus status = match->store ? kn_store_holds(match->store, identity, &held, error) : KN_OK;
        if (status != KN_OK) return status;
        if (!match->store) break;
        if (held) memcpy(last, identity, sizeof last);
    }
    if (!last[0]) return KN_OK;
    if (match->plan->resume)
        memcpy(identity, last, sizeof last);
    else {
        char *doubt = match->result->doubt;
        size_t used = strlen(doubt);
        snprintf(doubt + used, KN_ERROR_TEXT - used,
                 "; so the games of the run match-%.8s are not used (--resume continues it)", last);
    }
    return KN_OK;
}

static KnStatus identify_players(Match *match, KnDigest *digest, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    KnText doubt = KN_TEXT_EMPTY;
    KnStatus status = kn_identity_spec(match->context, digest, plan->game, &doubt, error);
    for (int p = 0; p < 2 && status == KN_OK; p++)
        status = kn_identity_spec(match->context, digest, plan->players[p], &doubt, error);
    snprintf(match->result->doubt, sizeof match->result->doubt, "%.800s", doubt.data);
    kn_text_free(&doubt);
    return status;
}

/* Clocks and adjudication, where there are any. Field by field: a struct has padding. */
static void identify_ending(const KnPlayRules *rules, KnDigest *digest)
{
    const KnTimeControl *clock = &rules->clock;
    const KnAdjudication *a = &rules->adjudication;
    const double numbers[] = {clock->moves,    clock->seconds,  clock->increment, clock->margin,
                              a->resign_moves, a->resign_below, a->resign_agreed, (double)a->draw_from,
                              a->draw_moves,   a->draw_within};
    if (kn_time_control_is_set(clock) || a->resign_moves || a->draw_moves)
        kn_digest_add(digest, numbers, sizeof numbers);
}

static KnStatus identify(Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, KNACK_VERSION);
    KnStatus status = identify_players(match, &digest, error);
    if (status != KN_OK) return status;
    kn_digest_u64(&digest, plan->seed);
    kn_openings_fingerprint(match->openings, &digest);
    kn_digest_u64(&digest, plan->rules.ply_limit);
    kn_digest_add(&digest, &plan->rules.judge, sizeof plan->rules.judge);
    kn_digest_u64(&digest, (uint64_t)plan->rules.budget.depth);
    kn_digest_u64(&digest, plan->rules.budget.nodes);
    kn_digest_add(&digest, &plan->rules.budget.seconds, sizeof plan->rules.budget.seconds);
    kn_digest_add(&digest, &plan->rules.move_limit, sizeof plan->rules.move_limit);
    identify_ending(&plan->rules, &digest);
    if (match->tables) kn_endgame_fingerprint(match->tables, &digest);
    bool doubtful = match->result->doubt[0];
    if (doubtful && !plan->name) return number_run(match, &digest, error);
    if (doubtful) kn_digest_string(&digest, plan->name);
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
    if (plan->opening_plies)
        json_object_set_new(settings, "opening_plies", json_integer(plan->opening_plies));
    if (plan->shuffle_openings) json_object_set_new(settings, "shuffle_openings", json_true());
    if (kn_time_control_is_set(&plan->rules.clock)) {
        KnText text = KN_TEXT_EMPTY;
        kn_time_control_text(&plan->rules.clock, &text);
        json_object_set_new(settings, "time_control", json_string(text.data));
        kn_text_free(&text);
    }
    const KnAdjudication *a = &plan->rules.adjudication;
    if (a->resign_moves)
        json_object_set_new(settings, "resign",
                            json_pack("{si sf sb}", "moves", a->resign_moves, "below", a->resign_below,
                                      "agreed", a->resign_agreed));
    if (a->draw_moves)
        json_object_set_new(settings, "draw",
                            json_pack("{si si sf}", "from", (int)a->draw_from, "moves", a->draw_moves,
                                      "within", a->draw_within));
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
    kn_progress_skip(match->progress, match->base);
    return status;
}

/* Whether a spec names another program's engine, at any depth. */
static bool names_engine(const KnContext *context, const KnSpec *spec)
{
    const KnThing *thing = spec->kind == KN_SPEC_NAME ? kn_find(context, KN_KIND_PLAYER, spec->text) : NULL;
    if (thing && ((const KnPlayerType *)thing)->foreign) return true;
    for (const KnSpec *arg = spec->args; arg; arg = arg->next)
        if (names_engine(context, arg)) return true;
    return false;
}

/* Threads: as many as asked for, but no more than an engine may have copies. */
static int match_jobs(const Match *match)
{
    const KnMatchPlan *plan = match->plan;
    int jobs = kn_jobs(plan->jobs);
    if (!plan->engine_jobs || plan->engine_jobs >= jobs) return jobs;
    KnArena *arena = kn_arena_new();
    bool engine = false;
    for (int p = 0; p < 2 && arena; p++) {
        const KnSpec *spec;
        if (kn_spec_parse(plan->players[p], arena, &spec, NULL) == KN_OK)
            engine |= names_engine(match->context, spec);
    }
    kn_arena_free(arena);
    return engine ? plan->engine_jobs : jobs;
}

static KnStatus open_workers(Match *match, KnError *error)
{
    match->worker_count = match->jobs = match_jobs(match);
    match->workers = calloc((size_t)match->worker_count, sizeof *match->workers);
    if (!match->window) match->window = kn_job_window(match->context, match->jobs);
    match->slots = calloc(match->window, sizeof *match->slots);
    if (!match->workers || !match->slots) return kn_fail_memory(error, "preparing a match");
    for (uint64_t i = 0; i < match->window; i++)
        match->slots[i].start = match->slots[i].moves = KN_TEXT_EMPTY;
    for (int w = 0; w < match->worker_count; w++) {
        Worker *worker = &match->workers[w];
        worker->state = kn_state_new(match->game);
        if (!worker->state) return kn_fail_memory(error, "preparing a match");
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
    if (match->plan->rules.budget.seconds > 0 || kn_time_control_is_set(&match->plan->rules.clock))
        match->result->nondeterministic = true;
    return KN_OK;
}

static void close_match(Match *match)
{
    if (match->tables) copy_note(match->result->note, kn_endgame_notes(match->tables));
    for (int w = 0; match->workers && w < match->worker_count; w++) {
        for (int p = 0; p < 2; p++) {
            if (match->workers[w].players[p])
                copy_note(match->result->note, kn_player_note(match->workers[w].players[p]));
            kn_player_close(match->workers[w].players[p]);
        }
        kn_state_free(match->workers[w].state);
    }
    for (uint64_t i = 0; match->slots && i < match->window; i++) {
        kn_text_free(&match->slots[i].start);
        kn_text_free(&match->slots[i].moves);
    }
    free(match->workers);
    free(match->slots);
    kn_repeats_free(match->repeats);
    kn_openings_free(match->openings);
    kn_endgame_close(match->tables);
    kn_game_close(match->game);
}

static KnStatus check_plan(const Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    if (!plan->games) return kn_fail(error, KN_USAGE, "a match needs at least one game");
    KnStatus status = plan->sprt ? kn_sprt_check(&plan->test, error) : KN_OK;
    if (status != KN_OK) return status;
    if (match->game->traits & KN_GAME_ENDLESS && !plan->rules.ply_limit)
        return kn_fail(error, KN_USAGE, "games of %s need not end; set a ply limit (e.g. --plies 200)",
                       match->game->spec);
    return kn_adjudication_check(&plan->rules.adjudication, match->game, error);
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
        status = kn_openings_new(match->game,
                                 &(KnOpeningsPlan){.path = plan->openings,
                                                   .random_plies = plan->random_plies,
                                                   .plies = plan->opening_plies,
                                                   .shuffle = plan->shuffle_openings,
                                                   .seed = plan->seed},
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

/* ---- the job ---- */

typedef struct Payload {
    KnMatchPlan plan;
    uint64_t base;
} Payload;

/* A match on a worker: no store, no result. */
typedef struct WorkerMatch {
    Match match;
    KnMatchResult result;
} WorkerMatch;
_Static_assert(offsetof(WorkerMatch, match) == 0, "play_game takes a WorkerMatch for its Match");

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    WorkerMatch *here = *user = calloc(1, sizeof *here);
    if (!here) return kn_fail_memory(error, "preparing a match");
    KnMatchPlan *plan = &((Payload *)payload)->plan;
    plan->jobs = site->jobs;
    plan->rules.cancel = site->cancel;
    here->match = (Match){.context = site->context,
                          .plan = plan,
                          .rules = plan->rules,
                          .window = site->window,
                          .base = ((Payload *)payload)->base,
                          .result = &here->result};
    return set_up(&here->match, error);
}

static void close_job(void *user)
{
    close_match(user);
    free(user);
}

static void *result_slot(void *user, uint64_t i, uint64_t *count)
{
    (void)count;
    const Match *match = user;
    return &match->slots[i % match->window];
}

/* The strings of a record point into its slot. */
static KnStatus received_game(void *user, uint64_t i, KnError *error)
{
    Match *match = user;
    Slot *slot = &match->slots[i % match->window];
    if (slot->ending > KN_ENDED_BY_AGREEMENT) return kn_fail(error, KN_SYSTEM, "malformed game");
    slot->record.start = slot->start.data;
    slot->record.moves = slot->moves.data;
    slot->record.fault = slot->fault;
    slot->record.ending = kn_ending_name(slot->ending);
    copy_note(match->result->note, slot->note);
    return KN_OK;
}

const KnJobType kn_match_job_type = {
    .name = "match",
    .summary = "games of a match",
    .payload = KN_LAYOUT(Payload, KN_STRINGS(Payload, plan.game), KN_STRINGS(Payload, plan.players),
                         KN_PLAIN(Payload, plan.games), KN_PLAIN(Payload, plan.seed),
                         KN_STRINGS(Payload, plan.openings), KN_PLAIN(Payload, plan.random_plies),
                         KN_PLAIN(Payload, plan.opening_plies), KN_PLAIN(Payload, plan.shuffle_openings),
                         KN_PLAIN(Payload, plan.rules.clock), KN_PLAIN(Payload, plan.rules.adjudication),
                         KN_PLAIN(Payload, plan.rules.ply_limit), KN_PLAIN(Payload, plan.rules.judge),
                         KN_PLAIN(Payload, plan.rules.budget), KN_PLAIN(Payload, plan.rules.move_limit),
                         KN_STRINGS(Payload, plan.tables), KN_PLAIN(Payload, base)),
    .open = open_job,
    .close = close_job,
    .run = play_game,
    .result = KN_LAYOUT(Slot, KN_PLAIN(Slot, record), KN_PLAIN(Slot, ending), KN_PLAIN(Slot, fault),
                        KN_TEXT(Slot, moves), KN_TEXT(Slot, start), KN_PLAIN(Slot, note)),
    .slot = result_slot,
    .received = received_game};

static KnStatus play_games(Match *match, KnError *error)
{
    const KnMatchPlan *plan = match->plan;
    Payload payload = {*plan, match->base};
    KnJobRun run = {.jobs = match->jobs,
                    .count = plan->games - match->base,
                    .window = match->window,
                    .commit = commit_game,
                    .user = match,
                    .cancel = plan->rules.cancel};
    return kn_job_run(match->context, &kn_match_job_type, &payload, &run, error);
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
    if (status == KN_OK && !(match.repeats = kn_repeats_new()))
        status = kn_fail_memory(error, "playing a match");
    if (status == KN_OK) {
        result->standing.range[0] = match.game->payoff_low;
        result->standing.range[1] = match.game->payoff_high;
        result->zero_sum = match.game->traits & KN_GAME_ZERO_SUM;
    }
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
    if (progress && result->standing.games) note_progress(&match);
    if (match.repeats) kn_repeats_note(match.repeats, result->repeats, sizeof result->repeats);
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
    if (result->doubt[0]) json_object_set_new(object, "identity_incomplete", json_string(result->doubt));
    if (result->repeats[0]) json_object_set_new(object, "repeats", json_string(result->repeats));
    if (result->note[0]) json_object_set_new(object, "note", json_string(result->note));
    if (result->first_fault[0]) json_object_set_new(object, "first_fault", json_string(result->first_fault));
    if (plan->sprt)
        json_object_set_new(object, "sprt",
                            json_pack("{sf sf sf sf ss sf sf sf ss}", "elo0", plan->test.elo0, "elo1",
                                      plan->test.elo1, "alpha", plan->test.alpha, "beta", plan->test.beta,
                                      "model", kn_sprt_model_name(plan->test.model), "llr", result->sprt.llr,
                                      "lower", result->sprt.lower, "upper", result->sprt.upper, "verdict",
                                      kn_sprt_state_name(result->sprt.state)));
    return object;
}
