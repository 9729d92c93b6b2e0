#include "lab/widening/shared.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "jobs/parallel.h"

enum { RUNS = 3 }; /* repetitions for the time of a search, because most machines also run other work */

const KnInterpretation kn_widening_interpretations[] = {
    {"Which problems?",
     "The project's own set in three volumes by difficulty (docs/capture.md): the books are not available.",
     "Their problems are made by people; ours come from games and take fewer nodes at the same length."},
    {"What is a node?",
     "One of the search's own tree. Limits count every position played, those of the small searches by "
     "definition (gi, ip, g) included.",
     "The paper has 4,500 nodes a second at 600 MHz, far fewer than positions."},
    {"What is a second of a machine of 600 MHz?",
     "50,000 positions played, and 5,000 for a tenth of it: exact, whatever the machine.",
     "By the speed of a current core, 300,000; but then nearly everything is solved and methods do not "
     "differ."},
    {"Where are the definitions asked?",
     "As the text has it, at each node and each depth: gi1 to gi3 at every OR node, whatever the widening; "
     "at every AND node, leaves included, ip up to "
     "that of the widening, with the whole set of moves that prevent it before the first is tried.",
     "With each move tested when its turn comes, a search takes a third, and widening saves nothing: see the "
     "last columns of section 6."},
    {"What is \"lost\" at an AND node without a threat?",
     "Lost for the widening that is on, and so decided, whatever the depth; unknown as an answer.",
     "The text says lost. The next widening looks at it again, so that no answer rests on it."},
    {"When does a widening fail?", "When an iteration cuts no leaf by depth; or at 12 plies (the last: 40).",
     "Not stated. On development problems no first step found anything beyond 10 plies."},
    {"When does the defender's search end?",
     "With the first widening that does not refute one of his moves: what is looked for is found.",
     "If it had to go on to the last set whenever a string can be saved, no strategy could have fewer nodes "
     "than strategy 1 in easy problems; table 1 has half for all that begin with OR1, and the same for 1 and "
     "3."},
    {"What is the time?", "Processor time of both searches together, the least of three runs.",
     "With limits by the clock: of one."},
    {0}};

const char *const kn_widening_columns[KN_WIDENING_COLUMNS] = {"time", "nodes", "minimum", "solved"};

static double *field(const KnWideningSweep *sweep, int index)
{
    double *const fields[KN_WIDENING_FIELDS] = {sweep->seconds, sweep->nodes,     sweep->least,
                                                sweep->solved,  sweep->positions, sweep->attack};
    KN_ASSERT(index >= 0 && index < KN_WIDENING_FIELDS);
    return fields[index];
}

/* Keeps the problems where the side to move succeeds. */
static void select_won(KnCaptureProblems *problems)
{
    size_t kept = 0;
    for (size_t i = 0; i < problems->count; i++)
        if (problems->list[i].answer > 0) problems->list[kept++] = problems->list[i];
    problems->count = kept;
    for (size_t i = 0; i < kept; i++)
        problems->list[i].first = true; /* the paper's game ends with a capture */
}

KnStatus kn_widening_open(const KnLabRun *run, KnCaptureProblems **problems, KnError *error)
{
    *problems = NULL;
    KnStatus status = kn_problems_load(kn_lab_context(run), "captures", NULL, problems, error);
    if (status == KN_OK) select_won(*problems);
    return status;
}

double kn_widening_sum(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    return sum;
}

/* The ratio estimator with its variance by linearisation (the delta method). */
KnMeasure kn_widening_ratio(const double *over, const double *under, size_t count)
{
    double below = kn_widening_sum(under, count),
           ratio = below > 0 ? kn_widening_sum(over, count) / below : 1, squares = 0;
    for (size_t i = 0; i < count; i++) {
        double rest = over[i] - ratio * under[i];
        squares += rest * rest;
    }
    double error = below > 0 ? 1.96 * sqrt(squares) / below : 0;
    return kn_measure_estimate(ratio, ratio - error, ratio + error, count);
}

KnMeasure kn_widening_gain(const double *more, const double *less, size_t count)
{
    KnMoments moments = {0};
    for (size_t i = 0; i < count; i++) kn_moments_add(&moments, 100 * (more[i] - less[i]));
    return kn_measure_mean(&moments);
}

