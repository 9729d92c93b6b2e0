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

typedef struct KnNode {
    uint32_t id;
    bool valued;
    double value;
    uint64_t paths, games;
    double total; /* of the outcomes of these games */
    KnMove leaf;  /* KN_MOVE_NONE: none; in the frame of `position` */
    KnScore leaf_score;
    uint32_t leaf_depth;
    KnNodeEdge *edges;
    uint32_t edge_count, edge_room;
    KnNodeEnd *ends;
    uint32_t end_count, end_room;
    uint32_t *parents;
    uint32_t parent_count, parent_room;
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
void kn_node_drop_parent(KnNode *node, uint32_t parent);
KnNodeEdge *kn_node_edge(const KnNode *node, uint32_t child); /* NULL if there is none */

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
