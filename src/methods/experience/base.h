/* The experience base of GINA (De Jong and Schultz 1988): a graph of the positions that were met in play,
 * with their outcomes, in one LMDB file.
 *
 * The files of this folder, by section of the paper:
 *   4.1.1  base.c, node.c (what is kept of a position), position_keys.c, base_file (file.c, header.c)
 *   4.1.2  add_games.c, plays.c, minmax.c and minmax_cycles.c (min-max values), node_cache.c
 *   4.1.3  move_rule.c (GINA's move rule and others), player.c (the player `experience`), explain.c
 * Ours: the rules explore, deviate, curious, expect (expected_value.c) and trust (trust_rule.c,
 * entry_features.c); walk_and_merge.c, check.c and damaged_file.c, which keep a file sound; import.c.
 *
 * What is kept are games, each with the times that it was played and against whom; the graph is what follows
 * from them. A game is known by its id, a digest of its positions and its outcome, and a time that it was
 * played by an id of its own (KnBasePlay): five wins and a loss through the same line count as six games,
 * while adding one of them twice, or merging a base that has it, changes nothing. Per position the base holds
 * its children and parents; its frequency, as the number of paths below it (the paper's), of games through it
 * and of distinct games; their mean outcome, together and by opponent; the value backed up by min-max from
 * outcomes actually seen, in points from the first player's view; and, beyond the paper, the best
 * unexplored move with the score that a search gave it. Values are the fixpoint over the graph: where
 * positions repeat (morris, draughts), a side that can force an outcome better than a draw by known moves
 * gets it, and what neither can force is a draw, since either may go round for ever.
 *
 * A key identifies positions: `exact` by their bytes, `board` by cells and mover (counters aside),
 * `features` by the values of the game's features (a coarse key: different positions share a node). With
 * `symmetry` images of a position are one; symmetries that exchange the roles are left out, since values
 * are the first player's. With a `limit` the games that were longest not seen are forgotten while more
 * positions are held.
 *
 * A game is durable once kn_base_commit (or a kn_base_add outside of a transaction) returns: after kill -9
 * or a loss of power it is there. Any number of processes and threads may read while one process writes; a
 * second writing process is refused.
 *
 * Ownership: kn_base_open / kn_base_close; context and game must outlive it. A KnBase is for one thread at
 * a time; threads open their own, and share the file behind it through the context. Opening one file by
 * two contexts of a process is not supported (LMDB forbids it). */
#ifndef KNACK_METHODS_EXPERIENCE_BASE_H
#define KNACK_METHODS_EXPERIENCE_BASE_H

#include "base/progress.h"
#include "games/game.h"

typedef struct KnBase KnBase;

typedef enum KnBaseKey { KN_BASE_EXACT, KN_BASE_BOARD, KN_BASE_FEATURES, KN_BASE_KEYS } KnBaseKey;

const char *kn_base_key_name(KnBaseKey key); /* "exact", "board", "features" */

/* Fixed when a base is made. */
typedef struct KnBaseKind {
    bool symmetry;
    KnBaseKey key;
    uint64_t limit; /* positions; 0: none */
} KnBaseKind;

/* Format 1 counted each distinct game once and knew no opponents. It is read as such, and not written. */
enum { KN_BASE_FORMAT = 2, KN_BASE_SPEC_MAX = 512, KN_BASE_OPPONENTS = 255 };

/* The header of a file. */
typedef struct KnBaseHeader {
    char game[KN_BASE_SPEC_MAX];
    KnBaseKind kind;
    int format;
    bool pdn_marked; /* PDN results were read with Black's score first, as the archives write them */
} KnBaseHeader;

/* Reads the header and looks at a sample of the content, in a child process, so that a damaged page cannot
 * take the caller down. */
KnStatus kn_base_peek(const char *path, KnBaseHeader *header, KnError *error);

/* Whether the file is what is left where making a base was cut short before anything was in it: kn_base_open
 * may make it again. */
bool kn_base_empty(const char *path);

enum {
    KN_BASE_WRITE = 1, /* games may be added */
    KN_BASE_MAKE = 2,  /* make the file if there is none, of the kind given */
    KN_BASE_LOOSE = 4 /* commits do not wait for the disk: for scratch files. kill -9 loses nothing, a loss of
                         power may lose the file */
};

/* `kind` is for making, and may be NULL: symmetry, exact keys, no limit. A file that exists keeps its own. */
KnStatus kn_base_open(const KnContext *context, const KnGame *game, const char *path, unsigned mode,
                      const KnBaseKind *kind, KnBase **base, KnError *error);
void kn_base_close(KnBase *base); /* what was not committed is dropped */

const KnBaseKind *kn_base_kind(const KnBase *base);
bool kn_base_pdn_marked(const KnBase *base); /* KnBaseHeader.pdn_marked */
int kn_base_format(const KnBase *base);

/* Whether experience can be kept of a game: two roles that take turns, one winning what the other loses. */
KnStatus kn_base_suits(const KnGame *game, KnError *error);

/* The outcome of a game in points from the first role's view: the margin where points decide and the game
 * is over, else the payoff less what a draw pays. */
double kn_base_outcome(const KnState *state, const double *payoffs);

/* ---- writing ---- */

/* Between begin and commit games are added; the calls must come from one thread. Whatever fails in between
 * drops everything since begin. */
