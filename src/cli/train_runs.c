/* --into: training runs of one or more seeds; and sweeps over settings of a learner. */
#include <knack/stats.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/board.h"
#include "cli/train.h"

/* ---- what is seen while it trains ---- */

const char train_edited[] =
    "NOTE: the curve was edited by hand or damaged: its file does not fit its checksum";

KnProgress *train_progress(const CliCommon *common, const KnLearnerType *type)
{
    return cli_progress(common, type->x, 0);
}

/* The curve so far, a block of eight heights for each point. */
static void print_curve(TrainArguments *a, double share)
{
    static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    if (a->curve_count == TRAIN_CURVE)
        memmove(a->curve, a->curve + 1, (size_t)--a->curve_count * sizeof *a->curve);
    a->curve[a->curve_count++] = share;
    for (int i = 0; i < a->curve_count; i++) fputs(blocks[(int)(a->curve[i] * 7 + 0.5)], stderr);
    fputs("\n", stderr);
}

/* What the point that comes next was worth against an opponent that the learner does not learn from. */
static void keep_held_out(void *user, double x, double y, double low, double high)
{
    (void)x;
    TrainArguments *a = user;
    a->held_out[0] = y;
    a->held_out[1] = low;
    a->held_out[2] = high;
    a->has_held_out = true;
}

/* The curve on the terminal is that of the held-out opponent where there is one. */
static void print_point(void *user, double x, double y, double low, double high)
{
    TrainArguments *a = user;
    const KnLearnerType *type = a->type;
    bool held_out = a->has_held_out;
    a->has_held_out = false;
    double shown = held_out ? a->held_out[0] : y;
    double share = type->high > type->low ? (shown - type->low) / (type->high - type->low) : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    if (isatty(2)) fputs("\r\033[K", stderr); /* over the line of progress */
    if (held_out)
        fprintf(stderr, "%8.0f %s: held out %.3f [%.3f, %.3f], in training %.3f ", x, type->x, shown,
                a->held_out[1], a->held_out[2], y);
    else
        fprintf(stderr, "%8.0f %s: %s %.3f [%.3f, %.3f] ", x, type->x, type->y, y, low, high);
    if (cli_unicode(STDERR_FILENO))
        print_curve(a, share);
    else
        fprintf(stderr, "%.*s\n", (int)(20 * share + 0.5), "####################");
}

static void print_note(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

KnTrainingObserver train_observer(TrainArguments *a)
{
    bool silent = a->common.quiet || a->common.json || a->common.progress;
    return silent ? (KnTrainingObserver){0} : (KnTrainingObserver){print_point, keep_held_out, print_note, a};
}

/* ---- seeds ---- */

typedef struct Runs {
    TrainArguments *arguments;
    KnMoments ends;
    SweepCell cell;
    json_t *document; /* a row for each seed, with --json */
} Runs;

/* One for all seeds. */
static KnProgress *open_progress(void *user, const KnLearnerType *type)
{
    return train_progress(&((Runs *)user)->arguments->common, type);
}

void train_print_rows(const json_t *rows)
{
    const char *name;
    json_t *value, *row;
    size_t i;
    json_object_foreach(json_array_get(rows, 0), name, value)
        printf(json_is_string(value) ? "  %-20s" : "  %16s", name);
    puts("");
    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
    {
        json_object_foreach(row, name, value)
        {
            if (json_is_string(value))
                printf("  %-20s", json_string_value(value));
            else
                printf("  %16.2f", json_number_value(value));
        }
        puts("");
    }
}

/* The tables among the further measurements: a row against each of a panel. */
static void print_tables(const KnTrainResult *r)
{
    json_t *also = kn_train_result_also(r), *list, *value;
    const char *name, *key;
    json_object_foreach(also, name, list) json_object_foreach(json_array_get(list, json_array_size(list) - 1),
                                                              key, value) if (json_is_array(value))
        train_print_rows(value);
    json_decref(also);
}

static void print_seed(void *user, uint64_t seed, const KnTrainResult *r)
{
    Runs *runs = user;
    if (r->has_point) {
        kn_moments_add(&runs->ends, r->y);
        runs->cell.low = r->low;
        runs->cell.high = r->high;
    }
    if (runs->document)
        json_array_append_new(runs->document,
                              json_pack("{so ss ss s[ffff] so* so*}", "seed", kn_json_from_uint64(seed),
                                        "file", r->file, "player", r->player, "point", r->x, r->y, r->low,
                                        r->high, "also", kn_train_result_also(r), "edited",
                                        r->edited ? json_true() : NULL));
    else if (r->has_point)
        printf("seed %llu: %.3f (95%%: %.3f to %.3f) after %.0f\n", (unsigned long long)seed, r->y, r->low,
               r->high, r->x);
    else
        printf("seed %llu: %s\n", (unsigned long long)seed, r->file);
    if (!runs->document) print_tables(r);
    if (r->edited && !runs->document) puts(train_edited);
    fflush(stdout);
}

/* The task file stands before training begins, so that --resume finds it after any interruption; one that is
 * there changes only when the training was accepted. */
static KnStatus run_seeds(const KnContext *context, Runs *runs, const char *folder, const KnTrainTask *task,
                          KnError *error)
{
    TrainArguments *a = runs->arguments;
    KnTrainingObserver observer = train_observer(a);
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, folder, "task.json");
    bool fresh = !kn_file_exists(path.data);
    kn_text_free(&path);
    KnTrainSeeds plan = {.folder = folder,
                         .task = task,
                         .jobs = a->shared.jobs,
                         .cancel = cli_interrupt(),
                         .progress = open_progress,
                         .observer = &observer,
                         .finished = print_seed,
                         .user = runs};
    KnStatus status = fresh ? kn_train_task_write(folder, task, error) : KN_OK;
    if (status == KN_OK) status = kn_train_seeds(context, &plan, error);
    if (status == KN_OK && !fresh) status = kn_train_task_write(folder, task, error);
    return status;
}

