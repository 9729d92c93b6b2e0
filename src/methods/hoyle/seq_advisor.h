/* Seq-Advisor (Lock 2003, 5.2): the Sitact Advisors of weight 1 (methods/hoyle/temporal), which speak as
 * one Advisor of Hoyle. They are learned while Hoyle learns everything else. The move with the most of
 * their weights behind it gets heavy support, as do its equals. It is weighted like the other Advisors,
 * stage by stage. Two other places serve experiments: in the first tier behind Victory, and between the
 * tiers; there it decides.
 *
 * Ownership: a SeqAdvisor belongs to its HoyleKnowledge, the comments to a Decision. NULL where it is not
 * in use: every call then does nothing. */
#ifndef KNACK_METHODS_HOYLE_SEQ_ADVISOR_H
#define KNACK_METHODS_HOYLE_SEQ_ADVISOR_H

#include <jansson.h>

#include "base/json.h"
#include "methods/hoyle/temporal/tp_context.h"
#include "players/player.h"

struct HoyleKnowledge;
struct Decision;

typedef enum SeqPlace { SEQ_NOWHERE, SEQ_SECOND, SEQ_MIDDLE, SEQ_FIRST } SeqPlace;

typedef struct SeqAdvisor {
    SeqPlace place;
    KnTemporalBoard *board;
    KnTpContext *temporal; /* NULL when it is frozen or was read from a file */
    KnAdvisors *advisors;  /* frozen: those of weight 1 speak */
    KnGameActions record;
    int weight[KN_BOARD_STAGES], judged[KN_BOARD_STAGES];
} SeqAdvisor;

/* Its comments on one decision. */
typedef struct SeqComments {
    int *strengths; /* by move */
    double *votes;  /* likewise */
    uint32_t *last; /* Advisor that voted last for a move, + 1 */
    KnInstance *found;
    size_t room;
} SeqComments;

KnStatus kn_seq_advisor_open(struct HoyleKnowledge *knowledge, KnError *error);
void kn_seq_advisor_close(SeqAdvisor *seq);
KnStatus kn_seq_advisor_comments_open(struct Decision *decision, KnError *error);
void kn_seq_advisor_comments_close(struct Decision *decision);

KnStatus kn_seq_advisor_learn(SeqAdvisor *seq, const KnPlayedGame *played, KnError *error); /* after a game */
KnStatus kn_seq_advisor_end_tournament(SeqAdvisor *seq, KnError *error); /* after a tournament */
KnStatus kn_seq_advisor_freeze(SeqAdvisor *seq, KnError *error);

void kn_seq_advisor_comment(struct Decision *decision); /* on the moves that are left */
void kn_seq_advisor_vote(const struct Decision *decision, long *votes);
void kn_seq_advisor_update_weight(SeqAdvisor *seq, const struct Decision *decision, int expert, double step);
int kn_seq_advisor_choose(struct Decision *decision,
                          KnRng *rng); /* a move with heavy support; -1: it has none to give */

void kn_seq_advisor_explain(const struct Decision *decision, const KnRequest *request, KnExplanation *group);
void kn_seq_advisor_show(const SeqAdvisor *seq, KnText *out);
void kn_seq_advisor_figures(const SeqAdvisor *seq, json_t *figures);
json_t *kn_seq_advisor_json(const SeqAdvisor *seq);
KnStatus kn_seq_advisor_parse(SeqAdvisor *seq, const KnJson *at, KnError *error);

#endif
