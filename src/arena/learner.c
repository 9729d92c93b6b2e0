#include "arena/learner.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/identity.h"
#include "base/assert.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"

static const size_t FILE_MOST = (size_t)1 << (sizeof(size_t) > 4 ? 32 : 30);

/* ---- rows and options ---- */

KnStatus kn_learner_bind(const KnContext *context, const char *spec, KnArena *arena, KnLearner *learner,
                         KnError *error)
{
    const KnThing *thing = NULL;
    KnStatus status = arena ? kn_spec_parse(spec, arena, &learner->spec, error)
                            : kn_fail_memory(error, "reading a learner");
    if (status == KN_OK) status = kn_lookup(context, KN_KIND_LEARNER, learner->spec, &thing, error);
    if (status == KN_OK)
        status = kn_options_bind(thing->options, learner->spec, arena, &learner->options, error);
    learner->type = (const KnLearnerType *)thing;
    return status;
}

KnStatus kn_learner_check(const KnContext *context, const KnLearner *learner, const KnGame *game,
                          KnError *error)
{
    if (learner->type->suits(context, game, error) == KN_OK) return KN_OK;
    return kn_fail_within(error, "%s cannot learn %s", learner->type->head.name, game->spec);
}

static json_t *value_json(const KnOptions *options, const KnOption *option)
{
    const KnSpec *value = kn_option_spec(options, option->name);
    if (!value) return NULL;
    switch (option->type) {
    case KN_OPTION_INTEGER:
        return json_integer((json_int_t)value->number);
    case KN_OPTION_REAL:
        return json_real(value->number);
    case KN_OPTION_FLAG:
        return json_boolean(kn_option_flag(options, option->name));
    case KN_OPTION_CHOICE:
    case KN_OPTION_STRING:
        return json_string(value->text);
    case KN_OPTION_SPEC:
        break;
    }
    KnText text = KN_TEXT_EMPTY;
    KnSpec bare = *value;
    bare.key = NULL;
    kn_spec_print(&bare, &text);
    json_t *result = json_string(text.data);
    kn_text_free(&text);
    return result;
}

/* The member of `about` for an option; `learner` is both the row's name and an option of some rows. */
static const char *about_key(const char *option)
{
    return strcmp(option, "learner") == 0 ? "learner option" : option;
}

/* The identity of a run: learner, game, seed, points and all options. */
static json_t *about_run(const KnLearner *learner, const KnOptions *options, const KnGame *game,
                         uint64_t seed, int points)
{
    json_t *about = json_pack("{ss ss so si}", "learner", learner->type->head.name, "game", game->spec,
                              "seed", kn_json_from_uint64(seed), "points", points);
    for (const KnOption *option = learner->type->head.options; option && option->name; option++) {
        json_t *value = value_json(options, option);
        if (value) json_object_set_new(about, about_key(option->name), value);
    }
    return about;
}

/* Adds the contents of what the specs name, so that a folder never answers for files that have changed since;
 * to the defaults too, for runs of versions that did not note them. */
static KnStatus note_contents(const KnLearner *learner, const KnLearnerTask *task, json_t *about,
                              json_t *defaults, KnError *error)
{
    char hex[2][KN_HEX128] = {"", ""}, both[2 * KN_HEX128];
    KnText spec = KN_TEXT_EMPTY;
    kn_spec_print(learner->spec, &spec);
    KnStatus status = kn_identity_contents(task->context, spec.data, hex[0], NULL, error);
    if (status == KN_OK) status = kn_identity_contents(task->context, task->game->spec, hex[1], NULL, error);
    kn_text_free(&spec);
    snprintf(both, sizeof both, "%s%s", hex[0], hex[1]);
    if (status != KN_OK || !both[0]) return status;
    json_object_set_new(about, "contents", json_string(both));
    json_object_set_new(defaults, "contents", json_string(both));
    return KN_OK;
}

const char *kn_learner_text(const KnLearnerTask *task, const char *option)
{
    const KnSpec *value = kn_option_spec(task->options, option);
    if (!value) return NULL;
    KnText text = KN_TEXT_EMPTY;
    KnSpec bare = *value;
    bare.key = NULL;
    kn_spec_print(&bare, &text);
    const char *copy = kn_arena_string(task->arena, text.data);
    kn_text_free(&text);
    return copy;
}

