#include "arena/review.h"

#include <string.h>

#include "base/error.h"
#include "eval/evaluation.h"
#include "games/go/go.h"
#include "games/pipe/pipe.h"

/* Chances of at least this much count as won, at most the rest as lost. */
static const double WON = 65;

const char *kn_fitting_player(const KnGame *game)
{
    if (kn_go_is(game)) return "tactical(playouts=400)";
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2 || !(game->traits & KN_GAME_ZERO_SUM))
        return "general";
    if (kn_game_evaluation(game, NULL)) return "alphabeta(depth=6)";
    if (kn_pipe_is(game)) return "uct(playouts=300)"; /* each new state is a question to a program */
    return "uct(playouts=2000)";
}

static KnStatus check(const KnGame *game, KnError *error)
{
    if (game->roles == 2 && game->traits & KN_GAME_ZERO_SUM && !(game->traits & KN_GAME_SIMULTANEOUS))
        return KN_OK;
    return kn_fail(error, KN_INPUT, "games of %s cannot be reviewed: that needs two players in turn",
                   game->spec);
}

static int side_of(double chance) { return (chance >= WON) - (chance <= 100 - WON); }

/* Both scores are in the unit of the same player. */
static double chance_of(const KnAnswer *unit, KnScore score)
{
    return kn_chance_of_score(score, unit->payoffs, unit->log_odds);
}

/* What the judge found, written down. */
static void note_move(KnReview *review, KnReviewedMove *move, const KnAnswer *best,
                      const KnJudgement *judgement)
{
    move->best = best->move;
    move->quality = judgement->quality;
    if (move->quality == KN_QUALITY_NONE && move->move == best->move) move->quality = KN_QUALITY_BEST;
    move->has_cost = judgement->has_cost && move->quality > KN_QUALITY_GOOD;
    move->cost = move->has_cost ? judgement->cost : 0;
    move->unit = move->has_cost ? kn_arena_string(review->arena, judgement->unit)
                                : ""; /* the question's may go */
    if (!move->unit) move->unit = "";
    move->before = move->after = best->has_score ? chance_of(best, best->score) : 50;
    if (judgement->has_score && move->move != best->move) move->after = chance_of(best, judgement->score);
    if (move->after > move->before || move->quality <= KN_QUALITY_GOOD) move->after = move->before;
    move->turning = move->quality >= KN_QUALITY_MISTAKE && side_of(move->after) < side_of(move->before);
    const char *said = best->explanation ? best->explanation->text : NULL;
    if (move->quality > KN_QUALITY_GOOD && said) move->words = kn_arena_string(review->arena, said);
    review->qualities[move->role][move->quality]++;
    review->decisions[move->role]++;
    review->loss[move->role] += move->before - move->after;
}

static const char *name_of(KnReview *review, const KnGame *game, const void *position, KnMove move)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, position, move, &text);
    const char *name = kn_arena_string(review->arena, text.data);
    kn_text_free(&text);
    return name ? name : "";
}

/* One move, in the position before it. `here` is the game up to there, which the judge has observed. */
static KnStatus judge(KnPlayer *player, const KnReviewPlan *plan, const KnState *here, KnReview *review,
                      KnReviewedMove *move, KnError *error)
{
    const KnGame *game = kn_state_game(here);
    KnMove moves[game->max_moves];
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "reviewing a game");
    KnRng rng = kn_rng_stream(plan->seed, move->ply);
    KnRequest request = {.game = game,
                         .position = kn_state_position(here),
                         .history = kn_state_history(here),
                         .role = move->role,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(here, move->role, moves),
                         .budget = plan->budget,
                         .rng = &rng,
                         .cancel = plan->cancel,
                         .wants = KN_WANT_EXPLANATION,
                         .arena = arena};
    KnAnswer best = {0};
    KnJudgement judgement = {0};
    KnStatus status = KN_OK;
    if (request.allowed_count > 1) {
        status = kn_player_replay(player, move->role, here, error);
        if (status == KN_OK) status = kn_judge_move(player, &request, move->move, &best, &judgement, error);
        if (status == KN_OK && !best.has_score)
            status = kn_fail(error, KN_INPUT, "%s gives no scores: choose another judge", player->spec);
        if (status == KN_OK) note_move(review, move, &best, &judgement);
        if (status == KN_OK) move->best_text = name_of(review, game, request.position, move->best);
    }
    kn_arena_free(arena);
    return status;
}

