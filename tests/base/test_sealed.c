/* Sealed documents: what was written is told from what was changed, whatever the layout. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"

static KnText sealed(const char *text)
{
    KnError error;
    KnText out = KN_TEXT_EMPTY;
    kn_text_add(&out, text);
    check_ok(error, kn_sealed_text(&out, &error));
    return out;
}

static KnSeal seal_of(const char *text, json_t **document)
{
    KnError error;
    check_ok(error, kn_json_load_bytes(text, strlen(text), "text", document, &error));
    return kn_sealed_take(*document);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}", "{\"a\": 1}\n",
                                        "{\"b\": [1.5, 0.1, 1e300],\n \"a\": {\"c\": null}\n}",
                                        "{\"text\": \"}\\u0041\"}   \n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *plain, *document;
        KnText text = sealed(texts[i]);
        assert_int_equal(seal_of(text.data, &document), KN_SEAL_WHOLE);
        assert_int_equal(seal_of(texts[i], &plain), KN_SEAL_NONE);
        assert_true(json_equal(plain, document)); /* the reader sees only its own members */
        char *spread = NULL;
        json_t *again;
        assert_true(kn_sealed_add(document));
        spread = json_dumps(document, JSON_INDENT(4)); /* layout does not count */
        assert_int_equal(seal_of(spread, &again), KN_SEAL_WHOLE);
        free(spread);
        json_decref(again);
        json_decref(plain);
        json_decref(document);
        kn_text_free(&text);
    }
}

/* Any one bit: malformed, or the content is as before, or it is told to be edited. */
static void test_every_bit(void **state)
{
    (void)state;
    KnText text = sealed("{\"format\": \"some\", \"weights\": [0.125, -3, 1e-7], \"ok\": true}");
    json_t *whole;
    assert_int_equal(seal_of(text.data, &whole), KN_SEAL_WHOLE);
    long edited = 0;
    for (size_t bit = 0; bit < 8 * text.length; bit++) {
        json_t *document = NULL;
        text.data[bit / 8] ^= (char)(1 << bit % 8);
        if (kn_json_load_bytes(text.data, text.length, "text", &document, NULL) == KN_OK) {
            KnSeal seal = kn_sealed_take(document);
            if (seal == KN_SEAL_WHOLE) assert_true(json_equal(document, whole));
            edited += seal == KN_SEAL_EDITED;
        }
        json_decref(document);
        text.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    assert_true(edited > 100);
    json_decref(whole);
    kn_text_free(&text);
}

static void note_is(const char *path, const char *part)
{
    KnText note = KN_TEXT_EMPTY;
    kn_sealed_note(path, &note);
    if (part ? !note.data || !strstr(note.data, part) : note.length)
        fail_msg("%s: \"%s\", wanted \"%s\"", path, note.data, part ? part : "");
    kn_text_free(&note);
}

static void put(const char *path, const char *text)
{
    KnError error;
    check_ok(error, kn_file_write_atomic(path, text, strlen(text), &error));
}

static void test_notes(void **state)
{
    (void)state;
    KnError error;
    json_t *document;
    KnSeal seal;
    check_ok(error, kn_sealed_write("whole.json", "{\"format\": \"x 1\", \"value\": 2}", &error));
    note_is("whole.json", NULL);
    KnText text = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read("whole.json", &text, 1000, &error));
    char *two = strstr(text.data, "\"value\": 2");
    assert_non_null(two);
    two[9] = '3';
    put("edited.json", text.data);
    note_is("edited.json", "edited.json is edited by hand or damaged");
    check_ok(error, kn_sealed_load("edited.json", &document, &seal, &error));
    assert_int_equal(seal, KN_SEAL_EDITED);
    kn_sealed_stamp(document, seal);
    assert_true(kn_sealed_stamped(document));
    char *stamped = json_dumps(document, 0);
    check_ok(error, kn_sealed_write("again.json", stamped, &error)); /* the stamp outlives the next save */
    note_is("again.json", "edited by hand or damaged");
    put("old.json", "{\"format\": \"x 1\", \"value\": 2}");
    note_is("old.json", "old.json is not checked: it has no checksum");
    put("foreign.json", "{\"value\": 2}");
    put("bulk", "\x01\x02");
    note_is("foreign.json", NULL);
    note_is("bulk", NULL);
    note_is("missing.json", NULL);
    note_is(".", NULL);
    free(stamped);
    json_decref(document);
    kn_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_every_bit),
                                       cmocka_unit_test(test_notes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