static KnStatus train_runs(const KnContext *context, Runs *runs, const char *learner, const char *game,
                           const char *folder, KnError *error)
{
    const TrainArguments *a = runs->arguments;
    KnTrainTask task = {.learner = (char *)(uintptr_t)learner,
                        .game = (char *)(uintptr_t)game,
                        .seed = a->shared.seed,
                        .seeds = cli_seeds(&a->shared),
                        .points = a->points_given ? a->points : KN_TRAIN_POINTS};
    return run_seeds(context, runs, folder, &task, error);
}

KnStatus train_into(const KnContext *context, TrainArguments *a, const char *learner, const char *game,
                    KnError *error)
{
    Runs runs = {.arguments = a, .document = a->common.json ? json_array() : NULL};
    KnStatus status = train_runs(context, &runs, learner, game, a->shared.into, error);
    if (status == KN_OK && runs.document)
        cli_print_json(runs.document);
    else
        json_decref(runs.document);
    return status;
}

KnStatus train_resume(const KnContext *context, TrainArguments *a, const char *folder, KnError *error)
{
    KnTrainTask task;
    KnArena *arena = kn_arena_new();
    KnLearner learner;
    Runs runs = {.arguments = a};
    KnStatus status = kn_train_task_read(folder, &task, error);
    if (status == KN_OK) status = kn_learner_bind(context, task.learner, arena, &learner, error);
    a->type = status == KN_OK ? learner.type : NULL;
    if (status == KN_OK) status = run_seeds(context, &runs, folder, &task, error);
    kn_train_task_free(&task);
    kn_arena_free(arena);
    return status;
}

/* ---- sweeps ---- */

static KnStatus run_point(const KnContext *context, TrainArguments *a, int point, SweepCell *cell,
                          KnError *error)
{
    KnText label = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY, learner = KN_TEXT_EMPTY, game = KN_TEXT_EMPTY;
    unsigned used = 0;
    Runs runs = {.arguments = a, .cell = {.cost = NAN}};
    KnStatus status = KN_OK;
    sweep_label(&a->sweep, point, &label);
    for (char *c = label.data; *c; c++)
        if (*c == ' ' || *c == '/') *c = ',';
    kn_path_join(&folder, a->shared.into, label.data);
    sweep_fill(&a->sweep, point, a->shared.game, &used, &game);
    train_spec(a, &a->sweep, point, &used, &learner);
    for (int axis = 0; axis < a->sweep.count && status == KN_OK; axis++)
        if (!(used >> axis & 1))
            status = kn_fail(error, KN_USAGE,
                             "--sweep %s: %s has no such option; write {%s} where the value belongs",
                             a->sweep.axes[axis].name, a->type->head.name, a->sweep.axes[axis].name);
    if (status == KN_OK && !a->common.json) printf("%s\n", label.data);
    if (status == KN_OK) status = train_runs(context, &runs, learner.data, game.data, folder.data, error);
    if (status == KN_OK && !runs.ends.count)
        status = kn_fail(error, KN_USAGE, "--sweep compares where learning curves end: --points 0 has none");
    *cell = runs.cell;
    cell->value = kn_moments_mean(&runs.ends);
    if (runs.ends.count > 1) {
        KnInterval interval = kn_moments_interval_within(&runs.ends, a->type->low, a->type->high);
        cell->low = interval.low;
        cell->high = interval.high;
    }
    kn_text_free(&label);
    kn_text_free(&folder);
    kn_text_free(&learner);
    kn_text_free(&game);
    return status;
}

KnStatus train_sweep(const KnContext *context, TrainArguments *a, KnError *error)
{
    SweepCell cells[SWEEP_POINTS];
    KnStatus status = KN_OK;
    for (int i = 0; i < sweep_points(&a->sweep) && status == KN_OK; i++)
        status = run_point(context, a, i, &cells[i], error);
    if (status != KN_OK) return status;
    KnText title = KN_TEXT_EMPTY;
    kn_text_printf(&title, "knack train %s: where the learning curves end", a->type->head.name);
    status = sweep_show(&a->sweep, cells, title.data, a->type->y, a->shared.into, "sweep", &a->common, error);
    kn_text_free(&title);
    return status;
}
