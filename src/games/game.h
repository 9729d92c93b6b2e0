/* The game interface: rules, and what a game can tell those who study it.
 *
 * Position, history and contest are three things. A *position* is a value: `position_size` plain bytes
 * without pointers, copied with memcpy, with no byte left unset (equal positions are equal bytes), aligned
 * to 16. A *history* is the stack of hashes of the positions before it; rules that look back (superko,
 * repetition) get it beside the position, and what depends on it never enters a table. A *contest*
 * (games/contest.h) is a position with its history and moves.
 *
 * A *move* is an opaque 64-bit value that only its game reads. A game is *over* exactly when there is no
 * legal move, so that one call tells both; where the rules let a player pass, the pass is a move. Turns that
 * are chains of steps (KN_GAME_CHAINS, Phutball) are played step by step: the mover is read from the
 * position, a search negates only when the mover changes, and depth counts turns.
 *
 * Two ways to move. In an alternating game one role has the move: `mover`, `moves`, `play`. In a simultaneous
 * one (KN_GAME_SIMULTANEOUS: matrix games, GDL) a set of roles has it: `movers`, `moves_of`, `play_joint`,
 * and the first three are absent; kn_game_sequential (games/sequential.h) shows such a game as an alternating
 * one, to search it. Use the kn_game_* calls below where it does not matter which.
 *
 * Optional abilities are hooks that may be NULL; a method asks for what it needs, and `knack methods` tells
 * what is missing where.
 *
 * Ownership: kn_game_open allocates an instance that kn_game_close frees; it is read-only in between and may
 * be shared by threads. */
#ifndef KNACK_GAMES_GAME_H
#define KNACK_GAMES_GAME_H

#include <stdint.h>

#include "base/context.h"
#include "base/text.h"

typedef uint64_t KnMove;
#define KN_MOVE_NONE UINT64_MAX

enum { KN_ROLES_MAX = 16 };

typedef struct KnGame KnGame;
typedef struct KnGameType KnGameType;

/* The positions before the current one, oldest first, by their hashes. */
typedef struct KnHistory {
    const uint64_t *hashes;
    size_t count;
} KnHistory;

/* Scores, as searches and evaluations use them, from the mover's point of view. Won and lost positions lie
 * beyond
 * +-KN_SCORE_SURE, nearer wins higher; other known payoffs are spread linearly over +-KN_SCORE_PAYOFF (a draw
 * is 0); evaluations stay within +-KN_SCORE_GUESS unless they estimate a payoff. A man is worth about 100. */
typedef int32_t KnScore;
#define KN_SCORE_WIN    1000000000
#define KN_SCORE_SURE   999000000
#define KN_SCORE_PAYOFF 500000000
#define KN_SCORE_GUESS  100000000

enum {
    KN_GAME_SIMULTANEOUS = 1, /* joint moves; see above */
    KN_GAME_CHAINS = 2,       /* a turn may take several moves by the same role */
    KN_GAME_ZERO_SUM = 4,     /* two roles whose payoffs add up to a constant */
    KN_GAME_LOOKS_BACK = 8,   /* `ended` or `barred` may say yes: a history must be kept */
    KN_GAME_ENDLESS = 16      /* a contest need not end by itself: set a ply limit */
};

/* A named number that a position has, for evaluations and decision trees, seen by one role. */
typedef struct KnFeature {
    const char *name;
    const char *help;
    double low, high;
} KnFeature;

/* Terms of a linear evaluation: numbers of a position seen by the role to move, made to be weighted and added
 * up, with weights by phase. Learners find the weights (search/weights.h); a game may offer several sets. */
typedef struct KnTermTable {
    const char *name;
    const char *help;
    const KnFeature *features;
    int count;
    const double *fixed; /* weights of the first terms that are not to be learned, in hundredths of a man;
                            `fixed_count` of them */
    int fixed_count;
    int (*values)(const KnGame *game, const void *position, double *values); /* returns the phase, from 0 */
    /* The weighted sum by a shorter way, for sets of which a position shows few; `weights` are those of all
     * phases. May be NULL. */
    double (*sum)(const KnGame *game, const void *position, const double *weights);
    bool by_name; /* taken only when it is asked for: the game's features stay the default */
} KnTermTable;

