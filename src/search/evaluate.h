/* Evaluations: what a position seems worth, as an object, so that learned ones can stand where hand-made ones do.
 *
 * `score` is from the mover's point of view (see KnScore in games/game.h). Both calls must be safe from several threads
 * at once and give equal results for equal positions.
 *
 * A spec names one of the game's own evaluations, or a registered one (KN_KIND_EVALUATION; `zero` is built in), with
 * its options: "material", "td(weights=chk.json)".
 *
 * Ownership: kn_evaluation_open / kn_evaluation_close; the game must outlive it. */
#ifndef KNACK_SEARCH_EVALUATE_H
#define KNACK_SEARCH_EVALUATE_H

#include "games/game.h"

typedef struct KnEvaluation KnEvaluation;

struct KnEvaluation {
    const KnGame *game;
    char *spec; /* canonical text */
    KnScore (*score)(const KnEvaluation *self, const void *position);
    /* For any role, whoever has the move; may be NULL. What searches of games that are not zero-sum ask for. */
    KnScore (*score_for)(const KnEvaluation *self, const void *position, int role);
    /* The game's own function, if that is all there is to it: searches call it directly. Else NULL. */
    KnScore (*direct)(const KnGame *game, const void *position);
    void (*close)(KnEvaluation *self); /* frees `data`; may be NULL */
    void *data;
};

typedef struct KnEvaluationType {
    KnThing head;
    /* Fills an evaluation whose game and spec are set; `close` is called also after an open that failed. */
    KnStatus (*open)(KnEvaluation *evaluation, const KnOptions *options, KnError *error);
} KnEvaluationType;

extern const KnEvaluationType kn_evaluation_zero; /* 0 for every position */

/* Registers the built-in evaluations. */
KnStatus kn_evaluations_register(KnContext *context, KnError *error);

/* NULL for the spec: the game's default, or zero if it has none. */
KnStatus kn_evaluation_open(const KnContext *context, const KnGame *game, const KnSpec *spec, KnEvaluation **out,
                            KnError *error);
KnStatus kn_evaluation_open_text(const KnContext *context, const KnGame *game, const char *spec, KnEvaluation **out,
                                 KnError *error);
void kn_evaluation_close(KnEvaluation *evaluation);

static inline KnScore kn_evaluate(const KnEvaluation *evaluation, const void *position)
{
    return evaluation->direct ? evaluation->direct(evaluation->game, position) : evaluation->score(evaluation, position);
}

/* For a role, by score_for where there is one; else the mover's score, with its sign turned for all other roles. */
KnScore kn_evaluate_for(const KnEvaluation *evaluation, const void *position, int role);

#endif
