#include "cli/picture.h"

#include "base/file.h"
#include "games/board_rows.h"

KnStatus cli_write_explanation(const KnExplanation *explanation, const KnGame *game, const char *file,
                               KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_svg(explanation, kn_board_rows_of, game, &text);
    KnStatus status = kn_text_ok(&text) ? kn_file_write_atomic(file, text.data, text.length, error)
                                        : kn_fail_memory(error, "drawing an explanation");
    kn_text_free(&text);
    return status;
}
