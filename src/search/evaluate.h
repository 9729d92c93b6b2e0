/* Evaluations: what a position seems worth, as an object, so that learned ones can stand where hand-made ones
 * do.
 *
 * `score` is from the mover's point of view (see KnScore in games/game.h). Both calls must be safe from
 * several threads at once and give equal results for equal positions.
 *
 * A spec names one of the game's own evaluations, or a registered one (KN_KIND_EVALUATION), with its options:
 * "material", "mobility(who=others)", "blend(mobility, proximity, fit=100)". Where a game has one of the same
 * name, options mean the registered one.
 *
 * An evaluation of a game with simultaneous moves must have `score_for`: nobody there is the mover. It sees
 * positions of that game, also where a sequential view of it is searched (games/sequential.h: they begin
 * alike).
 *
 * Some get better by playing before the contest (`prepare`); whoever opens one calls kn_evaluation_prepare
 * before the first contest, and an evaluation that was not prepared still answers.
 *
 * Ownership: kn_evaluation_open / kn_evaluation_close; the game must outlive it. */
#ifndef KNACK_SEARCH_EVALUATE_H
#define KNACK_SEARCH_EVALUATE_H

#include "base/reason.h"
#include "games/game.h"

typedef struct KnEvaluation KnEvaluation;

struct KnEvaluation {
    const KnGame *game;
    char *spec; /* canonical text */
    KnScore (*score)(const KnEvaluation *self, const void *position);
    /* For any role, whoever has the move; may be NULL. What searches of games that are not zero-sum ask for.
     */
    KnScore (*score_for)(const KnEvaluation *self, const void *position, int role);
    /* The game's own function, if that is all there is to it: searches call it directly. Else NULL. */
    KnScore (*direct)(const KnGame *game, const void *position);
    /* score_for where looking costs positions: adds those that were played to *plays. May be NULL: it costs
     * none. */
    KnScore (*score_counted)(const KnEvaluation *self, const void *position, int role, uint64_t *plays);
    bool one_sided; /* what is good for one need not be bad for the other: searches ask for their own role, in
                       any game */
    bool
        payoffs; /* scores estimate payoffs, from -KN_SCORE_PAYOFF to +KN_SCORE_PAYOFF; else they count men */
    /* Plays for at most so many seconds (0: as much as its spec says, the same every time) to find out what
     * it needs. */
    KnStatus (*prepare)(KnEvaluation *self, double seconds, KnError *error);
    bool prepared;
    /* Adds to `parent` what its score of the position consists of. May be NULL. */
    void (*tell)(const KnEvaluation *self, const void *position, int role, KnArena *arena, KnReason *parent);
    /* Whoever searches with it says for which role, where scores may depend on that. May be NULL. */
    void (*seat)(KnEvaluation *self, int role);
    void (*close)(KnEvaluation *self); /* frees `data`; may be NULL */
    void *data;
};

typedef struct KnEvaluationType {
    KnThing head;
    /* Fills an evaluation whose game and spec are set; `close` is called also after an open that failed. */
    KnStatus (*open)(KnEvaluation *evaluation, const KnOptions *options, KnError *error);
} KnEvaluationType;

extern const KnEvaluationType kn_evaluation_zero;   /* 0 for every position */
extern const KnEvaluationType kn_evaluation_lowest; /* the lowest payoff, for whoever asks */

/* Registers the built-in evaluations. */
KnStatus kn_evaluations_register(KnContext *context, KnError *error);

/* NULL for the spec: the game's default, or zero if it has none. */
KnStatus kn_evaluation_open(const KnContext *context, const KnGame *game, const KnSpec *spec,
                            KnEvaluation **out, KnError *error);
KnStatus kn_evaluation_open_text(const KnContext *context, const KnGame *game, const char *spec,
                                 KnEvaluation **out, KnError *error);
void kn_evaluation_close(KnEvaluation *evaluation);

/* Once, before the first contest; later calls do nothing unless they give a clock. */
KnStatus kn_evaluation_prepare(KnEvaluation *evaluation, double seconds, KnError *error);

static inline KnScore kn_evaluate(const KnEvaluation *evaluation, const void *position)
{
    return evaluation->direct ? evaluation->direct(evaluation->game, position)
                              : evaluation->score(evaluation, position);
}

/* For a role, by score_for where there is one; else the mover's score, with its sign turned for all other
 * roles. */
KnScore kn_evaluate_for(const KnEvaluation *evaluation, const void *position, int role);

/* The same; positions that it had to play are added to *plays. */
static inline KnScore kn_evaluate_counted(const KnEvaluation *evaluation, const void *position, int role,
                                          uint64_t *plays)
{
    return evaluation->score_counted ? evaluation->score_counted(evaluation, position, role, plays)
                                     : kn_evaluate_for(evaluation, position, role);
}

/* Whether the mover's score says all in this zero-sum game, its sign turning with the mover, and costs
 * nothing to ask for. */
static inline bool kn_evaluation_turns(const KnEvaluation *evaluation)
{
    unsigned traits = evaluation->game->traits;
    return traits & KN_GAME_ZERO_SUM && !(traits & KN_GAME_SIMULTANEOUS) && !evaluation->one_sided &&
           !evaluation->score_counted;
}

/* Values from 0 to 100, as goals are in general game playing, and scores. Steps are an eighth of a point, so
 * that a score that is not even is never taken for one in men. Back: guesses in men are bent (a lead of three
 * men counts as 75). */
KnScore kn_score_of_percent(double percent);
double kn_percent_of_score(const KnEvaluation *evaluation, KnScore score);

#endif
