/* The review of a game: the chances move by move, where they turned, and three moments to learn from.
 *
 * The strongest level looks at every position twice: for its own choice, and with the move that was made as
 * the only one. Both searches get the same number of positions, so the difference is that of the moves.
 * Scores become chances by a fixed curve (chance_of), the same for all games: a picture, not a measurement.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/math.h"
#include "web/decision.h"

enum { NODES = 20000, JUDGE_NODES = 60000, MOMENTS = 3, MOST_PLIES = 400 };
static const double SECONDS = 8;   /* for all positions */
static const double LOWEST = 0.03; /* a loss of chances that is worth a look */

typedef struct Moment {
    size_t ply;
    double drop;
    bool person;
} Moment;

typedef struct Review {
    KnDecision decision;
    atomic_bool hurried;
    bool *person; /* by ply: whether a person moved */
    json_t *rows, *turning, *moments;
    double deadline;
    Moment worst[MOST_PLIES];
    int count;
    KnStatus status;
    KnError error;
} Review;

static double chance_of(const KnAnswer *answer)
{
    return kn_curve_chance(answer->score, answer->payoffs, answer->log_odds);
}

static const char *quality(double drop, bool best)
{
    KnMoveQuality made = best            ? KN_QUALITY_BEST
                         : drop < LOWEST ? KN_QUALITY_GOOD
                         : drop < 0.1    ? KN_QUALITY_INACCURATE
                         : drop < 0.25   ? KN_QUALITY_MISTAKE
                                         : KN_QUALITY_BLUNDER;
    return kn_move_quality_name(made);
}

static KnRequest request_at(Review *review, const KnState *state, int role, KnMove *moves, KnRng *rng)
{
    return (KnRequest){.game = review->decision.cached->game,
                       .position = kn_state_position(state),
                       .history = kn_state_history(state),
                       .role = role,
                       .allowed = moves,
                       .allowed_count = kn_state_moves(state, role, moves),
                       .budget = {.nodes = NODES, .seconds = 0.5, .cap = true},
                       .rng = rng,
                       .cancel = &review->hurried,
                       .arena = review->decision.arena};
}

/* Looks at one position and the move made there. */
static KnStatus look(Review *review, const KnState *state, size_t ply, KnMove made, KnMove *moves,
                     KnError *error)
{
    KnPlayer *player = review->decision.player;
    const KnGame *game = review->decision.cached->game;
    int role = kn_state_mover(state);
    KnRng rng = kn_rng_stream(review->decision.seed, ply);
    KnRequest request = request_at(review, state, role, moves, &rng);
    KnAnswer best = {0}, second = {0};
    KnStatus status = kn_player_replay(player, role, state, error);
    if (status == KN_OK) status = kn_player_choose(player, &request, &best, error);
    bool same = best.move == made;
    if (status == KN_OK && !same) {
        request.allowed = &made;
        request.allowed_count = 1;
        status = kn_player_choose(player, &request, &second, error);
    }
    if (status != KN_OK) return status;
    if (!best.has_score || (!same && !second.has_score)) return KN_OK; /* nothing to compare */
    double chance = chance_of(same ? &best : &second), drop = same ? 0 : fmax(0, chance_of(&best) - chance);
    json_t *row = json_pack("{sI si ss ss sf sf ss}", "ply", (json_int_t)ply, "role", role, "move",
                            kn_game_move_name(game, request.position, made, review->decision.arena), "best",
                            kn_game_move_name(game, request.position, best.move, review->decision.arena),
                            "chance", role == 0 ? chance : 1 - chance, "drop", drop, "verdict",
                            quality(drop, same));
    if (!row || json_array_append_new(review->rows, row) != 0)
        return kn_fail_memory(error, "reviewing a game");
    if (drop >= LOWEST) review->worst[review->count++] = (Moment){ply, drop, review->person[ply]};
    return KN_OK;
}

static int larger_drop(const void *a, const void *b)
{
    const Moment *x = a, *y = b;
    return x->drop != y->drop ? (x->drop < y->drop) - (x->drop > y->drop)
                              : (x->ply > y->ply) - (x->ply < y->ply);
}

/* The judgement of a move in words. */
static KnStatus judge(Review *review, size_t ply, KnMove *moves, KnError *error)
{
    const KnState *whole = review->decision.state;
    KnState *state = kn_state_new(review->decision.cached->game);
    if (!state) return kn_fail_memory(error, "reviewing a game");
    kn_state_reset(state, kn_state_position_at(whole, 0));
    KnStatus status = KN_OK;
    for (size_t i = 0; i < ply && status == KN_OK; i++)
        status = kn_state_play_joint(state, kn_state_joint_at(whole, i), error);
    int role = kn_state_mover(state);
    KnRng rng = kn_rng_stream(review->decision.seed, ply);
    KnRequest request = request_at(review, state, role, moves, &rng);
    request.budget.nodes = JUDGE_NODES;
    request.wants = KN_WANT_EXPLANATION;
    KnAnswer answer = {0};
    KnJudgement judgement;
    if (status == KN_OK) status = kn_player_replay(review->decision.player, role, state, error);
    if (status == KN_OK)
        status = kn_judge_move(review->decision.player, &request, kn_state_joint_at(whole, ply)[role],
                               &answer, &judgement, error);
    if (status == KN_OK && answer.explanation && judgement.quality >= KN_QUALITY_INACCURATE)
        json_array_append_new(review->moments, json_pack("{sI so}", "ply", (json_int_t)ply, "reason",
                                                         kn_explanation_json(answer.explanation)));
    kn_state_free(state);
    return status;
}

