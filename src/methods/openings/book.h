/* An opening book, which a bandit fills or an experience base: for every position met among a player's first
 * moves, how often each legal move was played there, and what share of the points it brought. A position is
 * known by the line of moves that leads to it from the start.
 *
 * The file is JSON that people can read: {"format": "knack openings 1", "game": SPEC, "games": N,
 * "points": P, "positions": [{"line": "d3 c5", "moves": {"e6": [plays, points], ...}}, ...]}. A
 * book of another game is refused.
 *
 * Ownership: kn_opening_book_new and _load / kn_opening_book_free. Pages are borrowed and move when pages are
 * added. Read-only books may be shared by threads. */
#ifndef KNACK_METHODS_OPENINGS_BOOK_H
#define KNACK_METHODS_OPENINGS_BOOK_H

#include "games/game.h"
#include "learn/bandit.h"

struct KnBase; /* methods/experience/base.h */

/* A position of the book. */
typedef struct KnOpeningPage {
    char *line; /* moves from the start, separated by blanks; "" at the start */
    int count;
    char **moves; /* in the game's notation and order */
    KnBanditArm *arms;
} KnOpeningPage;

typedef struct KnOpeningBook {
    const KnGame *game;
    size_t count;
    KnOpeningPage *pages;
    uint64_t games;                         /* learned from */
    double points;                          /* won in these games */
    bool edited;                            /* its file, or one before it, did not fit its checksum */
    size_t capacity, *slots, slot_capacity; /* hash table of lines: index + 1, 0 if free */
} KnOpeningBook;

KnOpeningBook *kn_opening_book_new(const KnGame *game); /* NULL if memory runs out */
void kn_opening_book_free(KnOpeningBook *book);

/* The page of a line; NULL if there is none. */
KnOpeningPage *kn_opening_book_find(const KnOpeningBook *book, const char *line);
/* Makes the page of a line, which has none, with these moves at `position`. NULL if memory runs out. */
KnOpeningPage *kn_opening_book_add(KnOpeningBook *book, const char *line, const void *position,
                                   const KnMove *moves, int count);

/* What an experience base knows of the opening: the lines of at most `plies` plies from the start, with the
 * moves that were played in at least `least` games. Fails if there are none, or too many. */
typedef struct KnBookPlan {
    int plies;
    uint64_t least;
} KnBookPlan;

KnStatus kn_opening_book_from_base(struct KnBase *base, const KnGame *game, const KnBookPlan *plan,
                                   KnOpeningBook **book, KnError *error);

KnStatus kn_opening_book_save(const KnOpeningBook *book, const char *path, KnError *error);
KnStatus kn_opening_book_load(const KnGame *game, const char *path, KnOpeningBook **book, KnError *error);

#endif
