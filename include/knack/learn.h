/* Learning algorithms that know no game: satisficing agents, where they end up, and trials of them by the
 * million; and the experience base. */
#ifndef KNACK_PUBLIC_LEARN_H
#define KNACK_PUBLIC_LEARN_H

#include "learn/aspiration.h"
#include "learn/aspiration_map.h"
#include "learn/aspiration_outcome.h"
#include "learn/aspiration_sequence.h"
#include "learn/aspiration_trials.h"
#include "learn/experience/base.h"

#endif
