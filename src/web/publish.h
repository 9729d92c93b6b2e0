/* Events about the progress of runs and of the lab. */
#ifndef KNACK_WEB_PUBLISH_H
#define KNACK_WEB_PUBLISH_H

#include "web/state.h"

/* Publishes a run (as kn_runs_show gives it) with its results so far: a `run` event, a `lab` event for the
 * lab, a `learn` event for a training run. */
void kn_publish_run(KnWeb *web, const json_t *row);

/* A training run with its curve; a new reference, NULL if the process is no training run. */
json_t *kn_training_run_json(KnWeb *web, const json_t *process);

/* A process of the lab with the verdicts so far of its current experiment, counted; a new reference. */
json_t *kn_lab_event(KnWeb *web, const json_t *process);

#endif
