/* Games: the interface that a game implements, and games in progress.
 *
 *     KnGame *game;
 *     kn_game_open(context, "othello(size=6)", &game, &error);
 *     KnState *state = kn_state_new(game);
 *     kn_state_play_text(state, "d2 c2", &error);
 *     char *drawing = kn_state_drawing(state);
 *
 * Four words. A *game* is a set of rules with its options fixed. A *position* is a value: `position_size`
 * plain bytes without pointers, aligned to 16 and copied with memcpy; equal positions are equal bytes. A
 * *history* is the stack of hashes of the positions before the current one; rules that look back (superko,
 * repetition) get it beside the position. A *state* (KnState) is a game in progress: a position with its
 * history and its moves.
 *
 * A *move* is a 64-bit value that only its game reads. A game is over exactly when there is no legal move;
 * where the rules let a player pass, the pass is a move. A turn that is a chain of steps (KN_GAME_CHAINS) is
 * played step by step: the mover is read from the position.
 *
 * A game has two to sixteen roles, numbered from 0. In an alternating game one role has the move, and the
 * type has `mover`, `moves` and `play`. In a simultaneous game (KN_GAME_SIMULTANEOUS) a set of roles has the
 * move, and the type has `movers`, `moves_of` and `play_joint` instead. The kn_game_* functions serve both.
 *
 * To add a game, fill a KnGameType and register it (kn_register, KN_KIND_GAME) or export it from a plug-in
 * (plugin.h). The hooks under "Rules" and "Text" are required; the others are knowledge that some methods
 * use. docs/own-game.md walks through an example. */
#ifndef KNACK_PUBLIC_GAME_H
#define KNACK_PUBLIC_GAME_H

#include <knack/base.h>

KN_BEGIN

typedef uint64_t KnMove;
#define KN_MOVE_NONE UINT64_MAX

enum { KN_ROLES_MAX = 16 };

typedef struct KnGame KnGame;
typedef struct KnGameType KnGameType;

/* The hashes of the positions before the current one, oldest first. `filter`, where there is one, has a bit
 * for each value of a hash's upper KN_HISTORY_BITS bits: where the bit is clear, no hash of the history
 * begins like that, and a rule that looks for one need not walk over them. `trace`, where there is one, is
 * what the type's `trace` has added up over these positions. */
enum { KN_HISTORY_BITS = 14, KN_HISTORY_TRACE = 8 };

typedef struct KnHistory {
    const uint64_t *hashes;
    size_t count;
    const uint64_t *filter; /* 2^KN_HISTORY_BITS bits; may be NULL */
    const uint64_t *trace;  /* KN_HISTORY_TRACE words; may be NULL */
} KnHistory;

/* Whether the history may hold a hash with these upper bits; false is certain. */
static inline bool kn_history_may_hold(const KnHistory *history, uint64_t hash)
{
    uint64_t place = hash >> (64 - KN_HISTORY_BITS);
    return !history->filter || history->filter[place / 64] >> place % 64 & 1;
}

/* A score, from the point of view of the role to move unless a function says otherwise. Proven wins and
 * losses lie beyond +-KN_SCORE_PROVEN, nearer wins higher. Other known payoffs are spread linearly over
 * +-KN_SCORE_PAYOFF; a draw is 0. Heuristic scores stay within +-KN_SCORE_HEURISTIC, about 100 for a man,
 * unless the evaluation estimates payoffs. */
typedef int32_t KnScore;
#define KN_SCORE_WIN       1000000000
#define KN_SCORE_PROVEN    999000000
#define KN_SCORE_PAYOFF    500000000
#define KN_SCORE_HEURISTIC 100000000

/* What a deepening search knows after each finished depth; to know it costs nothing. */
typedef struct KnDeepening {
    int depth;
    int moves; /* that it chooses among */
    KnMove move;
    KnScore score;                    /* for the role that chooses */
    uint64_t nodes;                   /* positions so far, all depths together */
    double seconds;                   /* so far */
    uint64_t depth_nodes, move_nodes; /* positions of this depth, and of those the ones after `move` */
    int rivals;                       /* other moves that it did not show to be worse */
    int beyond; /* moves of the principal variation beyond this depth: captures that had to be followed */
} KnDeepening;

/* Traits of a game. */
enum {
    KN_GAME_SIMULTANEOUS = 1, /* several roles move at the same time */
    KN_GAME_CHAINS = 2,       /* a turn may take several moves by the same role */
    KN_GAME_ZERO_SUM = 4,     /* two roles whose payoffs add up to a constant */
    KN_GAME_LOOKS_BACK = 8,   /* `ended` or `barred` may return true: keep a history */
    KN_GAME_ENDLESS = 16,     /* a game need not end: set a ply limit */
    KN_GAME_TOGETHER = 32     /* moves are squares, which lists may write together: f5d6c3 */
};