/* A hand-made evaluation that belongs to a game: `eval=NAME`. The first row is the default. */
typedef struct KnGameEvaluation {
    const char *name;
    const char *summary;
    KnScore (*score)(const KnGame *game, const void *position); /* for the role to move */
} KnGameEvaluation;

/* An instance: rules with their options fixed. Filled by the type's open; sizes hold for every position of
 * it. */
struct KnGame {
    const KnGameType *type;
    const KnContext *context;
    char *spec; /* canonical text */
    size_t position_size;
    int max_moves; /* of one role in one position */
    int roles;
    int nature; /* the role that chance plays, or -1 */
    unsigned traits;
    double payoff_low, payoff_high; /* what payoffs() may report */
    const char *const *role_names;
    int symmetries;            /* with the identity, which is number 0; 1 if there are no others */
    const KnFeature *features; /* NULL if none */
    int feature_count;
    const KnGameEvaluation *evaluations; /* ends with a row without a name; NULL if none */
    const KnTermTable *terms;            /* likewise; the first is the default */
    int cells;                           /* of the board; 0 if there is none */
    const char *cell_symbols;            /* what a cell can hold, a letter each; index = value of `cell` */
    int phases;                          /* 1 if it knows none */
    void *data;                          /* the game's own; freed by the type's close */
};

struct KnGameType {
    KnThing head;

    /* Life. `open` fills the instance (zeroed, with nature -1, one symmetry, one phase and payoffs -1..1
     * preset) from its options; `close` (may be NULL) is called also after an `open` that failed. `open` may
     * also put another table of the same game in game->type, made for this size or processor. */
    KnStatus (*open)(KnGame *game, const KnOptions *options, KnError *error);
    void (*close)(KnGame *game);

    /* Rules. */
    void (*start)(const KnGame *game, void *position);
    int (*mover)(const KnGame *game, const void *position);
    int (*moves)(const KnGame *game, const void *position, KnMove *moves);      /* 0: it is over */
    void (*play)(const KnGame *game, void *position, KnMove move);              /* the move is legal */
    void (*payoffs)(const KnGame *game, const void *position, double *payoffs); /* when over; a role each */
    uint64_t (*hash)(const KnGame *game, const void *position); /* of what bears on the rest of the contest */

    /* Rules of simultaneous games. A joint move has an entry for each role, KN_MOVE_NONE for those that do
     * not move. */
    uint32_t (*movers)(const KnGame *game, const void *position); /* a bit for each; 0 when over */
    int (*moves_of)(const KnGame *game, const void *position, int role, KnMove *moves);
    void (*play_joint)(const KnGame *game, void *position, const KnMove *joint);
    /* What each role earns by this joint move, where payoffs come along the way; payoffs() is then their
     * total. */
    void (*rewards)(const KnGame *game, const void *before, const KnMove *joint, double *rewards);
    /* With what probability nature plays each of its moves, where that is not uniform. */
    void (*chances)(const KnGame *game, const void *position, const KnMove *moves, int count,
                    double *chances);

    /* Rules that look back. `ended`: the contest is over here because of its past, with these payoffs;
     * `barred`: this move, legal by the position, is not allowed because of it. A game must never bar every
     * move. */
    bool (*ended)(const KnGame *game, const void *position, const KnHistory *history, double *payoffs);
    bool (*barred)(const KnGame *game, const void *position, const KnHistory *history, KnMove move);

    /* Text. Without `parse_move` a text is compared with those of the legal moves. `position_text` writes one
     * line that `parse_position` reads; `draw` a board of letters, with ANSI colours if asked. `check` tells
     * whether bytes are a position of this game: for files and tests. */
    void (*move_text)(const KnGame *game, const void *position, KnMove move, KnText *out);
    KnStatus (*parse_move)(const KnGame *game, const void *position, const char *text, KnMove *move,
                           KnError *error);
    void (*position_text)(const KnGame *game, const void *position, KnText *out);
    KnStatus (*parse_position)(const KnGame *game, const char *text, void *position, KnError *error);
    void (*draw)(const KnGame *game, const void *position, bool colour, KnText *out);
    KnStatus (*check)(const KnGame *game, const void *position, KnError *error);

