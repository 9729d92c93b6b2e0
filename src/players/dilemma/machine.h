/* Strategies as tables: machines whose state says with what probability to cooperate, and which goes on by
 * what both did.
 *
 * Finite-state and memory-n strategies all compile to this one form, which the fast loop of duel.c runs. The
 * text that they are written in has fields separated by blanks, commas, semicolons or lines; # begins a
 * comment that ends with its line.
 *
 * A finite-state machine:      D; 1C-1D 1D-2D 2C-1D 2D-3C 3C-3C 3D-1D
 *   The first field is the first move; each further one reads STATE SEEN - STATE MOVE. It starts in state 1.
 * SEEN is the opponent's last move, or one's own and the opponent's (1CD); a point stands for either. MOVE is
 * C, D, or a probability of C after a colon: 1C-2:0.3. A state may give each pair of moves one answer; those
 * that are reached must give all.
 *
 * Memory n:                    CC; ../DD-D ../..-C
 *   The first field is the opening, n moves played whatever happens; each further one reads OWN/OTHER-MOVE:
 * the last n moves of both, oldest first, a point for either. The first that fits holds; some must fit
 * always.
 *
 * Ownership: kn_machine_free. Read-only once made: threads may share it. */
#ifndef KNACK_PLAYERS_DILEMMA_MACHINE_H
#define KNACK_PLAYERS_DILEMMA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { KN_C = 0, KN_D = 1 };

/* Outcomes of a round as one side sees it: own move times two and the other's: CC, CD, DC, DD. */
static inline int kn_outcome(int own, int other) { return own * 2 + other; }

enum { KN_MACHINE_STATES = 4096, KN_MACHINE_MEMORY = 5 };

typedef struct KnMachineState {
    double chance;    /* of C */
    uint16_t next[4]; /* by outcome */
} KnMachineState;

typedef struct KnMachine {
    int count;          /* it starts in state 0 */
    bool deterministic; /* every chance is 0 or 1 */
    KnMachineState *states;
    /* The same for the fast loop, where it is deterministic: a code is a state times two plus its move, and
     * stands at [code & ~1 | other's move]. */
    uint16_t *codes;
    uint16_t first;
} KnMachine;

/* From text in the forms above. Messages begin "NAME:LINE: field K". */
KnStatus kn_machine_read_fsm(const char *name, const char *text, size_t size, KnMachine **machine,
                             KnError *error);
KnStatus kn_machine_read_memory(const char *name, const char *text, size_t size, KnMachine **machine,
                                KnError *error);

/* Repeats a word of C and D. */
KnStatus kn_machine_cycle(const char *word, KnMachine **machine, KnError *error);

/* Memory one: chances of C after CC, CD, DC, DD (own move first), and at the start. */
KnStatus kn_machine_memory_one(const double chances[4], double first, KnMachine **machine, KnError *error);

void kn_machine_free(KnMachine *machine);

/* The machine as kn_machine_read_fsm reads it. */
void kn_machine_text(const KnMachine *machine, KnText *out);

#endif
