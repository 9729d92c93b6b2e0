#include "web/sitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "arena/play.h"
#include "base/clock.h"
#include "base/json.h"
#include "web/guard.h"

/* ---- the record of moves ---- */

static bool reserve(KnSitting *sitting, size_t plies)
{
    if (plies <= sitting->capacity) return true;
    size_t capacity = sitting->capacity ? sitting->capacity * 2 : 64;
    size_t roles = (size_t)sitting->shown->game->roles;
    KnMove *joints = realloc(sitting->joints, capacity * roles * sizeof *joints);
    if (joints) sitting->joints = joints;
    KnPlyNote *notes = realloc(sitting->notes, capacity * sizeof *notes);
    if (notes) sitting->notes = notes;
    if (!joints || !notes) return false;
    sitting->capacity = capacity;
    return true;
}

static void forget_from(KnSitting *sitting, size_t ply)
{
    while (sitting->plies > ply) {
        KnPlyNote *note = &sitting->notes[--sitting->plies];
        free(note->text);
        json_decref(note->seated);
    }
}

/* ---- who sat where ---- */

void kn_sitting_reseated(KnSitting *sitting)
{
    json_decref(sitting->seated);
    sitting->seated = NULL;
}

/* A new reference to the present seats. */
static json_t *seated_now(KnSitting *sitting)
{
    if (!sitting->seated && (sitting->seated = json_array()))
        for (int role = 0; role < sitting->shown->game->roles; role++)
            json_array_append_new(sitting->seated,
                                  sitting->seats[role] ? json_string(sitting->seats[role]) : json_null());
    return json_incref(sitting->seated);
}

const char *kn_sitting_sat(const KnSitting *sitting, size_t ply, int role)
{
    return json_string_value(json_array_get(sitting->notes[ply].seated, (size_t)role));
}

/* [[ply, seats], ...]: from each of these plies on. */
static json_t *sat_json(const KnSitting *sitting)
{
    json_t *sat = json_array();
    for (size_t ply = 0; ply < sitting->plies; ply++)
        if (ply == 0 || sitting->notes[ply].seated != sitting->notes[ply - 1].seated)
            json_array_append_new(sat, json_pack("[IO]", (json_int_t)ply, sitting->notes[ply].seated));
    return sat;
}

static void restore_sat(KnSitting *sitting, const json_t *sat)
{
    size_t i;
    json_t *row;
    json_array_foreach(sat, i, row)
    {
        json_t *seats = json_array_get(row, 1);
        json_int_t from = json_integer_value(json_array_get(row, 0));
        for (size_t ply = from < 0 ? 0 : (size_t)from; json_is_array(seats) && ply < sitting->plies; ply++) {
            json_decref(sitting->notes[ply].seated);
            sitting->notes[ply].seated = json_incref(seats);
        }
    }
}

void kn_sitting_clear_chosen(KnSitting *sitting)
{
    for (int role = 0; role < KN_ROLES_MAX; role++) sitting->chosen[role] = KN_MOVE_NONE;
}

/* The note of a joint move at the position that it is played in. */
static KnStatus write_note(const KnSitting *sitting, const void *position, const KnMove *joint,
                           KnPlyNote *note, KnError *error)
{
    const KnGame *game = sitting->shown->game;
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    *note = (KnPlyNote){.mover = -1};
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
        note->path_count += kn_shown_path(sitting->shown, position, simultaneous ? KN_MOVE_NONE : joint[role],
                                          one.data, note->path + note->path_count,
                                          KN_SITTING_PATH - note->path_count);
        note->mover = movers++ ? -1 : role;
    }
    note->text = kn_text_ok(&text) ? strdup(text.data) : NULL;
    kn_text_free(&text);
    kn_text_free(&one);
    return note->text ? KN_OK : kn_fail_memory(error, "writing down a move");
}

KnStatus kn_sitting_play(KnSitting *sitting, const KnMove *joint, KnError *error)
{
    size_t ply = kn_contest_plies(sitting->contest), roles = (size_t)sitting->shown->game->roles;
    KnPlyNote note;
    if (ply >= KN_WEB_PLIES)
        return kn_fail(error, KN_NO, "the contest is at its limit of %d plies", KN_WEB_PLIES);
    if (!reserve(sitting, ply + 1)) return kn_fail_memory(error, "playing a move");
    KnStatus status = write_note(sitting, kn_contest_position(sitting->contest), joint, &note, error);
    if (status != KN_OK) return status;
    KnMove copy[KN_ROLES_MAX];
    memcpy(copy, joint, roles * sizeof *copy);
    status = kn_contest_play_joint(sitting->contest, copy, error);
    if (status != KN_OK) {
        free(note.text);
        return status;
    }
    forget_from(sitting, ply);
    memcpy(sitting->joints + ply * roles, copy, roles * sizeof *copy);
    note.seated = seated_now(sitting);
    sitting->notes[ply] = note;
    sitting->plies = ply + 1;
    kn_sitting_clear_chosen(sitting);
    sitting->moved = kn_clock_now();
    return KN_OK;
}

