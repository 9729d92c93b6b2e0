/* A session as JSON for the API. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "eval/evaluation.h"
#include "players/search_explanation.h"
#include "players/search_words.h"
#include "web/room.h"

double kn_score_in_men(KnScore score)
{
    if (score >= KN_SCORE_PROVEN) return 999;
    if (score <= -KN_SCORE_PROVEN) return -999;
    if (abs(score) > KN_SCORE_HEURISTIC) return 100.0 * score / KN_SCORE_PAYOFF;
    return score / 100.0;
}

/* The words for a score; `chance` < 0: it counts men. */
static void score_words(KnScore score, double chance, KnText *out)
{
    if (chance >= 0)
        kn_text_printf(out, "%.0f %% of the points", 100 * chance);
    else
        kn_score_text(score, out);
}

json_t *kn_score_json(KnScore score, bool payoffs, double log_odds)
{
    KnText text = KN_TEXT_EMPTY;
    double chance;
    if (!kn_score_chance(score, payoffs, log_odds, &chance)) chance = -1;
    score_words(score, chance, &text);
    json_t *object = json_pack("{sf ss}", "score", kn_score_in_men(score), "text", text.data);
    if (chance >= 0) json_object_set_new(object, "chance", json_real(chance));
    kn_text_free(&text);
    return object;
}

static json_t *path_json(const int *path, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, json_integer(path[i]));
    return array;
}

static json_t *seats_json(const KnSession *session)
{
    const KnGame *game = session->cached->game;
    json_t *seats = json_array();
    for (int role = 0; role < game->roles; role++) {
        const char *seat = session->seats[role];
        const char *kind = !seat ? "nature" : strcmp(seat, KN_SEAT_HUMAN) == 0 ? "human" : "engine";
        json_array_append_new(seats, json_pack("{si ss ss ss ss*}", "role", role, "name",
                                               game->role_names[role], "kind", kind, "spec", seat ? seat : "",
                                               "owner", kn_session_owner(session, role)));
    }
    return seats;
}

static json_t *legal_json(const KnSession *session, const KnState *state)
{
    const KnGame *game = session->cached->game;
    const void *position = kn_state_position(state);
    json_t *legal = json_array();
    KnMove *moves = malloc(sizeof *moves * (size_t)game->max_moves);
    KnText text = KN_TEXT_EMPTY;
    uint32_t movers = moves ? kn_state_movers(state) : 0;
    for (int role = 0; role < game->roles; role++) {
        if (!(movers >> role & 1) || role == game->nature) continue;
        int count = kn_state_moves(state, role, moves);
        for (int i = 0; i < count; i++) {
            int path[KN_SESSION_PATH];
            kn_text_clear(&text);
            game->type->move_text(game, position, moves[i], &text);
            bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
            int length = kn_move_path(session->cached, position, simultaneous ? KN_MOVE_NONE : moves[i],
                                      text.data, path, KN_SESSION_PATH);
            json_array_append_new(legal, json_pack("{si ss so}", "role", role, "move", text.data, "path",
                                                   path_json(path, length)));
        }
    }
    kn_text_free(&text);
    free(moves);
    return legal;
}

double kn_curve_chance(KnScore score, bool payoffs, double log_odds)
{
    double chance;
    if (score >= KN_SCORE_PROVEN) return 1;
    if (score <= -KN_SCORE_PROVEN) return 0;
    if (abs(score) >= KN_SCORE_KNOWN - KN_SCORE_HEURISTIC) return score > 0 ? 0.98 : 0.02; /* by tables */
    return kn_score_chance(score, payoffs, log_odds, &chance) ? chance
                                                              : kn_chance_of_score(score, false, 0) / 100;
}

