/* The AVX2 kernel; without AVX2 the portable kernel is used. */
#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2,popcnt")))
#else
#define TARGET
#endif
#define NAME kn_batch_play_avx2
#include "games/gdl/bitparallel_kernel.inc"
