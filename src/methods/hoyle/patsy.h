/* Hoyle's spatial Advisors (Lock 2003, 1.4; an option): Patsy, who values the patterns of the state that a
 * move leads to, and an Advisor for each learned concept, which supports moves that make a good pattern or
 * break a bad one, and opposes the reverse. They vote in the second tier beside the thirteen of Appendix
 * B, with weights of their own.
 *
 * Ownership: a Patsy belongs to its HoyleKnowledge, the comments to a Decision. NULL where patterns are
 * not learned: every call then does nothing. */
#ifndef KNACK_METHODS_HOYLE_PATSY_H
#define KNACK_METHODS_HOYLE_PATSY_H

#include "methods/hoyle/spatial.h"
#include "players/player.h"

enum { SPATIAL_TIER = 1 + KN_CONCEPTS }; /* Patsy, and one a concept */

struct HoyleKnowledge;
struct Decision;

typedef struct Patsy {
    KnSpatial *spatial;
    int weight[KN_BOARD_STAGES]; /* Patsy's own; those of concepts hang on them */
} Patsy;

/* Comments of the spatial Advisors on one decision. */
typedef struct SpatialComments {
    int *strengths;                 /* [SPATIAL_TIER][capacity] */
    const KnSpatialPattern **cause; /* by move: the pattern that matters most to Patsy after it */
    uint32_t *found;
    size_t room;
} SpatialComments;

KnStatus kn_patsy_open(struct HoyleKnowledge *knowledge, KnError *error);
void kn_patsy_close(Patsy *patsy);
KnStatus kn_patsy_comments_open(struct Decision *decision, KnError *error);
void kn_patsy_comments_close(struct Decision *decision);

KnStatus kn_patsy_learn(Patsy *patsy, const KnPlayedGame *played,
                        KnError *error); /* after a game; sweeps every ten */
KnStatus kn_patsy_freeze(Patsy *patsy, KnError *error);

void kn_patsy_comment(struct Decision *decision); /* fills decision->spatial */
void kn_patsy_vote(const struct Decision *decision, long *votes);
void kn_patsy_update_weights(Patsy *patsy, const struct Decision *decision, int expert, double step);

void kn_patsy_explain(const struct Decision *decision, const KnRequest *request, int chosen,
                      KnExplanation *group);
void kn_patsy_show(const Patsy *patsy, KnText *out);
void kn_patsy_figures(const Patsy *patsy, json_t *figures);
json_t *kn_patsy_json(const Patsy *patsy);
KnStatus kn_patsy_parse(Patsy *patsy, const KnJson *at, KnError *error);

#endif