/* The curve of a game in which some player expects a share of the points: one unit for all of its scores. */
static void add_chances(const KnSession *session, json_t *view)
{
    bool some = false;
    json_t *chances = json_array();
    for (size_t ply = 0; ply < session->plies; ply++) {
        const KnMoveAnnotation *one = &session->annotations[ply];
        some |= one->has_score && one->chance >= 0;
        json_array_append_new(
            chances, one->has_score
                         ? json_real(one->chance >= 0 ? one->chance : kn_curve_chance(one->score, false, 0))
                         : json_null());
    }
    if (some)
        json_object_set_new(view, "chances", chances);
    else
        json_decref(chances);
}

static json_t *history_json(const KnSession *session)
{
    const KnGame *game = session->cached->game;
    json_t *history = json_array();
    for (size_t ply = 0; ply < session->plies; ply++) {
        const KnMoveAnnotation *annotation = &session->annotations[ply];
        json_t *row = json_pack("{sI ss so}", "ply", (json_int_t)ply, "text", annotation->text, "path",
                                path_json(annotation->path, annotation->path_count));
        json_object_set_new(row, "role",
                            annotation->mover >= 0 ? json_integer(annotation->mover) : json_null());
        json_object_set(row, "by",
                        annotation->mover >= 0
                            ? json_array_get(annotation->seating, (size_t)annotation->mover)
                            : annotation->seating);
        if (annotation->has_score && game->roles) {
            KnText text = KN_TEXT_EMPTY;
            KnScore own = annotation->mover > 0 ? -annotation->score
                                                : annotation->score; /* as the mover says it */
            double chance = annotation->chance < 0 || annotation->mover <= 0 ? annotation->chance
                                                                             : 1 - annotation->chance;
            score_words(own, chance, &text);
            json_object_set_new(row, "score", json_real(kn_score_in_men(annotation->score)));
            json_object_set_new(row, "score_text", json_string(text.data));
            kn_text_free(&text);
        }
        json_array_append_new(history, row);
    }
    return history;
}

static double feature_of(const KnGame *game, const double *values, const char *name)
{
    for (int i = 0; i < game->feature_count; i++)
        if (strcmp(game->features[i].name, name) == 0) return values[i];
    return 0;
}

/* "2 men and a king" */
static void add_men(const KnGame *game, const void *position, int role, KnText *out)
{
    double values[game->feature_count];
    game->type->feature_values(game, position, role, values);
    int kings = (int)feature_of(game, values, "own kings"),
        men = (int)(feature_of(game, values, "own men") + feature_of(game, values, "men"));
    if (men == 1)
        kn_text_add(out, "a man");
    else if (men)
        kn_text_printf(out, "%d men", men);
    if (men && kings) kn_text_add(out, " and ");
    if (kings == 1)
        kn_text_add(out, "a king");
    else if (kings)
        kn_text_printf(out, "%d kings", kings);
}

/* ", 40 to 24", " by 7.5 points" or " with 2 men left": where the rules count discs, points or men. */
static void add_count(const KnSession *session, const KnState *state, int winner, KnText *out)
{
    const KnGame *game = session->cached->game;
    const void *position = kn_state_position(state);
    bool counts = game->type->material && session->resigned < 0;
    if (counts && game->type->points) {
        double first = game->type->material(game, position, 0),
               second = game->type->material(game, position, 1),
               margin = game->type->points(game, position, 0);
        if (margin != first - second)
            kn_text_printf(out, " by %g point%s", fabs(margin), fabs(margin) == 1 ? "" : "s");
        else
            kn_text_printf(out, ", %g to %g", winner == 1 ? second : first, winner == 1 ? first : second);
    } else if (counts && winner >= 0 && game->type->feature_values && game->feature_count) {
        kn_text_add(out, " with ");
        add_men(game, position, winner, out);
        kn_text_add(out, " left");
    }
    kn_text_add_char(out, '.');
}

/* Rules in GDL give each role a goal from 0 to 100, and people a winner or a solution. False if the goals
 * mean something else. */
