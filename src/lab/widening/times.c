/* The share of capture problems solved within a time, by every strategy, and by the tactical reading of GNU
 * Go if it is installed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/child_process.h"
#include "base/math.h"
#include "lab/registry.h"
#include "lab/widening/shared.h"

enum { SERIES = KN_PROOF_STRATEGIES + 1, POINTS = 13 };

static const char gnugo[] = "/usr/games/gnugo";

/* ---- one problem, by Knack and by GNU Go ---- */

typedef struct Timed {
    double seconds; /* of the answer */
    double right;
} Timed;

static bool accepted(const KnCaptureProblem *problem, KnMove move)
{
    for (int i = 0; i < problem->count; i++)
        if (problem->moves[i] == move) return true;
    return !problem->complete; /* others may succeed too */
}

static KnStatus ask_knack(KnProofSearch *search, const KnCaptureProblem *problem, Timed *timed,
                          KnError *error)
{
    KnCaptureSolution captured;
    double started = kn_clock_cpu();
    KnStatus status = kn_capture_solve(search, problem, &captured, error);
    if (status != KN_OK) return status;
    timed->seconds = kn_clock_cpu() - started;
    if (captured.answer > 0 && captured.proof.seconds < timed->seconds)
        timed->seconds = captured.proof.seconds; /* without the check of the move */
    timed->right = captured.right;
    return KN_OK;
}

/* Sends a GTP command and reads its answer. */
static KnStatus gtp(KnChild *child, const char *command, KnText *answer, KnError *error)
{
    KnText line = KN_TEXT_EMPTY;
    kn_text_clear(answer);
    KnStatus status = kn_child_write(child, command, 10, error);
    for (bool begun = false; status == KN_OK;) {
        status = kn_child_read(child, 30, NULL, &line, error);
        if (status != KN_OK || (begun && !line.length)) break;
        if (!line.length) continue;
        if (!begun) kn_text_add(answer, line.data);
        begun = true;
    }
    kn_text_free(&line);
    if (status == KN_OK && answer->data[0] != '=')
        status = kn_fail(error, KN_SYSTEM, "GNU Go says \"%.60s\" to \"%.40s\"", answer->data, command);
    return status;
}

static KnStatus set_up(KnChild *child, const KnCaptureProblem *problem, KnError *error)
{
    KnText answer = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
    char command[64];
    snprintf(command, sizeof command, "boardsize %d", kn_go_size(problem->game));
    KnStatus status = gtp(child, command, &answer, error);
    if (status == KN_OK) status = gtp(child, "clear_board", &answer, error);
    for (int i = 0; i < problem->game->cells && status == KN_OK; i++) {
        int held = problem->game->type->cell(problem->game, problem->position, i);
        if (!held) continue;
        kn_text_clear(&name);
        problem->game->type->cell_name(problem->game, i, &name);
        snprintf(command, sizeof command, "play %s %.4s", held == 1 ? "black" : "white", name.data);
        status = gtp(child, command, &answer, error);
    }
    kn_text_free(&answer);
    kn_text_free(&name);
    return status;
}

/* The answer is like "= 1 D4", "= 0" or "= 1 PASS"; a code other than 0 is a success. */
static KnStatus ask_gnugo(KnChild *child, const KnCaptureProblem *problem, Timed *timed, KnError *error)
{
    KnText answer = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
    char command[64], vertex[16] = "";
    int code = 0;
    KnStatus status = set_up(child, problem, error);
    problem->game->type->cell_name(problem->game, problem->target, &name);
    snprintf(command, sizeof command, "%s %.4s", problem->attack ? "attack" : "defend", name.data);
    double started = kn_clock_now();
    if (status == KN_OK) status = gtp(child, command, &answer, error);
    timed->seconds = kn_clock_now() - started;
    if (status == KN_OK) sscanf(answer.data, "= %d %15s", &code, vertex);
    timed->right = (code > 0) == (problem->answer > 0);
    KnMove move;
    KnError ignored;
    if (timed->right > 0 && code > 0 && problem->count &&
        kn_game_parse_move(problem->game, problem->position,
                           problem->game->type->mover(problem->game, problem->position), vertex, &move,
                           &ignored) == KN_OK)
        timed->right = accepted(problem, move);
    kn_text_free(&answer);
    kn_text_free(&name);
    return status;
}

/* ---- the figure ---- */

/* The shares solved within 10^-5 to 10 s, two points a decade; the axis shows powers of ten of a millisecond.
 */
static void curve(const Timed *timed, size_t count, KnPoint *points)
{
    for (int i = 0; i < POINTS; i++) {
        double at = -2 + i / 2.0, solved = 0;
        for (size_t n = 0; n < count; n++)
            solved += timed[n].right > 0 && timed[n].seconds * 1000 <= kn_math_pow(10, at) ? 1 : 0;
        points[i] = (KnPoint){at, 100 * solved / (double)count, 0, 0};
    }
}

