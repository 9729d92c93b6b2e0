/* Who lives beside whom: undirected graphs for populations.
 *
 * Ownership: kn_graph_free. Read-only once made. */
#ifndef KNACK_ARENA_GRAPH_H
#define KNACK_ARENA_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { KN_GRAPH_VERTICES = 1000000, KN_GRAPH_EDGES = 20000000 };

typedef struct KnGraph {
    size_t vertices;
    bool complete;    /* everybody beside everybody; the lists are then absent */
    size_t *first;    /* where a vertex's neighbours begin; one entry more than there are vertices */
    uint32_t *others; /* neighbours, vertex after vertex */
} KnGraph;

/* By name: `complete`, `cycle`, `grid` (a torus, as square as the number allows, four neighbours each), or a
 * file with an edge a line, two numbers from 0; # begins a comment. `vertices` is for the named ones; a file
 * brings its own. It must hang together. */
KnStatus kn_graph_open(const char *name, size_t vertices, KnGraph **graph, KnError *error);
KnStatus kn_graph_read(const char *name, const char *text, KnGraph **graph, KnError *error);
void kn_graph_free(KnGraph *graph);

#endif