/* Plays the game again and judges each move on the way. */
static KnStatus walk(KnPlayer *player, const KnReviewPlan *plan, const KnState *state, KnState *here,
                     KnProgress *progress, KnReview *review, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnStatus status = KN_OK;
    kn_state_reset(here, kn_state_position_at(state, 0));
    for (size_t ply = 0; ply < kn_state_plies(state) && status == KN_OK; ply++) {
        const KnMove *joint = kn_state_joint_at(state, ply);
        const void *position = kn_state_position(here);
        int role = game->type->mover(game, position);
        KnReviewedMove *move = &review->moves[review->count++];
        *move = (KnReviewedMove){.ply = ply, .role = role, .move = joint[role], .best = joint[role]};
        move->text = move->best_text = name_of(review, game, position, joint[role]);
        move->words = move->unit = "";
        move->before = move->after = 50;
        if (plan->role < 0 || plan->role == role) status = judge(player, plan, here, review, move, error);
        if (status == KN_OK) status = kn_state_play_joint(here, joint, error);
        kn_progress_tick(progress, 1);
    }
    for (int role = 0; role < 2; role++)
        if (review->decisions[role]) review->loss[role] /= (double)review->decisions[role];
    return status;
}

KnStatus kn_review(const KnContext *context, const KnState *state, const KnReviewPlan *plan,
                   KnProgress *progress, KnReview *review, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    *review = (KnReview){0};
    KnStatus status = check(game, error);
    if (status != KN_OK) return status;
    KnPlayer *player = NULL;
    const char *spec = plan->judge ? plan->judge : kn_fitting_player(game);
    KnState *here = kn_state_new(game);
    review->arena = kn_arena_new();
    if (review->arena)
        review->moves = kn_arena_alloc(review->arena, (kn_state_plies(state) + 1) * sizeof *review->moves);
    if (!here || !review->moves) status = kn_fail_memory(error, "reviewing a game");
    if (status == KN_OK) status = kn_player_open(context, game, spec, &player, error);
    if (status == KN_OK && player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_USAGE, "a person cannot judge a game: choose a player");
    if (status == KN_OK) {
        review->judge = kn_arena_string(review->arena, player->spec);
        review->limits = plan->budget;
        status = walk(player, plan, state, here, progress, review, error);
    }
    kn_player_close(player);
    kn_state_free(here);
    if (status != KN_OK) kn_review_free(review);
    return status;
}

void kn_review_free(KnReview *review)
{
    kn_arena_free(review->arena);
    *review = (KnReview){0};
}

/* ---- In words ---- */

const char *kn_review_mark(const KnReviewedMove *move)
{
    static const char *const marks[] = {"", "", "", "?!", "?", "??"};
    return marks[move->quality];
}

const char *kn_review_remark(const KnReview *review, const KnReviewedMove *move)
{
    static const char *const kinds[] = {"", "", "", "an inaccuracy", "a mistake", "a blunder"};
    if (move->quality <= KN_QUALITY_GOOD) return "";
    const char *turn = move->turning ? "; the game turns here" : "", *text;
    if (move->has_cost)
        text = kn_arena_printf(review->arena, "%s that costs %.*f %s; better is %s%s", kinds[move->quality],
                               move->unit[0] == '%' ? 0 : 1, move->cost, move->unit, move->best_text, turn);
    else
        text = kn_arena_printf(review->arena, "%s; better is %s%s", kinds[move->quality], move->best_text,
                               turn);
    return text ? text : "";
}

