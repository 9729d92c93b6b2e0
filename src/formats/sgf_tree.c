#include "formats/sgf_tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 15 };

/* Where a reader stands. Neither reading nor writing recurses: a file may nest as deeply as it likes. */
typedef struct Place {
    const char *at;
    int line, column;
} Place;

static void step(Place *p)
{
    if (*p->at++ == '\n')
        p->line++, p->column = 1;
    else
        p->column++;
}

static void skip_blanks(Place *p)
{
    while (isspace((unsigned char)*p->at)) step(p);
}

static KnStatus wrong(const Place *p, KnError *error, const char *what)
{
    return kn_fail(error, KN_INPUT, "line %d, column %d: %s", p->line, p->column, what);
}

KnStatus kn_sgf_fail(const KnSgfValue *value, KnError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kn_fail_args(error, KN_INPUT, format, args);
    va_end(args);
    return kn_fail_within(error, "line %d, column %d", value->line, value->column);
}

/* ---- making ---- */

KnSgfNode *kn_sgf_node(KnArena *arena, KnSgfNode *parent)
{
    KnSgfNode *node = KN_ARENA_NEW(arena, KnSgfNode, 1);
    if (!node || !parent) return node;
    node->parent = parent;
    if (parent->last_child)
        parent->last_child->sibling = node;
    else
        parent->child = node;
    parent->last_child = node;
    return node;
}

static KnSgfProperty *add_property(KnArena *arena, KnSgfNode *node, const char *name)
{
    KnSgfProperty *property = KN_ARENA_NEW(arena, KnSgfProperty, 1);
    if (!property || !(property->name = kn_arena_string(arena, name))) return NULL;
    if (node->last)
        node->last->next = property;
    else
        node->first = property;
    node->last = property;
    return property;
}

static KnSgfValue *add_value(KnArena *arena, KnSgfProperty *property, const char *text, size_t length)
{
    KnSgfValue *value = KN_ARENA_NEW(arena, KnSgfValue, 1);
    char *copy = kn_arena_alloc(arena, length + 1);
    if (!value || !copy) return NULL;
    memcpy(copy, text, length);
    value->text = copy;
    if (property->last)
        property->last->next = value;
    else
        property->first = value;
    property->last = value;
    return value;
}

KnSgfNode *kn_sgf_add(KnArena *arena, KnSgfNode *node, const char *name, const char *plain)
{
    if (!node) return NULL;
    KnSgfProperty *property = node->first;
    while (property && strcmp(property->name, name)) property = property->next;
    if (!property && !(property = add_property(arena, node, name))) return NULL;
    KnText escaped = KN_TEXT_EMPTY;
    for (const char *c = plain; *c; c++) {
        if (*c == ']' || *c == '\\') kn_text_add_char(&escaped, '\\');
        kn_text_add_char(&escaped, *c);
    }
    bool added = kn_text_ok(&escaped) && add_value(arena, property, escaped.data, escaped.length);
    kn_text_free(&escaped);
    return added ? node : NULL;
}

/* ---- reading ---- */

/* NAME[value][value]... Small letters in a name are of older formats, and dropped. */
static KnStatus read_property(Place *p, KnArena *arena, KnSgfNode *node, KnError *error)
{
    Place begin = *p;
    char name[NAME_MOST + 1] = "";
    size_t length = 0;
    for (; isalpha((unsigned char)*p->at); step(p))
        if (isupper((unsigned char)*p->at) && length < NAME_MOST) name[length++] = *p->at;
    skip_blanks(p);
    if (!length || *p->at != '[') return wrong(&begin, error, "a property looks like B[dd]");
    KnSgfProperty *property = add_property(arena, node, name);
    while (property && *p->at == '[') {
        Place open = *p;
        for (step(p); *p->at && *p->at != ']'; step(p))
            if (*p->at == '\\' && p->at[1]) step(p);
        if (!*p->at) return wrong(&open, error, "a value in brackets has no end");
        KnSgfValue *value = add_value(arena, property, open.at + 1, (size_t)(p->at - open.at - 1));
        if (!value) return kn_fail_memory(error, "reading SGF");
        value->line = open.line, value->column = open.column + 1;
        step(p);
        skip_blanks(p);
    }
    return property ? KN_OK : kn_fail_memory(error, "reading SGF");
}

/* An open parenthesis: where variations of a node begin again once it is closed. */
typedef struct Open {
    KnSgfNode *node;
    Place place;
    bool empty; /* no node yet */
    struct Open *below;
} Open;

typedef struct Reader {
    Place p;
    KnArena *arena;
    KnSgfNode *root, *node;
    Open *open;
} Reader;

