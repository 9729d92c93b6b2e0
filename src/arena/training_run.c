#include "arena/training_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"

static const char CURVE[] = "curve.json";
enum { FORMAT = 1 }; /* a file without a number has the first format */

struct KnTrainingRun {
    char *folder;
    json_t *curve;
    int lock; /* the folder itself, locked by the process that trains in it */
    KnTrainingObserver observer;
};

void kn_training_run_path(const KnTrainingRun *run, const char *name, KnText *path)
{
    kn_path_join(path, run->folder, name);
}

static KnStatus save(const KnTrainingRun *run, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_training_run_path(run, CURVE, &path);
    char *text = json_dumps(run->curve, JSON_COMPACT | JSON_REAL_PRECISION(17));
    KnStatus status = text ? kn_sealed_write(path.data, text, error)
                           : kn_fail_memory(error, "saving a learning curve");
    free(text);
    kn_text_free(&path);
    return status;
}

static KnStatus check_curve(const json_t *curve, const char *path, KnError *error)
{
    const json_t *format = json_object_get(curve, "format");
    if (format && json_integer_value(format) != FORMAT)
        return kn_fail(error, KN_INPUT,
                       "%s: its format is %lld, this program knows %d; use a newer knack, or another folder",
                       path, (long long)json_integer_value(format), FORMAT);
    return json_is_array(json_object_get(curve, "points"))
               ? KN_OK
               : kn_fail(error, KN_INPUT, "%s: this is not the curve of a training run", path);
}

json_t *kn_training_run_read(const char *folder, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    json_t *curve = NULL;
    KnSeal seal = KN_SEAL_NONE;
    kn_path_join(&path, folder, CURVE);
    if (!kn_file_exists(path.data))
        kn_fail(error, KN_NO, "%s: nothing has been learned there yet", folder);
    else if (kn_sealed_load(path.data, &curve, &seal, error) == KN_OK &&
             check_curve(curve, path.data, error) != KN_OK) {
        json_decref(curve);
        curve = NULL;
    }
    if (curve) kn_sealed_stamp(curve, seal); /* saved with the next point: it stays */
    kn_text_free(&path);
    return curve;
}

/* Opens and locks the folder. It may be gone by then: the process that trained there before removes it when
 * it has copied what was learned, still under its lock (kn_train). */
static KnStatus try_folder(KnTrainingRun *run, bool *gone, KnError *error)
{
    *gone = false;
    KnStatus status = kn_mkdirs(run->folder, error);
    if (status != KN_OK) return status;
    run->lock = open(run->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *gone = run->lock < 0 && errno == ENOENT;
    if (*gone) return KN_OK;
    if (run->lock < 0) return kn_fail_errno(error, "%s: cannot open", run->folder);
    if (kn_file_lock(run->lock) == KN_LOCK_BUSY)
        return kn_fail(error, KN_SYSTEM,
                       "%s: another process is training there; wait for it, or choose another folder",
                       run->folder);
    *gone = !kn_file_is_named(run->lock, run->folder);
    if (!*gone) return KN_OK;
    close(run->lock);
    run->lock = -1;
    return KN_OK;
}

/* A second process would read files that the first is about to replace. On a file system without locks two
 * processes are not kept apart. */
static KnStatus lock_folder(KnTrainingRun *run, KnError *error)
{
    bool gone = true;
    KnStatus status = KN_OK;
    while (gone && status == KN_OK) status = try_folder(run, &gone, error);
    return status;
}

/* Whether an existing run was made with the same settings. */
static bool same_settings(const json_t *stored, const json_t *about, const json_t *defaults)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)about, key, value)
    {
        const json_t *other = json_object_get(stored, key);
        if (!json_equal(value, other ? other : json_object_get(defaults, key))) return false;
    }
    json_object_foreach((json_t *)(uintptr_t)stored, key,
                        value) if (!json_object_get(about, key)) return false;
    return true;
}

static KnStatus fail_settings(const char *folder, const json_t *stored, const json_t *about, KnError *error)
{
    const json_t *then = json_object_get(stored, "contents"), *now = json_object_get(about, "contents");
    if (then && !json_equal(then, now))
        return kn_fail(error, KN_INPUT,
                       "%s holds a training run with other contents of the files that it names; put them "
                       "back, or choose another folder",
                       folder);
    return kn_fail(error, KN_INPUT, "%s holds a training run with other settings; choose another folder",
                   folder);
}

