/* Score sheets: whatever is read names a game and a format; what is not says why. */
#include "fuzz/fuzz.h"

#include "formats/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_add_bytes(&text, bytes, size);
    KnSheetText sheet = KN_SHEET_TEXT;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_text_ok(&text) ? kn_sheet_read(text.data, &sheet, &error) : KN_SYSTEM;
    if (status == KN_OK) fuzz_must(sheet.format && sheet.game.length);
    else fuzz_must(status == KN_SYSTEM || (status == KN_INPUT && error.text[0]));
    kn_sheet_text_free(&sheet);
    kn_text_free(&text);
    return 0;
}
