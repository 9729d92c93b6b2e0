/* The tree of simultaneous-move MCTS (mcts_simultaneous.h), shared by the files that make it up:
 *
 *   mcts_simultaneous_tree.c      memory, nodes by position (a transposition table), joint moves
 *   mcts_simultaneous_prune.c     room in a full tree
 *   mcts_simultaneous_amaf.c      moves that did well in playouts (GRAVE)
 *   mcts_simultaneous_playouts.c  what a new leaf is worth: single playouts, or many leaves at a time
 *   mcts_simultaneous_values.c    proven values (MCTS-Solver), scores, the answer
 *   mcts_simultaneous_joint.c     proven values where several roles choose at once (matrix games)
 *   mcts_simultaneous_threads.c   several threads (root parallelisation)
 *   mcts_simultaneous.c           selection (decoupled UCT), backpropagation, the main loop
 *
 * Internal to them. */
#ifndef KNACK_SEARCH_MCTS_SIMULTANEOUS_TREE_H
#define KNACK_SEARCH_MCTS_SIMULTANEOUS_TREE_H

#include "base/assert.h"
#include "games/gdl/gdl.h"
#include "games/gdl/playouts.h"
#include "games/playout.h"
#include "search/mcts_simultaneous.h"

#define KN_SMCTS_NONE UINT32_MAX

enum { KN_SMCTS_MANY = -2, KN_SMCTS_NOBODY = -1 }; /* who decides at a node, besides a role */

/* Statistics of one of a role's moves at a node. Where the role alone decides, also where the move leads.
 * Selection reads all actions of a node, so it must not touch their children: `closed` repeats, from the
 * first time that a path finds it, that the child is proved. */
typedef struct KnSmctsAction {
    KnMove move;
    double total; /* of results in 0..1 */
    uint32_t visits : 31;
    uint32_t closed : 1;
    uint32_t child;
} KnSmctsAction;

/* How often a role's move was made in playouts below a node, and what came of it. */
typedef struct KnSmctsAmaf {
    uint32_t visits;
    float total;
} KnSmctsAmaf;

/* The moves of all roles stand together in the list of actions, role after role. */
typedef struct KnSmctsNode {
    uint64_t hash;
    uint32_t first; /* of its actions */
    uint32_t visits;
    uint32_t table;    /* of AMAF values; KN_SMCTS_NONE: none */
    uint16_t distance; /* to the end of the game, where it is proved */
    int8_t decider;
    bool expanded, proved;
} KnSmctsNode;

/* Where a joint move leads from a node at which several roles decide. */
typedef struct KnSmctsEdge {
    uint64_t key; /* 0: free */
    uint32_t parent;
    uint32_t child : 31;
    uint32_t closed : 1; /* as of an action */
} KnSmctsEdge;

/* What the proofs below a node at which several roles choose say of a role's moves. */
typedef enum KnSmctsKnown {
    KN_SMCTS_OPEN,
    KN_SMCTS_ALIKE, /* whatever it chooses, the results are the same */
    KN_SMCTS_MIXED  /* it has a best strategy, pure or mixed */
} KnSmctsKnown;

/* A node of the path, and each role's action there; KN_SMCTS_NONE: the role does not move. Behind them stand
 * the results that their statistics count until the playout's own is known (kn_smcts_lent). */
typedef struct KnSmctsStep {
    uint32_t node;
    uint32_t chosen[];
} KnSmctsStep;

/* A move of the root, and its action. */
typedef struct KnSmctsPlace {
    KnMove move;
    uint32_t action;
} KnSmctsPlace;

/* A leaf whose playout runs in a lane of the bit-parallel playouts, with the path to it. */
typedef struct KnSmctsLane {
    uint32_t leaf; /* KN_SMCTS_NONE: not known yet, or beyond the full tree */
    int length;    /* of the path */
    bool busy;
    bool over;     /* the game is over at the leaf */
    double judged; /* the evaluation of the leaf for the first role, where there is one */
} KnSmctsLane;