KnStatus kn_base_begin(KnBase *base, KnError *error);
KnStatus kn_base_commit(KnBase *base, KnError *error);
void kn_base_abort(KnBase *base);

/* One time that a game was played. */
typedef struct KnBasePlay {
    uint64_t id;          /* tells it from the other times; 0: it is not known from elsewhere, and new */
    const char *opponent; /* as the arena names him; NULL or "": nobody said. A base tells
                             KN_BASE_OPPONENTS of them apart, and counts the others as nameless */
} KnBasePlay;

/* The id of a play that is known by a text or by a number. */
uint64_t kn_base_play_id(const char *text, uint64_t number);

/* Adds a finished game with its outcome, as played once more; in a transaction of its own unless one has
 * begun. `play` NULL: without an id or an opponent. *added (may be NULL): this play was new. */
KnStatus kn_base_add(KnBase *base, const KnState *state, double outcome, const KnBasePlay *play, bool *added,
                     KnError *error);

/* The same for several plays of one game; *added counts those that were new. */
KnStatus kn_base_add_plays(KnBase *base, const KnState *state, double outcome, const KnBasePlay *plays,
                           size_t count, uint64_t *added, KnError *error);

/* Notes what a search said of a known position: its best unexplored move, or the move that it advised. Of an
 * unknown one nothing is noted. Exact keys only. */
KnStatus kn_base_note(KnBase *base, const void *position, KnMove move, KnScore score, int depth,
                      KnError *error);

/* ---- consulting ---- */

typedef struct KnBaseMove {
    KnMove move;
    bool explored;      /* it was played from here */
    uint32_t child;     /* if so, the position that it leads to: the same for mirror images */
    double value, mean; /* of what follows; first player's view, in points */
    uint64_t paths, games, distinct;
    uint64_t met; /* of `games` those against the opponent of kn_base_against, and their mean */
    double met_mean;
} KnBaseMove;

typedef struct KnBaseView {
    bool known;
    double value, mean;
    uint64_t paths, games, distinct;
    uint64_t met;
    double met_mean;
    int count, explored; /* of the moves asked about */
    KnMove advice;       /* the move that was noted here, explored or not; KN_MOVE_NONE: none was */
    KnMove leaf;         /* the same for unexplored moves: the best of them according to a search */
    KnScore leaf_score;  /* the mover's */
    int leaf_depth;
} KnBaseView;

/* Whom the questions that follow are about; NULL: nobody. */
KnStatus kn_base_against(KnBase *base, const char *opponent, KnError *error);

/* What is known of a position and of these moves; `rows` has room for `count`. */
KnStatus kn_base_look(KnBase *base, const void *position, const KnMove *moves, int count, KnBaseMove *rows,
                      KnBaseView *view, KnError *error);

/* ---- the whole ---- */

typedef struct KnBaseStat {
    uint64_t positions, edges, games, plays, bytes, transpositions,
        leaves; /* games: distinct ones, played `plays` times; transpositions: positions with several parents
                 */
} KnBaseStat;

KnStatus kn_base_stat(KnBase *base, KnBaseStat *stat, KnError *error);

/* Numbers that are kept, without counting: positions, edges, games and plays only. */
KnStatus kn_base_size(KnBase *base, KnBaseStat *stat, KnError *error);

/* Looks at everything, in a child process: every record's check sum, that children and parents agree, that
 * the counts are those of the games and the values the fixpoint. KN_NO or KN_INPUT with the first thing that
 * is wrong. */
KnStatus kn_base_check(const KnContext *context, const KnGame *game, const char *path, KnError *error);

/* Rewrites the file without its holes. Nobody else may have it open. */
KnStatus kn_base_compact(const char *path, KnError *error);

/* Adds every play of `from`, committing now and then; *added counts those that were new. */
KnStatus kn_base_merge(KnBase *into, KnBase *from, KnProgress *progress, uint64_t *added, KnError *error);

/* ---- walking ---- */

typedef struct KnBasePosition {
    uint32_t number;
    const void *position;
    bool valued;
    double value, mean;
    uint64_t paths, games, distinct;
    uint32_t child_count, parent_count;
    const uint32_t *children, *parents;
    KnMove leaf;
    KnScore leaf_score;
    int leaf_depth;
} KnBasePosition;

typedef struct KnBaseGame {
    const char *id; /* 32 hex digits */
    double outcome;
    const KnState *state;
    const KnBasePlay *plays;
    size_t play_count;
} KnBaseGame;

/* By number, and by id. What is handed out holds until the visit returns. */
typedef KnStatus (*KnVisitPosition)(void *user, const KnBasePosition *position, KnError *error);
KnStatus kn_base_positions(KnBase *base, KnVisitPosition visit, void *user, KnError *error);
typedef KnStatus (*KnVisitGame)(void *user, const KnBaseGame *game, KnError *error);
KnStatus kn_base_games(KnBase *base, KnVisitGame visit, void *user, KnError *error);

/* Opponents with their games, in the order in which they were met; "" for those without a name. */
typedef KnStatus (*KnVisitOpponent)(void *user, const char *name, uint64_t games, KnError *error);
KnStatus kn_base_opponents(KnBase *base, KnVisitOpponent visit, void *user, KnError *error);

#endif
