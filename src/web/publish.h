/* Telling listeners how runs and the lab come along. */
#ifndef KNACK_WEB_PUBLISH_H
#define KNACK_WEB_PUBLISH_H

#include "web/state.h"

/* One run as kn_runs_show gives it, with what it has brought so far: a `run` event; a `lab` event for the
 * lab's, a `learn` event for a learner's. */
void kn_publish_run(KnWeb *web, const json_t *row);

/* A learner's run with its curve; a new reference, NULL if it is none. */
json_t *kn_course_json(KnWeb *web, const json_t *process);

/* A process of the lab with how many cells of its present experiment have which verdict so far; a new
 * reference. */
json_t *kn_lab_event(KnWeb *web, const json_t *process);

#endif
