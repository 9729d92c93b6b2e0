/* Analysis that goes on while somebody looks: deeper and deeper, in slices, so that several share a few
 * threads of low priority. It ends with the position (a move, undo), when it is switched off, and when nobody
 * listens any more.
 *
 * It is a plain search, or some player's: then that is asked with twice the time again and again, until it
 * does not need it. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "web/deciding.h"
#include "web/look.h"

static const double SLICE_SECONDS = 1.0, FIRST_SECONDS = 0.25, LAST_SECONDS = 16;

/* Held by the sitting's slot and by the pool. */
typedef struct KnAnalysis {
    KnJob job;
    KnSitting *sitting; /* held */
    char *player;       /* whose it is; NULL: plain search */
    double seconds;     /* that it is given next */
    KnLook *look;       /* made by the first slice of a plain search */
    KnContest *contest; /* until then */
    KnShown *shown;     /* held */
    int role;
    size_t ply;
    int depth; /* told so far */
    bool finished;
    double slice; /* when it began */
    atomic_bool cancel;
    atomic_int refs;
} KnAnalysis;

static void release(KnAnalysis *analysis)
{
    if (atomic_fetch_sub(&analysis->refs, 1) > 1) return;
    KnWeb *web = analysis->sitting->web;
    free(analysis->player);
    kn_look_close(analysis->look);
    kn_contest_free(analysis->contest);
    kn_shelf_return(web->shelf, analysis->shown);
    kn_sitting_release(analysis->sitting);
    free(analysis);
}

static bool is_heard(const KnAnalysis *analysis)
{
    return kn_events_hearing(analysis->sitting->web->events, analysis->sitting->id, 0) > 0;
}

static bool after_depth(void *user, const KnSearchResult *so_far)
{
    KnAnalysis *analysis = user;
    KnWeb *web = analysis->sitting->web;
    if (atomic_load(&analysis->cancel) || !is_heard(analysis)) return false;
    if (so_far->depth >
        analysis->depth) { /* a later slice finds the first depths again, at once, from its table */
        analysis->depth = so_far->depth;
        json_t *event = kn_look_json(analysis->look, so_far);
        json_object_set_new(event, "contest", json_string(analysis->sitting->id));
        json_object_set_new(event, "ply", json_integer((json_int_t)analysis->ply));
        kn_events_tell(web->events, analysis->sitting->id, 0, "analysis", "", 0, event);
        json_decref(event);
    }
    analysis->finished = so_far->completed && so_far->depth >= KN_SEARCH_DEPTH_MAX;
    return !(kn_clock_now() - analysis->slice > SLICE_SECONDS && kn_work_waiting(web->analysts));
}

static void tell_end(KnAnalysis *analysis, const char *why)
{
    json_t *event = json_pack("{ss sI sb ss}", "contest", analysis->sitting->id, "ply",
                              (json_int_t)analysis->ply, "ended", 1, "why", why);
    kn_events_tell(analysis->sitting->web->events, analysis->sitting->id, 0, "analysis", "end", 0, event);
    json_decref(event);
}

/* The line that a reason tells, if it tells one. */
static const char *line_of(const KnReason *reason)
{
    for (const KnReason *child = reason ? reason->first : NULL; child; child = child->next)
        if (child->kind == KN_REASON_LINE && child->text) return child->text;
    return "";
}

/* One slice of a player's analysis; finished when it took less than half of what it was given. */
static KnStatus ask_player(KnAnalysis *analysis, KnError *error)
{
    KnWeb *web = analysis->sitting->web;
    KnDecision decision = {.web = web,
                           .shown = analysis->shown,
                           .contest = analysis->contest,
                           .role = analysis->role,
                           .spec = analysis->player,
                           .seed = analysis->sitting->seed,
                           .seconds = analysis->seconds,
                           .wants = KN_WANT_REASON,
                           .cancel = &analysis->cancel,
                           .arena = kn_arena_new()};
    double started = kn_clock_now();
    KnStatus status = decision.arena ? kn_decision_make(&decision, error)
                                     : kn_fail_memory(error, "analysing");
    double seconds = kn_clock_now() - started;
    if (status == KN_OK && !atomic_load(&analysis->cancel)) {
        json_t *event = kn_decision_json(&decision);
        json_object_set_new(event, "contest", json_string(analysis->sitting->id));
        json_object_set_new(event, "line", json_string(line_of(decision.answer.reason)));
        json_object_set_new(event, "depth", json_integer(decision.answer.depth));
        json_object_set_new(event, "nodes", json_integer((json_int_t)decision.answer.cost.nodes));
        json_object_set_new(event, "seconds", json_real(seconds));
        kn_events_tell(web->events, analysis->sitting->id, 0, "analysis", "", 0, event);
        json_decref(event);
    }
    kn_arena_free(decision.arena);
    analysis->finished = seconds < analysis->seconds / 2 || analysis->seconds >= LAST_SECONDS;
    analysis->seconds *= 2;
    return status;
}