static KnStatus start_curve(KnTrainingRun *run, const json_t *about, KnError *error)
{
    run->curve = json_pack("{si sO s[] sb}", "format", FORMAT, "about", about, "points", "done", 0);
    return run->curve ? save(run, error) : kn_fail_memory(error, "opening a training run");
}

KnStatus kn_training_run_open(const char *folder, const json_t *about, const json_t *defaults,
                              KnTrainingRun **out, KnError *error)
{
    KN_ASSERT(json_is_object(about) && json_is_object(defaults));
    *out = NULL;
    KnTrainingRun *run = calloc(1, sizeof *run);
    if (run) run->lock = -1;
    KnStatus status = run && (run->folder = strdup(folder)) ? lock_folder(run, error)
                                                            : kn_fail_memory(error, "opening a training run");
    if (status == KN_OK && !(run->curve = kn_training_run_read(folder, error)))
        status = error->status == KN_NO ? start_curve(run, about, error) : error->status;
    else if (status == KN_OK && !same_settings(json_object_get(run->curve, "about"), about, defaults))
        status = fail_settings(folder, json_object_get(run->curve, "about"), about, error);
    if (status == KN_OK)
        *out = run;
    else
        kn_training_run_close(run);
    return status;
}

void kn_training_run_close(KnTrainingRun *run)
{
    if (!run) return;
    json_decref(run->curve);
    if (run->lock >= 0) close(run->lock);
    free(run->folder);
    free(run);
}

size_t kn_training_run_points(const KnTrainingRun *run)
{
    return json_array_size(json_object_get(run->curve, "points"));
}

bool kn_training_run_done(const KnTrainingRun *run)
{
    return json_is_true(json_object_get(run->curve, "done"));
}

static double number_of(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

KnStatus kn_training_run_add(KnTrainingRun *run, double x, double y, double low, double high, KnError *error)
{
    KN_ASSERT(low <= high);
    json_t *point = json_pack("[ffff]", x, y, low, high);
    if (!point || json_array_append_new(json_object_get(run->curve, "points"), point) != 0)
        return kn_fail_memory(error, "saving a learning curve");
    KnStatus status = save(run, error);
    const json_t *other = kn_training_run_last(run, "held-out");
    if (status == KN_OK && run->observer.held_out && number_of(other, "x") == x)
        run->observer.held_out(run->observer.user, x, number_of(other, "score"), number_of(other, "low"),
                               number_of(other, "high"));
    if (status == KN_OK && run->observer.point) run->observer.point(run->observer.user, x, y, low, high);
    return status;
}

void kn_training_run_observe(KnTrainingRun *run, const KnTrainingObserver *observer)
{
    run->observer = observer ? *observer : (KnTrainingObserver){0};
}

void kn_training_run_note(KnTrainingRun *run, const char *line)
{
    if (run->observer.note) run->observer.note(run->observer.user, line);
}

KnStatus kn_training_run_also(KnTrainingRun *run, const char *name, json_t *row, KnError *error)
{
    json_t *also = json_object_get(run->curve, "also"), *list;
    if (!also && json_object_set_new(run->curve, "also", also = json_object()) != 0) also = NULL;
    list = json_object_get(also, name);
    if (also && !list && json_object_set_new(also, name, list = json_array()) != 0) list = NULL;
    if (list && row && json_array_append(list, row) == 0) {
        json_decref(row);
        return KN_OK;
    }
    json_decref(row);
    return kn_fail_memory(error, "saving a learning curve");
}

const json_t *kn_training_run_last(const KnTrainingRun *run, const char *name)
{
    const json_t *list = json_object_get(json_object_get(run->curve, "also"), name);
    return json_array_size(list) ? json_array_get(list, json_array_size(list) - 1) : NULL;
}

KnStatus kn_training_run_finish(KnTrainingRun *run, KnError *error)
{
    json_object_set_new(run->curve, "done", json_true());
    return save(run, error);
}
