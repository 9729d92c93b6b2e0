/* What a base's entry says of a position, as numbers that a policy can learn from
 * (methods/allocation/features.h): how often it was met, how many of its moves were tried, how far what came
 * of them lies apart, and how far the book goes on behind the best of them. Everything is the mover's, in
 * points.
 *
 * `experience(rule=trust)` and the examples that its policy learns from read entries here alike. */
#ifndef KNACK_METHODS_EXPERIENCE_ENTRY_FEATURES_H
#define KNACK_METHODS_EXPERIENCE_ENTRY_FEATURES_H

#include "methods/experience/expected_value.h"

enum {
    KN_ENTRY_GAMES, /* through the position */
    KN_ENTRY_MEAN,  /* of their outcomes */
    KN_ENTRY_KNOWN, /* moves that were tried */
    KN_ENTRY_UNKNOWN,
    KN_ENTRY_BEST, /* what the best known move lets one expect */
    KN_ENTRY_BEST_GAMES,
    KN_ENTRY_BACKED, /* the same move's value by min-max of outcomes */
    KN_ENTRY_LEAD,   /* over the second best; 0 if there is none */
    KN_ENTRY_SPREAD, /* from the worst to the best known move */
    KN_ENTRY_BOOK,   /* plies that the most played moves go on behind it, up to KN_ENTRY_AHEAD */
    KN_ENTRIES
};

enum { KN_ENTRY_AHEAD = 8 };

extern const char *const kn_entry_names[KN_ENTRIES];

typedef struct KnEntry {
    int best;     /* place of the known move that is played without a search */
    double value; /* of it */
    double columns[KN_ENTRIES];
} KnEntry;

/* How moves are weighed where nothing is searched: `few` and `weight` as experience(rule=expect) has them by
 * default. */
KnExpect kn_entry_expect(KnBase *base, const KnGame *game, int role);

/* `rows` and `view` as kn_base_look gives them for the position, at least one of them explored; expect->role
 * has the move. */
KnStatus kn_entry_read(const KnExpect *expect, const void *position, const KnBaseMove *rows,
                       const KnBaseView *view, KnEntry *entry, KnError *error);

#endif
