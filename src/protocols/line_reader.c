#include "protocols/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

typedef struct KnLineReaderLine {
    char *text;
    bool stopped; /* the current question must be answered at once */
    struct KnLineReaderLine *next;
} Line;

static void stop_last(KnLineReader *reader)
{
    Line *question = NULL;
    for (Line *line = reader->first; line; line = line->next)
        if (reader->callbacks->asks(line->text)) question = line;
    if (question)
        question->stopped = true;
    else if (reader->thinking)
        atomic_store(&reader->stop, true);
}

/* A whole line has come. */
static bool hear(KnLineReader *reader, const char *bytes, size_t length)
{
    while (length && bytes[length - 1] == '\r') length--;
    char *text = strndup(bytes, length);
    Line *line = calloc(1, sizeof *line);
    if (!text || !line) {
        free(text);
        free(line);
        return false;
    }
    line->text = text;
    bool stop = reader->callbacks->stops(text), kept = !stop || reader->callbacks->stop_is_heard;
    pthread_mutex_lock(&reader->lock);
    if (stop) stop_last(reader);
    if (kept) {
        *reader->last = line;
        reader->last = &line->next;
        pthread_cond_signal(&reader->news);
    }
    pthread_mutex_unlock(&reader->lock);
    if (!kept) {
        free(text);
        free(line);
    }
    return true;
}

/* Cuts what is there into lines, and keeps the rest. */
static bool hear_lines(KnLineReader *reader, KnText *text)
{
    size_t from = 0;
    for (char *end; (end = memchr(text->data + from, '\n', text->length - from));
         from = (size_t)(end - text->data) + 1)
        if (!hear(reader, text->data + from, (size_t)(end - text->data) - from)) return false;
    if (from) {
        KnText rest = KN_TEXT_EMPTY;
        kn_text_add_bytes(&rest, text->data + from, text->length - from);
        kn_text_free(text);
        *text = rest;
    }
    return kn_text_ok(text) && text->length < KN_EAR_LINE;
}

static void *listen_on(void *user)
{
    KnLineReader *reader = user;
    KnText text = KN_TEXT_EMPTY;
    for (bool on = true; on;) {
        char bytes[4096];
        struct pollfd ends[2] = {{reader->in, POLLIN, 0}, {reader->wake[0], POLLIN, 0}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
        if (ends[1].revents) break;
        ssize_t got = ends[0].revents ? read(reader->in, bytes, sizeof bytes) : 0;
        if (!ends[0].revents || (got < 0 && (errno == EINTR || errno == EAGAIN))) continue;
        if (got > 0) kn_text_add_bytes(&text, bytes, (size_t)got);
        on = got > 0 && hear_lines(reader, &text);
        if (got == 0 && text.length)
            hear(reader, text.data, text.length); /* the last line without its newline */
    }
    kn_text_free(&text);
    pthread_mutex_lock(&reader->lock);
    reader->ended = true;
    if (reader->thinking && !reader->limited) atomic_store(&reader->stop, true);
    pthread_cond_signal(&reader->news);
    pthread_mutex_unlock(&reader->lock);
    return NULL;
}

char *kn_line_reader_next(KnLineReader *reader)
{
    pthread_mutex_lock(&reader->lock);
    while (!reader->first && !reader->ended) pthread_cond_wait(&reader->news, &reader->lock);
    Line *line = reader->first;
    if (line && !(reader->first = line->next)) reader->last = &reader->first;
    if (line) reader->stopped = line->stopped;
    pthread_mutex_unlock(&reader->lock);
    char *text = line ? line->text : NULL;
    free(line);
    return text;
}

void kn_line_reader_think(KnLineReader *reader, bool thinking, bool limited)
{
    pthread_mutex_lock(&reader->lock);
    reader->thinking = thinking;
    reader->limited = limited;
    atomic_store(&reader->stop, thinking && (reader->stopped || (!limited && reader->ended)));
    pthread_mutex_unlock(&reader->lock);
}

KnStatus kn_line_reader_open(KnLineReader *reader, const KnLineReaderCallbacks *callbacks, int in,
                             KnError *error)
{
    *reader = (KnLineReader){.callbacks = callbacks, .in = in, .last = &reader->first};
    if (pipe2(reader->wake, O_CLOEXEC) != 0) return kn_fail_errno(error, "no pipe to listen with");
    pthread_mutex_init(&reader->lock, NULL);
    pthread_cond_init(&reader->news, NULL);
    if (pthread_create(&reader->thread, NULL, listen_on, reader) == 0) return KN_OK;
    close(reader->wake[0]);
    close(reader->wake[1]);
    return kn_fail(error, KN_SYSTEM, "no thread can be started to listen");
}

void kn_line_reader_close(KnLineReader *reader)
{
    close(reader->wake[1]);
    pthread_join(reader->thread, NULL);
    close(reader->wake[0]);
    for (Line *line; (line = reader->first);) {
        reader->first = line->next;
        free(line->text);
        free(line);
    }
    pthread_cond_destroy(&reader->news);
    pthread_mutex_destroy(&reader->lock);
}
