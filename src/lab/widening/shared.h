/* What the experiments on iterative widening (Cazenave 2001) share: a sweep, which solves a set of capture
 * problems by one strategy under a limit, and its statistics.
 *
 * The problems are those of the set `captures` where the side that moves first wins, as in the paper. As
 * there, a problem takes two searches: the attacker moves first, and, if the capture is proved, the defender
 * moves first. */
#ifndef KNACK_LAB_WIDENING_SHARED_H
#define KNACK_LAB_WIDENING_SHARED_H

#include "lab/experiment.h"
#include "methods/widening/capture_solver.h"

/* KN_WIDENING_NODES positions stand for one second of the paper's machine of 600 MHz; the small searches of
 * the definitions (gi, ip) count. A current core plays about six million positions a second and is about
 * twenty times as fast; that would make six times as many and leave few problems unsolved. */
enum { KN_WIDENING_NODES = 50000, KN_WIDENING_TABLE = 14 };

/* Results by problem, for both searches together. `nodes` and `least` count nodes of the search tree, as in
 * the paper; `positions` counts all positions played, `attack` those of the attacker's search. `solved` is 0
 * or 1. */
enum { KN_WIDENING_FIELDS = 6 };
typedef struct KnWideningSweep {
    size_t count;
    double *seconds, *nodes, *least, *solved, *positions, *attack;
} KnWideningSweep;

/* Loads the problems of the paper's kind. The caller frees with kn_problems_free. */
KnStatus kn_widening_open(const KnLabRun *run, KnCaptureProblems **problems, KnError *error);

/* Solves the problems of a volume (0: of all), at most `most` of each volume (0: all). The lab stores the
 * result under `key` and reuses it. `problems` come from kn_widening_open. Threads and ranks share the work
 * unless the searches have a time limit. The caller frees the sweep. */
KnStatus kn_widening_sweep(KnLabRun *run, const KnCaptureProblems *problems, const char *key, int volume,
                           int most, KnProofOptions options, KnWideningSweep *sweep, KnError *error);
void kn_widening_free(KnWideningSweep *sweep);

double kn_widening_sum(const double *values, size_t count);

/* The ratio of two sums over the same problems, and the difference of two shares in %, each with a paired
 * confidence interval. */
KnMeasure kn_widening_ratio(const double *over, const double *under, size_t count);
KnMeasure kn_widening_gain(const double *more, const double *less, size_t count);

/* The columns of the paper's tables: seconds, nodes, least nodes and % solved. */
enum { KN_WIDENING_COLUMNS = 4 };
extern const char *const kn_widening_columns[KN_WIDENING_COLUMNS];
KnMeasure kn_widening_column(const KnWideningSweep *sweep, int column);

static inline bool kn_widening_stopped(const KnLabRun *run)
{
    return kn_lab_cancel(run) && atomic_load(kn_lab_cancel(run));
}

extern const KnInterpretation kn_widening_interpretations[];

#endif