void kn_review_limits(const KnReview *review, KnText *out)
{
    const KnBudget *limits = &review->limits;
    if (limits->depth)
        kn_text_printf(out, ", %d %s at most", limits->depth, limits->depth == 1 ? "ply" : "plies");
    if (limits->nodes)
        kn_text_printf(out, ", %llu position%s at most", (unsigned long long)limits->nodes,
                       kn_s(limits->nodes));
    if (limits->seconds > 0) kn_text_printf(out, ", %g s at most", limits->seconds);
}

void kn_review_text(const KnReview *review, const KnGame *game, KnText *out)
{
    for (size_t i = 0; i < review->count; i++) {
        const KnReviewedMove *move = &review->moves[i];
        if (move->quality <= KN_QUALITY_GOOD) continue;
        kn_text_printf(out, "%4zu. %-8s %s%-3s %3.0f%% -> %3.0f%%  %s\n", move->ply + 1,
                       game->role_names[move->role], move->text, kn_review_mark(move), move->before,
                       move->after, kn_review_remark(review, move));
    }
    for (int role = 0; role < 2; role++) {
        const size_t *q = review->qualities[role];
        if (!review->decisions[role]) continue;
        kn_text_printf(
            out, "%s: %zu decision%s, %zu best, %zu good, %zu inaccurate, %zu mistake%s, %zu blunder%s; ",
            game->role_names[role], review->decisions[role], kn_s(review->decisions[role]),
            q[KN_QUALITY_BEST], q[KN_QUALITY_GOOD], q[KN_QUALITY_INACCURATE], q[KN_QUALITY_MISTAKE],
            kn_s(q[KN_QUALITY_MISTAKE]), q[KN_QUALITY_BLUNDER], kn_s(q[KN_QUALITY_BLUNDER]));
        kn_text_printf(out, "%.1f %% of winning chance lost a decision\n", review->loss[role]);
    }
    kn_text_printf(out, "Judged by %s", review->judge);
    kn_review_limits(review, out);
    kn_text_add(out, ".\n");
}

static json_t *move_json(const KnReview *review, const KnReviewedMove *move, const KnGame *game)
{
    json_t *row = json_pack("{sI ss ss ss ss sf sf sb}", "ply", (json_int_t)move->ply, "role",
                            game->role_names[move->role], "move", move->text, "best", move->best_text,
                            "quality", kn_move_quality_name(move->quality), "chance_before", move->before,
                            "chance_after", move->after, "turning", move->turning);
    if (move->has_cost)
        json_object_set_new(row, "cost", json_pack("{sf ss}", "value", move->cost, "unit", move->unit));
    if (move->quality > KN_QUALITY_GOOD)
        json_object_set_new(row, "remark", json_string(kn_review_remark(review, move)));
    if (*move->words) json_object_set_new(row, "words", json_string(move->words));
    return row;
}

json_t *kn_review_json(const KnReview *review, const KnGame *game)
{
    json_t *moves = json_array(), *sides = json_array();
    for (size_t i = 0; i < review->count; i++)
        json_array_append_new(moves, move_json(review, &review->moves[i], game));
    for (int role = 0; role < 2; role++) {
        json_t *side = json_pack("{ss sI sf}", "role", game->role_names[role], "decisions",
                                 (json_int_t)review->decisions[role], "mean_loss", review->loss[role]);
        for (KnMoveQuality q = KN_QUALITY_BEST; q <= KN_QUALITY_BLUNDER; q++)
            json_object_set_new(side, kn_move_quality_name(q),
                                json_integer((json_int_t)review->qualities[role][q]));
        json_array_append_new(sides, side);
    }
    json_t *limits = json_object();
    if (review->limits.depth) json_object_set_new(limits, "depth", json_integer(review->limits.depth));
    if (review->limits.nodes)
        json_object_set_new(limits, "nodes", json_integer((json_int_t)review->limits.nodes));
    if (review->limits.seconds > 0) json_object_set_new(limits, "seconds", json_real(review->limits.seconds));
    return json_pack("{ss ss so so so}", "game", game->spec, "judge", review->judge, "limits", limits,
                     "sides", sides, "moves", moves);
}
