/* Advisors as JSON, part of a learner's knowledge file: [{"player": 0, "weight": 0.95, "right": 9,
 * "wrong": 0, "context": "x#./#../..o", "sequences":
 * ["a3 b2 c1"]}, ...]. Only those that weigh enough to be heard are written: the others never speak again.
 *
 * Ownership: kn_advisors_json gives a new reference; the caller frees the Advisors that kn_advisors_parse
 * makes, also when it fails. */
#ifndef KNACK_METHODS_HOYLE_TEMPORAL_ADVISORS_FILE_H
#define KNACK_METHODS_HOYLE_TEMPORAL_ADVISORS_FILE_H

#include <jansson.h>

#include "base/json.h"
#include "methods/hoyle/temporal/advisors.h"

json_t *kn_advisors_json(const KnTemporalBoard *board, const KnAdvisors *advisors,
                         double threshold); /* Advisors may be NULL */

/* Ready to be matched, those from this weight on. */
KnStatus kn_advisors_parse(const KnTemporalBoard *board, const KnJson *list, double threshold,
                           KnAdvisors **advisors, KnError *error);

#endif
