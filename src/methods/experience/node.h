/* Positions and games as bytes in the file, and positions unpacked.
 *
 * A record begins with a check sum of the rest (16 bits). Numbers are of variable length, points are kept in
 * halves where that is exact, and zero bytes of a position take a bit: an Othello position with one child and
 * one parent takes about 40 bytes, and about as much again for its key and LMDB's own.
 *
 * Ownership: a KnNode owns its arrays (kn_node_clear). Encoding appends to a KnText of the caller's. */
#ifndef KNACK_METHODS_EXPERIENCE_NODE_H
#define KNACK_METHODS_EXPERIENCE_NODE_H

#include "base/error.h"
#include "games/game.h"

typedef struct KnNodeEdge {
    uint32_t child;
    uint64_t games; /* that went this way */
} KnNodeEdge;

/* A game ended here, with this outcome: a finished position, or a draw by repetition, a limit, a resignation.
 */
typedef struct KnNodeEnd {
    double outcome;
    uint64_t games;
} KnNodeEnd;

/* The games through a position against one opponent; 0: an opponent without a name. */
typedef struct KnNodeTally {
    uint32_t opponent;
    uint64_t games;
    double total; /* of their outcomes */
} KnNodeTally;

typedef struct KnNode {
    uint32_t id;
    bool valued;
    double value;
    uint64_t paths, games, distinct; /* games as often as they were played, and games that differ */
    double total;                    /* of the outcomes of `games` */
    KnMove leaf;                     /* KN_MOVE_NONE: none; in the frame of `position` */
    KnScore leaf_score;
    uint32_t leaf_depth;
    KnNodeEdge *edges;
    uint32_t edge_count, edge_room;
    KnNodeEnd *ends;
    uint32_t end_count, end_room;
    uint32_t *parents;
    uint32_t parent_count, parent_room;
    KnNodeTally *tallies; /* by opponent; their sums are `games` and `total` */
    uint32_t tally_count, tally_room;
    const unsigned char *tally_bytes, *tally_end; /* of a brief node: undecoded, in the file's own memory */
    unsigned char *position;
    int mover;
    /* While in memory: */
    bool dirty, fresh, gone;
    uint64_t mark;
    uint32_t pending, order, low;
    struct KnNode *next;
} KnNode;

void kn_node_clear(KnNode *node);

/* false if memory runs out. */
bool kn_node_add_edge(KnNode *node, uint32_t child, uint64_t games);
bool kn_node_add_end(KnNode *node, double outcome, uint64_t games);
bool kn_node_add_parent(KnNode *node, uint32_t parent);
bool kn_node_add_tally(KnNode *node, uint32_t opponent, uint64_t games, double total); /* to its sums */
void kn_node_drop_tally(KnNode *node, uint32_t opponent, uint64_t games, double total);
void kn_node_drop_parent(KnNode *node, uint32_t parent);
KnNodeEdge *kn_node_edge(const KnNode *node, uint32_t child); /* NULL if there is none */

/* The games through it against one opponent. */
KnNodeTally kn_node_met(const KnNode *node, uint32_t opponent);

void kn_node_encode(const KnNode *node, size_t position_size, KnText *out);

/* False: the bytes are no record. With `brief` only what precedes the arrays is read. */
bool kn_node_decode(const void *bytes, size_t size, size_t position_size, bool payload, KnNode *node);

/* A game: when it was last seen, its outcome, its start (NULL: the game's own), and the place of each move
 * among the legal ones in order. */
typedef struct KnBaseGameRecord {
    uint64_t stamp;
    double outcome;
    const unsigned char *start; /* position_size bytes in `room` */
    uint64_t plies;
    const unsigned char *moves; /* undecoded */
    size_t moves_size;
} KnBaseGameRecord;

void kn_encode_game(const KnBaseGameRecord *game, size_t position_size,
                    KnText *out); /* moves are added as they are */
bool kn_decode_game(const void *bytes, size_t size, size_t position_size, unsigned char *room,
                    KnBaseGameRecord *game);

void kn_encode_number(KnText *out, uint64_t number);
bool kn_decode_number(const unsigned char **at, const unsigned char *end, uint64_t *number);

#endif
