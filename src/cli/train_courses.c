/* Courses of training, one a seed, and a line about each when it is done. */
#include <stdio.h>

#include "base/file.h"
#include "cli/train.h"
#include "players/course.h"

static void print_last(uint64_t seed, const char *folder)
{
    KnError error;
    json_t *curve = kn_course_read(folder, &error), *points = json_object_get(curve, "points");
    const json_t *last = json_array_get(points, json_array_size(points) - 1);
    if (last)
        printf("seed %llu: %.3f (95%%: %.3f to %.3f) after %.0f\n", (unsigned long long)seed, json_number_value(json_array_get(last, 1)),
               json_number_value(json_array_get(last, 2)), json_number_value(json_array_get(last, 3)), json_number_value(json_array_get(last, 0)));
    json_decref(curve);
}

KnStatus train_courses(const char *into, uint64_t seed, uint64_t seeds, TrainCourse *one, void *user, KnError *error)
{
    KnStatus status = KN_OK;
    for (uint64_t i = 0; i < seeds && status == KN_OK; i++) {
        KnText name = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY;
        kn_text_printf(&name, "%llu", (unsigned long long)(seed + i));
        kn_path_join(&folder, into, name.data);
        status = one(user, seed + i, folder.data, error);
        if (status == KN_OK) print_last(seed + i, folder.data);
        kn_text_free(&name);
        kn_text_free(&folder);
    }
    return status;
}
