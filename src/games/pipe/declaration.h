/* What a program that knows the rules of a game says about it, and about a state of it (docs/pipe.md).
 *
 * The program is not trusted: a line that says too much, too little or the impossible is KN_FORFEIT with a
 * message that quotes it.
 *
 * Ownership: kn_declaration_free and kn_account_free release what the lines have filled. */
#ifndef KNACK_GAMES_PIPE_DECLARATION_H
#define KNACK_GAMES_PIPE_DECLARATION_H

#include "games/game.h"

enum { KN_PIPE_SIDE = 64 /* longest side of a board */, KN_PIPE_MOVE = 200 /* longest name of a move */ };

/* The greeting. */
typedef struct KnDeclaration {
    KnText name, start, symbols;
    char *roles[KN_ROLES_MAX];
    int role_count;
    double low, high; /* payoffs */
    bool zero_sum, simultaneous, endless, display;
    int size;          /* bytes of the longest state */
    int moves;         /* the most that a role can have */
    int width, height; /* of the board; 0: none */
} KnDeclaration;

void kn_declaration_begin(KnDeclaration *declaration);
void kn_declaration_free(KnDeclaration *declaration);

/* A KnProgramLine: `user` is the declaration. */
KnStatus kn_declaration_line(void *user, const char *line, KnError *error);

/* After the last line: whether it is complete. */
KnStatus kn_declaration_end(const KnDeclaration *declaration, KnError *error);

/* A state: who can move what, or what each role gets. */
typedef struct KnAccount {
    const KnDeclaration *declaration;
    KnText state;             /* as the program writes it; empty if it did not */
    KnText names, board;      /* the moves, terminated strings one after the other; the cells */
    int counts[KN_ROLES_MAX]; /* moves of each role, in the order of the roles in `order` */
    int order[KN_ROLES_MAX], movers;
    bool over;
    double payoffs[KN_ROLES_MAX];
} KnAccount;

void kn_account_begin(KnAccount *account, const KnDeclaration *declaration);
void kn_account_free(KnAccount *account);
KnStatus kn_account_line(void *user, const char *line, KnError *error); /* a KnProgramLine */
KnStatus kn_account_end(const KnAccount *account, KnError *error);

/* Whether a text can be a state of the game: no control characters, not too long. */
KnStatus kn_declaration_check_state(const KnDeclaration *declaration, const char *text, KnError *error);

#endif
