/* Searches, evaluations and solved games. */
#ifndef KNACK_PUBLIC_SEARCH_H
#define KNACK_PUBLIC_SEARCH_H

#include "search/alphabeta.h"
#include "search/breadth.h"
#include "search/evaluate.h"
#include "search/minimax.h"
#include "search/solved.h"
#include "search/uct.h"

#endif
