/* What the general player keeps for the next match of the same rules: the weights that it learned in the
 * start clock, so that learning goes on, and the proved way through a puzzle.
 *
 * A file for each game description, data:ggp/DIGEST.json (games/gdl/rules_digest.h), replaced as a whole and
 * sealed (base/sealed.h). A file that is damaged, edited, of another version, or does not fit the game is
 * left out, and replaced when there is something to keep. Two players of the same rules may share it: the one
 * that has learned from more games is kept.
 *
 * Ownership: kn_knowledge_new / kn_knowledge_free; the game must outlive it. */
#ifndef KNACK_METHODS_GENERAL_KNOWLEDGE_H
#define KNACK_METHODS_GENERAL_KNOWLEDGE_H

#include "games/game.h"
#include "eval/evaluation.h"

typedef struct KnKnowledge KnKnowledge;

/* KN_OK with *knowledge NULL: the game has no rules to go by. */
KnStatus kn_knowledge_new(const KnContext *context, const KnGame *game, KnKnowledge **knowledge,
                          KnError *error);
void kn_knowledge_free(KnKnowledge *knowledge);

/* Reads the file, at the first call. True: it is there and whole; otherwise kn_knowledge_note says why. */
bool kn_knowledge_load(KnKnowledge *knowledge);

/* Gives a `facts` evaluation the weights that were loaded; false if there are none that fit. */
bool kn_knowledge_teach(KnKnowledge *knowledge, KnEvaluation *facts);

/* The proved way from the start that was loaded, as moves of the first role; NULL if there is none. */
const KnMove *kn_knowledge_line(const KnKnowledge *knowledge, int *length);

/* Keeps what a `facts` evaluation has learned, or a proved way. A failure to write is only noted: the match
 * goes on without. */
void kn_knowledge_keep_weights(KnKnowledge *knowledge, KnEvaluation *facts);
void kn_knowledge_keep_line(KnKnowledge *knowledge, const KnMove *moves, int length);

/* A sentence on what was found, or could not be written. */
const char *kn_knowledge_note(const KnKnowledge *knowledge);

#endif
