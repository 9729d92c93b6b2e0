/* The lab: choosing experiments, running them, and what has been measured so far.
 *
 * A run's result is one JSON file, DATA/lab/EXPERIMENT.SCALE.SEED.json, written whole when the run is done; a
 * report needs nothing else. What an interrupted run leaves behind (games in the results store, units beside
 * the result) is found again by the same command. All of a result but its "record" (version, machine, times)
 * is the same for any number of threads.
 *
 * Seeds: readings and tolerances are chosen on development seeds, anything below KN_LAB_SEED; what is
 * reported is measured with KN_LAB_SEED, the default, which nothing was chosen on.
 *
 * Ownership: results are new references of the caller's. */
#ifndef KNACK_LAB_LAB_H
#define KNACK_LAB_LAB_H

#include "lab/experiment.h"

enum {
    KN_LAB_SEED = 1000,
    KN_LAB_FORMAT = 2 /* of stored results; raised with the rule of verdicts, too */
};

typedef struct KnLabPlan {
    KnScale scale;
    uint64_t seed;
    int jobs;                  /* 0: as many as cores */
    bool live;                 /* let others see the cells as they come (kn_lab_so_far) */
    bool fresh;                /* drop what earlier runs of the same experiment stored, and measure again */
    const atomic_bool *cancel; /* may be NULL */
} KnLabPlan;

/* Measures and saves. On KN_STOPPED and failures no result is written, and what was done so far stays stored.
 */
KnStatus kn_lab_run(const KnContext *context, const KnExperiment *experiment, const KnLabPlan *plan,
                    KnProgress *progress, json_t **result, KnError *error);

/* The tables of a live run that is under way, as far as there are cells: {"tables": [...]} as in a result, a
 * new reference; NULL if there is none. */
json_t *kn_lab_so_far(const KnContext *context, const KnExperiment *experiment, KnScale scale, uint64_t seed);

/* Calls visit for the experiments that a word names: a whole id, a beginning of ids, or a pattern
 * (temporal.*). The error lists what there is. */
typedef KnStatus (*KnVisitExperiment)(void *user, const KnExperiment *experiment, KnError *error);
KnStatus kn_lab_select(const KnContext *context, const char *word, KnVisitExperiment visit, void *user,
                       KnError *error);

/* One result an experiment, by name: the one at the larger scale, then the latest. `scale` NULL: any; `seed`
 * NULL: any. A damaged file is an error that names it. */
KnStatus kn_lab_results(const KnContext *context, const KnScale *scale, const uint64_t *seed,
                        json_t **results, KnError *error);

/* What that is made of: whether a result has this scale and seed (NULL: any), its scale, and putting it among
 * others by name, in place of one that says less. */
bool kn_lab_wanted(const json_t *result, const KnScale *scale, const uint64_t *seed);
KnScale kn_lab_scale_of(const json_t *result);
KnStatus kn_lab_add_result(json_t *results, json_t *result, KnError *error);

/* The same of a folder of results, or (`data`) of a data folder. */
KnStatus kn_lab_folder_results(const char *folder, bool data, const KnScale *scale, json_t **results,
                               KnError *error);

/* The cell of another result at the place of this one: same table, row and column. Borrowed; NULL if none. */
const json_t *kn_lab_same_cell(const json_t *result, const json_t *table, const json_t *cell);

/* Whether a document has the form of a result; the error names the field. */
KnStatus kn_lab_check_result(json_t *result, const char *name, KnError *error);

/* How many cells of a result have each verdict. */
void kn_lab_count(const json_t *result, size_t counts[KN_VERDICTS]);

/* Registers the built-in experiments. */
KnStatus kn_experiments_register(KnContext *context, KnError *error);

#endif
