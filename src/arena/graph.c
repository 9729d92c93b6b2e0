#include "arena/graph.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

typedef struct Edge {
    uint32_t a, b;
} Edge;

typedef struct Edges {
    Edge *list;
    size_t count, capacity;
    size_t vertices;
} Edges;

void kn_graph_free(KnGraph *graph)
{
    if (!graph) return;
    free(graph->first);
    free(graph->others);
    free(graph);
}

static KnStatus add_edge(Edges *edges, size_t a, size_t b, KnError *error)
{
    if (edges->count == edges->capacity) {
        size_t capacity = edges->capacity ? edges->capacity * 2 : 256;
        Edge *list = realloc(edges->list, capacity * sizeof *list);
        if (!list) return kn_fail_memory(error, "building a graph");
        edges->list = list;
        edges->capacity = capacity;
    }
    edges->list[edges->count++] = a < b ? (Edge){(uint32_t)a, (uint32_t)b} : (Edge){(uint32_t)b, (uint32_t)a};
    return KN_OK;
}

static int by_ends(const void *x, const void *y)
{
    const Edge *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/* In pieces, no kind could ever take over. */
static KnStatus check_connected(const char *name, const KnGraph *graph, KnError *error)
{
    size_t n = graph->vertices, waiting = 1, missing = 1;
    unsigned char *seen = calloc(n, 1);
    uint32_t *queue = calloc(n, sizeof *queue);
    KnStatus status = seen && queue ? KN_OK : kn_fail_memory(error, "building a graph");
    if (status == KN_OK) seen[0] = 1;
    for (size_t done = 0; status == KN_OK && done < waiting; done++)
        for (size_t e = graph->first[queue[done]]; e < graph->first[queue[done] + 1]; e++) {
            uint32_t other = graph->others[e];
            if (!seen[other]) seen[other] = 1, queue[waiting++] = other;
        }
    while (status == KN_OK && missing < n && seen[missing]) missing++;
    if (status == KN_OK && missing < n)
        status = kn_fail(error, KN_INPUT, "%s: no way leads from vertex 0 to vertex %zu", name, missing);
    free(seen);
    free(queue);
    return status;
}

/* Lists of neighbours; an edge that occurs twice counts once. */
static KnStatus build(const char *name, Edges *edges, KnGraph **out, KnError *error)
{
    size_t n = edges->vertices, distinct = 0;
    KnGraph *graph = calloc(1, sizeof *graph);
    if (graph) graph->first = calloc(n + 2, sizeof *graph->first);
    if (graph) graph->others = calloc(edges->count * 2 + 1, sizeof *graph->others);
    if (!graph || !graph->first || !graph->others) {
        kn_graph_free(graph);
        return kn_fail_memory(error, "building a graph");
    }
    graph->vertices = n;
    if (edges->count) qsort(edges->list, edges->count, sizeof *edges->list, by_ends);
    for (size_t e = 0; e < edges->count; e++)
        if (!e || by_ends(&edges->list[e], &edges->list[e - 1]) != 0)
            edges->list[distinct++] = edges->list[e];
    for (size_t e = 0; e < distinct; e++)
        graph->first[edges->list[e].a + 2]++, graph->first[edges->list[e].b + 2]++;
    for (size_t v = 2; v <= n + 1; v++) graph->first[v] += graph->first[v - 1];
    for (size_t e = 0; e < distinct; e++) { /* first[v + 1] runs from the beginning of v's list to its end */
        graph->others[graph->first[edges->list[e].a + 1]++] = edges->list[e].b;
        graph->others[graph->first[edges->list[e].b + 1]++] = edges->list[e].a;
    }
    KnStatus status = check_connected(name, graph, error);
    if (status == KN_OK)
        *out = graph;
    else
        kn_graph_free(graph);
    return status;
}

static KnStatus add_grid(Edges *edges, KnError *error)
{
    size_t n = edges->vertices, width = 1;
    for (size_t w = 1; w * w <= n; w++)
        if (n % w == 0) width = w;
    if (width < 2)
        return kn_fail(error, KN_INPUT,
                       "%zu is no product of two sides; choose another population for a grid", n);
    KnStatus status = KN_OK;
    for (size_t v = 0; v < n && status == KN_OK; v++) {
        size_t x = v % width, y = v / width, height = n / width;
        status = add_edge(edges, v, y * width + (x + 1) % width, error);
        if (status == KN_OK) status = add_edge(edges, v, (y + 1) % height * width + x, error);
    }
    return status;
}

static KnStatus read_number(const char *name, int line, int field, const char **at, size_t *value,
                            KnError *error)
{
    while (**at == ' ' || **at == '\t' || **at == ',') ++*at;
    const char *start = *at;
    *value = 0;
    for (; isdigit((unsigned char)**at) && *value < KN_GRAPH_VERTICES; ++*at)
        *value = *value * 10 + (size_t)(**at - '0');
    bool ends = !isgraph((unsigned char)**at) || **at == ',' || **at == '#';
    if (*at > start && ends && *value < KN_GRAPH_VERTICES) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s:%d: field %d: expected the number of a vertex, from 0 to %d", name,
                   line, field, KN_GRAPH_VERTICES - 1);
}

