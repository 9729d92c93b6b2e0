#include "web/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "arena/play.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "web/fair_share.h"
#include "web/guard.h"

/* ---- recorded moves ---- */

static bool reserve(KnSession *session, size_t plies)
{
    if (plies <= session->capacity) return true;
    size_t capacity = session->capacity ? session->capacity * 2 : 64;
    size_t roles = (size_t)session->cached->game->roles;
    KnMove *joints = realloc(session->joints, capacity * roles * sizeof *joints);
    if (joints) session->joints = joints;
    KnMoveAnnotation *annotations = realloc(session->annotations, capacity * sizeof *annotations);
    if (annotations) session->annotations = annotations;
    if (!joints || !annotations) return false;
    session->capacity = capacity;
    return true;
}

static void truncate_moves(KnSession *session, size_t ply)
{
    if (session->plies > ply) json_object_clear(session->advice);
    while (session->plies > ply) {
        KnMoveAnnotation *annotation = &session->annotations[--session->plies];
        free(annotation->text);
        json_decref(annotation->seating);
    }
}

/* ---- who sat where ---- */

void kn_session_forget_seating(KnSession *session)
{
    json_decref(session->seating);
    session->seating = NULL;
}

/* The current seats as an array; a new reference. */
static json_t *current_seating(KnSession *session)
{
    if (!session->seating && (session->seating = json_array()))
        for (int role = 0; role < session->cached->game->roles; role++)
            json_array_append_new(session->seating,
                                  session->seats[role] ? json_string(session->seats[role]) : json_null());
    return json_incref(session->seating);
}

const char *kn_session_seat_at(const KnSession *session, size_t ply, int role)
{
    KN_ASSERT(ply < session->plies && role >= 0 && role < session->cached->game->roles);
    return json_string_value(json_array_get(session->annotations[ply].seating, (size_t)role));
}

/* [[ply, seats], ...]: the seats in force from each ply on. */
static json_t *seating_json(const KnSession *session)
{
    json_t *sat = json_array();
    for (size_t ply = 0; ply < session->plies; ply++)
        if (ply == 0 || session->annotations[ply].seating != session->annotations[ply - 1].seating)
            json_array_append_new(sat, json_pack("[IO]", (json_int_t)ply, session->annotations[ply].seating));
    return sat;
}

static void restore_seating(KnSession *session, const json_t *sat)
{
    size_t i;
    json_t *row;
    json_array_foreach(sat, i, row)
    {
        json_t *seats = json_array_get(row, 1);
        json_int_t from = json_integer_value(json_array_get(row, 0));
        for (size_t ply = from < 0 ? 0 : (size_t)from; json_is_array(seats) && ply < session->plies; ply++) {
            json_decref(session->annotations[ply].seating);
            session->annotations[ply].seating = json_incref(seats);
        }
    }
}

void kn_session_clear_chosen(KnSession *session)
{
    for (int role = 0; role < KN_ROLES_MAX; role++) session->chosen[role] = KN_MOVE_NONE;
}

/* Describes a joint move that is about to be played at `position`. */
static KnStatus annotate(const KnSession *session, const void *position, const KnMove *joint,
                         KnMoveAnnotation *annotation, KnError *error)
{
    const KnGame *game = session->cached->game;
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    *annotation = (KnMoveAnnotation){.mover = -1};
    KnText text = KN_TEXT_EMPTY, one = KN_TEXT_EMPTY;
    int movers = 0;
    for (int role = 0; role < game->roles; role++) {
        if (!simultaneous && joint[role] == KN_MOVE_NONE) continue;
        if (text.length) kn_text_add_char(&text, '|');
        if (joint[role] == KN_MOVE_NONE) {
            kn_text_add_char(&text, '-');
            continue;
        }
        kn_text_clear(&one);
        game->type->move_text(game, position, joint[role], &one);
        kn_text_add(&text, one.data);
        annotation->path_count +=
            kn_move_path(session->cached, position, simultaneous ? KN_MOVE_NONE : joint[role], one.data,
                         annotation->path + annotation->path_count, KN_SESSION_PATH - annotation->path_count);
        annotation->mover = movers++ ? -1 : role;
    }
    annotation->text = kn_text_ok(&text) ? strdup(text.data) : NULL;
    kn_text_free(&text);
    kn_text_free(&one);
    return annotation->text ? KN_OK : kn_fail_memory(error, "writing down a move");
}

