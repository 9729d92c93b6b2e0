/* Engines at a sitting: who has the move is asked on an engine's thread, and what comes back too late is
 * dropped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "web/deciding.h"

enum { LOOKED_SECONDS = 60 };

/* One engine thinking about one move. Held by the sitting's slot and by the pool. */
typedef struct KnThinking {
    KnJob job;
    KnSitting *sitting; /* held */
    int role;
    atomic_bool cancel;
    atomic_int refs;
} KnThinking;

static void thinking_release(KnThinking *thinking)
{
    if (atomic_fetch_sub(&thinking->refs, 1) > 1) return;
    kn_sitting_release(thinking->sitting);
    free(thinking);
}

/* With the lock held: whether this is still what the sitting waits for. */
static bool is_current(const KnThinking *thinking)
{
    return thinking->sitting->thinking[thinking->role] == thinking;
}

/* With the lock held. */
static void accept(KnThinking *thinking, const KnAnswer *answer)
{
    KnSitting *sitting = thinking->sitting;
    const KnGame *game = sitting->shown->game;
    KnError error;
    sitting->thinking[thinking->role] = NULL;
    thinking_release(thinking); /* the pool's reference is still there */
    sitting->chosen[thinking->role] = answer->move;
    sitting->has_score = answer->has_score && (thinking->role == 0 || game->traits & KN_GAME_ZERO_SUM);
    sitting->score = thinking->role == 0 ? answer->score : -answer->score;
    if (kn_sitting_chosen(sitting, &error) != KN_OK)
        snprintf(sitting->trouble, sizeof sitting->trouble, "%.500s", error.text);
}

static void complain(KnThinking *thinking, const KnError *error)
{
    KnSitting *sitting = thinking->sitting;
    KnError ignored;
    snprintf(sitting->trouble, sizeof sitting->trouble, "%s did not move: %.400s",
             sitting->seats[thinking->role], error->text);
    kn_sitting_changed(sitting, &ignored);
}

static void think(KnJob *job)
{
    KnThinking *thinking = (KnThinking *)job;
    KnSitting *sitting = thinking->sitting;
    KnDecision decision = {0};
    KnError error;
    pthread_mutex_lock(&sitting->lock);
    bool wanted = is_current(thinking);
    KnStatus status = KN_STOPPED;
    if (wanted) {
        size_t ply = kn_contest_plies(sitting->contest);
        status = kn_decision_copy(&decision, sitting, ply, thinking->role, sitting->seats[thinking->role],
                                  &error);
        json_t *event = json_pack("{ss si sI}", "contest", sitting->id, "role", thinking->role, "ply",
                                  (json_int_t)ply);
        kn_events_tell(sitting->web->events, sitting->id, 0, "thinking", "", 0, event);
        json_decref(event);
    }
    pthread_mutex_unlock(&sitting->lock);
    decision.cancel = &thinking->cancel;
    if (status == KN_OK) status = kn_decision_make(&decision, &error);
    pthread_mutex_lock(&sitting->lock);
    if (is_current(thinking)) {
        if (status == KN_OK)
            accept(thinking, &decision.answer);
        else
            complain(thinking, &error);
    }
    pthread_mutex_unlock(&sitting->lock);
    kn_decision_free(&decision);
    thinking_release(thinking);
}

static void think_not(KnJob *job) { thinking_release((KnThinking *)job); }

void kn_sitting_stop_thinking(KnSitting *sitting)
{
    for (int role = 0; role < KN_ROLES_MAX; role++) {
        KnThinking *thinking = sitting->thinking[role];
        if (!thinking) continue;
        sitting->thinking[role] = NULL;
        atomic_store(&thinking->cancel, true);
        if (kn_work_withdraw(sitting->web->engines, &thinking->job)) thinking_release(thinking);
        thinking_release(thinking);
    }
}

static void ask(KnSitting *sitting, int role)
{
    KnThinking *thinking = calloc(1, sizeof *thinking);
    if (!thinking) return;
    kn_sitting_hold(sitting);
    thinking->job = (KnJob){
        .run = think, .drop = think_not, .due = sitting->delay > 0 ? sitting->moved + sitting->delay : 0};
    thinking->sitting = sitting;
    thinking->role = role;
    atomic_store(&thinking->refs, 2);
    sitting->thinking[role] = thinking;
    if (kn_work_submit(sitting->web->engines, &thinking->job)) return;
    sitting->thinking[role] = NULL;
    thinking_release(thinking);
    thinking_release(thinking);
    snprintf(sitting->trouble, sizeof sitting->trouble,
             "every engine is busy; press pause and go on, or wait");
}

/* Engines among themselves play on only while somebody looks. */
static bool is_watched(const KnSitting *sitting)
{
    return !kn_sitting_all_engines(sitting) || kn_clock_now() - sitting->looked < LOOKED_SECONDS ||
           kn_events_hearing(sitting->web->events, sitting->id, 0);
}

void kn_sitting_wake(KnSitting *sitting)
{
    const KnGame *game = sitting->shown->game;
    if (sitting->paused || sitting->trouble[0] || kn_sitting_over(sitting, NULL) || !is_watched(sitting))
        return;
    uint32_t movers = kn_contest_movers(sitting->contest);
    for (int role = 0; role < game->roles; role++) {
        const char *seat = sitting->seats[role];
        if (movers >> role & 1 && seat && strcmp(seat, KN_SEAT_HUMAN) != 0 &&
            sitting->chosen[role] == KN_MOVE_NONE && !sitting->thinking[role])
            ask(sitting, role);
    }
}
