/* What a move was worth, judged by a player that would rather have chosen itself: "Good", or what it costs
 * and why. */
#ifndef KNACK_PLAYERS_JUDGEMENT_H
#define KNACK_PLAYERS_JUDGEMENT_H

#include "players/player.h"

typedef enum KnMoveQuality {
    KN_QUALITY_NONE,
    KN_QUALITY_BEST,
    KN_QUALITY_GOOD,
    KN_QUALITY_INACCURATE,
    KN_QUALITY_MISTAKE,
    KN_QUALITY_BLUNDER
} KnMoveQuality;

typedef struct KnJudgement {
    KnMoveQuality quality; /* KN_QUALITY_NONE: the player gives no scores, and explains only its own choice */
    bool has_cost;
    double cost;      /* what the best move would have brought more */
    const char *unit; /* "men", "points of its evaluation" or "% of the points" */
    bool has_score;
    KnScore score;       /* of the move that was made, for the role that made it */
    KnExplanation *own;  /* the player's explanation of its own choice */
    const char *because; /* what it says of a move that was not its choice; else NULL */
} KnJudgement;

/* Asks the player for its choice, and once more with `made` as the only move allowed. The request must want
 * an explanation. `answer` is the player's choice, but its explanation is about the move made. */
KnStatus kn_judge_move(KnPlayer *player, const KnRequest *request, KnMove made, KnAnswer *answer,
                       KnJudgement *judgement, KnError *error);

/* "best", "good", "inaccurate", "mistake", "blunder". */
const char *kn_move_quality_name(KnMoveQuality verdict);

#endif