KnStatus kn_session_play(KnSession *session, const KnMove *joint, KnError *error)
{
    size_t ply = kn_state_plies(session->state), roles = (size_t)session->cached->game->roles;
    KnMoveAnnotation annotation;
    if (ply >= KN_WEB_PLIES)
        return kn_fail(error, KN_NO, "the game has reached its limit of %d plies", KN_WEB_PLIES);
    if (!reserve(session, ply + 1)) return kn_fail_memory(error, "playing a move");
    KnStatus status = annotate(session, kn_state_position(session->state), joint, &annotation, error);
    if (status != KN_OK) return status;
    KnMove copy[KN_ROLES_MAX];
    memcpy(copy, joint, roles * sizeof *copy);
    status = kn_state_play_joint(session->state, copy, error);
    if (status != KN_OK) {
        free(annotation.text);
        return status;
    }
    KN_ASSERT(kn_state_plies(session->state) == ply + 1 && ply < session->capacity);
    truncate_moves(session, ply);
    memcpy(session->joints + ply * roles, copy, roles * sizeof *copy);
    annotation.seating = current_seating(session);
    session->annotations[ply] = annotation;
    session->plies = ply + 1;
    kn_session_clear_chosen(session);
    session->moved = kn_clock_now();
    return KN_OK;
}

bool kn_session_over(const KnSession *session, double *payoffs)
{
    const KnGame *game = session->cached->game;
    double own[KN_ROLES_MAX], *to = payoffs ? payoffs : own;
    if (session->resigned >= 0) {
        for (int role = 0; role < game->roles; role++)
            to[role] = role == session->resigned ? game->payoff_low : game->payoff_high;
        return true;
    }
    if (kn_state_over(session->state, to)) return true;
    if (kn_state_plies(session->state) < KN_WEB_PLIES) return false;
    for (int role = 0; role < game->roles; role++) to[role] = (game->payoff_low + game->payoff_high) / 2;
    return true;
}

bool kn_session_all_engines(const KnSession *session)
{
    for (int role = 0; role < session->cached->game->roles; role++)
        if (session->seats[role] && strcmp(session->seats[role], KN_SEAT_HUMAN) == 0) return false;
    return true;
}

/* ---- keeping ---- */

static json_t *scores_json(const KnSession *session)
{
    json_t *scores = json_array();
    for (size_t ply = 0; ply < session->plies; ply++)
        json_array_append_new(scores, session->annotations[ply].has_score
                                          ? json_integer(session->annotations[ply].score)
                                          : json_null());
    return scores;
}

static json_t *chances_json(const KnSession *session)
{
    json_t *chances = json_array();
    for (size_t ply = 0; ply < session->plies; ply++)
        json_array_append_new(chances,
                              session->annotations[ply].has_score && session->annotations[ply].chance >= 0
                                  ? json_real(session->annotations[ply].chance)
                                  : json_null());
    return chances;
}

/* Moves that are chosen but not yet played (simultaneous games) are saved too: a move counts once the client
 * has its answer. */
static json_t *chosen_json(const KnSession *session)
{
    json_t *chosen = json_array();
    const KnGame *game = session->cached->game;
    KnText text = KN_TEXT_EMPTY;
    for (int role = 0; role < game->roles; role++) {
        kn_text_clear(&text);
        if (session->chosen[role] != KN_MOVE_NONE)
            game->type->move_text(game, kn_state_position(session->state), session->chosen[role], &text);
        json_array_append_new(chosen, json_string(text.data));
    }
    kn_text_free(&text);
    return chosen;
}

