/* What the experiments on iterative widening (Cazenave 2001) share: a set of capture problems, answered by
 * one strategy under a limit, and what is read off that.
 *
 * The problems are those of the set `captures` that the attacker wins if he moves first and the defender if
 * he does: the paper's kind. As there, two searches a problem: the attacker first, and, if that is won, the
 * defender first. */
#ifndef KNACK_LAB_WIDENING_H
#define KNACK_LAB_WIDENING_H

#include "lab/experiment.h"
#include "search/capturing.h"

/* What stands for one second of a machine of 600 MHz: positions played, those of the small searches by
 * definition included. A core of today plays some six million a second, and is held to be twenty times as
 * fast: that would be six times as many, and would leave few problems unsolved. */
enum { KN_WIDENING_NODES = 50000, KN_WIDENING_TABLE = 14 };

/* By problem, both searches together. `nodes` and `least` are of the search's own tree, as in the paper;
 * `positions` are all that were played, and `attack` those of the attacker's search alone. `solved`: 0 or 1.
 */
enum { KN_WIDENING_FIELDS = 6 };
typedef struct KnWideningSweep {
    size_t count;
    double *seconds, *nodes, *least, *solved, *positions, *attack;
} KnWideningSweep;

/* The problems of the paper's kind. The caller frees with kn_problems_free. */
KnStatus kn_widening_open(const KnLabRun *run, KnProblems **problems, KnError *error);

/* Answers the problems of a volume (0: of all), at most `most` of each volume (0: all). `key` names the unit,
 * which is kept. `problems` as kn_widening_open gives them; they are shared out among threads and ranks
 * unless a clock bounds the searches. */
KnStatus kn_widening_sweep(KnLabRun *run, const KnProblems *problems, const char *key, int volume, int most,
                           KnProofOptions options, KnWideningSweep *sweep, KnError *error);
void kn_widening_free(KnWideningSweep *sweep);

double kn_widening_sum(const double *values, size_t count);

/* The ratio of two sums over the same problems, and the difference of two shares in %, each with its paired
 * interval. */
KnMeasure kn_widening_ratio(const double *over, const double *under, size_t count);
KnMeasure kn_widening_gain(const double *more, const double *less, size_t count);

/* Seconds, nodes, least nodes and % solved, by what they are called in the tables. */
enum { KN_WIDENING_COLUMNS = 4 };
extern const char *const kn_widening_columns[KN_WIDENING_COLUMNS];
KnMeasure kn_widening_column(const KnWideningSweep *sweep, int column);

static inline bool kn_widening_stopped(const KnLabRun *run)
{
    return kn_lab_cancel(run) && atomic_load(kn_lab_cancel(run));
}

extern const KnReading kn_widening_readings[];

#endif
