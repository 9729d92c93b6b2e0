/* Asking an engine: a hint, why a move was made, what every move is worth, an analysis. */
#include <stdlib.h>
#include <string.h>

#include "web/deciding.h"
#include "web/guard.h"
#include "web/look.h"

static const double HINT_SECONDS = 3, VALUES_SECONDS = 1, PATIENCE = 20;

/* Somebody asks one player for one decision. */
typedef struct Question {
    KnDecision decision;
    KnLook *look;
    json_t *values;
    KnStatus status;
    KnError error;
} Question;

static void decide(void *user)
{
    Question *question = user;
    question->status = kn_decision_make(&question->decision, &question->error);
}

/* The player that is asked where none is named: the game's strongest level. */
static const char *adviser(const KnSitting *sitting)
{
    const json_t *levels = kn_web_by_game(sitting->web->levels, sitting->shown);
    const char *spec =
        json_string_value(json_object_get(json_array_get(levels, json_array_size(levels) - 1), "spec"));
    return spec ? spec : "random";
}

/* A role that has a choice at the contest's ply: the one asked for, else the first. -1 if it has none. */
static int deciding_role(const KnSitting *sitting, const KnContest *contest, long asked)
{
    const KnGame *game = sitting->shown->game;
    uint32_t movers = kn_contest_movers(contest);
    for (int role = 0; role < game->roles; role++)
        if (movers >> role & 1 && role != game->nature && (asked < 0 || asked == role)) return role;
    return -1;
}