KnStatus kn_session_save(KnSession *session, KnError *error)
{
    KnText moves = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < session->plies; ply++) {
        if (ply) kn_text_add_char(&moves, ' ');
        kn_text_add(&moves, session->annotations[ply].text);
    }
    json_t *seats = json_array();
    for (int role = 0; role < session->cached->game->roles; role++)
        json_array_append_new(seats, session->seats[role] ? json_string(session->seats[role]) : json_null());
    KnText result = KN_TEXT_EMPTY;
    bool over = kn_session_result(session, &result);
    json_t *row = json_pack(
        "{ss so so ss ss sI so so so so si sb sf sI sf ss sb ss}", "game", session->cached->spec, "seats",
        seats, "sat", seating_json(session), "start", session->start, "moves", moves.data, "ply",
        (json_int_t)kn_state_plies(session->state), "scores", scores_json(session), "chances",
        chances_json(session), "chosen", chosen_json(session), "seed", kn_json_from_uint64(session->seed),
        "resigned", session->resigned, "paused", session->paused, "delay", session->delay, "revision",
        (json_int_t)session->revision, "updated", session->updated, "trouble", session->trouble, "over", over,
        "result", result.data);
    if (session->owners) json_object_set(row, "owners", session->owners);
    kn_text_free(&result);
    kn_text_free(&moves);
    KnStatus status = row ? kn_persistence_put(session->web->persistence, KN_SAVED_SESSION, session->id, row,
                                               error)
                          : kn_fail_memory(error, "saving a game");
    json_decref(row);
    return status;
}

/* ---- life ---- */

static void session_free(KnSession *session)
{
    if (!session) return;
    if (session->annotations) truncate_moves(session, 0);
    for (int role = 0; role < KN_ROLES_MAX; role++) free(session->seats[role]);
    free(session->joints);
    free(session->annotations);
    free(session->start);
    free(session->analyst);
    json_decref(session->seating);
    json_decref(session->advice);
    json_decref(session->owners);
    kn_state_free(session->state);
    kn_player_cache_release_game(session->web->cache, session->cached);
    pthread_mutex_destroy(&session->lock);
    free(session);
}

void kn_session_retain(KnSession *session)
{
    pthread_mutex_lock(&session->web->lock);
    KN_ASSERT(session->refs > 0);
    session->refs++;
    pthread_mutex_unlock(&session->web->lock);
}

void kn_session_release(KnSession *session)
{
    if (!session) return;
    KnWeb *web = session->web;
    pthread_mutex_lock(&web->lock);
    KN_ASSERT(session->refs > 0);
    bool last = --session->refs == 0;
    pthread_mutex_unlock(&web->lock);
    if (last) session_free(session);
}

/* Removes a session from the list; the caller then owns the list's reference. The caller holds the lock of
 * KnWeb. */
static bool unlist(KnWeb *web, KnSession *session)
{
    for (KnSession **at = &web->sessions; *at; at = &(*at)->next)
        if (*at == session) {
            *at = session->next;
            web->session_count--;
            return true;
        }
    return false;
}

void kn_session_unlist(KnSession *session)
{
    pthread_mutex_lock(&session->web->lock);
    if (unlist(session->web, session)) session->refs--; /* the caller holds another */
    pthread_mutex_unlock(&session->web->lock);
}

/* Evicts the least recently used session that only the list refers to. Its game stays in the database. */
static bool evict_one(KnWeb *web)
{
    KnSession *evicted = NULL;
    pthread_mutex_lock(&web->lock);
    bool room = web->session_count < web->options.games;
    if (!room) {
        for (KnSession *s = web->sessions; s; s = s->next)
            if (s->refs == 1) evicted = s;
        if (evicted) room = unlist(web, evicted);
    }
    pthread_mutex_unlock(&web->lock);
    kn_session_release(evicted);
    return room;
}

/* Whether the client may have another session in use beside those that other threads work on now. */
static bool may_enlist(KnWeb *web, uint64_t client)
{
    size_t own = 0, used = 0;
    pthread_mutex_lock(&web->lock);
    bool full = web->session_count >= web->options.games; /* before that, none needs to make room */
    for (const KnSession *s = web->sessions; full && s; s = s->next) {
        used += s->refs > 1;
        own += s->refs > 1 && atomic_load(&s->client) == client;
    }
    pthread_mutex_unlock(&web->lock);
    return kn_fair_share_allows(client ? own : 0, used, (size_t)web->options.games);
}

