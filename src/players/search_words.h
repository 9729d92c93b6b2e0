/* A searched move in words: what its line does on the board, the reply to expect, and what the position is
 * worth then. */
#ifndef KNACK_PLAYERS_SEARCH_WORDS_H
#define KNACK_PLAYERS_SEARCH_WORDS_H

#include "players/player.h"
#include "search/search.h"

/* "all others play against it"; NULL where a proof assumes nothing. */
const char *kn_assumption_words(KnAssumption assumes);

/* The sentence for the head of an explanation. */
const char *kn_search_sentence(const KnRequest *request, const KnGame *game, const void *position,
                               const KnSearchResult *found, const KnEvaluation *evaluation);

/* Its evidence: what the move is worth (KN_WORTH) and what changes along the line. */
void kn_explain_changes(const KnRequest *request, const KnGame *game, const void *position,
                        const KnSearchResult *found, const KnEvaluation *evaluation, KnExplanation *root);

/* The label of the number that says what a move is worth, in a unit that people know. */
#define KN_WORTH "worth"

/* What a score is worth, by random games or else by the evaluation: *unit is "men" (where the game has men to
 * lose), "points" or "% of the points". False for a proven result. */
bool kn_score_worth(const KnGame *game, KnScore score, bool playouts, const KnEvaluation *evaluation,
                    double *worth, const char **unit);

/* The share of the points that a score expects, from 0 to 1: of payoffs (random games), or with log_odds != 0
 * of a network (evaluation.h). False for scores that count men, and for results that are known. */
bool kn_score_chance(KnScore score, bool payoffs, double log_odds, double *chance);

/* What a move does at once, as a sentence without its end: "9-13 opens the back rank"; only the move where
 * there is nothing to say. */
const char *kn_move_sentence(const KnRequest *request, KnMove move);

#endif
