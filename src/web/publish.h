/* Telling listeners how runs and the lab come along. */
#ifndef KNACK_WEB_PUBLISH_H
#define KNACK_WEB_PUBLISH_H

#include "web/state.h"

/* One run as kn_runs_show gives it, with its standing: a `run` event, or a `lab` event for the lab's. */
void kn_publish_run(KnWeb *web, const json_t *row);

#endif
