#include "lab/registry.h"

static const KnExperiment *const built_in[] = {
    &kn_temporal_table6,
    &kn_temporal_table6_readings,
};

KnStatus kn_experiments_register(KnContext *context, KnError *error)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        KnStatus status = kn_register(context, KN_KIND_EXPERIMENT, &built_in[i]->head, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}