bool kn_sitting_over(const KnSitting *sitting, double *payoffs)
{
    const KnGame *game = sitting->shown->game;
    double own[KN_ROLES_MAX], *to = payoffs ? payoffs : own;
    if (sitting->resigned >= 0) {
        for (int role = 0; role < game->roles; role++)
            to[role] = role == sitting->resigned ? game->payoff_low : game->payoff_high;
        return true;
    }
    if (kn_contest_over(sitting->contest, to)) return true;
    if (kn_contest_plies(sitting->contest) < KN_WEB_PLIES) return false;
    for (int role = 0; role < game->roles; role++) to[role] = (game->payoff_low + game->payoff_high) / 2;
    return true;
}

bool kn_sitting_all_engines(const KnSitting *sitting)
{
    for (int role = 0; role < sitting->shown->game->roles; role++)
        if (sitting->seats[role] && strcmp(sitting->seats[role], KN_SEAT_HUMAN) == 0) return false;
    return true;
}

/* ---- keeping ---- */

static json_t *scores_json(const KnSitting *sitting)
{
    json_t *scores = json_array();
    for (size_t ply = 0; ply < sitting->plies; ply++)
        json_array_append_new(scores, sitting->notes[ply].has_score ? json_integer(sitting->notes[ply].score)
                                                                    : json_null());
    return scores;
}

/* Choices that others must not see yet are kept as well: a person's move counts once it is answered. */
static json_t *chosen_json(const KnSitting *sitting)
{
    json_t *chosen = json_array();
    const KnGame *game = sitting->shown->game;
    KnText text = KN_TEXT_EMPTY;
    for (int role = 0; role < game->roles; role++) {
        kn_text_clear(&text);
        if (sitting->chosen[role] != KN_MOVE_NONE)
            game->type->move_text(game, kn_contest_position(sitting->contest), sitting->chosen[role], &text);
        json_array_append_new(chosen, json_string(text.data));
    }
    kn_text_free(&text);
    return chosen;
}

KnStatus kn_sitting_save(KnSitting *sitting, KnError *error)
{
    KnText moves = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < sitting->plies; ply++) {
        if (ply) kn_text_add_char(&moves, ' ');
        kn_text_add(&moves, sitting->notes[ply].text);
    }
    json_t *seats = json_array();
    for (int role = 0; role < sitting->shown->game->roles; role++)
        json_array_append_new(seats, sitting->seats[role] ? json_string(sitting->seats[role]) : json_null());
    json_t *row =
        json_pack("{ss so so ss ss sI so so so si sb sf sI sf ss}", "game", sitting->shown->spec, "seats",
                  seats, "sat", sat_json(sitting), "start", sitting->start, "moves", moves.data, "ply",
                  (json_int_t)kn_contest_plies(sitting->contest), "scores", scores_json(sitting), "chosen",
                  chosen_json(sitting), "seed", kn_json_from_uint64(sitting->seed), "resigned",
                  sitting->resigned, "paused", sitting->paused, "delay", sitting->delay, "revision",
                  (json_int_t)sitting->revision, "updated", sitting->updated, "trouble", sitting->trouble);
    kn_text_free(&moves);
    KnStatus status = row ? kn_keep_put(sitting->web->keep, "contest", sitting->id, row, error)
                          : kn_fail_memory(error, "keeping a contest");
    json_decref(row);
    return status;
}

/* ---- life ---- */

static void sitting_free(KnSitting *sitting)
{
    if (!sitting) return;
    if (sitting->notes) forget_from(sitting, 0);
    for (int role = 0; role < KN_ROLES_MAX; role++) free(sitting->seats[role]);
    free(sitting->joints);
    free(sitting->notes);
    free(sitting->start);
    free(sitting->analyst);
    json_decref(sitting->seated);
    kn_contest_free(sitting->contest);
    kn_shelf_return(sitting->web->shelf, sitting->shown);
    pthread_mutex_destroy(&sitting->lock);
    free(sitting);
}

