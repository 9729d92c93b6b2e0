/* Questions to an engine: a hint, the explanation of a move, the values of all moves, an analysis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/decision.h"
#include "web/guard.h"
#include "web/position_search.h"

enum { ADVICE_MAX = 64 };
static const double HINT_SECONDS = 3, VALUES_SECONDS = 1;

/* A client's question, answered by one decision of one player. */
typedef struct Question {
    KnDecision decision;
    bool of_person; /* a person has the seat, and the adviser answers */
    uint64_t client, flow, kind;
    atomic_bool hurried; /* others wait: answer with what is known */
    KnPositionSearch *look;
    json_t *values;
    KnStatus status;
    KnError error;
} Question;

static void decide(void *user)
{
    Question *question = user;
    question->status = kn_decision_make(&question->decision, &question->error);
}

static void hurry(void *user) { atomic_store(&((Question *)user)->hurried, true); }

/* Runs a question's function on an engine thread, and waits for it. */
static KnStatus run_question(KnWeb *web, Question *question, void (*function)(void *user))
{
    KnPoolCall call = {.function = function,
                       .hurry = hurry,
                       .user = question,
                       .client = question->client,
                       .flow = question->flow,
                       .kind = question->kind,
                       .timeout = KN_WEB_PATIENCE};
    KnStatus status = kn_thread_pool_call(web->engines, &call, &question->error);
    kn_decision_release(&question->decision);
    return status == KN_OK ? question->status : status;
}

const char *kn_session_adviser(const KnSession *session)
{
    const json_t *levels = kn_web_by_game(session->web->levels, session->cached);
    const char *spec =
        json_string_value(json_object_get(json_array_get(levels, json_array_size(levels) - 1), "spec"));
    return spec ? spec : "random";
}

/* A role that has the move: `asked`, or with -1 the first. -1 if there is none. */
static int deciding_role(const KnSession *session, const KnState *state, long asked)
{
    const KnGame *game = session->cached->game;
    uint32_t movers = kn_state_movers(state);
    for (int role = 0; role < game->roles; role++)
        if (movers >> role & 1 && role != game->nature && (asked < 0 || asked == role)) return role;
    return -1;
}

/* The engine to ask at a ply: the one that made the move there (`made`), else the one on the seat; NULL for a
 * person. */
static const char *engine_at(const KnSession *session, size_t ply, int role, bool made)
{
    const char *seat = made ? kn_session_seat_at(session, ply, role) : session->seats[role];
    return seat && strcmp(seat, KN_SEAT_HUMAN) != 0 ? seat : NULL;
}

/* Copies the game state at a ply for a question. On failure false, with the reply written. */
static bool prepare_question(KnSession *session, size_t ply, long role, const char *spec, bool made,
                             Question *question, KnHttpReply *reply)
{
    pthread_mutex_lock(&session->lock);
    KnStatus status = kn_decision_copy(&question->decision, session, ply, 0, "", &question->error);
    int decides = -1;
    if (status == KN_OK) {
        decides = deciding_role(session, question->decision.state, role);
        if (decides < 0) status = kn_fail(&question->error, KN_NO, "no player has a choice there");
    }
    if (status == KN_OK) {
        const char *by = spec ? spec : engine_at(session, ply, decides, made && ply < session->plies);
        question->of_person = !by;
        if (!by) by = kn_session_adviser(session);
        question->decision.role = decides;
        free(question->decision.spec);
        if (!(question->decision.spec = strdup(by))) status = kn_fail_memory(&question->error, "asking");
    }
    pthread_mutex_unlock(&session->lock);
    question->decision.wants = KN_WANT_EXPLANATION;
    question->decision.cancel = &question->hurried;
    question->client = atomic_load(&session->client);
    question->flow = kn_session_flow(session);
    if (status == KN_OK)
        question->kind = kn_decision_kind(question->decision.cached, question->decision.spec);
    if (status != KN_OK) kn_reply_fail(reply, &question->error, "ply");
    return status == KN_OK;
}

/* ---- one answer for a position ----
 *
 * A search with a time limit can choose another move when it is asked again. A person who asks for a hint,
 * looks at the explanation and asks again must get the same answer, so the session keeps it until the moves
 * change. */

static void advice_key(const KnDecision *decision, char *key, size_t size)
{
    snprintf(key, size, "%zu %d %s%s", kn_state_plies(decision->state), decision->role,
             decision->judges ? "judges " : "", decision->spec);
}

/* The kept answer to a question as a copy; NULL if there is none. */
static json_t *recall_advice(KnSession *session, const KnDecision *decision)
{
    char key[KN_GUARD_SPEC + 40];
    advice_key(decision, key, sizeof key);
    pthread_mutex_lock(&session->lock);
    json_t *kept = json_object_get(session->advice, key), *copy = kept ? json_copy(kept) : NULL;
    pthread_mutex_unlock(&session->lock);
    return copy;
}