/* A named number of a position, seen by one role. Evaluations and decision trees use it. */
typedef struct KnFeature {
    const char *name;
    const char *help;
    double low, high;
} KnFeature;

/* Features of a linear evaluation, seen by the role to move, with weights by phase. Learners find the
 * weights. A game may offer several tables. */
typedef struct KnFeatureTable {
    const char *name;
    const char *help;
    const KnFeature *features;
    int count;
    const double *fixed; /* weights of the first `fixed_count` features that stay as they are, in 1/100 man */
    int fixed_count;
    int (*values)(const KnGame *game, const void *position, double *values); /* returns the phase, from 0 */
    /* The weighted sum, computed sparsely; `weights` are those of all phases. May be NULL. */
    double (*sum)(const KnGame *game, const void *position, const double *weights);
    bool by_name; /* used only when its name is given; the game's features stay the default */
} KnFeatureTable;

/* A hand-written evaluation of a game: `eval=NAME`. The first row is the default. */
typedef struct KnGameEvaluation {
    const char *name;
    const char *summary;
    KnScore (*score)(const KnGame *game, const void *position);
} KnGameEvaluation;

/* A game with its options fixed. The type's `open` fills it; it is read-only afterwards. */
struct KnGame {
    const KnGameType *type;
    const KnContext *context;
    char *spec; /* canonical text */
    size_t position_size;
    int max_moves; /* of one role in one position */
    int roles;
    int nature;                     /* the role that chance plays, or -1 */
    unsigned traits;                /* KN_GAME_... */
    double payoff_low, payoff_high; /* the range of payoffs */
    const char *const *role_names;
    int symmetries;            /* their number, the identity (0) included */
    const KnFeature *features; /* NULL if none */
    int feature_count;
    const KnGameEvaluation *evaluations;  /* ends with a row without a name; NULL if none */
    const KnFeatureTable *feature_tables; /* ends with a row without a name; the first is the default */
    int cells;                            /* of the board; 0 if there is none */
    const char *cell_symbols;             /* a letter for each value of `cell` */
    int phases;                           /* 1 if the game has none */
    void *data;                           /* the game's own; the type's `close` releases it */
};

struct KnGameType {
    KnThing head;

    /* Life. `open` gets a zeroed instance with nature -1, one symmetry, one phase and payoffs -1..1 preset.
     * It may replace game->type by another table of the same game, made for this size or processor. `close`
     * (may be NULL) also follows an `open` that failed. */
    KnStatus (*open)(KnGame *game, const KnOptions *options, KnError *error);
    void (*close)(KnGame *game);

    /* Rules. `moves` returns their number; 0 means that the game is over. `play` gets a legal move. `payoffs`
     * fills one number per role and is called when the game is over. `hash` covers everything that bears on
     * the rest of the game. */
    void (*start)(const KnGame *game, void *position);
    int (*mover)(const KnGame *game, const void *position);
    int (*moves)(const KnGame *game, const void *position, KnMove *moves);
    void (*play)(const KnGame *game, void *position, KnMove move);
    void (*payoffs)(const KnGame *game, const void *position, double *payoffs);
    uint64_t (*hash)(const KnGame *game, const void *position);

    /* Rules of simultaneous games. `movers` returns a bit for each role that moves, 0 when the game is over.
     * A joint move has an entry for each role, KN_MOVE_NONE for those that do not move. `rewards` fills what
     * each role earns by this joint move; payoffs() is then their total. `chances` fills the probabilities of
     * nature's moves where they are not uniform. */
    uint32_t (*movers)(const KnGame *game, const void *position);
    int (*moves_of)(const KnGame *game, const void *position, int role, KnMove *moves);
    void (*play_joint)(const KnGame *game, void *position, const KnMove *joint);
    void (*rewards)(const KnGame *game, const void *before, const KnMove *joint, double *rewards);
    void (*chances)(const KnGame *game, const void *position, const KnMove *moves, int count,
                    double *chances);

    /* Rules that look back. `ended`: the history ends the game here, with these payoffs. `barred`: the
     * history forbids this otherwise legal move. A game never forbids every move. */
    bool (*ended)(const KnGame *game, const void *position, const KnHistory *history, double *payoffs);
    bool (*barred)(const KnGame *game, const void *position, const KnHistory *history, KnMove move);

