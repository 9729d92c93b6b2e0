/* Lines of a client, heard by a thread of its own, so that a line that is to stop a player's thinking is
 * noticed while it thinks.
 *
 * A question is a line that makes the server think; a stop is meant for the last question before it, one that
 * waits or the one that is being thought about. The end of the input stops a question that has no limit of
 * its own.
 *
 * Ownership: kn_line_reader_open / kn_line_reader_close; lines that it gives are the caller's to free.
 * kn_line_reader_next and kn_line_reader_think are for one thread. */
#ifndef KNACK_PROTOCOLS_LINE_READER_H
#define KNACK_PROTOCOLS_LINE_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

enum { KN_EAR_LINE = 1 << 20 /* the longest line; one that is longer ends the conversation */ };

/* What lines mean, in a protocol. */
typedef struct KnLineReaderCallbacks {
    bool (*asks)(const char *line);
    bool (*stops)(const char *line);
    bool stop_is_heard; /* a stop is handed over like other lines; otherwise it is gone once it has stopped
                           something */
} KnLineReaderCallbacks;

typedef struct KnLineReader {
    const KnLineReaderCallbacks *callbacks;
    int in;
    int wake[2]; /* a pipe: closing its second end wakes the thread for good */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    struct KnLineReaderLine *first, **last;
    bool ended;             /* no more will come */
    bool thinking, limited; /* a question is being thought about; it has a limit */
    bool stopped;           /* the line that was taken last had a stop behind it */
    atomic_bool stop;       /* for the player, as its `cancel` */
} KnLineReader;

KnStatus kn_line_reader_open(KnLineReader *reader, const KnLineReaderCallbacks *callbacks, int in,
                             KnError *error);
void kn_line_reader_close(KnLineReader *reader);

/* The next line without its end; NULL when no more will come. */
char *kn_line_reader_next(KnLineReader *reader);

/* Call it before and after answering a question; in between, `stop` is set when the answer is wanted at once.
 */
void kn_line_reader_think(KnLineReader *reader, bool thinking, bool limited);

#endif
