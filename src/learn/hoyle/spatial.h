/* Spatial patterns and concepts (Lock 2003, 1.4): what was seen through a board's templates, how the contests
 * ended in which it was seen, and what such patterns have in common.
 *
 *     KnSpatial *spatial;
 *     kn_spatial_open(scene, lines, &settings, &spatial, &error)
 *     kn_spatial_gather(spatial, &contest, &error)       after every contest: the pattern queue; patterns of
 * one outcome only go on to the cache kn_spatial_sweep(spatial, false, &error)           every KN_SWEEP
 * contests: old patterns are forgotten, concepts formed, what is known indexed kn_spatial_sweep(spatial,
 * true, &error)            once at the end: also concepts that never mattered are given up
 *     kn_spatial_read(spatial, cells, stage, role, found, value, counts)   what a board is worth by its
 * patterns, and which concepts stand on it
 *
 * Patterns are kept by the stage of the game in which a move created them. One in the queue counts contests
 * that the first player won, drew or lost with it. One that has been seen in `minimum` contests, all of one
 * outcome, is in the cache until a contest ends otherwise. Its value for a player is what the outcome is
 * worth to him times the share of such contests, since it was first seen, that had it: patterns that are no
 * longer seen fade.
 *
 * A concept generalises cached patterns of one template and one outcome: cells on which they differ become
 * don't cares, as long as no pattern seen with another outcome is covered. Weights hang on concepts and
 * outlive sweeps; whoever asks them moves the weights.
 *
 * Ownership: kn_spatial_open / kn_spatial_close; scene and lines outlive it. Reading is for any number of
 * threads while nobody gathers or sweeps. */
#ifndef KNACK_LEARN_HOYLE_SPATIAL_H
#define KNACK_LEARN_HOYLE_SPATIAL_H

#include "base/json.h"
#include "learn/hoyle/templates.h"
#include "learn/hoyle/watched.h"
#include "learn/temporal/matcher.h"

enum { KN_CONCEPTS = 48, KN_SWEEP = 10 };

typedef enum KnSpatialOutcome {
    KN_FIRST_WON,
    KN_FIRST_DREW,
    KN_FIRST_LOST,
    KN_SPATIAL_OUTCOMES
} KnSpatialOutcome;
extern const char *const kn_spatial_outcomes[KN_SPATIAL_OUTCOMES];

typedef struct KnSpatialSettings {
    int view;    /* field of view, in metric units */
    int minimum; /* contests in which a pattern must be seen */
    double draw; /* what a draw is worth to either player, where a win is 1 and a loss -1 */
    int start;   /* weight of a new concept */
} KnSpatialSettings;

typedef struct KnSpatialPattern {
    uint64_t key; /* of the template and its contents, and the stage */
    uint32_t count[KN_SPATIAL_OUTCOMES];
    uint32_t before[KN_SPATIAL_OUTCOMES]; /* contests before it was first seen */
    uint32_t last;                        /* contest in which it was last seen, from 1 */
} KnSpatialPattern;

typedef struct KnConcept {
    KnPatch patch; /* in its least image */
    uint8_t stage, outcome, shape;
    int patterns;     /* how many cached ones it stands for */
    uint32_t support; /* sightings of them */
    int weight, judged;
} KnConcept;

typedef struct KnSpatial {
    const KnScene *scene;
    KnSpatialSettings settings;
    KnTemplates *templates;
    uint32_t contests[KN_SPATIAL_OUTCOMES];
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

KnStatus kn_spatial_open(const KnScene *scene, const KnLines *lines, const KnSpatialSettings *settings,
                         KnSpatial **spatial, KnError *error);
void kn_spatial_close(KnSpatial *spatial);
KnStatus kn_spatial_gather(KnSpatial *spatial, const KnWatched *contest, KnError *error);
KnStatus kn_spatial_sweep(KnSpatial *spatial, bool last, KnError *error);

static inline int kn_spatial_stage(uint64_t key) { return (int)(key >> KN_TEMPLATE_KEY); }
static inline uint32_t kn_spatial_contests(const KnSpatial *s)
{
    return s->contests[0] + s->contests[1] + s->contests[2];
}
/* The only outcome of a pattern that is in the cache; -1: it is in the queue. */
int kn_spatial_cached(const KnSpatial *spatial, const KnSpatialPattern *pattern);
int kn_spatial_cached_count(const KnSpatial *spatial);
/* For a player, from -1 to 1; 0 for those in the queue. */
double kn_spatial_value(const KnSpatial *spatial, const KnSpatialPattern *pattern, int role);
/* 1: a good thing for this player, -1: a bad one, 0: neither. */
int kn_concept_sign(const KnSpatial *spatial, const KnConcept *concept, int role);

/* `found` has room for kn_spatial_room. Adds up values of a stage's patterns for a role, and counts how often
 * each of its concepts stands there; returns the pattern that is worth the most either way, NULL if none is
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
