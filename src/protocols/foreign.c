#include "protocols/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"

/* Deadline for an engine to read a line. */
static const double SEND_SECONDS = 10;

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
    foreign->counted = 0;
    KnStatus status = kn_child_start(foreign->command, &foreign->child, error);
    if (status == KN_OK && foreign->log) status = kn_child_log(foreign->child, foreign->log, error);
    return status == KN_OK ? KN_OK : kn_foreign_stop(foreign, status);
}

KnStatus kn_foreign_stop(KnForeign *foreign, KnStatus status)
{
    kn_child_end(foreign->child);
    foreign->child = NULL;
    return status;
}

KnStatus kn_foreign_unusable(KnForeign *foreign, KnStatus status, KnError *error)
{
    kn_foreign_stop(foreign, status);
    if (status != KN_FORFEIT) return status;
    if (error) {
        kn_fail_within(error, "the engine does not start");
        error->status = KN_INPUT;
    }
    return KN_INPUT;
}

KnStatus kn_foreign_send(KnForeign *foreign, const char *line, KnError *error)
{
    return kn_child_write(foreign->child, line, SEND_SECONDS, error);
}

const char *kn_foreign_after(const char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' ')) return NULL;
    line += length;
    return line + strspn(line, " ");
}

/* Remarks such as "depth 6 nodes 100 score -35": a number that no score can be is no score. */
static void note_score(KnForeign *foreign, const char *remarks)
{
    const char *at = strstr(remarks, "score ");
    if (!at || (at > remarks && at[-1] != ' ')) return;
    char *end;
    long score = strtol(at + 6, &end, 10);
    if (end == at + 6 || (*end && *end != ' ') || score < -KN_SCORE_WIN || score > KN_SCORE_WIN) return;
    foreign->has_score = true;
    foreign->score = (KnScore)score;
}

KnStatus kn_foreign_await(KnForeign *foreign, const KnForeignWords *words, const char *word, double seconds,
                          const atomic_bool *cancel, const char **rest, KnError *error)
{
    KN_ASSERT(foreign->child);
    double until = kn_clock_now() + seconds, left = seconds;
    for (; left > 0; left = until - kn_clock_now()) {
        KnStatus status = kn_child_read(foreign->child, left, cancel, &foreign->line, error);
        if (status == KN_FORFEIT && left < seconds / 2 && kn_clock_now() >= until)
            break; /* it spoke, and late */
        if (status != KN_OK) return status;
        const char *said = foreign->line.data, *more;
        if ((more = kn_foreign_after(said, words->name))) {
            kn_text_clear(&foreign->name);
            kn_text_add(&foreign->name, more);
        }
        if (words->info && (more = kn_foreign_after(said, words->info))) note_score(foreign, more);
        if ((*rest = kn_foreign_after(said, word))) return KN_OK;
        if (words->error && (more = kn_foreign_after(said, words->error)))
            return kn_fail(error, KN_FORFEIT, "\"%.200s\" says: %.500s", foreign->command, more);
    }
    return kn_fail(error, KN_FORFEIT,
                   "\"%.200s\" has sent lines for %.1f s without the \"%s\" that it was asked for",
                   foreign->command, seconds, word);
}

KnStatus kn_foreign_move(const KnForeign *foreign, const KnRequest *request, const char *text, KnMove *move,
                         KnError *error)
{
    KnError why;
    char word[KN_ERROR_TEXT];
    snprintf(word, sizeof word, "%s", text);
    for (size_t length = strlen(word); length && strchr(" \t", word[length - 1]);) word[--length] = '\0';
    if (kn_game_parse_move(request->game, request->position, request->role, word, move, &why) != KN_OK)
        return kn_fail(error, KN_FORFEIT, "\"%.200s\" has answered: %.700s", foreign->command, why.text);
    for (int i = 0; i < request->allowed_count; i++)
        if (request->allowed[i] == *move) return KN_OK;
    return kn_fail(error, KN_FORFEIT, "\"%.200s\" has chosen %.60s, which is not allowed here",
                   foreign->command, word);
}

void kn_foreign_answered(KnForeign *foreign, KnPlayer *player, const KnRequest *request, KnAnswer *answer)
{
    if (foreign->child) {
        double used = kn_child_cpu_seconds(foreign->child);
        if (used > foreign->counted) player->child_seconds += used - foreign->counted;
        foreign->counted = used;
    }
    if (!(request->wants & KN_WANT_EXPLANATION)) return;
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s: the choice of %s",
                   kn_game_move_name(request->game, request->position, answer->move, request->arena),
                   foreign->name.length ? foreign->name.data : foreign->command);
    answer->explanation = kn_explanation_new(request->arena, text.data);
    kn_text_free(&text);
}
