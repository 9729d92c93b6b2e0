/* The portable kernel. */
#define TARGET
#define NAME kn_batch_play_plain
#include "games/gdl/bitparallel_kernel.inc"
