/* Errors are values.
 *
 * A function that can fail returns a KnStatus and, unless it is KN_OK, fills a KnError with a message for a
 * person: what was wrong, where, and what to do. The statuses are numbered as the command line's exit codes,
 * so that nothing is translated on the way out. Library code never exits and never prints.
 *
 * Ownership: a KnError is a plain value that belongs to the caller; passing NULL is allowed and drops the
 * text. */
#ifndef KNACK_BASE_ERROR_H
#define KNACK_BASE_ERROR_H

#include <stdarg.h>

typedef enum KnStatus {
    KN_OK = 0,     /* done */
    KN_NO = 1,     /* done, and the answer is no (nothing found, a difference, a failed check) */
    KN_USAGE = 2,  /* the caller asked for something that makes no sense */
    KN_INPUT = 3,  /* a file, position, move or spec is malformed or does not fit */
    KN_SYSTEM = 4, /* the machine said no: memory, disk, network, another process */
    KN_STOPPED = 5 /* cancelled on request; what was done so far stands */
} KnStatus;

enum { KN_ERROR_TEXT = 1024 };

typedef struct KnError {
    KnStatus status;
    char text[KN_ERROR_TEXT];
} KnError;

/* Fills the error and returns the status, so that a failing function ends in `return kn_fail(...)`. */
KnStatus kn_fail(KnError *error, KnStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
KnStatus kn_fail_args(KnError *error, KnStatus status, const char *format, va_list args);

/* Puts "prefix: " before the message of an error on its way up, and returns its status. */
KnStatus kn_fail_within(KnError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* KN_SYSTEM with the text of errno after the message. */
KnStatus kn_fail_errno(KnError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* KN_SYSTEM, "out of memory while <doing>". */
KnStatus kn_fail_memory(KnError *error, const char *doing);

#endif
