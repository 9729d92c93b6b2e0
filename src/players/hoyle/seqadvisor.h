/* Seq-Advisor (Lock 2003, 5.2): Sitact Advisors (learn/temporal) of weight 1 that speak as one Advisor of
 * Hoyle's. They are learned while Hoyle learns everything else; of the moves that are left the one with the
 * most of their weights behind it gets heavy support, and so do its equals. It is weighted like the other
 * Advisors, a stage each. Two other places are for measuring: in the first tier, behind Victory, and between
 * the tiers; there it decides. Private to src/players/hoyle.
 *
 * Ownership: a SeqAdvisor belongs to its mind; the comments belong to a desk. NULL wherever it is not in use:
 * every call then does nothing. */
#ifndef KNACK_PLAYERS_HOYLE_SEQADVISOR_H
#define KNACK_PLAYERS_HOYLE_SEQADVISOR_H

#include <jansson.h>

#include "base/json.h"
#include "learn/temporal/temporal.h"
#include "players/player.h"

struct Mind;
struct Desk;

typedef enum SeqPlace { SEQ_NOWHERE, SEQ_SECOND, SEQ_MIDDLE, SEQ_FIRST } SeqPlace;

typedef struct SeqAdvisor {
    SeqPlace place;
    KnTemporalBoard *board;
    KnTemporal *temporal; /* NULL when it has settled, or was read from a file */
    KnAdvisors *advisors; /* settled: those of weight 1 speak */
    KnRecord record;
    int weight[KN_SCENE_STAGES], judged[KN_SCENE_STAGES];
} SeqAdvisor;

/* What it has to say about one decision. */
typedef struct SeqComments {
    int *strengths; /* by move */
    double *votes;  /* likewise */
    uint32_t *last; /* Advisor that voted last for a move, + 1 */
    KnInstance *found;
    size_t room;
} SeqComments;

KnStatus kn_seq_open(struct Mind *mind, KnError *error);
void kn_seq_close(SeqAdvisor *seq);
KnStatus kn_seq_desk_open(struct Desk *desk, KnError *error);
void kn_seq_desk_close(struct Desk *desk);

KnStatus kn_seq_learn(SeqAdvisor *seq, const KnWatched *contest, KnError *error); /* after a contest */
KnStatus kn_seq_pause(SeqAdvisor *seq, KnError *error);                           /* after a tournament */
KnStatus kn_seq_settle(SeqAdvisor *seq, KnError *error);

void kn_seq_comment(struct Desk *desk); /* on the moves that are left */
void kn_seq_vote(const struct Desk *desk, long *votes);
void kn_seq_weigh(SeqAdvisor *seq, const struct Desk *desk, int expert, double step);
int kn_seq_choose(struct Desk *desk, KnRng *rng); /* a move with heavy support; -1: it has none to give */

void kn_seq_tell(const struct Desk *desk, const KnRequest *request, KnReason *group);
void kn_seq_show(const SeqAdvisor *seq, KnText *out);
void kn_seq_figures(const SeqAdvisor *seq, json_t *figures);
json_t *kn_seq_json(const SeqAdvisor *seq);
KnStatus kn_seq_parse(SeqAdvisor *seq, const KnJson *at, KnError *error);

#endif