static bool add_goal(const KnGame *game, const double *payoffs, KnText *out)
{
    double low = game->payoff_low, high = game->payoff_high;
    if (strcmp(game->type->head.name, "gdl") != 0 || game->nature >= 0 || game->roles > 2) return false;
    if (game->roles == 1) {
        if (payoffs[0] == high || payoffs[0] == low)
            kn_text_add(out, payoffs[0] == high ? "Solved." : "Over, and not solved.");
        else
            kn_text_printf(out, "Over, with %g of %g points.", payoffs[0], high);
        return true;
    }
    if (payoffs[0] + payoffs[1] != low + high) return false;
    if (payoffs[0] == payoffs[1])
        kn_text_add(out, "A draw.");
    else
        kn_text_printf(out, "%s wins.", game->role_names[payoffs[0] > payoffs[1] ? 0 : 1]);
    return true;
}

static void result_text(const KnSession *session, const KnState *state, const double *payoffs, KnText *out)
{
    const KnGame *game = session->cached->game;
    if (session->resigned >= 0) kn_text_printf(out, "%s resigns. ", game->role_names[session->resigned]);
    if (game->traits & KN_GAME_ZERO_SUM) {
        double middle = (game->payoff_low + game->payoff_high) / 2;
        int winner = payoffs[0] == middle ? -1 : payoffs[0] > middle ? 0 : 1;
        if (winner < 0)
            kn_text_add(out, "A draw");
        else
            kn_text_printf(out, "%s wins", game->role_names[winner]);
        add_count(session, state, winner, out);
        return;
    }
    if (add_goal(game, payoffs, out)) return;
    bool first = true;
    for (int role = 0; role < game->roles; role++) {
        if (role == game->nature) continue;
        kn_text_printf(out, "%s%s gets %g", first ? "" : ", ", game->role_names[role], payoffs[role]);
        first = false;
    }
    kn_text_add_char(out, '.');
}

bool kn_session_result(const KnSession *session, KnText *text)
{
    double payoffs[KN_ROLES_MAX];
    if (!kn_session_over(session, payoffs)) return false;
    result_text(session, session->state, payoffs, text);
    return true;
}

static const char *ending(const KnSession *session, const KnState *state)
{
    if (session->resigned >= 0) return "resigned";
    if (kn_game_over(session->cached->game, kn_state_position(state))) return "rules";
    return kn_state_over(state, NULL) ? "history" : "limit";
}

static void set_result(const KnSession *session, const KnState *state, json_t *view)
{
    double payoffs[KN_ROLES_MAX];
    bool now = state == session->state;
    bool over = now ? kn_session_over(session, payoffs) : kn_state_over(state, payoffs);
    json_object_set_new(view, "over", json_boolean(over));
    if (!over) return;
    json_t *list = json_array();
    for (int role = 0; role < session->cached->game->roles; role++)
        json_array_append_new(list, json_real(payoffs[role]));
    KnText text = KN_TEXT_EMPTY;
    result_text(session, state, payoffs, &text);
    json_object_set_new(view, "result",
                        json_pack("{so ss ss}", "payoffs", list, "text", text.data, "ending",
                                  now ? ending(session, state) : "rules"));
    kn_text_free(&text);
}