struct KnMctsSimultaneous {
    const KnGame *game;
    KnGdlMachine *machine; /* of a propositional network, for fast playouts; NULL: none */
    KnMctsSimultaneousOptions options;
    const KnEvaluation *evaluation; /* of leaves, instead of playouts; NULL: playouts */
    KnMeter meter;
    KnPlayout playout;
    size_t stride; /* of positions */
    uint32_t capacity, count, action_capacity, action_count;
    KnSmctsNode *nodes;
    unsigned char *positions;
    uint32_t *lengths; /* how many moves each role has at each node */
    double *proofs;    /* results of all roles at each node that is proved */
    bool unopposed;    /* an end was met at which what one gained the other did not lose */
    KnSmctsAction *actions;
    uint32_t *expansions; /* the nodes in the order of their actions */
    uint32_t expansion_count;
    uint32_t *slots; /* nodes by hash, index + 1 */
    uint32_t slot_mask;
    KnSmctsEdge *edges;
    uint32_t edge_mask, edge_count;
    unsigned char *path;  /* KnSmctsSteps: the present one, within `paths` */
    unsigned char *paths; /* the path of single playouts or, with lanes, of each lane */
    size_t step_size;
    KnSmctsLane *lanes;     /* NULL: no bit-parallel playouts so far */
    int flying;             /* lanes that are busy */
    unsigned char *playing; /* the position of a playout */
    bool *barred;           /* actions of the root that are not allowed */
    KnSmctsPlace *places;   /* its moves in ascending order, to find them among the actions */
    KnRootMove *root;
    KnMove *pv;
    uint64_t begun, playouts;             /* begun, and ended, */
    uint64_t played;                      /* and singly, from leaves that are not proved */
    uint32_t origin;                      /* the root of the present run, */
    bool at_once;                         /* where several roles have a choice, */
    int viewpoint;                        /* and for whom it is */
    int batch;                            /* most lanes in use; 1: single playouts */
    double single_seconds, batch_seconds; /* of one playout, and of a batch; 0: not measured */
    bool full;                            /* a node or an edge found no room since the last pruning, */
    bool stuck;                           /* which could not make any */
    KnSmctsAmaf *tables;                  /* a row for each action of the propnet in each table; NULL: none */
    double *table_totals;                 /* of results, by table and role */
    uint32_t *table_games;
    uint32_t *free_tables, free_count, table_count;
    uint32_t table_size, table_moves; /* rows of a table; moves of a role in `action_of` */
    uint32_t *action_of;              /* by role and move: the propnet's action */
    struct KnSmctsTeam *team;         /* the other threads; NULL: none */
    atomic_bool *halt;                /* of the team; NULL: none */
    KnGdlMade made;                   /* the moves of the playout that is backed up */
    uint32_t made_room;
};

static inline unsigned char *kn_smcts_position(const KnMctsSimultaneous *m, uint32_t node)
{
    KN_ASSERT(node < m->count);
    return m->positions + node * m->stride;
}

/* The numbers of moves of all roles at a node. */
static inline uint32_t *kn_smcts_lengths(const KnMctsSimultaneous *m, uint32_t node)
{
    return m->lengths + node * (size_t)m->game->roles;
}

/* The results of all roles at a proved node. */
static inline double *kn_smcts_proof(const KnMctsSimultaneous *m, uint32_t node)
{
    KN_ASSERT(node < m->count);
    return m->proofs + node * (size_t)m->game->roles;
}

static inline KnSmctsStep *kn_smcts_step(const KnMctsSimultaneous *m, int ply)
{
    KN_ASSERT(ply >= 0 && ply <= KN_SEARCH_PLIES);
    return (KnSmctsStep *)(void *)(m->path + (size_t)ply * m->step_size);
}

static inline float *kn_smcts_lent(const KnMctsSimultaneous *m, KnSmctsStep *step)
{
    return (float *)(void *)(step->chosen + m->game->roles);
}

/* Whether an action leads to a proved node. */
static inline bool kn_smcts_settled(const KnMctsSimultaneous *m, const KnSmctsAction *action)
{
    return action->child != KN_SMCTS_NONE && m->nodes[action->child].proved;
}

/* Whether AMAF values are in use. Without playouts they would only repeat the tree; where several roles
 * choose at once they cost playouts and mislead, since what a move is worth hangs on what the others do just
 * then. */
