#include "players/course.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"

static const char CURVE[] = "curve.json";
enum { FORMAT = 1 }; /* files without a number are of the first format */

struct KnCourse {
    char *folder;
    json_t *curve;
    int lock; /* the folder itself, held by whoever learns in it */
};

void kn_course_path(const KnCourse *course, const char *name, KnText *path)
{
    kn_path_join(path, course->folder, name);
}

static KnStatus save(const KnCourse *course, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_course_path(course, CURVE, &path);
    char *text = json_dumps(course->curve, JSON_COMPACT | JSON_REAL_PRECISION(17));
    KnStatus status = text ? kn_file_write_atomic(path.data, text, strlen(text), error)
                           : kn_fail_memory(error, "keeping a curve");
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
               : kn_fail(error, KN_INPUT, "%s: this is no curve of a course", path);
}

json_t *kn_course_read(const char *folder, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    json_t *curve = NULL;
    kn_path_join(&path, folder, CURVE);
    if (!kn_file_exists(path.data))
        kn_fail(error, KN_NO, "%s: nothing has been learned there yet", folder);
    else if (kn_json_load_file(path.data, &curve, error) == KN_OK &&
             check_curve(curve, path.data, error) != KN_OK) {
        json_decref(curve);
        curve = NULL;
    }
    kn_text_free(&path);
    return curve;
}

/* A second process would play from files that the first is about to replace. File systems that know no locks
 * are taken at their word. */
static KnStatus occupy(KnCourse *course, KnError *error)
{
    KnStatus status = kn_mkdirs(course->folder, error);
    if (status != KN_OK) return status;
    course->lock = open(course->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (course->lock < 0) return kn_fail_errno(error, "%s: cannot open", course->folder);
    if (flock(course->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return KN_OK;
    return kn_fail(error, KN_SYSTEM,
                   "%s: another process is learning there; wait for it, or choose another folder",
                   course->folder);
}

KnStatus kn_course_open(const char *folder, json_t *about, KnCourse **out, KnError *error)
{
    *out = NULL;
    KnCourse *course = calloc(1, sizeof *course);
    if (course) course->lock = -1;
    KnStatus status = course && about && (course->folder = strdup(folder))
                          ? occupy(course, error)
                          : kn_fail_memory(error, "opening a course");
    if (status == KN_OK && !(course->curve = kn_course_read(folder, error))) {
        status = error->status == KN_NO ? KN_OK : error->status;
        if (status == KN_OK && !(course->curve = json_pack("{si sO s[] sb}", "format", FORMAT, "about", about,
                                                           "points", "done", 0)))
            status = kn_fail_memory(error, "opening a course");
        if (status == KN_OK) status = save(course, error);
    } else if (status == KN_OK && !json_equal(json_object_get(course->curve, "about"), about))
        status = kn_fail(error, KN_INPUT, "%s belongs to a course with other settings; choose another folder",
                         folder);
    json_decref(about);
    if (status == KN_OK)
        *out = course;
    else
        kn_course_close(course);
    return status;
}

void kn_course_close(KnCourse *course)
{
    if (!course) return;
    json_decref(course->curve);
    if (course->lock >= 0) close(course->lock);
    free(course->folder);
    free(course);
}

size_t kn_course_points(const KnCourse *course)
{
    return json_array_size(json_object_get(course->curve, "points"));
}

bool kn_course_done(const KnCourse *course) { return json_is_true(json_object_get(course->curve, "done")); }

KnStatus kn_course_add(KnCourse *course, double x, double y, double low, double high, KnError *error)
{
    json_t *point = json_pack("[ffff]", x, y, low, high);
    if (!point || json_array_append_new(json_object_get(course->curve, "points"), point) != 0)
        return kn_fail_memory(error, "keeping a curve");
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