void kn_sitting_hold(KnSitting *sitting)
{
    pthread_mutex_lock(&sitting->web->lock);
    sitting->refs++;
    pthread_mutex_unlock(&sitting->web->lock);
}

void kn_sitting_release(KnSitting *sitting)
{
    if (!sitting) return;
    KnWeb *web = sitting->web;
    pthread_mutex_lock(&web->lock);
    bool last = --sitting->refs == 0;
    pthread_mutex_unlock(&web->lock);
    if (last) sitting_free(sitting);
}

/* Takes a sitting out of the list; the list's reference is the caller's to release. With the web's lock held.
 */
static bool unlist(KnWeb *web, KnSitting *sitting)
{
    for (KnSitting **at = &web->sittings; *at; at = &(*at)->next)
        if (*at == sitting) {
            *at = sitting->next;
            web->sitting_count--;
            return true;
        }
    return false;
}

void kn_sitting_unlist(KnSitting *sitting)
{
    pthread_mutex_lock(&sitting->web->lock);
    if (unlist(sitting->web, sitting)) sitting->refs--; /* the caller holds another */
    pthread_mutex_unlock(&sitting->web->lock);
}

/* Makes room in memory: the least lately used sitting that nobody but the list holds. What it was is kept. */
static bool make_room(KnWeb *web)
{
    KnSitting *leaves = NULL;
    pthread_mutex_lock(&web->lock);
    bool room = web->sitting_count < web->options.contests;
    if (!room) {
        for (KnSitting *s = web->sittings; s; s = s->next)
            if (s->refs == 1) leaves = s;
        if (leaves) room = unlist(web, leaves);
    }
    pthread_mutex_unlock(&web->lock);
    kn_sitting_release(leaves);
    return room;
}

static KnStatus enlist(KnWeb *web, KnSitting *sitting, KnError *error)
{
    if (!make_room(web))
        return kn_fail(error, KN_STOPPED,
                       "%d contests are in use here, the most there can be; try again later",
                       web->options.contests);
    pthread_mutex_lock(&web->lock);
    sitting->next = web->sittings;
    web->sittings = sitting;
    web->sitting_count++;
    sitting->refs = 2;
    pthread_mutex_unlock(&web->lock);
    return KN_OK;
}

static KnSitting *sitting_alloc(KnWeb *web)
{
    KnSitting *sitting = calloc(1, sizeof *sitting);
    if (!sitting) return NULL;
    pthread_mutex_init(&sitting->lock, NULL);
    sitting->web = web;
    sitting->refs = 1;
    sitting->resigned = -1;
    sitting->looked = sitting->moved = kn_clock_now();
    kn_sitting_clear_chosen(sitting);
    return sitting;
}

static void name_sitting(KnSitting *sitting)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    unsigned char random[13] = {0};
    if (getrandom(random, sizeof random, 0) < 0) memset(random, 0, sizeof random);
    for (size_t i = 0; i < sizeof random; i++) sitting->id[i] = letters[random[i] % 32];
}

/* A spec in its canonical form, checked; the player is opened once, so that what it cannot do is told at
 * once. */
KnStatus kn_sitting_take_seat(KnSitting *sitting, int role, const char *spec, KnError *error)
{
    char *kept = NULL;
    if (!spec || strcmp(spec, KN_SEAT_HUMAN) == 0)
        kept = strdup(KN_SEAT_HUMAN);
    else {
        KnWeb *web = sitting->web;
        KnPlayer *player = NULL;
        KnStatus status = kn_guard_player(web->context, sitting->shown->game, spec, error);
        if (status == KN_OK) status = kn_shelf_lend(web->shelf, sitting->shown, spec, &player, error);
        if (status != KN_OK) return status;
        kept = player->traits & KN_PLAYER_ASKS ? strdup(KN_SEAT_HUMAN) : strdup(player->spec);
        kn_shelf_back(web->shelf, sitting->shown, player);
    }
    if (!kept) return kn_fail_memory(error, "seating a player");
    free(sitting->seats[role]);
    sitting->seats[role] = kept;
    kn_sitting_reseated(sitting);
    return KN_OK;
}

/* Begins anew from a position text ("" for the start). */
KnStatus kn_sitting_begin(KnSitting *sitting, const char *position, KnError *error)
{
    const KnGame *game = sitting->shown->game;
    char *start = strdup(position);
    void *place = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    KnStatus status = start && place ? KN_OK : kn_fail_memory(error, "setting up a position");
    if (status == KN_OK && *position)
        status = game->type->parse_position
                     ? game->type->parse_position(game, position, place, error)
                     : kn_fail(error, KN_INPUT, "%s cannot be set up from a text", sitting->shown->spec);
    if (status == KN_OK) {
        forget_from(sitting, 0);
        kn_sitting_clear_chosen(sitting);
        sitting->resigned = -1;
        kn_contest_reset(sitting->contest, *position ? place : NULL);
        free(sitting->start);
        sitting->start = start;
        start = NULL;
    }
    free(start);
    free(place);
    return status;
}

