/* Stub until the analysis lands. */
#include "web/sitting.h"

void kn_sitting_stop_analysis(KnSitting *sitting) { (void)sitting; }
void kn_sitting_start_analysis(KnSitting *sitting) { (void)sitting; }
