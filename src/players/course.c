#include "players/course.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"

static const char CURVE[] = "curve.json";

struct KnCourse {
    char *folder;
    json_t *curve;
};

void kn_course_path(const KnCourse *course, const char *name, KnText *path) { kn_path_join(path, course->folder, name); }

static KnStatus save(const KnCourse *course, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_course_path(course, CURVE, &path);
    char *text = json_dumps(course->curve, JSON_COMPACT | JSON_REAL_PRECISION(17));
    KnStatus status = text ? kn_file_write_atomic(path.data, text, strlen(text), error) : kn_fail_memory(error, "keeping a curve");
    free(text);
    kn_text_free(&path);
    return status;
}

json_t *kn_course_read(const char *folder, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    json_t *curve = NULL;
    kn_path_join(&path, folder, CURVE);
    if (!kn_file_exists(path.data)) kn_fail(error, KN_NO, "%s: nothing has been learned there yet", folder);
    else if (kn_json_load_file(path.data, &curve, error) == KN_OK && !json_is_array(json_object_get(curve, "points"))) {
        kn_fail(error, KN_INPUT, "%s: this is no curve of a course", path.data);
        json_decref(curve);
        curve = NULL;
    }
    kn_text_free(&path);
    return curve;
}

KnStatus kn_course_open(const char *folder, json_t *about, KnCourse **out, KnError *error)
{
    *out = NULL;
    KnCourse *course = calloc(1, sizeof *course);
    KnStatus status = course && about && (course->folder = strdup(folder)) ? kn_mkdirs(folder, error) : kn_fail_memory(error, "opening a course");
    if (status == KN_OK && !(course->curve = kn_course_read(folder, error))) {
        status = error->status == KN_NO ? KN_OK : error->status;
        if (status == KN_OK && !(course->curve = json_pack("{sO s[] sb}", "about", about, "points", "done", 0)))
            status = kn_fail_memory(error, "opening a course");
        if (status == KN_OK) status = save(course, error);
    } else if (status == KN_OK && !json_equal(json_object_get(course->curve, "about"), about))
        status = kn_fail(error, KN_INPUT, "%s belongs to a course with other settings; choose another folder", folder);
    json_decref(about);
    if (status == KN_OK) *out = course;
    else kn_course_close(course);
    return status;
}

void kn_course_close(KnCourse *course)
{
    if (!course) return;
    json_decref(course->curve);
    free(course->folder);
    free(course);
}

size_t kn_course_points(const KnCourse *course) { return json_array_size(json_object_get(course->curve, "points")); }

bool kn_course_done(const KnCourse *course) { return json_is_true(json_object_get(course->curve, "done")); }

KnStatus kn_course_add(KnCourse *course, double x, double y, double low, double high, KnError *error)
{
    json_t *point = json_pack("[ffff]", x, y, low, high);
    if (!point || json_array_append_new(json_object_get(course->curve, "points"), point) != 0) return kn_fail_memory(error, "keeping a curve");
    return save(course, error);
}

KnStatus kn_course_also(KnCourse *course, const char *name, json_t *row, KnError *error)
{
    json_t *also = json_object_get(course->curve, "also"), *list;
    if (!also && json_object_set_new(course->curve, "also", also = json_object()) != 0) also = NULL;
    list = json_object_get(also, name);
    if (also && !list && json_object_set_new(also, name, list = json_array()) != 0) list = NULL;
    if (list && row && json_array_append(list, row) == 0) {
        json_decref(row);
        return KN_OK;
    }
    json_decref(row);
    return kn_fail_memory(error, "keeping a curve");
}

const json_t *kn_course_last(const KnCourse *course, const char *name)
{
    const json_t *list = json_object_get(json_object_get(course->curve, "also"), name);
    return json_array_size(list) ? json_array_get(list, json_array_size(list) - 1) : NULL;
}

KnStatus kn_course_finish(KnCourse *course, KnError *error)
{
    json_object_set_new(course->curve, "done", json_true());
    return save(course, error);
}
