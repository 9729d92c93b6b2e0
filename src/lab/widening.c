#include "lab/widening.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"

enum { RUNS = 3 }; /* of the same search, for its time: others are at work on most machines */

const KnReading kn_widening_readings[] = {
    {"Which problems?",
     "The project's own set in three volumes by difficulty (docs/capture.md): the books are not to be had.",
     "Their problems are made by people; ours come from games and take fewer nodes at the same length."},
    {"What is a node?",
     "One of the search's own tree. Limits count every position played, those of the small searches by "
     "definition (gi, ip, g) included.",
     "The paper has 4,500 nodes a second at 600 MHz, far fewer than positions."},
    {"What is a second of a machine of 600 MHz?",
     "50,000 positions played, and 5,000 for a tenth of it: exact, whatever the machine.",
     "By the speed of a core of today, 300,000; but limits by today's clock saturate: nearly everything is "
     "solved."},
    {"Where are the definitions asked?",
     "As the text has it, at each node and each depth: gi1 to gi3 at every OR node, whatever the widening; "
     "at every AND node, leaves included, ip up to "
     "that of the widening, with the whole set of moves that prevent it before the first is tried.",
     "With each move tested when its turn comes, a search takes a third, and widening saves nothing: see the "
     "last columns of section 6."},
    {"What is \"lost\" at an AND node without a threat?",
     "Lost for the widening that is on, and so decided, whatever the depth; unknown as an answer.",
     "The text says lost. The next widening looks at it anew, so that no answer rests on it."},
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
    return fields[index];
}

/* Those that the attacker wins if he moves first, moved to the front. */
static void select_won(KnProblems *problems)
{
    size_t kept = 0;
    for (size_t i = 0; i < problems->count; i++)
        if (problems->list[i].answer > 0) problems->list[kept++] = problems->list[i];
    problems->count = kept;
}

KnStatus kn_widening_open(const KnLabRun *run, KnProblems **problems, KnError *error)
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

/* By linearisation: what is left of each pair when the ratio is taken out varies about 0. */
KnMeasure kn_widening_ratio(const double *over, const double *under, size_t count)
{
    double below = kn_widening_sum(under, count),
           ratio = below > 0 ? kn_widening_sum(over, count) / below : 1, squares = 0;
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
    double sum = kn_widening_sum(field(sweep, column), sweep->count);
    return column == 3 ? kn_measure_share(sum, sweep->count, 100) : kn_measure_exact(sum);
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

/* Every problem of the volume, or as many as wanted, evenly spread. */
static size_t choose(const KnProblems *problems, int volume, int most, const KnProblem **chosen)
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

/* ---- a sweep, here and at other ranks ---- */

/* What is asked, plain values. */
typedef struct Question {
    int volume, most;
    KnProofOptions options;
} Question;

typedef struct Asking {
    KnLabRun *run;
    const KnProblem **chosen;
    KnWideningSweep *sweep;
    KnProofSearch **searches; /* by worker */
    int workers;
    Question question;
} Asking;

static KnStatus open_asking(Asking *asking, const KnProblems *problems, KnError *error)
{
    asking->workers = kn_jobs(kn_lab_jobs(asking->run));
    asking->searches = calloc((size_t)asking->workers, sizeof(KnProofSearch *));
    asking->chosen = calloc(problems->count + 1, sizeof(const KnProblem *));
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

/* Searches forget everything between two problems, so that it does not matter who has answered which. */
static KnStatus ask(void *user, int worker, uint64_t index, KnError *error)
{
    Asking *asking = user;
    KnProofSearch **search = &asking->searches[worker];
    KnWideningSweep *sweep = asking->sweep;
    KnProofAnswer answers[2];
    bool solved = false;
    KnStatus status = *search ? KN_OK : kn_proof_new(&asking->question.options, search, error);
    bool once = asking->question.options.seconds > 0 ||
                asking->question.options.strategy == KN_PROOF_BRUTE_FORCE; /* which is long enough */
    int runs = once ? 1 : RUNS;
    for (int i = 0; i < runs && status == KN_OK; i++) {
        double started = kn_clock_cpu();
        status = kn_capturing_both(*search, asking->chosen[index], answers, &solved, error);
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

/* A helper's things. */
typedef struct Away {
    Asking asking;
    KnWideningSweep sweep;
    KnProblems *problems;
} Away;
_Static_assert(offsetof(Away, asking) == 0, "a task takes an Away for its Asking");

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "measuring");
    KnStatus status = kn_lab_visit(post, &away->asking.run, error);
    if (status != KN_OK) return status;
    kn_unpack_into(&post->brief, &away->asking.question, sizeof away->asking.question);
    if (!kn_unpack_ok(&post->brief)) return kn_fail(error, KN_SYSTEM, "problems came over in parts");
    away->asking.sweep = &away->sweep;
    status = kn_widening_open(away->asking.run, &away->problems, error);
    return status == KN_OK ? open_asking(&away->asking, away->problems, error) : status;
}

static void close_away(void *user)
{
    Away *away = user;
    close_asking(&away->asking);
    kn_widening_free(&away->sweep);
    if (away->problems) kn_problems_free(away->problems);
    kn_lab_leave(away->asking.run);
    free(away);
}

static void pack_answer(void *user, int worker, uint64_t index, KnText *out)
{
    (void)worker;
    const KnWideningSweep *sweep = ((Asking *)user)->sweep;
    for (int q = 0; q < KN_WIDENING_FIELDS; q++) kn_pack_real(out, field(sweep, q)[index]);
}

static KnStatus unpack_answer(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error)
{
    (void)worker;
    KnWideningSweep *sweep = ((Asking *)user)->sweep;
    for (int q = 0; q < KN_WIDENING_FIELDS; q++) field(sweep, q)[index] = kn_unpack_real(in);
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "an answer came back in parts");
}

const KnDuty kn_widening_duty = {
    "widening",   "capture problems under a strategy", open_away, close_away, NULL, ask, pack_answer,
    unpack_answer};

/* Where clocks bound the searches nobody else may be at work: one problem after the other, here. */
static KnStatus ask_all(Asking *asking, KnError *error)
{
    KnText brief = KN_TEXT_EMPTY;
    bool clocked = asking->question.options.seconds > 0;
    kn_pack_bytes(&brief, &asking->question, sizeof asking->question);
    KnStatus status = clocked ? kn_parallel(1, asking->sweep->count, ask, asking, kn_lab_cancel(asking->run),
                                            error)
                              : kn_lab_share(asking->run, &kn_widening_duty, asking->sweep->count, 0, &brief,
                                             NULL, asking, error);
    kn_text_free(&brief);
    return status;
}

KnStatus kn_widening_sweep(KnLabRun *run, const KnProblems *problems, const char *key, int volume, int most,
                           KnProofOptions options, KnWideningSweep *sweep, KnError *error)
{
    options.table_bits = KN_WIDENING_TABLE, options.until_saved = true;
    Asking asking = {.run = run, .sweep = sweep, .question = {volume, most, options}};
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