static void set_position(const KnSession *session, const KnState *state, json_t *view)
{
    const KnGame *game = session->cached->game;
    const void *position = kn_state_position(state);
    KnText text = KN_TEXT_EMPTY;
    if (game->type->position_text) game->type->position_text(game, position, &text);
    json_object_set_new(view, "position", json_string(text.data));
    kn_text_clear(&text);
    if (game->type->draw) game->type->draw(game, position, false, &text);
    json_object_set_new(view, "drawing", json_string(text.data));
    kn_text_free(&text);
    json_t *cells = json_array();
    for (int i = 0; game->type->cell && i < game->cells; i++)
        json_array_append_new(cells, json_integer(game->type->cell(game, position, i)));
    json_object_set_new(view, "cells", cells);
    json_t *movers = json_array();
    uint32_t mask = kn_state_movers(state);
    bool now = state == session->state, over = now && kn_session_over(session, NULL);
    for (int role = 0; role < game->roles && !over; role++)
        if (mask >> role & 1 && !(now && session->chosen[role] != KN_MOVE_NONE))
            json_array_append_new(movers, json_integer(role));
    json_object_set_new(view, "movers", movers);
    json_object_set_new(view, "legal", over ? json_array() : legal_json(session, state));
    json_t *scores = json_array();
    for (size_t ply = 0; ply < session->plies; ply++)
        json_array_append_new(scores, session->annotations[ply].has_score
                                          ? json_real(kn_score_in_men(session->annotations[ply].score))
                                          : json_null());
    json_object_set_new(view, "scores", scores);
    add_chances(session, view);
    json_object_set_new(
        view, "score_unit",
        json_string(game->type->material && !game->type->points ? "men" : "points of the evaluation"));
    size_t ply = kn_state_plies(state);
    if (ply)
        json_object_set_new(
            view, "last",
            json_pack("{so ss}", "path",
                      path_json(session->annotations[ply - 1].path, session->annotations[ply - 1].path_count),
                      "text", session->annotations[ply - 1].text));
}

/* A copy of the game state at a ply, which the caller frees; NULL for the current ply or without memory. */
static KnState *state_at(const KnSession *session, long ply)
{
    if (ply < 0 || (size_t)ply == kn_state_plies(session->state) || (size_t)ply > session->plies) return NULL;
    KnState *then = kn_state_new(session->cached->game);
    if (!then) return NULL;
    size_t roles = (size_t)session->cached->game->roles;
    kn_state_reset(then, kn_state_position_at(session->state, 0));
    for (size_t i = 0; i < (size_t)ply; i++)
        if (kn_state_play_joint(then, session->joints + i * roles, NULL) != KN_OK) break;
    return then;
}

json_t *kn_session_view(const KnSession *session, long ply)
{
    KnState *then = state_at(session, ply);
    const KnState *state = then ? then : session->state;
    bool thinking = false;
    for (int role = 0; role < KN_ROLES_MAX; role++) thinking |= session->move_tasks[role] != NULL;
    json_t *view = json_pack("{ss so so sI sI sI so sb sb sf sb sf sI ss}", "id", session->id, "game",
                             kn_cached_game_json(session->cached), "seats", seats_json(session), "ply",
                             (json_int_t)kn_state_plies(state), "plies", (json_int_t)session->plies, "now",
                             (json_int_t)kn_state_plies(session->state), "history", history_json(session),
                             "thinking", thinking, "paused", session->paused, "delay", session->delay,
                             "analysing", (int)atomic_load(&session->analysing), "updated", session->updated,
                             "revision", (json_int_t)session->revision, "start", session->start);
    if (view) {
        if (session->analyst) json_object_set_new(view, "analyst", json_string(session->analyst));
        set_position(session, state, view);
        set_result(session, state, view);
        if (session->trouble[0]) json_object_set_new(view, "trouble", json_string(session->trouble));
    }
    kn_state_free(then);
    return view;
}

json_t *kn_session_json(KnSession *session, long ply)
{
    pthread_mutex_lock(&session->lock);
    json_t *view = kn_session_view(session, ply);
    pthread_mutex_unlock(&session->lock);
    return view;
}

void kn_session_publish(KnSession *session)
{
    KnEvents *events = session->web->events;
    if (*session->room) kn_room_publish(session->web, session->room);
    if (!kn_events_subscribers(events, session->id, 0)) return;
    json_t *view = kn_session_view(session, -1);
    if (view) kn_events_publish(events, session->id, 0, "session", "", session->revision, view);
    json_decref(view);
}

void kn_session_send(KnSession *session, KnListener *listener, uint64_t seen)
{
    pthread_mutex_lock(&session->lock);
    if (session->revision != seen) {
        json_t *view = kn_session_view(session, -1);
        if (view) kn_listener_send(listener, "session", "", session->revision, view);
        json_decref(view);
    }
    pthread_mutex_unlock(&session->lock);
}
