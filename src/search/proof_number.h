/* Proofs by numbers and zones: the inside of strategy 10. Only for the proof search. */
#ifndef KNACK_SEARCH_PROOF_NUMBER_H
#define KNACK_SEARCH_PROOF_NUMBER_H

#include "search/proof.h"

typedef struct KnNumberSearch KnNumberSearch;

/* 2^bits positions are remembered. NULL without memory. */
KnNumberSearch *kn_number_search_new(unsigned table_bits);
void kn_number_search_free(KnNumberSearch *search);

/* Before another problem that may take about so many positions (0: any number). */
void kn_number_forget(KnNumberSearch *search, uint64_t about);

/* Proves that the goal is reached or that it is not, for a goal that can say what a proof depends on. `most`:
 * positions played, 0 for no bound; `until`: by the clock, 0 for none. *nodes: how many were played. */
KnProofVerdict kn_number_prove(KnNumberSearch *search, KnGoal *goal, uint64_t most, double until,
                               uint64_t *nodes);

/* Of a position of the last proof: the move that wins for the side to move, or where none does the one that
 * held out longest. -1: it is not known. */
int kn_number_move(const KnNumberSearch *search, const KnGoal *goal);

#endif