static KnStatus enlist(KnWeb *web, KnSession *session, KnError *error)
{
    if (!may_enlist(web, atomic_load(&session->client)))
        return kn_fail(error, KN_STOPPED, "too many games are in use; try again later");
    if (!evict_one(web))
        return kn_fail(error, KN_STOPPED,
                       "%d games are in use, which is the limit of this server; try again later",
                       web->options.games);
    pthread_mutex_lock(&web->lock);
    session->next = web->sessions;
    web->sessions = session;
    web->session_count++;
    session->refs = 2;
    pthread_mutex_unlock(&web->lock);
    return KN_OK;
}

uint64_t kn_session_flow(const KnSession *session)
{
    return kn_hash128(session->id, strlen(session->id)).low;
}

static KnSession *session_alloc(KnWeb *web)
{
    KnSession *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    pthread_mutex_init(&session->lock, NULL);
    session->web = web;
    session->refs = 1;
    session->resigned = -1;
    session->advice = json_object();
    session->viewed = session->moved = kn_clock_now();
    kn_session_clear_chosen(session);
    return session;
}

static void name_session(KnSession *session)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    unsigned char random[13] = {0};
    if (getrandom(random, sizeof random, 0) < 0) memset(random, 0, sizeof random);
    for (size_t i = 0; i < sizeof random; i++) session->id[i] = letters[random[i] % 32];
}

/* Stores the canonical form of a checked spec. Opens the player once, so that an impossible one is refused
 * here and not at its first move. */
KnStatus kn_session_take_seat(KnSession *session, int role, const char *spec, KnError *error)
{
    char *kept = NULL;
    if (!spec || strcmp(spec, KN_SEAT_HUMAN) == 0)
        kept = strdup(KN_SEAT_HUMAN);
    else {
        KnWeb *web = session->web;
        KnPlayer *player = NULL;
        KnStatus status = kn_guard_player(web->context, session->cached->game, spec, error);
        if (status == KN_OK)
            status = kn_player_cache_acquire(web->cache, session->cached, spec, &player, error);
        if (status != KN_OK) return status;
        kept = player->traits & KN_PLAYER_ASKS ? strdup(KN_SEAT_HUMAN) : strdup(player->spec);
        kn_player_cache_release(web->cache, session->cached, player);
    }
    KN_ASSERT(role >= 0 && role < session->cached->game->roles && role != session->cached->game->nature);
    if (!kept) return kn_fail_memory(error, "seating a player");
    free(session->seats[role]);
    session->seats[role] = kept;
    kn_session_forget_seating(session);
    return KN_OK;
}

/* Restarts the game from a position text ("" for the start). */
KnStatus kn_session_restart(KnSession *session, const char *position, KnError *error)
{
    const KnGame *game = session->cached->game;
    char *start = strdup(position);
    void *place = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    KnStatus status = start && place ? KN_OK : kn_fail_memory(error, "setting up a position");
    if (status == KN_OK && *position)
        status = game->type->parse_position
                     ? game->type->parse_position(game, position, place, error)
                     : kn_fail(error, KN_INPUT, "%s has no text form of positions", session->cached->spec);
    if (status == KN_OK) {
        truncate_moves(session, 0);
        kn_session_clear_chosen(session);
        session->resigned = -1;
        kn_state_reset(session->state, *position ? place : NULL);
        free(session->start);
        session->start = start;
        start = NULL;
    }
    free(start);
    free(place);
    return status;
}

/* Plays moves in the form of kn_moves_text and annotates them. */
static KnStatus play_text(KnSession *session, const char *moves, KnError *error)
{
    KnState *scratch = kn_state_new(session->cached->game);
    if (!scratch) return kn_fail_memory(error, "replaying moves");
    kn_state_reset(scratch, kn_state_position_at(session->state, 0));
    KnStatus status = kn_replay(scratch, moves, error);
    size_t plies = kn_state_plies(scratch);
    for (size_t ply = 0; ply < plies && status == KN_OK; ply++)
        status = kn_session_play(session, kn_state_joint_at(scratch, ply), error);
    kn_state_free(scratch);
    return status;
}