/* Plays moves as kn_moves_text writes them, with their notes. */
static KnStatus play_text(KnSitting *sitting, const char *moves, KnError *error)
{
    KnContest *scratch = kn_contest_new(sitting->shown->game);
    if (!scratch) return kn_fail_memory(error, "replaying moves");
    kn_contest_reset(scratch, kn_contest_position_at(sitting->contest, 0));
    KnStatus status = kn_replay(scratch, moves, error);
    size_t plies = kn_contest_plies(scratch);
    for (size_t ply = 0; ply < plies && status == KN_OK; ply++)
        status = kn_sitting_play(sitting, kn_contest_joint_at(scratch, ply), error);
    kn_contest_free(scratch);
    return status;
}

static KnStatus furnish(KnSitting *sitting, const KnSittingPlan *plan, const char **field, KnError *error)
{
    *field = "game";
    KnStatus status = kn_shelf_game(sitting->web->shelf, plan->game, &sitting->shown, error);
    if (status != KN_OK) return status;
    const KnGame *game = sitting->shown->game;
    if (!(sitting->contest = kn_contest_new(game))) return kn_fail_memory(error, "opening a contest");
    *field = "seats";
    int seat = 0;
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        if (role == game->nature) continue;
        status = kn_sitting_take_seat(sitting, role, seat < plan->seat_count ? plan->seats[seat] : NULL,
                                      error);
        seat++;
    }
    if (status == KN_OK && plan->seat_count > seat)
        status = kn_fail(error, KN_INPUT, "%s has %d seat%s, %d were given", sitting->shown->spec, seat,
                         seat == 1 ? "" : "s", plan->seat_count);
    if (status != KN_OK) return status;
    *field = "position";
    status = kn_sitting_begin(sitting, plan->position ? plan->position : "", error);
    if (status != KN_OK) return status;
    *field = "moves";
    status = plan->moves ? play_text(sitting, plan->moves, error) : KN_OK;
    if (status == KN_OK) *field = NULL;
    sitting->seed = plan->seed;
    sitting->paused = plan->paused;
    sitting->delay = plan->delay >= 0 ? plan->delay : kn_sitting_all_engines(sitting) ? 0.5 : 0;
    return status;
}

KnStatus kn_sitting_new(KnWeb *web, const KnSittingPlan *plan, const char **field, KnSitting **out,
                        KnError *error)
{
    *out = NULL;
    *field = NULL;
    KnSitting *sitting = sitting_alloc(web);
    if (!sitting) return kn_fail_memory(error, "opening a contest");
    name_sitting(sitting);
    KnStatus status = furnish(sitting, plan, field, error);
    if (status == KN_OK) status = enlist(web, sitting, error);
    if (status != KN_OK) {
        sitting_free(sitting);
        return status;
    }
    pthread_mutex_lock(&sitting->lock);
    status = kn_sitting_changed(sitting, error);
    pthread_mutex_unlock(&sitting->lock);
    if (status == KN_OK)
        *out = sitting;
    else
        kn_sitting_release(sitting);
    return status;
}

KnStatus kn_sitting_preview(KnWeb *web, const KnSittingPlan *plan, json_t **view, KnError *error)
{
    const char *field;
    KnSitting *sitting = sitting_alloc(web);
    *view = NULL;
    KnStatus status = sitting ? furnish(sitting, plan, &field, error)
                              : kn_fail_memory(error, "picturing a contest");
    if (status == KN_OK && !(*view = kn_sitting_json(sitting, -1)))
        status = kn_fail_memory(error, "picturing a contest");
    sitting_free(sitting);
    return status;
}

/* ---- reading back ---- */

static void restore_chosen(KnSitting *sitting, const json_t *chosen)
{
    const KnGame *game = sitting->shown->game;
    for (int role = 0; role < game->roles; role++) {
        const char *text = json_string_value(json_array_get(chosen, (size_t)role));
        KnMove move;
        if (!text || !*text || !(kn_contest_movers(sitting->contest) >> role & 1)) continue;
        if (kn_game_parse_move(game, kn_contest_position(sitting->contest), role, text, &move, NULL) == KN_OK)
            sitting->chosen[role] = move;
    }
}

