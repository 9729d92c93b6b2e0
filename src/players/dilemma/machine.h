/* Finite-state and memory-n strategies. Both compile to one form, a machine whose states hold a probability
 * of C and whose transitions depend on both players' moves.
 *
 * Tables are texts. Blanks, commas, semicolons and line ends separate fields; # starts a comment that ends
 * with the line.
 *
 * A finite-state machine:      D; 1C-1D 1D-2D 2C-1D 2D-3C 3C-3C 3D-1D
 *   The first field is the first move. Each further field is STATE SEEN - STATE MOVE. The machine starts in
 * state 1. SEEN is the opponent's last move, or one's own and the opponent's (1CD); a point stands for
 * either. MOVE is C, D, or a probability of C after a colon: 1C-2:0.3. Every state that can be reached must
 * have exactly one answer to each pair of moves.
 *
 * Memory n:                    CC; ../DD-D ../..-C
 *   The first field is the opening of n fixed moves. Each further field is OWN/OTHER-MOVE: the last n moves
 * of both players, oldest first, a point for either. The first field that matches decides; one must always
 * match.
 *
 * Ownership: kn_machine_free. A machine is read-only: threads may share it. */
#ifndef KNACK_PLAYERS_DILEMMA_MACHINE_H
#define KNACK_PLAYERS_DILEMMA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { KN_C = 0, KN_D = 1 };

/* The outcome of a round seen by one player: CC, CD, DC, DD are 0 to 3, own move first. */
static inline int kn_outcome(int own, int opponent) { return own * 2 + opponent; }

enum { KN_MACHINE_STATES = 4096, KN_MACHINE_MEMORY = 5 };

typedef struct KnMachineState {
    double chance;    /* probability of C */
    uint16_t next[4]; /* by outcome */
} KnMachineState;

typedef struct KnMachine {
    int count;          /* it starts in state 0 */
    bool deterministic; /* every chance is 0 or 1 */
    KnMachineState *states;
    /* For the fast loop of deterministic machines: a code is a state times two plus its move; its successor
     * is codes[(code & ~1) | opponent's move]. */
    uint16_t *codes;
    uint16_t first;
} KnMachine;

/* Parse the notations above. Messages begin "NAME:LINE: field K". */
KnStatus kn_machine_read_fsm(const char *name, const char *text, size_t size, KnMachine **machine,
                             KnError *error);
KnStatus kn_machine_read_memory(const char *name, const char *text, size_t size, KnMachine **machine,
                                KnError *error);

/* Repeats a word of C and D. */
KnStatus kn_machine_cycle(const char *word, KnMachine **machine, KnError *error);

/* Memory one: probabilities of C after CC, CD, DC, DD (own move first), and on the first turn. */
KnStatus kn_machine_memory_one(const double chances[4], double first, KnMachine **machine, KnError *error);

void kn_machine_free(KnMachine *machine);

/* Writes the machine in the notation of kn_machine_read_fsm. */
void kn_machine_text(const KnMachine *machine, KnText *out);

#endif
