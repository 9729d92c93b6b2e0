/* Alpha-beta on Othello ends in the endgame solver, where the budget suffices for it. */
#include <math.h>

#include "base/clock.h"
#include "base/math.h"
#include "search/alphabeta_core.h"

/* Where only a depth bounds the search, this many empty squares are solved at any depth. */
enum { ALWAYS = 10 };

/* What a solution usually takes, from random positions: 264 nodes with 6 empty squares, 1,500 with 8, 9,500
 * with 10, 66,000 with 12, 220,000 with 14, 1 million with 16. Nodes a second are the least that a processor
 * of today has. */
static double usual_nodes(int empties) { return 1.4 * kn_math_pow(2.4, empties); }
static const double NODES_A_SECOND = 1e7;

static bool suffices(const KnBudget *budget, int empties)
{
    double half = usual_nodes(empties) * 2;
    if (budget->nodes && half > (double)budget->nodes) return false;
    if (budget->seconds > 0 && half > budget->seconds * NODES_A_SECOND) return false;
    return budget->nodes || budget->seconds > 0 || budget->depth <= 0 || empties <= ALWAYS ||
           empties <= budget->depth;
}

bool kn_search_solve_root(KnSearch *s, const KnSearchRequest *request, int count, KnSearchResult *result)
{
    const void *position = kn_line_at(&s->line, 0);
    const KnBudget *budget = &request->budget;
    int empties = kn_othello_empties(s->game, position);
    if (empties > s->options.solve || !suffices(budget, empties)) return false;
    double now = budget->processor ? kn_clock_cpu() : kn_clock_now();
    KnOthelloSolving solving = {.moves = s->root_moves,
                                .count = count,
                                .margins = request->all_values ? s->margins : NULL,
                                .node_limit = budget->nodes - budget->nodes / 4,
                                .deadline = budget->seconds > 0 ? now + budget->seconds * 0.75 : 0,
                                .processor = budget->processor,
                                .cancel = request->cancel};
    KnStatus status = kn_othello_solve(s->solver, position, &solving);
    kn_meter_charge(&s->meter, solving.nodes);
    if (status != KN_OK) return false;
    KnFindings *found = &s->found[0];
    KnScore best = kn_othello_score(s->game, solving.margin, empties);
    for (int i = 0; i < count; i++) {
        bool exact = solving.margins || s->root_moves[i] == solving.best;
        KnScore score = solving.margins ? kn_othello_score(s->game, s->margins[i], empties) : best;
        found->rows[i] = (KnRootMove){s->root_moves[i], score, exact ? KN_BOUND_EXACT : KN_BOUND_UPPER, 0};
    }
    found->line[0] = solving.best;
    *result = (KnSearchResult){.move = solving.best,
                               .score = best,
                               .depth = empties,
                               .nodes = s->meter.nodes,
                               .seconds = kn_meter_seconds(&s->meter),
                               .completed = true,
                               .root = found->rows,
                               .root_count = count,
                               .pv = found->line,
                               .pv_length = 1,
                               .solved = 1,
                               .has_margin = true,
                               .margin = solving.margin,
                               .margins = solving.margins};
    return true;
}