    /* The same for a whole list, where that is faster: removes the barred moves, keeps the order and returns
     * how many are left. NULL: `barred` is asked move by move. `trace` (may be NULL) sets bits for a position
     * that becomes history. Bits are never cleared within a game, not even by an undo: a bit that is set may
     * cost time, and must not change an answer. */
    int (*keep_allowed)(const KnGame *game, const void *position, const KnHistory *history, KnMove *moves,
                        int count);
    void (*trace)(const KnGame *game, const void *position, uint64_t *trace);

    /* Text. `position_text` writes one line that `parse_position` reads. `draw` writes a board of letters,
     * with ANSI colours if asked. Without `parse_move` (may be NULL) a text is compared with those of the
     * legal moves. `check` (may be NULL) rejects bytes that are no position of this game. */
    void (*move_text)(const KnGame *game, const void *position, KnMove move, KnText *out);
    KnStatus (*parse_move)(const KnGame *game, const void *position, const char *text, KnMove *move,
                           KnError *error);
    void (*position_text)(const KnGame *game, const void *position, KnText *out);
    KnStatus (*parse_position)(const KnGame *game, const char *text, void *position, KnError *error);
    void (*draw)(const KnGame *game, const void *position, bool colour, KnText *out);
    KnStatus (*check)(const KnGame *game, const void *position, KnError *error);

    /* Symmetries: the image of a position, a move and a role (NULL: roles stay) under symmetry s. */
    void (*transform)(const KnGame *game, int symmetry, const void *position, void *image);
    KnMove (*transform_move)(const KnGame *game, int symmetry, const void *position, KnMove move);
    int (*transform_role)(const KnGame *game, int symmetry, int role);

    /* Knowledge. `material` is the weight of a role's men, for adjudication. `points` is a role's margin
     * where points decide. `cell` is the value of one cell; `board` fills all of them (NULL: cell by cell).
     * `cell_place` gives a cell's place in units of a cell, y downwards. */
    void (*feature_values)(const KnGame *game, const void *position, int role, double *values);
    double (*material)(const KnGame *game, const void *position, int role);
    double (*points)(const KnGame *game, const void *position, int role);
    int (*phase)(const KnGame *game, const void *position);
    int (*cell)(const KnGame *game, const void *position, int index);
    void (*board)(const KnGame *game, const void *position, uint8_t *cells);
    void (*cell_place)(const KnGame *game, int index, double *x, double *y);
    void (*cell_name)(const KnGame *game, int index, KnText *out);

    /* Winning as a goal of proof search; for built-in games. */
    const struct KnGoalProvider *goals;

    /* Quiescence search: the moves that keep a position from being quiet; 0 if it is quiet. *may_stand: the
     * mover may also stop here ("stand pat"); false where the rules force a capture. */
    int (*tactical)(const KnGame *game, const void *position, KnMove *moves, bool *may_stand);

    /* A one-to-one code of positions in 64 bits, for retrograde analysis. It may leave out counters. */
    uint64_t (*pack)(const KnGame *game, const void *position);
    void (*unpack)(const KnGame *game, uint64_t code, void *position);

    /* In how many ways a move can be carried out on the board, for perft. NULL: one. */
    int (*paths)(const KnGame *game, const void *position, KnMove move);

    /* The number of legal moves, or of their paths, where counting is faster than listing. May be NULL. */
    int (*count)(const KnGame *game, const void *position, bool paths);
};

/* ---- Games ---- */

/* Opens a game from its spec, for instance "checkers(draw=40)". */
KN_API KnStatus kn_game_open(const KnContext *context, const char *spec, KnGame **game, KnError *error);
KN_API void kn_game_close(KnGame *game);

/* The rules of a position, for alternating and simultaneous games alike. Histories are left out; see KnState.
 */
KN_API uint32_t kn_game_movers(const KnGame *game, const void *position); /* a bit per role; 0 when over */
KN_API bool kn_game_over(const KnGame *game, const void *position);
KN_API int kn_game_moves_of(const KnGame *game, const void *position, int role, KnMove *moves);
KN_API void kn_game_play_joint(const KnGame *game, void *position, const KnMove *joint);
KN_API int kn_game_role(const KnGame *game,
                        const char *name); /* the role of that name; -1 if there is none */

/* Text of moves and positions. The strings are yours; NULL if memory runs out. */
KN_API char *kn_game_move_text(const KnGame *game, const void *position, KnMove move);
KN_API char *kn_game_position_text(const KnGame *game, const void *position);
KN_API char *kn_game_drawing(const KnGame *game, const void *position);
KN_API KnStatus kn_game_parse_move(const KnGame *game, const void *position, int role, const char *text,
                                   KnMove *move, KnError *error);
