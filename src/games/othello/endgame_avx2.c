/* The endgame solver for processors with AVX2 and BMI. */
#include "games/othello/endgame_solver.h"

#if defined(__x86_64__)
#include "games/othello/bits_avx2.h"

#define NAME(x) kn_solver_##x##_avx2

#include "games/othello/endgame_search.inc"

#endif
