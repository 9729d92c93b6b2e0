#include "methods/experience/move_rule.h"

#include <math.h>

#include "base/assert.h"
#include "base/math.h"

const char *kn_rule_name(KnExperienceRule rule)
{
    static const char *const names[] = {"gina", "explore", "deviate", "curious", "expect", "trust"};
    return names[rule];
}

static double for_mover(int role, double value) { return role == 0 ? value : -value; }

double kn_rule_max_points(const KnGame *game)
{
    return game->type->points && game->cells ? game->cells : (game->payoff_high - game->payoff_low) / 2;
}

double kn_rule_points(const KnGame *game, KnScore score)
{
    double most = kn_rule_max_points(game);
    if (score >= KN_SCORE_HEURISTIC ||
        score <= -KN_SCORE_HEURISTIC) { /* a known payoff: won or lost, or a margin */
        if (game->payoff_high - game->payoff_low > 2 && score < KN_SCORE_PROVEN && score > -KN_SCORE_PROVEN)
            return most * (double)score / KN_SCORE_PAYOFF;
        return score > 0 ? most : -most;
    }
    if (game->type->points) return fmax(-most, fmin(most, score / 100.0));
    return most * score / (fabs((double)score) + 300);
}

/* The known move of the highest value; among equals the one of more games, then the first. */
static void find_best(int role, const KnBaseMove *rows, const KnBaseView *view, KnRuleDecision *decision)
{
    KN_ASSERT(role == 0 || role == 1);
    decision->best = -1;
    for (int i = 0; i < view->count; i++) {
        if (!rows[i].explored) continue;
        double value = for_mover(role, rows[i].value);
        if (decision->best >= 0 && (value < decision->value || (value == decision->value &&
                                                                rows[i].games <= rows[decision->best].games)))
            continue;
        decision->best = i;
        decision->value = value;
    }
}

/* The paper's, and its variant that asks only about what is new. (Section 4.1.3: GINA's move rule.) */
static void apply_gina(const KnRule *rule, const KnBaseView *view, KnRuleDecision *decision)
{
    if (decision->value > 0) {
        decision->action = KN_RULE_REPEAT;
        decision->why = "a known move is better than a tie";
    } else if (view->explored == view->count) {
        decision->action = KN_RULE_REPEAT;
        decision->why = "every move is known, and this is the best of them";
    } else if (rule->rule == KN_RULE_GINA && rule->recall && view->advice != KN_MOVE_NONE &&
               view->leaf == KN_MOVE_NONE) {
        decision->action = KN_RULE_REPEAT;
        decision->why = "only bad moves are known; the inner player, asked before, named one of them";
    } else if (rule->rule == KN_RULE_GINA) {
        decision->action = KN_RULE_ASK;
        decision->why =
            "only bad moves are known; the inner player is asked, and heard if it names a new one";
    } else {
        decision->action = KN_RULE_FRESH;
        decision->why = "only bad moves are known; the inner player is asked for the best new one";
    }
}

static void apply_deviate(const KnRule *rule, const KnGame *game, const KnBaseView *view,
                          KnRuleDecision *decision)
{
    if (decision->value > rule->content) {
        decision->action = KN_RULE_REPEAT;
        decision->why = "a known move is good enough";
    } else if (view->explored == view->count) {
        decision->action = KN_RULE_REPEAT;
        decision->why = "every move is known, and this is the best of them";
    } else if (view->leaf == KN_MOVE_NONE) {
        decision->action = KN_RULE_WEIGH;
        decision->why = "the best new move is searched and weighed against the best known one";
    } else if (kn_rule_deviates(rule, game, view->leaf_score, decision->value)) {
        decision->action = KN_RULE_LEAF;
        decision->why = "a new move, searched before, promises more than the best known one";
    } else {
        decision->action = KN_RULE_REPEAT;
        decision->why = "the best known move has a higher value than a search found for the new ones";
    }
}

/* Upper confidence bounds on the mean outcomes, all the unexplored moves together as one arm that was drawn
 * once at the position's own mean. */
static void apply_curious(const KnRule *rule, const KnGame *game, int role, const KnBaseMove *rows,
                          const KnBaseView *view, KnRuleDecision *decision)
{
    double most = kn_rule_max_points(game);
    double spread = kn_math_log((double)view->games + 1), best = -INFINITY;
    for (int i = 0; i < view->count; i++) {
        if (!rows[i].explored) continue;
        double bound = for_mover(role, rows[i].mean) / most +
                       rule->curiosity * sqrt(spread / (double)rows[i].games);
        if (bound <= best) continue;
        best = bound;
        decision->best = i;
        decision->value = for_mover(role, rows[i].mean);
    }
    bool fresh = view->explored < view->count &&
                 for_mover(role, view->mean) / most + rule->curiosity * sqrt(spread) > best;
    decision->action = fresh ? KN_RULE_FRESH : KN_RULE_REPEAT;
    decision->why = fresh ? "so little is known of the other moves that a new one is tried"
                          : "of what was tried often enough, this did best";
}

/* Section 4.1.3. */
void kn_rule_apply(const KnRule *rule, const KnGame *game, int role, const KnBaseMove *rows,
                   const KnBaseView *view, KnRuleDecision *decision)
{
    find_best(role, rows, view, decision);
    KN_ASSERT(decision->best >= 0 &&
              rows[decision->best].explored); /* the caller asks only where a move is known */
    if (rule->rule == KN_RULE_EXPECT) {
        decision->action = KN_RULE_BLEND;
        decision->why = "the average outcome of each move, blended with its searched value";
    } else if (rule->rule == KN_RULE_LEARNED) {
        decision->action = KN_RULE_TRUST;
        decision->why = "a learned policy decides between the known move and a search";
    } else if (rule->rule == KN_RULE_DEVIATE)
        apply_deviate(rule, game, view, decision);
    else if (rule->rule == KN_RULE_CURIOUS)
        apply_curious(rule, game, role, rows, view, decision);
    else
        apply_gina(rule, view, decision);
}

bool kn_rule_deviates(const KnRule *rule, const KnGame *game, KnScore score, double known)
{
    return kn_rule_points(game, score) > known + rule->tolerance;
}