KnStatus kn_learner_words(const KnLearnerTask *task, const char *option, const char *const *words,
                          bool *const *flags, KnError *error)
{
    const char *list = kn_option_string(task->options, option);
    for (const char *at = list ? list : ""; *at;) {
        size_t length = strcspn(at, ","), found = 0;
        while (words[found] && (strlen(words[found]) != length || strncmp(at, words[found], length) != 0))
            found++;
        if (!words[found]) {
            KnText known = KN_TEXT_EMPTY;
            for (size_t i = 0; words[i]; i++) kn_text_printf(&known, "%s%s", i ? ", " : "", words[i]);
            kn_fail(error, KN_USAGE, "%s expects a list of %s, not \"%s\"", option, known.data, list);
            kn_text_free(&known);
            return KN_USAGE;
        }
        *flags[found] = true;
        at += length + (at[length] == ',');
    }
    return KN_OK;
}

/* ---- where a run is ---- */

typedef struct Place {
    KnText folder;
    bool temporary; /* removed when the training is over */
} Place;

static bool is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static KnStatus make_scratch(const KnContext *context, KnText *folder, KnError *error)
{
    const char *data = kn_context_data(context), *temporary = getenv("TMPDIR");
    KnText above = KN_TEXT_EMPTY;
    kn_path_join(&above, *data ? data : temporary && *temporary ? temporary : "/tmp", "training");
    KnStatus status = kn_mkdirs(above.data, error);
    kn_path_join(folder, above.data, "XXXXXX");
    if (status == KN_OK && (!kn_text_ok(folder) || !mkdtemp(folder->data)))
        status = kn_fail_errno(error, "%s: cannot make a folder there", above.data);
    kn_text_free(&above);
    return status;
}

static KnStatus find_place(const KnContext *context, const KnTrainPlan *plan, Place *place, KnError *error)
{
    *place = (Place){.folder = KN_TEXT_EMPTY, .temporary = !plan->folder};
    if (plan->folder)
        kn_text_add(&place->folder, plan->folder);
    else if (plan->out && !is_device(plan->out))
        kn_text_printf(&place->folder, "%s.training", plan->out);
    else
        return make_scratch(context, &place->folder, error);
    return kn_text_ok(&place->folder) ? KN_OK : kn_fail_memory(error, "training");
}

