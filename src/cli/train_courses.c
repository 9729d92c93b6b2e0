/* Courses of training, one a seed, and a line about each when it is done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/train.h"
#include "players/course.h"

static void print_last(uint64_t seed, const char *folder)
{
    KnError error;
    json_t *curve = kn_course_read(folder, &error), *points = json_object_get(curve, "points");
    const json_t *last = json_array_get(points, json_array_size(points) - 1);
    if (last)
        printf("seed %llu: %.3f (95%%: %.3f to %.3f) after %.0f\n", (unsigned long long)seed,
               json_number_value(json_array_get(last, 1)), json_number_value(json_array_get(last, 2)),
               json_number_value(json_array_get(last, 3)), json_number_value(json_array_get(last, 0)));
    json_decref(curve);
}

typedef struct Courses {
    const char *into;
    uint64_t seed;
    TrainCourse *one; /* NULL: at a helper, which runs the command itself, from its words */
    void *user;
    KnUnpack words;
} Courses;

static void name_folder(const Courses *courses, uint64_t seed, KnText *folder)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%llu", (unsigned long long)seed);
    kn_path_join(folder, courses->into, name.data);
    kn_text_free(&name);
}

/* ---- elsewhere ---- */

/* The method at work and its words, packed before parsing takes them apart: what a helper is to run. Of a
 * sweep they are those of one setting. */
static KnText words_at_work = KN_TEXT_EMPTY;

int train_run(const Command *method, int argc, char **argv)
{
    kn_text_clear(&words_at_work);
    kn_pack_string(&words_at_work, method->name);
    kn_pack_u64(&words_at_work, (uint64_t)argc - 1);
    for (int i = 1; i < argc; i++) kn_pack_string(&words_at_work, argv[i]);
    int code = method->run(argc, argv);
    kn_text_free(&words_at_work);
    return code;
}

/* The command again, with one seed: what it says goes nowhere, since helpers have no output. */
static KnStatus run_command(KnUnpack in, uint64_t seed, KnError *error)
{
    enum { MOST = 4096 };
    const char *method = kn_unpack_string(&in);
    uint64_t given = kn_unpack_u64(&in);
    if (!method || given > MOST) return kn_fail(error, KN_SYSTEM, "the words of a course came over in parts");
    char number[40], *words[given + 6], *kept[given + 6]; /* parsing takes words apart and sorts them */
    int count = 0, code = KN_SYSTEM;
    snprintf(number, sizeof number, "--seed=%llu", (unsigned long long)seed);
    words[count++] = strdup("train");
    words[count++] = strdup(method);
    for (uint64_t i = 0; i < given; i++) {
        const char *word = kn_unpack_string(&in);
        words[count++] = strdup(word ? word : "");
    }
    words[count++] = strdup(number);
    words[count++] = strdup("--seeds=1");
    words[count++] = strdup("--quiet");
    words[count] = NULL;
    bool whole = kn_unpack_ok(&in);
    for (int i = 0; i < count; i++) whole = whole && (kept[i] = words[i]);
    if (whole) code = command_train(count, words);
    for (int i = 0; i < count; i++) free(whole ? kept[i] : words[i]);
    return code == 0 ? KN_OK
                     : kn_fail(error,
                               (KnStatus)(code == 130 ? KN_STOPPED
                                          : code > 4  ? KN_SYSTEM
                                                      : code),
                               "the course of seed %llu failed", (unsigned long long)seed);
}

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Courses *courses = *user = calloc(1, sizeof *courses);
    if (!courses) return kn_fail_memory(error, "training");
    courses->seed = kn_unpack_u64(&post->brief);
    courses->words = post->brief;
    return !post->brief.short_of ? KN_OK
                                 : kn_fail(error, KN_SYSTEM, "the words of a course came over in parts");
}

static void pack_nothing(void *user, int worker, uint64_t index, KnText *out)
{
    (void)user, (void)worker, (void)index, (void)out; /* the course lies in its folder */
}

static KnStatus unpack_nothing(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error)
{
    (void)user, (void)worker, (void)index, (void)in, (void)error;
    return KN_OK;
}

static KnStatus one_course(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    const Courses *courses = user;
    KnText folder = KN_TEXT_EMPTY;
    if (!courses->one) return run_command(courses->words, courses->seed + index, error);
    name_folder(courses, courses->seed + index, &folder);
    KnStatus status = courses->one(courses->user, courses->seed + index, folder.data, error);
    kn_text_free(&folder);
    return status;
}

const KnDuty train_course_duty = {
    "course",      "courses of training, a seed each", open_away, free, NULL, one_course, pack_nothing,
    unpack_nothing};

/* ---- here ---- */

static KnStatus tell_course(void *user, uint64_t index, KnError *error)
{
    (void)error;
    const Courses *courses = user;
    KnText folder = KN_TEXT_EMPTY;
    name_folder(courses, courses->seed + index, &folder);
    print_last(courses->seed + index, folder.data);
    kn_text_free(&folder);
    return KN_OK;
}

KnStatus train_courses(const KnContext *context, const char *into, uint64_t seed, uint64_t seeds,
                       TrainCourse *one, void *user, KnError *error)
{
    Courses courses = {.into = into, .seed = seed, .one = one, .user = user};
    KnErrand *errand = NULL;
    KnText brief = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    kn_pack_u64(&brief, seed);
    kn_text_add_bytes(&brief, words_at_work.data, words_at_work.length);
    if (seeds > 1)
        status = kn_errand_open(context, &train_course_duty, 1, 0, &brief, &errand,
                                error); /* of one, the games are shared out */
    kn_text_free(&brief);
    if (status == KN_OK)
        status = kn_errand_run(errand, &train_course_duty, NULL, 1, seeds, 0, tell_course, &courses,
                               errand ? cli_interrupt() : NULL, error);
    kn_errand_close(errand);
    return status;
}