/* The three largest losses of chances in the order of the game, and those of a person in words. */
static KnStatus choose_moments(Review *review, KnMove *moves, KnError *error)
{
    KnStatus status = KN_OK;
    bool people = false;
    for (int i = 0; i < review->count; i++) people = people || review->worst[i].person;
    qsort(review->worst, (size_t)review->count, sizeof *review->worst, larger_drop);
    for (int i = 0; i < review->count && i < MOMENTS; i++)
        json_array_append_new(review->turning, json_integer((json_int_t)review->worst[i].ply));
    int said = 0;
    for (int i = 0; i < review->count && said < MOMENTS && status == KN_OK; i++) {
        if (people && !review->worst[i].person) continue;
        status = judge(review, review->worst[i].ply, moves, error);
        said = (int)json_array_size(review->moments);
    }
    return status;
}

static KnStatus walk(Review *review, KnMove *moves, KnError *error)
{
    const KnState *whole = review->decision.state;
    const KnGame *game = review->decision.cached->game;
    size_t plies = kn_state_plies(whole);
    KnState *state = kn_state_new(game);
    if (!state) return kn_fail_memory(error, "reviewing a game");
    kn_state_reset(state, kn_state_position_at(whole, 0));
    KnStatus status = KN_OK;
    for (size_t ply = 0; ply < plies && status == KN_OK; ply++) {
        const KnMove *joint = kn_state_joint_at(whole, ply);
        int role = kn_state_mover(state);
        if (role >= 0 && role != game->nature && kn_clock_now() < review->deadline)
            status = look(review, state, ply, joint[role], moves, error);
        if (status == KN_OK) status = kn_state_play_joint(state, joint, error);
    }
    kn_state_free(state);
    if (status == KN_OK && !json_array_size(review->rows))
        status = kn_fail(error, KN_NO,
                         "the strongest level of this game gives no scores, so there is no review");
    return status == KN_OK ? choose_moments(review, moves, error) : status;
}

static void run(void *user)
{
    Review *review = user;
    KnDecision *decision = &review->decision;
    KnError *error = &review->error;
    KnMove *moves = malloc(sizeof *moves * (size_t)decision->cached->game->max_moves);
    review->deadline = kn_clock_now() + SECONDS;
    review->status = moves ? kn_player_cache_acquire(decision->web->cache, decision->cached, decision->spec,
                                                     &decision->player, error)
                           : kn_fail_memory(error, "reviewing a game");
    if (review->status == KN_OK) review->status = walk(review, moves, error);
    free(moves);
}

static void hurry(void *user) { atomic_store(&((Review *)user)->hurried, true); }

/* Copies what a review needs, under the session's lock. */
static KnStatus prepare(KnSession *session, Review *review)
{
    KnError *error = &review->error;
    size_t plies = kn_state_plies(session->state);
    if (session->cached->game->traits & KN_GAME_SIMULTANEOUS)
        return kn_fail(error, KN_NO, "a review needs a game whose moves alternate");
    if (plies < 2) return kn_fail(error, KN_NO, "there is nothing to review yet: play some moves");
    if (plies > MOST_PLIES)
        return kn_fail(error, KN_NO, "the game has %zu plies; a review goes up to %d", plies, MOST_PLIES);
    review->person = calloc(plies, sizeof *review->person);
    if (!review->person) return kn_fail_memory(error, "reviewing a game");
    for (size_t ply = 0; ply < plies; ply++) {
        int mover = session->annotations[ply].mover;
        const char *by = mover < 0 ? NULL : kn_session_seat_at(session, ply, mover);
        review->person[ply] = by && strcmp(by, KN_SEAT_HUMAN) == 0;
    }
    return kn_decision_copy(&review->decision, session, plies, 0, kn_session_adviser(session), error);
}

static void review_game(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    Review *review = calloc(1, sizeof *review);
    if (!review) {
        kn_reply_error(reply, 503, NULL, "there is no memory for a review; try again");
        kn_session_release(session);
        return;
    }
    pthread_mutex_lock(&session->lock);
    KnStatus status = prepare(session, review);
    KnPoolCall work = {.function = run,
                       .hurry = hurry,
                       .user = review,
                       .client = atomic_load(&session->client),
                       .flow = kn_session_flow(session),
                       .timeout = KN_WEB_PATIENCE};
    pthread_mutex_unlock(&session->lock);
    review->rows = json_array();
    review->turning = json_array();
    review->moments = json_array();
    if (status == KN_OK) {
        work.kind = kn_decision_kind(review->decision.cached, review->decision.spec) + 1;
        status = kn_thread_pool_call(web->engines, &work, &review->error);
        kn_decision_release(&review->decision);
        if (status == KN_OK) status = review->status;
    }
    if (status != KN_OK)
        kn_reply_fail(reply, &review->error, NULL);
    else
        kn_reply_json(reply, 200,
                      json_pack("{ss sI sO sO sO}", "by", review->decision.spec, "plies",
                                (json_int_t)kn_state_plies(review->decision.state), "moves", review->rows,
                                "turning", review->turning, "moments", review->moments));
    json_decref(review->rows);
    json_decref(review->turning);
    json_decref(review->moments);
    kn_decision_free(&review->decision);
    free(review->person);
    free(review);
    kn_session_release(session);
}

const KnRoute kn_routes_review[] = {
    {"GET", "sessions/*/review", review_game, 0},
    {0},
};
