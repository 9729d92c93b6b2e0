/* A game reviewed move by move: a player judges every move (players/judgement.h), and the review adds what
 * only the whole game shows, the winning chances and the turning points. The command `knack analyse` prints
 * it, the terminal after a game, the library and Python give it as JSON.
 *
 * For games of two players in turn whose interests are opposed. Ownership: everything in a review lives in
 * its arena; kn_review_free releases it. */
#ifndef KNACK_ARENA_REVIEW_H
#define KNACK_ARENA_REVIEW_H

#include <jansson.h>

#include "base/progress.h"
#include "players/judgement.h"

typedef struct KnReviewPlan {
    const char *judge; /* spec of a player that gives scores; NULL: one that fits the game */
    KnBudget budget;   /* of a question; a move that is not the judge's choice takes two */
    uint64_t seed;
    const KnCancel *cancel; /* may be NULL */
    int role;               /* only this role's moves; -1: all */
} KnReviewPlan;

typedef struct KnReviewedMove {
    size_t ply;
    int role;
    KnMove move, best;
    const char *text, *best_text;
    KnMoveQuality quality; /* KN_QUALITY_NONE: there was no choice */
    bool has_cost;
    double cost;
    const char *unit;
    double before,
        after;         /* the mover's winning chance in percent: with the best move, and with the one made */
    bool turning;      /* it turned a won game into a level one, or a level one into a lost one */
    const char *words; /* the judge's sentences about the move; "" if it has none */
} KnReviewedMove;

typedef struct KnReview {
    KnArena *arena;
    const char *judge; /* canonical spec */
    KnBudget limits;   /* of its answers, as the plan had them */
    KnReviewedMove *moves;
    size_t count;
    size_t qualities[2][KN_QUALITY_BLUNDER + 1]; /* moves by role and quality */
    double loss[2];                              /* mean loss of winning chance a decision, in percent */
    size_t decisions[2];
} KnReview;

/* The player that judges a game if nobody names one, and that plays it at the terminal: strong for its time.
 */
const char *kn_fitting_player(const KnGame *game);

KnStatus kn_review(const KnContext *context, const KnState *game, const KnReviewPlan *plan,
                   KnProgress *progress, KnReview *review, KnError *error);
void kn_review_free(KnReview *review);

/* "??", "?", "?!", "!" for the judge's own choice where others lose, else "". */
const char *kn_review_mark(const KnReviewedMove *move);

/* One sentence: "a blunder that costs 1.2 men; better is 9-14". "" for a good move. */
const char *kn_review_remark(const KnReview *review, const KnReviewedMove *move);

/* Lines of text: each move that was no good with its remark, then a summary of both sides. */
void kn_review_text(const KnReview *review, const KnGame *game, KnText *out);

/* Adds what limited the judge: ", 4 plies at most". */
void kn_review_limits(const KnReview *review, KnText *out);

json_t *kn_review_json(const KnReview *review, const KnGame *game);

#endif
