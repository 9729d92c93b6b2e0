#include "lab/widening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

const KnReading kn_widening_readings[] = {
    {"Which problems?", "The project's own set in three volumes by difficulty (docs/capture.md): the books are not to be had.",
     "Their problems are made by people; ours come from games and take fewer nodes at the same length."},
    {"What is a node?", "Every position played, those of the small searches by definition (gi, ip, g) included.",
     "The paper seems to count nodes of the main tree only: its counts are lower for what they achieve."},
    {"What is a second of a machine of 600 MHz?", "50,000 positions played, and 5,000 for a tenth of it: exact, whatever the machine.",
     "Limits by today's clock saturate: nearly everything is solved."},
    {"What is \"lost\" at an AND node without a threat?", "Unproved.", "Counting it as lost would make unsound disproofs; it changes nothing that is counted as solved."},
    {"What is the time?", "Processor time of both searches together.", ""},
    {0}};

const char *const kn_widening_columns[KN_WIDENING_COLUMNS] = {"time", "nodes", "minimum", "solved"};

size_t kn_widening_select(KnProblems *problems)
{
    size_t kept = 0;
    for (size_t i = 0; i < problems->count; i++)
        if (problems->list[i].answer > 0) problems->list[kept++] = problems->list[i];
    return problems->count = kept;
}

double kn_widening_sum(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    return sum;
}

/* By linearisation: what is left of each pair when the ratio is taken out varies about 0. */
KnMeasure kn_widening_ratio(const double *over, const double *under, size_t count)
{
    double below = kn_widening_sum(under, count), ratio = below > 0 ? kn_widening_sum(over, count) / below : 1, squares = 0;
    for (size_t i = 0; i < count; i++) {
        double rest = over[i] - ratio * under[i];
        squares += rest * rest;
    }
    double error = below > 0 ? 1.96 * sqrt(squares) / below : 0;
    return (KnMeasure){ratio, ratio - error, ratio + error, count};
}

KnMeasure kn_widening_gain(const double *more, const double *less, size_t count)
{
    KnMoments moments = {0};
    for (size_t i = 0; i < count; i++) kn_moments_add(&moments, 100 * (more[i] - less[i]));
    return kn_measure_mean(&moments);
}

KnMeasure kn_widening_column(const KnWideningSweep *sweep, int column)
{
    const double *values[] = {sweep->seconds, sweep->nodes, sweep->least, sweep->solved};
    double sum = kn_widening_sum(values[column], sweep->count);
    return column == 3 ? kn_measure_share(sum, sweep->count, 100) : kn_measure_exact(sum);
}

void kn_widening_free(KnWideningSweep *sweep)
{
    free(sweep->seconds);
    *sweep = (KnWideningSweep){0};
}

static bool make_room(KnWideningSweep *sweep, size_t count)
{
    double *all = calloc(4 * count + 1, sizeof *all);
    *sweep = (KnWideningSweep){count, all, all + count, all + 2 * count, all + 3 * count};
    return all != NULL;
}

static json_t *to_json(const KnWideningSweep *sweep)
{
    json_t *list = json_array();
    for (size_t i = 0; i < 4 * sweep->count; i++) json_array_append_new(list, json_real(sweep->seconds[i]));
    return list;
}

static bool from_json(const json_t *kept, KnWideningSweep *sweep)
{
    if (json_array_size(kept) != 4 * sweep->count) return false;
    for (size_t i = 0; i < 4 * sweep->count; i++) sweep->seconds[i] = json_number_value(json_array_get(kept, i));
    return true;
}

/* Every problem of the volume, or as many as wanted, evenly spread. */
static size_t choose(const KnProblems *problems, int volume, int most, const KnProblem **chosen)
{
    size_t count = 0;
    for (int v = 1; v <= 3; v++) {
        size_t there = 0, taken = 0;
        for (size_t i = 0; i < problems->count; i++) there += problems->list[i].volume == v;
        size_t wanted = volume && volume != v ? 0 : most && (size_t)most < there ? (size_t)most : there, seen = 0;
        for (size_t i = 0; i < problems->count; i++) {
            if (problems->list[i].volume != v) continue;
            if (taken < wanted && ++seen * wanted > taken * there) chosen[count++] = &problems->list[i], taken++;
        }
    }
    return count;
}

KnStatus kn_widening_sweep(KnLabRun *run, const KnProblems *problems, const char *key, int volume, int most, KnProofOptions options,
                           KnWideningSweep *sweep, KnError *error)
{
    const KnProblem **chosen = calloc(problems->count + 1, sizeof(const KnProblem *));
    size_t count = chosen ? choose(problems, volume, most, chosen) : 0;
    KnProofSearch *search = NULL;
    KnStatus status = chosen && make_room(sweep, count) ? KN_OK : kn_fail_memory(error, "measuring");
    options.table_bits = KN_WIDENING_TABLE;
    const json_t *kept = kn_lab_done(run, key);
    if (status == KN_OK && kept && from_json(kept, sweep)) {
        kn_progress_tick(kn_lab_progress(run), 1);
        free(chosen);
        return KN_OK;
    }
    if (status == KN_OK) status = kn_proof_new(&options, &search, error);
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnProofAnswer taken;
        bool solved = false;
        double started = kn_clock_cpu();
        if (kn_widening_stopped(run)) status = kn_fail(error, KN_STOPPED, "stopped");
        else status = kn_capturing_both(search, chosen[i], &taken, &solved, error);
        if (status != KN_OK) break;
        sweep->seconds[i] = kn_clock_cpu() - started;
        sweep->nodes[i] = (double)taken.nodes, sweep->least[i] = (double)taken.least, sweep->solved[i] = solved;
    }
    kn_proof_free(search);
    free(chosen);
    if (status == KN_OK) status = kn_lab_keep(run, key, to_json(sweep), error);
    if (status == KN_OK) kn_progress_tick(kn_lab_progress(run), 1);
    else kn_widening_free(sweep);
    return status;
}