static KnStatus measure(KnLabRun *run, const KnCaptureProblem *const *problems, size_t count, int series,
                        Timed *timed, KnError *error)
{
    KnProofOptions options = {.strategy = series, .seconds = 1, .table_bits = KN_WIDENING_TABLE};
    KnProofSearch *search = NULL;
    KnChild *child = NULL;
    KN_ASSERT(series >= 1 && series <= SERIES);
    bool ours = series <= KN_PROOF_STRATEGIES;
    KnStatus status = ours ? kn_proof_new(&options, &search, error)
                           : kn_child_start("/usr/games/gnugo --mode gtp --level 10", &child, error);
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        if (kn_widening_stopped(run))
            status = kn_fail(error, KN_STOPPED, "stopped");
        else
            status = ours ? ask_knack(search, problems[i], &timed[i], error)
                          : ask_gnugo(child, problems[i], &timed[i], error);
    }
    kn_proof_free(search);
    kn_child_end(child);
    if (status == KN_OK) kn_progress_tick(kn_lab_progress(run), 1);
    return status;
}

static KnStatus report(KnLabRun *run, const char *row, const Timed *timed, size_t count, KnError *error)
{
    KnMoments time = {0};
    double right = 0, quick = 0;
    for (size_t i = 0; i < count; i++) {
        kn_moments_add(&time, 1000 * timed[i].seconds);
        right += timed[i].right;
        quick += timed[i].right > 0 && timed[i].seconds <= 0.002 ? 1 : 0;
    }
    KnStatus status = kn_lab_measured(run, row, "% right within 1 s", kn_measure_share(right, count, 100),
                                      NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "% right within 2 ms", kn_measure_share(quick, count, 100), NULL,
                                 error);
    return status == KN_OK ? kn_lab_measured(run, row, "ms a problem", kn_measure_mean(&time), NULL, error)
                           : status;
}

static size_t choose(const KnCaptureProblems *set, size_t most, const KnCaptureProblem **chosen)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        if (!most || (i * most) / set->count != ((i + 1) * most) / set->count)
            chosen[count++] = &set->list[i];
    return count;
}

static KnStatus run_times(KnLabRun *run, KnError *error)
{
    KnCaptureProblems *set;
    KnStatus status = kn_problems_load(kn_lab_context(run), "captures", NULL, &set, error);
    if (status != KN_OK) return status;
    bool installed = access(gnugo, X_OK) == 0;
    const KnCaptureProblem **chosen = calloc(set->count, sizeof(const KnCaptureProblem *));
    Timed *timed = calloc(set->count, sizeof *timed);
    size_t count = chosen ? choose(set, (size_t)kn_lab_parameter(run, "problems"), chosen) : 0;
    KnPoint points[SERIES][POINTS];
    KnSeries series[SERIES];
    char names[SERIES][64];
    int drawn = 0;
    if (!chosen || !timed) status = kn_fail_memory(error, "measuring");
    kn_lab_clocked(run);
    kn_lab_expect(run, (uint64_t)(KN_PROOF_STRATEGIES + installed));
    if (status == KN_OK)
        status = kn_lab_own_table(run, "times",
                                  installed ? "All problems as they are asked, answers no among them: right "
                                              "answers with a right move, and times"
                                            : "All problems as they are asked (GNU Go is not installed)",
                                  "", 2, error);
    for (int s = 1; s <= KN_PROOF_STRATEGIES + installed && status == KN_OK; s++) {
        if (s <= KN_PROOF_STRATEGIES)
            snprintf(names[drawn], sizeof names[drawn], "%d %s", s, kn_proof_strategy_name(s));
        else
            snprintf(names[drawn], sizeof names[drawn], "GNU Go 3.8, level 10");
        status = measure(run, chosen, count, s, timed, error);
        if (status == KN_OK) status = report(run, names[drawn], timed, count, error);
        KN_ASSERT(drawn < SERIES && count <= set->count);
        curve(timed, count, points[drawn]);
        series[drawn] = (KnSeries){names[drawn], points[drawn], POINTS};
        drawn++;
    }
    if (status == KN_OK) {
        KnFigure figure = {.id = "solved",
                           .title = "Problems answered right within a time",
                           .x_label = "milliseconds, as a power of ten",
                           .y_label = "%",
                           .kind = KN_FIGURE_LINES,
                           .series = series,
                           .series_count = (size_t)drawn};
        status = kn_lab_figure(run, &figure, error);
    }
    free(chosen);
    free(timed);
    kn_problems_free(set);
    return status;
}

static const KnParameter parameters[] = {
    {"problems", 30, 0, "Of the set `captures`, evenly spread; 0: all 330."}, {0}};

static const KnInterpretation interpretations[] = {
    {"What is right?",
     "The answer that the set has proved, and a move that it lists (or any, where its list may lack some).",
     "Strategies 1 to 9 prove captures only: where the right answer is that a string is safe, they have "
     "none."},
    {"Which of GNU Go's answers?",
     "Those of its GTP commands attack and defend at level 10; a ko counts as a success, as the code is not "
     "0.",
     ""},
    {0}};

static const KnTolerance tolerances[] = {{"*", 1, 0, "Nothing is published."}, {0}};

const KnExperiment kn_widening_times = {
    .head = {"widening.times", "problems solved within a time, by all strategies and by GNU Go", NULL},
    .paper = "cazenave-2001",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = run_times,
};
