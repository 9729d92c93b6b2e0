/* A sitting as the API shows it. */
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "players/telling.h"
#include "web/sitting.h"

double kn_score_in_men(KnScore score)
{
    if (score >= KN_SCORE_SURE) return 999;
    if (score <= -KN_SCORE_SURE) return -999;
    if (abs(score) > KN_SCORE_GUESS) return 100.0 * score / KN_SCORE_PAYOFF;
    return score / 100.0;
}

json_t *kn_score_json(KnScore score)
{
    KnText text = KN_TEXT_EMPTY;
    kn_score_text(score, &text);
    json_t *object = json_pack("{sf ss}", "score", kn_score_in_men(score), "text", text.data);
    kn_text_free(&text);
    return object;
}

static json_t *path_json(const int *path, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, json_integer(path[i]));
    return array;
}

static json_t *seats_json(const KnSitting *sitting)
{
    const KnGame *game = sitting->shown->game;
    json_t *seats = json_array();
    for (int role = 0; role < game->roles; role++) {
        const char *seat = sitting->seats[role];
        const char *kind = !seat ? "nature" : strcmp(seat, KN_SEAT_HUMAN) == 0 ? "human" : "engine";
        json_array_append_new(seats, json_pack("{si ss ss ss}", "role", role, "name", game->role_names[role],
                                               "kind", kind, "spec", seat ? seat : ""));
    }
    return seats;
}

static json_t *legal_json(const KnSitting *sitting, const KnContest *contest)
{
    const KnGame *game = sitting->shown->game;
    const void *position = kn_contest_position(contest);
    json_t *legal = json_array();
    KnMove *moves = malloc(sizeof *moves * (size_t)game->max_moves);
    KnText text = KN_TEXT_EMPTY;
    uint32_t movers = moves ? kn_contest_movers(contest) : 0;
    for (int role = 0; role < game->roles; role++) {
        if (!(movers >> role & 1) || role == game->nature) continue;
        int count = kn_contest_moves(contest, role, moves);
        for (int i = 0; i < count; i++) {
            int path[KN_SITTING_PATH];
            kn_text_clear(&text);
            game->type->move_text(game, position, moves[i], &text);
            bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
            int length = kn_shown_path(sitting->shown, position, simultaneous ? KN_MOVE_NONE : moves[i],
                                       text.data, path, KN_SITTING_PATH);
            json_array_append_new(legal, json_pack("{si ss so}", "role", role, "move", text.data, "path",
                                                   path_json(path, length)));
        }
    }
    kn_text_free(&text);
    free(moves);
    return legal;
}

static json_t *history_json(const KnSitting *sitting)
{
    const KnGame *game = sitting->shown->game;
    json_t *history = json_array();
    for (size_t ply = 0; ply < sitting->plies; ply++) {
        const KnPlyNote *note = &sitting->notes[ply];
        json_t *row = json_pack("{sI ss so}", "ply", (json_int_t)ply, "text", note->text, "path",
                                path_json(note->path, note->path_count));
        json_object_set_new(row, "role", note->mover >= 0 ? json_integer(note->mover) : json_null());
        json_object_set(row, "by",
                        note->mover >= 0 ? json_array_get(note->seated, (size_t)note->mover) : note->seated);
        if (note->has_score && game->roles) {
            KnText text = KN_TEXT_EMPTY;
            KnScore own = note->mover > 0 ? -note->score : note->score; /* as the mover says it */
            kn_score_text(own, &text);
            json_object_set_new(row, "score", json_real(kn_score_in_men(note->score)));
            json_object_set_new(row, "score_text", json_string(text.data));
            kn_text_free(&text);
        }
        json_array_append_new(history, row);
    }
    return history;
}

static void result_text(const KnSitting *sitting, const double *payoffs, KnText *out)
{
    const KnGame *game = sitting->shown->game;
    if (sitting->resigned >= 0) kn_text_printf(out, "%s resigns. ", game->role_names[sitting->resigned]);
    if (game->traits & KN_GAME_ZERO_SUM) {
        double middle = (game->payoff_low + game->payoff_high) / 2;
        if (payoffs[0] == middle)
            kn_text_add(out, "A draw.");
        else
            kn_text_printf(out, "%s wins.", game->role_names[payoffs[0] > middle ? 0 : 1]);
        return;
    }
    bool first = true;
    for (int role = 0; role < game->roles; role++) {
        if (role == game->nature) continue;
        kn_text_printf(out, "%s%s gets %g", first ? "" : ", ", game->role_names[role], payoffs[role]);
        first = false;
    }
    kn_text_add_char(out, '.');
}

static const char *ending(const KnSitting *sitting, const KnContest *contest)
{
    if (sitting->resigned >= 0) return "resigned";
    if (kn_game_over(sitting->shown->game, kn_contest_position(contest))) return "rules";
    return kn_contest_over(contest, NULL) ? "history" : "limit";
}