static void keep_advice(KnSession *session, const KnDecision *decision, const json_t *document)
{
    char key[KN_GUARD_SPEC + 40];
    advice_key(decision, key, sizeof key);
    pthread_mutex_lock(&session->lock);
    if (json_object_size(session->advice) >= ADVICE_MAX) json_object_clear(session->advice);
    json_object_set_new(session->advice, key, json_copy((json_t *)document));
    pthread_mutex_unlock(&session->lock);
}

/* Answers the question on an engine thread. */
static bool ask(KnWeb *web, Question *question, KnHttpReply *reply)
{
    KnStatus status = run_question(web, question, decide);
    if (status != KN_OK) kn_reply_fail(reply, &question->error, NULL);
    return status == KN_OK;
}

/* The decision as JSON: the kept answer, or a new one, which is kept. NULL with the reply written. */
static json_t *advise(KnWeb *web, KnSession *session, Question *question, KnHttpReply *reply)
{
    KnDecision *decision = &question->decision;
    json_t *document = recall_advice(session, decision);
    if (document) return document;
    if (decision->seconds > HINT_SECONDS) decision->seconds = HINT_SECONDS;
    if (!ask(web, question, reply)) return NULL;
    document = kn_decision_json(decision);
    if (decision->judges) kn_decision_add_verdict(decision, document);
    keep_advice(session, decision, document);
    return document;
}

/* Judges a person's move. The judge stands by what it has recommended in this position, and recommends
 * afterwards what it has judged by. */
static json_t *judge(KnWeb *web, KnSession *session, Question *question, KnMove made, KnHttpReply *reply)
{
    KnDecision *decision = &question->decision;
    const KnGame *game = decision->cached->game;
    json_t *kept = recall_advice(session, decision);
    KnError error;
    decision->has_preferred = kept &&
                              kn_game_parse_move(game, kn_state_position(decision->state), decision->role,
                                                 json_string_value(json_object_get(kept, "move")),
                                                 &decision->preferred, &error) == KN_OK;
    decision->judges = true;
    decision->made = made;
    json_t *document = advise(web, session, question, reply);
    if (document && !kept && decision->judgement.own) {
        KnExplanation *about = decision->answer.explanation;
        decision->judges = false;
        decision->answer.explanation = decision->judgement.own;
        json_t *advice = kn_decision_json(decision);
        keep_advice(session, decision, advice);
        json_decref(advice);
        decision->answer.explanation = about;
    }
    json_decref(kept);
    return document;
}

static void hint(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double ply, role;
    const char *spec;
    if (!kn_call_number(call, "ply", false, 0, KN_WEB_PLIES, -1, &ply, reply) ||
        !kn_call_number(call, "role", false, 0, KN_ROLES_MAX - 1, -1, &role, reply) ||
        !kn_call_text(call, "spec", false, 4000, &spec, reply))
        return;
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    Question question = {.decision = {0}};
    pthread_mutex_lock(&session->lock);
    size_t now = kn_state_plies(session->state);
    pthread_mutex_unlock(&session->lock);
    bool good = true;
    if (spec && kn_guard_player(web->context, session->cached->game, spec, &question.error) != KN_OK) {
        kn_reply_fail(reply, &question.error, "spec");
        good = false;
    } else if (ply >= 0 && (size_t)ply != now) {
        kn_reply_error(reply, 409, "ply", "the game is at ply %zu now; load it again", now);
        good = false;
    }
    if (good && prepare_question(session, now, (long)role, spec, false, &question, reply)) {
        json_t *document = advise(web, session, &question, reply);
        if (document) kn_reply_json(reply, 200, document);
    }
    kn_decision_free(&question.decision);
    kn_session_release(session);
}

/* Explains the move at a ply: the player that made it chooses again, which gives the same move, now with its
 * explanation. A person's move is judged by the adviser. */
static void why(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply, role;
    if (!kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply) ||
        !kn_call_query(call, "role", 0, KN_ROLES_MAX - 1, -1, &role, reply))
        return;
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    Question question = {.decision = {0}};
    pthread_mutex_lock(&session->lock);
    size_t plies = session->plies;
    if (ply < 0) ply = (long)kn_state_plies(session->state) - 1;
    char *played = ply >= 0 && (size_t)ply < plies ? strdup(session->annotations[ply].text) : NULL;
    KnMove joint[KN_ROLES_MAX];
    size_t roles = (size_t)session->cached->game->roles;
    if (played) memcpy(joint, session->joints + (size_t)ply * roles, roles * sizeof *joint);
    pthread_mutex_unlock(&session->lock);
    if (!played)
        kn_reply_error(reply, 422, "ply", "no move has been made at that ply; there are %zu", plies);
    else if (prepare_question(session, (size_t)ply, role, NULL, true, &question, reply)) {
        KnDecision *decision = &question.decision;
        json_t *document = NULL;
        if (question.of_person)
            document = judge(web, session, &question, joint[decision->role], reply);
        else if (ask(web, &question, reply))
            document = kn_decision_json(decision);
        if (document) {
            const char *made = kn_game_move_name(decision->cached->game, kn_state_position(decision->state),
                                                 joint[decision->role], decision->arena);
            json_t *chosen = json_incref(json_object_get(document, "move"));
            json_object_set_new(document, "same",
                                json_boolean(made && strcmp(made, json_string_value(chosen)) == 0));
            json_object_set_new(document, "chosen", chosen);
            json_object_set_new(document, "move", json_string(played));
            kn_reply_json(reply, 200, document);
        }
    }
    free(played);
    kn_decision_free(&question.decision);
    kn_session_release(session);
}

