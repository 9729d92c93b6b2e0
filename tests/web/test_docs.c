/* The documents say what there is: every route stands in docs/api.md and docs/openapi.json, and nothing else
 * does. */
#include "support/check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "web/state.h"

static const KnRoute *const tables[] = {
    kn_routes_about,  kn_routes_sessions, kn_routes_questions, kn_routes_frames,   kn_routes_runs,
    kn_routes_learn,  kn_routes_lab,      kn_routes_satisfice, kn_routes_problems, kn_routes_knowledge,
    kn_routes_review, kn_routes_rooms,    kn_routes_territory};

/* Whether a documented path such as /api/runs/{name} is a route's pattern runs/ and a star. */
static bool same_path(const char *documented, const char *pattern)
{
    if (strncmp(documented, "/api/", 5) != 0) return false;
    documented += 5;
    while (*documented && *pattern) {
        if (*documented == '{' && *pattern == '*') {
            documented = strchr(documented, '}') + 1;
            pattern++;
        } else if (*documented++ != *pattern++)
            return false;
    }
    return !*documented && !*pattern;
}

static void test_openapi(void **state)
{
    (void)state;
    KnError error;
    json_t *document;
    check_ok(error, kn_json_load_file(KNACK_SOURCE_DIR "/docs/openapi.json", &document, &error));
    json_t *paths = json_object_get(document, "paths"), *methods, *operation;
    assert_string_equal(json_string_value(json_object_get(json_object_get(document, "info"), "version")),
                        KNACK_VERSION);
    const char *path, *method;
    size_t documented = 0, routes = 0;
    json_object_foreach(paths, path, methods) documented += json_object_size(methods);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const KnRoute *route = tables[t]; route->method; route++) {
            int found = 0;
            routes++;
            json_object_foreach(paths, path, methods) json_object_foreach(methods, method, operation)
            {
                if (strcasecmp(method, route->method) != 0 || !same_path(path, route->path)) continue;
                found++;
                if ((json_object_get(operation, "requestBody") != NULL) != (route->body > 0))
                    fail_msg("%s %s: with a body or without?", route->method, path);
            }
            if (found != 1)
                fail_msg("%s /api/%s stands %d times in openapi.json", route->method, route->path, found);
        }
    assert_int_equal(documented, routes);
    json_decref(document);
}

static void test_manual(void **state)
{
    (void)state;
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(KNACK_SOURCE_DIR "/docs/api.md", &text, 1 << 20, &error));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const KnRoute *route = tables[t]; route->method; route++) {
            bool found = false;
            char start[16], path[128];
            snprintf(start, sizeof start, "`%s ", route->method);
            for (const char *at = text.data; (at = strstr(at, start)) && !found; at++) {
                const char *from = at + strlen(start);
                snprintf(path, sizeof path, "%.*s", (int)strcspn(from, "`?"), from);
                found = same_path(path, route->path);
            }
            if (!found) fail_msg("%s /api/%s is not in docs/api.md", route->method, route->path);
        }
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_openapi), cmocka_unit_test(test_manual)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
