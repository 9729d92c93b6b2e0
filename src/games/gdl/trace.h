/* Compares a machine with a reference: states, goals, legal moves and counts of a description, recorded by
 * another reasoner.
 *
 * A reference is a JSON file: roles; the initial state (facts, their CRC-32, goals, terminal or not, legal
 * moves); recorded games, step by step; and perft, the number of sequences of joint moves by length, with the
 * number of distinct states they reach. docs/gdl.md describes the format. */
#ifndef KNACK_GAMES_GDL_TRACE_H
#define KNACK_GAMES_GDL_TRACE_H

#include "games/gdl/machine.h"

typedef struct KnGdlTrace {
    uint64_t games, states; /* compared */
    int depths;             /* perft depths compared */
    int depths_given;
    bool stopped; /* out of time before the last depth */
} KnGdlTrace;

/* KN_OK: no difference. KN_NO: `error` describes the first difference. KN_INPUT: not a reference. `seconds`
 * limits perft. */
KnStatus kn_gdl_trace(KnGdlMachine *machine, const char *path, double seconds, KnGdlTrace *trace,
                      KnError *error);

#endif
