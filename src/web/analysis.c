/* Analysis of the current position while somebody listens: iterative deepening in time slices, so that
 * several analyses share a few threads of low priority. It ends when the position changes, when it is
 * switched off, and when nobody listens any more. Either plain search analyses, or a player, which is asked
 * again and again with twice the time until it needs less. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "web/decision.h"
#include "web/position_search.h"

static const double SLICE_SECONDS = 1.0, FIRST_SECONDS = 0.25, LAST_SECONDS = 16, STRETCH_SECONDS = 4;

/* Referred to by the session's slot and by the pool. */
typedef struct KnAnalysis {
    KnPoolTask job;
    KnSession *session;     /* held */
    char *player;           /* spec of the analysing player; NULL: plain search */
    double seconds;         /* that it is given next */
    KnPositionSearch *look; /* opened by the first slice of a plain search */
    KnState *state;         /* until then */
    KnCachedGame *cached;   /* held */
    int role;
    size_t ply;
    int depth; /* told so far */
    bool finished;
    double slice;   /* when it began */
    double stretch; /* seconds that one may take */
    atomic_bool cancel;
    atomic_int refs;
} KnAnalysis;

static void release(KnAnalysis *analysis)
{
    if (atomic_fetch_sub(&analysis->refs, 1) > 1) return;
    KnWeb *web = analysis->session->web;
    free(analysis->player);
    kn_position_search_close(analysis->look);
    kn_state_free(analysis->state);
    kn_player_cache_release_game(web->cache, analysis->cached);
    kn_session_release(analysis->session);
    free(analysis);
}

static bool is_heard(const KnAnalysis *analysis)
{
    return kn_events_subscribers(analysis->session->web->events, analysis->session->id, 0) > 0;
}

static bool after_depth(void *user, const KnSearchResult *so_far)
{
    KnAnalysis *analysis = user;
    KnWeb *web = analysis->session->web;
    if (atomic_load(&analysis->cancel) || !is_heard(analysis)) return false;
    if (so_far->depth >
        analysis->depth) { /* a later slice gets the first depths from the transposition table at once */
        analysis->depth = so_far->depth;
        json_t *event = kn_position_search_json(analysis->look, so_far);
        json_object_set_new(event, "session", json_string(analysis->session->id));
        json_object_set_new(event, "ply", json_integer((json_int_t)analysis->ply));
        kn_events_publish(web->events, analysis->session->id, 0, "analysis", "", 0, event);
        json_decref(event);
    }
    analysis->finished = so_far->completed && so_far->depth >= KN_SEARCH_DEPTH_MAX;
    return !(kn_clock_now() - analysis->slice > SLICE_SECONDS && kn_thread_pool_waiting(web->analysts));
}

static void tell_end(KnAnalysis *analysis, const char *why)
{
    json_t *event = json_pack("{ss sI sb ss}", "session", analysis->session->id, "ply",
                              (json_int_t)analysis->ply, "ended", 1, "why", why);
    kn_events_publish(analysis->session->web->events, analysis->session->id, 0, "analysis", "end", 0, event);
    json_decref(event);
}

/* The principal variation in an explanation, if it has one. */
static const char *line_of(const KnExplanation *explanation)
{
    for (const KnExplanation *child = explanation ? explanation->first : NULL; child; child = child->next)
        if (child->kind == KN_EXPLANATION_LINE && child->text) return child->text;
    return "";
}

/* One slice of a player's analysis; finished when the player used less than half of its time. */
static KnStatus ask_player(KnAnalysis *analysis, KnError *error)
{
    KnWeb *web = analysis->session->web;
    KnDecision decision = {.web = web,
                           .cached = analysis->cached,
                           .state = analysis->state,
                           .role = analysis->role,
                           .spec = analysis->player,
                           .seed = analysis->session->seed,
                           .seconds = analysis->seconds,
                           .wants = KN_WANT_EXPLANATION,
                           .cancel = &analysis->cancel,
                           .arena = kn_arena_new()};
    double started = kn_clock_now();
    KnStatus status = decision.arena ? kn_decision_make(&decision, error)
                                     : kn_fail_memory(error, "analysing");
    double seconds = kn_clock_now() - started;
    kn_decision_release(&decision);
    if (status == KN_OK && !atomic_load(&analysis->cancel)) {
        json_t *event = kn_decision_json(&decision);
        json_object_set_new(event, "session", json_string(analysis->session->id));
        json_object_set_new(event, "line", json_string(line_of(decision.answer.explanation)));
        json_object_set_new(event, "depth", json_integer(decision.answer.depth));
        json_object_set_new(event, "nodes", json_integer((json_int_t)decision.answer.cost.nodes));
        json_object_set_new(event, "seconds", json_real(seconds));
        kn_events_publish(web->events, analysis->session->id, 0, "analysis", "", 0, event);
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
        if (kn_thread_pool_submit(analysis->session->web->analysts, &analysis->job)) return;
    } else if (status != KN_STOPPED && !atomic_load(&analysis->cancel))
        tell_end(analysis, status == KN_OK ? "done" : error.text);
    if (!is_heard(analysis)) atomic_store(&analysis->session->analysing, false);
    release(analysis);
}

