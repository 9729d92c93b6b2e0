/* TP-Rote (Lock 2003, chapter 2): temporal patterns by rote. Short sequences of moves that followed a state
 * are counted over contests; those that came often are joined into longer ones and kept as trees of moves
 * under the state they begin at.
 *
 *     KnRote *rote;
 *     kn_rote_open(scene, &settings, &rote, &error)
 *     kn_rote_gather(rote, &contest, &error)        after every contest: the sequence hash tables, of both
 * players kn_rote_filter(rote, &error)                  once: Filter, Attempt-Build, Do-Not-Maintain,
 * refilter; the tables are given up KnRoteRun run; kn_rote_enter(rote, role, position, &run)     is this
 * state the key of a tree of this player's? kn_rote_choices(rote, &run, actions, max)     what comes next in
 * it, on the board as it lies kn_rote_follow(rote, &run, action)            goes along with a move that was
 * made; false if the tree does not know it
 *
 * Trees of odd length begin with the player's own move, those of even length with the other's. Everything is
 * stored in the frame of the normal state; a run remembers under which symmetries it applies.
 *
 * How the thesis is read where it is open is set by KnRoteSettings; docs/hoyle.md tells which readings were
 * chosen, and why.
 *
 * Ownership: kn_rote_open / kn_rote_close; the scene outlives it. After filtering it is read-only and may be
 * shared by threads. */
#ifndef KNACK_LEARN_HOYLE_ROTE_H
#define KNACK_LEARN_HOYLE_ROTE_H

#include "base/json.h"
#include "learn/hoyle/album.h"
#include "learn/hoyle/watched.h"

enum { KN_ROTE_LENGTH = 60 }; /* the longest sequence */

typedef struct KnRoteSettings {
    int significant;    /* a state seen more often than this counts */
    double cutoff_base; /* a sequence must make up more than this of what followed its state, less .01 for
                           each further `significant` times */
    bool stops; /* Table 1: a sequence is not extended beyond a state that Do-Not-Maintain has marked; 2.2.2
                   only bars it as a key */
    bool ends;  /* Do-Not-Maintain counts a sequence for the state where it ends only, where it is always the
                   other's turn; else for those on its way too */
} KnRoteSettings;

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

typedef struct KnRote {
    const KnScene *scene;
    KnRoteSettings settings;
    KnRoteTable *tables[2]; /* by player; NULL once filtered */
    KnAlbum keys[2];
    int *tree_of[2]; /* by number of key */
    KnRoteTree *trees;
    int tree_count, tree_capacity;
    KnRoteNode *nodes;
    int node_count, node_capacity;
    bool filtered;
} KnRote;

KnStatus kn_rote_open(const KnScene *scene, const KnRoteSettings *settings, KnRote **rote, KnError *error);
void kn_rote_close(KnRote *rote);
KnStatus kn_rote_gather(KnRote *rote, const KnWatched *contest, KnError *error);
KnStatus kn_rote_filter(KnRote *rote, KnError *error);

/* ---- Playing by it ---- */

typedef struct KnRoteRun {
    int next; /* the first of the moves that come next; -1: nothing runs */
    int turns[KN_SCENE_TURNS], turn_count;
} KnRoteRun;

bool kn_rote_enter(const KnRote *rote, int role, const void *position, KnRoteRun *run);
bool kn_rote_follow(const KnRote *rote, KnRoteRun *run, KnAction action);
int kn_rote_choices(const KnRote *rote, const KnRoteRun *run, KnAction *actions, int max);

/* ---- What there is ---- */

typedef struct KnRoteCounts {
    int trees, sequences, moves; /* sequences: ways from the root to a leaf */
} KnRoteCounts;
KnRoteCounts kn_rote_counts(const KnRote *rote);

/* Imitate: the same knowledge as pairs of a state and the moves to be made there. */
typedef struct KnImitate {
    const KnScene *scene;
    KnAlbum states[2]; /* by player */
    struct {
        KnAction action;
        int next;
    } * moves;
    int move_count, move_capacity;
    int *first[2], first_capacity[2];
} KnImitate;

KnStatus kn_imitate_build(const KnRote *rote, KnImitate **imitate, KnError *error);
void kn_imitate_close(KnImitate *imitate);
int kn_imitate_choices(const KnImitate *imitate, int role, const void *position, KnAction *actions, int max);
int kn_imitate_states(const KnImitate *imitate);

/* Trees as JSON that a person can read; and back, every move checked to be legal where it stands. */
json_t *kn_rote_json(const KnRote *rote);
KnStatus kn_rote_parse(KnRote *rote, const KnJson *trees,
                       KnError *error); /* into a fresh one, which is then filtered */
void kn_rote_show(const KnRote *rote, int most, KnText *out);

/* Inside: makes a node, or a tree for a key. */
int kn_rote_add_node(KnRote *rote, KnAction action); /* -1 if memory runs out */
KnStatus kn_rote_add_tree(KnRote *rote, int role, const void *normal, int *tree, KnError *error);
/* Plays an action; false if no legal move does it. */
bool kn_rote_apply(const KnScene *scene, void *position, KnAction action);

#endif
