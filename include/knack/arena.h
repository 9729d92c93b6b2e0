/* Contests between players, matches, tournaments and the results store. */
#ifndef KNACK_PUBLIC_ARENA_H
#define KNACK_PUBLIC_ARENA_H

#include "arena/evolution.h"
#include "arena/match.h"
#include "arena/play.h"
#include "arena/repeated.h"
#include "arena/store.h"
#include "arena/tournament.h"

#endif
