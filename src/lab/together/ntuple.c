/* n-tuple networks, learned in self-play from nothing, against what each game has: the hand-made evaluation
 * and, where there are some, features with learned weights. Same search, same positions a move. */
#include "lab/together/shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena/learner.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "eval/evaluation.h"
#include "lab/registry.h"

typedef struct Opponent {
    const char *column;
    const char *eval; /* NULL: the game's own */
    double deeper;    /* positions of both sides, of those that other cells have */
} Opponent;

typedef struct Row {
    const char *name, *spec;
    const char *learner; /* options, but for games: those of the network that comes with the game */
    double games;        /* of self-play, at most */
    Opponent opponents[2];
    double pace; /* games of a training in about a second of one core; 0: not in the table by time */
} Row;

/* A training. `games` names its file too; 0: as many as the row has, at most. */
typedef struct NetworkTraining {
    const Row *row;
    int seed;
    double games;
} NetworkTraining;

static const Row rows[] = {
    {"Connect Four", "gdl:connectfour", "walks=20, ", 200000, {{"own", NULL, 1}}, 4000},
    {"Othello 6x6", "othello(size=6)", "", 30000, {{"own", NULL, 1}}, 8000},
    {"five men's morris",
     "morris",
     "",
     60000,
     {{"own", NULL, 1}, {"own, 5,000 positions", NULL, 12.5}},
     4600},
    {"Fives 8x8", "fives(8, 8)", "phases=1, ", 12000, {{"own", NULL, 1}}, 750},
    {"Fives 10x10", "fives", "phases=1, ", 12000, {{"own", NULL, 1}}, 0},
    {"Othello 8x8",
     "othello",
     "",
     120000,
     {{"own", NULL, 1}, {"learned features", "features(weights=othello-patterns)", 1}},
     1900},
    {"draughts",
     "checkers",
     "",
     300000,
     {{"own", NULL, 1}, {"learned features", "features(weights=squares)", 1}},
     2700}};
enum { ROWS = sizeof rows / sizeof *rows, OPPONENTS = 2, PLIES = 300 };

static KnStatus name_network(KnLabRun *run, const NetworkTraining *t, KnText *path, KnError *error)
{
    char name[200], spec[40], games[24] = "";
    snprintf(spec, sizeof spec, "%.30s", t->row->spec);
    for (char *c = spec; *c; c++)
        if (strchr("():=, ", *c)) *c = '-';
    if (t->games > 0) snprintf(games, sizeof games, ".%.0f", t->games);
    kn_path_join(path, kn_context_data(kn_lab_context(run)), "lab/together");
    KnStatus status = kn_text_ok(path) ? kn_mkdirs(path->data, error) : kn_fail_memory(error, "training");
    snprintf(name, sizeof name, "lab/together/%s.%llu.%s.%d%s.ntuple", kn_scale_name(kn_lab_scale(run)),
             (unsigned long long)kn_lab_run_seed(run), spec, t->seed, games);
    kn_path_join(path, kn_context_data(kn_lab_context(run)), name);
    return status;
}

static void training_key(const NetworkTraining *t, char *key, size_t size)
{
    if (t->games > 0)
        snprintf(key, size, "network of %s, %.0f games, training %d", t->row->spec, t->games, t->seed);
    else
        snprintf(key, size, "network of %s, training %d", t->row->spec, t->seed);
}

/* Trains one network, unless that was done, and keeps the processor seconds that it took. */
static KnStatus train(KnLabRun *run, const NetworkTraining *t, const char *path, KnError *error)
{
    char key[120];
    training_key(t, key, sizeof key);
    if (kn_lab_done(run, key) && kn_file_exists(path)) return KN_OK;
    KnText learner = KN_TEXT_EMPTY;
    double games = t->games > 0 ? t->games : fmin(t->row->games, kn_lab_parameter(run, "training games"));
    kn_text_printf(&learner, "ntuple(games=%.0f, %sleast=2, round=32)", games, t->row->learner);
    KnTrainPlan plan = {.learner = learner.data,
                        .game = t->row->spec,
                        .seed = kn_lab_seed(run, key) >> 11,
                        .jobs = t->games > 0 ? 1 : kn_lab_jobs(run), /* one thread, where its time counts */
                        .out = path,
                        .cancel = kn_lab_cancel(run)};
    KnTrainResult result = {0};
    double started = kn_clock_cpu();
    KnStatus status = kn_train(kn_lab_context(run), &plan, &result, error);
    kn_train_result_free(&result);
    kn_text_free(&learner);
    return status == KN_OK ? kn_lab_keep(run, key, json_real(kn_clock_cpu() - started), error) : status;
}

