/* Playing one contest: the loop that asks players for moves until the game is over, the ply limit is reached,
 * or somebody cannot go on.
 *
 * A player that fails, plays illegally or overruns its time loses that contest; what happened is recorded,
 * not hidden.
 *
 * Ownership: KnPlayed's `moves` text belongs to the caller, who frees it with kn_played_free. */
#ifndef KNACK_ARENA_PLAY_H
#define KNACK_ARENA_PLAY_H

#include "games/replay.h"
#include "players/player.h"
#include "search/endgame.h"

typedef struct KnPlayRules {
    size_t ply_limit; /* 0: none; counted from the start position, the opening included */
    double judge;     /* at the limit, a lead of this much material wins; 0: a draw, or payoffs half way */
    KnBudget budget;  /* given to every player with each request */
    const KnEndgame *tables; /* a position that they know ends the contest with its value; NULL: none */
    double move_limit; /* seconds of wall time a move may take before it forfeits the contest; 0: none */
    const atomic_bool *cancel;
} KnPlayRules;

typedef enum KnEnding {
    KN_ENDED_BY_RULES,
    KN_ENDED_BY_HISTORY, /* repetition and its kin */
    KN_ENDED_AT_LIMIT,   /* ply limit, nobody ahead */
    KN_ENDED_BY_JUDGE,   /* ply limit, by material */
    KN_ENDED_BY_TABLES,  /* endgame tables know who wins */
    KN_ENDED_BY_FORFEIT  /* a player failed, played illegally or was too slow: `culprit`, `fault` */
} KnEnding;

const char *kn_ending_name(KnEnding ending); /* "rules", "history", ... */

/* What became of a contest. */
typedef struct KnPlayed {
    KnEnding ending;
    double payoffs[KN_ROLES_MAX];
    int culprit; /* role, or -1 */
    char fault[KN_ERROR_TEXT];
    size_t plies;
    KnText moves; /* in the game's notation, separated by spaces; joint moves as a|b with - for who does not
                     move */
    KnCost cost[KN_ROLES_MAX];
    uint64_t decisions[KN_ROLES_MAX];
} KnPlayed;

void kn_played_free(KnPlayed *played);

/* Plays on from the contest's position (its moves so far count as the opening and are in `moves`).
 * players[role] may be NULL for the nature role, which is played here by its chances. rngs[role] is each
 * role's own generator. Returns KN_OK also when a player forfeits, KN_STOPPED when cancelled. */
KnStatus kn_play(KnContest *contest, KnPlayer *const *players, KnRng *rngs, const KnPlayRules *rules,
                 KnPlayed *played, KnError *error);

/* A move for the nature role, drawn by its chances; nature has the move. */
KnMove kn_nature_move(const KnContest *contest, KnRng *rng);

#endif