static KnStatus set_up_session(KnSession *session, const KnSessionPlan *plan, const char **field,
                               KnError *error)
{
    *field = "game";
    KnStatus status = kn_player_cache_game(session->web->cache, plan->game, &session->cached, error);
    if (status != KN_OK) return status;
    const KnGame *game = session->cached->game;
    if (!(session->state = kn_state_new(game))) return kn_fail_memory(error, "opening a game");
    *field = "seats";
    int seat = 0;
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        if (role == game->nature) continue;
        status = kn_session_take_seat(session, role, seat < plan->seat_count ? plan->seats[seat] : NULL,
                                      error);
        seat++;
    }
    if (status == KN_OK && plan->seat_count > seat)
        status = kn_fail(error, KN_INPUT, "%s has %d seat%s, and the request names %d", session->cached->spec,
                         seat, seat == 1 ? "" : "s", plan->seat_count);
    if (status != KN_OK) return status;
    *field = "position";
    status = kn_session_restart(session, plan->position ? plan->position : "", error);
    if (status != KN_OK) return status;
    *field = "moves";
    status = plan->moves ? play_text(session, plan->moves, error) : KN_OK;
    if (status == KN_OK) *field = NULL;
    session->seed = plan->seed;
    session->paused = plan->paused;
    session->delay = plan->delay >= 0 ? plan->delay : kn_session_all_engines(session) ? 0.5 : 0;
    return status;
}

KnStatus kn_session_new(KnWeb *web, const KnSessionPlan *plan, const char **field, KnSession **out,
                        KnError *error)
{
    *out = NULL;
    *field = NULL;
    KnSession *session = session_alloc(web);
    if (!session) return kn_fail_memory(error, "opening a game");
    name_session(session);
    atomic_store(&session->client, plan->client);
    KnStatus status = set_up_session(session, plan, field, error);
    if (status == KN_OK) status = kn_session_check_room(session, error);
    if (status == KN_OK) status = enlist(web, session, error);
    if (status != KN_OK) {
        session_free(session);
        return status;
    }
    pthread_mutex_lock(&session->lock);
    status = kn_session_changed(session, error);
    pthread_mutex_unlock(&session->lock);
    if (status == KN_OK)
        *out = session;
    else
        kn_session_release(session);
    return status;
}

KnStatus kn_session_preview(KnWeb *web, const KnSessionPlan *plan, json_t **view, KnError *error)
{
    const char *field;
    KnSession *session = session_alloc(web);
    *view = NULL;
    KnStatus status = session ? set_up_session(session, plan, &field, error)
                              : kn_fail_memory(error, "previewing a game");
    if (status == KN_OK && !(*view = kn_session_json(session, -1)))
        status = kn_fail_memory(error, "previewing a game");
    session_free(session);
    return status;
}

/* ---- reading back ---- */

static void restore_chosen(KnSession *session, const json_t *chosen)
{
    const KnGame *game = session->cached->game;
    for (int role = 0; role < game->roles; role++) {
        const char *text = json_string_value(json_array_get(chosen, (size_t)role));
        KnMove move;
        if (!text || !*text || !(kn_state_movers(session->state) >> role & 1)) continue;
        if (kn_game_parse_move(game, kn_state_position(session->state), role, text, &move, NULL) == KN_OK)
            session->chosen[role] = move;
    }
}

