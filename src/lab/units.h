/* Units of work that survive an interruption: a file of JSON lines, one a finished unit, synced before it
 * counts.
 *
 * The first line holds the identity of the run (version, parameters, seed); units of another identity are
 * dropped, never mixed in. A line cut short by a crash is dropped too. The file is made with the first unit
 * that is kept, and locked, so that two processes cannot measure the same thing at once.
 *
 * Ownership: kn_units_open / kn_units_close. One thread at a time. */
#ifndef KNACK_LAB_UNITS_H
#define KNACK_LAB_UNITS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct KnUnits KnUnits;

/* `fresh`: forget what the file holds. */
KnStatus kn_units_open(const char *path, const char *identity, bool fresh, KnUnits **units, KnError *error);
void kn_units_close(KnUnits *units);

const json_t *kn_units_get(const KnUnits *units, const char *key); /* borrowed; NULL if not kept */
KnStatus kn_units_keep(KnUnits *units, const char *key, json_t *value,
                       KnError *error); /* takes the reference */

#endif
