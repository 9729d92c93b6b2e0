#include "methods/experience/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

enum { HAS_VALUE = 1, HAS_LEAF = 2, HAS_TALLIES = 4 /* since format 2 */, CHECK_BYTES = 2 };

/* ---- numbers ---- */

void kn_encode_number(KnText *out, uint64_t number)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; number >= 0x80; number >>= 7) bytes[count++] = (unsigned char)(number | 0x80);
    bytes[count++] = (unsigned char)number;
    kn_text_add_bytes(out, bytes, count);
}

bool kn_decode_number(const unsigned char **at, const unsigned char *end, uint64_t *number)
{
    *number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (*at == end) return false;
        unsigned char byte = *(*at)++;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

static uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (uint64_t)(value >> 63); }
static int64_t unzigzag(uint64_t code) { return (int64_t)(code >> 1) ^ -(int64_t)(code & 1); }

/* Points: twice the value as an even code, or 1 and the bytes of the double. */
static void add_points(KnText *out, double value)
{
    double twice = 2 * value;
    if (fabs(twice) < 1e15 && twice == nearbyint(twice) && !(value == 0 && signbit(value))) {
        kn_encode_number(out, zigzag((int64_t)twice) << 1);
        return;
    }
    kn_encode_number(out, 1);
    kn_text_add_bytes(out, &value, sizeof value);
}

static bool read_points(const unsigned char **at, const unsigned char *end, double *value)
{
    uint64_t code;
    if (!kn_decode_number(at, end, &code)) return false;
    if (!(code & 1)) {
        *value = (double)unzigzag(code >> 1) / 2;
        return true;
    }
    if (code != 1 || (size_t)(end - *at) < sizeof *value) return false;
    memcpy(value, *at, sizeof *value);
    *at += sizeof *value;
    return isfinite(*value);
}

/* ---- positions: a bit for each byte, then those that are not zero ---- */

static void add_position(KnText *out, const unsigned char *position, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        unsigned mask = 0;
        for (size_t k = i; k < i + 8 && k < size; k++) mask |= (unsigned)(position[k] != 0) << (k - i);
        kn_text_add_char(out, (char)mask);
    }
    for (size_t i = 0; i < size; i++)
        if (position[i]) kn_text_add_char(out, (char)position[i]);
}

static bool read_position(const unsigned char **at, const unsigned char *end, unsigned char *position,
                          size_t size)
{
    size_t masks = (size + 7) / 8;
    if ((size_t)(end - *at) < masks) return false;
    const unsigned char *mask = *at, *byte = *at + masks;
    for (size_t i = 0; i < size; i++) {
        position[i] = 0;
        if (!(mask[i / 8] >> i % 8 & 1)) continue;
        if (byte == end) return false;
        position[i] = *byte++;
    }
    *at = byte;
    return true;
}

/* ---- check sums ---- */

static uint16_t check_of(const unsigned char *bytes, size_t size)
{
    return (uint16_t)kn_hash64(bytes, size, 0x6B6E6B);
}

/* Room for the check sum; it is put there once the rest is written. */
static size_t open_record(KnText *out)
{
    size_t at = out->length;
    kn_text_add_bytes(out, "\0\0", CHECK_BYTES);
    return at;
}

static void seal_record(KnText *out, size_t at)
{
    KN_ASSERT(out->failed || at + CHECK_BYTES <= out->length);
    if (out->failed) return;
    uint16_t check = check_of((const unsigned char *)out->data + at + CHECK_BYTES,
                              out->length - at - CHECK_BYTES);
    out->data[at] = (char)check;
    out->data[at + 1] = (char)(check >> 8);
}

static bool sealed(const unsigned char *bytes, size_t size)
{
    return size > CHECK_BYTES &&
           (bytes[0] | bytes[1] << 8) == check_of(bytes + CHECK_BYTES, size - CHECK_BYTES);
}

/* ---- nodes ---- */

void kn_node_clear(KnNode *node)
{
    free(node->edges);
    free(node->ends);
    free(node->parents);
    free(node->tallies);
    free(node->position);
    *node = (KnNode){0};
}

static bool grow(void **array, uint32_t count, uint32_t *room, size_t each)
{
    if (count < *room) return true;
    uint32_t wanted = *room ? *room * 2 : 2;
    void *larger = realloc(*array, wanted * each);
    if (!larger) return false;
    *array = larger;
    *room = wanted;
    return true;
}

bool kn_node_add_edge(KnNode *node, uint32_t child, uint64_t games)
{
    void *edges = node->edges;
    if (!grow(&edges, node->edge_count, &node->edge_room, sizeof *node->edges)) return false;
    node->edges = edges;
    node->edges[node->edge_count++] = (KnNodeEdge){child, games};
    return true;
}

bool kn_node_add_end(KnNode *node, double outcome, uint64_t games)
{
    KN_ASSERT(isfinite(outcome));
    void *ends = node->ends;
    if (!grow(&ends, node->end_count, &node->end_room, sizeof *node->ends)) return false;
    node->ends = ends;
    node->ends[node->end_count++] = (KnNodeEnd){outcome, games};
    return true;
}

