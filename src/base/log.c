#include "base/log.h"

#include <stdarg.h>

static const char *const level_names[] = {"error", "warning", "info", "debug"};

bool kn_log_wants(const KnLog *log, KnLogLevel level) { return log && log->out && level <= log->level; }

void kn_log(const KnLog *log, KnLogLevel level, const char *format, ...)
{
    if (!kn_log_wants(log, level)) return;
    va_list args;
    va_start(args, format);
    flockfile(log->out);
    if (log->name) fprintf(log->out, "%s: ", log->name);
    if (level != KN_LOG_INFO) fprintf(log->out, "%s: ", level_names[level]);
    vfprintf(log->out, format, args);
    fputc('\n', log->out);
    fflush(log->out);
    funlockfile(log->out);
    va_end(args);
}
