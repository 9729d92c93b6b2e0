/* For processors with words of 256 bits; where there are none, the plain kernel stands in. */
#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2,popcnt")))
#else
#define TARGET
#endif
#define NAME kn_lanes_play_avx2
#include "games/gdl/lanes_kernel.inc"
