/* SeqLearner (Lock 2003, chapters 3 and 4): a learner that plays by nothing but sequences it has seen.
 * Private to this folder.
 *
 * The game learner (methods/hoyle/game_learner.h) learns; the player decides by levels of Advisors
 * (planner.h), and moves at random where none has advice.
 *
 * The files of the folder: sequence.c and context_table.c hold what was seen; tp_context.c (chapter 3) and
 * tp_sitact.c (chapter 4) make Advisors of it; pwl.c weighs them; advisors.c stores them, matcher.c and
 * context_pair_table.c find those that match; planner.c decides. Ours: matcher.c, nearest.c. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_SEQLEARNER_H
#define KNACK_METHODS_HOYLE_TEMPORAL_SEQLEARNER_H

#include "methods/hoyle/temporal/nearest.h"
#include "methods/hoyle/temporal/planner.h"
#include "methods/hoyle/temporal/pwl.h"
#include "methods/hoyle/temporal/tp_context.h"
#include "methods/registry.h"
#include "methods/hoyle/game_learner.h"

/* What a game learner holds. */
typedef struct KnSeqLearner {
    KnTemporalBoard *board;
    KnTpOptions readings;
    KnPlanRules rules;
    bool near;    /* method=nearest: whole boards with single actions, in `advisors` from the beginning */
    bool by_hash; /* plays with the thesis's index */
    bool settled;
    KnTpContext *temporal; /* NULL in one that was read from a file, and with `near` */
    KnGameActions record;
    KnAdvisors *advisors;   /* settled: those that give advice */
    size_t pairs;           /* there were when it settled */
    KnPwl *judge;           /* counts what they foresee in games that it does not learn from: */
    KnForesight *foresight; /* by Advisor; both NULL until there is one */
} KnSeqLearner;

/* What a player holds. */
typedef struct KnSeqPlayer {
    const KnSeqLearner *learner;
    KnGameLearner *own; /* closed with the player; NULL if it belongs to somebody else */
    KnPlanner *planner; /* or, with method=nearest, */
    KnNearest *nearest;
    int role;   /* its own in this game */
    bool asked; /* for the move that comes next */
    uint64_t decisions, advised, enforced, by_level[KN_PLANNER_LEVELS];
} KnSeqPlayer;

/* nearest_player.c: what method=nearest decides */
KnStatus kn_seqplayer_nearest(KnSeqPlayer *p, const KnRequest *request, KnAnswer *answer, KnError *error);

KnStatus kn_seqlearner_attach(const KnGameLearner *learner, KnPlayer *player, KnError *error);

/* calibration.c: whether weights keep what they promise */
KnStatus kn_seqlearner_judge(KnGameLearner *learner, const KnPlayedGame *played, KnError *error);
void kn_seqlearner_calibration(const KnSeqLearner *learner, json_t *figures);

/* knowledge.c */
json_t *kn_seqlearner_knowledge(const KnGameLearner *learner);
KnStatus kn_seqlearner_parse(KnGameLearner *learner, const KnJson *at, KnError *error);
void kn_seqlearner_explain(const KnGameLearner *learner, KnArena *arena, KnExplanation *root);

#endif
