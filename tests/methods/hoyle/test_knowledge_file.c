/* The file of Hoyle's knowledge: what is in it comes back exactly, and what cannot be is refused, by a table
 * of changes to a file that is right. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "methods/hoyle/game_learner.h"

#define GAME "tictactoe(lose)"

/* A weight of each Advisor, and states with everything that can be known of one. */
static const char knowledge[] =
    "{\"weights\": [{\"Anthropomorph\": 1.0, \"Candide\": 0.507, \"Challenge\": 0.0, \"Coverage\": 0.71, "
    "\"Cyber\": 0.5, \"Greedy\": 0.63, \"Leery\": 0.746, \"Material\": 0.25, \"Freedom\": 0.5, "
    "\"Not Again\": 0.125, \"Pitchfork\": 0.5, \"Vulnerable\": 0.875, \"Worried\": 0.659, "
    "\"at random\": 0.437}], \"reasons\": [{\"Greedy\": {\"right\": {\"decisions\": 7, \"start\": "
    "\".../.../... "
    "x\", \"moves\": \"b2 a1 c3\", \"said\": \"c3 10, a2 0\"}, \"wrong\": {\"decisions\": 2, \"start\": "
    "\".../.../... x\", \"moves\": \"b2\", \"said\": \"a1 9\"}}}], \"states\": ["
    "{\"state\": \"oxo/xxo/.ox x\", \"certain\": -1, \"expert\": {\"a1\": 1}}, "
    "{\"state\": \"ox./xxo/.o. x\", \"certain\": 1, \"expert\": {\"c1\": 2}, \"won\": {\"c1\": 3, \"a1\": "
    "1}}, "
    "{\"state\": \".x./ox./.o. x\", \"lost from\": true, \"drawn\": {\"c2\": 4}, \"lost\": {\"a1\": "
    "2147483647}}, "
    "{\"state\": \".o./.x./... x\", \"expert\": {\"b1\": 8}}]}";

static json_t *document(void)
{
    json_t *inner = json_loads(knowledge, 0, NULL);
    assert_non_null(inner);
    return json_pack("{ss si ss ss ss si so}", "learner", "hoyle", "format", 1, "spec",
                     "hoyle(sequences=none)", "game", GAME, "rules", "9aced68b217a4ffb", "contests", 20,
                     "knowledge", inner);
}

/* Replaces the value at a path of keys and indices; NULL removes it. */
static void change(json_t *root, const char *path, const char *value)
{
    char copy[128], *rest = NULL;
    assert_true(strlen(path) < sizeof copy);
    strcpy(copy, path);
    json_t *at = root;
    char *key = strtok_r(copy, "/", &rest);
    for (char *next; (next = strtok_r(NULL, "/", &rest)); key = next) {
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
        assert_non_null(at);
    }
    json_t *fresh = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    assert_true(!value || fresh);
    if (json_is_array(at)) {
        if (!fresh)
            json_array_remove(at, (size_t)atoi(key));
        else if ((size_t)atoi(key) == json_array_size(at))
            json_array_append_new(at, fresh);
        else
            json_array_set_new(at, (size_t)atoi(key), fresh);
    } else if (fresh)
        json_object_set_new(at, key, fresh);
    else
        json_object_del(at, key);
}

static KnStatus load(KnContext *context, const KnGame *game, const json_t *root, json_t **again,
                     KnError *error)
{
    KnGameLearner *learner;
    assert_int_equal(json_dump_file(root, "k.json", 0), 0);
    *again = NULL;
    KnStatus status = kn_game_learner_load(context, game, "hoyle", "k.json", &learner, error);
    if (status != KN_OK) return status;
    KnError saving;
    check_ok(saving, kn_game_learner_save(learner, "again.json", &saving));
    kn_game_learner_close(learner);
    *again = json_load_file("again.json", 0, NULL);
    assert_non_null(*again);
    return KN_OK;
}

