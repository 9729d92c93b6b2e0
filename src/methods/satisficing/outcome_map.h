/* Maps of outcomes as pictures: letters for a terminal, SVG for a page or a paper.
 *
 * With one trial a point the picture is the paper's figure 4: white for mutual cooperation, black for mutual
 * defection, grey for cycles; one-sided outcomes are blue, unsettled points red. With more it is figures 6
 * and 7: the lighter, the more trials led to cooperation. Points that no trial can have are left out.
 *
 * Ownership: texts belong to the caller. */
#ifndef KNACK_METHODS_SATISFICING_OUTCOME_MAP_H
#define KNACK_METHODS_SATISFICING_OUTCOME_MAP_H

#include <jansson.h>

#include "methods/satisficing/trials.h"

typedef struct KnOutcomeMap {
    KnOutcomeMapAxis x, y;
    uint64_t trials;                 /* a point */
    const KnOutcomeMapPoint *points; /* [y * x.points + x] */
} KnOutcomeMap;

/* The share of a point's trials that led to cooperation; NaN for a point without trials. */
double kn_outcome_map_share(const KnOutcomeMapPoint *point);

/* One letter: of a single trial C, D, + (cycle), / (one-sided) or ?; of more the tenth of trials that led to
 * cooperation, 0 to 9, and C for all of them. A blank for a point without trials. */
char kn_outcome_map_letter(const KnOutcomeMapPoint *point, uint64_t trials);

/* The letters, top row first, with the axes' ends. */
void kn_outcome_map_text(const KnOutcomeMap *map, KnText *out);

/* A picture that takes the page's text colour and has no fixed size. */
void kn_outcome_map_svg(const KnOutcomeMap *map, const char *title, KnText *out);

/* A row for each point: its place and counts, with the share of cooperation and Wilson's interval. */
void kn_outcome_map_csv(const KnOutcomeMap *map, KnText *out);

/* {"deal", "trials", "seed", "x": {"number", "low", "high", "points"}, "y": {...}, "columns": [names],
 * "points": [[counts]]}, for programs. A new reference; NULL if memory runs out. */
json_t *kn_outcome_map_json(const KnOutcomeMap *map, const KnTrialPlan *plan);

#endif
