/* Searches recorded in self-play: each is given several times its share of positions, and what it knew after
 * each depth is kept, with what the move chosen there was worth in the end.
 *
 * Ownership: kn_records_free frees what kn_records_make and kn_records_load allocate. */
#ifndef KNACK_METHODS_THINKING_SEARCHES_H
#define KNACK_METHODS_THINKING_SEARCHES_H

#include "base/progress.h"
#include "methods/thinking/signals.h"

enum { KN_THINKING_ROOM = 8, KN_THINKING_DEPTHS = 64 };

typedef struct KnDepthRecord {
    double nodes;
    KnScore value; /* of the move chosen here, by the whole search */
    double signals[KN_THINKING_SIGNALS];
} KnDepthRecord;

typedef struct KnSearchRecord {
    uint64_t game;
    double nodes;   /* of the whole search */
    KnScore value;  /* that it found */
    double outcome; /* points of the game, 0 to 1, for the side that searched */
    int count;
    KnDepthRecord *depths;
} KnSearchRecord;

typedef struct KnSearchRecords {
    size_t count, capacity;
    KnSearchRecord *searches;
} KnSearchRecords;

/* Self-play of a player with `units` positions a move. One move in `every` is searched with KN_THINKING_ROOM
 * times as many. */
typedef struct KnRecordPlan {
    const char *inner;
    uint64_t units, seed;
    int every, random_plies, plies;
    double judge;
    int jobs;
    const atomic_bool *cancel;
} KnRecordPlan;

/* Plays the games from `first` up to `end` and adds their searches, in the order of games. */
KnStatus kn_records_make(const KnContext *context, const KnGame *game, const KnRecordPlan *plan,
                         uint64_t first, uint64_t end, KnProgress *progress, KnSearchRecords *records,
                         KnError *error);
void kn_records_free(KnSearchRecords *records);

/* Those from index `from` on, as a sealed JSON file; and adds those of a file. */
KnStatus kn_records_save(const KnSearchRecords *records, size_t from, const char *path, KnError *error);
KnStatus kn_records_load(const char *path, KnSearchRecords *records, KnError *error);

/* The records of the games that are kept for tests (one in four), or of the others; they are borrowed, only
 * the list itself is to be freed by free(out->searches). */
KnStatus kn_records_part(const KnSearchRecords *records, bool tests, KnSearchRecords *out, KnError *error);

#endif