    /* Symmetries: images of a position and its moves under symmetry s. A symmetry may exchange roles
     * (transform_role; NULL: none does). */
    void (*transform)(const KnGame *game, int symmetry, const void *position, void *image);
    KnMove (*transform_move)(const KnGame *game, int symmetry, const void *position, KnMove move);
    int (*transform_role)(const KnGame *game, int symmetry, int role);

    /* Knowledge. */
    void (*feature_values)(const KnGame *game, const void *position, int role, double *values);
    double (*material)(const KnGame *game, const void *position, int role); /* weighted men: for judges */
    double (*points)(const KnGame *game, const void *position,
                     int role); /* the margin, where points decide */
    int (*phase)(const KnGame *game, const void *position);
    int (*cell)(const KnGame *game, const void *position, int index);
    void (*board)(const KnGame *game, const void *position,
                  uint8_t *cells); /* all of them at once; NULL: one by one */
    void (*cell_place)(const KnGame *game, int index, double *x,
                       double *y); /* units of a cell, y downwards */
    void (*cell_name)(const KnGame *game, int index, KnText *out);

    const struct KnGoalDoor *goals; /* winning as a goal of proof search (games/goals.h), where the game knows
                                       threats and defences */

    /* Quiescence: the moves that keep a position from being quiet; 0 if it is. *may_stand: the mover could
     * also leave it at that (false where the rules force, as captures in draughts, or where every other move
     * loses at once). */
    int (*tactical)(const KnGame *game, const void *position, KnMove *moves, bool *may_stand);

    /* Exact codes of positions in 64 bits, one to one: what retrograde solving stores. Counters may be left
     * out; the game's comment says so. */
    uint64_t (*pack)(const KnGame *game, const void *position);
    void (*unpack)(const KnGame *game, uint64_t code, void *position);

    /* In how many ways the move can be carried out on the board: perft counts these where asked. */
    int (*paths)(const KnGame *game, const void *position, KnMove move);

    /* How many moves `moves` would list, or (with `paths`) in how many ways they can be carried out: where
     * counting is faster than listing. */
    int (*count)(const KnGame *game, const void *position, bool paths);
};

/* An instance from its spec, e.g. "checkers(draw=40)". */
KnStatus kn_game_open(const KnContext *context, const char *spec, KnGame **game, KnError *error);
void kn_game_close(KnGame *game);

/* Registers the built-in games. */
KnStatus kn_games_register(KnContext *context, KnError *error);

/* The calls that hide whether a game is simultaneous. */
uint32_t kn_game_movers(const KnGame *game, const void *position); /* 0 when over */
int kn_game_moves_of(const KnGame *game, const void *position, int role, KnMove *moves);

/* What every cell of the board holds, a byte each. */
void kn_game_board(const KnGame *game, const void *position, uint8_t *cells);
void kn_game_play_joint(const KnGame *game, void *position, const KnMove *joint);
bool kn_game_over(const KnGame *game, const void *position);

/* Reads a move of `role` in the game's notation; legal by the position (histories are the contest's matter).
 */
KnStatus kn_game_parse_move(const KnGame *game, const void *position, int role, const char *text,
                            KnMove *move, KnError *error);

/* A text that lives in the arena, for messages and records. */
const char *kn_game_move_name(const KnGame *game, const void *position, KnMove move, KnArena *arena);

/* The least image of a position over all symmetries, by bytes; returns the symmetry that gives it. `scratch`
 * has room for one position. */
int kn_game_normalise(const KnGame *game, const void *position, void *normal, void *scratch);

/* The score of a finished position for a role that gets `payoff`, at `ply` moves from the root. */
KnScore kn_score_of_payoff(const KnGame *game, double payoff, int ply);

/* The row of a game's own evaluation by name, NULL name for the default; NULL if there is none. */
const KnGameEvaluation *kn_game_evaluation(const KnGame *game, const char *name);

#endif
