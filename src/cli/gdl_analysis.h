/* What the analysis of a game description found, for `knack gdl show`. Roles are their names, as JSON. */
#ifndef KNACK_CLI_GDL_ANALYSIS_H
#define KNACK_CLI_GDL_ANALYSIS_H

#include <jansson.h>

#include "games/gdl/analysis.h"

void cli_gdl_print_analysis(KnGdlMachine *machine, const KnGdlAnalysis *analysis, const json_t *roles);
json_t *cli_gdl_analysis_json(KnGdlMachine *machine, const KnGdlAnalysis *analysis, const json_t *roles);

#endif
