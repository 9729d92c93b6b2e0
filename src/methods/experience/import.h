/* Games from elsewhere into an experience base: game records (GGF, PDN, SGF, plain lines; any number in a
 * file), a base's own export, and stored runs.
 *
 * Everything is read and replayed before anything is added, so that bad input changes nothing; then games are
 * added in groups of KN_IMPORT_GROUP, each durable when it is committed. A game that is not over needs a
 * result in its record; without one it is counted as undecided and left out. */
#ifndef KNACK_METHODS_EXPERIENCE_IMPORT_H
#define KNACK_METHODS_EXPERIENCE_IMPORT_H

#include "arena/store.h"
#include "methods/experience/base.h"

enum { KN_IMPORT_GROUP = 2000 };

typedef struct KnImport {
    uint64_t games, added, undecided;
} KnImport;

/* `base` NULL: reads and replays only. */
KnStatus kn_base_import_text(const KnGame *game, const char *text, KnBase *base, KnProgress *progress,
                             KnImport *count, KnError *error);
KnStatus kn_base_import_file(const KnGame *game, const char *path, KnBase *base, KnProgress *progress,
                             KnImport *count, KnError *error);
KnStatus kn_base_import_run(const KnGame *game, KnStore *store, const char *run, KnBase *base,
                            KnProgress *progress, KnImport *count, KnError *error);

/* Adds a base as lines of JSON: its header, then its positions, then its games, which kn_base_import_text
 * reads back. */
typedef KnStatus (*KnWriteLine)(void *user, const char *line, size_t length, KnError *error);
KnStatus kn_base_export(KnBase *base, const KnGame *game, KnWriteLine write, void *user, KnError *error);

#endif
