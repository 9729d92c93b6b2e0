/* TP-Rote (Lock 2003, chapter 2): temporal patterns by rote. Short sequences of moves that followed a
 * state are counted over games; frequent ones are joined into longer ones and kept as trees of moves under
 * the state where they begin.
 *
 *     KnTpRote *rote;
 *     kn_tp_rote_open(view, &settings, &rote, &error)
 *     kn_tp_rote_gather(rote, &played, &error)             after every game: the sequence hash tables (2.2.1)
 *     kn_tp_rote_filter(rote, &error)                      once: Filter and its kin (table 1)
 *     KnTpRoteRun run;
 *     kn_tp_rote_enter(rote, role, position, &run)         whether a tree begins in this state
 *     kn_tp_rote_choices(rote, &run, actions, max)         what comes next in it, on the board as it is
 *     kn_tp_rote_follow(rote, &run, action)                after a move; false if the tree does not have it
 *
 * Trees of odd length begin with the player's own move, those of even length with the opponent's.
 * Everything is stored on the board of the normal state; a run remembers under which symmetries it
 * applies.
 *
 * KnTpRoteSettings chooses among interpretations where the thesis is open; docs/measurements/hoyle.md names
 * those in use, and why.
 *
 * Ownership: kn_tp_rote_open / kn_tp_rote_close; the board view outlives it. After filtering it is
 * read-only, and threads may share it. */
#ifndef KNACK_METHODS_HOYLE_TP_ROTE_H
#define KNACK_METHODS_HOYLE_TP_ROTE_H

#include "base/json.h"
#include "methods/hoyle/state_table.h"
#include "methods/hoyle/played_game.h"

enum { KN_ROTE_LENGTH = 60 }; /* the longest sequence */

typedef struct KnTpRoteSettings {
    int significant;    /* a state seen more often than this counts */
    double cutoff_base; /* a sequence must make up more than this of what followed its state, less .01 for
                           each further `significant` times */
    bool stops; /* Table 1: a sequence is not extended beyond a state that Do-Not-Maintain has marked; 2.2.2
                   only bars it as a key */
    bool ends;  /* Do-Not-Maintain counts a sequence for the state where it ends only, where it is always the
                   other's turn; else for those on its way too */
} KnTpRoteSettings;

/* A move in a tree. Numbers of nodes; -1: none. */
typedef struct KnRoteNode {
    KnAction action;
    int child, sibling;
} KnRoteNode;

typedef struct KnRoteTree {
    int role;  /* whose tree it is */
    int key;   /* in keys[role] */
    int first; /* its first moves, siblings of each other; -1 once removed */
} KnRoteTree;

typedef struct KnRoteTable KnRoteTable; /* a sequence hash table; rote.c's own */

typedef struct KnTpRote {
    const KnBoardView *view;
    KnTpRoteSettings settings;
    KnRoteTable *tables[2]; /* by player; NULL once filtered */
    KnStateTable keys[2];
    int *tree_of[2]; /* by number of key */
    KnRoteTree *trees;
    int tree_count, tree_capacity;
    KnRoteNode *nodes;
    int node_count, node_capacity;
    bool filtered;
} KnTpRote;

KnStatus kn_tp_rote_open(const KnBoardView *view, const KnTpRoteSettings *settings, KnTpRote **rote,
                         KnError *error);
void kn_tp_rote_close(KnTpRote *rote);
KnStatus kn_tp_rote_gather(KnTpRote *rote, const KnPlayedGame *played, KnError *error);
KnStatus kn_tp_rote_filter(KnTpRote *rote, KnError *error);

/* ---- Playing by it ---- */

typedef struct KnTpRoteRun {
    int next; /* the first of the moves that come next; -1: nothing runs */
    int symmetries[KN_BOARD_SYMMETRIES], turn_count;
} KnTpRoteRun;

bool kn_tp_rote_enter(const KnTpRote *rote, int role, const void *position, KnTpRoteRun *run);
bool kn_tp_rote_follow(const KnTpRote *rote, KnTpRoteRun *run, KnAction action);
int kn_tp_rote_choices(const KnTpRote *rote, const KnTpRoteRun *run, KnAction *actions, int max);

/* ---- What there is ---- */

typedef struct KnTpRoteCounts {
    int trees, sequences, moves; /* sequences: ways from the root to a leaf */
} KnTpRoteCounts;
KnTpRoteCounts kn_tp_rote_counts(const KnTpRote *rote);

/* Imitate: the same knowledge as pairs of a state and the moves to be made there. */
typedef struct KnImitate {
    const KnBoardView *view;
    KnStateTable states[2]; /* by player */
    struct {
        KnAction action;
        int next;
    } * moves;
    int move_count, move_capacity;
    int *first[2];
} KnImitate;

KnStatus kn_imitate_build(const KnTpRote *rote, KnImitate **imitate, KnError *error);
void kn_imitate_close(KnImitate *imitate);
int kn_imitate_choices(const KnImitate *imitate, int role, const void *position, KnAction *actions, int max);
int kn_imitate_states(const KnImitate *imitate);

/* Trees as JSON that a person can read; and back, every move checked to be legal where it stands. */
json_t *kn_tp_rote_json(const KnTpRote *rote);
KnStatus kn_tp_rote_parse(KnTpRote *rote, const KnJson *trees,
                          KnError *error); /* into a fresh one, which is then filtered */
void kn_tp_rote_show(const KnTpRote *rote, int most, KnText *out);

/* Inside: makes a node, or a tree for a key. */
int kn_tp_rote_add_node(KnTpRote *rote, KnAction action); /* -1 if memory runs out */
KnStatus kn_tp_rote_add_tree(KnTpRote *rote, int role, const void *normal, int *tree, KnError *error);
/* Plays an action; false if no legal move does it. */
bool kn_tp_rote_apply(const KnBoardView *view, void *position, KnAction action);

#endif