static KnStatus begin_tree(Reader *r, KnError *error)
{
    if (r->open && r->open->empty) return wrong(&r->p, error, "a tree begins with a node: (;");
    Open *open = KN_ARENA_NEW(r->arena, Open, 1);
    if (!open) return kn_fail_memory(error, "reading SGF");
    *open = (Open){r->node, r->p, true, r->open};
    r->open = open;
    return KN_OK;
}

static KnStatus begin_node(Reader *r, KnError *error)
{
    r->node = kn_sgf_node(r->arena, r->node);
    if (!r->node) return kn_fail_memory(error, "reading SGF");
    r->node->line = r->p.line, r->node->column = r->p.column;
    if (!r->root) r->root = r->node;
    r->open->empty = false;
    return KN_OK;
}

KnStatus kn_sgf_parse(const char *text, KnArena *arena, KnSgfNode **root, const char **rest, int *line,
                      int *column, KnError *error)
{
    Reader r = {.p = {text, line ? *line : 1, column ? *column : 1}, .arena = arena};
    *root = NULL;
    skip_blanks(&r.p);
    if (*r.p.at != '(') return wrong(&r.p, error, "there is no game in this file: SGF and GGF begin with (;");
    KnStatus status = KN_OK;
    do {
        char c = *r.p.at;
        bool sign = c == '(' || c == ')' || c == ';';
        if (c == '(')
            status = begin_tree(&r, error);
        else if (c == ')' && r.open->empty)
            status = wrong(&r.p, error, "a tree without a node: it begins with (;");
        else if (c == ')')
            r.node = r.open->node, r.open = r.open->below;
        else if (c == ';')
            status = begin_node(&r, error);
        else if (!c)
            status = wrong(&r.open->place, error, "this parenthesis is never closed");
        else if (r.open->empty)
            status = wrong(&r.p, error, "there is no game in this file: a tree begins with (;");
        else
            status = read_property(&r.p, arena, r.node, error);
        if (status == KN_OK && sign) step(&r.p);
        skip_blanks(&r.p);
    } while (status == KN_OK && r.open);
    if (status != KN_OK) return status;
    *root = r.root;
    if (rest) *rest = r.p.at;
    if (line) *line = r.p.line;
    if (column) *column = r.p.column;
    return KN_OK;
}

KnStatus kn_sgf_parse_all(const char *text, KnArena *arena, KnSgfNode **first, KnError *error)
{
    int line = 1, column = 1;
    KnSgfNode *root, *last = NULL;
    *first = NULL;
    do {
        KnStatus status = kn_sgf_parse(text, arena, &root, &text, &line, &column, error);
        if (status != KN_OK) return status;
        if (last)
            last->sibling = root;
        else
            *first = root;
        last = root;
    } while (*text);
    return KN_OK;
}

/* ---- asking ---- */

const KnSgfValue *kn_sgf_values(const KnSgfNode *node, const char *name)
{
    for (const KnSgfProperty *p = node->first; p; p = p->next)
        if (strcmp(p->name, name) == 0) return p->first;
    return NULL;
}

void kn_sgf_plain(const KnSgfValue *value, KnText *out)
{
    for (const char *c = value->text; *c; c++) {
        if (*c == '\\' && c[1] && *++c == '\n') continue; /* an escaped end of line is none */
        kn_text_add_char(out, *c);
    }
}

bool kn_sgf_point(const char *text, int size, int *x, int *y)
{
    if (!text[0] || !text[1] || text[2]) return 0;
    *x = text[0] - 'a', *y = text[1] - 'a';
    return *x >= 0 && *y >= 0 && *x < size && *y < size;
}

/* ---- writing ---- */

static void print_node(const KnSgfNode *node, KnText *out)
{
    kn_text_add_char(out, ';');
    for (const KnSgfProperty *p = node->first; p; p = p->next) {
        kn_text_add(out, p->name);
        for (const KnSgfValue *v = p->first; v; v = v->next) kn_text_printf(out, "[%s]", v->text);
    }
}

static bool branches(const KnSgfNode *node)
{
    return !node->parent || node->parent->child != node->parent->last_child;
}

void kn_sgf_print(const KnSgfNode *first, KnText *out)
{
    const KnSgfNode *node = first;
    while (node) {
        if (branches(node)) kn_text_add(out, node->parent ? "\n(" : "(");
        print_node(node, out);
        if (node->child) {
            node = node->child;
            continue;
        }
        const KnSgfNode *top = first->parent;
        while (node != top) { /* what ends here; then its next variation */
            if (branches(node)) kn_text_add(out, node->parent ? ")" : ")\n");
            if (node->sibling) break;
            node = node->parent;
        }
        node = node == top ? NULL : node->sibling;
    }
}
