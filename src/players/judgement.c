#include "players/judgement.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "eval/evaluation.h"
#include "players/search_words.h"

const char *kn_move_quality_name(KnMoveQuality verdict)
{
    static const char *const names[] = {"", "best", "good", "inaccurate", "mistake", "blunder"};
    return names[verdict];
}

/* What an explanation says that the move is worth; NULL if it does not say. */
static const KnExplanation *worth_of(const KnAnswer *answer)
{
    const KnExplanation *node = answer->explanation ? answer->explanation->first : NULL;
    while (node && !(node->label && strcmp(node->label, KN_WORTH) == 0)) node = node->next;
    return node;
}

static int outcome_of(KnScore score) { return (score >= KN_SCORE_PROVEN) - (score <= -KN_SCORE_PROVEN); }

/* A verdict by what the move costs. The limits are a habit of reviews, not a measurement. */
static KnMoveQuality by_cost(double cost, const char *unit)
{
    double limits[2][3] = {{0.1, 0.4, 1}, {3, 10, 25}};
    const double *limit = limits[unit[0] == '%'];
    return cost < limit[0]   ? KN_QUALITY_GOOD
           : cost < limit[1] ? KN_QUALITY_INACCURATE
           : cost < limit[2] ? KN_QUALITY_MISTAKE
                             : KN_QUALITY_BLUNDER;
}

/* Where an end is proved. A win that is still as good as certain was not let go, and nothing was lost that
 * was lost before: what counts is the chance. */
static void weigh_proved(const KnAnswer *best, const KnAnswer *made, KnJudgement *judgement)
{
    static const char unit[] = "% of the points";
    double before = kn_chance_of_score(best->score, best->payoffs, best->log_odds),
           after = kn_chance_of_score(made->score, made->payoffs, made->log_odds);
    judgement->quality = before > after ? by_cost(before - after, unit) : KN_QUALITY_GOOD;
    if (judgement->quality == KN_QUALITY_INACCURATE || judgement->quality == KN_QUALITY_MISTAKE) {
        judgement->has_cost = true;
        judgement->cost = before - after;
        judgement->unit = unit;
    }
}

static void weigh(const KnAnswer *best, const KnAnswer *made, KnJudgement *judgement)
{
    if (outcome_of(best->score) || outcome_of(made->score)) {
        weigh_proved(best, made, judgement);
        return;
    }
    const KnExplanation *before = worth_of(best), *after = worth_of(made);
    judgement->has_cost = true;
    if (before && after && strcmp(before->unit, after->unit) == 0) {
        judgement->cost = before->number - after->number;
        judgement->unit = before->unit;
    } else {
        bool payoffs = fabs((double)best->score) > KN_SCORE_HEURISTIC / 100.0;
        judgement->cost = ((double)best->score - made->score) / (payoffs ? KN_SCORE_PAYOFF / 50.0 : 100.0);
        judgement->unit = payoffs ? "% of the points" : "men";
    }
    if (judgement->cost < 0) judgement->cost = 0; /* the second look saw more */
    judgement->quality = by_cost(judgement->cost, judgement->unit);
}

/* "half a man", "0.3 men", "12 % of the points". */
static const char *amount(const KnJudgement *judgement, KnArena *arena)
{
    double cost = judgement->cost;
    if (judgement->unit[0] == '%') return kn_arena_printf(arena, "%.0f %s", cost, judgement->unit);
    if (strcmp(judgement->unit, "men") != 0) return kn_arena_printf(arena, "%.1f %s", cost, judgement->unit);
    if (cost >= 0.42 && cost < 0.58) return "half a man";
    if (cost >= 0.9 && cost < 1.1) return "a man";
    return kn_arena_printf(arena, cost < 0.1 ? "%.2f men" : "%.1f men", cost);
}

static const char *sentence(const KnJudgement *judgement, const char *name, const char *better,
                            const KnAnswer *best, const KnAnswer *made, KnArena *arena)
{
    const char *said = made->explanation->text, *instead = best->explanation->text;
    if (judgement->quality == KN_QUALITY_GOOD)
        return kn_arena_printf(arena, "Good: %s is as strong as %s. %s", name, better, said);
    if (judgement->quality == KN_QUALITY_BLUNDER && !judgement->has_cost)
        return kn_arena_printf(arena, "%s: %s Better: %s",
                               outcome_of(made->score) < 0 ? "This loses" : "This lets the win go", said,
                               instead);
    static const char *const kinds[] = {"", "", "", "Playable", "A mistake", "A blunder"};
    return kn_arena_printf(arena, "%s: it costs %s. %s Better: %s", kinds[judgement->quality],
                           amount(judgement, arena), said, instead);
}

/* A new head for the parts of an explanation, which stays as it is. */
static KnStatus wrap(KnArena *arena, const char *said, const KnExplanation *parts, KnExplanation **root,
                     KnError *error)
{
    *root = kn_explanation_new(arena, said);
    if (!*root) return kn_fail_memory(error, "judging a move");
    for (const KnExplanation *part = parts->first; part; part = part->next) {
        KnExplanation *copy = kn_explanation_group(arena, *root, NULL);
        if (!copy) return kn_fail_memory(error, "judging a move");
        *copy = *part;
        copy->next = NULL;
    }
    return KN_OK;
}

KnStatus kn_judge_move(KnPlayer *player, const KnRequest *request, KnMove made, KnAnswer *answer,
                       KnJudgement *judgement, KnError *error)
{
    KN_ASSERT(request->wants & KN_WANT_EXPLANATION && request->arena);
    KnArena *arena = request->arena;
    *judgement = (KnJudgement){.quality = KN_QUALITY_NONE};
    KnRequest ask = *request;
    KnStatus status = kn_player_choose(player, &ask, answer, error);
    judgement->own = answer->explanation;
    if (status != KN_OK || !answer->explanation) return status;
    const char *name = kn_game_move_name(request->game, request->position, made, arena),
               *better = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (answer->move == made) {
        judgement->quality = KN_QUALITY_BEST;
        judgement->has_score = answer->has_score;
        judgement->score = answer->score;
        return wrap(arena, kn_arena_printf(arena, "Good, nothing better was found. %s", judgement->own->text),
                    judgement->own, &answer->explanation, error);
    }
    if (!answer->has_score || !(player->traits & KN_PLAYER_RESTRICTS)) return KN_OK;
    KnAnswer second = {0};
    ask.allowed = &made;
    ask.allowed_count = 1;
    status = kn_player_choose(player, &ask, &second, error);
    if (status != KN_OK || !second.has_score || !second.explanation) return status;
    weigh(answer, &second, judgement);
    judgement->has_score = true;
    judgement->score = second.score;
    judgement->because = second.explanation->text;
    answer->cost.nodes += second.cost.nodes;
    status = wrap(arena, sentence(judgement, name, better, answer, &second, arena), second.explanation,
                  &answer->explanation, error);
    if (status != KN_OK) return status;
    KnExplanation *group = kn_explanation_group(arena, answer->explanation,
                                                kn_arena_printf(arena, "instead: %s", better));
    if (group) group->first = judgement->own->first, group->last = judgement->own->last;
    return KN_OK;
}
