/* Engine moves of a session: each runs as a task of the engine pool; an answer that arrives after a change is
 * dropped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "players/search_words.h"
#include "web/decision.h"

enum { LOOKED_SECONDS = 20 };

/* One engine choosing one move. Referred to by the session's slot and by the pool. */
typedef struct KnMoveTask {
    KnPoolTask task;
    KnSession *session; /* held */
    int role;
    atomic_bool cancel; /* the answer is not wanted any more, or wanted at once */
    atomic_bool hurried;
    atomic_int refs;
    KnDecision decision;
    KnStatus status; /* of the decision */
    KnError error;
} KnMoveTask;

static void task_release(KnMoveTask *thinking)
{
    if (atomic_fetch_sub(&thinking->refs, 1) > 1) return;
    kn_session_release(thinking->session);
    free(thinking);
}

/* Whether the session still waits for this task. The caller holds the lock. */
static bool is_current(const KnMoveTask *thinking)
{
    return thinking->session->move_tasks[thinking->role] == thinking;
}

/* With the lock held. */
static void accept(KnMoveTask *thinking, const KnAnswer *answer)
{
    KnSession *session = thinking->session;
    const KnGame *game = session->cached->game;
    KnError error;
    session->move_tasks[thinking->role] = NULL;
    task_release(thinking); /* the pool still holds its reference */
    session->chosen[thinking->role] = answer->move;
    session->has_score = answer->has_score && (thinking->role == 0 || game->traits & KN_GAME_ZERO_SUM);
    session->score = thinking->role == 0 ? answer->score : -answer->score;
    if (!kn_score_chance(session->score, answer->payoffs, answer->log_odds, &session->chance))
        session->chance = -1;
    if (kn_session_move_chosen(session, &error) != KN_OK)
        snprintf(session->trouble, sizeof session->trouble, "%.500s", error.text);
}

static void report_failure(KnMoveTask *thinking, const KnError *error)
{
    KnSession *session = thinking->session;
    KnError ignored;
    if (error->status == KN_STOPPED && atomic_load(&thinking->hurried))
        snprintf(session->trouble, sizeof session->trouble, KN_WEB_BUSY);
    else
        snprintf(session->trouble, sizeof session->trouble, "%s did not move: %.400s",
                 session->seats[thinking->role], error->text);
    kn_session_changed(session, &ignored);
}

/* Copies the game under the lock, and lets the player choose without it. */
static void think(KnPoolTask *task)
{
    KnMoveTask *thinking = (KnMoveTask *)task;
    KnSession *session = thinking->session;
    pthread_mutex_lock(&session->lock);
    bool wanted = is_current(thinking);
    thinking->status = KN_STOPPED;
    if (wanted) {
        size_t ply = kn_state_plies(session->state);
        thinking->status = kn_decision_copy(&thinking->decision, session, ply, thinking->role,
                                            session->seats[thinking->role], &thinking->error);
        json_t *event = json_pack("{ss si sI}", "session", session->id, "role", thinking->role, "ply",
                                  (json_int_t)ply);
        kn_events_publish(session->web->events, session->id, 0, "thinking", "", 0, event);
        json_decref(event);
    }
    pthread_mutex_unlock(&session->lock);
    thinking->decision.cancel = &thinking->cancel;
    if (thinking->status == KN_OK) thinking->status = kn_decision_make(&thinking->decision, &thinking->error);
}

static void let_go(KnPoolTask *task) { task_release((KnMoveTask *)task); }

static void conclude(KnPoolTask *task)
{
    KnMoveTask *thinking = (KnMoveTask *)task;
    KnSession *session = thinking->session;
    if (thinking->decision.web) kn_decision_release(&thinking->decision);
    pthread_mutex_lock(&session->lock);
    if (is_current(thinking) && !atomic_load(&session->web->closing)) {
        if (thinking->status == KN_OK)
            accept(thinking, &thinking->decision.answer);
        else
            report_failure(thinking, &thinking->error);
    }
    pthread_mutex_unlock(&session->lock);
    kn_decision_free(&thinking->decision);
    task_release(thinking);
}

/* Others wait: the search ends as if its time were up, with the best move so far. */
static void hurry(KnPoolTask *task)
{
    KnMoveTask *thinking = (KnMoveTask *)task;
    atomic_store(&thinking->hurried, true);
    atomic_store(&thinking->cancel, true);
}

void kn_session_cancel_engines(KnSession *session)
{
    for (int role = 0; role < KN_ROLES_MAX; role++) {
        KnMoveTask *thinking = session->move_tasks[role];
        if (!thinking) continue;
        session->move_tasks[role] = NULL;
        atomic_store(&thinking->cancel, true);
        if (kn_thread_pool_withdraw(session->web->engines, &thinking->task)) task_release(thinking);
        task_release(thinking);
    }
}

static void ask(KnSession *session, int role)
{
    KN_ASSERT(!session->move_tasks[role] && session->chosen[role] == KN_MOVE_NONE);
    KnMoveTask *thinking = calloc(1, sizeof *thinking);
    if (!thinking) return;
    kn_session_retain(session);
    thinking->task = (KnPoolTask){.run = think,
                                  .end = conclude,
                                  .drop = let_go,
                                  .hurry = hurry,
                                  .due = session->delay > 0 ? session->moved + session->delay : 0,
                                  .client = atomic_load(&session->client),
                                  .flow = kn_session_flow(session),
                                  .kind = kn_decision_kind(session->cached, session->seats[role])};
    thinking->session = session;
    thinking->role = role;
    atomic_store(&thinking->refs, 2);
    session->move_tasks[role] = thinking;
    if (kn_thread_pool_submit(session->web->engines, &thinking->task)) return;
    session->move_tasks[role] = NULL;
    task_release(thinking);
    task_release(thinking);
    snprintf(session->trouble, sizeof session->trouble, KN_WEB_BUSY);
}

KnStatus kn_session_check_room(const KnSession *session, KnError *error)
{
    bool engines = false;
    for (int role = 0; role < session->cached->game->roles; role++)
        engines |= session->seats[role] && strcmp(session->seats[role], KN_SEAT_HUMAN) != 0;
    if (!engines || kn_thread_pool_has_room(session->web->engines, atomic_load(&session->client)))
        return KN_OK;
    return kn_fail(error, KN_STOPPED, "all engines are busy; try again in a moment");
}

/* A game between engines goes on only while a client looks at it. */
static bool is_watched(const KnSession *session)
{
    return !kn_session_all_engines(session) || kn_clock_now() - session->viewed < LOOKED_SECONDS ||
           kn_events_subscribers(session->web->events, session->id, 0);
}

void kn_session_ask_engines(KnSession *session)
{
    const KnGame *game = session->cached->game;
    if (session->paused || session->trouble[0] || kn_session_over(session, NULL) || !is_watched(session))
        return;
    uint32_t movers = kn_state_movers(session->state);
    for (int role = 0; role < game->roles; role++) {
        const char *seat = session->seats[role];
        if (movers >> role & 1 && seat && strcmp(seat, KN_SEAT_HUMAN) != 0 &&
            session->chosen[role] == KN_MOVE_NONE && !session->move_tasks[role])
            ask(session, role);
    }
}
