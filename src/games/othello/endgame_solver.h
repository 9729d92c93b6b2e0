/* The internals of the endgame solver, for its files: endgame.c has the root, endgame_search.inc the search,
 * compiled twice (endgame_plain.c, endgame_avx2.c), endgame_table.c the table of positions. */
#ifndef KNACK_GAMES_OTHELLO_ENDGAME_SOLVER_H
#define KNACK_GAMES_OTHELLO_ENDGAME_SOLVER_H

#include "games/othello/board.h"
#include "games/othello/endgame.h"

/* Beyond every margin. */
enum { KN_SOLVER_NONE = -128 };

/* What is known of a position: bounds of its margin for the side to move, and the two best moves met. The
 * discs themselves are the key, so no two positions are ever confused. */
typedef struct KnSolverEntry {
    uint64_t own, their;
    int8_t lower, upper;
    uint8_t moves[2]; /* KN_OTHELLO_PASS: none */
    uint8_t empties;
    uint8_t epoch; /* of the solution that stored it; an entry of another epoch counts as empty */
} KnSolverEntry;

enum { KN_SOLVER_WAYS = 4 };

typedef struct KnSolverTable {
    KnSolverEntry *entries;
    uint64_t clusters;
    size_t mapped;
    uint8_t epoch;
} KnSolverTable;

bool kn_solver_table_open(KnSolverTable *table, size_t bytes);
void kn_solver_table_close(KnSolverTable *table);
void kn_solver_table_clear(KnSolverTable *table);
void kn_solver_store(KnSolverTable *table, uint64_t own, uint64_t their, int empties, int alpha, int beta,
                     int found, int move);

static inline KnSolverEntry *kn_solver_cluster(const KnSolverTable *table, uint64_t own, uint64_t their)
{
    uint64_t mixed = (own ^ UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xe7037ed1a0b428db);
    mixed ^= mixed >> 32;
    mixed = (mixed + their) * UINT64_C(0x8ebc6af09c88c6e3);
    return table->entries + (uint64_t)((unsigned __int128)mixed * table->clusters >> 64) * KN_SOLVER_WAYS;
}

static inline void kn_solver_prefetch(const KnSolverTable *table, uint64_t own, uint64_t their)
{
    const KnSolverEntry *entry = kn_solver_cluster(table, own, their);
    __builtin_prefetch(entry);
    __builtin_prefetch((const char *)entry + 64);
}

static inline const KnSolverEntry *kn_solver_probe(const KnSolverTable *table, uint64_t own, uint64_t their)
{
    const KnSolverEntry *entry = kn_solver_cluster(table, own, their);
    for (int way = 0; way < KN_SOLVER_WAYS; way++, entry++)
        if (entry->own == own && entry->their == their && entry->epoch == table->epoch) return entry;
    return NULL;
}

struct KnOthelloSolver {
    const KnGame *game;
    const KnOthello *o;
    KnScore (*evaluation)(const KnGame *game, const void *position); /* orders moves far from the end */
    int squares;                                                     /* of the board */
    uint64_t around[64];
    /* For the last empty square, where only the number of turned discs counts: of a place on a line of eight,
     * by the own discs there, when all others are the opponent's; and the squares' diagonals. */
    uint8_t turned[8][256];
    uint64_t diagonals[64][2];
    KnSolverTable table;
    uint64_t nodes, limit, look; /* positions played; where to stop; where to look at the flag */
    const atomic_bool *cancel;
    double deadline;
    bool processor; /* the deadline is of processor time */
    bool stopped, cancelled, late;
};

/* The margin of a finished game. */
static inline int kn_solver_margin(const KnOthelloSolver *s, uint64_t own, uint64_t their)
{
    int mine = __builtin_popcountll(own), others = __builtin_popcountll(their);
    int empties = s->o->empties_to_winner ? s->squares - mine - others : 0;
    return mine - others + (mine > others ? empties : mine < others ? -empties : 0);
}

/* Looks at the limit and the flag. */
void kn_solver_look(KnOthelloSolver *s);

/* The margin of a position for the side to move within (alpha, beta): exact inside, else a bound beyond it.
 * 0 once stopped. */
int kn_solver_value_plain(KnOthelloSolver *s, uint64_t own, uint64_t their, int alpha, int beta);
int kn_solver_value_avx2(KnOthelloSolver *s, uint64_t own, uint64_t their, int alpha, int beta);
/* What a search of `depth` moves says of the position, for the side to move, in hundredths of a disc. */
int kn_solver_estimate_plain(KnOthelloSolver *s, uint64_t own, uint64_t their, int depth);
int kn_solver_estimate_avx2(KnOthelloSolver *s, uint64_t own, uint64_t their, int depth);

#endif
