/* Advisors of moves: what says of each move of a position how likely an expert would play it, to lead a
 * search.
 *
 *     KnMoveAdvisor *advisor;
 *     kn_move_advisor_open(context, game, spec, &advisor, &error)       habits("six.json")
 *     advisor->chances(advisor, position, moves, count, chances);
 *
 * To add one, register a KnMoveAdvisorType (KN_KIND_ADVISOR). `chances` must be safe from several threads at
 * once and give equal results for equal positions.
 *
 * Ownership: kn_move_advisor_open / kn_move_advisor_close; context and game must outlive it. */
#ifndef KNACK_EVAL_MOVE_ADVISOR_H
#define KNACK_EVAL_MOVE_ADVISOR_H

#include "games/game.h"

typedef struct KnMoveAdvisor KnMoveAdvisor;

struct KnMoveAdvisor {
    const KnContext *context;
    const KnGame *game;
    /* The chance of each move; their sum is 1. Returns how many positions it played to find out. */
    uint64_t (*chances)(const KnMoveAdvisor *self, const void *position, const KnMove *moves, int count,
                        double *chances);
    void (*close)(KnMoveAdvisor *self); /* releases `data`; may be NULL */
    void *data;
};

typedef struct KnMoveAdvisorType {
    KnThing head;
    KnStatus (*open)(KnMoveAdvisor *advisor, const KnOptions *options, KnError *error);
} KnMoveAdvisorType;

KnStatus kn_move_advisor_open(const KnContext *context, const KnGame *game, const KnSpec *spec,
                              KnMoveAdvisor **out, KnError *error);
void kn_move_advisor_close(KnMoveAdvisor *advisor);

#endif