static KnStatus restore(KnSession *session, json_t *row, KnError *error)
{
    KnJson at = kn_json_root(row, "web.db");
    const char *game, *start, *moves, *trouble;
    int64_t ply, resigned, revision;
    KnStatus status = kn_json_string(&at, "game", &game, error);
    if (status == KN_OK) status = kn_json_string(&at, "start", &start, error);
    if (status == KN_OK) status = kn_json_string(&at, "moves", &moves, error);
    if (status == KN_OK) status = kn_json_string(&at, "trouble", &trouble, error);
    if (status == KN_OK) status = kn_json_integer(&at, "ply", 0, KN_WEB_PLIES, &ply, error);
    if (status == KN_OK) status = kn_json_integer(&at, "resigned", -1, KN_ROLES_MAX - 1, &resigned, error);
    if (status == KN_OK) status = kn_json_integer(&at, "revision", 0, INT64_MAX, &revision, error);
    if (status == KN_OK) status = kn_json_uint64(&at, "seed", &session->seed, error);
    if (status == KN_OK) status = kn_json_bool(&at, "paused", &session->paused, error);
    if (status == KN_OK) status = kn_json_real(&at, "delay", &session->delay, error);
    if (status == KN_OK) status = kn_json_real(&at, "updated", &session->updated, error);
    if (status == KN_OK) status = kn_player_cache_game(session->web->cache, game, &session->cached, error);
    if (status != KN_OK) return status;
    if (!(session->state = kn_state_new(session->cached->game)))
        return kn_fail_memory(error, "opening a game");
    for (int role = 0; role < session->cached->game->roles; role++) {
        const char *seat = json_string_value(json_array_get(json_object_get(row, "seats"), (size_t)role));
        if (seat && !(session->seats[role] = strdup(seat))) return kn_fail_memory(error, "opening a game");
    }
    status = kn_session_restart(session, start, error);
    if (status == KN_OK) status = play_text(session, moves, error);
    if (status != KN_OK) return status;
    restore_seating(session, json_object_get(row, "sat"));
    if (json_is_object(json_object_get(row, "owners")))
        session->owners = json_incref(json_object_get(row, "owners"));
    session->revision = (uint64_t)revision;
    const json_t *scores = json_object_get(row, "scores"), *chances = json_object_get(row, "chances");
    for (size_t i = 0; i < session->plies; i++) {
        const json_t *score = json_array_get(scores, i);
        session->annotations[i].has_score = json_is_integer(score);
        session->annotations[i].score = (KnScore)json_integer_value(score);
        const json_t *chance = json_array_get(chances, i);
        session->annotations[i].chance = json_is_real(chance) ? json_real_value(chance) : -1;
    }
    while ((int64_t)kn_state_plies(session->state) > ply) kn_state_undo(session->state);
    session->resigned = (int)resigned < session->cached->game->roles ? (int)resigned : -1;
    snprintf(session->trouble, sizeof session->trouble, "%s", trouble);
    restore_chosen(session, json_object_get(row, "chosen"));
    return KN_OK;
}

/* Finds a session in memory and moves it to the front of the list; NULL if it is not there. */
static KnSession *find_listed(KnWeb *web, const char *id)
{
    pthread_mutex_lock(&web->lock);
    KnSession *found = NULL;
    for (KnSession **at = &web->sessions; *at && !found; at = &(*at)->next) {
        if (strcmp((*at)->id, id) != 0) continue;
        found = *at;
        *at = found->next;
        found->next = web->sessions;
        web->sessions = found;
        found->refs++;
        break;
    }
    pthread_mutex_unlock(&web->lock);
    return found;
}

static KnStatus read_back(KnWeb *web, const char *id, json_t *row, KnSession **out, KnError *error)
{
    KnSession *session = session_alloc(web);
    if (!session) return kn_fail_memory(error, "opening a game");
    snprintf(session->id, sizeof session->id, "%s", id);
    KnStatus status = restore(session, row, error);
    if (status != KN_OK)
        kn_fail_within(error, "the saved game %s cannot be loaded", id);
    else if ((*out = find_listed(web, id))) { /* another thread has loaded it meanwhile */
        session_free(session);
        return KN_OK;
    } else
        status = enlist(web, session, error);
    if (status == KN_OK)
        *out = session;
    else
        session_free(session);
    return status;
}

KnStatus kn_session_find(KnWeb *web, const char *id, KnSession **out, KnError *error)
{
    *out = NULL;
    size_t length = strlen(id);
    if (length == 0 || length >= KN_SESSION_ID) return KN_OK;
    if ((*out = find_listed(web, id))) return KN_OK;
    json_t *row;
    KnStatus status = kn_persistence_get(web->persistence, KN_SAVED_SESSION, id, &row, error);
    if (status == KN_OK && row) status = read_back(web, id, row, out, error);
    json_decref(row);
    return status;
}

void kn_sessions_close(KnWeb *web)
{
    for (;;) {
        pthread_mutex_lock(&web->lock);
        KnSession *session = web->sessions;
        if (session) unlist(web, session);
        pthread_mutex_unlock(&web->lock);
        if (!session) return;
        pthread_mutex_lock(&session->lock);
        atomic_store(&session->analysing, false);
        kn_session_cancel_engines(session);
        kn_session_stop_analysis(session);
        pthread_mutex_unlock(&session->lock);
        kn_session_release(session);
    }
}
