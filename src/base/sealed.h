/* Sealed documents: JSON files that say whether they are what the program wrote.
 *
 * Everything that is learned or measured and kept as JSON (weights, policies, knowledge, opening books,
 * curves, tasks, results of the lab) ends with a member "checksum": 16 hexadecimal digits of XXH3 over the
 * canonical form of all other members. Layout does not count. A file may be edited by hand: its readers take
 * it, and stamp what comes of it as edited, since an edit and damage look alike. Lines of files that nobody
 * edits (units of the lab) are dropped instead. */
#ifndef KNACK_BASE_SEALED_H
#define KNACK_BASE_SEALED_H

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

typedef enum KnSeal {
    KN_SEAL_WHOLE,  /* as it was written */
    KN_SEAL_EDITED, /* the checksum does not fit: edited by hand, or damaged */
    KN_SEAL_NONE    /* no checksum: written by hand, or by an older version */
} KnSeal;

/* Adds the checksum to an object; false if memory runs out. */
bool kn_sealed_add(json_t *document);

/* Adds the checksum as the last member of the text of a JSON object. */
KnStatus kn_sealed_text(KnText *text, KnError *error);

/* The same, and replaces the file. */
KnStatus kn_sealed_write(const char *path, const char *text, KnError *error);

/* Checks a document and removes its checksum, so that a reader sees only its own members. */
KnSeal kn_sealed_take(json_t *document);

/* Loads a file and takes its seal. */
KnStatus kn_sealed_load(const char *path, json_t **out, KnSeal *seal, KnError *error);

/* The stamp that an edited document leaves in what is made of it, as member "edited" of an object; and
 * whether it is there. */
void kn_sealed_stamp(json_t *object, KnSeal seal);
bool kn_sealed_stamped(const json_t *object);

/* If the file is a document of ours and not whole, appends a sentence about it: for the note of whoever uses
 * it. Other files, and none, add nothing. */
void kn_sealed_note(const char *path, KnText *note);

#endif
