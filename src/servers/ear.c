#include "servers/ear.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

typedef struct KnEarLine {
    char *text;
    bool stopped; /* a question that is to be answered at once */
    struct KnEarLine *next;
} Line;

static void stop_last(KnEar *ear)
{
    Line *question = NULL;
    for (Line *line = ear->first; line; line = line->next)
        if (ear->manners->asks(line->text)) question = line;
    if (question)
        question->stopped = true;
    else if (ear->thinking)
        atomic_store(&ear->stop, true);
}

/* A whole line has come. */
static bool hear(KnEar *ear, const char *bytes, size_t length)
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
    bool stop = ear->manners->stops(text), kept = !stop || ear->manners->stop_is_heard;
    pthread_mutex_lock(&ear->lock);
    if (stop) stop_last(ear);
    if (kept) {
        *ear->last = line;
        ear->last = &line->next;
        pthread_cond_signal(&ear->news);
    }
    pthread_mutex_unlock(&ear->lock);
    if (!kept) {
        free(text);
        free(line);
    }
    return true;
}

/* Cuts what is there into lines, and keeps the rest. */
static bool hear_lines(KnEar *ear, KnText *text)
{
    size_t from = 0;
    for (char *end; (end = memchr(text->data + from, '\n', text->length - from));
         from = (size_t)(end - text->data) + 1)
        if (!hear(ear, text->data + from, (size_t)(end - text->data) - from)) return false;
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
    KnEar *ear = user;
    KnText text = KN_TEXT_EMPTY;
    for (bool on = true; on;) {
        char bytes[4096];
        struct pollfd ends[2] = {{ear->in, POLLIN, 0}, {ear->wake[0], POLLIN, 0}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
        if (ends[1].revents) break;
        ssize_t got = ends[0].revents ? read(ear->in, bytes, sizeof bytes) : 0;
        if (!ends[0].revents || (got < 0 && (errno == EINTR || errno == EAGAIN))) continue;
        if (got > 0) kn_text_add_bytes(&text, bytes, (size_t)got);
        on = got > 0 && hear_lines(ear, &text);
        if (got == 0 && text.length)
            hear(ear, text.data, text.length); /* the last line without its newline */
    }
    kn_text_free(&text);
    pthread_mutex_lock(&ear->lock);
    ear->ended = true;
    if (ear->thinking && !ear->limited) atomic_store(&ear->stop, true);
    pthread_cond_signal(&ear->news);
    pthread_mutex_unlock(&ear->lock);
    return NULL;
}

char *kn_ear_next(KnEar *ear)
{
    pthread_mutex_lock(&ear->lock);
    while (!ear->first && !ear->ended) pthread_cond_wait(&ear->news, &ear->lock);
    Line *line = ear->first;
    if (line && !(ear->first = line->next)) ear->last = &ear->first;
    if (line) ear->stopped = line->stopped;
    pthread_mutex_unlock(&ear->lock);
    char *text = line ? line->text : NULL;
    free(line);
    return text;
}

void kn_ear_think(KnEar *ear, bool thinking, bool limited)
{
    pthread_mutex_lock(&ear->lock);
    ear->thinking = thinking;
    ear->limited = limited;
    atomic_store(&ear->stop, thinking && (ear->stopped || (!limited && ear->ended)));
    pthread_mutex_unlock(&ear->lock);
}

KnStatus kn_ear_open(KnEar *ear, const KnEarManners *manners, int in, KnError *error)
{
    *ear = (KnEar){.manners = manners, .in = in, .last = &ear->first};
    if (pipe2(ear->wake, O_CLOEXEC) != 0) return kn_fail_errno(error, "no pipe to listen with");
    pthread_mutex_init(&ear->lock, NULL);
    pthread_cond_init(&ear->news, NULL);
    if (pthread_create(&ear->thread, NULL, listen_on, ear) == 0) return KN_OK;
    close(ear->wake[0]);
    close(ear->wake[1]);
    return kn_fail(error, KN_SYSTEM, "no thread can be started to listen");
}

void kn_ear_close(KnEar *ear)
{
    close(ear->wake[1]);
    pthread_join(ear->thread, NULL);
    close(ear->wake[0]);
    for (Line *line; (line = ear->first);) {
        ear->first = line->next;
        free(line->text);
        free(line);
    }
    pthread_cond_destroy(&ear->news);
    pthread_mutex_destroy(&ear->lock);
}
