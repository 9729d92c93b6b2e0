/* A rule sheet as a state machine: states as sets of numbered facts, moves as numbers.
 *
 * Facts and moves get numbers that hold for the life of the machine; a state is a set of bits, of a size
 * fixed when the machine is made. Where the sheet can be grounded (from its base and input relations, or by
 * finding everything that could ever hold) all numbers are given at once, in the order of the terms. Where it
 * cannot, numbers are given as facts and moves appear, up to a cap; a state that would need more fails with
 * an error that says so. Hashes and the order of legal moves come from the terms, not from their numbers.
 *
 * Two reasoners answer the questions, and give the same answers: a fast one, for sheets that can be grounded
 * (fast.h), and the prover (slow.h) for all others. What the fast one answers about a joint move that is not
 * legal is nothing to rely on.
 *
 * Everything may be called from several threads at once: each call borrows what it needs (and what that
 * remembers of the state it saw last) from a pool, and the table of numbers is only ever added to, under a
 * lock.
 *
 * Ownership: kn_gdl_machine_new takes the sheet over (also when it fails); kn_gdl_machine_free. */
#ifndef KNACK_GAMES_GDL_MACHINE_H
#define KNACK_GAMES_GDL_MACHINE_H

#include "games/gdl/prover.h"

typedef struct KnGdlMachine KnGdlMachine;
typedef struct KnGdlFast KnGdlFast;

/* Auto: the fast one where it can be had. */
typedef enum KnGdlReasoner { KN_GDL_AUTO, KN_GDL_FAST, KN_GDL_PROVER } KnGdlReasoner;

typedef struct KnGdlLimits {
    uint32_t facts; /* different facts in all, where the sheet cannot be grounded */
    int moves;      /* legal moves of a role in a state */
    uint64_t steps; /* of the prover for a question, of grounding; 0: their own bounds, some seconds */
    KnGdlReasoner reasoner;
    bool cut;     /* every rule that can be (derive.h), costly or not */
    bool at_once; /* the prover numbers facts and moves as they come, and does not look for all of them first
                   */
    bool plain;   /* the network without machine code (code.h) */
    const atomic_bool *cancel; /* once it is set grounding stops, and every question to the prover fails; for
                                  the machine's life; may be NULL */
} KnGdlLimits;

KnStatus kn_gdl_machine_new(KnGdlSheet *sheet, const KnGdlLimits *limits, KnGdlMachine **machine,
                            KnError *error);
void kn_gdl_machine_free(KnGdlMachine *machine);

const KnGdlSheet *kn_gdl_machine_sheet(const KnGdlMachine *machine);
size_t kn_gdl_machine_words(const KnGdlMachine *machine); /* of 64 bits, in a state */
int kn_gdl_machine_moves(const KnGdlMachine *machine);    /* the most a role can have in a state */
uint32_t kn_gdl_feasible(KnGdlMachine *machine,
                         int role); /* moves that could ever be a role's, as far as is known; at least 1 */
bool kn_gdl_machine_grounded(const KnGdlMachine *machine);
uint32_t kn_gdl_machine_facts(KnGdlMachine *machine);             /* numbered so far */
KnGdlFast *kn_gdl_machine_fast(const KnGdlMachine *machine);      /* NULL: the prover answers */
const char *kn_gdl_machine_why_slow(const KnGdlMachine *machine); /* why it does; NULL: it does not */

KnStatus kn_gdl_start(KnGdlMachine *machine, uint64_t *state, KnError *error);
KnStatus kn_gdl_is_terminal(KnGdlMachine *machine, const uint64_t *state, bool *terminal, KnError *error);

/* Whether the game goes on: not terminal, and every role has a legal move. */
KnStatus kn_gdl_is_open(KnGdlMachine *machine, const uint64_t *state, bool *open, KnError *error);

/* Legal moves of a role, terminal or not, in the order of their terms. */
KnStatus kn_gdl_legal(KnGdlMachine *machine, const uint64_t *state, int role, uint64_t *moves, int *count,
                      KnError *error);

/* The state after a joint move, a move for each role. `after` may be `state`. */
KnStatus kn_gdl_next(KnGdlMachine *machine, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                     KnError *error);

/* The goal value of a role; -1 where the rules give none, several, or something that is no number from 0 to
 * 100. */
KnStatus kn_gdl_goal(KnGdlMachine *machine, const uint64_t *state, int role, int *value, KnError *error);

/* What facts and moves stand for: a copy of their terms (to be freed), and the terms of all numbers given so
 * far, in new arrays. */
KnStatus kn_gdl_machine_terms(KnGdlMachine *machine, KnTerms *terms, KnTerm **facts, KnTerm **moves,
                              KnError *error);

uint64_t kn_gdl_state_hash(const KnGdlMachine *machine, const uint64_t *state);

/* Text: a move; the facts of a state, sorted, with a separator between them. */
void kn_gdl_move_text(KnGdlMachine *machine, uint64_t move, KnText *out);
void kn_gdl_state_text(KnGdlMachine *machine, const uint64_t *state, const char *separator, KnText *out);
KnStatus kn_gdl_parse_state(KnGdlMachine *machine, const char *text, uint64_t *state, KnError *error);

#endif