KnStatus kn_graph_read(const char *name, const char *text, KnGraph **graph, KnError *error)
{
    *graph = NULL;
    Edges edges = {0};
    KnStatus status = KN_OK;
    int line = 1;
    for (const char *at = text; *at && status == KN_OK; line++) {
        const char *start = at + strspn(at, " \t\r");
        if (*start && *start != '#' && *start != '\n') {
            size_t a = 0, b = 0;
            status = read_number(name, line, 1, &start, &a, error);
            if (status == KN_OK) status = read_number(name, line, 2, &start, &b, error);
            start += strspn(start, " \t\r");
            if (status == KN_OK && *start && *start != '\n' && *start != '#')
                status = kn_fail(error, KN_INPUT, "%s:%d: field 3: an edge has two ends", name, line);
            if (status == KN_OK && a == b)
                status = kn_fail(error, KN_INPUT, "%s:%d: field 2: vertex %zu beside itself", name, line, a);
            if (status == KN_OK && edges.count == KN_GRAPH_EDGES)
                status = kn_fail(error, KN_INPUT, "%s:%d: more than %d edges", name, line, KN_GRAPH_EDGES);
            if (status == KN_OK) status = add_edge(&edges, a, b, error);
            if (a >= edges.vertices) edges.vertices = a + 1;
            if (b >= edges.vertices) edges.vertices = b + 1;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (status == KN_OK && !edges.count)
        status = kn_fail(error, KN_INPUT, "%s: no edges; a line each is wanted, as in 0 1", name);
    if (status == KN_OK) status = build(name, &edges, graph, error);
    free(edges.list);
    return status;
}

static KnStatus open_named(const char *name, size_t vertices, KnGraph **graph, KnError *error)
{
    Edges edges = {.vertices = vertices};
    KnStatus status = KN_OK;
    if (strcasecmp(name, "grid") == 0)
        status = add_grid(&edges, error);
    else
        for (size_t v = 0; v < vertices && status == KN_OK; v++)
            status = add_edge(&edges, v, (v + 1) % vertices, error);
    if (status == KN_OK) status = build(name, &edges, graph, error);
    free(edges.list);
    return status;
}

KnStatus kn_graph_open(const char *name, size_t vertices, KnGraph **graph, KnError *error)
{
    *graph = NULL;
    bool complete = strcasecmp(name, "complete") == 0;
    if (complete || strcasecmp(name, "cycle") == 0 || strcasecmp(name, "grid") == 0) {
        if (vertices < 2 || vertices > KN_GRAPH_VERTICES)
            return kn_fail(error, KN_USAGE, "a population has from 2 to %d members, not %zu",
                           KN_GRAPH_VERTICES, vertices);
        if (!complete) return open_named(name, vertices, graph, error);
        KnGraph *made = calloc(1, sizeof *made);
        if (!made) return kn_fail_memory(error, "building a graph");
        made->vertices = vertices;
        made->complete = true;
        *graph = made;
        return KN_OK;
    }
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read_text(name, &text, 1u << 30, error);
    if (status != KN_OK)
        kn_fail_within(error, "graphs are complete, cycle, grid, or a file with an edge a line");
    else
        status = kn_graph_read(name, text.data, graph, error);
    kn_text_free(&text);
    return status;
}