bool kn_node_add_parent(KnNode *node, uint32_t parent)
{
    void *parents = node->parents;
    if (!grow(&parents, node->parent_count, &node->parent_room, sizeof *node->parents)) return false;
    node->parents = parents;
    node->parents[node->parent_count++] = parent;
    return true;
}

void kn_node_drop_parent(KnNode *node, uint32_t parent)
{
    for (uint32_t i = 0; i < node->parent_count; i++)
        if (node->parents[i] == parent) {
            node->parents[i] = node->parents[--node->parent_count];
            return;
        }
}

static KnNodeTally *find_tally(const KnNode *node, uint32_t opponent)
{
    for (uint32_t i = 0; i < node->tally_count; i++)
        if (node->tallies[i].opponent == opponent) return &node->tallies[i];
    return NULL;
}

bool kn_node_add_tally(KnNode *node, uint32_t opponent, uint64_t games, double total)
{
    KnNodeTally *tally = find_tally(node, opponent);
    if (!tally) {
        void *tallies = node->tallies;
        if (!grow(&tallies, node->tally_count, &node->tally_room, sizeof *node->tallies)) return false;
        node->tallies = tallies;
        tally = &node->tallies[node->tally_count++];
        *tally = (KnNodeTally){.opponent = opponent};
    }
    tally->games += games, tally->total += total;
    return true;
}

void kn_node_drop_tally(KnNode *node, uint32_t opponent, uint64_t games, double total)
{
    KnNodeTally *tally = find_tally(node, opponent);
    if (!tally) return;
    if (tally->games <= games)
        *tally = node->tallies[--node->tally_count];
    else
        tally->games -= games, tally->total -= total;
}

KnNodeEdge *kn_node_edge(const KnNode *node, uint32_t child)
{
    for (uint32_t i = 0; i < node->edge_count; i++)
        if (node->edges[i].child == child) return &node->edges[i];
    return NULL;
}

/* With a single opponent the sums are the position's own. */
static void add_tallies(KnText *out, const KnNode *node)
{
    kn_encode_number(out, node->distinct);
    kn_encode_number(out, node->tally_count);
    for (uint32_t i = 0; i < node->tally_count; i++) {
        kn_encode_number(out, node->tallies[i].opponent);
        if (node->tally_count == 1) break;
        kn_encode_number(out, node->tallies[i].games);
        add_points(out, node->tallies[i].total);
    }
}

void kn_node_encode(const KnNode *node, size_t position_size, KnText *out)
{
    KN_ASSERT(node->position && (!node->valued || isfinite(node->value)));
    size_t at = open_record(out);
    bool leaf = node->leaf != KN_MOVE_NONE;
    kn_encode_number(out, (node->valued ? HAS_VALUE : 0u) | (leaf ? HAS_LEAF : 0u) | HAS_TALLIES);
    if (node->valued) add_points(out, node->value);
    kn_encode_number(out, node->paths);
    kn_encode_number(out, node->games);
    add_points(out, node->total);
    if (leaf) {
        kn_encode_number(out, node->leaf);
        kn_encode_number(out, zigzag(node->leaf_score));
        kn_encode_number(out, node->leaf_depth);
    }
    add_tallies(out, node);
    kn_encode_number(out, node->edge_count);
    for (uint32_t i = 0; i < node->edge_count; i++) {
        kn_encode_number(out, node->edges[i].child);
        kn_encode_number(out, node->edges[i].games);
    }
    kn_encode_number(out, node->end_count);
    for (uint32_t i = 0; i < node->end_count; i++) {
        add_points(out, node->ends[i].outcome);
        kn_encode_number(out, node->ends[i].games);
    }
    kn_encode_number(out, node->parent_count);
    for (uint32_t i = 0; i < node->parent_count; i++) kn_encode_number(out, node->parents[i]);
    add_position(out, node->position, position_size);
    seal_record(out, at);
}

static bool read_id(const unsigned char **at, const unsigned char *end, uint32_t *id)
{
    uint64_t number;
    if (!kn_decode_number(at, end, &number) || number > UINT32_MAX) return false;
    *id = (uint32_t)number;
    return true;
}

static bool read_edges(const unsigned char **at, const unsigned char *end, KnNode *node)
{
    uint32_t count, child;
    uint64_t games;
    if (!read_id(at, end, &count) || count > (size_t)(end - *at)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_id(at, end, &child) || !kn_decode_number(at, end, &games) ||
            !kn_node_add_edge(node, child, games))
            return false;
    return true;
}

static bool read_ends(const unsigned char **at, const unsigned char *end, KnNode *node)
{
    uint32_t count;
    double outcome;
    uint64_t games;
    if (!read_id(at, end, &count) || count > (size_t)(end - *at)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_points(at, end, &outcome) || !kn_decode_number(at, end, &games) ||
            !kn_node_add_end(node, outcome, games))
            return false;
    return true;
}

static bool read_parents(const unsigned char **at, const unsigned char *end, KnNode *node)
{
    uint32_t count, parent;
    if (!read_id(at, end, &count) || count > (size_t)(end - *at)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_id(at, end, &parent) || !kn_node_add_parent(node, parent)) return false;
    return true;
}

