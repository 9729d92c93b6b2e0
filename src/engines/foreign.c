#include "engines/foreign.h"

#include <stdlib.h>
#include <string.h>

/* Seconds that everything but thinking may take. */
static const double MANNERS = 10;

KnStatus kn_foreign_open(KnForeign *foreign, const KnOptions *options, KnError *error)
{
    foreign->line = foreign->name = KN_TEXT_EMPTY;
    foreign->command = strdup(kn_option_string(options, "command"));
    const char *log = kn_option_string(options, "log");
    foreign->log = log && *log ? strdup(log) : NULL;
    foreign->patience = kn_option_real(options, "patience");
    return foreign->command ? KN_OK : kn_fail_memory(error, "opening a player");
}

void kn_foreign_close(KnForeign *foreign, const char *farewell)
{
    if (foreign->child) kn_child_write(foreign->child, farewell, 0.1, NULL);
    kn_child_end(foreign->child);
    kn_text_free(&foreign->line);
    kn_text_free(&foreign->name);
    free(foreign->command);
    free(foreign->log);
}

KnStatus kn_foreign_start(KnForeign *foreign, KnError *error)
{
    KnStatus status = kn_child_start(foreign->command, &foreign->child, error);
    if (status == KN_OK && foreign->log) status = kn_child_log(foreign->child, foreign->log, error);
    return status == KN_OK ? KN_OK : kn_foreign_part(foreign, status);
}

KnStatus kn_foreign_part(KnForeign *foreign, KnStatus status)
{
    kn_child_end(foreign->child);
    foreign->child = NULL;
    return status;
}

KnStatus kn_foreign_say(KnForeign *foreign, const char *line, KnError *error)
{
    return kn_child_write(foreign->child, line, MANNERS, error);
}

KnStatus kn_foreign_move(const KnForeign *foreign, const KnRequest *request, const char *text, KnMove *move,
                         KnError *error)
{
    KnStatus status = kn_game_parse_move(request->game, request->position, request->role, text, move, error);
    for (int i = 0; status == KN_OK && i < request->allowed_count; i++)
        if (request->allowed[i] == *move) return KN_OK;
    if (status == KN_OK)
        return kn_fail(error, KN_NO, "\"%.200s\" has chosen %.60s, which is not allowed here",
                       foreign->command, text);
    return kn_fail_within(error, "\"%.200s\" has answered", foreign->command);
}

void kn_foreign_tell(const KnForeign *foreign, const KnRequest *request, KnAnswer *answer)
{
    if (!(request->wants & KN_WANT_REASON)) return;
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s: %s says so",
                   kn_game_move_name(request->game, request->position, answer->move, request->arena),
                   foreign->name.length ? foreign->name.data : foreign->command);
    answer->reason = kn_reason_new(request->arena, text.data);
    kn_text_free(&text);
}