static const struct {
    const char *path, *value, *message; /* NULL: it is right, and comes back */
} cases[] = {
    {"knowledge/states/0/certain", "0", NULL},
    {"knowledge/states/0/certain", "2", "certain"},
    {"knowledge/states/0/certain", "-2", "certain"},
    {"knowledge/states/0/certain", "true", "certain"},
    {"knowledge/states/2/lost from", "1", "lost from"},
    {"knowledge/states/2/lost from", "false", NULL},
    {"knowledge/states/1/won/a1", "0", "a1"},
    {"knowledge/states/1/won/a1", "2", NULL},
    {"knowledge/states/1/won/a1", "-1", "a1"},
    {"knowledge/states/1/won/a1", "2147483648", "a1"},
    {"knowledge/states/1/won/a1", "1.5", "a1"},
    {"knowledge/states/1/won/a3", "1", "no legal move"}, /* taken */
    {"knowledge/states/1/won/z9", "1", "no legal move"},
    {"knowledge/states/1/won", "3", "won"},
    {"knowledge/states/1/found", "{}", "found"},
    {"knowledge/states/3/state", "\"rubbish\"", "state"},
    {"knowledge/states/3/state", "\"ox./xxo/.o. x\"", "twice"},
    {"knowledge/states/3/state", "\".../.xo/... x\"", "normal frame"},
    {"knowledge/states/3/state", NULL, "state"},
    {"knowledge/states/4", "3", "states"},
    {"knowledge/states", "{}", "states"},
    {"knowledge/states", NULL, "states"},
    {"knowledge/weights/0/Greedy", "0", NULL},
    {"knowledge/weights/0/Greedy", "1", NULL},
    {"knowledge/weights/0/Greedy", "-0.001", "from 0 to 1"},
    {"knowledge/weights/0/Greedy", "1.001", "from 0 to 1"},
    {"knowledge/weights/0/Greedy", "\"much\"", "Greedy"},
    {"knowledge/weights/0/Greedy", NULL, "Greedy"},
    {"knowledge/weights/0/at random", "1.001", "from 0 to 1"},
    {"knowledge/weights/0/at random", "0.999", NULL},
    {"knowledge/weights/0/Greedy", "0.6309", "0.631"}, /* a number: it is rounded to this */
    {"knowledge/weights/1", "{}", "2 stages"},
    {"knowledge/weights/0", NULL, "0 stages"},
    {"knowledge/reasons/0/Greedy/right/decisions", "8", NULL},
    {"knowledge/reasons/0/Greedy/right/decisions", "0", "decisions"},
    {"knowledge/reasons/0/Greedy/right/start", "\"rubbish\"", "start"},
    {"knowledge/reasons/0/Greedy/right/moves", "\"b2 a1 b3\"", NULL},
    {"knowledge/reasons/0/Greedy/right/moves", "\"b2 b2\"", "moves"},
    {"knowledge/reasons/0/Greedy/right/more", "1", "more"},
    {"knowledge/reasons/0/Greedy/wrong/said", "1", "said"},
    {"knowledge/reasons/0/Greedy", "[]", "Greedy"},
    {"knowledge/reasons/1", "{}", "2 stages"},
    {"knowledge/trees", "[]", "no sequences"},
    {"knowledge/patterns", "{}", "no +patterns"},
    {"knowledge/sequences", "{}", "no seq-advisor"},
    {"knowledge/more", "{}", "more"},
    {"knowledge", "[]", "knowledge"},
    {"format", "2", "format"},
    {"learner", "\"other\"", "other"},
    {"rules", "\"0000000000000000\"", "rules"},
};

/* What is written leaves out what is not known. */
static bool is_unknown(const json_t *value)
{
    return json_is_false(value) || (json_is_integer(value) && !json_integer_value(value));
}

static const json_t *look_up(const json_t *root, const char *path)
{
    char copy[128], *rest = NULL;
    strcpy(copy, path);
    const json_t *at = root;
    for (char *key = strtok_r(copy, "/", &rest); key && at; key = strtok_r(NULL, "/", &rest))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    return at;
}

static void test_changes(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("data");
    KnGame *game;
    check_ok(error, kn_game_open(context, GAME, &game, &error));
    json_t *again, *plain = document();
    check_ok(error, load(context, game, plain, &again, &error));
    json_t *a = json_object_get(plain, "knowledge"), *b = json_object_get(again, "knowledge");
    if (!json_equal(a, b)) fail_msg("%s", json_dumps(b, JSON_COMPACT));
    json_decref(again);
    json_decref(plain);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        json_t *root = document();
        change(root, cases[c].path, cases[c].value);
        KnStatus status = load(context, game, root, &again, &error);
        const char *message = cases[c].message;
        if (message && *message == '0' && message[1] == '.') {
            check_ok(error, status);
            assert_true(json_number_value(look_up(again, cases[c].path)) == strtod(message, NULL));
        } else if (!message) {
            if (status != KN_OK) fail_msg("%s = %s: %s", cases[c].path, cases[c].value, error.text);
            const json_t *put = look_up(root, cases[c].path), *got = look_up(again, cases[c].path);
            bool same = is_unknown(put) && !got;
            same = same || (json_is_number(put) && json_is_number(got) &&
                            json_number_value(put) == json_number_value(got));
            if (!same && !json_equal(put, got))
                fail_msg("%s = %s did not come back", cases[c].path, cases[c].value);
        } else if (status != KN_INPUT || !strstr(error.text, message))
            fail_msg("%s = %s: %s", cases[c].path, cases[c].value ? cases[c].value : "nothing",
                     status == KN_OK ? "was accepted" : error.text);
        json_decref(again);
        json_decref(root);
    }
    unlink("k.json");
    unlink("again.json");
    kn_game_close(game);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