/* ---- values of all moves ---- */

static bool keep_values(void *user, const KnSearchResult *so_far)
{
    Question *question = user;
    json_decref(question->values);
    question->values = kn_position_search_json(question->look, so_far);
    return true;
}

static void evaluate(void *user)
{
    Question *question = user;
    KnDecision *decision = &question->decision;
    question->status = kn_position_search_open(decision->web->cache, decision->web->context, decision->cached,
                                               decision->state, decision->role, &question->look,
                                               &question->error);
    if (question->status == KN_OK)
        question->status = kn_position_search_run(question->look, (KnBudget){.seconds = decision->seconds},
                                                  &question->hurried, keep_values, question,
                                                  &question->error);
    kn_position_search_close(question->look);
    question->look = NULL;
}

static void values(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply, role;
    if (!kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply) ||
        !kn_call_query(call, "role", 0, KN_ROLES_MAX - 1, -1, &role, reply))
        return;
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    Question question = {.decision = {0}};
    pthread_mutex_lock(&session->lock);
    size_t plies = session->plies, at = ply < 0 ? kn_state_plies(session->state) : (size_t)ply;
    pthread_mutex_unlock(&session->lock);
    if (at > plies)
        kn_reply_error(reply, 422, "ply", "ply %2$zu does not exist; the game has %1$zu plies", plies, at);
    else if (prepare_question(session, at, role, NULL, false, &question, reply)) {
        if (question.decision.seconds > VALUES_SECONDS) question.decision.seconds = VALUES_SECONDS;
        KnStatus status = run_question(web, &question, evaluate);
        if (status != KN_OK)
            kn_reply_fail(reply, &question.error, NULL);
        else if (!question.values)
            kn_reply_error(reply, 503, NULL, "the search found no value within %g s", VALUES_SECONDS);
        else {
            json_object_set_new(question.values, "ply", json_integer((json_int_t)at));
            kn_reply_json(reply, 200, json_incref(question.values));
        }
    }
    json_decref(question.values);
    kn_decision_free(&question.decision);
    kn_session_release(session);
}

/* ---- analysis ---- */

/* The number of running analyses. The caller holds the lock of KnWeb. */
static int analyses(const KnWeb *web)
{
    int count = 0;
    for (const KnSession *s = web->sessions; s; s = s->next)
        count += atomic_load(&s->analysing) && kn_events_subscribers(web->events, s->id, 0);
    return count;
}

/* The canonical spec of the analysing player. Opens it once, so that an impossible one is refused at once. */
static KnStatus choose_analyst(KnSession *session, const char *spec, char **analyst, KnError *error)
{
    KnWeb *web = session->web;
    KnPlayer *player = NULL;
    KnStatus status = kn_guard_player(web->context, session->cached->game, spec, error);
    if (status == KN_OK) status = kn_player_cache_acquire(web->cache, session->cached, spec, &player, error);
    if (status == KN_OK && player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_INPUT, "a person cannot analyse here");
    if (status == KN_OK && !(*analyst = strdup(player->spec)))
        status = kn_fail_memory(error, "choosing an analyst");
    kn_player_cache_release(web->cache, session->cached, player);
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
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    char *analyst = NULL;
    if (spec && choose_analyst(session, spec, &analyst, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "spec");
        kn_session_release(session);
        return;
    }
    pthread_mutex_lock(&web->lock);
    bool full = on && !atomic_load(&session->analysing) && analyses(web) >= KN_WEB_ANALYSES;
    if (!full) atomic_store(&session->analysing, on);
    pthread_mutex_unlock(&web->lock);
    if (full) free(analyst);
    if (full)
        kn_reply_error(reply, 429, NULL,
                       "%d analyses are running, which is the limit of this server; stop one first",
                       KN_WEB_ANALYSES);
    else {
        pthread_mutex_lock(&session->lock);
        if (!on || session->analysis) kn_session_stop_analysis(session);
        free(session->analyst);
        session->analyst = analyst;
        if (on) kn_session_start_analysis(session);
        json_t *view = kn_session_view(session, -1);
        pthread_mutex_unlock(&session->lock);
        kn_reply_json(reply, 200, view);
    }
    kn_session_release(session);
}

const KnRoute kn_routes_questions[] = {
    {"POST", "sessions/*/hint", hint, KN_WEB_BODY},
    {"GET", "sessions/*/why", why, 0},
    {"GET", "sessions/*/values", values, 0},
    {"POST", "sessions/*/analyse", analyse, KN_WEB_BODY},
    {0},
};