static inline bool kn_smcts_amaf(const KnMctsSimultaneous *m)
{
    return m->tables && !m->evaluation && !m->at_once;
}

static inline double kn_smcts_exploration(const KnMctsSimultaneous *m)
{
    return m->evaluation ? m->options.judged_exploration : m->options.exploration;
}

/* A payoff as a result from 0 to 1. */
static inline double kn_smcts_result(const KnGame *game, double payoff)
{
    double range = game->payoff_high - game->payoff_low;
    return range > 0 ? (payoff - game->payoff_low) / range : 0.5;
}

/* ---- Tree ---- */

KnSmctsAction *kn_smcts_actions(const KnMctsSimultaneous *m, uint32_t node, int role);

/* The node of a position, new if it is unknown; the end of a game is proved at once. KN_SMCTS_NONE: full. */
uint32_t kn_smcts_node(KnMctsSimultaneous *m, const void *position);

/* The same where the caller knows whether the game is over there, and proves it then. */
uint32_t kn_smcts_node_unasked(KnMctsSimultaneous *m, const void *position);
bool kn_smcts_expand(KnMctsSimultaneous *m, uint32_t node); /* false: full */

/* Makes room: drops what cannot be reached from the root, then nodes with few visits, until the tree is half
 * full. Nodes get new numbers; the root's is m->origin. False: memory runs out, or all nodes are large. */
bool kn_smcts_prune(KnMctsSimultaneous *m, uint32_t root);

/* Puts a node into the table of nodes by hash. */
void kn_smcts_register(KnMctsSimultaneous *m, uint32_t node);

/* Where the joint move of a step leads; KN_SMCTS_NONE: it is new. */
uint32_t kn_smcts_known(const KnMctsSimultaneous *m, const KnSmctsStep *step);

/* The same, making a new node; KN_SMCTS_NONE: full. Where the move is new, m->playing is the position after
 * it. */
uint32_t kn_smcts_follow(KnMctsSimultaneous *m, const KnSmctsStep *step);

/* Makes m->playing the node to which the joint move of a step leads, unasked; KN_SMCTS_NONE: full. */
uint32_t kn_smcts_link(KnMctsSimultaneous *m, const KnSmctsStep *step);

/* The number of a role's move among the actions of the propnet. */
static inline uint32_t kn_smcts_action_of(const KnMctsSimultaneous *m, int role, KnMove move)
{
    return m->action_of[(size_t)role * m->table_moves + move];
}

/* The edge of a joint move, given by the actions of all roles; its key is 0 if it is unknown. */
KnSmctsEdge *kn_smcts_edge(const KnMctsSimultaneous *m, uint32_t node, uint64_t key);
uint64_t kn_smcts_edge_key(const KnMctsSimultaneous *m, uint32_t node, const uint32_t *chosen);

/* ---- Selection and backpropagation ---- */

/* The natural logarithm, to .004: selection needs no more, and asks at every step. */
static inline float kn_smcts_log(uint32_t visits)
{
    int exponent = 31 - __builtin_clz(visits);
    float mantissa = (float)visits / (float)(UINT32_C(1) << exponent);
    return 0.693147f * ((float)exponent + (-0.344845f * mantissa + 2.024658f) * mantissa - 1.674877f);
}

/* Goes down from the root to a leaf, along m->path. KN_SMCTS_NONE: the tree is full; m->playing is the
 * position after the last move. False when the budget ends. If `fresh` is given, new moves are not made: it
 * says whether the last one is new, and leads to no node yet. */
bool kn_smcts_descend(KnMctsSimultaneous *m, uint32_t *leaf, int *length, bool *fresh);

/* Counts a visit of everything on the path, at once: with several leaves in work that is a virtual loss,
 * which spreads them. `by` -1 takes it back. */
void kn_smcts_count(KnMctsSimultaneous *m, uint32_t leaf, int length, int by);

/* Adds the results to every action of the path, and carries proofs up from a proved leaf. */
void kn_smcts_back_up(KnMctsSimultaneous *m, int length, const double *results, bool proving);

/* ---- Playouts ---- */