KnMeasure kn_widening_column(const KnWideningSweep *sweep, int column)
{
    KN_ASSERT(column >= 0 && column < KN_WIDENING_COLUMNS);
    double sum = kn_widening_sum(field(sweep, column), sweep->count);
    if (column == 3) return kn_measure_share(sum, sweep->count, 100);
    return column == 0 ? kn_measure_single(sum) : kn_measure_exact(sum); /* 0: seconds; else positions */
}

void kn_widening_free(KnWideningSweep *sweep)
{
    free(sweep->seconds);
    *sweep = (KnWideningSweep){0};
}

static bool make_room(KnWideningSweep *sweep, size_t count)
{
    double *all = calloc(KN_WIDENING_FIELDS * count + 1, sizeof *all);
    *sweep = (KnWideningSweep){
        count, all, all + count, all + 2 * count, all + 3 * count, all + 4 * count, all + 5 * count};
    return all != NULL;
}

static json_t *to_json(const KnWideningSweep *sweep)
{
    json_t *list = json_array();
    for (size_t i = 0; i < KN_WIDENING_FIELDS * sweep->count; i++)
        json_array_append_new(list, json_real(sweep->seconds[i]));
    return list;
}

static bool from_json(const json_t *kept, KnWideningSweep *sweep)
{
    if (json_array_size(kept) != KN_WIDENING_FIELDS * sweep->count) return false;
    for (size_t i = 0; i < KN_WIDENING_FIELDS * sweep->count; i++)
        sweep->seconds[i] = json_number_value(json_array_get(kept, i));
    return true;
}

/* All problems of the volume (0: of all volumes), or at most `most` of each, evenly spread. */
static size_t choose(const KnCaptureProblems *problems, int volume, int most, const KnCaptureProblem **chosen)
{
    size_t count = 0;
    for (int v = 1; v <= 3; v++) {
        size_t there = 0, taken = 0;
        for (size_t i = 0; i < problems->count; i++) there += problems->list[i].volume == v;
        size_t wanted = volume && volume != v          ? 0
                        : most && (size_t)most < there ? (size_t)most
                                                       : there,
               seen = 0;
        for (size_t i = 0; i < problems->count; i++) {
            if (problems->list[i].volume != v) continue;
            if (taken < wanted && ++seen * wanted > taken * there)
                chosen[count++] = &problems->list[i], taken++;
        }
    }
    return count;
}

/* ---- a sweep, shared out among threads and ranks ---- */

/* The payload of the job: plain values. */
typedef struct Question {
    KnLabOrigin origin;
    int volume, most;
    KnProofOptions options;
} Question;

typedef struct Asking {
    KnLabRun *run;
    const KnCaptureProblem **chosen;
    KnWideningSweep *sweep;
    KnProofSearch **searches; /* by worker */
    int workers;
    Question question;
} Asking;

static KnStatus open_asking(Asking *asking, const KnCaptureProblems *problems, KnError *error)
{
    asking->workers = kn_jobs(kn_lab_jobs(asking->run));
    asking->searches = calloc((size_t)asking->workers, sizeof(KnProofSearch *));
    asking->chosen = calloc(problems->count + 1, sizeof(const KnCaptureProblem *));
    size_t count = asking->chosen
                       ? choose(problems, asking->question.volume, asking->question.most, asking->chosen)
                       : 0;
    if (!asking->searches || !asking->chosen || !make_room(asking->sweep, count))
        return kn_fail_memory(error, "measuring");
    return KN_OK;
}

static void close_asking(Asking *asking)
{
    for (int i = 0; asking->searches && i < asking->workers; i++) kn_proof_free(asking->searches[i]);
    free(asking->searches);
    free(asking->chosen);
}

/* A search keeps nothing between two problems, so the results do not depend on the distribution of the work.
 */
