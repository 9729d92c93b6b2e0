/* Parts of networks, for eval/ntuple*.c only. */
#ifndef KNACK_EVAL_NTUPLE_INSIDE_H
#define KNACK_EVAL_NTUPLE_INSIDE_H

#include "eval/cell_symmetry.h"
#include "eval/ntuple.h"

/* Adds the tuples that the plan asks for. *shared: lines share tables. */
KnStatus kn_network_add_tuples(const KnGame *game, const KnNetworkPlan *plan,
                               const KnCellSymmetries *symmetries, KnNtuple *net, bool *shared,
                               KnError *error);

#endif