KN_API KnStatus kn_game_parse_position(const KnGame *game, const char *text, void *position, KnError *error);

/* The contents of every cell of the board, a byte each. */
KN_API void kn_game_board(const KnGame *game, const void *position, uint8_t *cells);

/* The least image of a position over all symmetries, compared as bytes. Returns the symmetry that gives it.
 * `scratch` has room for one position. */
KN_API int kn_game_normalise(const KnGame *game, const void *position, void *normal, void *scratch);

/* The game's own evaluation by name; NULL name: the default. Returns NULL if there is none. */
KN_API const KnGameEvaluation *kn_game_evaluation(const KnGame *game, const char *name);

/* The score of a finished position for a role that gets `payoff`, `ply` moves from the root. */
KN_API KnScore kn_score_of_payoff(const KnGame *game, double payoff, int ply);

/* ---- Games in progress ---- */

/* A state knows legality and the end in full, history included, and can undo. Pointers into it hold until the
 * next play or undo. The game must outlive it. */
typedef struct KnState KnState;

KN_API KnState *kn_state_new(const KnGame *game); /* at the start of the game; NULL if memory runs out */
KN_API void kn_state_free(KnState *state);

/* Begins again, from `position` (NULL: the start) or from a position in the game's notation. */
KN_API void kn_state_reset(KnState *state, const void *position);
KN_API KnStatus kn_state_set(KnState *state, const char *position, KnError *error);

KN_API const KnGame *kn_state_game(const KnState *state);
KN_API const void *kn_state_position(const KnState *state);
KN_API KnHistory kn_state_history(const KnState *state);
KN_API size_t kn_state_plies(const KnState *state); /* joint moves played */

/* The position before ply i, and the joint move played there. */
KN_API const void *kn_state_position_at(const KnState *state, size_t ply);
KN_API const KnMove *kn_state_joint_at(const KnState *state, size_t ply);

/* Who moves: a bit per role, 0 when the game is over; and the first of these roles, -1 when it is over. */
KN_API uint32_t kn_state_movers(const KnState *state);
KN_API int kn_state_mover(const KnState *state);

/* Lists the legal moves of a role and returns their number; `moves` has room for game->max_moves. */
KN_API int kn_state_moves(const KnState *state, int role, KnMove *moves);

/* Whether the game is over, by the rules or by the history. Fills the payoffs (one per role) unless NULL. */
KN_API bool kn_state_over(const KnState *state, double *payoffs);

/* Plays a legal move of an alternating game, or a joint move with an entry per role. That it is legal is the
 * caller's word: kn_state_moves lists what is, and moves in text (kn_state_play_text) are checked. */
KN_API KnStatus kn_state_play(KnState *state, KnMove move, KnError *error);
KN_API KnStatus kn_state_play_joint(KnState *state, const KnMove *joint, KnError *error);

/* Plays moves in the game's notation, separated by spaces; a joint move is written a|b, with - for a role
 * that does not move. Plays all of them or none; the error names the move that does not fit. */
KN_API KnStatus kn_state_play_text(KnState *state, const char *moves, KnError *error);

KN_API bool kn_state_undo(KnState *state); /* false at the start */

/* The position, a drawing of it, and the moves so far as text. The strings are yours; NULL if memory runs
 * out. */
KN_API char *kn_state_text(const KnState *state);
KN_API char *kn_state_drawing(const KnState *state);
KN_API char *kn_state_moves_text(const KnState *state);

/* ---- Perft: counting the game tree, the usual test of a move generator ---- */

enum {
    KN_PERFT_PATHS = 1,   /* count a move once for each way to carry it out on the board */
    KN_PERFT_HISTORY = 2, /* obey rules that look back, with the counted part as the history */
    KN_PERFT_LEAVES = 4,  /* count the leaves of the tree, games that end sooner included */
    KN_PERFT_DEPTH_MAX = 1000
};

typedef struct KnPerft {
    unsigned flags;
    int jobs;               /* threads; <= 0: one per core */
    const KnCancel *cancel; /* may be NULL */
} KnPerft;

/* Counts the sequences of exactly `depth` moves from a position. `how` NULL: no flags, one thread. The count
 * does not depend on the number of threads. */
KN_API KnStatus kn_perft(const KnGame *game, const void *position, int depth, const KnPerft *how,
                         uint64_t *count, KnError *error);

KN_END

#endif
