/* Errors as values: <knack/base.h> has the types and the functions; this adds the form with a va_list. */
#ifndef KNACK_BASE_ERROR_H
#define KNACK_BASE_ERROR_H

#include <stdarg.h>

#include <knack/base.h>

KnStatus kn_fail_args(KnError *error, KnStatus status, const char *format, va_list args);

#endif
