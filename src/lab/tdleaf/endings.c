/* The search on its own against the endgame tables: in how many endings does its move keep the value that the
 * tables give? By depth, tables off. Asked are random positions in which some move throws something away, so
 * that chance alone does not answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/parallel.h"
#include "lab/registry.h"
#include "lab/tdleaf/shared.h"
#include "search/alphabeta.h"
#include "games/checkers/endgame.h"

static const KnParameter parameters[] = {
    {"positions", 40, 500,
     "Random positions with this many pieces, in each of which some move is a mistake."},
    {"deepest", 9, 21, "From 5 plies in steps of 4. At 21 plies a position takes seconds."},
    {"pieces", 3, 5, "Pieces on the board. Tables of five take a minute to build; they are built first."},
    {0}};

static const KnSize middle[] = {{"deepest", 13}, {0}};

/* What a worker asks with. */
typedef struct Desk {
    KnSearch *search;
    KnEvaluation *evaluation;
    KnEndgameProber *prober;
} Desk;

typedef struct Exam {
    KnLabRun *run;
    KnGame *game;
    KnEndgame *tables;
    Desk *desks; /* by worker */
    int jobs;
    bool *right;        /* by index */
    const char *folder; /* of the tables */
    int pieces, depth;
} Exam;

/* A position at random, as text: sides of any size, half of the pieces kings. May be impossible or over; the
 * caller looks. */
static void draw(KnRng *rng, int pieces, KnText *fen)
{
    static const char colours[] = "BW";
    bool taken[33] = {0};
    int first = 1 + (int)kn_rng_below(rng, (uint32_t)pieces - 1), sizes[2] = {first, pieces - first};
    kn_text_clear(fen);
    kn_text_printf(fen, "%c", colours[kn_rng_below(rng, 2)]);
    for (int side = 0; side < 2; side++) {
        kn_text_printf(fen, ":%c", colours[side]);
        for (int i = 0; i < sizes[side]; i++) {
            bool king = kn_rng_below(rng, 2);
            int square;
            do square = 1 + (int)kn_rng_below(rng, 32);
            while (taken[square] || (!king && (side == 0 ? square > 28 : square < 5)));
            taken[square] = true;
            kn_text_printf(fen, "%s%s%d", i ? "," : "", king ? "K" : "", square);
        }
    }
}

/* Whether some move keeps the value and some other does not; `keeps` says which do. */
static bool can_err(const Exam *exam, KnEndgameProber *prober, const void *position, bool *keeps)
{
    KnMove moves[exam->game->max_moves];
    KnEndgameAnswer before, after;
    int count = exam->game->type->moves(exam->game, position, moves), kept = 0;
    if (count < 2 || !kn_endgame_ask(prober, position, &before)) return false;
    for (int i = 0; i < count; i++) {
        if (!kn_endgame_ask_move(prober, position, moves[i], &after)) return false;
        kept += keeps[i] = after.value == before.value;
    }
    return kept > 0 && kept < count;
}

static KnStatus ask(void *user, int worker, uint64_t index, KnError *error)
{
    Exam *exam = user;
    Desk *desk = &exam->desks[worker];
    const KnGame *game = exam->game;
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    bool keeps[game->max_moves];
    KnText fen = KN_TEXT_EMPTY;
    KnRng rng = kn_rng_stream(kn_lab_seed(exam->run, "positions"), index);
    KnError refused;
    KnStatus status = KN_OK;
    do {
        draw(&rng, exam->pieces, &fen);
        if (!kn_text_ok(&fen)) status = kn_fail_memory(error, "drawing a position");
        if (status == KN_OK && game->type->parse_position(game, fen.data, position, &refused) == KN_OK &&
            can_err(exam, desk->prober, position, keeps))
            break;
        if (status == KN_OK) status = kn_endgame_prober_status(desk->prober, error); /* no other sample */
    } while (status == KN_OK);
    kn_text_free(&fen);
    if (status != KN_OK) return status;
    KnSearchRequest request = {.budget.depth = exam->depth, .cancel = kn_lab_cancel(exam->run)};
    KnSearchResult found;
    kn_search_clear(desk->search);
    status = kn_search_run(desk->search, position, NULL, &request, &found, error);
    if (status == KN_OK && found.stop == KN_STOP_CANCEL) status = kn_fail(error, KN_STOPPED, "stopped");
    if (status != KN_OK) return status;
    for (int i = 0; i < found.root_count; i++)
        if (found.root[i].move == found.move) exam->right[index] = keeps[i];
    kn_progress_tick(kn_lab_progress(exam->run), 1);
    return KN_OK;
}

static KnStatus open_desk(const Exam *exam, Desk *desk, KnError *error)
{
    KnSearchOptions how = kn_search_options();
    KnStatus status = kn_evaluation_open_text(kn_lab_context(exam->run), exam->game,
                                              "features(weights=selfplay)", &desk->evaluation, error);
    if (status != KN_OK) return status;
    desk->search = kn_search_new(exam->game, desk->evaluation, &how, error);
    if (!desk->search) return error->status;
    desk->prober = kn_endgame_prober(exam->tables, (size_t)16 << 20);
    return desk->prober ? KN_OK : kn_fail_memory(error, "asking endgame tables");
}

/* Everything for an exam at `depth`, here or at another rank; the tables are there. */
static KnStatus open_exam(Exam *exam, KnError *error)
{
    exam->jobs = kn_jobs(kn_lab_jobs(exam->run));
    exam->pieces = (int)kn_lab_parameter(exam->run, "pieces");
    exam->desks = calloc((size_t)exam->jobs, sizeof *exam->desks);
    exam->right = calloc((size_t)kn_lab_parameter(exam->run, "positions"), sizeof *exam->right);
    KnStatus status = exam->desks && exam->right ? KN_OK : kn_fail_memory(error, "preparing positions");
    if (status == KN_OK) status = kn_game_open(kn_lab_context(exam->run), "checkers", &exam->game, error);
    if (status == KN_OK) status = kn_endgame_open(exam->game, exam->folder, &exam->tables, error);
    for (int i = 0; i < exam->jobs && status == KN_OK; i++) status = open_desk(exam, &exam->desks[i], error);
    return status;
}

