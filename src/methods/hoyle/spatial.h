/* Spatial patterns and concepts (Lock 2003, 1.4): what was seen through the templates of a board, how
 * those games ended, and what such patterns have in common.
 *
 *     KnSpatial *spatial;
 *     kn_spatial_open(view, lines, &settings, &spatial, &error)
 *     kn_spatial_gather(spatial, &played, &error)          after every game: queue and cache of patterns
 *     kn_spatial_sweep(spatial, false, &error)             every KN_SWEEP games: forget, form concepts, index
 *     kn_spatial_sweep(spatial, true, &error)              at the end: drop useless concepts too
 *     kn_spatial_read(spatial, cells, stage, role, found, value, counts)     the patterns on a board
 *
 * Patterns are kept by the stage of the game in which a move created them. A pattern in the queue counts
 * the games that the first player won, drew or lost with it. A pattern that was seen in `minimum` games,
 * all of one outcome, is in the cache until a game ends otherwise. Its value for a player is the value of the
 * outcome times the share of such games, since it was first seen, that had it: patterns that are no longer
 * seen fade.
 *
 * A concept generalises cached patterns of one template and one outcome: cells where they differ become
 * don't cares, as long as it covers no pattern that was seen with another outcome. Weights belong to
 * concepts and outlive sweeps.
 *
 * Ownership: kn_spatial_open / kn_spatial_close; board view and lines outlive it. Any number of threads
 * may read while none gathers or sweeps. */
#ifndef KNACK_METHODS_HOYLE_SPATIAL_H
#define KNACK_METHODS_HOYLE_SPATIAL_H

#include "base/json.h"
#include "methods/hoyle/templates.h"
#include "methods/hoyle/played_game.h"
#include "methods/hoyle/temporal/matcher.h"

enum { KN_CONCEPTS = 48, KN_SWEEP = 10 };

typedef enum KnSpatialOutcome {
    KN_FIRST_WON,
    KN_FIRST_DREW,
    KN_FIRST_LOST,
    KN_SPATIAL_OUTCOMES
} KnSpatialOutcome;
extern const char *const kn_spatial_outcomes[KN_SPATIAL_OUTCOMES];

typedef struct KnSpatialSettings {
    int field_of_view; /* field of view, in metric units */
    int minimum;       /* games in which a pattern must be seen */
    double draw;       /* the value of a draw for either player; a win is 1 and a loss -1 */
    int start;         /* weight of a new concept */
} KnSpatialSettings;

typedef struct KnSpatialPattern {
    uint64_t key; /* of the template and its contents, and the stage */
    uint32_t count[KN_SPATIAL_OUTCOMES];
    uint32_t before[KN_SPATIAL_OUTCOMES]; /* games before it was first seen */
    uint32_t last;                        /* game in which it was last seen, from 1 */
} KnSpatialPattern;

typedef struct KnConcept {
    KnPatch patch; /* in its least image */
    uint8_t stage, outcome, shape;
    int patterns;     /* how many cached ones it stands for */
    uint32_t support; /* sightings of them */
    int weight, judged;
} KnConcept;

typedef struct KnSpatial {
    const KnBoardView *view;
    KnSpatialSettings settings;
    KnTemplates *templates;
    uint32_t games[KN_SPATIAL_OUTCOMES];
    KnSpatialPattern *patterns; /* queue and cache together */
    int count, capacity;
    uint32_t *slots, mask; /* by key: number + 1; 0 free */
    KnConcept concept[KN_CONCEPTS];
    int concepts;
    KnConcept formed[KN_CONCEPTS]; /* at the last sweep, also those that weights have eliminated; not kept in
                                      files */
    int formed_count;
    KnConcept *eliminated; /* by their weights; never taken up again */
    int eliminated_count;
    KnMatcher *matcher; /* cached patterns and concepts in all orientations */
    int32_t *meaning;   /* of a number in the matcher: a pattern, or -1 less a concept */
    size_t meaning_capacity;
} KnSpatial;

KnStatus kn_spatial_open(const KnBoardView *view, const KnLines *lines, const KnSpatialSettings *settings,
                         KnSpatial **spatial, KnError *error);
void kn_spatial_close(KnSpatial *spatial);
KnStatus kn_spatial_gather(KnSpatial *spatial, const KnPlayedGame *played, KnError *error);
KnStatus kn_spatial_sweep(KnSpatial *spatial, bool last, KnError *error);

static inline int kn_spatial_stage(uint64_t key) { return (int)(key >> KN_TEMPLATE_KEY); }
static inline uint32_t kn_spatial_games(const KnSpatial *s)
{
    return s->games[0] + s->games[1] + s->games[2];
}
/* The only outcome of a pattern that is in the cache; -1: it is in the queue. */
int kn_spatial_cached(const KnSpatial *spatial, const KnSpatialPattern *pattern);
int kn_spatial_cached_count(const KnSpatial *spatial);
/* For a player, from -1 to 1; 0 for those in the queue. */
double kn_spatial_value(const KnSpatial *spatial, const KnSpatialPattern *pattern, int role);
/* 1: a good thing for this player, -1: a bad one, 0: neither. */
int kn_concept_sign(const KnSpatial *spatial, const KnConcept *concept, int role);

/* `found` has room for kn_spatial_room. Adds up values of a stage's patterns for a role, and counts how often
 * each of its concepts stands there; returns the pattern of the greatest absolute value, NULL if none is
 * there. */
static inline size_t kn_spatial_room(const KnSpatial *s)
{
    return s->matcher ? kn_matcher_count(s->matcher) : 0;
}
const KnSpatialPattern *kn_spatial_read(const KnSpatial *spatial, const uint8_t *cells, int stage, int role,
                                        uint32_t *found, double *value, int counts[KN_CONCEPTS]);

/* {"contests": {"won": ..}, "cache": [...], "concepts": [...]}: the queue is not kept. And back, into a fresh
 * one. `unit`: what weight 1 is. */
json_t *kn_spatial_json(const KnSpatial *spatial, int unit);
KnStatus kn_spatial_parse(KnSpatial *spatial, const KnJson *at, int unit, KnError *error);

/* Inside: adds or finds a pattern; NULL if memory runs out. Forms concepts. Indexes what there is. */
KnSpatialPattern *kn_spatial_add(KnSpatial *spatial, uint64_t key);
KnStatus kn_concepts_form(KnSpatial *spatial, KnError *error);
KnStatus kn_spatial_index(KnSpatial *spatial, KnError *error);

#endif
