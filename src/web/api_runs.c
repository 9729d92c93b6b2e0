#include "web/state.h"

const KnRoute kn_routes_runs[] = {{0}};
const KnRoute kn_routes_lab[] = {{0}};
