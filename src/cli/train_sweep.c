/* Sweeps of training: the method's own command is run for each setting, into a folder of its own, and where
 * its courses end is put together. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/stats.h"
#include "cli/sweep.h"
#include "cli/train.h"
#include "players/course.h"

/* The value of an option that may be written --NAME=VALUE or --NAME VALUE; *size is how many words it takes.
 * NULL if this is another word. */
static const char *value_of(int argc, char **argv, int at, const char *name, int *size)
{
    size_t length = strlen(name);
    *size = 1;
    if (strncmp(argv[at], "--", 2) != 0 || strncmp(argv[at] + 2, name, length) != 0) return NULL;
    if (argv[at][2 + length] == '=') return argv[at] + 3 + length;
    if (argv[at][2 + length] || at + 1 >= argc) return NULL;
    *size = 2;
    return argv[at + 1];
}

bool train_sweeps(int argc, char **argv)
{
    int size;
    for (int i = 1; i < argc; i++)
        if (value_of(argc, argv, i, "sweep", &size)) return true;
    return false;
}

/* Everything but --sweep and --into. */
typedef struct Words {
    char **rest;
    int count;
    const char *into;
    Sweep sweep;
    bool quiet, json;
} Words;

static KnStatus read_words(int argc, char **argv, Words *w, KnError *error)
{
    for (int i = 0, size; i < argc; i += size) {
        const char *sweep = value_of(argc, argv, i, "sweep", &size);
        if (sweep) {
            KnStatus status = sweep_read(&w->sweep, sweep, error);
            if (status != KN_OK) return status;
            continue;
        }
        const char *into = value_of(argc, argv, i, "into", &size);
        if (into) {
            w->into = into;
            continue;
        }
        size = 1;
        w->json = w->json || strcmp(argv[i], "--json") == 0;
        w->rest[w->count++] = argv[i];
    }
    if (!w->into) return kn_fail(error, KN_USAGE, "a sweep of trainings makes courses: --into DIR is wanted");
    return KN_OK;
}

/* Runs the method for one point, into FOLDER/LABEL. */
static int run_point(const Command *method, const Words *w, int point, KnText *folder)
{
    KnText label = KN_TEXT_EMPTY, into = KN_TEXT_EMPTY, made[w->count + SWEEP_AXES];
    char *words[w->count + SWEEP_AXES + 2];
    unsigned used = 0;
    int count = 0, owned = 0;
    sweep_label(&w->sweep, point, &label);
    for (char *c = label.data; *c; c++)
        if (*c == ' ' || *c == '/') *c = ',';
    kn_path_join(folder, w->into, label.data);
    for (int i = 0; i < w->count; i++) {
        made[owned] = KN_TEXT_EMPTY;
        sweep_fill(&w->sweep, point, w->rest[i], &used, &made[owned]);
        words[count++] = i ? made[owned].data : w->rest[0];
        owned++;
    }
    for (int i = 0; i < w->sweep.count; i++) {
        if (used >> i & 1) continue;
        made[owned] = KN_TEXT_EMPTY;
        kn_text_printf(&made[owned], "--%s=%s", w->sweep.axes[i].name, sweep_value(&w->sweep, point, i));
        words[count++] = made[owned++].data;
    }
    kn_text_printf(&into, "--into=%s", folder->data);
    words[count++] = into.data;
    words[count] = NULL;
    if (!w->json) printf("%s\n", label.data);
    fflush(stdout);
    int code = train_run(method, count, words);
    for (int i = 0; i < owned; i++) kn_text_free(&made[i]);
    kn_text_free(&label);
    kn_text_free(&into);
    return code;
}

/* Where the courses in a folder, one a seed, end: the mean over seeds, or the one course with its own
 * interval. */
static KnStatus read_point(const char *folder, SweepCell *cell, KnError *error)
{
    KnMoments moments = {0};
    DIR *entries = opendir(folder);
    if (!entries) return kn_fail_errno(error, "%s: cannot read", folder);
    *cell = (SweepCell){.cost = NAN};
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.') continue;
        KnText path = KN_TEXT_EMPTY;
        KnError none;
        kn_path_join(&path, folder, entry->d_name);
        json_t *curve = kn_course_read(path.data, &none);
        const json_t *points = json_object_get(curve, "points"),
                     *last = json_array_get(points, json_array_size(points) - 1);
        if (last) {
            kn_moments_add(&moments, json_number_value(json_array_get(last, 1)));
            cell->low = json_number_value(json_array_get(last, 2));
            cell->high = json_number_value(json_array_get(last, 3));
        }
        json_decref(curve);
        kn_text_free(&path);
    }
    closedir(entries);
    if (!moments.count)
        return kn_fail(error, KN_INPUT,
                       "%s: there is no course; this method makes none, so that there is nothing to compare",
                       folder);
    cell->value = kn_moments_mean(&moments);
    if (moments.count < 2) return KN_OK;
    KnInterval interval = kn_moments_interval(&moments, 0.95);
    cell->low = interval.low;
    cell->high = interval.high;
    return KN_OK;
}

int train_sweep(const Command *method, int argc, char **argv)
{
    KnError error;
    Words w = {.rest = calloc((size_t)argc + 1, sizeof(char *))};
    SweepCell cells[SWEEP_POINTS];
    KnStatus status = w.rest ? read_words(argc, argv, &w, &error) : kn_fail_memory(&error, "reading a sweep");
    int points = status == KN_OK ? sweep_points(&w.sweep) : 0, code = 0;
    for (int i = 0; i < points && status == KN_OK && !code; i++) {
        KnText folder = KN_TEXT_EMPTY;
        code = run_point(method, &w, i, &folder);
        if (!code) status = read_point(folder.data, &cells[i], &error);
        kn_text_free(&folder);
    }
    if (status == KN_OK && !code) {
        KnText title = KN_TEXT_EMPTY;
        CliCommon common = {.json = w.json};
        kn_text_printf(&title, "%s: where its courses end", argv[0]);
        status = sweep_show(&w.sweep, cells, title.data, "value", w.into, "sweep", &common, &error);
        kn_text_free(&title);
    }
    free(w.rest);
    if (code) return code;
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
