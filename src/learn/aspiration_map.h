/* Maps of outcomes as pictures: letters for a terminal, SVG for a page or a paper.
 *
 * With one trial a point the picture is the paper's figure 4: white for mutual cooperation, black for mutual
 * defection, grey for cycles; one-sided outcomes are blue, unsettled points red. With more it is figures 6
 * and 7: the lighter, the more trials led to cooperation. Points that no trial can have are left out.
 *
 * Ownership: texts belong to the caller. */
#ifndef KNACK_LEARN_ASPIRATION_MAP_H
#define KNACK_LEARN_ASPIRATION_MAP_H

#include <jansson.h>

#include "learn/aspiration_trials.h"

typedef struct KnMap {
    KnMapAxis x, y;
    uint64_t trials;          /* a point */
    const KnMapPoint *points; /* [y * x.points + x] */
} KnMap;

/* The share of a point's trials that led to cooperation; NaN for a point without trials. */
double kn_map_share(const KnMapPoint *point);

/* One letter: of a single trial C, D, + (cycle), / (one-sided) or ?; of more the tenth of trials that led to
 * cooperation, 0 to 9, and C for all of them. A blank for a point without trials. */
char kn_map_letter(const KnMapPoint *point, uint64_t trials);

/* The letters, top row first, with the axes' ends. */
void kn_map_text(const KnMap *map, KnText *out);

/* A picture that takes the page's text colour and has no fixed size. */
void kn_map_svg(const KnMap *map, const char *title, KnText *out);

/* A row for each point: its place and counts, with the share of cooperation and Wilson's interval. */
void kn_map_csv(const KnMap *map, KnText *out);

/* {"deal", "trials", "seed", "x": {"number", "low", "high", "points"}, "y": {...}, "columns": [names],
 * "points": [[counts]]}, for programs. A new reference; NULL if memory runs out. */
json_t *kn_map_json(const KnMap *map, const KnTrialPlan *plan);

#endif