/* The game's own evaluation by name, since a default may change. */
static KnStatus own_evaluation(KnLabRun *run, const char *spec, KnText *name, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(kn_lab_context(run), spec, &game, error);
    if (status != KN_OK) return status;
    const KnGameEvaluation *own = kn_game_evaluation(game, NULL);
    kn_text_add(name, own ? own->name : "zero");
    kn_game_close(game);
    return KN_OK;
}

static void name_search(double positions, const char *eval, KnText *spec)
{
    kn_text_printf(spec, "alphabeta(depth=100, nodes=%.0f, memory=1, width=full, eval=%s)", positions, eval);
}

static KnStatus play(KnLabRun *run, const NetworkTraining *t, const Opponent *opponent, KnStanding *standing,
                     KnError *error)
{
    const Row *row = t->row;
    KnText path = KN_TEXT_EMPTY, eval = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY, first = KN_TEXT_EMPTY,
           second = KN_TEXT_EMPTY;
    char key[160], games[32] = "";
    if (t->games > 0) snprintf(games, sizeof games, " %.0f games,", t->games);
    snprintf(key, sizeof key, "%s against %s,%s training %d", row->spec, opponent->column, games, t->seed);
    KnStatus status = name_network(run, t, &path, error);
    if (status == KN_OK) status = train(run, t, path.data, error);
    kn_text_add(&eval, "ntuple(file=");
    kn_text_add_quoted(&eval, path.data);
    kn_text_add(&eval, ")");
    if (opponent->eval)
        kn_text_add(&other, opponent->eval);
    else if (status == KN_OK)
        status = own_evaluation(run, row->spec, &other, error);
    double positions = kn_lab_parameter(run, "positions") * opponent->deeper;
    name_search(positions, eval.data, &first);
    name_search(positions, other.data, &second);
    KnMatchPlan plan = {.game = row->spec,
                        .players = {first.data, second.data},
                        .games = (uint64_t)kn_lab_parameter(run, "games"),
                        .random_plies = (int)kn_lab_parameter(run, "opening"),
                        .rules = {.ply_limit = PLIES}};
    KnMatchResult result;
    if (status == KN_OK) status = kn_lab_match(run, key, plan, &result, error);
    if (status == KN_OK) *standing = result.standing;
    kn_text_free(&path);
    kn_text_free(&eval);
    kn_text_free(&other);
    kn_text_free(&first);
    kn_text_free(&second);
    return status;
}

static KnStatus run_ntuple(KnLabRun *run, KnError *error)
{
    int seeds = (int)kn_lab_parameter(run, "seeds");
    kn_lab_expect(run, (uint64_t)((ROWS + 3) * seeds * kn_lab_parameter(run, "games")));
    KnStatus status = kn_lab_own_table(run, "networks", "n-tuple networks against what the games have",
                                       "share of points", 3, error);
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < OPPONENTS && rows[r].opponents[k].column && status == KN_OK; k++) {
            KnStanding by_seed[KN_TOGETHER_SEEDS];
            for (int seed = 0; seed < seeds && status == KN_OK; seed++)
                status = play(run, &(NetworkTraining){&rows[r], seed + 1, 0}, &rows[r].opponents[k],
                              &by_seed[seed], error);
            if (status == KN_OK)
                status = kn_lab_measured(run, rows[r].name, rows[r].opponents[k].column,
                                         kn_together_score(by_seed, seeds).measure, NULL, error);
        }
    return status;
}

/* ---- by the time of training ---- */

enum { TIMES = 3 };
static const double time_shares[TIMES] = {1. / 60, 1. / 10, 1};

/* One cell: points against the game's own evaluation, and what a training took. */
typedef struct Timed {
    KnMeasure points;
    double games, seconds;
} Timed;

static KnStatus measure_time(KnLabRun *run, const Row *row, double seconds, Timed *timed, KnError *error)
{
    int seeds = (int)kn_lab_parameter(run, "seeds");
    KnStanding by_seed[KN_TOGETHER_SEEDS];
    NetworkTraining t = {row, 0, fmax(8, floor(row->pace * seconds))};
    *timed = (Timed){.games = t.games};
    for (int i = 0; i < seeds; i++) {
        char key[120];
        t.seed = i + 1;
        KnStatus status = play(run, &t, &row->opponents[0], &by_seed[i], error);
        if (status != KN_OK) return status;
        training_key(&t, key, sizeof key);
        timed->seconds += json_number_value(kn_lab_done(run, key)) / seeds;
    }
    timed->points = kn_together_score(by_seed, seeds).measure;
    return KN_OK;
}