static void run_player(KnAnalysis *analysis)
{
    KnError error;
    KnStatus status = atomic_load(&analysis->cancel) || !is_heard(analysis) ? KN_STOPPED
                                                                            : ask_player(analysis, &error);
    if (status == KN_OK && !atomic_load(&analysis->cancel) && !analysis->finished && is_heard(analysis)) {
        analysis->job.due = 0;
        if (kn_work_submit(analysis->sitting->web->analysts, &analysis->job)) return;
    } else if (status != KN_STOPPED && !atomic_load(&analysis->cancel))
        tell_end(analysis, status == KN_OK ? "done" : error.text);
    if (!is_heard(analysis)) atomic_store(&analysis->sitting->analysing, false);
    release(analysis);
}

static void run(KnJob *job)
{
    KnAnalysis *analysis = (KnAnalysis *)job;
    KnWeb *web = analysis->sitting->web;
    KnError error;
    KnStatus status = KN_OK;
    if (analysis->player) {
        run_player(analysis);
        return;
    }
    if (!atomic_load(&analysis->cancel) && !analysis->look)
        status = kn_look_open(web->shelf, web->context, analysis->shown, analysis->contest, analysis->role,
                              &analysis->look, &error);
    analysis->slice = kn_clock_now();
    int before = analysis->depth;
    if (status == KN_OK && analysis->look)
        status = kn_look_run(analysis->look, (KnBudget){.seconds = 30}, &analysis->cancel, after_depth,
                             analysis, &error);
    bool again = status == KN_OK && !atomic_load(&analysis->cancel) && is_heard(analysis) &&
                 !analysis->finished;
    bool others = kn_work_waiting(web->analysts) > 0;
    if (again && !others && analysis->depth == before)
        again = false; /* all found, or half a minute without a further depth */
    if (again) {
        analysis->job.due = 0;
        if (kn_work_submit(web->analysts, &analysis->job)) return;
    } else if (!atomic_load(&analysis->cancel))
        tell_end(analysis, status == KN_OK ? "done" : error.text);
    if (!is_heard(analysis))
        atomic_store(&analysis->sitting->analysing,
                     false); /* nobody looks: it does not begin again by itself */
    release(analysis);
}

static void drop(KnJob *job) { release((KnAnalysis *)job); }

void kn_sitting_stop_analysis(KnSitting *sitting)
{
    KnAnalysis *analysis = sitting->analysis;
    if (!analysis) return;
    sitting->analysis = NULL;
    atomic_store(&analysis->cancel, true);
    if (kn_work_withdraw(sitting->web->analysts, &analysis->job)) release(analysis);
    release(analysis);
}

void kn_sitting_start_analysis(KnSitting *sitting)
{
    const KnGame *game = sitting->shown->game;
    uint32_t movers = kn_contest_movers(sitting->contest);
    int role = 0;
    while (role < game->roles && (role == game->nature || !(movers >> role & 1))) role++;
    if (role == game->roles || kn_sitting_over(sitting, NULL)) return;
    KnAnalysis *analysis = calloc(1, sizeof *analysis);
    KnContest *copy = analysis ? kn_contest_new(game) : NULL;
    char *player = copy && sitting->analyst ? strdup(sitting->analyst) : NULL;
    if (!copy || (sitting->analyst && !player)) {
        kn_contest_free(copy);
        free(analysis);
        return;
    }
    analysis->player = player;
    analysis->seconds = FIRST_SECONDS;
    kn_contest_reset(copy, kn_contest_position_at(sitting->contest, 0));
    size_t plies = kn_contest_plies(sitting->contest);
    for (size_t ply = 0; ply < plies; ply++)
        if (kn_contest_play_joint(copy, kn_contest_joint_at(sitting->contest, ply), NULL) != KN_OK) break;
    kn_sitting_hold(sitting);
    kn_shelf_keep(sitting->web->shelf, sitting->shown);
    analysis->job = (KnJob){.run = run, .drop = drop};
    analysis->sitting = sitting;
    analysis->shown = sitting->shown;
    analysis->contest = copy;
    analysis->role = role;
    analysis->ply = plies;
    atomic_store(&analysis->refs, 2);
    sitting->analysis = analysis;
    if (kn_work_submit(sitting->web->analysts, &analysis->job)) return;
    sitting->analysis = NULL;
    release(analysis);
    release(analysis);
}