/* Fills results with what a leaf is worth to each role. False when the budget ends. */
bool kn_smcts_playout(KnMctsSimultaneous *m, uint32_t node, double *results);
bool kn_smcts_playout_single(KnMctsSimultaneous *m, double *results); /* from m->playing, step by step */

/* How many lanes to use under a clock; 1: single playouts. */
int kn_smcts_choose_batch(KnMctsSimultaneous *m, const void *position, double seconds);

/* The main loop with a leaf in each lane. */
KnStatus kn_smcts_run_lanes(KnMctsSimultaneous *m, KnError *error);

/* Whether the run may begin another playout. */
bool kn_smcts_wanted(const KnMctsSimultaneous *m);

/* ---- Threads ---- */

/* Opens the searches of the other threads, if options ask for some. */
KnStatus kn_smcts_team_open(KnMctsSimultaneous *m, KnError *error);
void kn_smcts_team_free(KnMctsSimultaneous *m);
KnMctsSimultaneous *kn_smcts_team_member(const KnMctsSimultaneous *m, int index); /* NULL behind the last */

/* kn_mcts_simultaneous_run by all threads, and by this one. */
KnStatus kn_smcts_run_team(KnMctsSimultaneous *m, const void *position, int role,
                           const KnSearchRequest *request, KnSearchResult *result, KnError *error);
KnStatus kn_smcts_run_alone(KnMctsSimultaneous *m, const void *position, int role,
                            const KnSearchRequest *request, KnSearchResult *result, KnError *error);

/* Whether another thread has made this one's work needless. */
static inline bool kn_smcts_halted(const KnMctsSimultaneous *m)
{
    return m->halt && atomic_load_explicit(m->halt, memory_order_relaxed);
}

/* ---- AMAF values ---- */

/* Tables of moves by their results in playouts, where the game has a propnet. KN_SYSTEM: memory runs out. */
KnStatus kn_smcts_amaf_new(KnMctsSimultaneous *m, KnError *error);
void kn_smcts_amaf_free(KnMctsSimultaneous *m);
void kn_smcts_amaf_clear(KnMctsSimultaneous *m);

/* The table to use below a node: its own if that has seen enough playouts, else the one used above it. Gives
 * a table to a node that has the visits for it. */
uint32_t kn_smcts_amaf_table(KnMctsSimultaneous *m, uint32_t node, uint32_t above);
void kn_smcts_amaf_drop(KnMctsSimultaneous *m, uint32_t node); /* the node's table, if it has one */

/* Adds the playout whose moves are in m->made to the table of a node on its path, and then the moves that
 * were chosen there, for the nodes above. */
void kn_smcts_amaf_add(KnMctsSimultaneous *m, const KnSmctsStep *step, const double *results);

/* UCB1 with the values of a table. */
uint32_t kn_smcts_amaf_select(const KnMctsSimultaneous *m, const KnSmctsNode *node, const KnSmctsAction *list,
                              uint32_t count, int role, uint32_t table, const bool *barred);

/* ---- Values ---- */

/* Proves a node of the path if its children allow it. */
bool kn_smcts_prove(KnMctsSimultaneous *m, uint32_t node, const KnSmctsStep *step);

/* The same for a node at which several roles decide. */
bool kn_smcts_prove_joint(KnMctsSimultaneous *m, uint32_t node);

/* What is known of such a node. KN_SMCTS_MIXED: fills the chance of each of the role's moves, but of those
 * that are barred (NULL: none is). */
KnSmctsKnown kn_smcts_joint_answer(const KnMctsSimultaneous *m, uint32_t node, int role, const bool *barred,
                                   double *chances);

/* The number of a move among the root's actions of the role; KN_SMCTS_NONE if it is not there. After
 * kn_smcts_sort. */
uint32_t kn_smcts_find(const KnMctsSimultaneous *m, uint32_t count, KnMove move);
void kn_smcts_sort(KnMctsSimultaneous *m, const KnSmctsAction *list, uint32_t count);

/* Whether more playouts cannot change the answer. */
bool kn_smcts_decided(const KnMctsSimultaneous *m, uint32_t root, int role);

void kn_smcts_answer(KnMctsSimultaneous *m, uint32_t root, int role, const KnMove *allowed, int count,
                     KnSearchResult *result);

#endif
