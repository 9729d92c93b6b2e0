/* The table of positions of the endgame solver. An entry of a position with more empty squares cost more, so
 * it is kept longer. */
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "games/othello/endgame_solver.h"

bool kn_solver_table_open(KnSolverTable *table, size_t bytes)
{
    size_t cluster = KN_SOLVER_WAYS * sizeof(KnSolverEntry);
    table->clusters = bytes / cluster ? bytes / cluster : 1;
    table->mapped = table->clusters * cluster;
    table->entries = kn_pages_new(table->mapped);
    if (!table->entries) return false;
    table->epoch = 1;
    return true;
}

void kn_solver_table_close(KnSolverTable *table)
{
    kn_pages_free(table->entries, table->mapped);
    table->entries = NULL;
}

void kn_solver_table_clear(KnSolverTable *table)
{
    if (++table->epoch) return;
    memset(table->entries, 0, table->mapped);
    table->epoch = 1;
}

/* The entry of the position, or the one to give up for it. */
static KnSolverEntry *slot_of(KnSolverTable *table, uint64_t own, uint64_t their)
{
    KnSolverEntry *entry = kn_solver_cluster(table, own, their), *victim = entry;
    int least = 256;
    for (int way = 0; way < KN_SOLVER_WAYS; way++, entry++) {
        if (entry->epoch == table->epoch && entry->own == own && entry->their == their) return entry;
        int worth = entry->epoch == table->epoch ? entry->empties : -1;
        if (worth < least) {
            least = worth;
            victim = entry;
        }
    }
    return victim;
}

void kn_solver_store(KnSolverTable *table, uint64_t own, uint64_t their, int empties, int alpha, int beta,
                     int found, int move)
{
    KnSolverEntry *entry = slot_of(table, own, their);
    if (entry->epoch != table->epoch || entry->own != own || entry->their != their)
        *entry = (KnSolverEntry){.own = own,
                                 .their = their,
                                 .lower = KN_SOLVER_NONE,
                                 .upper = -KN_SOLVER_NONE - 1,
                                 .moves = {KN_OTHELLO_PASS, KN_OTHELLO_PASS},
                                 .empties = (uint8_t)empties,
                                 .epoch = table->epoch};
    if (found < beta && found < entry->upper) entry->upper = (int8_t)found;
    if (found > alpha && found > entry->lower) entry->lower = (int8_t)found;
    if (entry->moves[0] == move || (found <= alpha && entry->moves[0] != KN_OTHELLO_PASS)) return;
    entry->moves[1] = entry->moves[0];
    entry->moves[0] = (uint8_t)move;
}
