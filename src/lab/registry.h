/* The built-in experiments: a row each, here and in registry.c. */
#ifndef KNACK_LAB_REGISTRY_H
#define KNACK_LAB_REGISTRY_H

#include "lab/lab.h"

extern const KnExperiment kn_temporal_table7, kn_temporal_table8, kn_temporal_table9, kn_temporal_table11,
    kn_temporal_table12, kn_temporal_table13;
extern const KnExperiment kn_temporal_table14, kn_temporal_orderings, kn_temporal_threshold,
    kn_temporal_method_interpretations, kn_temporal_larger;
extern const KnExperiment kn_temporal_table6;
extern const KnExperiment kn_temporal_patterns;
extern const KnExperiment kn_temporal_table6_interpretations;
extern const KnExperiment kn_gina_fig1, kn_gina_fig2, kn_gina_rules, kn_gina_speed, kn_gina_games,
    kn_gina_adaptive, kn_gina_memory, kn_gina_rhino, kn_gina_shaky;
extern const KnExperiment kn_temporal_rote, kn_temporal_table16, kn_temporal_table17,
    kn_temporal_seqadvisor_place, kn_temporal_learning_cost, kn_temporal_nearest, kn_temporal_why,
    kn_temporal_claims, kn_temporal_calibration;
extern const KnExperiment kn_satisficing_fig2;
extern const KnExperiment kn_satisficing_fig4a, kn_satisficing_fig4b, kn_satisficing_fig4c;
extern const KnExperiment kn_satisficing_fig5, kn_satisficing_table2;
extern const KnExperiment kn_satisficing_fig6, kn_satisficing_fig7, kn_satisficing_fig8;
extern const KnExperiment kn_satisficing_claim, kn_satisficing_cycles, kn_satisficing_extensions,
    kn_satisficing_tournament;
extern const KnExperiment kn_allocation_table1, kn_allocation_table2, kn_allocation_improvement,
    kn_allocation_games;
extern const KnExperiment kn_allocation_fives_range, kn_allocation_clock, kn_allocation_combined,
    kn_allocation_limit, kn_allocation_cost, kn_allocation_search_signals;
extern const KnExperiment kn_ggp_search, kn_ggp_search_clocks, kn_ggp_search_claims;
extern const KnExperiment kn_widening_tables, kn_widening_table6, kn_widening_ip3, kn_widening_phutball,
    kn_widening_fives, kn_widening_times;
extern const KnExperiment kn_tdleaf_baseline, kn_tdleaf_fig1, kn_tdleaf_fig2, kn_tdleaf_selfplay,
    kn_tdleaf_curve;
extern const KnExperiment kn_tdleaf_table1, kn_tdleaf_testset, kn_tdleaf_endings;
extern const KnExperiment kn_together_table, kn_together_cost_curve, kn_together_training_curve,
    kn_together_trust, kn_together_ntuple, kn_together_openings, kn_together_perfect, kn_together_first,
    kn_together_time;

#endif
