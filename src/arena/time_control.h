/* Clocks of a game: parsing a time control, keeping the time, and this move's share of it. */
#ifndef KNACK_ARENA_TIME_CONTROL_H
#define KNACK_ARENA_TIME_CONTROL_H

#include <knack/match.h>

#include "base/text.h"

static inline bool kn_time_control_is_set(const KnTimeControl *control)
{
    return control->seconds > 0 || control->increment > 0;
}

/* "40/60+0.6", as kn_time_control_parse reads it. */
void kn_time_control_text(const KnTimeControl *control, KnText *out);

/* A control without time but with an increment starts with one increment. */
void kn_clocks_start(const KnTimeControl *control, int roles, KnClocks *clocks);

/* Seconds that a player may well spend on its next move. */
double kn_clocks_share(const KnClocks *clocks, int role);

/* Takes the time of a move off, and adds what the control adds. False: the clock has run out. */
bool kn_clocks_spend(const KnTimeControl *control, KnClocks *clocks, int role, double seconds);

#endif