static void close_exam(Exam *exam)
{
    for (int i = 0; i < exam->jobs && exam->desks; i++) {
        kn_search_free(exam->desks[i].search);
        if (exam->desks[i].evaluation) kn_evaluation_close(exam->desks[i].evaluation);
        kn_endgame_prober_free(exam->desks[i].prober);
    }
    kn_endgame_close(exam->tables);
    kn_game_close(exam->game);
    free(exam->desks);
    free(exam->right);
}

/* ---- the job ---- */

typedef struct Payload {
    KnLabOrigin origin;
    int depth;
    const char *folder;
} Payload;

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    const Payload *sent = payload;
    Exam *exam = *user = calloc(1, sizeof *exam);
    if (!exam) return kn_fail_memory(error, "preparing positions");
    KnStatus status = kn_lab_visit(site, &sent->origin, &exam->run, error);
    if (status != KN_OK) return status;
    exam->depth = sent->depth;
    exam->folder = sent->folder;
    return open_exam(exam, error);
}

static void close_job(void *user)
{
    Exam *exam = user;
    close_exam(exam);
    kn_lab_leave(exam->run);
    free(exam);
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    return &((Exam *)user)->right[index];
}

static KnStatus received_answer(void *user, uint64_t index, KnError *error)
{
    (void)index, (void)error;
    kn_progress_tick(kn_lab_progress(((Exam *)user)->run), 1);
    return KN_OK;
}

const KnJobType kn_endings_job_type = {.name = "endings",
                                       .summary = "endings that a search answers without tables",
                                       .payload = KN_LAYOUT(Payload, KN_LAB_ORIGIN(Payload),
                                                            KN_PLAIN(Payload, depth),
                                                            KN_STRINGS(Payload, folder)),
                                       .open = open_job,
                                       .close = close_job,
                                       .run = ask,
                                       .result = KN_LAYOUT_PLAIN(bool),
                                       .slot = result_slot,
                                       .received = received_answer};

/* How many are answered right at a depth; kept as a unit. */
static KnStatus count_right(Exam *exam, uint64_t positions, uint64_t *right, KnError *error)
{
    char key[40];
    snprintf(key, sizeof key, "at %d plies", exam->depth);
    const json_t *done = kn_lab_done_work(exam->run, key, positions);
    *right = done ? (uint64_t)json_integer_value(done) : 0;
    if (done) return KN_OK;
    Payload payload = {.depth = exam->depth, .folder = exam->folder};
    memset(exam->right, 0, positions * sizeof *exam->right);
    KnStatus status = kn_lab_share(exam->run, &kn_endings_job_type, positions, 0, &payload.origin, NULL, exam,
                                   error);
    for (uint64_t i = 0; i < positions; i++) *right += exam->right[i];
    return status == KN_OK ? kn_lab_keep(exam->run, key, json_integer((json_int_t)*right), error) : status;
}

static KnStatus examine(Exam *exam, KnError *error)
{
    enum { DEPTHS_MAX = 16 };
    uint64_t positions = (uint64_t)kn_lab_parameter(exam->run, "positions");
    int deepest = (int)kn_lab_parameter(exam->run, "deepest");
    KnPoint points[DEPTHS_MAX];
    size_t count = 0;
    KnStatus status = kn_lab_own_table(
        exam->run, "endings", "Endings in which the search's move keeps the value, tables off, by depth", "%",
        1, error);
    for (int depth = 5; depth <= deepest && count < DEPTHS_MAX && status == KN_OK; depth += 4) {
        uint64_t right;
        char row[40], column[40];
        exam->depth = depth;
        status = count_right(exam, positions, &right, error);
        if (status != KN_OK) break;
        KnMeasure share = kn_measure_share((double)right, positions, 100);
        snprintf(row, sizeof row, "%d pieces", exam->pieces);
        snprintf(column, sizeof column, "%d plies", depth);
        points[count++] = (KnPoint){depth, share.value, share.low, share.high};
        status = kn_lab_measured(exam->run, row, column, share, NULL, error);
    }
    if (status != KN_OK) return status;
    KnSeries series = {"right", points, count};
    KnFigure figure = {.id = "endings",
                       .title = "Endings answered right without tables",
                       .x_label = "depth",
                       .y_label = "% right",
                       .series = &series,
                       .series_count = 1};
    return kn_lab_figure(exam->run, &figure, error);
}

static KnStatus run_endings(KnLabRun *run, KnError *error)
{
    KnTdleafField field;
    Exam exam = {.run = run};
    kn_lab_expect(run, (uint64_t)kn_lab_parameter(run, "positions") *
                           (((uint64_t)kn_lab_parameter(run, "deepest") - 5) / 4 + 1));
    KnStatus status = kn_tdleaf_open(run, &field, error);
    exam.folder = field.tables.data;
    if (status == KN_OK) status = open_exam(&exam, error);
    if (status == KN_OK) status = examine(&exam, error);
    close_exam(&exam);
    kn_tdleaf_close(&field);
    return status;
}

const KnExperiment kn_tdleaf_endings = {
    .head = {"tdleaf.endings", "how often the search alone plays endings as the tables do, by depth", NULL},
    .paper = "schaeffer-2001",
    .parameters = parameters,
    .middle = middle,
    .interpretations = kn_tdleaf_interpretations,
    .run = run_endings,
};
