#include "base/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

/* `done`, `total` and `due` are atomic, so that a tick that reports nothing takes no lock; the thread that
 * finds a report due and gets the lock writes it; the others go on working. */
struct KnProgress {
    char *label;
    FILE *out;
    bool line;
    KnProgressReport report;
    void *user;
    double start, interval;
    atomic_uint_fast64_t done, total, before;
    atomic_uint_fast64_t parts, told; /* see kn_progress_parts */
    bool part_told;                   /* under the lock */
    _Atomic double due;               /* when the next report is due */
    pthread_mutex_t lock;
    bool shown;     /* something was written; under the lock */
    char note[160]; /* under the lock */
};

/* Work that takes less reports nothing. */
static const double FIRST_LINE = 0.3;

static bool is_terminal(FILE *out)
{
    int file = fileno(out);
    const char *term = getenv("TERM");
    return file >= 0 && isatty(file) && !(term && strcmp(term, "dumb") == 0);
}

KnProgress *kn_progress_open(const KnProgressOptions *options)
{
    KnProgress *progress = calloc(1, sizeof *progress);
    char *label = strdup(options->label ? options->label : "");
    if (!progress || !label) {
        free(progress);
        free(label);
        return NULL;
    }
    progress->label = label;
    progress->out = options->out;
    progress->line = options->out && (options->style == KN_PROGRESS_LINE ||
                                      (options->style == KN_PROGRESS_AUTO && is_terminal(options->out)));
    progress->report = options->report;
    progress->user = options->user;
    progress->start = kn_clock_now();
    progress->interval = options->interval > 0 ? options->interval
                         : progress->line      ? 0.1
                         : options->out        ? 10
                                               : 0.25;
    atomic_init(&progress->before, options->before);
    atomic_init(&progress->parts, 0);
    atomic_init(&progress->told, 0);
    atomic_init(&progress->done, options->before);
    atomic_init(&progress->total, options->total);
    double wait = progress->line && progress->interval < FIRST_LINE && !(options->interval > 0)
                      ? FIRST_LINE
                      : progress->interval;
    atomic_init(&progress->due, progress->start + wait);
    pthread_mutex_init(&progress->lock, NULL);
    return progress;
}

KnProgress *kn_progress_new(FILE *out, const char *label, uint64_t total)
{
    return kn_progress_open(&(KnProgressOptions){.out = out, .label = label, .total = total});
}

KnProgress *kn_progress_callback(KnProgressReport report, void *user)
{
    return kn_progress_open(&(KnProgressOptions){.report = report, .user = user});
}

/* The total of all parts: those that have not told theirs yet are taken to be as long as the others. */
static uint64_t whole_total(const KnProgress *progress)
{
    uint64_t total = atomic_load_explicit(&progress->total, memory_order_relaxed),
             parts = atomic_load_explicit(&progress->parts, memory_order_relaxed),
             told = atomic_load_explicit(&progress->told, memory_order_relaxed);
    return told && parts > told ? total + total / told * (parts - told) : total;
}

KnProgressState kn_progress_state(const KnProgress *progress)
{
    KnProgressState state = {"", 0, 0, 0, 0, -1};
    if (!progress) return state;
    state.label = progress->label;
    state.done = atomic_load_explicit(&progress->done, memory_order_relaxed);
    state.total = whole_total(progress);
    if (state.done > state.total) state.total = 0; /* there is more to do than was known: how much, is not */
    state.elapsed = kn_clock_now() - progress->start;
    double here = (double)(state.done - atomic_load_explicit(&progress->before, memory_order_relaxed));
    if (state.elapsed > 0) state.rate = here / state.elapsed;
    if (state.total && state.done >= state.total)
        state.remaining = 0;
    else if (state.total && here > 0)
        state.remaining = (double)(state.total - state.done) * (state.elapsed / here);
    return state;
}

void kn_text_add_duration(KnText *text, double seconds)
{
    if (seconds < 9.95) {
        kn_text_printf(text, "%.1f s", seconds < 0 ? 0 : seconds);
        return;
    }
    if (seconds > 1e12) seconds = 1e12;
    unsigned long long s = (unsigned long long)(seconds + 0.5), m = s / 60, h = m / 60, d = h / 24;
    if (m == 0)
        kn_text_printf(text, "%llu s", s);
    else if (h == 0)
        kn_text_printf(text, "%llu min %llu s", m, s % 60);
    else if (d == 0)
        kn_text_printf(text, "%llu h %llu min", h, m % 60);
    else
        kn_text_printf(text, "%llu d %llu h", d, h % 24);
}

/* Three significant digits, with k, M and G. */
static void add_rate(KnText *text, double rate)
{
    const char *unit = "";
    if (rate >= 999.5e6)
        rate /= 1e9, unit = "G";
    else if (rate >= 999.5e3)
        rate /= 1e6, unit = "M";
    else if (rate >= 9999.5)
        rate /= 1e3, unit = "k";
    int decimals = rate >= 99.95 ? 0 : rate >= 9.995 ? 1 : 2;
    kn_text_printf(text, "%.*f%s/s", decimals, rate, unit);
}

