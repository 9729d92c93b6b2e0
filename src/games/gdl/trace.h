/* Replaying a reference: recorded states, goals, legal moves and counts of a sheet, made by another reasoner.
 *
 * A reference is a JSON file: roles; the initial state (facts, CRC-32 of them, goals, whether it is terminal,
 * legal moves); some recorded games, step by step; and the number of different sequences of joint moves by
 * length (perft), with the number of different states that they lead to. docs/gdl.md describes it. */
#ifndef KNACK_GAMES_GDL_TRACE_H
#define KNACK_GAMES_GDL_TRACE_H

#include "games/gdl/machine.h"

typedef struct KnGdlTrace {
    uint64_t games, states; /* compared */
    int depths;             /* of perft, compared */
    int depths_given;
    bool stopped; /* the time was up before all of them were */
} KnGdlTrace;

/* KN_OK: no difference. KN_NO: the error tells the first one. KN_INPUT: not a reference. Perft may take so
 * many seconds. */
KnStatus kn_gdl_trace(KnGdlMachine *machine, const char *path, double seconds, KnGdlTrace *trace,
                      KnError *error);

#endif