static void run(KnPoolTask *job)
{
    KnAnalysis *analysis = (KnAnalysis *)job;
    KnWeb *web = analysis->session->web;
    KnError error;
    KnStatus status = KN_OK;
    if (analysis->player) {
        run_player(analysis);
        return;
    }
    if (!atomic_load(&analysis->cancel) && !analysis->look)
        status = kn_position_search_open(web->cache, web->context, analysis->cached, analysis->state,
                                         analysis->role, &analysis->look, &error);
    analysis->slice = kn_clock_now();
    int before = analysis->depth;
    if (status == KN_OK && analysis->look)
        status = kn_position_search_run(analysis->look, (KnBudget){.seconds = analysis->stretch},
                                        &analysis->cancel, after_depth, analysis, &error);
    bool again = status == KN_OK && !atomic_load(&analysis->cancel) && is_heard(analysis) &&
                 !analysis->finished;
    bool others = kn_thread_pool_waiting(web->analysts) > 0;
    if (again && !others && analysis->depth == before) {
        /* Solved, or long without another depth. A stretch that was cut short is tried again with more. */
        again = analysis->stretch < STRETCH_SECONDS &&
                kn_clock_now() - analysis->slice > analysis->stretch / 2;
        analysis->stretch *= 2;
    }
    if (again) {
        analysis->job.due = 0;
        if (kn_thread_pool_submit(web->analysts, &analysis->job)) return;
    } else if (!atomic_load(&analysis->cancel))
        tell_end(analysis, status == KN_OK ? "done" : error.text);
    if (!is_heard(analysis))
        atomic_store(&analysis->session->analysing, false); /* nobody listens: it does not restart */
    release(analysis);
}

static void drop(KnPoolTask *job) { release((KnAnalysis *)job); }

void kn_session_stop_analysis(KnSession *session)
{
    KnAnalysis *analysis = session->analysis;
    if (!analysis) return;
    session->analysis = NULL;
    atomic_store(&analysis->cancel, true);
    if (kn_thread_pool_withdraw(session->web->analysts, &analysis->job)) release(analysis);
    release(analysis);
}

void kn_session_start_analysis(KnSession *session)
{
    const KnGame *game = session->cached->game;
    uint32_t movers = kn_state_movers(session->state);
    int role = 0;
    while (role < game->roles && (role == game->nature || !(movers >> role & 1))) role++;
    if (role == game->roles || kn_session_over(session, NULL)) return;
    KnAnalysis *analysis = calloc(1, sizeof *analysis);
    KnState *copy = analysis ? kn_state_new(game) : NULL;
    char *player = copy && session->analyst ? strdup(session->analyst) : NULL;
    if (!copy || (session->analyst && !player)) {
        kn_state_free(copy);
        free(analysis);
        return;
    }
    analysis->player = player;
    analysis->seconds = FIRST_SECONDS;
    analysis->stretch = kn_thread_pool_stretch(session->web->analysts);
    kn_state_reset(copy, kn_state_position_at(session->state, 0));
    size_t plies = kn_state_plies(session->state);
    for (size_t ply = 0; ply < plies; ply++)
        if (kn_state_play_joint(copy, kn_state_joint_at(session->state, ply), NULL) != KN_OK) break;
    kn_session_retain(session);
    kn_player_cache_retain_game(session->web->cache, session->cached);
    analysis->job = (KnPoolTask){
        .run = run, .drop = drop, .client = atomic_load(&session->client), .flow = kn_session_flow(session)};
    analysis->session = session;
    analysis->cached = session->cached;
    analysis->state = copy;
    analysis->role = role;
    analysis->ply = plies;
    atomic_store(&analysis->refs, 2);
    session->analysis = analysis;
    if (kn_thread_pool_submit(session->web->analysts, &analysis->job)) return;
    session->analysis = NULL;
    release(analysis);
    release(analysis);
}
