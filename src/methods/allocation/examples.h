/* Examples for a policy to learn from: positions of games that a player plays against itself, with the
 * utility of a deep search there (methods/allocation/equations.h). The shallow player chooses the moves;
 * positions with a single move are no examples.
 *
 * Game i draws all its chance from (seed, i) and games are taken in order, so that the same seed gives the
 * same examples for any number of threads. A file of them is text: a line that starts with # and holds
 * JSON (how they were made), then an example a line.
 *
 * Ownership: kn_examples_make and kn_examples_load fill a set that kn_examples_free empties; the game must
 * outlive it. */
#ifndef KNACK_METHODS_ALLOCATION_EXAMPLES_H
#define KNACK_METHODS_ALLOCATION_EXAMPLES_H

#include "base/progress.h"
#include "methods/allocation/equations.h"
#include "methods/allocation/budget_classes.h"
#include "methods/allocation/trust.h"
#include "players/player.h"

/* How they are made. */
typedef struct KnExamplesPlan {
    const char *inner;    /* spec of the player that searches, as for `allocate` */
    const char *contents; /* a digest of the files that it names (arena/identity.h); NULL: none, or unknown */
    int k, n;
    int moves;        /* of each side, after which a game is broken off and judged */
    double judge;     /* material lead that then wins; 0: none */
    int random_plies; /* at the beginning of each game */
    double explore; /* probability that the deep search's move is played instead: an experiment that measures
                       its value (value_of_computation.h) */
    KnBudgetClasses classes; /* units > 0: examples are tagged by classes of budgets (budget_classes.h)
                                instead of by depths k and k + n: the utility is the class's units, and
                                positive is what needs more than t/m */
    KnTrust trust;  /* with a base: examples are the positions that it knows, tagged by what a search finds
                       there (trust.h); `explore` is then the share of its moves that the search makes and not
                       the base, and a game ends where it has left the book */
    uint64_t count; /* examples wanted */
    uint64_t first; /* to continue a set: game at which it ended */
    size_t skip;    /* and the examples of that game that it has already */
    uint64_t seed;
    int jobs;
    const atomic_bool *cancel;
} KnExamplesPlan;

enum { KN_EXAMPLE_CHOICES = 12 }; /* more are left out */

/* What is known of one, besides its position. */
typedef struct KnExampleTag {
    KnExampleClass value;  /* its `single` ones are by the move that was played */
    uint32_t game;         /* of the set, from 0 */
    uint16_t index;        /* own moves made before it in its game */
    uint16_t left;         /* own decisions that followed it in its game, forced ones aside */
    float points;          /* what its game brought to the mover: 0 to 1 */
    KnScore shallow, deep; /* the best values of both searches */
    uint8_t choice_count;
    KnScore choices[KN_EXAMPLE_CHOICES]; /* by the deep search, of the moves among which the shallow one would
                                            choose */
    float entry[KN_ENTRIES];             /* of the plan's base; without one nothing */
} KnExampleTag;

typedef struct KnExamples {
    const KnGame *game;
    size_t count, capacity;
    unsigned char *positions; /* `stride` bytes each */
    size_t stride;
    KnExampleTag *tags;
    float *signals; /* of the first `signalled` examples (search_signals.h); NULL: of none */
    size_t signalled;
    double explore;     /* of the plan */
    uint64_t games;     /* played */
    uint64_t decisions; /* moves made in them, with the forced ones */
    uint64_t forced;
} KnExamples;

KnStatus kn_examples_make(const KnContext *context, const KnGame *game, const KnExamplesPlan *plan,
                          KnProgress *progress, KnExamples *out, KnError *error);
void kn_examples_free(KnExamples *examples);

/* An empty set with room. */
KnStatus kn_examples_reserve(KnExamples *examples, const KnGame *game, size_t count, KnError *error);

/* To a file and back. Loading fails if the file was made by another plan, and names the line where it is
 * damaged. */
KnStatus kn_examples_save(const KnExamples *examples, const KnExamplesPlan *plan, const char *path,
                          KnError *error);
KnStatus kn_examples_load(const KnGame *game, const KnExamplesPlan *plan, const char *path,
                          KnExamples *examples, KnError *error);

static inline const void *kn_example_position(const KnExamples *examples, size_t i)
{
    return examples->positions + i * examples->stride;
}

#endif
