/* A network as machine code: straight through all gates, without a branch. Private to games/gdl.
 *
 * For networks of some thousand wires that is faster than following what changes (flow.h): one instruction a
 * wire, and nothing to mispredict. The code is written at start-up, into memory that is first writable and
 * then executable, never both; it calls nothing, and reads and writes only the values that it is given. Only
 * for processors that it knows (x86-64) and networks without circles; everything else stays with the flow,
 * which gives the same answers.
 *
 * Values are bytes, 0 or 1, in an array of kn_gdl_code_size: node 0, facts, moves, then answers and gates.
 *
 * Ownership: kn_gdl_code_new / kn_gdl_code_free; net and answers are borrowed and must outlive it. Read-only,
 * shared by threads. */
#ifndef KNACK_GAMES_GDL_CODE_H
#define KNACK_GAMES_GDL_CODE_H

#include "games/gdl/flow.h"

typedef struct KnGdlCode KnGdlCode;

/* NULL: it cannot be had, here or for this network. */
KnGdlCode *kn_gdl_code_new(const KnGdlNet *net, const KnGdlAnswers *answers);
void kn_gdl_code_free(KnGdlCode *code);
size_t kn_gdl_code_size(const KnGdlCode *code);

/* From the bytes of the facts to the bits of all answers about the state; from those and the moves' to the
 * bits of next. */
void kn_gdl_code_state(const KnGdlCode *code, uint8_t *values, uint64_t *answers);
void kn_gdl_code_moves(const KnGdlCode *code, uint8_t *values, uint64_t *answers);

#endif
