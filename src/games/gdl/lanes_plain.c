/* For any processor. */
#pragma GCC diagnostic ignored "-Wpsabi" /* words of 256 bits never leave this file */
#define TARGET
#define NAME kn_lanes_play_plain
#include "games/gdl/lanes_kernel.inc"
