/* SeqLearner (Lock 2003, chapters 3 and 4): a learner that plays by nothing but sequences it has seen.
 * Private to src/players/temporal.
 *
 * The watcher (players/watcher.h) learns; the player decides by levels of Advisors
 * (learn/temporal/planner.h), and moves at random where nobody has advice. */
#ifndef KNACK_PLAYERS_TEMPORAL_SEQLEARNER_H
#define KNACK_PLAYERS_TEMPORAL_SEQLEARNER_H

#include "learn/temporal/nearest.h"
#include "learn/temporal/planner.h"
#include "learn/temporal/temporal.h"
#include "players/registry.h"
#include "players/watcher.h"

/* What a watcher holds. */
typedef struct KnSeqLearner {
    KnTemporalBoard *board;
    KnTemporalReadings readings;
    KnPlanRules rules;
    bool near;    /* method=nearest: whole boards with single actions, in `advisors` from the beginning */
    bool by_hash; /* plays with the thesis's index */
    bool settled;
    KnTemporal *temporal; /* NULL in one that was read from a file, and with `near` */
    KnRecord record;
    KnAdvisors *advisors; /* settled: those that give advice */
    size_t pairs;         /* there were when it settled */
} KnSeqLearner;

/* What a player holds. */
typedef struct KnSeqPlayer {
    const KnSeqLearner *learner;
    KnWatcher *own;     /* closed with the player; NULL if it belongs to somebody else */
    KnPlanner *planner; /* or, with method=nearest, */
    KnNearest *nearest;
    int role;   /* its own in this contest */
    bool asked; /* for the move that comes next */
    uint64_t decisions, advised, enforced, by_level[KN_PLANNER_LEVELS];
} KnSeqPlayer;

/* nearest_player.c: what method=nearest decides */
KnStatus kn_seqplayer_nearest(KnSeqPlayer *p, const KnRequest *request, KnAnswer *answer, KnError *error);

KnStatus kn_seqlearner_attach(const KnWatcher *watcher, KnPlayer *player, KnError *error);

/* knowledge.c */
json_t *kn_seqlearner_knowledge(const KnWatcher *watcher);
KnStatus kn_seqlearner_recall(KnWatcher *watcher, const KnJson *at, KnError *error);
void kn_seqlearner_show(const KnWatcher *watcher, KnText *out);

#endif
