/* The whole interface of libknack. Each header says at its top how to use it; start with base.h.
 *
 *     cc program.c $(pkg-config --cflags --libs knack) -o program */
#ifndef KNACK_PUBLIC_KNACK_H
#define KNACK_PUBLIC_KNACK_H

#include <knack/base.h>       /* errors, contexts, options, memory, text, random numbers */
#include <knack/capi.h>       /* the C API for bindings */
#include <knack/evaluation.h> /* heuristic scores of positions */
#include <knack/explain.h>    /* the tree in which players explain their moves */
#include <knack/game.h>       /* games, positions, moves, games in progress */
#include <knack/learn.h>      /* training */
#include <knack/match.h>      /* matches, tournaments, stored results */
#include <knack/player.h>     /* players */
#include <knack/plugin.h>     /* games, players and evaluations in shared objects */
#include <knack/stats.h>      /* intervals, tests, Elo, ratings */

#endif
