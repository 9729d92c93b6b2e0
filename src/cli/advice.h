/* What players say to a person at the terminal: the move they would play, and what the person's own move was
 * worth.
 *
 * Ownership: cli_advice_free releases the texts. */
#ifndef KNACK_CLI_ADVICE_H
#define KNACK_CLI_ADVICE_H

#include "players/player.h"

/* Advice about one position: the same until a move is made. */
typedef struct CliAdvice {
    bool given;
    size_t plies;
    KnText move, reasons;
} CliAdvice;

#define CLI_ADVICE_NONE ((CliAdvice){.move = KN_TEXT_EMPTY, .reasons = KN_TEXT_EMPTY})
void cli_advice_free(CliAdvice *advice);

/* Who is asked. It has chances of its own, so that advice does not change the game. */
typedef struct CliAdviser {
    const KnContext *context;
    const char *spec;
    uint64_t seed;
} CliAdviser;

/* What the adviser would play here for a role, and why. */
KnStatus cli_advise(const CliAdviser *adviser, const KnState *state, int role, CliAdvice *advice,
                    KnError *error);

/* What the adviser thinks of the last move that a role had to choose: a line of text. */
KnStatus cli_judge(const CliAdviser *adviser, const KnState *state, int role, KnText *verdict,
                   KnError *error);

#endif
