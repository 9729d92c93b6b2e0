/* JSON: whatever loads has a canonical form that loads again and is its own canonical form. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnError error = {KN_OK, ""};
    json_t *value = NULL, *again = NULL;
    KnStatus status = kn_json_load_bytes(bytes, size, "input", &value, &error);
    if (status != KN_OK) {
        fuzz_must(status == KN_INPUT && strstr(error.text, "input"));
        return 0;
    }
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    kn_json_canonical(value, &first);
    fuzz_must(kn_json_load_bytes(first.data, first.length, "again", &again, &error) == KN_OK);
    kn_json_canonical(again, &second);
    fuzz_must(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    fuzz_must(json_equal(value, again));
    json_decref(value);
    json_decref(again);
    kn_text_free(&first);
    kn_text_free(&second);
    return 0;
}
