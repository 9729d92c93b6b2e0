/* The move rules of `experience`: what to do with what a base knows of a position.
 *
 * A rule looks at the known moves and says which of them it would repeat, and whether the inner player is to
 * be asked before. All values here are the mover's, in points. */
#ifndef KNACK_METHODS_EXPERIENCE_MOVE_RULE_H
#define KNACK_METHODS_EXPERIENCE_MOVE_RULE_H

#include "methods/experience/base.h"

typedef enum KnExperienceRule {
    KN_RULE_GINA,
    KN_RULE_EXPLORE,
    KN_RULE_DEVIATE,
    KN_RULE_CURIOUS,
    KN_RULE_EXPECT,
    KN_RULE_LEARNED
} KnExperienceRule;

#define KN_RULE_NAMES     "gina|explore|deviate|curious|expect" /* that need no file */
#define KN_RULE_NAMES_ALL KN_RULE_NAMES "|trust"

typedef enum KnRuleAction {
    KN_RULE_REPEAT, /* the best known move */
    KN_RULE_ASK,    /* the inner player, among all moves; its advice counts if it is new */
    KN_RULE_FRESH,  /* the inner player, among unexplored moves */
    KN_RULE_WEIGH,  /* the inner player among unexplored moves, and then kn_rule_deviates decides */
    KN_RULE_LEAF,   /* the best unexplored move, whose searched value the base holds */
    KN_RULE_BLEND,  /* the inner player's values of all moves, blended with their outcomes */
    KN_RULE_TRUST   /* a policy says whether the known move is played or the inner player asked (trust_rule.h)
                     */
} KnRuleAction;

typedef struct KnRule {
    KnExperienceRule rule;
    double tolerance; /* deviate: how many points better an unexplored move must seem */
    double content;   /* deviate: a known move of a higher value is played without a search */
    bool recall;      /* gina: advice that was ignored before is not asked for again */
    double curiosity; /* curious and expect: the weight of the unknown */
    double weight;    /* expect: how many games a searched value counts for */
    double others;    /* expect: what a game against another opponent counts for */
    int ahead;        /* expect: plies that outcomes are averaged over */
} KnRule;

typedef struct KnRuleDecision {
    KnRuleAction action;
    int best;        /* place of the known move to repeat */
    double value;    /* of it */
    const char *why; /* a static sentence */
} KnRuleDecision;

const char *kn_rule_name(KnExperienceRule rule);

/* `rows` as kn_base_look gives them, at least one of them explored; `role` has the move. */
void kn_rule_apply(const KnRule *rule, const KnGame *game, int role, const KnBaseMove *rows,
                   const KnBaseView *view, KnRuleDecision *decision);

/* Whether a searched score of an unexplored move is reason enough to leave the known one. */
bool kn_rule_deviates(const KnRule *rule, const KnGame *game, KnScore score, double known);

/* The most points that a game can bring, as the base counts them: the scale of everything that is added to
 * them. */
double kn_rule_max_points(const KnGame *game);

/* A score as points: hundredths of a point where points decide; elsewhere, where winning is all, men become a
 * probability to win. That is an estimate, which the tolerance allows for. */
double kn_rule_points(const KnGame *game, KnScore score);

#endif
