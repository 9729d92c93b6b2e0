/* A round robin: every pair of players plays a match; a cross table and ratings come of it.
 *
 * Each pairing is a match of its own (arena/match.h), stored under its own identity, so that a tournament
 * resumes where it was, and one with more players reuses the pairings that it shares with an earlier one. The
 * seed of a pairing depends on the two specs alone.
 *
 * Ownership: kn_tournament_free. */
#ifndef KNACK_ARENA_TOURNAMENT_H
#define KNACK_ARENA_TOURNAMENT_H

#include "arena/match.h"
#include "arena/ratings.h"

typedef struct KnTournamentPlan {
    KnMatchPlan match; /* players, sprt and name are not used; games is per pairing */
    const char *const *players;
    size_t player_count;
} KnTournamentPlan;

typedef struct KnTournament {
    size_t count;
    double *points; /* count x count: row's points against column */
    double *games;
    uint64_t (*wdl)[3]; /* count x count: row's wins, draws, losses against column */
    KnRating *ratings;
    size_t *order; /* players by rating, best first */
    bool nondeterministic;
    uint64_t forfeits;
    char digest[KN_HEX128]; /* over the digests of all pairings */
    double seconds;
} KnTournament;

KnStatus kn_tournament_run(const KnContext *context, const KnTournamentPlan *plan, KnStore *store,
                           KnProgress *progress, KnTournament *result, KnError *error);
/* The seed of one pairing. */
uint64_t kn_tournament_seed(uint64_t seed, const char *first, const char *second);
void kn_tournament_free(KnTournament *result);

json_t *kn_tournament_json(const KnTournamentPlan *plan, const KnTournament *result);

#endif