/* Removes a run's folder, which holds files only, unless another process has begun to train there. */
static void remove_place(const Place *place)
{
    DIR *entries = opendir(place->folder.data);
    if (!entries) return;
    KnText path = KN_TEXT_EMPTY;
    bool ours = kn_file_lock(dirfd(entries)) != KN_LOCK_BUSY &&
                kn_file_is_named(dirfd(entries), place->folder.data);
    for (struct dirent *entry; ours && (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        kn_path_join(&path, place->folder.data, entry->d_name);
        unlink(path.data);
    }
    if (ours) rmdir(place->folder.data);
    closedir(entries); /* and with it the lock */
    kn_text_free(&path);
}

static KnStatus copy_file(const char *from, const char *to, KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(from, &bytes, FILE_MOST, error);
    if (status == KN_OK) status = kn_file_write_atomic(to, bytes.data, bytes.length, error);
    kn_text_free(&bytes);
    return status;
}

/* Copies what was learned to the file that the caller wants; a second file first, so that a file that is
 * there is complete. */
static KnStatus copy_learned(const KnLearnerType *type, const char *from, const char *to, KnError *error)
{
    KnStatus status = KN_OK;
    if (type->suffix) {
        KnText second = KN_TEXT_EMPTY, target = KN_TEXT_EMPTY;
        kn_text_printf(&second, "%s%s", from, type->suffix);
        kn_text_printf(&target, "%s%s", to, type->suffix);
        if (kn_file_exists(second.data)) status = copy_file(second.data, target.data, error);
        kn_text_free(&second);
        kn_text_free(&target);
    }
    return status == KN_OK ? copy_file(from, to, error) : status;
}

/* ---- training ---- */

static void read_result(const char *folder, KnTrainResult *result)
{
    KnError none;
    json_t *curve = kn_training_run_read(folder, &none);
    const json_t *points = json_object_get(curve, "points"),
                 *last = json_array_get(points, json_array_size(points) - 1);
    result->has_point = last != NULL;
    result->edited = kn_sealed_stamped(curve);
    if (last) {
        result->x = json_number_value(json_array_get(last, 0));
        result->y = json_number_value(json_array_get(last, 1));
        result->low = json_number_value(json_array_get(last, 2));
        result->high = json_number_value(json_array_get(last, 3));
    }
    const json_t *also = json_object_get(curve, "also");
    if (also) result->also = json_dumps(also, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(curve);
}

/* Trains in the folder; the run stays open, and the folder locked, until the caller has what it wants. */
static KnStatus train_in(const KnLearner *learner, const KnLearnerTask *task, const KnTrainPlan *plan,
                         const char *folder, KnTrainingRun **run, KnError *error)
{
    const KnSpec bare = {.kind = KN_SPEC_NAME, .text = learner->type->head.name};
    KnOptions fallbacks;
    *run = NULL;
    KnStatus status = kn_options_bind(learner->type->head.options, &bare, task->arena, &fallbacks, error);
    if (status != KN_OK) return status;
    json_t *about = about_run(learner, task->options, task->game, task->seed, task->points),
           *defaults = about_run(learner, &fallbacks, task->game, task->seed, learner->type->points);
    status = about && defaults ? note_contents(learner, task, about, defaults, error)
                               : kn_fail_memory(error, "training");
    if (status == KN_OK) status = kn_training_run_open(folder, about, defaults, run, error);
    if (status == KN_OK && !kn_training_run_done(*run)) {
        kn_training_run_observe(*run, plan->observer);
        status = learner->type->train(task, *run, error);
        if (status == KN_OK) status = kn_training_run_finish(*run, error);
    }
    json_decref(about);
    json_decref(defaults);
    return status;
}

/* Fills the result from a finished run. */
static KnStatus collect(const KnLearner *learner, const KnLearnerTask *task, const KnTrainPlan *plan,
                        const Place *place, KnTrainResult *result, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_path_join(&path, place->folder.data, learner->type->file);
    read_result(place->folder.data, result);
    KnStatus status = KN_OK;
    if (plan->explain)
        status = learner->type->explain(task, path.data, plan->explain, &result->learned, error);
    if (status == KN_OK && plan->out) status = copy_learned(learner->type, path.data, plan->out, error);
    const char *file = plan->out ? plan->out : plan->folder ? path.data : "";
    KnText player = KN_TEXT_EMPTY;
    if (file[0]) learner->type->player(task->options, file, &player);
    result->file = strdup(file);
    result->player = kn_text_take(&player);
    if (status == KN_OK && (!result->file || !result->player)) status = kn_fail_memory(error, "training");
    kn_text_free(&path);
    return status;
}

/* Where nothing has been learned, nothing is left behind. */
static bool is_empty(const Place *place)
{
    KnError none;
    json_t *curve = kn_training_run_read(place->folder.data, &none);
    bool empty = !json_array_size(json_object_get(curve, "points"));
    json_decref(curve);
    return empty;
}

static KnStatus train_learner(const KnContext *context, const KnTrainPlan *plan, const KnLearner *learner,
                              const KnGame *game, KnArena *arena, KnTrainResult *result, KnError *error)
{
    Place place;
    KnTrainingRun *run = NULL;
    KnLearnerTask task = {.context = context,
                          .game = game,
                          .options = &learner->options,
                          .seed = plan->seed,
                          .jobs = plan->jobs,
                          .points = plan->points == KN_TRAIN_POINTS ? learner->type->points : plan->points,
                          .cancel = plan->cancel,
                          .progress = plan->progress,
                          .arena = arena};
    KnStatus status = kn_learner_check(context, learner, game, error);
    if (status != KN_OK) return status;
    status = find_place(context, plan, &place, error);
    if (status == KN_OK) status = train_in(learner, &task, plan, place.folder.data, &run, error);
    if (status == KN_OK) status = collect(learner, &task, plan, &place, result, error);
    kn_training_run_close(run);
    bool refused = status == KN_INPUT || status == KN_USAGE;
    if (place.temporary && (status == KN_OK || (refused && is_empty(&place)))) remove_place(&place);
    kn_text_free(&place.folder);
    return status;
}

KnStatus kn_train(const KnContext *context, const KnTrainPlan *plan, KnTrainResult *result, KnError *error)
{
    KN_ASSERT(plan->learner && plan->game && !(plan->folder && plan->out));
    *result = (KnTrainResult){0};
    KnArena *arena = kn_arena_new();
    KnLearner learner;
    KnGame *game = NULL;
    KnStatus status = kn_learner_bind(context, plan->learner, arena, &learner, error);
    if (status == KN_OK) status = kn_game_open(context, plan->game, &game, error);
    if (status == KN_OK) status = train_learner(context, plan, &learner, game, arena, result, error);
    kn_game_close(game);
    kn_arena_free(arena);
    return status;
}

void kn_train_result_free(KnTrainResult *result)
{
    free(result->file);
    free(result->player);
    free(result->also);
    *result = (KnTrainResult){0};
}

json_t *kn_train_result_also(const KnTrainResult *result)
{
    return result->also ? json_loads(result->also, 0, NULL) : NULL;
}
