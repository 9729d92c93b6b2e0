#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* A message may quote what others wrote, and be cut within a character: bytes that are no UTF-8, which
 * neither JSON nor a terminal takes, become question marks. */
static void keep_utf8(char *text)
{
    for (size_t length; *text; text += length) {
        length = kn_utf8_length(text);
        if (length) continue;
        *text = '?';
        length = 1;
    }
}

KnStatus kn_fail_args(KnError *error, KnStatus status, const char *format, va_list args)
{
    if (error) {
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, args);
        keep_utf8(error->text);
    }
    return status;
}

KnStatus kn_fail(KnError *error, KnStatus status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kn_fail_args(error, status, format, args);
    va_end(args);
    return status;
}

KnStatus kn_fail_within(KnError *error, const char *format, ...)
{
    if (!error) return KN_SYSTEM;
    char inner[KN_ERROR_TEXT];
    memcpy(inner, error->text, sizeof inner);
    va_list args;
    va_start(args, format);
    int used = vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    size_t at = used < 0 ? 0 : (size_t)used < sizeof error->text ? (size_t)used : sizeof error->text - 1;
    size_t room = sizeof error->text - at;
    if (room > 3) snprintf(error->text + at, room, ": %.*s", (int)(room - 3), inner);
    keep_utf8(error->text);
    return error->status;
}

KnStatus kn_fail_errno(KnError *error, const char *format, ...)
{
    int code = errno;
    if (error) {
        va_list args;
        va_start(args, format);
        kn_fail_args(error, KN_SYSTEM, format, args);
        va_end(args);
        size_t at = strlen(error->text);
        snprintf(error->text + at, sizeof error->text - at, ": %s", strerror(code));
        keep_utf8(error->text);
    }
    return KN_SYSTEM;
}

KnStatus kn_fail_memory(KnError *error, const char *doing)
{
    return kn_fail(error, KN_SYSTEM, "out of memory while %s", doing);
}
