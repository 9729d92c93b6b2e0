/* A log is a small value that travels in a context: where to, and how much. A NULL log, and one without a
 * file, is silent. One call writes one line, whole, from any thread. The file stays the caller's. */
#ifndef KNACK_BASE_LOG_H
#define KNACK_BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef enum KnLogLevel { KN_LOG_ERROR, KN_LOG_WARNING, KN_LOG_INFO, KN_LOG_DEBUG } KnLogLevel;

typedef struct KnLog {
    FILE *out;
    KnLogLevel level; /* the finest that is written */
    const char *name; /* before every line, e.g. "knack"; NULL: nothing */
} KnLog;

/* "name: warning: text"; info lines carry no level. */
void kn_log(const KnLog *log, KnLogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a line of this level would be written: for messages that are costly to make. */
bool kn_log_wants(const KnLog *log, KnLogLevel level);

#endif
