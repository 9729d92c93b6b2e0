#include "base/log.h"

#include <stdarg.h>
#include <string.h>

static const char *const level_names[] = {"error", "warning", "info", "debug"};

const char *kn_log_level_name(KnLogLevel level) { return level_names[level]; }

KnStatus kn_log_level_parse(const char *text, KnLogLevel *level, KnError *error)
{
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, level_names[i]) != 0) continue;
        *level = (KnLogLevel)i;
        return KN_OK;
    }
    return kn_fail(error, KN_USAGE, "unknown log level \"%s\"; known: error, warning, info, debug", text);
}

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
