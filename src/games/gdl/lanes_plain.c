/* For any processor. */
#define TARGET
#define NAME kn_lanes_play_plain
#include "games/gdl/lanes_kernel.inc"
