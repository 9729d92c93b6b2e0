/* Terms of a linear evaluation, opened for a game: either a set that the game made for the purpose
 * (KnTermTable in games/game.h) or its ordinary features, each divided by its range so that weights mean the
 * same everywhere, with a constant before them; or, for a rule sheet whose two roles take turns, what
 * analysis made of it (sheet_terms.h).
 *
 * Everything is seen by the role to move, or, where there is `values_for`, by any. Weights are by phase, a
 * row of `count` each.
 *
 * Ownership: kn_termset_open / kn_termset_close; the game must outlive it. Read-only in between. */
#ifndef KNACK_SEARCH_TERMSET_H
#define KNACK_SEARCH_TERMSET_H

#include "games/game.h"

enum { KN_TERMS_MAX = 1024 };

typedef struct KnTermSet KnTermSet;

struct KnTermSet {
    const KnGame *game;
    const char *name; /* "chinook"; "features" for the game's own */
    int count, phases;
    int fixed; /* the first so many have weights that are not learned */
    const KnFeature *features;
    const double *fixed_weights;
    int (*values)(const KnTermSet *self, const void *position, double *values); /* returns the phase */
    int (*values_for)(const KnTermSet *self, const void *position, int role,
                      double *values); /* rule sheets; else NULL */
    /* The rest is its own. */
    const KnTermTable *own;
    KnFeature *made;
    double *scales;
    struct KnSheetTerms *sheet;
};

/* `name` NULL: the first set that the game has, else its features. Fails if it has neither, or none of that
 * name. */
KnStatus kn_termset_open(const KnGame *game, const char *name, KnTermSet **terms, KnError *error);
void kn_termset_close(KnTermSet *terms);

/* The place of a term by its name, -1 if there is none. */
int kn_termset_find(const KnTermSet *terms, const char *name);

#endif