static KnSitting *asked(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSitting *sitting;
    KnError error;
    if (kn_sitting_find(web, call->words[0], &sitting, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else if (!sitting)
        kn_reply_error(reply, 404, NULL, "there is no contest %.20s (any more); begin a new one",
                       call->words[0]);
    return sitting;
}

/* Who is asked at a ply: whoever made the move there, if it was made, else who has the seat; where that is a
 * person, the adviser. */
static const char *asked_player(const KnSitting *sitting, size_t ply, int role, bool made)
{
    const char *seat = made ? kn_sitting_sat(sitting, ply, role) : sitting->seats[role];
    return seat && strcmp(seat, KN_SEAT_HUMAN) != 0 ? seat : adviser(sitting);
}

/* Copies the contest at a ply for a question; false, with the reply written, if it cannot be asked. */
static bool pose(KnSitting *sitting, size_t ply, long role, const char *spec, bool made, Question *question,
                 KnHttpReply *reply)
{
    pthread_mutex_lock(&sitting->lock);
    KnStatus status = kn_decision_copy(&question->decision, sitting, ply, 0, "", &question->error);
    int decides = -1;
    if (status == KN_OK) {
        decides = deciding_role(sitting, question->decision.contest, role);
        if (decides < 0) status = kn_fail(&question->error, KN_NO, "nobody has a choice there");
    }
    if (status == KN_OK) {
        const char *by = spec ? spec : asked_player(sitting, ply, decides, made && ply < sitting->plies);
        question->decision.role = decides;
        free(question->decision.spec);
        if (!(question->decision.spec = strdup(by))) status = kn_fail_memory(&question->error, "asking");
    }
    pthread_mutex_unlock(&sitting->lock);
    question->decision.wants = KN_WANT_REASON;
    if (status != KN_OK) kn_reply_fail(reply, &question->error, "ply");
    return status == KN_OK;
}

/* Has the question answered on an engine's thread. */
static bool put(KnWeb *web, Question *question, KnHttpReply *reply)
{
    KnStatus status = kn_work_call(web->engines, decide, question, PATIENCE, &question->error);
    if (status == KN_OK) status = question->status;
    if (status != KN_OK) kn_reply_fail(reply, &question->error, NULL);
    return status == KN_OK;
}

static void hint(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double ply, role;
    const char *spec;
    if (!kn_call_number(call, "ply", false, 0, KN_WEB_PLIES, -1, &ply, reply) ||
        !kn_call_number(call, "role", false, 0, KN_ROLES_MAX - 1, -1, &role, reply) ||
        !kn_call_text(call, "spec", false, 4000, &spec, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    if (!sitting) return;
    Question question = {.decision = {0}};
    pthread_mutex_lock(&sitting->lock);
    size_t now = kn_contest_plies(sitting->contest);
    pthread_mutex_unlock(&sitting->lock);
    bool good = true;
    if (spec && kn_guard_player(web->context, sitting->shown->game, spec, &question.error) != KN_OK) {
        kn_reply_fail(reply, &question.error, "spec");
        good = false;
    } else if (ply >= 0 && (size_t)ply != now) {
        kn_reply_error(reply, 409, "ply", "the contest is at ply %zu now; look again", now);
        good = false;
    }
    if (good && pose(sitting, now, (long)role, spec, false, &question, reply)) {
        if (question.decision.seconds > HINT_SECONDS) question.decision.seconds = HINT_SECONDS;
        if (put(web, &question, reply)) kn_reply_json(reply, 200, kn_decision_json(&question.decision));
    }
    kn_decision_free(&question.decision);
    kn_sitting_release(sitting);
}

/* Why the move at a ply was made: the player that made it is asked again, and being repeatable says the same,
 * with its reasons. For a person's move, what the adviser makes of the position. */
static void why(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply, role;
    if (!kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply) ||
        !kn_call_query(call, "role", 0, KN_ROLES_MAX - 1, -1, &role, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    if (!sitting) return;
    Question question = {.decision = {0}};
    pthread_mutex_lock(&sitting->lock);
    size_t plies = sitting->plies;
    if (ply < 0) ply = (long)kn_contest_plies(sitting->contest) - 1;
    char *played = ply >= 0 && (size_t)ply < plies ? strdup(sitting->notes[ply].text) : NULL;
    KnMove joint[KN_ROLES_MAX];
    size_t roles = (size_t)sitting->shown->game->roles;
    if (played) memcpy(joint, sitting->joints + (size_t)ply * roles, roles * sizeof *joint);
    pthread_mutex_unlock(&sitting->lock);
    if (!played)
        kn_reply_error(reply, 422, "ply", "no move has been made at that ply; there are %zu", plies);
    else if (pose(sitting, (size_t)ply, role, NULL, true, &question, reply) && put(web, &question, reply)) {
        json_t *document = kn_decision_json(&question.decision);
        json_object_set_new(document, "chosen", json_incref(json_object_get(document, "move")));
        json_object_set_new(document, "move", json_string(played));
        json_object_set_new(document, "same",
                            json_boolean(joint[question.decision.role] == question.decision.answer.move));
        kn_reply_json(reply, 200, document);
    }
    free(played);
    kn_decision_free(&question.decision);
    kn_sitting_release(sitting);
}

/* ---- values of all moves ---- */

static bool keep_values(void *user, const KnSearchResult *so_far)
{
    Question *question = user;
    json_decref(question->values);
    question->values = kn_look_json(question->look, so_far);
    return true;
}

static void evaluate(void *user)
{
    Question *question = user;
    KnDecision *decision = &question->decision;
    question->status = kn_look_open(decision->web->shelf, decision->web->context, decision->shown,
                                    decision->contest, decision->role, &question->look, &question->error);
    if (question->status == KN_OK)
        question->status = kn_look_run(question->look, (KnBudget){.seconds = decision->seconds}, NULL,
                                       keep_values, question, &question->error);
    kn_look_close(question->look);
    question->look = NULL;
}

static void values(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply, role;
    if (!kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply) ||
        !kn_call_query(call, "role", 0, KN_ROLES_MAX - 1, -1, &role, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    if (!sitting) return;
    Question question = {.decision = {0}};
    pthread_mutex_lock(&sitting->lock);
    size_t plies = sitting->plies, at = ply < 0 ? kn_contest_plies(sitting->contest) : (size_t)ply;
    pthread_mutex_unlock(&sitting->lock);
    if (at > plies)
        kn_reply_error(reply, 422, "ply", "there are %zu plies, so none of number %zu", plies, at);
    else if (pose(sitting, at, role, NULL, false, &question, reply)) {
        if (question.decision.seconds > VALUES_SECONDS) question.decision.seconds = VALUES_SECONDS;
        KnStatus status = kn_work_call(web->engines, evaluate, &question, PATIENCE, &question.error);
        if (status == KN_OK) status = question.status;
        if (status != KN_OK)
            kn_reply_fail(reply, &question.error, NULL);
        else if (!question.values)
            kn_reply_error(reply, 503, NULL, "the position is too large to look at within %g s",
                           VALUES_SECONDS);
        else {
            json_object_set_new(question.values, "ply", json_integer((json_int_t)at));
            kn_reply_json(reply, 200, json_incref(question.values));
        }
    }
    json_decref(question.values);
    kn_decision_free(&question.decision);
    kn_sitting_release(sitting);
}

/* ---- analysis ---- */

/* How many go on. With the web's lock held. */
static int analyses(const KnWeb *web)
{
    int count = 0;
    for (const KnSitting *s = web->sittings; s; s = s->next)
        count += atomic_load(&s->analysing) && kn_events_hearing(web->events, s->id, 0);
    return count;
}

/* The player that is to analyse, in its canonical form; opened once, so that what it cannot do is told at
 * once. */
static KnStatus choose_analyst(KnSitting *sitting, const char *spec, char **analyst, KnError *error)
{
    KnWeb *web = sitting->web;
    KnPlayer *player = NULL;
    KnStatus status = kn_guard_player(web->context, sitting->shown->game, spec, error);
    if (status == KN_OK) status = kn_shelf_lend(web->shelf, sitting->shown, spec, &player, error);
    if (status == KN_OK && player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_INPUT, "a person cannot analyse here");
    if (status == KN_OK && !(*analyst = strdup(player->spec)))
        status = kn_fail_memory(error, "choosing an analyst");
    kn_shelf_back(web->shelf, sitting->shown, player);
    return status;
}

static void analyse(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    bool on;
    const char *spec;
    KnError error;
    if (!kn_call_flag(call, "on", true, &on, reply) ||
        !kn_call_text(call, "spec", false, KN_GUARD_SPEC, &spec, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    if (!sitting) return;
    char *analyst = NULL;
    if (spec && choose_analyst(sitting, spec, &analyst, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "spec");
        kn_sitting_release(sitting);
        return;
    }
    pthread_mutex_lock(&web->lock);
    bool full = on && !atomic_load(&sitting->analysing) && analyses(web) >= KN_WEB_ANALYSES;
    if (!full) atomic_store(&sitting->analysing, on);
    pthread_mutex_unlock(&web->lock);
    if (full) free(analyst);
    if (full)
        kn_reply_error(reply, 429, NULL, "%d analyses go on already, the most there can be; stop one first",
                       KN_WEB_ANALYSES);
    else {
        pthread_mutex_lock(&sitting->lock);
        if (!on || sitting->analysis) kn_sitting_stop_analysis(sitting);
        free(sitting->analyst);
        sitting->analyst = analyst;
        if (on) kn_sitting_start_analysis(sitting);
        json_t *view = kn_sitting_view(sitting, -1);
        pthread_mutex_unlock(&sitting->lock);
        kn_reply_json(reply, 200, view);
    }
    kn_sitting_release(sitting);
}

const KnRoute kn_routes_asking[] = {
    {"POST", "contests/*/hint", hint, KN_WEB_BODY},
    {"GET", "contests/*/why", why, 0},
    {"GET", "contests/*/values", values, 0},
    {"POST", "contests/*/analyse", analyse, KN_WEB_BODY},
    {0},
};