static KnStatus restore(KnSitting *sitting, json_t *row, KnError *error)
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
    if (status == KN_OK) status = kn_json_uint64(&at, "seed", &sitting->seed, error);
    if (status == KN_OK) status = kn_json_bool(&at, "paused", &sitting->paused, error);
    if (status == KN_OK) status = kn_json_real(&at, "delay", &sitting->delay, error);
    if (status == KN_OK) status = kn_json_real(&at, "updated", &sitting->updated, error);
    if (status == KN_OK) status = kn_shelf_game(sitting->web->shelf, game, &sitting->shown, error);
    if (status != KN_OK) return status;
    if (!(sitting->contest = kn_contest_new(sitting->shown->game)))
        return kn_fail_memory(error, "opening a contest");
    for (int role = 0; role < sitting->shown->game->roles; role++) {
        const char *seat = json_string_value(json_array_get(json_object_get(row, "seats"), (size_t)role));
        if (seat && !(sitting->seats[role] = strdup(seat))) return kn_fail_memory(error, "opening a contest");
    }
    status = kn_sitting_begin(sitting, start, error);
    if (status == KN_OK) status = play_text(sitting, moves, error);
    if (status != KN_OK) return status;
    restore_sat(sitting, json_object_get(row, "sat"));
    sitting->revision = (uint64_t)revision;
    const json_t *scores = json_object_get(row, "scores");
    for (size_t i = 0; i < sitting->plies; i++) {
        const json_t *score = json_array_get(scores, i);
        sitting->notes[i].has_score = json_is_integer(score);
        sitting->notes[i].score = (KnScore)json_integer_value(score);
    }
    while ((int64_t)kn_contest_plies(sitting->contest) > ply) kn_contest_undo(sitting->contest);
    sitting->resigned = (int)resigned < sitting->shown->game->roles ? (int)resigned : -1;
    snprintf(sitting->trouble, sizeof sitting->trouble, "%s", trouble);
    restore_chosen(sitting, json_object_get(row, "chosen"));
    return KN_OK;
}

/* In memory, moved to the front of the list; NULL if it is not. */
static KnSitting *find_listed(KnWeb *web, const char *id)
{
    pthread_mutex_lock(&web->lock);
    KnSitting *found = NULL;
    for (KnSitting **at = &web->sittings; *at && !found; at = &(*at)->next) {
        if (strcmp((*at)->id, id) != 0) continue;
        found = *at;
        *at = found->next;
        found->next = web->sittings;
        web->sittings = found;
        found->refs++;
        break;
    }
    pthread_mutex_unlock(&web->lock);
    return found;
}

static KnStatus read_back(KnWeb *web, const char *id, json_t *row, KnSitting **out, KnError *error)
{
    KnSitting *sitting = sitting_alloc(web);
    if (!sitting) return kn_fail_memory(error, "opening a contest");
    snprintf(sitting->id, sizeof sitting->id, "%s", id);
    KnStatus status = restore(sitting, row, error);
    if (status != KN_OK)
        kn_fail_within(error, "contest %s cannot be read back", id);
    else if ((*out = find_listed(web, id))) { /* somebody else was faster */
        sitting_free(sitting);
        return KN_OK;
    } else
        status = enlist(web, sitting, error);
    if (status == KN_OK)
        *out = sitting;
    else
        sitting_free(sitting);
    return status;
}

KnStatus kn_sitting_find(KnWeb *web, const char *id, KnSitting **out, KnError *error)
{
    *out = NULL;
    size_t length = strlen(id);
    if (length == 0 || length >= KN_SITTING_ID) return KN_OK;
    if ((*out = find_listed(web, id))) return KN_OK;
    json_t *row;
    KnStatus status = kn_keep_get(web->keep, "contest", id, &row, error);
    if (status == KN_OK && row) status = read_back(web, id, row, out, error);
    json_decref(row);
    return status;
}

void kn_sittings_close(KnWeb *web)
{
    for (;;) {
        pthread_mutex_lock(&web->lock);
        KnSitting *sitting = web->sittings;
        if (sitting) unlist(web, sitting);
        pthread_mutex_unlock(&web->lock);
        if (!sitting) return;
        pthread_mutex_lock(&sitting->lock);
        atomic_store(&sitting->analysing, false);
        kn_sitting_stop_thinking(sitting);
        kn_sitting_stop_analysis(sitting);
        pthread_mutex_unlock(&sitting->lock);
        kn_sitting_release(sitting);
    }
}
