/* A review as a page of its own: the curve of winning chances, the moves with remarks, and the boards where
 * the game turned. */
#ifndef KNACK_CLI_REVIEW_HTML_H
#define KNACK_CLI_REVIEW_HTML_H

#include "arena/review.h"

void cli_review_html(const KnReview *review, const KnState *state, const char *const players[2], KnText *out);

#endif
