/* A game description as a state machine: a state is a set of numbered facts, a move is a number.
 *
 * Numbers are fixed for the life of the machine; a state is a bit set of fixed size. If the description can
 * be grounded, all numbers are assigned in advance, in the order of the terms. If not, facts and moves are
 * numbered as they appear, up to a limit; a state beyond it fails with an error. Hashes and the order of
 * legal moves depend on the terms, not on their numbers.
 *
 * Two reasoners give the same answers: a propositional network (propnet_reasoner.h) for descriptions that can
 * be grounded, and the prover (prover_reasoner.h) for all others. The propnet's answers about an illegal
 * joint move are undefined.
 *
 * Threads may make any call concurrently: each call borrows its working memory from a pool, and numbers are
 * added under a lock.
 *
 * Ownership: kn_gdl_machine_new takes over the description, also when it fails; kn_gdl_machine_free. */
#ifndef KNACK_GAMES_GDL_MACHINE_H
#define KNACK_GAMES_GDL_MACHINE_H

#include "games/gdl/prover.h"

typedef struct KnGdlMachine KnGdlMachine;
typedef struct KnPropnetReasoner KnPropnetReasoner;

/* KN_GDL_AUTO: the propnet if the description can be grounded, else the prover. */
typedef enum KnGdlReasoner { KN_GDL_AUTO, KN_GDL_PROPNET, KN_GDL_PROVER } KnGdlReasoner;

typedef struct KnGdlLimits {
    uint32_t facts;  /* distinct facts, if the description cannot be grounded */
    int moves;       /* legal moves of a role in a state */
    bool moves_hold; /* that limit holds even where the start has more */
    uint64_t steps;  /* of a question to the prover, and of grounding; 0: built-in limits, some seconds */
    KnGdlReasoner reasoner;
    bool split;  /* split every rule that can be split (derive.h) */
    bool demand; /* derive only what is asked for, in any case (derive.h) */
    /* The prover numbers facts and moves as they appear, without searching for all of them first. */
    bool lazy;
    bool plain;                /* no machine code for the propnet (propnet_code.h) */
    const atomic_bool *cancel; /* once set, grounding stops and every question to the prover fails; must
                                  outlive the machine; may be NULL */
} KnGdlLimits;

KnStatus kn_gdl_machine_new(KnGdlDescription *description, const KnGdlLimits *limits, KnGdlMachine **machine,
                            KnError *error);
void kn_gdl_machine_free(KnGdlMachine *machine);

const KnGdlDescription *kn_gdl_machine_description(const KnGdlMachine *machine);
size_t kn_gdl_machine_words(const KnGdlMachine *machine); /* 64-bit words of a state */
int kn_gdl_machine_moves(const KnGdlMachine *machine);    /* limit for a role in a state */
uint32_t
kn_gdl_feasible(KnGdlMachine *machine,
                int role); /* number of moves that a role may ever have, as far as known; at least 1 */
bool kn_gdl_machine_grounded(const KnGdlMachine *machine);
uint32_t kn_gdl_machine_facts(KnGdlMachine *machine);                   /* number of facts so far */
KnPropnetReasoner *kn_gdl_machine_propnet(const KnGdlMachine *machine); /* NULL: the prover answers */

/* Why the prover answers; NULL: the propnet does. */
const char *kn_gdl_machine_why_prover(const KnGdlMachine *machine);

KnStatus kn_gdl_start(KnGdlMachine *machine, uint64_t *state, KnError *error);
KnStatus kn_gdl_is_terminal(KnGdlMachine *machine, const uint64_t *state, bool *terminal, KnError *error);

/* Whether the game continues: not terminal, and every role has a legal move. */
KnStatus kn_gdl_is_open(KnGdlMachine *machine, const uint64_t *state, bool *open, KnError *error);

/* Legal moves of a role, in terminal states too, in the order of their terms. */
KnStatus kn_gdl_legal(KnGdlMachine *machine, const uint64_t *state, int role, uint64_t *moves, int *count,
                      KnError *error);

/* The state after a joint move. `after` may be the same as `state`. */
KnStatus kn_gdl_next(KnGdlMachine *machine, const uint64_t *state, const uint64_t *joint, uint64_t *after,
                     KnError *error);

/* The goal value of a role; -1 if the rules give none, several, or not a number from 0 to 100. */
KnStatus kn_gdl_goal(KnGdlMachine *machine, const uint64_t *state, int role, int *value, KnError *error);

/* GDL-II: whether roles do not see everything, and whether two states show a role the same percepts. */
bool kn_gdl_hides(const KnGdlMachine *machine);
bool kn_gdl_same_percepts(KnGdlMachine *machine, const uint64_t *a, const uint64_t *b, int role);

/* A copy of the terms and, in new arrays, the term of each numbered fact and move. The caller frees all
 * three. */
KnStatus kn_gdl_machine_terms(KnGdlMachine *machine, KnTerms *terms, KnTerm **facts, KnTerm **moves,
                              KnError *error);

uint64_t kn_gdl_state_hash(const KnGdlMachine *machine, const uint64_t *state);

/* Text of a move, and of a state: its facts, sorted, with a separator. */
void kn_gdl_move_text(KnGdlMachine *machine, uint64_t move, KnText *out);
void kn_gdl_state_text(KnGdlMachine *machine, const uint64_t *state, const char *separator, KnText *out);
KnStatus kn_gdl_parse_state(KnGdlMachine *machine, const char *text, uint64_t *state, KnError *error);

#endif