void kn_progress_print(KnText *text, const KnProgressState *state)
{
    if (state->label[0]) kn_text_printf(text, "%s: ", state->label);
    kn_text_printf(text, "%llu", (unsigned long long)state->done);
    if (state->total)
        kn_text_printf(
            text, "/%llu (%d%%)", (unsigned long long)state->total,
            state->done >= state->total ? 100 : (int)(100.0 * (double)state->done / (double)state->total));
    kn_text_add(text, ", ");
    add_rate(text, state->rate);
    kn_text_add(text, ", ");
    kn_text_add_duration(text, state->elapsed);
    if (state->remaining > 0) {
        kn_text_add(text, ", ");
        kn_text_add_duration(text, state->remaining);
        kn_text_add(text, " left");
    }
}

/* A rewritten line must not wrap, or it could not be rewritten. Counts bytes, which is safe for longer
 * characters. */
static void cut_to_width(KnText *text, FILE *out)
{
    struct winsize size;
    size_t width = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
    if (text->length <= width) return;
    while (width && ((unsigned char)text->data[width] & 0xc0) == 0x80) width--;
    text->length = width;
    text->data[width] = '\0';
}

/* Under the lock. */
static void write_report(KnProgress *progress)
{
    KnProgressState state = kn_progress_state(progress);
    if (progress->report) progress->report(progress->user, &state);
    if (progress->out) {
        KnText text = KN_TEXT_EMPTY;
        kn_progress_print(&text, &state);
        if (progress->note[0]) kn_text_printf(&text, ", %s", progress->note);
        if (progress->line && text.capacity) cut_to_width(&text, progress->out);
        fprintf(progress->out, progress->line ? "\r\033[K%s" : "%s\n", text.data);
        fflush(progress->out);
        kn_text_free(&text);
    }
    progress->shown = true;
}

void kn_progress_tick(KnProgress *progress, uint64_t amount)
{
    if (!progress) return;
    atomic_fetch_add_explicit(&progress->done, amount, memory_order_relaxed);
    if (!progress->out && !progress->report) return;
    double now = kn_clock_now();
    if (now < atomic_load_explicit(&progress->due, memory_order_relaxed)) return;
    if (pthread_mutex_trylock(&progress->lock) != 0) return;
    if (now >= atomic_load_explicit(&progress->due, memory_order_relaxed)) {
        atomic_store_explicit(&progress->due, now + progress->interval, memory_order_relaxed);
        write_report(progress);
    }
    pthread_mutex_unlock(&progress->lock);
}

bool kn_progress_due(const KnProgress *progress)
{
    return progress && (progress->out || progress->report) &&
           kn_clock_now() >= atomic_load_explicit(&progress->due, memory_order_relaxed);
}

void kn_progress_note(KnProgress *progress, const char *note)
{
    if (!progress) return;
    pthread_mutex_lock(&progress->lock);
    snprintf(progress->note, sizeof progress->note, "%s", note);
    pthread_mutex_unlock(&progress->lock);
}

void kn_progress_set_total(KnProgress *progress, uint64_t total)
{
    if (progress) atomic_store_explicit(&progress->total, total, memory_order_relaxed);
}

void kn_progress_add_total(KnProgress *progress, uint64_t amount)
{
    if (!progress) return;
    pthread_mutex_lock(&progress->lock);
    if (!progress->part_told && amount && atomic_load(&progress->parts)) {
        progress->part_told = true;
        atomic_fetch_add_explicit(&progress->told, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&progress->lock);
    atomic_fetch_add_explicit(&progress->total, amount, memory_order_relaxed);
}

void kn_progress_skip(KnProgress *progress, uint64_t amount)
{
    if (!progress) return;
    atomic_fetch_add_explicit(&progress->before, amount, memory_order_relaxed);
    kn_progress_tick(progress, amount);
}

void kn_progress_parts(KnProgress *progress, uint64_t parts)
{
    if (progress) atomic_store_explicit(&progress->parts, parts, memory_order_relaxed);
}

void kn_progress_part_done(KnProgress *progress)
{
    if (!progress) return;
    pthread_mutex_lock(&progress->lock);
    if (!progress->part_told) kn_progress_part_elsewhere(progress);
    progress->part_told = false;
    pthread_mutex_unlock(&progress->lock);
}

void kn_progress_part_elsewhere(KnProgress *progress)
{
    if (progress) atomic_fetch_sub_explicit(&progress->parts, 1, memory_order_relaxed);
}

void kn_progress_free(KnProgress *progress)
{
    if (!progress) return;
    /* The last numbers, where earlier ones were shown; a callback always hears the end. */
    if (progress->shown || progress->report) {
        if (!progress->shown) progress->out = NULL;
        write_report(progress);
        if (progress->out && progress->line) {
            fputc('\n', progress->out);
            fflush(progress->out);
        }
    }
    pthread_mutex_destroy(&progress->lock);
    free(progress->label);
    free(progress);
}