/* One table of three, each with a column for a time: 0 is points, 1 games, 2 seconds. */
static KnStatus give_times(KnLabRun *run, Timed timed[ROWS][TIMES], double most, int what, KnError *error)
{
    static const struct {
        const char *id, *title, *unit;
        int decimals;
    } tables[] = {
        {"time", "n-tuple networks by the time of their training",
         "share of points against the game's own evaluation", 3},
        {"training-games", "Games of a training", "games", 0},
        {"training-seconds", "Processor time that a training took", "seconds", 1},
    };
    KnStatus status = kn_lab_own_table(run, tables[what].id, tables[what].title, tables[what].unit,
                                       tables[what].decimals, error);
    for (int k = 0; k < TIMES; k++)
        for (int r = 0; r < ROWS && status == KN_OK; r++) {
            char column[60];
            const Timed *cell = &timed[r][k];
            if (rows[r].pace <= 0) continue;
            snprintf(column, sizeof column, "about %g s", most * time_shares[k]);
            KnMeasure measure = what == 0   ? cell->points
                                : what == 1 ? kn_measure_single(cell->games)
                                            : kn_measure_single(cell->seconds);
            status = kn_lab_measured(run, rows[r].name, column, measure, NULL, error);
        }
    return status;
}

static KnStatus run_time(KnLabRun *run, KnError *error)
{
    double most = kn_lab_parameter(run, "seconds");
    Timed timed[ROWS][TIMES];
    KnStatus status = KN_OK;
    int count = 0;
    for (int r = 0; r < ROWS; r++) count += rows[r].pace > 0;
    kn_lab_expect(
        run, (uint64_t)(count * TIMES * kn_lab_parameter(run, "seeds") * kn_lab_parameter(run, "games")));
    kn_lab_clocked(run); /* what trainings took */
    for (int k = 0; k < TIMES; k++)
        for (int r = 0; r < ROWS && status == KN_OK; r++)
            if (rows[r].pace > 0)
                status = measure_time(run, &rows[r], most * time_shares[k], &timed[r][k], error);
    for (int what = 0; what < 3 && status == KN_OK; what++)
        status = give_times(run, timed, most, what, error);
    return status;
}

static const KnParameter parameters[] = {
    {"positions", 40, 400, "A move of both sides."},
    {"seeds", 2, 6, "Trainings; the error is over them."},
    {"games", 2, 400, "Of a match, with each training."},
    {"opening", 4, 8, "Random moves before each game; four leave 244 lines of Othello."},
    {"training games", 32, 300000,
     "Of self-play, at most: Connect Four has 200,000, Othello 6x6 "
     "30,000, morris 60,000, Fives 12,000, Othello "
     "8x8 120,000. A training takes one to four minutes of one core."},
    {0}};

static const KnParameter time_parameters[] = {
    {"positions", 40, 400, "A move of both sides."},
    {"seeds", 2, 6, "Trainings; the error is over them."},
    {"games", 2, 400, "Of a match, with each training."},
    {"opening", 4, 8, "Random moves before each game; four leave 244 lines of Othello."},
    {"seconds", 0.06, 600,
     "Of the longest training, about: each game has a fixed number of games for a second, so that a run "
     "repeats. Others are a tenth and a sixtieth of it. Six hours of one core at the paper's scale."},
    {0}};

static const KnSize time_middle[] = {{"games", 100}, {"seconds", 60}, {0}};

static const KnTolerance tolerances[] = {{"*", 0.02, 0, "Nothing was published: these are our own."}, {0}};

const KnExperiment kn_together_ntuple = {
    .head = {"together.ntuple", "n-tuple networks learned from nothing, against hand-made evaluations", NULL},
    .paper = "together",
    .parameters = parameters,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_ntuple,
};

const KnExperiment kn_together_time = {
    .head = {"together.time", "n-tuple networks by the time of their training, against hand-made evaluations",
             NULL},
    .paper = "together",
    .parameters = time_parameters,
    .middle = time_middle,
    .interpretations = kn_together_interpretations,
    .tolerances = tolerances,
    .run = run_time,
};
