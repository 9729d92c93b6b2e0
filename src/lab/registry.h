/* The built-in experiments: a row each, here and in registry.c. */
#ifndef KNACK_LAB_REGISTRY_H
#define KNACK_LAB_REGISTRY_H

#include "lab/lab.h"

extern const KnExperiment kn_temporal_table6;
extern const KnExperiment kn_temporal_table6_readings;

#endif
