/* Hoyle's spatial side (Lock 2003, 1.4; an option): Patsy, who values the patterns of the state that a move
 * leads to, and an Advisor for each concept learned, which backs moves that make a good pattern or break a
 * bad one and opposes the reverse. They stand in the second tier beside the thirteen of Appendix B and are
 * weighted like them. Private to src/players/hoyle.
 *
 * Ownership: a Patsy belongs to its mind; the strengths belong to a desk. NULL wherever patterns are not
 * learned: every call then does nothing. */
#ifndef KNACK_PLAYERS_HOYLE_PATSY_H
#define KNACK_PLAYERS_HOYLE_PATSY_H

#include "learn/hoyle/spatial.h"
#include "players/player.h"

enum { SPATIAL_TIER = 1 + KN_CONCEPTS }; /* voices: Patsy, and one a concept */

struct Mind;
struct Desk;

typedef struct Patsy {
    KnSpatial *spatial;
    int weight[KN_SCENE_STAGES]; /* Patsy's own; those of concepts hang on them */
} Patsy;

/* What the spatial voices have to say about one decision. */
typedef struct SpatialComments {
    int *strengths;                 /* [SPATIAL_TIER][capacity] */
    const KnSpatialPattern **cause; /* by move: the pattern that matters most to Patsy after it */
    uint32_t *found;
    size_t room;
} SpatialComments;

KnStatus kn_patsy_open(struct Mind *mind, KnError *error);
void kn_patsy_close(Patsy *patsy);
KnStatus kn_patsy_desk_open(struct Desk *desk, KnError *error);
void kn_patsy_desk_close(struct Desk *desk);

KnStatus kn_patsy_learn(Patsy *patsy, const KnWatched *contest,
                        KnError *error); /* after a contest; sweeps every ten */
KnStatus kn_patsy_settle(Patsy *patsy, KnError *error);

void kn_patsy_comment(struct Desk *desk); /* fills the desk's spatial strengths */
void kn_patsy_vote(const struct Desk *desk, long *votes);
void kn_patsy_weigh(Patsy *patsy, const struct Desk *desk, int expert, double step);

void kn_patsy_tell(const struct Desk *desk, const KnRequest *request, int chosen, KnReason *group);
void kn_patsy_show(const Patsy *patsy, KnText *out);
void kn_patsy_figures(const Patsy *patsy, json_t *figures);
json_t *kn_patsy_json(const Patsy *patsy);
KnStatus kn_patsy_parse(Patsy *patsy, const KnJson *at, KnError *error);

#endif
