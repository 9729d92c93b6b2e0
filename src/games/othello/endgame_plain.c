/* The endgame solver for any processor. */
#include "games/othello/bits_plain.h"
#include "games/othello/endgame_solver.h"

#define NAME(x) kn_solver_##x##_plain

#include "games/othello/endgame_search.inc"
