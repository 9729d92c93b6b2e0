/* A course of training: a folder that holds what a learner has learned so far with one seed, its curve, and
 * all that it needs to go on.
 *
 *     curve.json   {"format": 1, "about": {...}, "points": [[x, y, low, high], ...], "done": false, "also":
 * {...}}; written whole after each point
 *     ...          what the learner keeps there: the player's file (KnLearner.file), examples, weights
 *
 * A point is committed when kn_course_add returns, so that whoever looks on (the page) sees the curve grow,
 * and the same command goes on after it was stopped in any way. `about` says what is learned and how; a
 * folder that belongs to something else is refused.
 *
 * Ownership: kn_course_open / kn_course_close. One thread at a time, and one process: a second one that opens
 * the folder is refused until the first has closed it or is gone. Readers may come from any process. */
#ifndef KNACK_PLAYERS_COURSE_H
#define KNACK_PLAYERS_COURSE_H

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

typedef struct KnCourse KnCourse;

/* Makes the folder if need be. Takes the reference of `about`, whatever becomes of it. */
KnStatus kn_course_open(const char *folder, json_t *about, KnCourse **course, KnError *error);
void kn_course_close(KnCourse *course);

/* How many points there are, and whether there will be no more. */
size_t kn_course_points(const KnCourse *course);
bool kn_course_done(const KnCourse *course);

/* A point: after x of whatever the learner counts it is y, between low and high with 95% certainty. Save what
 * was learned first. */
KnStatus kn_course_add(KnCourse *course, double x, double y, double low, double high, KnError *error);
/* What else the learner tells of itself: a row under a name, of which the curve file keeps a list ("also");
 * committed with the next point. Takes the reference. And the last row of a name, borrowed; NULL if there is
 * none. */
KnStatus kn_course_also(KnCourse *course, const char *name, json_t *row, KnError *error);
const json_t *kn_course_last(const KnCourse *course, const char *name);
KnStatus kn_course_finish(KnCourse *course, KnError *error);

/* A file of the course. */
void kn_course_path(const KnCourse *course, const char *name, KnText *path);

/* The curve of a folder, as it is now: a new reference; NULL, with the error KN_NO, where there is none yet.
 */
json_t *kn_course_read(const char *folder, KnError *error);

#endif
