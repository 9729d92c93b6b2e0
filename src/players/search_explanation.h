/* How searching players explain what they found: scores as people read them, lines as moves, values as bars.
 */
#ifndef KNACK_PLAYERS_SEARCH_EXPLANATION_H
#define KNACK_PLAYERS_SEARCH_EXPLANATION_H

#include "players/player.h"
#include "games/checkers/endgame.h"
#include "search/search.h"

/* "wins in 7", "loses in 4", "wins by the tables", "even", or "+1.25" in men. */
void kn_score_text(KnScore score, KnText *out);

/* The reason of a searched answer: a sentence, the line, what the evaluation says of this position and of the
 * line's end, what was expanded and solved, the depth and cost, and the value of each root move. `expansion`
 * may be NULL. */
KnExplanation *kn_explain_search(const KnRequest *request, const KnGame *searched, const void *position,
                                 const KnSearchResult *found, const KnEvaluation *evaluation,
                                 const KnEvaluation *expansion);

/* The reason of an answer from a solved endgame of Othello: the margin with best play, of each move too. */
KnExplanation *kn_explain_solved(const KnRequest *request, KnMove best, int margin, const int *margins,
                                 uint64_t nodes);

/* What endgame tables say of the position and each move, or how many pieces they go to; `note` is what is
 * wrong with them, "" if nothing. */
void kn_explain_endgame(const KnRequest *request, KnEndgameProber *prober, int pieces, uint64_t known,
                        const char *note, KnExplanation *root);

#endif