static bool read_leaf(const unsigned char **at, const unsigned char *end, KnNode *node)
{
    uint64_t score;
    if (!kn_decode_number(at, end, &node->leaf) || !kn_decode_number(at, end, &score) ||
        !read_id(at, end, &node->leaf_depth))
        return false;
    int64_t plain = unzigzag(score);
    node->leaf_score = (KnScore)plain;
    return plain == node->leaf_score;
}

/* One of `count` tallies. */
static bool read_tally(const unsigned char **at, const unsigned char *end, const KnNode *node, uint32_t count,
                       KnNodeTally *tally)
{
    *tally = (KnNodeTally){.games = node->games, .total = node->total};
    return read_id(at, end, &tally->opponent) &&
           (count == 1 || (kn_decode_number(at, end, &tally->games) && read_points(at, end, &tally->total)));
}

static bool read_tallies(const unsigned char **at, const unsigned char *end, KnNode *node)
{
    uint32_t count;
    KnNodeTally tally;
    if (!read_id(at, end, &count) || count > (size_t)(end - *at)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_tally(at, end, node, count, &tally) || find_tally(node, tally.opponent) ||
            !kn_node_add_tally(node, tally.opponent, tally.games, tally.total))
            return false;
    return true;
}

KnNodeTally kn_node_met(const KnNode *node, uint32_t opponent)
{
    const KnNodeTally none = {.opponent = opponent}, *found = find_tally(node, opponent);
    if (found || !node->tally_bytes) return found ? *found : none;
    const unsigned char *at = node->tally_bytes;
    uint32_t count;
    KnNodeTally tally;
    if (!read_id(&at, node->tally_end, &count)) return none;
    for (uint32_t i = 0; i < count && read_tally(&at, node->tally_end, node, count, &tally); i++)
        if (tally.opponent == opponent) return tally;
    return none;
}

static bool decode(const unsigned char *at, const unsigned char *end, size_t position_size, bool payload,
                   KnNode *node)
{
    uint64_t flags;
    if (!kn_decode_number(&at, end, &flags) || flags > (HAS_VALUE | HAS_LEAF | HAS_TALLIES)) return false;
    node->valued = flags & HAS_VALUE;
    if (node->valued && !read_points(&at, end, &node->value)) return false;
    if (!kn_decode_number(&at, end, &node->paths) || !kn_decode_number(&at, end, &node->games) ||
        !read_points(&at, end, &node->total))
        return false;
    if (flags & HAS_LEAF && !read_leaf(&at, end, node)) return false;
    bool tallies = flags & HAS_TALLIES;
    node->distinct = node->games; /* before format 2 that is all that was counted, and nobody had a name */
    if (tallies && !kn_decode_number(&at, end, &node->distinct)) return false;
    if (payload) {
        if (tallies) node->tally_bytes = at, node->tally_end = end;
        return true;
    }
    if (tallies ? !read_tallies(&at, end, node) : !kn_node_add_tally(node, 0, node->games, node->total))
        return false;
    if (!read_edges(&at, end, node) || !read_ends(&at, end, node) || !read_parents(&at, end, node))
        return false;
    node->position = aligned_alloc(16, (position_size + 15) & ~(size_t)15);
    return node->position && read_position(&at, end, node->position, position_size) && at == end;
}

bool kn_node_decode(const void *bytes, size_t size, size_t position_size, bool payload, KnNode *node)
{
    const unsigned char *at = bytes;
    *node = (KnNode){.leaf = KN_MOVE_NONE};
    if (sealed(at, size) && decode(at + CHECK_BYTES, at + size, position_size, payload, node)) return true;
    kn_node_clear(node);
    return false;
}

/* ---- games ---- */

void kn_encode_game(const KnBaseGameRecord *game, size_t position_size, KnText *out)
{
    KN_ASSERT(isfinite(game->outcome) && game->plies <= game->moves_size);
    size_t at = open_record(out);
    kn_encode_number(out, game->stamp);
    add_points(out, game->outcome);
    kn_encode_number(out, game->start != NULL);
    if (game->start) add_position(out, game->start, position_size);
    kn_encode_number(out, game->plies);
    kn_text_add_bytes(out, game->moves, game->moves_size);
    seal_record(out, at);
}

bool kn_decode_game(const void *bytes, size_t size, size_t position_size, unsigned char *room,
                    KnBaseGameRecord *game)
{
    const unsigned char *at = bytes, *end = at + size;
    uint64_t has_start;
    *game = (KnBaseGameRecord){0};
    if (!sealed(at, size)) return false;
    at += CHECK_BYTES;
    if (!kn_decode_number(&at, end, &game->stamp) || !read_points(&at, end, &game->outcome)) return false;
    if (!kn_decode_number(&at, end, &has_start) || has_start > 1) return false;
    if (has_start) {
        if (!read_position(&at, end, room, position_size)) return false;
        game->start = room;
    }
    if (!kn_decode_number(&at, end, &game->plies)) return false;
    game->moves = at;
    game->moves_size = (size_t)(end - at);
    return game->plies <= game->moves_size;
}
