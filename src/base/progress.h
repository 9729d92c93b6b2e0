/* Tells a person how far long work has come.
 *
 * On a terminal one line is rewritten: label, done/total, rate, elapsed and remaining time; otherwise plain
 * lines, at most one every 10 seconds. Or a callback gets the same numbers. kn_progress_tick may be called
 * from any thread, and costs little. A NULL KnProgress is allowed everywhere and silent, and so is one with
 * neither file nor callback.
 *
 * Ownership: kn_progress_free ends the line and frees; the file stays open. The label is copied. */
#ifndef KNACK_BASE_PROGRESS_H
#define KNACK_BASE_PROGRESS_H

#include <stdio.h>

#include "base/text.h"

typedef enum KnProgressStyle {
    KN_PROGRESS_AUTO, /* a line if the file is a terminal */
    KN_PROGRESS_LINE, /* one line, rewritten */
    KN_PROGRESS_PLAIN /* a line a report */
} KnProgressStyle;

typedef struct KnProgressOptions {
    const char *label;
    uint64_t total;  /* 0: unknown */
    uint64_t before; /* already done when the work starts (a resumed run) */
    FILE *out;       /* NULL: nothing is printed */
    KnProgressStyle style;
    KnProgressReport report; /* NULL: none */
    void *user;
    double interval; /* least seconds between reports; 0: 0.1 on a line, 10 in plain lines, 0.25 for a
                        callback only */
} KnProgressOptions;

/* NULL if memory runs out, which is then simply silent. */
KnProgress *kn_progress_open(const KnProgressOptions *options);
KnProgress *kn_progress_new(FILE *out, const char *label, uint64_t total);

void kn_progress_tick(KnProgress *progress, uint64_t amount);
void kn_progress_set_total(KnProgress *progress, uint64_t total);
void kn_progress_add_total(KnProgress *progress, uint64_t amount); /* there is more to do than was known */

/* Like a tick, for what was done before: it takes no time, and says nothing about the time that is left. */
void kn_progress_skip(KnProgress *progress, uint64_t amount);

/* Work in parts, one after the other, of which each adds to the total only when it begins: what has not
 * begun is taken to be as much as what has, so that total and time left are those of all parts. A part that
 * ends without a total of its own (it was there already), or was done by another process, counts for
 * nothing. */
void kn_progress_parts(KnProgress *progress, uint64_t parts);
void kn_progress_part_done(KnProgress *progress);
void kn_progress_part_elsewhere(KnProgress *progress);

/* What else the next reports say, after the numbers: the score so far, say. Copied. kn_progress_due tells
 * whether the next tick will report, so that a note need not be made for every tick. */
void kn_progress_note(KnProgress *progress, const char *note);
bool kn_progress_due(const KnProgress *progress);

/* The numbers now. */
KnProgressState kn_progress_state(const KnProgress *progress);

/* The state as one line of text, without newline: "match: 250/1000 (25%), 12.5/s, 20 s, 1 min 0 s left". */
void kn_progress_print(KnText *text, const KnProgressState *state);

/* "3.2 s", "45 s", "3 min 5 s", "2 h 10 min", "3 d 4 h". */
void kn_text_add_duration(KnText *text, double seconds);

#endif
