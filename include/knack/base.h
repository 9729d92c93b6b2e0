/* What everything needs and nothing about games: errors, specs, the context, arenas, random numbers,
 * statistics, reasons. */
#ifndef KNACK_PUBLIC_BASE_H
#define KNACK_PUBLIC_BASE_H

#include "base/arena.h"
#include "base/context.h"
#include "base/error.h"
#include "base/reason.h"
#include "base/rng.h"
#include "base/spec.h"
#include "base/stats.h"
#include "base/text.h"

#endif
