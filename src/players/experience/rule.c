#include "players/experience/rule.h"

#include <math.h>

const char *kn_rule_name(KnExperienceRule rule)
{
    static const char *const names[] = {"gina", "explore", "deviate", "curious", "expect", "trust"};
    return names[rule];
}

static double for_mover(int role, double value) { return role == 0 ? value : -value; }

double kn_rule_most(const KnGame *game)
{
    return game->type->points && game->cells ? game->cells : (game->payoff_high - game->payoff_low) / 2;
}

double kn_rule_points(const KnGame *game, KnScore score)
{
    double most = kn_rule_most(game);
    if (score >= KN_SCORE_GUESS || score <= -KN_SCORE_GUESS) { /* a known payoff: won or lost, or a margin */
        if (game->payoff_high - game->payoff_low > 2 && score < KN_SCORE_SURE && score > -KN_SCORE_SURE)
            return most * (double)score / KN_SCORE_PAYOFF;
        return score > 0 ? most : -most;
    }
    if (game->type->points) return fmax(-most, fmin(most, score / 100.0));
    return most * score / (fabs((double)score) + 300);
}

/* The known move of the highest value; among equals the one of more games, then the first. */
static void find_best(int role, const KnBaseMove *rows, const KnBaseView *view, KnRuling *ruling)
{
    ruling->best = -1;
    for (int i = 0; i < view->count; i++) {
        if (!rows[i].explored) continue;
        double value = for_mover(role, rows[i].value);
        if (ruling->best >= 0 &&
            (value < ruling->value || (value == ruling->value && rows[i].games <= rows[ruling->best].games)))
            continue;
        ruling->best = i;
        ruling->value = value;
    }
}

/* The paper's, and its variant that asks only about what is new. */
static void apply_gina(const KnRule *rule, const KnBaseView *view, KnRuling *ruling)
{
    if (ruling->value > 0) {
        ruling->action = KN_RULE_REPEAT;
        ruling->why = "a known move is better than a tie";
    } else if (view->explored == view->count) {
        ruling->action = KN_RULE_REPEAT;
        ruling->why = "every move is known, and this is the best of them";
    } else if (rule->rule == KN_RULE_GINA && rule->recall && view->advice != KN_MOVE_NONE &&
               view->leaf == KN_MOVE_NONE) {
        ruling->action = KN_RULE_REPEAT;
        ruling->why = "only bad moves are known; the inner player, asked before, named one of them";
    } else if (rule->rule == KN_RULE_GINA) {
        ruling->action = KN_RULE_ASK;
        ruling->why = "only bad moves are known; the inner player is asked, and heard if it names a new one";
    } else {
        ruling->action = KN_RULE_FRESH;
        ruling->why = "only bad moves are known; the inner player is asked for the best new one";
    }
}

static void apply_deviate(const KnRule *rule, const KnGame *game, const KnBaseView *view, KnRuling *ruling)
{
    if (ruling->value > rule->content) {
        ruling->action = KN_RULE_REPEAT;
        ruling->why = "a known move is good enough";
    } else if (view->explored == view->count) {
        ruling->action = KN_RULE_REPEAT;
        ruling->why = "every move is known, and this is the best of them";
    } else if (view->leaf == KN_MOVE_NONE) {
        ruling->action = KN_RULE_WEIGH;
        ruling->why = "the best new move is searched and weighed against the best known one";
    } else if (kn_rule_deviates(rule, game, view->leaf_score, ruling->value)) {
        ruling->action = KN_RULE_LEAF;
        ruling->why = "a new move, searched before, promises more than the best known one";
    } else {
        ruling->action = KN_RULE_REPEAT;
        ruling->why = "the best known move is worth more than a search found of the new ones";
    }
}

/* Upper confidence bounds on the mean outcomes, all the unexplored moves together as one arm that was drawn
 * once at the position's own mean. */
static void apply_curious(const KnRule *rule, const KnGame *game, int role, const KnBaseMove *rows,
                          const KnBaseView *view, KnRuling *ruling)
{
    double most = kn_rule_most(game);
    double spread = log((double)view->games + 1), best = -INFINITY;
    for (int i = 0; i < view->count; i++) {
        if (!rows[i].explored) continue;
        double bound = for_mover(role, rows[i].mean) / most +
                       rule->curiosity * sqrt(spread / (double)rows[i].games);
        if (bound <= best) continue;
        best = bound;
        ruling->best = i;
        ruling->value = for_mover(role, rows[i].mean);
    }
    bool fresh = view->explored < view->count &&
                 for_mover(role, view->mean) / most + rule->curiosity * sqrt(spread) > best;
    ruling->action = fresh ? KN_RULE_FRESH : KN_RULE_REPEAT;
    ruling->why = fresh ? "so little is known of the other moves that a new one is tried"
                        : "of what was tried often enough, this did best";
}

void kn_rule_apply(const KnRule *rule, const KnGame *game, int role, const KnBaseMove *rows,
                   const KnBaseView *view, KnRuling *ruling)
{
    find_best(role, rows, view, ruling);
    if (rule->rule == KN_RULE_EXPECT) {
        ruling->action = KN_RULE_BLEND;
        ruling->why = "what came of each move on average, blended with what a search says of it";
    } else if (rule->rule == KN_RULE_LEARNED) {
        ruling->action = KN_RULE_TRUST;
        ruling->why = "a learned policy decides between the known move and a search";
    } else if (rule->rule == KN_RULE_DEVIATE)
        apply_deviate(rule, game, view, ruling);
    else if (rule->rule == KN_RULE_CURIOUS)
        apply_curious(rule, game, role, rows, view, ruling);
    else
        apply_gina(rule, view, ruling);
}

bool kn_rule_deviates(const KnRule *rule, const KnGame *game, KnScore score, double known)
{
    return kn_rule_points(game, score) > known + rule->tolerance;
}