static KnStatus ask(void *user, int worker, uint64_t index, KnError *error)
{
    Asking *asking = user;
    KN_ASSERT(worker >= 0 && worker < asking->workers && index < asking->sweep->count);
    KnProofSearch **search = &asking->searches[worker];
    KnWideningSweep *sweep = asking->sweep;
    KnProofAnswer answers[2];
    bool solved = false;
    KnStatus status = *search ? KN_OK : kn_proof_new(&asking->question.options, search, error);
    bool once = asking->question.options.seconds > 0 ||
                asking->question.options.strategy ==
                    KN_PROOF_BRUTE_FORCE; /* long enough for one measurement */
    int runs = once ? 1 : RUNS;
    for (int i = 0; i < runs && status == KN_OK; i++) {
        double started = kn_clock_cpu();
        status = kn_capture_solve_both(*search, asking->chosen[index], answers, &solved, error);
        double took = kn_clock_cpu() - started;
        if (i == 0 || took < sweep->seconds[index]) sweep->seconds[index] = took;
    }
    if (status != KN_OK) return status;
    sweep->nodes[index] = (double)(answers[0].tree + answers[1].tree),
    sweep->least[index] = (double)(answers[0].least + answers[1].least);
    sweep->positions[index] = (double)(answers[0].nodes + answers[1].nodes),
    sweep->attack[index] = (double)answers[0].nodes;
    sweep->solved[index] = solved;
    return KN_OK;
}

/* ---- the job ---- */

typedef struct WorkerAsking {
    Asking asking;
    KnWideningSweep sweep;
    KnCaptureProblems *problems;
} WorkerAsking;
_Static_assert(offsetof(WorkerAsking, asking) == 0, "ask takes a WorkerAsking for its Asking");

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    WorkerAsking *here = *user = calloc(1, sizeof *here);
    if (!here) return kn_fail_memory(error, "measuring");
    here->asking.question = *(const Question *)payload;
    here->asking.sweep = &here->sweep;
    KnStatus status = kn_lab_visit(site, &here->asking.question.origin, &here->asking.run, error);
    if (status == KN_OK) status = kn_widening_open(here->asking.run, &here->problems, error);
    return status == KN_OK ? open_asking(&here->asking, here->problems, error) : status;
}

static void close_job(void *user)
{
    WorkerAsking *here = user;
    close_asking(&here->asking);
    kn_widening_free(&here->sweep);
    if (here->problems) kn_problems_free(here->problems);
    kn_lab_leave(here->asking.run);
    free(here);
}

static void pack_answer(void *user, int worker, uint64_t index, KnText *out)
{
    (void)worker;
    const KnWideningSweep *sweep = ((Asking *)user)->sweep;
    for (int q = 0; q < KN_WIDENING_FIELDS; q++) kn_pack_real(out, field(sweep, q)[index]);
}

static bool unpack_answer(void *user, int worker, uint64_t index, KnUnpack *in)
{
    (void)worker;
    KnWideningSweep *sweep = ((Asking *)user)->sweep;
    for (int q = 0; q < KN_WIDENING_FIELDS; q++) field(sweep, q)[index] = kn_unpack_real(in);
    return true;
}

const KnJobType kn_widening_job_type = {
    .name = "widening",
    .summary = "capture problems under a strategy",
    .payload = KN_LAYOUT(Question, KN_LAB_ORIGIN(Question), KN_PLAIN(Question, volume),
                         KN_PLAIN(Question, most), KN_PLAIN(Question, options)),
    .open = open_job,
    .close = close_job,
    .run = ask,
    .pack = pack_answer,
    .unpack = unpack_answer};

/* With a time limit nothing else may use the machine: the problems are solved one after the other in this
 * process. */
static KnStatus ask_all(Asking *asking, KnError *error)
{
    if (asking->question.options.seconds > 0)
        return kn_parallel(1, asking->sweep->count, ask, asking, kn_lab_cancel(asking->run), error);
    return kn_lab_share(asking->run, &kn_widening_job_type, asking->sweep->count, 0, &asking->question.origin,
                        NULL, asking, error);
}

KnStatus kn_widening_sweep(KnLabRun *run, const KnCaptureProblems *problems, const char *key, int volume,
                           int most, KnProofOptions options, KnWideningSweep *sweep, KnError *error)
{
    options.table_bits = KN_WIDENING_TABLE, options.until_saved = true;
    Asking asking = {
        .run = run, .sweep = sweep, .question = {.volume = volume, .most = most, .options = options}};
    *sweep = (KnWideningSweep){0};
    KnStatus status = open_asking(&asking, problems, error);
    const json_t *kept = kn_lab_done(run, key);
    bool done = status == KN_OK && kept && from_json(kept, sweep);
    if (status == KN_OK && !done) status = ask_all(&asking, error);
    if (status == KN_OK && !done) status = kn_lab_keep(run, key, to_json(sweep), error);
    close_asking(&asking);
    if (status == KN_OK)
        kn_progress_tick(kn_lab_progress(run), 1);
    else
        kn_widening_free(sweep);
    return status;
}
