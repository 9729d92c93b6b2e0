/* Evaluations: heuristic scores of positions, hand-written or learned.
 *
 *     KnEvaluation *evaluation;
 *     kn_evaluation_open_text(context, game, "material", &evaluation, &error);
 *     KnScore score = kn_evaluate(evaluation, kn_state_position(state));
 *
 * A spec names one of the game's own evaluations, or a registered one with its options: "material",
 * "mobility(who=others)", "blend(mobility, proximity, fit=100)". Where both have the same name, a spec with
 * options means the registered one.
 *
 * To add an evaluation, register a KnEvaluationType (KN_KIND_EVALUATION) or export it from a plug-in
 * (plugin.h). Its functions must be safe from several threads at once and give equal results for equal
 * positions. In a game with simultaneous moves no single role is the mover; an evaluation of such a game must
 * have `score_for`. */
#ifndef KNACK_PUBLIC_EVALUATION_H
#define KNACK_PUBLIC_EVALUATION_H

#include <knack/explain.h>
#include <knack/game.h>

KN_BEGIN

typedef struct KnEvaluation KnEvaluation;

struct KnEvaluation {
    const KnGame *game;
    char *spec;                                                       /* canonical text */
    KnScore (*score)(const KnEvaluation *self, const void *position); /* for the role to move */
    /* For any role; may be NULL. Searches of games that are not zero-sum use it. */
    KnScore (*score_for)(const KnEvaluation *self, const void *position, int role);
    /* The game's own function, where the evaluation is nothing more; searches call it directly. May be NULL.
     */
    KnScore (*direct)(const KnGame *game, const void *position);
    /* score_for where it plays positions; adds their number to *plays. May be NULL. */
    KnScore (*score_counted)(const KnEvaluation *self, const void *position, int role, uint64_t *plays);
    bool one_sided; /* what is good for one role need not be bad for the other */
    bool payoffs;   /* scores estimate payoffs, within +-KN_SCORE_PAYOFF; else they count men */
    bool cached;    /* searches may keep scores by the hash of the position: `score` never changes, depends on
                       nothing that the hash leaves out, and takes far longer than a hash */
    /* Improves the evaluation before the first game, for at most `seconds` (0: as its spec says, the same
     * every time). May be NULL. */
    KnStatus (*prepare)(KnEvaluation *self, double seconds, KnError *error);
    bool prepared;
    /* Adds to `parent` what the score of the position consists of. May be NULL. */
    void (*explain)(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent);
    /* Says for which role the coming search maximises, where scores depend on that. May be NULL. */
    void (*set_role)(KnEvaluation *self, int role);
    void (*close)(KnEvaluation *self); /* releases `data`; may be NULL */
    void *data;
    /* Adds to `parent` what has changed for a role between two positions: a number for each part, in points
     * of the score, labelled with the name of a feature or with a part of the board ("at the edge"). May be
     * NULL. */
    void (*compare)(const KnEvaluation *self, const void *before, const void *after, int role, KnArena *arena,
                    KnExplanation *parent);
    /* Where it is not 0, scores are log-odds: the expected share of the points is
     * (1 + tanh(score / log_odds)) / 2. Else they count men, or payoffs. */
    double log_odds;
};

typedef struct KnEvaluationType {
    KnThing head;
    /* Fills an evaluation whose game and spec are set. `close` also follows an open that failed. */
    KnStatus (*open)(KnEvaluation *evaluation, const KnOptions *options, KnError *error);
} KnEvaluationType;

/* Opens an evaluation; NULL for the spec: the game's default, or zero for every position. The game must
 * outlive it. */
KN_API KnStatus kn_evaluation_open(const KnContext *context, const KnGame *game, const KnSpec *spec,
                                   KnEvaluation **evaluation, KnError *error);
KN_API KnStatus kn_evaluation_open_text(const KnContext *context, const KnGame *game, const char *spec,
                                        KnEvaluation **evaluation, KnError *error);
KN_API void kn_evaluation_close(KnEvaluation *evaluation);

/* Call it once, before the first game. Later calls do nothing unless they give a time. */
KN_API KnStatus kn_evaluation_prepare(KnEvaluation *evaluation, double seconds, KnError *error);

/* The score for the role to move. */
static inline KnScore kn_evaluate(const KnEvaluation *evaluation, const void *position)
{
    return evaluation->direct ? evaluation->direct(evaluation->game, position)
                              : evaluation->score(evaluation, position);
}

/* The score for any role: score_for where there is one, else the mover's score, negated for other roles. */
KN_API KnScore kn_evaluate_for(const KnEvaluation *evaluation, const void *position, int role);

/* Values from 0 to 100, as goals are in general game playing, and scores. Scores that count men are squashed:
 * a lead of three men is 75. */
KN_API KnScore kn_score_of_percent(double percent);
KN_API double kn_percent_of_score(const KnEvaluation *evaluation, KnScore score);

KN_END

#endif