static void set_result(const KnSitting *sitting, const KnContest *contest, json_t *view)
{
    double payoffs[KN_ROLES_MAX];
    bool now = contest == sitting->contest;
    bool over = now ? kn_sitting_over(sitting, payoffs) : kn_contest_over(contest, payoffs);
    json_object_set_new(view, "over", json_boolean(over));
    if (!over) return;
    json_t *list = json_array();
    for (int role = 0; role < sitting->shown->game->roles; role++)
        json_array_append_new(list, json_real(payoffs[role]));
    KnText text = KN_TEXT_EMPTY;
    result_text(sitting, payoffs, &text);
    json_object_set_new(view, "result",
                        json_pack("{so ss ss}", "payoffs", list, "text", text.data, "ending",
                                  now ? ending(sitting, contest) : "rules"));
    kn_text_free(&text);
}

static void set_position(const KnSitting *sitting, const KnContest *contest, json_t *view)
{
    const KnGame *game = sitting->shown->game;
    const void *position = kn_contest_position(contest);
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
    uint32_t mask = kn_contest_movers(contest);
    bool now = contest == sitting->contest, over = now && kn_sitting_over(sitting, NULL);
    for (int role = 0; role < game->roles && !over; role++)
        if (mask >> role & 1 && !(now && sitting->chosen[role] != KN_MOVE_NONE))
            json_array_append_new(movers, json_integer(role));
    json_object_set_new(view, "movers", movers);
    json_object_set_new(view, "legal", over ? json_array() : legal_json(sitting, contest));
    json_t *scores = json_array();
    for (size_t ply = 0; ply < sitting->plies; ply++)
        json_array_append_new(scores, sitting->notes[ply].has_score
                                          ? json_real(kn_score_in_men(sitting->notes[ply].score))
                                          : json_null());
    json_object_set_new(view, "scores", scores);
    size_t ply = kn_contest_plies(contest);
    if (ply)
        json_object_set_new(
            view, "last",
            json_pack("{so ss}", "path",
                      path_json(sitting->notes[ply - 1].path, sitting->notes[ply - 1].path_count), "text",
                      sitting->notes[ply - 1].text));
}

/* The contest as it stood at a ply: a scratch one that the caller frees; NULL for the present one or without
 * memory. */
static KnContest *contest_at(const KnSitting *sitting, long ply)
{
    if (ply < 0 || (size_t)ply == kn_contest_plies(sitting->contest) || (size_t)ply > sitting->plies)
        return NULL;
    KnContest *then = kn_contest_new(sitting->shown->game);
    if (!then) return NULL;
    size_t roles = (size_t)sitting->shown->game->roles;
    kn_contest_reset(then, kn_contest_position_at(sitting->contest, 0));
    for (size_t i = 0; i < (size_t)ply; i++)
        if (kn_contest_play_joint(then, sitting->joints + i * roles, NULL) != KN_OK) break;
    return then;
}

json_t *kn_sitting_view(const KnSitting *sitting, long ply)
{
    KnContest *then = contest_at(sitting, ply);
    const KnContest *contest = then ? then : sitting->contest;
    bool thinking = false;
    for (int role = 0; role < KN_ROLES_MAX; role++) thinking |= sitting->thinking[role] != NULL;
    json_t *view = json_pack("{ss so so sI sI sI so sb sb sf sb sf sI ss}", "id", sitting->id, "game",
                             kn_shown_json(sitting->shown), "seats", seats_json(sitting), "ply",
                             (json_int_t)kn_contest_plies(contest), "plies", (json_int_t)sitting->plies,
                             "now", (json_int_t)kn_contest_plies(sitting->contest), "history",
                             history_json(sitting), "thinking", thinking, "paused", sitting->paused, "delay",
                             sitting->delay, "analysing", (int)atomic_load(&sitting->analysing), "updated",
                             sitting->updated, "revision", (json_int_t)sitting->revision, "start",
                             sitting->start);
    if (view) {
        if (sitting->analyst) json_object_set_new(view, "analyst", json_string(sitting->analyst));
        set_position(sitting, contest, view);
        set_result(sitting, contest, view);
        if (sitting->trouble[0]) json_object_set_new(view, "trouble", json_string(sitting->trouble));
    }
    kn_contest_free(then);
    return view;
}

json_t *kn_sitting_json(KnSitting *sitting, long ply)
{
    pthread_mutex_lock(&sitting->lock);
    json_t *view = kn_sitting_view(sitting, ply);
    pthread_mutex_unlock(&sitting->lock);
    return view;
}

void kn_sitting_shout(KnSitting *sitting)
{
    KnEvents *events = sitting->web->events;
    if (!kn_events_hearing(events, sitting->id, 0)) return;
    json_t *view = kn_sitting_view(sitting, -1);
    if (view) kn_events_tell(events, sitting->id, 0, "contest", "", sitting->revision, view);
    json_decref(view);
}

void kn_sitting_tell(KnSitting *sitting, KnListener *listener, uint64_t seen)
{
    pthread_mutex_lock(&sitting->lock);
    if (sitting->revision != seen) {
        json_t *view = kn_sitting_view(sitting, -1);
        if (view) kn_listener_tell(listener, "contest", "", sitting->revision, view);
        json_decref(view);
    }
    pthread_mutex_unlock(&sitting->lock);
}
