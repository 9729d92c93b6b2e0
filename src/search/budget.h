/* What a search may spend. Zero means no limit of that kind; a search with no limit at all looks until it is
 * told to stop. Depth and node budgets are exact and reproducible; a time budget is not, and its results are
 * marked so. */
#ifndef KNACK_SEARCH_BUDGET_H
#define KNACK_SEARCH_BUDGET_H

#include <stdint.h>

typedef struct KnBudget {
    int depth;      /* turns */
    uint64_t nodes; /* positions played */
    double seconds;
} KnBudget;

#endif
